# The golden bytes: vectors/golden/NAME.bin becomes
#     extern const unsigned char golden_NAME[SIZE];      in golden.h, which also has GOLDEN(NAME)
# so that a scenario can say `.golden = GOLDEN(NAME)`. Adding one is adding a file.
file(GLOB golden_files CONFIGURE_DEPENDS "vectors/golden/*.bin")
set(PAIRBENCH_GOLDEN_INCLUDE "${CMAKE_CURRENT_BINARY_DIR}/include")
set(golden_declarations "")
foreach(file ${golden_files})
  cmake_path(GET file STEM LAST_ONLY name)
  file(SIZE "${file}" size)
  string(APPEND golden_declarations "extern const unsigned char golden_${name}[${size}];\n")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${golden_files}) # their sizes
file(CONFIGURE OUTPUT "${PAIRBENCH_GOLDEN_INCLUDE}/golden.h" CONTENT
"/* The bytes that scenarios must produce, made from vectors/golden. */
#ifndef CASES_GOLDEN_H
#define CASES_GOLDEN_H

#define GOLDEN(name) {golden_##name, sizeof golden_##name}

@golden_declarations@
#endif
" @ONLY)

# pairbench_add_golden(TARGET): links the bytes into TARGET.
function(pairbench_add_golden target)
  foreach(file ${golden_files})
    cmake_path(GET file STEM LAST_ONLY name)
    pairbench_embed(${target} golden_${name} "${file}")
  endforeach()
endfunction()

# pairbench_add_fuzzer(NAME SOURCES files… ROOMS rooms… [LIBRARIES targets…] [SEEDS folder])
#
# A libFuzzer program and a test of label `fuzz` that runs it for 20 seconds. SOURCES are the file
# that defines LLVMFuzzerTestOneInput and those that it tests; ROOMS are rooms to take all sources
# of. They are compiled once more into the program, since libFuzzer finds its way only in code that
# it instrumented. LIBRARIES are what they need from outside. SEEDS are inputs to begin with and are
# not written to: what is found goes to a corpus in the build folder, as do inputs that crash.
# Does nothing unless PAIRBENCH_FUZZERS is on.
include_guard(GLOBAL)

set(PAIRBENCH_FUZZ_SECONDS 20 CACHE STRING "How long the test of a fuzzer runs")

function(pairbench_add_fuzzer name)
  if(NOT PAIRBENCH_FUZZERS)
    return()
  endif()
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "PAIRBENCH_FUZZERS needs Clang, for libFuzzer")
  endif()
  cmake_parse_arguments(ARG "" "SEEDS" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  set(sources ${ARG_SOURCES})
  foreach(room ${ARG_ROOMS})
    get_target_property(room_sources pb_${room} SOURCES)
    list(APPEND sources ${room_sources})
  endforeach()
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/harness")
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  target_compile_options(${name} PRIVATE -O1 -g -fsanitize=fuzzer,address,undefined
    -fno-sanitize-recover=all)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} m)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  pairbench_warnings(${name})

  set(corpus "${CMAKE_CURRENT_BINARY_DIR}/${name}_corpus")
  file(MAKE_DIRECTORY "${corpus}")
  add_test(NAME fuzz/${name} COMMAND ${name} -max_total_time=${PAIRBENCH_FUZZ_SECONDS} -seed=1
    -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
    "-artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/${name}-" "${corpus}" ${ARG_SEEDS})
  math(EXPR timeout "${PAIRBENCH_FUZZ_SECONDS} + 100")
  # glibc leaks memory for every look into LOCPATH, which is found as if it were ours.
  set_tests_properties(fuzz/${name} PROPERTIES TIMEOUT ${timeout} LABELS fuzz ENVIRONMENT "LOCPATH=")
endfunction()

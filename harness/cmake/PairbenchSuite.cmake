# pairbench_add_suite(TARGET NAME name SOURCES files… [LIBRARIES targets…] [INCLUDES folders…])
#
# Builds a suite: a shared object that `pairbench --suite` loads. Every source whose name ends in
# _case.c must define one `const struct pb_case STEM` where STEM is the file's name without `.c`;
# the table of cases is made from these names, so adding a case is adding a file.
include_guard(GLOBAL)

# Alignment takes most of the luck of code layout out of a comparison; the others keep calls inside
# the suite inside the suite.
set(PAIRBENCH_SUITE_FLAGS
    -falign-functions=64 $<$<NOT:$<C_COMPILER_ID:Clang>>:-falign-loops=64>
    -fno-semantic-interposition -fvisibility=hidden)

function(pairbench_add_suite target)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;LIBRARIES;INCLUDES" ${ARGN})
  set(declarations "")
  set(entries "")
  foreach(source ${ARG_SOURCES})
    cmake_path(GET source STEM stem)
    if(source MATCHES "_case\\.c$")
      string(APPEND declarations "extern const struct pb_case ${stem};\n")
      string(APPEND entries "    &${stem},\n")
    endif()
  endforeach()
  if(NOT entries)
    message(FATAL_ERROR "pairbench_add_suite(${target}): none of SOURCES ends in _case.c")
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}" flags)
  string(REGEX REPLACE "-f(macro|file|debug)-prefix-map=[^ ]*" "" flags "${flags}")
  string(REPLACE "\\" "\\\\" flags "${flags}")
  string(REPLACE "\"" "\\\"" flags "${flags}")
  set(table "${CMAKE_CURRENT_BINARY_DIR}/${target}_table.c")
  file(CONFIGURE OUTPUT "${table}" CONTENT
"#include \"pairbench.h\"

@declarations@
static const struct pb_case *const cases[] = {
@entries@};

const struct pb_suite *pairbench_suite(void)
{
    static const struct pb_suite suite = {
        .abi = PAIRBENCH_ABI,
        .optimized = PAIRBENCH_OPTIMIZED,
        .name = \"@ARG_NAME@\",
        .compiler = PAIRBENCH_COMPILER,
        .flags = \"@flags@\",
        .build_type = \"@CMAKE_BUILD_TYPE@\",
        .cases = cases,
        .n_cases = sizeof cases / sizeof cases[0],
    };
    return &suite;
}
" @ONLY)
  add_library(${target} MODULE ${ARG_SOURCES} "${table}")
  set_target_properties(${target} PROPERTIES PREFIX "")
  target_include_directories(${target} PRIVATE ${ARG_INCLUDES})
  target_compile_options(${target} PRIVATE ${PAIRBENCH_SUITE_FLAGS})
  target_link_options(${target} PRIVATE -Wl,-Bsymbolic)
  target_link_libraries(${target} PRIVATE pairbench::suite ${ARG_LIBRARIES})
endfunction()

# pairbench_add_suite(TARGET NAME name SOURCES files… [LIBRARIES targets…] [INCLUDES folders…]
#                     [LAYOUTS n])
#
# Builds a suite: a shared object that `pairbench --suite` loads. Every source whose name ends in
# _case.c must define one `const struct pb_case STEM` where STEM is the file's name without `.c`;
# the table of cases is made from these names, so adding a case is adding a file.
#
# LAYOUTS n links the same objects n - 1 times more, as TARGET.layout1.so and so on beside TARGET.so,
# with their functions in another order each. Where code happens to lie moves its speed by percents;
# every launch draws some of the layouts, which take turns in it, so that an unrelated edit that moves
# code moves no ratio, and what only some of them show is not called a change.
# The targets are in the property PAIRBENCH_LAYOUTS of TARGET, to be installed where it is. Whoever
# configures may ask for more layouts with the variable PAIRBENCH_LAYOUTS, as `pairbench compare` does.
include_guard(GLOBAL)

# Alignment takes most of the luck of code layout out of a comparison; the others keep calls inside
# the suite inside the suite.
set_property(GLOBAL PROPERTY PAIRBENCH_SUITE_CFLAGS
  -falign-functions=64 -falign-loops=64 -ffunction-sections -fno-semantic-interposition
  -fvisibility=hidden)
set_property(GLOBAL PROPERTY PAIRBENCH_SUITE_LDFLAGS -Wl,-Bsymbolic)

# The C file with the table of cases that the harness asks a suite for.
function(pairbench_write_suite_table file name cases flags)
  list(JOIN cases ";\nextern const struct pb_case " externs)
  list(JOIN cases ",\n    &" entries)
  string(REPLACE "\\" "\\\\" flags "${flags}")
  string(REPLACE "\"" "\\\"" flags "${flags}")
  file(CONFIGURE OUTPUT "${file}" CONTENT
"#include \"pairbench.h\"

extern const struct pb_case @externs@;

static const struct pb_case *const cases[] = {
    &@entries@,
};

const struct pb_suite *pairbench_suite(void)
{
    static const struct pb_suite suite = {
        .abi = PAIRBENCH_ABI,
        .optimized = PAIRBENCH_OPTIMIZED,
        .name = \"@name@\",
        .compiler = PAIRBENCH_COMPILER,
        .flags = \"@flags@\",
        .build_type = \"@CMAKE_BUILD_TYPE@\",
        .cases = cases,
        .n_cases = sizeof cases / sizeof cases[0],
    };
    return &suite;
}
" @ONLY)
endfunction()

# The objects of target in an order of its own for each number: those of the sources in ARGN, then
# what else belongs to it.
function(pairbench_shuffled_objects target number result)
  set(names)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source FILENAME name)
    string(MD5 key "${number} ${name}")
    string(REGEX REPLACE "([^A-Za-z0-9_-])" "[\\1]" pattern "${name}")
    list(APPEND names "${key} /${pattern}[.]o")
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  list(TRANSFORM names REPLACE "^[^ ]+ " "")
  set(objects)
  foreach(name IN LISTS names)
    list(APPEND objects "$<FILTER:$<TARGET_OBJECTS:${target}>,INCLUDE,${name}>")
  endforeach()
  list(JOIN names "|" all)
  list(APPEND objects "$<FILTER:$<TARGET_OBJECTS:${target}>,EXCLUDE,${all}>")
  set(${result} "${objects}" PARENT_SCOPE)
endfunction()

# Links the objects of a suite, which come from the sources in ARGN, once more in another order. With
# lld sections are shuffled; without it objects are, and a pad in front moves all of the code.
function(pairbench_add_layout target number)
  set(layout "${target}.layout${number}")
  set(objects $<TARGET_OBJECTS:${target}>)
  if(NOT PAIRBENCH_LLD)
    pairbench_shuffled_objects(${target} ${number} objects ${ARGN})
  endif()
  set(pad "${CMAKE_CURRENT_BINARY_DIR}/${layout}_pad.c")
  math(EXPR bytes "${number} * 1088") # a multiple of 64 that is no multiple of a page
  file(CONFIGURE OUTPUT "${pad}" CONTENT
"__asm__(\".pushsection .text\\n.skip @bytes@, 0x90\\n.popsection\");
" @ONLY)
  add_library(${layout} MODULE "${pad}" ${objects})
  set(folder $<TARGET_PROPERTY:${target},LIBRARY_OUTPUT_DIRECTORY>)
  set_target_properties(${layout} PROPERTIES PREFIX "" LINKER_LANGUAGE C
    LIBRARY_OUTPUT_DIRECTORY $<IF:$<BOOL:${folder}>,${folder},${CMAKE_CURRENT_BINARY_DIR}>)
  get_property(ldflags GLOBAL PROPERTY PAIRBENCH_SUITE_LDFLAGS)
  target_link_options(${layout} PRIVATE ${ldflags})
  if(PAIRBENCH_LLD)
    target_link_options(${layout} PRIVATE -fuse-ld=lld "-Wl,--shuffle-sections=.text*=${number}")
  endif()
  target_link_libraries(${layout} PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)
  set_property(TARGET ${target} APPEND PROPERTY PAIRBENCH_LAYOUTS ${layout})
endfunction()

function(pairbench_add_suite target)
  cmake_parse_arguments(ARG "" "NAME;LAYOUTS" "SOURCES;LIBRARIES;INCLUDES" ${ARGN})
  set(cases ${ARG_SOURCES})
  list(FILTER cases INCLUDE REGEX "_case\\.c$")
  list(TRANSFORM cases REPLACE "^(.*/)?([^/]+)\\.c$" "\\2")
  if(NOT cases)
    message(FATAL_ERROR "pairbench_add_suite(${target}): none of SOURCES ends in _case.c")
  endif()
  get_property(cflags GLOBAL PROPERTY PAIRBENCH_SUITE_CFLAGS)
  get_property(ldflags GLOBAL PROPERTY PAIRBENCH_SUITE_LDFLAGS)

  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  list(JOIN cflags " " flags)
  string(STRIP "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}} ${flags}" flags)
  string(REGEX REPLACE "-f(macro|file|debug)-prefix-map=[^ ]* *" "" flags "${flags}")
  set(table "${CMAKE_CURRENT_BINARY_DIR}/${target}_table.c")
  pairbench_write_suite_table("${table}" "${ARG_NAME}" "${cases}" "${flags}")

  add_library(${target} MODULE ${ARG_SOURCES} "${table}")
  set_target_properties(${target} PROPERTIES PREFIX "")
  target_include_directories(${target} PRIVATE ${ARG_INCLUDES})
  target_compile_options(${target} PRIVATE ${cflags})
  target_link_options(${target} PRIVATE ${ldflags})
  target_link_libraries(${target} PRIVATE pairbench::suite ${ARG_LIBRARIES})

  find_program(PAIRBENCH_LLD ld.lld DOC "Shuffles sections for the layouts of suites")
  mark_as_advanced(PAIRBENCH_LLD)
  if(NOT ARG_LAYOUTS OR PAIRBENCH_LAYOUTS GREATER ARG_LAYOUTS)
    set(ARG_LAYOUTS "${PAIRBENCH_LAYOUTS}")
  endif()
  if(ARG_LAYOUTS GREATER 1)
    math(EXPR last "${ARG_LAYOUTS} - 1")
    foreach(number RANGE 1 ${last})
      pairbench_add_layout(${target} ${number} ${ARG_SOURCES})
    endforeach()
  endif()
endfunction()

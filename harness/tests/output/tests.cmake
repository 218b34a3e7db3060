# What the tests of output need besides: invented runs, json-c to read back what was written, and a
# program that writes reports to look at (built on request).
add_library(output_sample STATIC "${CMAKE_CURRENT_LIST_DIR}/sample.c"
            "${CMAKE_CURRENT_LIST_DIR}/markup.c")
target_include_directories(output_sample PUBLIC "${CMAKE_CURRENT_LIST_DIR}")
target_link_libraries(output_sample PUBLIC pb_output m)
target_compile_definitions(output_sample PRIVATE PB_TEST_BUILD="${CMAKE_CURRENT_BINARY_DIR}")
pairbench_warnings(output_sample)
file(GLOB output_tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*_test.c")
foreach(source ${output_tests})
  cmake_path(GET source STEM name)
  target_link_libraries(${name} PRIVATE output_sample PkgConfig::JSONC)
endforeach()
add_executable(report_demo EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/report_demo.c")
target_link_libraries(report_demo PRIVATE output_sample)
pairbench_warnings(report_demo)

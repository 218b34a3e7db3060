# The tests of commands run the real program, in folders of their own.
add_library(cli STATIC "${CMAKE_CURRENT_LIST_DIR}/cli.c"
            "${CMAKE_CURRENT_LIST_DIR}/synthetic_run.c")
target_include_directories(cli PUBLIC "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
target_compile_definitions(cli PUBLIC
  PB_TEST_SUITES="${PB_TEST_SUITES}" PB_TEST_PROGRAM="$<TARGET_FILE:pairbench>")
target_link_libraries(cli PUBLIC pb_store pairbench::suite test_folder PkgConfig::CMOCKA PkgConfig::JSONC m)
pairbench_warnings(cli)

file(GLOB command_tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*_test.c")
foreach(source ${command_tests})
  cmake_path(GET source STEM name)
  target_link_libraries(${name} PRIVATE cli)
  add_dependencies(${name} pairbench pairbench-worker pairbench-heap test_suites)
  set_tests_properties(commands/${name} PROPERTIES LABELS cli)
endforeach()
target_link_libraries(cli_names_test PRIVATE output_sample)
target_link_libraries(cli_report_test PRIVATE output_sample store_fixture)
add_dependencies(cli_selftest_test pairbench-workload-suites)
set_tests_properties(commands/compare_revisions_test PROPERTIES TIMEOUT 900) # builds two dozen commits

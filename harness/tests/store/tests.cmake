# What the tests of the store need besides: shared runs, and a fuzzer.
add_library(store_fixture STATIC "${CMAKE_CURRENT_LIST_DIR}/store_fixture.c")
target_include_directories(store_fixture PUBLIC "${CMAKE_CURRENT_LIST_DIR}")
target_link_libraries(store_fixture PUBLIC pb_store test_folder PkgConfig::CMOCKA m)
pairbench_warnings(store_fixture)
file(GLOB store_tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*_test.c")
foreach(source ${store_tests})
  cmake_path(GET source STEM name)
  target_link_libraries(${name} PRIVATE store_fixture)
endforeach()

include(PairbenchFuzz)
set(store_folder "${PROJECT_SOURCE_DIR}/harness/store")
pairbench_add_fuzzer(baseline_fuzz
  SOURCES "${CMAKE_CURRENT_LIST_DIR}/baseline_fuzz.c"
    "${store_folder}/baseline_parse.c" "${store_folder}/baseline_format.c"
    "${store_folder}/baseline_lines.c"
  ROOMS base
  LIBRARIES PkgConfig::JSONC
  SEEDS "${CMAKE_CURRENT_LIST_DIR}/baseline_seeds")
pairbench_add_fuzzer(hand_kept_fuzz
  SOURCES "${CMAKE_CURRENT_LIST_DIR}/hand_kept_fuzz.c"
    "${store_folder}/aliases.c" "${store_folder}/waivers.c"
    "${store_folder}/baseline_format.c" "${store_folder}/baseline_lines.c"
  ROOMS base
  LIBRARIES PkgConfig::JSONC
  SEEDS "${CMAKE_CURRENT_LIST_DIR}/hand_kept_seeds")

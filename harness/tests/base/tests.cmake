# Folders for tests, here and in the rooms above.
add_library(test_folder STATIC "${CMAKE_CURRENT_LIST_DIR}/test_folder.c")
target_include_directories(test_folder PUBLIC "${CMAKE_CURRENT_LIST_DIR}")
target_link_libraries(test_folder PUBLIC pb_base PkgConfig::CMOCKA)
pairbench_warnings(test_folder)
foreach(test whole_file_test background_test)
  target_link_libraries(${test} PRIVATE test_folder)
endforeach()

include(PairbenchFuzz)
pairbench_add_fuzzer(text_fuzz SOURCES "${CMAKE_CURRENT_LIST_DIR}/text_fuzz.c" ROOMS base)

# The tests of measure run the real worker on the suites for tests.
file(GLOB measure_tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*_test.c")
foreach(source ${measure_tests})
  cmake_path(GET source STEM name)
  target_compile_definitions(${name} PRIVATE
    PB_TEST_SUITES="${PB_TEST_SUITES}" PB_TEST_WORKER="$<TARGET_FILE:pairbench-worker>"
    PB_TEST_HEAP="$<TARGET_FILE:pairbench-heap>")
  target_link_libraries(${name} PRIVATE pairbench::suite)
  add_dependencies(${name} pairbench-worker pairbench-heap test_suites)
endforeach()

# What they test belongs to the worker, which is no library.
target_sources(own_pages_test PRIVATE "${PROJECT_SOURCE_DIR}/harness/measure/worker/own_pages.c")
target_link_libraries(own_pages_test PRIVATE ${CMAKE_DL_LIBS})
target_sources(syscall_counter_test PRIVATE
  "${PROJECT_SOURCE_DIR}/harness/measure/worker/syscall_counter.c")

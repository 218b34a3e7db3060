target_compile_definitions(object_code_test PRIVATE PB_TEST_COMPILER="${CMAKE_C_COMPILER}")

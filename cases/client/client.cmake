# The client, where libcurl is found: a library for tests, no part of the suite, which would have to
# load libcurl in every process that measures.
pkg_check_modules(LIBCURL IMPORTED_TARGET libcurl)
function(cases_add_client target code)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/*.[ch]")
  add_library(${target} STATIC ${sources})
  target_link_libraries(${target} PUBLIC ${code} PkgConfig::LIBCURL)
  pairbench_warnings(${target})
endfunction()

# Third-party implementations as variants, each where its library is found. What is linked with
# `cases_reference` gets those that there are, and CASES_HAVE_NAME for each; what is compiled into the
# suite is in CASES_REFERENCE_SOURCES.
add_library(cases_reference INTERFACE)

option(PAIRBENCH_REFERENCES "Build the variants of third-party libraries that are found" ON)
if(NOT PAIRBENCH_REFERENCES)
  return()
endif()

# Apache Thrift's C++ library, and the compiler that makes its code.
pkg_check_modules(THRIFT_CPP IMPORTED_TARGET thrift)
find_program(THRIFT_COMPILER thrift DOC "Apache Thrift's compiler, for the variant thrift_cpp")
find_path(THRIFT_BOOST boost/numeric/conversion/cast.hpp DOC "Boost, which Thrift's headers need")
mark_as_advanced(THRIFT_COMPILER THRIFT_BOOST)
if(THRIFT_CPP_FOUND AND THRIFT_COMPILER AND THRIFT_BOOST)
  set(idl "${CMAKE_CURRENT_LIST_DIR}/../vectors/tcli_subset.thrift")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/thrift_cpp")
  file(MAKE_DIRECTORY "${generated}")
  add_custom_command(
    OUTPUT "${generated}/TCLIService.cpp" "${generated}/tcli_subset_types.cpp"
    COMMAND "${THRIFT_COMPILER}" -nowarn --gen cpp:no_skeleton -out "${generated}" "${idl}"
    DEPENDS "${idl}" VERBATIM)
  add_library(pairbench-thrift-cpp MODULE
    "${CMAKE_CURRENT_LIST_DIR}/thrift_cpp.cc"
    "${generated}/TCLIService.cpp" "${generated}/tcli_subset_types.cpp")
  set_target_properties(pairbench-thrift-cpp PROPERTIES PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_include_directories(pairbench-thrift-cpp PRIVATE "${CMAKE_CURRENT_LIST_DIR}/..")
  target_include_directories(pairbench-thrift-cpp SYSTEM PRIVATE "${generated}")
  target_link_libraries(pairbench-thrift-cpp PRIVATE PkgConfig::THRIFT_CPP pairbench::suite)
  install(TARGETS pairbench-thrift-cpp
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/pairbench")
  set_source_files_properties("${CMAKE_CURRENT_LIST_DIR}/thrift_cpp.cc" PROPERTIES
    COMPILE_OPTIONS "-Wall;-Wextra;-Wshadow;-Wformat=2$<$<BOOL:${PAIRBENCH_WERROR}>:;-Werror>")
  target_compile_definitions(cases_reference INTERFACE CASES_HAVE_THRIFT_CPP)
  list(APPEND CASES_REFERENCE_SOURCES "${CMAKE_CURRENT_LIST_DIR}/thrift_cpp_load.c")
  target_link_libraries(cases_reference INTERFACE ${CMAKE_DL_LIBS})
  add_dependencies(cases_reference pairbench-thrift-cpp)
endif()

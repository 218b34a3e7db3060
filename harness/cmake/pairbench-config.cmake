# find_package(pairbench) gives the target pairbench::suite (the header that a suite includes), the
# program pairbench::pairbench and the function pairbench_add_suite(). With COMPONENTS gbench there
# is pairbench::gbench, too, which needs a project with the languages C and CXX.
include("${CMAKE_CURRENT_LIST_DIR}/pairbench-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/PairbenchSuite.cmake")
if("gbench" IN_LIST pairbench_FIND_COMPONENTS)
  include(CMakeFindDependencyMacro)
  find_dependency(gbench PATHS "${CMAKE_CURRENT_LIST_DIR}/..")
endif()

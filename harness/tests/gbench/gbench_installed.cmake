# Installs gbench into a folder of its own and uses it from there as a stranger would: a C program
# compiled with what pkg-config says, and a CMake project with find_package. Both are run.
file(REMOVE_RECURSE "${PREFIX}")
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}\nended with ${code}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(check_burst program)
  run("${program}" --burst)
  if(NOT output MATCHES "add 4: [0-9.]+ ns")
    message(FATAL_ERROR "${program} --burst printed\n${output}")
  endif()
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" --component gbench)

# libbenchmark's own .pc file lies beside its CMake package, if it isn't where pkg-config looks.
cmake_path(GET BENCHMARK_DIR PARENT_PATH benchmark_libdir)
cmake_path(GET benchmark_libdir PARENT_PATH benchmark_libdir)
set(ENV{PKG_CONFIG_PATH} "${PREFIX}/${LIBDIR}/pkgconfig:${benchmark_libdir}/pkgconfig")
run("${PKG_CONFIG}" --cflags --libs gbench)
string(STRIP "${output}" output)
separate_arguments(found UNIX_COMMAND "${output}")
separate_arguments(flags UNIX_COMMAND "${C_FLAGS}")
run("${C_COMPILER}" -std=c11 ${flags} "${SOURCE}" -o "${PREFIX}/by_pkg_config" ${found})
check_burst("${PREFIX}/by_pkg_config")

file(WRITE "${PREFIX}/project/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(stranger LANGUAGES C CXX)
find_package(gbench REQUIRED)
add_executable(by_cmake \"${SOURCE}\")
target_link_libraries(by_cmake PRIVATE pairbench::gbench)
")
run("${CMAKE_COMMAND}" -S "${PREFIX}/project" -B "${PREFIX}/project/build" -G "${GENERATOR}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
    "-DCMAKE_C_FLAGS=${C_FLAGS}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
    "-DCMAKE_PREFIX_PATH=${PREFIX}" "-Dbenchmark_DIR=${BENCHMARK_DIR}")
run("${CMAKE_COMMAND}" --build "${PREFIX}/project/build")
check_burst("${PREFIX}/project/build/by_cmake")

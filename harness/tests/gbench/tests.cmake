# What the tests of gbench need besides.
foreach(test gbench_burst_test gbench_command_line_test gbench_exception_test gbench_run_test)
  target_compile_definitions(${test} PRIVATE _GNU_SOURCE)
endforeach()

# The C++ side of gbench_exception_test.c. It is no file of the tree: the binding is the only C++
# there. It also shows that the header is C++.
set(gbench_throwing "${CMAKE_CURRENT_BINARY_DIR}/gbench_throwing.cc")
file(CONFIGURE OUTPUT "${gbench_throwing}" @ONLY CONTENT [[
#include "gbench.h"

#include <cstdlib>
#include <new>
#include <stdexcept>

namespace {
long allocations_left = -1;
bool failed = false;
}

extern "C" void throw_exception(gb_state *, void *)
{
    throw std::runtime_error("thrown by a body");
}

extern "C" void throw_number(gb_state *, void *)
{
    throw 42;
}

extern "C" void throw_in_the_loop(gb_state *state, void *)
{
    while (gb_state_next(state)) {
        gb_do_not_optimize(state);
        gb_clobber_memory();
        throw std::runtime_error("thrown in the loop");
    }
}

extern "C" void throw_from_report(const gb_result *, void *)
{
    throw std::runtime_error("thrown by a report");
}

extern "C" void fail_allocation(long nth)
{
    failed = false;
    allocations_left = nth;
}

extern "C" bool allocation_failed(void)
{
    return failed;
}

void *operator new(std::size_t n)
{
    if (allocations_left == 0)
        failed = true;
    if (allocations_left >= 0 && allocations_left-- == 0)
        throw std::bad_alloc();
    void *memory = std::malloc(n == 0 ? 1 : n);
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}

void operator delete(void *memory) noexcept
{
    std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept
{
    std::free(memory);
}
]])
target_sources(gbench_exception_test PRIVATE "${gbench_throwing}")

# The same bursts, where the environment tells libbenchmark to do something else.
add_test(NAME gbench/gbench_burst_test_misled COMMAND gbench_burst_test)
set_tests_properties(gbench/gbench_burst_test_misled PROPERTIES TIMEOUT 600 LABELS unit ENVIRONMENT
  "BENCHMARK_OUT=/no/such/folder/file;BENCHMARK_LIST_TESTS=true;BENCHMARK_DRY_RUN=true;BENCHMARK_FILTER=nobody;BENCHMARK_FORMAT=nonsense;BENCHMARK_REPETITIONS=9;BENCHMARK_MIN_WARMUP_TIME=0.05;BENCHMARK_REPORT_AGGREGATES_ONLY=true;BENCHMARK_ENABLE_RANDOM_INTERLEAVING=true;BENCHMARK_MIN_TIME=1;BENCHMARK_TIME_UNIT=weeks;BENCHMARK_COLOR=;V=3")

add_test(NAME gbench/gbench_example_burst COMMAND gbench_example --burst)
add_test(NAME gbench/gbench_example COMMAND gbench_example --benchmark_min_time=0.001)
set_tests_properties(gbench/gbench_example_burst gbench/gbench_example PROPERTIES TIMEOUT 600 LABELS unit)

# A program outside of this build finds the installed library by pkg-config, and by CMake.
add_test(NAME gbench/gbench_installed COMMAND "${CMAKE_COMMAND}"
  "-DBUILD=${PROJECT_BINARY_DIR}" "-DPREFIX=${CMAKE_CURRENT_BINARY_DIR}/gbench-installed"
  "-DSOURCE=${PROJECT_SOURCE_DIR}/harness/gbench/gbench_example.c"
  "-DLIBDIR=${CMAKE_INSTALL_LIBDIR}" "-DC_COMPILER=${CMAKE_C_COMPILER}"
  "-DCXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DC_FLAGS=${CMAKE_C_FLAGS}"
  "-DCXX_FLAGS=${CMAKE_CXX_FLAGS}" "-DPKG_CONFIG=${PKG_CONFIG_EXECUTABLE}"
  "-DBENCHMARK_DIR=${benchmark_DIR}" "-DGENERATOR=${CMAKE_GENERATOR}"
  -P "${CMAKE_CURRENT_LIST_DIR}/gbench_installed.cmake")
set_tests_properties(gbench/gbench_installed PROPERTIES TIMEOUT 600 LABELS unit)

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# installed_suite_test.sh cmake|make SUITE PREFIX LIBDIR WORK counted|uncounted: builds the sources in
# SUITE against the pairbench installed in PREFIX, in the empty folder WORK, and measures them with
# it. The last word says whether allocations can be counted.
set -eu
way=$1 suite=$2 prefix=$3 libdir=$4 work=$5 allocations=$6

fail() {
    echo "FAILED: $*"
    cat out.txt
    exit 1
}
expect() {
    grep -q "$1" out.txt || fail "no '$1' in the output of: $command"
}
pairbench() {
    command="pairbench $*"
    "$prefix/bin/pairbench" "$@" >out.txt 2>&1 || fail "$command: exit code $?"
}

rm -rf "$work"
mkdir -p "$work"
cd "$work"
if [ "$way" = cmake ]; then
    cmake -S "$suite" -B . -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix"
    cmake --build .

    # Layouts have their functions in another order each, with lld and without it.
    mkdir layouts
    cp "$suite/count_bits_case.c" layouts
    for name in a b c d e f; do
        echo "int tiny_$name(int x); int tiny_$name(int x) { return x + 1; }" >"layouts/$name.c"
    done
    cat >layouts/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(layouts LANGUAGES C)
find_package(pairbench REQUIRED)
pairbench_add_suite(layouts NAME tiny LAYOUTS 3 SOURCES count_bits_case.c a.c b.c c.c d.c e.c f.c)
END
    for lld in with without; do
        option=-DPAIRBENCH_LAYOUTS=3
        [ $lld = with ] || option=-DPAIRBENCH_LLD=
        cmake -S layouts -B layouts/$lld -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_PREFIX_PATH="$prefix" $option
        cmake --build layouts/$lld
        for layout in layouts layouts.layout1 layouts.layout2; do
            nm -n layouts/$lld/$layout.so | sed -n 's/.* t tiny_\([a-f]\)$/\1/p' | tr -d '\n'
            echo
        done >out.txt
        command="nm of the layouts $lld lld"
        [ "$(grep -cx '[a-f]\{6\}' out.txt)" = 3 ] || fail "not six functions in each layout"
        [ "$(sort -u out.txt | wc -l)" = 3 ] || fail "two layouts have the same order"
    done
    rm -rf layouts

    # The component gbench brings Google Benchmark for C.
    mkdir component
    cat >component/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(component LANGUAGES C CXX)
find_package(pairbench REQUIRED COMPONENTS gbench)
get_target_property(header pairbench::gbench INTERFACE_INCLUDE_DIRECTORIES)
END
    cmake -S component -B component/build -DCMAKE_PREFIX_PATH="$prefix"
else
    cp "$suite"/*.c "$suite/Makefile" .
    PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig" make
fi

pairbench --suite "$work/tiny.so" run --launches 2 --no-store
for name in tiny/count_bits few many; do
    expect "$name"
done
pairbench --suite "$work/tiny.so" --format json run --launches 2 --no-store 'tiny/*/many*'
expect '"name": *"tiny/count_bits/many/new"'
expect '"state": *"ok"'
if [ "$allocations" = counted ]; then
    expect '"allocations"'
fi
if grep -q tiny/count_bits/few out.txt; then
    fail "a pattern chose too much"
fi

# Without --suite it is the suite that was installed beside the program.
pairbench list
expect cql/batch_send_body

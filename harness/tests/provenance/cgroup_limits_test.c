/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits by control groups of both versions, inside and outside of containers.
 */
#include "provenance/cgroup_limits.h"

#include "temp_tree.h"

enum { FILES_MAX = 8 };

struct layout {
    const char *name;
    struct temp_file files[FILES_MAX];
    const char *cpu_quota; /* expected */
    const char *memory_bytes;
};

#define V2(name) "sys/fs/cgroup/" name

static const struct layout layouts[] = {
    {"no control groups", {{NULL, NULL}}, NULL, NULL},
    {"version 2 without limits",
     {{"proc/self/cgroup", "0::/user.slice/a.scope\n"},
      {V2("cgroup.controllers"), "cpu memory\n"},
      {V2("user.slice/a.scope/cpu.max"), "max 100000\n"},
      {V2("user.slice/a.scope/memory.max"), "max\n"}},
     "none",
     "none"},
    {"the root group of version 2 has no files of limits",
     {{"proc/self/cgroup", "0::/\n"}, {V2("cgroup.controllers"), "cpu\n"}},
     "none",
     "none"},
    {"one and a half processors",
     {{"proc/self/cgroup", "1:name=systemd:/wrong\n0::/docker/abc\n"},
      {V2("cgroup.controllers"), "cpu memory\n"},
      {V2("docker/abc/cpu.max"), "150000 100000\n"},
      {V2("docker/abc/memory.max"), "536870912\n"}},
     "1.50",
     "536870912"},
    {"the tightest of all levels counts",
     {{"proc/self/cgroup", "0::/a/b/c\n"},
      {V2("cgroup.controllers"), "cpu memory\n"},
      {V2("a/cpu.max"), "50000 100000\n"},
      {V2("a/b/cpu.max"), "400000 100000\n"},
      {V2("a/b/c/cpu.max"), "max 100000\n"},
      {V2("a/memory.max"), "3000\n"},
      {V2("a/b/c/memory.max"), "4000\n"}},
     "0.50",
     "3000"},
    {"a container that sees its own group as the root",
     {{"proc/self/cgroup", "0::/docker/not/visible/here\n"},
      {V2("cgroup.controllers"), "cpu memory\n"},
      {V2("cpu.max"), "200000 100000\n"},
      {V2("memory.max"), "1000\n"}},
     "2.00",
     "1000"},
    {"a period that does not divide the quota is cut to hundredths",
     {{"proc/self/cgroup", "0::/\n"},
      {V2("cgroup.controllers"), "cpu\n"},
      {V2("cpu.max"), "100000 300000\n"}},
     "0.33",
     "none"},
    {"nonsense in the files is no limit",
     {{"proc/self/cgroup", "0::/x\n"},
      {V2("cgroup.controllers"), "cpu\n"},
      {V2("x/cpu.max"), "100000 0\n"},
      {V2("cpu.max"), "4611686018427387904 1\n"},
      {V2("x/memory.max"), "many\n"}},
     "none",
     "none"},
    {"version 1 with limits",
     {{"proc/self/cgroup", "9:cpuset:/\n4:memory:/m\n3:cpu,cpuacct:/c\n0::/\n"},
      {V2("cpu/c/cpu.cfs_quota_us"), "250000\n"},
      {V2("cpu/c/cpu.cfs_period_us"), "100000\n"},
      {V2("memory/m/memory.limit_in_bytes"), "1073741824\n"}},
     "2.50",
     "1073741824"},
    {"version 1 without limits",
     {{"proc/self/cgroup", "4:memory:/\n1:cpuacct,cpu:/\n"},
      {V2("cpu/cpu.cfs_quota_us"), "-1\n"},
      {V2("cpu/cpu.cfs_period_us"), "100000\n"},
      {V2("memory/memory.limit_in_bytes"), "9223372036854771712\n"}},
     "none",
     "none"},
    {"a controller whose name only begins like cpu is another one",
     {{"proc/self/cgroup", "5:cpuset:/set\n3:cpuacct:/acct\n1:cpu:/real\n"},
      {V2("cpu/set/cpu.cfs_quota_us"), "100000\n"},
      {V2("cpu/set/cpu.cfs_period_us"), "100000\n"},
      {V2("cpu/acct/cpu.cfs_quota_us"), "200000\n"},
      {V2("cpu/acct/cpu.cfs_period_us"), "100000\n"},
      {V2("cpu/real/cpu.cfs_quota_us"), "300000\n"},
      {V2("cpu/real/cpu.cfs_period_us"), "100000\n"}},
     "3.00",
     NULL},
    {"a damaged list of groups",
     {{"proc/self/cgroup", "::::\n7\n8:\n:cpu\n\n0:"},
      {V2("cpu/cpu.cfs_quota_us"), "100000\n"},
      {V2("cpu/cpu.cfs_period_us"), "100000\n"}},
     "1.00",
     NULL},
};

static void assert_limit(const char *name, const char *actual, const char *expected)
{
    if ((actual == NULL) != (expected == NULL) ||
        (actual != NULL && strcmp(actual, expected) != 0)) {
        print_error("%s: %s, not %s\n", name, actual != NULL ? actual : "not known",
                    expected != NULL ? expected : "not known");
        fail();
    }
}

static void limits_are_read_wherever_they_stand(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_ITEMS(layouts); i++) {
        struct pb_arena arena = {0};
        const struct pb_file_tree tree = {.arena = &arena, .root = temp_tree_new(&arena)};
        temp_tree_fill(tree.root, layouts[i].files);
        const struct pb_cgroup_limits limits = pb_cgroup_limits_read(&tree);
        assert_limit(layouts[i].name, limits.cpu_quota, layouts[i].cpu_quota);
        assert_limit(layouts[i].name, limits.memory_bytes, layouts[i].memory_bytes);
        temp_tree_remove(tree.root);
        pb_arena_release(&arena);
    }
}

static void stops_by_a_quota_are_counted_on_all_levels(void **state)
{
    (void)state;
    static const struct {
        struct temp_file files[FILES_MAX];
        int64_t expected;
    } rows[] = {
        {{{NULL, NULL}}, -1},
        {{{"proc/self/cgroup", "0::/a/b\n"},
          {V2("cgroup.controllers"), "cpu\n"},
          {V2("cpu.stat"), "usage_usec 1\nnr_throttled 100\n"},
          {V2("a/cpu.stat"), "nr_periods 3\nnr_throttled 20\nthrottled_usec 5\n"},
          {V2("a/b/cpu.stat"), "nr_throttled 3\n"}},
         123},
        {{{"proc/self/cgroup", "0::/a\n"},
          {V2("cgroup.controllers"), "cpu\n"},
          {V2("a/cpu.stat"), "usage_usec 1\n"}},
         -1},
        {{{"proc/self/cgroup", "3:cpu,cpuacct:/c\n0::/\n"},
          {V2("cpu/cpu.stat"), "nr_periods 0\nnr_throttled 0\n"},
          {V2("cpu/c/cpu.stat"), "nr_periods 9\nnr_throttled 4\n"}},
         4},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_arena arena = {0};
        const struct pb_file_tree tree = {.arena = &arena, .root = temp_tree_new(&arena)};
        temp_tree_fill(tree.root, rows[i].files);
        assert_int_equal(pb_cgroup_throttled(&tree), rows[i].expected);
        temp_tree_remove(tree.root);
        pb_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_read_wherever_they_stand),
        cmocka_unit_test(stops_by_a_quota_are_counted_on_all_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

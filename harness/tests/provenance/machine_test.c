/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines made of files: a cloud guest, a desktop, an ARM board, and one that tells nothing.
 */
#include "provenance/machine.h"

#include "temp_tree.h"

static const char all_keys[] =
    "arch aslr clocksource cpu cpu_quota cpus cpus_allowed family fingerprint governor "
    "hostname_hash hypervisor kernel libc load memory_bytes memory_limit_bytes model smt stepping "
    "turbo vendor";

#define CPU_FOLDER "sys/devices/system/cpu/"

static const struct temp_file cloud_guest[] = {
    {"proc/cpuinfo",
     "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n"
     "model name\t: AMD EPYC\nstepping\t: 1\ncpu MHz\t\t: 2445.4\nflags\t\t: fpu hypervisor sse\n\n"
     "processor\t: 1\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n"
     "model name\t: AMD EPYC\nstepping\t: 1\ncpu MHz\t\t: 2445.4\nflags\t\t: fpu hypervisor sse\n"},
    {"proc/meminfo", "MemTotal:        8031236 kB\nMemFree:          100 kB\n"},
    {"proc/loadavg", "0.52 0.48 0.40 2/126 8806\n"},
    {"proc/self/status", "Name:\tx\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n"},
    {"proc/self/cgroup", "0::/\n"},
    {"proc/sys/kernel/osrelease", "6.1.0-13-cloud-amd64\n"},
    {"proc/sys/kernel/randomize_va_space", "2\n"},
    {"proc/sys/kernel/hostname", "runner-1234\n"},
    {"sys/fs/cgroup/cgroup.controllers", "cpu memory\n"},
    {"sys/class/dmi/id/sys_vendor", "QEMU\n"},
    {CPU_FOLDER "online", "0-1\n"},
    {CPU_FOLDER "smt/active", "0\n"},
    {"sys/devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock\n"},
    {NULL, NULL},
};

static const struct temp_file desktop[] = {
    {"proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 154\n"
                     "model name\t: 12th Gen Intel(R) Core(TM) i7-1260P\nstepping\t: 3\n"
                     "flags\t\t: fpu vme\n"},
    {"proc/self/personality", "00040000\n"},
    {"proc/sys/kernel/randomize_va_space", "2\n"},
    {"sys/class/dmi/id/sys_vendor", "LENOVO\n"},
    {CPU_FOLDER "online", "0-2,5\n"},
    {CPU_FOLDER "cpu0/cpufreq/scaling_governor", "powersave\n"},
    {CPU_FOLDER "cpu1/cpufreq/scaling_governor", "performance\n"},
    {CPU_FOLDER "cpu2/cpufreq/scaling_governor", "powersave\n"},
    {CPU_FOLDER "cpu5/cpufreq/scaling_governor", "performance\n"},
    {CPU_FOLDER "intel_pstate/no_turbo", "0\n"},
    {CPU_FOLDER "smt/active", "1\n"},
    {NULL, NULL},
};

static const struct temp_file arm_board[] = {
    {"proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\n"
                     "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\n"
                     "CPU part\t: 0xd0c\nCPU revision\t: 1\n"},
    {CPU_FOLDER "online", "0\n"},
    {CPU_FOLDER "cpu0/topology/thread_siblings_list", "0\n"},
    {CPU_FOLDER "cpufreq/boost", "0\n"},
    {NULL, NULL},
};

static const struct temp_file nothing[] = {{NULL, NULL}};

/* Files of no use: empty, binary, or of numbers out of range. */
static const struct temp_file nonsense[] = {
    {"proc/cpuinfo", "\x01\x02\xff\n::::\n"},
    {"proc/meminfo", "MemTotal: 99999999999999999999 kB\n"},
    {"proc/loadavg", "\n"},
    {"proc/self/status", "Cpus_allowed_list:"},
    {"proc/self/personality", "zz\n"},
    {"proc/sys/kernel/randomize_va_space", "9\n"},
    {CPU_FOLDER "online", "7-3,99999999,-\n"},
    {CPU_FOLDER "smt/active", "maybe\n"},
    {CPU_FOLDER "intel_pstate/no_turbo", "maybe\n"},
    {NULL, NULL},
};

/* Facts of a tree made of files. */
static struct pb_facts facts_of(struct pb_arena *arena, const struct temp_file *files)
{
    const char *root = temp_tree_new(arena);
    temp_tree_fill(root, files);
    const struct pb_facts facts = pb_machine_facts_at(arena, root);
    temp_tree_remove(root);
    return facts;
}

struct expected_machine {
    const struct temp_file *files;
    struct pb_fact facts[24]; /* up to the one without a key */
};

static void machines_are_described_by_their_files(void **state)
{
    (void)state;
    static const struct expected_machine machines[] = {
        {cloud_guest,
         {{"aslr", "full"},
          {"clocksource", "kvm-clock"},
          {"cpu", "AMD EPYC"},
          {"cpu_quota", "none"},
          {"cpus", "2"},
          {"cpus_allowed", "0-1"},
          {"family", "25"},
          {"governor", "unknown"},
          {"hypervisor", "QEMU"},
          {"kernel", "6.1.0-13-cloud-amd64"},
          {"load", "0.52"},
          {"memory_bytes", "8223985664"},
          {"memory_limit_bytes", "none"},
          {"model", "1"},
          {"smt", "off"},
          {"stepping", "1"},
          {"turbo", "unknown"},
          {"vendor", "AuthenticAMD"}}},
        {desktop,
         {{"aslr", "off"},
          {"clocksource", "unknown"},
          {"cpu", "12th Gen Intel(R) Core(TM) i7-1260P"},
          {"cpu_quota", "unknown"},
          {"cpus", "4"},
          {"family", "6"},
          {"governor", "powersave+performance"},
          {"hypervisor", "none"},
          {"model", "154"},
          {"smt", "on"},
          {"turbo", "on"},
          {"vendor", "GenuineIntel"}}},
        {arm_board,
         {{"cpu", "unknown"},
          {"cpus", "1"},
          {"family", "8"},
          {"hypervisor", "unknown"},
          {"model", "0xd0c"},
          {"smt", "off"},
          {"stepping", "r3p1"},
          {"turbo", "off"},
          {"vendor", "0x41"}}},
    };
    for (size_t i = 0; i < N_ITEMS(machines); i++) {
        struct pb_arena arena = {0};
        const struct pb_facts facts = facts_of(&arena, machines[i].files);
        assert_keys(&facts, all_keys);
        for (const struct pb_fact *fact = machines[i].facts; fact->key != NULL; fact++) {
            assert_fact(&facts, fact->key, fact->value);
        }
        pb_arena_release(&arena);
    }
}

static void a_tree_that_tells_nothing_leaves_everything_unknown(void **state)
{
    (void)state;
    static const struct temp_file *const trees[] = {nothing, nonsense};
    for (size_t i = 0; i < N_ITEMS(trees); i++) {
        struct pb_arena arena = {0};
        const struct pb_facts facts = facts_of(&arena, trees[i]);
        assert_keys(&facts, all_keys);
        for (size_t k = 0; k < facts.n; k++) {
            const char *key = facts.items[k].key;
            const bool asked_from_the_system = strcmp(key, "arch") == 0 ||
                                               strcmp(key, "libc") == 0 ||
                                               strcmp(key, "fingerprint") == 0;
            if (!asked_from_the_system) {
                assert_fact(&facts, key, "unknown");
            }
        }
        pb_arena_release(&arena);
    }
}

static void processors_are_counted_in_cpuinfo_when_nothing_lists_them(void **state)
{
    (void)state;
    static const struct temp_file files[] = {
        {"proc/cpuinfo", "processor : 0\n\nprocessor : 1\n\nprocessor : 2\n"}, {NULL, NULL}};
    struct pb_arena arena = {0};
    const struct pb_facts facts = facts_of(&arena, files);
    assert_fact(&facts, "cpus", "3");
    pb_arena_release(&arena);
}

/* One file, and the one fact that it decides. */
static void single_files_decide_single_facts(void **state)
{
    (void)state;
    static const struct {
        struct temp_file file;
        struct pb_fact fact;
    } rows[] = {
        {{"proc/sys/kernel/randomize_va_space", "0\n"}, {"aslr", "off"}},
        {{"proc/sys/kernel/randomize_va_space", "1\n"}, {"aslr", "partial"}},
        {{"proc/sys/kernel/randomize_va_space", "2\n"}, {"aslr", "full"}},
        {{"proc/sys/kernel/randomize_va_space", "22\n"}, {"aslr", "unknown"}},
        {{CPU_FOLDER "intel_pstate/no_turbo", "1\n"}, {"turbo", "off"}},
        {{CPU_FOLDER "cpufreq/boost", "1\n"}, {"turbo", "on"}},
        {{CPU_FOLDER "cpufreq/policy0/boost", "0\n"}, {"turbo", "off"}},
        {{CPU_FOLDER "cpu0/topology/thread_siblings_list", "0,4\n"}, {"smt", "on"}},
        {{CPU_FOLDER "cpu0/topology/thread_siblings_list", "0-1\n"}, {"smt", "on"}},
        {{CPU_FOLDER "online", "0\n"}, {"cpus", "1"}},
        {{CPU_FOLDER "online", "0-3,8-11,15\n"}, {"cpus", "9"}},
        {{CPU_FOLDER "online", "0-99999999999999999999\n"}, {"cpus", "unknown"}},
        {{"sys/hypervisor/type", "xen\n"}, {"hypervisor", "xen"}},
        {{"proc/device-tree/hypervisor/compatible", "linux,kvm"}, {"hypervisor", "linux,kvm"}},
        /* The maker of a machine is no hypervisor as long as nothing says that there is one. */
        {{"sys/class/dmi/id/sys_vendor", "ACME\n"}, {"hypervisor", "unknown"}},
        {{"proc/cpuinfo", "flags : hypervisor\n"}, {"hypervisor", "yes"}},
        {{"proc/loadavg", "12.5 1 1 1/1 1"}, {"load", "12.5"}},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct temp_file files[] = {rows[i].file, {NULL, NULL}};
        struct pb_arena arena = {0};
        const struct pb_facts facts = facts_of(&arena, files);
        assert_fact(&facts, rows[i].fact.key, rows[i].fact.value);
        pb_arena_release(&arena);
    }
}

/* The fact of a cloud guest in which one file has another content. */
static const char *changed_fact(struct pb_arena *arena, const char *path, const char *content,
                                const char *key)
{
    struct temp_file files[N_ITEMS(cloud_guest) + 1];
    memcpy(files, cloud_guest, sizeof cloud_guest);
    files[N_ITEMS(cloud_guest) - 1] = (struct temp_file){path, content};
    files[N_ITEMS(cloud_guest)] = (struct temp_file){NULL, NULL};
    const struct pb_facts facts = facts_of(arena, files);
    return pb_facts_get(&facts, key);
}

static void the_fingerprint_is_of_what_times_depend_on(void **state)
{
    (void)state;
    static const struct {
        struct temp_file file;
        bool same;
    } rows[] = {
        {{"proc/loadavg", "7.00 1 1 1/1 1\n"}, true},
        {{"proc/meminfo", "MemTotal: 8031000 kB\n"}, true},
        {{"proc/sys/kernel/hostname", "another\n"}, true},
        {{"proc/sys/kernel/osrelease", "6.1.0-14-cloud-amd64\n"}, false},
        {{CPU_FOLDER "cpu0/cpufreq/scaling_governor", "powersave\n"}, false},
        {{CPU_FOLDER "smt/active", "1\n"}, false},
        {{CPU_FOLDER "online", "0-3\n"}, false},
        {{"sys/fs/cgroup/cpu.max", "50000 100000\n"}, false},
        {{"sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"}, false},
    };
    struct pb_arena arena = {0};
    const struct pb_facts facts = facts_of(&arena, cloud_guest);
    const char *fingerprint = pb_facts_get(&facts, "fingerprint");
    assert_int_equal(strlen(fingerprint), 16);
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const char *changed =
            changed_fact(&arena, rows[i].file.path, rows[i].file.content, "fingerprint");
        assert_int_equal(strcmp(changed, fingerprint) == 0, rows[i].same);
    }
    pb_arena_release(&arena);
}

static void the_host_is_told_apart_but_not_named(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_facts facts = facts_of(&arena, cloud_guest);
    const char *hash = pb_facts_get(&facts, "hostname_hash");
    assert_int_equal(strlen(hash), 16);
    assert_int_equal(strspn(hash, "0123456789abcdef"), 16);
    for (size_t i = 0; i < facts.n; i++) {
        assert_null(strstr(facts.items[i].value, "runner-1234"));
    }
    const char *other = changed_fact(&arena, "proc/sys/kernel/hostname", "b\n", "hostname_hash");
    const char *salted = changed_fact(&arena, "etc/machine-id", "0123\n", "hostname_hash");
    assert_string_not_equal(hash, other);
    assert_string_not_equal(hash, salted);
    pb_arena_release(&arena);
}

static void this_machine_can_be_described(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_facts facts = pb_machine_facts(&arena);
    assert_keys(&facts, all_keys);
    assert_string_not_equal(pb_facts_get(&facts, "arch"), "unknown");
    assert_string_not_equal(pb_facts_get(&facts, "kernel"), "unknown");
    assert_string_not_equal(pb_facts_get(&facts, "cpus"), "unknown");
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_described_by_their_files),
        cmocka_unit_test(a_tree_that_tells_nothing_leaves_everything_unknown),
        cmocka_unit_test(processors_are_counted_in_cpuinfo_when_nothing_lists_them),
        cmocka_unit_test(single_files_decide_single_facts),
        cmocka_unit_test(the_fingerprint_is_of_what_times_depend_on),
        cmocka_unit_test(the_host_is_told_apart_but_not_named),
        cmocka_unit_test(this_machine_can_be_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

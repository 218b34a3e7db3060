/* SPDX-License-Identifier: Apache-2.0
 *
 * What disturbs measuring, on machines that exist as files only.
 */
#include "provenance/noise.h"

#include "temp_tree.h"

#include <errno.h>
#include <locale.h>
#include <math.h>

enum { FILES_MAX = 6 };

/* A machine on which everything is as it should be. */
static const struct temp_file good[] = {
    {"proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sse2\ncpu MHz\t\t: 2445.404\n\n"
                     "processor\t: 1\nflags\t\t: fpu sse2\ncpu MHz\t\t: 2446.000\n"},
    {"proc/stat", "cpu  1000 0 1000 8000 0 0 0 100 50 0\ncpu0 1 2 3\nintr 7\n"},
    {"proc/loadavg", "0.25 1.00 2.00 1/100 4711\n"},
    {"proc/pressure/cpu", "some avg10=1.50 avg60=99.00 avg300=99.00 total=5\n"},
    {"proc/self/cgroup", "0::/a/b\n"},
    {"proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-1\n"},
    {"proc/sys/kernel/randomize_va_space", "2\n"},
    {"sys/devices/system/cpu/online", "0-1\n"},
    {"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"},
    {"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"},
    {"sys/devices/system/cpu/cpufreq/boost", "0\n"},
    {"sys/devices/system/cpu/smt/active", "0\n"},
    {"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"},
    {"sys/fs/cgroup/cgroup.controllers", "cpu\n"},
    {"sys/fs/cgroup/a/cpu.max", "max 100000\n"},
    {"sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 0\n"},
    {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
    {NULL, NULL},
};

static const struct pb_noise_answers good_answers = {
    .clock_nominal_ns = 1,
    .clock_step_ns = 29,
    .valgrind = "3.19.0",
    .counts_syscalls = true,
    .moves_code = true,
};

struct judged {
    struct pb_arena arena;
    struct pb_noise_item items[PB_NOISE_ITEMS_MAX];
    size_t n;
};

/* Judges a tree in the state that it is in; nothing happens between its two samples. */
static void judge(struct judged *judged, const char *root, const struct pb_noise_answers *answers)
{
    const struct pb_noise_sample sample = pb_noise_sample_take(root);
    judged->n = pb_noise_judge(&judged->arena, root, answers, &sample, &sample, judged->items);
}

static const struct pb_noise_item *find(const struct judged *judged, const char *key)
{
    for (size_t i = 0; i < judged->n; i++) {
        if (strcmp(judged->items[i].key, key) == 0) {
            return &judged->items[i];
        }
    }
    fail_msg("no item %s", key);
    return NULL;
}

static void assert_item(const struct judged *judged, const char *key, enum pb_noise_fit fit,
                        const char *value)
{
    const struct pb_noise_item *item = find(judged, key);
    if (item->fit != fit || strcmp(item->value, value) != 0) {
        fail_msg("%s: %s %s, not %s %s", key, pb_noise_fit_name(item->fit), item->value,
                 pb_noise_fit_name(fit), value);
    }
    assert_int_equal(item->advice == NULL, fit == PB_NOISE_YES);
    assert_true(item->advice == NULL || item->advice[0] != '\0');
}

static void on_a_good_machine_nothing_is_to_be_done(void **state)
{
    (void)state;
    struct judged judged = {0};
    const char *root = temp_tree_new(&judged.arena);
    temp_tree_fill(root, good);
    judge(&judged, root, &good_answers);
    for (size_t i = 0; i < judged.n; i++) {
        const struct pb_noise_item *item = &judged.items[i];
        /* Without a tick between two samples there is no steal in between. */
        const bool timeless = strcmp(item->key, "steal") == 0;
        if (item->fit != (timeless ? PB_NOISE_UNKNOWN : PB_NOISE_YES)) {
            fail_msg("%s: %s (%s)", item->key, pb_noise_fit_name(item->fit), item->value);
        }
    }
    assert_item(&judged, "clock_resolution", PB_NOISE_YES, "1 ns by name, 29 ns seen");
    assert_item(&judged, "frequency", PB_NOISE_YES, "2445 to 2446 MHz");
    assert_item(&judged, "steal_since_boot", PB_NOISE_YES, "1.0 %");
    assert_item(&judged, "pressure", PB_NOISE_YES, "2 % of the last 10 s");
    temp_tree_remove(root);
    pb_arena_release(&judged.arena);
}

static void on_a_machine_without_any_files_all_is_unknown(void **state)
{
    (void)state;
    struct judged judged = {0};
    const char *root = temp_tree_new(&judged.arena);
    const struct pb_noise_answers none = {.clock_step_ns = INFINITY, .counter_error = ENOSYS};
    judge(&judged, root, &none);
    assert_true(judged.n > 15);
    for (size_t i = 0; i < judged.n; i++) {
        const struct pb_noise_item *item = &judged.items[i];
        const bool asked =
            strcmp(item->key, "perf_event") == 0 || strcmp(item->key, "valgrind") == 0 ||
            strcmp(item->key, "syscalls") == 0 || strcmp(item->key, "own_pages") == 0;
        assert_int_equal(item->fit, asked ? PB_NOISE_NO : PB_NOISE_UNKNOWN);
        assert_true(asked || strcmp(item->value, "unknown") == 0);
        assert_true(item->advice != NULL && item->advice[0] != '\0');
    }
    temp_tree_remove(root);
    pb_arena_release(&judged.arena);
}

/* What changes on the good machine, and what that makes of one item. */
struct change {
    struct temp_file files[FILES_MAX];
    const char *key;
    enum pb_noise_fit fit;
    const char *value;
};

#define CPU        "sys/devices/system/cpu/"
#define CLOCK      "sys/devices/system/clocksource/clocksource0/current_clocksource"
#define HUGE_PAGES "sys/kernel/mm/transparent_hugepage/enabled"

static const struct change changes[] = {
    {{{CLOCK, "hpet\n"}}, "clock_source", PB_NOISE_NO, "hpet"},
    {{{CLOCK, "acpi_pm\n"}}, "clock_source", PB_NOISE_NO, "acpi_pm"},
    {{{CLOCK, "kvm-clock\n"}}, "clock_source", PB_NOISE_YES, "kvm-clock"},
    {{{CLOCK, "tomorrows\n"}}, "clock_source", PB_NOISE_UNKNOWN, "tomorrows"},
    {{{"proc/self/status", "Cpus_allowed_list:\t1\n"}},
     "processors",
     PB_NOISE_NO,
     "2, of which allowed: 1"},
    {{{CPU "online", "0\n"}, {"proc/self/status", "Cpus_allowed_list:\t0\n"}},
     "processors",
     PB_NOISE_NO,
     "1, of which allowed: 0"},
    {{{CPU "online", "0\n"}, {"proc/self/status", "Name:\tx\n"}}, "processors", PB_NOISE_NO, "1"},
    {{{"proc/loadavg", "1.50 0 0 1/1 1\n"}}, "load", PB_NOISE_YES, "1.50"},
    {{{"proc/loadavg", "1.51 0 0 1/1 1\n"}}, "load", PB_NOISE_NO, "1.51"},
    {{{"proc/loadavg", "12.00 0 0 1/1 1\n"}}, "load", PB_NOISE_NO, "12.00"},
    {{{"proc/loadavg", "0.51 0 0 1/1 1\n"}, {"proc/self/status", "Cpus_allowed_list:\t1\n"}},
     "load",
     PB_NOISE_NO,
     "0.51"},
    {{{"proc/loadavg", "1.51 0 0 1/1 1\n"},
      {CPU "online", "0-63\n"},
      {"proc/self/status", "Cpus_allowed_list:\t0,2\n"}},
     "load",
     PB_NOISE_NO,
     "1.51"},
    {{{"proc/loadavg", "4.50 0 0 1/1 1\n"},
      {CPU "online", "0-63\n"},
      {"proc/self/status", "Cpus_allowed_list:\t0-2,8,10\n"}},
     "load",
     PB_NOISE_YES,
     "4.50"},
    {{{"proc/loadavg", "1.51 0 0 1/1 1\n"}, {"proc/self/status", "Cpus_allowed_list:\t0-\n"}},
     "load",
     PB_NOISE_NO,
     "1.51"},
    {{{"proc/pressure/cpu", "some avg10=40.00 avg60=0.00\n"}},
     "pressure",
     PB_NOISE_YES,
     "40 % of the last 10 s"},
    {{{"proc/pressure/cpu", "some avg10=89.16 avg60=0.00\nfull avg10=0.00\n"}},
     "pressure",
     PB_NOISE_NO,
     "89 % of the last 10 s"},
    {{{"proc/pressure/cpu", "some avg10=\n"}}, "pressure", PB_NOISE_UNKNOWN, "unknown"},
    {{{"sys/fs/cgroup/a/cpu.max", "100000 100000\n"}}, "cpu_quota", PB_NOISE_NO, "1.00"},
    {{{"sys/fs/cgroup/a/cpu.max", "150000 100000\n"}}, "cpu_quota", PB_NOISE_YES, "1.50"},
    {{{"sys/fs/cgroup/a/memory.max", "524288000\n"}}, "memory_limit", PB_NOISE_NO, "500 MiB"},
    {{{"sys/fs/cgroup/a/memory.max", "536870912\n"}}, "memory_limit", PB_NOISE_YES, "512 MiB"},
    {{{"sys/fs/cgroup/a/memory.max", "67108864\n"}}, "memory_limit", PB_NOISE_NO, "64 MiB"},
    {{{"sys/fs/cgroup/a/b/cpu.stat", "nr_throttled 7\n"},
      {"sys/fs/cgroup/a/cpu.stat", "nr_throttled 5\n"}},
     "throttled",
     PB_NOISE_YES,
     "0 just now, 12 ever"},
    {{{"sys/fs/cgroup/a/b/cpu.stat", "usage_usec 1\n"}}, "throttled", PB_NOISE_UNKNOWN, "unknown"},
    {{{"sys/fs/cgroup/a/b/cpu.stat", "nr_throttled 99999999999999999999\n"}},
     "throttled",
     PB_NOISE_UNKNOWN,
     "unknown"},
    {{{"proc/stat", "cpu  5 0 0 5 0 0 0 90 0 0\n"}}, "steal_since_boot", PB_NOISE_NO, "90.0 %"},
    {{{"proc/stat", "cpu  5 0 0\n"}}, "steal_since_boot", PB_NOISE_UNKNOWN, "unknown"},
    {{{"proc/stat", "gpu  5 0 0 5 0 0 0 90\n"}}, "steal_since_boot", PB_NOISE_UNKNOWN, "unknown"},
    {{{"proc/cpuinfo", "flags\t: fpu hypervisor\n"}},
     "hypervisor",
     PB_NOISE_NO,
     "a virtual machine"},
    {{{"proc/cpuinfo", "flags\t: fpu hypervisor\n"}}, "frequency", PB_NOISE_UNKNOWN, "unknown"},
    {{{"proc/cpuinfo", "cpu MHz\t: 800.0\ncpu MHz\t: 3100.5\ncpu MHz\t: junk\n"}},
     "frequency",
     PB_NOISE_NO,
     "800 to 3100 MHz"},
    {{{"proc/cpuinfo", "cpu MHz\t: 0.000\n"}}, "frequency", PB_NOISE_UNKNOWN, "unknown"},
    {{{"proc/cpuinfo", "cpu MHz\t: 0.000\ncpu MHz\t: 3000.0\n"}},
     "frequency",
     PB_NOISE_YES,
     "3000 to 3000 MHz"},
    {{{CPU "cpu1/cpufreq/scaling_governor", "powersave\n"}},
     "governor",
     PB_NOISE_NO,
     "performance+powersave"},
    {{{CPU "cpufreq/boost", "1\n"}}, "turbo", PB_NOISE_NO, "on"},
    {{{CPU "smt/active", "1\n"}}, "smt", PB_NOISE_NO, "on"},
    {{{"proc/sys/kernel/randomize_va_space", "0\n"}}, "aslr", PB_NOISE_NO, "off"},
    {{{"proc/self/personality", "00040000\n"}}, "aslr", PB_NOISE_NO, "off"},
    {{{HUGE_PAGES, "[always] madvise never\n"}}, "huge_pages", PB_NOISE_NO, "always"},
    {{{HUGE_PAGES, "always madvise [never]\n"}}, "huge_pages", PB_NOISE_YES, "never"},
    {{{HUGE_PAGES, "nonsense\n"}}, "huge_pages", PB_NOISE_UNKNOWN, "unknown"},
};

static void each_disturbance_is_named_with_what_to_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_ITEMS(changes); i++) {
        struct judged judged = {0};
        const char *root = temp_tree_new(&judged.arena);
        temp_tree_fill(root, good);
        temp_tree_fill(root, changes[i].files);
        judge(&judged, root, &good_answers);
        assert_item(&judged, changes[i].key, changes[i].fit, changes[i].value);
        temp_tree_remove(root);
        pb_arena_release(&judged.arena);
    }
}

static void answers_of_the_system_are_judged(void **state)
{
    (void)state;
    static const struct {
        struct pb_noise_answers answers;
        const char *key;
        enum pb_noise_fit fit;
        const char *value;
        const char *advice; /* a part of it */
    } rows[] = {
        {{.clock_nominal_ns = 1, .clock_step_ns = 35},
         "clock_resolution",
         PB_NOISE_YES,
         "1 ns by name, 35 ns seen",
         ""},
        {{.clock_nominal_ns = 1, .clock_step_ns = 36},
         "clock_resolution",
         PB_NOISE_NO,
         "1 ns by name, 36 ns seen",
         "35 µs"},
        {{.clock_nominal_ns = 4e6, .clock_step_ns = 4e6},
         "clock_resolution",
         PB_NOISE_NO,
         "4000000 ns by name, 4000000 ns seen",
         "clock source"},
        {{.counter_error = EACCES}, "perf_event", PB_NOISE_NO, "forbidden", "paranoid"},
        {{.counter_error = EPERM}, "perf_event", PB_NOISE_NO, "forbidden", "paranoid"},
        {{.counter_error = ENOENT}, "perf_event", PB_NOISE_NO, "no such counter", "valgrind"},
        {{.counter_error = EOPNOTSUPP}, "perf_event", PB_NOISE_NO, "no such counter", "valgrind"},
        {{.counter_error = 0}, "perf_event", PB_NOISE_YES, "counts instructions", ""},
        {{.valgrind = "3.19.0"}, "valgrind", PB_NOISE_YES, "3.19.0", ""},
        {{.valgrind = NULL}, "valgrind", PB_NOISE_NO, "not found", "install valgrind"},
        {{.counts_syscalls = true}, "syscalls", PB_NOISE_YES, "Syscall User Dispatch", ""},
        {{.counts_syscalls = false}, "syscalls", PB_NOISE_NO, "no Syscall User Dispatch", "5.11"},
        {{.moves_code = true}, "own_pages", PB_NOISE_YES, "allowed", ""},
        {{.moves_code = false}, "own_pages", PB_NOISE_NO, "forbidden", "execmem"},
    };
    struct judged judged = {0};
    const char *root = temp_tree_new(&judged.arena);
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        judge(&judged, root, &rows[i].answers);
        assert_item(&judged, rows[i].key, rows[i].fit, rows[i].value);
        const char *advice = find(&judged, rows[i].key)->advice;
        assert_true(advice == NULL || strstr(advice, rows[i].advice) != NULL);
    }
    temp_tree_remove(root);
    pb_arena_release(&judged.arena);
}

static void what_happens_between_two_samples_is_judged(void **state)
{
    (void)state;
    struct judged judged = {0};
    const char *root = temp_tree_new(&judged.arena);
    temp_tree_fill(root, good);
    const struct pb_noise_sample before = pb_noise_sample_take(root);
    temp_tree_write(root, "proc/stat", "cpu  1040 0 1000 8049 0 0 0 111 50 0\n");
    temp_tree_write(root, "proc/pressure/cpu", "some avg10=0.00 avg60=0.00\n");
    temp_tree_write(root, "sys/fs/cgroup/a/b/cpu.stat", "nr_throttled 2\n");
    const struct pb_noise_sample after = pb_noise_sample_take(root);
    judged.n = pb_noise_judge(&judged.arena, root, &good_answers, &before, &after, judged.items);
    assert_item(&judged, "steal", PB_NOISE_NO, "11.0 %");
    assert_item(&judged, "pressure", PB_NOISE_YES, "2 % of the last 10 s");
    assert_item(&judged, "throttled", PB_NOISE_NO, "2 just now, 2 ever");
    temp_tree_remove(root);
    pb_arena_release(&judged.arena);
}

static void an_interval_that_can_not_be_told_is_not_a_number(void **state)
{
    (void)state;
    static const struct {
        struct pb_noise_sample before;
        struct pb_noise_sample after;
        double steal_pct;
        double pressure_pct;
        int64_t n_throttled;
    } rows[] = {
        {{100, 10, 5, 1}, {200, 35, 3, 4}, 25, 5, 3},
        {{100, 10, 0, 1}, {100, 10, 0, 1}, NAN, 0, 0},
        {{100, 10, 0, 1}, {200, 9, 0, 0}, NAN, 0, -1},
        {{0, 0, NAN, -1}, {200, 9, NAN, 7}, NAN, NAN, -1},
        {{100, 0, NAN, 3}, {200, 0, 7, -1}, 0, 7, -1},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_noise_interval interval = pb_noise_between(&rows[i].before, &rows[i].after);
        assert_true(interval.steal_pct == rows[i].steal_pct ||
                    (isnan(interval.steal_pct) && isnan(rows[i].steal_pct)));
        assert_true(interval.pressure_pct == rows[i].pressure_pct ||
                    (isnan(interval.pressure_pct) && isnan(rows[i].pressure_pct)));
        assert_int_equal(interval.n_throttled, rows[i].n_throttled);
    }
}

/* Suites run in workers, but a program that uses these rooms may have chosen a language. */
static void numbers_are_read_and_shown_the_same_in_every_locale(void **state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    struct judged judged = {0};
    const char *root = temp_tree_new(&judged.arena);
    temp_tree_fill(root, good);
    temp_tree_write(root, "proc/loadavg", "1.51 0 0 1/1 1\n");
    judge(&judged, root, &good_answers);
    setlocale(LC_ALL, "C");
    assert_item(&judged, "load", PB_NOISE_NO, "1.51");
    assert_item(&judged, "steal_since_boot", PB_NOISE_YES, "1.0 %");
    temp_tree_remove(root);
    pb_arena_release(&judged.arena);
}

static void the_system_answers(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    char *path = pb_arena_strdup(&arena, getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    const struct pb_noise_answers answers = pb_noise_ask(&arena);
    if (path != NULL) {
        setenv("PATH", path, 1);
    }
    assert_true(answers.clock_nominal_ns > 0);
    assert_true(answers.clock_step_ns > 0);
    assert_true(answers.counter_error >= 0);
    assert_null(answers.valgrind);
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_good_machine_nothing_is_to_be_done),
        cmocka_unit_test(on_a_machine_without_any_files_all_is_unknown),
        cmocka_unit_test(each_disturbance_is_named_with_what_to_do),
        cmocka_unit_test(answers_of_the_system_are_judged),
        cmocka_unit_test(what_happens_between_two_samples_is_judged),
        cmocka_unit_test(an_interval_that_can_not_be_told_is_not_a_number),
        cmocka_unit_test(numbers_are_read_and_shown_the_same_in_every_locale),
        cmocka_unit_test(the_system_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The dialects of /proc/cpuinfo, and texts that are none of them.
 */
#include "provenance/cpuinfo.h"

#include "temp_tree.h"

/* Two texts that are equal or both NULL. */
static void assert_same(const char *actual, const char *expected)
{
    if (actual == NULL || expected == NULL) {
        assert_true(actual == expected);
        return;
    }
    assert_string_equal(actual, expected);
}

static void every_dialect_is_understood(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct pb_cpuinfo expected;
    } rows[] = {
        {"processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n"
         "model name\t: AMD EPYC 7B13\nstepping\t: 1\nflags\t\t: fpu hypervisor sse2\n\n",
         {"AuthenticAMD", "25", "1", "1", "AMD EPYC 7B13", "yes", 1}},
        {"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 154\n"
         "model name\t: 12th Gen Intel(R) Core(TM) i7-1260P\nstepping\t: 3\n"
         "cpu MHz\t\t: 2500.000\nflags\t\t: fpu sse2\n\nprocessor\t: 1\nvendor_id\t: GenuineIntel\n"
         "cpu family\t: 6\nmodel\t\t: 154\nstepping\t: 3\nflags\t\t: fpu sse2\n",
         {"GenuineIntel", "6", "154", "3", "12th Gen Intel(R) Core(TM) i7-1260P", "none", 2}},
        {"processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n"
         "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n",
         {"0x41", "8", "0xd0c", "r3p1", NULL, NULL, 1}},
        /* Small and large cores. */
        {"processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\n"
         "CPU part\t: 0xd03\nCPU revision\t: 4\n\n"
         "processor\t: 1\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\n"
         "CPU part\t: 0xd03\nCPU revision\t: 4\n\n"
         "processor\t: 2\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\n"
         "CPU part\t: 0xd09\nCPU revision\t: 2\n",
         {"0x41", "8", "0xd03+0xd09", "r0p4+r0p2", NULL, NULL, 3}},
        {"processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nuarch\t\t: sifive,u74-mc\n"
         "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000007\nmimpid\t\t: 0x4210427\n",
         {"0x489", NULL, "0x8000000000000007", "0x4210427", "sifive,u74-mc", NULL, 1}},
        {"processor\t: 0\ncpu\t\t: POWER9, altivec supported\nrevision\t: 2.3 (pvr 004e 1203)\n",
         {NULL, NULL, "POWER9, altivec supported", "2.3 (pvr 004e 1203)",
          "POWER9, altivec supported", NULL, 1}},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_arena arena = {0};
        const struct pb_cpuinfo info = pb_cpuinfo_parse(&arena, rows[i].text);
        assert_same(info.vendor, rows[i].expected.vendor);
        assert_same(info.family, rows[i].expected.family);
        assert_same(info.model, rows[i].expected.model);
        assert_same(info.stepping, rows[i].expected.stepping);
        assert_same(info.name, rows[i].expected.name);
        assert_same(info.hypervisor, rows[i].expected.hypervisor);
        assert_int_equal(info.n_processors, rows[i].expected.n_processors);
        pb_arena_release(&arena);
    }
}

static void different_values_are_told_apart_and_each_named_once(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *model;
    } rows[] = {
        {"model : 1\n\nmodel : 15\n\nmodel : 1\n", "1+15"},
        {"model : 15\n\nmodel : 1\n\nmodel : 15\n", "15+1"},
        {"model : 5\n\nmodel :\n", "5"},
        /* The most common key wins, wherever it stands. */
        {"cpu : X\nmodel : 9\n", "9"},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_arena arena = {0};
        assert_same(pb_cpuinfo_parse(&arena, rows[i].text).model, rows[i].model);
        pb_arena_release(&arena);
    }
}

static void what_says_nothing_is_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        NULL,
        "",
        "\n\n\n",
        "no colon at all\nmodel name\n",
        "modelled: 7\nvendor_ids\t: x\n",
        ": only a value\n",
        "vendor_id\t:\nmodel\t: \n",
        "vendor_id",
    };
    for (size_t i = 0; i < N_ITEMS(texts); i++) {
        struct pb_arena arena = {0};
        const struct pb_cpuinfo info = pb_cpuinfo_parse(&arena, texts[i]);
        assert_null(info.vendor);
        assert_null(info.family);
        assert_null(info.model);
        assert_null(info.stepping);
        assert_null(info.name);
        assert_null(info.hypervisor);
        assert_int_equal(info.n_processors, 0);
        pb_arena_release(&arena);
    }
}

static void a_last_line_without_newline_counts(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_cpuinfo info = pb_cpuinfo_parse(&arena, "flags : vme\nvendor_id : X Y  ");
    assert_string_equal(info.vendor, "X Y");
    assert_string_equal(info.hypervisor, "none");
    pb_arena_release(&arena);
}

static void a_flag_must_be_the_whole_word(void **state)
{
    (void)state;
    static const struct {
        const char *flags;
        const char *expected;
    } rows[] = {
        {"flags : hypervisor\n", "yes"},    {"flags : a hypervisor b\n", "yes"},
        {"flags : hypervisors\n", "none"},  {"flags : hyper h\n", "none"},
        {"flags : nohypervisor\n", "none"}, {"flags : a\nbugs : hypervisor\n", "none"},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_arena arena = {0};
        assert_string_equal(pb_cpuinfo_parse(&arena, rows[i].flags).hypervisor, rows[i].expected);
        pb_arena_release(&arena);
    }
}

static void ever_different_processors_do_not_make_an_endless_value(void **state)
{
    (void)state;
    enum { PROCESSORS = 5000, TEXT_BYTES = PROCESSORS * 32 };
    struct pb_arena arena = {0};
    char *text = pb_arena_alloc(&arena, TEXT_BYTES);
    size_t length = 0;
    for (int i = 0; i < PROCESSORS; i++) {
        length += (size_t)snprintf(text + length, TEXT_BYTES - length,
                                   "processor : %d\nmodel : %d\n", i, i);
    }
    const struct pb_cpuinfo info = pb_cpuinfo_parse(&arena, text);
    assert_int_equal(info.n_processors, PROCESSORS);
    assert_true(strlen(info.model) < 256);
    assert_int_equal(strncmp(info.model, "0+1+2+", 6), 0);
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dialect_is_understood),
        cmocka_unit_test(different_values_are_told_apart_and_each_named_once),
        cmocka_unit_test(what_says_nothing_is_nothing),
        cmocka_unit_test(a_last_line_without_newline_counts),
        cmocka_unit_test(a_flag_must_be_the_whole_word),
        cmocka_unit_test(ever_different_processors_do_not_make_an_endless_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

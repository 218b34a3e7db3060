/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes two ratios incomparable and what does not.
 */
#include "provenance/machine_class.h"

#include "temp_tree.h"

static struct pb_fact machine_items[] = {
    {"arch", "x86_64"},     {"cpu", "AMD EPYC"}, {"family", "25"},
    {"libc", "glibc 2.36"}, {"model", "1"},      {"vendor", "AuthenticAMD"},
};
static const struct pb_facts machine = {.items = machine_items, .n = N_ITEMS(machine_items)};

/* Class facts of this machine and a build. */
static struct pb_facts class_of(struct pb_arena *arena, const char *compiler, const char *flags)
{
    struct pb_fact items[] = {{"build_type", "Release"}, {"compiler", compiler}, {"flags", flags}};
    const struct pb_facts build = {.items = items, .n = N_ITEMS(items)};
    return pb_class_facts(arena, &machine, &build);
}

static void a_class_is_eight_facts(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_facts facts = class_of(&arena, "gcc 12.2.0", "-O3 -DNDEBUG");
    assert_keys(&facts, "arch build_type compiler family flags libc model vendor");
    assert_fact(&facts, "arch", "x86_64");
    assert_fact(&facts, "build_type", "Release");
    assert_fact(&facts, "compiler", "gcc 12.2.0");
    assert_fact(&facts, "family", "25");
    assert_fact(&facts, "flags", "-O3 -DNDEBUG");
    assert_fact(&facts, "libc", "glibc 2.36");
    assert_fact(&facts, "model", "1");
    assert_fact(&facts, "vendor", "AuthenticAMD");
    pb_arena_release(&arena);
}

static void compilers_are_told_by_family_and_version(void **state)
{
    (void)state;
    static const struct {
        const char *compiler;
        const char *expected;
    } rows[] = {
        {"gcc 12.2.0", "gcc 12.2.0"},
        {"gcc 13.2.1 20231011 (Red Hat 13.2.1-4)", "gcc 13.2.1"},
        {"gcc 12.2.0-14+deb12u1", "gcc 12.2.0"},
        {"clang 14.0.6 ", "clang 14.0.6"},
        {"clang 14.0.0-1ubuntu1.1", "clang 14.0.0"},
        {"clang 15.0.0 (clang-1500.1.0.2.5)", "clang 15.0.0"},
        {"clang 19.0.0git (https://example.org/llvm.git 0123abc)", "clang 19.0.0"},
        {"clang version 17.0.6.", "clang 17.0.6"},
        {"gcc 12.2.0 + clang 14.0.6 (x 9.9)", "gcc 12.2.0 + clang 14.0.6"},
        {"unversioned", "unversioned"},
        {"two words", "two"},
        {"", ""},
        {"gcc ", "gcc"},
        {"gcc + clang 14.0.6", "gcc + clang 14.0.6"},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_arena arena = {0};
        const struct pb_facts facts = class_of(&arena, rows[i].compiler, "");
        assert_fact(&facts, "compiler", rows[i].expected);
        pb_arena_release(&arena);
    }
}

static void flags_that_cannot_change_the_code_are_dropped(void **state)
{
    (void)state;
    static const struct {
        const char *flags;
        const char *expected;
    } rows[] = {
        {"", ""},
        {"  -O2\t-O3  ", "-O2 -O3"},
        {"-O3 -Wall -Wextra -Werror -DNDEBUG", "-O3 -DNDEBUG"},
        {"-g -O2 -ggdb3 -gdwarf-4 -g0 -gsplit-dwarf", "-O2"},
        {"-I /a/b -O2 -I/c -isystem /d -L /e -Lf -iquote g -MF x.d -MD", "-O2"},
        {"-ffile-prefix-map=/a=. -fdebug-prefix-map=/b=. -fmacro-prefix-map=/c=. -O1", "-O1"},
        {"-pipe -v -w -pedantic -pedantic-errors -fdiagnostics-color=always -O2", "-O2"},
        /* What must stay. */
        {"-Wl,-Bsymbolic -Wa,--foo -Wp,-D_FORTIFY_SOURCE=2", /* handed on */
         "-Wl,-Bsymbolic -Wa,--foo -Wp,-D_FORTIFY_SOURCE=2"},
        {"-march=native -mtune=znver3 -fPIC -flto", "-march=native -mtune=znver3 -fPIC -flto"},
        {"-fsanitize=address -version -pg", "-fsanitize=address -version -pg"},
        {"-W -Wl -Wa,x", "-Wa,x"},
        {"-O2 -I", "-O2"},
        {"-DA=-Wall -UB", "-DA=-Wall -UB"},
        {"-O3 + -O3 -g", "-O3 + -O3"},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_arena arena = {0};
        const struct pb_facts facts = class_of(&arena, "gcc 12.2.0", rows[i].flags);
        assert_fact(&facts, "flags", rows[i].expected);
        pb_arena_release(&arena);
    }
}

static void missing_facts_are_unknown(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_facts none = {0};
    const struct pb_facts facts = pb_class_facts(&arena, &none, &none);
    assert_int_equal(facts.n, 8);
    for (size_t i = 0; i < facts.n; i++) {
        assert_string_equal(facts.items[i].value, "unknown");
    }
    const char *name = pb_class_name(&arena, &facts);
    assert_int_equal(strncmp(name, "unknown-unknown-unknown-unknown-unknown-unknown-", 48), 0);
    pb_arena_release(&arena);
}

static void the_class_of_a_class_is_itself(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_facts once =
        class_of(&arena, "gcc 13.2.1 2023 (X 1)", "-g -O2 -I a -Wl,-z,now");
    const struct pb_facts twice = pb_class_facts(&arena, &once, &once);
    assert_string_equal(pb_class_name(&arena, &once), pb_class_name(&arena, &twice));
    pb_arena_release(&arena);
}

static void names_say_what_the_class_is(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_facts facts = class_of(&arena, "gcc 12.2.0", "-O3 -DNDEBUG");
    const char *name = pb_class_name(&arena, &facts);
    static const char readable[] = "x86_64-authenticamd-25-1-gcc12-glibc2.36-";
    const size_t length = sizeof readable - 1;
    assert_int_equal(strncmp(name, readable, length), 0);
    assert_int_equal(strlen(name), length + 8);
    assert_int_equal(strspn(name + length, "0123456789abcdef"), 8);
    pb_arena_release(&arena);
}

static void names_differ_exactly_when_classes_do(void **state)
{
    (void)state;
    static const struct {
        const char *compiler;
        const char *flags;
        bool same;
    } rows[] = {
        {"gcc 12.2.0-14+deb12u1", "-O3 -DNDEBUG", true},
        {"gcc 12.2.0", "-O3 -Wall -DNDEBUG -g", true},
        {"gcc 12.2.1", "-O3 -DNDEBUG", false},
        {"gcc 12.3.0", "-O3 -DNDEBUG", false},
        {"clang 12.2.0", "-O3 -DNDEBUG", false},
        {"gcc 12.2.0", "-O2 -DNDEBUG", false},
        {"gcc 12.2.0", "-DNDEBUG -O3", false},
        {"gcc 12.2.0", "-O3 -DNDEBUG -march=native", false},
    };
    struct pb_arena arena = {0};
    const struct pb_facts facts = class_of(&arena, "gcc 12.2.0", "-O3 -DNDEBUG");
    const char *name = pb_class_name(&arena, &facts);
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_facts other = class_of(&arena, rows[i].compiler, rows[i].flags);
        assert_int_equal(strcmp(pb_class_name(&arena, &other), name) == 0, rows[i].same);
    }
    pb_arena_release(&arena);
}

static void names_are_safe_whatever_the_facts_are(void **state)
{
    (void)state;
    static const char hostile[] = "../../etc/passwd $(reboot) `x` \"'|%\n\\<b> ÄÖ \xff long long";
    static const char *const keys[] = {"arch", "vendor", "family", "model", "libc", "compiler"};
    struct pb_arena arena = {0};
    struct pb_fact items[N_ITEMS(keys)];
    for (size_t i = 0; i < N_ITEMS(keys); i++) {
        items[i] = (struct pb_fact){keys[i], hostile};
    }
    const struct pb_facts facts = {.items = items, .n = N_ITEMS(items)};
    const char *name = pb_class_name(&arena, &facts);
    assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789._-"), strlen(name));
    assert_true(strlen(name) < 200);
    assert_null(strchr(name, '/'));
    assert_true(name[0] != '.');
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_is_eight_facts),
        cmocka_unit_test(compilers_are_told_by_family_and_version),
        cmocka_unit_test(flags_that_cannot_change_the_code_are_dropped),
        cmocka_unit_test(missing_facts_are_unknown),
        cmocka_unit_test(the_class_of_a_class_is_itself),
        cmocka_unit_test(names_say_what_the_class_is),
        cmocka_unit_test(names_differ_exactly_when_classes_do),
        cmocka_unit_test(names_are_safe_whatever_the_facts_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects made by the C compiler from a few lines each, and files that are none.
 */
#include "provenance/object_code.h"

#include <elf.h>
#include <link.h>

#include "base/whole_file.h"
#include "temp_repository.h"

struct bench {
    struct pb_arena arena;
    char *folder;
};

static int make_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->folder = temp_tree_new(&bench->arena);
    *state = bench;
    return 0;
}

static int remove_bench(void **state)
{
    struct bench *bench = *state;
    temp_tree_remove(bench->folder);
    pb_arena_release(&bench->arena);
    free(bench);
    return 0;
}

static const char *path_of(struct bench *bench, const char *name)
{
    return pb_arena_printf(&bench->arena, "%s/%s", bench->folder, name);
}

/* Compiles a text in a folder of its own. returns: path of the object */
static const char *compile(struct bench *bench, const char *name, const char *text,
                           const char *option)
{
    const char *source = pb_arena_printf(&bench->arena, "%s/x.c", name);
    temp_tree_write(bench->folder, source, text);
    const char *object = pb_arena_printf(&bench->arena, "%s/%s/x.so", bench->folder, name);
    run((const char *const[]){PB_TEST_COMPILER, "-O2", "-fPIC", "-shared", "-Wl,--build-id", option,
                              path_of(bench, source), "-o", object, NULL});
    return object;
}

static const char plain[] = "int table[] = {1, 2, 3};\nint f(int x) { return x * 7; }\n";

static void comments_folders_and_debug_information_make_no_difference(void **state)
{
    struct bench *bench = *state;
    const char *object = compile(bench, "one", plain, "-O2");
    const char *same = compile(
        bench, "another_folder",
        "/* A comment. */ int table[] = {1, 2, 3};\n\nint f(int y)\n{ return y * 7; }\n", "-g");
    assert_true(pb_object_code_same(object, same));
    assert_true(pb_object_code_same(object, object));
    assert_true(pb_object_code_is(object));
}

static void code_and_data_make_a_difference(void **state)
{
    struct bench *bench = *state;
    const char *object = compile(bench, "one", plain, "-O2");
    static const char *const others[] = {
        "int table[] = {1, 2, 3};\nint f(int x) { return x * 9; }\n",
        "int table[] = {1, 2, 4};\nint f(int x) { return x * 7; }\n",
        "int table[] = {1, 2, 3};\nint f(int x) { return x * 7; }\nint g(void) { return 1; }\n",
        "int table[] = {1, 2, 3};\nint f(int x) { return x * 7; }\nint zeroes[1000];\n",
    };
    for (size_t i = 0; i < N_ITEMS(others); i++) {
        const char *name = pb_arena_printf(&bench->arena, "other%zu", i);
        const char *changed = compile(bench, name, others[i], "-O2");
        assert_false(pb_object_code_same(object, changed));
        assert_false(pb_object_code_same(changed, object));
    }
}

static void the_libraries_that_it_needs_are_known(void **state)
{
    struct bench *bench = *state;
    const char *object = compile(bench, "one", plain, "-Wl,--no-as-needed,-lm");
    const struct pb_object_needs needs = pb_object_code_needs(object, &bench->arena);
    bool found = false;
    for (size_t i = 0; i < needs.n; i++) {
        found = found || strncmp(needs.names[i], "libm.so", 7) == 0;
    }
    assert_true(found);
    temp_tree_write(bench->folder, "short", "\177ELF");
    assert_int_equal(pb_object_code_needs(path_of(bench, "short"), &bench->arena).n, 0);
}

static void what_is_no_object_is_never_the_same(void **state)
{
    struct bench *bench = *state;
    const char *object = compile(bench, "one", plain, "-O2");
    temp_tree_write(bench->folder, "text",
                    "no object at all, but longer than a header of ELF, "
                    "which has sixty-four bytes");
    temp_tree_write(bench->folder, "short", "\177ELF");
    temp_tree_write(bench->folder, "empty", "");
    const char *const others[] = {path_of(bench, "text"), path_of(bench, "short"),
                                  path_of(bench, "empty"), path_of(bench, "none"), bench->folder};
    for (size_t i = 0; i < N_ITEMS(others); i++) {
        assert_false(pb_object_code_same(object, others[i]));
        assert_false(pb_object_code_same(others[i], object));
        assert_false(pb_object_code_same(others[i], others[i]));
        assert_int_equal(pb_object_code_is(others[i]), i == 1);
    }
}

/* Every header that points out of the file is noticed. */
static void a_damaged_object_is_never_the_same(void **state)
{
    struct bench *bench = *state;
    const char *object = compile(bench, "one", plain, "-O2");
    struct pb_strbuf whole = {0};
    struct pb_error err;
    assert_int_equal(pb_whole_file_read(object, 1 << 20, &whole, &err), PB_OK);
    const char *damaged = path_of(bench, "damaged.so");
    for (size_t length = 0; length < whole.length; length += 97) {
        assert_int_equal(pb_whole_file_replace(damaged, whole.text, length, &err), PB_OK);
        assert_false(pb_object_code_same(damaged, damaged));
    }
    const ElfW(Ehdr) *header = (const void *)whole.text;
    ElfW(Shdr) *sections = (void *)(whole.text + header->e_shoff);
    for (size_t i = 1; i < header->e_shnum; i++) {
        if ((sections[i].sh_flags & SHF_ALLOC) == 0 || sections[i].sh_type == SHT_NOTE ||
            sections[i].sh_type == SHT_NOBITS) {
            continue;
        }
        const ElfW(Shdr) before = sections[i];
        sections[i].sh_offset = (ElfW(Off)) - 8;
        assert_int_equal(pb_whole_file_replace(damaged, whole.text, whole.length, &err), PB_OK);
        assert_false(pb_object_code_same(damaged, damaged));
        pb_object_code_needs(damaged, &bench->arena); /* must not crash */
        sections[i] = before;
    }
    pb_strbuf_release(&whole);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, make_bench, remove_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(comments_folders_and_debug_information_make_no_difference),
        BENCH_TEST(code_and_data_make_a_difference),
        BENCH_TEST(the_libraries_that_it_needs_are_known),
        BENCH_TEST(what_is_no_object_is_never_the_same),
        BENCH_TEST(a_damaged_object_is_never_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

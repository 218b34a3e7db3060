/* SPDX-License-Identifier: Apache-2.0
 *
 * A baseline is made a run again, so that one way of judging serves for both. Waivers have no say
 * here: what is accepted for a while has changed all the same.
 */
#include "commands/judging/baseline_diff.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/judging/baseline_set.h"
#include "commands/judging/judge.h"
#include "measure/instructions.h"

/* The benchmark of a name, made when it isn't there yet. */
static struct pb_benchmark_record *find_or_add(struct pb_run_record *run, const char *name,
                                               struct pb_arena *arena, size_t *capacity)
{
    for (size_t i = run->n_benchmarks; i > 0; i--) { /* mostly it is the last */
        if (strcmp(run->benchmarks[i - 1].name, name) == 0) {
            return &run->benchmarks[i - 1];
        }
    }
    run->benchmarks =
        pb_arena_grow(arena, run->benchmarks, run->n_benchmarks, capacity, sizeof *run->benchmarks);
    struct pb_benchmark_record *made = &run->benchmarks[run->n_benchmarks++];
    *made = (struct pb_benchmark_record){.name = name, .instructions = -1};
    return made;
}

static void add_count(struct pb_benchmark_record *benchmark, const struct pb_baseline_count *count,
                      struct pb_arena *arena)
{
    struct pb_count_record *counts = pb_arena_array(arena, benchmark->n_counts + 1, sizeof *counts);
    for (size_t i = 0; i < benchmark->n_counts; i++) {
        counts[i] = benchmark->counts[i];
    }
    counts[benchmark->n_counts++] = (struct pb_count_record){count->metric, count->value, true};
    benchmark->counts = counts;
}

/* What a run would have to be to make this baseline, as far as judging looks. */
static struct pb_run_record run_of(const struct pb_baseline *baseline, struct pb_arena *arena)
{
    struct pb_run_record run = {.valid = true, .patterns = ""};
    size_t capacity = 0;
    for (size_t i = 0; i < baseline->n_counts; i++) {
        const struct pb_baseline_count *count = &baseline->counts[i];
        add_count(find_or_add(&run, count->name, arena, &capacity), count, arena);
    }
    for (size_t i = 0; i < baseline->n_instructions; i++) {
        const struct pb_baseline_count *count = &baseline->instructions[i];
        find_or_add(&run, count->name, arena, &capacity)->instructions = count->value;
    }
    run.pairs = pb_arena_array(arena, baseline->n_ratios, sizeof *run.pairs);
    for (size_t i = 0; i < baseline->n_ratios; i++) {
        const struct pb_baseline_ratio *ratio = &baseline->ratios[i];
        run.pairs[run.n_pairs++] = (struct pb_pair_record){
            .case_name = ratio->case_name,
            .scenario = ratio->scenario,
            .a = ratio->a,
            .b = ratio->b,
            .gated = true,
            .estimate = ratio->estimate,
            .lo = ratio->lo,
            .hi = ratio->hi,
            .verdict = PB_VERDICT_UNCHANGED,
        };
    }
    if (baseline->counter != NULL) {
        run.machine.items = pb_arena_array(arena, 1, sizeof *run.machine.items);
        run.machine.items[run.machine.n++] =
            (struct pb_fact){PB_INSTRUCTION_COUNTER, baseline->counter};
    }
    return run;
}

/* `missing` and `added` say all there is to say of two files. */
static void shorten_reasons(struct pb_check_record *check)
{
    for (size_t i = 0; i < check->n_findings; i++) {
        struct pb_finding *finding = &check->findings[i];
        if (finding->verdict == PB_VERDICT_MISSING || finding->verdict == PB_VERDICT_ADDED) {
            finding->reason = NULL;
        }
    }
}

static void judge(const struct pb_baseline_set *set, const struct pb_run_record *run,
                  struct pb_arena *arena, struct pb_check_record *check)
{
    pb_judge_run(&(struct pb_judge_spec){.run = run, .set = set}, arena, check);
    shorten_reasons(check);
    check->n_baselines = 0; /* they are named above the table */
}

/* Reads a file if it is there. *path: NULL when it isn't */
static enum pb_code read_side(const char **path, struct pb_arena *arena,
                              struct pb_baseline *baseline, struct pb_error *err)
{
    struct stat file;
    if (stat(*path, &file) != 0 && errno == ENOENT) {
        *path = NULL;
        return PB_OK;
    }
    return pb_baseline_read(*path, arena, baseline, err);
}

/* Compares two files, of which one may be missing. */
static enum pb_code diff_files(const char *a, const char *b, const struct pb_aliases *aliases,
                               struct pb_arena *arena, struct pb_baseline_difference *difference,
                               struct pb_error *err)
{
    struct pb_baseline_set set = {.has_counts = true, .has_ratios = true};
    struct pb_baseline head = {0};
    enum pb_code code = read_side(&a, arena, &set.baseline, err);
    if (code == PB_OK) {
        code = read_side(&b, arena, &head, err);
    }
    if (code != PB_OK) {
        return code;
    }
    pb_aliases_update_baseline(aliases, arena, &set.baseline);
    pb_aliases_update_baseline(aliases, arena, &head);
    const struct pb_run_record run = run_of(&head, arena);
    *difference = (struct pb_baseline_difference){.a = a, .b = b};
    judge(&set, &run, arena, &difference->check);
    if (a != NULL && b != NULL) {
        const char *differ =
            pb_baseline_class_differences(&head.class_facts, &set.baseline.class_facts, arena);
        difference->check.note =
            differ == NULL ? NULL : pb_arena_printf(arena, "the classes differ: %s", differ);
    }
    return PB_OK;
}

static int is_baseline(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".jsonl") == 0 &&
           strcmp(entry->d_name, PB_BASELINE_ALIASES) != 0 &&
           strcmp(entry->d_name, PB_BASELINE_WAIVERS) != 0;
}

/* Names of files, sorted, each once. */
struct names {
    const char **items;
    size_t n;
    size_t capacity;
};

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static enum pb_code add_names(const char *folder, struct pb_arena *arena, struct names *names,
                              struct pb_error *err)
{
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, is_baseline, alphasort);
    if (n < 0) {
        return pb_error_set(err, PB_ERR_IO, "can't read the folder %s: %s", folder,
                            strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        names->items =
            pb_arena_grow(arena, names->items, names->n, &names->capacity, sizeof *names->items);
        names->items[names->n++] = pb_arena_strdup(arena, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return PB_OK;
}

static enum pb_code diff_folders(const char *a, const char *b, const struct pb_aliases *aliases,
                                 struct pb_arena *arena, struct pb_baseline_diff *diff,
                                 struct pb_error *err)
{
    struct names names = {0};
    enum pb_code code = add_names(a, arena, &names, err);
    if (code == PB_OK) {
        code = add_names(b, arena, &names, err);
    }
    if (names.n > 0) {
        qsort(names.items, names.n, sizeof *names.items, compare_names);
    }
    struct pb_baseline_diff made = {.items = pb_arena_array(arena, names.n, sizeof *made.items)};
    for (size_t i = 0; code == PB_OK && i < names.n; i++) {
        if (i > 0 && strcmp(names.items[i - 1], names.items[i]) == 0) {
            continue;
        }
        code = diff_files(pb_arena_printf(arena, "%s/%s", a, names.items[i]),
                          pb_arena_printf(arena, "%s/%s", b, names.items[i]), aliases, arena,
                          &made.items[made.n++], err);
    }
    *diff = made;
    return code;
}

/* Whether there is a folder or a file at path. */
static enum pb_code look_at(const char *path, bool *is_folder, struct pb_error *err)
{
    struct stat file;
    if (stat(path, &file) != 0) {
        return pb_error_set(err, PB_ERR_INCOMPATIBLE, "there is no baseline at %s: %s", path,
                            strerror(errno));
    }
    *is_folder = S_ISDIR(file.st_mode);
    return PB_OK;
}

enum pb_code pb_baseline_diff_paths(const char *a, const char *b, struct pb_arena *arena,
                                    struct pb_baseline_diff *diff, struct pb_error *err)
{
    bool a_is_folder = false;
    bool b_is_folder = false;
    struct pb_aliases aliases;
    enum pb_code code = look_at(a, &a_is_folder, err);
    if (code == PB_OK) {
        code = look_at(b, &b_is_folder, err);
    }
    if (code == PB_OK && a_is_folder != b_is_folder) {
        code = pb_error_set(err, PB_ERR_USAGE,
                            "%s is a %s and %s a %s: two files can be compared, or two folders", a,
                            a_is_folder ? "folder" : "file", b, b_is_folder ? "folder" : "file");
    }
    if (code == PB_OK) {
        code = pb_baseline_aliases_read(b, arena, &aliases, err); /* b is taken for the newer one */
    }
    if (code != PB_OK) {
        return code;
    }
    if (a_is_folder) {
        return diff_folders(a, b, &aliases, arena, diff, err);
    }
    *diff =
        (struct pb_baseline_diff){.items = pb_arena_array(arena, 1, sizeof *diff->items), .n = 1};
    return diff_files(a, b, &aliases, arena, diff->items, err);
}

enum pb_code pb_baseline_diff_run(const char *a, struct pb_run_record *run, struct pb_arena *arena,
                                  struct pb_baseline_diff *diff, struct pb_error *err)
{
    struct pb_baseline_set set;
    const enum pb_code code = pb_baseline_set_read(a, false, run, arena, &set, err);
    if (code != PB_OK) {
        return code;
    }
    set.waivers = (struct pb_waivers){0};
    pb_aliases_update_run(&set.aliases, arena, run);
    *diff =
        (struct pb_baseline_diff){.items = pb_arena_array(arena, 1, sizeof *diff->items), .n = 1};
    diff->items[0] = (struct pb_baseline_difference){
        .a = a,
        .b = pb_arena_printf(arena, "run %s", run->id),
    };
    judge(&set, run, arena, &diff->items[0].check);
    return PB_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench check`: a run against the committed baseline.
 *
 * What the ratio gate flags is measured again on fresh launches before it is reported: the second
 * look decides. A run that was injected with extra work is measured again with the same work.
 */
#include "commands/all.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "commands/bench.h"
#include "commands/comparing/confirm.h"
#include "commands/judging/judge.h"
#include "output/check_text.h"
#include "output/github.h"
#include "output/json.h"
#include "output/junit.h"
#include "output/markdown.h"
#include "provenance/machine.h"
#include "store/store.h"

static const struct pb_option options[] = {
    {"run", "ID", "the run to check, or the beginning of its id (default: the latest)", false},
    {"baseline", "PATH", "folder or file of the baseline (default: baselines)", false},
    {"fail-on", "LIST",
     "default regressed,failed,missing,differs,incompatible; also inconclusive, warnings, none",
     false},
    {"no-confirm", NULL, "judge what is stored; don't measure again what is flagged", false},
    {"any-class", NULL, "judge ratios of another class of machine or build all the same", false},
    {"markdown", "FILE", "write a Markdown summary, - for stdout", false},
    {"junit", "FILE", "write the findings as JUnit XML, - for stdout", false},
    {"github", NULL, "print annotations for GitHub Actions, too", false},
};

/* What the store has to say. */
static enum pb_code load(const struct pb_context *context, const char *id,
                         struct pb_run_record *run, struct pb_past *past, struct pb_error *err)
{
    struct pb_store *store = NULL;
    enum pb_code code = pb_store_open(context->db, PB_STORE_READ, &store, err);
    if (code == PB_OK) {
        code = pb_store_load_run(store, id, context->arena, run, err);
    }
    if (code == PB_OK) {
        code = pb_past_load(store, run, context->arena, past, err);
    }
    pb_store_close(store);
    return code;
}

static bool same_facts(const struct pb_facts *a, const struct pb_facts *b, const char *key)
{
    const char *left = pb_facts_get(a, key);
    const char *right = pb_facts_get(b, key);
    return left != NULL && right != NULL && strcmp(left, right) == 0;
}

/* Whether a suite was built after the run had begun. */
static bool was_built_since(const struct pb_catalog *catalog, const struct pb_run_record *run)
{
    struct stat file;
    for (size_t i = 0; i < catalog->n_suites; i++) {
        if (stat(catalog->suites[i].path, &file) == 0 && file.st_mtime > run->started_at) {
            return true;
        }
    }
    return false;
}

static bool is_clean(const struct pb_run_record *run)
{
    const char *dirty = pb_facts_get(&run->commit, "dirty");
    return dirty != NULL && strcmp(dirty, "false") == 0;
}

/* How what would be measured now differs from what the run measured. returns: NULL = not at all */
static const char *what_differs(const struct pb_run_record *run, const struct pb_run_record *now,
                                const struct pb_catalog *catalog, struct pb_arena *arena)
{
    const struct pb_facts here = pb_class_facts(arena, &now->machine, &now->build);
    const struct pb_facts there = pb_class_facts(arena, &run->machine, &run->build);
    const char *classes = pb_baseline_class_differences(&here, &there, arena);
    if (classes != NULL) {
        return classes;
    }
    if (!same_facts(&run->build, &now->build, "suite")) {
        return "it has another suite";
    }
    if (!same_facts(&run->commit, &now->commit, "id")) {
        return "the suite here is of another commit";
    }
    /* With changes that are not committed, then or now, the commit does not say what was built. */
    return !(is_clean(run) && is_clean(now)) && was_built_since(catalog, run)
               ? "the suite was built since, and not from a commit alone"
               : NULL;
}

static size_t count_flagged(const struct pb_check_record *check)
{
    size_t n = 0;
    for (size_t i = 0; i < check->n_findings; i++) {
        n += pb_judge_is_flagged(&check->findings[i]);
    }
    return n;
}

/* The work that the run was injected with. */
static void repeat_injections(const struct pb_run_record *run, struct pb_arena *arena,
                              struct pb_plan *plan)
{
    struct pb_injection *injections = pb_arena_array(arena, run->n_benchmarks, sizeof *injections);
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        if (run->benchmarks[i].inject_pct != 0) {
            injections[plan->n_injections++] = (struct pb_injection){
                .glob = pb_name_glob(arena, run->benchmarks[i].name),
                .pct = run->benchmarks[i].inject_pct,
            };
        }
    }
    plan->injections = injections;
}

/* Names of the flagged benchmarks, as patterns. */
static const char **flagged_patterns(const struct pb_check_record *check, struct pb_arena *arena,
                                     size_t *n)
{
    const char **patterns = pb_arena_array(arena, check->n_findings, sizeof *patterns);
    *n = 0;
    for (size_t i = 0; i < check->n_findings; i++) {
        const struct pb_finding *finding = &check->findings[i];
        if (pb_judge_is_flagged(finding)) {
            patterns[(*n)++] = pb_name_glob(arena, finding->name);
        }
    }
    return patterns;
}

static enum pb_code measure_flagged(const struct pb_context *context,
                                    const struct pb_run_record *run,
                                    const struct pb_check_record *check,
                                    struct pb_run_record *fresh, struct pb_error *err)
{
    struct pb_catalog catalog;
    struct pb_selection selection;
    size_t n_patterns = 0;
    const char *const *patterns = flagged_patterns(check, context->arena, &n_patterns);
    enum pb_code code = pb_bench_load(context, &catalog, err);
    if (code == PB_OK) {
        code = pb_selection_make(&catalog, patterns, n_patterns, context->arena, &selection, err);
    }
    if (code != PB_OK) {
        return code;
    }
    *fresh = (struct pb_run_record){0};
    pb_bench_describe(context, &catalog, fresh);
    const char *differs = what_differs(run, fresh, &catalog, context->arena);
    if (differs != NULL) {
        return pb_error_set(err, PB_ERR_USAGE, "it would not be what the run measured (%s)",
                            differs);
    }
    struct pb_plan plan = {
        .worker = context->worker,
        .times = true,
        .launches = PB_CONFIRM_LAUNCHES,
        .seed = pb_bench_random_seed(),
        .deadline_s = PB_DEADLINE_S,
    };
    repeat_injections(run, context->arena, &plan);
    return pb_bench_measure(context, &catalog, &selection, &plan, fresh, err);
}

/* Measures again what is flagged. What can't be measured again stays flagged, and says so. */
static enum pb_code confirm(const struct pb_context *context, const struct pb_judge_spec *spec,
                            struct pb_check_record *check, struct pb_error *err)
{
    struct pb_run_record fresh;
    struct pb_error trouble = {0};
    const enum pb_code code = measure_flagged(context, spec->run, check, &fresh, &trouble);
    if (code == PB_ERR_INTERRUPTED) {
        *err = trouble;
        return code;
    }
    if (code != PB_OK) {
        pb_warn(context, "what is flagged could not be measured again: %s", trouble.message);
        pb_judge_leave_unconfirmed(check, trouble.message, context->arena);
        return PB_OK;
    }
    pb_judge_confirm(spec, &fresh, context->arena, check);
    return PB_OK;
}

/* Forms of a check that go to a file. */
static void add_markdown(struct pb_strbuf *text, const struct pb_run_record *run,
                         const struct pb_check_record *check)
{
    pb_markdown_add(text, &(struct pb_markdown_spec){.run = run, .check = check});
}

static const struct {
    const char *option;
    void (*add)(struct pb_strbuf *text, const struct pb_run_record *run,
                const struct pb_check_record *check);
} files[] = {
    {"markdown", add_markdown},
    {"junit", pb_junit_add},
};
enum { N_FILES = sizeof files / sizeof files[0] };

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* How many of the files are stdout, which can hold one document. */
static size_t count_on_stdout(const struct pb_args *args)
{
    size_t n = 0;
    for (size_t i = 0; i < N_FILES; i++) {
        n += is_stdout(pb_args_value(args, files[i].option));
    }
    return n;
}

static enum pb_code write_files(const struct pb_args *args, const struct pb_run_record *run,
                                const struct pb_check_record *check, struct pb_error *err)
{
    enum pb_code code = PB_OK;
    for (size_t i = 0; i < N_FILES && code == PB_OK; i++) {
        const char *path = pb_args_value(args, files[i].option);
        if (path != NULL) {
            struct pb_strbuf text;
            pb_strbuf_init(&text);
            files[i].add(&text, run, check);
            code = pb_write_out(path, text.text, text.length, err);
            pb_strbuf_release(&text);
        }
    }
    return code;
}

/* Behind the text; on stderr where stdout is a document for machines. */
static enum pb_code print_annotations(const struct pb_check_record *check, bool on_stdout,
                                      struct pb_error *err)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    pb_github_add(&text, check);
    enum pb_code code = PB_OK;
    if (on_stdout) {
        code = pb_write_stdout(text.text, text.length, err);
    } else {
        fputs(text.text, stderr);
    }
    pb_strbuf_release(&text);
    return code;
}

static enum pb_code show(const struct pb_context *context, const struct pb_run_record *run,
                         const struct pb_check_record *check, struct pb_error *err)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    enum pb_code code = PB_OK;
    if (context->format == PB_FORMAT_JSON) {
        code = pb_json_add_check(&text, run, check, err);
    } else {
        pb_check_text_add(&text, check, &context->style);
    }
    if (code == PB_OK) {
        code = pb_write_stdout(text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

static enum pb_code show_all(const struct pb_context *context, const struct pb_args *args,
                             const struct pb_run_record *run, const struct pb_check_record *check,
                             struct pb_error *err)
{
    const bool shows = count_on_stdout(args) == 0; /* stdout carries one document */
    enum pb_code code = shows ? show(context, run, check, err) : PB_OK;
    if (code == PB_OK) {
        code = write_files(args, run, check, err);
    }
    if (code == PB_OK && pb_args_has(args, "github")) {
        code = print_annotations(check, shows && context->format == PB_FORMAT_TEXT, err);
    }
    return code;
}

/* Reads all that a check goes by, under present names. */
static enum pb_code prepare(const struct pb_context *context, const struct pb_args *args,
                            struct pb_run_record *run, struct pb_baseline_set *set,
                            struct pb_past *past, struct pb_error *err)
{
    enum pb_code code = load(context, pb_args_value(args, "run"), run, past, err);
    if (code == PB_OK) {
        code = pb_baseline_set_read(pb_args_value(args, "baseline"), pb_args_has(args, "any-class"),
                                    run, context->arena, set, err);
    }
    if (code == PB_OK) {
        pb_aliases_update_run(&set->aliases, context->arena, run);
        pb_past_update(past, &set->aliases, context->arena);
    }
    return code;
}

static enum pb_code run_check(const struct pb_context *context, const struct pb_args *args,
                              int *exit_code, struct pb_error *err)
{
    unsigned fail_on = PB_FAIL_DEFAULT;
    struct pb_run_record run;
    struct pb_baseline_set set;
    struct pb_past past;
    struct pb_check_record check;
    enum pb_code code = PB_OK;
    if (count_on_stdout(args) > 1) {
        code = pb_error_set(err, PB_ERR_USAGE, "--markdown and --junit can't both be on stdout");
    }
    if (code == PB_OK && pb_args_has(args, "fail-on")) {
        code = pb_judge_parse_fail_on(pb_args_value(args, "fail-on"), &fail_on, err);
    }
    if (code == PB_OK) {
        code = prepare(context, args, &run, &set, &past, err);
    }
    if (code != PB_OK) {
        return code;
    }
    if (set.n_paths > 0 && !set.has_counts) {
        pb_warn(context,
                "%s has no counts, so none are judged; `pairbench baseline save` writes them",
                set.paths[0]);
    }
    const struct pb_judge_spec spec = {&run, &set, &past};
    pb_judge_run(&spec, context->arena, &check);
    if (count_flagged(&check) > 0 && !pb_args_has(args, "no-confirm")) {
        code = confirm(context, &spec, &check, err);
    }
    if (code != PB_OK) {
        return code;
    }
    pb_judge_conclude(&check, fail_on);
    *exit_code = check.exit_code;
    return show_all(context, args, &run, &check, err);
}

const struct pb_command pb_command_check = {
    .name = "check",
    .operands = "",
    .summary = "Holds a run against the committed baseline: ratios, exact counts, absolute times",
    .details =
        "Ratios that regressed are measured again on fresh launches, and counts are exact: both\n"
        "fail the check. Absolute times are held against earlier runs on this machine and warn.",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .run = run_check,
};

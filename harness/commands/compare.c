/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench compare`: is head slower than base?
 *
 * Both are revisions that are built here, or suites that are built already, and are measured in the
 * same launches. Two stored runs are only read.
 */
#include "commands/all.h"

#include <string.h>

#include "base/strbuf.h"
#include "commands/bench.h"
#include "commands/comparing/plan.h"
#include "commands/comparing/runs.h"
#include "commands/comparing/sides.h"
#include "commands/comparing/comparing.h"
#include "commands/judging/judge.h"
#include "measure/launch.h"
#include "output/check_text.h"
#include "output/compare_markdown.h"
#include "output/compare_text.h"
#include "output/json.h"
#include "output/markdown.h"

enum { BASE, HEAD };

/* What --bisect exits with; `git bisect run` skips a revision that is neither good nor bad. */
enum { BISECT_GOOD = 0, BISECT_BAD = 1, BISECT_SKIP = 125 };

/* A whole suite in three minutes, builds apart; a few benchmarks are decided long before. */
#define BUDGET_S 170.0

static const struct pb_option options[] = {
    {"filter", "GLOB", "compare what matches: CASE, CASE/SCENARIO, CASE/SCENARIO/VARIANT", true},
    {"merge-base", NULL, "compare with the merge base of BASE: what a pull request changes", false},
    PB_COMPARE_PLAN_OPTIONS,
    {"as-built", "WHAT",
     "measure `all`, `changed` (default) or `none` in the production objects, too", false},
    {"time-identical", NULL, "time identical machine code, too", false},
    {"inject", "GLOB=+N%", "test the tool: head does N % more work than it reports", true},
    {"budget", "TIME", "begin no wave of launches that would end after TIME (default 170s)", false},
    {"fail-on", "LIST",
     "default regressed,failed,missing,differs,incompatible; also inconclusive, none", false},
    {"markdown", "FILE", "write a Markdown summary, - for stdout", false},
    {"bisect", NULL, "exit with 0, 1 or 125, as `git bisect run` wants", false},
    PB_SIDES_OPTIONS,
};

static enum pb_code parse_as_built(const struct pb_args *args, enum pb_as_built *as_built,
                                   struct pb_error *err)
{
    static const char *const words[] = {
        [PB_AS_BUILT_CHANGED] = "changed", [PB_AS_BUILT_ALL] = "all", [PB_AS_BUILT_NONE] = "none"};
    const char *value = pb_args_value(args, "as-built");
    *as_built = PB_AS_BUILT_CHANGED;
    for (int i = 0; value != NULL && i <= PB_AS_BUILT_NONE; i++) {
        if (strcmp(value, words[i]) == 0) {
            *as_built = (enum pb_as_built)i;
            return PB_OK;
        }
    }
    return value == NULL ? PB_OK
                         : pb_error_set(err, PB_ERR_USAGE,
                                        "--as-built '%s': all, changed or none is wanted", value);
}

/* What the command line asks for. */
struct request {
    struct pb_comparing comparing;
    struct pb_sides sides;
    struct pb_merge_base merge_base;
    unsigned fail_on;
    const char *markdown;
};

static enum pb_code parse(const struct pb_context *context, const struct pb_args *args,
                          struct request *request, struct pb_error *err)
{
    struct pb_comparing *comparing = &request->comparing;
    *request =
        (struct request){.fail_on = PB_FAIL_DEFAULT, .markdown = pb_args_value(args, "markdown")};
    comparing->n_patterns = pb_args_values(args, "filter", &comparing->patterns);
    comparing->times_identical = pb_args_has(args, "time-identical");
    enum pb_code code = pb_compare_parse_plan(args, &comparing->plan, err);
    if (code == PB_OK) {
        code = pb_bench_parse_injections(args, context->arena, &comparing->plan, err);
    }
    comparing->plan.budget_s = BUDGET_S;
    if (code == PB_OK && pb_args_has(args, "budget")) {
        code = pb_parse_duration("--budget", pb_args_value(args, "budget"),
                                 &comparing->plan.budget_s, err);
    }
    if (code == PB_OK) {
        code = pb_sides_parse(args, context->arena, &request->sides, &comparing->layouts, err);
    }
    if (code == PB_OK) {
        code = parse_as_built(args, &comparing->as_built, err);
    }
    if (code == PB_OK && pb_args_has(args, "fail-on")) {
        code = pb_judge_parse_fail_on(pb_args_value(args, "fail-on"), &request->fail_on, err);
    }
    if (code == PB_OK && args->n_operands == 0) {
        code =
            pb_error_set(err, PB_ERR_USAGE, "BASE is missing: a revision, or the file of a suite");
    }
    return code;
}

/* The commit that head is, or is made from. */
static enum pb_code head_commit(const struct pb_context *context, const struct pb_sides *sides,
                                struct pb_revision *head, struct pb_error *err)
{
    const struct pb_side *side = &sides->sides[HEAD];
    if (side->shown.kind == PB_COMPARED_COMMIT) {
        *head = side->revision;
        return PB_OK;
    }
    return pb_revision_resolve(&sides->repository, "HEAD", context->arena, head, err);
}

/* Goes from the branch that head is to be merged into back to where head left it. */
static enum pb_code go_to_merge_base(const struct pb_context *context, struct request *request,
                                     const char *branch, struct pb_error *err)
{
    struct pb_sides *sides = &request->sides;
    struct pb_revision head;
    struct pb_revision base;
    if (sides->sides[BASE].shown.kind != PB_COMPARED_COMMIT ||
        sides->sides[HEAD].shown.kind == PB_COMPARED_FILE) {
        return pb_error_set(err, PB_ERR_USAGE, "--merge-base needs revisions, not files");
    }
    const struct pb_revision tip = sides->sides[BASE].revision;
    enum pb_code code = head_commit(context, sides, &head, err);
    if (code == PB_OK) {
        code =
            pb_revision_merge_base(&sides->repository, tip.id, head.id, context->arena, &base, err);
    }
    if (code != PB_OK) {
        return code;
    }
    request->merge_base = (struct pb_merge_base){
        .of = branch,
        .behind = pb_revision_distance(&sides->repository, base.id, tip.id),
        .ahead = pb_revision_distance(&sides->repository, base.id, head.id),
    };
    pb_side_set_commit(sides, BASE, base.id, &base);
    return PB_OK;
}

static enum pb_code name_sides(const struct pb_context *context, const struct pb_args *args,
                               struct request *request, struct pb_error *err)
{
    struct pb_sides *sides = &request->sides;
    const char *head = args->n_operands > 1 ? args->operands[HEAD] : NULL;
    enum pb_code code = pb_side_name(context, sides, BASE, args->operands[BASE], err);
    if (code == PB_OK) {
        code = pb_side_name(context, sides, HEAD, head, err);
    }
    if (code == PB_OK && pb_args_has(args, "merge-base")) {
        code = go_to_merge_base(context, request, args->operands[BASE], err);
    }
    return code;
}

static void warn_about(const struct pb_context *context, const struct pb_sides *sides,
                       uint32_t layouts)
{
    for (size_t i = 0; i < 2; i++) {
        const struct pb_side *side = &sides->sides[i];
        const struct pb_catalog_suite *suite = &side->catalog.suites[0];
        if (!suite->optimized) {
            pb_warn(context, "%s was built without optimisation: its times mean little",
                    side->label);
        }
        if (layouts > 0 && suite->n_layouts == 1) {
            pb_warn(context,
                    "%s has no shuffled layouts: where its code happens to lie may count as a "
                    "change",
                    side->label);
        }
    }
    const struct pb_catalog_suite *base = &sides->sides[BASE].catalog.suites[0];
    const struct pb_catalog_suite *head = &sides->sides[HEAD].catalog.suites[0];
    if (strcmp(base->compiler, head->compiler) != 0 || strcmp(base->flags, head->flags) != 0) {
        pb_warn(context, "the sides were built differently: %s %s, and %s %s", base->compiler,
                base->flags, head->compiler, head->flags);
    }
}

/* What can be done about outputs that are not the same. */
static void advise_on_differences(const struct pb_context *context,
                                  const struct pb_comparison *comparison)
{
    static const char differs[] = PB_DIFFERS " from base's";
    size_t n = 0;
    for (size_t i = 0; i < comparison->n; i++) {
        const struct pb_pair_record *pair = &comparison->items[i].pair;
        n += pair->verdict == PB_VERDICT_FAILED && pair->reason != NULL &&
             strncmp(pair->reason, differs, strlen(differs)) == 0;
    }
    if (n > 0) {
        pb_note(context,
                "%zu benchmark%s not timed, since head's output is another: "
                "--allow-different-output does",
                n, n == 1 ? " was" : "s were");
    }
}

/* The comparison as findings, which have an exit code. */
static int exit_code_of(const struct pb_comparison *comparison, unsigned fail_on,
                        struct pb_arena *arena)
{
    struct pb_check_record check = {.n_findings = comparison->n};
    check.findings = pb_arena_array(arena, comparison->n, sizeof *check.findings);
    for (size_t i = 0; i < comparison->n; i++) {
        const struct pb_compared *item = &comparison->items[i];
        check.findings[i] = (struct pb_finding){
            .name = item->name,
            .gate = "ratio",
            .metric = "head/base",
            .verdict = item->pair.verdict,
            .reason = item->pair.reason,
        };
    }
    pb_judge_conclude(&check, fail_on);
    return check.exit_code;
}

/* Good only when all is known to be. */
static int bisect_code_of(const struct pb_comparison *comparison)
{
    const struct pb_verdict_counts counts = pb_comparison_verdicts(comparison);
    const size_t fine = counts.n[PB_VERDICT_UNCHANGED] + counts.n[PB_VERDICT_IMPROVED] +
                        counts.n[PB_VERDICT_ADDED] + counts.n[PB_VERDICT_SKIPPED];
    if (counts.n[PB_VERDICT_REGRESSED] > 0) {
        return BISECT_BAD;
    }
    return fine == counts.total && counts.total > 0 ? BISECT_GOOD : BISECT_SKIP;
}

static enum pb_code show(const struct pb_context *context, const struct pb_comparison *comparison,
                         const char *markdown, struct pb_error *err)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    enum pb_code code = PB_OK;
    if (markdown == NULL || strcmp(markdown, "-") != 0) { /* stdout carries one document */
        if (context->format == PB_FORMAT_JSON) {
            code = pb_json_add_comparison(&text, comparison, err);
        } else {
            pb_compare_text_add(&text, comparison, &context->style);
        }
        code = code == PB_OK ? pb_write_stdout(text.text, text.length, err) : code;
    }
    if (code == PB_OK && markdown != NULL) {
        pb_strbuf_reset(&text);
        pb_compare_markdown_add(&text, comparison, 0);
        code = pb_write_out(markdown, text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

static enum pb_code measure(const struct pb_context *context, struct request *request,
                            struct pb_comparison *comparison, struct pb_error *err)
{
    struct pb_sides *sides = &request->sides;
    enum pb_code code = pb_sides_open(context, sides, context->style.verbosity < 0, err);
    if (code != PB_OK) {
        return code;
    }
    request->comparing.base = &sides->sides[BASE].catalog;
    request->comparing.head = &sides->sides[HEAD].catalog;
    if (!pb_compare_is_idle(&request->comparing)) {
        warn_about(context, sides, request->comparing.layouts);
        code = pb_sides_separate(context, sides, err);
    }
    if (code != PB_OK) {
        return code;
    }
    *comparison = (struct pb_comparison){
        .base = sides->sides[BASE].shown,
        .head = sides->sides[HEAD].shown,
        .merge_base = request->merge_base,
    };
    return pb_compare_builds(context, &request->comparing, comparison, err);
}

static enum pb_code compare_builds(const struct pb_context *context, const struct pb_args *args,
                                   int *exit_code, struct pb_error *err)
{
    struct request request;
    struct pb_comparison comparison;
    enum pb_code code = parse(context, args, &request, err);
    if (code == PB_OK) {
        code = name_sides(context, args, &request, err);
    }
    if (code == PB_OK) {
        code = measure(context, &request, &comparison, err);
        pb_sides_release(&request.sides);
    }
    if (code != PB_OK) {
        return code;
    }
    advise_on_differences(context, &comparison);
    comparison.exit_code = pb_args_has(args, "bisect")
                               ? bisect_code_of(&comparison)
                               : exit_code_of(&comparison, request.fail_on, context->arena);
    *exit_code = comparison.exit_code;
    return show(context, &comparison, request.markdown, err);
}

/* Options that a comparison of stored runs has no use for. */
static enum pb_code refuse_options(const struct pb_args *args, struct pb_error *err)
{
    for (size_t i = 0; i < args->command->n_options; i++) {
        const char *name = args->command->options[i].name;
        const bool fits = strcmp(name, "fail-on") == 0 || strcmp(name, "markdown") == 0;
        if (args->n_values[i] > 0 && !fits) {
            return pb_error_set(err, PB_ERR_USAGE,
                                "--%s makes no sense for stored runs: nothing is measured", name);
        }
    }
    return PB_OK;
}

static enum pb_code show_runs(const struct pb_context *context, const struct pb_run_record *run,
                              const struct pb_check_record *check, const char *markdown,
                              struct pb_error *err)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    enum pb_code code = PB_OK;
    if (markdown == NULL || strcmp(markdown, "-") != 0) {
        if (context->format == PB_FORMAT_JSON) {
            code = pb_json_add_compared_runs(&text, run, check, err);
        } else {
            pb_check_text_add(&text, check, &context->style);
        }
        code = code == PB_OK ? pb_write_stdout(text.text, text.length, err) : code;
    }
    if (code == PB_OK && markdown != NULL) {
        pb_strbuf_reset(&text);
        pb_markdown_add(&text, &(struct pb_markdown_spec){.run = run, .check = check});
        code = pb_write_out(markdown, text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

static enum pb_code compare_runs(const struct pb_context *context, const struct pb_args *args,
                                 int *exit_code, struct pb_error *err)
{
    unsigned fail_on = PB_FAIL_DEFAULT;
    struct pb_run_record run;
    struct pb_check_record check;
    enum pb_code code = refuse_options(args, err);
    if (code == PB_OK && (args->n_operands != 2 || !pb_is_run_id(args->operands[BASE]) ||
                          !pb_is_run_id(args->operands[HEAD]))) {
        code = pb_error_set(err, PB_ERR_USAGE,
                            "a stored run can only be compared with another stored run");
    }
    if (code == PB_OK && pb_args_has(args, "fail-on")) {
        code = pb_judge_parse_fail_on(pb_args_value(args, "fail-on"), &fail_on, err);
    }
    if (code == PB_OK) {
        code =
            pb_compare_runs(context, args->operands[BASE], args->operands[HEAD], &run, &check, err);
    }
    if (code != PB_OK) {
        return code;
    }
    pb_judge_conclude(&check, fail_on);
    *exit_code = check.exit_code;
    return show_runs(context, &run, &check, pb_args_value(args, "markdown"), err);
}

static bool names_a_run(const struct pb_args *args)
{
    for (size_t i = 0; i < args->n_operands; i++) {
        if (pb_is_run_id(args->operands[i])) {
            return true;
        }
    }
    return false;
}

static enum pb_code run_compare(const struct pb_context *context, const struct pb_args *args,
                                int *exit_code, struct pb_error *err)
{
    const enum pb_code code = names_a_run(args) ? compare_runs(context, args, exit_code, err)
                                                : compare_builds(context, args, exit_code, err);
    if (code != PB_OK && code != PB_ERR_INTERRUPTED && pb_args_has(args, "bisect")) {
        pb_say("", err->message);
        *exit_code = BISECT_SKIP;
        return PB_OK;
    }
    return code;
}

const struct pb_command pb_command_compare = {
    .name = "compare",
    .operands = "BASE [HEAD]",
    .summary = "Measures two revisions, or two suites, against each other in the same processes",
    .details =
        "BASE and HEAD are revisions of the repository here; without HEAD it is the working\n"
        "tree, with its changes. Each is built outside of it and kept for the next time. An\n"
        "operand that is the file of a suite is taken as it is. The ids of two stored runs\n"
        "compare their counts and, on one machine, their ratios. Libraries of a suite's own must\n"
        "be linked statically.\n"
        "\n"
        "Without --filter all is compared but bounds, third parties and what is on request. What\n"
        "the screen flags is measured again on fresh launches, in other layouts; `as built` are\n"
        "the production objects, which have the luck of their layout, good or bad.",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .operands_max = 2,
    .run = run_compare,
};

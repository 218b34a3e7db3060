/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench bisect`: which commit made it slower?
 *
 * Every revision is measured against GOOD, and the question is only on which side of half the whole
 * change it lies: a change that comes in one step is then decided in a few launches, however small
 * differences are in between. The answer is measured once more, against its parent.
 */
#include "commands/all.h"

#include <math.h>
#include <string.h>

#include "base/monotonic.h"
#include "base/strbuf.h"
#include "commands/comparing/bisection.h"
#include "commands/comparing/plan.h"
#include "commands/comparing/sides.h"
#include "commands/comparing/comparing.h"
#include "output/bisect_text.h"
#include "output/json.h"
#include "stats/random.h"

enum { BASE, HEAD };

/* Launches of a step that the usual ones, up to 96, could not decide: four times as many. */
enum { LAUNCHES_AGAIN = 4 * 96 };

/* Names of other benchmarks that are listed. */
enum { OTHERS_MAX = 10 };

static const struct pb_option options[] = {
    {"filter", "GLOB", "benchmarks that may have become slower; the worst of them is followed",
     true},
    PB_COMPARE_PLAN_OPTIONS,
    PB_SIDES_OPTIONS,
};

struct bisect {
    const struct pb_context *context;
    struct pb_arena *arena;
    struct pb_sides sides;
    struct pb_comparing usual; /* how the whole change and the answer are measured */
    struct pb_revision good;
    struct pb_revision_line line; /* behind good, up to bad */
    struct pb_bisection bisection;
    struct pb_bisect_record *record;
    size_t steps_capacity;
    uint64_t n_compared; /* numbers the comparisons, and so their seeds */
};

static struct pb_bisect_commit commit_of(const struct pb_revision *revision)
{
    return (struct pb_bisect_commit){revision->id, revision->subject};
}

/* Compares two commits. errors: as pb_sides_open() and pb_compare_builds() */
static enum pb_code compare(struct bisect *bisect, const struct pb_revision *base,
                            const struct pb_revision *head, const struct pb_comparing *how,
                            struct pb_comparison *comparison, struct pb_error *err)
{
    const bool quiet = bisect->bisection.skipped != NULL; /* what does not build is skipped then */
    struct pb_comparing comparing = *how;
    pb_side_set_commit(&bisect->sides, BASE, base->id, base);
    pb_side_set_commit(&bisect->sides, HEAD, head->id, head);
    enum pb_code code = pb_sides_open(bisect->context, &bisect->sides, quiet, err);
    if (code == PB_OK) {
        comparing.base = &bisect->sides.sides[BASE].catalog;
        comparing.head = &bisect->sides.sides[HEAD].catalog;
        comparing.plan.seed = pb_random_derive(how->plan.seed, bisect->n_compared++);
        *comparison = (struct pb_comparison){
            .base = bisect->sides.sides[BASE].shown,
            .head = bisect->sides.sides[HEAD].shown,
        };
        code = pb_compare_builds(bisect->context, &comparing, comparison, err);
    }
    pb_sides_release(&bisect->sides);
    return code;
}

/* Whether what happened ends the bisection, rather than only leaving out a revision. */
static bool is_fatal(enum pb_code code)
{
    return code != PB_OK && code != PB_ERR_CHILD && code != PB_ERR_INCOMPATIBLE;
}

/* The item with the largest regression; NULL when nothing regressed. */
static const struct pb_compared *worst(const struct pb_comparison *comparison)
{
    const bool any = comparison->n > 0 && comparison->items[0].pair.verdict == PB_VERDICT_REGRESSED;
    return any ? &comparison->items[0] : NULL;
}

static const char *list_others(const struct pb_comparison *comparison, struct pb_arena *arena)
{
    const char *others = NULL;
    size_t n = 0;
    for (size_t i = 1; i < comparison->n && n <= OTHERS_MAX; i++) {
        const struct pb_compared *item = &comparison->items[i];
        if (item->pair.verdict != PB_VERDICT_REGRESSED) {
            break;
        }
        const char *name = n++ < OTHERS_MAX ? item->name : "…";
        others = others == NULL ? name : pb_arena_printf(arena, "%s, %s", others, name);
    }
    return others;
}

/* What could not be compared at all says why there is no answer. */
static enum pb_code refuse_incomparable(const struct pb_comparison *comparison,
                                        struct pb_error *err)
{
    const struct pb_compared *item = &comparison->items[0];
    struct pb_strbuf reason;
    pb_strbuf_init(&reason);
    pb_compared_add_reason(&reason, item);
    (void)pb_error_set(err, PB_ERR_USAGE, "%s can't be compared: %s: %s", item->name,
                       pb_verdict_name(item->pair.verdict), reason.text);
    pb_strbuf_release(&reason);
    return PB_ERR_USAGE;
}

/* Ends without a commit: nothing became slower, or there is no telling. */
static void end_without(struct bisect *bisect, const struct pb_comparison *comparison)
{
    struct pb_bisect_record *record = bisect->record;
    const struct pb_verdict_counts counts = pb_comparison_verdicts(comparison);
    const bool known = counts.n[PB_VERDICT_INCONCLUSIVE] == 0;
    record->end = known ? PB_BISECT_NO_CHANGE : PB_BISECT_INCONCLUSIVE;
    record->exit_code = known ? PB_EXIT_OK : PB_EXIT_INCONCLUSIVE;
    record->benchmark = comparison->n == 1 ? comparison->items[0].name : NULL;
    record->whole = comparison->items[0].pair;
}

/* Measures bad against good. *target: what is to be followed; NULL when nothing became slower */
static enum pb_code measure_whole(struct bisect *bisect, const struct pb_compared **target,
                                  struct pb_error *err)
{
    const struct pb_revision *bad = &bisect->line.items[bisect->line.n - 1];
    struct pb_comparing how = bisect->usual;
    struct pb_comparison *comparison = pb_arena_alloc(bisect->arena, sizeof *comparison);
    enum pb_code code = PB_OK;
    for (int again = 0; again < 2; again++) {
        code = compare(bisect, &bisect->good, bad, &how, comparison, err);
        const bool told = code != PB_OK || worst(comparison) != NULL ||
                          pb_comparison_verdicts(comparison).n[PB_VERDICT_INCONCLUSIVE] == 0;
        if (told) {
            break;
        }
        how.plan.launches = LAUNCHES_AGAIN;
    }
    if (code != PB_OK) {
        return code;
    }
    *target = worst(comparison);
    if (*target != NULL) {
        bisect->record->benchmark = (*target)->name;
        bisect->record->whole = (*target)->pair;
        bisect->record->others = list_others(comparison, bisect->arena);
        return PB_OK;
    }
    const struct pb_verdict_counts counts = pb_comparison_verdicts(comparison);
    const size_t judged = counts.n[PB_VERDICT_UNCHANGED] + counts.n[PB_VERDICT_IMPROVED] +
                          counts.n[PB_VERDICT_INCONCLUSIVE];
    if (judged == 0) {
        return refuse_incomparable(comparison, err);
    }
    end_without(bisect, comparison);
    return PB_OK;
}

/* On which side of half the change a pair lies. */
static enum pb_bisect_answer answer_of(enum pb_verdict verdict)
{
    switch (verdict) {
    case PB_VERDICT_REGRESSED:
        return PB_BISECT_BAD;
    case PB_VERDICT_UNCHANGED:
    case PB_VERDICT_IMPROVED:
        return PB_BISECT_GOOD;
    default:
        return PB_BISECT_SKIPPED;
    }
}

/* How steps are measured: one benchmark, and the half of the whole change decides. */
static struct pb_comparing make_step(const struct bisect *bisect, const char **pattern)
{
    const double half = expm1(bisect->record->whole.estimate / 2);
    struct pb_comparing how = bisect->usual;
    how.patterns = pattern;
    how.n_patterns = 1;
    how.screen_only = true;
    how.plan.margins = (struct pb_margins){.gate = half, .equivalence = half};
    return how;
}

static struct pb_bisect_step *add_step(struct bisect *bisect, size_t index)
{
    struct pb_bisect_record *record = bisect->record;
    record->steps = pb_arena_grow(bisect->arena, record->steps, record->n_steps,
                                  &bisect->steps_capacity, sizeof *record->steps);
    struct pb_bisect_step *step = &record->steps[record->n_steps++];
    *step = (struct pb_bisect_step){
        .commit = commit_of(&bisect->line.items[index]),
        .pair = {.estimate = NAN, .lo = -INFINITY, .hi = INFINITY},
    };
    return step;
}

/* Asks one revision, a second time with more launches when the first did not tell. */
static enum pb_code ask(struct bisect *bisect, const struct pb_comparing *how, size_t index,
                        enum pb_bisect_answer *answer, struct pb_error *err)
{
    struct pb_bisect_step *step = add_step(bisect, index);
    struct pb_comparing asked = *how;
    *answer = PB_BISECT_SKIPPED;
    for (int again = 0; again < 2; again++) {
        struct pb_comparison comparison;
        struct pb_error trouble;
        const enum pb_code code = compare(bisect, &bisect->good, &bisect->line.items[index], &asked,
                                          &comparison, &trouble);
        if (is_fatal(code)) {
            *err = trouble;
            return code;
        }
        if (code != PB_OK) {
            step->reason = pb_arena_strdup(bisect->arena, trouble.message);
            return PB_OK;
        }
        step->pair = comparison.items[0].pair;
        step->reason = step->pair.reason;
        *answer = answer_of(step->pair.verdict);
        if (step->pair.verdict != PB_VERDICT_INCONCLUSIVE) {
            break;
        }
        asked.plan.launches = LAUNCHES_AGAIN;
    }
    if (step->pair.verdict == PB_VERDICT_INCONCLUSIVE) {
        step->reason = "inconclusive";
    }
    return PB_OK;
}

static void say_step(const struct bisect *bisect, enum pb_bisect_answer answer)
{
    static const char *const words[] = {
        [PB_BISECT_GOOD] = "good", [PB_BISECT_BAD] = "bad", [PB_BISECT_SKIPPED] = "skipped"};
    struct pb_bisect_step *step = &bisect->record->steps[bisect->record->n_steps - 1];
    step->answer = words[answer];
    pb_note(bisect->context, "%.*s (%s) is %s%s%s; about %zu more", PB_REVISION_SHOWN,
            step->commit.id, step->commit.subject, step->answer, step->reason != NULL ? ": " : "",
            step->reason != NULL ? step->reason : "", pb_bisection_left(&bisect->bisection));
}

static enum pb_code narrow(struct bisect *bisect, struct pb_error *err)
{
    const char *pattern = pb_name_glob(bisect->arena, bisect->record->benchmark);
    const struct pb_comparing how = make_step(bisect, &pattern);
    size_t index = 0;
    pb_bisection_init(&bisect->bisection, bisect->line.n, bisect->arena);
    while (pb_bisection_next(&bisect->bisection, &index)) {
        enum pb_bisect_answer answer;
        const enum pb_code code = ask(bisect, &how, index, &answer, err);
        if (code != PB_OK) {
            return code;
        }
        pb_bisection_take(&bisect->bisection, index, answer);
        say_step(bisect, answer);
    }
    return PB_OK;
}

/* Measures the answer against what is before it, with the usual margins and confirmation. */
static enum pb_code measure_answer(struct bisect *bisect, struct pb_error *err)
{
    struct pb_bisect_record *record = bisect->record;
    const size_t from = bisect->bisection.from;
    const size_t to = bisect->bisection.to;
    const struct pb_revision *against = from > 0 ? &bisect->line.items[from - 1] : &bisect->good;
    const char *pattern = pb_name_glob(bisect->arena, record->benchmark);
    struct pb_comparing how = bisect->usual;
    how.patterns = &pattern;
    how.n_patterns = 1;
    struct pb_comparison comparison;
    const enum pb_code code =
        compare(bisect, against, &bisect->line.items[to], &how, &comparison, err);
    if (code != PB_OK) {
        return code;
    }
    record->n_candidates = to - from + 1;
    record->candidates =
        pb_arena_array(bisect->arena, record->n_candidates, sizeof *record->candidates);
    for (size_t i = from; i <= to; i++) {
        record->candidates[i - from] = commit_of(&bisect->line.items[i]);
    }
    record->step = comparison.items[0].pair;
    record->against = against->id;
    const bool regressed = record->step.verdict == PB_VERDICT_REGRESSED;
    record->end = !regressed                 ? PB_BISECT_INCONCLUSIVE
                  : record->n_candidates > 1 ? PB_BISECT_RANGE
                                             : PB_BISECT_FOUND;
    record->exit_code = regressed ? PB_EXIT_REGRESSED : PB_EXIT_INCONCLUSIVE;
    record->merge = record->end == PB_BISECT_FOUND &&
                    pb_revision_n_parents(&bisect->sides.repository, bisect->line.items[to].id) > 1;
    return PB_OK;
}

static enum pb_code find_line(struct bisect *bisect, const struct pb_args *args,
                              struct pb_error *err)
{
    const struct pb_context *context = bisect->context;
    struct pb_repository *repository = &bisect->sides.repository;
    struct pb_revision bad;
    enum pb_code code = pb_sides_need_repository(context, &bisect->sides, err);
    if (code == PB_OK) {
        code =
            pb_revision_resolve(repository, args->operands[0], bisect->arena, &bisect->good, err);
    }
    if (code == PB_OK) {
        code = pb_revision_resolve(repository, args->operands[1], bisect->arena, &bad, err);
    }
    if (code == PB_OK) {
        code = pb_revision_list(repository, bisect->good.id, bad.id, bisect->arena, &bisect->line,
                                err);
    }
    if (code == PB_OK && bisect->line.n == 0) {
        return pb_error_set(err, PB_ERR_USAGE, "%s and %s are the same commit", args->operands[0],
                            args->operands[1]);
    }
    if (code == PB_OK) {
        bisect->record->good = commit_of(&bisect->good);
        bisect->record->bad = commit_of(&bad);
        pb_note(context, "%zu commit%s between %s and %s", bisect->line.n,
                bisect->line.n == 1 ? "" : "s", args->operands[0], args->operands[1]);
    }
    return code;
}

static enum pb_code parse(const struct pb_args *args, struct bisect *bisect, struct pb_error *err)
{
    struct pb_comparing *usual = &bisect->usual;
    usual->n_patterns = pb_args_values(args, "filter", &usual->patterns);
    usual->as_built = PB_AS_BUILT_NONE;
    if (args->n_operands != 2) {
        return pb_error_set(err, PB_ERR_USAGE, "two revisions are wanted: GOOD and BAD");
    }
    if (usual->n_patterns == 0) {
        return pb_error_set(err, PB_ERR_USAGE,
                            "--filter GLOB is missing: what became slower? `pairbench compare "
                            "GOOD BAD` tells");
    }
    const enum pb_code code = pb_compare_parse_plan(args, &usual->plan, err);
    return code == PB_OK ? pb_sides_parse(args, bisect->arena, &bisect->sides, &usual->layouts, err)
                         : code;
}

static enum pb_code search(struct bisect *bisect, const struct pb_args *args, struct pb_error *err)
{
    const struct pb_compared *target = NULL;
    enum pb_code code = find_line(bisect, args, err);
    if (code == PB_OK) {
        code = measure_whole(bisect, &target, err);
    }
    if (code == PB_OK && target != NULL) {
        code = narrow(bisect, err);
        code = code == PB_OK ? measure_answer(bisect, err) : code;
    }
    return code;
}

static enum pb_code show(const struct pb_context *context, const struct pb_bisect_record *record,
                         struct pb_error *err)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    enum pb_code code = PB_OK;
    if (context->format == PB_FORMAT_JSON) {
        code = pb_json_add_bisection(&text, record, err);
    } else {
        pb_bisect_text_add(&text, record, &context->style);
    }
    code = code == PB_OK ? pb_write_stdout(text.text, text.length, err) : code;
    pb_strbuf_release(&text);
    return code;
}

static enum pb_code run_bisect(const struct pb_context *context, const struct pb_args *args,
                               int *exit_code, struct pb_error *err)
{
    struct pb_bisect_record record = {0};
    struct bisect bisect = {.context = context, .arena = context->arena, .record = &record};
    const double begun_s = pb_monotonic_s();
    enum pb_code code = parse(args, &bisect, err);
    if (code == PB_OK) {
        code = search(&bisect, args, err);
    }
    if (code != PB_OK) {
        return code;
    }
    record.wall_s = pb_monotonic_s() - begun_s;
    *exit_code = record.exit_code;
    return show(context, &record, err);
}

const struct pb_command pb_command_bisect = {
    .name = "bisect",
    .operands = "GOOD BAD",
    .summary = "Finds the first revision that made a benchmark slower",
    .details =
        "BAD is measured against GOOD, then revisions between them, along first parents. One that\n"
        "does not build, or can't be told from either side with four times the launches, is\n"
        "skipped. Exits with 1 when a commit was found, 0 when nothing became slower, 5 when "
        "there\n"
        "is no telling.",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .operands_max = 2,
    .run = run_bisect,
};

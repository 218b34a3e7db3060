/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench baseline save|show|diff`: what is accepted from now on.
 *
 * A baseline decides for months what is a regression, so a run that is not fit for one is refused
 * with all its reasons at once. --force overrides them but one: a run that was injected with extra
 * work is no result of any code.
 */
#include "commands/all.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "commands/judging/baseline_diff.h"
#include "commands/judging/baseline_set.h"
#include "commands/bench.h"
#include "commands/judging/run_baseline.h"
#include "output/json.h"
#include "output/listing.h"
#include "stats/verdict.h"
#include "store/store.h"

/* Widest interval, as a ratio to each side, that can still prove a change of 1 %. */
#define WIDEST_HALF_WIDTH 0.01

static const struct pb_option options[] = {
    {"run", "ID", "the run to save or compare, or the beginning of its id (default: the latest)",
     false},
    {"force", NULL, "save a run that is not fit for a baseline all the same", false},
};

struct reasons {
    struct pb_strbuf text;
    size_t n;
};

/* Appends one more reason; detail may be NULL. */
static void add_reason(struct reasons *reasons, const char *reason, const char *detail)
{
    pb_strbuf_adds(&reasons->text, reasons->n++ > 0 ? "; " : "");
    pb_strbuf_adds(&reasons->text, reason);
    if (detail != NULL) {
        pb_strbuf_adds(&reasons->text, ": ");
        pb_text_add_escaped(&reasons->text, detail);
    }
}

static double half_width(const struct pb_pair_record *pair)
{
    return fmax(pair->hi - pair->estimate, pair->estimate - pair->lo);
}

static void judge_build(const struct pb_run_record *run, struct reasons *reasons)
{
    const char *optimized = pb_facts_get(&run->build, "optimized");
    const char *dirty = pb_facts_get(&run->commit, "dirty");
    const char *state = pb_facts_get(&run->commit, "state");
    const char *flags = pb_facts_get(&run->build, "flags");
    if (optimized == NULL || strcmp(optimized, "true") != 0) {
        add_reason(reasons, "the suite was built without optimisation", NULL);
    }
    if (flags != NULL && strstr(flags, "-fsanitize=") != NULL) {
        add_reason(reasons, "the suite was built with a sanitizer", NULL);
    }
    if (state == NULL || strcmp(state, "ok") != 0) {
        add_reason(reasons, "the commit is not known", state);
    } else if (dirty == NULL || strcmp(dirty, "false") != 0) {
        add_reason(reasons, "the checkout has changes that are not committed", NULL);
    }
}

static bool is_judged(const struct pb_pair_record *pair)
{
    return pair->gated && pair->verdict <= PB_VERDICT_INCONCLUSIVE;
}

static void judge_pairs(const struct pb_run_record *run, struct reasons *reasons)
{
    for (size_t i = 0; i < run->n_pairs; i++) {
        if (is_judged(&run->pairs[i]) && run->pairs[i].n_launches < PB_LAUNCHES_BASELINE) {
            add_reason(
                reasons,
                "it has fewer than 40 launches per scenario (`run --for-baseline` takes more)",
                NULL);
            break;
        }
    }
}

static bool has_interval(const struct pb_pair_record *pair)
{
    return isfinite(pair->lo) && isfinite(pair->hi);
}

/* Says something of so many pairs, of which one is named. */
static void warn_about_pairs(const struct pb_context *context, size_t n,
                             const struct pb_pair_record *named, const char *what)
{
    struct pb_strbuf name = {0};
    pb_text_add_escaped(&name, named->case_name);
    pb_strbuf_addc(&name, '/');
    pb_text_add_escaped(&name, named->scenario);
    pb_warn(context, "%zu pair%s (%s%s) %s", n, n == 1 ? "" : "s", n == 1 ? "" : "first of all ",
            name.text, what);
    pb_strbuf_release(&name);
}

/*
 * Says which pairs can't prove 1 %. They are saved with the interval that they have, which goes
 * into every later verdict on them: a large change of theirs is still found, a small one is
 * inconclusive.
 */
static void warn_about_wide_pairs(const struct pb_context *context, const struct pb_run_record *run)
{
    size_t n_wide = 0;
    const struct pb_pair_record *widest = NULL;
    for (size_t i = 0; i < run->n_pairs; i++) {
        const struct pb_pair_record *pair = &run->pairs[i];
        if (!is_judged(pair) || !has_interval(pair) ||
            half_width(pair) <= log1p(WIDEST_HALF_WIDTH)) {
            continue;
        }
        n_wide++;
        widest = widest == NULL || half_width(pair) > half_width(widest) ? pair : widest;
    }
    if (n_wide > 0) {
        warn_about_pairs(
            context, n_wide, widest,
            pb_arena_printf(context->arena,
                            "can't prove a change of 1 %%, since their launches disagree by up to "
                            "± %.2g %%: `check` will call small changes inconclusive; a quieter "
                            "machine or more launches would help",
                            pb_change_pct(half_width(widest))));
    }
}

/* Says which pairs are left out. Only a run that was forced has such ones. */
static void warn_about_open_pairs(const struct pb_context *context, const struct pb_run_record *run)
{
    size_t n_open = 0;
    const struct pb_pair_record *first = NULL;
    for (size_t i = 0; i < run->n_pairs; i++) {
        const struct pb_pair_record *pair = &run->pairs[i];
        if (is_judged(pair) && !has_interval(pair)) {
            n_open++;
            first = first == NULL ? pair : first;
        }
    }
    if (n_open > 0) {
        warn_about_pairs(context, n_open, first,
                         "left out of the ratios: too few launches for an interval");
    }
}

static void judge_fitness(const struct pb_run_record *run, struct reasons *reasons)
{
    judge_build(run, reasons);
    judge_pairs(run, reasons);
    if (!run->valid) {
        add_reason(reasons, "it is invalid", run->invalid_reason);
    }
    if (run->patterns[0] != '\0') {
        add_reason(reasons, "it measured only what matched its patterns", NULL);
    }
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        if (run->benchmarks[i].state == PB_STATE_FAILED) {
            add_reason(reasons, "a benchmark failed", run->benchmarks[i].name);
            break;
        }
    }
}

static enum pb_code refuse_unfit(const struct pb_run_record *run, bool force, struct pb_error *err)
{
    if (run->injected) {
        return pb_error_set(err, PB_ERR_USAGE,
                            "run %s was made with --inject: it can never be a baseline", run->id);
    }
    struct reasons reasons = {0};
    pb_strbuf_init(&reasons.text);
    judge_fitness(run, &reasons);
    enum pb_code code = PB_OK;
    if (reasons.n > 0 && !force) {
        code =
            pb_error_set(err, PB_ERR_USAGE,
                         "run %s is not fit for a baseline: %s. Save it all the same with --force",
                         run->id, reasons.text.text);
    }
    pb_strbuf_release(&reasons.text);
    return code;
}

/* For people: where a baseline comes from. */
static struct pb_facts origin_facts(const struct pb_run_record *run, struct pb_arena *arena)
{
    enum { N = 4 };
    struct tm utc;
    const time_t started_at = (time_t)run->started_at;
    char date[sizeof "-2147483648-12-31"] = "";
    if (gmtime_r(&started_at, &utc) != NULL) {
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    }
    const char *commit = pb_facts_get(&run->commit, "id");
    const char *dirty = pb_facts_get(&run->commit, "dirty");
    const bool is_dirty = dirty != NULL && strcmp(dirty, "true") == 0;
    struct pb_facts facts = {.items = pb_arena_array(arena, N, sizeof *facts.items), .n = N};
    facts.items[0] =
        (struct pb_fact){"commit", pb_arena_printf(arena, "%s%s", commit != NULL ? commit : "",
                                                   is_dirty ? " with changes" : "")};
    facts.items[1] = (struct pb_fact){"date", pb_arena_strdup(arena, date)};
    facts.items[2] = (struct pb_fact){"run", run->id};
    facts.items[3] = (struct pb_fact){"tool", run->tool_version};
    return facts;
}

static bool has_count(const struct pb_baseline *baseline, const struct pb_baseline_count *count)
{
    for (size_t i = 0; i < baseline->n_counts; i++) {
        if (strcmp(baseline->counts[i].name, count->name) == 0 &&
            strcmp(baseline->counts[i].metric, count->metric) == 0) {
            return true;
        }
    }
    return false;
}

/* Says which counts a new file loses, and of which machine or skipped benchmark that may come. */
static void warn_of_lost_counts(const struct pb_context *context, const char *path,
                                const struct pb_baseline *baseline)
{
    struct pb_baseline before = {0};
    struct pb_error ignored;
    size_t n_lost = 0;
    const struct pb_baseline_count *first = NULL;
    if (pb_baseline_read(path, context->arena, &before, &ignored) != PB_OK) {
        return; /* there is none yet */
    }
    for (size_t i = 0; i < before.n_counts; i++) {
        if (!has_count(baseline, &before.counts[i])) {
            first = n_lost++ == 0 ? &before.counts[i] : first;
        }
    }
    if (n_lost > 0) {
        struct pb_strbuf name = {0};
        pb_text_add_escaped(&name, first->name);
        pb_warn(context,
                "the run did not take %zu of the counts in %s (first of all %s of %s): they are "
                "gone and not gated any more",
                n_lost, path, first->metric, name.text);
        pb_strbuf_release(&name);
    }
}

/* Says what a new file of ratios loses, so that no gate goes without a word. */
static void warn_of_lost_instructions(const struct pb_context *context, const char *path,
                                      const struct pb_baseline *baseline)
{
    struct pb_baseline before = {0};
    struct pb_error ignored;
    if (baseline->n_instructions == 0 &&
        pb_baseline_read(path, context->arena, &before, &ignored) == PB_OK &&
        before.n_instructions > 0) {
        pb_warn(context,
                "the run did not count instructions, so that those of %s are gone and not gated "
                "any more: `run --instructions` counts them",
                path);
    }
}

static enum pb_code write_files(const struct pb_context *context, const char *folder,
                                const struct pb_run_record *run, struct pb_error *err)
{
    struct pb_arena *arena = context->arena;
    struct pb_baseline baseline = pb_baseline_of_run(run, arena);
    baseline.origin = origin_facts(run, arena);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return pb_error_set(err, PB_ERR_IO, "can't make the folder %s: %s", folder,
                            strerror(errno));
    }
    const char *counts = pb_arena_printf(arena, "%s/" PB_BASELINE_COUNTS, folder);
    const char *ratios = pb_baseline_class_path(folder, run, arena);
    warn_of_lost_counts(context, counts, &baseline);
    warn_of_lost_instructions(context, ratios, &baseline);
    enum pb_code code = pb_baseline_write_counts(counts, &baseline, err);
    if (code == PB_OK) {
        code = pb_baseline_write_ratios(ratios, &baseline, err);
    }
    if (code == PB_OK) {
        pb_note(context, "wrote %s (%zu counts) and %s (%zu ratios, %zu counts of instructions)",
                counts, baseline.n_counts, ratios, baseline.n_ratios, baseline.n_instructions);
    }
    return code;
}

static enum pb_code load_run(const struct pb_context *context, const struct pb_args *args,
                             struct pb_run_record *run, struct pb_error *err)
{
    struct pb_store *store = NULL;
    enum pb_code code = pb_store_open(context->db, PB_STORE_READ, &store, err);
    if (code == PB_OK) {
        code = pb_store_load_run(store, pb_args_value(args, "run"), context->arena, run, err);
    }
    pb_store_close(store);
    return code;
}

/* Only the files of counts and ratios are written: what people keep beside them stays. */
static enum pb_code save(const struct pb_context *context, const struct pb_args *args,
                         const char *folder, struct pb_error *err)
{
    struct pb_run_record run;
    struct pb_aliases aliases;
    enum pb_code code = load_run(context, args, &run, err);
    if (code == PB_OK) {
        code = refuse_unfit(&run, pb_args_has(args, "force"), err);
    }
    if (code == PB_OK) {
        code = pb_baseline_aliases_read(folder, context->arena, &aliases, err);
    }
    if (code != PB_OK) {
        return code;
    }
    pb_aliases_update_run(&aliases, context->arena, &run);
    warn_about_wide_pairs(context, &run);
    warn_about_open_pairs(context, &run);
    return write_files(context, folder, &run, err);
}

/* The file of ratios for what would be measured here; NULL when that is not known. */
static const char *ratios_path_here(const struct pb_context *context, const char *folder)
{
    struct pb_catalog catalog;
    struct pb_run_record here = {0};
    struct pb_error ignored;
    if (pb_bench_load(context, &catalog, &ignored) != PB_OK) {
        return NULL;
    }
    pb_bench_describe(context, &catalog, &here);
    return pb_baseline_class_path(folder, &here, context->arena);
}

/* Files of a folder, or the one file that is named. */
static enum pb_code read_shown(const struct pb_context *context, const char *path,
                               struct pb_baseline *baseline, const char **paths, size_t *n,
                               struct pb_error *err)
{
    struct stat file;
    if (stat(path, &file) != 0) {
        return pb_error_set(err, PB_ERR_INCOMPATIBLE, "there is no baseline at %s: %s", path,
                            strerror(errno));
    }
    if (!S_ISDIR(file.st_mode)) {
        paths[(*n)++] = path;
        return pb_baseline_read(path, context->arena, baseline, err);
    }
    const char *places[] = {
        pb_arena_printf(context->arena, "%s/" PB_BASELINE_COUNTS, path),
        ratios_path_here(context, path),
    };
    for (size_t i = 0; i < 2; i++) {
        if (places[i] == NULL || stat(places[i], &file) != 0) {
            continue;
        }
        paths[(*n)++] = places[i];
        const enum pb_code code = pb_baseline_read(places[i], context->arena, baseline, err);
        if (code != PB_OK) {
            return code;
        }
    }
    return PB_OK;
}

static struct pb_baseline_listing list_baseline(const struct pb_baseline *baseline,
                                                const char *const *paths, size_t n_paths,
                                                struct pb_arena *arena)
{
    const size_t n_counts = baseline->n_counts + baseline->n_instructions;
    struct pb_listed_count *counts = pb_arena_array(arena, n_counts, sizeof *counts);
    struct pb_listed_ratio *ratios = pb_arena_array(arena, baseline->n_ratios, sizeof *ratios);
    for (size_t i = 0; i < n_counts; i++) {
        const struct pb_baseline_count *count =
            i < baseline->n_counts ? &baseline->counts[i]
                                   : &baseline->instructions[i - baseline->n_counts];
        counts[i] = (struct pb_listed_count){count->name, count->metric, count->value};
    }
    for (size_t i = 0; i < baseline->n_ratios; i++) {
        const struct pb_baseline_ratio *ratio = &baseline->ratios[i];
        ratios[i] = (struct pb_listed_ratio){
            .case_name = ratio->case_name,
            .scenario = ratio->scenario,
            .a = ratio->a,
            .b = ratio->b,
            .estimate = ratio->estimate,
            .lo = ratio->lo,
            .hi = ratio->hi,
            .spread = ratio->spread,
            .launches = ratio->launches,
        };
    }
    return (struct pb_baseline_listing){
        .paths = paths,
        .n_paths = n_paths,
        .class_facts = baseline->class_facts,
        .origin = baseline->origin,
        .counts = counts,
        .n_counts = n_counts,
        .ratios = ratios,
        .n_ratios = baseline->n_ratios,
    };
}

/* Adds what people keep beside the baseline at path. */
static enum pb_code list_hand_kept(const char *path, struct pb_arena *arena,
                                   struct pb_baseline_listing *listing, struct pb_error *err)
{
    struct pb_aliases aliases;
    struct pb_waivers waivers;
    enum pb_code code = pb_baseline_aliases_read(path, arena, &aliases, err);
    if (code == PB_OK) {
        code = pb_baseline_waivers_read(path, arena, &waivers, err);
    }
    if (code != PB_OK) {
        return code;
    }
    struct pb_listed_alias *renamed = pb_arena_array(arena, aliases.n, sizeof *renamed);
    for (size_t i = 0; i < aliases.n; i++) {
        const struct pb_alias *alias = &aliases.items[i];
        renamed[i] =
            (struct pb_listed_alias){alias->old_name, alias->new_name, alias->date, alias->reason};
    }
    struct pb_listed_waiver *waived = pb_arena_array(arena, waivers.n, sizeof *waived);
    for (size_t i = 0; i < waivers.n; i++) {
        const struct pb_waiver *waiver = &waivers.items[i];
        waived[i] = (struct pb_listed_waiver){waiver->name,        waiver->gate,  waiver->metric,
                                              waiver->at_most_pct, waiver->until, waiver->reason};
    }
    listing->aliases = renamed;
    listing->n_aliases = aliases.n;
    listing->waivers = waived;
    listing->n_waivers = waivers.n;
    return PB_OK;
}

static enum pb_code show(const struct pb_context *context, const char *path, struct pb_error *err)
{
    struct pb_baseline baseline = {0};
    const char **paths = pb_arena_array(context->arena, 2, sizeof *paths);
    size_t n_paths = 0;
    enum pb_code code = read_shown(context, path, &baseline, paths, &n_paths, err);
    if (code != PB_OK) {
        return code;
    }
    struct pb_baseline_listing listing = list_baseline(&baseline, paths, n_paths, context->arena);
    code = list_hand_kept(path, context->arena, &listing, err);
    if (code != PB_OK) {
        return code;
    }
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    if (context->format == PB_FORMAT_JSON) {
        code = pb_json_add_baseline(&text, &listing, err);
    } else {
        pb_baseline_text_add(&text, &listing, &context->style);
    }
    if (code == PB_OK) {
        code = pb_write_stdout(text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

/* Two baselines where a second is named, else one and a run. */
static enum pb_code diff(const struct pb_context *context, const struct pb_args *args,
                         const char *path, struct pb_error *err)
{
    struct pb_baseline_diff diff;
    struct pb_run_record run;
    enum pb_code code = PB_OK;
    if (args->n_operands > 2) {
        code = pb_args_has(args, "run")
                   ? pb_error_set(err, PB_ERR_USAGE,
                                  "baseline diff: either a second baseline or --run is wanted")
                   : pb_baseline_diff_paths(path, args->operands[2], context->arena, &diff, err);
    } else {
        code = load_run(context, args, &run, err);
        if (code == PB_OK) {
            code = pb_baseline_diff_run(path, &run, context->arena, &diff, err);
        }
    }
    if (code != PB_OK) {
        return code;
    }
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    if (context->format == PB_FORMAT_JSON) {
        code = pb_json_add_baseline_diff(&text, &diff, err);
    } else {
        pb_baseline_diff_text_add(&text, &diff, &context->style);
    }
    if (code == PB_OK) {
        code = pb_write_stdout(text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

static enum pb_code run_baseline(const struct pb_context *context, const struct pb_args *args,
                                 int *exit_code, struct pb_error *err)
{
    *exit_code = PB_EXIT_OK;
    const char *verb = args->n_operands > 0 ? args->operands[0] : "";
    const char *path = args->n_operands > 1 ? args->operands[1] : PB_BASELINE_FOLDER;
    if (strcmp(verb, "diff") == 0) {
        return diff(context, args, path, err);
    }
    if (args->n_operands > 2) {
        return pb_error_set(err, PB_ERR_USAGE, "baseline %s: unexpected operand '%s'", verb,
                            args->operands[2]);
    }
    if (strcmp(verb, "save") == 0) {
        return save(context, args, path, err);
    }
    if (strcmp(verb, "show") == 0) {
        return show(context, path, err);
    }
    return pb_error_set(
        err, PB_ERR_USAGE,
        "baseline '%s': save, show or diff is wanted; see `pairbench baseline --help`", verb);
}

const struct pb_command pb_command_baseline = {
    .name = "baseline",
    .operands = "save|show|diff [PATH [PATH]]",
    .summary = "Writes, prints and compares committed baselines",
    .details =
        "save writes counts.jsonl and a file of ratios for this class of machine and build in\n"
        "the folder PATH (default: baselines); aliases.jsonl and waivers.jsonl there are yours.\n"
        "show prints a folder or a file. diff compares a baseline with a run, or the first of two\n"
        "folders or files with the second.",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .operands_max = 3,
    .run = run_baseline,
};

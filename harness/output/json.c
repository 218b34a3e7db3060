/* SPDX-License-Identifier: Apache-2.0
 *
 * One function for each document, after those for its parts.
 */
#include "output/json.h"

#include "output/json_document.h"
#include "output/json_record.h"
#include "stats/verdict.h"

#include <math.h>

static void put_measurements(struct pb_json_document *doc, const struct pb_run_record *run)
{
    pb_json_put_run(doc, run);
    struct json_object *benchmarks = pb_json_add_array(doc, doc->root, "benchmarks");
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        pb_json_put_benchmark(doc, benchmarks, &run->benchmarks[i]);
    }
    struct json_object *pairs = pb_json_add_array(doc, doc->root, "pairs");
    for (size_t i = 0; i < run->n_pairs; i++) {
        pb_json_put_pair(doc, pairs, &run->pairs[i]);
    }
}

enum pb_code pb_json_add_run(struct pb_strbuf *buf, const struct pb_run_record *run,
                             struct pb_error *err)
{
    struct pb_json_document doc;
    pb_json_begin(&doc, "run");
    put_measurements(&doc, run);
    return pb_json_end(&doc, buf, err);
}

static void put_waiver(struct pb_json_document *doc, struct json_object *parent,
                       const struct pb_finding *finding)
{
    if (finding->waived_until == NULL) {
        pb_json_put_null(doc, parent, "waived");
        return;
    }
    struct json_object *object = pb_json_add_object(doc, parent, "waived");
    pb_json_put_text(doc, object, "until", finding->waived_until);
    pb_json_put_text(doc, object, "reason", finding->waived_reason);
}

static void put_verdict(struct pb_json_document *doc, struct json_object *array,
                        const struct pb_finding *finding)
{
    struct json_object *object = pb_json_add_object(doc, array, NULL);
    pb_json_put_text(doc, object, "name", finding->name);
    pb_json_put_text(doc, object, "gate", finding->gate);
    pb_json_put_text(doc, object, "metric", finding->metric);
    pb_json_put_number(doc, object, "baseline", finding->baseline);
    pb_json_put_number(doc, object, "now", finding->now);
    pb_json_put_number(doc, object, "change_pct", finding->change_pct);
    pb_json_put_number(doc, object, "lo_pct", finding->lo_pct);
    pb_json_put_number(doc, object, "hi_pct", finding->hi_pct);
    pb_json_put_text(doc, object, "verdict", pb_verdict_name(finding->verdict));
    pb_json_put_text(doc, object, "reason", finding->reason);
    pb_json_put_bool(doc, object, "fails", finding->fails);
    pb_json_put_bool(doc, object, "warning",
                     pb_finding_is_let_pass(finding) && finding->waived_until == NULL);
    put_waiver(doc, object, finding);
    pb_json_put_number(doc, object, "spread_pct",
                       finding->spread_pct > 0 ? finding->spread_pct : (double)NAN);
    pb_json_put_count(doc, object, "spread_runs", finding->spread_runs);
}

static void put_summary(struct pb_json_document *doc, struct json_object *parent,
                        const struct pb_check_record *check)
{
    const struct pb_finding_counts counts = pb_findings_count(check->findings, check->n_findings);
    struct json_object *object = pb_json_add_object(doc, parent, "summary");
    for (int i = 0; i < PB_VERDICTS; i++) {
        pb_json_put_count(doc, object, pb_verdict_name((enum pb_verdict)i), counts.verdicts.n[i]);
    }
    pb_json_put_count(doc, object, "warnings", counts.n_warnings);
    pb_json_put_count(doc, object, "waived", counts.n_waived);
}

/* What was found, under `note`, `verdicts` and `summary`. */
static void put_findings(struct pb_json_document *doc, struct json_object *parent,
                         const struct pb_check_record *check)
{
    pb_json_put_text(doc, parent, "note", check->note);
    struct json_object *verdicts = pb_json_add_array(doc, parent, "verdicts");
    for (size_t i = 0; i < check->n_findings; i++) {
        put_verdict(doc, verdicts, &check->findings[i]);
    }
    put_summary(doc, parent, check);
}

static enum pb_code add_check(struct pb_strbuf *buf, const char *command,
                              const struct pb_run_record *run, const struct pb_check_record *check,
                              struct pb_error *err)
{
    struct pb_json_document doc;
    pb_json_begin(&doc, command);
    put_measurements(&doc, run);
    pb_json_put_texts(&doc, "baselines", check->baselines, check->n_baselines);
    put_findings(&doc, doc.root, check);
    pb_json_put(&doc, doc.root, "exit_code", json_object_new_int(check->exit_code));
    return pb_json_end(&doc, buf, err);
}

enum pb_code pb_json_add_check(struct pb_strbuf *buf, const struct pb_run_record *run,
                               const struct pb_check_record *check, struct pb_error *err)
{
    return add_check(buf, "check", run, check, err);
}

enum pb_code pb_json_add_compared_runs(struct pb_strbuf *buf, const struct pb_run_record *run,
                                       const struct pb_check_record *check, struct pb_error *err)
{
    return add_check(buf, "compare", run, check, err);
}

static void put_suite(struct pb_json_document *doc, struct json_object *array,
                      const struct pb_listed_suite *suite)
{
    struct json_object *object = pb_json_add_object(doc, array, NULL);
    pb_json_put_text(doc, object, "name", suite->name);
    pb_json_put_text(doc, object, "path", suite->path);
    pb_json_put_text(doc, object, "compiler", suite->compiler);
    pb_json_put_text(doc, object, "flags", suite->flags);
    pb_json_put_text(doc, object, "build_type", suite->build_type);
    pb_json_put_bool(doc, object, "optimized", suite->optimized);
}

static void put_case(struct pb_json_document *doc, struct json_object *array,
                     const struct pb_listing *listing, const struct pb_listed_case *listed)
{
    struct json_object *object = pb_json_add_object(doc, array, NULL);
    pb_json_put_text(doc, object, "name", listed->name);
    pb_json_put_text(doc, object, "suite",
                     listed->suite < listing->n_suites ? listing->suites[listed->suite].name
                                                       : NULL);
    pb_json_put_text(doc, object, "summary", listed->summary);
    pb_json_put_text(doc, object, "source", listed->source);
    struct json_object *scenarios = pb_json_add_array(doc, object, "scenarios");
    for (size_t i = 0; i < listed->n_scenarios; i++) {
        const struct pb_listed_scenario *scenario = &listed->scenarios[i];
        struct json_object *item = pb_json_add_object(doc, scenarios, NULL);
        pb_json_put_text(doc, item, "name", scenario->name);
        pb_json_put_text(doc, item, "summary", scenario->summary);
        pb_json_put_bool(doc, item, "on_request", scenario->on_request);
        pb_json_put_count(doc, item, "golden_bytes", scenario->golden_bytes);
    }
    struct json_object *variants = pb_json_add_array(doc, object, "variants");
    for (size_t i = 0; i < listed->n_variants; i++) {
        const struct pb_listed_variant *variant = &listed->variants[i];
        struct json_object *item = pb_json_add_object(doc, variants, NULL);
        pb_json_put_text(doc, item, "name", variant->name);
        pb_json_put_text(doc, item, "summary", variant->summary);
        pb_json_put_bool(doc, item, "bound", variant->bound);
        pb_json_put_bool(doc, item, "reference", variant->reference);
    }
}

enum pb_code pb_json_add_list(struct pb_strbuf *buf, const struct pb_listing *listing,
                              struct pb_error *err)
{
    struct pb_json_document doc;
    pb_json_begin(&doc, "list");
    struct json_object *suites = pb_json_add_array(&doc, doc.root, "suites");
    for (size_t i = 0; i < listing->n_suites; i++) {
        put_suite(&doc, suites, &listing->suites[i]);
    }
    struct json_object *cases = pb_json_add_array(&doc, doc.root, "cases");
    for (size_t i = 0; i < listing->n_cases; i++) {
        put_case(&doc, cases, listing, &listing->cases[i]);
    }
    return pb_json_end(&doc, buf, err);
}

static void put_ratio(struct pb_json_document *doc, struct json_object *array,
                      const struct pb_listed_ratio *ratio)
{
    struct json_object *object = pb_json_add_object(doc, array, NULL);
    pb_json_put_text(doc, object, "case", ratio->case_name);
    pb_json_put_text(doc, object, "scenario", ratio->scenario);
    pb_json_put_text(doc, object, "a", ratio->a);
    pb_json_put_text(doc, object, "b", ratio->b);
    pb_json_put_change(doc, object, ratio->estimate, ratio->lo, ratio->hi);
    pb_json_put_number(doc, object, "spread_pct", pb_change_pct(ratio->spread));
    pb_json_put_count(doc, object, "launches", ratio->launches);
}

/* Aliases and waivers. */
static void put_hand_kept(struct pb_json_document *doc, const struct pb_baseline_listing *baseline)
{
    struct json_object *aliases = pb_json_add_array(doc, doc->root, "aliases");
    for (size_t i = 0; i < baseline->n_aliases; i++) {
        const struct pb_listed_alias *alias = &baseline->aliases[i];
        struct json_object *object = pb_json_add_object(doc, aliases, NULL);
        pb_json_put_text(doc, object, "old", alias->old_name);
        pb_json_put_text(doc, object, "new", alias->new_name);
        pb_json_put_text(doc, object, "date", alias->date);
        pb_json_put_text(doc, object, "reason", alias->reason);
    }
    struct json_object *waivers = pb_json_add_array(doc, doc->root, "waivers");
    for (size_t i = 0; i < baseline->n_waivers; i++) {
        const struct pb_listed_waiver *waiver = &baseline->waivers[i];
        struct json_object *object = pb_json_add_object(doc, waivers, NULL);
        pb_json_put_text(doc, object, "name", waiver->name);
        pb_json_put_text(doc, object, "gate", waiver->gate);
        pb_json_put_text(doc, object, "metric", waiver->metric);
        pb_json_put_number(doc, object, "at_most_pct", waiver->at_most_pct);
        pb_json_put_text(doc, object, "until", waiver->until);
        pb_json_put_text(doc, object, "reason", waiver->reason);
    }
}

enum pb_code pb_json_add_baseline(struct pb_strbuf *buf, const struct pb_baseline_listing *baseline,
                                  struct pb_error *err)
{
    struct pb_json_document doc;
    pb_json_begin(&doc, "baseline show");
    pb_json_put_texts(&doc, "files", baseline->paths, baseline->n_paths);
    pb_json_put_facts(&doc, doc.root, "class", &baseline->class_facts);
    pb_json_put_facts(&doc, doc.root, "origin", &baseline->origin);
    struct json_object *counts = pb_json_add_array(&doc, doc.root, "counts");
    for (size_t i = 0; i < baseline->n_counts; i++) {
        struct json_object *object = pb_json_add_object(&doc, counts, NULL);
        pb_json_put_text(&doc, object, "name", baseline->counts[i].name);
        pb_json_put_text(&doc, object, "metric", baseline->counts[i].metric);
        pb_json_put(&doc, object, "value", json_object_new_int64(baseline->counts[i].value));
    }
    struct json_object *ratios = pb_json_add_array(&doc, doc.root, "ratios");
    for (size_t i = 0; i < baseline->n_ratios; i++) {
        put_ratio(&doc, ratios, &baseline->ratios[i]);
    }
    put_hand_kept(&doc, baseline);
    return pb_json_end(&doc, buf, err);
}

enum pb_code pb_json_add_baseline_diff(struct pb_strbuf *buf, const struct pb_baseline_diff *diff,
                                       struct pb_error *err)
{
    struct pb_json_document doc;
    pb_json_begin(&doc, "baseline diff");
    struct json_object *items = pb_json_add_array(&doc, doc.root, "differences");
    for (size_t i = 0; i < diff->n; i++) {
        const struct pb_baseline_difference *item = &diff->items[i];
        struct json_object *object = pb_json_add_object(&doc, items, NULL);
        pb_json_put_text(&doc, object, "a", item->a);
        pb_json_put_text(&doc, object, "b", item->b);
        put_findings(&doc, object, &item->check);
    }
    return pb_json_end(&doc, buf, err);
}

static void put_floor(struct pb_json_document *doc, const struct pb_doctor_floor *measured)
{
    if (measured == NULL) {
        pb_json_put_null(doc, doc->root, "noise_floor");
        return;
    }
    const bool bounded = isfinite(measured->floor);
    struct json_object *object = pb_json_add_object(doc, doc->root, "noise_floor");
    pb_json_put_text(doc, object, "name", measured->name);
    pb_json_put_text(doc, object, "reason", measured->reason);
    pb_json_put_count(doc, object, "launches", measured->n_launches);
    pb_json_put_number(doc, object, "wall_s", measured->wall_s);
    pb_json_put_number(doc, object, "change_pct", pb_change_pct(measured->estimate));
    pb_json_put_number(doc, object, "lo_pct", bounded ? pb_change_pct(measured->lo) : (double)NAN);
    pb_json_put_number(doc, object, "hi_pct", bounded ? pb_change_pct(measured->hi) : (double)NAN);
    pb_json_put_number(doc, object, "floor_pct",
                       bounded ? pb_change_pct(measured->floor) : (double)NAN);
}

enum pb_code pb_json_add_doctor(struct pb_strbuf *buf, const struct pb_doctor_record *record,
                                struct pb_error *err)
{
    struct pb_json_document doc;
    pb_json_begin(&doc, "doctor");
    struct json_object *items = pb_json_add_array(&doc, doc.root, "items");
    for (size_t i = 0; i < record->n_items; i++) {
        const struct pb_noise_item *item = &record->items[i];
        struct json_object *object = pb_json_add_object(&doc, items, NULL);
        pb_json_put_text(&doc, object, "key", item->key);
        pb_json_put_text(&doc, object, "what", item->what);
        pb_json_put_text(&doc, object, "fit", pb_noise_fit_name(item->fit));
        pb_json_put_text(&doc, object, "value", item->value);
        pb_json_put_text(&doc, object, "advice", item->advice);
    }
    put_floor(&doc, record->floor);
    return pb_json_end(&doc, buf, err);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects are built with json-c and written in one go. A failed allocation is noted in the
 * document and reported at its end, so that the functions in between need not care.
 *
 * json-c prints doubles with printf, hence as the locale says, and reads names as UTF-8 without
 * looking. So numbers reach it as text made under the C locale, and names already mended.
 */
#include "output/json.h"

#include "base/text.h"
#include "output/quantity.h"
#include "stats/verdict.h"

#include <json-c/json.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct document {
    struct json_object *root;
    locale_t c_locale;
    struct pb_strbuf scratch;
    bool failed; /* out of memory somewhere */
};

static void put(struct document *doc, struct json_object *object, const char *key,
                struct json_object *value)
{
    if (value == NULL || json_object_object_add(object, key, value) != 0) {
        doc->failed = true;
        json_object_put(value);
    }
}

/* null is NULL in json-c, which put() takes for a failure. */
static void put_null(struct document *doc, struct json_object *object, const char *key)
{
    doc->failed |= json_object_object_add(object, key, NULL) != 0;
}

static const char *mend(struct document *doc, const char *text)
{
    pb_strbuf_reset(&doc->scratch);
    pb_text_add_utf8(&doc->scratch, text);
    return doc->scratch.text;
}

static void put_text(struct document *doc, struct json_object *object, const char *key,
                     const char *text)
{
    if (text == NULL) {
        put_null(doc, object, key);
        return;
    }
    const char *mended = mend(doc, text);
    put(doc, object, key, json_object_new_string_len(mended, (int)doc->scratch.length));
}

static void put_bool(struct document *doc, struct json_object *object, const char *key, bool value)
{
    put(doc, object, key, json_object_new_boolean(value));
}

static void put_count(struct document *doc, struct json_object *object, const char *key,
                      uint64_t value)
{
    put(doc, object, key, json_object_new_uint64(value));
}

/* The shortest of 15, 16 and 17 digits that reads back as the same number. */
static void put_number(struct document *doc, struct json_object *object, const char *key,
                       double value)
{
    if (!isfinite(value)) {
        put_null(doc, object, key);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        pb_strbuf_reset(&doc->scratch);
        pb_strbuf_addf(&doc->scratch, "%.*g", digits, value);
        if (doc->c_locale != (locale_t)0 &&
            strtod_l(doc->scratch.text, NULL, doc->c_locale) == value) {
            break;
        }
    }
    put(doc, object, key, json_object_new_double_s(value, doc->scratch.text));
}

static void put_time(struct document *doc, struct json_object *object, const char *key,
                     int64_t time)
{
    pb_strbuf_reset(&doc->scratch);
    pb_quantity_add_timestamp(&doc->scratch, time);
    put(doc, object, key, json_object_new_string(doc->scratch.text));
}

/* A new object or array under key of parent; with key NULL at the end of an array. */
static struct json_object *add_child(struct document *doc, struct json_object *parent,
                                     const char *key, struct json_object *child)
{
    if (child == NULL) {
        doc->failed = true;
    } else if (key != NULL) {
        doc->failed |= json_object_object_add(parent, key, child) != 0;
    } else {
        doc->failed |= json_object_array_add(parent, child) != 0;
    }
    return child;
}

static struct json_object *add_object(struct document *doc, struct json_object *parent,
                                      const char *key)
{
    return add_child(doc, parent, key, json_object_new_object());
}

static struct json_object *add_array(struct document *doc, struct json_object *parent,
                                     const char *key)
{
    return add_child(doc, parent, key, json_object_new_array());
}

static void begin(struct document *doc, const char *command)
{
    *doc = (struct document){.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    pb_strbuf_init(&doc->scratch);
    doc->root = json_object_new_object();
    doc->failed = doc->root == NULL;
    put_text(doc, doc->root, "schema", "pairbench/1");
    put_text(doc, doc->root, "command", command);
}

static enum pb_code end(struct document *doc, struct pb_strbuf *buf, struct pb_error *err)
{
    enum pb_code code = PB_OK;
    const char *text = NULL;
    if (!doc->failed) {
        text = json_object_to_json_string_ext(doc->root, JSON_C_TO_STRING_PRETTY |
                                                             JSON_C_TO_STRING_SPACED |
                                                             JSON_C_TO_STRING_NOSLASHESCAPE);
    }
    if (text == NULL) {
        code = pb_error_set(err, PB_ERR_NOMEM, "out of memory for a JSON document");
    } else {
        pb_strbuf_adds(buf, text);
        pb_strbuf_addc(buf, '\n');
    }
    if (code == PB_OK && buf->overflow) {
        code = pb_error_set(err, PB_ERR_LIMIT,
                            "the JSON document is larger than its limit of %zu bytes; choose fewer "
                            "benchmarks",
                            buf->limit != 0 ? buf->limit : PB_STRBUF_LIMIT_BYTES);
    }
    json_object_put(doc->root);
    pb_strbuf_release(&doc->scratch);
    if (doc->c_locale != (locale_t)0) {
        freelocale(doc->c_locale);
    }
    return code;
}

static void put_facts(struct document *doc, struct json_object *parent, const char *key,
                      const struct pb_facts *facts)
{
    struct json_object *object = add_object(doc, parent, key);
    for (size_t i = 0; i < facts->n; i++) {
        /* The key is needed while the value is mended in the same buffer. */
        char *fact_key = strdup(mend(doc, facts->items[i].key));
        if (fact_key == NULL) {
            doc->failed = true;
            return;
        }
        put_text(doc, object, fact_key, facts->items[i].value);
        free(fact_key);
    }
}

/* true, false, or null for what git could not tell. */
static void put_dirty(struct document *doc, struct json_object *commit,
                      const struct pb_facts *facts)
{
    const char *dirty = pb_facts_get(facts, "dirty");
    if (dirty != NULL && (strcmp(dirty, "true") == 0 || strcmp(dirty, "false") == 0)) {
        put_bool(doc, commit, "dirty", strcmp(dirty, "true") == 0);
    } else {
        put_null(doc, commit, "dirty");
    }
}

static void put_commit(struct document *doc, struct json_object *parent,
                       const struct pb_facts *facts)
{
    put_facts(doc, parent, "commit", facts);
    struct json_object *commit = NULL;
    if (!json_object_object_get_ex(parent, "commit", &commit)) {
        return;
    }
    static const char *const always[] = {"id", "branch"};
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        if (pb_facts_get(facts, always[i]) == NULL) {
            put_null(doc, commit, always[i]);
        }
    }
    put_dirty(doc, commit, facts);
}

/* patterns: one a line, escaped; NULL is none */
static void put_patterns(struct document *doc, struct json_object *parent, const char *patterns)
{
    struct json_object *array = add_array(doc, parent, "patterns");
    struct pb_strbuf line;
    struct pb_strbuf pattern;
    pb_strbuf_init(&line);
    pb_strbuf_init(&pattern);
    for (const char *s = patterns != NULL ? patterns : ""; *s != '\0';) {
        const size_t n = strcspn(s, "\n");
        pb_strbuf_reset(&line);
        pb_strbuf_add(&line, s, n);
        pb_strbuf_reset(&pattern);
        if (!pb_text_add_unescaped(&pattern, line.text)) {
            pb_strbuf_reset(&pattern);
            pb_strbuf_adds(&pattern, line.text); /* better as it is than not at all */
        }
        add_child(doc, array, NULL, json_object_new_string(mend(doc, pattern.text)));
        s += n + (s[n] == '\n');
    }
    pb_strbuf_release(&line);
    pb_strbuf_release(&pattern);
}

/* What a step of each calibration kernel took; null where it was not timed. */
static void put_kernels(struct document *doc, struct json_object *parent,
                        const double kernels_ns[PB_KERNELS])
{
    struct json_object *object = add_object(doc, parent, "kernels");
    for (int i = 0; i < PB_KERNELS; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s_ns", pb_kernel_name((enum pb_kernel)i));
        put_number(doc, object, key, kernels_ns[i] > 0 ? kernels_ns[i] : (double)NAN);
    }
}

static void put_run(struct document *doc, const struct pb_run_record *run)
{
    struct json_object *object = add_object(doc, doc->root, "run");
    put_text(doc, object, "id", run->id);
    put_time(doc, object, "started_at", run->started_at);
    put_text(doc, object, "label", run->label);
    put_text(doc, object, "tool_version", run->tool_version);
    pb_strbuf_reset(&doc->scratch);
    pb_strbuf_addf(&doc->scratch, "%llu", (unsigned long long)run->seed);
    put(doc, object, "seed", json_object_new_string(doc->scratch.text));
    put_count(doc, object, "launches", run->launches);
    put_bool(doc, object, "adaptive", run->adaptive);
    put_patterns(doc, object, run->patterns);
    put_bool(doc, object, "quick", run->quick);
    put_bool(doc, object, "injected", run->injected);
    put_bool(doc, object, "valid", run->valid);
    put_text(doc, object, "invalid_reason", run->invalid_reason);
    put_number(doc, object, "wall_s", run->wall_s);
    put_number(doc, object, "timed_s", run->timed_s);
    put_number(doc, object, "start_ms", run->start_ms);
    put_kernels(doc, object, run->kernels_ns);
    put_facts(doc, object, "machine", &run->machine);
    put_facts(doc, object, "build", &run->build);
    put_commit(doc, object, &run->commit);
}

static void put_counts(struct document *doc, struct json_object *object,
                       const struct pb_benchmark_record *benchmark)
{
    struct json_object *counts = add_object(doc, object, "counts");
    struct json_object *varying = add_array(doc, object, "nondeterministic_counts");
    for (size_t i = 0; i < benchmark->n_counts; i++) {
        const struct pb_count_record *count = &benchmark->counts[i];
        const char *name = mend(doc, count->name);
        put(doc, counts, name, json_object_new_int64(count->value));
        if (!count->deterministic) {
            add_child(doc, varying, NULL, json_object_new_string(name));
        }
    }
}

static void put_benchmark(struct document *doc, struct json_object *array,
                          const struct pb_benchmark_record *benchmark)
{
    struct json_object *object = add_object(doc, array, NULL);
    put_text(doc, object, "name", benchmark->name);
    put_text(doc, object, "case", benchmark->case_name);
    put_text(doc, object, "scenario", benchmark->scenario);
    put_text(doc, object, "variant", benchmark->variant);
    put_bool(doc, object, "bound", (benchmark->flags & PB_BENCHMARK_BOUND) != 0);
    put_bool(doc, object, "reference", (benchmark->flags & PB_BENCHMARK_REFERENCE) != 0);
    put_text(doc, object, "state", pb_state_name(benchmark->state));
    put_text(doc, object, "reason", benchmark->reason);
    put_bool(doc, object, "below_resolution", benchmark->below_resolution);
    put_number(doc, object, "best_ns", benchmark->best_ns);
    put_number(doc, object, "median_ns", benchmark->median_ns);
    put_number(doc, object, "cpu_ns", benchmark->cpu_ns);
    put_count(doc, object, "repeats", benchmark->repeats);
    put_count(doc, object, "iterations", benchmark->iterations);
    put_count(doc, object, "launches", benchmark->n_launches);
    put_number(doc, object, "inject_pct", benchmark->inject_pct);
    put_counts(doc, object, benchmark);
    if (benchmark->instructions >= 0) {
        put_count(doc, object, "instructions", (uint64_t)benchmark->instructions);
    } else {
        put_null(doc, object, "instructions");
    }
}

static void put_change(struct document *doc, struct json_object *object, double estimate, double lo,
                       double hi)
{
    put_number(doc, object, "speedup", exp(-estimate));
    put_number(doc, object, "change_pct", pb_change_pct(estimate));
    /* exp() of -inf is an ordinary zero: an interval without that end has none. */
    put_number(doc, object, "lo_pct", isfinite(lo) ? pb_change_pct(lo) : (double)NAN);
    put_number(doc, object, "hi_pct", isfinite(hi) ? pb_change_pct(hi) : (double)NAN);
}

static void put_pair(struct document *doc, struct json_object *array,
                     const struct pb_pair_record *pair)
{
    struct json_object *object = add_object(doc, array, NULL);
    put_text(doc, object, "case", pair->case_name);
    put_text(doc, object, "scenario", pair->scenario);
    put_text(doc, object, "variant", pair->variant);
    put_text(doc, object, "a", pair->a);
    put_text(doc, object, "b", pair->b);
    put_bool(doc, object, "gated", pair->gated);
    put_change(doc, object, pair->estimate, pair->lo, pair->hi);
    put_text(doc, object, "verdict", pb_verdict_name(pair->verdict));
    put_text(doc, object, "reason", pair->reason);
    put_count(doc, object, "launches", pair->n_launches);
    put_text(doc, object, "stopped", pair->stopped);
    put_number(doc, object, "timed_s", pair->timed_s);
}

static void put_measurements(struct document *doc, const struct pb_run_record *run)
{
    put_run(doc, run);
    struct json_object *benchmarks = add_array(doc, doc->root, "benchmarks");
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        put_benchmark(doc, benchmarks, &run->benchmarks[i]);
    }
    struct json_object *pairs = add_array(doc, doc->root, "pairs");
    for (size_t i = 0; i < run->n_pairs; i++) {
        put_pair(doc, pairs, &run->pairs[i]);
    }
}

enum pb_code pb_json_add_run(struct pb_strbuf *buf, const struct pb_run_record *run,
                             struct pb_error *err)
{
    struct document doc;
    begin(&doc, "run");
    put_measurements(&doc, run);
    return end(&doc, buf, err);
}

static void put_verdict(struct document *doc, struct json_object *array,
                        const struct pb_finding *finding)
{
    struct json_object *object = add_object(doc, array, NULL);
    put_text(doc, object, "name", finding->name);
    put_text(doc, object, "gate", finding->gate);
    put_text(doc, object, "metric", finding->metric);
    put_number(doc, object, "baseline", finding->baseline);
    put_number(doc, object, "now", finding->now);
    put_number(doc, object, "change_pct", finding->change_pct);
    put_number(doc, object, "lo_pct", finding->lo_pct);
    put_number(doc, object, "hi_pct", finding->hi_pct);
    put_text(doc, object, "verdict", pb_verdict_name(finding->verdict));
    put_text(doc, object, "reason", finding->reason);
}

static void put_summary(struct document *doc, const struct pb_check_record *check)
{
    struct pb_verdict_counts counts = {0};
    for (size_t i = 0; i < check->n_findings; i++) {
        pb_verdicts_count(&counts, check->findings[i].verdict);
    }
    struct json_object *object = add_object(doc, doc->root, "summary");
    for (int i = 0; i < PB_VERDICTS; i++) {
        put_count(doc, object, pb_verdict_name((enum pb_verdict)i), counts.n[i]);
    }
}

/* An array of texts under key of the root. */
static void put_texts(struct document *doc, const char *key, const char *const *texts, size_t n)
{
    struct json_object *array = add_array(doc, doc->root, key);
    for (size_t i = 0; i < n; i++) {
        add_child(doc, array, NULL, json_object_new_string(mend(doc, texts[i])));
    }
}

enum pb_code pb_json_add_check(struct pb_strbuf *buf, const struct pb_run_record *run,
                               const struct pb_check_record *check, struct pb_error *err)
{
    struct document doc;
    begin(&doc, "check");
    put_measurements(&doc, run);
    put_texts(&doc, "baselines", check->baselines, check->n_baselines);
    put_text(&doc, doc.root, "note", check->note);
    struct json_object *verdicts = add_array(&doc, doc.root, "verdicts");
    for (size_t i = 0; i < check->n_findings; i++) {
        put_verdict(&doc, verdicts, &check->findings[i]);
    }
    put_summary(&doc, check);
    put(&doc, doc.root, "exit_code", json_object_new_int(check->exit_code));
    return end(&doc, buf, err);
}

static void put_suite(struct document *doc, struct json_object *array,
                      const struct pb_listed_suite *suite)
{
    struct json_object *object = add_object(doc, array, NULL);
    put_text(doc, object, "name", suite->name);
    put_text(doc, object, "path", suite->path);
    put_text(doc, object, "compiler", suite->compiler);
    put_text(doc, object, "flags", suite->flags);
    put_text(doc, object, "build_type", suite->build_type);
    put_bool(doc, object, "optimized", suite->optimized);
}

static void put_case(struct document *doc, struct json_object *array,
                     const struct pb_listing *listing, const struct pb_listed_case *listed)
{
    struct json_object *object = add_object(doc, array, NULL);
    put_text(doc, object, "name", listed->name);
    put_text(doc, object, "suite",
             listed->suite < listing->n_suites ? listing->suites[listed->suite].name : NULL);
    put_text(doc, object, "summary", listed->summary);
    put_text(doc, object, "source", listed->source);
    struct json_object *scenarios = add_array(doc, object, "scenarios");
    for (size_t i = 0; i < listed->n_scenarios; i++) {
        const struct pb_listed_scenario *scenario = &listed->scenarios[i];
        struct json_object *item = add_object(doc, scenarios, NULL);
        put_text(doc, item, "name", scenario->name);
        put_text(doc, item, "summary", scenario->summary);
        put_bool(doc, item, "on_request", scenario->on_request);
        put_count(doc, item, "golden_bytes", scenario->golden_bytes);
    }
    struct json_object *variants = add_array(doc, object, "variants");
    for (size_t i = 0; i < listed->n_variants; i++) {
        const struct pb_listed_variant *variant = &listed->variants[i];
        struct json_object *item = add_object(doc, variants, NULL);
        put_text(doc, item, "name", variant->name);
        put_text(doc, item, "summary", variant->summary);
        put_bool(doc, item, "bound", variant->bound);
        put_bool(doc, item, "reference", variant->reference);
    }
}

enum pb_code pb_json_add_list(struct pb_strbuf *buf, const struct pb_listing *listing,
                              struct pb_error *err)
{
    struct document doc;
    begin(&doc, "list");
    struct json_object *suites = add_array(&doc, doc.root, "suites");
    for (size_t i = 0; i < listing->n_suites; i++) {
        put_suite(&doc, suites, &listing->suites[i]);
    }
    struct json_object *cases = add_array(&doc, doc.root, "cases");
    for (size_t i = 0; i < listing->n_cases; i++) {
        put_case(&doc, cases, listing, &listing->cases[i]);
    }
    return end(&doc, buf, err);
}

static void put_ratio(struct document *doc, struct json_object *array,
                      const struct pb_listed_ratio *ratio)
{
    struct json_object *object = add_object(doc, array, NULL);
    put_text(doc, object, "case", ratio->case_name);
    put_text(doc, object, "scenario", ratio->scenario);
    put_text(doc, object, "a", ratio->a);
    put_text(doc, object, "b", ratio->b);
    put_change(doc, object, ratio->estimate, ratio->lo, ratio->hi);
    put_number(doc, object, "spread_pct", pb_change_pct(ratio->spread));
    put_count(doc, object, "launches", ratio->launches);
}

enum pb_code pb_json_add_baseline(struct pb_strbuf *buf, const struct pb_baseline_listing *baseline,
                                  struct pb_error *err)
{
    struct document doc;
    begin(&doc, "baseline show");
    put_texts(&doc, "files", baseline->paths, baseline->n_paths);
    put_facts(&doc, doc.root, "class", &baseline->class_facts);
    put_facts(&doc, doc.root, "origin", &baseline->origin);
    struct json_object *counts = add_array(&doc, doc.root, "counts");
    for (size_t i = 0; i < baseline->n_counts; i++) {
        struct json_object *object = add_object(&doc, counts, NULL);
        put_text(&doc, object, "name", baseline->counts[i].name);
        put_text(&doc, object, "metric", baseline->counts[i].metric);
        put(&doc, object, "value", json_object_new_int64(baseline->counts[i].value));
    }
    struct json_object *ratios = add_array(&doc, doc.root, "ratios");
    for (size_t i = 0; i < baseline->n_ratios; i++) {
        put_ratio(&doc, ratios, &baseline->ratios[i]);
    }
    return end(&doc, buf, err);
}

static void put_floor(struct document *doc, const struct pb_doctor_floor *measured)
{
    if (measured == NULL) {
        put_null(doc, doc->root, "noise_floor");
        return;
    }
    const bool bounded = isfinite(measured->floor);
    struct json_object *object = add_object(doc, doc->root, "noise_floor");
    put_text(doc, object, "name", measured->name);
    put_text(doc, object, "reason", measured->reason);
    put_count(doc, object, "launches", measured->n_launches);
    put_number(doc, object, "wall_s", measured->wall_s);
    put_number(doc, object, "change_pct", pb_change_pct(measured->estimate));
    put_number(doc, object, "lo_pct", bounded ? pb_change_pct(measured->lo) : (double)NAN);
    put_number(doc, object, "hi_pct", bounded ? pb_change_pct(measured->hi) : (double)NAN);
    put_number(doc, object, "floor_pct", bounded ? pb_change_pct(measured->floor) : (double)NAN);
}

enum pb_code pb_json_add_doctor(struct pb_strbuf *buf, const struct pb_doctor_record *record,
                                struct pb_error *err)
{
    struct document doc;
    begin(&doc, "doctor");
    struct json_object *items = add_array(&doc, doc.root, "items");
    for (size_t i = 0; i < record->n_items; i++) {
        const struct pb_noise_item *item = &record->items[i];
        struct json_object *object = add_object(&doc, items, NULL);
        put_text(&doc, object, "key", item->key);
        put_text(&doc, object, "what", item->what);
        put_text(&doc, object, "fit", pb_noise_fit_name(item->fit));
        put_text(&doc, object, "value", item->value);
        put_text(&doc, object, "advice", item->advice);
    }
    put_floor(&doc, record->floor);
    return end(&doc, buf, err);
}

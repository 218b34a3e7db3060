/* SPDX-License-Identifier: Apache-2.0
 *
 * The same numbers as in the text. Shares are not repeated: they are k / n.
 */
#include "output/selftest_json.h"

#include <stdio.h>

#include "output/json_document.h"

static void put_demand(struct pb_json_document *doc, struct json_object *row, const char *key,
                       const struct pb_demand *demand)
{
    struct json_object *object = pb_json_add_object(doc, row, key);
    pb_json_put_number(doc, object, "limit", demand->limit);
    pb_json_put_count(doc, object, "n_least", demand->n_least);
    const bool demanded = demand->result != PB_DEMAND_NONE;
    pb_json_put_text(doc, object, "result",
                     demanded ? pb_demand_result_name(demand->result) : NULL);
}

static void put_rows(struct pb_json_document *doc, const struct pb_selftest_report *report)
{
    struct json_object *rows = pb_json_add_array(doc, doc->root, "rows");
    for (size_t i = 0; i < report->n_rows; i++) {
        const struct pb_selftest_row *row = &report->rows[i];
        struct json_object *object = pb_json_add_object(doc, rows, NULL);
        pb_json_put_text(doc, object, "id", row->id);
        pb_json_put_text(doc, object, "what", row->what);
        pb_json_put_text(doc, object, "limits", row->at_most ? "at most" : "at least");
        pb_json_put_count(doc, object, "k", row->k);
        pb_json_put_count(doc, object, "n", row->n);
        pb_json_put_number(doc, object, "lo", row->lo);
        pb_json_put_number(doc, object, "hi", row->hi);
        pb_json_put_number(doc, object, "value_s", row->value_s);
        pb_json_put_number(doc, object, "median_s", row->median_s);
        put_demand(doc, object, "must", &row->must);
        put_demand(doc, object, "aim", &row->aim);
    }
}

static void put_tally(struct pb_json_document *doc, struct json_object *method, const char *key,
                      const struct pb_method_tally *tally)
{
    struct json_object *object = pb_json_add_object(doc, method, key);
    pb_json_put_count(doc, object, "k", tally->k);
    pb_json_put_count(doc, object, "n", tally->n);
}

static void put_methods(struct pb_json_document *doc, const struct pb_selftest_report *report)
{
    struct json_object *methods = pb_json_add_array(doc, doc->root, "methods");
    for (size_t i = 0; i < report->n_methods; i++) {
        const struct pb_method_row *method = &report->methods[i];
        struct json_object *object = pb_json_add_object(doc, methods, NULL);
        pb_json_put_text(doc, object, "id", method->id);
        pb_json_put_text(doc, object, "what", method->what);
        put_tally(doc, object, "false_verdicts", &method->false_verdicts);
        put_tally(doc, object, "found_plus1", &method->found_1);
        put_tally(doc, object, "found_plus2", &method->found_2);
    }
}

static void put_synthetic(struct pb_json_document *doc, const struct pb_synthetic_report *report)
{
    struct json_object *synthetic = pb_json_add_object(doc, doc->root, "synthetic");
    pb_json_put_count(doc, synthetic, "launches", report->n_launches);
    pb_json_put_count(doc, synthetic, "failed", report->n_failed);
    struct json_object *checks = pb_json_add_array(doc, synthetic, "checks");
    for (size_t i = 0; i < report->n_checks; i++) {
        const struct pb_synthetic_check *check = &report->checks[i];
        struct json_object *object = pb_json_add_object(doc, checks, NULL);
        pb_json_put_text(doc, object, "what", check->what);
        pb_json_put_text(doc, object, "distribution", check->distribution);
        pb_json_put_count(doc, object, "k", check->k);
        pb_json_put_count(doc, object, "n", check->n);
        pb_json_put_number(doc, object, "least", check->least);
        pb_json_put_number(doc, object, "most", check->most);
        pb_json_put_bool(doc, object, "holds", check->holds);
    }
}

enum pb_code pb_selftest_json_add(struct pb_strbuf *buf, const struct pb_selftest_report *report,
                                  struct pb_error *err)
{
    struct pb_json_document doc;
    pb_json_begin(&doc, "selftest");
    pb_json_put_text(&doc, doc.root, "tool_version", report->tool_version);
    pb_json_put_time(&doc, doc.root, "started_at", report->started_at);
    if (report->stopped != NULL) {
        char seed[24];
        snprintf(seed, sizeof seed, "%llu", (unsigned long long)report->seed);
        pb_json_put_text(&doc, doc.root, "seed", seed);
        pb_json_put_number(&doc, doc.root, "wall_s", report->wall_s);
        pb_json_put_text(&doc, doc.root, "stopped", report->stopped);
        pb_json_put_facts(&doc, doc.root, "machine", &report->machine);
        pb_json_put_facts(&doc, doc.root, "build", &report->build);
        pb_json_put_count(&doc, doc.root, "trials", report->n_trials);
        pb_json_put_count(&doc, doc.root, "failed_trials", report->n_failed);
        pb_json_put_count(&doc, doc.root, "invalid_trials", report->n_invalid);
    }
    put_rows(&doc, report);
    put_methods(&doc, report);
    if (report->synthetic != NULL) {
        put_synthetic(&doc, report->synthetic);
    } else {
        pb_json_put_null(&doc, doc.root, "synthetic");
    }
    pb_json_put_count(&doc, doc.root, "exit_code", (uint64_t)report->exit_code);
    return pb_json_end(&doc, buf, err);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts go through two escapes: first as on a terminal, since XML 1.0 has no form for most control
 * characters, then as XML.
 */
#include "output/junit.h"

#include "base/text.h"
#include "output/quantity.h"

#include <math.h>
#include <string.h>

/* How a finding appears. */
enum outcome {
    OUTCOME_PASSED,
    OUTCOME_FAILURE,
    OUTCOME_ERROR,
    OUTCOME_SKIPPED,
};
enum { OUTCOMES = OUTCOME_SKIPPED + 1 };

struct totals {
    size_t n[OUTCOMES];
    size_t all;
};

static enum outcome outcome_of(const struct pb_finding *finding)
{
    switch (finding->verdict) {
    case PB_VERDICT_UNCHANGED:
    case PB_VERDICT_IMPROVED:
    case PB_VERDICT_ADDED:
        return OUTCOME_PASSED;
    case PB_VERDICT_REGRESSED:
        if (!finding->fails) {
            return finding->waived_until == NULL ? OUTCOME_PASSED : OUTCOME_SKIPPED;
        }
        return OUTCOME_FAILURE;
    case PB_VERDICT_FAILED:
    case PB_VERDICT_INVALID_RUN:
        return finding->fails ? OUTCOME_ERROR : OUTCOME_SKIPPED;
    default:
        return finding->fails ? OUTCOME_FAILURE : OUTCOME_SKIPPED;
    }
}

static void count(struct totals *totals, const struct pb_finding *finding)
{
    totals->n[outcome_of(finding)]++;
    totals->all++;
}

static void add_text(struct pb_strbuf *buf, const char *text)
{
    struct pb_strbuf safe;
    pb_strbuf_init(&safe);
    pb_text_add_escaped(&safe, text);
    pb_text_add_html(buf, safe.text);
    pb_strbuf_release(&safe);
}

static void add_attribute(struct pb_strbuf *buf, const char *name, const char *text)
{
    pb_strbuf_addf(buf, " %s=\"", name);
    add_text(buf, text);
    pb_strbuf_addc(buf, '"');
}

static void add_totals(struct pb_strbuf *buf, const struct totals *totals)
{
    pb_strbuf_addf(buf, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                   totals->all, totals->n[OUTCOME_FAILURE], totals->n[OUTCOME_ERROR],
                   totals->n[OUTCOME_SKIPPED]);
}

/* What there is to say of a finding in one line, not escaped. */
static void describe(struct pb_strbuf *line, const struct pb_finding *finding)
{
    pb_strbuf_adds(line, pb_finding_word(finding));
    if (isfinite(finding->baseline) && isfinite(finding->now)) {
        pb_strbuf_adds(line, ", ");
        pb_finding_add_change(line, finding);
        pb_strbuf_adds(line, ": ");
        pb_quantity_add_number(line, finding->baseline);
        pb_strbuf_adds(line, " before, ");
        pb_quantity_add_number(line, finding->now);
        pb_strbuf_adds(line, " now");
    }
    if (finding->reason != NULL) {
        pb_strbuf_adds(line, "; ");
        pb_strbuf_adds(line, finding->reason);
    }
}

static void add_case(struct pb_strbuf *buf, const struct pb_finding *finding)
{
    static const char *const elements[OUTCOMES] = {
        [OUTCOME_FAILURE] = "failure",
        [OUTCOME_ERROR] = "error",
        [OUTCOME_SKIPPED] = "skipped",
    };
    const enum outcome outcome = outcome_of(finding);
    struct pb_strbuf line;
    pb_strbuf_init(&line);
    describe(&line, finding);
    pb_strbuf_adds(buf, "    <testcase classname=\"pairbench.");
    add_text(buf, finding->gate);
    pb_strbuf_adds(buf, "\" name=\""); /* some servers show no more than this */
    add_text(buf, finding->name);
    pb_strbuf_addc(buf, ' ');
    add_text(buf, finding->metric);
    pb_strbuf_adds(buf, "\" time=\"0\"");
    if (finding->verdict == PB_VERDICT_UNCHANGED) {
        pb_strbuf_adds(buf, "/>\n");
    } else if (outcome == OUTCOME_PASSED) {
        pb_strbuf_adds(buf, "><system-out>");
        add_text(buf, line.text);
        pb_strbuf_adds(buf, "</system-out></testcase>\n");
    } else {
        pb_strbuf_addf(buf, "><%s", elements[outcome]);
        if (outcome != OUTCOME_SKIPPED) {
            add_attribute(buf, "type", pb_verdict_name(finding->verdict));
        }
        add_attribute(buf, "message", line.text);
        pb_strbuf_adds(buf, "/></testcase>\n");
    }
    pb_strbuf_release(&line);
}

static void add_property(struct pb_strbuf *buf, const char *name, const char *value)
{
    if (value != NULL) {
        pb_strbuf_addf(buf, "      <property name=\"%s\"", name);
        add_attribute(buf, "value", value);
        pb_strbuf_adds(buf, "/>\n");
    }
}

/* As the stricter schemas want it: UTC, without saying so. */
static void add_time(struct pb_strbuf *buf, int64_t time)
{
    struct pb_strbuf stamp;
    pb_strbuf_init(&stamp);
    pb_quantity_add_timestamp(&stamp, time);
    pb_strbuf_add(buf, stamp.text, strcspn(stamp.text, "Z"));
    pb_strbuf_release(&stamp);
}

/* Findings of one gate; nothing when there are none. */
static void add_suite(struct pb_strbuf *buf, const char *gate, const struct pb_run_record *run,
                      const struct pb_finding *findings, size_t n)
{
    struct totals totals = {0};
    for (size_t i = 0; i < n; i++) {
        if (strcmp(findings[i].gate, gate) == 0) {
            count(&totals, &findings[i]);
        }
    }
    if (totals.all == 0) {
        return;
    }
    pb_strbuf_adds(buf, "  <testsuite");
    add_attribute(buf, "name", gate);
    add_totals(buf, &totals);
    pb_strbuf_adds(buf, " time=\"0\" timestamp=\"");
    add_time(buf, run->started_at);
    pb_strbuf_adds(buf, "\">\n    <properties>\n");
    add_property(buf, "run", run->id);
    add_property(buf, "commit", pb_facts_get(&run->commit, "id"));
    add_property(buf, "cpu", pb_facts_get(&run->machine, "cpu"));
    add_property(buf, "compiler", pb_facts_get(&run->build, "compiler"));
    pb_strbuf_adds(buf, "    </properties>\n");
    for (size_t i = 0; i < n; i++) {
        if (strcmp(findings[i].gate, gate) == 0) {
            add_case(buf, &findings[i]);
        }
    }
    pb_strbuf_adds(buf, "  </testsuite>\n");
}

/* Whether a finding is the first of its gate. */
static bool is_first(const struct pb_finding *findings, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (strcmp(findings[k].gate, findings[i].gate) == 0) {
            return false;
        }
    }
    return true;
}

void pb_junit_add(struct pb_strbuf *buf, const struct pb_run_record *run,
                  const struct pb_check_record *check)
{
    struct pb_arena arena = {0};
    const size_t n = check->n_findings;
    const struct pb_finding *sorted = pb_findings_sorted(&arena, check->findings, n);
    struct totals totals = {0};
    for (size_t i = 0; i < n; i++) {
        count(&totals, &sorted[i]);
    }
    pb_strbuf_adds(buf,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pairbench\"");
    add_totals(buf, &totals);
    pb_strbuf_addf(buf, " time=\"%.3f\">\n", isfinite(run->wall_s) ? run->wall_s : 0.0);
    for (size_t i = 0; i < n; i++) {
        if (is_first(sorted, i)) {
            add_suite(buf, sorted[i].gate, run, sorted, n);
        }
    }
    pb_strbuf_adds(buf, "</testsuites>\n");
    pb_arena_release(&arena);
}

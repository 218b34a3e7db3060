/* SPDX-License-Identifier: Apache-2.0
 *
 * Order, words and colours of findings come from one table of verdicts.
 */
#include "output/finding.h"

#include "output/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int severity;
    enum pb_tone tone;
} verdicts[PB_VERDICTS] = {
    [PB_VERDICT_REGRESSED] = {0, PB_TONE_BAD},
    [PB_VERDICT_FAILED] = {1, PB_TONE_BAD},
    [PB_VERDICT_MISSING] = {2, PB_TONE_BAD},
    [PB_VERDICT_INVALID_RUN] = {3, PB_TONE_BAD},
    [PB_VERDICT_INCOMPARABLE] = {4, PB_TONE_WARN},
    [PB_VERDICT_INCONCLUSIVE] = {5, PB_TONE_WARN},
    [PB_VERDICT_INSUFFICIENT_HISTORY] = {6, PB_TONE_WARN},
    [PB_VERDICT_BELOW_RESOLUTION] = {7, PB_TONE_WARN},
    [PB_VERDICT_SKIPPED] = {8, PB_TONE_FAINT},
    [PB_VERDICT_ADDED] = {9, PB_TONE_PLAIN},
    [PB_VERDICT_IMPROVED] = {10, PB_TONE_GOOD},
    [PB_VERDICT_UNCHANGED] = {11, PB_TONE_PLAIN},
};

int pb_verdict_severity(enum pb_verdict verdict)
{
    return verdicts[verdict].severity;
}

enum pb_tone pb_verdict_tone(enum pb_verdict verdict)
{
    return verdicts[verdict].tone;
}

static int compare_findings(const void *left, const void *right)
{
    const struct pb_finding *a = left;
    const struct pb_finding *b = right;
    int order = pb_verdict_severity(a->verdict) - pb_verdict_severity(b->verdict);
    order = order != 0 ? order : strcmp(a->name, b->name);
    order = order != 0 ? order : strcmp(a->gate, b->gate);
    return order != 0 ? order : strcmp(a->metric, b->metric);
}

void pb_findings_sort(struct pb_finding *findings, size_t n)
{
    if (n > 0) {
        qsort(findings, n, sizeof *findings, compare_findings);
    }
}

struct pb_finding *pb_findings_sorted(struct pb_arena *arena, const struct pb_finding *findings,
                                      size_t n)
{
    struct pb_finding *sorted = pb_arena_array(arena, n, sizeof *sorted);
    if (n > 0) {
        memcpy(sorted, findings, n * sizeof *sorted);
    }
    pb_findings_sort(sorted, n);
    return sorted;
}

void pb_verdicts_count(struct pb_verdict_counts *counts, enum pb_verdict verdict)
{
    counts->n[verdict]++;
    counts->total++;
}

void pb_verdicts_add_summary(struct pb_strbuf *buf, const struct pb_verdict_counts *counts)
{
    const char *separator = "";
    for (int severity = 0; severity < PB_VERDICTS; severity++) {
        for (int verdict = 0; verdict < PB_VERDICTS; verdict++) {
            if (verdicts[verdict].severity == severity && counts->n[verdict] > 0) {
                pb_strbuf_addf(buf, "%s%zu %s", separator, counts->n[verdict],
                               pb_verdict_name((enum pb_verdict)verdict));
                separator = ", ";
            }
        }
    }
}

void pb_findings_add_summary(struct pb_strbuf *buf, const struct pb_finding *findings, size_t n)
{
    struct pb_verdict_counts counts = {0};
    for (size_t i = 0; i < n; i++) {
        pb_verdicts_count(&counts, findings[i].verdict);
    }
    if (n == 0) {
        pb_strbuf_adds(buf, "nothing to check");
    }
    pb_verdicts_add_summary(buf, &counts);
}

/* A count's change: how many more, and in percent of what there was. */
static void add_count_change(struct pb_strbuf *buf, const struct pb_finding *finding)
{
    const double difference = finding->now - finding->baseline;
    if (difference > 0) {
        pb_strbuf_addc(buf, '+');
    }
    pb_quantity_add_number(buf, difference);
    pb_strbuf_adds(buf, " (");
    pb_quantity_add_change(buf, finding->change_pct);
    pb_strbuf_addc(buf, ')');
}

void pb_finding_add_change(struct pb_strbuf *buf, const struct pb_finding *finding)
{
    const bool both = isfinite(finding->baseline) && isfinite(finding->now);
    if (both && finding->now == finding->baseline) {
        pb_strbuf_adds(buf, "=");
    } else if (both && (strcmp(finding->gate, "counts") == 0 || isinf(finding->change_pct))) {
        add_count_change(buf, finding);
    } else {
        pb_quantity_add_change(buf, finding->change_pct);
    }
    if (isfinite(finding->lo_pct) && isfinite(finding->hi_pct)) {
        pb_strbuf_adds(buf, " [");
        pb_quantity_add_change(buf, finding->lo_pct);
        pb_strbuf_adds(buf, ", ");
        pb_quantity_add_change(buf, finding->hi_pct);
        pb_strbuf_addc(buf, ']');
    }
}

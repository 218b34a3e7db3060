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

static const char word_of_warning[] = "regressed (warning)";
static const char word_of_waived[] = "regressed (waived)";

bool pb_finding_is_let_pass(const struct pb_finding *finding)
{
    return finding->verdict == PB_VERDICT_REGRESSED &&
           (finding->warns || finding->waived_until != NULL);
}

const char *pb_finding_word(const struct pb_finding *finding)
{
    if (!pb_finding_is_let_pass(finding)) {
        return pb_verdict_name(finding->verdict);
    }
    return finding->waived_until != NULL ? word_of_waived : word_of_warning;
}

enum pb_tone pb_finding_tone(const struct pb_finding *finding)
{
    return pb_finding_is_let_pass(finding) ? PB_TONE_WARN : pb_verdict_tone(finding->verdict);
}

/* Those that are let pass come between the verdicts that may fail a check and the others. */
static int severity_of(const struct pb_finding *finding)
{
    return pb_finding_is_let_pass(finding) ? 2 * pb_verdict_severity(PB_VERDICT_INVALID_RUN) + 1
                                           : 2 * pb_verdict_severity(finding->verdict);
}

static int compare_findings(const void *left, const void *right)
{
    const struct pb_finding *a = left;
    const struct pb_finding *b = right;
    int order = severity_of(a) - severity_of(b);
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

struct pb_finding_counts pb_findings_count(const struct pb_finding *findings, size_t n)
{
    struct pb_finding_counts counts = {0};
    for (size_t i = 0; i < n; i++) {
        if (!pb_finding_is_let_pass(&findings[i])) {
            pb_verdicts_count(&counts.verdicts, findings[i].verdict);
        } else if (findings[i].waived_until != NULL) {
            counts.n_waived++;
        } else {
            counts.n_warnings++;
        }
    }
    return counts;
}

static void add_some(struct pb_strbuf *buf, const char **separator, size_t n, const char *word)
{
    if (n > 0) {
        pb_strbuf_addf(buf, "%s%zu %s", *separator, n, word);
        *separator = ", ";
    }
}

/* The counts of the verdicts from one severity up to another, without that. */
static void add_range(struct pb_strbuf *buf, const char **separator,
                      const struct pb_verdict_counts *counts, int from, int to)
{
    for (int severity = from; severity < to; severity++) {
        for (int verdict = 0; verdict < PB_VERDICTS; verdict++) {
            if (verdicts[verdict].severity == severity) {
                add_some(buf, separator, counts->n[verdict],
                         pb_verdict_name((enum pb_verdict)verdict));
            }
        }
    }
}

void pb_verdicts_add_summary(struct pb_strbuf *buf, const struct pb_verdict_counts *counts)
{
    const char *separator = "";
    add_range(buf, &separator, counts, 0, PB_VERDICTS);
}

void pb_findings_add_summary(struct pb_strbuf *buf, const struct pb_finding *findings, size_t n)
{
    const struct pb_finding_counts counts = pb_findings_count(findings, n);
    if (n == 0) {
        pb_strbuf_adds(buf, "nothing to check");
    }
    const char *separator = "";
    const int behind_failures = pb_verdict_severity(PB_VERDICT_INVALID_RUN) + 1;
    add_range(buf, &separator, &counts.verdicts, 0, behind_failures);
    add_some(buf, &separator, counts.n_warnings, word_of_warning);
    add_some(buf, &separator, counts.n_waived, word_of_waived);
    add_range(buf, &separator, &counts.verdicts, behind_failures, PB_VERDICTS);
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

/* SPDX-License-Identifier: Apache-2.0
 *
 * Text, Markdown and JSON say the same of a side, a change and a reason because they ask here.
 */
#include "output/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/quantity.h"

enum { SHOWN_DIGITS = 12 };

static int compare_items(const void *left, const void *right)
{
    const struct pb_compared *a = left;
    const struct pb_compared *b = right;
    const int order = pb_verdict_severity(a->pair.verdict) - pb_verdict_severity(b->pair.verdict);
    if (order != 0) {
        return order;
    }
    const double size_a = isfinite(a->pair.estimate) ? fabs(a->pair.estimate) : -1;
    const double size_b = isfinite(b->pair.estimate) ? fabs(b->pair.estimate) : -1;
    return size_a != size_b ? (size_a < size_b) - (size_a > size_b) : strcmp(a->name, b->name);
}

void pb_comparison_sort(struct pb_comparison *comparison)
{
    if (comparison->n > 0) {
        qsort(comparison->items, comparison->n, sizeof *comparison->items, compare_items);
    }
}

struct pb_verdict_counts pb_comparison_verdicts(const struct pb_comparison *comparison)
{
    struct pb_verdict_counts counts = {0};
    for (size_t i = 0; i < comparison->n; i++) {
        pb_verdicts_count(&counts, comparison->items[i].pair.verdict);
    }
    return counts;
}

void pb_compared_side_add(struct pb_strbuf *buf, const struct pb_compared_side *side)
{
    switch (side->kind) {
    case PB_COMPARED_FILE:
        pb_strbuf_adds(buf, side->name);
        break;
    case PB_COMPARED_TREE:
        pb_strbuf_adds(buf, "the working tree");
        if (side->commit[0] != '\0') {
            pb_strbuf_addf(buf, " at %.*s", SHOWN_DIGITS, side->commit);
        }
        pb_strbuf_adds(buf, side->dirty ? ", with changes" : "");
        break;
    case PB_COMPARED_COMMIT:
        if (strncmp(side->commit, side->name, strlen(side->name)) != 0) {
            pb_strbuf_addf(buf, "%s ", side->name);
        }
        pb_strbuf_addf(buf, "%.*s", SHOWN_DIGITS, side->commit);
        break;
    }
    if (side->subject[0] != '\0') {
        pb_strbuf_addf(buf, " (%s)", side->subject);
    }
}

static void add_commits(struct pb_strbuf *buf, long n)
{
    if (n < 0) {
        pb_strbuf_adds(buf, "an unknown number of commits");
    } else {
        pb_strbuf_addf(buf, "%ld commit%s", n, n == 1 ? "" : "s");
    }
}

void pb_merge_base_add(struct pb_strbuf *buf, const struct pb_merge_base *merge_base)
{
    if (merge_base->of == NULL) {
        return;
    }
    pb_strbuf_addf(buf, "merge base of %s: ", merge_base->of);
    add_commits(buf, merge_base->behind);
    pb_strbuf_adds(buf, " behind it, ");
    add_commits(buf, merge_base->ahead);
    pb_strbuf_adds(buf, " behind head");
}

void pb_compared_add_change(struct pb_strbuf *buf, const struct pb_compared *item)
{
    const struct pb_pair_record *pair = &item->pair;
    if (item->identical) {
        pb_strbuf_adds(buf, "identical");
        return;
    }
    pb_quantity_add_change(buf, pb_change_pct(pair->estimate));
    if (isfinite(pair->lo) && isfinite(pair->hi)) {
        pb_strbuf_adds(buf, " [");
        pb_quantity_add_change(buf, pb_change_pct(pair->lo));
        pb_strbuf_adds(buf, ", ");
        pb_quantity_add_change(buf, pb_change_pct(pair->hi));
        pb_strbuf_addc(buf, ']');
    }
}

/* What an inconclusive interval could have shown. */
static void add_provable(struct pb_strbuf *buf, const struct pb_pair_record *pair)
{
    const struct pb_interval interval = {pair->estimate, pair->lo, pair->hi};
    const double provable_pct = 100 * pb_provable_equivalence(interval);
    if (isfinite(provable_pct)) {
        pb_strbuf_addf(buf, "no change beyond ±%.2g %% could have been proven", provable_pct);
    }
}

/* The side whose state is not what it should be, when that is one of both. */
static void add_side_at_fault(struct pb_strbuf *buf, const struct pb_compared *item)
{
    const bool base = item->base != NULL && item->base->state != PB_STATE_OK;
    const bool head = item->head != NULL && item->head->state != PB_STATE_OK;
    if (base != head) {
        pb_strbuf_adds(buf, base ? "base " : "head ");
    }
}

void pb_compared_add_reason(struct pb_strbuf *buf, const struct pb_compared *item)
{
    const struct pb_pair_record *pair = &item->pair;
    const size_t before = buf->length;
    if (item->identical) {
        return;
    }
    if (pair->verdict == PB_VERDICT_FAILED || pair->verdict == PB_VERDICT_SKIPPED) {
        add_side_at_fault(buf, item);
    }
    if (pair->reason != NULL) {
        pb_strbuf_adds(buf, pair->reason);
    } else if (pair->verdict == PB_VERDICT_INCONCLUSIVE) {
        add_provable(buf, pair);
    }
    if (item->head != NULL && item->head->state == PB_STATE_OK && item->head->reason != NULL &&
        !item->head->below_resolution) {
        pb_strbuf_addf(buf, "%s%s (allowed)", buf->length > before ? "; " : "", item->head->reason);
    }
}

static bool are_both_well(const struct pb_compared *item)
{
    return item->base != NULL && item->head != NULL && item->base->state == PB_STATE_OK &&
           item->head->state == PB_STATE_OK;
}

size_t pb_compared_counts_max(const struct pb_compared *item)
{
    return are_both_well(item) ? item->base->n_counts + item->head->n_counts : 0;
}

size_t pb_compared_count_changes(const struct pb_compared *item, struct pb_count_change *changes)
{
    size_t n = 0;
    if (!are_both_well(item)) {
        return 0;
    }
    for (size_t i = 0; i < item->base->n_counts; i++) {
        const struct pb_count_record *base = &item->base->counts[i];
        const struct pb_count_record *head = pb_benchmark_count(item->head, base->name);
        const bool known = base->deterministic && (head == NULL || head->deterministic);
        const int64_t value = head != NULL ? head->value : 0;
        if (known && value != base->value) {
            changes[n++] = (struct pb_count_change){base->name, base->value, value};
        }
    }
    for (size_t i = 0; i < item->head->n_counts; i++) {
        const struct pb_count_record *head = &item->head->counts[i];
        if (head->deterministic && head->value != 0 &&
            pb_benchmark_count(item->base, head->name) == NULL) {
            changes[n++] = (struct pb_count_change){head->name, 0, head->value};
        }
    }
    return n;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows are appended worst first while they fit; room for the lines that close what was opened is
 * kept back from the beginning.
 */
#include "output/compare_markdown.h"

#include <math.h>

#include "base/arena.h"
#include "output/markdown.h"
#include "output/markdown_code.h"
#include "output/quantity.h"
#include "output/wording.h"

enum { LIMIT_MIN_BYTES = 4096, RESERVE_BYTES = 900 };

struct text {
    struct pb_strbuf *buf;
    const struct pb_comparison *comparison;
    size_t room; /* buf may grow to this many bytes before the closing lines */
    struct pb_strbuf scratch;
};

static void add_time(struct pb_strbuf *row, const struct pb_benchmark_record *benchmark)
{
    pb_strbuf_adds(row, " | ");
    pb_wording_time(row, benchmark);
}

static void make_row(struct text *text, struct pb_strbuf *row, const struct pb_compared *item)
{
    pb_strbuf_reset(row);
    pb_strbuf_addf(row, "| %s | ", pb_verdict_name(item->pair.verdict));
    pb_markdown_add_code(row, item->name);
    add_time(row, item->base);
    add_time(row, item->head);
    pb_strbuf_adds(row, " | ");
    pb_compared_add_change(row, item);
    pb_strbuf_adds(row, " | ");
    if (item->production != NULL) {
        pb_quantity_add_change(row, pb_change_pct(item->production->estimate));
    }
    pb_strbuf_addf(row, " | %zu | ", item->pair.n_launches);
    pb_strbuf_reset(&text->scratch);
    pb_compared_add_reason(&text->scratch, item);
    pb_markdown_add_code(row, text->scratch.text);
    pb_strbuf_adds(row, " |\n");
}

static const char heading[] =
    "\n| verdict | benchmark | base | head | change | as built | launches | |"
    "\n| --- | --- | ---: | ---: | --- | ---: | ---: | --- |\n";

/* Adds a table of the items from one on, as far as they fit. */
static void add_table(struct text *text, size_t from, size_t to)
{
    struct pb_strbuf row;
    pb_strbuf_init(&row);
    struct pb_verdict_counts cut = {0};
    pb_strbuf_adds(text->buf, from < to ? heading : "");
    for (size_t i = from; i < to; i++) {
        const struct pb_compared *item = &text->comparison->items[i];
        make_row(text, &row, item);
        if (cut.total > 0 || text->buf->length + row.length > text->room) {
            pb_verdicts_count(&cut, item->pair.verdict);
        } else {
            pb_strbuf_add(text->buf, row.text, row.length);
        }
    }
    if (cut.total > 0) {
        pb_strbuf_adds(text->buf, "\nCut here, not shown: ");
        pb_verdicts_add_summary(text->buf, &cut);
        pb_strbuf_adds(text->buf, ".\n");
        text->room = 0;
    }
    pb_strbuf_release(&row);
}

static void add_words(struct text *text, const char *before, const char *behind)
{
    pb_strbuf_adds(text->buf, before);
    pb_markdown_add_code(text->buf, text->scratch.text);
    pb_strbuf_adds(text->buf, behind);
    pb_strbuf_reset(&text->scratch);
}

static void add_heading(struct text *text)
{
    const struct pb_comparison *comparison = text->comparison;
    const struct pb_verdict_counts counts = pb_comparison_verdicts(comparison);
    pb_strbuf_adds(text->buf, "### pairbench: ");
    pb_verdicts_add_summary(text->buf, &counts);
    pb_strbuf_adds(text->buf, counts.total == 0 ? "nothing to compare" : "");
    pb_compared_side_add(&text->scratch, &comparison->head);
    add_words(text, "\n\n", " against ");
    pb_compared_side_add(&text->scratch, &comparison->base);
    add_words(text, "", "");
    pb_merge_base_add(&text->scratch, &comparison->merge_base);
    if (text->scratch.length > 0) {
        add_words(text, ", ", "");
    }
    pb_strbuf_addf(text->buf, "; margin %.3g %%, equivalence %.3g %%, ",
                   100 * comparison->margins.gate, 100 * comparison->margins.equivalence);
    pb_quantity_add_duration(text->buf, comparison->wall_s);
    pb_strbuf_adds(text->buf, ".\n");
    if (!comparison->run.valid) {
        pb_strbuf_adds(&text->scratch, comparison->run.invalid_reason != NULL
                                           ? comparison->run.invalid_reason
                                           : "no reason given");
        add_words(text, "\n**This run is invalid:** ", "\n");
    }
    if (comparison->run.injected) {
        pb_strbuf_adds(text->buf, "\n**Changes were injected into head:** this run tests the "
                                  "tool, not the code.\n");
    }
}

static void add_count_changes(struct text *text)
{
    struct pb_arena arena = {0};
    size_t cut = 0;
    for (size_t i = 0; i < text->comparison->n; i++) {
        const struct pb_compared *item = &text->comparison->items[i];
        struct pb_count_change *changes =
            pb_arena_array(&arena, pb_compared_counts_max(item), sizeof *changes);
        const size_t n = pb_compared_count_changes(item, changes);
        for (size_t k = 0; k < n; k++) {
            struct pb_strbuf row;
            pb_strbuf_init(&row);
            pb_strbuf_adds(&row, "\n- count ");
            pb_markdown_add_code(&row, item->name);
            pb_strbuf_addc(&row, ' ');
            pb_markdown_add_code(&row, changes[k].name);
            pb_strbuf_addf(&row, ": %lld → %lld", (long long)changes[k].base,
                           (long long)changes[k].head);
            const bool fits = cut == 0 && text->buf->length + row.length <= text->room;
            pb_strbuf_add(text->buf, row.text, fits ? row.length : 0);
            cut += !fits;
            pb_strbuf_release(&row);
        }
    }
    if (cut > 0) {
        pb_strbuf_addf(text->buf, "\n\nCut here, not shown: %zu changed counts.\n", cut);
        text->room = 0;
    }
    pb_strbuf_addc(text->buf, '\n');
    pb_arena_release(&arena);
}

/* How many items, from the worst on, call for a look. */
static size_t n_remarkable(const struct pb_comparison *comparison)
{
    size_t n = 0;
    while (n < comparison->n && comparison->items[n].pair.verdict != PB_VERDICT_UNCHANGED) {
        n++;
    }
    return n;
}

void pb_compare_markdown_add(struct pb_strbuf *buf, const struct pb_comparison *comparison,
                             size_t limit_bytes)
{
    size_t limit = limit_bytes != 0 ? limit_bytes : PB_MARKDOWN_LIMIT_BYTES;
    limit = limit < LIMIT_MIN_BYTES ? LIMIT_MIN_BYTES : limit;
    struct text text = {
        .buf = buf, .comparison = comparison, .room = buf->length + limit - RESERVE_BYTES};
    pb_strbuf_init(&text.scratch);
    add_heading(&text);
    add_table(&text, 0, n_remarkable(comparison));
    add_count_changes(&text);
    if (comparison->n > 0) {
        pb_strbuf_addf(buf, "\n<details><summary>All %zu benchmarks</summary>\n", comparison->n);
        add_table(&text, 0, text.room > 0 ? comparison->n : 0);
        pb_strbuf_adds(buf, "\n</details>\n");
    }
    pb_strbuf_release(&text.scratch);
}

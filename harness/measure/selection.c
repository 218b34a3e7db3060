/* SPDX-License-Identifier: Apache-2.0
 *
 * Globs on names: '*' crosses '/', unlike in file names.
 */
#include "measure/selection.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "pairbench.h"

struct pb_selection pb_selection_none(const struct pb_catalog *catalog, struct pb_arena *arena)
{
    struct pb_selection selection = {0};
    selection.wanted = pb_arena_array(arena, catalog->n_cases, sizeof *selection.wanted);
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        selection.wanted[c] =
            pb_arena_array(arena, its_case->n_scenarios, sizeof *selection.wanted[c]);
        for (size_t s = 0; s < its_case->n_scenarios; s++) {
            selection.wanted[c][s] =
                pb_arena_array(arena, its_case->n_variants, sizeof *selection.wanted[c][s]);
        }
    }
    return selection;
}

bool pb_name_matches(const char *pattern, const char *case_name, const char *scenario,
                     const char *variant)
{
    struct pb_strbuf name;
    pb_strbuf_init(&name);
    pb_strbuf_adds(&name, case_name);
    bool matches = fnmatch(pattern, name.text, 0) == 0;
    pb_strbuf_addf(&name, "/%s", scenario);
    matches = matches || fnmatch(pattern, name.text, 0) == 0;
    pb_strbuf_addf(&name, "/%s", variant);
    matches = matches || fnmatch(pattern, name.text, 0) == 0;
    pb_strbuf_release(&name);
    return matches;
}

const char *pb_name_glob(struct pb_arena *arena, const char *name)
{
    struct pb_strbuf glob;
    pb_strbuf_init(&glob);
    for (const char *at = name; *at != '\0'; at++) {
        if (strchr("*?[]\\", *at) != NULL) {
            pb_strbuf_addc(&glob, '\\');
        }
        pb_strbuf_addc(&glob, *at);
    }
    const char *copy = pb_arena_strdup(arena, glob.text);
    pb_strbuf_release(&glob);
    return copy;
}

/* Edit distance of a and b, both cut at 63 bytes. source: Wagner & Fischer 1974 */
static size_t distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    size_t row[MOST];
    const size_t n = strnlen(b, MOST - 1);
    for (size_t j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (size_t i = 0; i < MOST - 1 && a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            const size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            const size_t inserted = (row[j] < diagonal ? row[j] : diagonal) + 1;
            row[j + 1] = replaced < inserted ? replaced : inserted;
        }
    }
    return row[n];
}

static enum pb_code refuse_pattern(const struct pb_catalog *catalog, const char *pattern,
                                   struct pb_error *err)
{
    struct pb_strbuf nearest = {0};
    struct pb_strbuf name = {0};
    size_t least = (size_t)-1;
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        for (size_t i = 0; i <= its_case->n_scenarios; i++) {
            pb_strbuf_reset(&name);
            pb_strbuf_adds(&name, its_case->name);
            if (i > 0) {
                pb_strbuf_addf(&name, "/%s", its_case->scenarios[i - 1].name);
            }
            const size_t away = distance(pattern, name.text);
            if (away < least) {
                least = away;
                pb_strbuf_reset(&nearest);
                pb_text_add_escaped(&nearest, name.text);
            }
        }
    }
    pb_strbuf_reset(&name);
    pb_text_add_escaped(&name, pattern);
    pb_error_set(err, PB_ERR_USAGE,
                 "no benchmark matches '%s'; the nearest name is %s (`pairbench list` shows all)",
                 name.text, nearest.text != NULL ? nearest.text : "none");
    pb_strbuf_release(&name);
    pb_strbuf_release(&nearest);
    return PB_ERR_USAGE;
}

/* Marks what one pattern matches. returns: whether that was anything */
static bool mark(const struct pb_catalog *catalog, const char *pattern,
                 struct pb_selection *selection)
{
    bool any = false;
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        for (size_t i = 0; i < its_case->n_scenarios * its_case->n_variants; i++) {
            const size_t s = i / its_case->n_variants;
            const size_t v = i % its_case->n_variants;
            if (pb_name_matches(pattern, its_case->name, its_case->scenarios[s].name,
                                its_case->variants[v].name)) {
                selection->wanted[c][s][v] = true;
                any = true;
            }
        }
    }
    return any;
}

static void mark_default(const struct pb_catalog *catalog, struct pb_selection *selection)
{
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        for (size_t i = 0; i < its_case->n_scenarios * its_case->n_variants; i++) {
            const size_t s = i / its_case->n_variants;
            selection->wanted[c][s][i % its_case->n_variants] =
                (its_case->scenarios[s].flags & PAIRBENCH_SCENARIO_ON_REQUEST) == 0;
        }
    }
}

/* `old` is what the others are compared with; counts the scenarios on the way. */
static void complete(const struct pb_catalog *catalog, struct pb_selection *selection)
{
    selection->n_scenarios = 0;
    for (size_t c = 0; c < catalog->n_cases; c++) {
        for (size_t s = 0; s < catalog->cases[c].n_scenarios; s++) {
            bool any = false;
            for (size_t v = 0; v < catalog->cases[c].n_variants; v++) {
                any = any || selection->wanted[c][s][v];
            }
            selection->wanted[c][s][0] = any;
            selection->n_scenarios += any;
        }
    }
}

enum pb_code pb_selection_make(const struct pb_catalog *catalog, const char *const *patterns,
                               size_t n_patterns, struct pb_arena *arena,
                               struct pb_selection *selection, struct pb_error *err)
{
    struct pb_selection made = pb_selection_none(catalog, arena);
    if (n_patterns == 0) {
        mark_default(catalog, &made);
    }
    for (size_t i = 0; i < n_patterns; i++) {
        if (!mark(catalog, patterns[i], &made)) {
            return refuse_pattern(catalog, patterns[i], err);
        }
    }
    complete(catalog, &made);
    *selection = made;
    return PB_OK;
}

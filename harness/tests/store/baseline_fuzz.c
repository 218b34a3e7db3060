/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a baseline file: it is refused with a message, or it can be written, read again and
 * written to the same bytes.
 */
#include "store/baseline_format.h"
#include "store/baseline_parse.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds, const char *what, const struct pb_error *err)
{
    if (!holds) {
        fprintf(stderr, "%s: %s\n", what, err->message);
        abort();
    }
}

static void format(const struct pb_baseline *baseline, struct pb_strbuf *counts,
                   struct pb_strbuf *ratios)
{
    struct pb_error err = {0};
    demand(pb_baseline_format_counts(baseline, counts, &err) == PB_OK, "counts", &err);
    demand(pb_baseline_format_ratios(baseline, ratios, &err) == PB_OK, "ratios", &err);
}

static void parse(const char *text, size_t n, struct pb_arena *arena, struct pb_baseline *baseline)
{
    struct pb_error err = {0};
    demand(pb_baseline_parse("again", text, n, arena, baseline, &err) == PB_OK, "again", &err);
}

/* What was written must be read, and written again the same. */
static void check_writing(const struct pb_baseline *baseline, struct pb_arena *arena)
{
    struct pb_strbuf first[2] = {{0}, {0}};
    struct pb_strbuf second[2] = {{0}, {0}};
    struct pb_baseline again = {0};
    struct pb_error none = {0};
    format(baseline, &first[0], &first[1]);
    parse(first[0].text, first[0].length, arena, &again);
    parse(first[1].text, first[1].length, arena, &again);
    again.origin = baseline->origin;
    format(&again, &second[0], &second[1]);
    for (int i = 0; i < 2; i++) {
        demand(strcmp(first[i].text, second[i].text) == 0, "written differently", &none);
        pb_strbuf_release(&first[i]);
        pb_strbuf_release(&second[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pb_arena arena = {0};
    struct pb_baseline baseline = {0};
    struct pb_error err = {0};
    const char *text = pb_arena_memdup(&arena, data, size);
    if (pb_baseline_parse("input", text, size, &arena, &baseline, &err) == PB_OK) {
        check_writing(&baseline, &arena);
    } else {
        demand(err.message[0] != '\0', "no message", &err);
    }
    pb_arena_release(&arena);
    return 0;
}

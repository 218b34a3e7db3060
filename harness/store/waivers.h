/* SPDX-License-Identifier: Apache-2.0
 *
 * Waivers: regressions that are known and accepted for a while, with the reason and the day on
 * which that ends.
 *
 * They are a file of a baseline folder (see baseline_lines.h), kept by hand:
 *     {"schema":"pairbench-baseline/1","kind":"waivers"}
 *     {"name":"cql/batch/wide/new","gate":"ratio","at_most_pct":5,"until":"2026-02-28","reason":"…"}
 * A name is a pattern, as on the command line. `gate` (`ratio`, `counts`, `absolute`) and `metric`
 * limit a waiver to some findings, `at_most_pct` to changes that are not larger. Other keys than
 * these are refused: a misspelt limit would waive too much.
 */
#ifndef PB_STORE_WAIVERS_H
#define PB_STORE_WAIVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

#define PB_BASELINE_KIND_WAIVERS "waivers"

struct pb_waiver {
    const char *name;   /* shell glob                               */
    const char *gate;   /* NULL = any                               */
    const char *metric; /* NULL = any                               */
    double at_most_pct; /* INFINITY = however large the change is   */
    const char *until;  /* last day on which it holds, UTC          */
    const char *reason;
};

/* Zeroed, it waives nothing. */
struct pb_waivers {
    const struct pb_waiver *items;
    size_t n;
};

/*
 * Reads waivers, in their order.
 * name:   of the file, for messages
 * text:   n bytes
 * errors: PB_ERR_FORMAT, PB_ERR_LIMIT with file and line
 */
enum pb_code pb_waivers_parse(const char *name, const char *text, size_t n, struct pb_arena *arena,
                              struct pb_waivers *waivers, struct pb_error *err) PB_MUST_USE;

/* The same of a file. *waivers: empty when there is no such file. errors: PB_ERR_IO, as above */
enum pb_code pb_waivers_read(const char *path, struct pb_arena *arena, struct pb_waivers *waivers,
                             struct pb_error *err) PB_MUST_USE;

/* Whether a waiver holds at a time, seconds since 1970 in UTC: until the end of its last day. */
bool pb_waiver_holds(const struct pb_waiver *waiver, int64_t time);

#endif

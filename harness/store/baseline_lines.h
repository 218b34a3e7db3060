/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON Lines as all files of a baseline folder are: one object a line, the first a header that says
 * what the others are. What comes from a file is not trusted: every size has a limit, and every
 * message begins with FILE:LINE.
 *
 * Texts are escaped (base/text.h) before they become JSON strings, so that names that are not UTF-8
 * survive. Keys that are not known are passed over, so that a later pairbench can add some; another
 * schema is refused.
 */
#ifndef PB_STORE_BASELINE_LINES_H
#define PB_STORE_BASELINE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

#define PB_BASELINE_SCHEMA "pairbench-baseline/1"

enum {
    PB_BASELINE_BYTES_MAX = 16 << 20,
    PB_BASELINE_LINES_MAX = 20000,
    PB_BASELINE_LINE_BYTES_MAX = 64 << 10,
    PB_BASELINE_DEPTH_MAX = 8,
};

struct json_object;
struct json_tokener;

/* A file that is being read. */
struct pb_baseline_lines {
    const char *file; /* for messages                    */
    size_t line;      /* of the object read last, from 1 */
    struct pb_arena *arena;
    struct pb_error *err;
    const char *at;
    const char *end;
    struct json_tokener *tokener;
    struct json_object *object; /* read last */
};

/* text: n bytes; borrowed, as is everything else, until _end */
void pb_baseline_lines_begin(struct pb_baseline_lines *lines, const char *file, const char *text,
                             size_t n, struct pb_arena *arena, struct pb_error *err);

void pb_baseline_lines_end(struct pb_baseline_lines *lines);

/*
 * Reads the next line.
 * *object: valid until the next call; NULL at the end of the file
 * errors:  PB_ERR_FORMAT, with file and line, also for an empty file; PB_ERR_LIMIT, with the limit
 */
enum pb_code pb_baseline_lines_next(struct pb_baseline_lines *lines,
                                    struct json_object **object) PB_MUST_USE;

/*
 * Reads the first line: schema and kind.
 * kinds:  n_kinds that will do
 * *kind:  index of the one that it is
 * errors: as above
 */
enum pb_code pb_baseline_lines_header(struct pb_baseline_lines *lines, const char *const *kinds,
                                      size_t n_kinds, size_t *kind,
                                      struct json_object **header) PB_MUST_USE;

/*
 * Takes one line. context: of the caller
 * returns: PB_OK, or what pb_baseline_lines_fail() returned
 */
typedef enum pb_code pb_baseline_take_line(struct pb_baseline_lines *lines,
                                           struct json_object *object, void *context);

/*
 * Reads a whole file of one kind, from _begin to _end.
 * errors: as above, and those of take
 */
enum pb_code pb_baseline_lines_all(struct pb_baseline_lines *lines, const char *kind,
                                   pb_baseline_take_line *take, void *context) PB_MUST_USE;

/* Fills the error with FILE:LINE and what is wrong, printf-style. returns: PB_ERR_FORMAT */
enum pb_code pb_baseline_lines_fail(const struct pb_baseline_lines *lines, const char *format, ...)
    PB_PRINTF(2, 3);

/* A text out of the file in the form that a terminal can show. */
const char *pb_baseline_lines_shown(const struct pb_baseline_lines *lines, const char *text);

/* Undoes the escaping of a text. returns: NULL when it is not escaped as it should be */
const char *pb_baseline_lines_unescape(const struct pb_baseline_lines *lines, const char *escaped);

/* The text of a JSON string, not escaped any more; NULL when value is none. */
const char *pb_baseline_lines_text(const struct pb_baseline_lines *lines,
                                   struct json_object *value);

/* A member that must be a string. errors: PB_ERR_FORMAT */
enum pb_code pb_baseline_lines_take_text(const struct pb_baseline_lines *lines,
                                         struct json_object *object, const char *key,
                                         const char **text) PB_MUST_USE;

/* The same that may be missing: *text is then NULL. */
enum pb_code pb_baseline_lines_take_optional(const struct pb_baseline_lines *lines,
                                             struct json_object *object, const char *key,
                                             const char **text) PB_MUST_USE;

/* A member that must be a day, YYYY-MM-DD. errors: PB_ERR_FORMAT */
enum pb_code pb_baseline_lines_take_day(const struct pb_baseline_lines *lines,
                                        struct json_object *object, const char *key,
                                        const char **day) PB_MUST_USE;

/* An integer from 0 to max. returns: false when value is anything else */
bool pb_baseline_lines_integer(struct json_object *value, int64_t max, int64_t *number);

/* A number; NaN when value is none. */
double pb_baseline_lines_number(struct json_object *value);

#endif

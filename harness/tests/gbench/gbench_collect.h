/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of gbench share: a report function that keeps copies, and captured output.
 */
#ifndef PB_TEST_GBENCH_COLLECT_H
#define PB_TEST_GBENCH_COLLECT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <cmocka.h>

#include "gbench.h"

enum {
    RESULTS_MAX = 64,
    TEXT_BYTES = 96,
    COUNTERS_MAX = 8,
};

/* A result whose pointers stay valid: they point into this. */
struct kept_result {
    struct gb_result result;
    char name[TEXT_BYTES];
    char error[TEXT_BYTES];
    char label[TEXT_BYTES];
    char aggregate[TEXT_BYTES];
    struct gb_counter counters[COUNTERS_MAX];
    char counter_names[COUNTERS_MAX][TEXT_BYTES];
};

struct collection {
    size_t n;
    struct kept_result items[RESULTS_MAX];
};

static inline const char *keep_text(char *to, const char *from)
{
    if (from == NULL) {
        return NULL;
    }
    assert_true(strlen(from) < TEXT_BYTES);
    return strcpy(to, from);
}

/* A gb_report; the payload is a struct collection. */
static inline void collect(const struct gb_result *result, void *payload)
{
    struct collection *all = payload;
    assert_true(all->n < RESULTS_MAX);
    assert_true(result->n_counters <= COUNTERS_MAX);
    struct kept_result *kept = &all->items[all->n++];
    kept->result = *result;
    kept->result.name = keep_text(kept->name, result->name);
    kept->result.error = keep_text(kept->error, result->error);
    kept->result.label = keep_text(kept->label, result->label);
    kept->result.aggregate_name = keep_text(kept->aggregate, result->aggregate_name);
    for (size_t i = 0; i < result->n_counters; i++) {
        kept->counters[i] = result->counters[i];
        kept->counters[i].name = keep_text(kept->counter_names[i], result->counters[i].name);
    }
    kept->result.counters = kept->counters;
}

/* That two numbers agree to within rounding. */
static inline void assert_close(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-9 * fabs(b));
}

/* Sends stdout or stderr to a file until captured() says how many bytes came. */
struct capture {
    FILE *stream;
    FILE *file;
    int saved;
};

static inline struct capture capture(FILE *stream)
{
    struct capture now = {.stream = stream, .file = tmpfile()};
    assert_non_null(now.file);
    fflush(stream);
    now.saved = dup(fileno(stream));
    assert_true(now.saved >= 0);
    assert_true(dup2(fileno(now.file), fileno(stream)) >= 0);
    return now;
}

static inline off_t captured(struct capture *capture)
{
    fflush(capture->stream);
    assert_true(dup2(capture->saved, fileno(capture->stream)) >= 0);
    close(capture->saved);
    const off_t n = lseek(fileno(capture->file), 0, SEEK_END);
    fclose(capture->file);
    return n;
}

#endif

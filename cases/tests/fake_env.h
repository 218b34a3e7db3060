/* SPDX-License-Identifier: Apache-2.0
 *
 * A harness small enough for a test: an arena, the last message, the counts.
 */
#ifndef CASES_TESTS_FAKE_ENV_H
#define CASES_TESTS_FAKE_ENV_H

#include <stdbool.h>

#include "pairbench.h"

#define FAKE_MAX_COUNTS 8

struct fake_count {
    char name[64];
    int64_t value;
};

struct fake_env {
    struct pb_env env; /* give this to the variant                                              */
    unsigned char *arena;
    size_t used;
    size_t n_allocs;
    size_t fail_at; /* the alloc that fails, from 0; SIZE_MAX for none                          */
    void *output;   /* of the last run, output_size bytes                                       */
    size_t output_size;
    bool skipped;      /* the last variant said that it can't be measured here                 */
    char message[256]; /* of the last fail or skip                                              */
    struct fake_count counts[FAKE_MAX_COUNTS];
    size_t n_counts;
};

void fake_env_init(struct fake_env *fake);
void fake_env_release(struct fake_env *fake);

/* Gives the arena back; what was in it is overwritten. */
void fake_env_reset(struct fake_env *fake);

/* returns: the count; -1 when there is none of that name */
int64_t fake_env_count(const struct fake_env *fake, const char *name);

/*
 * Opens a variant on a scenario, runs it n times and takes its output and counts.
 * returns: whether all of that worked; the message is in fake
 */
bool fake_env_run(struct fake_env *fake, const struct pb_variant *variant,
                  const struct pb_scenario *scenario, uint64_t n);

/* What the last run produced; valid until the next. */
static inline struct pb_bytes fake_env_output(const struct fake_env *fake)
{
    return (struct pb_bytes){fake->output, fake->output_size};
}

#endif

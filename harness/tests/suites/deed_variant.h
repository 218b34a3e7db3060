/* SPDX-License-Identifier: Apache-2.0
 *
 * Variants that behave, and the same ones doing the deed that their scenario's input is.
 */
#ifndef PB_TESTS_DEED_VARIANT_H
#define PB_TESTS_DEED_VARIANT_H

#include "pairbench.h"

int deed_setup(struct pb_env *env, const struct pb_scenario *scenario, void **shared);
int deed_open_good(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                   void **opened);
int deed_open_bad(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                  void **opened);
int deed_run(void *opened, uint64_t n);
int deed_output(void *opened, struct pb_bytes *bytes);
int deed_counts(void *opened, struct pb_env *env);
void deed_close(void *opened);
void deed_teardown(void *shared);

#define GOOD_VARIANT(its_name)                                                                     \
    {                                                                                              \
        .name = (its_name), .summary = "behaves", .open = deed_open_good, .run = deed_run,         \
        .output = deed_output, .counts = deed_counts, .close = deed_close,                         \
    }
#define BAD_VARIANT(its_name)                                                                      \
    {                                                                                              \
        .name = (its_name), .summary = "does a bad deed", .setup = deed_setup,                     \
        .open = deed_open_bad, .run = deed_run, .output = deed_output, .counts = deed_counts,      \
        .close = deed_close, .teardown = deed_teardown,                                            \
    }

#define N_ITEMS(array) (sizeof(array) / sizeof(array)[0])

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether this machine is fit to measure on, as plain data and as text.
 */
#ifndef PB_OUTPUT_DOCTOR_TEXT_H
#define PB_OUTPUT_DOCTOR_TEXT_H

#include <stddef.h>

#include "base/strbuf.h"
#include "output/style.h"
#include "provenance/noise.h"

/* One side measured against itself. */
struct pb_doctor_floor {
    const char *name;   /* CASE/SCENARIO/VARIANT; NULL = none could be measured */
    const char *reason; /* why there is no floor; NULL = there is one           */
    size_t n_launches;
    double wall_s;
    double estimate; /* log ratio of the side to itself; NaN without launches         */
    double lo;       /* its interval, log; infinite when there is none                */
    double hi;
    double floor; /* smallest difference that can be told from none, log              */
};

struct pb_doctor_record {
    const struct pb_noise_item *items;
    size_t n_items;
    const struct pb_doctor_floor *floor; /* NULL = not asked for */
};

/*
 * Appends the text: a table of what disturbs measuring, what to do about it, and the noise floor in
 * words. With -q what is wrong and the floor alone.
 */
void pb_doctor_text_add(struct pb_strbuf *buf, const struct pb_doctor_record *record,
                        const struct pb_style *style);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks of a look are those that it has among all looks of the plan, the later ones included:
 * the interval after 16 launches must leave some probability of a miss to those after 24 to 96.
 */
#include "measure/looks.h"

#include <string.h>

static const unsigned adaptive[] = {16, 24, 40, 64, 96};
enum { N_ADAPTIVE = sizeof adaptive / sizeof adaptive[0] };

struct pb_looks pb_looks_make(uint32_t launches, uint32_t least)
{
    struct pb_looks looks = {
        .fixed = launches != 0,
        .margins = {.gate = PB_GATE_MARGIN, .equivalence = PB_EQUIVALENCE_MARGIN},
        .change_level = PB_INTERVAL_LEVEL,
    };
    if (looks.fixed) {
        looks.at[0] = launches;
        looks.n = 1;
        return looks;
    }
    for (size_t i = 0; i < N_ADAPTIVE; i++) {
        if (adaptive[i] >= least || i == N_ADAPTIVE - 1) {
            looks.at[looks.n++] = adaptive[i];
        }
    }
    return looks;
}

uint32_t pb_looks_last(const struct pb_looks *looks)
{
    return looks->at[looks->n - 1];
}

bool pb_looks_has(const struct pb_looks *looks, uint32_t n)
{
    for (size_t i = 0; i < looks->n; i++) {
        if (looks->at[i] == n) {
            return true;
        }
    }
    return false;
}

enum pb_code pb_looks_rank(const struct pb_looks *looks, uint32_t n, unsigned *rank,
                           struct pb_error *err)
{
    return pb_looks_rank_at(looks, PB_INTERVAL_LEVEL, n, rank, err);
}

enum pb_code pb_looks_rank_at(const struct pb_looks *looks, double level, uint32_t n,
                              unsigned *rank, struct pb_error *err)
{
    unsigned at[PB_LOOKS_MAX + 1] = {n};
    unsigned ranks[PB_LOOKS_MAX + 1];
    size_t n_at = 0;
    size_t place = 0;
    for (size_t i = 0; i < looks->n && !looks->fixed; i++) {
        at[n_at++] = looks->at[i];
        place += looks->at[i] < n;
    }
    if (place == n_at || at[place] != n) { /* a look that was not planned joins the others */
        memmove(at + place + 1, at + place, (n_at - place) * sizeof *at);
        at[place] = n;
        n_at++;
    }
    const enum pb_code code = pb_interval_ranks(at, n_at, level, ranks, NULL, err);
    if (code == PB_OK) {
        *rank = ranks[place];
    }
    return code;
}

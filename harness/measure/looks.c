/* SPDX-License-Identifier: Apache-2.0
 *
 * The looks that were really taken are those before n, and n.
 */
#include "measure/looks.h"

static const unsigned adaptive[] = {16, 24, 40, 64, 96};
enum { N_ADAPTIVE = sizeof adaptive / sizeof adaptive[0] };

struct pb_looks pb_looks_make(uint32_t launches)
{
    struct pb_looks looks = {.fixed = launches != 0};
    if (looks.fixed) {
        looks.at[0] = launches;
        looks.n = 1;
        return looks;
    }
    for (size_t i = 0; i < N_ADAPTIVE; i++) {
        looks.at[looks.n++] = adaptive[i];
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
    unsigned taken[PB_LOOKS_MAX + 1];
    unsigned ranks[PB_LOOKS_MAX + 1];
    size_t n_taken = 0;
    while (n_taken < looks->n && looks->at[n_taken] < n) {
        taken[n_taken] = looks->at[n_taken];
        n_taken++;
    }
    if (n_taken == PB_LOOKS_MAX) {
        n_taken--;
    }
    taken[n_taken++] = n;
    const enum pb_code code =
        pb_interval_ranks(taken, n_taken, PB_INTERVAL_LEVEL, ranks, NULL, err);
    if (code == PB_OK) {
        *rank = ranks[n_taken - 1];
    }
    return code;
}

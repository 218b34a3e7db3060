/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks by an exact count of coin tosses.
 *
 * A look with rank r misses when fewer than r of its coins show one side. For a given per-look
 * level the rank of each look is the largest whose own miss probability stays within it. Whether
 * the looks together stay within the overall level is found by walking through the tosses with the
 * distribution of heads, taking out what has missed at each look. Raising the per-look level only
 * raises ranks, so the largest one that holds is found by bisection over the finitely many levels
 * at which a rank changes.
 */
#include "stats/interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/summary.h"

struct search {
    const unsigned *looks;
    size_t n_looks;
    size_t stride; /* of alone                                                       */
    double *alone; /* [look * stride + rank]: probability that this look alone misses */
    double *heads; /* [h]: probability of h heads so far and of no miss yet           */
};

/* Highest rank that an interval over n launches can have. */
static unsigned rank_limit(unsigned n)
{
    return (n + 1) / 2;
}

static void start(double *heads, unsigned n_max)
{
    memset(heads, 0, ((size_t)n_max + 1) * sizeof *heads);
    heads[0] = 1;
}

/* Goes from `from` to `to` tosses of a fair coin. */
static void toss(double *heads, unsigned from, unsigned to)
{
    for (unsigned n = from; n < to; n++) {
        for (unsigned h = n + 1; h > 0; h--) {
            heads[h] = 0.5 * (heads[h] + heads[h - 1]);
        }
        heads[0] *= 0.5;
    }
}

static void fill_alone(struct search *search)
{
    const unsigned n_max = search->looks[search->n_looks - 1];
    start(search->heads, n_max);
    for (size_t k = 0; k < search->n_looks; k++) {
        const unsigned n = search->looks[k];
        double *alone = search->alone + k * search->stride;
        toss(search->heads, k > 0 ? search->looks[k - 1] : 0, n);
        alone[0] = 0;
        for (unsigned r = 1; r <= rank_limit(n); r++) {
            alone[r] = alone[r - 1] + 2 * search->heads[r - 1];
        }
    }
}

/* Largest ranks whose looks, each alone, miss with at most this probability (below 1). */
static void ranks_at(const struct search *search, double per_look, unsigned *ranks)
{
    for (size_t k = 0; k < search->n_looks; k++) {
        const double *alone = search->alone + k * search->stride;
        unsigned r = 0;
        while (r < rank_limit(search->looks[k]) && alone[r + 1] <= per_look) {
            r++;
        }
        ranks[k] = r;
    }
}

/* The smallest per-look level above which a rank changes, and the one that these ranks use up. */
static double next_level(const struct search *search, const unsigned *ranks)
{
    double next = INFINITY;
    for (size_t k = 0; k < search->n_looks; k++) {
        if (ranks[k] < rank_limit(search->looks[k])) {
            next = fmin(next, search->alone[k * search->stride + ranks[k] + 1]);
        }
    }
    return next;
}

static double used_level(const struct search *search, const unsigned *ranks)
{
    double used = 0;
    for (size_t k = 0; k < search->n_looks; k++) {
        used = fmax(used, search->alone[k * search->stride + ranks[k]]);
    }
    return used;
}

/* Probability that any look misses. */
static double miss_probability(struct search *search, const unsigned *ranks)
{
    double *heads = search->heads;
    double missed = 0;
    start(heads, search->looks[search->n_looks - 1]);
    for (size_t k = 0; k < search->n_looks; k++) {
        const unsigned n = search->looks[k];
        toss(heads, k > 0 ? search->looks[k - 1] : 0, n);
        for (unsigned h = 0; h < ranks[k]; h++) {
            missed += heads[h] + heads[n - h];
            heads[h] = heads[n - h] = 0;
        }
    }
    return missed;
}

/*
 * Bisection. `held` is a per-look level that keeps the overall one (0 does), `broken` one that does
 * not. returns: the overall level of the ranks found
 */
static double find_ranks(struct search *search, double level, unsigned *ranks)
{
    unsigned tried[PB_LOOKS_MAX];
    ranks_at(search, level, ranks);
    double reached = miss_probability(search, ranks);
    if (reached <= level) {
        return reached;
    }
    double held = 0;
    double broken = used_level(search, ranks);
    ranks_at(search, held, ranks);
    reached = miss_probability(search, ranks);
    for (;;) {
        const double next = next_level(search, ranks);
        if (next >= broken) {
            return reached;
        }
        const double per_look = fmax(next, 0.5 * (held + broken));
        ranks_at(search, per_look, tried);
        const double missed = miss_probability(search, tried);
        if (missed <= level) {
            held = per_look;
            reached = missed;
            memcpy(ranks, tried, search->n_looks * sizeof *ranks);
        } else {
            broken = used_level(search, tried);
        }
    }
}

static enum pb_code check_looks(const unsigned *looks, size_t n_looks, double level,
                                struct pb_error *err)
{
    if (n_looks == 0 || n_looks > PB_LOOKS_MAX) {
        return pb_error_set(err, PB_ERR_USAGE, "%zu looks: there must be 1 to %d", n_looks,
                            PB_LOOKS_MAX);
    }
    if (!(level > 0 && level < 1)) {
        return pb_error_set(err, PB_ERR_USAGE, "a level must be above 0 and below 1");
    }
    unsigned before = 0;
    for (size_t k = 0; k < n_looks; k++) {
        if (looks[k] <= before || looks[k] > PB_LAUNCHES_MAX) {
            return pb_error_set(err, PB_ERR_USAGE,
                                "look %zu after %u launches: looks must grow and end at %d", k + 1,
                                looks[k], PB_LAUNCHES_MAX);
        }
        before = looks[k];
    }
    return PB_OK;
}

enum pb_code pb_interval_ranks(const unsigned *looks, size_t n_looks, double level, unsigned *ranks,
                               double *exact, struct pb_error *err)
{
    const enum pb_code code = check_looks(looks, n_looks, level, err);
    if (code != PB_OK) {
        return code;
    }
    const size_t n_max = looks[n_looks - 1];
    struct search search = {.looks = looks, .n_looks = n_looks};
    search.stride = (size_t)rank_limit(looks[n_looks - 1]) + 1;
    search.heads = malloc((n_max + 1 + n_looks * search.stride) * sizeof *search.heads);
    if (search.heads == NULL) {
        return pb_error_set(err, PB_ERR_NOMEM, "no memory for the ranks of %zu launches", n_max);
    }
    search.alone = search.heads + n_max + 1;
    fill_alone(&search);
    const double reached = find_ranks(&search, level, ranks);
    if (exact != NULL) {
        *exact = reached;
    }
    free(search.heads);
    return PB_OK;
}

struct pb_interval pb_median_interval(double *d, size_t n, unsigned rank)
{
    pb_sort(d, n);
    struct pb_interval interval = {
        .estimate = pb_median_sorted(d, n), .lo = -INFINITY, .hi = INFINITY};
    if (rank >= 1 && rank <= (n + 1) / 2) {
        interval.lo = d[rank - 1];
        interval.hi = d[n - rank];
    }
    return interval;
}

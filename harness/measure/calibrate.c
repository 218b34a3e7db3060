/* SPDX-License-Identifier: Apache-2.0
 *
 * Probes grow tenfold at most, and the one that seems long enough is repeated, so that a probe that
 * was slow for another reason (page faults, a cold cache, another process) does not end the search.
 */
#include "measure/calibrate.h"

#include <math.h>

/* From here on a second round within a launch costs more than a further launch is worth. */
#define ONE_ROUND_SLICE_NS 4e6

/* And from here on a second timed slice. */
#define ONE_SLICE_NS 20e6

/*
 * Many short bursts: what the neighbours of a virtual machine do changes within milliseconds, so
 * that bursts differ by 3 to 6 percent whatever their length, and slices of one burst hardly at
 * all. Of two slices the faster one counts: the second, where the first still warms the caches. In
 * 144 launches of identical code the deviation of d was, with 28 rounds of 2 untimed and 2 timed
 * slices and with 56 of 2 timed ones, which take as long: 1.5 and 0.8 % (branches at random), 1.0
 * and 0.5 % (Thrift encoder), 1.1 and 0.8 % (CQL encoder), 0.9 and 0.7 % (1 MiB of blob); medians
 * of three.
 */
enum { ROUNDS = 56, LEAST_ROUNDS = 5, TIMED_SLICES = 2 };

/*
 * A slice of this length has warmed itself for most of its time, so that one is enough, and
 * another round tells more than another slice: with operations of 2 ms the deviation of d was 1.7 %
 * with 9 rounds of one slice and 2.3 % with 3 rounds of an untimed slice and the faster of two.
 */
#define WARM_SLICE_NS 1e6
enum { LEAST_LONG_ROUNDS = 9 };

/* Slices: no passing disturbance takes that long, and an operation that does is costly to repeat.
 */
#define TOO_LONG_TO_REPEAT 20

/* Probes that must not be faster than those before, and the most that are waited for. */
enum { SETTLED_PROBES = 8, SETTLING_PROBES_MAX = 40 };
#define SETTLED_SHARE 0.95

/*
 * Repeats slices until they get no faster. An operation that goes through more data than one slice
 * touches is several times slower at first, and a side that was calibrated in that state would get
 * too few iterations, and with them less warm-up than the one it is compared with.
 */
static double settle(pb_probe probe, void *context, double slice_ns, double operation_ns)
{
    int n_settled = 0;
    for (int i = 0; i < SETTLING_PROBES_MAX && n_settled < SETTLED_PROBES; i++) {
        const double wanted = fmin(ceil(slice_ns / operation_ns), (double)PB_ITERATIONS_MAX);
        const double elapsed_ns = probe(context, (uint64_t)wanted);
        if (elapsed_ns < 0) {
            return -1;
        }
        const double seen_ns = elapsed_ns / wanted;
        n_settled = seen_ns < SETTLED_SHARE * operation_ns ? 0 : n_settled + 1;
        operation_ns = seen_ns > 0 ? fmin(operation_ns, seen_ns) : operation_ns;
    }
    return operation_ns;
}

double pb_calibrate(pb_probe probe, void *context, double slice_ns)
{
    uint64_t n = 1;
    for (;;) {
        double elapsed_ns = probe(context, n);
        if (elapsed_ns >= slice_ns / 2 && elapsed_ns < TOO_LONG_TO_REPEAT * slice_ns) {
            elapsed_ns = fmin(elapsed_ns, probe(context, n));
        }
        if (elapsed_ns < 0) {
            return -1;
        }
        if (elapsed_ns >= slice_ns / 2) {
            const double operation_ns = elapsed_ns / (double)n;
            return operation_ns < slice_ns ? settle(probe, context, slice_ns, operation_ns)
                                           : operation_ns;
        }
        if (n >= PB_ITERATIONS_MAX) {
            return 0;
        }
        const double wanted = elapsed_ns > 0 ? (double)n * slice_ns / elapsed_ns : INFINITY;
        const double most = (double)n * 10;
        n = (uint64_t)ceil(wanted < most ? wanted : most);
        n = n > PB_ITERATIONS_MAX ? PB_ITERATIONS_MAX : n;
    }
}

/* Beside an operation that makes long slices, the others get slices of this share of theirs: as
 * many operations of a short one as it takes to be warm after the long one. */
#define SHORT_SLICE_SHARE   0.25
#define LONG_SHORT_SLICE_NS 1e6 /* and at most this */

static uint64_t iterations_for(double operation_ns, double slice_ns)
{
    const double n = round(slice_ns / operation_ns);
    return n < 1 ? 1 : n > (double)PB_ITERATIONS_MAX ? PB_ITERATIONS_MAX : (uint64_t)n;
}

/* What a launch spends on a side where slices are long: as 2 × ROUNDS slices of 50 µs. */
#define LONG_TIMED_NS (ROUNDS * TIMED_SLICES * 50e3)

static void plan_rounds(struct pb_slice_plan *plan, double shortest_ns, double longest_ns)
{
    plan->rounds = ROUNDS;
    plan->warm_slices = 0;
    plan->timed_slices = TIMED_SLICES;
    if (longest_ns <= PB_LONG_SLICE_NS) {
        return;
    }
    if (longest_ns > ONE_ROUND_SLICE_NS) {
        plan->rounds = 1;
        plan->warm_slices = 1;
        plan->timed_slices = longest_ns > ONE_SLICE_NS ? 1 : TIMED_SLICES;
        return;
    }
    double least = LEAST_ROUNDS;
    if (shortest_ns >= WARM_SLICE_NS) {
        plan->timed_slices = 1;
        least = LEAST_LONG_ROUNDS;
    }
    const double rounds = LONG_TIMED_NS / (longest_ns * plan->timed_slices);
    plan->rounds = (uint32_t)fmin(fmax(rounds, least), ROUNDS);
}

/* Raises iterations that are shared until the injected share of every side is whole. */
static void share_injections(struct pb_slice_plan *plan, const double *inject_pct, size_t n)
{
    uint64_t shared = plan->iterations[0];
    uint64_t before;
    do {
        before = shared;
        for (size_t i = 0; i < n; i++) {
            shared = pb_plan_injection(shared, inject_pct[i], &plan->executed[i]);
        }
    } while (shared != before);
    for (size_t i = 0; i < n; i++) {
        plan->iterations[i] = shared;
    }
}

struct pb_slice_plan pb_plan_slices(const double *operation_ns, const double *inject_pct, size_t n,
                                    double shared_by)
{
    struct pb_slice_plan plan = {0};
    double shortest = INFINITY;
    double longest = 0;
    for (size_t i = 0; i < n; i++) {
        shortest = fmin(shortest, operation_ns[i]);
        longest = fmax(longest, operation_ns[i]);
    }
    const bool shared = longest <= shared_by * shortest;
    const double slice_ns = fmax(PB_SLICE_NS, SHORT_SLICE_SHARE * longest);
    for (size_t i = 0; i < n; i++) {
        plan.iterations[i] =
            shared ? iterations_for(sqrt(shortest * longest), PB_SLICE_NS)
                   : iterations_for(operation_ns[i], fmin(slice_ns, LONG_SHORT_SLICE_NS));
        if (!shared) {
            plan.iterations[i] =
                pb_plan_injection(plan.iterations[i], inject_pct[i], &plan.executed[i]);
        }
    }
    if (shared) {
        share_injections(&plan, inject_pct, n);
    }
    double shortest_slice_ns = INFINITY;
    double longest_slice_ns = 0;
    for (size_t i = 0; i < n; i++) {
        const double its_slice_ns = operation_ns[i] * (double)plan.iterations[i];
        shortest_slice_ns = fmin(shortest_slice_ns, its_slice_ns);
        longest_slice_ns = fmax(longest_slice_ns, its_slice_ns);
    }
    plan_rounds(&plan, shortest_slice_ns, longest_slice_ns);
    return plan;
}

void pb_plan_more_rounds(struct pb_slice_plan *plan, const double *operation_ns, size_t n,
                         double setup_ns)
{
    double round_ns = 0;
    for (size_t i = 0; i < n; i++) {
        round_ns += operation_ns[i] * (double)plan->iterations[i] *
                    (plan->warm_slices + plan->timed_slices);
    }
    if (plan->rounds > 1 && round_ns > 0) {
        plan->rounds += (uint32_t)fmin(fmax(setup_ns / round_ns, 0), plan->rounds);
    }
}

uint64_t pb_plan_injection(uint64_t n, double pct, uint64_t *executed)
{
    enum { PER_PCT = 1000, WHOLE = 100 * PER_PCT };
    const int64_t share = llround(pct * PER_PCT); /* of WHOLE */
    uint64_t a = (uint64_t)(share < 0 ? -share : share);
    uint64_t b = WHOLE;
    while (a != 0) {
        const uint64_t rest = b % a;
        b = a;
        a = rest;
    }
    const uint64_t step = WHOLE / b;
    const uint64_t multiple = (n + step - 1) / step * step;
    *executed = (uint64_t)((int64_t)multiple + (int64_t)(multiple / step) * (share / (int64_t)b));
    return multiple;
}

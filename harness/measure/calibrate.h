/* SPDX-License-Identifier: Apache-2.0
 *
 * How many operations make a slice. Pure: the clock comes in as a function.
 */
#ifndef PB_MEASURE_CALIBRATE_H
#define PB_MEASURE_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Aim of a slice, ns: long beside the clock's resolution, short beside a timer tick. With 35 µs a
 * launch takes about 15 % less than with 50, so that more looks fit into a second, and the
 * half-width times the root of what a launch costs is the same: -8, 0, -6, +2, -1 % (five
 * benchmarks, six series of 96 launches each, interleaved). With 25 µs it is +3, +6, +13, -20, -11
 * %.
 */
#define PB_SLICE_NS 35e3

/*
 * A slice beyond this is long, and so is an operation that takes one by itself: its launches have
 * fewer rounds. Sides that share their iterations, and a number of them rounded to 1 or 2, come
 * near it without being long.
 */
#define PB_LONG_SLICE_NS 150e3

/*
 * An operation that would need more iterations than this for a slice takes no time that this
 * machine could tell from none (2 ps for 35 µs): the compiler has removed it.
 */
#define PB_ITERATIONS_MAX (UINT64_C(1) << 24)

/* Elapsed ns of n operations; negative when they failed. */
typedef double (*pb_probe)(void *context, uint64_t n);

/*
 * Time of one operation.
 * slice_ns: aim of a slice; the last probe lasts at least half as long
 * returns:  ns; 0 when it is below resolution; negative when a probe failed
 * cost:     about twelve slices, each probe being at most 10 times as long as the one before; up to
 * 32 more while an operation of less than a slice still gets faster
 */
double pb_calibrate(pb_probe probe, void *context, double slice_ns);

enum { PB_PLANNED_SIDES_MAX = 16 };

/* How the sides of a scenario are run. */
struct pb_slice_plan {
    uint64_t iterations[PB_PLANNED_SIDES_MAX]; /* per side, as reported               */
    uint64_t executed[PB_PLANNED_SIDES_MAX];   /* the same as done, differs if injected */
    uint32_t rounds;
    uint32_t warm_slices;
    uint32_t timed_slices;
};

/*
 * Sides share their number of iterations unless their operations differ by more than this: of
 * variants, and of two builds of one variant. Builds are rarely that different, but calibration may
 * see them so when one finds the heap as the other has left it, and a side that is run in longer
 * pieces is warmer.
 */
#define PB_SHARED_BY_VARIANTS 4.0
#define PB_SHARED_BY_BUILDS   64.0

/*
 * Iterations of every side: the same for all where operations are within a factor of each other.
 * Slices that can't be short, since a single operation is long or an injection needs many of them,
 * make fewer rounds.
 * operation_ns: n positive times
 * inject_pct:   n shares of work that are executed but not reported, see pb_plan_injection()
 * n:            1..PB_PLANNED_SIDES_MAX
 * shared_by:    the factor
 */
struct pb_slice_plan pb_plan_slices(const double *operation_ns, const double *inject_pct, size_t n,
                                    double shared_by);

/*
 * Adds rounds to a plan of more than one when sides take long to set up: about as much time goes
 * into them as into setting up, and at most as much as into the rounds planned before.
 * operation_ns: of the n sides of the plan
 * setup_ns:     of all of them
 */
void pb_plan_more_rounds(struct pb_slice_plan *plan, const double *operation_ns, size_t n,
                         double setup_ns);

/*
 * Smallest multiple of n for which `pct` percent of it is a whole number (pct is taken to
 * 1/1000 of a percent).
 * executed: out, n plus that share of it
 * returns:  the multiple
 */
uint64_t pb_plan_injection(uint64_t n, double pct, uint64_t *executed);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction pass: how many instructions one operation of every side takes.
 *
 * Counts do not shake with the machine, so a change of a tenth of a percent is seen at once; they
 * are blind to caches, branches and layout, which is why they stand beside times and not for them.
 * A launch of its own counts all sides of a scenario, twice; where the two differ the count is
 * nondeterministic. A side that can't be counted is no failed side: what happens to it under a
 * simulator is not its fault.
 */
#ifndef PB_MEASURE_INSTRUCTIONS_H
#define PB_MEASURE_INSTRUCTIONS_H

#include "measure/job.h"

/* Of a count that differs from pass to pass: it is then among the counts of its side. */
#define PB_INSTRUCTIONS_COUNT "instructions"

/* The fact about the machine of a run that says who counted. */
#define PB_INSTRUCTION_COUNTER "instruction_counter"

/*
 * Fills sides[].instructions of the sides that are well. Does nothing once it was found out that
 * there is no counter here.
 * errors: PB_ERR_CHILD, PB_ERR_IO from pb_launch_run(); a side that can't be counted is none
 * cost:   2 s with callgrind, most of it valgrind's start
 */
enum pb_code pb_instructions_count(struct pb_job *job, struct pb_session *session,
                                   struct pb_error *err) PB_MUST_USE;

/* `perf_event`, `callgrind`, `none` */
const char *pb_counter_name(enum pb_counter counter);

/*
 * After all jobs: notes in the run's facts on the machine who counted, as PB_INSTRUCTION_COUNTER,
 * since counts of two counters can't be compared; and warns of what was not counted, and why.
 * watch: may be NULL
 */
void pb_instructions_report(const struct pb_session *session, const struct pb_measure_watch *watch,
                            struct pb_run_record *run);

#endif

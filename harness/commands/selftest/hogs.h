/* SPDX-License-Identifier: Apache-2.0
 *
 * Load made on purpose: processes that keep processors or memory busy while something is measured.
 *
 * They end when they are stopped, when this process ends for whatever reason, and on their own
 * after PB_HOG_SECONDS_MAX.
 */
#ifndef PB_COMMANDS_SELFTEST_HOGS_H
#define PB_COMMANDS_SELFTEST_HOGS_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

enum pb_hog {
    PB_HOG_NONE,
    PB_HOG_ONE,    /* one processor is busy                        */
    PB_HOG_ALL,    /* every processor that we may use is           */
    PB_HOG_BURSTY, /* every one is, for 5 to 100 ms and then not   */
    PB_HOG_MEMORY, /* one processor copies memory back and forth   */
};

enum { PB_HOGS_MAX = 256, PB_HOG_SECONDS_MAX = 1800 };

struct pb_hogs {
    pid_t pids[PB_HOGS_MAX];
    size_t n;
};

/*
 * Starts the processes of a kind and waits until they are at work.
 * errors: PB_ERR_CHILD one can't be started; none is left running then
 */
enum pb_code pb_hogs_start(enum pb_hog kind, struct pb_hogs *hogs,
                           struct pb_error *err) PB_MUST_USE;

/* Ends them and waits for their end; accepts a zeroed struct. */
void pb_hogs_stop(struct pb_hogs *hogs);

#endif

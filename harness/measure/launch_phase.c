/* SPDX-License-Identifier: Apache-2.0
 *
 * The words for a phase, which the launcher and the worker share.
 */
#include "measure/launch.h"

const char *pb_phase_text(enum pb_phase phase)
{
    static const char *const texts[] = {
        [PB_PHASE_START] = "while the worker started",
        [PB_PHASE_LOAD] = "while the suite was loaded",
        [PB_PHASE_SETUP] = "in setup",
        [PB_PHASE_OPEN] = "in open",
        [PB_PHASE_RUN] = "in run",
        [PB_PHASE_OUTPUT] = "in output",
        [PB_PHASE_COUNTS] = "in counts",
        [PB_PHASE_CLOSE] = "in close",
        [PB_PHASE_TEARDOWN] = "in teardown",
        [PB_PHASE_DONE] = "after its task was done",
    };
    return texts[phase <= PB_PHASE_DONE ? phase : PB_PHASE_START];
}

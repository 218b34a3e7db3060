/* SPDX-License-Identifier: Apache-2.0
 *
 * Pinned: it counts all the time or says that it did not, rather than share its register with other
 * counters and give an estimate.
 */
#include "provenance/instruction_counter.h"

#include <errno.h>
#include <stdbool.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void pb_instruction_counter_start(int fd)
{
    ioctl(fd, PERF_EVENT_IOC_RESET, 0);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

int64_t pb_instruction_counter_stop(int fd)
{
    int64_t counted = -1;
    if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) != 0 ||
        read(fd, &counted, sizeof counted) != (ssize_t)sizeof counted) {
        return -1;
    }
    return counted;
}

/* Whether the counter notices a loop. */
static bool counts(int fd)
{
    pb_instruction_counter_start(fd);
    for (volatile int i = 0; i < 1000; i++) {
    }
    return pb_instruction_counter_stop(fd) > 0;
}

int pb_instruction_counter_open(int *fd)
{
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attributes,
        .config = PERF_COUNT_HW_INSTRUCTIONS,
        .disabled = 1,
        .pinned = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    const long opened = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (opened < 0) {
        return errno;
    }
    if (!counts((int)opened)) {
        close((int)opened);
        return EOPNOTSUPP;
    }
    *fd = (int)opened;
    return 0;
}

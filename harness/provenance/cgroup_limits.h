/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits that a container or a service manager has put on this process.
 */
#ifndef PB_PROVENANCE_CGROUP_LIMITS_H
#define PB_PROVENANCE_CGROUP_LIMITS_H

#include <stdint.h>

#include "provenance/file_tree.h"

/* Each is a number, `none`, or NULL when there is no telling. The tightest limit on the way from
 * this process's group to the root counts. */
struct pb_cgroup_limits {
    const char *cpu_quota; /* processors, two decimals: 1.50 */
    const char *memory_bytes;
};

/*
 * Reads the limits by control groups, version 2 or 1.
 * source: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/ of Linux 6.1
 */
struct pb_cgroup_limits pb_cgroup_limits_read(const struct pb_file_tree *tree);

/*
 * How often processes of this group, or of one above it, were stopped because a CPU quota was used
 * up, since the groups were made.
 * returns: -1 when there is no telling
 */
int64_t pb_cgroup_throttled(const struct pb_file_tree *tree);

#endif

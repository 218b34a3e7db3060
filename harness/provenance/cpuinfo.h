/* SPDX-License-Identifier: Apache-2.0
 *
 * What /proc/cpuinfo says, which every architecture says in its own words.
 */
#ifndef PB_PROVENANCE_CPUINFO_H
#define PB_PROVENANCE_CPUINFO_H

#include <stddef.h>

#include "base/arena.h"

/* NULL is what is not said. Where processors differ, all values in their order: `0xd03+0xd09`. */
struct pb_cpuinfo {
    const char *vendor;     /* AuthenticAMD; implementer 0x41 on ARM */
    const char *family;     /* architecture on ARM                   */
    const char *model;      /* part on ARM                           */
    const char *stepping;   /* r3p1 on ARM                           */
    const char *name;       /* AMD EPYC 7B13                         */
    const char *hypervisor; /* `yes` or `none` as the flags say      */
    size_t n_processors;    /* 0 when not said                       */
};

/*
 * text: content of /proc/cpuinfo; NULL counts as empty
 * source: arch/x86/kernel/cpu/proc.c, arch/arm64/kernel/cpuinfo.c and their like in Linux 6.1
 */
struct pb_cpuinfo pb_cpuinfo_parse(struct pb_arena *arena, const char *text);

#endif

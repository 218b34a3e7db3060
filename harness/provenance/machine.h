/* SPDX-License-Identifier: Apache-2.0
 *
 * What is true of this machine. Everything is read, nothing is changed; what can't be known is
 * `unknown`, never a guess and never an error.
 */
#ifndef PB_PROVENANCE_MACHINE_H
#define PB_PROVENANCE_MACHINE_H

#include "base/arena.h"
#include "base/record.h"
#include "provenance/machine_class.h"

/*
 * Facts about the machine, sorted by key:
 *     arch, vendor, family, model, stepping, cpu (its marketing name), cpus (online), cpus_allowed
 *     (of this process, `0-3,8`), cpu_quota (processors by control group, or `none`), memory_bytes,
 *     memory_limit_bytes (by control group, or `none`), kernel, libc (`glibc 2.36`), hypervisor
 *     (`none`, `yes` or a name), clocksource, governor, turbo, smt (`on`, `off`), aslr (`full`,
 *     `partial`, `off`), load (of the last minute), hostname_hash (so that results can be
 *     published), fingerprint (hash of all that makes two runs' absolute times comparable)
 * Where processors differ, a value has all of theirs, joined by '+'.
 */
struct pb_facts pb_machine_facts(struct pb_arena *arena);

/*
 * The same from a tree of files laid out like / (proc/cpuinfo, sys/…), for tests. arch and libc
 * are asked from the system all the same.
 * root: "" for the real one
 */
struct pb_facts pb_machine_facts_at(struct pb_arena *arena, const char *root);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What is true of this machine. Everything is read, nothing is changed; what can't be known is
 * `unknown`, never a guess and never an error.
 */
#ifndef PB_PROVENANCE_MACHINE_H
#define PB_PROVENANCE_MACHINE_H

#include "base/arena.h"
#include "base/record.h"

/*
 * Facts about the machine, sorted by key. Keys: arch, vendor, family, model, stepping, cpu (its
 * marketing name), cpus, memory_bytes, kernel, libc, hypervisor, clocksource, governor, turbo, smt,
 * aslr, load, hostname_hash (a hash, so that results can be published), fingerprint (hash of all
 * that makes two runs' absolute times comparable).
 */
struct pb_facts pb_machine_facts(struct pb_arena *arena);

/*
 * The same from a tree of files laid out like / (proc/cpuinfo, sys/…), for tests.
 * root: "" for the real one
 */
struct pb_facts pb_machine_facts_at(struct pb_arena *arena, const char *root);

/*
 * The facts that decide whether two ratios may be compared: arch, vendor, family, model of the
 * machine, libc, and compiler, flags and build_type of the build.
 */
struct pb_facts pb_class_facts(struct pb_arena *arena, const struct pb_facts *machine,
                               const struct pb_facts *build);

/*
 * A short file-name-safe name of such a class, for instance
 * `x86_64-authenticamd-25-1-gcc12-glibc2.36-1a2b3c4d`; the last part is a hash of all the facts.
 */
const char *pb_class_name(struct pb_arena *arena, const struct pb_facts *class_facts);

#endif

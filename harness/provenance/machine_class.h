/* SPDX-License-Identifier: Apache-2.0
 *
 * Which machines and builds may be compared by their ratios.
 *
 * The ratio of old and new moves with the processor's model, the code that the compiler makes and
 * the string functions of libc. What merely changes often (a distribution's patch level of the
 * compiler, warnings, paths) must not make a committed ratio useless every month.
 */
#ifndef PB_PROVENANCE_MACHINE_CLASS_H
#define PB_PROVENANCE_MACHINE_CLASS_H

#include "base/arena.h"
#include "base/record.h"

/*
 * The facts that decide whether two ratios may be compared, sorted by key: arch, vendor, family,
 * model of the machine, libc, and compiler, flags and build_type of the build.
 *     compiler  family and version in full, `gcc 12.2.0`, without patch level, date and address
 *     flags     without those that can't change the code: warnings, debugging information, include
 *               and library folders, prefix maps, dependency files; the others in their order
 * machine, build: facts with the keys above; what is missing is `unknown`
 */
struct pb_facts pb_class_facts(struct pb_arena *arena, const struct pb_facts *machine,
                               const struct pb_facts *build);

/*
 * A short file-name-safe name of such a class, for instance
 * `x86_64-authenticamd-25-1-gcc12-glibc2.36-1a2b3c4d`; the last part is a hash of all the facts.
 * returns: lower-case letters, digits, '.', '_' and '-' only
 */
const char *pb_class_name(struct pb_arena *arena, const struct pb_facts *class_facts);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * How a suite of some revision is built, and what makes two builds of one commit the same.
 *
 * The project is configured by CMake as a release without tests, with flags that take most of the
 * luck of code layout out of a comparison, and only the suite and its layouts are built. Nothing is
 * run here: these are command lines.
 */
#ifndef PB_COMMANDS_BUILDING_RECIPE_H
#define PB_COMMANDS_BUILDING_RECIPE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/record.h"

struct pb_build_settings {
    const char *cache;  /* folder, absolute                                                 */
    const char *target; /* CMake target that pairbench_add_suite() made; its object is TARGET.so */
    const char
        *source; /* folder of the CMake project, from the top of the checkout; "" = the top */
    const char *const *cmake_arguments; /* more of them, for configuring */
    size_t n_cmake_arguments;
    uint32_t layouts; /* objects that are wanted: the production build and shuffled ones */
};

/*
 * All that decides what a build of a commit makes: compilers, flags, arguments, the suite ABI.
 * cost: runs the compilers once, about 10 ms
 */
struct pb_facts pb_build_facts(const struct pb_build_settings *settings, struct pb_arena *arena);

/* Folders of a build. */
struct pb_build_place {
    const char *source; /* absolute: of the CMake project */
    const char *binary; /* absolute: to be built in       */
};

/* Command line, NULL-terminated, that configures a build. */
const char *const *pb_build_configure_argv(const struct pb_build_settings *settings,
                                           const struct pb_build_place *place,
                                           struct pb_arena *arena);

/* That prints the names of all targets. */
const char *const *pb_build_targets_argv(const struct pb_build_place *place,
                                         struct pb_arena *arena);

/* What is known once a build is configured. */
struct pb_build_configured {
    struct pb_build_place place;
    const char *targets; /* what the one above printed */
    unsigned n_jobs;     /* compilers at once          */
};

/*
 * That builds the suite and as many of its layouts as there are and are wanted.
 * errors: PB_ERR_USAGE there is no such target
 */
enum pb_code pb_build_make_argv(const struct pb_build_settings *settings,
                                const struct pb_build_configured *configured,
                                struct pb_arena *arena, const char *const **argv,
                                struct pb_error *err) PB_MUST_USE;

/* File name of an object of a suite: number 0 is the production build, then its layouts. */
const char *pb_build_object_name(const char *target, unsigned number, struct pb_arena *arena);

/*
 * How far a build is, from the end of what it printed (Ninja's `[3/12]`, Make's `[ 25%]`).
 * done, total: out, left alone when there is no telling
 */
void pb_build_progress(const char *log_end, unsigned *done, unsigned *total);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of subcommands.
 */
#ifndef PB_COMMANDS_ALL_H
#define PB_COMMANDS_ALL_H

#include <stddef.h>

#include "commands/command.h"

extern const struct pb_command pb_command_list;
extern const struct pb_command pb_command_run;
extern const struct pb_command pb_command_check;
extern const struct pb_command pb_command_baseline;
extern const struct pb_command pb_command_compare;
extern const struct pb_command pb_command_bisect;
extern const struct pb_command pb_command_report;
extern const struct pb_command pb_command_doctor;
extern const struct pb_command pb_command_selftest;

/* All of them, in the order of the help. */
const struct pb_command *const *pb_commands_all(size_t *n);

/*
 * Runs `pairbench ARGV…`: global options, then one subcommand.
 * stop:    set by the caller's signal handler
 * returns: exit code
 */
int pb_commands_main(int argc, char **argv, const volatile sig_atomic_t *stop);

#endif

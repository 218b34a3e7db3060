/* SPDX-License-Identifier: Apache-2.0
 *
 * What a subcommand is, and what it gets from main.
 *
 * One subcommand = one file = one const descriptor. The descriptor drives the parsing, the help and
 * the tests; main's table of descriptors is the only other place that knows a command.
 *
 * To add one: write commands/NAME.c with a `const struct pb_command pb_command_NAME`, declare it in
 * commands/all.h and add it to the table there.
 */
#ifndef PB_COMMANDS_COMMAND_H
#define PB_COMMANDS_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "output/style.h"

/* Exit codes of all commands; when several hold, the first of 3, 1, 4, 5. */
enum pb_exit {
    PB_EXIT_OK = 0,
    PB_EXIT_REGRESSED = 1,
    PB_EXIT_USAGE = 2,        /* usage or I/O error */
    PB_EXIT_FAILED = 3,       /* a benchmark failed or is missing, or outputs differ */
    PB_EXIT_INCOMPATIBLE = 4, /* no baseline, or an incompatible one */
    PB_EXIT_INCONCLUSIVE = 5,
};

enum pb_format { PB_FORMAT_TEXT, PB_FORMAT_JSON };

/* The global options, and where the parts of the tool are. */
struct pb_context {
    struct pb_arena *arena; /* lives as long as the command */
    const char *db;
    const char *const *suites; /* paths */
    size_t n_suites;
    enum pb_format format;
    struct pb_style style;
    bool progress; /* may be drawn on stderr */
    const char *worker;
    const char *heap_counter;          /* NULL when there is none */
    bool misses_heap_counter;          /* there should be one */
    const volatile sig_atomic_t *stop; /* set by Ctrl-C */
};

struct pb_option {
    const char *name;    /* without the dashes */
    const char *metavar; /* NULL = takes no value */
    const char *help;
    bool repeatable;
};

/* What the command line of a subcommand says. */
struct pb_args {
    const struct pb_command *command;
    const char ***values; /* per option of the command: its values in order */
    size_t *n_values;
    const char **operands;
    size_t n_operands;
    int verbosity; /* -1 or 1 when -q or -v stands behind the command; else 0 */
};

struct pb_command {
    const char *name;
    const char *operands; /* for the usage line: `[PATTERN…]` */
    const char *summary;  /* one line */
    const char *details;  /* more lines for --help, or NULL */
    const struct pb_option *options;
    size_t n_options;
    size_t operands_max;
    /* exit_code: out, when PB_OK is returned */
    enum pb_code (*run)(const struct pb_context *context, const struct pb_args *args,
                        int *exit_code, struct pb_error *err);
};

/*
 * Reads the command line of a subcommand; options and operands may be mixed, `--` ends the options.
 * argv:   of the subcommand alone, argv[0] its name
 * errors: PB_ERR_USAGE with the offending text and what would do
 */
enum pb_code pb_args_parse(const struct pb_command *command, int argc, char **argv,
                           struct pb_arena *arena, struct pb_args *args,
                           struct pb_error *err) PB_MUST_USE;

/* Last value of an option of the command; NULL when it wasn't given ("" for one without value). */
const char *pb_args_value(const struct pb_args *args, const char *option);

/* All values of a repeatable option. returns: how many */
size_t pb_args_values(const struct pb_args *args, const char *option, const char *const **values);

/* Whether an option was given. */
bool pb_args_has(const struct pb_args *args, const char *option);

/*
 * Values of options. `option` is for the message.
 * errors: PB_ERR_USAGE with the option, the offending text and what would do
 */

/* A whole number from least to most. */
enum pb_code pb_parse_count(const char *option, const char *text, uint64_t least, uint64_t most,
                            uint64_t *count, struct pb_error *err) PB_MUST_USE;

/* A duration: `90`, `90s`, `2m`, `1h`, `500ms`; more than 0, at most 30 days. */
enum pb_code pb_parse_duration(const char *option, const char *text, double *seconds,
                               struct pb_error *err) PB_MUST_USE;

/* A change in percent: `+2%`, `-0.5%`, `2%`; the sign % is needed. */
enum pb_code pb_parse_pct(const char *option, const char *text, double least, double most,
                          double *pct, struct pb_error *err) PB_MUST_USE;

/*
 * Writes to stdout, all of it or an error.
 * errors: PB_ERR_IO
 */
enum pb_code pb_write_stdout(const char *text, size_t n, struct pb_error *err) PB_MUST_USE;

/*
 * Replaces the file at path in one step; writes to a device or pipe, and to stdout when path is
 * `-`. errors: PB_ERR_IO
 */
enum pb_code pb_write_out(const char *path, const char *text, size_t n,
                          struct pb_error *err) PB_MUST_USE;

/* `pairbench: MESSAGE` on stderr, made harmless for a terminal; prefix may be "". */
void pb_say(const char *prefix, const char *message);

/* A line on stderr: `pairbench: …`; nothing with -q. */
void pb_note(const struct pb_context *context, const char *format, ...) PB_PRINTF(2, 3);

/* The same for what is wrong but goes on: `pairbench: warning: …`. */
void pb_warn(const struct pb_context *context, const char *format, ...) PB_PRINTF(2, 3);

#endif

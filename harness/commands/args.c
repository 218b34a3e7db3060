/* SPDX-License-Identifier: Apache-2.0
 *
 * getopt_long over a table that is made from the descriptor.
 */
#include "commands/command.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"

enum { OPTIONS_MAX = 32 };

static enum pb_code refuse(const struct pb_command *command, const char *problem, const char *what,
                           struct pb_error *err)
{
    struct pb_strbuf shown = {0};
    pb_text_add_escaped(&shown, what);
    pb_error_set(err, PB_ERR_USAGE, "%s: %s '%s'; see `pairbench %s --help`", command->name,
                 problem, shown.text, command->name);
    pb_strbuf_release(&shown);
    return PB_ERR_USAGE;
}

static enum pb_code take_operand(const struct pb_command *command, const char *operand,
                                 struct pb_args *args, struct pb_error *err)
{
    if (args->n_operands == command->operands_max) {
        return refuse(command, "unexpected operand", operand, err);
    }
    args->operands[args->n_operands++] = operand;
    return PB_OK;
}

static enum pb_code take_option(const struct pb_command *command, size_t index, const char *value,
                                struct pb_args *args, struct pb_error *err)
{
    const struct pb_option *option = &command->options[index];
    if (args->n_values[index] > 0 && !option->repeatable) {
        return refuse(command, "given more than once:", option->name, err);
    }
    args->values[index][args->n_values[index]++] = value != NULL ? value : "";
    return PB_OK;
}

static void fill_long_options(const struct pb_command *command, struct option *long_options)
{
    assert(command->n_options < OPTIONS_MAX);
    for (size_t i = 0; i < command->n_options; i++) {
        long_options[i] = (struct option){
            .name = command->options[i].name,
            .has_arg = command->options[i].metavar != NULL ? required_argument : no_argument,
        };
    }
    long_options[command->n_options] = (struct option){0};
}

enum pb_code pb_args_parse(const struct pb_command *command, int argc, char **argv,
                           struct pb_arena *arena, struct pb_args *args, struct pb_error *err)
{
    struct option long_options[OPTIONS_MAX];
    fill_long_options(command, long_options);
    struct pb_args made = {.command = command};
    made.values = pb_arena_array(arena, command->n_options, sizeof *made.values);
    made.n_values = pb_arena_array(arena, command->n_options, sizeof *made.n_values);
    made.operands = pb_arena_array(arena, (size_t)argc, sizeof *made.operands);
    for (size_t i = 0; i < command->n_options; i++) {
        made.values[i] = pb_arena_array(arena, (size_t)argc, sizeof *made.values[i]);
    }
    optind = 0; /* glibc: start afresh */
    opterr = 0;
    enum pb_code code = PB_OK;
    while (code == PB_OK) {
        int index = -1;
        const int at = optind > 0 ? optind : 1;
        const int found = getopt_long(argc, argv, "-:qv", long_options, &index);
        if (found == -1) {
            break;
        }
        if (found == 1) {
            code = take_operand(command, optarg, &made, err);
        } else if (found == 'q' || found == 'v') {
            made.verbosity = found == 'q' ? -1 : 1;
        } else if (found == ':') {
            code = refuse(command, "a value is missing behind", argv[optind - 1], err);
        } else if (found == '?') {
            code = refuse(command, "unknown or ambiguous option", argv[at], err);
        } else {
            code = take_option(command, (size_t)index, optarg, &made, err);
        }
    }
    for (int i = optind; code == PB_OK && i < argc; i++) {
        code = take_operand(command, argv[i], &made, err);
    }
    if (code == PB_OK) {
        *args = made;
    }
    return code;
}

static size_t find_option(const struct pb_args *args, const char *option)
{
    for (size_t i = 0; i < args->command->n_options; i++) {
        if (strcmp(args->command->options[i].name, option) == 0) {
            return i;
        }
    }
    assert(!"an option that the command's descriptor does not have");
    return 0;
}

size_t pb_args_values(const struct pb_args *args, const char *option, const char *const **values)
{
    const size_t i = find_option(args, option);
    *values = args->values[i];
    return args->n_values[i];
}

const char *pb_args_value(const struct pb_args *args, const char *option)
{
    const size_t i = find_option(args, option);
    return args->n_values[i] > 0 ? args->values[i][args->n_values[i] - 1] : NULL;
}

bool pb_args_has(const struct pb_args *args, const char *option)
{
    return args->n_values[find_option(args, option)] > 0;
}

static enum pb_code refuse_value(const char *option, const char *text, const char *wanted,
                                 struct pb_error *err)
{
    struct pb_strbuf shown = {0};
    pb_text_add_escaped(&shown, text);
    pb_error_set(err, PB_ERR_USAGE, "%s '%s': %s", option, shown.text, wanted);
    pb_strbuf_release(&shown);
    return PB_ERR_USAGE;
}

enum pb_code pb_parse_count(const char *option, const char *text, uint64_t least, uint64_t most,
                            uint64_t *count, struct pb_error *err)
{
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a whole number from %llu to %llu is wanted",
             (unsigned long long)least, (unsigned long long)most);
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < least ||
        number > most) {
        return refuse_value(option, text, wanted, err);
    }
    *count = number;
    return PB_OK;
}

/* Reads a plain decimal number: no hexadecimal, no exponent, no inf or nan. returns: its end */
static const char *read_decimal(const char *text, double *number)
{
    const char *at = text;
    if (*at == '+' || *at == '-') {
        at++;
    }
    const size_t whole = strspn(at, "0123456789");
    const size_t fraction = at[whole] == '.' ? strspn(at + whole + 1, "0123456789") : 0;
    if (whole == 0 && fraction == 0) {
        return NULL;
    }
    *number = strtod(text, NULL);
    return at + whole + (at[whole] == '.' ? 1 + fraction : 0);
}

enum pb_code pb_parse_duration(const char *option, const char *text, double *seconds,
                               struct pb_error *err)
{
    static const struct {
        const char *suffix;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}};
    enum { MOST_SECONDS = 30 * 24 * 3600 };
    double number = 0;
    const char *suffix = read_decimal(text, &number);
    for (size_t i = 0; suffix != NULL && i < sizeof units / sizeof units[0]; i++) {
        const double value = number * units[i].seconds;
        if (strcmp(suffix, units[i].suffix) == 0 && value > 0 && value <= MOST_SECONDS) {
            *seconds = value;
            return PB_OK;
        }
    }
    return refuse_value(option, text, "a duration such as 90s, 2m or 1h is wanted", err);
}

enum pb_code pb_parse_pct(const char *option, const char *text, double least, double most,
                          double *pct, struct pb_error *err)
{
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a percentage from %g%% to %g%% is wanted, such as +2%%", least,
             most);
    double number = 0;
    const char *suffix = read_decimal(text, &number);
    if (suffix == NULL || strcmp(suffix, "%") != 0 || !(number >= least && number <= most)) {
        return refuse_value(option, text, wanted, err);
    }
    *pct = number;
    return PB_OK;
}

enum pb_code pb_write_stdout(const char *text, size_t n, struct pb_error *err)
{
    while (n > 0) {
        const ssize_t written = write(STDOUT_FILENO, text, n);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return pb_error_set(err, PB_ERR_IO, "can't write to stdout: %s", strerror(errno));
        }
        text += written;
        n -= (size_t)written;
    }
    return PB_OK;
}

/* For what can't be replaced in one step: a pipe, a terminal. */
static enum pb_code write_through(const char *path, const char *text, size_t n,
                                  struct pb_error *err)
{
    FILE *file = fopen(path, "we");
    const bool written = file != NULL && fwrite(text, 1, n, file) == n;
    if (file == NULL || fclose(file) != 0 || !written) {
        return pb_error_set(err, PB_ERR_IO, "can't write %s: %s", path, strerror(errno));
    }
    return PB_OK;
}

enum pb_code pb_write_out(const char *path, const char *text, size_t n, struct pb_error *err)
{
    if (strcmp(path, "-") == 0) {
        return pb_write_stdout(text, n, err);
    }
    struct stat file;
    return stat(path, &file) == 0 && !S_ISREG(file.st_mode)
               ? write_through(path, text, n, err)
               : pb_whole_file_replace(path, text, n, err);
}

void pb_say(const char *prefix, const char *message)
{
    struct pb_strbuf line;
    pb_strbuf_init(&line);
    pb_strbuf_addf(&line, "pairbench: %s", prefix);
    pb_text_add_message(&line, message);
    pb_strbuf_addc(&line, '\n');
    fputs(line.text, stderr);
    pb_strbuf_release(&line);
}

PB_PRINTF(3, 0)
static void say_formatted(const struct pb_context *context, const char *prefix, const char *format,
                          va_list args)
{
    if (context->style.verbosity < 0) {
        return;
    }
    char message[PB_ERROR_MESSAGE_BYTES * 2];
    vsnprintf(message, sizeof message, format, args);
    pb_say(prefix, message);
}

void pb_note(const struct pb_context *context, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_formatted(context, "", format, args);
    va_end(args);
}

void pb_warn(const struct pb_context *context, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_formatted(context, "warning: ", format, args);
    va_end(args);
}

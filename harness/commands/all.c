/* SPDX-License-Identifier: Apache-2.0
 *
 * Global options, help, and the way to a subcommand.
 */
#include "commands/all.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "commands/parts.h"

static const struct pb_command *const commands[] = {
    &pb_command_list,     &pb_command_run,     &pb_command_check,
    &pb_command_baseline, &pb_command_compare, &pb_command_bisect,
    &pb_command_report,   &pb_command_doctor,  &pb_command_selftest,
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

const struct pb_command *const *pb_commands_all(size_t *n)
{
    *n = N_COMMANDS;
    return commands;
}

static const struct pb_option global_options[] = {
    {"db", "PATH", "database of runs (default: $PAIRBENCH_DB, else pairbench.db)", false},
    {"suite", "PATH", "shared object with cases (default: the suite that comes with pairbench)",
     true},
    {"format", "text|json", "form of what is printed on stdout", false},
    {"color", "auto|always|never", "colours in text (auto: on a terminal, unless NO_COLOR is set)",
     false},
    {"quiet", NULL, "-q: only what needs attention", false},
    {"verbose", NULL, "-v: how it was measured, too", false},
    {"help", NULL, "this text, or that of a command", false},
    {"version", NULL, "the version", false},
};
enum { N_GLOBALS = sizeof global_options / sizeof global_options[0] };

static const char exit_codes[] =
    "Exit codes: 0 fine, 1 regression, 2 usage or I/O error, 3 a benchmark failed, is missing or\n"
    "differs in its output, 4 no baseline or an incompatible one, 5 inconclusive (where asked "
    "for).\n";

static void add_options(struct pb_strbuf *buf, const struct pb_option *options, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char left[64];
        snprintf(
            left, sizeof left, "--%s%s%s%s", options[i].name, options[i].metavar != NULL ? " " : "",
            options[i].metavar != NULL ? options[i].metavar : "", options[i].repeatable ? "…" : "");
        const size_t columns = pb_text_columns(left);
        pb_strbuf_addf(buf, "  %s%*s  %s\n", left, columns < 26 ? (int)(26 - columns) : 0, "",
                       options[i].help);
    }
}

static void add_global_help(struct pb_strbuf *buf)
{
    pb_strbuf_adds(buf, "usage: pairbench [global options] COMMAND [options] [operands]\n\n"
                        "Paired microbenchmarks: is new faster than old, and did it stay so?\n\n"
                        "Commands:\n");
    for (size_t i = 0; i < N_COMMANDS; i++) {
        pb_strbuf_addf(buf, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
    }
    pb_strbuf_adds(buf, "\nGlobal options, in front of the command or behind it:\n");
    add_options(buf, global_options, N_GLOBALS);
    pb_strbuf_addf(buf, "\n%s", exit_codes);
}

static void add_command_help(struct pb_strbuf *buf, const struct pb_command *command)
{
    pb_strbuf_addf(buf, "usage: pairbench [global options] %s %s%s\n\n%s.\n", command->name,
                   command->n_options > 0 ? "[options] " : "", command->operands, command->summary);
    if (command->details != NULL) {
        pb_strbuf_addf(buf, "\n%s\n", command->details);
    }
    if (command->n_options > 0) {
        pb_strbuf_adds(buf, "\nOptions:\n");
        add_options(buf, command->options, command->n_options);
    }
    pb_strbuf_addf(buf, "\n%s", exit_codes);
}

/* The global options as they are read, before defaults. */
struct globals {
    const char *db;
    const char **suites;
    size_t n_suites;
    const char *format;
    const char *color;
    int verbosity;
    bool help;
    bool version;
};

static void take_global(struct globals *globals, int option, const char *value)
{
    switch (option) {
    case 0:
        globals->db = value;
        break;
    case 1:
        globals->suites[globals->n_suites++] = value;
        break;
    case 2:
        globals->format = value;
        break;
    case 3:
        globals->color = value;
        break;
    case 4:
        globals->verbosity = -1;
        break;
    case 5:
        globals->verbosity = 1;
        break;
    case 6:
        globals->help = true;
        break;
    default:
        globals->version = true;
        break;
    }
}

/* Reads up to the subcommand's name. *next: index of it */
static enum pb_code parse_globals(int argc, char **argv, struct globals *globals, int *next,
                                  struct pb_error *err)
{
    struct option long_options[N_GLOBALS + 1] = {0};
    for (int i = 0; i < N_GLOBALS; i++) {
        long_options[i].name = global_options[i].name;
        long_options[i].has_arg =
            global_options[i].metavar != NULL ? required_argument : no_argument;
    }
    optind = 0;
    opterr = 0;
    for (;;) {
        int index = -1;
        const int at = optind > 0 ? optind : 1;
        const int found = getopt_long(argc, argv, "+:qvh", long_options, &index);
        if (found == -1) {
            break;
        }
        if (found == ':' || found == '?') {
            return pb_error_set(
                err, PB_ERR_USAGE, "%s '%s'; see `pairbench --help`",
                found == ':' ? "a value is missing behind" : "unknown global option", argv[at]);
        }
        take_global(globals,
                    found == 'q'   ? 4
                    : found == 'v' ? 5
                    : found == 'h' ? 6
                                   : index,
                    optarg);
    }
    *next = optind;
    return PB_OK;
}

static const struct pb_option *find_option(const struct pb_option *options, size_t n,
                                           const char *name, size_t length)
{
    for (size_t i = 0; i < n; i++) {
        if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

/* The option that an argument names in full, `--NAME` or `--NAME=VALUE`; NULL when none does. */
static const struct pb_option *named_option(const struct pb_option *options, size_t n,
                                            const char *argument)
{
    return strncmp(argument, "--", 2) == 0
               ? find_option(options, n, argument + 2, strcspn(argument + 2, "="))
               : NULL;
}

/*
 * Takes the global options out of the arguments of a command, which come before `--`. What the
 * command has an option of its own for, or takes for such an option's value, stays.
 * *argc: what is left of argv
 */
static enum pb_code lift_globals(const struct pb_command *command, int *argc, char **argv,
                                 struct globals *globals, struct pb_error *err)
{
    int kept = 1;
    int i = 1;
    for (; i < *argc && strcmp(argv[i], "--") != 0; i++) {
        const struct pb_option *own = named_option(command->options, command->n_options, argv[i]);
        const struct pb_option *global =
            own == NULL ? named_option(global_options, N_GLOBALS, argv[i]) : NULL;
        const char *equals = strchr(argv[i], '=');
        if (global == NULL || (global->metavar == NULL && equals != NULL)) {
            argv[kept++] = argv[i];
            if (own != NULL && own->metavar != NULL && equals == NULL && i + 1 < *argc) {
                argv[kept++] = argv[++i];
            }
            continue;
        }
        const bool apart = global->metavar != NULL && equals == NULL;
        if (apart && i + 1 == *argc) {
            return pb_error_set(err, PB_ERR_USAGE,
                                "a value is missing behind '%s'; see `pairbench --help`", argv[i]);
        }
        const char *value = apart ? argv[++i] : equals != NULL ? equals + 1 : NULL;
        take_global(globals, (int)(global - global_options), value);
    }
    while (i < *argc) {
        argv[kept++] = argv[i++];
    }
    argv[kept] = NULL;
    *argc = kept;
    return PB_OK;
}

static enum pb_code choose(const char *option, const char *value, const char *const *words,
                           size_t n, int *chosen, struct pb_error *err)
{
    *chosen = 0;
    if (value == NULL) {
        return PB_OK;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(value, words[i]) == 0) {
            *chosen = (int)i;
            return PB_OK;
        }
    }
    return pb_error_set(err, PB_ERR_USAGE, "%s '%s': %s%s%s or %s is wanted", option, value,
                        words[0], n > 2 ? ", " : "", n > 2 ? words[1] : "", words[n - 1]);
}

static enum pb_code fill_context(const struct globals *globals, struct pb_context *context,
                                 struct pb_error *err)
{
    static const char *const formats[] = {"text", "json"};
    static const char *const colors[] = {"auto", "always", "never"};
    int format = 0;
    int color = 0;
    enum pb_code code = choose("--format", globals->format, formats, 2, &format, err);
    if (code == PB_OK) {
        code = choose("--color", globals->color, colors, 3, &color, err);
    }
    if (code != PB_OK) {
        return code;
    }
    const char *from_environment = getenv("PAIRBENCH_DB");
    context->db = globals->db != NULL                                       ? globals->db
                  : from_environment != NULL && from_environment[0] != '\0' ? from_environment
                                                                            : "pairbench.db";
    context->format = (enum pb_format)format;
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    const struct pb_terminal out = {isatty(STDOUT_FILENO) != 0, no_color, term};
    const struct pb_terminal errors = {isatty(STDERR_FILENO) != 0, no_color, term};
    context->style.color = pb_style_wants_color((enum pb_color_when)color, &out);
    context->style.verbosity = globals->verbosity;
    context->progress = pb_style_wants_progress(globals->verbosity, &errors);
    return PB_OK;
}

/* A sanitizer brings an allocator of its own, beside which another can't be preloaded. */
static bool has_own_allocator(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
    return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||
           __has_feature(memory_sanitizer);
#else
    return false;
#endif
}

static enum pb_code find_parts(const struct globals *globals, struct pb_context *context,
                               struct pb_error *err)
{
    context->worker = pb_part_find(context->arena, "pairbench-worker", PAIRBENCH_LIBEXEC_FROM_BIN);
    if (!has_own_allocator()) {
        context->heap_counter =
            pb_part_find(context->arena, "pairbench-heap.so", PAIRBENCH_LIB_FROM_BIN);
        context->misses_heap_counter = context->heap_counter == NULL;
    }
    if (context->worker == NULL) {
        return pb_error_set(err, PB_ERR_IO,
                            "pairbench-worker is neither beside this program nor in its libexec "
                            "folder; build or install pairbench again");
    }
    context->suites = globals->suites;
    context->n_suites = globals->n_suites;
    if (globals->n_suites > 0) {
        return PB_OK;
    }
    const char *own = pb_part_find(context->arena, "pairbench-cases.so", PAIRBENCH_LIB_FROM_BIN);
    const char **suites = pb_arena_array(context->arena, 1, sizeof *suites);
    suites[0] = own;
    context->suites = suites;
    context->n_suites = own != NULL;
    return PB_OK;
}

static const struct pb_command *find_command(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static enum pb_code refuse_command(const char *name, struct pb_error *err)
{
    return pb_error_set(err, PB_ERR_USAGE, "there is no command '%s'; see `pairbench --help`",
                        name);
}

/* `pairbench help`, `--help`, `COMMAND --help`, `--version`: text on stdout. */
static enum pb_code print_help(const struct pb_command *command, bool version, struct pb_error *err)
{
    struct pb_strbuf text = {0};
    if (version) {
        pb_strbuf_adds(&text, "pairbench " PAIRBENCH_VERSION "\n");
    } else if (command != NULL) {
        add_command_help(&text, command);
    } else {
        add_global_help(&text);
    }
    const enum pb_code code = pb_write_stdout(text.text, text.length, err);
    pb_strbuf_release(&text);
    return code;
}

/* Help on a command by its name; NULL = on all. */
static enum pb_code help_on(const char *name, struct pb_error *err)
{
    const struct pb_command *command = name != NULL ? find_command(name) : NULL;
    if (name != NULL && command == NULL) {
        return refuse_command(name, err);
    }
    return print_help(command, false, err);
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static enum pb_code dispatch(int argc, char **argv, struct pb_context *context, int *exit_code,
                             struct pb_error *err)
{
    struct globals globals = {0};
    globals.suites = pb_arena_array(context->arena, (size_t)argc, sizeof *globals.suites);
    int next = argc;
    enum pb_code code = parse_globals(argc, argv, &globals, &next, err);
    if (code != PB_OK) {
        return code;
    }
    if (globals.version) {
        return print_help(NULL, true, err);
    }
    if (globals.help) {
        return help_on(argv[next], err);
    }
    if (next == argc) {
        return pb_error_set(err, PB_ERR_USAGE, "a command is missing; see `pairbench --help`");
    }
    if (strcmp(argv[next], "help") == 0) {
        return help_on(argv[next + 1], err);
    }
    const struct pb_command *command = find_command(argv[next]);
    if (command == NULL) {
        return refuse_command(argv[next], err);
    }
    if (asks_for_help(argc - next, argv + next)) {
        return print_help(command, false, err);
    }
    struct pb_args args;
    int left = argc - next;
    code = lift_globals(command, &left, argv + next, &globals, err);
    if (code == PB_OK) {
        code = pb_args_parse(command, left, argv + next, context->arena, &args, err);
    }
    if (code == PB_OK) {
        globals.verbosity = args.verbosity != 0 ? args.verbosity : globals.verbosity;
        code = fill_context(&globals, context, err);
    }
    if (code == PB_OK) {
        code = find_parts(&globals, context, err);
    }
    return code == PB_OK ? command->run(context, &args, exit_code, err) : code;
}

int pb_commands_main(int argc, char **argv, const volatile sig_atomic_t *stop)
{
    struct pb_arena arena = {0};
    struct pb_context context = {.arena = &arena, .stop = stop};
    struct pb_error err = {0};
    int exit_code = PB_EXIT_OK;
    const enum pb_code code = dispatch(argc, argv, &context, &exit_code, &err);
    if (code != PB_OK) {
        pb_say("", err.message);
        exit_code = code == PB_ERR_INCOMPATIBLE ? PB_EXIT_INCOMPATIBLE : PB_EXIT_USAGE;
    }
    pb_arena_release(&arena);
    return exit_code;
}

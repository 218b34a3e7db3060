/* SPDX-License-Identifier: Apache-2.0
 *
 * Flags go in through CFLAGS and its like, so that those of the user stay in front of them and
 * CMake's own files need not know. Paths of this build are mapped away where that is possible, so
 * that the folder it was built in is no difference between two objects.
 */
#include "commands/building/recipe.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "measure/catalog.h"
#include "pairbench.h"
#include "provenance/fact_list.h"
#include "provenance/git.h"

/* Alignment cuts the spread of code layout to a tenth; the last keeps calls inside the object. */
#define LAYOUT_FLAGS "-falign-functions=64 -falign-loops=64 -fno-semantic-interposition"

/* Changes with what is written below, so that no build made by another recipe is taken for one. */
#define RECIPE "1"

enum { WORDS_MAX = 256 };

/* A command line in the making. */
struct words {
    struct pb_arena *arena;
    const char **argv;
    size_t n;
};

static void add(struct words *words, const char *word)
{
    assert(words->n < WORDS_MAX);
    words->argv[words->n++] = word;
}

static struct words begin(struct pb_arena *arena)
{
    struct words words = {.arena = arena};
    words.argv = pb_arena_array(arena, WORDS_MAX + 1, sizeof *words.argv);
    return words;
}

/* Begins with `env` and what takes git's variables away. */
static struct words begin_clean(struct pb_arena *arena)
{
    struct words words = begin(arena);
    size_t n = 0;
    const char *const *env = pb_git_env(&n);
    for (size_t i = 0; i < n; i++) {
        add(&words, env[i]);
    }
    return words;
}

static const char *from_environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

/* Splits a command such as `ccache gcc` at blanks, as CMake does. */
static void add_split(struct words *words, const char *command)
{
    for (const char *at = command + strspn(command, " "); *at != '\0';) {
        const size_t n = strcspn(at, " ");
        if (words->n + 2 < WORDS_MAX) {
            add(words, pb_arena_memdup(words->arena, at, n));
        }
        at += n + strspn(at + n, " ");
    }
}

/* What a compiler calls itself; "none" when it can't be run. */
static const char *version_of(const char *command, struct pb_arena *arena)
{
    struct words words = begin(arena);
    add_split(&words, command);
    add(&words, "--version");
    struct pb_strbuf output = {.limit = 4096};
    struct pb_child_outcome outcome;
    struct pb_error err;
    const struct pb_child_spec spec = {.argv = words.argv, .deadline_s = 30, .output = &output};
    const bool ran = pb_child_run(&spec, &outcome, &err) == PB_OK && outcome.exit_code == 0;
    const char *version = "none";
    if (ran && output.length > 0) {
        version = pb_arena_memdup(arena, output.text, strcspn(output.text, "\n"));
    }
    pb_strbuf_release(&output);
    return version;
}

static bool is_installed(const char *program)
{
    const char *path = from_environment("PATH", "/usr/bin:/bin");
    struct pb_strbuf candidate;
    pb_strbuf_init(&candidate);
    bool found = false;
    while (!found && *path != '\0') {
        const size_t n = strcspn(path, ":");
        pb_strbuf_reset(&candidate);
        pb_strbuf_add(&candidate, path, n);
        pb_strbuf_addf(&candidate, "/%s", program);
        found = access(candidate.text, X_OK) == 0;
        path += n + (path[n] == ':');
    }
    pb_strbuf_release(&candidate);
    return found;
}

struct pb_facts pb_build_facts(const struct pb_build_settings *settings, struct pb_arena *arena)
{
    struct pb_fact_list list = {.arena = arena};
    const char *arguments = "";
    for (size_t i = 0; i < settings->n_cmake_arguments; i++) {
        arguments = pb_arena_printf(arena, "%s%s\n", arguments, settings->cmake_arguments[i]);
    }
    pb_fact_list_add(&list, "abi", pb_arena_printf(arena, "%u", PAIRBENCH_ABI));
    pb_fact_list_add(&list, "arguments", arguments);
    pb_fact_list_add(&list, "cc", from_environment("CC", "cc"));
    pb_fact_list_add(&list, "cc_version", version_of(from_environment("CC", "cc"), arena));
    pb_fact_list_add(&list, "cflags", from_environment("CFLAGS", ""));
    pb_fact_list_add(&list, "cxx", from_environment("CXX", "c++"));
    pb_fact_list_add(&list, "cxx_version", version_of(from_environment("CXX", "c++"), arena));
    pb_fact_list_add(&list, "cxxflags", from_environment("CXXFLAGS", ""));
    pb_fact_list_add(&list, "layouts", pb_arena_printf(arena, "%u", settings->layouts));
    pb_fact_list_add(&list, "ldflags", from_environment("LDFLAGS", ""));
    pb_fact_list_add(&list, "lld", is_installed("ld.lld") ? "true" : "false");
    pb_fact_list_add(&list, "recipe", RECIPE);
    pb_fact_list_add(&list, "source", settings->source);
    pb_fact_list_add(&list, "target", settings->target);
    return pb_fact_list_sorted(&list);
}

/* Whether a path can stand in a flag as it is: CMake splits flags at blanks. */
static bool is_tame(const char *path)
{
    return path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@"
                             "%,:~")] == '\0';
}

static const char *flags_of(const char *variable, const struct pb_build_place *place,
                            struct pb_arena *arena)
{
    const char *flags =
        pb_arena_printf(arena, "%s=%s " LAYOUT_FLAGS, variable, from_environment(variable, ""));
    return is_tame(place->source) && is_tame(place->binary)
               ? pb_arena_printf(arena, "%s -ffile-prefix-map=%s=. -ffile-prefix-map=%s=.", flags,
                                 place->binary, place->source)
               : flags;
}

const char *const *pb_build_configure_argv(const struct pb_build_settings *settings,
                                           const struct pb_build_place *place,
                                           struct pb_arena *arena)
{
    struct words words = begin_clean(arena);
    add(&words, flags_of("CFLAGS", place, arena));
    add(&words, flags_of("CXXFLAGS", place, arena));
    add(&words, "cmake");
    add(&words, "-S");
    add(&words, place->source);
    add(&words, "-B");
    add(&words, place->binary);
    if (getenv("CMAKE_GENERATOR") == NULL && is_installed("ninja")) {
        add(&words, "-GNinja");
    }
    add(&words, "-DCMAKE_BUILD_TYPE=Release");
    add(&words, "-DBUILD_SHARED_LIBS=OFF"); /* two libraries of one name don't load side by side */
    add(&words, "-DPAIRBENCH_TESTS=OFF");
    add(&words, pb_arena_printf(arena, "-DPAIRBENCH_LAYOUTS=%u", settings->layouts));
    for (size_t i = 0; i < settings->n_cmake_arguments && words.n < WORDS_MAX; i++) {
        add(&words, settings->cmake_arguments[i]);
    }
    return words.argv;
}

/* `cmake --build BINARY --config Release` */
static struct words begin_build(const struct pb_build_place *place, struct pb_arena *arena)
{
    struct words words = begin_clean(arena);
    add(&words, "cmake");
    add(&words, "--build");
    add(&words, place->binary);
    add(&words, "--config");
    add(&words, "Release");
    return words;
}

const char *const *pb_build_targets_argv(const struct pb_build_place *place, struct pb_arena *arena)
{
    struct words words = begin_build(place, arena);
    add(&words, "--target");
    add(&words, "help");
    return words.argv;
}

/* Whether a list of targets, one a line in words of the generator, has this one. */
static bool has_target(const char *targets, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = targets; (at = strstr(at, name)) != NULL; at++) {
        const bool begins = at == targets || at[-1] == ' ' || at[-1] == '\n';
        if (begins && strchr(": \n", at[n]) != NULL) {
            return true;
        }
    }
    return false;
}

enum pb_code pb_build_make_argv(const struct pb_build_settings *settings,
                                const struct pb_build_configured *configured,
                                struct pb_arena *arena, const char *const **argv,
                                struct pb_error *err)
{
    if (!has_target(configured->targets, settings->target)) {
        return pb_error_set(err, PB_ERR_USAGE,
                            "its CMake project has no target '%s'; name the one that "
                            "pairbench_add_suite() makes with --target",
                            settings->target);
    }
    struct words words = begin_build(&configured->place, arena);
    add(&words, "--parallel");
    add(&words, pb_arena_printf(arena, "%u", configured->n_jobs));
    add(&words, "--target");
    add(&words, settings->target);
    for (unsigned k = 1; k < settings->layouts && k < PB_LAYOUTS_MAX; k++) {
        const char *layout = pb_arena_printf(arena, "%s.layout%u", settings->target, k);
        if (has_target(configured->targets, layout)) {
            add(&words, layout);
        }
    }
    *argv = words.argv;
    return PB_OK;
}

const char *pb_build_object_name(const char *target, unsigned number, struct pb_arena *arena)
{
    return number == 0 ? pb_arena_printf(arena, "%s.so", target)
                       : pb_arena_printf(arena, "%s.layout%u.so", target, number);
}

/* Reads a number of at most 6 digits. returns: what follows it, NULL when there is none */
static const char *read_number(const char *text, unsigned *number)
{
    enum { DIGITS_MAX = 6 };
    unsigned value = 0;
    int n = 0;
    for (; text[n] >= '0' && text[n] <= '9' && n < DIGITS_MAX; n++) {
        value = 10 * value + (unsigned)(text[n] - '0');
    }
    *number = value;
    return n > 0 ? text + n : NULL;
}

/* Reads Ninja's `[n/m]` or Make's `[ n%]` at the beginning of a line. */
static void read_progress(const char *line, unsigned *done, unsigned *total)
{
    unsigned n = 0;
    unsigned m = 0;
    if (line[0] != '[') {
        return;
    }
    const char *end = read_number(line + 1 + strspn(line + 1, " "), &n);
    if (end != NULL && end[0] == '%' && end[1] == ']' && n <= 100) {
        *done = n;
        *total = 100;
        return;
    }
    end = end != NULL && end[0] == '/' ? read_number(end + 1, &m) : NULL;
    if (end != NULL && end[0] == ']' && n <= m && m > 0) {
        *done = n;
        *total = m;
    }
}

void pb_build_progress(const char *log_end, unsigned *done, unsigned *total)
{
    for (const char *line = log_end; line != NULL;) {
        read_progress(line, done, total);
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
}

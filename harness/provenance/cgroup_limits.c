/* SPDX-License-Identifier: Apache-2.0
 *
 * A container often sees its own group mounted as the root while /proc/self/cgroup names a path
 * that does not exist for it; walking up from that path finds the mounted root all the same.
 */
#include "provenance/cgroup_limits.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const int64_t no_limit = INT64_MAX; /* read, and there is none */
static const int64_t not_said = -1;        /* no such file            */

/* Version 1 writes the largest multiple of the page size for "none"; nobody has a quarter of that.
 */
static const int64_t absurd_bytes = INT64_MAX / 4;

/* Reads a value of a group: a limit, no_limit or not_said. */
typedef int64_t read_value(const struct pb_file_tree *tree, const char *group);

/* A whole number at the start of text; no_limit for anything else (`max`, -1). */
static int64_t number(const char *text)
{
    char *end;
    const int64_t value = strtoll(text, &end, 10);
    return end != text && value >= 0 ? value : no_limit;
}

/* Hundredths of a processor that quota microseconds in every period are. */
static int64_t hundredths(int64_t quota_us, int64_t period_us)
{
    if (quota_us == no_limit || period_us == no_limit || period_us <= 0 ||
        quota_us > INT64_MAX / 100) {
        return no_limit;
    }
    return quota_us * 100 / period_us;
}

static int64_t cpu_limit_2(const struct pb_file_tree *tree, const char *group)
{
    const char *line = pb_file_tree_line(tree, "%s/cpu.max", group);
    if (line == NULL) {
        return not_said;
    }
    return hundredths(number(line), number(line + strcspn(line, " ")));
}

static int64_t cpu_limit_1(const struct pb_file_tree *tree, const char *group)
{
    const char *quota = pb_file_tree_line(tree, "%s/cpu.cfs_quota_us", group);
    const char *period = pb_file_tree_line(tree, "%s/cpu.cfs_period_us", group);
    if (quota == NULL || period == NULL) {
        return not_said;
    }
    return hundredths(number(quota), number(period));
}

static int64_t memory_limit_2(const struct pb_file_tree *tree, const char *group)
{
    const char *line = pb_file_tree_line(tree, "%s/memory.max", group);
    return line != NULL ? number(line) : not_said;
}

static int64_t memory_limit_1(const struct pb_file_tree *tree, const char *group)
{
    const char *line = pb_file_tree_line(tree, "%s/memory.limit_in_bytes", group);
    if (line == NULL) {
        return not_said;
    }
    return number(line) < absurd_bytes ? number(line) : no_limit;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t sum(int64_t a, int64_t b)
{
    return a + b;
}

/* The values of a group and those above it, two by two made into one; not_said when none has any.
 */
static int64_t climb(const struct pb_file_tree *tree, const char *mount, const char *path,
                     read_value *value_of, int64_t (*combine)(int64_t, int64_t))
{
    char *group = pb_arena_printf(tree->arena, "%s%s", mount, path);
    int64_t all = not_said;
    for (;;) {
        const int64_t value = value_of(tree, group);
        if (value != not_said) {
            all = all == not_said ? value : combine(all, value);
        }
        char *slash = strrchr(group, '/');
        if (slash == NULL || (size_t)(slash - group) < strlen(mount)) {
            return all;
        }
        *slash = '\0';
    }
}

/* The smallest limit of a group and those above it. */
static int64_t tightest(const struct pb_file_tree *tree, const char *mount, const char *path,
                        read_value *limit_of)
{
    return climb(tree, mount, path, limit_of, smaller);
}

/* Whether a comma-separated list of n bytes has this item. */
static bool list_has(const char *list, size_t n, const char *item)
{
    const size_t length = strlen(item);
    for (const char *at = list; at < list + n; at++) {
        const size_t step = strcspn(at, ",:\n");
        if (step == length && memcmp(at, item, length) == 0) {
            return true;
        }
        at += step;
    }
    return false;
}

/*
 * This process's group in the hierarchy of a controller, "" for the one of version 2.
 * groups:  content of /proc/self/cgroup: lines of NUMBER:CONTROLLER,CONTROLLER…:PATH
 * returns: its path; "" when it is not there
 */
static const char *group_path(struct pb_arena *arena, const char *groups, const char *controller)
{
    for (const char *line = groups; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const char *list = line + strcspn(line, ":\n");
        const char *path = *list == ':' ? list + 1 + strcspn(list + 1, ":\n") : list;
        if (*path == ':') {
            const size_t n = (size_t)(path - list) - 1;
            if ((n == 0 && *controller == '\0') || list_has(list + 1, n, controller)) {
                return pb_arena_memdup(arena, path + 1, (size_t)(line + length - path) - 1);
            }
        }
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    return "";
}

static const char *show_bytes(struct pb_arena *arena, int64_t bytes)
{
    return bytes == no_limit ? "none" : pb_arena_printf(arena, "%" PRId64, bytes);
}

/* By whole numbers: a decimal point must not depend on the locale. */
static const char *show_processors(struct pb_arena *arena, int64_t parts)
{
    return parts == no_limit
               ? "none"
               : pb_arena_printf(arena, "%" PRId64 ".%02d", parts / 100, (int)(parts % 100));
}

static const char mount[] = "sys/fs/cgroup";

static bool is_version_2(const struct pb_file_tree *tree)
{
    return pb_file_tree_text(tree, "%s/cgroup.controllers", mount) != NULL;
}

static const char *read_groups(const struct pb_file_tree *tree)
{
    const char *groups = pb_file_tree_text(tree, "proc/self/cgroup");
    return groups != NULL ? groups : "";
}

struct pb_cgroup_limits pb_cgroup_limits_read(const struct pb_file_tree *tree)
{
    struct pb_arena *arena = tree->arena;
    const char *groups = read_groups(tree);
    int64_t cpu = not_said;
    int64_t memory = not_said;
    if (is_version_2(tree)) {
        const char *path = group_path(arena, groups, "");
        cpu = tightest(tree, mount, path, cpu_limit_2);
        memory = tightest(tree, mount, path, memory_limit_2);
        /* The root of version 2 has no such files: none of them means no limit. */
        cpu = cpu == not_said ? no_limit : cpu;
        memory = memory == not_said ? no_limit : memory;
    } else {
        cpu = tightest(tree, pb_arena_printf(arena, "%s/cpu", mount),
                       group_path(arena, groups, "cpu"), cpu_limit_1);
        memory = tightest(tree, pb_arena_printf(arena, "%s/memory", mount),
                          group_path(arena, groups, "memory"), memory_limit_1);
    }
    return (struct pb_cgroup_limits){
        .cpu_quota = cpu != not_said ? show_processors(arena, cpu) : NULL,
        .memory_bytes = memory != not_said ? show_bytes(arena, memory) : NULL,
    };
}

static int64_t throttled_of(const struct pb_file_tree *tree, const char *group)
{
    static const char key[] = "nr_throttled ";
    static const int64_t absurd = INT64_C(1) << 40; /* ten a second for 3000 years */
    const char *text = pb_file_tree_text(tree, "%s/cpu.stat", group);
    const char *found = text != NULL ? strstr(text, key) : NULL;
    const int64_t n = found != NULL ? number(found + strlen(key)) : no_limit;
    return n < absurd ? n : not_said;
}

int64_t pb_cgroup_throttled(const struct pb_file_tree *tree)
{
    const bool version_2 = is_version_2(tree);
    const char *top = version_2 ? mount : pb_arena_printf(tree->arena, "%s/cpu", mount);
    const char *path = group_path(tree->arena, read_groups(tree), version_2 ? "" : "cpu");
    return climb(tree, top, path, throttled_of, sum);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines are `key<blanks>: value`. One table says which keys stand for what, most common first.
 */
#include "provenance/cpuinfo.h"

#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"

enum { ALTERNATIVES = 4 };

static const char *const vendor_keys[ALTERNATIVES] = {"vendor_id", "CPU implementer", "mvendorid"};
static const char *const family_keys[ALTERNATIVES] = {"cpu family", "CPU architecture"};
static const char *const model_keys[ALTERNATIVES] = {"model", "CPU part", "marchid", "cpu"};
static const char *const stepping_keys[ALTERNATIVES] = {"stepping", "mimpid", "revision"};
static const char *const name_keys[ALTERNATIVES] = {"model name", "uarch", "Hardware", "cpu"};

/* A piece of the text. */
struct span {
    const char *start;
    size_t length;
};

/* Finds the next value of key at or behind *at, and moves *at behind its line. */
static bool next_value(const char **at, const char *key, struct span *value)
{
    const size_t key_length = strlen(key);
    while (**at != '\0') {
        const char *line = *at;
        const size_t length = strcspn(line, "\n");
        *at = line + length + (line[length] == '\n' ? 1 : 0);
        if (strncmp(line, key, key_length) != 0) {
            continue;
        }
        const char *colon = line + key_length + strspn(line + key_length, " \t");
        if (*colon != ':') {
            continue;
        }
        value->start = colon + 1 + strspn(colon + 1, " \t");
        const char *end = line + length;
        while (end > value->start && (end[-1] == ' ' || end[-1] == '\t')) {
            end--;
        }
        value->length = (size_t)(end - value->start);
        if (end > value->start) {
            return true;
        }
    }
    return false;
}

/* Appends a value unless it is there already; beyond this length there are too many to tell. */
static void add_distinct(struct pb_strbuf *joined, const char *value, size_t length)
{
    enum { ENOUGH_BYTES = 200 };
    const char *at = joined->length > 0 ? joined->text : "";
    while (*at != '\0') {
        const size_t n = strcspn(at, "+");
        if (n == length && memcmp(at, value, n) == 0) {
            return;
        }
        at += n + (at[n] == '+' ? 1 : 0);
    }
    if (joined->length < ENOUGH_BYTES) {
        pb_strbuf_adds(joined, joined->length > 0 ? "+" : "");
        pb_strbuf_add(joined, value, length);
    }
}

/* Takes the text out of the buffer; NULL when it is empty. */
static const char *take(struct pb_arena *arena, struct pb_strbuf *buf)
{
    const char *text = buf->length > 0 ? pb_arena_strdup(arena, buf->text) : NULL;
    pb_strbuf_release(buf);
    return text;
}

/* The distinct values of the first of some keys that has any. */
static const char *values_of(struct pb_arena *arena, const char *text, const char *const *keys)
{
    struct pb_strbuf joined = {0};
    for (size_t i = 0; i < ALTERNATIVES && keys[i] != NULL && joined.length == 0; i++) {
        struct span value;
        for (const char *at = text; next_value(&at, keys[i], &value);) {
            add_distinct(&joined, value.start, value.length);
        }
    }
    return take(arena, &joined);
}

/* ARM's variant and revision, which stand one behind the other, in ARM's own notation. */
static const char *arm_stepping(struct pb_arena *arena, const char *text)
{
    struct pb_strbuf joined = {0};
    struct span variant;
    struct span revision;
    const char *at = text;
    while (next_value(&at, "CPU variant", &variant) && next_value(&at, "CPU revision", &revision)) {
        const size_t prefix = strncmp(variant.start, "0x", 2) == 0 ? 2 : 0;
        const char *stepping =
            pb_arena_printf(arena, "r%.*sp%.*s", (int)(variant.length - prefix),
                            variant.start + prefix, (int)revision.length, revision.start);
        add_distinct(&joined, stepping, strlen(stepping));
    }
    return take(arena, &joined);
}

/* Whether the flags of the first processor name a hypervisor; NULL without flags. */
static const char *hypervisor_of(const char *text)
{
    static const char word[] = "hypervisor";
    struct span flags;
    if (!next_value(&text, "flags", &flags)) {
        return NULL;
    }
    const char *end = flags.start + flags.length;
    for (const char *flag = flags.start; flag < end; flag++) {
        const size_t length = strcspn(flag, " \n");
        if (length == sizeof word - 1 && memcmp(flag, word, length) == 0) {
            return "yes";
        }
        flag += length;
    }
    return "none";
}

static size_t count_processors(const char *text)
{
    size_t n = 0;
    struct span number;
    while (next_value(&text, "processor", &number)) {
        n++;
    }
    return n;
}

struct pb_cpuinfo pb_cpuinfo_parse(struct pb_arena *arena, const char *text)
{
    if (text == NULL) {
        return (struct pb_cpuinfo){0};
    }
    struct pb_cpuinfo info = {
        .vendor = values_of(arena, text, vendor_keys),
        .family = values_of(arena, text, family_keys),
        .model = values_of(arena, text, model_keys),
        .stepping = arm_stepping(arena, text),
        .name = values_of(arena, text, name_keys),
        .hypervisor = hypervisor_of(text),
        .n_processors = count_processors(text),
    };
    if (info.stepping == NULL) {
        info.stepping = values_of(arena, text, stepping_keys);
    }
    return info;
}

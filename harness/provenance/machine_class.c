/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of compilers and command lines brought into a form that only differs when the code may.
 */
#include "provenance/machine_class.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"
#include "provenance/fact_list.h"

static const char digits[] = "0123456789";

/* What stands between the compilers of several suites. */
static const char separator[] = " + ";

/* Moves what was built into the arena. */
static const char *take(struct pb_arena *arena, struct pb_strbuf *buf)
{
    const char *text = pb_arena_strdup(arena, buf->length > 0 ? buf->text : "");
    pb_strbuf_release(buf);
    return text;
}

/* Appends the family and the first version number of one compiler: n bytes like
 * `clang 14.0.6 (https://…)` or `gcc 13.2.1 20231011 (Red Hat 13.2.1-4)`, ended by a blank or the
 * end of the text. */
static void add_compiler(struct pb_strbuf *buf, const char *text, size_t n)
{
    const size_t family = strcspn(text, " ");
    const size_t version = family + strcspn(text + family, digits);
    size_t length = version < n ? strspn(text + version, "0123456789.") : 0;
    while (length > 0 && text[version + length - 1] == '.') {
        length--;
    }
    pb_strbuf_add(buf, text, family);
    if (length > 0) {
        pb_strbuf_addc(buf, ' ');
        pb_strbuf_add(buf, text + version, length);
    }
}

static const char *normal_compiler(struct pb_arena *arena, const char *text)
{
    struct pb_strbuf buf = {0};
    for (;;) {
        const char *end = strstr(text, separator);
        add_compiler(&buf, text, end != NULL ? (size_t)(end - text) : strlen(text));
        if (end == NULL) {
            return take(arena, &buf);
        }
        pb_strbuf_adds(&buf, separator);
        text = end + strlen(separator);
    }
}

/* A flag that can't change the code that comes out. */
struct idle_flag {
    const char *prefix;
    bool alone;     /* must be the whole flag: -v, not -version */
    bool with_next; /* alone, it takes the next word along      */
};
static const struct idle_flag idle_flags[] = {
    {.prefix = "-g"},
    {.prefix = "-I", .with_next = true},
    {.prefix = "-L", .with_next = true},
    {.prefix = "-isystem", .with_next = true},
    {.prefix = "-iquote", .with_next = true},
    {.prefix = "-idirafter", .with_next = true},
    {.prefix = "-MF", .with_next = true},
    {.prefix = "-MT", .with_next = true},
    {.prefix = "-MQ", .with_next = true},
    {.prefix = "-M"},
    {.prefix = "-pedantic"},
    {.prefix = "-pipe", .alone = true},
    {.prefix = "-v", .alone = true},
    {.prefix = "-w", .alone = true},
    {.prefix = "-fdiagnostics"},
    {.prefix = "-fno-diagnostics"},
    {.prefix = "-fcolor-diagnostics", .alone = true},
    {.prefix = "-fno-color-diagnostics", .alone = true},
    {.prefix = "-fmessage-length"},
    {.prefix = "-fmax-errors"},
    {.prefix = "-ferror-limit"},
    {.prefix = "-ffile-prefix-map"},
    {.prefix = "-fdebug-prefix-map"},
    {.prefix = "-fmacro-prefix-map"},
    {.prefix = "-fprofile-prefix-map"},
    {.prefix = "-fdebug-compilation-dir"},
    {.prefix = "-save-temps"},
};

/* Whether a word may be dropped. *next: whether the word behind it belongs to it */
static bool is_idle(const char *word, size_t length, bool *next)
{
    *next = false;
    /* Warnings, but not -Wl, -Wa, -Wp, which hand options on to linker, assembler, preprocessor. */
    if (length >= 2 && strncmp(word, "-W", 2) == 0) {
        return !(length > 3 && strchr("lap", word[2]) != NULL && word[3] == ',');
    }
    for (size_t i = 0; i < sizeof idle_flags / sizeof idle_flags[0]; i++) {
        const struct idle_flag *flag = &idle_flags[i];
        const size_t prefix = strlen(flag->prefix);
        if (length < prefix || strncmp(word, flag->prefix, prefix) != 0 ||
            (flag->alone && length != prefix)) {
            continue;
        }
        *next = flag->with_next && length == prefix;
        return true;
    }
    return false;
}

static const char *normal_flags(struct pb_arena *arena, const char *text)
{
    static const char blanks[] = " \t\r\n";
    struct pb_strbuf buf = {0};
    bool skip = false;
    for (text += strspn(text, blanks); *text != '\0'; text += strspn(text, blanks)) {
        const size_t length = strcspn(text, blanks);
        const bool belongs_to_idle = skip;
        if (!is_idle(text, length, &skip) && !belongs_to_idle) {
            pb_strbuf_adds(&buf, buf.length > 0 ? " " : "");
            pb_strbuf_add(&buf, text, length);
        }
        skip = skip && !belongs_to_idle;
        text += length;
    }
    return take(arena, &buf);
}

struct pb_facts pb_class_facts(struct pb_arena *arena, const struct pb_facts *machine,
                               const struct pb_facts *build)
{
    static const char *const of_machine[] = {"arch", "vendor", "family", "model", "libc"};
    struct pb_fact_list list = {.arena = arena};
    for (size_t i = 0; i < sizeof of_machine / sizeof of_machine[0]; i++) {
        pb_fact_list_add(&list, of_machine[i], pb_fact_or_unknown(machine, of_machine[i]));
    }
    pb_fact_list_add(&list, "compiler",
                     normal_compiler(arena, pb_fact_or_unknown(build, "compiler")));
    pb_fact_list_add(&list, "flags", normal_flags(arena, pb_fact_or_unknown(build, "flags")));
    pb_fact_list_add(&list, "build_type", pb_fact_or_unknown(build, "build_type"));
    return pb_fact_list_sorted(&list);
}

/* Appends n bytes as a part of a file name. */
static void add_part(struct pb_strbuf *buf, const char *text, size_t n)
{
    enum { PART_BYTES = 24 };
    n = n < PART_BYTES ? n : PART_BYTES;
    for (size_t i = 0; i < n; i++) {
        const char c = text[i];
        if (c >= 'A' && c <= 'Z') {
            pb_strbuf_addc(buf, (char)(c - 'A' + 'a'));
        } else if ((c >= 'a' && c <= 'z') || c == '_' || (c == '.' && i > 0) ||
                   strchr(digits, c) != NULL) {
            pb_strbuf_addc(buf, c);
        } else if (c != ' ') {
            pb_strbuf_addc(buf, '_');
        }
    }
    pb_strbuf_addc(buf, '-');
}

const char *pb_class_name(struct pb_arena *arena, const struct pb_facts *class_facts)
{
    static const char *const keys[] = {"arch", "vendor", "family", "model"};
    struct pb_strbuf buf = {0};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *value = pb_fact_or_unknown(class_facts, keys[i]);
        add_part(&buf, value, strlen(value));
    }
    /* The compiler's major version is enough to recognise it; the hash has the rest. */
    const char *compiler = pb_fact_or_unknown(class_facts, "compiler");
    add_part(&buf, compiler, strcspn(compiler, "."));
    const char *libc = pb_fact_or_unknown(class_facts, "libc");
    add_part(&buf, libc, strlen(libc));
    const uint64_t hash = pb_facts_hash(class_facts);
    pb_strbuf_addf(&buf, "%08" PRIx32, (uint32_t)(hash ^ (hash >> 32)));
    return take(arena, &buf);
}

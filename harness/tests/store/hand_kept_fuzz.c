/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a table of aliases and as waivers: refused with a message, or good for use. What was
 * renamed once must have a present name that is renamed no further.
 */
#include "store/aliases.h"
#include "store/waivers.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void check_aliases(const struct pb_aliases *aliases, struct pb_arena *arena)
{
    for (size_t i = 0; i < aliases->n; i++) {
        const char *present = pb_aliases_present(aliases, aliases->items[i].old_name, arena);
        demand(strcmp(pb_aliases_present(aliases, present, arena), present) == 0,
               "no present name");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pb_arena arena = {0};
    struct pb_aliases aliases;
    struct pb_waivers waivers;
    struct pb_error err = {0};
    const char *text = pb_arena_memdup(&arena, data, size);
    if (pb_aliases_parse("input", text, size, &arena, &aliases, &err) == PB_OK) {
        check_aliases(&aliases, &arena);
    } else {
        demand(err.message[0] != '\0', "no message");
    }
    err = (struct pb_error){0};
    if (pb_waivers_parse("input", text, size, &arena, &waivers, &err) == PB_OK) {
        for (size_t i = 0; i < waivers.n; i++) {
            demand(pb_waiver_holds(&waivers.items[i], INT64_MIN / 4) == false, "holds for ever");
        }
    } else {
        demand(err.message[0] != '\0', "no message");
    }
    pb_arena_release(&arena);
    return 0;
}

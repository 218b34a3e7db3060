/* SPDX-License-Identifier: Apache-2.0
 *
 * NO_COLOR counts when it is set to anything but an empty text, as those who invented it ask for.
 */
#include "output/style.h"

#include <stddef.h>
#include <string.h>

/* Whether escape sequences do there what they should, and are welcome. */
static bool is_lively(const struct pb_terminal *terminal)
{
    const bool refused = terminal->no_color != NULL && terminal->no_color[0] != '\0';
    const bool dumb = terminal->term == NULL || strcmp(terminal->term, "dumb") == 0;
    return terminal->is_tty && !refused && !dumb;
}

bool pb_style_wants_color(enum pb_color_when when, const struct pb_terminal *terminal)
{
    return when == PB_COLOR_ALWAYS || (when == PB_COLOR_AUTO && is_lively(terminal));
}

bool pb_style_wants_progress(int verbosity, const struct pb_terminal *terminal)
{
    return verbosity >= 0 && is_lively(terminal);
}

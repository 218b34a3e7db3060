/* SPDX-License-Identifier: Apache-2.0
 *
 * A difference reads like a check, since it is made like one.
 */
#include "output/baseline_diff_text.h"

#include "base/text.h"
#include "output/check_text.h"

static void add_side(struct pb_strbuf *buf, const char *side)
{
    if (side != NULL) {
        pb_text_add_escaped(buf, side);
    } else {
        pb_strbuf_adds(buf, "(nothing)");
    }
}

void pb_baseline_diff_text_add(struct pb_strbuf *buf, const struct pb_baseline_diff *diff,
                               const struct pb_style *style)
{
    for (size_t i = 0; i < diff->n; i++) {
        const struct pb_baseline_difference *item = &diff->items[i];
        pb_strbuf_adds(buf, i > 0 ? "\n" : "");
        add_side(buf, item->a);
        pb_strbuf_adds(buf, " → ");
        add_side(buf, item->b);
        pb_strbuf_addc(buf, '\n');
        pb_check_text_add(buf, &item->check, style);
    }
    if (diff->n == 0) {
        pb_strbuf_adds(buf, "nothing to compare\n");
    }
}

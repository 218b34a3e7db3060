/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts are first made safe to show, which leaves no line breaks in them, then escaped for a
 * command.
 */
#include "output/github.h"

#include "base/text.h"
#include "output/quantity.h"

#include <math.h>
#include <string.h>

/* Appends text with all of these characters as %XX. */
static void add_encoded(struct pb_strbuf *buf, const char *text, const char *special)
{
    struct pb_strbuf safe;
    pb_strbuf_init(&safe);
    pb_text_add_escaped(&safe, text);
    for (const char *at = safe.text; *at != '\0'; at++) {
        if (strchr(special, *at) != NULL) {
            pb_strbuf_addf(buf, "%%%02X", (unsigned)(unsigned char)*at);
        } else {
            pb_strbuf_addc(buf, *at);
        }
    }
    pb_strbuf_release(&safe);
}

/* A whole command. title, message: not escaped */
static void add_command(struct pb_strbuf *buf, const char *command, const char *title,
                        const char *message)
{
    pb_strbuf_addf(buf, "::%s title=", command);
    add_encoded(buf, title, "%:,");
    pb_strbuf_adds(buf, "::");
    add_encoded(buf, message, "%");
    pb_strbuf_addc(buf, '\n');
}

static void add_finding(struct pb_strbuf *buf, const char *command,
                        const struct pb_finding *finding)
{
    struct pb_strbuf title;
    struct pb_strbuf message;
    pb_strbuf_init(&title);
    pb_strbuf_init(&message);
    pb_strbuf_addf(&title, "%s: %s", pb_finding_word(finding), finding->name);
    pb_strbuf_adds(&message, finding->metric);
    if (isfinite(finding->baseline) && isfinite(finding->now)) {
        pb_strbuf_addc(&message, ' ');
        pb_finding_add_change(&message, finding);
        pb_strbuf_adds(&message, ", from ");
        pb_quantity_add_number(&message, finding->baseline);
        pb_strbuf_adds(&message, " to ");
        pb_quantity_add_number(&message, finding->now);
    }
    if (finding->reason != NULL) {
        pb_strbuf_adds(&message, ": ");
        pb_strbuf_adds(&message, finding->reason);
    }
    add_command(buf, command, title.text, message.text);
    pb_strbuf_release(&title);
    pb_strbuf_release(&message);
}

static bool is_error(const struct pb_finding *finding)
{
    return finding->fails;
}

static bool is_warning(const struct pb_finding *finding)
{
    return !finding->fails && finding->verdict == PB_VERDICT_REGRESSED;
}

/* One kind of annotation, up to the limit. */
static void add_kind(struct pb_strbuf *buf, const char *command,
                     bool (*is_of_kind)(const struct pb_finding *finding),
                     const struct pb_finding *sorted, size_t n)
{
    size_t all = 0;
    for (size_t i = 0; i < n; i++) {
        all += is_of_kind(&sorted[i]);
    }
    const bool cut = all > PB_GITHUB_ANNOTATIONS_MAX;
    const size_t most = cut ? PB_GITHUB_ANNOTATIONS_MAX - 1 : all;
    size_t shown = 0;
    for (size_t i = 0; i < n && shown < most; i++) {
        if (is_of_kind(&sorted[i])) {
            add_finding(buf, command, &sorted[i]);
            shown++;
        }
    }
    if (cut) {
        struct pb_strbuf message;
        pb_strbuf_init(&message);
        pb_strbuf_addf(&message, "%zu more are in the log", all - shown);
        add_command(buf, command, "pairbench", message.text);
        pb_strbuf_release(&message);
    }
}

void pb_github_add(struct pb_strbuf *buf, const struct pb_check_record *check)
{
    struct pb_arena arena = {0};
    const struct pb_finding *sorted =
        pb_findings_sorted(&arena, check->findings, check->n_findings);
    add_kind(buf, "error", is_error, sorted, check->n_findings);
    add_kind(buf, "warning", is_warning, sorted, check->n_findings);
    struct pb_strbuf summary;
    pb_strbuf_init(&summary);
    pb_findings_add_summary(&summary, check->findings, check->n_findings);
    if (check->note != NULL) {
        pb_strbuf_addf(&summary, "; %s", check->note);
    }
    add_command(buf, "notice", "pairbench", summary.text);
    pb_strbuf_release(&summary);
    pb_arena_release(&arena);
}

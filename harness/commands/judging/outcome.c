/* SPDX-License-Identifier: Apache-2.0
 *
 * From findings to the outcome of a check: waivers, and what fails it.
 */
#include "commands/judging/parts.h"

#include <math.h>
#include <string.h>

#include "measure/launch.h"
#include "measure/selection.h"

/* Whether a glob is the name of a benchmark or matches it. */
static bool name_matches(const char *glob, const char *name, struct pb_arena *arena)
{
    if (strcmp(glob, name) == 0) {
        return true;
    }
    struct pb_name_parts parts;
    return pb_name_split(name, arena, &parts) &&
           pb_name_matches(glob, parts.case_name, parts.scenario, parts.variant);
}

/* Whether a waiver is about a finding, however large its change and whatever the day. */
static bool is_about(const struct pb_judge *judge, const struct pb_waiver *waiver,
                     const struct pb_finding *finding)
{
    if ((waiver->gate != NULL && strcmp(waiver->gate, finding->gate) != 0) ||
        (waiver->metric != NULL && strcmp(waiver->metric, finding->metric) != 0)) {
        return false;
    }
    const char *present = pb_aliases_present(&judge->set->aliases, waiver->name, judge->arena);
    return name_matches(present, finding->name, judge->arena);
}

/* Puts words in front of a reason; the reason may be NULL. */
static const char *before_reason(struct pb_arena *arena, const char *words, const char *reason)
{
    return reason == NULL ? words : pb_arena_printf(arena, "%s; %s", words, reason);
}

void pb_judge_waive(const struct pb_judge *judge, struct pb_finding *finding)
{
    const char *no_help = NULL;
    finding->waived_until = NULL;
    for (size_t i = 0; i < judge->set->waivers.n; i++) {
        const struct pb_waiver *waiver = &judge->set->waivers.items[i];
        if (finding->verdict != PB_VERDICT_REGRESSED || !is_about(judge, waiver, finding)) {
            continue;
        }
        if (!pb_waiver_holds(waiver, judge->run->started_at)) {
            no_help = pb_arena_printf(judge->arena, "its waiver ended on %s: %s", waiver->until,
                                      waiver->reason);
        } else if (!(finding->change_pct <= waiver->at_most_pct)) {
            no_help = pb_arena_printf(judge->arena, "its waiver is for at most +%g %%: %s",
                                      waiver->at_most_pct, waiver->reason);
        } else {
            finding->waived_until = waiver->until;
            finding->waived_reason = waiver->reason;
            finding->reason = before_reason(
                judge->arena,
                pb_arena_printf(judge->arena, "waived until %s: %s", waiver->until, waiver->reason),
                finding->reason);
            return;
        }
    }
    if (no_help != NULL) {
        finding->reason = before_reason(judge->arena, no_help, finding->reason);
    }
}

/* The words of --fail-on. */
static const struct {
    const char *word;
    unsigned bit;
} fail_words[] = {
    {"regressed", PB_FAIL_REGRESSED},       {"failed", PB_FAIL_FAILED},
    {"missing", PB_FAIL_MISSING},           {"differs", PB_FAIL_DIFFERS},
    {"incompatible", PB_FAIL_INCOMPATIBLE}, {"inconclusive", PB_FAIL_INCONCLUSIVE},
    {"warnings", PB_FAIL_WARNINGS},         {"none", 0},
};
enum { N_FAIL_WORDS = sizeof fail_words / sizeof fail_words[0] };

enum pb_code pb_judge_parse_fail_on(const char *text, unsigned *fail_on, struct pb_error *err)
{
    unsigned bits = 0;
    for (const char *at = text;;) {
        const size_t n = strcspn(at, ",");
        size_t i = 0;
        while (i < N_FAIL_WORDS &&
               (strlen(fail_words[i].word) != n || strncmp(fail_words[i].word, at, n) != 0)) {
            i++;
        }
        if (i == N_FAIL_WORDS) {
            return pb_error_set(err, PB_ERR_USAGE,
                                "--fail-on '%s': '%.*s' is none of regressed, failed, missing, "
                                "differs, incompatible, inconclusive, warnings, none",
                                text, (int)n, at);
        }
        bits |= fail_words[i].bit;
        if (at[n] == '\0') {
            break;
        }
        at += n + 1;
    }
    *fail_on = bits;
    return PB_OK;
}

static bool is_difference(const char *reason)
{
    return reason != NULL && strncmp(reason, PB_DIFFERS, strlen(PB_DIFFERS)) == 0;
}

static unsigned bit_of(const struct pb_finding *finding)
{
    switch (finding->verdict) {
    case PB_VERDICT_REGRESSED:
        if (finding->waived_until != NULL) {
            return 0;
        }
        return finding->warns ? PB_FAIL_WARNINGS : PB_FAIL_REGRESSED;
    case PB_VERDICT_FAILED:
        return is_difference(finding->reason) ? PB_FAIL_DIFFERS : PB_FAIL_FAILED;
    case PB_VERDICT_INVALID_RUN:
        return PB_FAIL_FAILED;
    case PB_VERDICT_MISSING:
        return PB_FAIL_MISSING;
    case PB_VERDICT_INCOMPARABLE:
        return PB_FAIL_INCOMPATIBLE;
    case PB_VERDICT_INCONCLUSIVE:
        return finding->warns ? 0 : PB_FAIL_INCONCLUSIVE;
    default:
        return 0;
    }
}

void pb_judge_conclude(struct pb_check_record *check, unsigned fail_on)
{
    static const struct {
        unsigned bits;
        int exit_code;
    } order[] = {
        {PB_FAIL_FAILED | PB_FAIL_MISSING | PB_FAIL_DIFFERS, PB_EXIT_FAILED},
        {PB_FAIL_REGRESSED | PB_FAIL_WARNINGS, PB_EXIT_REGRESSED},
        {PB_FAIL_INCOMPATIBLE, PB_EXIT_INCOMPATIBLE},
        {PB_FAIL_INCONCLUSIVE, PB_EXIT_INCONCLUSIVE},
    };
    unsigned bits = 0;
    for (size_t i = 0; i < check->n_findings; i++) {
        const unsigned bit = bit_of(&check->findings[i]);
        check->findings[i].fails = (bit & fail_on) != 0;
        bits |= bit;
    }
    check->exit_code = PB_EXIT_OK;
    for (size_t i = sizeof order / sizeof order[0]; i > 0; i--) {
        if ((bits & fail_on & order[i - 1].bits) != 0) {
            check->exit_code = order[i - 1].exit_code;
        }
    }
}

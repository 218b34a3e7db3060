/* SPDX-License-Identifier: Apache-2.0
 *
 * One place for phrases that more than one output uses.
 */
#include "output/wording.h"

#include "output/quantity.h"
#include "output/run_view.h"

#include <math.h>

enum pb_tone pb_wording_time(struct pb_strbuf *buf, const struct pb_benchmark_record *benchmark)
{
    if (benchmark == NULL) {
        return PB_TONE_PLAIN;
    }
    if (benchmark->state != PB_STATE_OK) {
        pb_strbuf_adds(buf, pb_state_name(benchmark->state));
        return benchmark->state == PB_STATE_FAILED ? PB_TONE_BAD : PB_TONE_FAINT;
    }
    if (benchmark->below_resolution) {
        pb_strbuf_adds(buf, "too fast");
        return PB_TONE_WARN;
    }
    pb_quantity_add_time(buf, benchmark->best_ns);
    return PB_TONE_PLAIN;
}

void pb_wording_counts(struct pb_strbuf *buf, const struct pb_benchmark_record *benchmark)
{
    for (size_t i = 0; i < benchmark->n_counts; i++) {
        const struct pb_count_record *count = &benchmark->counts[i];
        pb_strbuf_addf(buf, "%s%s %lld%s", i > 0 ? ", " : "", count->name, (long long)count->value,
                       count->deterministic ? "" : " (varies)");
    }
    if (benchmark->instructions >= 0) {
        pb_strbuf_addf(buf, "%sinstructions %lld", benchmark->n_counts > 0 ? ", " : "",
                       (long long)benchmark->instructions);
    }
}

void pb_wording_pair(struct pb_strbuf *buf, const struct pb_pair_record *pair)
{
    pb_strbuf_addf(buf, "%s/%s%s%s: %s against %s", pair->case_name, pair->scenario,
                   pair->variant != NULL ? "/" : "", pair->variant != NULL ? pair->variant : "",
                   pair->b, pair->a);
}

void pb_wording_headline(struct pb_strbuf *buf, const struct pb_run_record *run,
                         const struct pb_check_record *check)
{
    if (check != NULL) {
        pb_findings_add_summary(buf, check->findings, check->n_findings);
        return;
    }
    const struct pb_verdict_counts counts = pb_run_verdicts(run);
    pb_verdicts_add_summary(buf, &counts);
    pb_strbuf_adds(buf, counts.total == 0 ? "no pairs" : "");
}

void pb_wording_plan(struct pb_strbuf *buf, const struct pb_run_record *run, size_t n_scenarios)
{
    pb_strbuf_addf(buf, "%zu %s, %s%u %s each%s", n_scenarios,
                   n_scenarios == 1 ? "scenario" : "scenarios", run->adaptive ? "up to " : "",
                   (unsigned)run->launches, run->launches == 1 ? "launch" : "launches",
                   run->quick ? " (quick)" : "");
}

void pb_wording_wall_time(struct pb_strbuf *buf, const struct pb_run_record *run)
{
    pb_quantity_add_duration(buf, run->wall_s);
    if (run->wall_s > 0 && isfinite(run->timed_s)) {
        pb_strbuf_addf(buf, ", %.0f %% of it timed", 100 * run->timed_s / run->wall_s);
    }
}

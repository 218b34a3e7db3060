/* SPDX-License-Identifier: Apache-2.0
 *
 * Every key here is part of the schema: it may be joined by others, and is never renamed.
 */
#include "output/json_record.h"

#include "base/text.h"
#include "stats/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* true, false, or null for what git could not tell. */
static void put_dirty(struct pb_json_document *doc, struct json_object *commit,
                      const struct pb_facts *facts)
{
    const char *dirty = pb_facts_get(facts, "dirty");
    if (dirty != NULL && (strcmp(dirty, "true") == 0 || strcmp(dirty, "false") == 0)) {
        pb_json_put_bool(doc, commit, "dirty", strcmp(dirty, "true") == 0);
    } else {
        pb_json_put_null(doc, commit, "dirty");
    }
}

static void put_commit(struct pb_json_document *doc, struct json_object *parent,
                       const struct pb_facts *facts)
{
    pb_json_put_facts(doc, parent, "commit", facts);
    struct json_object *commit = NULL;
    if (!json_object_object_get_ex(parent, "commit", &commit)) {
        return;
    }
    static const char *const always[] = {"id", "branch"};
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        if (pb_facts_get(facts, always[i]) == NULL) {
            pb_json_put_null(doc, commit, always[i]);
        }
    }
    put_dirty(doc, commit, facts);
}

/* patterns: one a line, escaped; NULL is none */
static void put_patterns(struct pb_json_document *doc, struct json_object *parent,
                         const char *patterns)
{
    struct json_object *array = pb_json_add_array(doc, parent, "patterns");
    struct pb_strbuf line;
    struct pb_strbuf pattern;
    pb_strbuf_init(&line);
    pb_strbuf_init(&pattern);
    for (const char *s = patterns != NULL ? patterns : ""; *s != '\0';) {
        const size_t n = strcspn(s, "\n");
        pb_strbuf_reset(&line);
        pb_strbuf_add(&line, s, n);
        pb_strbuf_reset(&pattern);
        if (!pb_text_add_unescaped(&pattern, line.text)) {
            pb_strbuf_reset(&pattern);
            pb_strbuf_adds(&pattern, line.text); /* better as it is than not at all */
        }
        pb_json_add_child(doc, array, NULL,
                          json_object_new_string(pb_json_mend(doc, pattern.text)));
        s += n + (s[n] == '\n');
    }
    pb_strbuf_release(&line);
    pb_strbuf_release(&pattern);
}

/* What a step of each calibration kernel took; null where it was not timed. */
static void put_kernels(struct pb_json_document *doc, struct json_object *parent,
                        const double kernels_ns[PB_KERNELS])
{
    struct json_object *object = pb_json_add_object(doc, parent, "kernels");
    for (int i = 0; i < PB_KERNELS; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s_ns", pb_kernel_name((enum pb_kernel)i));
        pb_json_put_number(doc, object, key, kernels_ns[i] > 0 ? kernels_ns[i] : (double)NAN);
    }
}

void pb_json_put_run(struct pb_json_document *doc, const struct pb_run_record *run)
{
    struct json_object *object = pb_json_add_object(doc, doc->root, "run");
    pb_json_put_text(doc, object, "id", run->id);
    pb_json_put_time(doc, object, "started_at", run->started_at);
    pb_json_put_text(doc, object, "label", run->label);
    pb_json_put_text(doc, object, "tool_version", run->tool_version);
    pb_strbuf_reset(&doc->scratch);
    pb_strbuf_addf(&doc->scratch, "%llu", (unsigned long long)run->seed);
    pb_json_put(doc, object, "seed", json_object_new_string(doc->scratch.text));
    pb_json_put_count(doc, object, "launches", run->launches);
    pb_json_put_bool(doc, object, "adaptive", run->adaptive);
    pb_json_put_text(doc, object, "plan", run->plan);
    put_patterns(doc, object, run->patterns);
    pb_json_put_bool(doc, object, "quick", run->quick);
    pb_json_put_bool(doc, object, "injected", run->injected);
    pb_json_put_bool(doc, object, "valid", run->valid);
    pb_json_put_text(doc, object, "invalid_reason", run->invalid_reason);
    pb_json_put_text(doc, object, "noticed", run->noticed);
    pb_json_put_number(doc, object, "wall_s", run->wall_s);
    pb_json_put_number(doc, object, "timed_s", run->timed_s);
    pb_json_put_number(doc, object, "start_ms", run->start_ms);
    put_kernels(doc, object, run->kernels_ns);
    pb_json_put_facts(doc, object, "machine", &run->machine);
    pb_json_put_facts(doc, object, "build", &run->build);
    put_commit(doc, object, &run->commit);
}

static void put_counts(struct pb_json_document *doc, struct json_object *object,
                       const struct pb_benchmark_record *benchmark)
{
    struct json_object *counts = pb_json_add_object(doc, object, "counts");
    struct json_object *varying = pb_json_add_array(doc, object, "nondeterministic_counts");
    for (size_t i = 0; i < benchmark->n_counts; i++) {
        const struct pb_count_record *count = &benchmark->counts[i];
        const char *name = pb_json_mend(doc, count->name);
        pb_json_put(doc, counts, name, json_object_new_int64(count->value));
        if (!count->deterministic) {
            pb_json_add_child(doc, varying, NULL, json_object_new_string(name));
        }
    }
}

struct json_object *pb_json_put_benchmark(struct pb_json_document *doc, struct json_object *array,
                                          const struct pb_benchmark_record *benchmark)
{
    struct json_object *object = pb_json_add_object(doc, array, NULL);
    pb_json_put_text(doc, object, "name", benchmark->name);
    pb_json_put_text(doc, object, "case", benchmark->case_name);
    pb_json_put_text(doc, object, "scenario", benchmark->scenario);
    pb_json_put_text(doc, object, "variant", benchmark->variant);
    pb_json_put_bool(doc, object, "bound", (benchmark->flags & PB_BENCHMARK_BOUND) != 0);
    pb_json_put_bool(doc, object, "reference", (benchmark->flags & PB_BENCHMARK_REFERENCE) != 0);
    pb_json_put_text(doc, object, "state", pb_state_name(benchmark->state));
    pb_json_put_text(doc, object, "reason", benchmark->reason);
    pb_json_put_bool(doc, object, "below_resolution", benchmark->below_resolution);
    pb_json_put_number(doc, object, "best_ns", benchmark->best_ns);
    pb_json_put_number(doc, object, "median_ns", benchmark->median_ns);
    pb_json_put_number(doc, object, "cpu_ns", benchmark->cpu_ns);
    pb_json_put_count(doc, object, "repeats", benchmark->repeats);
    pb_json_put_count(doc, object, "iterations", benchmark->iterations);
    pb_json_put_count(doc, object, "launches", benchmark->n_launches);
    pb_json_put_number(doc, object, "inject_pct", benchmark->inject_pct);
    put_counts(doc, object, benchmark);
    if (benchmark->instructions >= 0) {
        pb_json_put_count(doc, object, "instructions", (uint64_t)benchmark->instructions);
    } else {
        pb_json_put_null(doc, object, "instructions");
    }
    return object;
}

void pb_json_put_change(struct pb_json_document *doc, struct json_object *object, double estimate,
                        double lo, double hi)
{
    pb_json_put_number(doc, object, "speedup", exp(-estimate));
    pb_json_put_number(doc, object, "change_pct", pb_change_pct(estimate));
    /* exp() of -inf is an ordinary zero: an interval without that end has none. */
    pb_json_put_number(doc, object, "lo_pct", isfinite(lo) ? pb_change_pct(lo) : (double)NAN);
    pb_json_put_number(doc, object, "hi_pct", isfinite(hi) ? pb_change_pct(hi) : (double)NAN);
    const double provable = pb_provable_equivalence((struct pb_interval){estimate, lo, hi});
    pb_json_put_number(doc, object, "provable_pct",
                       isfinite(provable) ? 100 * provable : (double)NAN);
}

struct json_object *pb_json_put_pair(struct pb_json_document *doc, struct json_object *array,
                                     const struct pb_pair_record *pair)
{
    struct json_object *object = pb_json_add_object(doc, array, NULL);
    pb_json_put_text(doc, object, "case", pair->case_name);
    pb_json_put_text(doc, object, "scenario", pair->scenario);
    pb_json_put_text(doc, object, "variant", pair->variant);
    pb_json_put_text(doc, object, "a", pair->a);
    pb_json_put_text(doc, object, "b", pair->b);
    pb_json_put_bool(doc, object, "gated", pair->gated);
    pb_json_put_change(doc, object, pair->estimate, pair->lo, pair->hi);
    pb_json_put_text(doc, object, "verdict", pb_verdict_name(pair->verdict));
    pb_json_put_text(doc, object, "reason", pair->reason);
    pb_json_put_count(doc, object, "launches", pair->n_launches);
    pb_json_put_text(doc, object, "stopped", pair->stopped);
    pb_json_put_text(doc, object, "noticed", pair->noticed);
    pb_json_put_number(doc, object, "timed_s", pair->timed_s);
    return object;
}

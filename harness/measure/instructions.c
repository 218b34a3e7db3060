/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch that dies under the counter is repeated with each side alone, so that one that valgrind
 * can't run costs the others nothing.
 */
#include "measure/instructions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A launch under valgrind may take that many times the deadline of others. */
#define DEADLINE_FACTOR 6

/* Sides of a job that share a launch. */
struct party {
    uint32_t side[PB_LAUNCH_SIDES_MAX];
    uint32_t n;
};

/* What one pass counted, by side of the job; negative = nothing. */
struct pass {
    int64_t instructions[PB_LAUNCH_SIDES_MAX];
};

const char *pb_counter_name(enum pb_counter counter)
{
    static const char *const names[] = {
        [PB_COUNTER_NONE] = "none",
        [PB_COUNTER_PERF_EVENT] = "perf_event",
        [PB_COUNTER_CALLGRIND] = "callgrind",
    };
    return names[counter <= PB_COUNTER_CALLGRIND ? counter : PB_COUNTER_NONE];
}

/* The seed is the same every time: nothing may be left to chance here. */
static void fill_request(const struct pb_job *job, struct pb_session *session,
                         const struct party *party)
{
    struct pb_launch_request *request = &pb_launch_region(session->launch)->request;
    request->seed = 0;
    request->task = PB_TASK_INSTRUCTIONS;
    request->n_suites = 0;
    request->n_sides = party->n;
    request->n_instances = 1;
    for (uint32_t i = 0; i < party->n; i++) {
        const struct pb_job_side *side = &job->sides[party->side[i]];
        uint64_t executed = 1;
        const uint64_t iterations = pb_plan_injection(1, side->inject_pct, &executed);
        request->sides[i] = (struct pb_side_request){
            .suites = {pb_launch_add_suite(request, side->suite->layouts[0])},
            .case_index = side->case_index,
            .scenario = side->scenario_index,
            .variant = side->variant_index,
            .iterations = iterations,
            .executed = executed,
        };
    }
}

static void note_missed(struct pb_session *session, const struct pb_job_side *side,
                        const char *reason)
{
    struct pb_instructions *counting = &session->instructions;
    if (counting->n_missed++ == 0) {
        counting->first_missed = side->name;
        counting->reason = pb_arena_strdup(session->arena, reason);
    }
}

static void give_up(struct pb_session *session, const char *reason)
{
    session->instructions.given_up = true;
    session->instructions.reason = pb_arena_strdup(session->arena, reason);
}

static void take_results(const struct pb_job *job, struct pb_session *session,
                         const struct party *party, struct pass *pass)
{
    const struct pb_launch_region *region = pb_launch_region(session->launch);
    session->instructions.counter = (enum pb_counter)region->counter;
    for (uint32_t i = 0; i < party->n; i++) {
        const struct pb_side_result *result = &region->results[i];
        if (result->state == PB_STATE_OK) {
            pass->instructions[party->side[i]] = result->instructions;
        } else {
            note_missed(session, &job->sides[party->side[i]], result->reason);
        }
    }
}

/* *died: whether the launch ended in the hands of a suite, which says nothing of the counter */
static enum pb_code launch(const struct pb_job *job, struct pb_session *session,
                           const struct party *party, struct pass *pass, bool *died,
                           struct pb_error *err)
{
    struct pb_launch_outcome outcome;
    *died = false;
    fill_request(job, session, party);
    const double deadline_s = DEADLINE_FACTOR * session->plan->deadline_s;
    const enum pb_code code = pb_launch_run(session->launch, NULL, deadline_s, &outcome, err);
    if (code != PB_OK) {
        return code;
    }
    if (outcome.end == PB_END_DONE) {
        take_results(job, session, party, pass);
    } else if (outcome.end == PB_END_REFUSED || outcome.phase == PB_PHASE_START) {
        give_up(session, outcome.reason);
    } else {
        *died = true;
        if (party->n == 1) {
            note_missed(session, &job->sides[party->side[0]], outcome.reason);
        }
    }
    return PB_OK;
}

static enum pb_code count_once(const struct pb_job *job, struct pb_session *session,
                               const struct party *party, struct pass *pass, struct pb_error *err)
{
    bool died = false;
    memset(pass, -1, sizeof *pass);
    enum pb_code code = launch(job, session, party, pass, &died, err);
    for (uint32_t i = 0; code == PB_OK && died && party->n > 1 && i < party->n; i++) {
        const struct party alone = {.side = {party->side[i]}, .n = 1};
        bool died_again = false;
        code = launch(job, session, &alone, pass, &died_again, err);
    }
    return code;
}

/* What differs is kept as a count that is not deterministic, so that it is named and not gated. */
static void take_counts(struct pb_job *job, const struct pass passes[2])
{
    for (uint32_t i = 0; i < job->n_sides; i++) {
        struct pb_job_side *side = &job->sides[i];
        const int64_t first = passes[0].instructions[i];
        const int64_t second = passes[1].instructions[i];
        if (first < 0 || second < 0) {
            continue;
        }
        if (first == second) {
            side->instructions = (struct pb_job_instructions){.known = true, .value = first};
        } else if (side->n_counts < PB_LAUNCH_COUNTS_MAX) {
            side->counts[side->n_counts++] =
                (struct pb_job_count){.name = PB_INSTRUCTIONS_COUNT, .value = first};
        }
    }
}

/* The sides that are well, of those that the pass before could count, if there was one. */
static struct party gather(const struct pb_job *job, const struct pass *before)
{
    struct party party = {0};
    for (uint32_t i = 0; i < job->n_sides; i++) {
        if (job->sides[i].state == PB_STATE_OK &&
            (before == NULL || before->instructions[i] >= 0)) {
            party.side[party.n++] = i;
        }
    }
    return party;
}

enum pb_code pb_instructions_count(struct pb_job *job, struct pb_session *session,
                                   struct pb_error *err)
{
    struct pass passes[2];
    memset(passes, -1, sizeof passes);
    for (int i = 0; i < 2; i++) {
        const struct party party = gather(job, i > 0 ? &passes[i - 1] : NULL);
        if (party.n == 0 || session->instructions.given_up) {
            return PB_OK;
        }
        const enum pb_code code = count_once(job, session, &party, &passes[i], err);
        if (code != PB_OK) {
            return code;
        }
    }
    take_counts(job, passes);
    return PB_OK;
}

/* What was not counted and why; NULL when all was. */
static const char *describe_trouble(const struct pb_instructions *counting, struct pb_arena *arena)
{
    if (counting->given_up) {
        return pb_arena_printf(arena, "instructions were not counted: %s", counting->reason);
    }
    if (counting->n_missed == 0) {
        return NULL;
    }
    return pb_arena_printf(arena,
                           "instructions of %u benchmark%s were not counted; the first is %s: %s",
                           counting->n_missed, counting->n_missed == 1 ? "" : "s",
                           counting->first_missed, counting->reason);
}

void pb_instructions_report(const struct pb_session *session, const struct pb_measure_watch *watch,
                            struct pb_run_record *run)
{
    const struct pb_instructions *counting = &session->instructions;
    const char *trouble = describe_trouble(counting, session->arena);
    const enum pb_counter counter = counting->given_up ? PB_COUNTER_NONE : counting->counter;
    pb_facts_add(session->arena, &run->machine, PB_INSTRUCTION_COUNTER, pb_counter_name(counter));
    if (trouble != NULL && watch != NULL && watch->warn != NULL) {
        watch->warn(watch->context, trouble);
    }
}

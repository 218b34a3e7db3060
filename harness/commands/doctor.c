/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench doctor`: is this machine fit to measure on, what to change, what can't be known.
 *
 * Changes nothing. However bad it looks, that is no error: exit code 0.
 */
#include "commands/all.h"

#include <math.h>
#include <time.h>

#include "base/strbuf.h"
#include "commands/bench.h"
#include "measure/noise_floor.h"
#include "output/doctor_text.h"
#include "output/json.h"
#include "provenance/noise.h"

#define WHOLE_S 10.0
#define QUICK_S 2.0

/* Between two samples of the machine when nothing is measured meanwhile: 50 ticks of a clock. */
#define PAUSE_NS 500000000

static const struct pb_option options[] = {
    {"quick", NULL, "measure for 2 s instead of 10 s", false},
    {"no-measure", NULL, "look at the machine only", false},
};

static bool was_stopped(void *context)
{
    const struct pb_context *its_context = context;
    return its_context->stop != NULL && *its_context->stop != 0;
}

/* Measures a side against itself for so long. */
static enum pb_code measure(const struct pb_context *context, const struct pb_args *args,
                            double seconds, struct pb_doctor_floor *measured, struct pb_error *err)
{
    struct pb_catalog catalog;
    struct pb_selection selection;
    struct pb_noise_floor floor;
    if (context->n_suites == 0) {
        *measured = (struct pb_doctor_floor){
            .reason = "there is no suite; name one with --suite PATH",
            .estimate = NAN,
            .lo = -INFINITY,
            .hi = INFINITY,
            .floor = INFINITY,
        };
        return PB_OK;
    }
    enum pb_code code = pb_bench_load(context, &catalog, err);
    if (code == PB_OK) {
        code = pb_selection_make(&catalog, args->operands, args->n_operands, context->arena,
                                 &selection, err);
    }
    if (code != PB_OK) {
        return code;
    }
    pb_note(context, "measuring a side against itself for %.0f s", seconds);
    const struct pb_plan plan = {
        .worker = context->worker,
        .times = true,
        .seed = pb_bench_random_seed(),
        .deadline_s = PB_DEADLINE_S,
        .budget_s = seconds,
    };
    const struct pb_measure_watch watch = {.context = (void *)context, .stopped = was_stopped};
    code = pb_noise_floor_measure(&catalog, &selection, &plan, &watch, context->arena, &floor, err);
    if (code == PB_OK) {
        *measured = (struct pb_doctor_floor){
            .name = floor.name,
            .reason = floor.reason,
            .n_launches = floor.n_launches,
            .wall_s = floor.wall_s,
            .estimate = floor.estimate,
            .lo = floor.lo,
            .hi = floor.hi,
            .floor = floor.floor,
        };
    }
    return code;
}

static enum pb_code show(const struct pb_context *context, const struct pb_doctor_record *record,
                         struct pb_error *err)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    enum pb_code code = PB_OK;
    if (context->format == PB_FORMAT_JSON) {
        code = pb_json_add_doctor(&text, record, err);
    } else {
        pb_doctor_text_add(&text, record, &context->style);
    }
    if (code == PB_OK) {
        code = pb_write_stdout(text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

static enum pb_code run_doctor(const struct pb_context *context, const struct pb_args *args,
                               int *exit_code, struct pb_error *err)
{
    struct pb_doctor_floor measured;
    struct pb_noise_item items[PB_NOISE_ITEMS_MAX];
    struct pb_doctor_record record = {.items = items};
    const struct pb_noise_answers answers = pb_noise_ask(context->arena);
    const struct pb_noise_sample before = pb_noise_sample_take("");
    if (pb_args_has(args, "no-measure")) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    } else {
        const double seconds = pb_args_has(args, "quick") ? QUICK_S : WHOLE_S;
        const enum pb_code code = measure(context, args, seconds, &measured, err);
        if (code != PB_OK) {
            return code;
        }
        record.floor = &measured;
    }
    const struct pb_noise_sample after = pb_noise_sample_take("");
    record.n_items = pb_noise_judge(context->arena, "", &answers, &before, &after, items);
    *exit_code = PB_EXIT_OK;
    return show(context, &record, err);
}

const struct pb_command pb_command_doctor = {
    .name = "doctor",
    .operands = "[PATTERN…]",
    .summary = "Says whether this machine is fit to measure on, and what to change",
    .details =
        "First what disturbs measuring here: yes, it is as it should be; no, with what to do; or\n"
        "unknown. Then `old` of the first scenario that matches PATTERN against itself for 10 s:\n"
        "what identical code looks like here is the smallest difference that can be seen.\n"
        "Nothing on the machine is changed.",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .operands_max = 1000,
    .run = run_doctor,
};

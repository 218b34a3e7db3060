/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench selftest`: how often does this tool err, on this machine?
 *
 * Three parts that can be had alone: trials on the machine, the same procedure on simulated
 * launches, and several methods on recorded samples.
 */
#include "commands/all.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "commands/bench.h"
#include "commands/selftest/methods.h"
#include "commands/selftest/trials.h"
#include "output/selftest_json.h"
#include "output/selftest_text.h"
#include "provenance/machine.h"

#define BUDGET_WHOLE_S 3300.0
#define BUDGET_QUICK_S 40.0

/* Seed of simulated launches and of groups drawn from recorded ones, unless another is given. */
#define SEED_FIXED 1

static const struct pb_option options[] = {
    {"quick", NULL, "a few trials of each kind, less than a minute: does it work at all", false},
    {"budget", "TIME", "begin no trials that would end after TIME (default 55m, with --quick 40s)",
     false},
    {"samples", "FILE", "keep all trials with their samples in a new FILE (JSON lines)", false},
    {"resume", "FILE", "go on with the trials in FILE, up to the same number", false},
    {"seed", "N", "repeat what is random in a self-test", false},
    {"synthetic", NULL, "no trials: the procedure on millions of simulated launches", false},
    {"compare", NULL, "no trials: this and other methods on the samples in FILE… (see below)",
     false},
};

static enum pb_code show(const struct pb_context *context, const struct pb_selftest_report *report,
                         struct pb_error *err)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    enum pb_code code = PB_OK;
    if (context->format == PB_FORMAT_JSON) {
        code = pb_selftest_json_add(&text, report, err);
    } else {
        pb_selftest_text_add(&text, report, &context->style);
    }
    if (code == PB_OK) {
        code = pb_write_stdout(text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

/* A self-test has a file at most, and trials or none. */
static enum pb_code check_args(const struct pb_args *args, struct pb_error *err)
{
    static const char *const trials_only[] = {"quick", "budget", "samples", "resume"};
    const bool compares = pb_args_has(args, "compare");
    const char *alone = compares ? "compare" : pb_args_has(args, "synthetic") ? "synthetic" : NULL;
    for (size_t i = 0; alone != NULL && i < sizeof trials_only / sizeof trials_only[0]; i++) {
        if (pb_args_has(args, trials_only[i])) {
            return pb_error_set(err, PB_ERR_USAGE,
                                "--%s makes no trials, so --%s says nothing there", alone,
                                trials_only[i]);
        }
    }
    if (pb_args_has(args, "samples") && pb_args_has(args, "resume")) {
        return pb_error_set(err, PB_ERR_USAGE,
                            "--resume keeps what is new in its own FILE: leave out --samples");
    }
    if (pb_args_has(args, "resume") && pb_args_has(args, "seed")) {
        return pb_error_set(err, PB_ERR_USAGE, "--resume has its seed in FILE: leave out --seed");
    }
    if (compares != (args->n_operands > 0)) {
        return compares ? pb_error_set(err, PB_ERR_USAGE,
                                       "--compare: a file or folder of samples is missing")
                        : pb_error_set(err, PB_ERR_USAGE, "'%s': files belong to --compare",
                                       args->operands[0]);
    }
    return PB_OK;
}

/* Seed of the command line, else a default. */
static enum pb_code read_seed(const struct pb_args *args, uint64_t otherwise, uint64_t *seed,
                              struct pb_error *err)
{
    *seed = otherwise;
    return pb_args_has(args, "seed")
               ? pb_parse_count("--seed", pb_args_value(args, "seed"), 0, UINT64_MAX, seed, err)
               : PB_OK;
}

static enum pb_code open_log(const struct pb_context *context, const struct pb_args *args,
                             struct pb_trial_log *log, struct pb_error *err)
{
    uint64_t seed = 0;
    if (pb_args_has(args, "resume")) {
        return pb_trial_log_resume(pb_args_value(args, "resume"), context->arena, log, err);
    }
    const enum pb_code code = read_seed(args, pb_bench_random_seed(), &seed, err);
    return code == PB_OK
               ? pb_trial_log_begin(pb_args_value(args, "samples"), seed, context->arena, log, err)
               : code;
}

static void count_trials(const struct pb_trial_log *log, struct pb_selftest_report *report)
{
    for (size_t i = 0; i < log->n; i++) {
        const struct pb_trial *trial = &log->trials[i];
        if (trial->cell != PB_CELL_RUN_AND_CHECK) {
            report->n_trials++;
            report->n_failed += trial->verdict > PB_VERDICT_INCONCLUSIVE;
            report->n_invalid += !trial->valid;
        }
    }
}

/* What an interruption leaves can be gone on with. */
static enum pb_code explain_interruption(const struct pb_trial_log *log, struct pb_error *err)
{
    if (log->path == NULL) {
        return pb_error_set(err, PB_ERR_INTERRUPTED,
                            "interrupted after %zu trials; with --samples FILE they would be kept",
                            log->n);
    }
    return pb_error_set(err, PB_ERR_INTERRUPTED,
                        "interrupted after %zu trials; go on with `pairbench selftest --resume %s`",
                        log->n, log->path);
}

static enum pb_code do_trials(const struct pb_context *context, const struct pb_args *args,
                              struct pb_selftest_report *report, struct pb_error *err)
{
    struct pb_trials_plan plan = {.quick = pb_args_has(args, "quick")};
    plan.budget_s = plan.quick ? BUDGET_QUICK_S : BUDGET_WHOLE_S;
    struct pb_trial_log log;
    enum pb_code code = PB_OK;
    if (pb_args_has(args, "budget")) {
        code = pb_parse_duration("--budget", pb_args_value(args, "budget"), &plan.budget_s, err);
    }
    if (code == PB_OK) {
        code = open_log(context, args, &log, err);
    }
    if (code != PB_OK) {
        return code;
    }
    code = pb_trials_run(context, &plan, &log, &report->build, &report->stopped, err);
    if (code != PB_OK) {
        return code == PB_ERR_INTERRUPTED ? explain_interruption(&log, err) : code;
    }
    report->seed = log.seed;
    report->wall_s = log.wall_s;
    report->started_at = log.started_at;
    report->machine = pb_machine_facts(context->arena);
    report->rows = pb_selftest_rows(log.trials, log.n, context->arena, &report->n_rows);
    count_trials(&log, report);
    return PB_OK;
}

static enum pb_code do_methods(const struct pb_context *context, const struct pb_args *args,
                               struct pb_selftest_report *report, struct pb_error *err)
{
    uint64_t seed = 0;
    const enum pb_code code = read_seed(args, SEED_FIXED, &seed, err);
    return code == PB_OK
               ? pb_methods_compare(args->operands, args->n_operands, seed, context->arena,
                                    &report->methods, &report->n_methods, err)
               : code;
}

static enum pb_code do_synthetic(const struct pb_context *context, const struct pb_args *args,
                                 struct pb_selftest_report *report, struct pb_error *err)
{
    struct pb_synthetic_report *made = pb_arena_alloc(context->arena, sizeof *made);
    uint64_t seed = 0;
    enum pb_code code = read_seed(args, SEED_FIXED, &seed, err);
    if (code == PB_OK) {
        code = pb_synthetic_run(seed, PB_SYNTHETIC_SEQUENCES, made, err);
    }
    report->synthetic = made;
    return code;
}

static enum pb_code run_selftest(const struct pb_context *context, const struct pb_args *args,
                                 int *exit_code, struct pb_error *err)
{
    struct pb_selftest_report report = {
        .tool_version = PAIRBENCH_VERSION,
        .started_at = (int64_t)time(NULL),
    };
    const bool compares = pb_args_has(args, "compare");
    const bool simulates = pb_args_has(args, "synthetic");
    enum pb_code code = check_args(args, err);
    if (code == PB_OK && compares) {
        code = do_methods(context, args, &report, err);
    }
    if (code == PB_OK && simulates) {
        code = do_synthetic(context, args, &report, err);
    }
    if (code == PB_OK && !compares && !simulates) {
        code = do_trials(context, args, &report, err);
    }
    if (code != PB_OK) {
        return code;
    }
    const bool fails = pb_selftest_missed(report.rows, report.n_rows) ||
                       (report.synthetic != NULL && report.synthetic->n_failed > 0);
    report.exit_code = fails ? PB_EXIT_REGRESSED : PB_EXIT_OK;
    *exit_code = report.exit_code;
    return show(context, &report, err);
}

const struct pb_command pb_command_selftest = {
    .name = "selftest",
    .operands = "[FILE…]",
    .summary = "Measures how often this tool errs, on this machine",
    .details =
        "Trials: workloads of nine kinds and the suite are measured against copies of themselves,\n"
        "against other layouts, and against the same code that does 0.5, 1, 1.5 or 2 % more; on a\n"
        "quiet machine and under load that this command makes itself and ends again. Counted is\n"
        "how often a verdict is wrong, and how often right and in time, each with exact bounds\n"
        "and beside what it must reach. All of them take less than an hour; let nothing else run.\n"
        "\n"
        "--compare reads what --samples wrote (*.jsonl), and recorded launches: NAME_aa.f32,\n"
        "NAME_plus2.f32, NAME_aa.csv and so on, also whole folders of them.\n"
        "\n"
        "Exits with 1 when something that must be reached is missed, or a check on simulated\n"
        "launches does not hold; too few trials to tell is no miss.",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .operands_max = 100,
    .run = run_selftest,
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * What is stated comes in two kinds. Where launches are independent, the share of misses is the
 * exact one of the procedure, on every distribution. How often a change is found depends on the
 * distribution; those shares were computed once by this code and are kept so that a change of the
 * method that costs power does not go unnoticed.
 */
#include "stats/synthetic.h"

#include <math.h>
#include <string.h>

#include "stats/simulate.h"
#include "stats/stopping.h"
#include "stats/trend.h"

enum { SEQUENCES_LEAST = 100 };

/* Of proofs, and of changes before they are confirmed; that of coverage has more to count. */
#define PROOF_LEVEL    0.01
#define CHANGE_LEVEL   0.05
#define COVERAGE_LEVEL 0.05
#define DEVIATIONS     4.0

/* Fine margins, with which half a percent is looked for. */
#define FINE_MARGINS                                                                               \
    {                                                                                              \
        .gate = 0, .equivalence = 0.004                                                            \
    }
#define USUAL_MARGINS                                                                              \
    {                                                                                              \
        .gate = PB_GATE_MARGIN, .equivalence = PB_EQUIVALENCE_MARGIN                               \
    }

/* Verdicts as a set. */
#define SET(verdict) (1u << (verdict))

/* A question about verdicts. */
struct question {
    const char *what;
    double change; /* the true one, as a ratio */
    struct pb_margins margins;
    unsigned counted; /* verdicts, a set */
};

enum { FALSE_VERDICT, PROVEN, FALSE_PROOF, FOUND_2, FOUND_1, FOUND_05, QUESTIONS };
static const struct question questions[QUESTIONS] = {
    [FALSE_VERDICT] = {"false verdict on equal sides", 0, USUAL_MARGINS,
                       SET(PB_VERDICT_REGRESSED) | SET(PB_VERDICT_IMPROVED)},
    [PROVEN] = {"equal sides proven unchanged", 0, USUAL_MARGINS, SET(PB_VERDICT_UNCHANGED)},
    [FALSE_PROOF] = {"false proof at a true +1.5 %", 0.015, USUAL_MARGINS,
                     SET(PB_VERDICT_UNCHANGED)},
    [FOUND_2] = {"found at +2 %", 0.02, USUAL_MARGINS, SET(PB_VERDICT_REGRESSED)},
    [FOUND_1] = {"found at +1 %", 0.01, USUAL_MARGINS, SET(PB_VERDICT_REGRESSED)},
    [FOUND_05] = {"found at +0.5 %, no gate", 0.005, FINE_MARGINS, SET(PB_VERDICT_REGRESSED)},
};

struct range {
    double least;
    double most;
};

/* Nothing is stated. */
#define ANYTHING                                                                                   \
    {                                                                                              \
        0, 1                                                                                       \
    }

/* What is stated of one distribution. */
struct statement {
    const char *simulation;
    struct range missed; /* of independent launches it is the exact share instead */
    struct range drift;  /* share of series called a drift */
    struct range answers[QUESTIONS];
};

static const struct statement statements[] = {
    {.simulation = "gaussian",
     .missed = ANYTHING,
     .drift = {0, 0.002},
     .answers = {{0, 0.002}, {0.995, 1}, {0, 0.001}, {0.999, 1}, {0.985, 1}, {0.81, 0.85}}},
    {.simulation = "t3",
     .missed = ANYTHING,
     .drift = {0, 0.002},
     .answers = {{0, 0.003}, {0.985, 1}, {0, 0.001}, {0.999, 1}, {0.97, 0.99}, {0.735, 0.78}}},
    {.simulation = "spikes",
     .missed = ANYTHING,
     .drift = {0, 0.002},
     .answers = {{0, 0.003}, {0.99, 1}, {0, 0.001}, {0.999, 1}, {0.975, 0.995}, {0.77, 0.81}}},
    {.simulation = "bimodal",
     .missed = ANYTHING,
     .drift = {0, 0.002},
     .answers = {{0, 0.001}, {0.995, 1}, {0, 0.001}, {0.999, 1}, {0.995, 1}, {0.945, 0.97}}},
    {.simulation = "ar03",
     .missed = {0.11, 0.15},
     .drift = {0, 0.02},
     .answers = {{0, 0.015}, {0.98, 1}, {0, 0.001}, {0.999, 1}, {0.96, 0.98}, {0.78, 0.82}}},
    {.simulation = "drift",
     .missed = ANYTHING,
     .drift = {0.99, 1},
     .answers = {ANYTHING, ANYTHING, ANYTHING, ANYTHING, ANYTHING, ANYTHING}},
};
enum { STATEMENTS = sizeof statements / sizeof statements[0] };

/* Share of trends that are called a drift by chance. */
#define DRIFT_LEVEL 0.001

/* The procedure's constants, computed with another programme. */
static const struct {
    double level;
    unsigned ranks[5];
    double exact;
} constants[] = {
    {0.05, {3, 6, 13, 23, 37}, 0.0433},
    {0.01, {2, 5, 11, 21, 34}, 0.0083},
    {0.001, {1, 4, 9, 18, 31}, 0.00087},
};

struct synthetic {
    struct pb_synthetic_report *report;
    uint64_t seed;
    uint64_t n_sequences;
    struct pb_stopping verdicts;
    struct pb_stopping coverage;
};

/* Enters a check. range: widened by what chance may add */
static void enter(struct synthetic *synthetic, const struct pb_synthetic_check *counted,
                  struct range range)
{
    struct pb_synthetic_report *report = synthetic->report;
    struct pb_synthetic_check *check = &report->checks[report->n_checks++];
    *check = *counted;
    check->least = range.least;
    check->most = range.most;
    const double n = (double)check->n;
    const double share = (double)check->k / n;
    const double below = DEVIATIONS * sqrt(range.least * (1 - range.least) / n);
    const double above = DEVIATIONS * sqrt(range.most * (1 - range.most) / n);
    check->holds = share >= range.least - below && share <= range.most + above;
    report->n_failed += !check->holds;
}

static bool says_nothing(struct range range)
{
    return range.least <= 0 && range.most >= 1;
}

/* The launches of a sequence: its own stream, whatever is asked about it. */
static void simulate(struct synthetic *synthetic, const struct pb_simulation *simulation,
                     uint64_t sequence, double *d)
{
    struct pb_random random;
    pb_random_init(&random, pb_random_derive(synthetic->seed, sequence));
    simulation->fill(&random, d, PB_STOPPING_LAUNCHES);
    synthetic->report->n_launches += PB_STOPPING_LAUNCHES;
}

static enum pb_code check_constants(struct synthetic *synthetic, struct pb_error *err)
{
    struct pb_synthetic_check check = {.what = "calibrated constants that differ"};
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        struct pb_stopping made;
        const enum pb_code code =
            pb_stopping_plan(constants[i].level, constants[i].level, &made, err);
        if (code != PB_OK) {
            return code;
        }
        for (size_t k = 0; k < made.n_looks; k++) {
            check.k += made.ranks[k] != constants[i].ranks[k];
            check.n++;
        }
        check.k += fabs(made.exact / constants[i].exact - 1) > 0.01; /* known to three digits */
        check.n++;
    }
    enter(synthetic, &check, (struct range){0, 0});
    return PB_OK;
}

static void check_coverage(struct synthetic *synthetic, const struct pb_simulation *simulation,
                           const struct statement *statement)
{
    if (!simulation->independent && says_nothing(statement->missed)) {
        return;
    }
    struct pb_synthetic_check check = {
        .what = "interval misses the truth at any look, level 5 %",
        .distribution = simulation->summary,
        .n = synthetic->n_sequences,
    };
    for (uint64_t i = 0; i < check.n; i++) {
        double d[PB_STOPPING_LAUNCHES];
        simulate(synthetic, simulation, i, d);
        check.k += pb_stopping_misses(&synthetic->coverage, d, 0);
    }
    const double exact = synthetic->coverage.exact;
    enter(synthetic, &check,
          simulation->independent ? (struct range){exact, exact} : statement->missed);
}

static void check_drift(struct synthetic *synthetic, const struct pb_simulation *simulation,
                        const struct statement *statement)
{
    struct pb_synthetic_check check = {
        .what = "called a drift",
        .distribution = simulation->summary,
        .n = synthetic->n_sequences / 10, /* a rank correlation takes its time */
    };
    for (uint64_t i = 0; i < check.n; i++) {
        double d[PB_STOPPING_LAUNCHES];
        simulate(synthetic, simulation, i, d);
        check.k += pb_trend(d, PB_STOPPING_LAUNCHES).p < DRIFT_LEVEL;
    }
    enter(synthetic, &check, statement->drift);
}

static void check_question(struct synthetic *synthetic, const struct pb_simulation *simulation,
                           const struct question *question, struct range range)
{
    if (says_nothing(range)) {
        return;
    }
    struct pb_synthetic_check check = {
        .what = question->what,
        .distribution = simulation->summary,
        .n = synthetic->n_sequences,
    };
    const double truth = log1p(question->change);
    for (uint64_t i = 0; i < check.n; i++) {
        double d[PB_STOPPING_LAUNCHES];
        simulate(synthetic, simulation, i, d);
        for (size_t k = 0; k < PB_STOPPING_LAUNCHES; k++) {
            d[k] += truth;
        }
        const struct pb_stop stop =
            pb_stopping_judge(&synthetic->verdicts, d, PB_STOPPING_LAUNCHES, question->margins);
        check.k += (SET(stop.verdict) & question->counted) != 0;
    }
    enter(synthetic, &check, range);
}

static const struct statement *find_statement(const char *name)
{
    for (size_t i = 0; i < STATEMENTS; i++) {
        if (strcmp(statements[i].simulation, name) == 0) {
            return &statements[i];
        }
    }
    return NULL;
}

enum pb_code pb_synthetic_run(uint64_t seed, uint64_t n_sequences,
                              struct pb_synthetic_report *report, struct pb_error *err)
{
    if (n_sequences < SEQUENCES_LEAST) {
        return pb_error_set(err, PB_ERR_USAGE, "%llu simulated sequences, at least %d are needed",
                            (unsigned long long)n_sequences, SEQUENCES_LEAST);
    }
    *report = (struct pb_synthetic_report){0};
    struct synthetic synthetic = {.report = report, .seed = seed, .n_sequences = n_sequences};
    enum pb_code code = pb_stopping_plan(PROOF_LEVEL, CHANGE_LEVEL, &synthetic.verdicts, err);
    if (code == PB_OK) {
        code = pb_stopping_plan(COVERAGE_LEVEL, COVERAGE_LEVEL, &synthetic.coverage, err);
    }
    if (code == PB_OK) {
        code = check_constants(&synthetic, err);
    }
    size_t n_simulations = 0;
    const struct pb_simulation *simulations = pb_simulations_all(&n_simulations);
    for (size_t i = 0; code == PB_OK && i < n_simulations; i++) {
        const struct statement *statement = find_statement(simulations[i].name);
        if (statement == NULL) {
            continue;
        }
        check_coverage(&synthetic, &simulations[i], statement);
        check_drift(&synthetic, &simulations[i], statement);
        for (size_t k = 0; k < QUESTIONS; k++) {
            check_question(&synthetic, &simulations[i], &questions[k], statement->answers[k]);
        }
    }
    return code;
}

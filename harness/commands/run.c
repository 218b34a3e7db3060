/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench run`: verify, count, time, store, show.
 *
 * Everything that may be wrong with the command line and the database is found before anything is
 * measured. The database is written once at the end; what could not be stored is shown all the
 * same.
 */
#include "commands/all.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "commands/bench.h"
#include "output/json.h"
#include "output/run_text.h"
#include "stats/interval.h"
#include "store/store.h"

static const struct pb_option options[] = {
    {"filter", "GLOB", "measure what matches, like a PATTERN", true},
    {"launches", "N", "launches per scenario (default: 16 to 96, as many as its intervals need)",
     false},
    {"for-baseline", NULL,
     "at least the 40 launches that `baseline save` asks for; --launches and --quick go before",
     false},
    {"quick", NULL, "16 launches per scenario: a first look", false},
    {"budget", "TIME",
     "begin no wave of launches that would end after TIME (90s, 5m), and give what is left to the "
     "widest intervals, unless --launches or --quick say how many there are; without it 2m at "
     "most, or what --launches, --quick, --for-baseline take",
     false},
    {"seed", "N", "repeat the random order and placement of a run", false},
    {"timeout", "TIME", "longest that one launch may take (default 10s)", false},
    {"instructions", NULL,
     "count instructions, too: 2 s more per scenario where valgrind has to do it", false},
    {"label", "K=V", "note that is stored with the run", true},
    {"no-store", NULL, "don't write the database", false},
    {"inject", "GLOB=+N%", "test the tool: matching sides do N % more work than they report", true},
};

static enum pb_code parse_plan(const struct pb_context *context, const struct pb_args *args,
                               struct pb_plan *plan, struct pb_error *err)
{
    uint64_t launches = pb_args_has(args, "quick") ? PB_LAUNCHES_QUICK : 0;
    *plan = (struct pb_plan){
        .worker = context->worker,
        .heap_counter = context->heap_counter,
        .seed = pb_bench_random_seed(),
        .deadline_s = PB_DEADLINE_S,
    };
    enum pb_code code = PB_OK;
    if (pb_args_has(args, "launches")) {
        code = pb_parse_count("--launches", pb_args_value(args, "launches"), 0, PB_LAUNCHES_MAX,
                              &launches, err);
    }
    if (code == PB_OK && pb_args_has(args, "seed")) {
        code =
            pb_parse_count("--seed", pb_args_value(args, "seed"), 0, UINT64_MAX, &plan->seed, err);
    }
    if (code == PB_OK && pb_args_has(args, "budget")) {
        code = pb_parse_duration("--budget", pb_args_value(args, "budget"), &plan->budget_s, err);
    }
    if (code == PB_OK && pb_args_has(args, "timeout")) {
        code =
            pb_parse_duration("--timeout", pb_args_value(args, "timeout"), &plan->deadline_s, err);
    }
    const bool fixed = launches > 0 || pb_args_has(args, "for-baseline");
    plan->spends_budget = pb_args_has(args, "budget");
    if (code == PB_OK && !fixed && !plan->spends_budget) {
        plan->budget_s = PB_RUN_BUDGET_S;
    }
    plan->launches = (uint32_t)launches;
    plan->launches_least = pb_args_has(args, "for-baseline") ? PB_LAUNCHES_BASELINE : 0;
    plan->instructions = pb_args_has(args, "instructions");
    plan->times = launches > 0 || !pb_args_has(args, "launches");
    plan->kernels = launches == 0 || launches >= PB_LAUNCHES_QUICK; /* fewer say nothing of times */
    return code == PB_OK ? pb_bench_parse_injections(args, context->arena, plan, err) : code;
}

/* Operands and --filter together. */
static const char *const *gather_patterns(const struct pb_args *args, struct pb_arena *arena,
                                          size_t *n)
{
    const char *const *filters = NULL;
    const size_t n_filters = pb_args_values(args, "filter", &filters);
    const char **patterns = pb_arena_array(arena, args->n_operands + n_filters, sizeof *patterns);
    for (size_t i = 0; i < args->n_operands; i++) {
        patterns[i] = args->operands[i];
    }
    for (size_t i = 0; i < n_filters; i++) {
        patterns[args->n_operands + i] = filters[i];
    }
    *n = args->n_operands + n_filters;
    return patterns;
}

static const char *join(struct pb_arena *arena, const char *const *texts, size_t n,
                        const char *between)
{
    const char *joined = "";
    for (size_t i = 0; i < n; i++) {
        joined = pb_arena_printf(arena, "%s%s%s", joined, i > 0 ? between : "", texts[i]);
    }
    return joined;
}

/* The patterns as they are stored, a line each. */
static const char *join_patterns(struct pb_arena *arena, const char *const *patterns, size_t n)
{
    struct pb_strbuf lines;
    pb_strbuf_init(&lines);
    for (size_t i = 0; i < n; i++) {
        pb_strbuf_adds(&lines, i > 0 ? "\n" : "");
        pb_text_add_escaped(&lines, patterns[i]);
    }
    const char *joined = pb_arena_strdup(arena, lines.text);
    pb_strbuf_release(&lines);
    return joined;
}

static enum pb_code check_labels(const char *const *labels, size_t n, struct pb_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const char *equals = strchr(labels[i], '=');
        if (equals == NULL || equals == labels[i] || strchr(labels[i], ',') != NULL) {
            return pb_error_set(err, PB_ERR_USAGE, "--label '%s': K=V without a comma is wanted",
                                labels[i]);
        }
    }
    return PB_OK;
}

/* What is to be measured. */
struct request {
    struct pb_catalog catalog;
    struct pb_selection selection;
};

/* Whether a glob matches any benchmark that is selected. */
static bool is_selected(const struct request *request, const char *glob)
{
    for (size_t c = 0; c < request->catalog.n_cases; c++) {
        const struct pb_catalog_case *its_case = &request->catalog.cases[c];
        for (size_t i = 0; i < its_case->n_scenarios * its_case->n_variants; i++) {
            const size_t s = i / its_case->n_variants;
            const size_t v = i % its_case->n_variants;
            if (request->selection.wanted[c][s][v] &&
                pb_name_matches(glob, its_case->name, its_case->scenarios[s].name,
                                its_case->variants[v].name)) {
                return true;
            }
        }
    }
    return false;
}

/* An injection that hits nothing would be a test that tests nothing. */
static enum pb_code check_injections(const struct pb_plan *plan, const struct request *request,
                                     struct pb_error *err)
{
    for (size_t i = 0; i < plan->n_injections; i++) {
        if (!is_selected(request, plan->injections[i].glob)) {
            return pb_error_set(err, PB_ERR_USAGE,
                                "--inject '%s=…' matches nothing that is to be measured",
                                plan->injections[i].glob);
        }
    }
    return PB_OK;
}

static enum pb_code store_run(const char *path, const struct pb_run_record *run,
                              struct pb_error *err)
{
    struct pb_store *store = NULL;
    enum pb_code code = pb_store_open(path, PB_STORE_WRITE, &store, err);
    if (code == PB_OK && run != NULL) {
        code = pb_store_save_run(store, run, err);
    }
    pb_store_close(store);
    return code;
}

static enum pb_code show(const struct pb_context *context, const struct pb_run_record *run,
                         struct pb_error *err)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    enum pb_code code = PB_OK;
    if (context->format == PB_FORMAT_JSON) {
        code = pb_json_add_run(&text, run, err);
    } else {
        pb_run_text_add(&text, run, &context->style);
    }
    if (code == PB_OK) {
        code = pb_write_stdout(text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

static int exit_code_of(const struct pb_run_record *run)
{
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        if (run->benchmarks[i].state == PB_STATE_FAILED) {
            return PB_EXIT_FAILED;
        }
    }
    return PB_EXIT_OK;
}

/* What the commit that a stored run belongs to lacks. */
static void warn_about_checkout(const struct pb_context *context, const struct pb_facts *commit)
{
    const char *state = pb_facts_get(commit, "state");
    const char *dirty = pb_facts_get(commit, "dirty");
    const char *shallow = pb_facts_get(commit, "shallow");
    if (state != NULL && strcmp(state, "ok") != 0) {
        pb_warn(context, "the commit is not known (%s): the run is stored without it", state);
    }
    if (dirty != NULL && strcmp(dirty, "true") == 0) {
        pb_warn(context,
                "the checkout has changes that are not committed: this run is no baseline");
    }
    if (shallow != NULL && strcmp(shallow, "true") == 0) {
        pb_warn(context, "the clone is shallow: earlier commits can't be put in order");
    }
}

static void warn_about(const struct pb_context *context, const struct pb_catalog *catalog)
{
    if (context->misses_heap_counter) {
        pb_warn(context, "allocations are not counted: pairbench-heap.so is neither beside this "
                         "program nor in its lib folder; build or install pairbench again");
    }
    for (size_t i = 0; i < catalog->n_suites; i++) {
        if (!catalog->suites[i].optimized) {
            pb_warn(context, "suite %s was built without optimisation: its times mean little",
                    catalog->suites[i].path);
        }
    }
}

/* Finds out what the command line asks for, and describes the run that it will be. */
static enum pb_code prepare(const struct pb_context *context, const struct pb_args *args,
                            const struct pb_plan *plan, struct request *request,
                            struct pb_run_record *run, struct pb_error *err)
{
    const char *const *labels = NULL;
    const size_t n_labels = pb_args_values(args, "label", &labels);
    size_t n_patterns = 0;
    const char *const *patterns = gather_patterns(args, context->arena, &n_patterns);
    enum pb_code code = check_labels(labels, n_labels, err);
    if (code == PB_OK) {
        code = pb_bench_load(context, &request->catalog, err);
    }
    if (code == PB_OK) {
        code = pb_selection_make(&request->catalog, patterns, n_patterns, context->arena,
                                 &request->selection, err);
    }
    if (code == PB_OK) {
        code = check_injections(plan, request, err);
    }
    if (code != PB_OK) {
        return code;
    }
    *run = (struct pb_run_record){
        .seed = plan->seed,
        .quick = pb_args_has(args, "quick"),
        .label = join(context->arena, labels, n_labels, ","),
        .patterns = join_patterns(context->arena, patterns, n_patterns),
    };
    pb_bench_describe(context, &request->catalog, run);
    return PB_OK;
}

static enum pb_code store_and_show(const struct pb_context *context, bool stores,
                                   const struct pb_run_record *run, struct pb_error *err)
{
    const enum pb_code stored = stores ? store_run(context->db, run, err) : PB_OK;
    struct pb_error second;
    const enum pb_code shown = show(context, run, stored == PB_OK ? err : &second);
    return stored != PB_OK ? stored : shown;
}

static enum pb_code run_run(const struct pb_context *context, const struct pb_args *args,
                            int *exit_code, struct pb_error *err)
{
    const bool stores = !pb_args_has(args, "no-store");
    struct pb_plan plan;
    struct request request;
    struct pb_run_record run;
    enum pb_code code = parse_plan(context, args, &plan, err);
    if (code == PB_OK) {
        code = prepare(context, args, &plan, &request, &run, err);
    }
    if (code == PB_OK && stores) {
        code = store_run(context->db, NULL, err);
        warn_about_checkout(context, &run.commit);
    }
    if (code == PB_OK) {
        warn_about(context, &request.catalog);
        code = pb_bench_measure(context, &request.catalog, &request.selection, &plan, &run, err);
    }
    if (code == PB_OK) {
        code = store_and_show(context, stores, &run, err);
    }
    if (code == PB_OK) {
        *exit_code = exit_code_of(&run);
    }
    return code;
}

const struct pb_command pb_command_run = {
    .name = "run",
    .operands = "[PATTERN…]",
    .summary = "Verifies, counts, times and stores benchmarks, and shows how fast each pair is",
    .details =
        "PATTERN is a shell glob on names: 'cql/*', '*/10q_2p_vec128/*'. Several are a union;\n"
        "`old` comes along with whatever is compared with it.",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .operands_max = 1000,
    .run = run_run,
};

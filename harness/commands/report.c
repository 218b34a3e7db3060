/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench report`: a page with charts of a run and of history so far.
 */
#include "commands/all.h"

#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "base/whole_file.h"
#include "commands/judging/judge.h"
#include "output/folder.h"
#include "output/page.h"
#include "store/store.h"

static const struct pb_option options[] = {
    {"out", "DIR", "where the page goes (default: report)", false},
    {"single-file", NULL, "one page and nothing beside it; to stdout with --out -", false},
    {"run", "ID", "the run to show, or the beginning of its id (default: the latest)", false},
    {"baseline", "PATH", "baseline that the page holds the run against (default: baselines)",
     false},
    {"png", NULL, "charts as PNG files, too", false},
    {"charts", "DIR", "write the charts alone, as SVG and PNG", false},
};

/* What the store knows. */
struct material {
    struct pb_run_record run;
    struct pb_past past;
    struct pb_trend_point *trend;
    size_t n_trend;
    size_t n_runs;
};

static struct pb_trend_point trend_point(const struct pb_history_point *point)
{
    return (struct pb_trend_point){
        .run_id = point->run_id,
        .started_at = point->started_at,
        .commit_id = point->commit_id,
        .machine = point->machine,
        .case_name = point->case_name,
        .scenario = point->scenario,
        .a = point->a,
        .b = point->b,
        .estimate = point->estimate,
        .lo = point->lo,
        .hi = point->hi,
        .injected = point->injected,
    };
}

static enum pb_code load(const struct pb_context *context, const struct pb_args *args,
                         struct material *material, struct pb_error *err)
{
    struct pb_store *store = NULL;
    struct pb_past *past = &material->past;
    struct pb_aliases aliases;
    enum pb_code code = pb_store_open(context->db, PB_STORE_READ, &store, err);
    if (code == PB_OK) {
        code = pb_store_load_run(store, pb_args_value(args, "run"), context->arena, &material->run,
                                 err);
    }
    if (code == PB_OK) {
        code = pb_past_load(store, &material->run, context->arena, past, err);
    }
    if (code == PB_OK) {
        code = pb_store_count_runs(store, &material->n_runs, err);
    }
    pb_store_close(store);
    if (code == PB_OK) {
        code = pb_baseline_aliases_read(pb_args_value(args, "baseline"), context->arena, &aliases,
                                        err);
    }
    if (code != PB_OK) {
        return code;
    }
    pb_aliases_update_run(&aliases, context->arena, &material->run);
    pb_past_update(past, &aliases, context->arena);
    material->trend = pb_arena_array(context->arena, past->n_pairs, sizeof *material->trend);
    for (size_t i = 0; i < past->n_pairs; i++) {
        material->trend[i] = trend_point(&past->pairs[i]);
    }
    material->n_trend = past->n_pairs;
    return PB_OK;
}

/*
 * Holds the run against the baseline, if there is one: a page without is a page all the same.
 * *judged: whether check was filled
 */
static enum pb_code judge(const struct pb_context *context, const struct pb_args *args,
                          const struct material *material, struct pb_check_record *check,
                          bool *judged, struct pb_error *err)
{
    const char *path = pb_args_value(args, "baseline");
    struct pb_baseline_set set;
    const enum pb_code code =
        pb_baseline_set_read(path, false, &material->run, context->arena, &set, err);
    *judged = code == PB_OK;
    if (code == PB_ERR_INCOMPATIBLE && path == NULL) {
        return PB_OK;
    }
    if (code == PB_OK) {
        const struct pb_judge_spec spec = {&material->run, &set, &material->past};
        pb_judge_run(&spec, context->arena, check);
        pb_judge_conclude(check, PB_FAIL_DEFAULT);
    }
    return code;
}

/* The page alone, in a folder or on stdout. *warning: as of pb_page_write() */
static enum pb_code write_single(const struct pb_context *context, const struct pb_page_spec *spec,
                                 const char **warning, struct pb_error *err)
{
    struct pb_strbuf html;
    pb_strbuf_init(&html);
    const bool to_stdout = strcmp(spec->directory, "-") == 0;
    enum pb_code code = to_stdout ? PB_OK : pb_folder_make(spec->directory, err);
    if (code == PB_OK) {
        code = pb_page_add_single(&html, spec, context->arena, warning, err);
    }
    if (code == PB_OK && to_stdout) {
        code = pb_write_stdout(html.text, html.length, err);
    } else if (code == PB_OK) {
        const char *path = pb_arena_printf(context->arena, "%s/index.html", spec->directory);
        code = pb_whole_file_replace(path, html.text, html.length, err);
    }
    pb_strbuf_release(&html);
    return code;
}

static enum pb_code write_page(const struct pb_context *context, const struct pb_args *args,
                               const struct material *material, struct pb_error *err)
{
    struct pb_check_record check;
    bool judged = false;
    const enum pb_code code = judge(context, args, material, &check, &judged, err);
    if (code != PB_OK) {
        return code;
    }
    const char *out = pb_args_value(args, "out");
    const struct pb_page_spec spec = {
        .run = &material->run,
        .check = judged ? &check : NULL,
        .trend = material->trend,
        .n_trend = material->n_trend,
        .n_runs = material->n_runs,
        .directory = out != NULL ? out : "report",
        .png = pb_args_has(args, "png"),
        .single_file = pb_args_has(args, "single-file"),
    };
    const char *warning = NULL;
    const enum pb_code written = spec.single_file
                                     ? write_single(context, &spec, &warning, err)
                                     : pb_page_write(&spec, context->arena, &warning, err);
    if (warning != NULL) {
        pb_warn(context, "%s", warning);
    }
    if (written == PB_OK && strcmp(spec.directory, "-") != 0) {
        pb_note(context, "wrote %s/index.html", spec.directory);
    }
    return written;
}

static enum pb_code write_charts(const struct pb_context *context, const char *folder,
                                 const struct material *material, struct pb_error *err)
{
    struct pb_charts charts = {0};
    const struct pb_chart_spec spec = {
        .run = &material->run,
        .trend = material->trend,
        .n_trend = material->n_trend,
        .directory = folder,
        .formats = PB_CHART_SVG | PB_CHART_PNG,
    };
    const enum pb_code code = pb_charts_draw(&spec, context->arena, &charts, err);
    if (charts.warning != NULL) {
        pb_warn(context, "%s", charts.warning);
    }
    if (code == PB_OK) {
        pb_note(context, "wrote %zu charts in %s", charts.n, folder);
    }
    return code;
}

/* Options of which one takes the sense from another. */
static enum pb_code check_options(const struct pb_args *args, struct pb_error *err)
{
    const char *out = pb_args_value(args, "out");
    const bool single = pb_args_has(args, "single-file");
    if (single && (pb_args_has(args, "charts") || pb_args_has(args, "png"))) {
        return pb_error_set(err, PB_ERR_USAGE,
                            "--single-file leaves no files of charts; leave out --%s",
                            pb_args_has(args, "charts") ? "charts" : "png");
    }
    if (out != NULL && strcmp(out, "-") == 0 && !single) {
        return pb_error_set(err, PB_ERR_USAGE,
                            "--out -: only a page of one file can go to stdout; add --single-file");
    }
    return PB_OK;
}

static enum pb_code run_report(const struct pb_context *context, const struct pb_args *args,
                               int *exit_code, struct pb_error *err)
{
    struct material material = {0};
    *exit_code = PB_EXIT_OK;
    enum pb_code code = check_options(args, err);
    if (code == PB_OK) {
        code = load(context, args, &material, err);
    }
    if (code != PB_OK) {
        return code;
    }
    const char *charts = pb_args_value(args, "charts");
    return charts != NULL ? write_charts(context, charts, &material, err)
                          : write_page(context, args, &material, err);
}

const struct pb_command pb_command_report = {
    .name = "report",
    .operands = "",
    .summary = "Writes a page with charts of a run and of history so far",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .run = run_report,
};

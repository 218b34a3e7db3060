/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench list`: what there is to measure.
 */
#include "commands/all.h"

#include "base/strbuf.h"
#include "commands/bench.h"
#include "output/json.h"
#include "output/listing.h"
#include "pairbench.h"

/* Copies the wanted part of one case. returns: whether there is any */
static bool copy_case(const struct pb_catalog_case *from, bool *const *wanted,
                      struct pb_arena *arena, struct pb_listed_case *to)
{
    struct pb_listed_scenario *scenarios =
        pb_arena_array(arena, from->n_scenarios, sizeof *scenarios);
    struct pb_listed_variant *variants = pb_arena_array(arena, from->n_variants, sizeof *variants);
    *to = (struct pb_listed_case){
        .suite = from->suite,
        .name = from->name,
        .summary = from->summary,
        .source = from->source,
        .scenarios = scenarios,
        .variants = variants,
    };
    for (size_t s = 0; s < from->n_scenarios; s++) {
        if (!wanted[s][0]) {
            continue;
        }
        scenarios[to->n_scenarios++] = (struct pb_listed_scenario){
            .name = from->scenarios[s].name,
            .summary = from->scenarios[s].summary,
            .on_request = (from->scenarios[s].flags & PAIRBENCH_SCENARIO_ON_REQUEST) != 0,
            .golden_bytes = from->scenarios[s].golden_bytes,
        };
    }
    for (size_t v = 0; v < from->n_variants; v++) {
        bool any = false;
        for (size_t s = 0; s < from->n_scenarios; s++) {
            any = any || wanted[s][v];
        }
        if (any) {
            variants[to->n_variants++] = (struct pb_listed_variant){
                .name = from->variants[v].name,
                .summary = from->variants[v].summary,
                .bound = (from->variants[v].flags & PAIRBENCH_VARIANT_BOUND) != 0,
                .reference = (from->variants[v].flags & PAIRBENCH_VARIANT_REFERENCE) != 0,
            };
        }
    }
    return to->n_scenarios > 0;
}

static struct pb_listing make_listing(const struct pb_catalog *catalog,
                                      const struct pb_selection *selection, struct pb_arena *arena)
{
    struct pb_listed_suite *suites = pb_arena_array(arena, catalog->n_suites, sizeof *suites);
    struct pb_listed_case *cases = pb_arena_array(arena, catalog->n_cases, sizeof *cases);
    struct pb_listing listing = {.suites = suites, .n_suites = catalog->n_suites, .cases = cases};
    for (size_t i = 0; i < catalog->n_suites; i++) {
        const struct pb_catalog_suite *suite = &catalog->suites[i];
        suites[i] = (struct pb_listed_suite){
            .path = suite->path,
            .name = suite->name,
            .compiler = suite->compiler,
            .flags = suite->flags,
            .build_type = suite->build_type,
            .optimized = suite->optimized,
        };
    }
    for (size_t c = 0; c < catalog->n_cases; c++) {
        listing.n_cases +=
            copy_case(&catalog->cases[c], selection->wanted[c], arena, &cases[listing.n_cases]);
    }
    return listing;
}

/* Without patterns `list` shows everything, what is run on request only, too. */
static enum pb_code select_listed(const struct pb_context *context, const struct pb_args *args,
                                  const struct pb_catalog *catalog, struct pb_selection *selection,
                                  struct pb_error *err)
{
    static const char *const everything[] = {"*"};
    const bool some = args->n_operands > 0;
    return pb_selection_make(catalog, some ? args->operands : everything,
                             some ? args->n_operands : 1, context->arena, selection, err);
}

static enum pb_code run_list(const struct pb_context *context, const struct pb_args *args,
                             int *exit_code, struct pb_error *err)
{
    struct pb_catalog catalog;
    struct pb_selection selection;
    enum pb_code code = pb_bench_load(context, &catalog, err);
    if (code == PB_OK) {
        code = select_listed(context, args, &catalog, &selection, err);
    }
    if (code != PB_OK) {
        return code;
    }
    const struct pb_listing listing = make_listing(&catalog, &selection, context->arena);
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    if (context->format == PB_FORMAT_JSON) {
        code = pb_json_add_list(&text, &listing, err);
    } else {
        pb_listing_text_add(&text, &listing, &context->style);
    }
    if (code == PB_OK) {
        code = pb_write_stdout(text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    *exit_code = PB_EXIT_OK;
    return code;
}

const struct pb_command pb_command_list = {
    .name = "list",
    .operands = "[PATTERN…]",
    .summary = "Shows suites, cases, scenarios and variants with their summaries and sources",
    .details =
        "PATTERN is a shell glob on names: 'cql/*', '*/10q_2p_vec128/*'. Several are a union.\n"
        "With -q benchmark names alone, a line each.",
    .operands_max = 1000,
    .run = run_list,
};

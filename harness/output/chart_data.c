/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows are long form, one a point, so that any program can read them; gnuplot filters. Every
 * scenario has a row of every series, with NaN where nothing was measured: its label comes from
 * there. The ends of axes are found here, where it is known that a value is no number, zero, or
 * that all are the same.
 */
#include "output/chart_data.h"

#include "base/text.h"
#include "output/quantity.h"
#include "output/wording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An axis of ratios is logarithmic when its ends are further apart than this. */
#define LOG_AXIS_RATIO 6.0
/* An axis is never narrower than this many logs, so that noise does not fill the chart. */
#define AXIS_LOG_MIN 0.02

/* Tones of texts in a chart, as the scripts know them. */
enum chart_tone {
    CHART_TONE_PLAIN,
    CHART_TONE_FAINT,
    CHART_TONE_BAD,
};

/* The range of what an axis must show. */
struct range {
    double lo;
    double hi;
};

static const struct range empty_range = {INFINITY, -INFINITY};

/* Widens *range by a value that a logarithmic axis can show. */
static void include(struct range *range, double value)
{
    if (isfinite(value) && value > 0) {
        range->lo = value < range->lo ? value : range->lo;
        range->hi = value > range->hi ? value : range->hi;
    }
}

/* Adds a margin on both sides and a least width. */
static struct range padded(struct range range)
{
    const double width = log(range.hi / range.lo);
    const double missing = width < AXIS_LOG_MIN ? (AXIS_LOG_MIN - width) / 2 : 0;
    const double margin = exp(missing + 0.06 * width + 0.002);
    return (struct range){range.lo / margin, range.hi * margin};
}

/* Appends c in a form that gnuplot and XML leave alone. */
static void add_visible(struct pb_strbuf *table, unsigned char c)
{
    pb_strbuf_addf(table, "∖x%02x", c);
}

/* A name for a cell. */
static void add_name(struct pb_strbuf *table, const char *name)
{
    struct pb_strbuf safe;
    pb_strbuf_init(&safe);
    pb_text_add_escaped(&safe, name);
    for (const char *s = safe.text; *s != '\0'; s++) {
        const bool closes_cdata = *s == '>' && s > safe.text && s[-1] == ']';
        const bool no_character = strncmp(s, "\xEF\xBF\xBE", 3) == 0 || /* U+FFFE */
                                  strncmp(s, "\xEF\xBF\xBF", 3) == 0;   /* U+FFFF */
        if (*s == '\\') {
            pb_strbuf_adds(table, "∖");
        } else if (*s == '"' || closes_cdata) {
            add_visible(table, (unsigned char)*s);
        } else if (no_character) {
            add_visible(table, (unsigned char)s[0]);
            add_visible(table, (unsigned char)s[1]);
            add_visible(table, (unsigned char)s[2]);
            s += 2;
        } else {
            pb_strbuf_addc(table, *s);
        }
    }
    pb_strbuf_release(&safe);
}

static void add_tab(struct pb_strbuf *table)
{
    pb_strbuf_addc(table, '\t');
}

/* A number for a cell; what a chart can't show is NaN. */
static void add_value(struct pb_strbuf *table, double value)
{
    if (isfinite(value) && value > 0) {
        pb_strbuf_addf(table, "%.9g\t", value);
    } else {
        pb_strbuf_adds(table, "NaN\t");
    }
}

static void set_argument(struct pb_chart_data *data, const char *text)
{
    data->arguments[data->n_arguments++] = text;
}

static void set_range(struct pb_chart_data *data, struct pb_arena *arena, struct range range)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    pb_strbuf_addf(&text, "%.9g", range.lo);
    set_argument(data, pb_arena_strdup(arena, text.text));
    pb_strbuf_reset(&text);
    pb_strbuf_addf(&text, "%.9g", range.hi);
    set_argument(data, pb_arena_strdup(arena, text.text));
    pb_strbuf_release(&text);
}

/* Variants of a case in the order in which a chart shows them, each with its style. */
struct series {
    size_t n;
    const char *names[PB_CHART_SERIES_MAX];
    char styles[PB_CHART_SERIES_MAX + 1]; /* a digit each, as the scripts know them */
};

static void add_series(struct series *series, const char *name, char style)
{
    if (series->n < PB_CHART_SERIES_MAX) {
        series->names[series->n] = name;
        series->styles[series->n] = style;
        series->n++;
    }
}

/* A digit of style for every variant: one each for old, the first judged variant and the first
 * bound; the others share what is left. */
static const char *make_styles(const struct pb_view_case *shown, struct pb_arena *arena)
{
    static const char others[] = "345678";
    char *styles = pb_arena_alloc(arena, shown->n_variants + 1);
    size_t *judged = pb_arena_array(arena, shown->n_variants, sizeof *judged);
    const size_t n_judged = pb_view_judged(shown, judged);
    size_t n_others = 0;
    bool bound_seen = false;
    for (size_t i = 0; i < shown->n_variants; i++) {
        const bool bound = (shown->variants[i].flags & PB_BENCHMARK_BOUND) != 0;
        if (i == 0) {
            styles[i] = '0';
        } else if (n_judged > 0 && judged[0] == i) {
            styles[i] = '1';
        } else if (bound && !bound_seen) {
            styles[i] = '2';
            bound_seen = true;
        } else {
            styles[i] = others[n_others++ % (sizeof others - 1)];
        }
    }
    return styles;
}

static bool is_compared(const struct pb_view_case *shown, const char *variant)
{
    for (size_t i = 0; i < shown->n_scenarios; i++) {
        if (pb_view_pair(&shown->scenarios[i], variant) != NULL) {
            return true;
        }
    }
    return false;
}

/* Compared variants, the judged ones first. */
static struct series compared_series(const struct pb_view_case *shown, struct pb_arena *arena)
{
    struct series series = {0};
    const char *styles = make_styles(shown, arena);
    size_t *judged = pb_arena_array(arena, shown->n_variants, sizeof *judged);
    const size_t n = pb_view_judged(shown, judged);
    bool *taken = pb_arena_array(arena, shown->n_variants, sizeof *taken);
    for (size_t i = 0; i < n; i++) {
        taken[judged[i]] = true;
        add_series(&series, shown->variants[judged[i]].name, styles[judged[i]]);
    }
    for (size_t i = 0; i < shown->n_variants; i++) {
        if (!taken[i] && is_compared(shown, shown->variants[i].name)) {
            add_series(&series, shown->variants[i].name, styles[i]);
        }
    }
    return series;
}

static size_t shown_rows(const struct pb_view_case *shown)
{
    return shown->n_scenarios < PB_CHART_ROWS_MAX ? shown->n_scenarios : PB_CHART_ROWS_MAX;
}

static void begin_row(struct pb_strbuf *table, const struct pb_view_case *shown, size_t row,
                      const struct series *series, size_t column)
{
    add_name(table, shown->name);
    add_tab(table);
    add_name(table, shown->scenarios[row].name);
    add_tab(table);
    add_name(table, series->names[column]);
    pb_strbuf_addf(table, "\t%zu\t%zu\t", row, column);
}

/* The text at the end of a row of speed-ups, its interval, and its tone. */
static void add_pair_text(struct pb_strbuf *table, const struct pb_pair_record *pair)
{
    const bool measured = pair != NULL && isfinite(pair->estimate);
    enum chart_tone tone = measured ? CHART_TONE_PLAIN : CHART_TONE_FAINT;
    if (measured) {
        pb_quantity_add_speedup(table, pair->estimate);
        add_tab(table);
        pb_quantity_add_speedup_interval(table, pair->lo, pair->hi);
    } else {
        pb_strbuf_adds(table, pair != NULL ? pb_verdict_name(pair->verdict) : "-");
        add_tab(table);
    }
    if (pair != NULL &&
        (pair->verdict == PB_VERDICT_REGRESSED || pair->verdict == PB_VERDICT_FAILED)) {
        tone = CHART_TONE_BAD;
    }
    pb_strbuf_addf(table, "\t%d\n", (int)tone);
}

static void add_speedup_row(struct pb_strbuf *table, const struct pb_pair_record *pair,
                            struct range *range)
{
    const double estimate = pair != NULL ? exp(-pair->estimate) : (double)NAN;
    const double lo = pair != NULL ? exp(-pair->hi) : (double)NAN;
    const double hi = pair != NULL ? exp(-pair->lo) : (double)NAN;
    include(range, estimate);
    if (isfinite(estimate)) {
        include(range, lo);
        include(range, hi);
    }
    add_value(table, estimate);
    add_value(table, lo);
    add_value(table, hi);
    pb_strbuf_addf(table, "%s\t", pair != NULL ? pb_verdict_name(pair->verdict) : "-");
    add_pair_text(table, pair);
}

bool pb_chart_data_speedup(const struct pb_view_case *shown, struct pb_arena *arena,
                           struct pb_chart_data *data)
{
    const struct series series = compared_series(shown, arena);
    if (series.n == 0) {
        return false;
    }
    *data = (struct pb_chart_data){0};
    pb_strbuf_adds(&data->table, "case\tscenario\tvariant\trow\tseries\tspeedup_ratio\tlo_ratio\t"
                                 "hi_ratio\tverdict\ttext\tinterval\ttone\n");
    struct range range = empty_range;
    for (size_t row = 0; row < shown->n_scenarios; row++) {
        struct range unseen = empty_range;
        for (size_t i = 0; i < series.n; i++) {
            begin_row(&data->table, shown, row, &series, i);
            add_speedup_row(&data->table, pb_view_pair(&shown->scenarios[row], series.names[i]),
                            row < PB_CHART_ROWS_MAX ? &range : &unseen);
        }
    }
    data->empty = range.lo > range.hi;
    include(&range, 1);
    range = padded(range);
    set_argument(data, pb_arena_printf(arena, "%zu", shown_rows(shown)));
    set_argument(data, pb_arena_printf(arena, "%zu", series.n));
    set_argument(data, pb_arena_strdup(arena, series.styles));
    set_range(data, arena, range);
    set_argument(data, range.hi / range.lo > LOG_AXIS_RATIO ? "1" : "0");
    return true;
}

/* The text at the end of a row of times, `1.42 µs → 663 ns`, and its tone. */
static void add_time_text(struct pb_strbuf *table, const struct pb_benchmark_record *first,
                          const struct pb_benchmark_record *second)
{
    enum chart_tone tone = CHART_TONE_PLAIN;
    const struct pb_benchmark_record *const both[] = {first, second};
    for (size_t i = 0; i < 2; i++) {
        pb_strbuf_adds(table, i > 0 && second != NULL ? " → " : "");
        if (pb_wording_time(table, both[i]) == PB_TONE_BAD) {
            tone = CHART_TONE_BAD;
        }
    }
    pb_strbuf_addf(table, "\t%d\n", (int)tone);
}

static void add_time_row(struct pb_strbuf *table, const struct pb_benchmark_record *benchmark,
                         struct range *range)
{
    const bool ok = benchmark != NULL && benchmark->state == PB_STATE_OK;
    const double best_ns = ok ? benchmark->best_ns : (double)NAN;
    const double median_ns = ok ? benchmark->median_ns : (double)NAN;
    include(range, best_ns);
    if (isfinite(best_ns) && best_ns > 0) {
        include(range, median_ns);
    }
    add_value(table, best_ns);
    add_value(table, median_ns);
    pb_strbuf_addf(table, "%s\t", benchmark != NULL ? pb_state_name(benchmark->state) : "-");
}

void pb_chart_data_time(const struct pb_view_case *shown, struct pb_arena *arena,
                        struct pb_chart_data *data)
{
    struct series series = {0};
    const char *styles = make_styles(shown, arena);
    for (size_t i = 0; i < shown->n_variants; i++) {
        add_series(&series, shown->variants[i].name, styles[i]);
    }
    size_t *judged = pb_arena_array(arena, shown->n_variants, sizeof *judged);
    const char *main_name =
        pb_view_judged(shown, judged) > 0 ? shown->variants[judged[0]].name : NULL;
    *data = (struct pb_chart_data){0};
    pb_strbuf_adds(&data->table, "case\tscenario\tvariant\trow\tseries\tbest_ns\tmedian_ns\tstate\t"
                                 "text\ttone\n");
    struct range range = empty_range;
    for (size_t row = 0; row < shown->n_scenarios; row++) {
        const struct pb_view_scenario *scenario = &shown->scenarios[row];
        struct range unseen = empty_range;
        for (size_t i = 0; i < series.n; i++) {
            begin_row(&data->table, shown, row, &series, i);
            add_time_row(&data->table, pb_view_benchmark(scenario, series.names[i]),
                         row < PB_CHART_ROWS_MAX ? &range : &unseen);
            add_time_text(&data->table, pb_view_benchmark(scenario, series.names[0]),
                          main_name != NULL ? pb_view_benchmark(scenario, main_name) : NULL);
        }
    }
    data->empty = range.lo > range.hi;
    set_argument(data, pb_arena_printf(arena, "%zu", shown_rows(shown)));
    set_argument(data, pb_arena_printf(arena, "%zu", series.n));
    set_argument(data, pb_arena_strdup(arena, series.styles));
    set_range(data, arena, data->empty ? (struct range){1, 10} : padded(range));
}

/* The part of a history that one chart shows. */
struct excerpt {
    const struct pb_trend_point **points; /* of one case and pair, as given */
    size_t n;
    const struct pb_trend_point **runs; /* one point of every run, by time */
    size_t n_runs;
};

static int compare_runs(const void *left, const void *right)
{
    const struct pb_trend_point *a = *(const struct pb_trend_point *const *)left;
    const struct pb_trend_point *b = *(const struct pb_trend_point *const *)right;
    if (a->started_at != b->started_at) {
        return a->started_at < b->started_at ? -1 : 1;
    }
    return strcmp(a->run_id, b->run_id);
}

static struct excerpt make_excerpt(const struct pb_chart_spec *spec, const char *case_name,
                                   const char *a, const char *b, struct pb_arena *arena)
{
    struct excerpt excerpt = {
        .points = pb_arena_array(arena, spec->n_trend, sizeof(struct pb_trend_point *)),
    };
    for (size_t i = 0; i < spec->n_trend; i++) {
        const struct pb_trend_point *point = &spec->trend[i];
        if (strcmp(point->case_name, case_name) == 0 && strcmp(point->a, a) == 0 &&
            strcmp(point->b, b) == 0) {
            excerpt.points[excerpt.n++] = point;
        }
    }
    excerpt.runs = pb_arena_array(arena, excerpt.n, sizeof(struct pb_trend_point *));
    if (excerpt.n == 0) {
        return excerpt;
    }
    memcpy(excerpt.runs, excerpt.points, excerpt.n * sizeof *excerpt.runs);
    qsort(excerpt.runs, excerpt.n, sizeof *excerpt.runs, compare_runs);
    for (size_t i = 0; i < excerpt.n; i++) {
        if (excerpt.n_runs == 0 ||
            compare_runs(&excerpt.runs[excerpt.n_runs - 1], &excerpt.runs[i]) != 0) {
            excerpt.runs[excerpt.n_runs++] = excerpt.runs[i];
        }
    }
    if (excerpt.n_runs > PB_CHART_RUNS_MAX) {
        excerpt.runs += excerpt.n_runs - PB_CHART_RUNS_MAX;
        excerpt.n_runs = PB_CHART_RUNS_MAX;
    }
    return excerpt;
}

/* Number of a point's run on the chart, from 1; 0 when it is older than what is shown. */
static size_t run_number(const struct excerpt *excerpt, const struct pb_trend_point *point)
{
    const struct pb_trend_point *const *found =
        bsearch(&point, excerpt->runs, excerpt->n_runs, sizeof *excerpt->runs, compare_runs);
    return found != NULL ? (size_t)(found - (const struct pb_trend_point *const *)excerpt->runs) + 1
                         : 0;
}

/* What all rows of a panel share. */
struct panel {
    const char *scenario;
    struct range range;
    double latest; /* log ratio of the latest run of the code itself */
};

static bool is_shown(const struct excerpt *excerpt, const struct panel *panel,
                     const struct pb_trend_point *point)
{
    return strcmp(point->scenario, panel->scenario) == 0 && isfinite(exp(-point->estimate)) &&
           run_number(excerpt, point) > 0;
}

/* returns: false when the panel would have no point */
static bool measure_panel(const struct excerpt *excerpt, struct panel *panel)
{
    panel->range = empty_range;
    panel->latest = NAN;
    for (size_t i = 0; i < excerpt->n; i++) {
        const struct pb_trend_point *point = excerpt->points[i];
        if (!is_shown(excerpt, panel, point)) {
            continue;
        }
        include(&panel->range, exp(-point->estimate));
        include(&panel->range, exp(-point->hi));
        include(&panel->range, exp(-point->lo));
        panel->latest = point->injected ? panel->latest : point->estimate;
    }
    if (panel->range.lo > panel->range.hi) {
        return false;
    }
    panel->range = padded(panel->range);
    return true;
}

static void add_history_row(struct pb_strbuf *table, const struct excerpt *excerpt,
                            const struct panel *panel, const struct pb_trend_point *point)
{
    const char *const names[] = {point->case_name, point->scenario, point->a, point->b};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        add_name(table, names[i]);
        add_tab(table);
    }
    pb_strbuf_addf(table, "%zu\t", run_number(excerpt, point));
    add_name(table, point->run_id);
    add_tab(table);
    pb_quantity_add_timestamp(table, point->started_at);
    add_tab(table);
    add_name(table, point->commit_id);
    add_tab(table);
    add_name(table, point->machine);
    add_tab(table);
    add_value(table, exp(-point->estimate));
    add_value(table, exp(-point->hi));
    add_value(table, exp(-point->lo));
    pb_strbuf_addf(table, "%d\t", point->injected ? 1 : 0);
    pb_quantity_add_speedup(table, panel->latest);
    add_tab(table);
    pb_strbuf_addf(table, "%.9g\t%.9g\n", panel->range.lo, panel->range.hi);
}

/* The points of one panel: those of the code itself, then those with injected changes. */
static void add_panel(struct pb_strbuf *table, const struct excerpt *excerpt,
                      const struct panel *panel)
{
    for (int injected = 0; injected <= 1; injected++) {
        const struct pb_trend_point *before = NULL;
        for (size_t i = 0; i < excerpt->n; i++) {
            const struct pb_trend_point *point = excerpt->points[i];
            if (point->injected != (injected == 1) || !is_shown(excerpt, panel, point)) {
                continue;
            }
            const bool same = before != NULL && strcmp(before->machine, point->machine) == 0;
            if ((before != NULL && !same) || (before == NULL && injected == 1)) {
                pb_strbuf_addc(table, '\n');
            }
            add_history_row(table, excerpt, panel, point);
            before = point;
        }
    }
}

bool pb_chart_data_history(const struct pb_view_case *shown, const char *a, const char *b,
                           const struct pb_chart_spec *spec, struct pb_arena *arena,
                           struct pb_chart_data *data)
{
    const struct excerpt excerpt = make_excerpt(spec, shown->name, a, b, arena);
    if (excerpt.n == 0) {
        return false;
    }
    *data = (struct pb_chart_data){0};
    pb_strbuf_adds(&data->table,
                   "case\tscenario\ta\tb\trun\trun_id\tstarted_at\tcommit\tmachine\tspeedup_ratio\t"
                   "lo_ratio\thi_ratio\tinjected\ttext\tlow_ratio\thigh_ratio\n");
    size_t n_panels = 0;
    for (size_t i = 0; i < shown->n_scenarios && n_panels < PB_CHART_ROWS_MAX; i++) {
        struct panel panel = {.scenario = shown->scenarios[i].name};
        if (measure_panel(&excerpt, &panel)) {
            pb_strbuf_adds(&data->table, n_panels > 0 ? "\n\n" : "");
            add_panel(&data->table, &excerpt, &panel);
            n_panels++;
        }
    }
    data->empty = n_panels == 0;
    set_argument(data, pb_arena_printf(arena, "%zu", n_panels));
    set_argument(data, pb_arena_printf(arena, "%zu", excerpt.n_runs));
    return true;
}

void pb_chart_data_release(struct pb_chart_data *data)
{
    if (data != NULL) {
        pb_strbuf_release(&data->table);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs are found first, the latest of them first; only theirs of the many benchmarks are read.
 */
#include "store/store_times.h"

#include "provenance/machine.h"
#include "store/run_load.h"

#include <string.h>

/* A run that comes before the one that is asked about. */
struct earlier_run {
    int64_t run_key;
    struct pb_time_point point; /* what its points have in common */
};

struct earlier_runs {
    struct earlier_run *items; /* latest first */
    size_t n;
    size_t capacity;
};

static const char *class_of(const struct pb_facts *machine, const struct pb_facts *build,
                            struct pb_arena *arena)
{
    const struct pb_facts facts = pb_class_facts(arena, machine, build);
    return pb_class_name(arena, &facts);
}

static enum pb_code list_runs(struct pb_sql *sql, const struct pb_run_record *run,
                              struct pb_arena *arena, struct earlier_runs *runs,
                              struct pb_error *err)
{
    static const char earlier_on_this_machine[] =
        "SELECT run_key, id, started_at, kernel_alu_ns, kernel_l2_ns, kernel_memory_ns"
        "  FROM run JOIN fact USING (run_key)"
        " WHERE valid AND NOT injected AND (started_at, id) < (?, ?)"
        "   AND kernel_alu_ns > 0 AND kernel_l2_ns > 0 AND kernel_memory_ns > 0"
        "   AND subject = 'machine' AND key = 'fingerprint' AND value = ?"
        " ORDER BY started_at DESC, id DESC";
    struct pb_sql_query *query = NULL;
    enum pb_code code = pb_sql_prepare(sql, earlier_on_this_machine, &query, err);
    if (code != PB_OK) {
        return code;
    }
    pb_sql_bind_integer(query, run->started_at);
    pb_sql_bind_text(query, run->id);
    pb_sql_bind_text(query, pb_facts_get(&run->machine, "fingerprint"));
    bool row = false;
    while ((code = pb_sql_next(query, &row, err)) == PB_OK && row) {
        runs->items =
            pb_arena_grow(arena, runs->items, runs->n, &runs->capacity, sizeof *runs->items);
        struct earlier_run *earlier = &runs->items[runs->n++];
        *earlier = (struct earlier_run){.run_key = pb_sql_take_integer(query)};
        earlier->point.run_id = pb_sql_take_text(query, arena);
        earlier->point.started_at = pb_sql_take_integer(query);
        for (int i = 0; i < PB_KERNELS; i++) {
            earlier->point.kernels_ns[i] = pb_sql_take_real(query);
        }
    }
    pb_sql_query_free(query);
    return code;
}

/* Keeps the runs of one class, at most so many. */
static enum pb_code choose_runs(struct pb_sql *sql, const struct pb_run_record *run,
                                size_t most_runs, struct pb_arena *arena, struct earlier_runs *runs,
                                struct pb_error *err)
{
    const char *wanted = class_of(&run->machine, &run->build, arena);
    size_t kept = 0;
    for (size_t i = 0; i < runs->n && kept < most_runs; i++) {
        struct pb_facts machine = {0};
        struct pb_facts build = {0};
        enum pb_code code =
            pb_run_load_facts(sql, runs->items[i].run_key, "machine", arena, &machine, err);
        if (code == PB_OK) {
            code = pb_run_load_facts(sql, runs->items[i].run_key, "build", arena, &build, err);
        }
        if (code != PB_OK) {
            return code;
        }
        if (strcmp(class_of(&machine, &build, arena), wanted) == 0) {
            runs->items[kept++] = runs->items[i];
        }
    }
    runs->n = kept;
    return PB_OK;
}

static enum pb_code read_run(struct pb_sql_query *query, const struct earlier_run *run,
                             struct pb_arena *arena, struct pb_time_points *points,
                             struct pb_error *err)
{
    pb_sql_bind_integer(query, run->run_key);
    enum pb_code code = PB_OK;
    bool row = false;
    while ((code = pb_sql_next(query, &row, err)) == PB_OK && row) {
        points->items = pb_arena_grow(arena, points->items, points->n, &points->capacity,
                                      sizeof *points->items);
        struct pb_time_point *point = &points->items[points->n++];
        *point = run->point;
        point->name = pb_sql_take_text(query, arena);
        point->median_ns = pb_sql_take_real(query);
    }
    return code;
}

enum pb_code pb_times_load(struct pb_sql *sql, const struct pb_run_record *run, size_t most_runs,
                           struct pb_arena *arena, struct pb_time_points *points,
                           struct pb_error *err)
{
    struct earlier_runs runs = {0};
    struct pb_time_points read = {0};
    struct pb_sql_query *query = NULL;
    enum pb_code code = list_runs(sql, run, arena, &runs, err);
    if (code == PB_OK) {
        code = choose_runs(sql, run, most_runs, arena, &runs, err);
    }
    if (code == PB_OK) {
        code = pb_sql_prepare(sql,
                              "SELECT name, median_ns FROM benchmark"
                              " WHERE run_key = ? AND median_ns > 0 ORDER BY position",
                              &query, err);
    }
    for (size_t i = runs.n; code == PB_OK && i > 0; i--) {
        code = read_run(query, &runs.items[i - 1], arena, &read, err);
    }
    pb_sql_query_free(query);
    if (code == PB_OK) {
        *points = read;
    }
    return code;
}

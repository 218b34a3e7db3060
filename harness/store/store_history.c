/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of a run (id, commit, class of machine) is read once a run and shared by its points.
 */
#include "store/store_history.h"

#include "provenance/machine.h"
#include "store/run_load.h"

#include <stdlib.h>
#include <string.h>

struct run_summary {
    int64_t run_key;
    int64_t started_at;
    const char *id;
    const char *commit_id;
    const char *machine;
    bool injected;
};

struct run_summaries {
    struct run_summary *items; /* sorted by run_key */
    size_t n;
};

static int compare_keys(const void *left, const void *right)
{
    const int64_t x = ((const struct run_summary *)left)->run_key;
    const int64_t y = ((const struct run_summary *)right)->run_key;
    return (x > y) - (x < y);
}

static enum pb_code list_runs(struct pb_sql *sql, struct pb_arena *arena,
                              struct run_summaries *runs, struct pb_error *err)
{
    struct pb_sql_query *query = NULL;
    enum pb_code code = pb_sql_prepare(
        sql, "SELECT run_key, started_at, id, injected FROM run WHERE valid ORDER BY run_key",
        &query, err);
    size_t capacity = 0;
    bool row = false;
    while (code == PB_OK && (code = pb_sql_next(query, &row, err)) == PB_OK && row) {
        runs->items = pb_arena_grow(arena, runs->items, runs->n, &capacity, sizeof *runs->items);
        struct run_summary *run = &runs->items[runs->n++];
        run->run_key = pb_sql_take_integer(query);
        run->started_at = pb_sql_take_integer(query);
        run->id = pb_sql_take_text(query, arena);
        run->injected = pb_sql_take_integer(query) != 0;
    }
    pb_sql_query_free(query);
    return code;
}

static enum pb_code describe_run(struct pb_sql *sql, struct pb_arena *arena,
                                 struct run_summary *run, struct pb_error *err)
{
    struct pb_facts machine = {0};
    struct pb_facts build = {0};
    struct pb_facts commit = {0};
    enum pb_code code = pb_run_load_facts(sql, run->run_key, "machine", arena, &machine, err);
    if (code == PB_OK) {
        code = pb_run_load_facts(sql, run->run_key, "build", arena, &build, err);
    }
    if (code == PB_OK) {
        code = pb_run_load_facts(sql, run->run_key, "commit", arena, &commit, err);
    }
    if (code == PB_OK) {
        const struct pb_facts class_facts = pb_class_facts(arena, &machine, &build);
        const char *commit_id = pb_facts_get(&commit, "id");
        run->machine = pb_class_name(arena, &class_facts);
        run->commit_id = commit_id != NULL ? commit_id : "";
    }
    return code;
}

/* A text of the row; the one of the row before where they are equal, as they mostly are. */
static const char *take_shared(struct pb_sql_query *query, struct pb_arena *arena,
                               const char *before)
{
    const char *text = pb_sql_take_text(query, arena);
    return before != NULL && text != NULL && strcmp(before, text) == 0 ? before : text;
}

/* Reads the row that the query stands on. returns: false when its run is not known */
static bool take_point(struct pb_sql_query *query, struct pb_arena *arena,
                       const struct run_summaries *runs, const struct pb_history_point *before,
                       struct pb_history_point *point)
{
    const struct run_summary wanted = {.run_key = pb_sql_take_integer(query)};
    const struct run_summary *run =
        runs->n == 0 ? NULL : bsearch(&wanted, runs->items, runs->n, sizeof wanted, compare_keys);
    if (run == NULL) {
        return false;
    }
    *point = (struct pb_history_point){
        .run_id = run->id,
        .started_at = run->started_at,
        .commit_id = run->commit_id,
        .machine = run->machine,
        .injected = run->injected,
    };
    point->case_name = take_shared(query, arena, before->case_name);
    point->scenario = take_shared(query, arena, before->scenario);
    point->a = take_shared(query, arena, before->a);
    point->b = take_shared(query, arena, before->b);
    point->estimate = pb_sql_take_real(query);
    point->lo = pb_sql_take_real(query);
    point->hi = pb_sql_take_real(query);
    point->a_best_ns = pb_sql_take_real(query);
    point->b_best_ns = pb_sql_take_real(query);
    return true;
}

/* The best time of the benchmark that a side of a pair is. min() lets SQLite go by the index. */
#define BEST_NS_OF(side)                                                                           \
    " (SELECT min(best_ns) FROM benchmark AS b"                                                    \
    "   WHERE b.run_key = pair.run_key AND b.case_name = pair.case_name"                           \
    "     AND b.scenario = pair.scenario AND b.variant = " side ")"

static enum pb_code list_points(struct pb_sql *sql, struct pb_arena *arena,
                                const struct run_summaries *runs, struct pb_history_point **points,
                                size_t *n, struct pb_error *err)
{
    static const char pairs_of_valid_runs[] =
        "SELECT pair.run_key, pair.case_name, pair.scenario, pair.a, pair.b,"
        "       pair.estimate, pair.lo, pair.hi," BEST_NS_OF("pair.a") "," BEST_NS_OF(
            "pair.b") "  FROM pair JOIN run USING (run_key)"
                      " WHERE run.valid AND pair.variant IS NULL AND pair.a <> pair.b"
                      " ORDER BY pair.case_name, pair.scenario, pair.a, pair.b, run.started_at, "
                      "run.id";
    struct pb_sql_query *query = NULL;
    enum pb_code code = pb_sql_prepare(sql, pairs_of_valid_runs, &query, err);
    struct pb_history_point *list = NULL;
    struct pb_history_point before = {0};
    size_t used = 0;
    size_t capacity = 0;
    bool row = false;
    while (code == PB_OK && (code = pb_sql_next(query, &row, err)) == PB_OK && row) {
        list = pb_arena_grow(arena, list, used, &capacity, sizeof *list);
        if (!take_point(query, arena, runs, &before, &list[used])) {
            code = pb_sql_damaged(sql, err, "a pair without a run");
            break;
        }
        before = list[used++];
    }
    pb_sql_query_free(query);
    if (code == PB_OK) {
        *points = list;
        *n = used;
    }
    return code;
}

enum pb_code pb_history_load(struct pb_sql *sql, struct pb_arena *arena,
                             struct pb_history_point **points, size_t *n, struct pb_error *err)
{
    struct run_summaries runs = {0};
    enum pb_code code = list_runs(sql, arena, &runs, err);
    for (size_t i = 0; i < runs.n && code == PB_OK; i++) {
        code = describe_run(sql, arena, &runs.items[i], err);
    }
    return code != PB_OK ? code : list_points(sql, arena, &runs, points, n, err);
}

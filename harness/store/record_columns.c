/* SPDX-License-Identifier: Apache-2.0
 *
 * States and verdicts are stored by name, so that a person can read a database and a later version
 * may number them anew.
 */
#include "store/record_columns.h"

#include "base/record.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static const struct pb_column run_items[] = {
    {"id", PB_COLUMN_TEXT, offsetof(struct pb_run_record, id)},
    {"started_at", PB_COLUMN_INT64, offsetof(struct pb_run_record, started_at)},
    {"label", PB_COLUMN_TEXT, offsetof(struct pb_run_record, label)},
    {"patterns", PB_COLUMN_TEXT, offsetof(struct pb_run_record, patterns)},
    {"tool_version", PB_COLUMN_TEXT, offsetof(struct pb_run_record, tool_version)},
    {"seed", PB_COLUMN_UINT64, offsetof(struct pb_run_record, seed)},
    {"launches", PB_COLUMN_UINT32, offsetof(struct pb_run_record, launches)},
    {"plan", PB_COLUMN_OPTIONAL, offsetof(struct pb_run_record, plan)},
    {"adaptive", PB_COLUMN_BOOL, offsetof(struct pb_run_record, adaptive)},
    {"quick", PB_COLUMN_BOOL, offsetof(struct pb_run_record, quick)},
    {"injected", PB_COLUMN_BOOL, offsetof(struct pb_run_record, injected)},
    {"valid", PB_COLUMN_BOOL, offsetof(struct pb_run_record, valid)},
    {"invalid_reason", PB_COLUMN_OPTIONAL, offsetof(struct pb_run_record, invalid_reason)},
    {"wall_s", PB_COLUMN_REAL, offsetof(struct pb_run_record, wall_s)},
    {"noticed", PB_COLUMN_OPTIONAL, offsetof(struct pb_run_record, noticed)},
    {"timed_s", PB_COLUMN_REAL, offsetof(struct pb_run_record, timed_s)},
    {"start_ms", PB_COLUMN_REAL, offsetof(struct pb_run_record, start_ms)},
    {"kernel_alu_ns", PB_COLUMN_REAL, offsetof(struct pb_run_record, kernels_ns[PB_KERNEL_ALU])},
    {"kernel_l2_ns", PB_COLUMN_REAL, offsetof(struct pb_run_record, kernels_ns[PB_KERNEL_L2])},
    {"kernel_memory_ns", PB_COLUMN_REAL,
     offsetof(struct pb_run_record, kernels_ns[PB_KERNEL_MEMORY])},
};

static const struct pb_column benchmark_items[] = {
    {"name", PB_COLUMN_TEXT, offsetof(struct pb_benchmark_record, name)},
    {"case_name", PB_COLUMN_TEXT, offsetof(struct pb_benchmark_record, case_name)},
    {"scenario", PB_COLUMN_TEXT, offsetof(struct pb_benchmark_record, scenario)},
    {"variant", PB_COLUMN_TEXT, offsetof(struct pb_benchmark_record, variant)},
    {"flags", PB_COLUMN_UINT32, offsetof(struct pb_benchmark_record, flags)},
    {"state", PB_COLUMN_STATE, offsetof(struct pb_benchmark_record, state)},
    {"reason", PB_COLUMN_OPTIONAL, offsetof(struct pb_benchmark_record, reason)},
    {"below_resolution", PB_COLUMN_BOOL, offsetof(struct pb_benchmark_record, below_resolution)},
    {"best_ns", PB_COLUMN_REAL, offsetof(struct pb_benchmark_record, best_ns)},
    {"median_ns", PB_COLUMN_REAL, offsetof(struct pb_benchmark_record, median_ns)},
    {"repeats", PB_COLUMN_UINT64, offsetof(struct pb_benchmark_record, repeats)},
    {"iterations", PB_COLUMN_UINT64, offsetof(struct pb_benchmark_record, iterations)},
    {"cpu_ns", PB_COLUMN_REAL, offsetof(struct pb_benchmark_record, cpu_ns)},
    {"inject_pct", PB_COLUMN_REAL, offsetof(struct pb_benchmark_record, inject_pct)},
    {"instructions", PB_COLUMN_INT64, offsetof(struct pb_benchmark_record, instructions)},
};

static const struct pb_column count_items[] = {
    {"name", PB_COLUMN_TEXT, offsetof(struct pb_count_record, name)},
    {"value", PB_COLUMN_INT64, offsetof(struct pb_count_record, value)},
    {"deterministic", PB_COLUMN_BOOL, offsetof(struct pb_count_record, deterministic)},
};

static const struct pb_column launch_items[] = {
    {"launch", PB_COLUMN_UINT32, offsetof(struct pb_launch_record, launch)},
    {"n_slices", PB_COLUMN_UINT32, offsetof(struct pb_launch_record, n_slices)},
    {"iterations", PB_COLUMN_UINT64, offsetof(struct pb_launch_record, iterations)},
    {"min_ns", PB_COLUMN_REAL, offsetof(struct pb_launch_record, min_ns)},
    {"p05_ns", PB_COLUMN_REAL, offsetof(struct pb_launch_record, p05_ns)},
    {"median_ns", PB_COLUMN_REAL, offsetof(struct pb_launch_record, median_ns)},
    {"mad_ns", PB_COLUMN_REAL, offsetof(struct pb_launch_record, mad_ns)},
};

static const struct pb_column pair_items[] = {
    {"case_name", PB_COLUMN_TEXT, offsetof(struct pb_pair_record, case_name)},
    {"scenario", PB_COLUMN_TEXT, offsetof(struct pb_pair_record, scenario)},
    {"variant", PB_COLUMN_OPTIONAL, offsetof(struct pb_pair_record, variant)},
    {"a", PB_COLUMN_TEXT, offsetof(struct pb_pair_record, a)},
    {"b", PB_COLUMN_TEXT, offsetof(struct pb_pair_record, b)},
    {"gated", PB_COLUMN_BOOL, offsetof(struct pb_pair_record, gated)},
    {"estimate", PB_COLUMN_REAL, offsetof(struct pb_pair_record, estimate)},
    {"lo", PB_COLUMN_REAL, offsetof(struct pb_pair_record, lo)},
    {"hi", PB_COLUMN_REAL, offsetof(struct pb_pair_record, hi)},
    {"timed_s", PB_COLUMN_REAL, offsetof(struct pb_pair_record, timed_s)},
    {"wall_s", PB_COLUMN_REAL, offsetof(struct pb_pair_record, wall_s)},
    {"verdict", PB_COLUMN_VERDICT, offsetof(struct pb_pair_record, verdict)},
    {"reason", PB_COLUMN_OPTIONAL, offsetof(struct pb_pair_record, reason)},
    {"stopped", PB_COLUMN_OPTIONAL, offsetof(struct pb_pair_record, stopped)},
    {"noticed", PB_COLUMN_OPTIONAL, offsetof(struct pb_pair_record, noticed)},
};

static const struct pb_column pair_launch_items[] = {
    {"launch", PB_COLUMN_UINT32, offsetof(struct pb_pair_launch, launch)},
    {"d", PB_COLUMN_REAL, offsetof(struct pb_pair_launch, d)},
};

const struct pb_columns pb_run_columns = {
    "run", false, sizeof(struct pb_run_record), run_items, LENGTH(run_items),
};
const struct pb_columns pb_benchmark_columns = {
    "benchmark", true, sizeof(struct pb_benchmark_record), benchmark_items, LENGTH(benchmark_items),
};
const struct pb_columns pb_count_columns = {
    "count", true, sizeof(struct pb_count_record), count_items, LENGTH(count_items),
};
const struct pb_columns pb_launch_columns = {
    "launch", true, sizeof(struct pb_launch_record), launch_items, LENGTH(launch_items),
};
const struct pb_columns pb_pair_columns = {
    "pair", true, sizeof(struct pb_pair_record), pair_items, LENGTH(pair_items),
};
const struct pb_columns pb_pair_launch_columns = {
    "pair_launch",
    true,
    sizeof(struct pb_pair_launch),
    pair_launch_items,
    LENGTH(pair_launch_items),
};

static void add_names(const struct pb_columns *columns, struct pb_strbuf *sql)
{
    for (size_t i = 0; i < columns->n; i++) {
        pb_strbuf_addf(sql, "%s%s", i == 0 ? "" : ", ", columns->items[i].name);
    }
}

void pb_columns_add_insert(const struct pb_columns *columns, struct pb_strbuf *sql)
{
    pb_strbuf_addf(sql, "INSERT INTO %s (%s", columns->table,
                   columns->child ? "run_key, position, " : "");
    add_names(columns, sql);
    pb_strbuf_addf(sql, ") VALUES (%s", columns->child ? "?, ?, " : "");
    for (size_t i = 0; i < columns->n; i++) {
        pb_strbuf_adds(sql, i == 0 ? "?" : ", ?");
    }
    pb_strbuf_addc(sql, ')');
}

void pb_columns_add_select(const struct pb_columns *columns, struct pb_strbuf *sql)
{
    pb_strbuf_addf(sql, "SELECT %s", columns->child ? "position, " : "");
    add_names(columns, sql);
    pb_strbuf_addf(sql, " FROM %s WHERE run_key = ?1%s", columns->table,
                   columns->child ? " ORDER BY 1, 2" : "");
}

static void bind_member(enum pb_column_kind kind, const void *member, struct pb_sql_query *query)
{
    switch (kind) {
    case PB_COLUMN_TEXT:
    case PB_COLUMN_OPTIONAL:
        pb_sql_bind_text(query, *(const char *const *)member);
        break;
    case PB_COLUMN_REAL:
        pb_sql_bind_real(query, *(const double *)member);
        break;
    case PB_COLUMN_INT64:
        pb_sql_bind_integer(query, *(const int64_t *)member);
        break;
    case PB_COLUMN_UINT64:
        pb_sql_bind_integer(query, (int64_t) * (const uint64_t *)member);
        break;
    case PB_COLUMN_UINT32:
        pb_sql_bind_integer(query, *(const uint32_t *)member);
        break;
    case PB_COLUMN_BOOL:
        pb_sql_bind_integer(query, *(const bool *)member);
        break;
    case PB_COLUMN_STATE:
        pb_sql_bind_text(query, pb_state_name(*(const enum pb_state *)member));
        break;
    case PB_COLUMN_VERDICT:
        pb_sql_bind_text(query, pb_verdict_name(*(const enum pb_verdict *)member));
        break;
    }
}

void pb_columns_bind(const struct pb_columns *columns, const void *object,
                     struct pb_sql_query *query)
{
    for (size_t i = 0; i < columns->n; i++) {
        bind_member(columns->items[i].kind, (const char *)object + columns->items[i].offset, query);
    }
}

static bool parse_state(const char *name, enum pb_state *state)
{
    for (int i = PB_STATE_OK; name != NULL && i <= PB_STATE_SKIPPED; i++) {
        if (strcmp(name, pb_state_name((enum pb_state)i)) == 0) {
            *state = (enum pb_state)i;
            return true;
        }
    }
    return false;
}

static bool parse_verdict(const char *name, enum pb_verdict *verdict)
{
    for (int i = 0; name != NULL && i < PB_VERDICTS; i++) {
        if (strcmp(name, pb_verdict_name((enum pb_verdict)i)) == 0) {
            *verdict = (enum pb_verdict)i;
            return true;
        }
    }
    return false;
}

static bool take_uint32(struct pb_sql_query *query, uint32_t *value)
{
    const int64_t taken = pb_sql_take_integer(query);
    *value = (uint32_t)taken;
    return taken >= 0 && taken <= UINT32_MAX;
}

static bool take_text(struct pb_sql_query *query, struct pb_arena *arena, const char **text)
{
    *text = pb_sql_take_text(query, arena);
    return *text != NULL;
}

/* returns: false when the column holds what pairbench never writes */
static bool take_member(enum pb_column_kind kind, struct pb_sql_query *query,
                        struct pb_arena *arena, void *member)
{
    switch (kind) {
    case PB_COLUMN_TEXT:
        return take_text(query, arena, member);
    case PB_COLUMN_OPTIONAL:
        (void)take_text(query, arena, member);
        return true;
    case PB_COLUMN_REAL:
        *(double *)member = pb_sql_take_real(query);
        return true;
    case PB_COLUMN_INT64:
        *(int64_t *)member = pb_sql_take_integer(query);
        return true;
    case PB_COLUMN_UINT64:
        *(uint64_t *)member = (uint64_t)pb_sql_take_integer(query);
        return true;
    case PB_COLUMN_UINT32:
        return take_uint32(query, member);
    case PB_COLUMN_BOOL:
        *(bool *)member = pb_sql_take_integer(query) != 0;
        return true;
    case PB_COLUMN_STATE:
        return parse_state(pb_sql_take_text(query, arena), member);
    case PB_COLUMN_VERDICT:
        return parse_verdict(pb_sql_take_text(query, arena), member);
    }
    return false;
}

const char *pb_columns_take(const struct pb_columns *columns, struct pb_sql_query *query,
                            struct pb_arena *arena, void *object)
{
    const char *bad = NULL;
    for (size_t i = 0; i < columns->n; i++) {
        const struct pb_column *column = &columns->items[i];
        if (!take_member(column->kind, query, arena, (char *)object + column->offset)) {
            bad = column->name;
        }
    }
    return bad;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything becomes a group first: launches with their ratios and, where they are known, their
 * repetitions. Each row of the table judges groups in its own way.
 */
#include "commands/selftest/methods.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "base/whole_file.h"
#include "commands/comparing/confirm.h"
#include "commands/selftest/samples.h"
#include "measure/looks.h"
#include "stats/random.h"
#include "stats/ratio.h"
#include "stats/rivals.h"
#include "stats/stopping.h"

/* Recorded slices, see the header. */
enum { ROUNDS = 30, SLICES = 5, SIDE_SLICES = ROUNDS * SLICES, LAUNCH_BYTES = 8 * SIDE_SLICES };

/* Groups that are drawn from a file of launches. */
enum { GROUPS = 100, GROUPS_OF_RATIOS = 1000 };

#define FILE_LIMIT ((size_t)64 << 20)

/* What there is to be seen. */
enum truth { TRUTH_NONE, TRUTH_PLUS_1, TRUTH_PLUS_2, TRUTH_OTHER };

/* Launches of one trial, in their order. */
struct group {
    enum truth truth;
    const enum pb_verdict *verdict; /* that this tool came to, layouts and drift minded; or NULL */
    const double *d;
    size_t n;
    const double *base; /* repetitions, launch after launch; NULL = not known */
    const double *head;
    size_t n_launches; /* that have repetitions           */
    size_t n_repeated; /* repetitions of each such launch */
};

struct methods {
    struct pb_stopping stopping;
    struct pb_random random;
    struct pb_method_row *rows;
    size_t n_rows;
    size_t n_judged;
};

/* The rows: ours on samples that all can judge, ours on ratios alone, each rival twice. */
enum { ROW_OURS, ROW_OURS_ALONE, ROW_RIVALS };

static void tally(struct pb_method_row *row, enum truth truth, enum pb_verdict verdict)
{
    struct pb_method_tally *tallies[] = {
        [TRUTH_NONE] = &row->false_verdicts,
        [TRUTH_PLUS_1] = &row->found_1,
        [TRUTH_PLUS_2] = &row->found_2,
    };
    const bool hit =
        verdict == PB_VERDICT_REGRESSED || (truth == TRUTH_NONE && verdict == PB_VERDICT_IMPROVED);
    tallies[truth]->n++;
    tallies[truth]->k += hit;
}

/* Two launches, one for each build, as if these were two processes that ran one after the other. */
static struct pb_repetitions one_process_each(const struct group *group, struct pb_random *random)
{
    const size_t n = group->n_repeated;
    const size_t base = pb_random_below(random, group->n_launches);
    const size_t head =
        (base + 1 + pb_random_below(random, group->n_launches - 1)) % group->n_launches;
    return (struct pb_repetitions){group->base + base * n, n, group->head + head * n, n};
}

static struct pb_repetitions all_launches(const struct group *group)
{
    size_t n = group->n_launches * group->n_repeated;
    n = n < PB_RIVAL_REPETITIONS_MAX ? n : PB_RIVAL_REPETITIONS_MAX;
    return (struct pb_repetitions){group->base, n, group->head, n};
}

static void judge(struct methods *methods, const struct group *group)
{
    if (group->truth == TRUTH_OTHER) {
        return;
    }
    const bool repeated = group->base != NULL && group->n_launches > 1;
    const struct pb_margins margins = {PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN};
    const struct pb_stop stop = pb_stopping_judge(&methods->stopping, group->d, group->n, margins);
    tally(&methods->rows[repeated ? ROW_OURS : ROW_OURS_ALONE], group->truth,
          group->verdict != NULL ? *group->verdict : stop.verdict);
    methods->n_judged++;
    size_t n = 0;
    const struct pb_rival *rivals = pb_rivals_all(&n);
    for (size_t i = 0; repeated && i < n; i++) {
        const struct pb_repetitions one = one_process_each(group, &methods->random);
        const struct pb_repetitions all = all_launches(group);
        struct pb_method_row *rows = &methods->rows[ROW_RIVALS + 2 * i];
        tally(&rows[0], group->truth, rivals[i].judge(&one, &methods->random));
        tally(&rows[1], group->truth, rivals[i].judge(&all, &methods->random));
    }
}

static void make_rows(struct methods *methods, struct pb_arena *arena)
{
    size_t n = 0;
    const struct pb_rival *rivals = pb_rivals_all(&n);
    methods->n_rows = ROW_RIVALS + 2 * n;
    methods->rows = pb_arena_array(arena, methods->n_rows, sizeof *methods->rows);
    methods->rows[ROW_OURS] = (struct pb_method_row){
        .id = "ours", .what = "median over launches, repeated looks (this tool)"};
    methods->rows[ROW_OURS_ALONE] = (struct pb_method_row){
        .id = "ours_ratios", .what = "the same, on launches of which only ratios are kept"};
    for (size_t i = 0; i < n; i++) {
        struct pb_method_row *rows = &methods->rows[ROW_RIVALS + 2 * i];
        rows[0].id = pb_arena_printf(arena, "%s_one_process", rivals[i].name);
        rows[0].what = pb_arena_printf(arena, "%s; one process a build", rivals[i].summary);
        rows[1].id = pb_arena_printf(arena, "%s_all_launches", rivals[i].name);
        rows[1].what = pb_arena_printf(arena, "%s; all launches", rivals[i].summary);
    }
}

/* What the cell of a trial has to be seen in it. */
static enum truth truth_of_cell(enum pb_cell cell)
{
    const struct pb_cell_words *words = pb_cell_words(cell);
    const struct pb_margins *margins = &words->margins;
    if (words->hog != PB_HOG_NONE || margins->equivalence < PB_EQUIVALENCE_MARGIN) {
        return TRUTH_OTHER;
    }
    return words->inject_pct == 0   ? TRUTH_NONE
           : words->inject_pct == 1 ? TRUTH_PLUS_1
           : words->inject_pct == 2 ? TRUTH_PLUS_2
                                    : TRUTH_OTHER;
}

static void take_trial(void *context, const struct pb_sampled_trial *trial)
{
    const struct group group = {
        .truth = truth_of_cell(trial->trial.cell),
        .verdict = &trial->trial.verdict,
        .d = trial->d,
        .n = trial->n,
        .base = trial->base,
        .head = trial->head,
        .n_launches = trial->n_launches,
        .n_repeated = trial->n_repeated,
    };
    if (trial->n > 0) {
        judge(context, &group);
    }
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text);
    const size_t m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* What the name of a file says. */
static enum truth truth_of_name(const char *path, const char *extension)
{
    static const struct {
        const char *end;
        enum truth truth;
    } ends[] = {{"_aa", TRUTH_NONE}, {"_plus1", TRUTH_PLUS_1}, {"_plus2", TRUTH_PLUS_2}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char end[32];
        snprintf(end, sizeof end, "%s%s", ends[i].end, extension);
        if (ends_with(path, end)) {
            return ends[i].truth;
        }
    }
    return TRUTH_OTHER;
}

static float float_at(const unsigned char *bytes)
{
    const uint32_t bits = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                          (uint32_t)bytes[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* One launch of recorded slices: its ratio, and ROUNDS repetitions of each side. */
static double take_launch(const unsigned char *bytes, double *base, double *head)
{
    float a[SIDE_SLICES];
    float b[SIDE_SLICES];
    for (size_t i = 0; i < SIDE_SLICES; i++) {
        a[i] = float_at(bytes + 8 * i);
        b[i] = float_at(bytes + 8 * i + 4);
    }
    for (size_t round = 0; round < ROUNDS; round++) {
        base[round] = 0;
        head[round] = 0;
        for (size_t i = 0; i < SLICES; i++) {
            base[round] += (double)a[round * SLICES + i] / SLICES;
            head[round] += (double)b[round * SLICES + i] / SLICES;
        }
    }
    return pb_launch_ratio(a, b, ROUNDS, SLICES);
}

/* Draws groups from the launches of a whole. */
static void draw_groups(struct methods *methods, const struct group *whole, int n_groups,
                        struct pb_arena *arena)
{
    const size_t n = whole->n < PB_STOPPING_LAUNCHES ? whole->n : PB_STOPPING_LAUNCHES;
    const size_t m = whole->n_repeated;
    uint32_t *order = pb_arena_array(arena, whole->n, sizeof *order);
    double *d = pb_arena_array(arena, n, sizeof *d);
    double *base = pb_arena_array(arena, n * m, sizeof *base);
    double *head = pb_arena_array(arena, n * m, sizeof *head);
    for (uint32_t i = 0; i < whole->n; i++) {
        order[i] = i;
    }
    for (int g = 0; g < n_groups; g++) {
        pb_random_shuffle(&methods->random, order, whole->n);
        for (size_t i = 0; i < n; i++) {
            d[i] = whole->d[order[i]];
            for (size_t k = 0; k < m; k++) {
                base[i * m + k] = whole->base[order[i] * m + k];
                head[i * m + k] = whole->head[order[i] * m + k];
            }
        }
        struct group group = {.truth = whole->truth, .d = d, .n = n};
        if (m > 0) {
            group.base = base;
            group.head = head;
            group.n_launches = n < PB_SAMPLED_LAUNCHES ? n : PB_SAMPLED_LAUNCHES;
            group.n_repeated = m;
        }
        judge(methods, &group);
    }
}

static enum pb_code take_slices(struct methods *methods, const char *path,
                                const struct pb_strbuf *content, struct pb_error *err)
{
    const size_t n = content->length / LAUNCH_BYTES;
    if (n == 0 || content->length % LAUNCH_BYTES != 0) {
        return pb_error_set(err, PB_ERR_FORMAT, "%s has no whole number of launches", path);
    }
    struct pb_arena arena = {0};
    double *d = pb_arena_array(&arena, n, sizeof *d);
    double *base = pb_arena_array(&arena, n * ROUNDS, sizeof *base);
    double *head = pb_arena_array(&arena, n * ROUNDS, sizeof *head);
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        d[i] = take_launch((const unsigned char *)content->text + i * LAUNCH_BYTES,
                           base + i * ROUNDS, head + i * ROUNDS);
        good = good && isfinite(d[i]);
    }
    const struct group whole = {.truth = truth_of_name(path, ".f32"),
                                .d = d,
                                .n = n,
                                .base = base,
                                .head = head,
                                .n_launches = n,
                                .n_repeated = ROUNDS};
    if (good) {
        draw_groups(methods, &whole, GROUPS, &arena);
    }
    pb_arena_release(&arena);
    return good ? PB_OK
                : pb_error_set(err, PB_ERR_FORMAT, "%s has times that are no positive numbers",
                               path);
}

static enum pb_code take_ratios(struct methods *methods, const char *path,
                                const struct pb_strbuf *content, struct pb_error *err)
{
    static const char heading[] = "d_pct\n";
    const bool has_heading = strncmp(content->text, heading, strlen(heading)) == 0;
    struct pb_arena arena = {0};
    struct group whole = {.truth = truth_of_name(path, ".csv")};
    double *d = NULL;
    size_t capacity = 0;
    const char *at = content->text + (has_heading ? strlen(heading) : 0);
    while (has_heading && *at != '\0') {
        char *end = NULL;
        const double ratio = log1p(strtod(at, &end) / 100);
        if (end == at || *end != '\n' || !isfinite(ratio)) {
            break;
        }
        d = pb_arena_grow(&arena, d, whole.n, &capacity, sizeof *d);
        d[whole.n++] = ratio;
        at = end + 1;
    }
    const bool good = has_heading && whole.n > 0 && *at == '\0';
    if (good) {
        whole.d = d;
        draw_groups(methods, &whole, GROUPS_OF_RATIOS, &arena);
    }
    pb_arena_release(&arena);
    return good ? PB_OK
                : pb_error_set(err, PB_ERR_FORMAT, "%s has no ratios under the line d_pct", path);
}

static enum pb_code take_file(struct methods *methods, const char *path, struct pb_error *err)
{
    if (ends_with(path, ".jsonl")) {
        return pb_samples_read(path, take_trial, methods, err);
    }
    const bool slices = truth_of_name(path, ".f32") != TRUTH_OTHER;
    if (!slices && truth_of_name(path, ".csv") == TRUTH_OTHER) {
        return PB_OK;
    }
    struct pb_strbuf content;
    pb_strbuf_init(&content);
    enum pb_code code = pb_whole_file_read(path, FILE_LIMIT, &content, err);
    if (code == PB_OK) {
        code = slices ? take_slices(methods, path, &content, err)
                      : take_ratios(methods, path, &content, err);
    }
    pb_strbuf_release(&content);
    return code;
}

static enum pb_code take_folder(struct methods *methods, const char *path, struct pb_arena *arena,
                                struct pb_error *err)
{
    struct dirent **entries = NULL;
    const int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0) {
        return pb_error_set(err, PB_ERR_IO, "can't read the folder %s: %s", path, strerror(errno));
    }
    enum pb_code code = PB_OK;
    for (int i = 0; i < n; i++) {
        const char *file = pb_arena_printf(arena, "%s/%s", path, entries[i]->d_name);
        struct stat status;
        if (code == PB_OK && stat(file, &status) == 0 && S_ISREG(status.st_mode)) {
            code = take_file(methods, file, err);
        }
        free(entries[i]);
    }
    free(entries);
    return code;
}

static enum pb_code take_path(struct methods *methods, const char *path, struct pb_arena *arena,
                              struct pb_error *err)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return pb_error_set(err, PB_ERR_NOT_FOUND, "can't find %s: %s", path, strerror(errno));
    }
    return S_ISDIR(status.st_mode) ? take_folder(methods, path, arena, err)
                                   : take_file(methods, path, err);
}

enum pb_code pb_methods_compare(const char *const *paths, size_t n_paths, uint64_t seed,
                                struct pb_arena *arena, struct pb_method_row **rows, size_t *n_rows,
                                struct pb_error *err)
{
    struct methods methods = {0};
    pb_random_init(&methods.random, seed);
    make_rows(&methods, arena);
    enum pb_code code =
        pb_stopping_plan(PB_INTERVAL_LEVEL, PB_SCREEN_LEVEL, &methods.stopping, err);
    for (size_t i = 0; code == PB_OK && i < n_paths; i++) {
        code = take_path(&methods, paths[i], arena, err);
    }
    if (code == PB_OK && methods.n_judged == 0) {
        code = pb_error_set(err, PB_ERR_FORMAT,
                            "nothing that could be judged in %s; see `pairbench selftest --help`",
                            paths[0]);
    }
    if (code == PB_OK) {
        *rows = methods.rows;
        *n_rows = methods.n_rows;
    }
    return code;
}

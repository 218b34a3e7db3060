/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers are written with six digits, which is more than a clock knows.
 */
#include "commands/selftest/samples.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"

#define SCHEMA     "pairbench-selftest/1"
#define FILE_LIMIT ((size_t)1 << 30)

/* Slices in a repetition. */
enum { REPEATED_SLICES = 5 };

static void add_string(struct pb_strbuf *line, const char *key, const char *text)
{
    struct pb_strbuf mended = {0};
    pb_text_add_utf8(&mended, text);
    struct json_object *string = json_object_new_string(mended.text);
    pb_strbuf_addf(line, "\"%s\":%s", key,
                   json_object_to_json_string_ext(string, JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(string);
    pb_strbuf_release(&mended);
}

/* A number, or null for what is none. */
static void add_number(struct pb_strbuf *line, double value)
{
    if (isfinite(value)) {
        pb_strbuf_addf(line, "%.6g", value);
    } else {
        pb_strbuf_adds(line, "null");
    }
}

static enum pb_code append(const char *path, const struct pb_strbuf *text, struct pb_error *err)
{
    const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    size_t written = 0;
    while (fd >= 0 && written < text->length) {
        const ssize_t n = write(fd, text->text + written, text->length - written);
        if (n < 0 && errno != EINTR) {
            break;
        }
        written += n > 0 ? (size_t)n : 0;
    }
    const int cause = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (fd < 0 || written < text->length) {
        return pb_error_set(err, PB_ERR_IO, "can't append to %s: %s", path, strerror(cause));
    }
    return PB_OK;
}

enum pb_code pb_trial_log_begin(const char *path, uint64_t seed, struct pb_arena *arena,
                                struct pb_trial_log *log, struct pb_error *err)
{
    *log = (struct pb_trial_log){
        .seed = seed,
        .started_at = (int64_t)time(NULL),
        .path = pb_arena_strdup(arena, path),
    };
    if (path == NULL) {
        return PB_OK;
    }
    struct pb_strbuf line = {0};
    pb_strbuf_addf(&line, "{\"schema\":\"" SCHEMA "\",\"seed\":\"%llu\",\"started_at\":%lld}\n",
                   (unsigned long long)seed, (long long)log->started_at);
    bool made = false;
    enum pb_code code = pb_whole_file_create(path, line.text, line.length, &made, err);
    if (code == PB_OK && !made) {
        code = pb_error_set(err, PB_ERR_USAGE,
                            "there is a file %s already; go on with it by --resume, or name "
                            "another",
                            path);
    }
    pb_strbuf_release(&line);
    return code;
}

/* Whether both sides took part in launch k of a pair, and what they measured. */
static bool find_launches(const struct pb_batch *batch, size_t i, size_t k,
                          const struct pb_launch_record *sides[2])
{
    const struct pb_pair_record *pair = &batch->run->pairs[i];
    for (size_t s = 0; s < 2; s++) {
        const struct pb_benchmark_record *benchmark = &batch->run->benchmarks[2 * i + s];
        if (k >= benchmark->n_launches || benchmark->launches[k].launch != pair->launch[k] ||
            benchmark->launches[k].samples_ns == NULL) {
            return false;
        }
        sides[s] = &benchmark->launches[k];
    }
    return sides[0]->n_slices == sides[1]->n_slices && sides[0]->n_slices >= REPEATED_SLICES;
}

static void add_repetitions(struct pb_strbuf *line, const struct pb_launch_record *launch)
{
    pb_strbuf_addc(line, '[');
    for (uint32_t at = 0; at + REPEATED_SLICES <= launch->n_slices; at += REPEATED_SLICES) {
        double sum = 0;
        for (uint32_t i = 0; i < REPEATED_SLICES; i++) {
            sum += (double)launch->samples_ns[at + i];
        }
        pb_strbuf_adds(line, at > 0 ? "," : "");
        add_number(line, sum / REPEATED_SLICES);
    }
    pb_strbuf_addc(line, ']');
}

static void add_side(struct pb_strbuf *line, const struct pb_batch *batch, size_t i, size_t side)
{
    pb_strbuf_adds(line, side == 0 ? ",\"base\":[" : ",\"head\":[");
    bool any = false;
    for (size_t k = 0; k < batch->run->pairs[i].n_launches && k < PB_SAMPLED_LAUNCHES; k++) {
        const struct pb_launch_record *sides[2];
        if (find_launches(batch, i, k, sides)) {
            pb_strbuf_adds(line, any ? "," : "");
            add_repetitions(line, sides[side]);
            any = true;
        }
    }
    pb_strbuf_addc(line, ']');
}

static void add_trial(struct pb_strbuf *line, const struct pb_batch *batch, size_t i)
{
    const struct pb_pair_record *pair = &batch->run->pairs[i];
    pb_strbuf_addc(line, '{');
    add_string(line, "cell", pb_cell_words(batch->cell)->name);
    pb_strbuf_addc(line, ',');
    add_string(line, "benchmark", batch->run->benchmarks[2 * i].name);
    pb_strbuf_addc(line, ',');
    add_string(line, "verdict", pb_verdict_name(pair->verdict));
    pb_strbuf_addf(line, ",\"valid\":%s,\"wall_s\":", batch->run->valid ? "true" : "false");
    add_number(line, pair->wall_s);
    pb_strbuf_adds(line, ",\"operation_ns\":");
    add_number(line, batch->run->benchmarks[2 * i].median_ns);
    pb_strbuf_adds(line, ",\"d\":[");
    for (size_t k = 0; k < pair->n_launches; k++) {
        pb_strbuf_adds(line, k > 0 ? "," : "");
        add_number(line, pair->d[k]);
    }
    pb_strbuf_addc(line, ']');
    add_side(line, batch, i, 0);
    add_side(line, batch, i, 1);
    pb_strbuf_adds(line, "}\n");
}

static void add_batch(struct pb_strbuf *line, const struct pb_batch *batch)
{
    pb_strbuf_addc(line, '{');
    add_string(line, "batch", pb_cell_words(batch->cell)->name);
    pb_strbuf_addf(line,
                   ",\"seed\":\"%llu\",\"trials\":%zu,\"wall_s\":", (unsigned long long)batch->seed,
                   batch->n_pairs);
    add_number(line, batch->wall_s);
    if (batch->run != NULL && !batch->run->valid) {
        pb_strbuf_addc(line, ',');
        add_string(line, "invalid_reason", batch->run->invalid_reason);
    }
    pb_strbuf_adds(line, "}\n");
}

static void keep(struct pb_trial_log *log, struct pb_arena *arena, const struct pb_trial *trial)
{
    log->trials = pb_arena_grow(arena, log->trials, log->n, &log->capacity, sizeof *log->trials);
    log->trials[log->n++] = *trial;
}

/* The trial that a batch without pairs is as a whole. */
static struct pb_trial whole_trial(enum pb_cell cell, double wall_s)
{
    return (struct pb_trial){
        .cell = cell, .verdict = PB_VERDICT_UNCHANGED, .valid = true, .wall_s = wall_s};
}

enum pb_code pb_trial_log_add(struct pb_trial_log *log, const struct pb_batch *batch,
                              struct pb_arena *arena, struct pb_error *err)
{
    if (log->path != NULL) {
        struct pb_strbuf lines = {0};
        for (size_t i = 0; i < batch->n_pairs; i++) {
            add_trial(&lines, batch, i);
        }
        add_batch(&lines, batch);
        const enum pb_code code = append(log->path, &lines, err);
        pb_strbuf_release(&lines);
        if (code != PB_OK) {
            return code;
        }
    }
    for (size_t i = 0; i < batch->n_pairs; i++) {
        const struct pb_trial trial = {
            .cell = batch->cell,
            .verdict = batch->run->pairs[i].verdict,
            .valid = batch->run->valid,
            .wall_s = batch->run->pairs[i].wall_s,
            .operation_ns = batch->run->benchmarks[2 * i].median_ns,
        };
        keep(log, arena, &trial);
    }
    if (batch->n_pairs == 0) {
        const struct pb_trial trial = whole_trial(batch->cell, batch->wall_s);
        keep(log, arena, &trial);
    }
    log->n_batches++;
    log->wall_s += batch->wall_s;
    return PB_OK;
}

static const char *text_of(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(object, key, &value) &&
                   json_object_is_type(value, json_type_string)
               ? json_object_get_string(value)
               : NULL;
}

static double number_of(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(object, key, &value) ? json_object_get_double(value) : NAN;
}

static bool verdict_of(const char *name, enum pb_verdict *verdict)
{
    for (int i = 0; name != NULL && i < PB_VERDICTS; i++) {
        if (strcmp(pb_verdict_name((enum pb_verdict)i), name) == 0) {
            *verdict = (enum pb_verdict)i;
            return true;
        }
    }
    return false;
}

/* Numbers of an array; those that are none are left out. returns: in the arena */
static double *numbers_of(struct json_object *array, struct pb_arena *arena, size_t *n)
{
    const size_t length =
        json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
    double *numbers = pb_arena_array(arena, length, sizeof *numbers);
    *n = 0;
    for (size_t i = 0; i < length; i++) {
        struct json_object *item = json_object_array_get_idx(array, i);
        const double value = json_object_get_double(item);
        if (item != NULL && isfinite(value)) { /* null is NULL, and not 0 */
            numbers[(*n)++] = value;
        }
    }
    return numbers;
}

/* Repetitions, launch by launch; NULL unless each launch has as many as the first. */
static double *repetitions_of(struct json_object *object, const char *key, struct pb_arena *arena,
                              size_t *n_launches, size_t *n_repeated)
{
    struct json_object *array = NULL;
    *n_launches = 0;
    *n_repeated = 0;
    if (!json_object_object_get_ex(object, key, &array) ||
        !json_object_is_type(array, json_type_array)) {
        return NULL;
    }
    const size_t length = json_object_array_length(array);
    double *all = NULL;
    for (size_t i = 0; i < length; i++) {
        size_t n = 0;
        const double *some = numbers_of(json_object_array_get_idx(array, i), arena, &n);
        if (i == 0) {
            *n_repeated = n;
            all = pb_arena_array(arena, length * n, sizeof *all);
        }
        if (n == 0 || n != *n_repeated) {
            return NULL;
        }
        memcpy(all + i * n, some, n * sizeof *all);
    }
    *n_launches = length;
    return all;
}

static bool read_trial(struct json_object *object, struct pb_arena *arena,
                       struct pb_sampled_trial *trial)
{
    *trial = (struct pb_sampled_trial){0};
    const char *cell = text_of(object, "cell");
    struct json_object *d = NULL;
    struct json_object *valid = NULL;
    if (cell == NULL || !pb_cell_find(cell, &trial->trial.cell) ||
        !verdict_of(text_of(object, "verdict"), &trial->trial.verdict) ||
        !json_object_object_get_ex(object, "d", &d) ||
        !json_object_object_get_ex(object, "valid", &valid)) {
        return false;
    }
    trial->trial.valid = json_object_get_boolean(valid);
    trial->trial.wall_s = number_of(object, "wall_s");
    trial->trial.operation_ns = number_of(object, "operation_ns");
    trial->d = numbers_of(d, arena, &trial->n);
    size_t n_launches = 0;
    size_t n_repeated = 0;
    trial->base = repetitions_of(object, "base", arena, &n_launches, &n_repeated);
    trial->head = repetitions_of(object, "head", arena, &trial->n_launches, &trial->n_repeated);
    if (trial->base == NULL || trial->head == NULL || n_launches != trial->n_launches ||
        n_repeated != trial->n_repeated) {
        trial->n_launches = 0;
    }
    return true;
}

/* What reading a file calls for each of its lines; either may be NULL. */
struct reader {
    void (*take)(void *context, const struct pb_sampled_trial *trial);
    void (*take_batch)(void *context, enum pb_cell cell, uint64_t n_trials, double wall_s);
    void (*take_header)(void *context, uint64_t seed, int64_t started_at);
    void *context;
};

static bool read_batch(const struct reader *reader, struct json_object *object)
{
    enum pb_cell cell;
    const char *name = text_of(object, "batch");
    const double wall_s = number_of(object, "wall_s");
    const double n_trials = number_of(object, "trials");
    if (name == NULL || !pb_cell_find(name, &cell) || !(wall_s >= 0) || !(n_trials >= 0)) {
        return false;
    }
    if (reader->take_batch != NULL) {
        reader->take_batch(reader->context, cell, (uint64_t)n_trials, wall_s);
    }
    return true;
}

static bool read_header(const struct reader *reader, struct json_object *object)
{
    const char *schema = text_of(object, "schema");
    const char *seed = text_of(object, "seed");
    if (schema == NULL || strcmp(schema, SCHEMA) != 0 || seed == NULL) {
        return false;
    }
    if (reader->take_header != NULL) {
        reader->take_header(reader->context, strtoull(seed, NULL, 10),
                            (int64_t)number_of(object, "started_at"));
    }
    return true;
}

static bool read_line(const struct reader *reader, struct json_object *object, size_t number)
{
    if (number == 1) {
        return read_header(reader, object);
    }
    if (text_of(object, "batch") != NULL) {
        return read_batch(reader, object);
    }
    struct pb_arena arena = {0};
    struct pb_sampled_trial trial;
    const bool good = read_trial(object, &arena, &trial);
    if (good && reader->take != NULL) {
        reader->take(reader->context, &trial);
    }
    pb_arena_release(&arena);
    return good;
}

/* *whole_bytes: length of the lines that are whole */
static enum pb_code read_lines(const char *path, const struct reader *reader, size_t *whole_bytes,
                               struct pb_error *err)
{
    struct pb_strbuf content = {.limit = FILE_LIMIT};
    enum pb_code code = pb_whole_file_read(path, FILE_LIMIT, &content, err);
    size_t at = 0;
    for (size_t number = 1; code == PB_OK && at < content.length; number++) {
        char *end = memchr(content.text + at, '\n', content.length - at);
        if (end == NULL && number > 1) {
            break;
        }
        if (end != NULL) {
            *end = '\0';
        }
        struct json_object *object = json_tokener_parse(content.text + at);
        if (!json_object_is_type(object, json_type_object) || !read_line(reader, object, number)) {
            code =
                pb_error_set(err, PB_ERR_FORMAT,
                             "%s:%zu: this is no line of the samples of a self-test", path, number);
        }
        json_object_put(object);
        at = end != NULL ? (size_t)(end - content.text) + 1 : content.length;
    }
    if (code == PB_OK && at == 0) {
        code = pb_error_set(err, PB_ERR_FORMAT, "%s is empty", path);
    }
    *whole_bytes = at;
    pb_strbuf_release(&content);
    return code;
}

/* A log that is read back. */
struct resumed {
    struct pb_trial_log *log;
    struct pb_arena *arena;
};

static void resume_trial(void *context, const struct pb_sampled_trial *trial)
{
    const struct resumed *resumed = context;
    keep(resumed->log, resumed->arena, &trial->trial);
}

static void resume_batch(void *context, enum pb_cell cell, uint64_t n_trials, double wall_s)
{
    const struct resumed *resumed = context;
    if (n_trials == 0) {
        const struct pb_trial trial = whole_trial(cell, wall_s);
        keep(resumed->log, resumed->arena, &trial);
    }
    resumed->log->n_batches++;
    resumed->log->wall_s += wall_s;
}

static void resume_header(void *context, uint64_t seed, int64_t started_at)
{
    const struct resumed *resumed = context;
    resumed->log->seed = seed;
    resumed->log->started_at = started_at;
}

enum pb_code pb_trial_log_resume(const char *path, struct pb_arena *arena, struct pb_trial_log *log,
                                 struct pb_error *err)
{
    *log = (struct pb_trial_log){.path = pb_arena_strdup(arena, path)};
    struct resumed resumed = {log, arena};
    const struct reader reader = {resume_trial, resume_batch, resume_header, &resumed};
    size_t whole_bytes = 0;
    const enum pb_code code = read_lines(path, &reader, &whole_bytes, err);
    if (code == PB_OK && truncate(path, (off_t)whole_bytes) != 0) {
        return pb_error_set(err, PB_ERR_IO, "can't write to %s: %s", path, strerror(errno));
    }
    return code;
}

enum pb_code pb_samples_read(const char *path,
                             void (*take)(void *context, const struct pb_sampled_trial *trial),
                             void *context, struct pb_error *err)
{
    const struct reader reader = {.take = take, .context = context};
    size_t whole_bytes = 0;
    return read_lines(path, &reader, &whole_bytes, err);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The callbacks of pb_env over one block of memory.
 */
#include "fake_env.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *fake_alloc(struct pb_env *env, size_t size_bytes, size_t align_bytes)
{
    struct fake_env *fake = env->harness;
    const size_t align = align_bytes > 0 ? align_bytes : 16;
    const size_t at = (fake->used + align - 1) / align * align;
    if (fake->n_allocs++ == fake->fail_at || size_bytes > PAIRBENCH_ARENA_BYTES - at) {
        snprintf(fake->message, sizeof fake->message, "the arena is used up");
        return NULL;
    }
    fake->used = at + size_bytes;
    return fake->arena + at;
}

static int fake_fail(struct pb_env *env, const char *format, ...) PAIRBENCH_PRINTF(2, 3);

static int fake_fail(struct pb_env *env, const char *format, ...)
{
    struct fake_env *fake = env->harness;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fake->message, sizeof fake->message, format, arguments);
    va_end(arguments);
    return PAIRBENCH_FAILED;
}

static int fake_skip(struct pb_env *env, const char *format, ...) PAIRBENCH_PRINTF(2, 3);

static int fake_skip(struct pb_env *env, const char *format, ...)
{
    struct fake_env *fake = env->harness;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fake->message, sizeof fake->message, format, arguments);
    va_end(arguments);
    fake->skipped = true;
    return PAIRBENCH_SKIPPED;
}

static int fake_count(struct pb_env *env, const char *name, int64_t value)
{
    struct fake_env *fake = env->harness;
    if (fake->n_counts < FAKE_MAX_COUNTS) {
        struct fake_count *count = &fake->counts[fake->n_counts++];
        snprintf(count->name, sizeof count->name, "%s", name);
        count->value = value;
    }
    return PAIRBENCH_OK;
}

void fake_env_init(struct fake_env *fake)
{
    *fake = (struct fake_env){
        .env = {.alloc = fake_alloc, .fail = fake_fail, .skip = fake_skip, .count = fake_count},
        .arena = aligned_alloc(4096, PAIRBENCH_ARENA_BYTES),
        .fail_at = SIZE_MAX,
    };
    if (fake->arena == NULL) {
        abort();
    }
    fake->env.harness = fake;
    fake_env_reset(fake);
}

void fake_env_release(struct fake_env *fake)
{
    free(fake->arena);
    free(fake->output);
    *fake = (struct fake_env){.arena = NULL};
}

void fake_env_reset(struct fake_env *fake)
{
    memset(fake->arena, 0xa5, fake->used > 0 ? fake->used : PAIRBENCH_ARENA_BYTES);
    fake->used = 0;
    fake->n_allocs = 0;
    fake->n_counts = 0;
    fake->skipped = false;
    fake->message[0] = '\0';
}

int64_t fake_env_count(const struct fake_env *fake, const char *name)
{
    for (size_t i = 0; i < fake->n_counts; ++i) {
        if (strcmp(fake->counts[i].name, name) == 0) {
            return fake->counts[i].value;
        }
    }
    return -1;
}

static void keep_output(struct fake_env *fake, struct pb_bytes shown)
{
    free(fake->output);
    fake->output = malloc(shown.size > 0 ? shown.size : 1);
    fake->output_size = shown.size;
    if (fake->output == NULL) {
        abort();
    }
    if (shown.size > 0) {
        memcpy(fake->output, shown.data, shown.size);
    }
}

static bool run_open(struct fake_env *fake, const struct pb_variant *variant, void *state,
                     uint64_t n)
{
    struct pb_bytes shown = {NULL, 0};
    if (variant->run(state, n) != PAIRBENCH_OK ||
        (variant->output != NULL && variant->output(state, &shown) != PAIRBENCH_OK)) {
        return false;
    }
    keep_output(fake, shown);
    return variant->counts == NULL || variant->counts(state, &fake->env) == PAIRBENCH_OK;
}

static bool run_set_up(struct fake_env *fake, const struct pb_variant *variant,
                       const struct pb_scenario *scenario, void *shared, uint64_t n)
{
    void *state = NULL;
    if (variant->open(&fake->env, scenario, shared, &state) != PAIRBENCH_OK) {
        return false;
    }
    const bool ok = run_open(fake, variant, state, n);
    if (variant->close != NULL) {
        variant->close(state);
    }
    return ok;
}

bool fake_env_run(struct fake_env *fake, const struct pb_variant *variant,
                  const struct pb_scenario *scenario, uint64_t n)
{
    fake_env_reset(fake);
    void *shared = NULL;
    if (variant->setup != NULL && variant->setup(&fake->env, scenario, &shared) != PAIRBENCH_OK) {
        return false;
    }
    const bool ok = run_set_up(fake, variant, scenario, shared, n);
    if (variant->teardown != NULL) {
        variant->teardown(shared);
    }
    return ok;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Output is taken after one operation and again after two more: a variant that does not do the same
 * work every time would be timed doing something else.
 */
#include "measure/worker/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy of bytes that outlives the side's close(). */
struct copy {
    unsigned char *data;
    size_t size;
    bool taken;
};

static bool take_copy(struct side *side, struct pb_bytes bytes, struct copy *copy)
{
    unsigned char *data = malloc(bytes.size > 0 ? bytes.size : 1);
    if (data == NULL) {
        side_fail(side, "no memory for a copy of %zu bytes of output", bytes.size);
        return false;
    }
    if (bytes.size > 0) {
        memcpy(data, bytes.data, bytes.size);
    }
    free(copy->data);
    *copy = (struct copy){.data = data, .size = bytes.size, .taken = true};
    return true;
}

/* Fails the side unless got equals want; `whose` says what want is. */
static void compare(struct side *side, struct pb_bytes got, struct pb_bytes want, const char *whose)
{
    const unsigned char *a = want.data;
    const unsigned char *b = got.data;
    const size_t shared = want.size < got.size ? want.size : got.size;
    size_t at = 0;
    while (at < shared && a[at] == b[at]) {
        at++;
    }
    if (at < shared) {
        side_fail(side, PB_DIFFERS " from %s at byte %zu of %zu: 0x%02x instead of 0x%02x", whose,
                  at, want.size, b[at], a[at]);
    } else if (want.size != got.size) {
        side_fail(side, PB_DIFFERS " from %s at byte %zu: %zu bytes instead of %zu", whose, shared,
                  got.size, want.size);
    }
}

/* Output after n more operations. returns: false when there is none to look at */
static bool run_for_output(struct side *side, uint64_t n, struct pb_bytes *bytes)
{
    return side_run(side, n) && side_output(side, bytes) && side->variant->output != NULL;
}

static void compare_with_reference(struct side *side, struct pb_bytes got,
                                   const struct copy *reference)
{
    char whose[sizeof side->region->request.reference + 2];
    snprintf(whose, sizeof whose, "%s's", side->region->request.reference);
    compare(side, got, (struct pb_bytes){reference->data, reference->size}, whose);
}

static void verify_side(struct side *side, const struct copy *reference, struct copy *own)
{
    struct pb_bytes bytes;
    if (!run_for_output(side, 1, &bytes) || !take_copy(side, bytes, own)) {
        return;
    }
    side->result->output_bytes = bytes.size;
    if (side->scenario->golden.data != NULL) {
        compare(side, bytes, side->scenario->golden, "the golden vector");
    }
    if (reference->taken) {
        compare_with_reference(side, bytes, reference);
    }
    if (run_for_output(side, 2, &bytes)) {
        compare(side, bytes, (struct pb_bytes){own->data, own->size}, "its own first output");
    }
}

void task_verify(struct side *sides, uint32_t n)
{
    struct copy reference = {0};
    for (uint32_t i = 0; i < n; i++) {
        struct side *side = &sides[i];
        struct copy own = {0};
        if (side_setup(side) && side_open(side, 0)) {
            if ((side->variant->flags & PAIRBENCH_VARIANT_BOUND) != 0) {
                side_run(side, 1); /* it does less than the task: there is nothing to compare */
            } else {
                verify_side(side, &reference, &own);
            }
        }
        side_close(side);
        side_teardown(side);
        side->result->done = 1;
        if (i == 0 &&
            side->region->request.has_reference) { /* it may have died in an earlier launch */
            reference = own;
        } else {
            free(own.data);
        }
    }
    free(reference.data);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Only revisions before `to` are asked: that one is known to be bad.
 */
#include "commands/comparing/bisection.h"

#include <assert.h>

void pb_bisection_init(struct pb_bisection *bisection, size_t n, struct pb_arena *arena)
{
    assert(n > 0);
    *bisection = (struct pb_bisection){
        .from = 0,
        .to = n - 1,
        .skipped = pb_arena_array(arena, n, sizeof *bisection->skipped),
    };
}

bool pb_bisection_next(const struct pb_bisection *bisection, size_t *index)
{
    const size_t from = bisection->from;
    const size_t n = bisection->to - from; /* that can be asked */
    const size_t middle = n > 0 ? from + (n - 1) / 2 : from;
    for (size_t away = 0; away < n; away++) {
        const size_t below = middle - away;
        const size_t above = middle + away;
        if (away <= middle - from && !bisection->skipped[below]) {
            *index = below;
            return true;
        }
        if (above < bisection->to && !bisection->skipped[above]) {
            *index = above;
            return true;
        }
    }
    return false;
}

void pb_bisection_take(struct pb_bisection *bisection, size_t index, enum pb_bisect_answer answer)
{
    assert(index >= bisection->from && index < bisection->to);
    switch (answer) {
    case PB_BISECT_GOOD:
        bisection->from = index + 1;
        break;
    case PB_BISECT_BAD:
        bisection->to = index;
        break;
    case PB_BISECT_SKIPPED:
        bisection->skipped[index] = true;
        break;
    }
}

size_t pb_bisection_left(const struct pb_bisection *bisection)
{
    size_t steps = 0;
    for (size_t n = bisection->to - bisection->from; n > 0; n /= 2) {
        steps++;
    }
    return steps;
}

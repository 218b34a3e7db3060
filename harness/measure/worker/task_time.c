/* SPDX-License-Identifier: Apache-2.0
 *
 * All that could favour a side is drawn at random, once a launch (who is set up first) or once a
 * round (who runs first, in which layout its code is, where everything lies in its page), or is the
 * same for all (warm-up, the memory of inputs and results).
 */
#include "measure/worker/tasks.h"

#include <string.h>

#include "measure/worker/burst.h"
#include "stats/random.h"

enum { PLACEMENTS = 4096 / 16 };

/* Opens one side, runs its burst of round `round`, closes it. In the warm-up, round < 0, all of its
 * slices are untimed. */
static bool take_turn(struct side *side, int round, size_t offset)
{
    const struct pb_launch_request *request = &side->region->request;
    struct burst burst = {
        .side = side,
        .iterations = side->request->iterations,
        .executed = side->request->executed,
        .warm_slices = request->warm_slices + request->timed_slices,
    };
    if (round >= 0) {
        burst.warm_slices = request->warm_slices;
        burst.timed_slices = request->timed_slices;
        burst.real_ns = side->result->real_ns + (size_t)round * request->timed_slices;
        burst.cpu_ns = side->result->cpu_ns + (size_t)round * request->timed_slices;
    }
    const bool ran = side_open(side, offset) && burst_run(&burst);
    side_close(side);
    if (ran && round >= 0) {
        side->result->n_samples += request->timed_slices;
    }
    return ran && side_ok(side);
}

/* Which instance of each side has its turn. */
struct turns {
    uint32_t order[PB_LAUNCH_SIDES_MAX][PB_INSTANCES_MAX];
};

static void shuffled(struct pb_random *random, uint32_t *order, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    pb_random_shuffle(random, order, n);
}

/* A new order in which the instances take turns: the same for all sides, or one for each. */
static void draw_turns(const struct pb_launch_request *request, struct turns *turns, uint32_t n,
                       struct pb_random *random)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || request->own_layouts) {
            shuffled(random, turns->order[i], request->n_instances);
        } else {
            memcpy(turns->order[i], turns->order[0], sizeof turns->order[i]);
        }
    }
}

/* One round over all sides; false as soon as one fails: the launch is of no use without it. */
static bool run_round(struct side *sides, uint32_t n, int round, struct turns *turns,
                      struct pb_random *random)
{
    const struct pb_launch_request *request = &sides[0].region->request;
    const uint32_t turn = (uint32_t)(round > 0 ? round : 0) % request->n_instances;
    if (turn == 0) {
        draw_turns(request, turns, n, random);
    }
    uint32_t order[PB_LAUNCH_SIDES_MAX];
    shuffled(random, order, n);
    const size_t offset = 16 * (size_t)pb_random_below(random, PLACEMENTS);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t instance = turns->order[order[i]][turn];
        struct side *side = &sides[instance * n + order[i]];
        if (round >= 0) {
            side->result->turn[round] = (uint8_t)i;
            side->result->instance[round] = (uint8_t)instance;
        }
        if (!take_turn(side, round, offset)) {
            return false;
        }
    }
    return true;
}

/* All sides have their inputs and results at the same addresses, one after the other. */
static void share_arena(struct side *sides, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        sides[i].arena = sides[0].arena;
    }
}

void task_time(struct side *sides, uint32_t n)
{
    const struct pb_launch_request *request = &sides[0].region->request;
    const uint32_t n_all = n * request->n_instances;
    struct pb_random random;
    pb_random_init(&random, pb_random_derive(request->seed, 3));
    share_arena(sides, n_all);
    uint32_t order[PB_LAUNCH_SIDES_MAX * PB_INSTANCES_MAX];
    shuffled(&random, order, n_all);
    const bool well = sides_setup(sides, order, n_all);
    struct turns turns;
    /* What is too long for a second round is warm enough after its untimed slice. */
    int round = request->rounds > 1 ? -1 : 0;
    while (well && round < (int)request->rounds && run_round(sides, n, round, &turns, &random)) {
        round++;
    }
    for (uint32_t i = 0; i < n_all; i++) {
        side_teardown(&sides[order[i]]);
        sides[order[i]].result->done = 1;
    }
}

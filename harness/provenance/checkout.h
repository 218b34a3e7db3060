/* SPDX-License-Identifier: Apache-2.0
 *
 * Which commit a suite was built from, as far as git can tell. A missing git, a missing repository
 * or a shallow one is recorded, never an error.
 *
 * Nothing is written, and no monitor or signature checker is started. The answer is about the given
 * folder alone: variables like GIT_DIR, which git sets for its hooks, are left out.
 */
#ifndef PB_PROVENANCE_CHECKOUT_H
#define PB_PROVENANCE_CHECKOUT_H

#include "base/arena.h"
#include "base/record.h"

/*
 * Facts, sorted by key:
 *     state         `ok`; `no git` (not installed), `no repository`, `no commit` (yet), `error`
 *     id            of the commit, 40 or 64 hex digits; "" unless ok
 *     branch        checked out, also before its first commit; "" when detached
 *     dirty         `true` when files are changed, staged, or new and not ignored, also those of a
 *                   submodule; `false`; `unknown`
 *     shallow       `true`, `false`, `unknown`
 *     committed_at  ISO 8601 in UTC, `2026-01-31T02:00:00Z`; "" unless ok
 *     subject       first line of the commit's message; "" unless ok
 *     describe      `v1.2-3-gabcdef012345`, or the abbreviated id; "" unless ok
 *     message       what git said, one line; "" when state is ok or `no commit`
 * Texts are as they stand in the repository: any bytes but zero and newline.
 * directory: any folder in the checkout; NULL = the current one
 */
struct pb_facts pb_checkout_facts(struct pb_arena *arena, const char *directory);

#endif

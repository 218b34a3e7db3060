/* SPDX-License-Identifier: Apache-2.0
 *
 * Which commit a suite was built from, as far as git can tell. A missing git, a missing repository
 * or a shallow one is recorded, never an error.
 */
#ifndef PB_PROVENANCE_CHECKOUT_H
#define PB_PROVENANCE_CHECKOUT_H

#include "base/arena.h"
#include "base/record.h"

/*
 * Facts, sorted by key: state (`ok`, `no git`, `no repository`, `no commit`, `error`), id (40 or 64
 * hex digits, ""), branch ("" when detached), dirty (`true`, `false`, `unknown`), shallow,
 * committed_at (ISO 8601, UTC), subject, describe. directory: any folder in the checkout; NULL =
 * the current one
 */
struct pb_facts pb_checkout_facts(struct pb_arena *arena, const char *directory);

#endif

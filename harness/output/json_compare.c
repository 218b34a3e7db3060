/* SPDX-License-Identifier: Apache-2.0
 *
 * The document of `compare`. Each pair names both commits, so that one taken out of it still says
 * what it is about.
 */
#include "output/json.h"

#include "output/json_record.h"
#include "stats/verdict.h"

#include <math.h>

static const char *kind_name(enum pb_compared_kind kind)
{
    return kind == PB_COMPARED_FILE ? "file" : kind == PB_COMPARED_TREE ? "working tree" : "commit";
}

/* NULL for what is not known. */
static const char *known(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

static void put_side(struct pb_json_document *doc, const char *key,
                     const struct pb_compared_side *side)
{
    struct json_object *object = pb_json_add_object(doc, doc->root, key);
    pb_json_put_text(doc, object, "kind", kind_name(side->kind));
    pb_json_put_text(doc, object, "name", known(side->name));
    pb_json_put_text(doc, object, "id", known(side->commit));
    pb_json_put_text(doc, object, "subject", known(side->subject));
    pb_json_put_bool(doc, object, "dirty", side->dirty);
    pb_json_put_text(doc, object, "suite", side->suite);
    pb_json_put_count(doc, object, "layouts", side->layouts);
}

/* A count, or null for what git could not tell. */
static void put_distance(struct pb_json_document *doc, struct json_object *object, const char *key,
                         long n)
{
    if (n < 0) {
        pb_json_put_null(doc, object, key);
    } else {
        pb_json_put_count(doc, object, key, (uint64_t)n);
    }
}

static void put_merge_base(struct pb_json_document *doc, const struct pb_merge_base *merge_base)
{
    if (merge_base->of == NULL) {
        pb_json_put_null(doc, doc->root, "merge_base");
        return;
    }
    struct json_object *object = pb_json_add_object(doc, doc->root, "merge_base");
    pb_json_put_text(doc, object, "of", merge_base->of);
    put_distance(doc, object, "behind", merge_base->behind);
    put_distance(doc, object, "ahead", merge_base->ahead);
}

static void put_benchmarks(struct pb_json_document *doc, const struct pb_comparison *comparison)
{
    struct json_object *array = pb_json_add_array(doc, doc->root, "benchmarks");
    for (size_t i = 0; i < comparison->n; i++) {
        const struct pb_benchmark_record *sides[] = {comparison->items[i].base,
                                                     comparison->items[i].head};
        static const char *const names[] = {"base", "head"};
        for (int k = 0; k < 2; k++) {
            if (sides[k] != NULL) {
                struct json_object *object = pb_json_put_benchmark(doc, array, sides[k]);
                pb_json_put_text(doc, object, "side", names[k]);
            }
        }
    }
}

/* The production objects of both sides; null when they were not measured. */
static void put_production(struct pb_json_document *doc, struct json_object *object,
                           const struct pb_pair_record *production)
{
    if (production == NULL) {
        pb_json_put_null(doc, object, "as_built");
        return;
    }
    struct json_object *as_built = pb_json_add_object(doc, object, "as_built");
    pb_json_put_change(doc, as_built, production->estimate, production->lo, production->hi);
    pb_json_put_count(doc, as_built, "launches", production->n_launches);
}

static void put_count_changes(struct pb_json_document *doc, struct json_object *object,
                              const struct pb_compared *item)
{
    struct pb_arena arena = {0};
    struct pb_count_change *changes =
        pb_arena_array(&arena, pb_compared_counts_max(item), sizeof *changes);
    const size_t n = pb_compared_count_changes(item, changes);
    struct json_object *array = pb_json_add_array(doc, object, "count_changes");
    for (size_t i = 0; i < n; i++) {
        struct json_object *change = pb_json_add_object(doc, array, NULL);
        pb_json_put_text(doc, change, "name", changes[i].name);
        pb_json_put(doc, change, "base", json_object_new_int64(changes[i].base));
        pb_json_put(doc, change, "head", json_object_new_int64(changes[i].head));
    }
    pb_arena_release(&arena);
}

static void put_items(struct pb_json_document *doc, const struct pb_comparison *comparison)
{
    struct json_object *array = pb_json_add_array(doc, doc->root, "pairs");
    for (size_t i = 0; i < comparison->n; i++) {
        const struct pb_compared *item = &comparison->items[i];
        struct json_object *object = pb_json_put_pair(doc, array, &item->pair);
        pb_json_put_text(doc, object, "name", item->name);
        pb_json_put_text(doc, object, "base", known(comparison->base.commit));
        pb_json_put_text(doc, object, "head", known(comparison->head.commit));
        pb_json_put_number(doc, object, "base_best_ns",
                           item->base != NULL ? item->base->best_ns : (double)NAN);
        pb_json_put_number(doc, object, "head_best_ns",
                           item->head != NULL ? item->head->best_ns : (double)NAN);
        pb_json_put_bool(doc, object, "identical", item->identical);
        pb_json_put_bool(doc, object, "flagged", item->flagged);
        pb_json_put_number(doc, object, "screen_change_pct", item->screen_pct);
        pb_json_put_number(doc, object, "p", item->p);
        put_production(doc, object, item->production);
        put_count_changes(doc, object, item);
    }
}

static void put_summary(struct pb_json_document *doc, const struct pb_comparison *comparison)
{
    const struct pb_verdict_counts counts = pb_comparison_verdicts(comparison);
    struct json_object *object = pb_json_add_object(doc, doc->root, "summary");
    for (int i = 0; i < PB_VERDICTS; i++) {
        pb_json_put_count(doc, object, pb_verdict_name((enum pb_verdict)i), counts.n[i]);
    }
}

enum pb_code pb_json_add_comparison(struct pb_strbuf *buf, const struct pb_comparison *comparison,
                                    struct pb_error *err)
{
    struct pb_json_document doc;
    pb_json_begin(&doc, "compare");
    pb_json_put_run(&doc, &comparison->run);
    put_side(&doc, "base", &comparison->base);
    put_side(&doc, "head", &comparison->head);
    put_merge_base(&doc, &comparison->merge_base);
    pb_json_put_number(&doc, doc.root, "margin_pct", 100 * comparison->margins.gate);
    pb_json_put_number(&doc, doc.root, "equivalence_pct", 100 * comparison->margins.equivalence);
    put_benchmarks(&doc, comparison);
    put_items(&doc, comparison);
    if (comparison->control != NULL) {
        struct json_object *control = pb_json_add_array(&doc, doc.root, "controls");
        pb_json_put_pair(&doc, control, comparison->control);
    }
    pb_json_put_number(&doc, doc.root, "wall_s", comparison->wall_s);
    put_summary(&doc, comparison);
    pb_json_put(&doc, doc.root, "exit_code", json_object_new_int(comparison->exit_code));
    return pb_json_end(&doc, buf, err);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The document of `bisect`.
 */
#include "output/json.h"

#include "output/json_record.h"

static void put_commit(struct pb_json_document *doc, struct json_object *object,
                       const struct pb_bisect_commit *commit)
{
    pb_json_put_text(doc, object, "id", commit->id);
    pb_json_put_text(doc, object, "subject", commit->subject);
}

static void put_measured(struct pb_json_document *doc, struct json_object *object,
                         const struct pb_pair_record *pair)
{
    pb_json_put_change(doc, object, pair->estimate, pair->lo, pair->hi);
    pb_json_put_text(doc, object, "verdict", pb_verdict_name(pair->verdict));
    pb_json_put_count(doc, object, "launches", pair->n_launches);
}

static void put_steps(struct pb_json_document *doc, const struct pb_bisect_record *record)
{
    struct json_object *array = pb_json_add_array(doc, doc->root, "steps");
    for (size_t i = 0; i < record->n_steps; i++) {
        const struct pb_bisect_step *step = &record->steps[i];
        struct json_object *object = pb_json_add_object(doc, array, NULL);
        put_commit(doc, object, &step->commit);
        pb_json_put_text(doc, object, "answer", step->answer);
        pb_json_put_text(doc, object, "reason", step->reason);
        put_measured(doc, object, &step->pair);
    }
}

enum pb_code pb_json_add_bisection(struct pb_strbuf *buf, const struct pb_bisect_record *record,
                                   struct pb_error *err)
{
    struct pb_json_document doc;
    pb_json_begin(&doc, "bisect");
    pb_json_put_text(&doc, doc.root, "end", pb_bisect_end_name(record->end));
    pb_json_put_text(&doc, doc.root, "benchmark", record->benchmark);
    put_commit(&doc, pb_json_add_object(&doc, doc.root, "good"), &record->good);
    put_commit(&doc, pb_json_add_object(&doc, doc.root, "bad"), &record->bad);
    put_measured(&doc, pb_json_add_object(&doc, doc.root, "whole"), &record->whole);
    struct json_object *candidates = pb_json_add_array(&doc, doc.root, "candidates");
    for (size_t i = 0; i < record->n_candidates; i++) {
        put_commit(&doc, pb_json_add_object(&doc, candidates, NULL), &record->candidates[i]);
    }
    if (record->against != NULL) {
        struct json_object *step = pb_json_add_object(&doc, doc.root, "step");
        pb_json_put_text(&doc, step, "against", record->against);
        put_measured(&doc, step, &record->step);
    } else {
        pb_json_put_null(&doc, doc.root, "step");
    }
    pb_json_put_bool(&doc, doc.root, "merge", record->merge);
    put_steps(&doc, record);
    pb_json_put_number(&doc, doc.root, "wall_s", record->wall_s);
    pb_json_put(&doc, doc.root, "exit_code", json_object_new_int(record->exit_code));
    return pb_json_end(&doc, buf, err);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Short reads, early ends and failures on top of another source.
 */
#include "bytes/shaped_source.h"

static ptrdiff_t shaped_read(struct source *source, void *to, size_t size)
{
    struct shaped_source *shaped = (struct shaped_source *)source;
    const struct source_shape *shape = &shaped->shape;
    if (shape->stop != 0) {
        const size_t left = shape->stop_after - shaped->n_delivered;
        if (left == 0 && shape->stop == SOURCE_STOP_END) {
            return SOURCE_END;
        }
        if (left == 0) {
            source->error = shape->stop;
            return SOURCE_FAILED;
        }
        size = size < left ? size : left;
    }
    if (shape->n_sizes > 0) {
        const size_t most = shape->sizes[shaped->turn];
        shaped->turn = shaped->turn + 1 == shape->n_sizes ? 0 : shaped->turn + 1;
        size = size < most ? size : most;
    }
    const ptrdiff_t n = source_read(shaped->inner, to, size);
    if (n > 0) {
        shaped->n_delivered += (size_t)n;
    } else {
        source->error = shaped->inner->error;
    }
    return n;
}

void shaped_source_init(struct shaped_source *shaped, struct source *inner,
                        const struct source_shape *shape)
{
    *shaped = (struct shaped_source){
        .source = {.read = shaped_read},
        .inner = inner,
        .shape = *shape,
    };
}

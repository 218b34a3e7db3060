/* SPDX-License-Identifier: Apache-2.0
 *
 * libcurl, turned from pushing to being pulled by its multi interface.
 */
#include "client/curl_source.h"

#include <errno.h>
#include <string.h>

#define WAIT_MS 1000

static size_t take_header(char *data, size_t size, size_t n, void *context)
{
    struct curl_source *source = context;
    size_t length = size * n;
    while (length > 0 && (data[length - 1] == '\n' || data[length - 1] == '\r')) {
        --length;
    }
    if (length > 0 && http_head_line(&source->head, data, length) != 0) {
        source->head_wrong = true;
    }
    return size * n;
}

static size_t take_body(char *data, size_t size, size_t n, void *context)
{
    struct curl_source *source = context;
    source->body_begun = true;
    if (source->n_taken == memory_sink_bytes(&source->held).size) {
        memory_sink_reset(&source->held);
        source->n_taken = 0;
    }
    return sink_write(&source->held.sink, data, size * n) == 0 ? size * n : 0;
}

/* Lets libcurl work once, waiting if it has nothing to do. */
static void work(struct curl_source *source)
{
    int running = 0;
    CURLMcode code = curl_multi_perform(source->multi, &running);
    if (code == CURLM_OK && running > 0 &&
        source->n_taken == memory_sink_bytes(&source->held).size) {
        code = curl_multi_poll(source->multi, NULL, 0, WAIT_MS, NULL);
    }
    if (code != CURLM_OK) {
        source->done = true;
        source->result = CURLE_FAILED_INIT;
        return;
    }
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(source->multi, &left)) != NULL;) {
        if (message->msg == CURLMSG_DONE && message->easy_handle == source->easy) {
            source->done = true;
            source->result = message->data.result;
        }
    }
}

/*
 * How the body ended below the framing. That it is shorter than announced is for the layer above to
 * find, which knows what was announced.
 */
static ptrdiff_t raw_end(struct curl_source *source)
{
    switch (source->result) {
    case CURLE_OK:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
        return SOURCE_END;
    default:
        source->source.error = source->result == CURLE_OUT_OF_MEMORY ? ENOMEM : EIO;
        return SOURCE_FAILED;
    }
}

static ptrdiff_t curl_read(struct source *base, void *to, size_t size)
{
    struct curl_source *source = (struct curl_source *)base;
    struct pb_bytes held = memory_sink_bytes(&source->held);
    while (source->n_taken == held.size) {
        if (source->done) {
            return raw_end(source);
        }
        work(source);
        held = memory_sink_bytes(&source->held);
    }
    const size_t left = held.size - source->n_taken;
    const size_t n = size < left ? size : left;
    memcpy(to, (const char *)held.data + source->n_taken, n);
    source->n_taken += n;
    return (ptrdiff_t)n;
}

void curl_source_init(struct curl_source *source, CURLM *multi, CURL *easy)
{
    *source = (struct curl_source){
        .source = {.read = curl_read},
        .multi = multi,
        .easy = easy,
    };
    memory_sink_init(&source->held, NULL, 0);
}

void curl_source_release(struct curl_source *source)
{
    memory_sink_release(&source->held);
}

int curl_source_begin(struct curl_source *source)
{
    memory_sink_reset(&source->held);
    source->n_taken = 0;
    source->head = (struct http_head){.status = 0};
    source->head_wrong = source->body_begun = source->done = false;
    source->result = CURLE_OK;
    source->source.error = 0;
    curl_easy_setopt(source->easy, CURLOPT_HTTP_TRANSFER_DECODING, 0L);
    curl_easy_setopt(source->easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(source->easy, CURLOPT_HEADERDATA, source);
    curl_easy_setopt(source->easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(source->easy, CURLOPT_WRITEDATA, source);
    if (curl_multi_add_handle(source->multi, source->easy) != CURLM_OK) {
        source->source.error = ENOMEM;
        return SOURCE_FAILED;
    }
    while (!source->done && !source->body_begun) {
        work(source);
    }
    if (source->head_wrong) {
        return SOURCE_MALFORMED;
    }
    if (source->head.status == 0) {
        source->source.error = EIO;
        return SOURCE_FAILED;
    }
    return 0;
}

void curl_source_end(struct curl_source *source)
{
    /* Behind a body that was read to its end libcurl may have no more than a formality to do. */
    for (int i = 0; i < 3 && !source->done; ++i) {
        int running = 0;
        (void)curl_multi_perform(source->multi, &running);
        source->done = running == 0;
    }
    (void)curl_multi_remove_handle(source->multi, source->easy);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The client: encode, send, decode, and perhaps again.
 */
#include "client/thrift_client.h"

#include <stdlib.h>
#include <time.h>

#include "bytes/memory_sink.h"
#include "client/curl_source.h"
#include "thrift/thrift_encode.h"

/* What is left of a body is read to save the connection, but only so much of it. */
#define DRAIN_BYTES ((uint64_t)1 << 20)

struct thrift_client {
    struct client_options options;
    CURLM *multi;
    CURL *easy;
    struct curl_slist *headers;
    struct curl_source source;
    struct buffered_reader reader;
    struct http_body body;
    struct memory_sink request;
    struct thrift_decoder decoder;
};

static double real_now_s(void *context)
{
    struct timespec now;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void real_wait_s(void *context, double seconds)
{
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    (void)context;
    (void)nanosleep(&time, NULL);
}

static bool set_up_request(struct thrift_client *client)
{
    CURL *easy = client->easy;
    /* Without "Expect:", a large request would wait for leave to be sent. */
    client->headers = curl_slist_append(NULL, "Content-Type: application/x-thrift");
    struct curl_slist *more = curl_slist_append(client->headers, "Expect:");
    if (client->headers == NULL || more == NULL) {
        return false;
    }
    return curl_easy_setopt(easy, CURLOPT_URL, client->options.url) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_POST, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HTTPHEADER, client->headers) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_USERAGENT, "pairbench") == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK;
}

struct thrift_client *thrift_client_new(const struct client_options *options)
{
    struct thrift_client *client = calloc(1, sizeof *client);
    if (client == NULL) {
        return NULL;
    }
    client->options = *options;
    if (client->options.clock.now_s == NULL) {
        client->options.clock = (struct client_clock){real_now_s, real_wait_s, NULL};
    }
    thrift_decoder_init(&client->decoder);
    memory_sink_init(&client->request, NULL, 0);
    client->multi = curl_multi_init();
    client->easy = curl_easy_init();
    curl_source_init(&client->source, client->multi, client->easy);
    if (client->multi == NULL || client->easy == NULL || !set_up_request(client)) {
        thrift_client_free(client);
        return NULL;
    }
    return client;
}

void thrift_client_free(struct thrift_client *client)
{
    if (client == NULL) {
        return;
    }
    thrift_decoder_release(&client->decoder);
    memory_sink_release(&client->request);
    curl_source_release(&client->source);
    curl_easy_cleanup(client->easy);
    curl_multi_cleanup(client->multi);
    curl_slist_free_all(client->headers);
    free(client);
}

/* Decodes the response's body while it comes. */
static enum thrift_code decode_body(struct thrift_client *client, const struct tcli_method *method,
                                    struct client_outcome *outcome)
{
    const struct http_head *head = &client->source.head;
    buffered_reader_init(&client->reader, &client->source.source);
    http_body_init(&client->body, &client->reader, head->framing, head->length_bytes);
    const enum thrift_code code =
        thrift_decode_message(&client->decoder, client->options.transport, &client->body.source,
                              method->result, &outcome->reply);
    outcome->path = client->decoder.path;
    outcome->reusable = http_body_drain(&client->body, DRAIN_BYTES);
    return code;
}

/* One attempt. */
static enum thrift_code attempt(struct thrift_client *client, const struct tcli_method *method,
                                struct client_outcome *outcome)
{
    const struct pb_bytes request = memory_sink_bytes(&client->request);
    curl_easy_setopt(client->easy, CURLOPT_POSTFIELDS, request.data);
    curl_easy_setopt(client->easy, CURLOPT_POSTFIELDSIZE, (long)request.size);
    outcome->reusable = false;
    outcome->path = THRIFT_PATH_NONE;
    const int end = curl_source_begin(&client->source);
    outcome->status = client->source.head.status;
    enum thrift_code code = THRIFT_SOURCE_FAILED;
    if (end == 0) {
        code = decode_body(client, method, outcome);
    } else if (end == SOURCE_MALFORMED) {
        code = THRIFT_BAD_BODY;
    }
    curl_source_end(&client->source);
    return code;
}

/* Waits for the next attempt; false when there is to be none. */
static bool wait_for_next(struct thrift_client *client, double begun_s,
                          struct client_outcome *outcome)
{
    const struct client_options *options = &client->options;
    const struct http_head *head = &client->source.head;
    if (!retry_wanted(outcome->status) || outcome->attempts >= options->policy.attempts) {
        return false;
    }
    const double delay_s =
        retry_delay_s(&options->policy, outcome->attempts,
                      retry_after_s(head->retry_after ? head->retry_after_text : NULL));
    const double now_s = options->clock.now_s(options->clock.context);
    if (now_s + delay_s - begun_s > options->policy.in_all_s) {
        return false;
    }
    options->clock.wait_s(options->clock.context, delay_s);
    outcome->waited_s += delay_s;
    return true;
}

enum thrift_code thrift_client_call(struct thrift_client *client, const struct tcli_method *method,
                                    const void *args, struct client_outcome *outcome)
{
    const struct thrift_message message = {.name = {method->name, __builtin_strlen(method->name)},
                                           .type = THRIFT_CALL};
    const double begun_s = client->options.clock.now_s(client->options.clock.context);
    *outcome = (struct client_outcome){.code = THRIFT_OK};
    memory_sink_reset(&client->request);
    outcome->code = thrift_encode_new(&client->request.sink, &message, method->args, args);
    if (outcome->code != THRIFT_OK) {
        return outcome->code;
    }
    do {
        ++outcome->attempts;
        outcome->code = attempt(client, method, outcome);
    } while (outcome->code != THRIFT_OK && wait_for_next(client, begun_s, outcome));
    return outcome->code;
}

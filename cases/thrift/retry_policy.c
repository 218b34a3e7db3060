/* SPDX-License-Identifier: Apache-2.0
 *
 * The delays.
 */
#include "thrift/retry_policy.h"

#include <stddef.h>
#include <string.h>

#define BACKOFF_FACTOR 1.5

/* What a server that doesn't say is taken to ask for. */
#define DEFAULT_AFTER_S 1.0

/* A billion seconds are thirty years: a number with more digits is a mistake. */
#define MOST_DIGITS 9

void retry_policy_init(struct retry_policy *policy)
{
    *policy = (struct retry_policy){.least_s = 1, .most_s = 60, .in_all_s = 900, .attempts = 30};
}

bool retry_wanted(int status)
{
    return status == 429 || status == 503;
}

double retry_after_s(const char *text)
{
    if (text == NULL) {
        return DEFAULT_AFTER_S;
    }
    const size_t size = strlen(text);
    double sum = 0;
    for (size_t i = 0; i < size; ++i) {
        if (text[i] < '0' || text[i] > '9') {
            return DEFAULT_AFTER_S;
        }
        sum = 10 * sum + (text[i] - '0');
    }
    return size > 0 && size <= MOST_DIGITS ? sum : DEFAULT_AFTER_S;
}

double retry_delay_s(const struct retry_policy *policy, unsigned attempt, double after_s)
{
    double delay = policy->least_s;
    for (unsigned i = 1; i < attempt && delay < policy->most_s; ++i) {
        delay *= BACKOFF_FACTOR;
    }
    delay = after_s > delay ? after_s : delay;
    return delay < policy->most_s ? delay : policy->most_s;
}

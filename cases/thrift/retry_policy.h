/* SPDX-License-Identifier: Apache-2.0
 *
 * thrift/retry: when to ask a server again, and after how long.
 *
 * A reply that can't be decoded asks the status: 429 and 503 say that the server is busy, anything
 * else is the failure that it is. So the body must never be read whole before it is decoded: that
 * of a busy server may be cut, and its status would be lost behind the cut.
 *
 * source: databricks-sql-python, the retries of its Thrift backend
 */
#ifndef CASES_THRIFT_RETRY_POLICY_H
#define CASES_THRIFT_RETRY_POLICY_H

#include <stdbool.h>

struct retry_policy {
    double least_s;    /* the first delay; each further one is 1.5 times as long                */
    double most_s;     /* of one delay, whatever the server asks for                            */
    double in_all_s;   /* from the first attempt on; a delay beyond it is not begun             */
    unsigned attempts; /* in all                                                                */
};

/* As the driver has it: 1 s, 60 s, 900 s, 30 attempts. */
void retry_policy_init(struct retry_policy *policy);

/* Whether a status says that asking again may help. */
bool retry_wanted(int status);

/*
 * What a Retry-After header asks for.
 * text:    its value; NULL: there is none
 * returns: seconds; 1 when there is no header, and for a date, a negative or absurd number and what
 *          is no number
 */
double retry_after_s(const char *text);

/*
 * How long to wait after an attempt.
 * attempt: that failed, from 1
 * after_s: what the server asked for
 */
double retry_delay_s(const struct retry_policy *policy, unsigned attempt, double after_s);

#endif

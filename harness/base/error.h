/* SPDX-License-Identifier: Apache-2.0
 *
 * Result codes and the error that comes with them.
 *
 * Every fallible function of the harness returns an enum pb_code and takes a trailing
 * struct pb_error, which it fills only on failure. Library code never prints: the message travels
 * up to main, which prints it once. Messages say what happened, to which thing, and what to do.
 */
#ifndef PB_BASE_ERROR_H
#define PB_BASE_ERROR_H

#define PB_MUST_USE           __attribute__((warn_unused_result))
#define PB_PRINTF(text, args) __attribute__((format(printf, text, args)))

enum pb_code {
    PB_OK = 0,
    PB_ERR_USAGE,        /* the caller asked for something that makes no sense            */
    PB_ERR_IO,           /* the operating system refused                                  */
    PB_ERR_NOMEM,        /* out of memory                                                 */
    PB_ERR_LIMIT,        /* beyond a documented limit                                     */
    PB_ERR_FORMAT,       /* a file or a document is not what it should be                 */
    PB_ERR_NOT_FOUND,    /* no such run, benchmark, file …                                */
    PB_ERR_STORE,        /* the database refused                                          */
    PB_ERR_SUITE,        /* a suite can't be loaded or is malformed                       */
    PB_ERR_CHILD,        /* a child process could not be started, failed or ran too long  */
    PB_ERR_INCOMPATIBLE, /* a baseline that can't be compared with this run               */
    PB_ERR_INTERRUPTED,  /* the user pressed Ctrl-C                                       */
};

enum { PB_ERROR_MESSAGE_BYTES = 1024 };

struct pb_error {
    enum pb_code code;
    char message[PB_ERROR_MESSAGE_BYTES]; /* one line or a few, no newline at the end, UTF-8 or as
                                             given */
};

/*
 * Fills *err; what does not fit is cut, with "…" at the end.
 * err:     may be NULL
 * returns: code, so that `return pb_error_set(err, PB_ERR_IO, "…");` works
 */
enum pb_code pb_error_set(struct pb_error *err, enum pb_code code, const char *format, ...)
    PB_PRINTF(3, 4);

/* Puts "prefix: " in front of the message of a failure that is passed on. returns: err->code */
enum pb_code pb_error_prefix(struct pb_error *err, const char *format, ...) PB_PRINTF(2, 3);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that are hard to show, to store or to make a file of.
 */
#ifndef PB_TESTS_ODD_NAMES_H
#define PB_TESTS_ODD_NAMES_H

#define TEN_TIMES(text)     text text text text text text text text text text
#define HUNDRED_TIMES(text) TEN_TIMES(TEN_TIMES(text))

/* Applies X to each; the two of a hundred x are equal in their first 100 characters. */
#define ODD_NAMES(X)                                                                               \
    X("a \"quoted\" 'name'")                                                                       \
    X("pipe | name")                                                                               \
    X("100% %s %n")                                                                                \
    X("two\nlines")                                                                                \
    X("back\\slash \\n")                                                                           \
    X("<script>alert(1)<b>&amp;")                                                                  \
    X("$(touch pwned) ${HOME}")                                                                    \
    X("`touch pwned`")                                                                             \
    X(HUNDRED_TIMES("abc"))                                                                        \
    X("ünïcödé 😀")                                                                                 \
    X("esc \x1b[31mred\x1b[0m \a\x7f\r\tend")                                                      \
    X("\xff\xc3 is not utf-8")                                                                     \
    X(HUNDRED_TIMES("x") "1")                                                                      \
    X(HUNDRED_TIMES("x") "2")                                                                      \
    X("* [glob] ?")                                                                                \
    X("-o")                                                                                        \
    X(".")                                                                                         \
    X("#hash, comma; = 'sql'--")

#endif

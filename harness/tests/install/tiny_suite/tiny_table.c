/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of cases, written by hand: what pairbench_add_suite() makes by itself under CMake.
 */
#include <pairbench.h>

extern const struct pb_case count_bits_case;

const struct pb_suite *pairbench_suite(void)
{
    static const struct pb_case *const cases[] = {&count_bits_case};
    static const struct pb_suite suite = {
        .abi = PAIRBENCH_ABI,
        .optimized = PAIRBENCH_OPTIMIZED,
        .name = "tiny",
        .compiler = PAIRBENCH_COMPILER,
        .flags = "",
        .build_type = "",
        .cases = cases,
        .n_cases = sizeof cases / sizeof cases[0],
    };
    return &suite;
}

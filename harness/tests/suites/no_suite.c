/* SPDX-License-Identifier: Apache-2.0
 *
 * A shared object that is no suite.
 */
int pb_test_no_suite(void);

int pb_test_no_suite(void)
{
    return 0;
}

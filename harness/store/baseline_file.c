/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the text of a baseline meets the file system.
 */
#include "store/baseline_file.h"

#include "store/baseline_format.h"
#include "store/baseline_parse.h"
#include "base/whole_file.h"

enum pb_code pb_baseline_read(const char *path, struct pb_arena *arena,
                              struct pb_baseline *baseline, struct pb_error *err)
{
    struct pb_strbuf text = {0};
    enum pb_code code = pb_whole_file_read(path, PB_BASELINE_BYTES_MAX, &text, err);
    if (code == PB_OK) {
        code = pb_baseline_parse(path, text.text, text.length, arena, baseline, err);
    }
    pb_strbuf_release(&text);
    return code;
}

enum pb_code pb_baseline_write_counts(const char *path, const struct pb_baseline *baseline,
                                      struct pb_error *err)
{
    struct pb_strbuf text = {0};
    enum pb_code code = pb_baseline_format_counts(baseline, &text, err);
    if (code == PB_OK) {
        code = pb_whole_file_replace(path, text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

enum pb_code pb_baseline_write_ratios(const char *path, const struct pb_baseline *baseline,
                                      struct pb_error *err)
{
    struct pb_strbuf text = {0};
    enum pb_code code = pb_baseline_format_ratios(baseline, &text, err);
    if (code == PB_OK) {
        code = pb_whole_file_replace(path, text.text, text.length, err);
    }
    pb_strbuf_release(&text);
    return code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Each level is simply tried: asking first what exists would race with others.
 */
#include "output/folder.h"

#include "base/strbuf.h"

#include <sys/stat.h>

#include <errno.h>
#include <string.h>

enum pb_code pb_folder_make(const char *path, struct pb_error *err)
{
    if (path[0] == '\0') {
        return pb_error_set(err, PB_ERR_USAGE, "the name of a folder is empty");
    }
    enum pb_code code = PB_OK;
    struct pb_strbuf made;
    pb_strbuf_init(&made);
    for (const char *s = path; *s != '\0' && code == PB_OK;) {
        const size_t n = strspn(s, "/") + strcspn(s + strspn(s, "/"), "/");
        pb_strbuf_add(&made, s, n);
        s += n;
        if (mkdir(made.text, 0777) == 0) {
            continue;
        }
        const int why = errno;
        struct stat there;
        if (stat(made.text, &there) != 0) {
            code = pb_error_set(err, PB_ERR_IO, "can't make the folder %s: %s", made.text,
                                strerror(why));
        } else if (!S_ISDIR(there.st_mode)) {
            code = pb_error_set(err, PB_ERR_IO, "%s is not a folder", made.text);
        }
    }
    pb_strbuf_release(&made);
    return code;
}

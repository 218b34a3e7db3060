/* SPDX-License-Identifier: Apache-2.0
 *
 * The estimate takes the pace so far for the pace to come: steps are launches in waves over all
 * scenarios, so the first ones are like the last ones.
 */
#include "output/progress.h"

#include "base/strbuf.h"
#include "base/text.h"
#include "output/quantity.h"

#include <stdint.h>
#include <sys/ioctl.h>

/* Nothing that is over sooner needs a line that comes and goes. */
#define QUIET_S 1.0
/* Faster than this nobody reads, and drawing costs time that the measurement wants. */
#define REDRAW_S 0.1

enum { COLUMNS_DEFAULT = 80, COLUMNS_MIN = 20 };

static size_t terminal_columns(FILE *out)
{
    struct winsize size = {0};
    const bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= COLUMNS_MIN;
    return known ? size.ws_col : COLUMNS_DEFAULT;
}

void pb_progress_init(struct pb_progress *progress, FILE *out, bool enabled, size_t columns)
{
    *progress = (struct pb_progress){.out = out, .enabled = enabled, .columns = columns};
    if (enabled && columns == 0) {
        progress->columns = terminal_columns(out);
    }
}

/* Bytes of text that take at most n columns. */
static size_t bytes_of_columns(const char *text, size_t n)
{
    size_t columns = 0;
    size_t i = 0;
    for (; text[i] != '\0'; i++) {
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
        if (columns > n) {
            break;
        }
    }
    return i;
}

static void draw(struct pb_progress *progress, size_t done, size_t total, const char *what,
                 double now_s)
{
    struct pb_strbuf line;
    pb_strbuf_init(&line);
    pb_strbuf_addf(&line, "%3zu %%  %zu of %zu", total > 0 ? done * 100 / total : 0, done, total);
    if (done > 0 && done < total) {
        const double passed_s = now_s - progress->started_s;
        pb_strbuf_adds(&line, ", ");
        pb_quantity_add_duration(&line, passed_s / (double)done * (double)(total - done));
        pb_strbuf_adds(&line, " left");
    }
    if (what != NULL) {
        pb_strbuf_adds(&line, "  ");
        pb_text_add_escaped(&line, what);
    }
    /* The last column stays empty: some terminals wrap as soon as it is written. */
    const size_t shown = bytes_of_columns(line.text, progress->columns - 1);
    fprintf(progress->out, "\r%.*s\033[K", (int)shown, line.text);
    fflush(progress->out);
    pb_strbuf_release(&line);
    progress->drawn = true;
    progress->drawn_s = now_s;
}

void pb_progress_update(struct pb_progress *progress, size_t done, size_t total, const char *what,
                        double now_s)
{
    if (!progress->enabled) {
        return;
    }
    if (!progress->started) {
        progress->started = true;
        progress->started_s = now_s;
    }
    const bool due = now_s - progress->started_s >= QUIET_S;
    const bool fresh = progress->drawn && now_s - progress->drawn_s < REDRAW_S;
    if (due && !fresh) {
        draw(progress, done < total ? done : total, total, what, now_s);
    }
}

void pb_progress_clear(struct pb_progress *progress)
{
    if (progress->drawn) {
        fputs("\r\033[K", progress->out);
        fflush(progress->out);
        progress->drawn = false;
    }
}

void pb_progress_finish(struct pb_progress *progress)
{
    if (progress != NULL) {
        pb_progress_clear(progress);
        progress->enabled = false;
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * gnuplot may exit with 0 although a picture is not complete, on a full disk for instance. So each
 * is looked at: it must end the way its format ends.
 */
#include "output/gnuplot.h"

#include "base/child.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Drawing takes well under a second; a minute is for a machine that does much else. */
#define DEADLINE_S 60.0

enum { PROGRAM_ARGUMENTS = 6, ARGUMENTS_MAX = 16, TAIL_BYTES = 16, COMPLAINT_BYTES_MAX = 200 };

extern const unsigned char pb_reports_look_gp[];
extern const unsigned char pb_reports_speedup_gp[];
extern const unsigned char pb_reports_time_gp[];
extern const unsigned char pb_reports_history_gp[];

const char *pb_gnuplot_ending(int look)
{
    static const char *const endings[PB_LOOKS_DRAWN] = {
        [PB_LOOK_LIGHT] = ".svg",
        [PB_LOOK_DARK] = "-dark.svg",
        [PB_LOOK_LIGHT_NARROW] = "-narrow.svg",
        [PB_LOOK_DARK_NARROW] = "-dark-narrow.svg",
        [PB_LOOK_PNG] = ".png",
    };
    return endings[look];
}

static bool is_wanted(const struct pb_gnuplot_job *job, int look)
{
    return (job->formats & (look == PB_LOOK_PNG ? PB_CHART_PNG : PB_CHART_SVG)) != 0;
}

static const char *picture_path(const struct pb_gnuplot_job *job, struct pb_arena *arena, int look)
{
    return pb_arena_printf(arena, "%s/%s%s", job->directory, job->stem, pb_gnuplot_ending(look));
}

void pb_gnuplot_clear(const struct pb_gnuplot_job *job, struct pb_arena *arena)
{
    for (int look = 0; look < PB_LOOKS_DRAWN; look++) {
        unlink(picture_path(job, arena, look));
    }
}

/* Whether the file ends like a complete picture of its format. */
static bool is_whole(const char *path, bool png)
{
    static const char svg_end[] = "</svg>";
    static const char png_end[] = "IEND\xAE\x42\x60\x82";
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    char tail[TAIL_BYTES + 1] = {0};
    const bool placed = fseek(file, -TAIL_BYTES, SEEK_END) == 0;
    const size_t n = placed ? fread(tail, 1, TAIL_BYTES, file) : 0;
    fclose(file);
    const char *end = png ? png_end : svg_end;
    return n > 0 && memmem(tail, n, end, strlen(end)) != NULL;
}

/* The first thing that gnuplot complained about, in one line. */
static const char *first_complaint(const char *errors, struct pb_arena *arena)
{
    while (*errors == '\n' || *errors == ' ' || *errors == '^') {
        errors++;
    }
    size_t n = strcspn(errors, "\n");
    n = n < COMPLAINT_BYTES_MAX ? n : COMPLAINT_BYTES_MAX;
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    pb_text_add_escaped(&text, pb_arena_memdup(arena, errors, n));
    const char *complaint = pb_arena_strdup(arena, text.text);
    pb_strbuf_release(&text);
    return complaint;
}

static const char *script_of(enum pb_chart_kind kind)
{
    const unsigned char *const scripts[] = {
        [PB_CHART_SPEEDUP] = pb_reports_speedup_gp,
        [PB_CHART_TIME] = pb_reports_time_gp,
        [PB_CHART_HISTORY] = pb_reports_history_gp,
    };
    return (const char *)scripts[kind];
}

/* Runs the program. returns: what went wrong, NULL when nothing did */
static const char *run(const struct pb_gnuplot_job *job, const char *looks, struct pb_arena *arena,
                       bool *absent)
{
    /* -d: whatever the user's own start-up file sets is not for these charts. */
    const char *argv[PROGRAM_ARGUMENTS + ARGUMENTS_MAX + 1] = {
        job->program != NULL ? job->program : "gnuplot", "-d", "-c", "/dev/stdin", job->stem, looks,
    };
    for (size_t i = 0; i < job->n_arguments && i < ARGUMENTS_MAX; i++) {
        argv[PROGRAM_ARGUMENTS + i] = job->arguments[i];
    }
    struct pb_strbuf errors;
    pb_strbuf_init(&errors);
    const struct pb_child_spec spec = {
        .argv = argv,
        .directory = job->directory,
        .input =
            pb_arena_printf(arena, "%s%s", (const char *)pb_reports_look_gp, script_of(job->kind)),
        .deadline_s = DEADLINE_S,
        .errors = &errors,
    };
    struct pb_child_outcome outcome;
    struct pb_error err;
    const char *problem = NULL;
    const enum pb_code code = pb_child_run(&spec, &outcome, &err);
    *absent = code == PB_ERR_NOT_FOUND;
    if (*absent) {
        problem = "gnuplot is not installed";
    } else if (code != PB_OK) {
        problem = pb_arena_strdup(arena, err.message);
    } else if (outcome.timed_out) {
        problem = "gnuplot took too long";
    } else if (outcome.signal != 0) {
        problem = pb_arena_printf(arena, "gnuplot died of signal %d", outcome.signal);
    } else if (outcome.exit_code != 0) {
        problem = pb_arena_printf(arena, "gnuplot failed: %s", first_complaint(errors.text, arena));
    }
    pb_strbuf_release(&errors);
    return problem;
}

struct pb_gnuplot_outcome pb_gnuplot_draw(const struct pb_gnuplot_job *job, struct pb_arena *arena)
{
    struct pb_strbuf looks;
    pb_strbuf_init(&looks);
    for (int look = 0; look < PB_LOOKS_DRAWN; look++) {
        if (is_wanted(job, look)) {
            pb_strbuf_addf(&looks, "%s%d", looks.length > 0 ? " " : "", look);
        }
    }
    pb_gnuplot_clear(job, arena);
    struct pb_gnuplot_outcome outcome = {0};
    outcome.problem = run(job, looks.text, arena, &outcome.absent);
    for (int look = 0; look < PB_LOOKS_DRAWN && outcome.problem == NULL; look++) {
        if (is_wanted(job, look) &&
            !is_whole(picture_path(job, arena, look), look == PB_LOOK_PNG)) {
            outcome.problem = pb_arena_printf(arena, "gnuplot left no complete %s%s", job->stem,
                                              pb_gnuplot_ending(look));
        }
    }
    if (outcome.problem != NULL) {
        pb_gnuplot_clear(job, arena);
    }
    pb_strbuf_release(&looks);
    return outcome;
}

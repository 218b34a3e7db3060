/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes reports of the invented runs, to be looked at: report_demo DIRECTORY [NIGHTS]. Not a test.
 */
#include "output/check_text.h"
#include "output/page.h"
#include "output/run_text.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

static int write_report(struct sample *sample, const char *directory, size_t n_runs)
{
    const struct pb_page_spec spec = {
        .run = &sample->run,
        .check = &sample->check,
        .trend = sample->trend,
        .n_trend = sample->n_trend,
        .n_runs = n_runs,
        .directory = directory,
        .png = true,
    };
    struct pb_error err;
    const char *warning = NULL;
    if (pb_page_write(&spec, &sample->arena, &warning, &err) != PB_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    if (warning != NULL) {
        fprintf(stderr, "%s\n", warning);
    }
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    const struct pb_style style = {.color = true};
    pb_run_text_add(&text, &sample->run, &style);
    pb_check_text_add(&text, &sample->check, &style);
    fputs(text.text, stdout);
    pb_strbuf_release(&text);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s DIRECTORY [NIGHTS]\n", argv[0]);
        return 2;
    }
    const size_t n_runs = argc > 2 ? strtoul(argv[2], NULL, 10) : 30;
    struct sample sample;
    sample_make(&sample, n_runs);
    int status = write_report(&sample, pb_arena_printf(&sample.arena, "%s/usual", argv[1]), n_runs);
    sample_release(&sample);
    sample_make_hostile(&sample);
    status |= write_report(&sample, pb_arena_printf(&sample.arena, "%s/hostile", argv[1]), 3);
    sample_release(&sample);
    return status;
}

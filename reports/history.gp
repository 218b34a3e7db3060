# SPDX-License-Identifier: Apache-2.0
#
# How many times as fast as old, run by run: a small panel for every scenario with a scale of its
# own, the estimates joined by a line, their intervals as whiskers or, of many runs, as a band.
# Runs are evenly spaced.
#
# ARG3 panels, ARG4 runs. Columns of the data, panels separated by two empty lines: case, scenario,
# a, b, run, run_id, started_at, commit, machine, speedup_ratio, lo_ratio, hi_ratio, injected, text,
# low_ratio, high_ratio. A single empty line is where the machine changes: nothing joins the two.

PANELS = int(ARG3)
RUNS = int(ARG4)
WHISKERS_RUNS = 16

stats DATA skip 1 using (title_text = strcol(1), 1) nooutput
stats DATA skip 1 using (a_text = strcol(3), b_text = strcol(4), 1) nooutput
first_run = ""
last_run = ""
stats DATA skip 1 using ($5 == 1 ? (first_run = strcol(7), 1) : NaN) nooutput
stats DATA skip 1 using ($5 == RUNS ? (last_run = strcol(7), 1) : NaN) nooutput
# The day, or where all runs are of one day the time.
same_day = first_run[1:10] eq last_run[1:10] && RUNS > 1
when(run) = same_day ? run[6:10] . " " . run[12:16] : run[1:10]
whole_title = title_text . ": " . b_text . " against " . a_text

real_run(unused) = column(13) == 0 ? column(5) : 1/0
injected_run(unused) = column(13) == 0 ? 1/0 : column(5)

do for [n = 1:words(ARG2)] {
    look = int(word(ARG2, n))
    columns = is_narrow(look) ? 1 : PANELS < 3 ? PANELS : 3
    panel_px = 152
    top_px = 44
    bottom_px = 10
    width = width_px(look)
    height = top_px + ((PANELS + columns - 1) / columns) * panel_px + bottom_px
    cell_px = (width - 16.0) / columns

    if (is_png(look)) {
        set terminal pngcairo size width, height noenhanced font PNG_FONT \
            background rgb ground(look)
    } else {
        set terminal svg size width, height noenhanced font SVG_FONT \
            background rgb ground(look)
    }
    set output STEM . word(ENDINGS, look + 1)
    set border 0
    set grid y lt 1 lw 1 lc rgb rule(look)
    set errorbars cap_size(look) * 0.6
    unset key
    unset xtics
    set xrange [0.5:RUNS + 0.5]
    set multiplot
    unset label
    set label 1 short(whole_title, title_chars(look)) at screen 16.0 / width, \
        screen 1 - 20.0 / height left noenhanced textcolor rgb ink(look) font title_font(look)
    do for [p = 1:PANELS] {
        left_px = 8 + ((p - 1) % columns) * cell_px
        up_px = top_px + ((p - 1) / columns) * panel_px
        right_px = left_px + cell_px - 14
        stats DATA index p - 1 skip (p == 1) using (panel_label = strcol(2), low = $15, 1) nooutput
        stats DATA index p - 1 skip (p == 1) using (panel_text = strcol(14), high = $16, 1) nooutput
        set lmargin at screen (left_px + 62) / width
        set rmargin at screen right_px / width
        set tmargin at screen 1 - (up_px + 36.0) / height
        set bmargin at screen 1 - (up_px + panel_px - 36.0) / height
        set yrange [low:high]
        set ytics round_step((high - low) / 3) scale 0 format "%g×" textcolor rgb faint(look)
        set label 2 short(panel_label, LABEL_CHARS) at screen (left_px + 8) / width, \
            screen 1 - (up_px + 16.0) / height left noenhanced textcolor rgb ink(look)
        set label 3 panel_text at screen right_px / width, screen 1 - (up_px + 16.0) / height \
            right noenhanced textcolor rgb ink(look)
        set label 4 when(first_run) at screen (left_px + 62) / width, \
            screen 1 - (up_px + panel_px - 22.0) / height left noenhanced \
            textcolor rgb faint(look) font small_font(look)
        set label 5 (RUNS > 1 ? when(last_run) : "") at screen right_px / width, \
            screen 1 - (up_px + panel_px - 22.0) / height right noenhanced \
            textcolor rgb faint(look) font small_font(look)
        unset arrow
        if (low < 1 && high > 1) {
            set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lw 1.5 \
                lc rgb faint(look) back
        }
        few = RUNS <= WHISKERS_RUNS
        plot DATA index p - 1 skip (p == 1) using (few ? 1/0 : real_run(0)):11:12 \
                 with filledcurves lc rgb band(look), \
             DATA index p - 1 skip (p == 1) using (few ? real_run(0) : 1/0):10:11:12 \
                 with yerrorbars pt 0 ps 0 lw 1.5 lc rgb color_of(1, look), \
             DATA index p - 1 skip (p == 1) using (real_run(0)):10 \
                 with lines lw 1.5 lc rgb color_of(1, look), \
             DATA index p - 1 skip (p == 1) using (real_run(0)):10 \
                 with points pt 7 ps (few ? 1.0 : 0.6) * point_size(look) \
                 lc rgb color_of(1, look), \
             DATA index p - 1 skip (p == 1) using (injected_run(0)):10:11:12 \
                 with yerrorbars pt 4 ps point_size(look) lw 1.5 lc rgb bad(look)
        unset label 1
    }
    unset multiplot
    set output
}

# SPDX-License-Identifier: Apache-2.0
#
# How many times as fast as old, a row for every scenario, with the interval of each estimate.
#
# ARG3 rows, ARG4 series, ARG5 the style of every series as one digit, ARG6 and ARG7 ends of the
# axis, ARG8 1 for a logarithmic axis. Columns of the data: case, scenario, variant, row, series,
# speedup_ratio, lo_ratio, hi_ratio, verdict, text, interval, tone.

ROWS = int(ARG3)
SERIES = int(ARG4)
LO = real(ARG6)
HI = real(ARG7)

stats DATA skip 1 using (title_text = strcol(1), 1) nooutput
array NAMES[SERIES]
do for [i = 1:SERIES] {
    stats DATA skip 1 using ($5 == i - 1 ? (NAMES[i] = strcol(3), 1) : NaN) nooutput
    NAMES[i] = short(NAMES[i], NAME_CHARS)
}
style_of(i) = int(ARG5[i:i])
tone(unused) = tone_color(column(12), look)
row_label(unused) = short(strcol(2), LABEL_CHARS)
is_series(i) = column(5) == i - 1
is_word(unused) = is_series(1) && strlen(strcol(11)) == 0
is_number(unused) = is_series(1) && strlen(strcol(11)) > 0
is_slower(i) = is_series(i) && strcol(9) eq "regressed"

do for [n = 1:words(ARG2)] {
    look = int(word(ARG2, n))
    narrow = is_narrow(look)
    # Where there is no room at the left, the label of a row stands above it.
    row_px = narrow ? 26 + 12 * SERIES : 20 + 6 * SERIES
    label_dy = narrow ? 0.5 - 13.0 / row_px : 0
    shift(i) = narrow ? 0.5 - (12.0 * (SERIES - i) + 11) / row_px \
                      : (i - (SERIES + 1) / 2.0) * 8.0 / row_px
    left_px = narrow ? 16 : 250
    right_px = narrow ? 16 : 184
    width = width_px(look)
    array AT_X[SERIES]
    array AT_Y[SERIES]
    at_x = 20
    at_y = 0
    do for [i = 1:SERIES] {
        step = 8 * strlen(NAMES[i]) + 36
        if (at_x > 20 && at_x + step > width) {
            at_x = 20
            at_y = at_y + 1
        }
        AT_X[i] = at_x
        AT_Y[i] = at_y
        at_x = at_x + step
    }
    top_px = 60 + 20 * (at_y + 1)
    bottom_px = 62
    height = top_px + ROWS * row_px + bottom_px

    if (is_png(look)) {
        set terminal pngcairo size width, height noenhanced font PNG_FONT \
            background rgb ground(look)
    } else {
        set terminal svg size width, height noenhanced font SVG_FONT \
            background rgb ground(look)
    }
    set output STEM . word(ENDINGS, look + 1)
    set lmargin at screen real(left_px) / width
    set rmargin at screen 1 - real(right_px) / width
    set tmargin at screen 1 - real(top_px) / height
    set bmargin at screen real(bottom_px) / height
    set border 0
    set grid x lt 1 lw 1 lc rgb rule(look)
    set yrange [ROWS - 0.5:-0.5]
    unset ytics
    set xrange [LO:HI]
    set xtics round_step((HI - LO) / (narrow ? 4 : 8)) scale 0 format "%g×" \
        textcolor rgb faint(look)
    if (int(ARG8)) {
        set logscale x
        set xtics (1)
        decades = log10(HI / LO) * (narrow ? 2 : 1)
        steps = decades > 3.2 ? "1" : decades > 1.4 ? "1 2 5" : "1 1.5 2 3 5 7"
        do for [e = -6:6] {
            do for [m in steps] {
                set xtics add (real(m) * 10.0**e)
            }
        }
    }
    set xlabel "times as fast as old" textcolor rgb faint(look)
    whole_title = title_text . ": speed-up over old"
    set label 1 short(whole_title, title_chars(look)) at screen 16.0 / width, \
        screen 1 - 20.0 / height left noenhanced textcolor rgb ink(look) font title_font(look)
    do for [r = 1:ROWS - 1] {
        set arrow 1 + r from graph 0, first r - 0.5 to graph 1, first r - 0.5 nohead lw 1 \
            lc rgb rule(look) back
    }
    set arrow 1 from 1, graph 0 to 1, graph 1 nohead lw 1.5 lc rgb faint(look) back
    unset key
    do for [i = 1:SERIES] {
        set label 1 + i NAMES[i] at screen real(AT_X[i]) / width, \
            screen 1 - (46.0 + 20 * AT_Y[i]) / height left offset 0.6, -0.3 noenhanced \
            textcolor rgb ink(look) point pt shape_of(style_of(i)) ps point_size(look) \
            lc rgb color_of(style_of(i), look)
    }
    set errorbars cap_size(look)

    # A label that has no place here is empty: gnuplot dies of labels of which none has a position.
    plot DATA skip 1 using (LO):4:(is_series(1) && !narrow ? row_label(0) : "") \
             with labels right offset -1, 0 textcolor rgb ink(look) notitle, \
         DATA skip 1 using (LO):($4 - label_dy):(is_series(1) && narrow ? row_label(0) : "") \
             with labels left textcolor rgb ink(look) notitle, \
         DATA skip 1 using (HI):($4 - label_dy):(is_series(1) && narrow ? strcol(10) : ""):(tone(0)) \
             with labels right textcolor rgb variable notitle, \
         DATA skip 1 using (HI):4:(is_word(0) && !narrow ? strcol(10) : ""):(tone(0)) \
             with labels left offset 3, 0 textcolor rgb variable notitle, \
         DATA skip 1 using (HI):4:(is_number(0) && !narrow ? strcol(10) : ""):(tone(0)) \
             with labels right offset 8, 0 textcolor rgb variable notitle, \
         DATA skip 1 using (HI):4:(is_number(0) && !narrow ? strcol(11) : "") \
             with labels left offset 9, 0 textcolor rgb faint(look) notitle, \
         for [i = 1:SERIES] DATA skip 1 using (is_series(i) ? $6 : 1/0):($4 + shift(i)):7:8 \
             with xerrorbars pt 0 ps 0 lw 1.5 lc rgb color_of(style_of(i), look) notitle, \
         for [i = 1:SERIES] DATA skip 1 using (is_series(i) ? $6 : 1/0):($4 + shift(i)) \
             with points pt shape_of(style_of(i)) ps point_size(look) \
             lc rgb color_of(style_of(i), look) notitle, \
         for [i = 1:SERIES] DATA skip 1 using (is_slower(i) ? $6 : 1/0):($4 + shift(i)):7:8 \
             with xerrorbars pt 5 ps point_size(look) lw 1.5 lc rgb bad(look) notitle
    set output
}

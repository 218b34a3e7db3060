# SPDX-License-Identifier: Apache-2.0
#
# Time per operation of every variant, a row for every scenario, on a logarithmic axis: the best of
# all slices as a point, with a line up to the median over launches.
#
# ARG3 rows, ARG4 series, ARG5 the style of every series as one digit, ARG6 and ARG7 ends of the
# axis in ns. Columns of the data: case, scenario, variant, row, series, best_ns, median_ns, state,
# text, tone.

ROWS = int(ARG3)
SERIES = int(ARG4)
LO = real(ARG6)
HI = real(ARG7)
DECADES = log10(HI / LO)

stats DATA skip 1 using (title_text = strcol(1), 1) nooutput
array NAMES[SERIES]
do for [i = 1:SERIES] {
    stats DATA skip 1 using ($5 == i - 1 ? (NAMES[i] = strcol(3), 1) : NaN) nooutput
    NAMES[i] = short(NAMES[i], NAME_CHARS)
}
style_of(i) = int(ARG5[i:i])
tone(unused) = tone_color(column(10), look)
row_label(unused) = short(strcol(2), LABEL_CHARS)
is_series(i) = column(5) == i - 1

# A time in ns with the unit that fits.
thousands(ns) = int(floor(log10(ns) / 3 + 1e-9))
time_text(ns) = ns >= 0.99e9 ? sprintf("%g s", ns / 1e9) \
              : sprintf("%g %ss", ns / 1000.0**thousands(ns), word("p n µ m", thousands(ns) + 2))

do for [n = 1:words(ARG2)] {
    look = int(word(ARG2, n))
    narrow = is_narrow(look)
    row_px = narrow ? 40 : 26
    label_dy = narrow ? 0.5 - 13.0 / row_px : 0
    dy = narrow ? 0.5 - 12.0 / row_px : 0
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
    set logscale x
    set xtics scale 0 textcolor rgb faint(look)
    set xtics ("" 1)
    # Few ticks where there is little room; even steps where the axis is short.
    decades = DECADES * (narrow ? 2.2 : 1)
    if (decades < 0.8) {
        step = round_step((HI - LO) / (narrow ? 3 : 6))
        do for [k = int(ceil(LO / step)):int(floor(HI / step))] {
            set xtics add (time_text(k * step) k * step)
        }
    } else {
        steps = decades > 2.6 ? "1" : "1 2 5"
        do for [e = -3:12] {
            do for [m in steps] {
                if (decades < 10 || e % 3 == 0) {
                    set xtics add (time_text(m * 10.0**e) m * 10.0**e)
                }
            }
        }
    }
    set xlabel "time per operation, best of all slices" textcolor rgb faint(look)
    whole_title = title_text . ": time per operation"
    set label 1 short(whole_title, title_chars(look)) at screen 16.0 / width, \
        screen 1 - 20.0 / height left noenhanced textcolor rgb ink(look) font title_font(look)
    do for [r = 1:ROWS - 1] {
        set arrow 1 + r from graph 0, first r - 0.5 to graph 1, first r - 0.5 nohead lw 1 \
            lc rgb rule(look) back
    }
    unset key
    do for [i = 1:SERIES] {
        set label 1 + i NAMES[i] at screen real(AT_X[i]) / width, \
            screen 1 - (46.0 + 20 * AT_Y[i]) / height left offset 0.6, -0.3 noenhanced \
            textcolor rgb ink(look) point pt shape_of(style_of(i)) ps point_size(look) \
            lc rgb color_of(style_of(i), look)
    }

    # A label that has no place here is empty: gnuplot dies of labels of which none has a position.
    plot DATA skip 1 using (LO):4:(is_series(1) && !narrow ? row_label(0) : "") \
             with labels right offset -1, 0 textcolor rgb ink(look) notitle, \
         DATA skip 1 using (LO):($4 - label_dy):(is_series(1) && narrow ? row_label(0) : "") \
             with labels left textcolor rgb ink(look) notitle, \
         DATA skip 1 using (HI):($4 - label_dy):(is_series(1) ? strcol(9) : ""):(tone(0)) \
             with labels right offset (narrow ? 0 : 19), 0 textcolor rgb variable notitle, \
         for [i = 1:SERIES] DATA skip 1 \
             using (is_series(i) ? $6 : 1/0):($4 + dy):($7 - $6):(0) \
             with vectors nohead lw 3 lc rgb color_of(style_of(i), look) notitle, \
         for [i = 1:SERIES] DATA skip 1 using (is_series(i) ? $6 : 1/0):($4 + dy) \
             with points pt shape_of(style_of(i)) ps 1.2 * point_size(look) \
             lc rgb color_of(style_of(i), look) notitle
    set output
}

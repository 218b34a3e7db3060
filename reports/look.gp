# SPDX-License-Identifier: Apache-2.0
#
# How every chart looks: sizes, colours, and the terminals that draw it. Goes in front of each of
# the other scripts.
#
# ARG1 is the stem of all file names of the chart, ARG2 the looks to draw as numbers: 0 light,
# 1 dark, 2 light and narrow, 3 dark and narrow, 4 PNG. Names of benchmarks are never part of a
# script: they are read as text from the data file.

set encoding utf8
set datafile separator "\t"
set datafile commentschars ""

STEM = ARG1
DATA = STEM . ".tsv"
ENDINGS = ".svg -dark.svg -narrow.svg -dark-narrow.svg .png"
SVG_FONT = "system-ui,-apple-system,Segoe UI,DejaVu Sans,sans-serif,13"
PNG_FONT = "sans,10"

is_dark(look) = look == 1 || look == 3
is_narrow(look) = look == 2 || look == 3
is_png(look) = look == 4
width_px(look) = is_narrow(look) ? 400 : 920

# A palette that colour-blind readers can tell apart (after Okabe & Ito 2008), lightened on a dark
# ground.
ground(look) = is_dark(look) ? "#0f1318" : "#ffffff"
ink(look)    = is_dark(look) ? "#e3e8ee" : "#1f262e"
faint(look)  = is_dark(look) ? "#98a3af" : "#5c6772"
rule(look)   = is_dark(look) ? "#2a323b" : "#e3e7eb"
band(look)   = is_dark(look) ? "#1c4a6b" : "#cfe3f1"
bad(look)    = is_dark(look) ? "#ff8a4c" : "#c44e00"

# By style of a series: 0 old, 1 new, 2 a bound, 3 and more third parties.
LIGHT  = "#7b8794 #0072b2 #00805d #a8458a #9a6b00 #3f6fd1 #8a5a44 #5f7d00 #6a51a3 #5c6772"
DARK   = "#8d99a6 #56b4e9 #2fc79b #dd8cc0 #e6b34d #8fb0ff #d0a08a #b3cf4f #b9a5ee #98a3af"
SHAPES = "7 7 13 9 11 5 15 9 11 5"
color_of(style, look) = word(is_dark(look) ? DARK : LIGHT, style + 1)
shape_of(style) = int(word(SHAPES, style + 1))
title_font(look) = is_png(look) ? ",12" : ",15"
small_font(look) = is_png(look) ? ",9" : ",11"
# The PNG terminal draws the same points and caps smaller.
point_size(look) = is_png(look) ? 0.85 : 0.6
cap_size(look) = is_png(look) ? 2.6 : 1.6

rgb(text) = int("0x" . text[2:7])
# By tone of a text: 0 plain, 1 faint, 2 bad.
tone_color(tone, look) = rgb(tone == 2 ? bad(look) : tone == 1 ? faint(look) : ink(look))

# At most n characters of a text, with what is cut out of its middle marked.
short(text, n) = strlen(text) <= n ? text \
               : text[1:(n + 1) / 2 - 1] . "…" . text[strlen(text) - n + (n + 1) / 2 + 1:*]
LABEL_CHARS = 28
NAME_CHARS = 18
title_chars(look) = is_narrow(look) ? 40 : 90

# 1, 2 or 5 times a power of ten, near x.
power(x) = 10.0**floor(log10(x))
round_digit(x) = x < 1.5 ? 1 : x < 3.5 ? 2 : x < 7.5 ? 5 : 10
round_step(x) = power(x) * round_digit(x / power(x))

/* SPDX-License-Identifier: Apache-2.0
 *
 * Three significant digits nearly everywhere: more would claim what a shared machine can't give.
 */
#include "output/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Largest integer up to which every integer is a double. */
#define EXACT_MAX 9007199254740992.0

enum { INTERVAL_DECIMALS_MAX = 4 };

/* Decimals that leave three significant digits of a value from 0.1 to 1000. The limits are where
 * rounding would give one digit more. */
static int decimals(double value)
{
    return value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

void pb_quantity_add_time(struct pb_strbuf *buf, double time_ns)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}};
    if (!isfinite(time_ns) || time_ns < 0) {
        pb_strbuf_adds(buf, "-");
        return;
    }
    size_t unit = 0;
    while (unit + 1 < sizeof units / sizeof units[0] && time_ns >= 999.5 * units[unit].ns) {
        unit++;
    }
    const double value = time_ns / units[unit].ns;
    pb_strbuf_addf(buf, "%.*f %s", time_ns > 0 ? decimals(value) : 0, value, units[unit].name);
}

void pb_quantity_add_duration(struct pb_strbuf *buf, double time_s)
{
    if (!isfinite(time_s) || time_s < 0 || time_s > EXACT_MAX) {
        pb_strbuf_adds(buf, "-");
        return;
    }
    const long long whole = (long long)(time_s + 0.5);
    if (time_s < 9.95) {
        pb_strbuf_addf(buf, "%.1f s", time_s);
    } else if (whole < 100) {
        pb_strbuf_addf(buf, "%lld s", whole);
    } else if (whole < 3600) {
        pb_strbuf_addf(buf, "%lld min %02lld s", whole / 60, whole % 60);
    } else {
        pb_strbuf_addf(buf, "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
    }
}

/* Near 1 a third decimal tells what is faster from what is slower. */
static int speedup_decimals(double speedup)
{
    return speedup < 1.05 ? 3 : decimals(speedup);
}

void pb_quantity_add_speedup(struct pb_strbuf *buf, double log_ratio)
{
    const double speedup = exp(-log_ratio);
    if (!isfinite(log_ratio) || !isfinite(speedup)) {
        pb_strbuf_adds(buf, "-");
        return;
    }
    pb_strbuf_addf(buf, "%.*f×", speedup_decimals(speedup), speedup);
}

void pb_quantity_add_speedup_interval(struct pb_strbuf *buf, double lo, double hi)
{
    const double slow = exp(-hi);
    const double fast = exp(-lo);
    if (!isfinite(lo) || !isfinite(hi) || !isfinite(slow) || !isfinite(fast)) {
        pb_strbuf_adds(buf, "[-, -]");
        return;
    }
    int digits = speedup_decimals(sqrt(slow * fast));
    while (digits < INTERVAL_DECIMALS_MAX && (fast - slow) * pow(10, digits) < 1.5) {
        digits++; /* both ends would look the same */
    }
    pb_strbuf_addf(buf, "[%.*f, %.*f]", digits, slow, digits, fast);
}

void pb_quantity_add_change(struct pb_strbuf *buf, double change_pct)
{
    if (isnan(change_pct)) {
        pb_strbuf_adds(buf, "-");
    } else if (isinf(change_pct)) {
        pb_strbuf_adds(buf, change_pct > 0 ? "+inf" : "-inf");
    } else if (fabs(change_pct) < 0.005) {
        pb_strbuf_adds(buf, "0.00 %");
    } else {
        const double size = fabs(change_pct);
        pb_strbuf_addf(buf, "%+.*f %%", size < 9.995 ? 2 : decimals(size), change_pct);
    }
}

void pb_quantity_add_number(struct pb_strbuf *buf, double value)
{
    if (!isfinite(value)) {
        pb_strbuf_adds(buf, "-");
    } else if (value == floor(value) && fabs(value) <= EXACT_MAX) {
        pb_strbuf_addf(buf, "%.0f", value == 0 ? 0.0 : value);
    } else {
        pb_strbuf_addf(buf, "%.4g", value);
    }
}

void pb_quantity_add_timestamp(struct pb_strbuf *buf, int64_t time)
{
    struct tm parts;
    const time_t seconds = (time_t)time;
    if (gmtime_r(&seconds, &parts) == NULL) {
        pb_strbuf_adds(buf, "-");
        return;
    }
    pb_strbuf_addf(buf, "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900, parts.tm_mon + 1,
                   parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

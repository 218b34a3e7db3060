/* SPDX-License-Identifier: Apache-2.0
 *
 * The spreads are larger than those of most launches, so that half a percent is found sometimes and
 * not always: what is found every time would not show a loss of power.
 */
#include "stats/simulate.h"

#include <math.h>

#define SPREAD        0.012
#define SMALL_SPREAD  0.006
#define MODE          0.05
#define AUTOREGRESSED 0.3
#define DRIFT         0.04

double pb_simulate_normal(struct pb_random *random)
{
    const double radius = sqrt(-2 * log(1 - pb_random_unit(random)));
    return radius * cos(6.283185307179586 * pb_random_unit(random));
}

static void fill_gaussian(struct pb_random *random, double *d, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        d[i] = SPREAD * pb_simulate_normal(random);
    }
}

static void fill_t3(struct pb_random *random, double *d, size_t n)
{
    enum { FREEDOM = 3 };
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (int k = 0; k < FREEDOM; k++) {
            const double z = pb_simulate_normal(random);
            squares += z * z;
        }
        d[i] = SPREAD * pb_simulate_normal(random) / sqrt(squares / FREEDOM);
    }
}

static void fill_spikes(struct pb_random *random, double *d, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double spike = pb_random_unit(random) < 0.05 ? 2 * pb_random_unit(random) - 1 : 0;
        d[i] = spike + SPREAD * pb_simulate_normal(random);
    }
}

static void fill_bimodal(struct pb_random *random, double *d, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double mode = pb_random_unit(random);
        const double shift = mode < 1.0 / 6 ? MODE : mode < 1.0 / 3 ? -MODE : 0;
        d[i] = shift + SMALL_SPREAD * pb_simulate_normal(random);
    }
}

static void fill_autoregressive(struct pb_random *random, double *d, size_t n)
{
    const double fresh = sqrt(1 - AUTOREGRESSED * AUTOREGRESSED);
    double z = pb_simulate_normal(random);
    for (size_t i = 0; i < n; i++) {
        d[i] = SPREAD * z;
        z = AUTOREGRESSED * z + fresh * pb_simulate_normal(random);
    }
}

/* The true value is what it is in the middle. */
static void fill_drift(struct pb_random *random, double *d, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double place = n > 1 ? (double)i / (double)(n - 1) - 0.5 : 0;
        d[i] = DRIFT * place + SPREAD * pb_simulate_normal(random);
    }
}

static const struct pb_simulation simulations[] = {
    {"gaussian", "Gaussian", true, fill_gaussian},
    {"t3", "Student's t, 3 degrees of freedom", true, fill_t3},
    {"spikes", "5 % of launches spiked by up to 100 %", true, fill_spikes},
    {"bimodal", "a third of launches in modes 5 % away", true, fill_bimodal},
    {"ar03", "autoregression of 0.3", false, fill_autoregressive},
    {"drift", "drift of 4 % over 96 launches", false, fill_drift},
};

const struct pb_simulation *pb_simulations_all(size_t *n)
{
    *n = sizeof simulations / sizeof simulations[0];
    return simulations;
}

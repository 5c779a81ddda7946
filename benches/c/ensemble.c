/* 10^4 compound double pendulums over 10 s by RK4 at 1 ms: 16 at once, with an inlined polynomial sine and cosine, over threads.
 *
 * Usage: PROGRAM THREADS
 * Prints the seconds taken by its own clock, and the sum of the first angles at the end. */
#define _POSIX_C_SOURCE 199309L
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { W = 16, COUNT = 10000, STEPS = 10000 };
typedef double V __attribute__((vector_size(8 * W)));
typedef long long I __attribute__((vector_size(8 * W)));

struct pendulum { double a11, a12, a22, g1, g2, w12; };

/* Reduction by n pi/2 in three parts, one polynomial each on |r| <= pi/4, and selection by the bits of n. */
static inline void sincos16(V x, V *sine, V *cosine) {
    const double rounder = 6755399441055744.0;
    V shifted = x * 0.63661977236758134308 + rounder;
    I quadrant = (I)shifted;
    V n = shifted - rounder;
    V r = x - n * 1.5707963267948966;
    r = r - n * 6.123233995736766e-17;
    V z = r * r;
    V s = ((((-1.589543326117556e-10 * z + 2.505073438876572e-08) * z - 2.7557313538511384e-06) * z + 0.00019841269829358522) * z
           - 0.00833333333332184) * z + 0.1666666666666663;
    s = r - r * z * s;
    V c = ((((-1.1358740993056218e-11 * z + 2.0875705255291506e-09) * z - 2.755731421616792e-07) * z + 2.480158728899978e-05) * z
           - 0.001388888888887334) * z + 0.041666666666666595;
    c = 1 - 0.5 * z + z * z * c;
    I odd = -(quadrant & 1);
    I is = (I)s ^ (((I)s ^ (I)c) & odd), ic = (I)c ^ (((I)s ^ (I)c) & odd);
    *sine = (V)(is ^ ((quadrant & 2) << 62));
    *cosine = (V)(ic ^ (((quadrant + 1) & 2) << 62));
}

static inline void acceleration(const struct pendulum *p, const V q[2], const V w[2], V a[2]) {
    V s1, c1, s2, c2;
    sincos16(q[0], &s1, &c1);
    sincos16(q[1], &s2, &c2);
    V s = s2 * c1 - c2 * s1, c = c2 * c1 + s2 * s1;
    V a12 = p->a12 * c;
    V b1 = p->w12 * w[1] * w[1] * s - p->g1 * s1;
    V b2 = -(p->g2 * s2 + p->w12 * w[0] * w[0] * s);
    V inverse = 1 / (p->a11 * p->a22 - a12 * a12);
    a[0] = (b1 * p->a22 - b2 * a12) * inverse;
    a[1] = (b2 * p->a11 - b1 * a12) * inverse;
}

static void runge_kutta(const struct pendulum *p, V q[2], V w[2], double h) {
    for (int n = 0; n < STEPS; n++) {
        V a1[2], a2[2], a3[2], a4[2], q2[2], w2[2], q3[2], w3[2], q4[2], w4[2];
        acceleration(p, q, w, a1);
        for (int i = 0; i < 2; i++) { q2[i] = q[i] + h / 2 * w[i]; w2[i] = w[i] + h / 2 * a1[i]; }
        acceleration(p, q2, w2, a2);
        for (int i = 0; i < 2; i++) { q3[i] = q[i] + h / 2 * w2[i]; w3[i] = w[i] + h / 2 * a2[i]; }
        acceleration(p, q3, w3, a3);
        for (int i = 0; i < 2; i++) { q4[i] = q[i] + h * w3[i]; w4[i] = w[i] + h * a3[i]; }
        acceleration(p, q4, w4, a4);
        for (int i = 0; i < 2; i++) {
            q[i] += h / 6 * (w[i] + 2 * (w2[i] + w3[i]) + w4[i]);
            w[i] += h / 6 * (a1[i] + 2 * (a2[i] + a3[i]) + a4[i]);
        }
    }
}

int main(int argc, char **argv) {
    /* Read at run time, so that no compiler folds them. */
    volatile double m = 1, l = 1, gravity = 9.8;
    struct pendulum p = {7 * m * l * l / 3, 3 * m * l * l / 2, 4 * m * l * l / 3, 2.5 * m * l * gravity, 1.5 * m * l * gravity, 1.5 * m * l * l};
    struct timespec begin, end;
    double sum = 0;
    if (argc < 2) return 2;
    omp_set_num_threads(atoi(argv[1]));
    clock_gettime(CLOCK_MONOTONIC, &begin);
    #pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int block = 0; block < COUNT / W; block++) {
        V q[2], w[2] = {{0}, {0}};
        for (int k = 0; k < W; k++) {
            int index = block * W + k;
            q[0][k] = 0.7 + 0.17 * (index / 100) / 99;
            q[1][k] = -0.1 + 0.2 * (index % 100) / 99;
        }
        runge_kutta(&p, q, w, 1e-3);
        for (int k = 0; k < W; k++) sum += q[0][k];
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.9f %.17g\n", (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec), sum);
    return 0;
}

/* Steps of structure-preserving methods and accelerations of chains, written by hand with an inlined sine and cosine.
 *
 * Usage: PROGRAM gauss2 | gauss3 | rattle | chain8 | chain16 | chain32
 * Prints the seconds taken by its own clock, how many steps or accelerations were made, and a number that depends on all of them. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "sine.h"

static volatile double one = 1, gravity = 9.8;

/* The double pendulum of point masses. */
struct pendulum { double m1, m2, l1, l2, g; };

static inline void acceleration(const struct pendulum *p, const double q[2], const double w[2], double a[2]) {
    double s1, c1, s2, c2;
    sine_cosine(q[0], &s1, &c1);
    sine_cosine(q[1], &s2, &c2);
    double s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2, m = p->m1 + p->m2;
    double a11 = m * p->l1 * p->l1, a12 = p->m2 * p->l1 * p->l2 * c, a22 = p->m2 * p->l2 * p->l2;
    double b1 = -p->m2 * p->l1 * p->l2 * w[1] * w[1] * s - m * p->g * p->l1 * s1;
    double b2 = p->m2 * p->l1 * p->l2 * w[0] * w[0] * s - p->m2 * p->g * p->l2 * s2;
    double inverse = 1 / (a11 * a22 - a12 * a12);
    a[0] = (b1 * a22 - b2 * a12) * inverse;
    a[1] = (b2 * a11 - b1 * a12) * inverse;
}

/* Gauss's method with the fixed-point iteration. The guesses extrapolate the polynomial through the accelerations of the two
 * steps before.
 * An iteration is the last one if the next increment, by the ratio of the last two, is below rounding. */
#define GAUSS(S, NODES, COEFFICIENTS, GUESS)                                                                              \
    static double gauss##S(const struct pendulum *p, double q[2], double w[2], double h, long steps) {                    \
        static const double a[S][S] = COEFFICIENTS, guess[S][2 * S] = GUESS;                                              \
        double k[2 * S][2] = {{0}};                                                                                       \
        for (long n = 0; n < steps; n++) {                                                                                \
            double next[S][2] = {{0}}, before = 0;                                                                        \
            for (int i = 0; i < S; i++)                                                                                   \
                for (int j = 0; j < 2 * S; j++)                                                                           \
                    for (int d = 0; d < 2; d++) next[i][d] += guess[i][j] * k[j][d];                                      \
            for (int iteration = 0; iteration < 100; iteration++) {                                                       \
                double v[S][2], x[S][2], new[S][2], change = 0, size = 0;                                                 \
                for (int i = 0; i < S; i++)                                                                               \
                    for (int d = 0; d < 2; d++) {                                                                         \
                        double sum = 0;                                                                                   \
                        for (int j = 0; j < S; j++) sum += a[i][j] * next[j][d];                                          \
                        v[i][d] = w[d] + h * sum;                                                                         \
                    }                                                                                                     \
                for (int i = 0; i < S; i++) {                                                                             \
                    for (int d = 0; d < 2; d++) {                                                                         \
                        double sum = 0;                                                                                   \
                        for (int j = 0; j < S; j++) sum += a[i][j] * v[j][d];                                             \
                        x[i][d] = q[d] + h * sum;                                                                         \
                    }                                                                                                     \
                    acceleration(p, x[i], v[i], new[i]);                                                                  \
                }                                                                                                         \
                for (int i = 0; i < S; i++)                                                                               \
                    for (int d = 0; d < 2; d++) {                                                                         \
                        double moved = fabs(new[i][d] - next[i][d]), speed = fabs(v[i][d]);                               \
                        change = moved > change ? moved : change;                                                         \
                        size = speed > size ? speed : size;                                                               \
                        next[i][d] = new[i][d];                                                                           \
                    }                                                                                                     \
                change *= h;                                                                                              \
                if (change == 0 || (before > 0 && (change * (change / before) <= 2.7e-17 * size || change >= before)))    \
                    break;                                                                                                \
                before = change;                                                                                          \
            }                                                                                                             \
            for (int d = 0; d < 2; d++) {                                                                                 \
                double speeds = 0, sum = 0;                                                                               \
                for (int i = 0; i < S; i++) {                                                                             \
                    double v = w[d];                                                                                      \
                    for (int j = 0; j < S; j++) v += h * a[i][j] * next[j][d];                                            \
                    speeds += NODES[i] * v;                                                                               \
                    sum += NODES[i] * next[i][d];                                                                         \
                }                                                                                                         \
                q[d] += h * speeds;                                                                                       \
                w[d] += h * sum;                                                                                          \
            }                                                                                                             \
            memcpy(k[S], k[0], S * sizeof k[0]);                                                                          \
            memcpy(k[0], next, S * sizeof k[0]);                                                                          \
        }                                                                                                                 \
        return q[0];                                                                                                      \
    }

#define R3 1.7320508075688772935
#define R15 3.8729833462074168852
static const double weights2[2] = {0.5, 0.5}, weights3[3] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
#define LIST(...) __VA_ARGS__
/* The weights of the polynomial through the nodes c_j - 1 and c_j - 2, at c_i. */
GAUSS(2, weights2, LIST({{0.25, 0.25 - R3 / 6}, {0.25 + R3 / 6, 0.25}}),
    LIST({{-4.928203230275508773, 3.124355652982141240, -0.660254037844386521, 3.464101615137754386},
          {-21.124355652982142573, 8.928203230275508773, -3.464101615137754386, 16.660254037844385522}}))
GAUSS(3, weights3,
    LIST({{5.0 / 36, 2.0 / 9 - R15 / 15, 5.0 / 36 - R15 / 30}, {5.0 / 36 + R15 / 24, 2.0 / 9, 5.0 / 36 - R15 / 24},
          {5.0 / 36 + R15 / 30, 2.0 / 9 + R15 / 15, 5.0 / 36}}),
    LIST({{13.174733281836999765, -6.987361796661510915, 3.278848614601930223, -0.369531699392111446, 2.654656035476415266, -10.751344435861721394},
          {113.869952942995183776, -51.333333333333335702, 14.463380390338150150, -3.712035954476427868, 25.666666666666667851, -97.954630712190237318},
          {443.583896483437285951, -184.385187222946342445, 44.158600051496335936, -15.915322230804944681, 107.149265533151037744, -393.591252614333370730}}))

/* RATTLE for a bob of mass 1 on a sphere of radius 1, with the multiplier from its quadratic equation. */
static double rattle(double q[3], double p[3], double h, long steps) {
    double g = gravity;
    for (long n = 0; n < steps; n++) {
        p[2] -= h / 2 * g;
        double free[3], along = 0, rest = -1;
        for (int i = 0; i < 3; i++) {
            free[i] = q[i] + h * p[i];
            along += free[i] * q[i];
            rest += free[i] * free[i];
        }
        double factor = -rest / (along + sqrt(along * along - rest)), radial = 0;
        for (int i = 0; i < 3; i++) {
            double next = free[i] + q[i] * factor;
            p[i] = (next - q[i]) / h;
            q[i] = next;
        }
        p[2] -= h / 2 * g;
        for (int i = 0; i < 3; i++) radial += q[i] * p[i];
        for (int i = 0; i < 3; i++) p[i] -= q[i] * radial;
    }
    return q[2];
}

/* The accelerations of a chain of n points on rods, from the tensions of the rods, which solve a tridiagonal system. */
static inline void chain(int n, const double m[], const double l[], double g, const double q[], const double w[], double a[]) {
    double s[32], c[32], sd[32], cd[32], pivot[32], t[32], inverse[32];
    for (int i = 0; i < n; i++) sine_cosine(q[i], &s[i], &c[i]);
    for (int i = 0; i < n; i++) inverse[i] = 1 / m[i];
    for (int i = 1; i < n; i++) {
        sd[i] = s[i] * c[i - 1] - c[i] * s[i - 1];
        cd[i] = c[i] * c[i - 1] + s[i] * s[i - 1];
    }
    pivot[0] = m[0];
    t[0] = l[0] * w[0] * w[0] + g * c[0];
    for (int i = 1; i < n; i++) {
        double below = cd[i] * inverse[i - 1], factor = below * pivot[i - 1];
        pivot[i] = 1 / (inverse[i] + inverse[i - 1] - factor * below);
        t[i] = l[i] * w[i] * w[i] + factor * t[i - 1];
    }
    t[n - 1] *= pivot[n - 1];
    for (int i = n - 2; i >= 0; i--) t[i] = (t[i] + cd[i + 1] * inverse[i] * t[i + 1]) * pivot[i];
    for (int i = 0; i < n; i++) {
        double sum = i == 0 ? -g * s[0] : -t[i - 1] * sd[i] * inverse[i - 1];
        if (i + 1 < n) sum += t[i + 1] * sd[i + 1] * inverse[i];
        a[i] = sum / l[i];
    }
}

static double chains(int n, long count) {
    double m[32], l[32], q[32], w[32] = {0}, a[32], g = gravity;
    for (int i = 0; i < n; i++) {
        m[i] = l[i] = one;
        q[i] = 0.1 * (i + 1);
    }
    for (long k = 0; k < count; k++) {
        if (n == 8) chain(8, m, l, g, q, w, a);
        else if (n == 16) chain(16, m, l, g, q, w, a);
        else chain(32, m, l, g, q, w, a);
        for (int i = 0; i < n; i++) {
            q[i] += 1e-6 * a[i];
            w[i] -= 1e-6 * a[i];
        }
    }
    return q[0];
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    struct pendulum p = {one, one, one, one, gravity};
    double pi = 3.14159265358979323846 * one, q[2] = {pi, pi}, w[2] = {-4, 6};
    double x = sqrt(2) / 4, on[3] = {x, x, sqrt(3) / 2}, push[3] = {1, -1, 0}, last = 0;
    long count = 200000;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (strcmp(argv[1], "gauss2") == 0) last = gauss2(&p, q, w, 1e-3, count);
    else if (strcmp(argv[1], "gauss3") == 0) last = gauss3(&p, q, w, 1e-3, count);
    else if (strcmp(argv[1], "rattle") == 0) last = rattle(on, push, 1e-3, count);
    else if (strncmp(argv[1], "chain", 5) == 0) last = chains(atoi(argv[1] + 5), count);
    else return 2;
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    printf("%.9f %ld %.17g\n", seconds, count, last);
    return 0;
}

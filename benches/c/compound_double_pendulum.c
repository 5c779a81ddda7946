/* The compound double pendulum by its published closed form, equations (19) to (21), with libm's sine and cosine.
 *
 * Usage: PROGRAM runge_kutta | acceleration
 * Prints the seconds taken by its own clock, and the first angle at the end. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct pendulum { double m1, m2, m3, l1, l2, g; };

static inline void acceleration(const struct pendulum *p, const double q[2], const double w[2], double a[2]) {
    double s1 = sin(q[0]), s2 = sin(q[1]), s = sin(q[1] - q[0]), c = cos(q[1] - q[0]);
    double a11 = (p->m1 + 3 * (p->m2 + p->m3)) * p->l1 * p->l1 / 3;
    double a12 = (p->m2 + 2 * p->m3) * p->l1 * p->l2 * c / 2;
    double a22 = (p->m2 + 3 * p->m3) * p->l2 * p->l2 / 3;
    double b1 = -(p->m1 / 2 + p->m2 + p->m3) * p->l1 * p->g * s1 + (p->m2 / 2 + p->m3) * p->l1 * p->l2 * w[1] * w[1] * s;
    double b2 = -p->l2 * (p->m2 / 2 + p->m3) * (p->g * s2 + p->l1 * w[0] * w[0] * s);
    double determinant = a11 * a22 - a12 * a12;
    a[0] = (b1 * a22 - b2 * a12) / determinant;
    a[1] = (b2 * a11 - b1 * a12) / determinant;
}

static void runge_kutta(const struct pendulum *p, double q[2], double w[2], double h, long steps) {
    for (long n = 0; n < steps; n++) {
        double a1[2], a2[2], a3[2], a4[2], q2[2], w2[2], q3[2], w3[2], q4[2], w4[2];
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

/* Each acceleration moves the angles a little, so that the next one has to wait for it. */
static void chain(const struct pendulum *p, double q[2], double w[2], long count) {
    for (long n = 0; n < count; n++) {
        double a[2];
        acceleration(p, q, w, a);
        for (int i = 0; i < 2; i++) { q[i] += 1e-6 * a[i]; w[i] -= 1e-6 * a[i]; }
    }
}

int main(int argc, char **argv) {
    /* Read at run time, so that no compiler folds them. */
    volatile double one = 1, gravity = 9.8, start = 0.78539816339744830962;
    struct pendulum p = {one, one, one, one, one, gravity};
    double q[2] = {start, 0}, w[2] = {0, 0};
    struct timespec begin, end;
    if (argc < 2) return 2;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (strcmp(argv[1], "runge_kutta") == 0) runge_kutta(&p, q, w, 1e-3, 500000);
    else if (strcmp(argv[1], "acceleration") == 0) chain(&p, q, w, 2000000);
    else return 2;
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.9f %.17g\n", (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec), q[0]);
    return 0;
}

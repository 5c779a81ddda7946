/* DOP853 on the compound double pendulum by its published closed form, with libm's sine and cosine: what a careful
 * programmer writes in C. The coefficients are those of E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential
 * Equations I, 2nd ed., II.5, the step control theirs in II.4 and II.10 with an exponent of 1/8.
 *
 * Usage: PROGRAM TOLERANCE END
 * Prints the seconds taken by its own clock, both angles and both angular velocities at the end. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N 4
#define EACH(statement) do { for (int i = 0; i < N; i++) { statement; } } while (0)

struct pendulum { double m1, m2, m3, l1, l2, g; };

static inline void rates(const struct pendulum *p, const double y[N], double f[N]) {
    double s1 = sin(y[0]), s2 = sin(y[1]), s = sin(y[1] - y[0]), c = cos(y[1] - y[0]);
    double a11 = (p->m1 + 3 * (p->m2 + p->m3)) * p->l1 * p->l1 / 3;
    double a12 = (p->m2 + 2 * p->m3) * p->l1 * p->l2 * c / 2;
    double a22 = (p->m2 + 3 * p->m3) * p->l2 * p->l2 / 3;
    double b1 = -(p->m1 / 2 + p->m2 + p->m3) * p->l1 * p->g * s1 + (p->m2 / 2 + p->m3) * p->l1 * p->l2 * y[3] * y[3] * s;
    double b2 = -p->l2 * (p->m2 / 2 + p->m3) * (p->g * s2 + p->l1 * y[2] * y[2] * s);
    double determinant = a11 * a22 - a12 * a12;
    f[0] = y[2];
    f[1] = y[3];
    f[2] = (b1 * a22 - b2 * a12) / determinant;
    f[3] = (b2 * a11 - b1 * a12) / determinant;
}

static inline double larger(double a, double b) { return a > b ? a : b; }

/* One attempt from y, with its slope in k[0]: the end in x, the error over the tolerance as the value. */
static double attempt(const struct pendulum *p, const double y[N], double k[12][N], double h, double tolerance, double x[N]) {
    EACH(x[i] = y[i] + h * (5.26001519587677318785587544488e-2 * k[0][i]));
    rates(p, x, k[1]);
    EACH(x[i] = y[i] + h * (1.97250569845378994544595329183e-2 * k[0][i] + 5.91751709536136983633785987549e-2 * k[1][i]));
    rates(p, x, k[2]);
    EACH(x[i] = y[i] + h * (2.95875854768068491816892993775e-2 * k[0][i] + 8.87627564304205475450678981324e-2 * k[2][i]));
    rates(p, x, k[3]);
    EACH(x[i] = y[i] + h * (2.41365134159266685502369798665e-1 * k[0][i] - 8.84549479328286085344864962717e-1 * k[2][i]
            + 9.24834003261792003115737966543e-1 * k[3][i]));
    rates(p, x, k[4]);
    EACH(x[i] = y[i] + h * (3.7037037037037037037037037037e-2 * k[0][i] + 1.70828608729473871279604482173e-1 * k[3][i]
            + 1.25467687566822425016691814123e-1 * k[4][i]));
    rates(p, x, k[5]);
    EACH(x[i] = y[i] + h * (3.7109375e-2 * k[0][i] + 1.70252211019544039314978060272e-1 * k[3][i]
            + 6.02165389804559606850219397283e-2 * k[4][i] - 1.7578125e-2 * k[5][i]));
    rates(p, x, k[6]);
    EACH(x[i] = y[i] + h * (3.70920001185047927108779319836e-2 * k[0][i] + 1.70383925712239993810214054705e-1 * k[3][i]
            + 1.07262030446373284651809199168e-1 * k[4][i] - 1.53194377486244017527936158236e-2 * k[5][i]
            + 8.27378916381402288758473766002e-3 * k[6][i]));
    rates(p, x, k[7]);
    EACH(x[i] = y[i] + h * (6.24110958716075717114429577812e-1 * k[0][i] - 3.36089262944694129406857109825 * k[3][i]
            - 8.68219346841726006818189891453e-1 * k[4][i] + 2.75920996994467083049415600797e1 * k[5][i]
            + 2.01540675504778934086186788979e1 * k[6][i] - 4.34898841810699588477366255144e1 * k[7][i]));
    rates(p, x, k[8]);
    EACH(x[i] = y[i] + h * (4.77662536438264365890433908527e-1 * k[0][i] - 2.48811461997166764192642586468 * k[3][i]
            - 5.90290826836842996371446475743e-1 * k[4][i] + 2.12300514481811942347288949897e1 * k[5][i]
            + 1.52792336328824235832596922938e1 * k[6][i] - 3.32882109689848629194453265587e1 * k[7][i]
            - 2.03312017085086261358222928593e-2 * k[8][i]));
    rates(p, x, k[9]);
    EACH(x[i] = y[i] + h * (- 9.3714243008598732571704021658e-1 * k[0][i] + 5.18637242884406370830023853209 * k[3][i]
            + 1.09143734899672957818500254654 * k[4][i] - 8.14978701074692612513997267357 * k[5][i]
            - 1.85200656599969598641566180701e1 * k[6][i] + 2.27394870993505042818970056734e1 * k[7][i]
            + 2.49360555267965238987089396762 * k[8][i] - 3.0467644718982195003823669022 * k[9][i]));
    rates(p, x, k[10]);
    EACH(x[i] = y[i] + h * (2.27331014751653820792359768449 * k[0][i] - 1.05344954667372501984066689879e1 * k[3][i]
            - 2.00087205822486249909675718444 * k[4][i] - 1.79589318631187989172765950534e1 * k[5][i]
            + 2.79488845294199600508499808837e1 * k[6][i] - 2.85899827713502369474065508674 * k[7][i]
            - 8.87285693353062954433549289258 * k[8][i] + 1.23605671757943030647266201528e1 * k[9][i]
            + 6.43392746015763530355970484046e-1 * k[10][i]));
    rates(p, x, k[11]);
    double third = 0, fifth = 0;
    for (int i = 0; i < N; i++) {
        double end = y[i] + h * (5.42937341165687622380535766363e-2 * k[0][i] + 4.45031289275240888144113950566 * k[5][i]
                        + 1.89151789931450038304281599044 * k[6][i] - 5.8012039600105847814672114227 * k[7][i]
                        + 3.1116436695781989440891606237e-1 * k[8][i] - 1.52160949662516078556178806805e-1 * k[9][i]
                        + 2.01365400804030348374776537501e-1 * k[10][i] + 4.47106157277725905176885569043e-2 * k[11][i]);
        double scale = tolerance + tolerance * larger(fabs(y[i]), fabs(end));
        double e5 = (- 1.3120044994194880732501029960e-2 * k[0][i] + 1.2251564463762044407205697530e+0 * k[5][i]
                        + 4.9575894965725019152140799520e-1 * k[6][i] - 1.6643771824549865369615304150e+0 * k[7][i]
                        + 3.5032884874997368168864872900e-1 * k[8][i] - 3.3417911871301747902973188410e-1 * k[9][i]
                        - 8.1923206485115712465707426130e-2 * k[10][i] + 2.2355307863886295258844278450e-2 * k[11][i]) / scale;
        double e3 = (- 1.8980075407240761571470232888e-1 * k[0][i] + 4.4503128927524088814411395057e+0 * k[5][i]
                        + 1.8915178993145003830428159904e+0 * k[6][i] - 5.8012039600105847814672114227e+0 * k[7][i]
                        - 4.2268232132379196293244567918e-1 * k[8][i] - 1.5216094966251607855617880680e-1 * k[9][i]
                        + 2.0136540080403034837477653750e-1 * k[10][i] + 2.2651792198360825811806203963e-2 * k[11][i]) / scale;
        fifth += e5 * e5;
        third += e3 * e3;
        x[i] = end;
    }
    double sum = fifth + 0.01 * third;
    return sum > 0 ? fabs(h) * fifth / sqrt(N * sum) : 0;
}

static void integrate(const struct pendulum *p, double y[N], double end, double tolerance) {
    double k[12][N], x[N], t = 0, h = 1e-3;
    int rejected = 0;
    rates(p, y, k[0]);
    while (t < end) {
        int last = t + h * (1 + 1e-9) >= end;
        if (last) h = end - t;
        double error = attempt(p, y, k, h, tolerance, x);
        double factor = 0.9 * pow(error, -0.125);
        factor = factor < 0.333 ? 0.333 : factor > 6 ? 6 : factor;
        if (error <= 1) {
            t = last ? end : t + h;
            memcpy(y, x, sizeof x);
            rates(p, y, k[0]);
            h *= rejected && factor > 1 ? 1 : factor;
            rejected = 0;
        } else {
            h *= factor;
            rejected = 1;
        }
    }
}

int main(int argc, char **argv) {
    /* Read at run time, so that no compiler folds them. */
    volatile double one = 1, gravity = 9.8, start = 0.78539816339744830962;
    struct pendulum p = {one, one, one, one, one, gravity};
    double y[N] = {start, 0, 0, 0};
    struct timespec begin, finish;
    if (argc < 3) return 2;
    double tolerance = atof(argv[1]), end = atof(argv[2]);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    integrate(&p, y, end, tolerance);
    clock_gettime(CLOCK_MONOTONIC, &finish);
    double seconds = (double)(finish.tv_sec - begin.tv_sec) + 1e-9 * (double)(finish.tv_nsec - begin.tv_nsec);
    printf("%.9f %.17g %.17g %.17g %.17g\n", seconds, y[0], y[1], y[2], y[3]);
    return 0;
}

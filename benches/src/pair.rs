//! Embedded pairs in C: the stages of a tableau written out, with an inlined sine and cosine and the usual step control.

use lagrange_runtime::tableau::{Coefficient, ExplicitPair};
use std::fmt::Write;

/// The program for a pair of this order, in which the error is of order `order`. It integrates the compound double pendulum of unit
/// masses and lengths from (45°, 0°), takes a tolerance and an end time, and prints the seconds taken by its own clock, how many steps it
/// tried, and the angles at the end.
pub fn program<const STAGES: usize, const EXTENDED: usize, const DEGREE: usize>(
    pair: &ExplicitPair<STAGES, EXTENDED, DEGREE>,
    order: u32,
) -> String {
    let row = |row: &[Coefficient], count: usize| sum(row.iter().take(count).map(|entry| entry.value::<f64>()));
    let mut stages = String::new();
    for stage in 1..STAGES {
        let sum = row(&pair.coefficients[stage], stage);
        _ = writeln!(stages, "    EACH(x[i] = y[i] + h * ({sum}));\n    rates(p, x, k[{stage}]);");
    }
    let differences = |other: &[Coefficient; STAGES]| {
        sum(pair.weights.iter().zip(other).map(|(own, other)| own.value::<f64>() - other.value::<f64>()))
    };
    let estimate = match &pair.second {
        None => format!(
            "    EACH(double e = h * ({}); e /= scale(y[i], x[i], tolerance); sum += e * e);\n    return sqrt(sum / N);\n",
            differences(&pair.embedded)
        ),
        Some(second) => format!(
            "    double third = 0;\n    EACH(double s = scale(y[i], x[i], tolerance), e = ({}) / s, d = ({}) / s; sum += e * e; third += d * d);\n\
             \x20   return sum > 0 ? fabs(h) * sum / sqrt(N * (sum + 0.01 * third)) : 0;\n",
            differences(&pair.embedded),
            differences(second)
        ),
    };
    // The last stage is the slope at the end if its row has the weights.
    let last = STAGES - 1;
    let is_first_again = (0..STAGES).all(|k| {
        pair.coefficients[last][k].value::<f64>() == pair.weights[k].value::<f64>()
            && (k < last || pair.weights[k].is_zero())
    });
    let next =
        if is_first_again { format!("memcpy(k[0], k[{last}], sizeof k[0])") } else { "rates(p, y, k[0])".to_owned() };
    format!(
        "#define STAGES {STAGES}\n#define ORDER {order}\n#define NEXT {next}\n{HEAD}\
         static double attempt(const struct pendulum *p, const double y[N], double k[STAGES][N], double h, double tolerance, double x[N]) {{\n\
         {stages}    EACH(x[i] = y[i] + h * ({}));\n    double sum = 0;\n{estimate}}}\n{TAIL}",
        row(&pair.weights, STAGES),
    )
}

/// A sum of multiples of the stages.
fn sum(coefficients: impl Iterator<Item = f64>) -> String {
    let terms: Vec<String> = coefficients
        .enumerate()
        .filter(|(_, coefficient)| *coefficient != 0.0)
        .map(|(stage, coefficient)| format!("{coefficient:e} * k[{stage}][i]"))
        .collect();
    terms.join(" + ")
}

const HEAD: &str = r"#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
SINE
#define N 4
#define EACH(...) do { for (int i = 0; i < N; i++) { __VA_ARGS__; } } while (0)
struct pendulum { double m1, m2, m3, l1, l2, g; };

static inline void rates(const struct pendulum *p, const double y[N], double f[N]) {
    double s1, c1, s2, c2;
    sine_cosine(y[0], &s1, &c1);
    sine_cosine(y[1], &s2, &c2);
    double s = s2 * c1 - c2 * s1, c = c2 * c1 + s2 * s1;
    double a11 = (p->m1 + 3 * (p->m2 + p->m3)) * p->l1 * p->l1 / 3;
    double a12 = (p->m2 + 2 * p->m3) * p->l1 * p->l2 * c / 2;
    double a22 = (p->m2 + 3 * p->m3) * p->l2 * p->l2 / 3;
    double b1 = -(p->m1 / 2 + p->m2 + p->m3) * p->l1 * p->g * s1 + (p->m2 / 2 + p->m3) * p->l1 * p->l2 * y[3] * y[3] * s;
    double b2 = -p->l2 * (p->m2 / 2 + p->m3) * (p->g * s2 + p->l1 * y[2] * y[2] * s);
    double inverse = 1 / (a11 * a22 - a12 * a12);
    f[0] = y[2];
    f[1] = y[3];
    f[2] = (b1 * a22 - b2 * a12) * inverse;
    f[3] = (b2 * a11 - b1 * a12) * inverse;
}

static inline double scale(double a, double b, double tolerance) {
    a = fabs(a);
    b = fabs(b);
    return tolerance + tolerance * (a > b ? a : b);
}

";

const TAIL: &str = r#"
int main(int argc, char **argv) {
    /* Read at run time, so that no compiler folds them. */
    volatile double one = 1, gravity = 9.8, start = 0.78539816339744830962;
    struct pendulum values = {one, one, one, one, one, gravity}, *p = &values;
    double y[N] = {start, 0, 0, 0}, k[STAGES][N], x[N], t = 0, h = 1e-3;
    if (argc < 3) return 2;
    double tolerance = atof(argv[1]), end = atof(argv[2]);
    long tried = 0;
    int rejected = 0;
    struct timespec begin, finish;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    rates(p, y, k[0]);
    while (t < end) {
        int last = t + h * (1 + 1e-9) >= end;
        if (last) h = end - t;
        double error = attempt(p, y, k, h, tolerance, x);
        double factor = 0.9 * pow(error, -1.0 / ORDER);
        tried++;
        factor = factor < 0.333 ? 0.333 : factor > 6 ? 6 : factor;
        if (error <= 1) {
            t = last ? end : t + h;
            memcpy(y, x, sizeof x);
            NEXT;
            h *= rejected && factor > 1 ? 1 : factor;
            rejected = 0;
        } else {
            h *= factor;
            rejected = 1;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &finish);
    double seconds = (double)(finish.tv_sec - begin.tv_sec) + 1e-9 * (double)(finish.tv_nsec - begin.tv_nsec);
    printf("%.9f %ld %.17g %.17g\n", seconds, tried, y[0], y[1]);
    return 0;
}
"#;

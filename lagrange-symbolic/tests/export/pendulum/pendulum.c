/* Pendulum: see pendulum.h. */
#include "pendulum.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef lagrange_real real;

#ifdef LAGRANGE_SINGLE
#define FN(name) name##f
#define EPSILON FLT_EPSILON
#define SMALLEST FLT_MIN
#else
#define FN(name) name
#define EPSILON DBL_EPSILON
#define SMALLEST DBL_MIN
#endif
#define SIZE 1

/* The magnitude of an entry; 0 where it cannot be told from the rounding of its terms. */
static real magnitude(int n, const real *m, const real *terms, int place)
{
    const real size = FN(fabs)(m[place]);
    return size <= (real)n * EPSILON * terms[place] ? 0 : size;
}

static void swap(real *x, int i, int j)
{
    const real kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

static void exchange(int n, real *m, real *terms, int *order, int i, int j)
{
    const int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
    for (int k = 0; k < n; k += 1) {
        swap(m, i * n + k, j * n + k);
        swap(terms, i * n + k, j * n + k);
    }
    for (int k = 0; k < n; k += 1) {
        swap(m, k * n + i, k * n + j);
        swap(terms, k * n + i, k * n + j);
    }
}

static void reduce(int n, real *m, real *terms, int i, int j, real change)
{
    const real entry = m[i * n + j] - change;
    const real term = FN(fabs)(change) > terms[i * n + j] ? FN(fabs)(change) : terms[i * n + j];
    m[i * n + j] = m[j * n + i] = entry;
    terms[i * n + j] = terms[j * n + i] = term;
}

/* Replaces b by the solution, from the factors of solve_symmetric. */
static void substitute(int n, const real *m, const int *order, const int *is_double, const real *scale, real *b)
{
    real x[SIZE] = {0};
    for (int k = 0; k < n; k += 1) {
        x[k] = b[order[k]] * scale[order[k]];
    }
    for (int k = 0; k < n; k += 1) {
        for (int i = k + 1 + is_double[k]; i < n; i += 1) {
            x[i] -= m[i * n + k] * x[k];
        }
    }
    for (int k = 0; k < n; k += is_double[k] ? 2 : 1) {
        if (is_double[k]) {
            const real first = x[k], second = x[k + 1];
            x[k] = m[k * n + k] * first + m[(k + 1) * n + k] * second;
            x[k + 1] = m[(k + 1) * n + k] * first + m[(k + 1) * n + k + 1] * second;
        } else {
            x[k] *= m[k * n + k];
        }
    }
    for (int k = n - 1; k >= 0; k -= 1) {
        for (int i = k + 1 + is_double[k]; i < n; i += 1) {
            x[k] -= m[i * n + k] * x[i];
        }
    }
    for (int k = 0; k < n; k += 1) {
        b[order[k]] = x[k] * scale[order[k]];
    }
}

/* Solves M x = b for a regular symmetric M, which need not be definite: P S M S P' = L D L' with blocks of 1 and 2 in D and complete
   pivoting (Bunch and Parlett, 1971). S has powers of two. Two corrections by the residual make the errors those of roundings of the
   entries. M is overwritten, and b by x. Returns 0, or 1 + the index of an unknown whose pivot vanished. */
static int solve_symmetric(int n, real *m, real *b)
{
    real whole[SIZE * SIZE], terms[SIZE * SIZE], scale[SIZE], right[SIZE], rest[SIZE];
    int order[SIZE], is_double[SIZE];
    for (int i = 0; i < n; i += 1) {
        right[i] = b[i];
        scale[i] = 1;
        order[i] = i;
        is_double[i] = 0;
    }
    for (int round = 0; round < 12; round += 1) {
        real largest[SIZE];
        for (int i = 0; i < n; i += 1) {
            largest[i] = 0;
            for (int j = 0; j < n; j += 1) {
                const real size = scale[i] * FN(fabs)(m[i * n + j]) * scale[j];
                largest[i] = size > largest[i] ? size : largest[i];
            }
        }
        for (int i = 0; i < n; i += 1) {
            scale[i] /= largest[i] > 0 ? FN(sqrt)(largest[i]) : 1;
        }
    }
    for (int i = 0; i < n; i += 1) {
        int exponent = 0;
        FN(frexp)(scale[i], &exponent);
        scale[i] = FN(ldexp)(1, exponent - 1);
    }
    for (int i = 0; i < n; i += 1) {
        for (int j = 0; j < n; j += 1) {
            whole[i * n + j] = m[i * n + j];
            m[i * n + j] *= scale[i] * scale[j];
            terms[i * n + j] = FN(fabs)(m[i * n + j]);
        }
    }
    for (int k = 0; k < n; k += is_double[k] ? 2 : 1) {
        int diagonal = k, row = k, column = k;
        real on = magnitude(n, m, terms, k * n + k), off = 0;
        for (int j = k; j < n; j += 1) {
            for (int i = j; i < n; i += 1) {
                const real size = magnitude(n, m, terms, i * n + j);
                if (i == j && size > on) {
                    on = size;
                    diagonal = i;
                } else if (i != j && size > off) {
                    off = size;
                    row = i;
                    column = j;
                }
            }
        }
        if (on <= 0 && off <= 0) {
            return 1 + order[diagonal];
        }
        is_double[k] = k + 1 < n && off * (real)0.6403882032022076 > on;
        if (!is_double[k]) {
            exchange(n, m, terms, order, k, diagonal);
            const real inverse = 1 / m[k * n + k];
            for (int j = k + 1; j < n; j += 1) {
                const real factor = m[j * n + k] * inverse;
                for (int i = j; i < n; i += 1) {
                    reduce(n, m, terms, i, j, m[i * n + k] * factor);
                }
            }
            for (int i = k + 1; i < n; i += 1) {
                m[i * n + k] *= inverse;
            }
            m[k * n + k] = inverse;
            continue;
        }
        exchange(n, m, terms, order, k, column);
        exchange(n, m, terms, order, k + 1, row);
        const real cross = m[(k + 1) * n + k];
        const real top = m[k * n + k] / cross, bottom = m[(k + 1) * n + k + 1] / cross;
        const real inverse = 1 / ((top * bottom - 1) * cross);
        const real first = bottom * inverse, coupling = -inverse, second = top * inverse;
        for (int j = k + 2; j < n; j += 1) {
            const real left = m[j * n + k] * first + m[j * n + k + 1] * coupling;
            const real right = m[j * n + k] * coupling + m[j * n + k + 1] * second;
            for (int i = j; i < n; i += 1) {
                reduce(n, m, terms, i, j, m[i * n + k] * left);
                reduce(n, m, terms, i, j, m[i * n + k + 1] * right);
            }
        }
        for (int i = k + 2; i < n; i += 1) {
            const real left = m[i * n + k], right = m[i * n + k + 1];
            m[i * n + k] = left * first + right * coupling;
            m[i * n + k + 1] = left * coupling + right * second;
        }
        m[k * n + k] = first;
        m[(k + 1) * n + k] = coupling;
        m[(k + 1) * n + k + 1] = second;
    }
    substitute(n, m, order, is_double, scale, b);
    for (int pass = 0; pass < 2; pass += 1) {
        for (int i = 0; i < n; i += 1) {
            rest[i] = right[i];
            for (int j = 0; j < n; j += 1) {
                rest[i] -= whole[i * n + j] * b[j];
            }
        }
        substitute(n, m, order, is_double, scale, rest);
        for (int i = 0; i < n; i += 1) {
            b[i] += rest[i];
        }
    }
    return 0;
}

const char *const pendulum_conditions[3] = {
    "every parameter must be finite",
    "the block assumes l > 0",
    "m*l^2 must be positive",
};

static int check(const pendulum_parameters *parameters)
{
    if (!isfinite(parameters->m)) return 1;
    if (!isfinite(parameters->l)) return 1;
    if (!isfinite(parameters->g)) return 1;
    const real p_l = parameters->l;
    const real p_m = parameters->m;
    if (!((p_l) > 0)) return 2;
    if (!((p_l * p_l * p_m) > 0)) return 3;
    return 0;
}

int pendulum_prepare(const pendulum_parameters *parameters, pendulum_prepared *prepared)
{
    const int broken = check(parameters);
    if (broken) return broken;
    const real p_l = parameters->l;
    const real x1 = p_l * p_l;
    const real p_m = parameters->m;
    const real x2 = x1 * p_m;
    const real p_g = parameters->g;
    const real x3 = p_l * p_m;
    const real x4 = p_g * x3;
    const real x5 = 1 / x2;
    prepared->k1 = x1;
    prepared->k2 = x2;
    prepared->k3 = x3;
    prepared->k4 = x4;
    prepared->k5 = -x4;
    prepared->k6 = (real)0.0 < x2;
    prepared->k7 = x5;
    prepared->k8 = -(x4 * x5);
    prepared->k9 = p_l * p_g;
    prepared->k10 = p_m * p_g;
    prepared->k11 = x3 * (real)2.0;
    prepared->k12 = x2 * (real)0.5;
    return 0;
}

/* The acceleration, and the multipliers of the constraints. Operations: 1 addition, 2 multiplications, 1 sine/cosine
   pair. */
int pendulum_acceleration(
    const pendulum_prepared *prepared, lagrange_real t, const lagrange_real *q, const lagrange_real *v, const lagrange_real *u, pendulum_acceleration_result *result)
{
    const real u_torque = u[0];
    const real q_theta = q[0];
    const real sin_theta = FN(sin)(q_theta);
    if (!(prepared->k6)) {
        pendulum_equations_result form;
        real matrix[1 * 1] = {0}, right[1];
        pendulum_equations(prepared, t, q, v, u, &form);
        for (int i = 0; i < 1; i += 1) {
            right[i] = form.forcing[i];
            for (int j = 0; j < 1; j += 1) matrix[i * 1 + j] = form.mass_matrix[i][j];
        }
        const int vanished = solve_symmetric(1, matrix, right);
        for (int i = 0; i < 1; i += 1) result->acceleration[i] = right[i];
        return vanished;
    }
    result->acceleration[0] = (u_torque - prepared->k4 * sin_theta) * prepared->k7;
    return 0;
}

/* The acceleration and the multipliers, and their derivatives by q, v, t and u: in the first rows of the acceleration, in
   the rows below of the multipliers. Operations: 1 addition, 3 multiplications, 1 sine/cosine pair. */
int pendulum_acceleration_jacobian(
    const pendulum_prepared *prepared, lagrange_real t, const lagrange_real *q, const lagrange_real *v, const lagrange_real *u, pendulum_acceleration_jacobian_result *result)
{
    (void)t;
    (void)v;
    const real u_torque = u[0];
    const real q_theta = q[0];
    const real sin_theta = FN(sin)(q_theta);
    const real cos_theta = FN(cos)(q_theta);
    if (!(prepared->k6)) {
        return -1;
    }
    result->acceleration[0] = (u_torque - prepared->k4 * sin_theta) * prepared->k7;
    result->by_q[0][0] = cos_theta * prepared->k8;
    result->by_v[0][0] = (real)0.0;
    result->by_t[0] = (real)0.0;
    result->by_u[0][0] = prepared->k7;
    return 0;
}

/* The mass matrix M and the forcing F of M a = F + Gᵀλ. Operations: 1 addition, 1 multiplication, 1 sine/cosine pair. */
void pendulum_equations(
    const pendulum_prepared *prepared, lagrange_real t, const lagrange_real *q, const lagrange_real *v, const lagrange_real *u, pendulum_equations_result *result)
{
    (void)t;
    (void)v;
    const real u_torque = u[0];
    const real q_theta = q[0];
    const real sin_theta = FN(sin)(q_theta);
    result->mass_matrix[0][0] = prepared->k2;
    result->forcing[0] = u_torque - prepared->k4 * sin_theta;
}

/* The momentum p and the balance f of dp/dt = f + Gᵀλ. Operations: 1 addition, 2 multiplications, 1 sine/cosine pair. */
void pendulum_balance(
    const pendulum_prepared *prepared, lagrange_real t, const lagrange_real *q, const lagrange_real *v, const lagrange_real *u, pendulum_balance_result *result)
{
    (void)t;
    const real u_torque = u[0];
    const real q_theta = q[0];
    const real sin_theta = FN(sin)(q_theta);
    const real v_theta = v[0];
    result->momentum[0] = v_theta * prepared->k2;
    result->balance[0] = u_torque - prepared->k4 * sin_theta;
}

/* The momentum and the balance, and their derivatives by q and v. Operations: 1 addition, 3 multiplications, 1
   sine/cosine pair. */
void pendulum_balance_jacobian(
    const pendulum_prepared *prepared, lagrange_real t, const lagrange_real *q, const lagrange_real *v, const lagrange_real *u, pendulum_balance_jacobian_result *result)
{
    (void)t;
    const real u_torque = u[0];
    const real q_theta = q[0];
    const real sin_theta = FN(sin)(q_theta);
    const real cos_theta = FN(cos)(q_theta);
    const real v_theta = v[0];
    result->momentum[0] = v_theta * prepared->k2;
    result->balance[0] = u_torque - prepared->k4 * sin_theta;
    result->momentum_q[0][0] = (real)0.0;
    result->mass_matrix[0][0] = prepared->k2;
    result->balance_q[0][0] = cos_theta * prepared->k5;
    result->balance_v[0][0] = (real)0.0;
}

/* The derivatives of the momentum and the balance by t and u. Operations: no operation. */
void pendulum_balance_rates(
    const pendulum_prepared *prepared, lagrange_real t, const lagrange_real *q, const lagrange_real *v, const lagrange_real *u, pendulum_balance_rates_result *result)
{
    (void)prepared;
    (void)t;
    (void)q;
    (void)v;
    (void)u;
    result->momentum_t[0] = (real)0.0;
    result->balance_t[0] = (real)0.0;
    result->balance_u[0][0] = (real)1.0;
}

/* The energy h = v·p − L, and T and V where the block states them. Operations: 1 addition, 3 multiplications, 1
   sine/cosine pair. */
void pendulum_energies(
    const pendulum_prepared *prepared, lagrange_real t, const lagrange_real *q, const lagrange_real *v, const lagrange_real *u, pendulum_energies_result *result)
{
    (void)t;
    (void)u;
    const real q_theta = q[0];
    const real cos_theta = FN(cos)(q_theta);
    const real x1 = cos_theta * prepared->k5;
    const real v_theta = v[0];
    const real x2 = prepared->k12 * (v_theta * v_theta);
    result->energy = x1 + x2;
    result->kinetic = x2;
    result->potential = x1;
}

/* The terms of dh/dt: theta, dissipation, time. Operations: 1 multiplication. */
void pendulum_powers(
    const pendulum_prepared *prepared, lagrange_real t, const lagrange_real *q, const lagrange_real *v, const lagrange_real *u, pendulum_powers_result *result)
{
    (void)prepared;
    (void)t;
    (void)q;
    const real u_torque = u[0];
    const real v_theta = v[0];
    result->powers[0] = v_theta * u_torque;
    result->powers[1] = (real)0.0;
    result->powers[2] = (real)0.0;
}

int pendulum_step(
    const pendulum_prepared *prepared, lagrange_real t, lagrange_real h, const lagrange_real *u, lagrange_real *q, lagrange_real *v)
{
    static const real nodes[4] = {(real)0.0, (real)0.5, (real)0.5, (real)1.0};
    static const real weights[4] = {1, 2, 2, 1};
    real slopes[1] = {0}, rates[1] = {0}, sum_q[1] = {0}, sum_v[1] = {0}, stage_q[1], stage_v[1];
    for (int stage = 0; stage < 4; stage += 1) {
        pendulum_acceleration_result solved;
        for (int i = 0; i < 1; i += 1) {
            stage_q[i] = q[i] + nodes[stage] * h * slopes[i];
            stage_v[i] = v[i] + nodes[stage] * h * rates[i];
        }
        const int failure = pendulum_acceleration(prepared, t + nodes[stage] * h, stage_q, stage_v, u, &solved);
        if (failure) return failure;
        for (int i = 0; i < 1; i += 1) {
            slopes[i] = stage_v[i];
            rates[i] = solved.acceleration[i];
            sum_q[i] += weights[stage] * slopes[i];
            sum_v[i] += weights[stage] * rates[i];
        }
    }
    for (int i = 0; i < 1; i += 1) {
        q[i] += h / 6 * sum_q[i];
        v[i] += h / 6 * sum_v[i];
    }
    return 0;
}

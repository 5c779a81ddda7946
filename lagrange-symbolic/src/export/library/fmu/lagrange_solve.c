/* The elimination of M a = load + G'y with the constraints G a + curvature = 0, where M is positive. */
#include "lagrange_unit.h"
#include <math.h>
#include <string.h>

/* A pivot of M that is this part of its diagonal entry is rounding. */
#define SINGULAR 1e-14
/* A pivot of the constraints' matrix that is this part of its diagonal entry, per row, is rounding. */
#define REDUNDANT 1e-11

/* Replaces x by the solution of M y = x, from M = L L', whose lower part is in `factor`. */
static void substitute(const double *factor, double *x)
{
    for (int i = 0; i < VELOCITIES; i += 1) {
        for (int k = 0; k < i; k += 1) x[i] -= factor[i * VELOCITIES + k] * x[k];
        x[i] /= factor[i * VELOCITIES + i];
    }
    for (int i = VELOCITIES - 1; i >= 0; i -= 1) {
        for (int k = i + 1; k < VELOCITIES; k += 1) x[i] -= factor[k * VELOCITIES + i] * x[k];
        x[i] /= factor[i * VELOCITIES + i];
    }
}

bool factored(Unit *unit, double time, const double *states, const double *masses, Solver *solver)
{
    double *const factor = solver->factor;
    memcpy(factor, masses, sizeof solver->factor);
    for (int i = 0; i < VELOCITIES; i += 1) {
        const double inertia = factor[i * VELOCITIES + i];
        for (int j = 0; j <= i; j += 1) {
            double rest = factor[i * VELOCITIES + j];
            for (int k = 0; k < j; k += 1) rest -= factor[i * VELOCITIES + k] * factor[j * VELOCITIES + k];
            if (i == j && !(rest > SINGULAR * inertia)) return false;
            factor[i * VELOCITIES + j] = i == j ? sqrt(rest) : rest / factor[j * VELOCITIES + j];
        }
    }
#if CONSTRAINTS > 0
    double q[VELOCITIES], value[CONSTRAINTS], scale[CONSTRAINTS], drift[CONSTRAINTS];
    coordinates(states, q);
    model_constraint(&unit->prepared, time, q, value, scale, solver->jacobian, drift);
    model_curvature(&unit->prepared, time, q, states + COORDINATES, solver->curvature);
    memcpy(solver->scaled, solver->jacobian, sizeof solver->scaled);
    for (int i = 0; i < CONSTRAINTS; i += 1) substitute(factor, solver->scaled + i * VELOCITIES);
#else
    (void)unit, (void)time, (void)states;
#endif
    return true;
}

int solved(const Solver *solver, const double *load, bool is_curved, double *acceleration, double *multipliers)
{
    memcpy(acceleration, load, VELOCITIES * sizeof *load);
    substitute(solver->factor, acceleration);
#if CONSTRAINTS > 0
    for (int i = 0; i < CONSTRAINTS; i += 1) {
        multipliers[i] = is_curved ? -solver->curvature[i] : 0.0;
        for (int k = 0; k < VELOCITIES; k += 1) multipliers[i] -= solver->jacobian[i * VELOCITIES + k] * acceleration[k];
    }
    const int rank = solve_rows(solver->jacobian, solver->scaled, multipliers);
    for (int i = 0; i < CONSTRAINTS; i += 1) {
        for (int k = 0; k < VELOCITIES; k += 1) acceleration[k] += solver->scaled[i * VELOCITIES + k] * multipliers[i];
    }
    return rank;
#else
    (void)is_curved, (void)multipliers;
    return 0;
#endif
}

#if CONSTRAINTS > 0

int solve_rows(const double *jacobian, const double *scaled, double *b)
{
    double a[CONSTRAINTS][CONSTRAINTS], diagonal[CONSTRAINTS];
    int order[CONSTRAINTS], rank = 0;
    for (int i = 0; i < CONSTRAINTS; i += 1) {
        order[i] = i;
        for (int j = 0; j < CONSTRAINTS; j += 1) {
            a[i][j] = 0.0;
            for (int k = 0; k < VELOCITIES; k += 1) a[i][j] += jacobian[i * VELOCITIES + k] * scaled[j * VELOCITIES + k];
        }
        diagonal[i] = a[i][i];
    }
    for (; rank < CONSTRAINTS; rank += 1) {
        int best = rank;
        for (int k = rank + 1; k < CONSTRAINTS; k += 1) {
            const int i = order[k], j = order[best];
            if (a[i][i] * diagonal[j] > a[j][j] * diagonal[i]) best = k;
        }
        const int pivot = order[best];
        if (!(a[pivot][pivot] > REDUNDANT * CONSTRAINTS * diagonal[pivot])) break;
        order[best] = order[rank];
        order[rank] = pivot;
        for (int k = rank + 1; k < CONSTRAINTS; k += 1) {
            const int i = order[k];
            const double factor = a[i][pivot] / a[pivot][pivot];
            for (int m = rank + 1; m < CONSTRAINTS; m += 1) a[i][order[m]] -= factor * a[pivot][order[m]];
            b[i] -= factor * b[pivot];
        }
    }
    for (int k = rank; k < CONSTRAINTS; k += 1) b[order[k]] = 0.0;
    for (int k = rank - 1; k >= 0; k -= 1) {
        const int i = order[k];
        for (int m = k + 1; m < rank; m += 1) b[i] -= a[i][order[m]] * b[order[m]];
        b[i] /= a[i][i];
    }
    return rank;
}

#endif

/* What is computed from the values of an instance. */
#include "lagrange_unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The residual of a constraint beside its size, at which its equation counts as met. */
#define MET 1e-12
/* A pivot of the constraints' matrix that is this part of its diagonal entry, per row, is rounding. */
#define REDUNDANT 1e-11
#define MOST_ITERATIONS 30

fmi3Status failed(Unit *unit, double time, const double *states, const char *text, const char *name)
{
    if (unit->is_quiet) {
        unit->reason = text;
        unit->reason_name = name;
        return fmi3Error;
    }
    char message[400 + 60 * ATLEAST1(STATES)];
    int length = snprintf(message, 400, "%.200s%.120s; at the time %.17g with", text, name, time);
    for (int i = 0; i < STATES; i += 1) {
        length += snprintf(message + length, sizeof message - (size_t)length, "%s %.30s = %.9g", i ? "," : "", state_names[i], states[i]);
    }
    if (unit->log) unit->log(unit->environment, fmi3Error, "logStatusError", message);
    return fmi3Error;
}

fmi3Status misused(Unit *unit, const char *text, const char *name)
{
    return unit ? failed(unit, unit->values.time, unit->values.states, text, name) : fmi3Error;
}

fmi3Status prepared(Unit *unit)
{
    if (!unit->values.is_stale) return fmi3OK;
    const int broken = model_prepare(unit->values.parameters, &unit->prepared);
    if (broken) {
        return failed(unit, unit->values.time, unit->values.states, "the parameters are refused: ", model_condition(broken));
    }
    unit->values.is_stale = false;
    return fmi3OK;
}

/* q of the exported functions has a place for each state of first order too, which is not used. */
static void coordinates(const double *states, double *q)
{
    for (int i = 0; i < VELOCITIES; i += 1) q[i] = i < COORDINATES ? states[i] : 0.0;
}

static bool redundant(Unit *unit, double time, const double *states, double *acceleration);

fmi3Status rates(Unit *unit, double time, const double *states, double *derivatives, double *multipliers)
{
    double q[VELOCITIES], found[ATLEAST1(CONSTRAINTS)];
    const double *const v = states + COORDINATES;
    if (prepared(unit) != fmi3OK) return fmi3Error;
    coordinates(states, q);
    const int vanished =
        model_acceleration(&unit->prepared, time, q, v, unit->values.inputs, derivatives + COORDINATES, found);
    /* Dependent constraints determine the motion, and not their multipliers. */
    const bool is_redundant = vanished > 0 && !multipliers && redundant(unit, time, states, derivatives + COORDINATES);
    if (vanished && !is_redundant) {
        return failed(
            unit, time, states, "the equations are singular: the pivot vanishes of ",
            vanished > 0 ? unknown_names[vanished - 1] : "an elimination without exchange of rows");
    }
    for (int i = 0; i < COORDINATES; i += 1) derivatives[i] = v[i];
    for (int i = 0; i < STATES; i += 1) {
        if (!isfinite(derivatives[i])) return failed(unit, time, states, "no finite number is the derivative of ", state_names[i]);
    }
    if (multipliers) memcpy(multipliers, found, CONSTRAINTS * sizeof *found);
    return fmi3OK;
}

void switches(Unit *unit, double time, const double *states, double *values)
{
    double q[VELOCITIES];
    coordinates(states, q);
    model_switches(&unit->prepared, time, q, states + COORDINATES, unit->values.inputs, values);
}

#if CONSTRAINTS > 0

/* The constraints g and their rates G v + b at a state, with what their residuals are measured by. */
typedef struct {
    double value[CONSTRAINTS], scale[CONSTRAINTS], jacobian[CONSTRAINTS * VELOCITIES], drift[CONSTRAINTS], rate[CONSTRAINTS];
    double size[CONSTRAINTS], rate_size[CONSTRAINTS];
} Rows;

static void evaluate(Unit *unit, double time, const double *states, Rows *rows)
{
    double q[VELOCITIES];
    const double *const v = states + COORDINATES;
    coordinates(states, q);
    model_constraint(&unit->prepared, time, q, rows->value, rows->scale, rows->jacobian, rows->drift);
    for (int i = 0; i < CONSTRAINTS; i += 1) {
        rows->size[i] = rows->scale[i];
        rows->rate[i] = rows->drift[i];
        rows->rate_size[i] = fabs(rows->drift[i]);
        for (int k = 0; k < VELOCITIES; k += 1) {
            const double entry = rows->jacobian[i * VELOCITIES + k];
            rows->size[i] += fabs(entry * q[k]);
            rows->rate[i] += entry * v[k];
            rows->rate_size[i] += fabs(entry * v[k]);
        }
    }
}

/* The largest quotient of a residual and its size, and where it is unless `index` is NULL. What is below `rounding` is none; NaN counts as
   infinite. */
static double largest(const double *residual, const double *size, const double *rounding, int *index)
{
    double worst = 0.0;
    for (int i = 0; i < CONSTRAINTS; i += 1) {
        const double part = fabs(residual[i]) <= (rounding ? rounding[i] : 0.0) ? 0.0 : fabs(residual[i]) / size[i];
        if (part <= worst) continue;
        worst = isnan(part) ? INFINITY : part;
        if (index) *index = i;
    }
    return worst;
}

/* The inertia of each velocity, the diagonal entry of M, or else 1; and the velocity beside which its rounding is none: the largest one so
   far, or what its force makes of it in a step or along a path of the coordinate's size. */
static void speeds(Unit *unit, double time, const double *states, double *inertias, double *speed)
{
    const Values *const values = &unit->values;
    double q[VELOCITIES], masses[VELOCITIES * VELOCITIES], forcing[VELOCITIES];
    coordinates(states, q);
    const bool has_masses = model_form(&unit->prepared, time, q, states + COORDINATES, values->inputs, masses, forcing);
    for (int k = 0; k < VELOCITIES; k += 1) {
        const double inertia = has_masses ? masses[k * VELOCITIES + k] : 1.0;
        const double acceleration = has_masses && inertia > 0.0 ? fabs(forcing[k]) / inertia : 0.0;
        const double path = k < COORDINATES ? fmax(values->largest[k], fabs(q[k])) : 0.0;
        inertias[k] = inertia > 0.0 ? inertia : 1.0;
        speed[k] = fmax(values->largest[COORDINATES + k], fmax(acceleration * values->next_step, sqrt(acceleration * path)));
    }
}

/* The rounding of the rate of each constraint with these velocities. */
static void rate_rounding(const Rows *rows, const double *speed, double *rounding)
{
    for (int i = 0; i < CONSTRAINTS; i += 1) {
        rounding[i] = 0.0;
        for (int k = 0; k < VELOCITIES; k += 1) rounding[i] += MET * fabs(rows->jacobian[i * VELOCITIES + k]) * speed[k];
    }
}

/* Solves (G X') y = b with the largest pivot first, where G X' is symmetric and not negative. A row that depends on others gets 0. */
static void solve_rows(const double *jacobian, const double *scaled, double *b)
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
}

/* Subtracts the least change x = W G' y with G x = residual. */
static void correct(const Rows *rows, const double *weights, const double *residual, double *x, int size)
{
    double y[CONSTRAINTS], scaled[CONSTRAINTS * VELOCITIES];
    memcpy(y, residual, sizeof y);
    for (int i = 0; i < CONSTRAINTS * VELOCITIES; i += 1) scaled[i] = weights[i % VELOCITIES] * rows->jacobian[i];
    solve_rows(rows->jacobian, scaled, y);
    for (int k = 0; k < size; k += 1) {
        for (int i = 0; i < CONSTRAINTS; i += 1) x[k] -= scaled[i * VELOCITIES + k] * y[i];
    }
}

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

/* The acceleration where constraints depend on each other, which then do not determine their multipliers: M a = F + G'y with
   (G M^-1 G') y = -(G M^-1 F + curvature). Returns whether M is positive, without which the acceleration is not determined either. */
static bool redundant(Unit *unit, double time, const double *states, double *acceleration)
{
    double q[VELOCITIES], factor[VELOCITIES * VELOCITIES], y[CONSTRAINTS], scaled[CONSTRAINTS * VELOCITIES];
    const double *const v = states + COORDINATES;
    Rows rows;
    coordinates(states, q);
    if (!model_form(&unit->prepared, time, q, v, unit->values.inputs, factor, acceleration)) return false;
    for (int i = 0; i < VELOCITIES; i += 1) {
        const double inertia = factor[i * VELOCITIES + i];
        for (int j = 0; j <= i; j += 1) {
            double rest = factor[i * VELOCITIES + j];
            for (int k = 0; k < j; k += 1) rest -= factor[i * VELOCITIES + k] * factor[j * VELOCITIES + k];
            if (i == j && !(rest > 1e-14 * inertia)) return false;
            factor[i * VELOCITIES + j] = i == j ? sqrt(rest) : rest / factor[j * VELOCITIES + j];
        }
    }
    substitute(factor, acceleration);
    evaluate(unit, time, states, &rows);
    model_curvature(&unit->prepared, time, q, v, y);
    memcpy(scaled, rows.jacobian, sizeof scaled);
    for (int i = 0; i < CONSTRAINTS; i += 1) {
        substitute(factor, scaled + i * VELOCITIES);
        y[i] = -y[i];
        for (int k = 0; k < VELOCITIES; k += 1) y[i] -= rows.jacobian[i * VELOCITIES + k] * acceleration[k];
    }
    solve_rows(rows.jacobian, scaled, y);
    for (int i = 0; i < CONSTRAINTS; i += 1) {
        for (int k = 0; k < VELOCITIES; k += 1) acceleration[k] += scaled[i * VELOCITIES + k] * y[i];
    }
    return true;
}

double violation(Unit *unit, double time, const double *states, int *index)
{
    Rows rows;
    double inertias[VELOCITIES], speed[VELOCITIES], rounding[CONSTRAINTS];
    int of_rate = 0;
    if (prepared(unit) != fmi3OK) return INFINITY;
    evaluate(unit, time, states, &rows);
    speeds(unit, time, states, inertias, speed);
    rate_rounding(&rows, speed, rounding);
    const double value = largest(rows.value, rows.size, NULL, index), rate = largest(rows.rate, rows.rate_size, rounding, &of_rate);
    if (index && rate > value) *index = of_rate;
    return fmax(value, rate);
}

fmi3Status project(Unit *unit, double time, double *states)
{
    Rows rows;
    double weights[VELOCITIES], speed[VELOCITIES], rounding[CONSTRAINTS];
    if (prepared(unit) != fmi3OK) return fmi3Error;
    speeds(unit, time, states, weights, speed);
    for (int k = 0; k < VELOCITIES; k += 1) {
        weights[k] = 1.0 / weights[k];
        /* What is left of a velocity that has no place beside the constraints is rounding of what it was. */
        speed[k] = fmax(speed[k], fabs(states[COORDINATES + k]));
    }
    double before = INFINITY;
    evaluate(unit, time, states, &rows);
    for (int pass = 0; pass < MOST_ITERATIONS; pass += 1) {
        const double now = largest(rows.value, rows.size, NULL, NULL);
        /* Rounding ends the iteration where the residual no longer falls. */
        if (now == 0.0 || (now <= MET && !(now < before / 2))) break;
        before = now;
        correct(&rows, weights, rows.value, states, COORDINATES);
        evaluate(unit, time, states, &rows);
    }
    if (!(largest(rows.value, rows.size, NULL, NULL) <= MET)) {
        return failed(unit, time, states, "the constraints cannot be satisfied", "");
    }
    for (int pass = 0; pass < 2; pass += 1) {
        correct(&rows, weights, rows.rate, states + COORDINATES, VELOCITIES);
        evaluate(unit, time, states, &rows);
    }
    rate_rounding(&rows, speed, rounding);
    if (!(largest(rows.rate, rows.rate_size, rounding, NULL) <= 1e3 * MET)) {
        return failed(unit, time, states, "the rates of the constraints cannot be satisfied", "");
    }
    return fmi3OK;
}

fmi3Status admit_parameters(Unit *unit)
{
    Values *const values = &unit->values;
    int index = 0;
    if (prepared(unit) != fmi3OK) return fmi3Error;
    if (!(values->allowed > 0.0)) return fmi3OK;
    if (!(violation(unit, values->time, values->states, &index) <= values->allowed)) {
        return misused(unit, "with the changed parameters the state violates the ", unknown_names[VELOCITIES + index]);
    }
    values->allowed = 0.0;
    return project(unit, values->time, values->states);
}

#else

static bool redundant(Unit *unit, double time, const double *states, double *acceleration)
{
    (void)unit, (void)time, (void)states, (void)acceleration;
    return false;
}

double violation(Unit *unit, double time, const double *states, int *index)
{
    (void)unit, (void)time, (void)states, (void)index;
    return 0.0;
}

fmi3Status admit_parameters(Unit *unit)
{
    return prepared(unit);
}

fmi3Status project(Unit *unit, double time, double *states)
{
    (void)unit, (void)time, (void)states;
    return fmi3OK;
}

#endif

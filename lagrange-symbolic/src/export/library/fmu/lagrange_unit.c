/* What is computed from the values of an instance. */
#include "lagrange_unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The residual of a constraint beside its size, at which its equation counts as met. */
#define MET 1e-12
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

void coordinates(const double *states, double *q)
{
    for (int i = 0; i < VELOCITIES; i += 1) q[i] = i < COORDINATES ? states[i] : 0.0;
}

#if ROWS == 0

static bool redundant(Unit *unit, double time, const double *states, double *acceleration);

/* The accelerations where no force has a phase. */
static fmi3Status accelerations(Unit *unit, double time, const double *states, double *acceleration, double *multipliers)
{
    double q[VELOCITIES], found[ATLEAST1(CONSTRAINTS)];
    coordinates(states, q);
    const int vanished =
        model_acceleration(&unit->prepared, time, q, states + COORDINATES, unit->values.inputs, acceleration, found);
    /* Dependent constraints determine the motion, and not their multipliers. */
    const bool is_redundant = vanished > 0 && !multipliers && redundant(unit, time, states, acceleration);
    if (vanished && !is_redundant) {
        return failed(
            unit, time, states, "the equations are singular: the pivot vanishes of ",
            vanished > 0 ? unknown_names[vanished - 1] : "an elimination without exchange of rows");
    }
    if (multipliers) memcpy(multipliers, found, CONSTRAINTS * sizeof *found);
    return fmi3OK;
}

#else
#define accelerations rates_of_rows
#endif

fmi3Status rates(Unit *unit, double time, const double *states, double *derivatives, double *multipliers)
{
    if (prepared(unit) != fmi3OK) return fmi3Error;
    if (accelerations(unit, time, states, derivatives + COORDINATES, multipliers) != fmi3OK) return fmi3Error;
    for (int i = 0; i < COORDINATES; i += 1) derivatives[i] = states[COORDINATES + i];
    for (int i = 0; i < STATES; i += 1) {
        if (!isfinite(derivatives[i])) return failed(unit, time, states, "no finite number is the derivative of ", state_names[i]);
    }
    return fmi3OK;
}

void own_switches(Unit *unit, double time, const double *states, double *values)
{
    double q[VELOCITIES];
    coordinates(states, q);
    model_switches(&unit->prepared, time, q, states + COORDINATES, unit->values.inputs, values);
}

void switches(Unit *unit, double time, const double *states, double *values)
{
    own_switches(unit, time, states, values);
#if ROWS > 0
    without_signs(unit, time, states, values, FIRST_END);
    ends_of_phases(unit, time, states, values + FIRST_END);
#endif
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

#if ROWS == 0
/* The acceleration where constraints depend on each other, which then do not determine their multipliers. Returns whether M is positive,
   without which the acceleration is not determined either. */
static bool redundant(Unit *unit, double time, const double *states, double *acceleration)
{
    double q[VELOCITIES], masses[VELOCITIES * VELOCITIES], forcing[VELOCITIES], multipliers[CONSTRAINTS];
    Solver solver;
    coordinates(states, q);
    if (!model_form(&unit->prepared, time, q, states + COORDINATES, unit->values.inputs, masses, forcing)) return false;
    if (!factored(unit, time, states, masses, &solver)) return false;
    solved(&solver, forcing, true, acceleration, multipliers);
    return true;
}
#endif

static double violation_of_constraints(Unit *unit, double time, const double *states, const char **name)
{
    Rows rows;
    double inertias[VELOCITIES], speed[VELOCITIES], rounding[CONSTRAINTS];
    int of_value = 0, of_rate = 0;
    evaluate(unit, time, states, &rows);
    speeds(unit, time, states, inertias, speed);
    rate_rounding(&rows, speed, rounding);
    const double value = largest(rows.value, rows.size, NULL, &of_value), rate = largest(rows.rate, rows.rate_size, rounding, &of_rate);
    if (name) *name = unknown_names[VELOCITIES + (rate > value ? of_rate : of_value)];
    return fmax(value, rate);
}

static fmi3Status project_constraints(Unit *unit, double time, double *states)
{
    Rows rows;
    double weights[VELOCITIES], speed[VELOCITIES], rounding[CONSTRAINTS];
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

#else

#if ROWS == 0
static bool redundant(Unit *unit, double time, const double *states, double *acceleration)
{
    (void)unit, (void)time, (void)states, (void)acceleration;
    return false;
}
#endif

static double violation_of_constraints(Unit *unit, double time, const double *states, const char **name)
{
    (void)unit, (void)time, (void)states, (void)name;
    return 0.0;
}

static fmi3Status project_constraints(Unit *unit, double time, double *states)
{
    (void)unit, (void)time, (void)states;
    return fmi3OK;
}

#endif

double violation(Unit *unit, double time, const double *states, const char **name)
{
    const char *of_row = "";
    if (prepared(unit) != fmi3OK) return INFINITY;
    const double constraint = violation_of_constraints(unit, time, states, name), row = violation_of_rows(unit, time, states, &of_row);
    if (name && row > constraint) *name = of_row;
    return fmax(constraint, row);
}

fmi3Status project(Unit *unit, double time, double *states)
{
    if (prepared(unit) != fmi3OK || project_constraints(unit, time, states) != fmi3OK) return fmi3Error;
    return hold_rows(unit, time, states);
}

fmi3Status admit_parameters(Unit *unit)
{
    Values *const values = &unit->values;
    const char *name = "";
    if (prepared(unit) != fmi3OK) return fmi3Error;
    if (!(values->allowed > 0.0)) return fmi3OK;
    if (!(violation(unit, values->time, values->states, &name) <= values->allowed)) {
        return misused(unit, "with the changed parameters the state violates the ", name);
    }
    values->allowed = 0.0;
    return project(unit, values->time, values->states);
}

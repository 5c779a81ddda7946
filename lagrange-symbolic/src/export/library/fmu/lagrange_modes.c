/* Changes of modes: which are to be done at a state, and the state behind them. */
#include "lagrange_unit.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#if CHANGES > 0

/* Modes may change so often at one instant, for each change that the mechanism states. */
#define MOST_ROUNDS 100
/* A condition is 0 if so many roundings of the state make it so. */
#define ROUNDINGS 16.0
/* A condition begins to hold within so many doublings of a rounding of the time. */
#define MOST_DOUBLINGS 20

static double condition(Unit *unit, double time, const double *states, int index)
{
    double values[SWITCHES];
    switches(unit, time, states, values);
    return values[SWITCHES - CHANGES + index];
}

/* By how much a rounding of one number changes a condition. The smaller change of both directions counts, because the function may jump in
   one of them. */
static double by_one(Unit *unit, double *point, int place, int index, double here)
{
    const double kept = point[place];
    double change = INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        point[place] = kept * (1.0 + sign * ROUNDINGS * DBL_EPSILON);
        change = fmin(change, fabs(condition(unit, point[STATES], point, index) - here));
    }
    point[place] = kept;
    return change;
}

/* By how much roundings of the state and of the time change a condition. */
static double rounding_of(Unit *unit, int index, double here)
{
    double point[STATES + 1], rounding = 0.0;
    memcpy(point, unit->values.states, sizeof unit->values.states);
    point[STATES] = unit->values.time;
    for (int place = 0; place <= STATES; place += 1) rounding += by_one(unit, point, place, index, here);
    return rounding;
}

/* A condition at a state later by h, as these rates continue the motion. */
static double later(Unit *unit, int index, double h, const double *slope)
{
    double states[STATES];
    for (int i = 0; i < STATES; i += 1) states[i] = unit->values.states[i] + h * slope[i];
    return condition(unit, unit->values.time + h, states, index);
}

/* Whether a condition holds by more than roundings of the state and of the time make of it. */
static bool holds(Unit *unit, int index, double here, const double *slope)
{
    if (!(here > rounding_of(unit, index, here))) return false;
    return here > 2.0 * fabs(later(unit, index, 2.0 * DBL_EPSILON * fabs(unit->values.time), slope) - here);
}

/* A rounding of the time. Near t = 0 it is that of the time in which a state changes by its size. */
static double moment(const Unit *unit, const double *slope)
{
    double shortest = INFINITY;
    for (int i = 0; i < STATES; i += 1) {
        const double largest = unit->values.largest[i];
        if (slope[i] != 0.0 && largest > 0.0) shortest = fmin(shortest, largest / fabs(slope[i]));
    }
    return 4.0 * DBL_EPSILON * fmax(fabs(unit->values.time), isfinite(shortest) ? shortest : 0.0);
}

/* Whether a condition that is located begins to hold: the importing tool may end its step at the zero, or a rounding before it. */
static bool begins(Unit *unit, int index, double here, const double *slope)
{
    if (here > 0.0) return true;
    if (!(here >= -rounding_of(unit, index, here))) return false;
    double h = moment(unit, slope);
    for (int pass = 0; pass < MOST_DOUBLINGS; pass += 1, h *= 2.0) {
        if (later(unit, index, h, slope) > 0.0) return true;
    }
    return false;
}

/* Does a change, and moves the state behind it to the constraints. */
static fmi3Status change(Unit *unit, int index)
{
    Values *const values = &unit->values;
    double q[VELOCITIES];
    double *const v = values->states + COORDINATES;
    for (int i = 0; i < VELOCITIES; i += 1) q[i] = i < COORDINATES ? values->states[i] : 0.0;
    model_change(&unit->prepared, values->time, q, v, values->inputs, index);
    memcpy(values->states, q, COORDINATES * sizeof *q);
    for (int i = 0; i < STATES; i += 1) {
        if (!isfinite(values->states[i])) {
            return failed(unit, values->time, values->states, "no finite number is assigned by a change of the mode ", change_names[index]);
        }
    }
    if (project(unit, values->time, values->states) != fmi3OK) return fmi3Error;
    for (int i = 0; i < STATES; i += 1) values->largest[i] = fmax(values->largest[i], fabs(values->states[i]));
    return fmi3OK;
}

/* The error of modes that change in a circle, by the names of those that the last changes concern. */
static fmi3Status circle(Unit *unit, const int *last)
{
    char names[120] = "";
    size_t length = 0;
    for (int i = 0; i < CHANGES && length < sizeof names; i += 1) {
        bool is_known = false;
        for (int k = 0; k < i; k += 1) is_known = is_known || strcmp(change_names[last[k]], change_names[last[i]]) == 0;
        if (!is_known) length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", change_names[last[i]]);
    }
    return failed(unit, unit->values.time, unit->values.states, "without end at one instant change the modes ", names);
}

fmi3Status is_due(Unit *unit, bool *due)
{
    double slope[STATES], all[SWITCHES];
    *due = false;
    if (prepared(unit) != fmi3OK || rates(unit, unit->values.time, unit->values.states, slope, NULL) != fmi3OK) return fmi3Error;
    switches(unit, unit->values.time, unit->values.states, all);
    for (int i = 0; i < CHANGES; i += 1) *due = *due || holds(unit, i, all[SWITCHES - CHANGES + i], slope);
    return fmi3OK;
}

fmi3Status settle(Unit *unit, bool is_located, bool *has_changed)
{
    Values *const values = &unit->values;
    int last[CHANGES] = {0};
    *has_changed = false;
    if (prepared(unit) != fmi3OK) return fmi3Error;
    for (int round = 0; round <= MOST_ROUNDS * CHANGES; round += 1) {
        double slope[STATES], all[SWITCHES];
        int due = -1;
        if (rates(unit, values->time, values->states, slope, NULL) != fmi3OK) return fmi3Error;
        switches(unit, values->time, values->states, all);
        for (int i = 0; i < CHANGES && due < 0; i += 1) {
            const double here = all[SWITCHES - CHANGES + i];
            if (isnan(here)) {
                return failed(unit, values->time, values->states, "no number is a condition of the mode ", change_names[i]);
            }
            const bool is_first = is_located && !*has_changed;
            if (is_first ? begins(unit, i, here, slope) : holds(unit, i, here, slope)) due = i;
        }
        if (due < 0) return fmi3OK;
        if (change(unit, due) != fmi3OK) return fmi3Error;
        last[round % CHANGES] = due;
        *has_changed = true;
    }
    return circle(unit, last);
}

#else

fmi3Status is_due(Unit *unit, bool *due)
{
    (void)unit;
    *due = false;
    return fmi3OK;
}

fmi3Status settle(Unit *unit, bool is_located, bool *has_changed)
{
    (void)unit, (void)is_located;
    *has_changed = false;
    return fmi3OK;
}

#endif

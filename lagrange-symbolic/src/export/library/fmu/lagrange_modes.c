/* What happens at an instant: changes of modes, and in turn with them what contacts and frictions do. */
#include "lagrange_unit.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A condition begins to hold within so many doublings of a rounding of the time. */
#define MOST_DOUBLINGS 20
/* Modes and contacts may change in turn so often at one instant. */
#define MOST_TURNS 100

#if CONDITIONS > 0

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

#endif

#if CHANGES > 0

/* Modes may change so often at one instant, for each change that the mechanism states. */
#define MOST_ROUNDS 100
/* A condition is 0 if so many roundings of the state make it so. */
#define ROUNDINGS 16.0

static double condition(Unit *unit, double time, const double *states, int index)
{
    double values[SWITCHES];
    own_switches(unit, time, states, values);
    return values[FIRST_CHANGE + index];
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

/* Does changes of modes, one after the other, until no condition holds by more than rounding. */
static fmi3Status change_modes(Unit *unit, bool is_located, bool *has_changed)
{
    Values *const values = &unit->values;
    int last[CHANGES] = {0};
    *has_changed = false;
    for (int round = 0; round <= MOST_ROUNDS * CHANGES; round += 1) {
        double slope[STATES], all[SWITCHES];
        int due = -1;
        if (rates(unit, values->time, values->states, slope, NULL) != fmi3OK) return fmi3Error;
        own_switches(unit, values->time, values->states, all);
        for (int i = 0; i < CHANGES && due < 0; i += 1) {
            const double here = all[FIRST_CHANGE + i];
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

/* Whether the condition of a change holds by more than rounding. */
static bool is_change_due(Unit *unit, const double *slope)
{
    double all[SWITCHES];
    own_switches(unit, unit->values.time, unit->values.states, all);
    for (int i = 0; i < CHANGES; i += 1) {
        if (holds(unit, i, all[FIRST_CHANGE + i], slope)) return true;
    }
    return false;
}

#else

static fmi3Status change_modes(Unit *unit, bool is_located, bool *has_changed)
{
    (void)unit, (void)is_located;
    *has_changed = false;
    return fmi3OK;
}

static bool is_change_due(Unit *unit, const double *slope)
{
    (void)unit, (void)slope;
    return false;
}

#endif

/* Finds the rows whose phases end at the present state, or, where an end is located, at one that the present rates reach next: the importing
   tool may end its step before it. Returns whether there are any. */
static bool ending(Unit *unit, bool is_located, bool *crossed, double *ahead)
{
    bool is_any = false;
    *ahead = 0.0;
    crossed[0] = false;
#if ROWS > 0
    const Values *const values = &unit->values;
    double ends[ROWS], slope[STATES], states[STATES];
    if (values->is_fresh) {
        memset(crossed, 0, ROWS * sizeof *crossed);
        return true;
    }
    const bool looks_ahead = is_located && rates(unit, values->time, values->states, slope, NULL) == fmi3OK;
    for (int pass = 0; pass < (looks_ahead ? MOST_DOUBLINGS : 1) && !is_any; pass += 1) {
        if (pass > 0) *ahead = pass > 1 ? 2.0 * *ahead : moment(unit, slope);
        for (int i = 0; i < STATES; i += 1) states[i] = values->states[i] + (pass > 0 ? *ahead * slope[i] : 0.0);
        ends_of_phases(unit, values->time + *ahead, states, ends);
        for (int k = 0; k < ROWS; k += 1) {
            crossed[k] = ends[k] > 0.0;
            is_any = is_any || crossed[k];
        }
    }
#else
    (void)unit, (void)is_located;
#endif
    return is_any;
}

fmi3Status is_due(Unit *unit, bool *due)
{
    double slope[STATES], ahead;
    bool crossed[ATLEAST1(ROWS)];
    if (rates(unit, unit->values.time, unit->values.states, slope, NULL) != fmi3OK) return fmi3Error;
    *due = ending(unit, false, crossed, &ahead) || is_change_due(unit, slope);
    return fmi3OK;
}

fmi3Status settle(Unit *unit, bool is_located, bool *has_changed)
{
    bool crossed[ATLEAST1(ROWS)], has_mode_changed = false;
    double ahead;
    *has_changed = false;
    if (prepared(unit) != fmi3OK) return fmi3Error;
    /* The modes at the start decide which forces act. */
    if (ROWS > 0 && unit->values.is_fresh && change_modes(unit, false, has_changed) != fmi3OK) return fmi3Error;
    if (ending(unit, is_located, crossed, &ahead)) {
        if (settle_rows(unit, crossed, ahead) != fmi3OK) return fmi3Error;
        *has_changed = ROWS > 0;
        is_located = false;
    }
    unit->values.is_fresh = false;
    for (int turn = 0; turn < MOST_TURNS; turn += 1) {
        if (change_modes(unit, is_located, &has_mode_changed) != fmi3OK) return fmi3Error;
        if (!has_mode_changed) return fmi3OK;
        *has_changed = true;
        if (ROWS == 0) return fmi3OK;
        memset(crossed, 0, sizeof crossed);
        is_located = false;
        if (settle_rows(unit, crossed, 0.0) != fmi3OK) return fmi3Error;
    }
    return misused(unit, "without end at one instant change modes, with contacts between the changes", "");
}

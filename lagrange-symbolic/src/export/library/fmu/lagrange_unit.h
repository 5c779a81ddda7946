/* An instance of the mechanism: its values, and what the functions of FMI and the steps of co-simulation compute from them. */
#ifndef LAGRANGE_UNIT_H
#define LAGRANGE_UNIT_H

#include "lagrange_fmi3.h"
#include "lagrange_model.h"

/* No array of C has the length 0. */
#define ATLEAST1(size) ((size) > 0 ? (size) : 1)
/* The continuous states: the coordinates, then their velocities and the states of first order. */
#define STATES (COORDINATES + VELOCITIES)

/* The first value reference of each kind of variable. The time has the value reference 0. */
#define FIRST_PARAMETER 1u
#define FIRST_INPUT (FIRST_PARAMETER + PARAMETERS)
#define FIRST_STATE (FIRST_INPUT + INPUTS)
#define FIRST_ACCELERATION (FIRST_STATE + STATES)
#define FIRST_OUTPUT (FIRST_ACCELERATION + VELOCITIES)
#define FIRST_ENERGY (FIRST_OUTPUT + OUTPUTS)
#define FIRST_MULTIPLIER (FIRST_ENERGY + ENERGIES)
#define FIRST_SWITCH (FIRST_MULTIPLIER + CONSTRAINTS)
#define FIRST_PHASE (FIRST_SWITCH + SWITCHES)
#define VARIABLES (FIRST_PHASE + ROWS)

/* The last switching functions are conditions: an instant is settled where one becomes positive. First those of the ends of the phases of
   rows, then those of the changes of modes. */
#define CONDITIONS (ROWS + CHANGES)
#define FIRST_END (SWITCHES - CONDITIONS)
#define FIRST_CHANGE (SWITCHES - CHANGES)

typedef enum { INSTANTIATED, INITIALIZATION, EVENT, CONTINUOUS, STEP, TERMINATED } Mode;

/* All that a checkpoint has to keep. There is no pointer in it, so that its bytes are a checkpoint. */
typedef struct {
    double time;
    double parameters[ATLEAST1(PARAMETERS)];
    double inputs[ATLEAST1(INPUTS)];
    double states[ATLEAST1(STATES)];
    /* The largest magnitude of each state so far, by which errors are measured. */
    double largest[ATLEAST1(STATES)];
    /* The relative tolerance, and the length of the next step; 0 where it is not known. */
    double tolerance, next_step;
    /* The violation of the constraints that the parameters since a change may cause; 0 if none has changed. */
    double allowed;
    /* The time of the last step of the importing tool. */
    double stepped;
    /* The phases of the rows of contacts and frictions; they are 1 before they are found for the first time. */
    int phases[ATLEAST1(ROWS)];
    Mode mode;
    /* Whether `prepared` belongs to other parameters, whether an event of the continuous motion is to be handled, and whether the first
       instant is still to be settled. */
    bool is_stale, is_event, is_fresh;
} Values;

typedef struct {
    Values values;
    model_prepared prepared;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    bool is_cosimulation, is_event_mode_used;
    /* Whether failures are those of an attempt, which is repeated with a shorter step: they are kept here, and not reported. */
    bool is_quiet;
    const char *reason, *reason_name;
    /* The impacts so far. */
    int impacts;
} Unit;

/* M = L L' at a state, whose lower part is in `factor`; the rows of the constraints, solved for M too; and their curvature. */
typedef struct {
    double factor[VELOCITIES * VELOCITIES];
    double jacobian[ATLEAST1(CONSTRAINTS * VELOCITIES)], scaled[ATLEAST1(CONSTRAINTS * VELOCITIES)], curvature[ATLEAST1(CONSTRAINTS)];
} Solver;

/* An attempt of a step: the state at its end, the derivatives there, the fourth coefficients of the interpolant, and its error divided by the
   tolerance, which is NaN if it leaves the states in which there are rates. */
typedef struct {
    double states[ATLEAST1(STATES)], derivatives[ATLEAST1(STATES)], bend[ATLEAST1(STATES)], error;
} Attempt;

/* Sends a message with the time and the state to the importing tool, and returns fmi3Error. */
fmi3Status failed(Unit *unit, double time, const double *states, const char *text, const char *name);

/* The same with the time and the state of the instance, which may be NULL. */
fmi3Status misused(Unit *unit, const char *text, const char *name);

/* Computes what depends on parameters alone, if they have changed. */
fmi3Status prepared(Unit *unit);

/* The derivatives of the states, and the multipliers unless `multipliers` is NULL. */
fmi3Status rates(Unit *unit, double time, const double *states, double *derivatives, double *multipliers);

/* q of the exported functions has a place for each state of first order too, which is not used. */
void coordinates(const double *states, double *q);

/* The switching functions, and behind them the conditions, which are negative where a mode has its value already. A switching function is 0
   where it has no sign, because rows stick; one without a value is NaN. */
void switches(Unit *unit, double time, const double *states, double *values);

/* The same without the conditions of rows, and without what sticks. */
void own_switches(Unit *unit, double time, const double *states, double *values);

/* Factors M at a state. Returns whether it is positive. */
bool factored(Unit *unit, double time, const double *states, const double *masses, Solver *solver);

/* Solves M a = load + G'y with G a + curvature = 0, or with G a = 0 where it is not curved. A constraint that depends on others gets y = 0.
   Returns how many do not. */
int solved(const Solver *solver, const double *load, bool is_curved, double *acceleration, double *multipliers);

/* Solves (G X') y = b with the largest pivot first, where G X' is symmetric and not negative. A row that depends on others gets 0. Returns
   how many do not. */
int solve_rows(const double *jacobian, const double *scaled, double *b);

/* The largest residual of the constraints, of the gaps that are closed or penetrated, and of their rates, each divided by its own size; and
   the name of what has it, unless `name` is NULL. */
double violation(Unit *unit, double time, const double *states, const char **name);

/* Replaces the states by the nearest ones that meet the constraints and their rates, where the inverse of the inertia weighs each change, and
   then by those at which the rows that are at rest have no gaps and no rates. */
fmi3Status project(Unit *unit, double time, double *states);

/* Refuses parameters that have changed since the constraints held and with which they are violated; moves the states to them otherwise. */
fmi3Status admit_parameters(Unit *unit);

/* Whether a change of a mode is to be done at the present state, or a phase of a row ends there. */
fmi3Status is_due(Unit *unit, bool *due);

/* Settles an instant: decides the phases of rows after their impacts, and does changes of modes one after the other, in turn until no
   condition holds by more than rounding. Tells whether anything changed. The first end or change of a `located` condition counts however
   little it holds. */
fmi3Status settle(Unit *unit, bool is_located, bool *has_changed);

/* Settles contacts and frictions where the phases of these rows end, now or `ahead` of the time, as the present rates continue the motion. */
fmi3Status settle_rows(Unit *unit, const bool *crossed, double ahead);

/* Moves the states to those at which rows at rest have no gaps and no rates. */
fmi3Status hold_rows(Unit *unit, double time, double *states);

/* The part of `violation` of the rows. */
double violation_of_rows(Unit *unit, double time, const double *states, const char **name);

#if ROWS > 0

/* For each row a function that is positive where its phase ends; NaN where there are none. */
void ends_of_phases(Unit *unit, double time, const double *states, double *ends);

/* Replaces the first `count` switching functions that have no sign, because rows stick, by 0: at the velocity at which the rows rest, such a
   function is not larger than what roundings of their rates change. */
void without_signs(Unit *unit, double time, const double *states, double *values, int count);

/* The derivatives of the velocities in the present phases, and the multipliers unless they are NULL. */
fmi3Status rates_of_rows(Unit *unit, double time, const double *states, double *acceleration, double *multipliers);

/* What errors of accelerations are measured by: the acceleration without forces of rows, and what each of these makes or could make. What
   is at rest has accelerations that are rounding of these. */
fmi3Status terms_of_rows(Unit *unit, double time, const double *states, double *terms);

#endif

/* The part of a step by an attempt that may be taken: 1 where no switching function leaves its sign, or else the part that ends behind the
   first change, or where the functions cannot be told. A function whose sign is 0 gets that which it takes first. */
double clear_part(Unit *unit, const double *derivatives, const Attempt *attempt, double h, double *signs);

/* Moves the unit to this time by the method of Dormand and Prince with control of the step. */
fmi3Status advance(Unit *unit, double until);

#endif

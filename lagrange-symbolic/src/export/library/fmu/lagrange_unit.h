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
#define VARIABLES (FIRST_SWITCH + SWITCHES)

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
    Mode mode;
    /* Whether `prepared` belongs to other parameters, and whether an event of the continuous motion is to be handled. */
    bool is_stale, is_event;
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
} Unit;

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

/* The switching functions, and behind them the conditions of the changes of modes, which are negative where a mode has its value already. */
void switches(Unit *unit, double time, const double *states, double *values);

/* The largest residual of the constraints and of their rates, each divided by its own size, and which constraint has it, unless `index` is
   NULL; 0 without constraints. */
double violation(Unit *unit, double time, const double *states, int *index);

/* Replaces the states by the nearest ones that meet the constraints and their rates; the inverse of the inertia weighs each change. */
fmi3Status project(Unit *unit, double time, double *states);

/* Refuses parameters that have changed since the constraints held and with which they are violated; moves the states to them otherwise. */
fmi3Status admit_parameters(Unit *unit);

/* Whether a change of a mode is to be done at the present state. */
fmi3Status is_due(Unit *unit, bool *due);

/* Does changes of modes, one after the other, until no condition holds by more than rounding, and tells whether there was one. The first
   change of a `located` condition counts however little it holds. */
fmi3Status settle(Unit *unit, bool is_located, bool *has_changed);

/* The part of a step by an attempt that may be taken: 1 where no switching function leaves its sign, or else the part that ends behind the
   first change, or where the functions cannot be told. A function whose sign is 0 gets that which it takes first. */
double clear_part(Unit *unit, const double *derivatives, const Attempt *attempt, double h, double *signs);

/* Moves the unit to this time by the method of Dormand and Prince with control of the step. */
fmi3Status advance(Unit *unit, double until);

#endif

/* What the functions of FMI need of the mechanism pendulum. */
#ifndef LAGRANGE_MODEL_H
#define LAGRANGE_MODEL_H

#include "pendulum.h"
#include <stdbool.h>

/* How many there are of each. The switching functions of the equations are followed by the functions that become positive where the phases of rows end, and by the conditions of changes of modes. Velocities are those of the coordinates, and behind them the states of first order. */
#define PARAMETERS 3
#define INPUTS 1
#define COORDINATES 1
#define VELOCITIES 1
#define OUTPUTS 2
#define SLOPES 2
#define ENERGIES 3
#define CONSTRAINTS 0
#define SWITCHES 0
#define ROWS 0
#define GAPS 0
#define CHANGES 0
#define HAS_JACOBIAN 1
#define DEFAULT_TOLERANCE 1e-9

typedef pendulum_prepared model_prepared;

/* The derivatives of the accelerations and the multipliers, row by row. The last number of each is not used. */
typedef struct {
    double by_q[(VELOCITIES + CONSTRAINTS) * VELOCITIES + 1];
    double by_v[(VELOCITIES + CONSTRAINTS) * VELOCITIES + 1];
    double by_t[(VELOCITIES + CONSTRAINTS) * 1 + 1];
    double by_u[(VELOCITIES + CONSTRAINTS) * INPUTS + 1];
} Jacobian;

/* The derivatives of outputs, without the derivatives that are 0. Each one has the index of its output, the kind of its variable, and the index of that variable. */
typedef enum { BY_COORDINATE, BY_VELOCITY, BY_TIME, BY_INPUT, BY_ACCELERATION, BY_MULTIPLIER } Kind;
typedef struct {
    int output;
    Kind by;
    int index;
} Slope;

/* A row in which the force of a contact or of a dry friction acts, and the index of the gap, or of the row of the contact whose slip it is. */
typedef enum { FRICTION, CONTACT, SLIP } Law;
typedef struct {
    const char *name;
    Law law;
    int of;
} Row;

extern const Row contact_rows[];
extern const Slope output_slopes[];
extern const char instantiation_token[];
extern const double start_parameters[], start_inputs[], start_states[], state_nominals[];
/* The names of all variables by their value references, of the states, and of the coordinates and the constraints. */
extern const char *const variable_names[], *const state_names[], *const unknown_names[];
/* The mode of each change. */
extern const char *const change_names[];

/* Returns 0, or 1 + the index of the condition that the parameters break. */
int model_prepare(const double *parameters, model_prepared *prepared);
const char *model_condition(int broken);
/* These return 0, or 1 + the index of the unknown whose pivot vanishes, or -1. */
int model_acceleration(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *acceleration, double *multipliers);
int model_jacobian(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, Jacobian *jacobian);
/* The outputs, and behind them their derivatives. */
void model_outputs(const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *values);
void model_energies(const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *values);
/* The switching functions of the equations, and the conditions of changes of modes. The places between them, which belong to the ends of phases, are not written. */
void model_switches(const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *values);
/* Does a change of a mode, whatever its condition. Returns whether the mode has another value then. */
bool model_change(const model_prepared *prepared, double t, double *q, double *v, const double *u, int index);
/* The mass matrix and the forcing; returns whether the mechanism has them. */
bool model_form(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *masses, double *forcing);
void model_curvature(const model_prepared *prepared, double t, const double *q, const double *v, double *curvature);
void model_constraint(
    const model_prepared *prepared, double t, const double *q, double *value, double *scale, double *jacobian, double *drift);
/* The mass matrix and the forcing without the forces of the rows; the rates of the rows, their directions as columns, the rest of their
   accelerations, and their bounds or coefficients of friction. */
void model_contact_rows(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *masses, double *forcing,
    double *rate, double *directions, double *curvature, double *bound);
void model_gaps(const model_prepared *prepared, double t, const double *q, double *value, double *scale, double *restitution);
/* The coefficients of restitution at an impact before which the velocities are v. */
void model_restitutions(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *restitution);

#endif

/* Contacts and dry friction. Their forces act in rows: each is a gap or a slip, with a rate s. A row has a phase: it is 0 where a gap is
   closed or a slip sticks, and otherwise 1 or -1: open, or the direction of the slip. */
#ifndef LAGRANGE_ROWS_H
#define LAGRANGE_ROWS_H

#include "lagrange_unit.h"

#if ROWS > 0

#define STICKS 0
/* Rates and accelerations of rows are 0 within so many roundings of their terms, gaps within the second number. */
#define RATE_ROUNDINGS 256.0
#define GAP_ROUNDINGS 64.0

/* The accelerations of the rows without their forces, or the rates before an impact, and the sums of the magnitudes of their terms. */
typedef struct {
    double free[ROWS], terms[ROWS];
    bool is_impact;
} Level;

/* The equations at a state, solved for a as a function of the forces of the rows: the acceleration of row k is
   level.free[k] + sum of compliance[k][l] times the force in row l. */
typedef struct {
    double time, q[VELOCITIES], v[VELOCITIES];
    double rate[ROWS], bound[ROWS], directions[ROWS][VELOCITIES], responses[ROWS][VELOCITIES], compliance[ROWS][ROWS];
    double forcing[VELOCITIES], free[VELOCITIES];
    Solver solver;
    Level level;
} Reduced;

/* A gap, the sum of the magnitudes of its terms, and what of it is rounding or an error of the steps of the importing tool. */
typedef struct {
    double value, terms, rounding, restitution;
} Gap;

/* Solves the equations at a state. */
fmi3Status reduce(Unit *unit, double time, const double *states, Reduced *reduced);

/* Whether a row cannot act in these phases: the slip of an open contact. */
bool is_idle(int row, const int *phases);

Gap gap_of(Unit *unit, const Reduced *reduced, int row);

/* The magnitude of the terms of a rate, and what of it is rounding. */
double rate_terms(const Reduced *reduced, int row);
double rate_rounding_of(const Reduced *reduced, int row);

/* What errors of the importing tool in coordinates, or in velocities, make of a gap or a rate; 0 where the unit makes the steps. */
double tool_error(const Unit *unit, const Reduced *reduced, int row, bool is_rate);

/* The acceleration of a row under forces. */
double driven(const Reduced *reduced, int row, const double *forces, const Level *level);

/* By how much the force of a row in the phase 0 is beyond what its law allows; positive where the phase ends. */
double excess(const Reduced *reduced, int row, const double *forces, const Level *level);

/* The forces in known phases. Returns -1, or a row that depends on others and contradicts them. */
int forces_in(const Reduced *reduced, const int *phases, const Level *level, double *forces);

/* Finds the phases of the candidates that obey the laws, and the forces. The other rows keep their phases. */
fmi3Status decide(Unit *unit, const Reduced *reduced, const bool *candidates, const Level *level, int *phases, double *forces);

/* Adds to a vector of velocities, or of accelerations, what forces or impulses in the rows change. */
void add_changes(const Reduced *reduced, const double *forces, double *values);

/* Brings the rates of these rows to 0 with the least change of v in the metric of M. `rest`: rates that are rounding of a velocity before,
   as behind an impact that leaves nothing else; may be NULL. */
fmi3Status stop_rows(Unit *unit, double time, double *states, const bool *held, const double *rest);

/* Brings the gaps of these contacts to 0 with the least change of q in the metric of M. */
fmi3Status ground_rows(Unit *unit, double time, double *states, const bool *closed);

/* The error of several rows. */
fmi3Status failed_rows(Unit *unit, const bool *rows, const char *text);

#endif
#endif

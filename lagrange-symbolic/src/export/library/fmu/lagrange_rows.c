/* The forces of contacts and dry friction in known phases, and the phases that obey the laws. Every combination of phases is tried, and one
   counts only if all that obey the laws lead to the same motion. The same laws hold for the impulses of an impact. */
#include "lagrange_rows.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#if ROWS > 0

/* A force may leave what its law allows by this part of its terms. */
#define BAND 1e-12
/* Motions are the same that differ by less than this part of their terms. */
#define SAME 1e-7
/* A row depends on others where its pivot is this part of its own compliance. */
#define DEPENDENT 1e-11
/* The errors of a motion that an importing tool steps are so many of its tolerances. */
#define TOOL_ERRORS 10.0
/* Rounding must not decide between equal pivots. */
#define LARGER (1.0 + 1e-9)
#define MOST_CORRECTIONS 8

fmi3Status reduce(Unit *unit, double time, const double *states, Reduced *reduced)
{
    double masses[VELOCITIES * VELOCITIES], columns[VELOCITIES * ROWS], curvature[ROWS], multipliers[ATLEAST1(CONSTRAINTS)];
    if (prepared(unit) != fmi3OK) return fmi3Error;
    reduced->time = time;
    coordinates(states, reduced->q);
    memcpy(reduced->v, states + COORDINATES, sizeof reduced->v);
    model_contact_rows(
        &unit->prepared, time, reduced->q, reduced->v, unit->values.inputs, masses, reduced->forcing, reduced->rate, columns, curvature,
        reduced->bound);
    if (!factored(unit, time, states, masses, &reduced->solver)) {
        return failed(unit, time, states, "the mass matrix is not positive, where a contact or friction acts", "");
    }
    solved(&reduced->solver, reduced->forcing, true, reduced->free, multipliers);
    for (int k = 0; k < ROWS; k += 1) {
        for (int i = 0; i < VELOCITIES; i += 1) reduced->directions[k][i] = columns[i * ROWS + k];
        solved(&reduced->solver, reduced->directions[k], false, reduced->responses[k], multipliers);
    }
    reduced->level.is_impact = false;
    for (int k = 0; k < ROWS; k += 1) {
        const double *const direction = reduced->directions[k];
        double free = curvature[k], terms = fabs(curvature[k]);
        for (int i = 0; i < VELOCITIES; i += 1) {
            free += direction[i] * reduced->free[i];
            terms += fabs(direction[i] * reduced->free[i]);
        }
        reduced->level.free[k] = free;
        reduced->level.terms[k] = terms;
        for (int l = 0; l < ROWS; l += 1) {
            reduced->compliance[k][l] = 0.0;
            for (int i = 0; i < VELOCITIES; i += 1) reduced->compliance[k][l] += direction[i] * reduced->responses[l][i];
        }
        if (contact_rows[k].law != CONTACT && !(reduced->bound[k] >= 0.0)) {
            return failed(unit, time, states, "negative, or no number, is the bound or the coefficient of the ", contact_rows[k].name);
        }
    }
    return fmi3OK;
}

bool is_idle(int row, const int *phases)
{
    return contact_rows[row].law == SLIP && phases[contact_rows[row].of] != STICKS;
}

/* The part of a rate that the time contributes. */
static double drift(const Reduced *reduced, int row)
{
    double rest = reduced->rate[row];
    for (int i = 0; i < VELOCITIES; i += 1) rest -= reduced->directions[row][i] * reduced->v[i];
    return rest;
}

double rate_terms(const Reduced *reduced, int row)
{
    double sum = fabs(drift(reduced, row));
    for (int i = 0; i < VELOCITIES; i += 1) sum += fabs(reduced->directions[row][i] * reduced->v[i]);
    return sum;
}

double rate_rounding_of(const Reduced *reduced, int row)
{
    return RATE_ROUNDINGS * DBL_EPSILON * rate_terms(reduced, row);
}

double tool_error(const Unit *unit, const Reduced *reduced, int row, bool is_rate)
{
    const Values *const values = &unit->values;
    const double *const at = is_rate ? reduced->v : reduced->q;
    double sum = 0.0;
    if (unit->is_cosimulation) return 0.0;
    for (int i = 0; i < (is_rate ? VELOCITIES : COORDINATES); i += 1) {
        const int state = is_rate ? COORDINATES + i : i;
        sum += fabs(reduced->directions[row][i]) * fmax(fabs(at[i]), fmax(values->largest[state], state_nominals[state]));
    }
    return TOOL_ERRORS * values->tolerance * sum;
}

Gap gap_of(Unit *unit, const Reduced *reduced, int row)
{
    double value[ATLEAST1(GAPS)], scale[ATLEAST1(GAPS)], restitution[ATLEAST1(GAPS)];
    const int index = contact_rows[row].of;
    model_gaps(&unit->prepared, reduced->time, reduced->q, value, scale, restitution);
    double terms = scale[index] + fabs(drift(reduced, row) * reduced->time);
    for (int i = 0; i < VELOCITIES; i += 1) terms += fabs(reduced->directions[row][i] * reduced->q[i]);
    /* A contact that closes faster than by an error of the rate is located as closely as the time. */
    const double error = tool_error(unit, reduced, row, false), of_rate = tool_error(unit, reduced, row, true);
    const double slow = of_rate > 0.0 ? fmax(0.0, 1.0 - fmax(0.0, -reduced->rate[row]) / of_rate) : 0.0;
    const double rounding = fmax(GAP_ROUNDINGS * DBL_EPSILON * terms, slow * error);
    return (Gap){value[index], terms, rounding, restitution[index]};
}

/* The sum of the magnitudes of the terms of a row's acceleration. */
static double reach(const Reduced *reduced, int row, const double *forces, const Level *level)
{
    double sum = level->terms[row];
    for (int l = 0; l < ROWS; l += 1) sum += fabs(reduced->compliance[row][l] * forces[l]);
    return sum;
}

double driven(const Reduced *reduced, int row, const double *forces, const Level *level)
{
    double sum = level->free[row];
    for (int l = 0; l < ROWS; l += 1) sum += reduced->compliance[row][l] * forces[l];
    return sum;
}

/* The largest force that the terms of a row need. */
static double force_scale(const Reduced *reduced, int row, const double *forces, const Level *level)
{
    const double compliance = reduced->compliance[row][row];
    const double own = compliance > 0.0 ? reach(reduced, row, forces, level) / compliance : 0.0;
    /* That of a slip also has the rounding of its contact's force, times the coefficient of friction. */
    if (contact_rows[row].law != SLIP) return own;
    return fmax(own, reduced->bound[row] * force_scale(reduced, contact_rows[row].of, forces, level));
}

double excess(const Reduced *reduced, int row, const double *forces, const Level *level)
{
    const double bound = reduced->bound[row], force = forces[row];
    switch (contact_rows[row].law) {
    case FRICTION:
        return fabs(force) - bound * (1.0 + BAND);
    case CONTACT:
        return -force - BAND * force_scale(reduced, row, forces, level);
    default:
        return fabs(force) - bound * forces[contact_rows[row].of] - BAND * force_scale(reduced, row, forces, level);
    }
}

/* A row of the elimination: which one it is, what is left of its right side and of the magnitude of its terms, and its entries. */
typedef struct {
    int row;
    double rest, size, entries[ROWS];
} Line;

/* Solves the first `rank` of the eliminated rows for a column: the right side, or the column of a row that depends on others. */
static void solve_triangle(const Line *lines, const int *columns, int rank, int column, double *found)
{
    for (int i = rank - 1; i >= 0; i -= 1) {
        double rest = column < 0 ? lines[i].rest : lines[i].entries[column];
        for (int j = i + 1; j < rank; j += 1) rest -= lines[i].entries[columns[j]] * found[j];
        found[i] = rest / lines[i].entries[columns[i]];
    }
}

/* Finds the shortest solution of the eliminated rows, in the order of `columns`: (y - T z, z), where z solves (1 + T'T) z = T'y. */
static void shortest(const Line *lines, const int *columns, int rank, int count, double *found)
{
    double spread[ROWS][ROWS], matrix[ROWS][ROWS];
    solve_triangle(lines, columns, rank, -1, found);
    for (int k = rank; k < count; k += 1) solve_triangle(lines, columns, rank, columns[k], spread[k]);
    for (int k = rank; k < count; k += 1) {
        found[k] = 0.0;
        for (int i = 0; i < rank; i += 1) found[k] += spread[k][i] * found[i];
        for (int l = rank; l < count; l += 1) {
            matrix[k][l] = k == l ? 1.0 : 0.0;
            for (int i = 0; i < rank; i += 1) matrix[k][l] += spread[k][i] * spread[l][i];
        }
    }
    /* Its pivots are at least 1. */
    for (int k = rank; k < count; k += 1) {
        for (int l = k + 1; l < count; l += 1) {
            const double factor = matrix[l][k] / matrix[k][k];
            for (int m = k; m < count; m += 1) matrix[l][m] -= factor * matrix[k][m];
            found[l] -= factor * found[k];
        }
    }
    for (int k = count - 1; k >= rank; k -= 1) {
        for (int l = k + 1; l < count; l += 1) found[k] -= matrix[k][l] * found[l];
        found[k] /= matrix[k][k];
    }
    for (int i = 0; i < rank; i += 1) {
        for (int k = rank; k < count; k += 1) found[i] -= spread[k][i] * found[k];
    }
}

/* Finds the forces of the rows `held` with the sum of entries[k][l] f_l = right[k], by elimination with the largest pivot; the others get 0.
   Of rows that depend on each other, the forces are those of least sum of compliance[k][k] f_k^2. Returns -1, or such a row that contradicts the others. */
static int solve_held(const Reduced *reduced, const bool *held, const double entries[ROWS][ROWS], const double *right, const double *terms, double *forces)
{
    Line lines[ROWS];
    double unit[ROWS], scale = 0.0;
    int columns[ROWS], rows[ROWS], count = 0, rank = 0;
    for (int k = 0; k < ROWS; k += 1) {
        unit[k] = reduced->compliance[k][k] > 0.0 ? sqrt(reduced->compliance[k][k]) : 1.0;
        forces[k] = 0.0;
        if (held[k]) rows[count++] = k;
    }
    for (int i = 0; i < count; i += 1) {
        const int k = rows[i];
        columns[i] = i;
        lines[i].row = k;
        lines[i].rest = right[k] / unit[k];
        lines[i].size = terms[k] / unit[k];
        scale = fmax(scale, lines[i].size);
        for (int j = 0; j < count; j += 1) lines[i].entries[j] = entries[k][rows[j]] / (unit[k] * unit[rows[j]]);
    }
    for (; rank < count; rank += 1) {
        int line = rank, column = rank;
        double largest = 0.0;
        for (int i = rank; i < count; i += 1) {
            for (int j = rank; j < count; j += 1) {
                const double size = fabs(lines[i].entries[columns[j]]);
                if (size > largest * LARGER) line = i, column = j, largest = size;
            }
        }
        if (!(largest > DEPENDENT)) break;
        const Line pivot = lines[line];
        const int own = columns[column];
        lines[line] = lines[rank];
        lines[rank] = pivot;
        columns[column] = columns[rank];
        columns[rank] = own;
        for (int i = rank + 1; i < count; i += 1) {
            const double factor = lines[i].entries[own] / pivot.entries[own];
            for (int j = rank; j < count; j += 1) lines[i].entries[columns[j]] -= factor * pivot.entries[columns[j]];
            lines[i].rest -= factor * pivot.rest;
            lines[i].size += fabs(factor) * pivot.size;
        }
    }
    for (int i = rank; i < count; i += 1) {
        const double rounding = sqrt(DBL_EPSILON) * lines[i].size + RATE_ROUNDINGS * DBL_EPSILON * scale;
        if (!(fabs(lines[i].rest) <= rounding)) return lines[i].row;
    }
    double found[ROWS];
    shortest(lines, columns, rank, count, found);
    for (int i = 0; i < count; i += 1) forces[rows[columns[i]]] = found[i] / unit[rows[columns[i]]];
    return -1;
}

int forces_in(const Reduced *reduced, const int *phases, const Level *level, double *forces)
{
    double sliding[ROWS], right[ROWS], terms[ROWS], entries[ROWS][ROWS];
    bool held[ROWS], slips[ROWS];
    for (int k = 0; k < ROWS; k += 1) {
        const Law law = contact_rows[k].law;
        held[k] = phases[k] == STICKS && !is_idle(k, phases);
        slips[k] = law == SLIP && phases[k] != STICKS && !is_idle(k, phases);
        sliding[k] = law == FRICTION && phases[k] != STICKS && !level->is_impact ? -phases[k] * reduced->bound[k] : 0.0;
    }
    for (int k = 0; k < ROWS; k += 1) {
        right[k] = -driven(reduced, k, sliding, level);
        terms[k] = reach(reduced, k, sliding, level);
        memcpy(entries[k], reduced->compliance[k], sizeof entries[k]);
        /* The forces of slips follow those of their contacts. */
        for (int s = 0; s < ROWS; s += 1) {
            if (slips[s]) entries[k][contact_rows[s].of] -= reduced->compliance[k][s] * phases[s] * reduced->bound[s];
        }
    }
    const int contradiction = solve_held(reduced, held, (const double (*)[ROWS])entries, right, terms, forces);
    for (int k = 0; k < ROWS; k += 1) {
        if (held[k]) continue;
        forces[k] = slips[k] ? -phases[k] * reduced->bound[k] * forces[contact_rows[k].of] : sliding[k];
    }
    return contradiction;
}

void add_changes(const Reduced *reduced, const double *forces, double *values)
{
    for (int k = 0; k < ROWS; k += 1) {
        for (int i = 0; i < VELOCITIES; i += 1) values[i] += reduced->responses[k][i] * forces[k];
    }
}

/* The search for the phases of the candidates. */
typedef struct {
    const Reduced *reduced;
    const Level *level;
    const bool *candidates;
    int tried[ROWS], phases[ROWS], contradiction;
    double forces[ROWS];
    bool is_found, is_ambiguous;
} Search;

/* Whether the candidates obey their laws under these forces. */
static bool obeys(const Search *search, const double *forces)
{
    const Reduced *const reduced = search->reduced;
    for (int k = 0; k < ROWS; k += 1) {
        const int phase = search->tried[k];
        if (!search->candidates[k] || is_idle(k, search->tried)) continue;
        const bool is_lawful = phase == STICKS
            ? excess(reduced, k, forces, search->level) <= 0.0
            : driven(reduced, k, forces, search->level) * phase >= -RATE_ROUNDINGS * DBL_EPSILON * reach(reduced, k, forces, search->level);
        if (!is_lawful) return false;
    }
    return true;
}

/* Whether these forces make the same motion as those that were found before. */
static bool is_same(const Search *search, const double *forces)
{
    const Reduced *const reduced = search->reduced;
    for (int i = 0; i < VELOCITIES; i += 1) {
        double difference = 0.0, scale = 0.0;
        for (int k = 0; k < ROWS; k += 1) {
            const double response = reduced->responses[k][i];
            const double largest = fmax(
                force_scale(reduced, k, search->forces, search->level), force_scale(reduced, k, forces, search->level));
            difference += response * (search->forces[k] - forces[k]);
            scale += fabs(response) * largest;
        }
        if (!(fabs(difference) <= SAME * scale)) return false;
    }
    return true;
}

static void visit(Search *search, int row)
{
    static const int CHOICES[] = {STICKS, 1, -1};
    while (row < ROWS && !search->candidates[row]) row += 1;
    if (row < ROWS) {
        /* An open contact has one combination, whatever its slip would do. */
        const bool is_one = is_idle(row, search->tried);
        const int last = is_one || contact_rows[row].law == CONTACT ? 2 : 3;
        for (int choice = is_one ? 1 : 0; choice < last; choice += 1) {
            search->tried[row] = CHOICES[choice];
            visit(search, row + 1);
        }
        return;
    }
    double forces[ROWS];
    const int contradiction = forces_in(search->reduced, search->tried, search->level, forces);
    if (contradiction >= 0) {
        search->contradiction = contradiction;
        return;
    }
    if (!obeys(search, forces)) return;
    if (search->is_found) {
        search->is_ambiguous = search->is_ambiguous || !is_same(search, forces);
        return;
    }
    search->is_found = true;
    memcpy(search->forces, forces, sizeof forces);
    memcpy(search->phases, search->tried, sizeof search->phases);
}

static fmi3Status contradicted(Unit *unit, double time, const double *states, int row)
{
    return failed(unit, time, states, "on others depends, and contradicts them, the ", contact_rows[row].name);
}

fmi3Status failed_rows(Unit *unit, const bool *rows, const char *text)
{
    char names[120] = "";
    size_t length = 0;
    for (int k = 0; k < ROWS && length < sizeof names; k += 1) {
        if (rows[k]) length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", contact_rows[k].name);
    }
    return failed(unit, unit->values.time, unit->values.states, text, names);
}

fmi3Status decide(Unit *unit, const Reduced *reduced, const bool *candidates, const Level *level, int *phases, double *forces)
{
    Search search = {.reduced = reduced, .level = level, .candidates = candidates, .contradiction = -1};
    memcpy(search.tried, phases, sizeof search.tried);
    visit(&search, 0);
    if (search.is_ambiguous) return failed_rows(unit, candidates, "several motions obey the laws (Painleve's paradox) of ");
    if (search.is_found) {
        memcpy(phases, search.phases, sizeof search.phases);
        memcpy(forces, search.forces, sizeof search.forces);
        return fmi3OK;
    }
    if (search.contradiction < 0) return failed_rows(unit, candidates, "no motion obeys the laws (Painleve's paradox) of ");
    return contradicted(unit, reduced->time, unit->values.states, search.contradiction);
}

/* Impulses, least in the metric of M, that change the rates or positions of these rows by `right`. */
static fmi3Status shift(Unit *unit, const Reduced *reduced, const bool *held, const double *right, const double *terms, double *impulses)
{
    const int contradiction = solve_held(reduced, held, (const double (*)[ROWS])reduced->compliance, right, terms, impulses);
    return contradiction < 0 ? fmi3OK : contradicted(unit, reduced->time, unit->values.states, contradiction);
}

fmi3Status stop_rows(Unit *unit, double time, double *states, const bool *held, const double *rest)
{
    double right[ROWS], terms[ROWS], impulses[ROWS];
    Reduced reduced;
    if (reduce(unit, time, states, &reduced) != fmi3OK) return fmi3Error;
    for (int k = 0; k < ROWS; k += 1) {
        right[k] = -reduced.rate[k];
        terms[k] = fmax(rate_terms(&reduced, k), rest ? rest[k] / (RATE_ROUNDINGS * DBL_EPSILON) : 0.0);
    }
    if (shift(unit, &reduced, held, right, terms, impulses) != fmi3OK) return fmi3Error;
    add_changes(&reduced, impulses, states + COORDINATES);
    return fmi3OK;
}

fmi3Status ground_rows(Unit *unit, double time, double *states, const bool *closed)
{
    double last = INFINITY;
    for (int pass = 0; pass < MOST_CORRECTIONS; pass += 1) {
        double right[ROWS] = {0.0}, terms[ROWS] = {0.0}, impulses[ROWS], change[VELOCITIES] = {0.0}, worst = 0.0;
        Reduced reduced;
        if (reduce(unit, time, states, &reduced) != fmi3OK) return fmi3Error;
        for (int k = 0; k < ROWS; k += 1) {
            if (!closed[k]) continue;
            const Gap gap = gap_of(unit, &reduced, k);
            right[k] = -gap.value;
            terms[k] = gap.terms;
            if (terms[k] > 0.0) worst = fmax(worst, fabs(gap.value) / terms[k]);
        }
        /* Near rounding, the iteration ends at the first step that gains nothing. */
        if (worst <= 2.0 * DBL_EPSILON || (worst >= 0.5 * last && worst <= GAP_ROUNDINGS * DBL_EPSILON)) break;
        last = worst;
        if (shift(unit, &reduced, closed, right, terms, impulses) != fmi3OK) return fmi3Error;
        add_changes(&reduced, impulses, change);
        for (int i = 0; i < COORDINATES; i += 1) states[i] += change[i];
    }
    return fmi3OK;
}

fmi3Status rates_of_rows(Unit *unit, double time, const double *states, double *acceleration, double *multipliers)
{
    double forces[ROWS];
    Reduced reduced;
    if (reduce(unit, time, states, &reduced) != fmi3OK) return fmi3Error;
    const int contradiction = forces_in(&reduced, unit->values.phases, &reduced.level, forces);
    if (contradiction >= 0) return contradicted(unit, time, states, contradiction);
    if (!multipliers) {
        memcpy(acceleration, reduced.free, sizeof reduced.free);
        add_changes(&reduced, forces, acceleration);
        return fmi3OK;
    }
    double load[VELOCITIES];
    memcpy(load, reduced.forcing, sizeof load);
    for (int k = 0; k < ROWS; k += 1) {
        for (int i = 0; i < VELOCITIES; i += 1) load[i] += reduced.directions[k][i] * forces[k];
    }
    if (solved(&reduced.solver, load, true, acceleration, multipliers) < CONSTRAINTS) {
        return failed(unit, time, states, "constraints depend on each other, which does not determine their multipliers", "");
    }
    return fmi3OK;
}

fmi3Status terms_of_rows(Unit *unit, double time, const double *states, double *terms)
{
    double forces[ROWS];
    Reduced reduced;
    if (reduce(unit, time, states, &reduced) != fmi3OK) return fmi3Error;
    forces_in(&reduced, unit->values.phases, &reduced.level, forces);
    for (int i = 0; i < VELOCITIES; i += 1) {
        terms[i] = fabs(reduced.free[i]);
        for (int k = 0; k < ROWS; k += 1) {
            /* The force of a row that is held may be 0 and have the rounding of what it takes up. */
            const bool is_held = unit->values.phases[k] == STICKS;
            const double size = is_held ? fmax(fabs(forces[k]), force_scale(&reduced, k, forces, &reduced.level)) : fabs(forces[k]);
            terms[i] += fabs(reduced.responses[k][i]) * size;
        }
    }
    return fmi3OK;
}

#endif

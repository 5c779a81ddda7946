/* What happens where contacts close or open, and where friction begins to stick or to slip. */
#include "lagrange_rows.h"
#include <float.h>
#include <math.h>
#include <string.h>

#if ROWS > 0

/* Contacts that close within so many roundings of the time close at the same time. */
#define SIMULTANEOUS 32.0
/* A contact stays closed if its next flight would be shorter than so many roundings of the time, or lower than so many roundings of the
   gap. */
#define SHORTEST_FLIGHT 128.0
#define LOWEST_FLIGHT 4.0
/* The most impacts in a row at one time. */
#define MOST_IMPACTS 200
/* An impact may add energy up to so many roundings of the terms of its loss. */
#define ENERGY_ROUNDINGS 1024.0

/* The instant that is settled. `rest`: what of the rate of each row is rounding. */
typedef struct {
    Unit *unit;
    int before[ROWS], impacts;
    bool is_fresh, touching[ROWS];
    const bool *crossed;
    double rest[ROWS], time_rounding;
} Instant;

static fmi3Status reduce_here(Unit *unit, Reduced *reduced)
{
    return reduce(unit, unit->values.time, unit->values.states, reduced);
}

static bool is_contact(int row)
{
    return contact_rows[row].law == CONTACT;
}

/* Finds the contacts that touch, and removes what is left of their gaps. */
static fmi3Status touch(Instant *instant)
{
    Unit *const unit = instant->unit;
    bool ground[ROWS] = {false}, is_impact = false, is_any = false;
    Reduced reduced;
    if (reduce_here(unit, &reduced) != fmi3OK) return fmi3Error;
    for (int k = 0; k < ROWS; k += 1) is_impact = is_impact || (is_contact(k) && instant->before[k] != STICKS && instant->crossed[k]);
    for (int k = 0; k < ROWS; k += 1) {
        instant->touching[k] = false;
        if (!is_contact(k)) continue;
        const Gap gap = gap_of(unit, &reduced, k);
        const bool was_closed = instant->before[k] == STICKS && !instant->is_fresh;
        if (!(gap.restitution >= 0.0 && gap.restitution <= 1.0)) {
            return misused(unit, "not from 0 to 1 is the coefficient of restitution of the ", contact_rows[k].name);
        }
        if (!(gap.value >= -gap.rounding) && (instant->is_fresh || (!instant->crossed[k] && !was_closed))) {
            return misused(unit, "a gap below 0 has the ", contact_rows[k].name);
        }
        const double approach = fmax(0.0, -reduced.rate[k]);
        const double near = gap.rounding + (is_impact ? approach * SIMULTANEOUS * instant->time_rounding : 0.0);
        instant->touching[k] = was_closed || instant->crossed[k] || (gap.value <= near && (is_impact || instant->is_fresh));
        ground[k] = instant->touching[k] && (was_closed || gap.value < 0.0);
        is_any = is_any || ground[k];
    }
    return is_any ? ground_rows(unit, unit->values.time, unit->values.states, ground) : fmi3OK;
}

/* Finds the rows that may rest, and the phases of the others. `stops`: rows that stop here, whatever is left of their rates. */
static void find_rest(const Instant *instant, const Reduced *reduced, const bool *stops, int *phases, bool *at_rest)
{
    /* Contacts stand before their slips. */
    for (int k = 0; k < ROWS; k += 1) {
        const double rate = reduced->rate[k];
        const Row row = contact_rows[k];
        const bool stands = (stops && stops[k]) || fabs(rate) <= instant->rest[k];
        phases[k] = row.law != CONTACT && rate < 0.0 ? -1 : 1;
        at_rest[k] = row.law == CONTACT ? instant->touching[k] && rate <= instant->rest[k]
                                        : stands && (row.law == FRICTION || at_rest[row.of]);
    }
}

/* Refuses impulses that would add energy, where the laws of Newton and Coulomb contradict each other. */
static fmi3Status check_energy(Unit *unit, const Reduced *reduced, const double *impulses, const bool *approaching)
{
    double loss = 0.0, scale = 0.0;
    for (int k = 0; k < ROWS; k += 1) {
        double after = reduced->rate[k], changes = 0.0;
        for (int l = 0; l < ROWS; l += 1) {
            after += reduced->compliance[k][l] * impulses[l];
            changes += fabs(reduced->compliance[k][l] * impulses[l]);
        }
        loss -= impulses[k] * (reduced->rate[k] + after) / 2.0;
        scale += fabs(impulses[k]) * (rate_terms(reduced, k) + changes / 2.0);
    }
    if (!(loss < -ENERGY_ROUNDINGS * DBL_EPSILON * scale)) return fmi3OK;
    return failed_rows(unit, approaching, "energy would be added, because laws contradict each other, by the impact of ");
}

/* The contacts that open at the velocities after an impact for flights that are too short or too low to be resolved, and the rows that go on resting. */
static fmi3Status find_short_flights(const Instant *instant, bool *is_short, bool *at_rest)
{
    Unit *const unit = instant->unit;
    bool is_any = false;
    int phases[ROWS];
    double forces[ROWS];
    Reduced reduced;
    if (reduce_here(unit, &reduced) != fmi3OK) return fmi3Error;
    for (int k = 0; k < ROWS; k += 1) {
        is_any = is_any || (instant->touching[k] && reduced.rate[k] > instant->rest[k]);
        is_short[k] = at_rest[k] = false;
    }
    if (!is_any) return fmi3OK;
    find_rest(instant, &reduced, NULL, phases, at_rest);
    if (decide(unit, &reduced, at_rest, &reduced.level, phases, forces) != fmi3OK) return fmi3Error;
    for (int k = 0; k < ROWS; k += 1) {
        /* A flight that begins at the rate s with the acceleration -w takes 2 s/w and rises by s^2/(2 w). */
        const double s = reduced.rate[k], w = -driven(&reduced, k, forces, &reduced.level);
        const bool opens = instant->touching[k] && s > instant->rest[k];
        const double lowest = opens ? LOWEST_FLIGHT * gap_of(unit, &reduced, k).rounding : 0.0;
        is_short[k] = opens && (2.0 * s <= w * SHORTEST_FLIGHT * instant->time_rounding || s * s <= 2.0 * w * lowest);
    }
    return fmi3OK;
}

/* Contacts do not open for such flights, so that infinitely many impacts end at rest. */
static fmi3Status drop_short_flights(Instant *instant)
{
    Unit *const unit = instant->unit;
    bool is_short[ROWS], held[ROWS], is_any = false;
    if (find_short_flights(instant, is_short, held) != fmi3OK) return fmi3Error;
    for (int k = 0; k < ROWS; k += 1) {
        held[k] = held[k] || is_short[k];
        is_any = is_any || is_short[k];
    }
    return is_any ? stop_rows(unit, unit->values.time, unit->values.states, held, instant->rest) : fmi3OK;
}

/* Finds the coefficients of restitution of the contacts that approach; 0 for other rows. */
static fmi3Status find_restitutions(Unit *unit, const Reduced *reduced, const bool *approaching, double *restitution)
{
    double of_gaps[ATLEAST1(GAPS)];
    model_restitutions(&unit->prepared, reduced->time, reduced->q, reduced->v, unit->values.inputs, of_gaps);
    for (int k = 0; k < ROWS; k += 1) {
        restitution[k] = approaching[k] ? of_gaps[contact_rows[k].of] : 0.0;
        if (!(restitution[k] >= 0.0 && restitution[k] <= 1.0)) {
            return misused(unit, "not from 0 to 1 is the coefficient of restitution of the ", contact_rows[k].name);
        }
    }
    return fmi3OK;
}

/* Impacts, one after the other, until no contact approaches. */
static fmi3Status strike(Instant *instant)
{
    Unit *const unit = instant->unit;
    for (;;) {
        bool approaching[ROWS], candidates[ROWS], is_short[ROWS], at_rest[ROWS], is_any = false;
        int phases[ROWS];
        double impulses[ROWS], restitution[ROWS], before[STATES];
        Reduced reduced;
        if (reduce_here(unit, &reduced) != fmi3OK) return fmi3Error;
        for (int k = 0; k < ROWS; k += 1) {
            const double rounding = fmax(rate_rounding_of(&reduced, k), reduced.level.terms[k] * instant->time_rounding);
            instant->rest[k] = fmax(instant->rest[k], rounding);
            approaching[k] = instant->touching[k] && reduced.rate[k] < -instant->rest[k];
            is_any = is_any || approaching[k];
        }
        if (!is_any) return fmi3OK;
        instant->impacts += 1;
        if (instant->impacts > MOST_IMPACTS) return failed_rows(unit, approaching, "without end at one instant are the impacts of ");
        if (find_restitutions(unit, &reduced, approaching, restitution) != fmi3OK) return fmi3Error;
        memcpy(before, unit->values.states, sizeof before);
        for (bool closes = true; closes;) {
            Level level = {.is_impact = true};
            for (int k = 0; k < ROWS; k += 1) {
                const Row row = contact_rows[k];
                const bool gap_closes = is_contact(k) && instant->touching[k] && reduced.rate[k] <= instant->rest[k];
                candidates[k] = gap_closes || (row.law == SLIP && candidates[row.of]);
                level.free[k] = reduced.rate[k] + restitution[k] * reduced.rate[k];
                level.terms[k] = 2.0 * rate_terms(&reduced, k);
                phases[k] = 1;
            }
            if (decide(unit, &reduced, candidates, &level, phases, impulses) != fmi3OK) return fmi3Error;
            if (check_energy(unit, &reduced, impulses, approaching) != fmi3OK) return fmi3Error;
            add_changes(&reduced, impulses, unit->values.states + COORDINATES);
            if (find_short_flights(instant, is_short, at_rest) != fmi3OK) return fmi3Error;
            /* A contact that closes stops what approaches, and nothing more: its friction is that of this impulse. */
            closes = false;
            for (int k = 0; k < ROWS; k += 1) {
                if (approaching[k] && is_short[k] && restitution[k] > 0.0) {
                    restitution[k] = 0.0;
                    closes = true;
                }
            }
            if (closes) memcpy(unit->values.states, before, sizeof before);
        }
        if (drop_short_flights(instant) != fmi3OK) return fmi3Error;
    }
}

/* The equations by which the phases behind the instant are decided: those at its state, or those a little later, where the end of a phase was
   found. */
static fmi3Status reduce_ahead(const Instant *instant, double ahead, Reduced *reduced)
{
    Unit *const unit = instant->unit;
    double slope[STATES], later[STATES];
    if (!(ahead > 0.0) || instant->impacts > 0) return reduce_here(unit, reduced);
    if (rates(unit, unit->values.time, unit->values.states, slope, NULL) != fmi3OK) return fmi3Error;
    for (int i = 0; i < STATES; i += 1) later[i] = unit->values.states[i] + ahead * slope[i];
    return reduce(unit, unit->values.time + ahead, later, reduced);
}

fmi3Status settle_rows(Unit *unit, const bool *crossed, double ahead)
{
    Values *const values = &unit->values;
    Instant instant = {.unit = unit, .crossed = crossed, .is_fresh = values->is_fresh};
    bool stops[ROWS], at_rest[ROWS];
    int phases[ROWS];
    double forces[ROWS];
    Reduced reduced;
    memcpy(instant.before, values->phases, sizeof instant.before);
    instant.time_rounding = DBL_EPSILON * fabs(values->time);
    if (touch(&instant) != fmi3OK || strike(&instant) != fmi3OK || reduce_here(unit, &reduced) != fmi3OK) return fmi3Error;
    for (int k = 0; k < ROWS; k += 1) {
        const bool stuck = instant.before[k] == STICKS && !instant.is_fresh;
        stops[k] = instant.impacts == 0 && (crossed[k] || stuck);
    }
    find_rest(&instant, &reduced, stops, phases, at_rest);
    /* The velocity is brought to rest first, because forces and bounds may depend on it. */
    if (stop_rows(unit, values->time, values->states, at_rest, instant.rest) != fmi3OK) return fmi3Error;
    if (reduce_ahead(&instant, ahead, &reduced) != fmi3OK) return fmi3Error;
    if (decide(unit, &reduced, at_rest, &reduced.level, phases, forces) != fmi3OK) return fmi3Error;
    for (int i = 0; i < STATES; i += 1) {
        if (!isfinite(values->states[i])) return misused(unit, "no finite number is behind an impact ", state_names[i]);
        values->largest[i] = fmax(values->largest[i], fabs(values->states[i]));
    }
    memcpy(values->phases, phases, sizeof phases);
    values->is_fresh = false;
    unit->impacts += instant.impacts;
    return fmi3OK;
}

/* Marks the rows at rest, or the contacts among them. Returns whether there are any. */
static bool resting(const Unit *unit, bool are_contacts, bool *rows)
{
    const int *const phases = unit->values.phases;
    bool is_any = false;
    for (int k = 0; k < ROWS; k += 1) {
        rows[k] = phases[k] == STICKS && !is_idle(k, phases) && (is_contact(k) || !are_contacts);
        is_any = is_any || rows[k];
    }
    return is_any;
}

fmi3Status hold_rows(Unit *unit, double time, double *states)
{
    bool rows[ROWS];
    if (resting(unit, true, rows) && ground_rows(unit, time, states, rows) != fmi3OK) return fmi3Error;
    return resting(unit, false, rows) ? stop_rows(unit, time, states, rows, NULL) : fmi3OK;
}

double violation_of_rows(Unit *unit, double time, const double *states, const char **name)
{
    double worst = 0.0;
    const int *const phases = unit->values.phases;
    Reduced reduced;
    if (reduce(unit, time, states, &reduced) != fmi3OK) return INFINITY;
    for (int k = 0; k < ROWS; k += 1) {
        const bool is_held = phases[k] == STICKS && !is_idle(k, phases);
        double part = 0.0;
        if (is_contact(k)) {
            const Gap gap = gap_of(unit, &reduced, k);
            const double residual = is_held ? fabs(gap.value) : fmax(0.0, -gap.value);
            part = gap.terms > 0.0 ? residual / gap.terms : 0.0;
        }
        if (is_held) {
            /* What is at rest has velocities that are rounding of those before. */
            double terms = rate_terms(&reduced, k);
            for (int i = 0; i < VELOCITIES; i += 1) terms += fabs(reduced.directions[k][i]) * unit->values.largest[COORDINATES + i];
            part = fmax(part, terms > 0.0 ? fabs(reduced.rate[k]) / terms : 0.0);
        }
        if (part <= worst) continue;
        worst = isnan(part) ? INFINITY : part;
        if (name) *name = contact_rows[k].name;
    }
    return worst;
}

void ends_of_phases(Unit *unit, double time, const double *states, double *ends)
{
    const Values *const values = &unit->values;
    const int *const phases = values->phases;
    double forces[ROWS], shortest = 0.0;
    Reduced reduced;
    const bool was_quiet = unit->is_quiet;
    unit->is_quiet = true;
    const fmi3Status status = reduce(unit, time, states, &reduced);
    unit->is_quiet = was_quiet;
    const bool is_known = status == fmi3OK && forces_in(&reduced, phases, &reduced.level, forces) < 0;
    for (int k = 0; k < ROWS; k += 1) ends[k] = NAN;
    if (!is_known) return;
    /* The accelerations of a step have their roundings, so that the rate of a row that slips at the rate 0 has these times the step. */
    for (int k = 0; k < ROWS; k += 1) {
        if (phases[k] == STICKS) shortest = RATE_ROUNDINGS * DBL_EPSILON * values->next_step;
    }
    for (int k = 0; k < ROWS; k += 1) {
        if (is_idle(k, phases)) {
            ends[k] = -1.0;
        } else if (phases[k] == STICKS) {
            ends[k] = excess(&reduced, k, forces, &reduced.level);
        } else if (is_contact(k)) {
            const Gap gap = gap_of(unit, &reduced, k);
            ends[k] = -gap.value - gap.rounding;
        } else {
            const double rounding = fmax(rate_rounding_of(&reduced, k), shortest * reduced.level.terms[k]);
            ends[k] = -phases[k] * reduced.rate[k] - fmax(rounding, tool_error(unit, &reduced, k, true));
        }
    }
}

void without_signs(Unit *unit, double time, const double *states, double *values, int count)
{
    double rest[STATES], at_rest[ATLEAST1(SWITCHES)], changes[ATLEAST1(SWITCHES)] = {0.0};
    bool rows[ROWS];
    Reduced reduced;
    if (count == 0 || !resting(unit, false, rows)) return;
    memcpy(rest, states, sizeof rest);
    const bool was_quiet = unit->is_quiet;
    unit->is_quiet = true;
    const bool is_known = reduce(unit, time, states, &reduced) == fmi3OK && stop_rows(unit, time, rest, rows, NULL) == fmi3OK;
    unit->is_quiet = was_quiet;
    if (!is_known) return;
    own_switches(unit, time, rest, at_rest);
    for (int k = 0; k < ROWS; k += 1) {
        double moved[STATES], there[ATLEAST1(SWITCHES)], impulses[ROWS] = {0.0};
        if (!rows[k] || !(reduced.compliance[k][k] > 0.0)) continue;
        impulses[k] = rate_rounding_of(&reduced, k) / reduced.compliance[k][k];
        memcpy(moved, rest, sizeof moved);
        add_changes(&reduced, impulses, moved + COORDINATES);
        own_switches(unit, time, moved, there);
        for (int i = 0; i < count; i += 1) changes[i] += fabs(there[i] - at_rest[i]);
    }
    for (int i = 0; i < count; i += 1) {
        if (fabs(at_rest[i]) <= changes[i]) values[i] = 0.0;
    }
}

#else

fmi3Status settle_rows(Unit *unit, const bool *crossed, double ahead)
{
    (void)unit, (void)crossed, (void)ahead;
    return fmi3OK;
}

fmi3Status hold_rows(Unit *unit, double time, double *states)
{
    (void)unit, (void)time, (void)states;
    return fmi3OK;
}

double violation_of_rows(Unit *unit, double time, const double *states, const char **name)
{
    (void)unit, (void)time, (void)states, (void)name;
    return 0.0;
}

#endif

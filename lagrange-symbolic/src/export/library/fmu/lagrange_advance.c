/* The steps of co-simulation: the method of Dormand and Prince of order 5 with an error estimate of order 4 (J. R. Dormand, P. J. Prince,
   J. Comp. Appl. Math. 6, 1980), steps that end at the zeros of switching functions, and projection onto constraints. */
#include "lagrange_unit.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define STAGES 7
#define MOST_STEPS 1000000
/* So many switches may follow each other within this part of the time that is to be passed. */
#define MOST_SWITCHES 30
#define NO_PROGRESS 1e-6
/* This part of the tolerance of the time that is to be passed is no time. */
#define NO_TIME 1e-2
/* The phases of contacts and frictions may change so often within this part. Impacts behind which a contact opens again do not count: they
   follow each other as slowly as the shortest flight lasts. */
#define MOST_ENDS 1000
/* A zero of a switching function is looked for so many doublings of a rounding of the time behind the state. */
#define MOST_DOUBLINGS 20
/* The first condition that holds within a rounding of the time is found to this part of it. */
#define PART_OF_ROUNDING 1e-9

static const double NODES[STAGES] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
static const double WEIGHTS[STAGES][STAGES - 1] = {
    {0.0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
/* The weights of order 5 without those of order 4. */
static const double ERROR[STAGES] = {
    71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40,
};

/* The weights of the fourth coefficient of the interpolant (E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I,
   section II.6). */
static const double BEND[STAGES] = {
    -12715105075.0 / 11282082432.0, 0.0, 87487479700.0 / 32700410799.0, -10690763975.0 / 1880347072.0, 701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0,
};

/* The motion between two communication points. */
typedef struct {
    /* The derivatives at the present state, and the signs of the switching functions, both as they are on the part of the motion ahead. */
    double derivatives[ATLEAST1(STATES)], signs[ATLEAST1(SWITCHES)];
    /* The length and the end of the whole motion, the time of the last switch, and the step before the approach to the next one; 0 if there is
       none. */
    double length, until, switched_at, usual_step;
    int switched;
} Motion;

/* The magnitudes by which errors are measured: the largest so far. A velocity that stays small is measured by a thousandth of the velocity
   that it would have with all the kinetic energy, and its coordinate by that velocity times the step, so that rounding is not controlled. */
static void sizes(Unit *unit, double time, double h, const double *next, double *size)
{
    double q[VELOCITIES], masses[VELOCITIES * VELOCITIES], forcing[VELOCITIES], twice = 0.0;
    const double *const v = next + COORDINATES;
    for (int i = 0; i < STATES; i += 1) size[i] = fmax(unit->values.largest[i], fabs(next[i]));
#if ROWS > 0
    /* Forces on what is at rest may grow from 0 with the time. The end of the attempt does not count, because it may be far from the motion. */
    for (int end = 0; end < 2; end += 1) {
        double terms[VELOCITIES];
        unit->is_quiet = true;
        const fmi3Status status = terms_of_rows(unit, time + end * h, unit->values.states, terms);
        unit->is_quiet = false;
        for (int i = 0; i < VELOCITIES && status == fmi3OK; i += 1) {
            const int velocity = COORDINATES + i;
            size[velocity] = fmax(size[velocity], 1e-3 * h * terms[i]);
            if (i < COORDINATES) size[i] = fmax(size[i], 1e-3 * h * h * terms[i]);
        }
    }
#endif
    coordinates(next, q);
    if (!model_form(&unit->prepared, time + h, q, v, unit->values.inputs, masses, forcing)) return;
    for (int i = 0; i < COORDINATES; i += 1) {
        for (int j = 0; j < COORDINATES; j += 1) twice += v[i] * masses[i * VELOCITIES + j] * v[j];
    }
    for (int i = 0; i < COORDINATES; i += 1) {
        const double inertia = masses[i * VELOCITIES + i];
        if (!(inertia > 0.0 && twice > 0.0)) continue;
        const double least = 1e-3 * sqrt(twice / inertia);
        size[COORDINATES + i] = fmax(size[COORDINATES + i], least);
        size[i] = fmax(size[i], least * fabs(h));
    }
}

/* Makes an attempt. Where a stage has no rates the error is NaN, and nothing is reported. */
static void attempt(Unit *unit, const double *derivatives, double h, Attempt *result)
{
    const Values *const from = &unit->values;
    double slopes[STAGES][ATLEAST1(STATES)], size[ATLEAST1(STATES)], sum = 0.0;
    memcpy(slopes[0], derivatives, sizeof slopes[0]);
    for (int stage = 1; stage < STAGES; stage += 1) {
        for (int i = 0; i < STATES; i += 1) {
            double change = 0.0;
            for (int k = 0; k < stage; k += 1) change += WEIGHTS[stage][k] * slopes[k][i];
            result->states[i] = from->states[i] + h * change;
        }
        unit->is_quiet = true;
        const fmi3Status status = rates(unit, from->time + NODES[stage] * h, result->states, slopes[stage], NULL);
        unit->is_quiet = false;
        if (status != fmi3OK) {
            result->error = NAN;
            return;
        }
    }
    memcpy(result->derivatives, slopes[STAGES - 1], sizeof result->derivatives);
    sizes(unit, from->time, h, result->states, size);
    for (int i = 0; i < STATES; i += 1) {
        double difference = 0.0;
        result->bend[i] = 0.0;
        for (int k = 0; k < STAGES; k += 1) {
            difference += ERROR[k] * slopes[k][i];
            result->bend[i] += h * BEND[k] * slopes[k][i];
        }
        if (size[i] > 0.0) sum += (h * difference / size[i]) * (h * difference / size[i]);
    }
    result->error = sqrt(sum / ATLEAST1(STATES)) / from->tolerance;
}

/* The first step: a hundredth of the time in which the state changes by its own size (Hairer, Nørsett, Wanner, Solving Ordinary Differential
   Equations I, section II.4). From rest, y = a t^2/2. */
static double first_step(const Values *values, const double *derivatives, double length)
{
    double quickest = 0.0;
    for (int i = 0; i < STATES; i += 1) {
        const double size = values->largest[i];
        if (!(size > 0.0)) continue;
        quickest = fmax(quickest, fabs(derivatives[i]) / size);
        if (i < COORDINATES) quickest = fmax(quickest, sqrt(fabs(derivatives[COORDINATES + i]) / size));
    }
    return quickest > 0.0 ? fmin(0.01 / quickest, length) : 1e-4 * length;
}

/* Whether a switching function has left the sign that it has on this part of the motion, or has no value. 0 is no sign. */
static bool changes(const double *signs, const double *after)
{
    for (int i = 0; i < SWITCHES; i += 1) {
        if (signs[i] * after[i] < 0.0 || isnan(after[i])) return true;
    }
    return false;
}

static double sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

/* The signs of functions from here on. A condition does not hold until its instant is settled. */
static void take_signs(const double *values, double *signs)
{
    for (int i = 0; i < SWITCHES; i += 1) signs[i] = i < FIRST_END ? sign(values[i]) : -1.0;
}

/* The state later by h along a slope. Returns whether one of the conditions holds there. */
static bool holds_later(Unit *unit, double h, const double *slope, double *later, double *there)
{
    bool holds = false;
    for (int i = 0; i < STATES; i += 1) later[i] = unit->values.states[i] + h * slope[i];
    switches(unit, unit->values.time + h, later, there);
    for (int i = FIRST_END; i < SWITCHES; i += 1) holds = holds || there[i] > 0.0;
    return holds;
}

/* The signs of the switching functions from here on, and the derivatives with these signs. Where one is 0, or `crosses` its zero next, both
   come from a state a little later, because the derivatives may jump at the zero. If a condition holds there, that is the new state, `is_due`,
   unless it lies behind the end of the motion, which is taken then, and from which the next motion comes to it. */
static fmi3Status leave(Unit *unit, bool crosses, Motion *motion, bool *is_due)
{
    double *const derivatives = motion->derivatives, *const signs = motion->signs;
    Values *const values = &unit->values;
    double here[ATLEAST1(SWITCHES)] = {0.0}, slope[ATLEAST1(STATES)], later[ATLEAST1(STATES)];
    if (rates(unit, values->time, values->states, slope, NULL) != fmi3OK) return fmi3Error;
    memcpy(derivatives, slope, sizeof slope);
    if (SWITCHES == 0) return fmi3OK;
    switches(unit, values->time, values->states, here);
    bool is_zero = false;
    for (int i = 0; i < FIRST_END; i += 1) {
        is_zero = is_zero || here[i] == 0.0;
        if (crosses && signs[i] == 0.0) signs[i] = sign(here[i]);
    }
    if (!crosses) take_signs(here, signs);
    if (!is_zero && !crosses) return fmi3OK;
    double h = 4.0 * DBL_EPSILON * fmax(fabs(values->time), motion->length);
    for (int pass = 0; pass < MOST_DOUBLINGS; pass += 1, h *= 2.0) {
        double there[ATLEAST1(SWITCHES)];
        const bool holds = holds_later(unit, h, slope, later, there);
        bool is_beyond = !crosses;
        for (int i = 0; i < SWITCHES; i += 1) is_beyond = is_beyond || signs[i] * there[i] < 0.0;
        if (!is_beyond) continue;
        *is_due = crosses && holds;
        take_signs(there, signs);
        if (!*is_due) return rates(unit, values->time + h, later, derivatives, NULL);
#if ROWS > 0
        /* A ball whose impacts take little of its energy would get as much from roundings of the time. */
        double low = 0.0;
        const double least = PART_OF_ROUNDING * h;
        while (h - low > least) {
            const double middle = low + (h - low) / 2;
            if (holds_later(unit, middle, slope, later, there)) {
                h = middle;
            } else {
                low = middle;
            }
        }
        holds_later(unit, h, slope, later, there);
#endif
        if (values->time + h > motion->until) {
            *is_due = false;
            for (int i = 0; i < STATES; i += 1) later[i] = values->states[i] + (motion->until - values->time) * slope[i];
            values->time = motion->until;
            memcpy(values->states, later, sizeof values->states);
            return fmi3OK;
        }
        values->time += h;
        memcpy(values->states, later, sizeof values->states);
        return fmi3OK;
    }
    return fmi3OK;
}

/* Settles what is due here, or behind a zero that the motion `crosses`, and takes the signs and derivatives behind them. */
static fmi3Status begin(Unit *unit, bool crosses, Motion *motion)
{
    bool is_due = false, has_changed;
    if (!crosses && settle(unit, false, &has_changed) != fmi3OK) return fmi3Error;
    if (leave(unit, crosses, motion, &is_due) != fmi3OK) return fmi3Error;
    if (!is_due) return fmi3OK;
    if (settle(unit, true, &has_changed) != fmi3OK) return fmi3Error;
    return leave(unit, false, motion, &is_due);
}

/* Replaces a step over a zero of a switching function by the longest one that ends before it, by bisection of its length. Before the zero
   the formula is smooth, so that each shorter step is as accurate as the whole one. The length is 0 if the zero is here. */
static void shorten(Unit *unit, const double *derivatives, const double *signs, double *h, Attempt *found)
{
    double low = 0.0, high = *h;
    const double least = 4.0 * DBL_EPSILON * fmax(fabs(unit->values.time), *h);
    while (high - low > least) {
        const double middle = low + (high - low) / 2;
        double after[ATLEAST1(SWITCHES)];
        Attempt tried;
        attempt(unit, derivatives, middle, &tried);
        if (!isnan(tried.error)) switches(unit, unit->values.time + middle, tried.states, after);
        if (isnan(tried.error) || changes(signs, after)) {
            high = middle;
        } else {
            low = middle;
            *found = tried;
        }
    }
    *h = low;
}

/* Takes an attempt as the new state. */
static fmi3Status take(Unit *unit, double time, const Attempt *next, double *derivatives)
{
    Values *const values = &unit->values;
    values->time = time;
    memcpy(values->states, next->states, sizeof values->states);
    memcpy(derivatives, next->derivatives, sizeof next->derivatives);
    if (CONSTRAINTS > 0 || ROWS > 0) {
        if (project(unit, time, values->states) != fmi3OK) return fmi3Error;
        if (rates(unit, time, values->states, derivatives, NULL) != fmi3OK) return fmi3Error;
    }
    for (int i = 0; i < STATES; i += 1) values->largest[i] = fmax(values->largest[i], fabs(values->states[i]));
    return fmi3OK;
}

/* Whether no switching function leaves its sign within an accurate attempt. Otherwise the next step is shorter. */
static bool is_clear(Unit *unit, Motion *motion, const Attempt *next, double h)
{
    Values *const values = &unit->values;
    if (SWITCHES == 0) return true;
    const double part = clear_part(unit, motion->derivatives, next, h, motion->signs);
    const double shorter = fmax(part * h, 16.0 * DBL_EPSILON * fmax(fabs(values->time), motion->length));
    if (!(shorter < h * (1.0 - 1e-11))) return true;
    if (!(motion->usual_step > 0.0)) motion->usual_step = h;
    values->next_step = shorter;
    return false;
}

/* Counts switches between which almost no time passes. */
static fmi3Status progress(Unit *unit, Motion *motion)
{
    const Values *const values = &unit->values;
    const bool is_progress = values->time - motion->switched_at > NO_PROGRESS * motion->length;
    motion->switched = is_progress ? 1 : motion->switched + 1;
    motion->switched_at = values->time;
    if (motion->switched <= (ROWS > 0 ? MOST_ENDS : MOST_SWITCHES)) return fmi3OK;
    return failed(
        unit, values->time, values->states, "the forces, modes or phases jump and hold the motion at the jump, where it sticks or slides", "");
}

/* Goes up to the zero of a switching function within a step of this length, and takes the derivatives behind it. */
static fmi3Status cross(Unit *unit, Motion *motion, double h)
{
    Values *const values = &unit->values;
    const double whole = h;
    Attempt next = {0};
    shorten(unit, motion->derivatives, motion->signs, &h, &next);
    if (!(motion->usual_step > 0.0)) motion->usual_step = whole;
    /* The last stages may lie behind the zero. Shorter steps then approach it until one is accurate, or so short that a jump of the derivatives
       within it changes nothing beside the tolerance. */
    if (!(next.error <= 1.0) && h > NO_TIME * values->tolerance * motion->length) {
        values->next_step = h / 2;
        return fmi3OK;
    }
    /* This zero may be another one than the first. */
    if (h > 0.0 && !is_clear(unit, motion, &next, h)) return fmi3OK;
    if (h > 0.0 && take(unit, values->time + h, &next, motion->derivatives) != fmi3OK) return fmi3Error;
    /* The short steps of the approach say nothing about the motion behind the zero. */
    values->next_step = motion->usual_step;
    motion->usual_step = 0.0;
    const int impacts = unit->impacts;
    int phases[ATLEAST1(ROWS)];
    memcpy(phases, values->phases, sizeof phases);
    if (begin(unit, true, motion) != fmi3OK) return fmi3Error;
    const bool is_bounce = unit->impacts > impacts && memcmp(phases, values->phases, sizeof phases) == 0;
    return is_bounce ? fmi3OK : progress(unit, motion);
}

/* Shortens the next step behind an attempt that is not accurate. */
static fmi3Status reject(Unit *unit, const Motion *motion, const Attempt *next, double h, double rest)
{
    Values *const values = &unit->values;
    const double least = 16.0 * DBL_EPSILON * fmax(fabs(values->time), motion->length);
    values->next_step = h * (isnan(next->error) ? 0.2 : fmax(0.2, 0.9 * pow(next->error, -0.2)));
    if (!(values->next_step < least && h < rest)) return fmi3OK;
    if (isnan(next->error) && unit->reason) failed(unit, values->time, values->states, unit->reason, unit->reason_name);
    return failed(unit, values->time, values->states, "the steps become too small", "");
}

fmi3Status advance(Unit *unit, double until)
{
    Values *const values = &unit->values;
    Motion motion = {.length = until - values->time, .until = until, .switched_at = values->time};
    if (begin(unit, false, &motion) != fmi3OK) return fmi3Error;
    if (!(values->next_step > 0.0)) values->next_step = first_step(values, motion.derivatives, motion.length);
    for (int count = 0; values->time < until; count += 1) {
        const double rest = until - values->time;
        const bool is_last = values->next_step >= rest * (1.0 - 1e-12);
        const double h = is_last ? rest : values->next_step, time = is_last ? until : values->time + h;
        double after[ATLEAST1(SWITCHES)] = {0.0};
        Attempt next = {0};
        if (count >= MOST_STEPS) {
            return failed(unit, values->time, values->states, "a million steps do not reach the next communication point", "");
        }
        attempt(unit, motion.derivatives, h, &next);
        if (SWITCHES > 0 && !isnan(next.error)) {
            switches(unit, time, next.states, after);
            if (changes(motion.signs, after)) {
                if (cross(unit, &motion, h) != fmi3OK) return fmi3Error;
                continue;
            }
        }
        if (!(next.error <= 1.0)) {
            if (reject(unit, &motion, &next, h, rest) != fmi3OK) return fmi3Error;
            continue;
        }
        if (!is_clear(unit, &motion, &next, h)) continue;
        const double factor = next.error > 0.0 ? 0.9 * pow(next.error, -0.2) : 5.0;
        if (!is_last) values->next_step = h * fmin(5.0, fmax(0.2, factor));
        if (take(unit, time, &next, motion.derivatives) != fmi3OK) return fmi3Error;
        /* A function that was 0 at the beginning has a sign now. */
        for (int i = 0; i < SWITCHES; i += 1) motion.signs[i] = motion.signs[i] != 0.0 ? motion.signs[i] : sign(after[i]);
    }
    return fmi3OK;
}

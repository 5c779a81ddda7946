/* The switches within a step. A switching function may change its sign and change it back before the step ends. */
#include "lagrange_unit.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define NODES 9
/* Between nodes, a function deviates from its values by less than this multiple of the error at the odd nodes. */
#define SAFE 4.0
/* The error at the odd nodes, as a part of the range of the values, at which the place of a least value is known. */
#define SHAPED (1.0 / 64)
/* The parabolas by which a least value is approached. */
#define TURNS 4
/* How often a part of a step may be divided, how many parts are examined, and the shortest part, in roundings of the time. */
#define DEPTH 40
#define MOST_PARTS 2000
#define SHORTEST 64.0
/* By how many roundings a component of a state is moved to measure the rounding of a function, and how many of them it is. */
#define MOVED 64.0
#define ROUNDINGS 4.0

/* The nodes of a part, (1 - cos(pi k/8))/2. Equidistant nodes would see a fast oscillation as a slow one. */
static const double PLACES[NODES] = {
    0.0, 0.03806023374435663, 0.14644660940672624, 0.3086582838174551, 0.5, 0.6913417161825449, 0.8535533905932738, 0.9619397662556434, 1.0,
};
/* The weights of the values at the even nodes in the polynomial of degree 4 through them, at the odd nodes 1 and 3. */
static const double EVEN[2][5] = {
    {0.628417436515731, 0.441341716182545, -0.1035533905932738, 0.0586582838174551, -0.0248640459224572},
    {-0.1870757203331861, 0.7119397662556434, 0.6035533905932738, -0.2119397662556434, 0.0835223297399123},
};

/* The course of a function over a part: no change of its sign, a first one before a node, or values that do not tell. */
typedef enum { CLEAR, CROSSES, UNRESOLVED } CourseKind;
typedef struct {
    CourseKind kind;
    int node;
    /* Where the part is to be divided, between 0 and 1. */
    double place;
} Course;

static Course unresolved(double place)
{
    return (Course){UNRESOLVED, 0, place};
}

/* The largest difference between a value at an odd node and the polynomial through the even nodes. */
static double error_of(const double *heights)
{
    double error = 0.0;
    for (int odd = 1; odd < NODES; odd += 2) {
        const double *const weights = EVEN[(odd < 4 ? odd : 8 - odd) / 2];
        double predicted = 0.0;
        for (int even = 0; even < 5; even += 1) predicted += weights[odd < 4 ? even : 4 - even] * heights[2 * even];
        error = fmax(error, fabs(predicted - heights[odd]));
    }
    return error;
}

/* The polynomial of degree 8 through all values, at a place that is no node (J.-P. Berrut, L. N. Trefethen, SIAM Review 46, 2004). */
static double between(const double *heights, double place)
{
    double sum = 0.0, weights = 0.0;
    for (int k = 0; k < NODES; k += 1) {
        const double half = k == 0 || k == NODES - 1 ? 0.5 : 1.0, weight = (k % 2 ? -half : half) / (place - PLACES[k]);
        sum += weight * heights[k];
        weights += weight;
    }
    return sum / weights;
}

/* The place of the least value of the parabola through three points; NaN where it has none. */
static double lowest(const double *x, const double *y)
{
    const double first = (y[1] - y[0]) / (x[1] - x[0]), bend = ((y[2] - y[1]) / (x[2] - x[1]) - first) / (x[2] - x[0]);
    return bend > 0.0 ? (x[0] + x[1]) / 2 - first / (2 * bend) : NAN;
}

/* Whether a node is lower than its neighbours, and then the place and the value of the least value near it. */
static bool turn(const double *heights, int k, double *place, double *value)
{
    const bool is_end = k == 0 || k == NODES - 1;
    if (!is_end && (heights[k - 1] < heights[k] || heights[k + 1] < heights[k])) return false;
    const int middle = k == 0 ? 1 : k == NODES - 1 ? NODES - 2 : k;
    double x[3], y[3];
    bool is_found = false;
    memcpy(x, PLACES + middle - 1, sizeof x);
    memcpy(y, heights + middle - 1, sizeof y);
    const double low = k == NODES - 1 ? x[1] : x[0], high = k == 0 ? x[1] : x[2];
    for (int pass = 0; pass < TURNS; pass += 1) {
        const double next = lowest(x, y);
        if (!(next > low && next < high) || next == x[0] || next == x[1] || next == x[2]) break;
        const double there = between(heights, next);
        if (is_found && *value <= there) break;
        *place = next;
        *value = there;
        is_found = true;
        /* The next parabola goes through the new point and the two points nearest to it, in their order. */
        const int far = fabs(x[0] - next) >= fabs(x[2] - next) ? 0 : 2;
        if (far == 0) {
            x[0] = x[1], y[0] = y[1], x[1] = next, y[1] = there;
        } else {
            x[2] = x[1], y[2] = y[1], x[1] = next, y[1] = there;
        }
        if (x[1] < x[0] || x[1] > x[2]) {
            const int other = x[1] < x[0] ? 0 : 2;
            const double swapped_x = x[other], swapped_y = y[other];
            x[other] = x[1], y[other] = y[1], x[1] = swapped_x, y[1] = swapped_y;
        }
    }
    return is_found && (!is_end || *value < heights[k]);
}

/* The first node behind a zero, or NODES. */
static int crossing(const double *heights)
{
    for (int k = 0; k < NODES; k += 1) {
        if (heights[k] < 0.0) return k > 1 ? k : 1;
    }
    return NODES;
}

static Course by_signs(const double *heights)
{
    const int node = crossing(heights);
    return (Course){node < NODES ? CROSSES : CLEAR, node, 1.0};
}

/* The course of a function with these values, of which the first is not negative, where values below `rounding` are not distinguished. */
static Course course(const double *heights, double rounding)
{
    const double error = error_of(heights);
    const bool is_resolved = error <= SAFE * rounding;
    const double margin = is_resolved ? -rounding : SAFE * error;
    const int first = crossing(heights), last = first - 1;
    double low = INFINITY, high = -INFINITY, place, value;
    bool is_zero = true;
    for (int k = 0; k < NODES; k += 1) {
        low = fmin(low, heights[k]);
        high = fmax(high, heights[k]);
        is_zero = is_zero && heights[k] == 0.0;
    }
    if (is_zero) return (Course){CLEAR, NODES, 1.0};
    for (int k = 0; k <= last; k += 1) {
        if (!turn(heights, k, &place, &value) || value > margin || (first < NODES && place >= PLACES[last])) continue;
        return unresolved(error <= SHAPED * (high - low) && place > 0.01 && place < 0.99 ? place : 0.5);
    }
    if (!is_resolved && last > 0) {
        /* A value near 0 is that of a start or an end at a zero, if the value next to it is not near 0. */
        if (heights[0] <= margin && heights[1] <= margin) return unresolved(0.5);
        if (heights[last] <= margin && heights[last - 1] <= margin) return unresolved(0.5);
        for (int k = 1; k < last; k += 1) {
            if (heights[k] <= margin) return unresolved(0.5);
        }
    }
    if (first < NODES && !is_resolved && heights[first - 1] - heights[first] <= margin) {
        return unresolved(PLACES[first > 1 ? first - 1 : first]);
    }
    return (Course){first < NODES ? CROSSES : CLEAR, first, 1.0};
}

/* A step from the state of the instance, the values of all switching functions at the nodes of one part of it, and their roundings. */
typedef struct {
    Unit *unit;
    const double *derivatives;
    const Attempt *attempt;
    double h, heights[ATLEAST1(SWITCHES)][NODES], rounding[ATLEAST1(SWITCHES)];
    bool has_rounding;
} Step;

/* The state and behind it the time at a part of the step, by the interpolant of order 4 (E. Hairer, S. P. Nørsett, G. Wanner, Solving
   Ordinary Differential Equations I, section II.6). */
static void along(const Step *step, double part, double *point)
{
    const Values *const values = &step->unit->values;
    const Attempt *const next = step->attempt;
    const double rest = 1.0 - part;
    for (int i = 0; i < STATES; i += 1) {
        const double whole = next->states[i] - values->states[i], first = step->h * step->derivatives[i] - whole;
        const double last = whole - step->h * next->derivatives[i] - first;
        point[i] = values->states[i] + part * (whole + rest * (first + part * (last + rest * next->bend[i])));
    }
    point[STATES] = values->time + part * step->h;
}

/* Finds the rounding of each function at a point: the sum of what the roundings of its numbers change. The smaller change of both directions
   counts, because a function may jump in one of them. The ends of the phases of rows have their roundings in themselves. */
static void measure_rounding(Step *step, double *point)
{
    double here[ATLEAST1(SWITCHES)], more[ATLEAST1(SWITCHES)], less[ATLEAST1(SWITCHES)];
    own_switches(step->unit, point[STATES], point, here);
    for (int i = 0; i < SWITCHES; i += 1) step->rounding[i] = 0.0;
    for (int k = 0; k <= STATES; k += 1) {
        const double kept = point[k];
        point[k] = kept * (1.0 + MOVED * DBL_EPSILON);
        own_switches(step->unit, point[STATES], point, more);
        point[k] = kept * (1.0 - MOVED * DBL_EPSILON);
        own_switches(step->unit, point[STATES], point, less);
        point[k] = kept;
        for (int i = 0; i < SWITCHES; i += 1) {
            if (i >= FIRST_END && i < FIRST_CHANGE) continue;
            const double change = fmin(fabs(more[i] - here[i]), fabs(less[i] - here[i])) * (ROUNDINGS / MOVED);
            if (isfinite(change)) step->rounding[i] += change;
        }
    }
    step->has_rounding = true;
}

/* Computes the functions at the nodes of a part. Returns whether all are numbers. */
static bool visit(Step *step, double left, double right)
{
    double point[STATES + 1], there[ATLEAST1(SWITCHES)];
    bool is_finite = true;
    for (int k = 0; k < NODES; k += 1) {
        along(step, k == NODES - 1 ? right : left + PLACES[k] * (right - left), point);
        switches(step->unit, point[STATES], point, there);
        for (int i = 0; i < SWITCHES; i += 1) {
            step->heights[i][k] = there[i];
            is_finite = is_finite && isfinite(there[i]);
        }
        if (!step->has_rounding && k == 0) measure_rounding(step, point);
    }
    return is_finite;
}

/* The course of one function over the part that has been visited. A function without a sign takes the first one that is more than rounding. */
static Course followed(Step *step, int index, double *sign, bool may_divide)
{
    double heights[NODES];
    const double rounding = step->rounding[index];
    for (int k = 0; k < NODES && *sign == 0.0; k += 1) {
        const double height = step->heights[index][k];
        if (fabs(height) > rounding) *sign = height > 0.0 ? 1.0 : -1.0;
    }
    for (int k = 0; k < NODES; k += 1) {
        const double height = *sign * step->heights[index][k];
        heights[k] = height < 0.0 && height >= -rounding ? 0.0 : height;
    }
    /* The motion leaves a zero whose place is known up to rounding of the time. */
    heights[0] = fmax(heights[0], 0.0);
    if (!may_divide) return by_signs(heights);
    const Course exact = course(heights, 0.0);
    return exact.kind == UNRESOLVED ? course(heights, rounding) : exact;
}

double clear_part(Unit *unit, const double *derivatives, const Attempt *attempt, double h, double *signs)
{
    Step step = {.unit = unit, .derivatives = derivatives, .attempt = attempt, .h = h};
    double ends[DEPTH + 1] = {1.0}, left = 0.0;
    const double shortest = SHORTEST * DBL_EPSILON * fmax(fabs(unit->values.time), h) / h;
    int depth = 0;
    for (int count = 0; count < MOST_PARTS; count += 1) {
        const double right = ends[depth];
        const bool may_divide = depth < DEPTH && right - left > shortest;
        Course found = {CLEAR, NODES, 1.0};
        if (!visit(&step, left, right)) return 0.5;
        for (int i = 0; i < SWITCHES && found.kind != UNRESOLVED; i += 1) {
            const Course own = followed(&step, i, &signs[i], may_divide);
            if (own.kind == UNRESOLVED || (own.kind == CROSSES && own.node < found.node)) found = own;
        }
        if (found.kind == CROSSES) return left + (right - left) * PLACES[found.node];
        if (found.kind == UNRESOLVED) {
            depth += 1;
            ends[depth] = left + (right - left) * found.place;
            continue;
        }
        left = right;
        if (depth == 0) return 1.0;
        depth -= 1;
    }
    return 0.5;
}

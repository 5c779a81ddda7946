/* The functions of FMI 3.0. */
#include "lagrange_unit.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* FMI fixes the arguments, of which some functions need a part only. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

/* A constraint whose residual is this part of its size has drifted so far that model exchange asks for an event, which projects. */
#define DRIFTED 1e-9
/* A state that violates the constraints by less than this at the start, or after a change of parameters, is projected; others are refused. */
#define NEAR 1e-6

/* Whether the unit is in one of these modes, whose bits are set; otherwise a message. */
static bool is_in(Unit *unit, unsigned modes, const char *function)
{
    if (unit && (modes & (1u << unit->values.mode))) return true;
    if (unit) misused(unit, "the present mode of the instance does not allow the function ", function);
    return false;
}

#define BIT(mode) (1u << (mode))

FMI3 const char *fmi3GetVersion(void)
{
    return "3.0";
}

FMI3 fmi3Status fmi3SetDebugLogging(fmi3Instance instance, bool logging_on, size_t count, const fmi3String categories[])
{
    for (size_t i = 0; i < count; i += 1) {
        if (strcmp(categories[i], "logStatusError") != 0) return misused(instance, "there is no category of messages ", categories[i]);
    }
    return fmi3OK;
}

/* Creation and destruction. */

static void restart(Unit *unit)
{
    memset(&unit->values, 0, sizeof unit->values);
    memcpy(unit->values.parameters, start_parameters, PARAMETERS * sizeof(double));
    memcpy(unit->values.inputs, start_inputs, INPUTS * sizeof(double));
    memcpy(unit->values.states, start_states, STATES * sizeof(double));
    unit->values.tolerance = DEFAULT_TOLERANCE;
    unit->values.is_stale = true;
    unit->values.is_fresh = true;
    /* No row is closed or sticks before the first phases are found. */
    for (int k = 0; k < ROWS; k += 1) unit->values.phases[k] = 1;
}

static Unit *instantiate(fmi3String token, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    if (!token || strcmp(token, instantiation_token) != 0) {
        if (log) log(environment, fmi3Error, "logStatusError", "the instantiation token belongs to another unit");
        return NULL;
    }
    Unit *const unit = calloc(1, sizeof *unit);
    if (!unit) {
        if (log) log(environment, fmi3Error, "logStatusError", "there is no memory for an instance");
        return NULL;
    }
    unit->environment = environment;
    unit->log = log;
    restart(unit);
    return unit;
}

FMI3 fmi3Instance fmi3InstantiateModelExchange(
    fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logging_on, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log)
{
    return instantiate(token, environment, log);
}

FMI3 fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logging_on, bool event_mode_used,
    bool early_return_allowed, const fmi3ValueReference required[], size_t required_count, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
    Unit *const unit = instantiate(token, environment, log);
    if (unit) {
        unit->is_cosimulation = true;
        unit->is_event_mode_used = event_mode_used;
    }
    return unit;
}

FMI3 void fmi3FreeInstance(fmi3Instance instance)
{
    free(instance);
}

/* Modes. */

FMI3 fmi3Status fmi3EnterInitializationMode(
    fmi3Instance instance, bool tolerance_defined, double tolerance, double start_time, bool stop_time_defined, double stop_time)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(INSTANTIATED), "fmi3EnterInitializationMode")) return fmi3Error;
    if (!isfinite(start_time)) return misused(unit, "no finite number is ", "the start time");
    if (tolerance_defined) {
        if (!(tolerance > 0.0 && tolerance < 1.0)) return misused(unit, "a tolerance lies between 0 and 1", "");
        unit->values.tolerance = fmax(tolerance, 1e-13);
    }
    unit->values.time = unit->values.stepped = start_time;
    unit->values.mode = INITIALIZATION;
    return fmi3OK;
}

FMI3 fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(INITIALIZATION), "fmi3ExitInitializationMode")) return fmi3Error;
    Values *const values = &unit->values;
    if (prepared(unit) != fmi3OK) return fmi3Error;
    if (CONSTRAINTS > 0) {
        const char *name = "";
        if (!(violation(unit, values->time, values->states, &name) <= NEAR)) return misused(unit, "the initial state violates the ", name);
        if (project(unit, values->time, values->states) != fmi3OK) return fmi3Error;
    }
    double derivatives[ATLEAST1(STATES)];
    if (rates(unit, values->time, values->states, derivatives, NULL) != fmi3OK) return fmi3Error;
    for (int i = 0; i < STATES; i += 1) values->largest[i] = fabs(values->states[i]);
    values->mode = unit->is_cosimulation && !unit->is_event_mode_used ? STEP : EVENT;
    /* The importing tool handles the events at the start, unless it leaves them to the unit. */
    bool has_changed;
    return values->mode == STEP ? settle(unit, false, &has_changed) : fmi3OK;
}

FMI3 fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(CONTINUOUS) | BIT(STEP), "fmi3EnterEventMode")) return fmi3Error;
    unit->values.is_event = unit->values.mode == CONTINUOUS;
    unit->values.mode = EVENT;
    return fmi3OK;
}

FMI3 fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(EVENT), "fmi3EnterContinuousTimeMode") || unit->is_cosimulation) return fmi3Error;
    if (admit_parameters(unit) != fmi3OK) return fmi3Error;
    unit->values.mode = CONTINUOUS;
    return fmi3OK;
}

FMI3 fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(EVENT), "fmi3EnterStepMode") || !unit->is_cosimulation) return fmi3Error;
    unit->values.mode = STEP;
    return fmi3OK;
}

FMI3 fmi3Status fmi3Terminate(fmi3Instance instance)
{
    Unit *const unit = instance;
    if (!unit) return fmi3Error;
    unit->values.mode = TERMINATED;
    return fmi3OK;
}

FMI3 fmi3Status fmi3Reset(fmi3Instance instance)
{
    if (!instance) return fmi3Error;
    restart(instance);
    return fmi3OK;
}

/* Values of variables. */

/* What is computed for variables that are no values of the instance, each part at most once for a call. */
typedef struct {
    bool has_rates, has_multipliers, has_outputs, has_energies, has_switches;
    double derivatives[ATLEAST1(STATES)], multipliers[ATLEAST1(CONSTRAINTS)], outputs[ATLEAST1(OUTPUTS + SLOPES)];
    double energies[ATLEAST1(ENERGIES)], switches[ATLEAST1(SWITCHES)];
} Computed;

/* The rates and multipliers. Before the first instant is settled they are those behind it. */
static fmi3Status settled_rates(Unit *unit, double *derivatives, double *multipliers)
{
    const Values kept = unit->values;
    bool has_changed;
    if (ROWS == 0 || !kept.is_fresh) return rates(unit, kept.time, kept.states, derivatives, multipliers);
    fmi3Status status = settle(unit, false, &has_changed);
    if (status == fmi3OK) status = rates(unit, unit->values.time, unit->values.states, derivatives, multipliers);
    unit->values = kept;
    return status;
}

static fmi3Status value(Unit *unit, fmi3ValueReference reference, Computed *computed, double *result)
{
    const Values *const values = &unit->values;
    double q[VELOCITIES];
    const double *const v = values->states + COORDINATES;
    for (int i = 0; i < VELOCITIES; i += 1) q[i] = i < COORDINATES ? values->states[i] : 0.0;
    if (reference >= VARIABLES) return misused(unit, "the unit has no variable with this value reference", "");
    if (reference == 0) {
        *result = values->time;
    } else if (reference < FIRST_INPUT) {
        *result = values->parameters[reference - FIRST_PARAMETER];
    } else if (reference < FIRST_STATE) {
        *result = values->inputs[reference - FIRST_INPUT];
    } else if (reference < FIRST_ACCELERATION) {
        *result = values->states[reference - FIRST_STATE];
    } else if (reference < FIRST_OUTPUT) {
        if (!computed->has_rates && settled_rates(unit, computed->derivatives, NULL) != fmi3OK) return fmi3Error;
        computed->has_rates = true;
        *result = computed->derivatives[COORDINATES + reference - FIRST_ACCELERATION];
    } else if (reference >= FIRST_MULTIPLIER && reference < FIRST_SWITCH) {
        double derivatives[ATLEAST1(STATES)];
        if (!computed->has_multipliers && settled_rates(unit, derivatives, computed->multipliers) != fmi3OK) return fmi3Error;
        computed->has_multipliers = true;
        *result = computed->multipliers[reference - FIRST_MULTIPLIER];
    } else if (prepared(unit) != fmi3OK) {
        return fmi3Error;
    } else if (reference < FIRST_ENERGY) {
        if (!computed->has_outputs) model_outputs(&unit->prepared, values->time, q, v, values->inputs, computed->outputs);
        computed->has_outputs = true;
        *result = computed->outputs[reference - FIRST_OUTPUT];
    } else if (reference < FIRST_MULTIPLIER) {
        if (!computed->has_energies) model_energies(&unit->prepared, values->time, q, v, values->inputs, computed->energies);
        computed->has_energies = true;
        *result = computed->energies[reference - FIRST_ENERGY];
    } else if (reference >= FIRST_PHASE) {
        *result = values->phases[reference - FIRST_PHASE];
    } else {
        if (!computed->has_switches) switches(unit, values->time, values->states, computed->switches);
        computed->has_switches = true;
        *result = computed->switches[reference - FIRST_SWITCH];
    }
    return isfinite(*result) ? fmi3OK : misused(unit, "no finite number is the value of ", variable_names[reference]);
}

FMI3 fmi3Status fmi3GetFloat64(
    fmi3Instance instance, const fmi3ValueReference references[], size_t count, double values[], size_t value_count)
{
    Computed computed = {0};
    if (!instance || count != value_count) return fmi3Error;
    for (size_t i = 0; i < count; i += 1) {
        if (value(instance, references[i], &computed, &values[i]) != fmi3OK) return fmi3Error;
    }
    return fmi3OK;
}

FMI3 fmi3Status fmi3SetFloat64(
    fmi3Instance instance, const fmi3ValueReference references[], size_t count, const double values[], size_t value_count)
{
    Unit *const unit = instance;
    if (!unit || count != value_count) return fmi3Error;
    const Mode mode = unit->values.mode;
    const bool is_starting = mode == INSTANTIATED || mode == INITIALIZATION;
    for (size_t i = 0; i < count; i += 1) {
        const fmi3ValueReference reference = references[i];
        if (reference >= VARIABLES) return misused(unit, "the unit has no variable with this value reference", "");
        if (!isfinite(values[i])) return misused(unit, "no finite number is set for ", variable_names[reference]);
        const bool is_parameter = reference >= FIRST_PARAMETER && reference < FIRST_INPUT;
        const bool is_input = reference >= FIRST_INPUT && reference < FIRST_STATE;
        const bool is_state = reference >= FIRST_STATE && reference < FIRST_ACCELERATION;
        const bool is_allowed = is_input ? mode != TERMINATED
            : is_parameter               ? is_starting || mode == EVENT || (mode == STEP && !unit->is_event_mode_used)
                                         : is_state && is_starting;
        if (!is_allowed) return misused(unit, "now nothing may be set for ", variable_names[reference]);
        if (is_parameter) {
            if ((CONSTRAINTS > 0 || ROWS > 0) && !is_starting && unit->values.allowed == 0.0) {
                /* What the state has drifted before is no violation by the parameters. */
                unit->values.allowed = fmax(NEAR, violation(unit, unit->values.time, unit->values.states, NULL));
            }
            unit->values.parameters[reference - FIRST_PARAMETER] = values[i];
            unit->values.is_stale = true;
        } else if (is_input) {
            unit->values.inputs[reference - FIRST_INPUT] = values[i];
        } else {
            unit->values.states[reference - FIRST_STATE] = values[i];
        }
    }
    return fmi3OK;
}

/* Checkpoints. */

FMI3 fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *state)
{
    if (!instance || !state) return fmi3Error;
    if (!*state) *state = malloc(sizeof(Values));
    if (!*state) return misused(instance, "there is no memory for a checkpoint", "");
    memcpy(*state, &((Unit *)instance)->values, sizeof(Values));
    return fmi3OK;
}

FMI3 fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state)
{
    if (!instance || !state) return fmi3Error;
    Unit *const unit = instance;
    memcpy(&unit->values, state, sizeof(Values));
    unit->values.is_stale = true;
    return fmi3OK;
}

FMI3 fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *state)
{
    if (!instance) return fmi3Error;
    if (state) {
        free(*state);
        *state = NULL;
    }
    return fmi3OK;
}

FMI3 fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t *size)
{
    if (!instance || !state || !size) return fmi3Error;
    *size = sizeof(Values);
    return fmi3OK;
}

FMI3 fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, uint8_t bytes[], size_t size)
{
    if (!instance || !state) return fmi3Error;
    if (size != sizeof(Values)) return misused(instance, "a checkpoint has another number of bytes", "");
    memcpy(bytes, state, size);
    return fmi3OK;
}

FMI3 fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const uint8_t bytes[], size_t size, fmi3FMUState *state)
{
    if (!instance || !state) return fmi3Error;
    if (size != sizeof(Values)) return misused(instance, "a checkpoint has another number of bytes", "");
    if (!*state) *state = malloc(sizeof(Values));
    if (!*state) return misused(instance, "there is no memory for a checkpoint", "");
    memcpy(*state, bytes, size);
    return fmi3OK;
}

/* Derivatives. */

#if HAS_JACOBIAN

/* What directional derivatives at a state are computed from. */
typedef struct {
    Jacobian jacobian;
    double outputs[ATLEAST1(OUTPUTS + SLOPES)];
} Derivatives;

/* The derivative of the acceleration in this row, or of the multiplier behind these, by a variable. */
static double of_solution(const Jacobian *jacobian, int row, fmi3ValueReference known)
{
    if (known == 0) return jacobian->by_t[row];
    if (known < FIRST_STATE) return jacobian->by_u[row * INPUTS + (int)(known - FIRST_INPUT)];
    const int state = (int)(known - FIRST_STATE);
    return state < COORDINATES ? jacobian->by_q[row * VELOCITIES + state]
                               : jacobian->by_v[row * VELOCITIES + state - COORDINATES];
}

/* The derivative of an output by a variable: what it reads itself, and through the accelerations and multipliers. */
static double of_output(const Derivatives *derivatives, int output, fmi3ValueReference known)
{
    double sum = 0.0;
    for (int i = 0; i < SLOPES; i += 1) {
        const Slope slope = output_slopes[i];
        const fmi3ValueReference index = (fmi3ValueReference)slope.index;
        const fmi3ValueReference own = slope.by == BY_COORDINATE ? FIRST_STATE + index
            : slope.by == BY_VELOCITY                           ? FIRST_STATE + COORDINATES + index
            : slope.by == BY_INPUT                              ? FIRST_INPUT + index
                                                                : 0;
        if (slope.output != output) continue;
        if (slope.by == BY_ACCELERATION || slope.by == BY_MULTIPLIER) {
            const int row = slope.by == BY_MULTIPLIER ? VELOCITIES + slope.index : slope.index;
            sum += derivatives->outputs[OUTPUTS + i] * of_solution(&derivatives->jacobian, row, known);
        } else if (own == known) {
            sum += derivatives->outputs[OUTPUTS + i];
        }
    }
    return sum;
}

/* The derivative of a variable by another one. */
static fmi3Status derivative(
    Unit *unit, const Derivatives *derivatives, fmi3ValueReference unknown, fmi3ValueReference known, double *result)
{
    if (unknown >= VARIABLES || known >= VARIABLES) return misused(unit, "the unit has no variable with this value reference", "");
    if (known != 0 && (known < FIRST_INPUT || known >= FIRST_ACCELERATION)) {
        return misused(unit, "there are derivatives by the time, the inputs and the states, and none by ", variable_names[known]);
    }
    if (unknown >= FIRST_STATE && unknown < FIRST_ACCELERATION) {
        *result = unknown == known ? 1.0 : 0.0;
    } else if (unknown >= FIRST_ACCELERATION && unknown < FIRST_OUTPUT) {
        *result = of_solution(&derivatives->jacobian, (int)(unknown - FIRST_ACCELERATION), known);
    } else if (unknown >= FIRST_OUTPUT && unknown < FIRST_ENERGY) {
        *result = of_output(derivatives, (int)(unknown - FIRST_OUTPUT), known);
    } else if (unknown >= FIRST_MULTIPLIER && unknown < FIRST_SWITCH) {
        *result = of_solution(&derivatives->jacobian, VELOCITIES + (int)(unknown - FIRST_MULTIPLIER), known);
    } else {
        return misused(unit, "there are derivatives of states, their rates, outputs and multipliers, and none of ", variable_names[unknown]);
    }
    return isfinite(*result) ? fmi3OK : misused(unit, "no finite number is a derivative of ", variable_names[unknown]);
}

FMI3 fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], size_t unknown_count, const fmi3ValueReference knowns[],
    size_t known_count, const double seed[], size_t seed_count, double sensitivity[], size_t sensitivity_count)
{
    Unit *const unit = instance;
    double q[VELOCITIES];
    Derivatives derivatives;
    if (!unit || seed_count != known_count || sensitivity_count != unknown_count || prepared(unit) != fmi3OK) return fmi3Error;
    const Values *const values = &unit->values;
    const double *const v = values->states + COORDINATES;
    for (int i = 0; i < VELOCITIES; i += 1) q[i] = i < COORDINATES ? values->states[i] : 0.0;
    if (model_jacobian(&unit->prepared, values->time, q, v, values->inputs, &derivatives.jacobian) != 0) {
        return misused(unit, "the derivatives of singular equations are not computed", "");
    }
    model_outputs(&unit->prepared, values->time, q, v, values->inputs, derivatives.outputs);
    for (size_t i = 0; i < unknown_count; i += 1) {
        sensitivity[i] = 0.0;
        for (size_t k = 0; k < known_count; k += 1) {
            double entry = 0.0;
            if (derivative(unit, &derivatives, unknowns[i], knowns[k], &entry) != fmi3OK) return fmi3Error;
            sensitivity[i] += entry * seed[k];
        }
    }
    return fmi3OK;
}

#else

FMI3 fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], size_t unknown_count, const fmi3ValueReference knowns[],
    size_t known_count, const double seed[], size_t seed_count, double sensitivity[], size_t sensitivity_count)
{
    return misused(instance, "the unit has no directional derivatives", "");
}

#endif

/* Events. */

/* Whether the state has drifted off constraints, or off what rows at rest hold. */
static bool has_drifted(Unit *unit)
{
    return (CONSTRAINTS > 0 || ROWS > 0) && violation(unit, unit->values.time, unit->values.states, NULL) > DRIFTED;
}

FMI3 fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
    return is_in(instance, BIT(INITIALIZATION) | BIT(EVENT), "fmi3EvaluateDiscreteStates") ? fmi3OK : fmi3Error;
}

FMI3 fmi3Status fmi3UpdateDiscreteStates(
    fmi3Instance instance, bool *needs_update, bool *terminate, bool *nominals_changed, bool *states_changed,
    bool *next_time_defined, double *next_time)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(EVENT), "fmi3UpdateDiscreteStates")) return fmi3Error;
    *needs_update = *terminate = *nominals_changed = *states_changed = *next_time_defined = false;
    *next_time = 0.0;
    /* The states are moved where the parameters have changed. */
    *states_changed = unit->values.allowed > 0.0;
    if (admit_parameters(unit) != fmi3OK) return fmi3Error;
    if (has_drifted(unit)) {
        if (project(unit, unit->values.time, unit->values.states) != fmi3OK) return fmi3Error;
        *states_changed = true;
    }
    bool has_changed;
    if (settle(unit, unit->values.is_event, &has_changed) != fmi3OK) return fmi3Error;
    *states_changed = *states_changed || has_changed;
    unit->values.is_event = false;
    return fmi3OK;
}

/* Model exchange. */

FMI3 fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, bool no_earlier_state, bool *enter_event_mode, bool *terminate)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(CONTINUOUS), "fmi3CompletedIntegratorStep")) return fmi3Error;
    *terminate = false;
    for (int i = 0; i < STATES; i += 1) unit->values.largest[i] = fmax(unit->values.largest[i], fabs(unit->values.states[i]));
    unit->values.next_step = fabs(unit->values.time - unit->values.stepped);
    unit->values.stepped = unit->values.time;
    /* A condition that is 0 where the motion starts has no zero in it that the importing tool would find. */
    if (is_due(unit, enter_event_mode) != fmi3OK) return fmi3Error;
    *enter_event_mode = *enter_event_mode || has_drifted(unit);
    return fmi3OK;
}

FMI3 fmi3Status fmi3SetTime(fmi3Instance instance, double time)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(CONTINUOUS) | BIT(EVENT), "fmi3SetTime")) return fmi3Error;
    if (!isfinite(time)) return misused(unit, "no finite number is set for ", "the time");
    unit->values.time = time;
    return fmi3OK;
}

FMI3 fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const double states[], size_t count)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(CONTINUOUS), "fmi3SetContinuousStates") || count != STATES) return fmi3Error;
    for (int i = 0; i < STATES; i += 1) {
        if (!isfinite(states[i])) return misused(unit, "no finite number is set for ", state_names[i]);
    }
    memcpy(unit->values.states, states, STATES * sizeof *states);
    return fmi3OK;
}

FMI3 fmi3Status fmi3GetContinuousStates(fmi3Instance instance, double states[], size_t count)
{
    if (!instance || count != STATES) return fmi3Error;
    memcpy(states, ((Unit *)instance)->values.states, STATES * sizeof *states);
    return fmi3OK;
}

FMI3 fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, double derivatives[], size_t count)
{
    Unit *const unit = instance;
    if (!unit || count != STATES) return fmi3Error;
    return rates(unit, unit->values.time, unit->values.states, derivatives, NULL);
}

FMI3 fmi3Status fmi3GetEventIndicators(fmi3Instance instance, double indicators[], size_t count)
{
    Unit *const unit = instance;
    if (!unit || count != SWITCHES || prepared(unit) != fmi3OK) return fmi3Error;
    if (SWITCHES > 0) switches(unit, unit->values.time, unit->values.states, indicators);
    for (int i = 0; i < SWITCHES; i += 1) {
        if (isnan(indicators[i])) return misused(unit, "no number is ", variable_names[FIRST_SWITCH + (fmi3ValueReference)i]);
    }
    return fmi3OK;
}

FMI3 fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, double nominals[], size_t count)
{
    if (!instance || count != STATES) return fmi3Error;
    memcpy(nominals, state_nominals, STATES * sizeof *nominals);
    return fmi3OK;
}

FMI3 fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *count)
{
    if (!instance || !count) return fmi3Error;
    *count = SWITCHES;
    return fmi3OK;
}

FMI3 fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *count)
{
    if (!instance || !count) return fmi3Error;
    *count = STATES;
    return fmi3OK;
}

/* Co-simulation. */

FMI3 fmi3Status fmi3DoStep(
    fmi3Instance instance, double from, double length, bool no_earlier_state, bool *event_handling_needed, bool *terminate,
    bool *early_return, double *last_time)
{
    Unit *const unit = instance;
    if (!is_in(unit, BIT(STEP), "fmi3DoStep")) return fmi3Error;
    *event_handling_needed = *terminate = *early_return = false;
    if (!(length > 0.0) || !isfinite(length)) return misused(unit, "the step of a communication is not positive", "");
    /* The importing tool may add up its times, or multiply the length of its steps. */
    if (!(fabs(from - unit->values.time) <= 1e-9 * length + 16.0 * DBL_EPSILON * fabs(from))) {
        return misused(unit, "the step does not begin at the time of the instance", "");
    }
    if (!(from + length > unit->values.time)) return misused(unit, "the step of a communication is shorter than the rounding of the time", "");
    if (admit_parameters(unit) != fmi3OK) return fmi3Error;
    const fmi3Status status = advance(unit, from + length);
    *last_time = unit->values.time;
    return status;
}

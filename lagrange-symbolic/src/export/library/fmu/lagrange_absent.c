/* The functions of FMI 3.0 for what the unit does not have: variables of other types, clocks, arrays, structural parameters. */
#include "lagrange_unit.h"

/* FMI fixes the arguments, which none of these functions needs. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

FMI3 fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logging_on, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{
    if (log) log(environment, fmi3Error, "logStatusError", "the unit has no scheduled execution");
    return NULL;
}

FMI3 fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
    return misused(instance, "the unit has no structural parameters", "");
}

FMI3 fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
    return misused(instance, "the unit has no structural parameters", "");
}

/* The unit has variables of no other type. */
#define OTHER_TYPE(Name, type) \
    FMI3 fmi3Status fmi3Get##Name( \
        fmi3Instance instance, const fmi3ValueReference references[], size_t count, type values[], size_t value_count) \
    { \
        return count == 0 ? fmi3OK : misused(instance, "the unit has no variable of the type ", #Name); \
    } \
    FMI3 fmi3Status fmi3Set##Name( \
        fmi3Instance instance, const fmi3ValueReference references[], size_t count, const type values[], size_t value_count) \
    { \
        return count == 0 ? fmi3OK : misused(instance, "the unit has no variable of the type ", #Name); \
    }

OTHER_TYPE(Float32, float)
OTHER_TYPE(Int8, int8_t)
OTHER_TYPE(UInt8, uint8_t)
OTHER_TYPE(Int16, int16_t)
OTHER_TYPE(UInt16, uint16_t)
OTHER_TYPE(Int32, int32_t)
OTHER_TYPE(UInt32, uint32_t)
OTHER_TYPE(Int64, int64_t)
OTHER_TYPE(UInt64, uint64_t)
OTHER_TYPE(Boolean, bool)
OTHER_TYPE(String, fmi3String)

FMI3 fmi3Status fmi3GetBinary(
    fmi3Instance instance, const fmi3ValueReference references[], size_t count, size_t sizes[], fmi3Binary values[], size_t value_count)
{
    return count == 0 ? fmi3OK : misused(instance, "the unit has no variable of the type ", "Binary");
}

FMI3 fmi3Status fmi3SetBinary(
    fmi3Instance instance, const fmi3ValueReference references[], size_t count, const size_t sizes[], const fmi3Binary values[],
    size_t value_count)
{
    return count == 0 ? fmi3OK : misused(instance, "the unit has no variable of the type ", "Binary");
}

/* The unit has no clock. */
#define CLOCK(Name, ...) \
    FMI3 fmi3Status fmi3##Name(fmi3Instance instance, const fmi3ValueReference references[], size_t count, __VA_ARGS__) \
    { \
        return count == 0 ? fmi3OK : misused(instance, "the unit has no clock", ""); \
    }

CLOCK(GetClock, bool values[])
CLOCK(SetClock, const bool values[])
CLOCK(GetIntervalDecimal, double intervals[], fmi3IntervalQualifier qualifiers[])
CLOCK(GetIntervalFraction, uint64_t counters[], uint64_t resolutions[], fmi3IntervalQualifier qualifiers[])
CLOCK(GetShiftDecimal, double shifts[])
CLOCK(GetShiftFraction, uint64_t counters[], uint64_t resolutions[])
CLOCK(SetIntervalDecimal, const double intervals[])
CLOCK(SetIntervalFraction, const uint64_t counters[], const uint64_t resolutions[])
CLOCK(SetShiftDecimal, const double shifts[])
CLOCK(SetShiftFraction, const uint64_t counters[], const uint64_t resolutions[])
CLOCK(GetOutputDerivatives, const int32_t orders[], double values[], size_t value_count)

FMI3 fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock, double time)
{
    return misused(instance, "the unit has no clock", "");
}

FMI3 fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference, size_t *count)
{
    return misused(instance, "the unit has no arrays, whose elements would depend on elements", "");
}

FMI3 fmi3Status fmi3GetVariableDependencies(
    fmi3Instance instance, fmi3ValueReference dependent, size_t dependent_elements[], fmi3ValueReference independents[],
    size_t independent_elements[], fmi3DependencyKind kinds[], size_t count)
{
    return misused(instance, "the unit has no arrays, whose elements would depend on elements", "");
}

FMI3 fmi3Status fmi3GetAdjointDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], size_t unknown_count, const fmi3ValueReference knowns[],
    size_t known_count, const double seed[], size_t seed_count, double sensitivity[], size_t sensitivity_count)
{
    return misused(instance, "the unit has no adjoint derivatives", "");
}

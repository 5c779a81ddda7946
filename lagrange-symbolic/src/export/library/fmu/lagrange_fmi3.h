/* The types and functions of FMI 3.0 that this unit has, declared after the standard (https://fmi-standard.org/docs/3.0.2/). */
#ifndef LAGRANGE_FMI3_H
#define LAGRANGE_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define FMI3 __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI3 __attribute__((visibility("default")))
#else
#define FMI3
#endif

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef const char *fmi3String;
typedef const uint8_t *fmi3Binary;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(
    fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);
typedef void (*fmi3IntermediateUpdateCallback)(
    fmi3InstanceEnvironment environment, double time, bool set_requested, bool get_allowed, bool step_finished, bool can_return_early,
    bool *early_return_requested, double *early_return_time);

#endif

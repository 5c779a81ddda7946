/* Integrations by CVODE and IDA: BDF methods, a dense solver, and the exact Jacobian. */
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

/* mass y' = rates(t, y), and the columns of the derivatives of the rates by y. */
struct equations {
    void *owner;
    void (*rates)(void *owner, double t, const double *y, double *rates);
    void (*jacobian)(void *owner, double t, const double *y, double *columns);
    const double *mass;
    int size;
};

static int rates(realtype t, N_Vector y, N_Vector f, void *data) {
    const struct equations *equations = data;
    equations->rates(equations->owner, t, NV_DATA_S(y), NV_DATA_S(f));
    return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix matrix, void *data, N_Vector a, N_Vector b, N_Vector c) {
    const struct equations *equations = data;
    equations->jacobian(equations->owner, t, NV_DATA_S(y), SM_DATA_D(matrix));
    return 0;
}

static int residual(realtype t, N_Vector y, N_Vector slope, N_Vector r, void *data) {
    const struct equations *equations = data;
    equations->rates(equations->owner, t, NV_DATA_S(y), NV_DATA_S(r));
    for (int i = 0; i < equations->size; i++) NV_Ith_S(r, i) = equations->mass[i] * NV_Ith_S(slope, i) - NV_Ith_S(r, i);
    return 0;
}

static int residual_jacobian(realtype t, realtype factor, N_Vector y, N_Vector slope, N_Vector r, SUNMatrix matrix, void *data, N_Vector a, N_Vector b, N_Vector c) {
    const struct equations *equations = data;
    const int n = equations->size;
    double *entries = SM_DATA_D(matrix);
    equations->jacobian(equations->owner, t, NV_DATA_S(y), entries);
    for (int i = 0; i < n * n; i++) entries[i] = -entries[i];
    for (int i = 0; i < n; i++) entries[i * (n + 1)] += factor * equations->mass[i];
    return 0;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Integrates from t = 0 and `y` to `end`, where y is written. `slope` has y' at the start if `mass` is not null. Returns the seconds of the integration, without
   those of the preparation, or a negative number where it fails. */
double lagrange_sundials(struct equations equations, double end, double *y, double *slope, double rtol, double atol) {
    SUNContext context;
    if (SUNContext_Create(0, &context) != 0) return -1;
    N_Vector state = N_VMake_Serial(equations.size, y, context);
    N_Vector rate = N_VMake_Serial(equations.size, slope, context);
    SUNMatrix matrix = SUNDenseMatrix(equations.size, equations.size, context);
    SUNLinearSolver solver = SUNLinSol_Dense(state, matrix, context);
    realtype t;
    int flag;
    double from, to;
    if (equations.mass == NULL) {
        void *memory = CVodeCreate(CV_BDF, context);
        CVodeInit(memory, rates, 0, state);
        CVodeSStolerances(memory, rtol, atol);
        CVodeSetUserData(memory, &equations);
        CVodeSetLinearSolver(memory, solver, matrix);
        CVodeSetJacFn(memory, jacobian);
        CVodeSetMaxNumSteps(memory, 10000000);
        CVodeSetErrFile(memory, NULL);
        from = seconds();
        flag = CVode(memory, end, state, &t, CV_NORMAL);
        to = seconds();
        CVodeFree(&memory);
    } else {
        void *memory = IDACreate(context);
        IDAInit(memory, residual, 0, state, rate);
        IDASStolerances(memory, rtol, atol);
        IDASetUserData(memory, &equations);
        IDASetLinearSolver(memory, solver, matrix);
        IDASetJacFn(memory, residual_jacobian);
        IDASetMaxNumSteps(memory, 10000000);
        IDASetErrFile(memory, NULL);
        from = seconds();
        flag = IDASolve(memory, end, &t, state, rate, IDA_NORMAL);
        to = seconds();
        IDAFree(&memory);
    }
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(rate);
    N_VDestroy(state);
    SUNContext_Free(&context);
    return flag < 0 ? -1 : to - from;
}

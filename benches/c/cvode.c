/* CVODE (BDF, dense, exact Jacobian) on stiff problems: prints the least time of an integration in microseconds, and the last state. */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

#define Y(i) NV_Ith_S(y, i)
#define F(i) NV_Ith_S(f, i)
#define J(i, j) SM_ELEMENT_D(jacobian, i, j)

static int van_der_pol(realtype t, N_Vector y, N_Vector f, void *data) {
    const realtype eps = 1e-6;
    F(0) = Y(1);
    F(1) = ((1 - Y(0) * Y(0)) * Y(1) - Y(0)) / eps;
    return 0;
}

static int van_der_pol_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix jacobian, void *data, N_Vector a, N_Vector b, N_Vector c) {
    const realtype eps = 1e-6;
    J(0, 0) = 0;
    J(0, 1) = 1;
    J(1, 0) = (-2 * Y(0) * Y(1) - 1) / eps;
    J(1, 1) = (1 - Y(0) * Y(0)) / eps;
    return 0;
}

static int robertson(realtype t, N_Vector y, N_Vector f, void *data) {
    F(0) = -0.04 * Y(0) + 1e4 * Y(1) * Y(2);
    F(2) = 3e7 * Y(1) * Y(1);
    F(1) = -F(0) - F(2);
    return 0;
}

static int robertson_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix jacobian, void *data, N_Vector a, N_Vector b, N_Vector c) {
    J(0, 0) = -0.04;
    J(0, 1) = 1e4 * Y(2);
    J(0, 2) = 1e4 * Y(1);
    J(1, 0) = 0.04;
    J(1, 1) = -1e4 * Y(2) - 6e7 * Y(1);
    J(1, 2) = -1e4 * Y(1);
    J(2, 0) = 0;
    J(2, 1) = 6e7 * Y(1);
    J(2, 2) = 0;
    return 0;
}

static int oregonator(realtype t, N_Vector y, N_Vector f, void *data) {
    F(0) = 77.27 * (Y(1) + Y(0) * (1 - 8.375e-6 * Y(0) - Y(1)));
    F(1) = (Y(2) - (1 + Y(0)) * Y(1)) / 77.27;
    F(2) = 0.161 * (Y(0) - Y(2));
    return 0;
}

static int oregonator_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix jacobian, void *data, N_Vector a, N_Vector b, N_Vector c) {
    J(0, 0) = 77.27 * (1 - 2 * 8.375e-6 * Y(0) - Y(1));
    J(0, 1) = 77.27 * (1 - Y(0));
    J(0, 2) = 0;
    J(1, 0) = -Y(1) / 77.27;
    J(1, 1) = -(1 + Y(0)) / 77.27;
    J(1, 2) = 1 / 77.27;
    J(2, 0) = 0.161;
    J(2, 1) = 0;
    J(2, 2) = -0.161;
    return 0;
}

static int hires(realtype t, N_Vector y, N_Vector f, void *data) {
    F(0) = -1.71 * Y(0) + 0.43 * Y(1) + 8.32 * Y(2) + 0.0007;
    F(1) = 1.71 * Y(0) - 8.75 * Y(1);
    F(2) = -10.03 * Y(2) + 0.43 * Y(3) + 0.035 * Y(4);
    F(3) = 8.32 * Y(1) + 1.71 * Y(2) - 1.12 * Y(3);
    F(4) = -1.745 * Y(4) + 0.43 * Y(5) + 0.43 * Y(6);
    F(5) = -280 * Y(5) * Y(7) + 0.69 * Y(3) + 1.71 * Y(4) - 0.43 * Y(5) + 0.69 * Y(6);
    F(6) = 280 * Y(5) * Y(7) - 1.81 * Y(6);
    F(7) = -F(6);
    return 0;
}

static int hires_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix jacobian, void *data, N_Vector a, N_Vector b, N_Vector c) {
    SUNMatZero(jacobian);
    J(0, 0) = -1.71; J(0, 1) = 0.43; J(0, 2) = 8.32;
    J(1, 0) = 1.71; J(1, 1) = -8.75;
    J(2, 2) = -10.03; J(2, 3) = 0.43; J(2, 4) = 0.035;
    J(3, 1) = 8.32; J(3, 2) = 1.71; J(3, 3) = -1.12;
    J(4, 4) = -1.745; J(4, 5) = 0.43; J(4, 6) = 0.43;
    J(5, 3) = 0.69; J(5, 4) = 1.71; J(5, 5) = -280 * Y(7) - 0.43; J(5, 6) = 0.69; J(5, 7) = -280 * Y(5);
    J(6, 5) = 280 * Y(7); J(6, 6) = -1.81; J(6, 7) = 280 * Y(5);
    J(7, 5) = -280 * Y(7); J(7, 6) = 1.81; J(7, 7) = -280 * Y(5);
    return 0;
}

struct problem {
    const char *name;
    int size;
    CVRhsFn rates;
    CVLsJacFn jacobian;
    realtype end, start[8];
};

static const struct problem problems[] = {
    {"vdpol", 2, van_der_pol, van_der_pol_jacobian, 2, {2, 0}},
    {"rober", 3, robertson, robertson_jacobian, 1e11, {1, 0, 0}},
    {"orego", 3, oregonator, oregonator_jacobian, 360, {1, 2, 3}},
    {"hires", 8, hires, hires_jacobian, 321.8122, {1, 0, 0, 0, 0, 0, 0, 0.0057}},
};

int main(int count, char **arguments) {
    if (count != 5) return 2;
    const struct problem *problem = problems;
    while (strcmp(problem->name, arguments[1]) != 0) problem++;
    const realtype rtol = atof(arguments[2]), atol = atof(arguments[3]);
    const int rounds = atoi(arguments[4]);
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(problem->size, context);
    SUNMatrix matrix = SUNDenseMatrix(problem->size, problem->size, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
    void *memory = CVodeCreate(CV_BDF, context);
    double least = 1e300;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < problem->size; i++) Y(i) = problem->start[i];
        if (round == 0) {
            CVodeInit(memory, problem->rates, 0, y);
            CVodeSStolerances(memory, rtol, atol);
            CVodeSetLinearSolver(memory, solver, matrix);
            CVodeSetJacFn(memory, problem->jacobian);
            CVodeSetMaxNumSteps(memory, 10000000);
        } else {
            CVodeReInit(memory, 0, y);
        }
        realtype t;
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        const int flag = CVode(memory, problem->end, y, &t, CV_NORMAL);
        clock_gettime(CLOCK_MONOTONIC, &to);
        if (flag < 0) return 1;
        const double time = (to.tv_sec - from.tv_sec) * 1e6 + (to.tv_nsec - from.tv_nsec) * 1e-3;
        if (time < least) least = time;
    }
    long steps;
    CVodeGetNumSteps(memory, &steps);
    printf("%.6g %ld", least, steps);
    for (int i = 0; i < problem->size; i++) printf(" %.17g", Y(i));
    printf("\n");
    return 0;
}

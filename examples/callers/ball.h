/* A ball on a floor, by the runtime of lagrange. Link libball.a, and what `rustc --print native-static-libs` names: on Linux -lm -lpthread -ldl. */
#ifndef BALL_H
#define BALL_H

/* The parameters: mass (kg), gravity (m/s^2), coefficient of restitution. */
typedef struct {
    double m;
    double g;
    double e;
} ball;

/* The ball at a time: time (s), height (m), speed upward (m/s). */
typedef struct {
    double t;
    double y;
    double v;
} ball_state;

enum {
    BALL_DONE = 0,
    BALL_NULL_POINTER = 1,
    /* A parameter is not finite, mass or gravity is not positive, or the coefficient of restitution is not from 0 to 1. */
    BALL_PARAMETERS = 2,
    /* The state is not finite or below the floor, or the end is before its time. */
    BALL_NO_MOTION = 3
};

/* Moves a state on until the time `end`, through all impacts, and to rest. Returns BALL_DONE, or why not, and then the state is unchanged. */
int ball_advance(const ball *parameters, double end, ball_state *state);

#endif

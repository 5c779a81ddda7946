/* A ball falls from 1 m, bounces, and comes to rest. */
#include "ball.h"
#include <stdio.h>

int main(void)
{
    const ball parameters = {.m = 1.0, .g = 9.81, .e = 0.7};
    ball_state state = {.t = 0.0, .y = 1.0, .v = 0.0};
    for (int i = 1; i <= 6; i += 1) {
        const int failure = ball_advance(&parameters, 0.5 * i, &state);
        if (failure) {
            fprintf(stderr, "ball_advance returns %d\n", failure);
            return 1;
        }
        printf("%.1f s %.9f m\n", state.t, state.y);
    }
    return ball_advance(&parameters, 4.0, NULL) == BALL_NULL_POINTER ? 0 : 1;
}

"""What a call of `solve` costs over the same motion in Rust: at most 20 µs more, and 0.5 µs for each step.

The argument is the program of `examples/solve_time.rs`. Both builds must be optimised. With the states of each step a call also computes their
outputs, energies and multipliers, which Rust's `solve` does not.
"""

import subprocess
import sys
import time

from own_mechanisms import Pendulum

MOST = 20.0
BLOCKS, MOTIONS = 15, 2000

pendulum = Pendulum(l=0.5)


def microseconds(call):
    def block():
        start = time.perf_counter()
        for _ in range(MOTIONS):
            call()
        return (time.perf_counter() - start) / MOTIONS

    return 1e6 * min(block() for _ in range(BLOCKS))


costs = []
print("t_end  steps   Rust   ends only   every step   (µs)")
for line in subprocess.run(sys.argv[1:2], check=True, capture_output=True, text=True).stdout.splitlines():
    t_end, steps, rust = line.split()
    end, rust = float(t_end), float(rust)
    settings = {"method": "DOP853", "rtol": 1e-9, "atol": 1e-9}
    ends = microseconds(lambda: pendulum.solve((0, end), [1.0], [0.0], t_eval=[0.0, end], **settings).y)
    every = microseconds(lambda: pendulum.solve((0, end), [1.0], [0.0], **settings).y)
    assert len(pendulum.solve((0, end), [1.0], [0.0], **settings).t) == int(steps) + 1, "both make the same steps"
    print(f"{t_end:>5} {steps:>6} {rust:>6.1f} {ends:>11.1f} {every:>12.1f}")
    costs.append((max(ends, every) - rust, int(steps)))
for cost, steps in costs:
    assert cost <= MOST + 0.5 * steps, f"{cost:.1f} µs over Rust's for {steps} steps"
state = 1e6 * 0 + microseconds(lambda: pendulum.rhs(0.0, [1.0, 0.0]))
print(f"a call of rhs: {state:.1f} µs")

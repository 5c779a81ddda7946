"""What a call of `solve` costs over the same motion in Rust: at most 20 µs, and 0.5 µs for each step.

The argument is the directory of an optimised build with the library of `own` and the program of `examples/solve_time.rs`. The differences of motions
with different numbers of steps lie on a line: its value at no steps is the cost of a call, and its slope that of a step. A solution with the states
of all steps has their outputs, energies and multipliers too, which Rust's `solve` does not compute.
"""

import importlib.util
import pathlib
import subprocess
import sys
import time

import numpy as np

directory = pathlib.Path(sys.argv[1])
spec = importlib.util.spec_from_file_location("own_mechanisms", directory / "libown_mechanisms.so")
own_mechanisms = importlib.util.module_from_spec(spec)
spec.loader.exec_module(own_mechanisms)

MOST_OF_A_CALL, MOST_OF_A_STEP = 20.0, 0.5
CALLS = 5000

pendulum = own_mechanisms.Pendulum(l=0.5)


def microseconds(call):
    """The least time of many calls: that of a call which nothing else disturbed."""

    def once():
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    return 1e6 * min(once() for _ in range(CALLS))


costs = []
print("t_end  steps   Rust   ends only   every step   (µs)")
for line in subprocess.run([directory / "examples/solve_time"], check=True, capture_output=True, text=True).stdout.splitlines():
    t_end, steps, rust = line.split()
    end, rust = float(t_end), float(rust)
    settings = {"method": "DOP853", "rtol": 1e-9, "atol": 1e-9}
    ends = microseconds(lambda: pendulum.solve((0, end), [1.0], [0.0], t_eval=[0.0, end], **settings).y)
    every = microseconds(lambda: pendulum.solve((0, end), [1.0], [0.0], **settings).y)
    assert len(pendulum.solve((0, end), [1.0], [0.0], **settings).t) == int(steps) + 1, "both make the same steps"
    print(f"{t_end:>5} {steps:>6} {rust:>6.1f} {ends:>11.1f} {every:>12.1f}")
    costs.append((int(steps), ends - rust, every - rust))
rhs = microseconds(lambda: pendulum.rhs(0.0, [1.0, 0.0]))
print(f"a call of rhs: {rhs:.1f} µs")
steps, *differences = zip(*costs)
for states, difference in zip(("at the ends", "of all steps"), differences):
    step, call = np.polyfit(steps, difference, 1)
    print(f"states {states}: {call:.1f} µs for a call and {step:.2f} µs for a step over Rust's")
    assert call <= MOST_OF_A_CALL and step <= MOST_OF_A_STEP, f"more than {MOST_OF_A_CALL} µs or {MOST_OF_A_STEP} µs"

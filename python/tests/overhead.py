"""What a call of `solve` costs over the same motion in Rust: at most 20 µs.

The argument is the directory of an optimised build with the library of `own` and the program of `examples/solve_time.rs`. A solution with the states
of all steps has their outputs, energies and multipliers too, which Rust's `solve` does not compute: 0.5 µs more for each step are allowed.
"""

import importlib.util
import pathlib
import subprocess
import sys
import time

directory = pathlib.Path(sys.argv[1])
spec = importlib.util.spec_from_file_location("own_mechanisms", directory / "libown_mechanisms.so")
own_mechanisms = importlib.util.module_from_spec(spec)
spec.loader.exec_module(own_mechanisms)

MOST = 20.0
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
    costs.append((ends - rust, every - rust, int(steps)))
rhs = microseconds(lambda: pendulum.rhs(0.0, [1.0, 0.0]))
print(f"a call of rhs: {rhs:.1f} µs")
for ends, every, steps in costs:
    assert ends <= MOST, f"{ends:.1f} µs over Rust's for the ends"
    assert every <= MOST + 0.5 * steps, f"{every:.1f} µs over Rust's for the states of {steps} steps"

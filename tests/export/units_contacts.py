"""Contacts and dry friction in functional mock-up units against closed forms, most with the mechanisms of the runtime's own tests."""

from math import atan, cos, exp, pi, sin, sqrt, tan
from pathlib import Path

import numpy as np
from fmpy import read_model_description, simulate_fmu
from fmpy.fmi1 import FMICallException
from fmpy.validation import validate_fmu

from unit import TOLERANCE, Instance, check_warnings, exported

RUNTIME = "../tests/runtime"
# What positions may differ by beside the closed form. CVode, which steps in model exchange, keeps its tolerance less well.
NEAR = {"CoSimulation": 1e-8, "ModelExchange": 2e-6}


class Unit:
    """A unit, and the values with which its motions start."""

    def __init__(self, path, starts):
        self.path, self.starts = path, starts

    def instance(self, tolerance=1e-11, **more):
        return Instance(self.path, tolerance=tolerance, **{**self.starts, **more})

    def moved(self, until, columns, points=10, **more):
        """The rows of a motion, as co-simulation and as model exchange."""
        for kind, tolerance in TOLERANCE.items():
            rows = simulate_fmu(self.path, fmi_type=kind, stop_time=until, output_interval=until / points, relative_tolerance=tolerance,
                                output=list(columns), start_values={**self.starts, **more})
            yield kind, NEAR[kind], rows

    def message(self, until):
        """The last message of a motion that fails; empty where it does not."""
        heard = []
        try:
            simulate_fmu(self.path, fmi_type="CoSimulation", stop_time=until, output_interval=until, start_values=self.starts,
                         logger=lambda environment, status, category, text: heard.append(text.decode()))
        except FMICallException:
            return heard[-1] if heard else "no message"
        return ""


class Contacts:
    """The mechanisms that are exported so far, each once."""

    def __init__(self, program, directory):
        self.program, self.directory, self.paths = program, directory, {}

    def unit(self, file, name, **starts):
        if (file, name) not in self.paths:
            words = [word for start, value in starts.items() for word in ("--start", f"{start}={value!r}")]
            path = exported(self.program, f"{self.directory}/{Path(file).stem}", file, name, *words)
            problems = validate_fmu(path)
            assert not problems, f"{name}: {problems}"
            self.paths[file, name] = path
        named = lambda start: f"der({start[:-4]})" if start.endswith("_dot") else start
        return Unit(self.paths[file, name], {named(start): value for start, value in starts.items()})


def near(found, exact, allowed, what):
    assert abs(found - exact) <= allowed, f"{what}: {found} instead of {exact}"


def check_row(made):
    """A blow passes through a row of balls, if they do not touch."""
    masses = {f"m[{i}]": 1.0 for i in range(4)}
    for gap in (0.0, 1e-12, 1e-6, 1e-2):
        places = {f"x[{i}]": value for i, value in enumerate((-3.0, 0.0, 1 + gap, 2 + 2 * gap))}
        unit = made.unit(f"{RUNTIME}/contacts.rs", "Row", **masses, d=1.0, e=1.0, **places, **{"x[0]_dot": 1.0})
        exact = [0, 0, 0, 1] if gap else [-0.5, 0.5, 0.5, 0.5]
        for kind, allowed, rows in unit.moved(4.0, [f"der(x[{i}])" for i in range(4)]):
            if kind == "ModelExchange" and gap == 1e-12:
                # The steps of the importing tool have larger errors, so that these balls touch.
                continue
            for i in range(4):
                near(rows[-1][f"der(x[{i}])"], exact[i], allowed, f"{kind}, gap {gap}, ball {i}")


def check_hill(made):
    """A point leaves a hill where the force on it vanishes: v² = v₀² + 2 g (r − y) = g y."""
    unit = made.unit(f"{RUNTIME}/contacts.rs", "Hill", m=1.5, g=10.0, r=2.0, y=2.0, x_dot=0.5)
    check_warnings(unit.path)
    for kind, allowed, rows in unit.moved(1.45, ("x", "y", "phase.hill"), 580):
        # Errors of the importing tool do not close the contact again and again.
        assert len(rows) <= 590, f"{kind}: {len(rows)} rows"
        opens = next(row for row in rows if row["phase.hill"] == 1.0)
        near(opens["y"], (0.25 + 40) / 30, 0.01, f"{kind}, where it leaves")
        end = rows[-1]
        assert np.hypot(end["x"], end["y"]) > 2.1, f"{kind}: {end}"
        held = [np.hypot(row["x"], row["y"]) for row in rows if row["phase.hill"] == 0.0]
        assert max(abs(np.array(held) - 2.0)) <= 1e-8, f"{kind}: {held}"
        # The flight from the place where it leaves, by the closed form.
        y = (0.25 + 40) / 30
        speed, slope = sqrt(10 * y), (sqrt(4 - y * y), y)
        flown = rows[-1]["x"] - slope[0]
        time = flown / (speed * slope[1] / 2)
        near(end["y"], y - speed * slope[0] / 2 * time - 5 * time * time, allowed * 10, f"{kind}, the flight")


def check_grazing(made):
    """An oscillator lands on a floor that it reaches by a millionth, which halves its speed there."""
    floor = 1 - 1e-6
    unit = made.unit(f"{RUNTIME}/contacts.rs", "Grazing", h=floor, y=1.0)
    size = sqrt(floor ** 2 + (1 - floor ** 2) / 4)
    # In model exchange the importing tool looks for the zeros of the gap, and CVode passes this one by.
    oscillator = unit.instance(tolerance=1e-11)
    oscillator.step(0.0, 4.0)
    near(np.hypot(*oscillator.get("y", "der(y)")), size, 1e-8, "the amplitude")


def check_slope(made):
    """A body on a slope slides or sticks after its impact, whose friction is μ times its impulse."""
    g, a = 9.81, 0.4
    for mu in (0.2, 0.6):
        unit = made.unit(f"{RUNTIME}/contact_friction.rs", "Slope", m=2.0, g=g, a=a, mu=mu, n=0.5, s_dot=1.0)
        fall, rate = sqrt(1 / (g * cos(a))), g * (sin(a) - mu * cos(a))
        first = 1 + g * sin(a) * fall - mu * g * cos(a) * fall
        for kind, allowed, rows in unit.moved(3.0, ("n", "der(s)", "phase.slope")):
            near(rows[-1]["der(s)"], first + rate * (3 - fall) if rate > 0 else 0.0, 5 * allowed, f"{kind}, μ = {mu}")
            near(rows[-1]["n"], 0.0, 1e-12, f"{kind}, μ = {mu}")


def check_block(made):
    """A block lands on both feet at once and does not turn, and comes to rest from an edge."""
    g, a = 10.0, 0.3
    for mu in (0.35, 0.2):
        unit = made.unit(f"{RUNTIME}/contact_friction.rs", "Block", m=2.0, g=g, b=0.5, h=0.3, a=a, mu=mu)
        for kind, allowed, rows in unit.moved(1.0, ("theta",), y=0.5, **{"der(x)": 1.0}):
            near(rows[-1]["theta"], 0.0, 1e-11, f"{kind}, level, μ = {mu}")
        for kind, allowed, rows in unit.moved(4.0, ("y",), y=0.8, theta=0.2, **{"der(x)": 1.0}):
            near(rows[-1]["y"], 0.3, 1e-11, f"{kind}, tumbling, μ = {mu}")
        slides = 2 * g * (sin(a) - mu * cos(a)) if mu < tan(a) else 0.0
        for kind, allowed, rows in unit.moved(2.0, ("der(x)",), y=0.3):
            near(rows[-1]["der(x)"], slides, allowed, f"{kind}, from rest, μ = {mu}")


def check_refused(made):
    """Laws that leave no motion or several, impacts that add energy, and a start below a floor are errors with a name."""
    def rod(mu, e=0.0, v=0.0, omega=0.0, vy=0.0, flight=False):
        speeds = {"x_dot": 0.0, "y_dot": vy, "theta_dot": omega} if flight else \
            {"x_dot": v - sin(1) * omega, "y_dot": omega * cos(1), "theta_dot": omega}
        return made.unit(f"{RUNTIME}/contact_friction.rs", "Rod", m=1.0, g=10.0, l=1.0, e=e, mu=mu, y=sin(1), theta=1.0, **speeds)

    assert "no motion" in rod(2.0, v=-3.0).message(0.1) and "contact tip" in rod(2.0, v=-3.0).message(0.1)
    assert "several motions" in rod(2.0, v=-3.0, omega=4.0).message(0.1)
    assert rod(2.0, v=3.0).message(0.1) == "" and rod(0.5, v=-3.0).message(0.1) == ""
    assert "energy would be added" in rod(1.0, e=1.0, vy=-2.0, omega=3.0, flight=True).message(0.01)
    assert rod(0.0, e=1.0, vy=-2.0, omega=3.0, flight=True).message(0.01) == ""
    ball = made.unit(f"{RUNTIME}/contacts.rs", "Ball", m=1.0, g=9.81, e=0.5, y=-0.1)
    assert "floor" in ball.message(1.0), ball.message(1.0)
    # The floor rises under a ball that lies on it only by a motion: a parameter may not move it.
    lying = made.unit(f"{RUNTIME}/contacts.rs", "Bead", g=9.81, r=2.0, h=-1.0, e=0.0, mu=0.5, x=2.0).instance()
    lying.step(0.0, 4.0)
    lying.set("h", -0.9)
    assert lying.is_refused("contact stop", 4.0, 0.1), lying.messages


def check_bead(made):
    """A bead on a wire, which is a constraint, comes to rest on a stop, by one impact or by many."""
    unit = made.unit(f"{RUNTIME}/contacts.rs", "Bead", g=9.81, r=2.0, h=-1.0, e=0.0, mu=0.5, x=2.0)
    check_warnings(unit.path)
    for e in (0.0, 0.6):
        for kind, allowed, rows in unit.moved(4.0, ("x", "y", "der(x)", "der(y)", "phase.stop"), e=e):
            end = rows[-1]
            near(end["x"], sqrt(3), 1e-9, f"{kind}, e = {e}")
            near(end["y"], -1.0, 1e-10, f"{kind}, e = {e}")
            assert end["phase.stop"] == 0.0 and np.hypot(end["der(x)"], end["der(y)"]) <= 1e-10, f"{kind}: {end}"


def check_strokes(made):
    """A block on a spring stops after as many strokes as its friction allows: from x₀ the amplitudes fall by 2 μ in each."""
    unit = made.unit(f"{RUNTIME}/friction.rs", "Block", mu=0.3, x=2.0)
    for kind, allowed, rows in unit.moved(12.0, ("x", "der(x)", "phase.pad"), 12):
        near(rows[-1]["x"], -(2 - 2 * 0.3 * 3), allowed, kind)
        assert rows[-1]["der(x)"] == 0.0 and rows[-1]["phase.pad"] == 0.0, f"{kind}: {rows[-1]}"
    for kind, allowed, rows in unit.moved(pi, ("x",), 2):
        near(rows[-1]["x"], -(2 - 2 * 0.3), allowed, f"{kind}, one stroke")


def check_growing(made):
    """Bodies rest under forces that grow, and move where these exceed their bounds."""
    g, mu, rate = 9.81, 0.5, 0.1
    unit = made.unit(f"{RUNTIME}/friction.rs", "Slope", m=2.0, g=g, mu=mu, rate=rate)
    begins = atan(mu) / rate
    # dv/dt = g (sin α − μ cos α).
    speed = [g / rate * (-cos(rate * t) - mu * sin(rate * t)) for t in (begins, 8.0)]
    for kind, allowed, rows in unit.moved(8.0, ("der(s)",)):
        near(rows[-1]["der(s)"], speed[1] - speed[0], 10 * allowed, kind)
    stack = made.unit("contacts.rs", "Ramp", m=1.7, n=0.3, f=1.3, b1=2.0, b2=5.0)
    for kind, allowed, rows in stack.moved(2.0, ("der(x)", "der(y)")):
        for column in ("der(x)", "der(y)"):
            # The lower pad gives way first, and both go as one.
            near(rows[-1][column], 1.3 * (2 - 2 / 1.3) ** 2 / 2 / 2.0, allowed, f"{kind}, {column}")
    # f sin(w t) t/(1 + t) exceeds b first within its swing, in steps that are long beside the swing.
    f, w, swelling = 1.5, 50.0, made.unit("contacts.rs", "Swelling", m=1.0, f=1.5, w=50.0, b=1.0)
    push = lambda t: f * np.sin(w * t) * t / (1 + t)
    first = np.argmax(push(np.arange(0, 20, 1e-6)) > 1) * 1e-6
    instance = swelling.instance(tolerance=1e-10)
    instance.step(0.0, first - 1e-5)
    assert instance.get("der(x)") == [0.0] and instance.get("phase.pad") == [0.0]
    instance.step(first - 1e-5, 2e-2)
    assert instance.get("x")[0] > 0.0, instance.get("x")
    whole = swelling.instance(tolerance=1e-10)
    whole.step(0.0, first + 2e-2 - 1e-5)
    near(whole.get("x")[0], instance.get("x")[0], 1e-9, "one long step")


def check_flights(made):
    """Infinitely many impacts end at rest, at their time; and the first of a floor that vibrates fast."""
    g = 9.81
    for e, until in ((0.7, 3.0), (0.99, 120.0)):
        unit = made.unit(f"{RUNTIME}/contacts.rs", "Ball", m=1.0, g=g, e=e, y=1.0)
        # The flights are a geometric series.
        end = sqrt(2 / g) * (1 + 2 * e / (1 - e))
        ball = unit.instance(tolerance=1e-9)
        ball.step(0.0, end * (1 - 1e-4))
        assert ball.get("phase.floor") == [1.0], "the ball still flies"
        ball.step(end * (1 - 1e-4), until - end * (1 - 1e-4))
        assert ball.get("y", "der(y)", "phase.floor") == [0.0, 0.0, 0.0], ball.get("y", "der(y)", "phase.floor")
    for gravity, h, w, y, v in ((0.0, 0.2, 100.0, 0.5, -0.3), (10.0, 0.05, 300.0, 1.0, 0.0)):
        unit = made.unit(f"{RUNTIME}/contacts.rs", "Shaken", m=1.0, g=gravity, a=h, w=w, e=0.5, y=y, y_dot=v)
        gap = lambda t: y + v * t - gravity * t * t / 2 - h * np.sin(w * t)
        times = np.arange(0, 2, 1e-6)
        first = times[np.argmax(gap(times) < 0)]
        ball = unit.instance(tolerance=1e-9)
        ball.step(0.0, first - 1e-5)
        near(ball.get("der(y)")[0], v - gravity * (first - 1e-5), 1e-9, f"before the floor, w = {w}")
        ball.step(first - 1e-5, 2e-5)
        floor = h * w * cos(w * first)
        near(ball.get("der(y)")[0], floor + 0.5 * (floor - v + gravity * first), 1e-2 * h * w, f"behind the floor, w = {w}")


def check_signs(made):
    """What sticks has no sign in the functions of other statements, and gets one when it slips."""
    m, g, mu, s, c, r = 1.3, 10.0, 0.8, 0.37, 0.1, 2.0
    unit = made.unit("contacts.rs", "Dragged", m=m, g=g, e=0.0, mu=mu, s=s, c=c, r=r, x=1.3, y=1.0, x_dot=1.0)
    begins = m * g * (mu - s) / (r * (1 + mu * s))

    def along(t, v):
        x, y = c * v * v - r * t, c * (s * v) ** 2 - m * g
        return (x + s * y + mu * (s * x - y)) / (m * (1 + s * s))

    v, h = 0.0, (3 - begins) / 200
    for i in range(200):
        t = begins + i * h
        a = along(t, v)
        b = along(t + h / 2, v + h / 2 * a)
        d = along(t + h / 2, v + h / 2 * b)
        v += h / 6 * (a + 2 * b + 2 * d + along(t + h, v + h * d))
    for kind, allowed, rows in unit.moved(3.0, ("der(x)", "phase.floor")):
        near(rows[-1]["der(x)"], v, 10 * allowed, kind)


def check_pushed(made):
    """An input that jumps beyond a bound moves what sticks, and one that falls lets it come to rest."""
    unit = made.unit("contacts.rs", "Pushed", m=2.0, b=3.0)
    block = unit.instance()
    for time, push in enumerate((2.9, 5.0, 0.0, 0.0)):
        block.set("push", push)
        block.step(float(time), 1.0)
    # (5 − 3)/2 for one second, then −3/2 until v = 0.
    near(block.get("x")[0], 0.5 + 1 / 3, 1e-9, "the way")
    assert abs(block.get("der(x)")[0]) <= 1e-30 and block.get("phase.ground") == [0.0]
    signal = np.array([(0.0, 2.9), (1.0, 2.9), (1.0, 5.0), (2.0, 5.0), (2.0, 0.0), (4.0, 0.0)], dtype=[("time", float), ("push", float)])
    for kind, tolerance in TOLERANCE.items():
        rows = simulate_fmu(unit.path, fmi_type=kind, stop_time=4.0, output_interval=1.0, relative_tolerance=tolerance, input=signal, output=["x", "der(x)"])
        near(rows[-1]["x"], 0.5 + 1 / 3, 1e-6, f"{kind}, the way")
        near(rows[-1]["der(x)"], 0.0, 1e-12, f"{kind}, at rest")


def check_heavier(made):
    """A mode changes at the instant of an impact, and the flight behind it has twice the weight."""
    g, e = 9.81, 0.8
    unit = made.unit("contacts.rs", "Heavier", m=1.0, g=g, e=e, y=1.0)
    speed, end = e * sqrt(2 * g), sqrt(2 / g) + e * sqrt(2 / g)
    for kind, allowed, rows in unit.moved(end + 0.1, ("y", "der(y)", "heavy")):
        near(rows[-1]["der(y)"], e * speed - 2 * g * 0.1, 10 * allowed, kind)
        assert rows[-1]["heavy"] == 1.0


def check_fading(made):
    """The restitution depends on the speed of approach: v+ = c exp(-v/v0) v in each of six impacts. Beyond 1 it is an error."""
    g, c, v0 = 9.81, 0.9, 20.0
    unit = made.unit("contacts.rs", "Fading", m=1.0, g=g, c=c, v0=v0, y=1.0)
    speed = sqrt(2 * g)
    end = speed / g
    for _ in range(6):
        speed *= c * exp(-speed / v0)
        end += 2 * speed / g
    end -= speed / g
    for kind, allowed, rows in unit.moved(end, ("y", "der(y)")):
        near(rows[-1]["y"], speed ** 2 / (2 * g), 10 * allowed, kind)
        near(rows[-1]["der(y)"], 0.0, 20 * allowed, kind)
    message = made.unit("contacts.rs", "Fading", m=1.0, g=g, c=2.0, v0=v0, y=1.0).message(1.0)
    assert "restitution" in message and "floor" in message, message


def check_ends(made):
    """A communication step that ends at an impact, or a rounding beside it, loses nothing: the state belongs to its time."""
    g, e, fall = 9.81, 0.5, sqrt(2 / 9.81)
    unit = made.unit(f"{RUNTIME}/contacts.rs", "Ball", m=1.0, g=g, e=e, y=1.0)
    for roundings in range(-40, 41, 5):
        first = fall * (1 + roundings * 2.0 ** -52)
        ball = unit.instance()
        ball.step(0.0, first)
        assert ball.get("time") == [first]
        ball.step(first, 0.3)
        near(ball.get("y")[0], e * g * fall * 0.3 - g * 0.3 ** 2 / 2, 1e-12, f"{roundings} roundings from the impact")


def check_kept(made):
    """A checkpoint keeps the phases: a step from it gives the same numbers."""
    unit = made.unit(f"{RUNTIME}/contact_friction.rs", "Block", m=2.0, g=10.0, b=0.5, h=0.3, a=0.3, mu=0.35, y=0.8, theta=0.2, x_dot=1.0)
    description = read_model_description(unit.path)
    states = [unknown.variable.derivative.valueReference for unknown in description.derivatives]
    block = unit.instance()
    block.step(0.0, 0.55)
    checkpoint = block.instance.getFMUState()
    read = block.instance.deserializeFMUState(block.instance.serializeFMUState(checkpoint))
    ends = []
    for state in (None, checkpoint, read):
        if state is not None:
            block.instance.setFMUState(state)
        block.step(0.55, 0.5)
        ends.append(block.instance.getFloat64(states) + block.get("phase.left", "phase.right"))
    assert ends[0] == ends[1] == ends[2], ends
    # A state before the first instant has the accelerations that follow it.
    resting = unit.instance(y=0.3, theta=0.0, **{"der(x)": 0.0})
    near(resting.get("der(x,2)")[0], 0.0, 1e-12, "at rest before the first step")


CASES = (check_row, check_hill, check_grazing, check_slope, check_block, check_refused, check_bead, check_strokes, check_growing, check_flights,
         check_signs, check_pushed, check_heavier, check_fading, check_ends, check_kept)


def check_contacts(program, directory):
    """All of them; the failures are shown together."""
    made, failures = Contacts(program, directory), []
    for case in CASES:
        try:
            case(made)
        except Exception as error:
            failures.append(f"{case.__name__}: {error!r}")
    assert not failures, "\n".join(failures)
    return f"contacts and friction: {len(CASES)} cases"

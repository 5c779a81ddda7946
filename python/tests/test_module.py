"""The module of another crate: motions against closed forms and SciPy, shapes, and what is refused."""

import ast
import inspect
import pathlib
import signal
import threading
import time
import unittest

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import own_mechanisms
from own_mechanisms import Ball, CartesianPendulum, Event, Failure, Mechanism, Pendulum


class Solve(unittest.TestCase):
    def test_a_motion_agrees_with_scipy_in_values_and_shapes(self):
        pendulum = Pendulum(m=1, l=0.5, c=0.1)
        times = np.linspace(2, 12, 41)
        own = pendulum.solve((2, 12), [1.0], [0.3], method="DOP853", rtol=1e-10, atol=1e-12, t_eval=times, events="theta")
        other = solve_ivp(pendulum.rhs, (2, 12), [1.0, 0.3], method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times,
                          events=lambda t, y: y[0])
        for field in ("t", "y"):
            self.assertEqual(getattr(own, field).shape, getattr(other, field).shape)
            self.assertEqual(getattr(own, field).dtype, getattr(other, field).dtype)
        np.testing.assert_allclose(own.y, other.y, atol=1e-8)
        np.testing.assert_allclose(own.t_events[0], other.t_events[0], atol=1e-8)
        self.assertEqual(own.y_events[0].shape, other.y_events[0].shape)
        np.testing.assert_allclose(own.y_events[0][:, 1], other.y_events[0][:, 1], atol=1e-7)
        self.assertEqual((own.status, own.success), (other.status, other.success))

    def test_functions_are_events_as_in_scipy(self):
        pendulum = Pendulum(c=0.1)

        def swing(t, y):
            return y[1] * np.cos(y[0]) - 0.1 * t

        def low(t, y):
            return 9.81 * (1 - np.cos(y[0])) + y[1] ** 2 / 2 - 0.01

        swing.direction, low.terminal = -1, True
        own = pendulum.solve((0, 200), [1.0], [0.3], rtol=1e-11, events=[swing, "theta", low])
        other = solve_ivp(pendulum.rhs, (0, 200), [1.0, 0.3], method="DOP853", rtol=1e-11, atol=1e-13, events=[swing, lambda t, y: y[0], low])
        self.assertEqual((own.status, other.status), (1, 1))
        for own_times, other_times in zip(own.t_events, other.t_events):
            self.assertGreater(len(own_times), 0)
            np.testing.assert_allclose(own_times, other_times, rtol=1e-10)
        self.assertEqual(own.t[-1], own.t_events[2][0])

    def test_exceptions_of_functions_pass(self):
        def raises(t, y):
            if t > 1:
                raise KeyError("no value here")
            return 1.0

        def nested(t, y):
            return Pendulum().solve((0, 0.1), events=lambda t, y: y[0]).y[0, -1] + 2.0

        with self.assertRaisesRegex(KeyError, "no value here"):
            Pendulum().solve((0, 10), [1.0], [0.0], events=raises)
        with self.assertRaisesRegex(TypeError, "must be real number"):
            Pendulum().solve((0, 10), [1.0], [0.0], events=lambda t, y: "text")
        with self.assertRaisesRegex(Failure, "event"):
            Pendulum().solve((0, 10), [1.0], [0.0], events=lambda t, y: float("nan"))
        self.assertEqual(len(Pendulum().solve((0, 0.1), [1.0], [0.0], events=nested).t_events[0]), 0)
        raises.terminal = 3
        with self.assertRaisesRegex(ValueError, "terminal of the event `raises` is 3"):
            Pendulum().solve((0, 10), [1.0], [0.0], events=raises)

    def test_events_that_do_not_occur_or_are_not_asked_for_are_those_of_scipy(self):
        pendulum = Pendulum()
        for events, function in ((None, None), ("theta", lambda t, y: y[0])):
            # A quarter of the period is half a second.
            own = pendulum.solve((0, 0.1), [1.0], [0.0], events=events)
            other = solve_ivp(pendulum.rhs, (0, 0.1), [1.0, 0.0], events=function)
            for field in ("t_events", "y_events"):
                found, expected = getattr(own, field), getattr(other, field)
                self.assertEqual(found is None, expected is None)
                self.assertEqual([array.shape for array in found or []], [array.shape for array in expected or []])

    def test_the_span_is_two_numbers_of_any_sequence(self):
        pendulum = Pendulum()
        expected = pendulum.solve((0, 1), [1.0], [0.0]).y
        for span in ([0, 1], np.array([0.0, 1.0]), np.array([0, 1]), range(2)):
            np.testing.assert_array_equal(pendulum.solve(span, [1.0], [0.0]).y, expected)
            np.testing.assert_array_equal(pendulum.sweep(span, {"theta": [1.0]}, v0=[0.0]).y[:, 0], expected[:, -1])

    def test_a_law_of_the_time_counts_from_the_origin_of_time(self):
        # Without gravity, a = t from rest at t = 2: v = (t² - 4)/2, x = (t³ - 8)/6 - 2 (t - 2).
        motion = Pendulum(g=0.0).solve((2, 5), [0.0], [0.0], rtol=1e-11, inputs={"torque": "t"}, t_eval=np.linspace(2, 5, 7))
        t = motion.t
        np.testing.assert_allclose(motion.q[0], (t**3 - 8) / 6 - 2 * (t - 2), atol=1e-9)
        np.testing.assert_allclose(motion.v[0], (t**2 - 4) / 2, atol=1e-9)
        np.testing.assert_allclose(motion.inputs[0], t, rtol=1e-14)
        # Sampled, it keeps the value of t at 2, 3 and 4.
        sampled = Pendulum(g=0.0).solve((2, 5), [0.0], [0.0], rtol=1e-11, inputs={"torque": "t"}, period=1.0)
        np.testing.assert_allclose(sampled.y[:, -1], [2 * 2.5 + 3 * 1.5 + 4 * 0.5, 2 + 3 + 4], rtol=1e-9)

    def test_the_period_is_that_of_the_elliptic_integral(self):
        pendulum, amplitude = Pendulum(l=0.5), 2.0
        period = 4 * np.sqrt(0.5 / 9.81) * ellipk(np.sin(amplitude / 2) ** 2)
        rising = Event("theta", direction=1)
        motion = pendulum.solve((0, 5 * period), amplitude, 0.0, rtol=1e-12, events=rising)
        np.testing.assert_allclose(motion.t_events[0], (np.arange(5) + 0.75) * period, rtol=1e-10)
        falling = pendulum.solve((0, 5 * period), amplitude, 0.0, rtol=1e-12, events=Event("theta", direction=-1))
        np.testing.assert_allclose(falling.t_events[0], (np.arange(5) + 0.25) * period, rtol=1e-10)
        h = -9.81 * 0.5 * np.cos(amplitude)
        np.testing.assert_allclose(motion.energy, h, rtol=1e-10)
        np.testing.assert_allclose(motion.kinetic + motion.potential, motion.energy, rtol=1e-12)

    def test_a_terminal_event_ends_the_motion_at_its_value(self):
        end = Event("|theta|", 1.5, terminal=True)
        motion = Pendulum().solve((0, 10), [1.0], [-4.0], rtol=1e-10, events=["theta_dot", end])
        self.assertEqual((motion.status, motion.success, len(motion.t_events[0])), (1, True, 0))
        self.assertIn("|theta|=1.5", motion.message)
        self.assertEqual(motion.t_events[1].shape, (1,))
        self.assertAlmostEqual(motion.q[0, -1], -1.5, places=9)
        self.assertEqual(motion.t[-1], motion.t_events[1][0])

    def test_a_motion_runs_backward(self):
        there = Pendulum().solve((0, 3), [1.0], [0.0], rtol=1e-12)
        back = Pendulum().solve((3, 0), there.q[:, -1], there.v[:, -1], rtol=1e-12)
        np.testing.assert_allclose(back.y[:, -1], [1.0, 0.0], atol=1e-9)

    def test_outputs_and_inputs_have_their_names(self):
        motion = Pendulum(l=2.0, torque=3.0).solve((0, 1), [1.0], [0.0])
        theta = motion.q[0]
        np.testing.assert_allclose(motion.outputs["bob"], [2 * np.sin(theta), -2 * np.cos(theta)], rtol=1e-15)
        np.testing.assert_array_equal(motion.outputs["bob[1]"], motion.outputs["bob"][1])
        np.testing.assert_array_equal(motion.inputs, np.full((1, len(theta)), 3.0))

    def test_a_law_closes_a_loop(self):
        # Without gravity, m l² a = -4 x - 4 dx/dt from rest at 1: x = (1 + 2 t) exp(-2 t).
        pendulum = Pendulum(g=0.0)
        motion = pendulum.solve((0, 2), [1.0], [0.0], rtol=1e-11, inputs={"torque": "-4*theta - 4*theta_dot"})
        np.testing.assert_allclose(motion.q[0], (1 + 2 * motion.t) * np.exp(-2 * motion.t), atol=1e-9)
        np.testing.assert_allclose(motion.inputs[0], -4 * motion.q[0] - 4 * motion.v[0], rtol=1e-14)

    def test_multipliers_states_and_arrays(self):
        pendulum = CartesianPendulum(m=2.0, power=[1.0, 4.0])
        self.assertEqual(pendulum.components, ["x", "y", "x_dot", "y_dot", "heat"])
        motion = pendulum.solve((0, 1), [0.6, -0.8], [0.0, 0.0, 0.0], rtol=1e-11)
        x, y = motion.q
        # The rod pulls with m (v²/l - g y/l), and the multiplier is minus that.
        tension = 2.0 * ((motion.v[:2] ** 2).sum(axis=0) - 9.81 * y)
        np.testing.assert_allclose(motion.lambda_[0], -tension, rtol=1e-8)
        np.testing.assert_allclose(motion.v[2], 5 * 0.5 * (1 - np.exp(-motion.t / 0.5)), rtol=1e-8)
        self.assertEqual(motion.y.shape, (5, len(motion.t)))
        np.testing.assert_allclose(np.hypot(x, y), 1, rtol=1e-12)

    def test_the_start_is_brought_onto_the_constraints(self):
        motion = CartesianPendulum().solve((0, 1), {"x": 0.5})
        np.testing.assert_allclose(motion.q[:, 0], [0.5, -np.sqrt(0.75)], rtol=1e-12)
        self.assertEqual([name for name, _, _ in motion.moved], ["y"])

    def test_impacts_are_in_the_states(self):
        motion = Ball(e=0.5).solve((0, 1), [1.0], [0.0], rtol=1e-11)
        # The first impact is at √(2/g), and the velocity then is -e times the one before.
        impact = np.sqrt(2 / 9.81)
        at = np.flatnonzero(np.abs(motion.t - impact) < 1e-9)
        np.testing.assert_allclose(motion.v[0, at[[0, -1]]], [-9.81 * impact, 0.5 * 9.81 * impact], rtol=1e-8)


class Failures(unittest.TestCase):
    def test_a_failure_has_the_motion_until_then(self):
        with self.assertRaisesRegex(Failure, "`max_steps` = 5") as caught:
            Pendulum().solve((0, 10), [1.0], [0.0], max_steps=5)
        failure, partial = caught.exception, caught.exception.partial
        self.assertEqual((partial.status, partial.success, partial.message), (-1, False, str(failure)))
        self.assertEqual((len(partial.t), failure.t), (6, partial.t[-1]))
        np.testing.assert_array_equal(failure.y, partial.y[:, -1])

    def test_a_failure_has_the_last_good_state_whatever_times_were_asked_for(self):
        with self.assertRaises(Failure) as caught:
            Pendulum().solve((0, 100), [1.0], [0.0], max_steps=10)
        last = caught.exception.partial
        self.assertEqual(len(last.t), 11)
        for times in ([0.0, 99.0], [99.0]):
            with self.assertRaisesRegex(Failure, "at t = 0.9") as caught:
                Pendulum().solve((0, 100), [1.0], [0.0], max_steps=10, t_eval=times)
            failure = caught.exception
            self.assertEqual(failure.t, last.t[-1])
            np.testing.assert_array_equal(failure.y, last.y[:, -1])
            self.assertEqual(len(failure.partial.t), len(times) - 1)
        with self.assertRaises(Failure) as caught:
            CartesianPendulum().solve((0, 10), [0.6, -0.8], max_steps=5, t_eval=[9.0])
        self.assertEqual(caught.exception.y.shape, (5,))
        with self.assertRaises(Failure) as caught:
            Pendulum().solve((0, 1), [float("nan")])
        self.assertEqual((caught.exception.t, caught.exception.y), (None, None))

    def test_remedies_are_those_of_python(self):
        with self.assertRaisesRegex(Failure, "leave out the constraint$") as caught:
            CartesianPendulum().rhs(0, [0] * 5)
        self.assertEqual((caught.exception.t, caught.exception.y, caught.exception.partial), (None, None, None))
        with self.assertRaisesRegex(Failure, "it does not hold contacts.* at t = 0"):
            Ball().solve((0, 1), [1.0], [0.0], method="rodas5p")
        with self.assertRaisesRegex(ValueError, "`m` is .* no initial value; it is an argument of the class$"):
            Pendulum().solve((0, 1), {"m": 1})

    def test_what_cannot_be_used_is_refused_with_its_name(self):
        pendulum = Pendulum()
        refused = [
            (TypeError, "no parameter `torqe`; did you mean `torque`", lambda: Pendulum(torqe=1)),
            (TypeError, "no keyword argument `rtoll`", lambda: pendulum.solve((0, 1), rtoll=1e-9)),
            (TypeError, "a function of t and y", lambda: pendulum.solve((0, 1), events=1.5)),
            (TypeError, "no functions of Python", lambda: pendulum.sweep((0, 1), {"theta": [1.0]}, events=lambda t, y: y[0])),
            (TypeError, "by its own class", lambda: Mechanism()),
            (ValueError, "`assume l > 0` does not hold", lambda: Pendulum(l=-1)),
            (ValueError, "`power` has 3 values here; the mechanism has 2", lambda: CartesianPendulum(power=[1, 2, 3])),
            (ValueError, "q0 has 2 values; it needs 1: theta", lambda: pendulum.solve((0, 1), [1, 2])),
            (ValueError, "`theta` does not stand in v0, which has theta_dot", lambda: pendulum.solve((0, 1), v0={"theta": 1})),
            (ValueError, "did you mean `theta`", lambda: pendulum.solve((0, 1), {"thta": 1})),
            (ValueError, "did you mean `dop853`", lambda: pendulum.solve((0, 1), method="DOP835")),
            (ValueError, "rtol is -1; it must be", lambda: pendulum.solve((0, 1), rtol=-1)),
            (ValueError, "step is NaN; it must be a positive number", lambda: pendulum.solve((0, 1), step=float("nan"))),
            (ValueError, "step does not apply to method dop853", lambda: pendulum.solve((0, 1), method="dop853", step=0.1)),
            (ValueError, "the time 2 was asked for", lambda: pendulum.solve((0, 1), t_eval=[0.5, 2])),
            (ValueError, "did you mean `theta`", lambda: pendulum.solve((0, 1), events="thta")),
            (ValueError, "two finite times that differ", lambda: pendulum.solve((1, 1))),
            (TypeError, "t_span takes two numbers", lambda: pendulum.solve([0, 1, 2])),
            (TypeError, "t_span takes two numbers", lambda: pendulum.solve(1.0)),
            (TypeError, "t_span takes two numbers", lambda: pendulum.sweep("01", {"theta": [1.0]})),
            (ValueError, "add project=True to start there", lambda: CartesianPendulum().solve((0, 1), [2.0, 0.0])),
            (ValueError, "period samples the laws", lambda: pendulum.solve((0, 1), period=0.1)),
            (ValueError, "did you mean `torque`", lambda: pendulum.solve((0, 1), inputs={"torqe": "1"})),
            (ValueError, "has no right-hand side for other solvers", lambda: Ball().rhs(0, [1, 0])),
            (ValueError, "has 2 numbers", lambda: pendulum.rhs(0, [1, 0, 0])),
            (ValueError, "direction is 2", lambda: Event("theta", direction=2)),
            (Failure, "`theta` is NaN", lambda: pendulum.solve((0, 1), [float("nan")])),
        ]
        for kind, text, call in refused:
            with self.subTest(text=text), self.assertRaisesRegex(kind, text):
                call()


class Analyses(unittest.TestCase):
    def test_linear_equations_at_a_state(self):
        linear = Pendulum(m=2.0, l=0.5, c=0.1, torque=0.3).linearize([0.7], [0.2])
        inertia = 2.0 * 0.5**2
        np.testing.assert_allclose(linear.A, [[0, 1], [-9.81 / 0.5 * np.cos(0.7), -0.1 / inertia]], rtol=1e-13)
        np.testing.assert_allclose(linear.B, [[0], [1 / inertia]], rtol=1e-13)
        acceleration = (0.3 - 0.1 * 0.2) / inertia - 9.81 / 0.5 * np.sin(0.7)
        np.testing.assert_allclose(linear.rate, [0.2, acceleration], rtol=1e-13)
        self.assertEqual((linear.states, linear.inputs), (["theta", "dot(theta)"], ["torque"]))

    def test_an_equilibrium_and_its_modes(self):
        found = Pendulum(l=0.5, c=0.1).equilibrium([0.5])
        self.assertAlmostEqual(found.q[0], 0, places=12)
        self.assertTrue(found.stability.startswith("asymptotically stable"))
        # m l² a = -c v - m g l x.
        omega, decay = np.sqrt(9.81 / 0.5), 0.1 / (2 * 0.5**2)
        rate = np.sqrt(omega**2 - decay**2)
        np.testing.assert_allclose(sorted(found.eigenvalues, key=lambda value: value.imag), [-decay - 1j * rate, -decay + 1j * rate], rtol=1e-12)
        self.assertAlmostEqual(found.modes[0]["frequency"], omega / (2 * np.pi), places=12)
        self.assertAlmostEqual(found.modes[0]["damping_ratio"], decay / omega, places=12)
        np.testing.assert_allclose(found.A, [[0, 1], [-omega**2, -2 * decay]], rtol=1e-12, atol=1e-12)

    def test_equations_for_readers(self):
        pendulum = Pendulum()
        self.assertIn(r"F_{\theta} &= \mathrm{torque} - c \dot{\theta} - m l g", pendulum.equations_latex)
        self.assertEqual(pendulum._repr_latex_(), f"$$\n{pendulum.equations_latex}\n$$")
        self.assertIn("mass[theta, theta] = m*l^2", pendulum.equations_text)
        self.assertIn("mass[theta, theta] = m*l^2", Pendulum.__doc__)
        self.assertIn("Length of the rod, m.", Pendulum.__doc__)
        self.assertEqual(inspect.signature(Pendulum).parameters["l"].default, 1.0)

    def test_a_sweep_has_the_digits_of_single_motions(self):
        lengths, angles = np.linspace(0.5, 2, 7), np.linspace(0.1, 3, 7)
        sweep = Pendulum().sweep((0, 2), {"l": lengths, "theta": angles}, v0=[0.5], rtol=1e-9, threads=3)
        self.assertEqual((len(sweep), sweep.y.shape, sweep.status), (7, (2, 7), [0] * 7))
        for index in range(7):
            single = Pendulum(l=lengths[index]).solve((0, 2), [angles[index]], [0.5], rtol=1e-9)
            np.testing.assert_array_equal(sweep.y[:, index], single.y[:, -1])
            self.assertEqual(sweep.outputs["bob[0]"][index], single.outputs["bob[0]"][-1])

    def test_a_member_that_fails_leaves_the_others(self):
        sweep = Pendulum().sweep((0, 1), {"l": [-1.0, 1.0, 2.0]})
        self.assertEqual(sweep.status, [-1, 0, 0])
        self.assertIn("`assume l > 0` does not hold", sweep.messages[0])
        self.assertTrue(np.isnan(sweep.y[:, 0]).all() and np.isfinite(sweep.y[:, 1:]).all())
        ended = Pendulum().sweep((0, 10), {"theta_dot": [-1.0, 3.0]}, rtol=1e-9, events=Event("theta", 1.2, terminal=True))
        self.assertEqual(ended.status, [0, 1])
        self.assertAlmostEqual(ended.y[0, 1], 1.2, places=9)
        self.assertLess(ended.t[1], 10)
        with self.assertRaisesRegex(ValueError, "`assume l > 0` does not hold"):
            Pendulum().sweep((0, 1), {"l": [-1.0, -2.0]})

    def test_a_fit_finds_what_made_the_recording(self):
        times = np.linspace(0, 3, 61)
        made = Pendulum(l=0.7, c=0.2).solve((0, 3), [1.1], [0.0], rtol=1e-11, t_eval=times)
        noise = 1e-3 * np.random.default_rng(1).standard_normal(61)
        found = Pendulum(l=0.8, c=0.1).fit(times, {"theta": made.q[0] + noise}, ["l", "c", "theta"], [1.0], [0.0])
        for name, value in {"l": 0.7, "c": 0.2, "theta": 1.1}.items():
            self.assertLess(abs(found.values[name] - value), 4 * found.errors[name])
        self.assertTrue(0.8e-3 < found.deviations["theta"] < 1.2e-3)
        with self.assertRaisesRegex(ValueError, "`theta` has 60 values, and t has 61 times"):
            Pendulum().fit(times, {"theta": made.q[0][:60]}, ["l"])


class Threads(unittest.TestCase):
    def test_a_motion_leaves_the_interpreter_to_others(self):
        done, counted = threading.Event(), []

        def work():
            Pendulum().solve((0, 300), [1.0], [0.0], method="rk4", step=1e-3, t_eval=[300])
            done.set()

        worker = threading.Thread(target=work)
        worker.start()
        while not done.is_set():
            counted.append(time.perf_counter())
            time.sleep(1e-3)
        worker.join()
        # With the lock, this thread would not have run until the motion ended.
        self.assertGreater(len(counted), 20)

    def test_a_signal_ends_a_computation(self):
        pendulum = Pendulum()
        # A process that is started in the background may ignore the signal.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        # Each of them would take many minutes.
        computations = [
            lambda: pendulum.solve((0, 1e7), [1.0], [0.0], method="rk4", step=1e-3, t_eval=[1e7]),
            lambda: pendulum.sweep((0, 1e7), {"theta": [1.0, 2.0, 3.0]}, method="rk4", step=1e-3, threads=2),
        ]
        for computation in computations:
            begin = time.perf_counter()
            alarm = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
            alarm.start()
            with self.assertRaises(KeyboardInterrupt):
                computation()
            self.assertLess(time.perf_counter() - begin, 5)
            alarm.join()


class Catalogue(unittest.TestCase):
    def test_every_mechanism_is_a_class(self):
        self.assertEqual([found.__name__ for found in own_mechanisms.catalogue()], ["Pendulum", "CartesianPendulum", "Ball"])
        for found in own_mechanisms.catalogue():
            self.assertTrue(issubclass(found, Mechanism))
            self.assertEqual(repr(found()).split("(")[0], found.__name__)

    def test_the_file_of_types_is_that_of_the_module(self):
        with open(pathlib.Path(__file__).parent / "../own/own_mechanisms.pyi", encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text, own_mechanisms.stubs())
        declared = {part.name: part for part in ast.parse(text).body if isinstance(part, ast.ClassDef)}
        for name in ("Solution", "Event", "Linearization", "Equilibrium", "Sweep", "Fit", "Mechanism"):
            of_types = {part.name for part in declared[name].body if isinstance(part, ast.FunctionDef)} - {"__init__", "__len__"}
            of_class = {part for part in vars(getattr(own_mechanisms, name)) if not part.startswith("_")}
            self.assertEqual(of_types, of_class, name)

    def test_every_keyword_has_its_meaning(self):
        for name in own_mechanisms.integration_arguments():
            Pendulum().solve((0, 1), **{name: None})


if __name__ == "__main__":
    unittest.main()

# Written by `stubs()` of the module; do not edit.

from typing import Any, Callable, Sequence, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

class Failure(Exception):
    """A computation that failed, with the time, the state and the remedy in its text."""

    partial: Solution | None
    t: float | None
    y: NDArray[np.float64] | None

@final
class Event:
    """A value of a coordinate, a velocity, a state or an output whose crossings `solve` tells."""

    def __init__(self, quantity: str, value: float = 0.0, *, direction: int = 0, terminal: bool = False) -> None: ...

_Event: TypeAlias = Event | str | Callable[[float, NDArray[np.float64]], float]

@final
class Solution:
    """A motion, with the fields of the result of `scipy.integrate.solve_ivp`."""

    @property
    def t(self) -> NDArray[np.float64]: ...
    @property
    def y(self) -> NDArray[np.float64]: ...
    @property
    def q(self) -> NDArray[np.float64]: ...
    @property
    def v(self) -> NDArray[np.float64]: ...
    @property
    def outputs(self) -> dict[str, NDArray[np.float64]]: ...
    @property
    def lambda_(self) -> NDArray[np.float64]: ...
    @property
    def inputs(self) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> NDArray[np.float64]: ...
    @property
    def kinetic(self) -> NDArray[np.float64]: ...
    @property
    def potential(self) -> NDArray[np.float64]: ...
    @property
    def t_events(self) -> list[NDArray[np.float64]] | None: ...
    @property
    def y_events(self) -> list[NDArray[np.float64]] | None: ...
    @property
    def nfev(self) -> int: ...
    @property
    def njev(self) -> int: ...
    @property
    def nlu(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def rejected(self) -> int: ...
    @property
    def status(self) -> int: ...
    @property
    def success(self) -> bool: ...
    @property
    def message(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def moved(self) -> list[tuple[str, float, float]]: ...

@final
class Linearization:
    """The equations linearised at a state: dx/dt = rate + A x + B u."""

    @property
    def A(self) -> NDArray[np.float64]: ...
    @property
    def B(self) -> NDArray[np.float64]: ...
    @property
    def rate(self) -> NDArray[np.float64]: ...
    @property
    def states(self) -> list[str]: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def q(self) -> NDArray[np.float64]: ...
    @property
    def v(self) -> NDArray[np.float64]: ...

@final
class Equilibrium:
    """An equilibrium, and the linear motion dx/dt = A x + B u about it."""

    @property
    def q(self) -> NDArray[np.float64]: ...
    @property
    def z(self) -> NDArray[np.float64]: ...
    @property
    def steady(self) -> list[str]: ...
    @property
    def stability(self) -> str: ...
    @property
    def eigenvalues(self) -> list[complex]: ...
    @property
    def modes(self) -> list[dict[str, Any]]: ...
    @property
    def no_modes(self) -> str | None: ...
    @property
    def states(self) -> list[str]: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def A(self) -> NDArray[np.float64]: ...
    @property
    def B(self) -> NDArray[np.float64]: ...

@final
class Sweep:
    """The ends of many motions."""

    @property
    def values(self) -> dict[str, NDArray[np.float64]]: ...
    @property
    def t(self) -> NDArray[np.float64]: ...
    @property
    def y(self) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> NDArray[np.float64]: ...
    @property
    def outputs(self) -> dict[str, NDArray[np.float64]]: ...
    @property
    def status(self) -> list[int]: ...
    @property
    def messages(self) -> list[str]: ...
    def __len__(self) -> int: ...

@final
class Fit:
    """The values that fit a recording, with their standard errors."""

    @property
    def values(self) -> dict[str, float]: ...
    @property
    def errors(self) -> dict[str, float]: ...
    @property
    def correlations(self) -> NDArray[np.float64]: ...
    @property
    def residuals(self) -> dict[str, NDArray[np.float64]]: ...
    @property
    def deviations(self) -> dict[str, float]: ...
    @property
    def chi_square(self) -> float: ...
    @property
    def warnings(self) -> list[str]: ...

class Mechanism:
    """What all mechanisms have."""

    def solve(
        self,
        t_span: Sequence[float] | NDArray[Any],
        q0: ArrayLike | dict[str, float] | None = None,
        v0: ArrayLike | dict[str, float] | None = None,
        *,
        t_eval: ArrayLike | None = None,
        method: str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        step: float | None = None,
        max_step: float | None = None,
        composition: str | None = None,
        max_steps: int | None = None,
        events: _Event | Sequence[_Event] | None = None,
        inputs: dict[str, str | float] | None = None,
        period: float | None = None,
        project: bool | None = None,
    ) -> Solution: ...
    def rhs(self, t: float, y: ArrayLike) -> NDArray[np.float64]: ...
    def initial(self) -> NDArray[np.float64]: ...
    def linearize(
        self,
        q0: ArrayLike | dict[str, float] | None = None,
        v0: ArrayLike | dict[str, float] | None = None,
        *,
        t: float = 0.0,
        project: bool = False,
    ) -> Linearization: ...
    def equilibrium(
        self, q0: ArrayLike | dict[str, float] | None = None, *, t: float = 0.0, project: bool = False
    ) -> Equilibrium: ...
    def sweep(
        self,
        t_span: Sequence[float] | NDArray[Any],
        vary: dict[str, ArrayLike],
        q0: ArrayLike | dict[str, float] | None = None,
        v0: ArrayLike | dict[str, float] | None = None,
        *,
        threads: int = 0,
        method: str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        step: float | None = None,
        max_step: float | None = None,
        composition: str | None = None,
        max_steps: int | None = None,
        events: Event | str | Sequence[Event | str] | None = None,
        inputs: dict[str, str | float] | None = None,
        period: float | None = None,
        project: bool | None = None,
    ) -> Sweep: ...
    def fit(
        self,
        t: ArrayLike,
        data: dict[str, ArrayLike],
        vary: Sequence[str],
        q0: ArrayLike | dict[str, float] | None = None,
        v0: ArrayLike | dict[str, float] | None = None,
        *,
        deviation: dict[str, float] | None = None,
        rtol: float = 1e-9,
        project: bool = False,
    ) -> Fit: ...
    @property
    def parameters(self) -> dict[str, float]: ...
    @property
    def coordinates(self) -> list[str]: ...
    @property
    def components(self) -> list[str]: ...
    @property
    def outputs(self) -> list[str]: ...
    @property
    def constraints(self) -> list[str]: ...
    @property
    def equations_latex(self) -> str: ...
    @property
    def equations_text(self) -> str: ...
    @property
    def block(self) -> str: ...

def catalogue() -> list[type[Mechanism]]: ...
def integration_arguments() -> dict[str, str]: ...
def stubs() -> str: ...

class CompoundDoublePendulum(Mechanism):
    """Two uniform rods in series with a bob at the tip."""

    def __init__(self, *, m1: float = 1.0, m2: float = 1.0, m3: float = 1.0, l1: float = 1.0, l2: float = 1.0, g: float = 9.8, **parameters: float) -> None: ...

class CompoundDoublePendulumWithDrag(Mechanism):
    """Two uniform rods in series with a bob at the tip, quadratic air drag on the rods, and a torque on the upper one."""

    def __init__(self, *, m1: float = 1.0, m2: float = 1.0, m3: float = 1.0, l1: float = 1.0, l2: float = 1.0, g: float = 9.8, mu: float = 0.01, torque: float = 0.0, **parameters: float) -> None: ...

class DoublePendulum(Mechanism):
    """Two point masses on massless rods in series."""

    def __init__(self, *, m1: float = 1.0, m2: float = 1.0, l1: float = 1.0, l2: float = 1.0, g: float = 9.8, **parameters: float) -> None: ...

class SphericalPendulum(Mechanism):
    """A point mass on a rod that swings in space, in angles."""

    def __init__(self, *, m: float = 1.0, l: float = 1.0, g: float = 9.81, **parameters: float) -> None: ...

class SphericalPendulumCartesian(Mechanism):
    """A point mass on a rod that swings in space, in Cartesian coordinates under the rod's constraint."""

    def __init__(self, *, m: float = 1.0, l: float = 1.0, g: float = 9.81, **parameters: float) -> None: ...

class CartesianPendulum(Mechanism):
    """A point mass on a rod in a plane, in Cartesian coordinates."""

    def __init__(self, *, m: float = 1.0, l: float = 1.0, g: float = 9.81, **parameters: float) -> None: ...

class RigidPendulum(Mechanism):
    """A rigid body on a hinge that lets it turn every way, by a unit quaternion."""

    def __init__(self, *, m: float = 1.0, l: float = 0.5, g: float = 9.81, i1: float = 0.3, i2: float = 0.35, i3: float = 0.1, **parameters: float) -> None: ...

class BeadOnRotatingHoop(Mechanism):
    """A bead on a hoop that is turned about its vertical diameter."""

    def __init__(self, *, m: float = 1.0, r: float = 0.5, g: float = 9.81, omega: float = 6.0, **parameters: float) -> None: ...

class KnifeEdge(Mechanism):
    """A blade on an inclined plane that cannot slip sideways."""

    def __init__(self, *, m: float = 1.0, i: float = 0.1, g: float = 9.81, slope: float = 0.2, **parameters: float) -> None: ...

class RollingDisc(Mechanism):
    """An upright disc that rolls without slipping."""

    def __init__(self, *, m: float = 1.0, r: float = 0.5, i: float = 0.0625, j: float = 0.125, **parameters: float) -> None: ...

class Rattleback(Mechanism):
    """A stone that rolls, rattles, and turns round its spin."""

    def __init__(self, *, m: float = 1.0, g: float = 9.81, a: float = 0.2, b: float = 0.03, c: float = 0.02, h: float = 0.01, i1: float = 0.0002, i2: float = 0.0016, i3: float = 0.0017, d: float = -2e-5, sigma: float = 0.0001, **parameters: float) -> None: ...

class TippeTop(Mechanism):
    """A top that turns upside down while it slips on a rough floor."""

    def __init__(self, *, m: float = 0.02, r: float = 0.02, a: float = 0.004, g: float = 9.81, i1: float = 2.9942857142857143e-6, i3: float = 3.2000000000000003e-6, mu: float = 0.1, **parameters: float) -> None: ...

class SpinningBeam(Mechanism):
    """A cantilever that is spun up beyond its first frequency, and that the centrifugal force stiffens."""

    def __init__(self, *, l: float = 10.0, rho: float = 1.2, ea: float = 28000000.0, ei: float = 14000.0, spin: float = 6.0, rise: float = 15.0, shortening: float = 1.0, **parameters: float) -> None: ...

class HangingCable(Mechanism):
    """A cable of three elements with absolute nodal coordinates, which falls from the horizontal."""

    def __init__(self, *, l: float = 1.0, rho: float = 0.1, ea: float = 10000.0, ei: float = 0.01, gravity: float = 9.81, **parameters: float) -> None: ...

class FlexibleLink(Mechanism):
    """A link of a robot that bends, with a motor and a load."""

    def __init__(self, *, l: float = 1.0, rho: float = 0.3, ei: float = 20.0, hub: float = 0.05, load: float = 0.1, torque: float = 0.0, **parameters: float) -> None: ...

class FlexibleSliderCrank(Mechanism):
    """A fast slider crank with a rod that bends and stretches."""

    def __init__(self, *, r: float = 0.15, l: float = 0.3, d: float = 0.008, rho: float = 7870.0, e: float = 200000000000.0, crank: float = 0.002727, slider: float = 0.075552, omega: float = 150.0, axial: float = 1.0, **parameters: float) -> None: ...

class FourBarLinkage(Mechanism):
    """Crank, coupler and rocker between two hinges, and a torque on the crank."""

    def __init__(self, *, a: float = 0.2, b: float = 0.5, c: float = 0.4, base: float = 0.5, m: float = 2.0, g: float = 0.0, torque: float = 0.0, **parameters: float) -> None: ...

class Parallelogram(Mechanism):
    """A platform on three parallel cranks, one of which is redundant."""

    def __init__(self, *, m: float = 1.0, i: float = 0.3, r: float = 1.0, d: float = 0.8, g: float = 9.81, **parameters: float) -> None: ...

class Kepler(Mechanism):
    """A body in the plane under an inverse square attraction."""

    def __init__(self, *, m: float = 1.0, mu: float = 1.0, **parameters: float) -> None: ...

class HeavyTop(Mechanism):
    """A symmetric top on a fixed tip, in Euler's angles."""

    def __init__(self, *, m: float = 0.2, l: float = 0.05, g: float = 9.81, i1: float = 0.0007, i3: float = 0.0002, **parameters: float) -> None: ...

class HeavyTopQuaternion(Mechanism):
    """A symmetric top on a fixed tip, by a unit quaternion."""

    def __init__(self, *, m: float = 0.2, l: float = 0.05, g: float = 9.81, i1: float = 0.0007, i3: float = 0.0002, **parameters: float) -> None: ...

class LcPlate(Mechanism):
    """A spring-mounted plate of a capacitor in a circuit without resistance and source."""

    def __init__(self, *, m: float = 0.015, l: float = 0.0016, k: float = 369.73, s: float = 0.1, a: float = 0.01, eps: float = 1.0, **parameters: float) -> None: ...

class RlcPlate(Mechanism):
    """A spring-mounted plate of a capacitor in a circuit with a resistance and a source."""

    def __init__(self, *, m: float = 0.015, l: float = 0.0016, k: float = 369.73, s: float = 0.1, a: float = 0.01, eps: float = 1.0, r: float = 0.05, e0: float = 0.0, omega: float = 85.4, **parameters: float) -> None: ...

class TriplePendulum(Mechanism):
    """Three point masses on massless rods in series, in angles."""

    def __init__(self, *, m: float = 1.0, l: float = 1.0, g: float = 1.0, **parameters: float) -> None: ...

class TriplePendulumCartesian(Mechanism):
    """Three point masses on massless rods in series, in Cartesian coordinates under the rods' constraints."""

    def __init__(self, *, m: float = 1.0, l: float = 1.0, g: float = 1.0, **parameters: float) -> None: ...

class CoupledCircuits(Mechanism):
    """Two circuits of coil and capacitor, coupled by their magnetic fields."""

    def __init__(self, *, l: float = 0.01, mutual: float = 0.001, c: float = 0.0001, **parameters: float) -> None: ...

class Loudspeaker(Mechanism):
    """A cone on a spring with its coil in the gap of a magnet, and a voltage."""

    def __init__(self, *, m: float = 0.02, k: float = 1200.0, damping: float = 1.0, bl: float = 8.0, l: float = 0.0005, r: float = 6.0, voltage: float = 0.0, **parameters: float) -> None: ...

class MagneticLevitation(Mechanism):
    """A steel ball under an electromagnet, and a voltage."""

    def __init__(self, *, m: float = 0.1, g: float = 9.81, damping: float = 0.001, l1: float = 0.02, l0: float = 0.01, a: float = 0.05, r: float = 1.0, voltage: float = 6.26418390534633, **parameters: float) -> None: ...

class MotorPendulum(Mechanism):
    """A pendulum on the shaft of a DC motor, and a voltage."""

    def __init__(self, *, j: float = 2e-5, m: float = 0.1, l: float = 0.2, g: float = 9.81, damping: float = 0.0001, k: float = 0.05, inductance: float = 0.002, r: float = 2.0, voltage: float = 0.0, **parameters: float) -> None: ...

class ChargeInFields(Mechanism):
    """A charged particle in constant magnetic and electric fields."""

    def __init__(self, *, m: float = 1.0, e: float = 1.0, b: float = 1.0, ex: float = 0.1, ez: float = 0.01, **parameters: float) -> None: ...

class BlockWithFriction(Mechanism):
    """A block on a spring and a rough rail, which slides until it sticks."""

    def __init__(self, *, m: float = 1.0, k: float = 9.8, mu: float = 0.1, g: float = 9.8, **parameters: float) -> None: ...

class BeltBlock(Mechanism):
    """A block on a spring that sticks and slips on a belt."""

    def __init__(self, *, m: float = 1.0, k: float = 40.0, mu: float = 0.25, mu_static: float = 0.4, g: float = 9.81, u: float = 0.1, **parameters: float) -> None: ...

class BouncingBall(Mechanism):
    """A ball that bounces on the floor until it rests."""

    def __init__(self, *, m: float = 0.05, g: float = 9.81, e: float = 0.7, **parameters: float) -> None: ...

class YieldingBall(Mechanism):
    """A ball of a metal that yields, so that a fast impact takes more than a slow one."""

    def __init__(self, *, m: float = 0.1, g: float = 9.81, u: float = 0.2, **parameters: float) -> None: ...

class MarbleOnBar(Mechanism):
    """A marble that rolls off the round end of a bar onto the floor."""

    def __init__(self, *, m: float = 0.08, g: float = 9.81, r: float = 0.02, b: float = 0.05, l: float = 1.0, h: float = 0.5, mu: float = 0.6, **parameters: float) -> None: ...

class StickyPad(Mechanism):
    """A sticky pad that a spring pulls off a plate again and again."""

    def __init__(self, *, m: float = 0.01, k: float = 1000.0, d: float = 1.0, f: float = 5.0, c: float = 0.02, omega: float = 2.0, **parameters: float) -> None: ...

class TumblingToast(Mechanism):
    """A slice of toast that tips over the edge of a table."""

    def __init__(self, *, m: float = 0.05, g: float = 9.81, a: float = 0.05, b: float = 0.005, r: float = 0.001, l: float = 0.4, h: float = 0.75, mu: float = 0.4, **parameters: float) -> None: ...

class BallisticPendulum(Mechanism):
    """A block on cords that catches a bullet."""

    def __init__(self, *, bullet: float = 0.01, block: float = 2.0, l: float = 1.0, g: float = 9.81, **parameters: float) -> None: ...

class RockingBlock(Mechanism):
    """A block that rocks on its two lower edges until it stands."""

    def __init__(self, *, m: float = 100.0, g: float = 9.81, b: float = 0.2, h: float = 0.6, mu: float = 2.0, **parameters: float) -> None: ...

class FullWaveRectifier(Mechanism):
    """A battery that is charged through a bridge of four diodes."""

    def __init__(self, *, inductance: float = 0.005, resistance: float = 0.0, amplitude: float = 17.0, omega: float = 314.1592653589793, battery: float = 12.0, **parameters: float) -> None: ...

class BimetalThermostat(Mechanism):
    """A bimetal strip that snaps, and the temperature that it switches."""

    def __init__(self, *, m: float = 0.0001, k: float = 1.0, c: float = 0.2, d: float = 0.01, heater: float = 20.0, loss: float = 1.0, outside: float = -10.0, capacity: float = 10.0, **parameters: float) -> None: ...

class ControlledMotor(Mechanism):
    """A DC motor under a PI controller with a limited voltage."""

    def __init__(self, *, j: float = 0.02, b: float = 0.01, k: float = 0.5, r: float = 1.0, inductance: float = 0.05, kp: float = 0.9, ki: float = 3.0, limit: float = 12.0, speed: float = 20.0, **parameters: float) -> None: ...

class HenonHeiles(Mechanism):
    """A star in a galaxy, by a potential with regular and chaotic motions."""

    def __init__(self, *, c: float = 1.0, **parameters: float) -> None: ...

class DrivenPendulum(Mechanism):
    """A damped pendulum under a periodic torque, with regular and chaotic motions."""

    def __init__(self, *, q: float = 2.0, drive: float = 1.15, omega: float = 0.6666666666666666, **parameters: float) -> None: ...

class MagneticPendulum(Mechanism):
    """A pendulum over three magnets, which comes to rest over one of them."""

    def __init__(self, *, d: float = 0.25, c: float = 0.5, b: float = 0.2, **parameters: float) -> None: ...

class Rocket(Mechanism):
    """A rocket that climbs and burns its fuel."""

    def __init__(self, *, dry: float = 200.0, burn: float = 12.5, exhaust: float = 2200.0, g: float = 9.81, **parameters: float) -> None: ...

class PointVortices(Mechanism):
    """Three point vortices in a plane, which have no inertia."""

    def __init__(self, *, gamma: ArrayLike = ..., **parameters: float) -> None: ...

class OuterSolarSystem(Mechanism):
    """The Sun and the five outer planets."""

    def __init__(self, *, m: ArrayLike = ..., g: float = 0.000295912208286, **parameters: float) -> None: ...

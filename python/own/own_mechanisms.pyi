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

class Pendulum(Mechanism):
    """A point mass on a massless rod, and a torque at the hinge."""

    def __init__(self, *, m: float = 1.0, l: float = 1.0, g: float = 9.81, c: float = 0.0, torque: float = 0.0, **parameters: float) -> None: ...

class CartesianPendulum(Mechanism):
    """A point mass on a rod, in Cartesian coordinates, and the heat that two heaters give it."""

    def __init__(self, *, m: float = 1.0, l: float = 1.0, g: float = 9.81, power: ArrayLike = ..., tau: float = 0.5, **parameters: float) -> None: ...

class Ball(Mechanism):
    """A ball that bounces on the floor."""

    def __init__(self, *, m: float = 1.0, g: float = 9.81, e: float = 0.5, **parameters: float) -> None: ...

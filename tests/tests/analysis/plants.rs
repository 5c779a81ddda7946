//! Linear plants, and their units.

use super::shared::matrix;
use lagrange_runtime::analysis::StateSpace;
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_tests::random::Random;

/// A plant by its name in [`VALUES`](super::computed_values::VALUES).
pub(crate) fn plant(name: &str) -> StateSpace {
    let built = |a: DMatrix<f64>, b: DMatrix<f64>, c: DMatrix<f64>, d: DMatrix<f64>| {
        StateSpace::new(a, b).and_then(|space| space.with_outputs(c, d)).expect("of like size")
    };
    let single = |a, b, c| built(a, b, c, matrix([[0.0]]));
    match name {
        // A pendulum upright with a motor, and its angle.
        "motor" => single(
            matrix([[0.0, 1.0, 0.0], [9.81, -0.2, 0.3], [0.0, -2.0, -50.0]]),
            matrix([[0.0], [0.0], [4.0]]),
            matrix([[1.0, 0.0, 0.0]]),
        ),
        "flexible" => single(
            matrix([[0.0, 1.0, 0.0, 0.0], [-4.0, -0.2, 1.5, 0.0], [0.3, 0.0, -1.0, 0.5], [0.0, 0.0, 0.0, -30.0]]),
            matrix([[0.0], [0.4], [0.0], [20.0]]),
            matrix([[1.0, -0.5, 0.7, 0.0]]),
        ),
        "proper" => {
            built(matrix([[0.0, 1.0], [-5.0, -3.0]]), matrix([[0.0], [1.0]]), matrix([[-2.0, 1.0]]), matrix([[0.5]]))
        }
        "pair" => built(
            matrix([[-1.0, 2.0, 0.0], [-2.0, -1.0, 0.5], [0.0, 0.0, -5.0]]),
            matrix([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]]),
            matrix([[1.0, 0.0, 1.0], [0.0, 2.0, -1.0]]),
            matrix([[0.0, 0.0], [0.1, 0.0]]),
        ),
        "tanks" => tanks([62.0, 90.0, 23.0, 30.0], [3.33, 3.35], [0.7, 0.6]),
        "tanks_rhp" => tanks([63.0, 91.0, 39.0, 56.0], [157.0 / 50.0, 3.29], [0.43, 0.34]),
        // Two masses and a spring, with a force on one and the place of the other.
        "masses" => masses([0.0, 1.0, 0.0, 0.0]),
        "masses_pd" => masses([0.5, 0.0, 0.8, 0.0]),
        // 60 (s + 1)²/(s³ (s + 20)), which is stable for large gains only.
        "conditional" => single(
            matrix([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -20.0]]),
            matrix([[0.0], [0.0], [0.0], [1.0]]),
            matrix([[60.0, 120.0, 60.0, 0.0]]),
        ),
        // 4/(s + 1)³.
        "cubic" => single(
            matrix([[-1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, -1.0]]),
            matrix([[4.0], [0.0], [0.0]]),
            matrix([[0.0, 0.0, 1.0]]),
        ),
        // The loop of a state feedback around the motor.
        "regulated" => StateSpace { c: matrix([[875.0, 270.0, 1.6]]), ..plant("motor") },
        _ => panic!("there is no plant `{name}`"),
    }
}

/// K. H. Johansson, *The quadruple-tank process*, IEEE Trans. Control Syst. Technol. 8, 2000, equation (5): time constants in
/// s, pumps in cm³/(V s), and the valves' fractions. The outputs are in V.
fn tanks(time: [f64; 4], pump: [f64; 2], valve: [f64; 2]) -> StateSpace {
    let [first, second, third, fourth] = time.map(|time| -1.0 / time);
    let a = matrix([
        [first, 0.0, 1.0 / time[2], 0.0],
        [0.0, second, 0.0, 1.0 / time[3]],
        [0.0, 0.0, third, 0.0],
        [0.0, 0.0, 0.0, fourth],
    ]);
    let b = matrix([
        [valve[0] * pump[0] / 28.0, 0.0],
        [0.0, valve[1] * pump[1] / 32.0],
        [0.0, (1.0 - valve[1]) * pump[1] / 28.0],
        [(1.0 - valve[0]) * pump[0] / 32.0, 0.0],
    ]);
    let c = matrix([[0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0]]);
    StateSpace { a, b, c, d: DMatrix::zeros(2, 2) }
}

fn masses(output: [f64; 4]) -> StateSpace {
    let a = matrix([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [-2.0, 2.0, -0.02, 0.02], [1.0, -1.0, 0.01, -0.01]]);
    StateSpace { a, b: matrix([[0.0], [0.0], [2.0], [0.0]]), c: matrix([output]), d: matrix([[0.0]]) }
}

/// Units: a quantity in other units is that of the plant over these. `rate` is that of 1/time.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    pub(crate) states: Vec<f64>,
    pub(crate) input: f64,
    pub(crate) output: f64,
    pub(crate) rate: f64,
}

impl Units {
    pub(crate) fn same(states: usize) -> Self {
        Self { states: vec![1.0; states], input: 1.0, output: 1.0, rate: 1.0 }
    }

    /// Powers of ten from 10⁻¹² to 10¹².
    pub(crate) fn random(states: usize, random: &mut Random) -> Self {
        let mut unit = || 10.0_f64.powi(random.below(25) as i32 - 12);
        Self { states: (0..states).map(|_| unit()).collect(), input: unit(), output: unit(), rate: unit() }
    }

    /// A plant in these units.
    pub(crate) fn of(&self, space: &StateSpace) -> StateSpace {
        let Self { states, input, output, rate } = self;
        StateSpace {
            a: self.similar(&space.a) / *rate,
            b: DMatrix::from_fn(space.b.nrows(), space.b.ncols(), |i, k| space.b[(i, k)] * (input / states[i]) / rate),
            c: DMatrix::from_fn(space.c.nrows(), space.c.ncols(), |l, j| space.c[(l, j)] * (states[j] / output)),
            d: &space.d * (input / output),
        }
    }

    fn similar(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] * (self.states[j] / self.states[i]))
    }

    /// A weight of the states in these units.
    pub(crate) fn weight(&self, q: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(q.nrows(), q.ncols(), |i, j| q[(i, j)] * self.states[i] * self.states[j])
    }

    /// A gain in the units of the plant.
    pub(crate) fn gain(&self, gain: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(gain.nrows(), gain.ncols(), |k, j| gain[(k, j)] * (self.input / self.states[j]))
    }

    /// A, B, C and D of a sampled system, in the units of the plant.
    pub(crate) fn sampled(&self, [a, b, c, d]: [&DMatrix<f64>; 4]) -> [DMatrix<f64>; 4] {
        let Self { states, input, output, .. } = self;
        [
            DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] * (states[i] / states[j])),
            DMatrix::from_fn(b.nrows(), b.ncols(), |i, k| b[(i, k)] * (states[i] / input)),
            DMatrix::from_fn(c.nrows(), c.ncols(), |l, j| c[(l, j)] * (output / states[j])),
            d * (output / input),
        ]
    }
}

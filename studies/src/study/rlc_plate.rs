//! Study 4: a spring-mounted plate of a capacitor in an electric circuit.

pub(super) mod balance;
pub(super) mod energy;
pub(super) mod equations;
pub(super) mod printed_invariants;

use super::Finding;
use super::charts::BUCKETS;
use super::motion::Motion;
use crate::statements::rlc_plate as stated;
use lagrange_cli::analysis::decimate::extremes;
use lagrange_cli::report::csv::Series;
use lagrange_cli::report::figure::Figure;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_runtime::prelude::*;

/// The document's number.
const STUDY: u32 = 4;

/// The step, s (table 1).
const STEP: f64 = 1e-3;

/// How long plate and charge are shown, s.
const SHOWN: f64 = 1.0;

/// The width of a line in a figure, relative to the figure's height.
const LINE_WIDTH: f64 = 0.01;

/// The parameters that all cases have in common.
const PARAMETERS: &str = "s = 0.1 m, A = 0.01 m², m = 0.015 kg, L₁ = 0.0016 H, k = 369.73 N/m, ε = 1 (the paper leaves it \
                          out), from rest at x = 0.04 m, e = 0.5 C; step 1 ms.";

type Plate<'a> = dyn System<f64, 2, 0, 0> + 'a;

/// One second by each method.
struct Case {
    gauss: Motion,
    rk4: Motion,
    /// Gauss's method of 6 stages: of order 12.
    reference: Motion,
}

impl Case {
    fn integrate(system: &Plate<'_>, initial: State<f64, 2>) -> Finding<Self> {
        Ok(Self {
            gauss: Motion::integrate(system, initial, SHOWN, &Gauss::<f64, 3>::new(STEP))?,
            rk4: Motion::integrate(system, initial, SHOWN, &Rk4::new(STEP))?,
            reference: Motion::integrate(system, initial, SHOWN, &Gauss::<f64, 6>::new(STEP))?,
        })
    }

    /// The largest error of a coordinate, relative to its largest magnitude.
    fn error(&self, motion: &Motion, index: usize) -> f64 {
        let largest = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, f64::max);
        let pairs = motion.states.iter().zip(&self.reference.states);
        let error = largest(&mut pairs.map(|(state, exact)| state.q[index] - exact.q[index]));
        error / largest(&mut self.reference.states.iter().map(|state| state.q[index]))
    }

    /// The largest difference of a coordinate between RK4 and Gauss's method of 3 stages, relative to its largest magnitude.
    fn difference(&self, index: usize) -> f64 {
        let largest = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, f64::max);
        let pairs = self.gauss.states.iter().zip(&self.rk4.states);
        largest(&mut pairs.map(|(gauss, rk4)| gauss.q[index] - rk4.q[index]))
            / largest(&mut self.gauss.states.iter().map(|state| state.q[index]))
    }

    /// The paper's statement that both methods' curves agree.
    fn agreement(&self, place: (u32, &'static str), index: usize) -> Row {
        Row::compared(
            place,
            format!("difference of RK4 from Gauss, 3 stages, in 1 s, over the largest {}", ["|x|", "|e|"][index]),
            "",
            Published::within("0", LINE_WIDTH).of(&stated::AGREEMENT),
            self.difference(index),
            "tolerance: the width of a line in a figure",
        )
    }

    /// Plate and charge.
    fn figure(&self, title: &str, paper: &str, ours: String) -> Figure {
        let chart = |index: usize, label: &'static str| {
            let points = |motion: &Motion| extremes(motion.coordinate(index), [0.0, SHOWN], BUCKETS);
            let curves = vec![
                Curve::new("RK4", Style::Reference, points(&self.rk4)),
                Curve::new("Gauss, 3 stages", [Style::First, Style::Second][index], points(&self.gauss)),
            ];
            Chart::new(Axis::linear("time (s)").spanning(0.0, SHOWN), Axis::linear(label), curves).with_aspect(0.55)
        };
        Figure {
            title: title.to_owned(),
            charts: vec![chart(0, "plate x (m)"), chart(1, "charge e (C)")],
            paper: paper.to_owned(),
            ours,
        }
    }

    fn series(&self, name: &str) -> Series {
        let row = |((gauss, energy), rk4): ((&State<f64, 2>, &f64), &State<f64, 2>)| {
            vec![gauss.t, gauss.q[0], gauss.q[1], *energy, rk4.q[0], rk4.q[1]]
        };
        Series {
            name: name.to_owned(),
            columns: vec!["t (s)", "x (m)", "e (C)", "E (J)", "x RK4 (m)", "e RK4 (C)"],
            rows: self.gauss.states.iter().zip(&self.gauss.energy).zip(&self.rk4.states).map(row).collect(),
        }
    }
}

//! The equations of whole blocks: at switches, with facts, positive mass and singular matrices.

mod cancelled;
mod giving;
mod integrable;
mod library;
mod natural;
mod null_vector;
mod part;
mod positive;
mod rebuilt;
mod scales;
mod shown;
mod singular;
mod switched;
mod table;
mod torque;
mod without_inertia;

use lagrange_symbolic::graph::value::numeric;
use lagrange_symbolic::graph::{Id, Symbol};
use lagrange_symbolic::{Derivation, derivation, parse, report};

/// The derivation of a block on a struct, or the messages.
fn derive(block: &str, item: &str) -> Result<Derivation, String> {
    let tokens = |text: &str| text.parse().expect("the test's source is made of tokens");
    let text = |report: report::Report| {
        report.entries().iter().map(|(mistake, _)| mistake.text()).collect::<Vec<_>>().join("\n")
    };
    parse::parse(tokens(block), tokens(item)).and_then(|spec| derivation(&spec)).map_err(text)
}

fn derived(block: &str, item: &str) -> Derivation {
    derive(block, item).unwrap_or_else(|message| panic!("{block}\n{message}"))
}

/// The rows of the warnings.
fn warnings(derivation: &Derivation) -> Vec<&'static str> {
    derivation.model.warnings.entries().iter().map(|(mistake, _)| mistake.row()).collect()
}

/// A state: t, q, v and the parameters.
#[derive(Clone, Debug, Default)]
struct State {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    parameters: Vec<f64>,
}

impl State {
    fn values(&self, derivation: &Derivation, ids: &[Id]) -> Vec<f64> {
        let value = |symbol| match symbol {
            Symbol::Coordinate(i) => self.q[i as usize],
            Symbol::Velocity(i) => self.v[i as usize],
            Symbol::Parameter(i) => self.parameters[i as usize],
            Symbol::Time => self.t,
            symbol => panic!("{symbol:?} is not part of a state"),
        };
        numeric(&derivation.model.graph, ids, &value)
    }

    /// (a, λ) of the bordered equations [M Gᵀ; G 0] (a, −λ) = (F, −γ).
    fn motion(&self, derivation: &Derivation) -> (Vec<f64>, Vec<f64>) {
        let equations = &derivation.equations;
        let (n, c) = (self.q.len(), equations.constraints.len());
        let mut rows = vec![vec![0.0; n + c + 1]; n + c];
        for (i, row) in equations.mass.iter().enumerate() {
            rows[i][..n].copy_from_slice(&self.values(derivation, row));
        }
        for (k, row) in equations.constraints.jacobian.iter().enumerate() {
            for (i, value) in self.values(derivation, row).into_iter().enumerate() {
                rows[n + k][i] = value;
                rows[i][n + k] = value;
            }
        }
        let right = [&equations.forcing[..], &equations.constraints.curvature].concat();
        for (i, value) in self.values(derivation, &right).into_iter().enumerate() {
            rows[i][n + c] = if i < n { value } else { -value };
        }
        let mut solution = solve(rows);
        let multipliers = solution.split_off(n).into_iter().map(|value| -value).collect();
        (solution, multipliers)
    }
}

/// Solves A x = b by elimination with pivoting. b is the last entry of each row.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).expect("a row is left");
        rows.swap(k, pivot);
        let chosen = rows[k].clone();
        assert!(chosen[k].abs() > 1e-12, "the system is singular in column {k}");
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[k] / chosen[k];
            if i != k {
                row.iter_mut().zip(&chosen).for_each(|(entry, chosen)| *entry -= factor * chosen);
            }
        }
    }
    rows.iter().enumerate().map(|(i, row)| row[n] / row[i]).collect()
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-11 * (1.0 + expected.abs()), "{what}: {found} is not {expected}");
    }
}

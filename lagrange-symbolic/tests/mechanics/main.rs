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

    /// (a, λ) from the residuals M a − F − Gᵀλ and G a + γ, which are linear in both. Long rows of bodies have no other equations.
    fn motion(&self, derivation: &Derivation) -> (Vec<f64>, Vec<f64>) {
        let equations = &derivation.equations;
        let (n, c) = (self.q.len(), equations.constraints.len());
        let residual = |unit: usize| {
            let value = |symbol| match symbol {
                Symbol::Coordinate(i) => self.q[i as usize],
                Symbol::Velocity(i) => self.v[i as usize],
                Symbol::Acceleration(i) => f64::from(u8::from(i as usize == unit)),
                Symbol::Multiplier(i) => f64::from(u8::from(i as usize + n == unit)),
                Symbol::Parameter(i) => self.parameters[i as usize],
                Symbol::Time => self.t,
                symbol => panic!("{symbol:?} is not part of a state"),
            };
            numeric(&derivation.model.graph, &equations.residual, &value)
        };
        let at_rest = residual(n + c);
        assert_eq!(at_rest.len(), n + c);
        let mut rows: Vec<Vec<f64>> = at_rest.iter().map(|rest| [vec![0.0; n + c], vec![-rest]].concat()).collect();
        for unit in 0..n + c {
            for ((row, value), rest) in rows.iter_mut().zip(residual(unit)).zip(&at_rest) {
                row[unit] = value - rest;
            }
        }
        let mut solution = solve(rows);
        let multipliers = solution.split_off(n);
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

//! Ours against the reference: every quantity of the contract at one point.

use super::bounded::Bounded;
use super::evaluate::Point;
use super::interpret::{Arguments, Interpreter, Slot};
use super::linear;
use super::reference::{Reference, Row, Solver};
use super::tree::Mechanism;
use lagrange_symbolic::mechanics::Facts;
use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::{derivation, parse, report};

/// Allowed difference in units of the running bound, which is at least the sum of the absolute terms.
pub(crate) const TOLERANCE: f64 = 1e-13;

/// A quantity that differs.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    /// Its name, the same whatever the indices.
    pub quantity: String,
    /// The numbers.
    pub detail: String,
}

/// The largest difference seen, in units of the bound, and where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Worst {
    pub ratio: f64,
    pub quantity: String,
}

/// The routines of a mechanism from its text, and what is claimed of it.
pub(crate) fn derive(mechanism: &Mechanism) -> Result<(Evaluations, Facts), Difference> {
    derive_text(&mechanism.to_string(), &mechanism.item())
}

/// The routines of a mechanism from the text of its block and of its struct, and what is claimed of it.
pub(crate) fn derive_text(block: &str, item: &str) -> Result<(Evaluations, Facts), Difference> {
    let refused = |quantity: &str, detail: String| Difference { quantity: quantity.to_owned(), detail };
    let tokens = |text: &str| text.parse().map_err(|error| refused("tokens", format!("{error:?}")));
    let shown = |report: report::Report| {
        let texts: Vec<String> = report.entries().iter().map(|(mistake, _)| format!("{mistake:?}")).collect();
        texts.join("\n")
    };
    let spec = parse::parse(tokens(block)?, tokens(item)?).map_err(|report| refused("parse", shown(report)))?;
    let derived = derivation(&spec).map_err(|report| refused("derivation", shown(report)))?;
    let (mut model, equations) = (derived.model, derived.equations);
    Ok((Evaluations::new(&mut model.graph, &equations), equations.facts))
}

struct Comparison {
    worst: Worst,
}

impl Comparison {
    fn check(&mut self, quantity: &str, index: &str, ours: Slot, reference: Bounded) -> Result<(), Difference> {
        let ours = ours.number();
        let difference = (ours - reference.value).abs();
        // A NaN anywhere is a difference too.
        let excess = difference - TOLERANCE * reference.bound;
        if excess.is_nan() || excess > 0.0 {
            let Bounded { value, bound } = reference;
            let detail = format!("{quantity}{index}: derived {ours:e}, independent {value:e}, bound {bound:e}");
            return Err(Difference { quantity: quantity.to_owned(), detail });
        }
        let ratio = if difference == 0.0 { 0.0 } else { difference / reference.bound };
        if ratio > self.worst.ratio {
            self.worst = Worst { ratio, quantity: quantity.to_owned() };
        }
        Ok(())
    }

    fn vector(&mut self, quantity: &str, ours: &mut Outputs, reference: &[Bounded]) -> Result<(), Difference> {
        for (i, &reference) in reference.iter().enumerate() {
            self.check(quantity, &format!("[{i}]"), ours.next(), reference)?;
        }
        Ok(())
    }

    /// Columns one after the other, each by one of the variables.
    fn columns(
        &mut self,
        quantity: &str,
        ours: &mut Outputs,
        reference: &[Row],
        variables: std::ops::Range<usize>,
    ) -> Result<(), Difference> {
        for z in variables.clone() {
            for (i, row) in reference.iter().enumerate() {
                self.check(quantity, &format!("[{i}, {}]", z - variables.start), ours.next(), row[z])?;
            }
        }
        Ok(())
    }
}

/// A routine's outputs, taken one by one.
struct Outputs(std::vec::IntoIter<Slot>);

impl Outputs {
    fn next(&mut self) -> Slot {
        self.0.next().expect("a routine has all its outputs")
    }

    fn finish(mut self, routine: &str) -> Result<(), Difference> {
        match self.0.next() {
            None => Ok(()),
            Some(_) => Err(Difference { quantity: format!("outputs of {routine}"), detail: "too many".to_owned() }),
        }
    }
}

/// Compares everything; the largest ratio where all agree.
pub(crate) fn compare(
    evaluations: &Evaluations,
    point: &Point,
    (reference, solver): &(Reference, Solver),
) -> Result<Worst, Difference> {
    let n = point.q.len();
    let (time, inputs) = (point.time(), point.u.len());
    let (by_q, by_v, by_t) = (0..n, n..2 * n, time..time + 1);
    let by_u = time + 1..time + 1 + inputs;
    let by_parameters = time + 1 + inputs..point.variables();
    let solution: Vec<f64> = reference.acceleration.iter().map(|a| a.value).collect();
    let arguments = |further| Arguments {
        t: point.t,
        q: &point.q,
        v: &point.v,
        u: &point.u,
        parameters: &point.parameters,
        further,
        multipliers: &[],
    };
    let plain = arguments(&[]);
    let interpreter = Interpreter::new(evaluations, &plain);
    let run = |routine| Outputs(interpreter.run(routine, &plain).into_iter());
    let mut comparison = Comparison { worst: Worst::default() };
    let c = &mut comparison;

    let mut ours = run(&evaluations.balance);
    c.vector("balance: p", &mut ours, &reference.momentum)?;
    c.vector("balance: f", &mut ours, &reference.balance)?;
    ours.finish("balance")?;

    // Absent where the mechanism is large; these come from dual numbers at run time.
    if let Some(routine) = &evaluations.balance_jacobian {
        let mut ours = run(routine);
        c.vector("balance_jacobian: p", &mut ours, &reference.momentum)?;
        c.vector("balance_jacobian: f", &mut ours, &reference.balance)?;
        c.columns("p_q", &mut ours, &reference.momentum_by, by_q.clone())?;
        c.columns("balance_jacobian: M", &mut ours, &reference.momentum_by, by_v.clone())?;
        c.columns("f_q", &mut ours, &reference.balance_by, by_q.clone())?;
        c.columns("f_v", &mut ours, &reference.balance_by, by_v.clone())?;
        ours.finish("balance_jacobian")?;
    }

    // Present for one or two coordinates whose M is not constant.
    if let Some(routine) = &evaluations.inertial_balance {
        let mut ours = run(routine);
        c.vector("inertial_balance: p", &mut ours, &reference.momentum)?;
        c.vector("inertial_balance: f", &mut ours, &reference.balance)?;
        c.columns("inertial_balance: M", &mut ours, &reference.momentum_by, by_v.clone())?;
        ours.finish("inertial_balance")?;
    }

    if let Some(routine) = &evaluations.balance_rates {
        let mut ours = run(routine);
        c.columns("p_t", &mut ours, &reference.momentum_by, by_t.clone())?;
        c.columns("f_t", &mut ours, &reference.balance_by, by_t.clone())?;
        c.columns("f_u", &mut ours, &reference.balance_by, by_u.clone())?;
        ours.finish("balance_rates")?;
    }

    if let Some(routine) = &evaluations.equations {
        let mut ours = run(routine);
        c.columns("equations: M", &mut ours, &reference.momentum_by, by_v.clone())?;
        c.vector("equations: F", &mut ours, &reference.forcing)?;
        ours.finish("equations")?;
    }

    let mut ours = run(&evaluations.energies);
    c.vector("energy", &mut ours, &[reference.energy])?;
    if let Some((kinetic, potential)) = reference.kinetic_and_potential {
        c.vector("kinetic energy", &mut ours, &[kinetic])?;
        c.vector("potential energy", &mut ours, &[potential])?;
    }
    ours.finish("energies")?;

    let mut ours = run(&evaluations.powers);
    c.vector("power", &mut ours, &reference.powers)?;
    ours.finish("powers")?;

    let with_solution = arguments(&solution);
    if let Some(routine) = &evaluations.residual_jacobian {
        let mut ours = Outputs(interpreter.run(routine, &with_solution).into_iter());
        c.columns("r_q", &mut ours, &reference.residual_by, by_q.clone())?;
        c.columns("r_v", &mut ours, &reference.residual_by, by_v.clone())?;
        c.columns("r_t", &mut ours, &reference.residual_by, by_t.clone())?;
        c.columns("r_u", &mut ours, &reference.residual_by, by_u.clone())?;
        ours.finish("residual_jacobian")?;
    }
    if let Some(routine) = &evaluations.residual_parameters {
        let mut ours = Outputs(interpreter.run(routine, &with_solution).into_iter());
        c.columns("r_parameters", &mut ours, &reference.residual_by, by_parameters)?;
        ours.finish("residual_parameters")?;
    }

    let pivots = linear::pivots(&reference.mass);
    let smallest = pivots.iter().copied().fold(f64::INFINITY, f64::min);
    let scale = linear::norm(&reference.mass);
    if let Some(routine) = &evaluations.acceleration {
        let outputs = interpreter.run(routine, &plain);
        let safe = outputs[n].mask();
        // A pivot near 0 may count either way.
        if smallest.abs() > 1e-6 * scale && safe != (smallest > 0.0) {
            let detail = format!("the mask says {safe}, the pivots are {pivots:?}");
            return Err(Difference { quantity: "safe pivots".to_owned(), detail });
        }
        if safe {
            let mut ours = Outputs(outputs.into_iter());
            c.vector("acceleration", &mut ours, &reference.acceleration)?;
            if let Some(routine) = &evaluations.acceleration_jacobian {
                let mut ours = run(routine);
                c.vector("acceleration_jacobian: a", &mut ours, &reference.acceleration)?;
                c.columns("a_q", &mut ours, &reference.acceleration_by, by_q)?;
                c.columns("a_v", &mut ours, &reference.acceleration_by, by_v)?;
                c.columns("a_t", &mut ours, &reference.acceleration_by, by_t)?;
                c.columns("a_u", &mut ours, &reference.acceleration_by, by_u)?;
            }
            if let Some(routine) = &evaluations.velocity_correction {
                let wanted: Vec<f64> = (0..n).map(|i| 0.5 + 0.25 * i as f64 - 0.1 * point.q[i]).collect();
                let missing: Row =
                    wanted.iter().zip(&reference.momentum).map(|(&p, &own)| Bounded::leaf(p) - own).collect();
                let correction = solver.solve(&missing);
                let velocity: Row =
                    correction.into_iter().zip(&point.v).map(|(change, &v)| Bounded::leaf(v) + change).collect();
                let mut ours = Outputs(interpreter.run(routine, &arguments(&wanted)).into_iter());
                c.vector("velocity_correction", &mut ours, &velocity)?;
            }
        }
    }
    Ok(comparison.worst)
}

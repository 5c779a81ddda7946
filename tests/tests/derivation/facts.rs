//! Every claimed fact at pairs of states, by the independent derivation: what may not depend on v, q or t has the same
//! values where these differ.

use super::bounded::Bounded;
use super::compare::{Difference, TOLERANCE};
use super::evaluate::{Context, Direction, Point};
use super::generate;
use super::linear;
use super::reference::Reference;
use super::tree::Mechanism;
use lagrange_symbolic::mechanics::Facts;

/// How many other states each is compared with.
const OTHERS: u64 = 2;

/// Checks what is claimed at a state and at others; the first fact that is false.
pub(crate) fn check(mechanism: &Mechanism, facts: &Facts, point: &Point, seed: u64) -> Result<(), Difference> {
    let Some((here, _)) = Reference::at(mechanism, point) else { return Ok(()) };
    for k in 0..OTHERS {
        let other = Point { parameters: point.parameters.clone(), ..generate::point(mechanism, seed ^ (k + 77)) };
        energies(mechanism, facts, point, &other)?;
        let faster = Point { v: other.v.clone(), ..point.clone() };
        if let Some((there, _)) = Reference::at(mechanism, &faster) {
            at_other_velocities(facts, point, &faster, &here, &there)?;
        }
        if facts.constant_mass
            && let Some((there, _)) = Reference::at(mechanism, &other)
        {
            masses("constant_mass", point, &here, &there)?;
        }
    }
    Ok(())
}

/// Checks the facts about L by its values: it is the sum of a function of v and one of q, and depends neither on t nor on a cyclic
/// coordinate.
fn energies(mechanism: &Mechanism, facts: &Facts, point: &Point, other: &Point) -> Result<(), Difference> {
    let rest: Direction = vec![Bounded::ZERO; point.variables()];
    let lagrangian = |point: &Point| Context::new(mechanism, point, [&rest; 3]).lagrangian().0[0];
    let here = lagrangian(point);
    let later = Point { t: other.t, ..point.clone() };
    if facts.autonomous || facts.conservative || facts.separable {
        same("free of time", here, lagrangian(&later))?;
    }
    for &i in &facts.cyclic {
        let mut shifted = point.clone();
        shifted.q[i as usize] = other.q[i as usize];
        same("cyclic", here, lagrangian(&shifted))?;
    }
    if facts.separable {
        let faster = lagrangian(&Point { v: other.v.clone(), ..point.clone() });
        let shifted = lagrangian(&Point { q: other.q.clone(), ..point.clone() });
        let both = lagrangian(&Point { q: other.q.clone(), v: other.v.clone(), ..point.clone() });
        same("separable", here + both, faster + shifted)?;
    }
    Ok(())
}

/// What is the same at two velocities, or grows in proportion to their difference.
fn at_other_velocities(
    facts: &Facts,
    point: &Point,
    faster: &Point,
    here: &Reference,
    there: &Reference,
) -> Result<(), Difference> {
    let n = point.q.len();
    let vectors = |claim: &str, here: &[Bounded], there: &[Bounded]| {
        here.iter().zip(there).try_for_each(|(&here, &there)| same(claim, here, there))
    };
    if facts.velocity_free_forcing {
        vectors("velocity_free_forcing", &here.forcing, &there.forcing)?;
    }
    if facts.velocity_free_acceleration {
        vectors("velocity_free_acceleration", &here.acceleration, &there.acceleration)?;
    }
    if facts.quadratic {
        masses("quadratic: M", point, here, there)?;
        // p(v') = p(v) + M (v' − v).
        for i in 0..n {
            let change = |j: usize| Bounded::leaf(faster.v[j]) - Bounded::leaf(point.v[j]);
            let growth: Bounded = (0..n).map(|j| here.momentum_by[i][n + j] * change(j)).sum();
            same("quadratic: p", here.momentum[i] + growth, there.momentum[i])?;
        }
    }
    let pivots = [here, there].map(|reference| linear::pivots(&reference.mass));
    let signs = |pivots: &[f64]| pivots.iter().filter(|pivot| **pivot < 0.0).count();
    if facts.positive_mass && pivots.iter().any(|pivots| signs(pivots) > 0) {
        return Err(Difference { quantity: "positive_mass".to_owned(), detail: format!("pivots {pivots:?}") });
    }
    // Between two regular states, a determinant that changes its sign vanishes somewhere.
    if facts.regular_momentum && signs(&pivots[0]) % 2 != signs(&pivots[1]) % 2 {
        return Err(Difference { quantity: "regular_momentum".to_owned(), detail: format!("pivots {pivots:?}") });
    }
    Ok(())
}

fn masses(claim: &str, point: &Point, here: &Reference, there: &Reference) -> Result<(), Difference> {
    let n = point.q.len();
    let entries = |reference: &Reference| -> Vec<Bounded> {
        reference.momentum_by.iter().flat_map(|row| row[n..2 * n].to_vec()).collect()
    };
    entries(here).into_iter().zip(entries(there)).try_for_each(|(here, there)| same(claim, here, there))
}

fn same(claim: &str, here: Bounded, there: Bounded) -> Result<(), Difference> {
    let difference = (here.value - there.value).abs();
    // What is out of its domain at the other state says nothing.
    if difference.is_nan() || difference <= TOLERANCE * (here.bound + there.bound) {
        return Ok(());
    }
    let detail = format!("{claim} is claimed, but {:e} becomes {:e}", here.value, there.value);
    Err(Difference { quantity: format!("fact {claim}"), detail })
}

//! T, h, p, f and F from the mass matrix, where L is quadratic in v: L = ½ vᵀM v + p₀·v + L₀.
//!
//! Then p = M v + p₀, and f and F contain derivatives of M, p₀ and L₀ only:
//!
//! fᵢ = ½ Σ ∂Mⱼₖ/∂qᵢ vⱼ vₖ + Σ ∂p₀ⱼ/∂qᵢ vⱼ + ∂L₀/∂qᵢ + …,
//! Fᵢ = Σ (½ ∂Mⱼₖ/∂qᵢ − ∂Mᵢⱼ/∂qₖ) vⱼ vₖ + Σ (∂p₀ⱼ/∂qᵢ − ∂p₀ᵢ/∂qⱼ) vⱼ + ∂L₀/∂qᵢ − Σ ∂Mᵢⱼ/∂t vⱼ − ∂p₀ᵢ/∂t + ….
//!
//! The terms Σ (½ ∂Mⱼₖ/∂qᵢ − ∂Mᵢⱼ/∂qₖ) vⱼ vₖ are −Γᵢⱼₖ vⱼ vₖ with the Christoffel symbols of the first kind. For few
//! coordinates this form is the shorter one; for many, derivatives of L are.

use super::velocity;
use crate::calculus::{derivative, gradient};
use crate::graph::{Graph, Id, Rational, Symbol, rational};
use crate::physics::Physics;
use std::collections::{BTreeSet, HashMap};

/// A Lagrangian that is quadratic in the velocities.
pub(super) struct QuadraticForm {
    mass: Vec<Vec<Id>>,
    moved: Moved,
    /// p at v = 0.
    offset: Vec<Id>,
    /// L₀.
    rest: Id,
    /// ∂L₀/∂q.
    slope: Vec<Id>,
}

/// Which entries of M depend on which coordinates. Of n³ derivatives of the entries, the others vanish: nearly all, where M is sparse or
/// constant.
struct Moved {
    /// For each coordinate, the places (j, k) with k ≤ j whose entries depend on it, in ascending order.
    by_coordinate: Vec<Vec<(usize, usize)>>,
    /// For each row i, the pairs (j, k) such that the entry (i, j) depends on coordinate k.
    by_row: Vec<Vec<(usize, usize)>>,
}

impl Moved {
    fn of(graph: &Graph, mass: &[Vec<Id>]) -> Self {
        let mut moved = Self { by_coordinate: vec![Vec::new(); mass.len()], by_row: vec![Vec::new(); mass.len()] };
        for (i, row) in mass.iter().enumerate() {
            for (j, &entry) in row.iter().enumerate() {
                for symbol in graph.symbols(entry) {
                    let Symbol::Coordinate(k) = symbol else { continue };
                    moved.by_row[i].push((j, k as usize));
                    if j <= i {
                        moved.by_coordinate[k as usize].push((i, j));
                    }
                }
            }
        }
        moved
    }

    /// The pairs (j, k) with k ≤ j for which ∂Mⱼₖ/∂qᵢ, ∂Mᵢⱼ/∂qₖ or ∂Mᵢₖ/∂qⱼ may differ from 0.
    fn pairs(&self, i: usize) -> BTreeSet<(usize, usize)> {
        let own = self.by_row[i].iter().map(|&(j, k)| (j.max(k), j.min(k)));
        own.chain(self.by_coordinate[i].iter().copied()).collect()
    }
}

impl QuadraticForm {
    /// The quadratic form of L. `None` where L is not quadratic in the velocities on their whole space.
    pub(super) fn of(graph: &mut Graph, physics: &Physics, momentum: &[Id], mass: &[Vec<Id>]) -> Option<Self> {
        if !velocity::is_quadratic(graph, physics, &mass.concat()) {
            return None;
        }
        let zero = graph.zero();
        let at_rest: HashMap<Symbol, Id> =
            physics.velocity_symbols().into_iter().map(|symbol| (symbol, zero)).collect();
        let offset = graph.substitute(momentum, &at_rest);
        let rest = graph.substitute(&[physics.lagrangian], &at_rest)[0];
        let slope = gradient(graph, rest, &physics.coordinate_symbols());
        Some(Self { mass: mass.to_vec(), moved: Moved::of(graph, mass), offset, rest, slope })
    }

    /// ½ v·M v, term by term.
    fn inertia(&self, graph: &mut Graph, physics: &Physics) -> Id {
        let velocities = physics.velocities(graph);
        let mut terms = Vec::new();
        // The inertia of the hidden coordinates is no energy.
        for j in 0..physics.mechanical() {
            for k in 0..=j {
                let term = graph.mul_all(&[self.mass[j][k], velocities[j], velocities[k]]);
                terms.push((term, if j == k { rational(1, 2) } else { Rational::ONE }));
            }
        }
        graph.sum(terms, Rational::ZERO)
    }

    /// h = ½ v·M v − L₀.
    pub(super) fn energy(&self, graph: &mut Graph, physics: &Physics) -> Id {
        let inertia = self.inertia(graph, physics);
        graph.sub(inertia, self.rest)
    }

    /// T = ½ v·M v. `None` where T is not homogeneous of degree two, or where V contributes to M.
    pub(super) fn kinetic(&self, graph: &mut Graph, physics: &Physics) -> Option<Id> {
        let moving = velocity::velocities(graph, physics);
        if graph.touches(physics.potential?, &moving) {
            return None;
        }
        let zero = graph.zero();
        let at_rest: HashMap<Symbol, Id> =
            physics.velocity_symbols().into_iter().map(|symbol| (symbol, zero)).collect();
        let rest = graph.substitute(&[physics.kinetic?], &at_rest)[0];
        let homogeneous = graph.is_zero(rest) && self.offset.iter().all(|&entry| graph.is_zero(entry));
        homogeneous.then(|| self.inertia(graph, physics))
    }

    pub(super) fn momentum(&self, graph: &mut Graph, physics: &Physics) -> Vec<Id> {
        let velocities = physics.velocities(graph);
        let rows: Vec<Id> = self.mass.iter().map(|row| graph.inner(row, &velocities)).collect();
        rows.into_iter().zip(&self.offset).map(|(row, &offset)| graph.add(row, offset)).collect()
    }

    pub(super) fn balance(&self, graph: &mut Graph, physics: &Physics, applied: &[Id]) -> Vec<Id> {
        let velocities = physics.velocities(graph);
        let mut rows = Vec::new();
        for (i, symbol) in physics.coordinate_symbols().into_iter().enumerate() {
            let mut terms = vec![(self.slope[i], Rational::ONE), (applied[i], Rational::ONE)];
            for &(j, k) in &self.moved.by_coordinate[i] {
                let change = derivative(graph, &[self.mass[j][k]], symbol)[0];
                let term = graph.mul_all(&[change, velocities[j], velocities[k]]);
                terms.push((term, if j == k { rational(1, 2) } else { Rational::ONE }));
            }
            let offset_change = derivative(graph, &self.offset, symbol);
            terms.push((graph.inner(&offset_change, &velocities), Rational::ONE));
            rows.push(graph.sum(terms, Rational::ZERO));
        }
        rows
    }

    pub(super) fn forcing(&self, graph: &mut Graph, physics: &Physics, applied: &[Id]) -> Vec<Id> {
        let n = self.mass.len();
        let velocities = physics.velocities(graph);
        let mut rows = Vec::new();
        for (i, &applied) in applied.iter().enumerate() {
            let own = Symbol::Coordinate(i as u32);
            let mut terms = vec![(self.slope[i], Rational::ONE), (applied, Rational::ONE)];
            let pairs = self.moved.pairs(i);
            for j in 0..n {
                for &(_, k) in pairs.range((j, 0)..=(j, j)) {
                    // The coefficient of vⱼ vₖ; the two orders of a mixed pair are combined.
                    let mut parts = vec![(derivative(graph, &[self.mass[j][k]], own)[0], Rational::ONE)];
                    let by_k = derivative(graph, &[self.mass[i][j]], Symbol::Coordinate(k as u32))[0];
                    let by_j = derivative(graph, &[self.mass[i][k]], Symbol::Coordinate(j as u32))[0];
                    parts.extend([(by_k, Rational::NEG_ONE), (by_j, Rational::NEG_ONE)]);
                    let coefficient = graph.sum(parts, Rational::ZERO);
                    let term = graph.mul_all(&[coefficient, velocities[j], velocities[k]]);
                    terms.push((term, if j == k { rational(1, 2) } else { Rational::ONE }));
                }
                let has_offset = [i, j].into_iter().any(|row| !graph.is_zero(self.offset[row]));
                if !has_offset && !graph.depends_on(self.mass[i][j], Symbol::Time) {
                    continue;
                }
                let gyroscopic = derivative(graph, &[self.offset[j]], own)[0];
                let transported = derivative(graph, &[self.offset[i]], Symbol::Coordinate(j as u32))[0];
                let growth = derivative(graph, &[self.mass[i][j]], Symbol::Time)[0];
                let coefficient = graph.sum(
                    vec![(gyroscopic, Rational::ONE), (transported, Rational::NEG_ONE), (growth, Rational::NEG_ONE)],
                    Rational::ZERO,
                );
                terms.push((graph.mul(coefficient, velocities[j]), Rational::ONE));
            }
            let drift = derivative(graph, &[self.offset[i]], Symbol::Time)[0];
            terms.push((drift, Rational::NEG_ONE));
            rows.push(graph.sum(terms, Rational::ZERO));
        }
        rows
    }
}

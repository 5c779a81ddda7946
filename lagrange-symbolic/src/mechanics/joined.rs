//! The rows of constraints by the velocities of bodies.
//!
//! Let φ = φ'(q, t, r) be a holonomic row, with the positions r of points whose velocities u = Fᵀṙ are known in frames F of the angular
//! velocity ω. With ψ = ∂φ'/∂r,
//!
//! ```text
//! φ̇ = ∂φ'/∂q v + ∂φ'/∂t + Σ Fᵀψ·u          φ̈ = d/dt(∂φ'/∂q v + ∂φ'/∂t) + Σ (ψ̇·F u + Fᵀψ·(u̇ + ω×u))
//! ```
//!
//! A row that joins two points contains the velocities of these two, whatever the number of bodies between them. φ̈ is G a + γ.

use super::bodies::reduced;
use super::{Constraints, constraint};
use crate::calculus::{derivative, directional, gradient};
use crate::graph::{Graph, Id, Symbol, Triple};
use crate::physics::{Physics, Point};
use std::collections::{HashMap, HashSet};

/// The rows of all constraints in this form, in the order of λ.
#[derive(Default)]
pub(super) struct Joined {
    pub(super) rows: Vec<JoinedRow>,
}

/// A row of G, as G v = own·v + Σ coefficient·component apart from what does not depend on v.
pub(super) struct JoinedRow {
    /// The part by the velocities of the coordinates.
    pub(super) own: Vec<Id>,
    /// Components of velocities of bodies, each with its coefficient.
    pub(super) along: Vec<(Id, Id)>,
    /// φ̇.
    pub(super) rate: Id,
    /// G a + γ.
    pub(super) second: Id,
    /// γ.
    pub(super) curvature: Id,
}

impl Joined {
    /// The rows. A row in which no point of a body is known is taken from `constraints`.
    pub(super) fn of(graph: &mut Graph, physics: &Physics, constraints: &Constraints) -> Self {
        let twins: HashMap<Id, Id> = physics.bodies.rows.iter().map(|&[row, twin]| (row, twin)).collect();
        let accelerations: Vec<Id> = (0..physics.coordinates).map(|i| graph.symbol(Symbol::Acceleration(i))).collect();
        let stated = physics.constraints.iter().map(|row| twins.get(&row.value).copied());
        let stated: Vec<Option<Id>> = stated.chain(physics.nonholonomic.iter().map(|_| None)).collect();
        let mut rows = Vec::new();
        for (k, twin) in stated.into_iter().enumerate() {
            rows.push(match twin {
                Some(twin) => JoinedRow::of(graph, physics, twin),
                None => {
                    let (jacobian, rate) = (&constraints.jacobian[k], constraints.rate[k]);
                    let curvature = constraint::curvature(graph, physics, &[rate])[0];
                    let acceleration = graph.inner(jacobian, &accelerations);
                    let second = graph.add(acceleration, curvature);
                    JoinedRow { own: jacobian.clone(), along: Vec::new(), rate, second, curvature }
                }
            });
        }
        Self { rows }
    }

    /// The rows that contain velocities of coordinates alone.
    pub(super) fn of_coordinates(&self) -> Vec<usize> {
        (0..).zip(&self.rows).filter(|(_, row)| row.along.is_empty()).map(|(k, _)| k).collect()
    }

    /// The constraints with rates, γ and the reaction in this form.
    pub(super) fn replaced(&self, graph: &mut Graph, physics: &Physics, constraints: Constraints) -> Constraints {
        let zeros = vec![graph.zero(); physics.coordinates as usize];
        let opposite = self.subtract_reaction(graph, physics, (&zeros, &[]));
        let reaction = opposite.into_iter().map(|row| graph.neg(row)).collect();
        let (rate, curvature) = self.rows.iter().map(|row| (row.rate, row.curvature)).unzip();
        Constraints { rate, curvature, reaction, ..constraints }
    }

    /// Adds −Gᵀλ to rows of M a − F, which are given by the velocities of bodies like those of G.
    pub(super) fn subtract_reaction(
        &self,
        graph: &mut Graph,
        physics: &Physics,
        (own, forces): (&[Id], &[(Id, Id)]),
    ) -> Vec<Id> {
        let mut own: Vec<Vec<Id>> = own.iter().map(|&row| vec![row]).collect();
        let mut forces = forces.to_vec();
        for (k, row) in (0..).zip(&self.rows) {
            let multiplier = graph.symbol(Symbol::Multiplier(k));
            let opposite = graph.neg(multiplier);
            for (parts, &entry) in own.iter_mut().zip(&row.own) {
                parts.push(graph.mul(opposite, entry));
            }
            for &(component, coefficient) in &row.along {
                forces.push((component, graph.mul(opposite, coefficient)));
            }
        }
        let own: Vec<Id> = own.iter().map(|parts| graph.add_all(parts)).collect();
        reduced(graph, physics, &own, &forces)
    }
}

impl JoinedRow {
    /// The row that is φ' in placeholders.
    pub(super) fn of(graph: &mut Graph, physics: &Physics, twin: Id) -> Self {
        let present: HashSet<Symbol> = graph.symbols(twin).collect();
        let mut places: Vec<Place<'_>> = Vec::new();
        for body in &physics.bodies.bodies {
            for point in &body.points {
                let mut symbols = [None; 3];
                for (symbol, i) in point.open(graph).into_iter().filter(|(symbol, _)| present.contains(symbol)) {
                    symbols[i] = Some(symbol);
                }
                if symbols.iter().any(Option::is_some) {
                    places.push(Place { point, symbols });
                }
            }
        }
        let back: HashMap<Symbol, Id> = places.iter().flat_map(Place::open).collect();
        let mut flow = physics.flow(graph);
        let slopes = gradient(graph, twin, &physics.coordinate_symbols());
        let velocities = physics.velocities(graph);
        let moved = graph.inner(&slopes, &velocities);
        let by_time = derivative(graph, &[twin], Symbol::Time)[0];
        let rate = graph.add(moved, by_time);
        for place in &places {
            let velocity = place.in_space(graph, place.point.moving.components);
            flow.extend(place.symbols.into_iter().zip(velocity).filter_map(|(symbol, rate)| Some((symbol?, rate))));
        }
        let mut terms = directional(graph, &[rate], &flow);
        let mut first = vec![rate];
        let mut along: Vec<(Id, Id)> = Vec::new();
        for place in &places {
            let pull = place.pull(graph, twin);
            let turned = directional(graph, &pull, &flow);
            let Point { moving, .. } = place.point;
            let velocity = place.in_space(graph, moving.components);
            let local = place.turned_back(graph, [pull[0], pull[1], pull[2]]);
            first.push(graph.inner(&local, &moving.components));
            terms.push(graph.inner(&turned, &velocity));
            terms.push(graph.inner(&local, &moving.in_space));
            along.extend(moving.components.into_iter().zip(local));
        }
        let (rate, second) = (graph.add_all(&first), graph.add_all(&terms));
        let mut restored = |expressions: &[Id]| graph.substitute(expressions, &back);
        let (own, rate, second) = (restored(&slopes), restored(&[rate])[0], restored(&[second])[0]);
        let coefficients = restored(&along.iter().map(|&(_, coefficient)| coefficient).collect::<Vec<Id>>());
        let components = along.into_iter().map(|(component, _)| component);
        let is_term =
            |&(component, coefficient): &(Id, Id)| graph.as_number(component).is_none() && !graph.is_zero(coefficient);
        let along = components.zip(coefficients).filter(is_term).collect();
        let zero = graph.zero();
        let rest: HashMap<Symbol, Id> = (0..physics.coordinates).map(|i| (Symbol::Acceleration(i), zero)).collect();
        let curvature = graph.substitute(&[second], &rest)[0];
        Self { own, along, rate, second, curvature }
    }

    /// The row of G.
    pub(super) fn gradient(&self, graph: &mut Graph, physics: &Physics) -> Vec<Id> {
        reduced(graph, physics, &self.own, &self.along)
    }
}

/// A point whose position has placeholders in a row.
struct Place<'p> {
    point: &'p Point,
    /// The placeholders that the row contains.
    symbols: [Option<Symbol>; 3],
}

impl Place<'_> {
    /// The placeholders with the components for which they stand.
    fn open(&self) -> impl Iterator<Item = (Symbol, Id)> {
        self.symbols.into_iter().zip(self.point.position).filter_map(|(symbol, entry)| Some((symbol?, entry)))
    }

    /// ψ
    fn pull(&self, graph: &mut Graph, row: Id) -> Vec<Id> {
        let zero = graph.zero();
        self.symbols.map(|symbol| symbol.map_or(zero, |symbol| derivative(graph, &[row], symbol)[0])).to_vec()
    }

    /// F x
    fn in_space(&self, graph: &mut Graph, local: Triple) -> Triple {
        [0, 3, 6].map(|row| graph.inner(&self.point.axes[row..row + 3], &local))
    }

    /// Fᵀ x
    fn turned_back(&self, graph: &mut Graph, vector: Triple) -> Triple {
        let axes = &self.point.axes;
        [0, 1, 2].map(|i| graph.inner(&[axes[i], axes[3 + i], axes[6 + i]], &vector))
    }
}

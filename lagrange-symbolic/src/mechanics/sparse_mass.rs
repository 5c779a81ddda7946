//! The sparse form of the mass matrix, before the intermediate velocities of a block are eliminated.
//!
//! A velocity that is stated through another one (ẋ₂ = ẋ₁ + l cos θ₂ θ̇₂) and used more than once stays an unknown w of
//! its own. The system consists of w = A v + B w, with B strictly lower triangular, and of the Hessian H of L by (v,
//! w). For a chain or a tree of bodies A, B and H have a few entries for each body, where M has n². Substituting every
//! w into H gives M; no substitution needs a division.

use super::bodies::{ByBodies, Forces, Inertia};
use super::joined::Joined;
use crate::calculus::{derivative, gradient};
use crate::graph::{Graph, Id, Node, Rational, Symbol, for_each_operand};
use crate::physics::Physics;
use std::collections::{BTreeMap, HashMap};

/// The most rows of M for which a narrow band is also written out entry by entry.
const LARGEST_MATRIX: usize = 64;

/// The mean width of a narrow band: how many entries to the left of the diagonal a row has.
const NARROW: usize = 4;

/// Entries of a symmetric matrix by (row, column), row ≥ column.
pub type Entries<T> = BTreeMap<(usize, usize), T>;

/// A sparse system equivalent to M. Unknowns are numbered: the velocities, then the intermediate velocities.
#[derive(Clone, Debug)]
pub struct SparseMass {
    /// How many velocities there are.
    pub coordinates: usize,
    /// Each intermediate velocity as Σ coefficient·unknown over velocities and earlier intermediate ones.
    pub definitions: Vec<Vec<(usize, Id)>>,
    /// The entries of H that are not zero.
    pub hessian: Entries<Id>,
    /// The diagonal of M, or bounds of it.
    pub diagonal: Vec<Id>,
    /// F without the drift of the intermediate velocities, where H is constant.
    pub drift: Option<Drift>,
    /// F as forces on the unknowns: F = (the first ones) + Jᵀ (the others), where w = J v are the intermediate velocities.
    pub forces: Option<Vec<Id>>,
    /// The rows of G, each as Σ coefficient·unknown.
    pub rows: Vec<Vec<(usize, Id)>>,
    /// The rows of G along which M is singular at every state. They contain velocities of coordinates alone.
    pub held: Vec<usize>,
}

/// F in parts: F = F₀ − Jᵀ H ẇ₀, where w = J v are the intermediate velocities, and ẇ₀ is ẇ at a = 0.
#[derive(Clone, Debug)]
pub struct Drift {
    /// F₀
    pub forces: Vec<Id>,
    /// The part of each ẇₖ that belongs to no unknown: ẇₖ = Σ coefficient·(rate of the unknown) + this.
    pub rates: Vec<Id>,
}

impl SparseMass {
    /// Whether M is not written out entry by entry.
    pub(super) fn replaces_mass(&self) -> bool {
        !self.definitions.is_empty() || self.coordinates > LARGEST_MATRIX
    }

    /// Subtracts from F what each row of the equations has besides.
    pub(super) fn subtract_forces(&mut self, graph: &mut Graph, parts: &[Id]) {
        for (force, &part) in self.forces.iter_mut().flatten().zip(parts) {
            *force = graph.sub(*force, part);
        }
    }

    /// Returns the system after `map` has changed its coefficients and entries. `map` gets a list, and returns one of the same length.
    pub(super) fn mapped(self, mut map: impl FnMut(Vec<Id>) -> Vec<Id>) -> Self {
        let definitions = self.definitions.into_iter().map(|definition| {
            let (unknowns, coefficients): (Vec<usize>, Vec<Id>) = definition.into_iter().unzip();
            unknowns.into_iter().zip(map(coefficients)).collect()
        });
        let definitions = definitions.collect();
        let (rows, held) = (self.rows, self.held);
        let (places, entries): (Vec<_>, Vec<Id>) = self.hessian.into_iter().unzip();
        let hessian = places.into_iter().zip(map(entries)).collect();
        let drift = self.drift.map(|Drift { forces, rates }| Drift { forces: map(forces), rates: map(rates) });
        let forces = self.forces.map(&mut map);
        let diagonal = map(self.diagonal);
        Self { coordinates: self.coordinates, definitions, hessian, diagonal, drift, forces, rows, held }
    }
}

/// The position in the lower triangle of a row and a column.
pub fn position(a: usize, b: usize) -> (usize, usize) {
    (a.max(b), a.min(b))
}

/// The sparse system, and the nodes of L that are its intermediate velocities. `None` where L has no intermediate
/// velocities, unless M is a narrow band.
pub(super) fn sparse_mass(graph: &mut Graph, physics: &Physics) -> Option<(SparseMass, Vec<Id>)> {
    let coordinates = physics.coordinates as usize;
    let found = Intermediates::find(graph, coordinates, &[physics.lagrangian], HashMap::new());
    let hessian = hessian(graph, physics, &found.nodes);
    if found.nodes.is_empty() && !is_narrow(&hessian, coordinates) {
        return None;
    }
    let Intermediates { nodes, definitions, .. } = found;
    let mut sparse = SparseMass {
        coordinates,
        definitions,
        hessian,
        diagonal: Vec::new(),
        drift: None,
        forces: None,
        rows: Vec::new(),
        held: Vec::new(),
    };
    sparse.diagonal = diagonal(graph, &sparse, &nodes);
    Some((sparse, nodes))
}

/// The sparse system whose intermediate velocities are those of bodies. `None` where one of them is not linear in the velocities.
pub(super) fn by_bodies(
    graph: &mut Graph,
    physics: &Physics,
    bodies: &ByBodies,
    forces: &Forces,
    (joined, held): (&Joined, Vec<usize>),
) -> Option<SparseMass> {
    let coordinates = physics.coordinates as usize;
    let mut uses: HashMap<Id, u32> = HashMap::new();
    for &velocity in bodies.inertia.iter().flat_map(|inertia| &inertia.velocities) {
        uses.insert(velocity, 2);
    }
    for &(velocity, _) in joined.rows.iter().flat_map(|row| &row.along) {
        uses.insert(velocity, 2);
    }
    let mut roots: Vec<Id> = uses.keys().copied().chain(forces.along.iter().map(|&(node, _)| node)).collect();
    roots.sort_unstable();
    let found = Intermediates::find(graph, coordinates, &roots, uses);
    let mut hessian: Entries<Vec<Id>> = Entries::new();
    for &Inertia { velocities: [first, second], entry } in &bodies.inertia {
        let (rows, columns) = (found.terms.get(&first)?, found.terms.get(&second)?);
        for (i, &(a, c)) in rows.iter().enumerate() {
            for (j, &(b, d)) in columns.iter().enumerate() {
                if first == second && j > i {
                    continue;
                }
                let part = graph.mul_all(&[entry, c, d]);
                let twice = first != second && a == b;
                hessian.entry(position(a, b)).or_default().extend(std::iter::repeat_n(part, 1 + usize::from(twice)));
            }
        }
    }
    let hessian = hessian.into_iter().map(|(place, parts)| (place, graph.add_all(&parts))).collect();
    let forces = found.spread(graph, &forces.own, &forces.along)?;
    let mut rows = Vec::new();
    for row in &joined.rows {
        let entries = found.spread(graph, &row.own, &row.along)?;
        rows.push(entries.into_iter().enumerate().filter(|&(_, entry)| !graph.is_zero(entry)).collect());
    }
    let Intermediates { definitions, .. } = found;
    let diagonal = bodies.diagonal.clone();
    Some(SparseMass { coordinates, definitions, hessian, diagonal, drift: None, forces: Some(forces), rows, held })
}

/// Whether a matrix is a narrow band. Elimination from the last row on does not widen a band.
fn is_narrow(entries: &Entries<Id>, rows: usize) -> bool {
    let mut reach = vec![0; rows];
    for &(row, column) in entries.keys() {
        reach[column] = reach[column].max(row - column);
    }
    reach.into_iter().sum::<usize>() <= NARROW * rows
}

/// The nodes that are intermediate velocities, with their definitions.
struct Intermediates {
    nodes: Vec<Id>,
    definitions: Vec<Vec<(usize, Id)>>,
    /// Each linear node as Σ coefficient·unknown.
    terms: HashMap<Id, Vec<(usize, Id)>>,
}

impl Intermediates {
    /// Finds the nodes that are linear in the velocities and combine at least two unknowns. Something nonlinear must
    /// use the node, or it must be used more than once. `uses` has the uses outside the expressions; one use by something nonlinear counts
    /// as two.
    fn find(graph: &mut Graph, n: usize, roots: &[Id], mut uses: HashMap<Id, u32>) -> Self {
        let one = graph.one();
        let order = moving_nodes(graph, roots);
        let linear = linear_nodes(graph, &order);
        for id in &order {
            let weight = if linear.contains_key(id) { 1 } else { 2 };
            for_each_operand(graph.node(*id), |operand| *uses.entry(operand).or_default() += weight);
        }
        let mut found = Self { nodes: Vec::new(), definitions: Vec::new(), terms: HashMap::new() };
        for id in order {
            let Some(parts) = linear.get(&id) else { continue };
            let mut combined: BTreeMap<usize, Vec<Id>> = BTreeMap::new();
            match graph.node(id) {
                Node::Symbol(Symbol::Velocity(i)) => combined.entry(*i as usize).or_default().push(one),
                _ => {
                    for (operand, coefficient) in parts {
                        for (unknown, inner) in found.terms.get(operand).into_iter().flatten() {
                            let product = graph.mul(*coefficient, *inner);
                            combined.entry(*unknown).or_default().push(product);
                        }
                    }
                }
            }
            let combined: Vec<(usize, Id)> =
                combined.into_iter().map(|(unknown, parts)| (unknown, graph.add_all(&parts))).collect();
            let kept = combined.len() > 1 && uses.get(&id).is_some_and(|&uses| uses > 1);
            found.terms.insert(id, if kept { vec![(n + found.nodes.len(), one)] } else { combined.clone() });
            if kept {
                found.nodes.push(id);
                found.definitions.push(combined);
            }
        }
        found
    }

    /// Forces on velocities and along linear nodes, as forces on the unknowns. `None` where a node is not linear.
    fn spread(&self, graph: &mut Graph, own: &[Id], along: &[(Id, Id)]) -> Option<Vec<Id>> {
        let mut parts: Vec<Vec<Id>> = own.iter().map(|&force| vec![force]).collect();
        parts.resize(own.len() + self.nodes.len(), Vec::new());
        for (node, force) in along {
            for &(unknown, coefficient) in self.terms.get(node)? {
                parts[unknown].push(graph.mul(coefficient, *force));
            }
        }
        Some(parts.iter().map(|parts| graph.add_all(parts)).collect())
    }
}

/// The nodes of expressions that depend on velocities, operands first.
fn moving_nodes(graph: &Graph, roots: &[Id]) -> Vec<Id> {
    let mut moving = vec![false; graph.len()];
    let mut order = Vec::new();
    for id in graph.reachable(roots) {
        let mut moves = matches!(graph.node(id), Node::Symbol(Symbol::Velocity(_)));
        for_each_operand(graph.node(id), |operand| moves |= moving[operand.index()]);
        moving[id.index()] = moves;
        if moves {
            order.push(id);
        }
    }
    order
}

/// The nodes that are linear in the velocities, apart from terms without velocities. Each is Σ coefficient·operand.
fn linear_nodes(graph: &mut Graph, order: &[Id]) -> HashMap<Id, Vec<(Id, Id)>> {
    let moving: std::collections::HashSet<Id> = order.iter().copied().collect();
    let mut linear: HashMap<Id, Vec<(Id, Id)>> = HashMap::new();
    for &id in order {
        let parts = match graph.node(id).clone() {
            Node::Symbol(_) => Some(Vec::new()),
            Node::Sum { terms, .. } => {
                let moving: Vec<_> = terms.iter().filter(|(term, _)| moving.contains(term)).collect();
                moving
                    .iter()
                    .all(|(term, _)| linear.contains_key(term))
                    .then(|| moving.iter().map(|(term, number)| (*term, graph.number(number.clone()))).collect())
            }
            Node::Product(factors) => {
                let (moves, fixed): (Vec<_>, Vec<_>) =
                    factors.iter().cloned().partition(|(base, _)| moving.contains(base));
                match moves.as_slice() {
                    [(base, exponent)] if exponent.is_one() && linear.contains_key(base) => {
                        Some(vec![(*base, graph.product(fixed))])
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(parts) = parts {
            linear.insert(id, parts);
        }
    }
    linear
}

/// The Hessian of L by velocities and intermediate velocities, taken as independent variables.
fn hessian(graph: &mut Graph, physics: &Physics, nodes: &[Id]) -> Entries<Id> {
    let dummies = graph.scratch_symbols(nodes.len());
    let mut replaced: HashMap<Id, Id> = HashMap::new();
    for (&node, &dummy) in nodes.iter().zip(&dummies) {
        replaced.insert(node, graph.symbol(dummy));
    }
    let relaxed = graph.replace(physics.lagrangian, &replaced);
    let unknowns: Vec<Symbol> = physics.velocity_symbols().into_iter().chain(dummies.iter().copied()).collect();
    let index: HashMap<Symbol, usize> = unknowns.iter().enumerate().map(|(index, &symbol)| (symbol, index)).collect();
    let back: HashMap<Symbol, Id> = dummies.iter().copied().zip(nodes.iter().copied()).collect();
    let slope = gradient(graph, relaxed, &unknowns);
    let mut entries = Entries::new();
    for (row, slope) in slope.into_iter().enumerate() {
        let coupled: Vec<Symbol> = graph.symbols(slope).collect();
        for symbol in coupled {
            let Some(&column) = index.get(&symbol).filter(|&&column| column <= row) else { continue };
            let entry = derivative(graph, &[slope], symbol);
            let entry = graph.substitute(&entry, &back)[0];
            if !graph.is_zero(entry) {
                entries.insert((row, column), entry);
            }
        }
    }
    entries
}

/// The diagonal of M after every substitution. Entries that contribute nothing to the diagonal are dropped.
fn diagonal(graph: &mut Graph, sparse: &SparseMass, nodes: &[Id]) -> Vec<Id> {
    let n = sparse.coordinates;
    let mut entries: Entries<Vec<Id>> =
        sparse.hessian.iter().map(|(&position, &entry)| (position, vec![entry])).collect();
    for (k, definition) in sparse.definitions.iter().enumerate().rev() {
        let (own, at) = (n + k, position);
        let row: Vec<(usize, usize)> = entries.keys().copied().filter(|&(i, j)| i == own || j == own).collect();
        for place in row {
            let Some(parts) = entries.remove(&place) else { continue };
            let entry = graph.add_all(&parts);
            let other = if place.0 == own { place.1 } else { place.0 };
            let mut add = |graph: &mut Graph, a: usize, b: usize, factors: &[Id]| {
                let reaches = match (a < n, b < n) {
                    (true, true) => a == b,
                    (true, false) => graph.depends_on(nodes[b - n], Symbol::Velocity(a as u32)),
                    (false, true) => graph.depends_on(nodes[a - n], Symbol::Velocity(b as u32)),
                    (false, false) => true,
                };
                if reaches {
                    let product = graph.mul_all(factors);
                    entries.entry(at(a, b)).or_default().push(product);
                }
            };
            if other == own {
                for (i, &(first, c)) in definition.iter().enumerate() {
                    add(graph, first, first, &[entry, c, c]);
                    for &(second, d) in &definition[..i] {
                        add(graph, first, second, &[entry, c, d]);
                    }
                }
            } else {
                for &(unknown, c) in definition {
                    add(graph, unknown, other, &[entry, c]);
                    if unknown == other {
                        add(graph, unknown, other, &[entry, c]);
                    }
                }
            }
        }
    }
    let zero = Vec::new();
    (0..n)
        .map(|i| {
            graph.sum(
                entries.get(&(i, i)).unwrap_or(&zero).iter().map(|&part| (part, Rational::ONE)).collect(),
                Rational::ZERO,
            )
        })
        .collect()
}

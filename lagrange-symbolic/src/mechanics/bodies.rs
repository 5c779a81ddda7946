//! The equations of motion by the velocities of bodies, each in a frame that turns: the equations of Newton and Euler.
//!
//! Let L = L'(q, v, t, ω, u, r), with the angular velocities ω of frames F, velocities u = Fᵀṙ of points and positions r. With the
//! momenta π = ∂L'/∂ω and μ = ∂L'/∂u, Lagrange's equations are
//!
//! ```text
//! d/dt ∂L'/∂v − ∂L'/∂q + Σ ∂ω/∂v·(π̇ + ω×π + u×μ) + Σ ∂u/∂v·(μ̇ + ω×μ − Fᵀ ∂L'/∂r) = Q − ∂D/∂v
//! ```
//!
//! because ω and u satisfy d/dt ∂ω/∂v − ∂ω/∂q = ∂ω/∂v × ω and d/dt ∂u/∂v − ∂u/∂q = ∂ω/∂v × u − ω × ∂u/∂v. Energies contain u only
//! as the square |u|², so that μ is parallel to u, and u×μ = 0. Which part of L is counted as which argument of L' is a choice: the
//! equations hold for each.
//!
//! Where μ = m u, μ̇ + ω×μ = ṁ u + m (u̇ + ω×u), and u̇ + ω×u is known without u (`Motion::in_space`). With a constant m nothing depends on the
//! velocities of points then, and their derivatives vanish.

use super::joined::Joined;
use crate::calculus::{derivative, directional, gradient};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Rational, Symbol, Triple};
use crate::physics::{Bodies, Motion, Physics, Slopes, is_quantity};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The equations, before forces are added up to rows.
pub(super) struct ByBodies {
    /// The part of each row of M a − F that acts on the coordinate itself, with accelerations.
    own: Vec<Id>,
    /// Components of velocities of bodies, each with what it contributes to M a − F: ∂component/∂vᵢ times this to row i.
    along: Vec<(Id, Id)>,
    /// The second derivatives of L' by its velocities.
    pub(super) inertia: Vec<Inertia>,
    /// A bound of each diagonal entry of M.
    pub(super) diagonal: Vec<Id>,
}

/// A second derivative of L' by two velocities, of which the second one does not come after the first one.
pub(super) struct Inertia {
    /// The velocities: components of velocities of bodies, or of the coordinates.
    pub(super) velocities: [Id; 2],
    /// The derivative.
    pub(super) entry: Id,
}

/// F as forces.
pub(super) struct Forces {
    /// F.
    pub(super) rows: Vec<Id>,
    /// The part of each row that acts on the coordinate itself.
    pub(super) own: Vec<Id>,
    /// Components of velocities of bodies, each with the force along it.
    pub(super) along: Vec<(Id, Id)>,
}

impl ByBodies {
    /// The equations in this form. `None` where L contains no velocity of a body.
    pub(super) fn of(graph: &mut Graph, physics: &Physics, applied: &[Id]) -> Option<Self> {
        let relaxed = Relaxed::new(graph, physics)?;
        let by_v = gradient(graph, relaxed.lagrangian, &physics.velocity_symbols());
        let by_q = gradient(graph, relaxed.lagrangian, &physics.coordinate_symbols());
        let momenta = gradient(graph, relaxed.lagrangian, &symbols(&relaxed.velocities));
        let slopes = gradient(graph, relaxed.lagrangian, &symbols(&relaxed.positions));
        let straight = relaxed.straight(graph, &momenta);
        // d/dt of what contains placeholders: they have the rates of the velocities for which they stand.
        let placed: HashMap<Symbol, Id> = relaxed.positions.iter().map(|slot| (slot.symbol, slot.stands_for)).collect();
        let moving = graph.substitute(&[&by_v[..], &momenta].concat(), &placed);
        let mut flow = physics.flow(graph);
        flow.extend(
            relaxed
                .velocities
                .iter()
                .map(|slot| (slot.symbol, if straight.contains(&slot.symbol) { slot.in_space } else { slot.rate })),
        );
        let changes = directional(graph, &moving, &flow);
        let mut changes = relaxed.restored(graph, &changes);
        let momentum_rates = changes.split_off(by_v.len());
        let restored_by_q = relaxed.restored(graph, &by_q);
        let mut own = Vec::new();
        for ((&change, &slope), &applied) in changes.iter().zip(&restored_by_q).zip(applied) {
            let terms = vec![(change, Rational::ONE), (slope, Rational::NEG_ONE), (applied, Rational::NEG_ONE)];
            own.push(graph.sum(terms, Rational::ZERO));
        }
        let (inertia, diagonal) = relaxed.inertia(graph, physics, &[&by_v[..], &momenta].concat());
        let momenta = relaxed.restored(graph, &momenta);
        let slopes = relaxed.restored(graph, &slopes);
        let along = relaxed.forces(graph, [momenta, momentum_rates, slopes], &straight);
        Some(Self { own, along, inertia, diagonal })
    }

    /// M a − F, with accelerations.
    pub(super) fn driven(&self, graph: &mut Graph, physics: &Physics) -> Vec<Id> {
        reduced(graph, physics, &self.own, &self.along)
    }

    /// M a − F − Gᵀλ, with accelerations.
    pub(super) fn residual(&self, graph: &mut Graph, physics: &Physics, joined: &Joined) -> Vec<Id> {
        joined.subtract_reaction(graph, physics, (&self.own, &self.along))
    }

    /// F.
    pub(super) fn forces(&self, graph: &mut Graph, physics: &Physics) -> Forces {
        let zero = graph.zero();
        let rest: HashMap<Symbol, Id> = (0..physics.coordinates).map(|i| (Symbol::Acceleration(i), zero)).collect();
        let opposite = |graph: &mut Graph, expressions: &[Id]| -> Vec<Id> {
            let still = graph.substitute(expressions, &rest);
            still.into_iter().map(|expression| graph.neg(expression)).collect()
        };
        let own = opposite(graph, &self.own);
        let (components, forces): (Vec<Id>, Vec<Id>) = self.along.iter().copied().unzip();
        let forces = opposite(graph, &forces);
        let along: Vec<(Id, Id)> = components.into_iter().zip(forces).collect();
        Forces { rows: reduced(graph, physics, &own, &along), own, along }
    }
}

/// Σ ∂component/∂v · force, added to the own part of each row.
pub(super) fn reduced(graph: &mut Graph, physics: &Physics, own: &[Id], along: &[(Id, Id)]) -> Vec<Id> {
    let placeholders = graph.scratch_symbols(along.len());
    let mut work = Vec::new();
    for (&(component, _), &placeholder) in along.iter().zip(&placeholders) {
        let placeholder = graph.symbol(placeholder);
        work.push((graph.mul(component, placeholder), Rational::ONE));
    }
    let work = graph.sum(work, Rational::ZERO);
    let reduced = gradient(graph, work, &physics.velocity_symbols());
    let back: HashMap<Symbol, Id> = placeholders.into_iter().zip(along.iter().map(|&(_, force)| force)).collect();
    let reduced = graph.substitute(&reduced, &back);
    own.iter().zip(&reduced).map(|(&own, &part)| graph.add(own, part)).collect()
}

/// A placeholder in L'.
struct Slot {
    symbol: Symbol,
    stands_for: Id,
    /// The rate of what it stands for, with accelerations; 0 for a position.
    rate: Id,
    /// The component of the rate in space; 0 for a position.
    in_space: Id,
    /// The bounds of its derivatives by velocities.
    slopes: Slopes,
}

fn symbols(slots: &[Slot]) -> Vec<Symbol> {
    slots.iter().map(|slot| slot.symbol).collect()
}

/// L' and its placeholders.
struct Relaxed<'p> {
    bodies: &'p Bodies,
    lagrangian: Id,
    velocities: Vec<Slot>,
    positions: Vec<Slot>,
}

impl<'p> Relaxed<'p> {
    fn new(graph: &mut Graph, physics: &'p Physics) -> Option<Self> {
        let bodies = &physics.bodies;
        let mut replaced: HashMap<Id, Id> = bodies.twins.iter().map(|&[part, twin]| (part, twin)).collect();
        let present: HashSet<Id> = graph.reachable(&[physics.lagrangian]).into_iter().collect();
        let (zero, mut positions) = (graph.zero(), Vec::new());
        for entry in bodies.bodies.iter().flat_map(|body| &body.points).flat_map(|point| point.position) {
            if is_quantity(graph, entry) && present.contains(&entry) && !replaced.contains_key(&entry) {
                let symbol = graph.scratch_symbols(1)[0];
                replaced.insert(entry, graph.symbol(symbol));
                positions.push(Slot { symbol, stands_for: entry, rate: zero, in_space: zero, slopes: Slopes::new() });
            }
        }
        let lagrangian = graph.replace(physics.lagrangian, &replaced);
        let present: HashSet<Symbol> = graph.symbols(lagrangian).collect();
        let mut velocities = Vec::new();
        for motion in motions(bodies) {
            for (symbol, i) in motion.open(graph).into_iter().filter(|(symbol, _)| present.contains(symbol)) {
                let (stands_for, rate, in_space) = (motion.components[i], motion.rates[i], motion.in_space[i]);
                velocities.push(Slot { symbol, stands_for, rate, in_space, slopes: motion.slopes.clone() });
            }
        }
        (!velocities.is_empty()).then_some(Self { bodies, lagrangian, velocities, positions })
    }

    /// Expressions in which nothing is replaced.
    fn restored(&self, graph: &mut Graph, expressions: &[Id]) -> Vec<Id> {
        let slots = self.velocities.iter().chain(&self.positions);
        let back: HashMap<Symbol, Id> = slots.map(|slot| (slot.symbol, slot.stands_for)).collect();
        graph.substitute(expressions, &back)
    }

    /// The placeholders of the velocities u of points of which the momentum is m u.
    fn straight(&self, graph: &mut Graph, momenta: &[Id]) -> HashSet<Symbol> {
        let momenta: HashMap<Symbol, Id> =
            self.velocities.iter().zip(momenta).map(|(slot, &momentum)| (slot.symbol, momentum)).collect();
        let (zero, mut straight) = (graph.zero(), HashSet::new());
        for point in self.bodies.bodies.iter().flat_map(|body| &body.points) {
            let mut masses = HashSet::new();
            let open: Vec<(Symbol, Id)> = point
                .moving
                .open(graph)
                .into_iter()
                .filter_map(|(symbol, _)| Some((symbol, *momenta.get(&symbol)?)))
                .collect();
            let is_straight = open.iter().all(|&(symbol, momentum)| {
                let mass = derivative(graph, &[momentum], symbol)[0];
                let rest = graph.substitute(&[momentum], &[(symbol, zero)].into())[0];
                masses.insert(mass);
                graph.is_zero(rest) && !graph.depends_on(mass, symbol)
            });
            if is_straight && masses.len() == 1 {
                straight.extend(open.into_iter().map(|(symbol, _)| symbol));
            }
        }
        straight
    }

    /// The second derivatives of L' by velocities, and Σ |∂²L'/∂x∂y| |∂x/∂vᵢ| |∂y/∂vᵢ| over all velocities x and y, which is a bound of a
    /// diagonal entry of M. The slopes of L' by the velocities of the coordinates, then by the placeholders, are given.
    fn inertia(&self, graph: &mut Graph, physics: &Physics, slopes_of_l: &[Id]) -> (Vec<Inertia>, Vec<Id>) {
        let one = graph.one();
        let mut arguments: Vec<(Symbol, Id, Slopes)> = Vec::new();
        for (i, symbol) in (0..).zip(physics.velocity_symbols()) {
            arguments.push((symbol, graph.symbol(symbol), [(i, one)].into()));
        }
        let slots = self.velocities.iter();
        arguments.extend(slots.map(|slot| (slot.symbol, slot.stands_for, slot.slopes.clone())));
        let index: HashMap<Symbol, usize> =
            arguments.iter().enumerate().map(|(at, argument)| (argument.0, at)).collect();
        let mut inertia = Vec::new();
        // The entries of one pair of velocities have the same slopes.
        let mut pairs: BTreeMap<(&Slopes, &Slopes), Vec<(Id, Rational)>> = BTreeMap::new();
        for (row, &slope) in slopes_of_l.iter().enumerate() {
            let coupled: Vec<usize> = graph.symbols(slope).filter_map(|symbol| index.get(&symbol).copied()).collect();
            for column in coupled.into_iter().filter(|&column| column <= row) {
                let entry = derivative(graph, &[slope], arguments[column].0);
                let entry = self.restored(graph, &entry)[0];
                if graph.is_zero(entry) {
                    continue;
                }
                inertia.push(Inertia { velocities: [arguments[row].1, arguments[column].1], entry });
                let size = graph.call(Function::Abs, &[entry]);
                let twice = Rational::from(if row == column { 1 } else { 2 });
                pairs.entry((&arguments[row].2, &arguments[column].2)).or_default().push((size, twice));
            }
        }
        let mut terms: Vec<Vec<Id>> = vec![Vec::new(); physics.coordinates as usize];
        for ((first, second), entries) in pairs {
            let sum = graph.sum(entries, Rational::ZERO);
            for (i, &slope) in first {
                if let Some(&other) = second.get(i) {
                    terms[*i as usize].push(graph.mul_all(&[sum, slope, other]));
                }
            }
        }
        let diagonal = terms.iter().map(|terms| graph.add_all(terms)).collect();
        (inertia, diagonal)
    }

    /// The components of velocities with what they contribute. The rates of momenta along the velocities in `straight` are those in space.
    fn forces(
        &self,
        graph: &mut Graph,
        [momenta, rates, slopes]: [Vec<Id>; 3],
        straight: &HashSet<Symbol>,
    ) -> Vec<(Id, Id)> {
        let by_symbol = |values: Vec<Id>| -> HashMap<Symbol, Id> {
            self.velocities.iter().zip(values).map(|(slot, value)| (slot.symbol, value)).collect()
        };
        let (momenta, rates) = (by_symbol(momenta), by_symbol(rates));
        // A position that several points have belongs to the first one.
        let mut slopes: HashMap<Id, Id> =
            self.positions.iter().zip(slopes).map(|(slot, slope)| (slot.stands_for, slope)).collect();
        let zero = graph.zero();
        let of = |graph: &Graph, values: &HashMap<Symbol, Id>, motion: &Motion| -> Triple {
            let mut found = [zero; 3];
            for (symbol, i) in motion.open(graph) {
                found[i] = values.get(&symbol).copied().unwrap_or(zero);
            }
            found
        };
        let mut along = Vec::new();
        for body in &self.bodies.bodies {
            let omega = body.turning.components;
            let turning = of(graph, &momenta, &body.turning);
            let gyroscopic = graph.cross(omega, turning);
            let rate = of(graph, &rates, &body.turning);
            let moment = graph.add_triples(rate, gyroscopic);
            for point in &body.points {
                let velocity = point.moving.components;
                let moving = of(graph, &momenta, &point.moving);
                let rate = of(graph, &rates, &point.moving);
                let is_straight = point
                    .moving
                    .placeholders
                    .is_some_and(|symbols| symbols.iter().any(|symbol| straight.contains(symbol)));
                let inertial = if is_straight {
                    rate
                } else {
                    let carried = graph.cross(omega, moving);
                    graph.add_triples(rate, carried)
                };
                let slope = point.position.map(|entry| slopes.remove(&entry).unwrap_or(zero));
                let force = [0, 1, 2].map(|i| {
                    let pull = graph.inner(&[point.axes[i], point.axes[3 + i], point.axes[6 + i]], &slope);
                    graph.sub(inertial[i], pull)
                });
                along.extend(velocity.into_iter().zip(force));
            }
            along.extend(omega.into_iter().zip(moment));
        }
        along.retain(|(component, force)| graph.as_number(*component).is_none() && !graph.is_zero(*force));
        along
    }
}

fn motions(bodies: &Bodies) -> impl Iterator<Item = &Motion> {
    bodies
        .bodies
        .iter()
        .flat_map(|body| std::iter::once(&body.turning).chain(body.points.iter().map(|point| &point.moving)))
}

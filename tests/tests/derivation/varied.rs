//! Random mechanisms with everything whose derivatives have rules of their own: constraints, friction, states, and coordinates
//! without inertia, whose rates are linear or implicit.

use super::expressions::{Allowed, Writer};
use super::generate::{over, own_inertia, square, times};
use super::tree::{COORDINATES, Energies, Expr, Force, Mechanism};
use lagrange_tests::random::Random;
use std::fmt::{self, Display, Formatter};

/// A constraint: what is 0.
#[derive(Clone, Debug)]
pub(crate) enum Constraint {
    /// A function of q and t.
    Holonomic(Expr),
    /// A function of q, v and t that is affine in v.
    Nonholonomic(Expr),
}

/// Dry friction: the slip, and the bound of the force.
#[derive(Clone, Debug)]
pub(crate) struct Friction {
    slip: Expr,
    bound: Expr,
}

/// A mechanism, in whose `mechanism` friction is a force and states are the last coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Varied {
    /// All but the constraints and the equations of the states, for the reference.
    pub mechanism: Mechanism,
    /// How many coordinates have inertia. These are the first.
    pub heavy: usize,
    /// The rates of the states.
    pub states: Vec<Expr>,
    /// The constraints on the coordinates with inertia.
    pub constraints: Vec<Constraint>,
    /// Friction between the coordinates with inertia.
    pub frictions: Vec<Friction>,
    /// Whether the rates of coordinates without inertia are implicit functions.
    pub implicit: bool,
}

impl Varied {
    /// How many coordinates the block states.
    pub(crate) fn stated(&self) -> usize {
        self.mechanism.coordinates - self.states.len()
    }

    /// The mechanism of a seed.
    pub(crate) fn of(seed: u64) -> Self {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x51ed);
        let heavy = [1, 2, 2, 3][random.below(4)];
        // Coordinates without inertia and rows with multipliers or friction are separate kinds of mechanisms.
        let light = if random.once_in(3) { 1 + random.below(2) } else { 0 };
        let states = [0, 0, 1, 2][random.below(4)];
        let rows = if light > 0 || heavy == 1 { 0 } else { random.below(heavy) };
        let frictions = if light > 0 { 0 } else { [0, 1, 1, 2][random.below(4)].min(heavy - rows) };
        let implicit = light > 0 && random.once_in(2);
        let (explicit_time, inputs) = (random.once_in(3), random.below(2));
        let mut w = Writer { random, coordinates: heavy, parameters: 4, inputs, explicit_time, lets: Vec::new() };
        let all = heavy + light + states;
        let frictions: Vec<Friction> = (0..frictions).map(|i| friction(&mut w, i)).collect();
        let mut constraints: Vec<Constraint> = (0..rows).map(|i| constraint(&mut w, heavy - 1 - i)).collect();
        // Multipliers have this order.
        constraints.sort_by_key(|row| matches!(row, Constraint::Nonholonomic(_)));
        // Expressions of position may contain the coordinates without inertia and the states too.
        w.coordinates = all;
        let mut kinetic: Vec<Expr> = (0..heavy).map(|i| own_inertia(&mut w, i)).collect();
        if heavy > 1 {
            let pair = times(Expr::Velocity(0), Expr::Velocity(1));
            kinetic.push(over(times(w.bounded(1, Allowed::POSITION), pair), 9));
        }
        if w.random.once_in(3) {
            let i = w.random.below(heavy);
            kinetic.push(over(times(w.bounded(2, Allowed::POSITION), Expr::Velocity(i)), 2));
        }
        let potential = (0..1 + w.random.below(2)).map(|_| w.expression(2, Allowed::POSITION.with_inputs())).collect();
        let mut dissipation = resistance(&mut w, heavy, light, implicit);
        let mut forces: Vec<Force> = Vec::new();
        for _ in 0..w.random.below(3) {
            let right = w.bounded(2, Allowed::POSITION.with_inputs());
            forces.push(Force::Scalar(Expr::Coordinate(w.random.below(heavy + light)), right));
        }
        w.coordinates = heavy;
        if w.random.once_in(2) {
            let speed = w.expression(2, Allowed::MOTION);
            let i = w.random.below(heavy);
            forces.push(Force::Scalar(Expr::Coordinate(i), over(speed, 3)));
        }
        if w.random.once_in(2) {
            let i = w.random.below(heavy);
            let factor = w.positive(1, Allowed::POSITION);
            dissipation.push(over(times(factor, square(Expr::Velocity(i))), 2));
        }
        let states: Vec<Expr> = (0..states)
            .map(|_| {
                let moving = w.expression(2, Allowed::MOTION.with_inputs());
                w.coordinates = all;
                let still = w.expression(2, Allowed::POSITION.with_inputs());
                w.coordinates = heavy;
                Expr::Add(Box::new(moving), Box::new(still))
            })
            .collect();
        for Friction { slip, bound } in &frictions {
            let side = Expr::Call("sign", vec![Expr::Dot(Box::new(slip.clone()))]);
            forces.push(Force::Scalar(slip.clone(), Expr::Negate(Box::new(times(bound.clone(), side)))));
        }
        let energies = Energies::Apart(kinetic, potential);
        let mechanism = Mechanism {
            arrays: false,
            coordinates: all,
            parameters: 4,
            inputs,
            lets: Vec::new(),
            energies,
            dissipation,
            forces,
        };
        Self { mechanism, heavy, states, constraints, frictions, implicit }
    }
}

/// A coordinate of its own and anything of the others, so that several slips are independent.
fn friction(w: &mut Writer, i: usize) -> Friction {
    let others = w.bounded(2, Allowed::POSITION);
    let slip = Expr::Add(Box::new(times(Expr::Number(2, 1), Expr::Coordinate(i))), Box::new(others));
    let allowed = if w.random.once_in(2) { Allowed::MOTION.with_inputs() } else { Allowed::POSITION };
    Friction { slip, bound: w.positive(2, allowed) }
}

/// A row that certainly depends on the coordinate `i`.
fn constraint(w: &mut Writer, i: usize) -> Constraint {
    if w.random.once_in(3) {
        let own = times(w.positive(1, Allowed::POSITION), Expr::Velocity(i));
        let other = times(w.expression(1, Allowed::POSITION), Expr::Velocity(w.random.below(w.coordinates)));
        let row = Expr::Add(Box::new(own), Box::new(over(other, 4)));
        let drift = w.expression(1, Allowed::POSITION);
        return Constraint::Nonholonomic(Expr::Add(Box::new(row), Box::new(drift)));
    }
    let others = w.expression(2, Allowed::POSITION);
    let own = times(Expr::Number(2, 1), Expr::Coordinate(i));
    Constraint::Holonomic(Expr::Add(Box::new(own), Box::new(others)))
}

/// The dissipation that determines the rates of coordinates without inertia.
fn resistance(w: &mut Writer, heavy: usize, light: usize, implicit: bool) -> Vec<Expr> {
    let mut all = Vec::new();
    for i in heavy..heavy + light {
        let factor = w.positive(1, Allowed::POSITION);
        all.push(over(times(factor, square(Expr::Velocity(i))), 2));
        let j = w.random.below(heavy + light);
        if j != i && w.random.once_in(2) {
            let slip = Expr::Subtract(Box::new(Expr::Velocity(i)), Box::new(Expr::Velocity(j)));
            all.push(over(times(w.leaf_parameter(), square(slip)), 2));
        }
        if implicit {
            let speed = Expr::Velocity(i);
            let power = match w.random.below(3) {
                0 => Expr::Power(Box::new(speed), 4, 1),
                1 => Expr::Power(Box::new(Expr::Call("abs", vec![speed])), 3, 1),
                _ => Expr::Call("cosh", vec![speed]),
            };
            all.push(over(times(w.leaf_parameter(), power), 3));
        }
    }
    all
}

/// The block.
impl Display for Varied {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut stated = self.mechanism.clone();
        stated.coordinates = self.stated();
        stated.forces.truncate(stated.forces.len() - self.frictions.len());
        write!(f, "{stated}")?;
        for (name, rate) in COORDINATES[self.stated()..].iter().zip(&self.states) {
            writeln!(f, "    state {name}: dot({name}) == {rate};")?;
        }
        for (i, constraint) in self.constraints.iter().enumerate() {
            match constraint {
                Constraint::Holonomic(row) => writeln!(f, "    constraint row{i}: {row} == 0;")?,
                Constraint::Nonholonomic(row) => writeln!(f, "    nonholonomic row{i}: {row} == 0;")?,
            }
        }
        for (i, Friction { slip, bound }) in self.frictions.iter().enumerate() {
            writeln!(f, "    friction pad{i}: {slip} = {bound};")?;
        }
        Ok(())
    }
}

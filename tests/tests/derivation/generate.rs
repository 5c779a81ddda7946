//! Random mechanisms from the whole grammar, whose mass matrix is regular almost everywhere.

use super::evaluate::Point;
use super::expressions::{Allowed, Writer};
use super::tree::{Energies, Expr, Force, Let, Mechanism, Vector};
use lagrange_tests::random::Random;

/// The mechanism of a seed.
pub(crate) fn mechanism(seed: u64) -> Mechanism {
    let mut random = Random::new(seed);
    // Small mechanisms more often: they are derived faster, and each feature meets each other one as well.
    let coordinates = [1, 1, 2, 2, 2, 3, 3, 4, 5][random.below(9)];
    let chained = random.once_in(6);
    let coordinates = if chained { 2 + random.below(9) } else { coordinates };
    let arrays = random.once_in(3);
    let parameters = if arrays { coordinates.max(1 + random.below(5)).min(5) } else { 1 + random.below(5) };
    let inputs = [0, 0, 0, 1, 1, 2][random.below(6)];
    let explicit_time = random.once_in(3);
    let mut writer = Writer { random, coordinates, parameters, inputs, explicit_time, lets: Vec::new() };
    if chained {
        writer.lets = chain(&mut writer);
    }
    for _ in 0..writer.random.below(4) {
        let value = intermediate(&mut writer);
        writer.lets.push(value);
    }
    let mut energies = match writer.random.below(8) {
        _ if chained => {
            let kinetic = (0..coordinates).map(|i| of_link(&mut writer, i)).collect();
            Energies::Apart(kinetic, terms(&mut writer, 1, Allowed::POSITION.with_inputs()))
        }
        0 => Energies::Lagrangian(indefinite(&mut writer)),
        1 | 2 => Energies::Lagrangian(not_quadratic(&mut writer)),
        3 => Energies::Lagrangian(lagrangian(&mut writer)),
        _ => {
            let kinetic = kinetic(&mut writer);
            let count = writer.random.below(3);
            Energies::Apart(kinetic, terms(&mut writer, count, Allowed::POSITION.with_inputs()))
        }
    };
    if writer.random.once_in(3) {
        let links = if chained { coordinates } else { 0 };
        for _ in 0..1 + writer.random.below(2) {
            let term = switched(&mut writer, links);
            match &mut energies {
                Energies::Lagrangian(terms) => terms.push(term),
                Energies::Apart(kinetic, potential) => {
                    if writer.random.once_in(2) { kinetic } else { potential }.push(term);
                }
            }
        }
    }
    if let Energies::Apart(_, potential) = &mut energies
        && writer.random.once_in(6)
    {
        // Velocities in V: M is that of T − V, which need not be positive.
        let (i, j) = (writer.random.below(coordinates), writer.random.below(coordinates));
        let pair = times(Expr::Velocity(i), Expr::Velocity(j));
        potential.push(times(writer.leaf_parameter(), pair));
    }
    let dissipation = if writer.random.once_in(2) { dissipation(&mut writer) } else { Vec::new() };
    let forces = (0..writer.random.below(3)).map(|_| force(&mut writer)).collect();
    let mut mechanism =
        Mechanism { arrays, coordinates, parameters, inputs, lets: writer.lets.clone(), energies, dissipation, forces };
    if arrays && coordinates <= parameters {
        add_sums(&mut writer, &mut mechanism);
    }
    mechanism
}

/// Sums over all coordinates in the energies, and a force on each.
fn add_sums(w: &mut Writer, mechanism: &mut Mechanism) {
    let index = w.random.below(w.coordinates);
    let position = Expr::Sum(Box::new(w.expression(2, Allowed::POSITION.with_inputs()).template(index)));
    let inertia = Expr::Sum(Box::new(own_inertia(w, index).template(index)));
    match &mut mechanism.energies {
        Energies::Lagrangian(terms) => terms.push(position),
        Energies::Apart(kinetic, potential) => {
            potential.push(position);
            kinetic.push(inertia);
        }
    }
    if w.random.once_in(2) {
        let right = w.expression(2, Allowed::MOTION.with_inputs().with_jumps()).template(index);
        mechanism.forces.push(Force::Each(right));
    }
}

/// A point of the mechanism, among as many as asked for.
pub(crate) fn point(mechanism: &Mechanism, seed: u64) -> Point {
    let mut random = Random::new(seed ^ 0x5bd1_e995);
    let mut numbers = |count: usize, low: f64, high: f64| (0..count).map(|_| random.between(low, high)).collect();
    Point {
        q: numbers(mechanism.coordinates, -1.6, 1.6),
        v: numbers(mechanism.coordinates, -1.6, 1.6),
        u: numbers(mechanism.inputs, -2.0, 2.0),
        parameters: numbers(mechanism.parameters, 0.4, 2.2),
        t: {
            let mut time: Vec<f64> = numbers(1, 0.0, 3.0);
            time.remove(0)
        },
    }
}

fn intermediate(w: &mut Writer) -> Let {
    match w.random.below(4) {
        0 => Let::Scalar(w.expression(2, Allowed::POSITION)),
        1 => Let::Scalar(w.expression(1, Allowed::MOTION)),
        2 if w.vector_lets(2).next().is_some() => {
            let vector = w.vector(2, Allowed::POSITION);
            Let::Vector(vector)
        }
        _ => Let::Vector(Vector::Literal(
            (0..2 + w.random.below(2)).map(|_| w.expression(2, Allowed::POSITION)).collect(),
        )),
    }
}

fn terms(w: &mut Writer, count: usize, allowed: Allowed) -> Vec<Expr> {
    (0..count).map(|_| w.expression(3, allowed)).collect()
}

pub(crate) fn square(x: Expr) -> Expr {
    Expr::Power(Box::new(x), 2, 1)
}

pub(crate) fn times(a: Expr, b: Expr) -> Expr {
    Expr::Multiply(Box::new(a), Box::new(b))
}

pub(crate) fn over(a: Expr, denominator: i64) -> Expr {
    Expr::Divide(Box::new(a), Box::new(Expr::Number(denominator, 1)))
}

/// c·q̇ᵢ²/2 for each coordinate, so that no direction is without inertia.
pub(crate) fn own_inertia(w: &mut Writer, i: usize) -> Expr {
    let factor = if w.random.once_in(3) { w.positive(1, Allowed::POSITION) } else { w.leaf_parameter() };
    over(times(factor, square(Expr::Velocity(i))), 2)
}

/// Masses on points, or a quadratic form, added to each coordinate's own inertia.
fn kinetic(w: &mut Writer) -> Vec<Expr> {
    let mut terms: Vec<Expr> = (0..w.coordinates).map(|i| own_inertia(w, i)).collect();
    for _ in 0..1 + w.random.below(2) {
        let term = if w.random.once_in(2) {
            let dimension = 2 + w.random.below(2);
            let rate = Vector::Dot(Box::new(w.vector(dimension, Allowed::POSITION)));
            let energy = over(times(w.leaf_parameter(), Expr::OfVectors("norm2", vec![rate])), 2);
            if w.random.once_in(4) { Expr::Power(Box::new(energy), 1, 1) } else { energy }
        } else if w.random.once_in(2) {
            let (i, j) = (w.random.below(w.coordinates), w.random.below(w.coordinates));
            let pair = times(Expr::Velocity(i), Expr::Velocity(j));
            over(times(w.bounded(1, Allowed::POSITION), pair), 3)
        } else {
            let inside = w.expression(2, Allowed::POSITION);
            over(square(Expr::Dot(Box::new(inside))), 2)
        };
        terms.push(term);
    }
    if w.random.once_in(4) {
        // Gyroscopic: linear in a velocity.
        let i = w.random.below(w.coordinates);
        terms.push(times(w.expression(2, Allowed::POSITION), Expr::Velocity(i)));
    }
    terms
}

/// The same in one statement, with what may not depend on velocities subtracted.
fn lagrangian(w: &mut Writer) -> Vec<Expr> {
    let mut all = kinetic(w);
    let count = 1 + w.random.below(2);
    all.extend(terms(w, count, Allowed::POSITION.with_inputs()).into_iter().map(|term| Expr::Negate(Box::new(term))));
    all
}

/// q̇ᵢ q̇ⱼ pairs, and squares of either sign: M is regular, and not positive.
fn indefinite(w: &mut Writer) -> Vec<Expr> {
    let mut all = Vec::new();
    for i in (0..w.coordinates).step_by(2) {
        let factor = w.leaf_parameter();
        let term = if i + 1 < w.coordinates {
            times(factor, times(Expr::Velocity(i), Expr::Velocity(i + 1)))
        } else {
            Expr::Negate(Box::new(over(times(factor, square(Expr::Velocity(i))), 2)))
        };
        all.push(term);
    }
    let count = 1 + w.random.below(2);
    all.extend(terms(w, count, Allowed::POSITION.with_inputs()));
    all
}

/// Beyond quadratic: relativistic, quartic, exponential, or anything small of all velocities.
fn not_quadratic(w: &mut Writer) -> Vec<Expr> {
    let mut all = Vec::new();
    for i in 0..w.coordinates {
        let velocity = || Expr::Velocity(i);
        let shape = match w.random.below(4) {
            0 => {
                // −√(1 − q̇²/9)
                let ratio = over(square(velocity()), 9);
                let inside = Expr::Subtract(Box::new(Expr::Number(1, 1)), Box::new(ratio));
                Expr::Negate(Box::new(Expr::Call("sqrt", vec![inside])))
            }
            1 => Expr::Call("cosh", vec![velocity()]),
            2 => {
                let quartic = over(Expr::Power(Box::new(velocity()), 4, 1), 12);
                Expr::Add(Box::new(over(square(velocity()), 2)), Box::new(quartic))
            }
            _ => {
                let inside = Expr::Add(Box::new(Expr::Number(1, 1)), Box::new(square(velocity())));
                Expr::Power(Box::new(inside), 3, 4)
            }
        };
        let factor = w.positive(1, Allowed::POSITION);
        all.push(times(factor, shape));
    }
    if w.random.once_in(2) {
        let anything = w.bounded(2, Allowed::MOTION);
        all.push(over(anything, 20));
    }
    let count = w.random.below(2);
    all.extend(terms(w, count, Allowed::POSITION.with_inputs()));
    all
}

/// The ends of links in a row, each on the one before.
fn chain(w: &mut Writer) -> Vec<Let> {
    let link = |w: &mut Writer, i: usize| {
        let length = w.leaf_parameter();
        let [s, c] = ["sin", "cos"].map(|name| times(length.clone(), Expr::Call(name, vec![Expr::Coordinate(i)])));
        let step = Vector::Literal(vec![s, Expr::Negate(Box::new(c))]);
        Let::Vector(if i == 0 { step } else { Vector::Add(Box::new(Vector::Let(i - 1)), Box::new(step)) })
    };
    (0..w.coordinates).map(|i| link(w, i)).collect()
}

/// m |d let/dt|²/2, and a part of the coordinate's own, so that M is regular in every position.
fn of_link(w: &mut Writer, i: usize) -> Expr {
    let rate = Vector::Dot(Box::new(Vector::Let(i)));
    let point = over(times(w.leaf_parameter(), Expr::OfVectors("norm2", vec![rate])), 2);
    Expr::Add(Box::new(point), Box::new(over(square(Expr::Velocity(i)), 3)))
}

/// What takes its branch by a velocity, and does not jump: linear or quadratic on each side, and never on both.
fn switched(w: &mut Writer, links: usize) -> Expr {
    let speed = |w: &mut Writer| {
        let own = Expr::Velocity(w.random.below(w.coordinates));
        match w.random.below(4) {
            0 | 1 if links > 0 => {
                let component = Expr::Component(w.random.below(links), w.random.below(2));
                Expr::Dot(Box::new(component))
            }
            0 => Expr::Subtract(Box::new(own), Box::new(Expr::Velocity(w.random.below(w.coordinates)))),
            1 => times(w.positive(1, Allowed::POSITION), own),
            2 => Expr::Add(Box::new(own), Box::new(w.bounded(1, Allowed::POSITION))),
            _ => own,
        }
    };
    let first = speed(w);
    let second = if w.random.once_in(2) { speed(w) } else { Expr::Number(w.random.below(3) as i64 - 1, 2) };
    let term = match w.random.below(8) {
        0 => Expr::Call("abs", vec![first]),
        1 | 2 => Expr::Call(["min", "max"][w.random.below(2)], vec![first, second]),
        3 => Expr::OfVectors("norm", vec![Vector::Literal(vec![first, second])]),
        4 => times(Expr::Call("sign", vec![first.clone()]), first),
        5 => square(Expr::Call("max", vec![Expr::Subtract(Box::new(first), Box::new(second)), Expr::Number(0, 1)])),
        6 => times(first.clone(), Expr::Call("abs", vec![first])),
        _ => {
            let beyond = Expr::Subtract(Box::new(first.clone()), Box::new(second.clone()));
            Expr::If(Box::new([first, second, Expr::Number(0, 1), beyond]))
        }
    };
    let factor = if w.random.once_in(2) { w.bounded(2, Allowed::POSITION) } else { w.leaf_parameter() };
    over(times(factor, term), 4)
}

/// Any degree: dry friction, viscous, quadratic and cubic drag, along rods, and rational powers.
fn dissipation(w: &mut Writer) -> Vec<Expr> {
    let mut all = Vec::new();
    for _ in 0..1 + w.random.below(2) {
        let allowed = if w.random.once_in(4) { Allowed::MOTION.with_inputs() } else { Allowed::MOTION };
        let speed = if w.random.once_in(2) {
            Expr::Velocity(w.random.below(w.coordinates))
        } else {
            Expr::Dot(Box::new(w.expression(1, Allowed::POSITION)))
        };
        let size = Expr::Call("abs", vec![speed.clone()]);
        let factor = w.positive(1, allowed);
        let power = match w.random.below(9) {
            0 => size,
            1 => over(square(speed), 2),
            2 => over(Expr::Power(Box::new(size), 3, 1), 3),
            3 => Expr::Power(Box::new(size), 3, 2),
            4 => Expr::Power(Box::new(size), 4, 1),
            5 => Expr::Call("sqrt", vec![Expr::Add(Box::new(square(speed)), Box::new(Expr::Number(1, 100)))]),
            6 => square(Expr::Call("max", vec![speed, Expr::Number(0, 1)])),
            7 => {
                let [none, slope] = [Expr::Number(0, 1), square(speed.clone())];
                Expr::If(Box::new([speed, none, slope.clone(), over(slope, 3)]))
            }
            _ => along_rod(w, speed),
        };
        all.push(times(factor, power));
    }
    all
}

/// ∫ |a + b s|^k ds, possibly with a polynomial before it.
fn along_rod(w: &mut Writer, speed: Expr) -> Expr {
    let other = w.expression(1, Allowed::MOTION);
    let affine = Expr::Add(Box::new(times(Expr::Dummy, speed)), Box::new(other));
    let degree = w.random.below(4) as i64;
    let size = Expr::Call("abs", vec![affine]);
    let mut integrand = if degree == 0 { size } else { Expr::Power(Box::new(size), degree, 1) };
    if w.random.once_in(3) {
        integrand = times(Expr::Add(Box::new(Expr::Number(1, 1)), Box::new(square(Expr::Dummy))), integrand);
    }
    let from = if w.random.once_in(2) { Expr::Number(0, 1) } else { Expr::Negate(Box::new(w.leaf_parameter())) };
    let to = w.leaf_parameter();
    Expr::Integral(Box::new([from, to, integrand]))
}

fn force(w: &mut Writer) -> Force {
    let allowed = Allowed::MOTION.with_inputs().with_jumps();
    match w.random.below(4) {
        0 | 1 => {
            let i = w.random.below(w.coordinates);
            Force::Scalar(Expr::Coordinate(i), w.expression(2, allowed))
        }
        2 => {
            // A function of q that certainly depends on one.
            let i = w.random.below(w.coordinates);
            let left = times(w.positive(1, Allowed::POSITION), Expr::Coordinate(i));
            Force::Scalar(left, w.expression(2, allowed))
        }
        _ => {
            let dimension = 2 + w.random.below(2);
            let mut entries: Vec<Expr> = (0..dimension).map(|_| w.expression(1, Allowed::POSITION)).collect();
            entries[0] = Expr::Coordinate(w.random.below(w.coordinates));
            let right = w.vector(dimension, allowed);
            Force::Vector(Vector::Literal(entries), right)
        }
    }
}

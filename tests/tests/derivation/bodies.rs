//! Random trees of bodies in space against the principle of virtual power: Σ (m a·δv + (J ω̇ + ω × Jω)·δω) = Σ Q δq̇, with the motion of
//! each body computed in space, step by step from the root. It shares nothing with the derivation.
//!
//! `LAGRANGE_TREES` raises the number of trees, `LAGRANGE_SEED` sets the first seed.

use super::compare::derive_text;
use super::interpret::{Arguments, Interpreter, Slot};
use super::moving::{Motion, Vector, cross, dot, length, scaled, sum, times, turned_back, unit};
use lagrange_runtime::scalar::Dual;
use lagrange_symbolic::program::{Bundles, Evaluations, LinearMap, Routine};
use lagrange_tests::random::Random;
use std::fmt::Write as _;

/// How many trees are compared.
const TREES: u64 = 20;

/// The allowed difference in units of the sum of the magnitudes of the terms.
pub(super) const TOLERANCE: f64 = 2e-13;

/// The allowed difference of slopes from those of dual numbers, in units of the largest slope.
pub(super) const SLOPE_TOLERANCE: f64 = 1e-11;

/// A number with its derivative along a direction.
pub(super) type Varied = Dual<f64, 1>;

const GRAVITY: f64 = 9.81;

/// An axis between those of the frame, of length 1 exactly: [2/7, −3/7, 6/7].
const OBLIQUE: Vector = [2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0];

/// One step from the frame of a body to that of the next one.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Shift(Vector),
    /// Along a coordinate axis by a coordinate.
    Slide(usize, usize),
    /// About a coordinate axis by a number.
    Turn(usize, f64),
    /// About a coordinate axis by a coordinate.
    Rotate(usize, usize),
    /// About the axis [`OBLIQUE`] by a coordinate.
    Swing(usize),
    /// Along the axes of space by three coordinates, from the root only.
    Free(usize),
    /// By a quaternion of four coordinates.
    Ball(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) parent: Option<usize>,
    steps: Vec<Step>,
    mass: f64,
    /// The centre of mass in the frame.
    centre: Vector,
    /// The inertia about the centre of mass; a body without it is a point, or has no mass.
    inertia: Option<[Vector; 3]>,
    /// How the energy is written.
    writing: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) bodies: Vec<Body>,
    pub(super) coordinates: usize,
    /// Coordinates with a rotor of their own, and its inertia.
    rotors: Vec<(usize, f64)>,
    /// The body on whose centre a force in space acts, and the force.
    pull: Option<(usize, Vector)>,
    /// Whether numbers are parameters.
    has_parameters: bool,
}

pub(super) fn tree(seed: u64) -> Tree {
    grown(seed, false)
}

/// A tree in which some joints are spherical, by a quaternion each.
pub(super) fn tree_with_balls(seed: u64) -> Tree {
    grown(seed, true)
}

fn grown(seed: u64, has_balls: bool) -> Tree {
    let mut random = Random::new(seed);
    let count = [1, 2, 3, 4, 6, 8, 12, 20, 40][random.below(if seed.is_multiple_of(12) { 9 } else { 7 })];
    let (mut bodies, mut coordinates): (Vec<Body>, usize) = (Vec::new(), 0);
    let is_serial = random.once_in(3);
    for i in 0..count {
        let parent = match i {
            0 => None,
            _ if is_serial || random.once_in(2) => Some(i - 1),
            _ => Some(random.below(i)),
        };
        let mut steps = Vec::new();
        let mut coordinate = || {
            coordinates += 1;
            coordinates - 1
        };
        if i == 0 && random.once_in(3) {
            steps.push(Step::Free(coordinate()));
            coordinate();
            coordinate();
        }
        if !random.once_in(4) {
            steps.push(Step::Shift(vector(&mut random, 0.6)));
        }
        if random.once_in(4) {
            steps.push(Step::Turn(random.below(3), random.between(-2.0, 2.0)));
        }
        let axis = random.below(3);
        match random.below(8) {
            _ if has_balls && random.once_in(3) => {
                steps.push(Step::Ball(coordinate()));
                (0..3).for_each(|_| _ = coordinate());
            }
            0 if i > 0 => {}
            1 => steps.push(Step::Slide(axis, coordinate())),
            2 => steps.extend([Step::Rotate(axis, coordinate()), Step::Rotate((axis + 1) % 3, coordinate())]),
            4 => steps.push(Step::Swing(coordinate())),
            3 => steps.extend([0, 2, 1].map(|k| Step::Rotate((axis + k) % 3, coordinate()))),
            _ => steps.push(Step::Rotate(axis, coordinate())),
        }
        if random.once_in(5) {
            steps.push(Step::Turn(random.below(3), random.between(-2.0, 2.0)));
        }
        let inertia = (!random.once_in(6)).then(|| inertia(&mut random));
        let mass = random.between(0.2, 2.0);
        let centre = if random.once_in(5) { [0.0; 3] } else { vector(&mut random, 0.4) };
        bodies.push(Body { parent, steps, mass, centre, inertia, writing: random.below(3) });
    }
    let is_moved = |i: usize| random_leaf(&bodies, i);
    // What nothing further out carries has inertia, and so has each coordinate: a rotor.
    let leaves: Vec<usize> = (0..count).filter(|&i| is_moved(i)).collect();
    for leaf in leaves {
        if bodies[leaf].inertia.is_none() {
            bodies[leaf].inertia = Some(inertia(&mut random));
        }
    }
    let rotors = (0..coordinates).filter(|_| random.once_in(3)).map(|i| (i, 0.3 + 0.1 * (i % 5) as f64)).collect();
    let pull = random.once_in(2).then(|| (random.below(count), vector(&mut random, 3.0)));
    let mut tree = Tree { bodies, coordinates, rotors, pull, has_parameters: random.once_in(2) };
    // An inertia of the quaternion's rates would make M regular.
    let balls: Vec<usize> = tree.balls().collect();
    tree.rotors.retain(|(q, _)| balls.iter().all(|ball| !(*ball..ball + 4).contains(q)));
    tree
}

fn random_leaf(bodies: &[Body], i: usize) -> bool {
    bodies.iter().all(|body| body.parent != Some(i))
}

pub(super) fn vector(random: &mut Random, size: f64) -> Vector {
    // Zeros are common in mechanisms, and fold in the derivation.
    std::array::from_fn(|_| if random.once_in(3) { 0.0 } else { random.between(-size, size) })
}

/// A positive definite matrix: a diagonal one, or A Aᵀ + 1/20.
fn inertia(random: &mut Random) -> [Vector; 3] {
    if random.once_in(2) {
        let moments: Vector = std::array::from_fn(|_| random.between(0.1, 0.5));
        return std::array::from_fn(|i| std::array::from_fn(|j| if i == j { moments[i] } else { 0.0 }));
    }
    let a: [Vector; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random.between(-0.4, 0.4)));
    std::array::from_fn(|i| std::array::from_fn(|j| dot(a[i], a[j]) + if i == j { 0.05 } else { 0.0 }))
}

impl Tree {
    /// The first coordinates of the quaternions.
    pub(super) fn balls(&self) -> impl Iterator<Item = usize> {
        let steps = self.bodies.iter().flat_map(|body| &body.steps);
        steps.filter_map(|step| if let Step::Ball(q) = step { Some(*q) } else { None })
    }

    /// The block and the struct, with the values of the parameters.
    pub(super) fn text(&self) -> (String, String, Vec<f64>) {
        let (mut block, mut values) = (String::new(), Vec::new());
        let mut number = |value: f64| {
            if self.has_parameters && value != 0.0 {
                values.push(value);
                format!("p[{}]", values.len() - 1)
            } else if value < 0.0 {
                format!("(-{:?})", -value)
            } else {
                format!("{value:?}")
            }
        };
        let (mut kinetic, mut potential): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        writeln!(block, "coordinates q[{}];", self.coordinates).expect("a string takes text");
        for (i, body) in self.bodies.iter().enumerate() {
            let (mut frame, mut place) = match body.parent {
                Some(parent) => (format!("r{parent}"), format!("x{parent}")),
                None => ("rotation_x(0)".to_owned(), "[0, 0, 0]".to_owned()),
            };
            for step in &body.steps {
                let axis = |k: &usize| ["x", "y", "z"][*k];
                match step {
                    Step::Shift(by) => {
                        let by = by.map(&mut number).join(", ");
                        place = format!("{place} + {frame}*[{by}]");
                    }
                    Step::Slide(k, q) => {
                        let unit = [0, 1, 2].map(|j| if j == *k { format!("q[{q}]") } else { "0".to_owned() });
                        place = format!("{place} + {frame}*[{}]", unit.join(", "));
                    }
                    Step::Turn(k, angle) => frame = format!("{frame}*rotation_{}({})", axis(k), number(*angle)),
                    Step::Rotate(k, q) => frame = format!("{frame}*rotation_{}(q[{q}])", axis(k)),
                    Step::Swing(q) => frame = format!("{frame}*rotation([2/7, -3/7, 6/7], q[{q}])"),
                    Step::Free(q) => place = format!("[q[{q}], q[{}], q[{}]]", q + 1, q + 2),
                    Step::Ball(q) => {
                        frame = format!("{frame}*rotation([q[{q}], q[{}], q[{}], q[{}]])", q + 1, q + 2, q + 3);
                    }
                }
            }
            let centre = body.centre.map(&mut number).join(", ");
            let mass = number(body.mass);
            writeln!(block, "let r{i} = {frame};\nlet x{i} = {place};").expect("a string takes text");
            writeln!(block, "let c{i} = x{i} + r{i}*[{centre}];").expect("a string takes text");
            if let Some(inertia) = body.inertia {
                let rows = inertia.map(|row| format!("[{}]", row.map(&mut number).join(", ")));
                let tensor = format!("[{}]", rows.join(", "));
                kinetic.push(match body.writing {
                    0 => format!(
                        "{mass}*norm2(dot(c{i}))/2 + inner(angular_velocity_body(r{i}), {tensor}*angular_velocity_body(r{i}))/2"
                    ),
                    _ => format!("rigid_body_energy({mass}, {tensor}, c{i}, r{i})"),
                });
                potential.push(format!("{mass}*{GRAVITY}*c{i}[2]"));
            }
        }
        for &(q, inertia) in &self.rotors {
            kinetic.push(format!("{inertia:?}*dot(q[{q}])^2/2"));
        }
        let (kinetic, potential) = (kinetic.join(" + "), potential.join(" + "));
        writeln!(block, "kinetic = {kinetic};\npotential = {potential};").expect("a string takes text");
        for q in 0..self.coordinates {
            writeln!(block, "force q[{q}] = {:?}*sin(t) - dot(q[{q}])/8;", 0.3 * q as f64)
                .expect("a string takes text");
        }
        if let Some((body, force)) = self.pull {
            let force = force.map(&mut number).join(", ");
            writeln!(block, "force c{body} = [{force}];").expect("a string takes text");
        }
        let item = if values.is_empty() {
            "struct Tree {}".to_owned()
        } else {
            format!("struct Tree {{ p: [f64; {}] }}", values.len())
        };
        (block, item, values)
    }

    /// The motion of each body in space.
    pub(super) fn motion(&self, q: &[f64], v: &[f64], a: &[f64]) -> Vec<Motion> {
        let mut motions: Vec<Motion> = Vec::new();
        for body in &self.bodies {
            let mut at = body.parent.map_or(Motion::REST, |parent| motions[parent].clone());
            for step in &body.steps {
                match step {
                    Step::Shift(by) => at.shift(times(at.axes, *by), [0.0; 3], [0.0; 3]),
                    Step::Slide(k, i) => {
                        let axis = times(at.axes, unit(*k));
                        at.shift(scaled(axis, q[*i]), scaled(axis, v[*i]), scaled(axis, a[*i]));
                    }
                    Step::Turn(k, angle) => at.rotate(unit(*k), [*angle, 0.0, 0.0]),
                    Step::Rotate(k, i) => at.rotate(unit(*k), [q[*i], v[*i], a[*i]]),
                    Step::Swing(i) => at.rotate(OBLIQUE, [q[*i], v[*i], a[*i]]),
                    Step::Ball(i) => {
                        let four = |from: &[f64]| [from[*i], from[i + 1], from[i + 2], from[i + 3]];
                        at.turn(four(q), four(v), four(a));
                    }
                    Step::Free(i) => {
                        let three = |from: &[f64]| [from[*i], from[i + 1], from[i + 2]];
                        at.shift(three(q), three(v), three(a));
                    }
                }
            }
            motions.push(at);
        }
        motions
    }

    /// M a − F, and the sum of the magnitudes of its terms.
    pub(super) fn residual(&self, q: &[f64], v: &[f64], a: &[f64], t: f64) -> Vec<[f64; 2]> {
        let n = self.coordinates;
        let motions = self.motion(q, v, a);
        let mut rows: Vec<[f64; 2]> = (0..n)
            .map(|i| {
                let force = 0.3 * i as f64 * t.sin() - v[i] / 8.0;
                [-force, force.abs() + (v[i] / 8.0).abs()]
            })
            .collect();
        for &(i, inertia) in &self.rotors {
            rows[i][0] += inertia * a[i];
            rows[i][1] += (inertia * a[i]).abs();
        }
        for (i, row) in rows.iter_mut().enumerate() {
            let unit: Vec<f64> = (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect();
            let along = self.motion(q, &unit, &vec![0.0; n]);
            for (at, (body, (motion, slope))) in self.bodies.iter().zip(motions.iter().zip(&along)).enumerate() {
                let (centre, moved) = (motion.at(body.centre), slope.at(body.centre));
                let mut add = |force: Vector, along: Vector, parts: f64| {
                    row[0] += dot(force, along);
                    row[1] += parts * length(along);
                };
                if let Some(inertia) = body.inertia {
                    let mut force = scaled(centre[2], body.mass);
                    force[2] += body.mass * GRAVITY;
                    let lever = length(times(motion.axes, body.centre)) + motion.travelled;
                    let size = length(motion.acceleration)
                        + (length(motion.alpha) + 2.0 * dot(motion.omega, motion.omega)) * lever
                        + motion.swung;
                    add(force, moved[1], body.mass * (size + GRAVITY));
                    let turn = |x: Vector| times(motion.axes, times(inertia, turned_back(motion.axes, x)));
                    let gyroscopic = cross(motion.omega, turn(motion.omega));
                    let moment = sum(turn(motion.alpha), gyroscopic);
                    let size = length(turn(motion.alpha)) + length(gyroscopic) + motion.swung;
                    add(moment, slope.omega, size);
                }
                if let Some((pulled, force)) = self.pull
                    && pulled == at
                {
                    add(scaled(force, -1.0), moved[1], length(force));
                }
            }
        }
        rows
    }
}

/// What of a tree was compared.
#[derive(Clone, Copy, Default)]
struct Compared {
    residual: bool,
    slopes: bool,
    acceleration: bool,
}

/// The derivative of the residual along a direction.
fn slopes_by_duals(
    evaluations: &Evaluations,
    residual: &Routine,
    at: &Arguments<'_>,
    along_q: &[f64],
    along_v: &[f64],
    along_t: f64,
) -> Vec<f64> {
    let constant = |values: &[f64]| -> Vec<Varied> { values.iter().map(|&value| Varied::constant(value)).collect() };
    let varied = |values: &[f64], along: &[f64]| -> Vec<Varied> {
        values.iter().zip(along).map(|(&value, &along)| Varied { value, derivatives: [along] }).collect()
    };
    let (q, v) = (varied(at.q, along_q), varied(at.v, along_v));
    let (parameters, further) = (constant(at.parameters), constant(at.further));
    let arguments = Arguments {
        t: Varied { value: at.t, derivatives: [along_t] },
        q: &q,
        v: &v,
        u: &[],
        parameters: &parameters,
        further: &further,
        multipliers: &[],
    };
    let outputs = Interpreter::new(evaluations, &arguments).run(residual, &arguments);
    outputs.into_iter().map(|slot| slot.number().derivatives[0]).collect()
}

/// Compares the pieces of a map with the whole, along a direction and along each of its components. Both do the same operations, so that the results are equal.
fn compare_pieces(
    interpreter: &Interpreter<'_>,
    (by, map): (&str, &LinearMap),
    direction: &[f64],
    at: &Arguments<'_>,
) -> Result<(), String> {
    let unit = |k: usize| -> Vec<f64> { (0..direction.len()).map(|i| f64::from(u8::from(i == k))).collect() };
    let arguments = at.further.len() as u32..(at.further.len() + direction.len()) as u32;
    let pieces = [Bundles::InTurn, Bundles::ByBranch].map(|bundles| map.pieces(arguments.clone(), bundles));
    for direction in (0..direction.len()).map(unit).chain([direction.to_vec()]) {
        let further = [at.further, &direction].concat();
        let arguments = Arguments { further: &further, ..*at };
        let whole = interpreter.run_map(map, &arguments).into_iter().map(Slot::number);
        for pieces in &pieces {
            let pieces = interpreter.run_pieces((map, pieces), at.further.len(), &arguments, at.q.len());
            if let Some(row) = whole.clone().zip(pieces).position(|(whole, pieces)| whole != pieces) {
                return Err(format!("slope of residual[{row}] by {by} along {direction:?}: the pieces differ"));
            }
        }
    }
    Ok(())
}

/// Compares solutions for unit vectors in pieces, up to the bundle of each, with the whole.
fn compare_inverse(interpreter: &Interpreter<'_>, map: &LinearMap, at: &Arguments<'_>) -> Result<(), String> {
    let n = at.q.len();
    let pieces = map.pieces(0..n as u32, Bundles::Symmetric);
    for column in 0..n {
        let unit: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == column))).collect();
        let arguments = Arguments { further: &unit, ..*at };
        let whole = interpreter.run_map(map, &arguments).into_iter().map(Slot::number);
        let pieces = interpreter.run_pieces((map, &pieces), 0, &arguments, column + 1);
        if let Some(row) = whole.zip(pieces).position(|(whole, pieces)| whole != pieces) {
            return Err(format!("entry {row}, {column} of the inverse of M: the pieces differ"));
        }
    }
    Ok(())
}

/// Compares the maps of directions with dual numbers.
fn compare_slopes(
    interpreter: &Interpreter<'_>,
    evaluations: &Evaluations,
    (residual, [by_q, by_v, by_t]): (&Routine, &[LinearMap; 3]),
    at: &Arguments<'_>,
    random: &mut Random,
) -> Result<(), String> {
    let n = at.q.len();
    let mut direction = |count: usize| -> Vec<f64> { (0..count).map(|_| random.between(-1.0, 1.0)).collect() };
    let (along_q, along_v, along_t) = (direction(n), direction(n), direction(1));
    let none = vec![0.0; n];
    let by_duals = |q: &[f64], v: &[f64], t: f64| slopes_by_duals(evaluations, residual, at, q, v, t);
    let cases = [
        ("q", by_q, along_q.clone(), by_duals(&along_q, &none, 0.0)),
        ("v", by_v, along_v.clone(), by_duals(&none, &along_v, 0.0)),
        ("t", by_t, along_t.clone(), by_duals(&none, &none, along_t[0])),
    ];
    for (by, map, direction, duals) in cases {
        let further = [at.further, &direction].concat();
        let ours = interpreter.run_map(map, &Arguments { further: &further, ..*at });
        compare_pieces(interpreter, (by, map), &direction, at)?;
        let size = duals.iter().fold(0.0_f64, |size, slope| size.max(slope.abs()));
        for (i, (ours, dual)) in ours.into_iter().zip(duals).enumerate() {
            let error = (ours.number() - dual).abs();
            if error.is_nan() || error > SLOPE_TOLERANCE * size {
                return Err(format!("slope of residual[{i}] by {by}: {:e}, dual numbers {dual:e}", ours.number()));
            }
        }
    }
    Ok(())
}

/// Compares a tree; what differs, if something does.
fn compare(tree: &Tree, seed: u64) -> Result<Compared, String> {
    let (block, item, parameters) = tree.text();
    let (evaluations, _) = match derive_text(&block, &item) {
        Ok(derived) => derived,
        // A turn of a point, or of a body about two axes that are one, moves nothing.
        Err(refused)
            if ["MotionWithoutInertia", "ForceOnNothing"].iter().any(|name| refused.detail.starts_with(name)) =>
        {
            return Ok(Compared::default());
        }
        Err(refused) => return Err(refused.detail),
    };
    let mut compared = Compared::default();
    let n = tree.coordinates;
    let mut random = Random::new(seed ^ 0xb0d1);
    let mut numbers = |size: f64| -> Vec<f64> { (0..n).map(|_| random.between(-size, size)).collect() };
    let (q, v, a, t) = (numbers(2.0), numbers(2.0), numbers(3.0), 0.7);
    let arguments = |further| Arguments { t, q: &q, v: &v, u: &[], parameters: &parameters, further, multipliers: &[] };
    let interpreter = Interpreter::new(&evaluations, &arguments(&[]));
    let run = |routine, further| -> Vec<Slot> { interpreter.run(routine, &arguments(further)) };
    if let Some(routine) = &evaluations.residual {
        compared.residual = true;
        for (i, (ours, [value, bound])) in run(routine, &a).into_iter().zip(tree.residual(&q, &v, &a, t)).enumerate() {
            let ours = ours.number();
            let error = (ours - value).abs();
            if error.is_nan() || error > TOLERANCE * bound {
                return Err(format!("residual[{i}]: derived {ours:e}, independent {value:e}, bound {bound:e}"));
            }
        }
    }
    if let (Some(residual), Some(maps)) = (&evaluations.residual, &evaluations.residual_slopes) {
        compared.slopes = true;
        compare_slopes(&interpreter, &evaluations, (residual, maps), &arguments(&a), &mut random)?;
    }
    let Some(routine) = &evaluations.acceleration else { return Ok(compared) };
    let outputs = run(routine, &[]);
    if outputs[n].mask() {
        compared.acceleration = true;
        // With pivots that are 0 nothing is a number.
        if let Some(solution) = &evaluations.solution {
            compare_inverse(&interpreter, solution, &arguments(&[]))?;
        }
        let solved: Vec<f64> = outputs[..n].iter().map(|slot| slot.number()).collect();
        for (i, [rest, bound]) in tree.residual(&q, &v, &solved, t).into_iter().enumerate() {
            // The elimination rounds too.
            if rest.is_nan() || rest.abs() > 10.0 * TOLERANCE * bound {
                return Err(format!("M a − F in row {i} is {rest:e}, bound {bound:e}"));
            }
        }
    }
    Ok(compared)
}

#[test]
fn trees_of_bodies_obey_the_principle_of_virtual_power() {
    let (count, first) = (super::setting("LAGRANGE_TREES", TREES), super::setting("LAGRANGE_SEED", 0));
    let (mut failures, mut residuals, mut slopes, mut accelerations) = (Vec::new(), 0, 0, 0);
    for seed in first..first + count {
        let tree = tree(seed);
        match compare(&tree, seed) {
            Ok(compared) => {
                residuals += u64::from(compared.residual);
                slopes += u64::from(compared.slopes);
                accelerations += u64::from(compared.acceleration);
            }
            Err(detail) => failures.push(format!(
                "seed {seed}: {detail}\n{}",
                if failures.is_empty() { tree.text().0 } else { String::new() }
            )),
        }
    }
    let shown = failures.join("\n");
    assert!(failures.is_empty(), "{} of {count} trees differ\n{shown}", failures.len());
    // Small trees have their Jacobians written out, and some have singular states.
    assert!(
        3 * residuals > count && 4 * slopes > count && 2 * accelerations > count,
        "{residuals} residuals, {slopes} slopes, {accelerations} accelerations"
    );
}

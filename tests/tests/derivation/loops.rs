//! Random trees of bodies in space with closed loops against the principle of virtual power with multipliers, and the derivatives of
//! accelerations and multipliers against dual numbers. The rows of constraints are differentiated here by the motion of each body in space.
//!
//! `LAGRANGE_TREES` raises the number of trees, `LAGRANGE_SEED` sets the first seed.

use super::bodies::{SLOPE_TOLERANCE, TOLERANCE, Tree, Varied, tree, tree_with_balls, vector};
use super::compare::derive_text;
use super::interpret::{Arguments, Interpreter, Slot};
use super::linear;
use super::moving::{Motion, Vector, cross, dot, length, scaled, sum, times, unit};
use lagrange_symbolic::program::{Evaluations, LinearMap, Routine};
use lagrange_tests::random::Random;
use std::fmt::Write as _;

/// How many trees are compared.
const TREES: u64 = 60;

/// What closes a loop.
#[derive(Clone, Debug)]
enum Loop {
    /// A point of one body is a point of another one, or moves with one in space by sin t.
    Joined(usize, Vector, Option<usize>, Vector),
    /// Two points keep their distance.
    Distance(usize, Vector, usize, Vector),
    /// An axis of one body is perpendicular to an axis of another one.
    Perpendicular(usize, usize, usize, usize),
    /// The height of a point is a multiple of a coordinate.
    Height(usize, Vector, usize),
    /// The height of a point changes at the rate of a coordinate, and with the time.
    Rolling(usize, Vector, usize),
    /// A relation of two coordinates and the time.
    Geared(usize, usize),
    /// The length of a quaternion is 1.
    Unit(usize),
}

#[derive(Clone, Debug)]
struct Closed {
    tree: Tree,
    loops: Vec<Loop>,
}

/// A row of a constraint at a motion: φ̇, φ̈, and the sum of the magnitudes of the terms of φ̈.
type RowMotion = [f64; 3];

impl Loop {
    fn text(&self, k: usize) -> String {
        let point = |body: usize, at: &Vector| {
            let at = at.map(|entry| if entry < 0.0 { format!("(-{:?})", -entry) } else { format!("{entry:?}") });
            format!("x{body} + r{body}*[{}]", at.join(", "))
        };
        let axis = |body: usize, k: usize| format!("r{body}*[{}]", unit(k).map(|x| format!("{x}")).join(", "));
        match self {
            Self::Joined(a, at, Some(b), there) => {
                format!("constraint loop{k}: {} == {};", point(*a, at), point(*b, there))
            }
            Self::Joined(a, at, None, there) => {
                let there = there.map(|entry| format!("{entry:?} + sin(t)/4"));
                format!("constraint loop{k}: {} == [{}];", point(*a, at), there.join(", "))
            }
            Self::Distance(a, at, b, there) => {
                format!("constraint loop{k}: norm2({} - ({})) == 2;", point(*a, at), point(*b, there))
            }
            Self::Perpendicular(a, i, b, j) => {
                format!("constraint loop{k}: inner({}, {}) == 0;", axis(*a, *i), axis(*b, *j))
            }
            Self::Height(a, at, q) => format!("constraint loop{k}: ({})[2] == q[{q}]/2;", point(*a, at)),
            Self::Rolling(a, at, q) => {
                format!("nonholonomic loop{k}: dot({})[2] == dot(q[{q}])/3 + cos(t);", point(*a, at))
            }
            Self::Geared(i, j) => format!("constraint loop{k}: q[{i}] + q[{j}]*t == sin(q[{j}]);"),
            Self::Unit(i) => {
                let entries = [0, 1, 2, 3].map(|j| format!("q[{}]", i + j));
                format!("constraint loop{k}: norm2([{}]) == 1;", entries.join(", "))
            }
        }
    }

    fn rows(&self) -> usize {
        if matches!(self, Self::Joined(..)) { 3 } else { 1 }
    }

    /// The rows at a motion. With `is_unit` the velocities are one direction of the coordinates, and what depends on time is left out.
    fn at(&self, motions: &[Motion], (q, v, a): (&[f64], &[f64], &[f64]), t: f64, is_unit: bool) -> Vec<RowMotion> {
        let size = |body: usize, at: Vector| {
            let motion = &motions[body];
            let lever = length(at);
            length(motion.at(at)[2]) + motion.swung + (length(motion.alpha) + dot(motion.omega, motion.omega)) * lever
        };
        match self {
            Self::Joined(first, at, second, there) => {
                let one = motions[*first].at(*at);
                let (velocity, acceleration, other) = match second {
                    Some(body) => {
                        let other = motions[*body].at(*there);
                        (other[1], other[2], size(*body, *there))
                    }
                    None if is_unit => ([0.0; 3], [0.0; 3], 0.0),
                    None => ([t.cos() / 4.0; 3], [-t.sin() / 4.0; 3], 0.25),
                };
                let size = size(*first, *at) + other;
                (0..3).map(|k| [one[1][k] - velocity[k], one[2][k] - acceleration[k], size]).collect()
            }
            Self::Distance(first, at, second, there) => {
                let (one, other) = (motions[*first].at(*at), motions[*second].at(*there));
                let [apart, rate, second_rate] = [0, 1, 2].map(|k| sum(one[k], scaled(other[k], -1.0)));
                let sizes = length(one[0]) + length(other[0]);
                let size = 2.0 * (sizes * (size(*first, *at) + size(*second, *there)) + dot(rate, rate));
                vec![[2.0 * dot(apart, rate), 2.0 * (dot(apart, second_rate) + dot(rate, rate)), size]]
            }
            Self::Perpendicular(first, i, second, j) => {
                let turned = |body: usize, k: usize| -> [Vector; 3] {
                    let Motion { axes, omega, alpha, .. } = &motions[body];
                    let axis = times(*axes, unit(k));
                    let rate = cross(*omega, axis);
                    [axis, rate, sum(cross(*alpha, axis), cross(*omega, rate))]
                };
                let (one, other) = (turned(*first, *i), turned(*second, *j));
                let rate = dot(one[1], other[0]) + dot(one[0], other[1]);
                let second_rate = dot(one[2], other[0]) + 2.0 * dot(one[1], other[1]) + dot(one[0], other[2]);
                let parts = |body: usize| {
                    motions[body].swung + length(motions[body].alpha) + dot(motions[body].omega, motions[body].omega)
                };
                vec![[rate, second_rate, 4.0 * (parts(*first) + parts(*second))]]
            }
            Self::Height(body, at, q) => {
                let moved = motions[*body].at(*at);
                vec![[moved[1][2] - v[*q] / 2.0, moved[2][2] - a[*q] / 2.0, size(*body, *at) + a[*q].abs()]]
            }
            Self::Rolling(body, at, q) => {
                let moved = motions[*body].at(*at);
                let (cosine, sine) = if is_unit { (0.0, 0.0) } else { (t.cos(), t.sin()) };
                let size = size(*body, *at) + a[*q].abs() + 1.0;
                vec![[moved[1][2] - v[*q] / 3.0 - cosine, moved[2][2] - a[*q] / 3.0 + sine, size]]
            }
            Self::Unit(i) => {
                let inner =
                    |a: &[f64], b: &[f64]| (*i..i + 4).map(|k| a[k] * b[k]).fold(0.0_f64, |sum, part| sum + part);
                let second = 2.0 * (inner(q, a) + inner(v, v));
                vec![[2.0 * inner(q, v), second, 2.0 * (inner(q, q) * inner(a, a)).sqrt() + 2.0 * inner(v, v)]]
            }
            Self::Geared(i, j) => {
                let (place, along) = (q[*j], if is_unit { 0.0 } else { 1.0 });
                let (sine, cosine) = place.sin_cos();
                let rate = v[*i] + v[*j] * (t - cosine) + place * along;
                let second = a[*i] + a[*j] * (t - cosine) + v[*j] * (2.0 * along + v[*j] * sine);
                let size = a[*i].abs() + 2.0 * a[*j].abs() + v[*j].abs() * (2.0 + v[*j].abs());
                vec![[rate, second, size + place.abs()]]
            }
        }
    }
}

impl Closed {
    /// A tree with loops, of which there are few enough to leave it free to move.
    fn random(seed: u64) -> Self {
        let tree = if seed.is_multiple_of(2) { tree(seed) } else { tree_with_balls(seed) };
        let mut random = Random::new(seed ^ 0x100f);
        let count = tree.bodies.len();
        let mut loops: Vec<Loop> = Vec::new();
        let wanted = 1 + random.below(if count > 6 { 4 } else { 2 });
        for _ in 0..wanted {
            let body = |random: &mut Random| random.below(count);
            // Leaves close longer loops.
            let first = count - 1 - random.below(count.div_ceil(2));
            let point = |random: &mut Random| vector(random, 0.5);
            let next = match random.below(7) {
                0 | 1 => {
                    let second = (count > 2 && !random.once_in(3)).then(|| body(&mut random));
                    Loop::Joined(first, point(&mut random), second, point(&mut random))
                }
                2 => Loop::Distance(first, point(&mut random), body(&mut random), point(&mut random)),
                3 => Loop::Perpendicular(first, random.below(3), body(&mut random), random.below(3)),
                4 => Loop::Height(first, point(&mut random), random.below(tree.coordinates)),
                5 => Loop::Rolling(first, point(&mut random), random.below(tree.coordinates)),
                _ => Loop::Geared(random.below(tree.coordinates), random.below(tree.coordinates)),
            };
            let rows: usize = loops.iter().chain([&next]).map(Loop::rows).sum();
            let is_own = matches!(&next, Loop::Geared(i, j) if i == j)
                || matches!(&next, Loop::Joined(a, _, Some(b), _) | Loop::Distance(a, _, b, _) | Loop::Perpendicular(a, _, b, _) if a == b);
            if !is_own && rows < tree.coordinates {
                loops.push(next);
            }
        }
        loops.extend(tree.balls().map(Loop::Unit));
        // Rates come after positions in the order of λ.
        loops.sort_by_key(|row| matches!(row, Loop::Rolling(..)));
        Self { tree, loops }
    }

    fn rows(&self) -> usize {
        self.loops.iter().map(Loop::rows).sum()
    }

    fn text(&self) -> (String, String, Vec<f64>) {
        let (mut block, item, values) = self.tree.text();
        for (k, closed) in self.loops.iter().enumerate() {
            writeln!(block, "{}", closed.text(k)).expect("a string takes text");
        }
        (block, item, values)
    }

    /// φ̇, φ̈ and its size, row by row.
    fn moved(&self, q: &[f64], v: &[f64], a: &[f64], t: f64) -> Vec<RowMotion> {
        let motions = self.tree.motion(q, v, a);
        self.loops.iter().flat_map(|closed| closed.at(&motions, (q, v, a), t, false)).collect()
    }

    /// G, row by row.
    fn jacobian(&self, q: &[f64], t: f64) -> Vec<Vec<f64>> {
        let n = self.tree.coordinates;
        let mut rows = vec![Vec::new(); self.rows()];
        let rest = vec![0.0; n];
        for i in 0..n {
            let along: Vec<f64> = (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect();
            let motions = self.tree.motion(q, &along, &rest);
            let column = self.loops.iter().flat_map(|closed| closed.at(&motions, (q, &along, &rest), t, true));
            rows.iter_mut().zip(column).for_each(|(row, moved): (&mut Vec<f64>, RowMotion)| row.push(moved[0]));
        }
        rows
    }

    /// M a − F − Gᵀλ, then G a + γ, each with the sum of the magnitudes of its terms.
    fn residual(&self, q: &[f64], v: &[f64], (a, multipliers): (&[f64], &[f64]), t: f64) -> Vec<[f64; 2]> {
        let mut rows = self.tree.residual(q, v, a, t);
        for (row, &multiplier) in self.jacobian(q, t).iter().zip(multipliers) {
            for (upper, &entry) in rows.iter_mut().zip(row) {
                upper[0] -= entry * multiplier;
                // An entry is a sum of levers, of which some can cancel.
                upper[1] += (entry.abs() + 4.0) * multiplier.abs();
            }
        }
        rows.extend(self.moved(q, v, a, t).into_iter().map(|[_, second, size]| [second, size]));
        rows
    }

    /// a and λ by the whole matrix, formed column by column, and solved with pivots.
    fn solved(&self, q: &[f64], v: &[f64], t: f64) -> Option<Vec<f64>> {
        let (n, c) = (self.tree.coordinates, self.rows());
        let none = vec![0.0; n];
        let free = self.residual(q, v, (&none, &vec![0.0; c]), t);
        let jacobian = self.jacobian(q, t);
        let mut matrix = vec![vec![0.0; n + c]; n + c];
        for j in 0..n {
            let along: Vec<f64> = (0..n).map(|k| if k == j { 1.0 } else { 0.0 }).collect();
            let column = self.tree.residual(q, v, &along, t);
            for ((row, entry), rest) in matrix.iter_mut().zip(&column).zip(&free) {
                row[j] = entry[0] - rest[0];
            }
        }
        for (k, row) in jacobian.iter().enumerate() {
            for (i, &entry) in row.iter().enumerate() {
                matrix[n + k][i] = entry;
                matrix[i][n + k] = -entry;
            }
        }
        let right: Vec<f64> = free.iter().map(|row| -row[0]).collect();
        linear::solve(&matrix, &right)
    }
}

/// What of a tree was compared.
#[derive(Clone, Copy, Default)]
struct Compared {
    joined: bool,
    slopes: bool,
    acceleration: bool,
    derivatives: bool,
}

/// The outputs of a routine on numbers with their derivatives along a direction of (q, v, t).
fn by_duals(
    evaluations: &Evaluations,
    routine: &Routine,
    at: &Arguments<'_>,
    (along_q, along_v, along_t): (&[f64], &[f64], f64),
) -> Vec<Slot<Varied>> {
    let constant = |values: &[f64]| -> Vec<Varied> { values.iter().map(|&value| Varied::constant(value)).collect() };
    let varied = |values: &[f64], along: &[f64]| -> Vec<Varied> {
        values.iter().zip(along).map(|(&value, &along)| Varied { value, derivatives: [along] }).collect()
    };
    let (q, v) = (varied(at.q, along_q), varied(at.v, along_v));
    let (parameters, further, multipliers) = (constant(at.parameters), constant(at.further), constant(at.multipliers));
    let arguments = Arguments {
        t: Varied { value: at.t, derivatives: [along_t] },
        q: &q,
        v: &v,
        u: &[],
        parameters: &parameters,
        further: &further,
        multipliers: &multipliers,
    };
    Interpreter::new(evaluations, &arguments).run(routine, &arguments)
}

fn numbers(slots: Vec<Slot>) -> Vec<f64> {
    slots.into_iter().map(Slot::number).collect()
}

/// Compares two vectors by the largest entry of the second one.
fn close(what: &str, ours: &[f64], theirs: &[f64], tolerance: f64) -> Result<(), String> {
    let size = theirs.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
    for (i, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        let error = (ours - theirs).abs();
        if error.is_nan() || error > tolerance * size {
            return Err(format!("{what}[{i}]: {ours:e} instead of {theirs:e}, of {size:e}"));
        }
    }
    Ok(())
}

/// Compares rows with those of the principle of virtual power.
fn within(what: &str, ours: &[f64], theirs: &[[f64; 2]], tolerance: f64) -> Result<(), String> {
    for (i, (ours, [value, bound])) in ours.iter().zip(theirs).enumerate() {
        let error = (ours - value).abs();
        if error.is_nan() || error > tolerance * bound {
            return Err(format!("{what}[{i}]: derived {ours:e}, independent {value:e}, bound {bound:e}"));
        }
    }
    Ok(())
}

/// Compares a closed tree; what differs, if something does.
fn compare(closed: &Closed, seed: u64) -> Result<Compared, String> {
    let (block, item, parameters) = closed.text();
    let (evaluations, _) = match derive_text(&block, &item) {
        Ok(derived) => derived,
        // A row that nothing moves, rows that say the same, and M that only the loops make regular, which is written out.
        Err(refused)
            if [
                "MotionWithoutInertia",
                "ForceOnNothing",
                "RedundantConstraints",
                "ConstraintOnNothing",
                "FixedRow",
                "TooLarge",
            ]
            .iter()
            .any(|name| refused.detail.starts_with(name)) =>
        {
            return Ok(Compared::default());
        }
        Err(refused) => return Err(refused.detail),
    };
    let mut compared = Compared::default();
    let (n, c) = (closed.tree.coordinates, closed.rows());
    let mut random = Random::new(seed ^ 0xb0d1);
    let mut draw = |count: usize, size: f64| -> Vec<f64> { (0..count).map(|_| random.between(-size, size)).collect() };
    let (q, v, a, multipliers, t) = (draw(n, 2.0), draw(n, 2.0), draw(n, 3.0), draw(c, 3.0), 0.7);
    let directions = [draw(n, 1.0), draw(n, 1.0), draw(1, 1.0)];
    let none = vec![0.0; c];
    let state = Arguments { t, q: &q, v: &v, u: &[], parameters: &parameters, further: &[], multipliers: &none };
    let interpreter = Interpreter::new(&evaluations, &state);
    let run = |routine: &Routine, further: &[f64], multipliers: &[f64]| {
        interpreter.run(routine, &Arguments { further, multipliers, ..state })
    };

    let hidden = evaluations.constraint_hidden.as_ref().ok_or("no constraint")?;
    let hidden = numbers(run(hidden, &[], &multipliers));
    let moved = closed.moved(&q, &v, &vec![0.0; n], t);
    let rates: Vec<[f64; 2]> = moved.iter().map(|[rate, _, size]| [*rate, *size + rate.abs()]).collect();
    within("rate", &hidden[..c], &rates, TOLERANCE)?;
    let curvature: Vec<[f64; 2]> = moved.iter().map(|[_, second, size]| [*second, *size]).collect();
    within("curvature", &hidden[c..2 * c], &curvature, TOLERANCE)?;

    if let Some(routine) = &evaluations.joined_residual {
        compared.joined = true;
        let theirs = closed.residual(&q, &v, (&a, &multipliers), t);
        within("residual", &numbers(run(routine, &a, &multipliers)), &theirs, TOLERANCE)?;
    }
    let zeros = vec![0.0; n];
    let along =
        [(&directions[0][..], &zeros[..], 0.0), (&zeros, &directions[1], 0.0), (&zeros, &zeros, directions[2][0])];
    if let (Some(joined), Some(maps)) = (&evaluations.joined_residual, &evaluations.residual_slopes) {
        compared.slopes = true;
        for ((by, map), (direction, along)) in ["q", "v", "t"].iter().zip(maps).zip(directions.iter().zip(along)) {
            let duals =
                by_duals(&evaluations, joined, &Arguments { further: &a, multipliers: &multipliers, ..state }, along);
            let duals: Vec<f64> = duals.into_iter().map(|slot| slot.number().derivatives[0]).collect();
            let further = [&a[..], direction].concat();
            let arguments = Arguments { further: &further, multipliers: &multipliers, ..state };
            let ours = numbers(interpreter.run_map(map, &arguments));
            close(&format!("slope by {by}"), &ours, &duals, SLOPE_TOLERANCE)?;
        }
    }
    let Some(routine) = &evaluations.acceleration else { return Ok(compared) };
    let outputs = run(routine, &[], &none);
    if !outputs[n + c].mask() {
        return Ok(compared);
    }
    compared.acceleration = true;
    let solved = numbers(outputs[..n + c].to_vec());
    // The elimination rounds too.
    let rest = closed.residual(&q, &v, solved.split_at(n), t);
    let vanishing: Vec<f64> = vec![0.0; n + c];
    within("M a − F − Gᵀλ, G a + γ", &vanishing, &rest, 10.0 * TOLERANCE)?;
    let whole = closed.solved(&q, &v, t).ok_or("the whole matrix is singular")?;
    close("a and λ", &solved, &whole, 1e-8)?;
    let (Some(solution), Some(maps)) = (&evaluations.solution, &evaluations.residual_slopes) else {
        return Ok(compared);
    };
    compared.derivatives = true;
    derivatives(&interpreter, &evaluations, (routine, solution, maps), (&state, &solved), &directions, along)?;
    Ok(compared)
}

/// Compares the derivatives of a and λ with those of dual numbers that pass through the whole solution.
fn derivatives(
    interpreter: &Interpreter<'_>,
    evaluations: &Evaluations,
    (routine, solution, maps): (&Routine, &LinearMap, &[LinearMap; 3]),
    (at, solved): (&Arguments<'_>, &[f64]),
    directions: &[Vec<f64>; 3],
    along: [(&[f64], &[f64], f64); 3],
) -> Result<(), String> {
    let n = at.q.len();
    let (a, multipliers) = solved.split_at(n);
    for ((by, map), (direction, along)) in ["q", "v", "t"].iter().zip(maps).zip(directions.iter().zip(along)) {
        let further = [a, &direction[..]].concat();
        let slopes = interpreter.run_map(map, &Arguments { further: &further, multipliers, ..*at });
        let right: Vec<f64> = numbers(slopes).into_iter().map(|slope| -slope).collect();
        let (upper, lower) = right.split_at(n);
        let ours = numbers(interpreter.run_map(solution, &Arguments { further: upper, multipliers: lower, ..*at }));
        let duals = by_duals(evaluations, routine, at, along);
        let duals: Vec<f64> = duals[..solved.len()].iter().map(|slot| slot.number().derivatives[0]).collect();
        close(&format!("derivative by {by}"), &ours, &duals, 1e-7)?;
    }
    Ok(())
}

#[test]
fn closed_trees_of_bodies_obey_the_principle_of_virtual_power() {
    let (count, first) = (super::setting("LAGRANGE_TREES", TREES), super::setting("LAGRANGE_SEED", 0));
    let (mut failures, mut found) = (Vec::new(), [0; 4]);
    for seed in first..first + count {
        let closed = Closed::random(seed);
        if closed.loops.is_empty() {
            continue;
        }
        match compare(&closed, seed) {
            Ok(Compared { joined, slopes, acceleration, derivatives }) => {
                for (found, is_compared) in found.iter_mut().zip([joined, slopes, acceleration, derivatives]) {
                    *found += u64::from(is_compared);
                }
            }
            Err(detail) => failures.push(format!(
                "seed {seed}: {detail}\n{}",
                if failures.is_empty() { closed.text().0 } else { String::new() }
            )),
        }
    }
    let shown = failures.join("\n");
    assert!(failures.is_empty(), "{} of {count} trees differ, compared: {found:?}\n{shown}", failures.len());
    // Small trees have their equations written out, and some have singular states.
    let least = [6, 8, 2, 8].map(|part| count / part);
    assert!(found.iter().zip(least).all(|(found, least)| *found >= least), "compared: {found:?} of {count}");
}

//! Random trees of bodies in space with a contact of one point and its slip, against the principle of virtual power: M, F, the rates of the gap and of
//! the slip, their directions, and their second rates at a = 0, from the motion of each body in space. Half of the trees have spherical joints by quaternions.

use super::bodies::{TOLERANCE, Tree, tree, tree_with_balls, vector};
use super::compare::derive_text;
use super::interpret::{Arguments, Interpreter, Slot};
use super::moving::{Vector, length};
use lagrange_symbolic::program::Part;
use lagrange_tests::random::Random;
use std::fmt::Write as _;

/// How many trees are compared.
const TREES: u64 = 30;

/// Compares a tree whose body touches with a point. Whether it was compared.
fn compare(tree: &Tree, (body, at): (usize, Vector), seed: u64) -> Result<bool, String> {
    let (mut block, item, parameters) = tree.text();
    for (k, ball) in tree.balls().enumerate() {
        let entries = [0, 1, 2, 3].map(|i| format!("q[{}]", ball + i)).join(", ");
        writeln!(block, "constraint unit{k}: norm2([{entries}]) == 1;").expect("a string takes text");
    }
    let point = at.map(|entry| if entry < 0.0 { format!("(-{:?})", -entry) } else { format!("{entry:?}") }).join(", ");
    writeln!(block, "let tip = x{body} + r{body}*[{point}];").expect("a string takes text");
    block += "contact floor: tip[2] >= sin(t)/4, slip = tip[0] - tip[1]/2, friction = 1/3;";
    let (evaluations, _) = match derive_text(&block, &item) {
        Ok(derived) => derived,
        // A point that nothing moves, and turns of points.
        Err(refused)
            if ["MotionWithoutInertia", "ForceOnNothing", "ContactOnNothing", "SlipOnNothing", "Unmoved"]
                .iter()
                .any(|name| refused.detail.starts_with(name)) =>
        {
            return Ok(false);
        }
        Err(refused) => return Err(refused.detail),
    };
    let n = tree.coordinates;
    let mut random = Random::new(seed ^ 0x70c4);
    let mut draw = |size: f64| -> Vec<f64> { (0..n).map(|_| random.between(-size, size)).collect() };
    let (q, v, a, t) = (draw(2.0), draw(2.0), draw(3.0), 0.7_f64);
    let none = vec![0.0; tree.balls().count()];
    let arguments = Arguments { t, q: &q, v: &v, u: &[], parameters: &parameters, further: &[], multipliers: &none };
    let routine = evaluations.contacts.as_ref().ok_or("no contact")?;
    let outputs: Vec<Slot> = Interpreter::new(&evaluations, &arguments).run(routine, &arguments);
    let part = |part: Part| -> Vec<f64> { routine.layout.range(part).map(|i| outputs[i].number()).collect() };
    let (mass, forcing) = (part(Part::Mass), part(Part::Forcing));
    let within = |what: &str, ours: f64, theirs: f64, size: f64| -> Result<(), String> {
        let error = (ours - theirs).abs();
        match error.is_nan() || error > TOLERANCE * size {
            true => Err(format!("{what}: derived {ours:e}, independent {theirs:e}, of {size:e}")),
            false => Ok(()),
        }
    };
    for (i, [theirs, size]) in tree.residual(&q, &v, &a, t).into_iter().enumerate() {
        let ours: f64 = (0..n).map(|j| mass[j * n + i] * a[j]).sum::<f64>() - forcing[i];
        let terms: f64 = (0..n).map(|j| (mass[j * n + i] * a[j]).abs()).sum();
        within(&format!("M a − F in row {i}"), ours, theirs, size + terms)?;
    }
    let rows = |moved: Vector| [moved[2], moved[0] - moved[1] / 2.0];
    let motion = |v: &[f64]| tree.motion(&q, v, &vec![0.0; n]).swap_remove(body);
    let moving = motion(&v);
    let [_, velocity, acceleration] = moving.at(at);
    let lever = length(moving.at(at)[0]) + 1.0;
    let size = moving.swung + (1.0 + length(moving.omega)).powi(2) * lever + length(acceleration);
    let drift = [t.cos() / 4.0, 0.0];
    let curvature = [t.sin() / 4.0, 0.0];
    for k in 0..2 {
        within(&format!("rate of row {k}"), part(Part::Rate)[k], rows(velocity)[k] - drift[k], size)?;
        within(&format!("curvature of row {k}"), part(Part::Curvature)[k], rows(acceleration)[k] + curvature[k], size)?;
        for i in 0..n {
            let unit: Vec<f64> = (0..n).map(|j| if j == i { 1.0 } else { 0.0 }).collect();
            let theirs = rows(motion(&unit).at(at)[1])[k];
            within(&format!("direction {i} of row {k}"), part(Part::Gradient)[k * n + i], theirs, 8.0 * lever)?;
        }
    }
    Ok(true)
}

#[test]
fn contacts_of_trees_obey_the_principle_of_virtual_power() {
    let (count, first) = (super::setting("LAGRANGE_TREES", TREES), super::setting("LAGRANGE_SEED", 0));
    let (mut failures, mut compared) = (Vec::new(), 0);
    for seed in first..first + count {
        let tree = if seed.is_multiple_of(2) { tree(seed) } else { tree_with_balls(seed) };
        let mut random = Random::new(seed ^ 0x70c5);
        let touching = (tree.bodies.len() - 1 - random.below(tree.bodies.len().div_ceil(2)), vector(&mut random, 0.5));
        match compare(&tree, touching, seed) {
            Ok(is_compared) => compared += u64::from(is_compared),
            Err(detail) => failures.push(format!(
                "seed {seed}: {detail}\n{}",
                if failures.is_empty() { tree.text().0 } else { String::new() }
            )),
        }
    }
    let shown = failures.join("\n");
    assert!(failures.is_empty(), "{} of {count} trees differ, {compared} compared\n{shown}", failures.len());
    assert!(2 * compared > count, "{compared} of {count} compared");
}

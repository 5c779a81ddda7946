//! Random mechanisms with coordinates without inertia. The reference takes their velocities from its own rows of M a = F, which
//! are affine in them: it evaluates these rows at rest and at unit velocities, and solves in numbers.

use super::compare::derive;
use super::evaluate::{Context, Point};
use super::expressions::{Allowed, Writer};
use super::generate::{over, own_inertia, point, square, times};
use super::interpret::{Arguments, Interpreter, Slot};
use super::linear::{self, Matrix};
use super::reference::Rows;
use super::tree::{Energies, Expr, Force, Mechanism};
use lagrange_tests::random::Random;
use std::collections::BTreeSet;
use std::ops::Range;

/// How many mechanisms are compared.
const MECHANISMS: usize = 60;

/// Points at which a matrix has a larger condition number are not compared.
const LARGEST_CONDITION: f64 = 1e4;

/// How many mechanisms with a dissipation that is not quadratic are compared.
const NONLINEAR: usize = 20;

/// The mechanism of a seed, and how many of its coordinates have inertia. These are the first. `convex` asks for dissipation of higher
/// degree in the velocities of the others.
fn mechanism(seed: u64, convex: bool) -> (Mechanism, usize) {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9) ^ 0x1234);
    let (heavy, light) = (random.below(3), 1 + random.below(4));
    let coordinates = heavy + light;
    let explicit_time = random.once_in(3);
    let inputs = random.below(2);
    let mut w = Writer { random, coordinates, parameters: 4, inputs, explicit_time, lets: Vec::new() };
    let mut kinetic: Vec<Expr> = (0..heavy).map(|i| own_inertia(&mut w, i)).collect();
    if heavy > 1 {
        let pair = times(Expr::Velocity(0), Expr::Velocity(1));
        kinetic.push(over(times(w.bounded(1, Allowed::POSITION), pair), 9));
    }
    // Without dissipation of their own, the light coordinates need terms that are linear in their velocities.
    let resisted = convex || light % 2 == 1 || w.random.once_in(2);
    for _ in 0..w.random.below(3) {
        let i = w.random.below(coordinates);
        kinetic.push(over(times(w.bounded(2, Allowed::POSITION), Expr::Velocity(i)), 2));
    }
    let mut dissipation = Vec::new();
    for i in heavy..coordinates {
        if resisted {
            let factor = w.positive(1, Allowed::POSITION);
            dissipation.push(over(times(factor, square(Expr::Velocity(i))), 2));
        } else {
            let partner = heavy + (i - heavy + 1) % light;
            let factor = w.leaf_parameter();
            kinetic.push(times(factor, times(Expr::Coordinate(partner), Expr::Velocity(i))));
            kinetic.push(over(times(square(Expr::Coordinate(i)), Expr::Velocity(partner)), 2 + i as i64));
        }
    }
    for _ in 0..w.random.below(3) {
        let (i, j) = (w.random.below(coordinates), w.random.below(coordinates));
        let slip = Expr::Subtract(Box::new(Expr::Velocity(i)), Box::new(Expr::Velocity(j)));
        dissipation.push(over(times(w.leaf_parameter(), square(slip)), 2));
    }
    for _ in 0..if convex { 1 + w.random.below(3) } else { 0 } {
        let (i, j) = (heavy + w.random.below(light), w.random.below(coordinates));
        let slip = match w.random.below(3) {
            0 => Expr::Velocity(i),
            _ if i == j => times(Expr::Number(3, 2), Expr::Velocity(i)),
            _ => Expr::Subtract(Box::new(Expr::Velocity(i)), Box::new(Expr::Velocity(j))),
        };
        let power = match w.random.below(4) {
            0 => Expr::Power(Box::new(slip), 4, 1),
            1 => Expr::Power(Box::new(Expr::Call("abs", vec![slip])), 3, 1),
            2 => Expr::Power(Box::new(Expr::Call("abs", vec![slip])), 5, 2),
            _ => Expr::Call("cosh", vec![slip]),
        };
        dissipation.push(over(times(w.leaf_parameter(), power), 3));
    }
    let potential = (0..1 + w.random.below(2)).map(|_| w.expression(2, Allowed::POSITION.with_inputs())).collect();
    let mut forces = Vec::new();
    for _ in 0..w.random.below(3) {
        let [own, other] = [(); 2].map(|()| Expr::Coordinate(w.random.below(coordinates)));
        let acts_on = match w.random.below(3) {
            0 => times(w.positive(1, Allowed::POSITION), own),
            1 => Expr::Subtract(Box::new(times(own, Expr::Number(2, 1))), Box::new(other)),
            _ => own,
        };
        let drag = times(w.leaf_parameter(), over(Expr::Velocity(w.random.below(coordinates)), 8));
        let rest = w.bounded(2, Allowed::POSITION.with_inputs());
        // Such a force need not be a resistance, under which the rates would be unique.
        let right = if convex { rest } else { Expr::Subtract(Box::new(rest), Box::new(drag)) };
        forces.push(Force::Scalar(acts_on, right));
    }
    let energies = Energies::Apart(kinetic, potential);
    let mechanism = Mechanism {
        arrays: false,
        coordinates,
        parameters: 4,
        inputs,
        lets: Vec::new(),
        energies,
        dissipation,
        forces,
    };
    (mechanism, heavy)
}

/// A⁻¹ x; `None` where A is nearly singular.
fn solved(matrix: &Matrix, right: &[f64]) -> Option<Vec<f64>> {
    if matrix.is_empty() {
        return Some(Vec::new());
    }
    let inverse = linear::inverse(matrix)?;
    let well = linear::norm(&inverse) * linear::norm(matrix) < LARGEST_CONDITION;
    well.then(|| linear::times(&inverse, right))
}

/// The point with the velocities of the light coordinates that solve their rows.
pub(crate) fn with_rates(mechanism: &Mechanism, light: Range<usize>, point: &Point, convex: bool) -> Option<Point> {
    let count = light.len();
    if count == 0 {
        return Some(point.clone());
    }
    let rows = |rates: &[f64]| {
        let mut at = point.clone();
        at.v[light.clone()].copy_from_slice(rates);
        let rows = Rows::at(mechanism, &at)?;
        Some(rows.forcing[light.clone()].iter().map(|row| row.value).collect::<Vec<f64>>())
    };
    let change = |from: &[f64], residual: &[f64], width: f64| {
        let mut matrix = vec![vec![0.0; count]; count];
        for j in 0..count {
            let mut moved = from.to_vec();
            moved[j] += width;
            for (row, (moved, rest)) in matrix.iter_mut().zip(rows(&moved)?.iter().zip(residual)) {
                row[j] = (rest - moved) / width;
            }
        }
        solved(&matrix, residual)
    };
    let mut rates = vec![0.0; count];
    let mut residual = rows(&rates)?;
    rates = change(&rates, &residual, 1.0)?;
    if convex {
        let size = |residual: &[f64]| residual.iter().map(|entry| entry * entry).sum::<f64>();
        rates = vec![0.0; count];
        for _ in 0..100 {
            let step = change(&rates, &residual, 1e-6)?;
            let moved = |halvings| -> Vec<f64> {
                rates.iter().zip(&step).map(|(rate, step)| rate + step * 0.5_f64.powi(halvings)).collect()
            };
            let lower = |moved: &Vec<f64>| rows(moved).filter(|moved| size(moved) < size(&residual));
            let Some((next, left)) = (0..40).find_map(|k| Some((moved(k), lower(&moved(k))?))) else { break };
            (rates, residual) = (next, left);
        }
        (size(&residual) < 1e-20).then_some(())?;
    }
    let mut found = point.clone();
    found.v[light].copy_from_slice(&rates);
    found.v.iter().all(|v| v.abs() < 1e3).then_some(found)
}

/// Compares a mechanism at a point. `None` where the point is not usable.
fn compare(mechanism: &Mechanism, heavy: usize, point: &Point, convex: bool) -> Option<Result<(), String>> {
    let n = mechanism.coordinates;
    let full = with_rates(mechanism, heavy..n, point, convex)?;
    let rows = Rows::at(mechanism, &full)?;
    let mass: Matrix =
        rows.mass[..heavy].iter().map(|row| row[..heavy].iter().map(|entry| entry.value).collect()).collect();
    let forcing: Vec<f64> = rows.forcing[..heavy].iter().map(|row| row.value).collect();
    let mut accelerations = solved(&mass, &forcing)?;
    accelerations.extend_from_slice(&full.v[heavy..]);
    let rest = vec![super::bounded::Bounded::ZERO; full.variables()];
    let momentum: Vec<f64> = (0..n)
        .map(|i| {
            let along = full.along(n + i);
            Context::new(mechanism, &full, [&along, &rest, &rest]).lagrangian().0[1].value
        })
        .collect();
    let context = Context::new(mechanism, &full, [&rest, &rest, &rest]);
    let lagrangian = context.lagrangian().0[0];
    let (kinetic, potential) = context.energies()?;
    let energy = momentum.iter().zip(&full.v).map(|(p, v)| p * v).sum::<f64>() - lagrangian.value;
    let powers = rows.powers(&full);

    let (evaluations, _) = match derive(mechanism) {
        Ok(derived) => derived,
        // Some expressions jump, and no energy may.
        Err(difference) if super::is_jump(&difference.detail) => return None,
        Err(difference) => return Some(Err(format!("{}: {}", difference.quantity, difference.detail))),
    };
    // The values of the light coordinates stand among the velocities.
    let mut v = full.v[..heavy].to_vec();
    v.extend_from_slice(&full.q[heavy..]);
    let mut q = full.q[..heavy].to_vec();
    q.resize(n, 77.0);
    let (t, u, parameters) = (full.t, &full.u[..], &full.parameters[..]);
    let arguments = Arguments { t, q: &q, v: &v, u, parameters, further: &[], multipliers: &[] };
    let interpreter = Interpreter::new(&evaluations, &arguments);
    let numbers =
        |slots: Vec<Slot>, count: usize| slots.into_iter().take(count).map(Slot::number).collect::<Vec<f64>>();
    let bounds = rows.forcing.iter().chain(&powers).map(|entry| entry.bound).fold(1.0 + lagrangian.bound, f64::max);
    let check = |name: &str, ours: &[f64], wanted: &[f64]| {
        let pairs = ours.iter().zip(wanted).enumerate();
        let worst = pairs.map(|(i, (a, b))| (i, (a - b).abs())).find(|(_, gap)| gap.is_nan() || *gap > 1e-9 * bounds);
        match worst {
            Some((i, _)) => Err(format!("{name}[{i}]: derived {:e}, independent {:e}", ours[i], wanted[i])),
            None if ours.len() == wanted.len() => Ok(()),
            None => Err(format!("{name}: {} derived, {} independent", ours.len(), wanted.len())),
        }
    };
    let run = |routine| interpreter.run(routine, &arguments);
    let balance = run(&evaluations.balance);
    let acceleration = evaluations.acceleration.as_ref().map(&run);
    Some((|| {
        let balance = numbers(balance, 2 * n);
        check("p", &balance[..heavy], &momentum[..heavy])?;
        let wanted: Vec<f64> = rows.balance[..heavy].iter().map(|row| row.value).collect();
        check("f", &balance[n..n + heavy], &wanted)?;
        check("rate", &balance[n + heavy..], &full.v[heavy..])?;
        let outputs = acceleration.ok_or("no acceleration")?;
        if outputs[n].mask() {
            check("a", &numbers(outputs, n), &accelerations)?;
        }
        let energies = numbers(run(&evaluations.energies), 3);
        check("energy", &energies, &[energy, kinetic.0[0].value, potential.0[0].value])?;
        let wanted: Vec<f64> = powers.iter().map(|power| power.value).collect();
        check("power", &numbers(run(&evaluations.powers), usize::MAX), &wanted)
    })())
}

/// Compares so many random mechanisms. Returns the numbers of coordinates with and without inertia that occur.
fn compare_all(count: usize, convex: bool) -> BTreeSet<(usize, usize)> {
    let (mut compared, mut shapes) = (0, BTreeSet::new());
    for seed in 0.. {
        let (mechanism, heavy) = mechanism(seed, convex);
        let result = (0..4).find_map(|k| compare(&mechanism, heavy, &point(&mechanism, seed * 4 + k), convex));
        match result {
            Some(Err(difference)) => panic!("seed {seed}: {difference}\n{mechanism}"),
            Some(Ok(())) => {
                compared += 1;
                shapes.insert((heavy, mechanism.coordinates - heavy));
            }
            None => {}
        }
        if compared == count {
            break;
        }
    }
    shapes
}

#[test]
fn random_mechanisms_without_inertia_agree_with_rates_that_are_solved_in_numbers() {
    let shapes = compare_all(MECHANISMS, false);
    assert_eq!(shapes.len(), 12, "{shapes:?}");
}

#[test]
fn random_convex_dissipation_gives_the_rates_that_an_iteration_finds() {
    let shapes = compare_all(NONLINEAR, true);
    assert!(shapes.len() > 9, "{shapes:?}");
}

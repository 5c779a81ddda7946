//! The Jacobian blocks of accelerations, multipliers and rates of random mechanisms along random directions, against the implicit
//! function theorem on jets.
//!
//! `LAGRANGE_BLOCKS` raises the number of mechanisms, `LAGRANGE_SEED` sets the first seed.

use super::bounded::Bounded;
use super::compare::{Difference, derive_text};
use super::evaluate::Point;
use super::generate;
use super::interpret::{Arguments, Interpreter, Slot};
use super::linear;
use super::reference::Row;
use super::variation::Variation;
use super::varied::Varied;
use lagrange_runtime::scalar::{Dual, Real, Scalar};
use lagrange_symbolic::program::{Evaluations, Part, Routine};
use lagrange_tests::random::Random;
use std::collections::BTreeMap;

/// How many mechanisms are compared.
const MECHANISMS: u64 = 60;

/// How many points are tried for one that is usable.
const POINTS: u64 = 4;

/// The blocks of derivatives.
const BLOCKS: [&str; 5] = ["q", "v", "t", "u", "parameters"];

/// Numbers with a derivative along one direction in each block.
type Along = Dual<f64, 5>;

/// Allowed difference in units of the running bound. Implicit rates are found by an iteration, whose last residual counts too.
fn tolerance(varied: &Varied) -> f64 {
    if varied.stated() == varied.heavy { super::compare::TOLERANCE } else { 1e-10 }
}

/// A direction in each block, by the variables of the reference.
struct Directions {
    /// The block of each variable; rates are no variables.
    block: Vec<Option<usize>>,
    size: Vec<f64>,
}

impl Directions {
    fn random(varied: &Varied, point: &Point, random: &mut Random) -> Self {
        let (n, heavy, time) = (point.q.len(), varied.heavy, point.time());
        let block = |z: usize| match z {
            _ if z < heavy => Some(0),
            // The values of states and of coordinates without inertia stand among the velocities.
            _ if z < n + heavy => Some(1),
            _ if z < time => None,
            _ if z == time => Some(2),
            _ if z <= time + point.u.len() => Some(3),
            _ => Some(4),
        };
        Self {
            block: (0..point.variables()).map(block).collect(),
            size: (0..point.variables()).map(|_| random.between(-1.5, 1.5)).collect(),
        }
    }

    fn seeded(&self, value: f64, variable: usize) -> Along {
        let mut number = Along::constant(value);
        if let Some(block) = self.block[variable] {
            number.derivatives[block] = self.size[variable];
        }
        number
    }

    /// The derivatives of the reference along the direction of a block.
    fn of(&self, variation: &Variation, block: usize) -> Row {
        (0..variation.solution.len())
            .map(|i| {
                let own = (0..self.block.len()).filter(|&z| self.block[z] == Some(block));
                own.map(|z| variation.by[z][i] * Bounded::leaf(self.size[z])).sum()
            })
            .collect()
    }
}

/// The arguments of ours, in any numbers.
struct Given<R> {
    t: R,
    q: Vec<R>,
    v: Vec<R>,
    u: Vec<R>,
    parameters: Vec<R>,
    a: Vec<R>,
    multipliers: Vec<R>,
}

impl<R: Real> Given<R> {
    fn new(varied: &Varied, variation: &Variation, seeded: impl Fn(f64, usize) -> R) -> Self {
        let point = &variation.point;
        let (n, heavy, time) = (point.q.len(), varied.heavy, point.time());
        let mut q: Vec<R> = (0..heavy).map(|i| seeded(point.q[i], i)).collect();
        // Nothing depends on a hidden coordinate.
        q.resize(n, R::from_f64(77.0));
        let mut v: Vec<R> = (0..heavy).map(|i| seeded(point.v[i], n + i)).collect();
        v.extend((heavy..n).map(|i| seeded(point.q[i], i)));
        let solution = variation.solution.iter().map(|entry| R::from_f64(entry.value));
        Self {
            t: seeded(point.t, time),
            q,
            v,
            u: point.u.iter().enumerate().map(|(i, &u)| seeded(u, time + 1 + i)).collect(),
            parameters: (0..).zip(&point.parameters).map(|(i, &p)| seeded(p, time + 1 + point.u.len() + i)).collect(),
            a: solution.clone().take(n).collect(),
            multipliers: solution.skip(n).collect(),
        }
    }

    fn arguments(&self) -> Arguments<'_, R> {
        Arguments {
            t: self.t,
            q: &self.q,
            v: &self.v,
            u: &self.u,
            parameters: &self.parameters,
            further: &self.a,
            multipliers: &self.multipliers,
        }
    }
}

/// A part of a routine's outputs.
fn part<R: Real>(routine: &Routine, outputs: &[Slot<R>], part: Part) -> Vec<R> {
    outputs[routine.layout.range(part)].iter().map(|slot| slot.number()).collect()
}

/// The equations of a and λ: the matrix [M −Gᵀ; G 0] and the right-hand side, with friction at the slip that the state has.
fn system<R: Real>(evaluations: &Evaluations, arguments: &Arguments<'_, R>) -> Option<(Vec<Vec<R>>, Vec<R>)> {
    let interpreter = Interpreter::new(evaluations, arguments);
    let n = arguments.q.len();
    let routine = evaluations.contacts.as_ref().or(evaluations.equations.as_ref())?;
    let outputs = interpreter.run(routine, arguments);
    let (mass, mut right) = (part(routine, &outputs, Part::Mass), part(routine, &outputs, Part::Forcing));
    let (rate, bound) = (part(routine, &outputs, Part::Rate), part(routine, &outputs, Part::Bound));
    let direction = part(routine, &outputs, Part::Gradient);
    for (k, (rate, bound)) in rate.iter().zip(&bound).enumerate() {
        for (i, entry) in right.iter_mut().enumerate() {
            *entry -= Scalar::sign(*rate) * *bound * direction[k * n + i];
        }
    }
    let (mut gradient, mut curvature) = (Vec::new(), Vec::new());
    if let (Some(rows), Some(hidden)) = (&evaluations.constraint, &evaluations.constraint_hidden) {
        gradient = part(rows, &interpreter.run(rows, arguments), Part::Gradient);
        curvature = part(hidden, &interpreter.run(hidden, arguments), Part::Curvature);
    }
    let c = curvature.len();
    right.extend(curvature.iter().map(|&entry| -entry));
    let entry = |i: usize, j: usize| match (i < n, j < n) {
        (true, true) => mass[j * n + i],
        (true, false) => -gradient[i * c + j - n],
        (false, true) => gradient[j * c + i - n],
        (false, false) => R::ZERO,
    };
    Some(((0..n + c).map(|i| (0..n + c).map(|j| entry(i, j)).collect()).collect(), right))
}

/// Compares values and derivatives, each with a name.
struct Comparison<'a> {
    varied: &'a Varied,
    variation: &'a Variation,
    directions: Directions,
    /// How often each quantity was compared.
    seen: &'a mut BTreeMap<String, u64>,
}

impl Comparison<'_> {
    fn rows(&mut self, name: &str, ours: &[f64], reference: &Row) -> Result<(), Difference> {
        for (i, (ours, reference)) in ours.iter().zip(reference).enumerate() {
            let Bounded { value, bound } = *reference;
            let excess = (ours - value).abs() - tolerance(self.varied) * bound;
            if excess.is_nan() || excess > 0.0 {
                let detail = format!("{name}[{i}]: derived {ours:e}, independent {value:e}, bound {bound:e}");
                return Err(Difference { quantity: name.to_owned(), detail });
            }
        }
        assert_eq!(ours.len(), reference.len(), "{name}");
        *self.seen.entry(name.to_owned()).or_default() += 1;
        Ok(())
    }

    /// Compares a solution in numbers with derivatives.
    fn duals(&mut self, name: &str, ours: &[Along]) -> Result<(), Difference> {
        let values: Vec<f64> = ours.iter().map(|entry| entry.value).collect();
        self.rows(&format!("{name}: value"), &values, &self.variation.solution)?;
        for (block, of) in BLOCKS.iter().enumerate() {
            let ours: Vec<f64> = ours.iter().map(|entry| entry.derivatives[block]).collect();
            self.rows(&format!("{name} by {of}"), &ours, &self.directions.of(self.variation, block))?;
        }
        Ok(())
    }

    /// Contracts columns by the variables of a block with its direction.
    fn contracted(&self, columns: &[f64], block: usize, height: usize) -> Vec<f64> {
        let n = self.variation.point.q.len();
        let mut variables: Vec<usize> =
            (0..self.directions.block.len()).filter(|&z| self.directions.block[z] == Some(block)).collect();
        if block == 1 {
            // Velocities, then the values that stand among them.
            variables.sort_by_key(|z| (z < &n, *z));
        }
        // Hidden coordinates have columns too, which vanish.
        let hidden = if block == 0 { n - self.varied.heavy } else { 0 };
        assert_eq!(columns.len(), (variables.len() + hidden) * height);
        assert!(columns[variables.len() * height..].iter().all(|&entry| entry == 0.0));
        let mut total = vec![0.0; height];
        for (&z, column) in variables.iter().zip(columns.chunks(height.max(1))) {
            total.iter_mut().zip(column).for_each(|(sum, entry)| *sum += entry * self.directions.size[z]);
        }
        total
    }
}

/// Compares all Jacobian blocks.
fn compare(
    varied: &Varied,
    variation: &Variation,
    evaluations: &Evaluations,
    seed: u64,
    seen: &mut BTreeMap<String, u64>,
) -> Result<(), Difference> {
    let mut random = Random::new(seed ^ 0xd1ce);
    let directions = Directions::random(varied, &variation.point, &mut random);
    let plain = Given::<f64>::new(varied, variation, |value, _| value);
    let along = Given::<Along>::new(varied, variation, |value, variable| directions.seeded(value, variable));
    let mut comparison = Comparison { varied, variation, directions, seen };
    let kind = if varied.frictions.is_empty() { "" } else { "friction, " };
    if let Some((matrix, right)) = system(evaluations, &along.arguments())
        && let Some(solution) = linear::solve(&matrix, &right)
    {
        comparison.duals(&format!("{kind}equations on duals"), &solution)?;
    }
    if !varied.frictions.is_empty() {
        return Ok(());
    }
    let height = variation.solution.len();
    if let Some(routine) = &evaluations.acceleration {
        let outputs = Interpreter::new(evaluations, &along.arguments()).run(routine, &along.arguments());
        if outputs[routine.layout.range(Part::Safe)].iter().all(|slot| slot.mask()) {
            let solution = [Part::Acceleration, Part::Multipliers].map(|of| part(routine, &outputs, of)).concat();
            comparison.duals("acceleration on duals", &solution)?;
        }
    }
    let by = [Part::ByQ, Part::ByV, Part::ByT, Part::ByU];
    let interpreter = Interpreter::new(evaluations, &plain.arguments());
    if let Some(routine) = &evaluations.acceleration_jacobian {
        let outputs = interpreter.run(routine, &plain.arguments());
        if outputs[routine.layout.range(Part::Safe)].iter().all(|slot| slot.mask()) {
            for (block, of) in by.into_iter().enumerate() {
                let ours = comparison.contracted(&part(routine, &outputs, of), block, height);
                let reference = comparison.directions.of(variation, block);
                comparison.rows(&format!("acceleration_jacobian by {}", BLOCKS[block]), &ours, &reference)?;
            }
        }
    }
    let Some((matrix, _)) = system(evaluations, &plain.arguments()) else { return Ok(()) };
    let mut solved = |name: &str, block: usize, columns: &[f64]| {
        let right: Vec<f64> = comparison.contracted(columns, block, height).iter().map(|entry| -entry).collect();
        let Some(ours) = linear::solve(&matrix, &right) else { return Ok(()) };
        let reference = comparison.directions.of(variation, block);
        comparison.rows(&format!("{name} by {}", BLOCKS[block]), &ours, &reference)
    };
    if let Some(routine) = &evaluations.residual_jacobian {
        let outputs = interpreter.run(routine, &plain.arguments());
        for (block, of) in by.into_iter().enumerate() {
            solved("residual_jacobian", block, &part(routine, &outputs, of))?;
        }
    }
    if let Some(routine) = &evaluations.residual_parameters {
        let outputs: Vec<f64> = interpreter.run(routine, &plain.arguments()).into_iter().map(Slot::number).collect();
        solved("residual_parameters", 4, &outputs)?;
    }
    Ok(())
}

/// Compares the mechanism of a seed. `None` where it has no usable point, or where an energy jumps.
fn outcome(seed: u64, seen: &mut BTreeMap<String, u64>) -> Option<Result<(), String>> {
    let varied = Varied::of(seed);
    let variation = (0..POINTS).find_map(|k| {
        let point = generate::point(&varied.mechanism, seed.wrapping_mul(POINTS).wrapping_add(k));
        Variation::at(&varied, &point)
    })?;
    let failed =
        |difference: Difference| format!("seed {seed}, {}: {}\n{varied}", difference.quantity, difference.detail);
    match derive_text(&varied.to_string(), &varied.mechanism.item()) {
        Err(difference) if super::is_jump(&difference.detail) => None,
        // Some forces switch with the slip, which is refused.
        Err(difference) if difference.detail.starts_with("FrictionShared") => None,
        Err(difference) => Some(Err(failed(difference))),
        Ok((evaluations, _)) => {
            let kinds = [
                ("with constraints", !varied.constraints.is_empty()),
                ("with states", !varied.states.is_empty()),
                ("with rates", varied.stated() > varied.heavy && !varied.implicit),
                ("with implicit rates", varied.implicit),
            ];
            for (kind, _) in kinds.into_iter().filter(|(_, holds)| *holds) {
                *seen.entry(kind.to_owned()).or_default() += 1;
            }
            Some(compare(&varied, &variation, &evaluations, seed, seen).map_err(failed))
        }
    }
}

#[test]
fn all_jacobian_blocks_agree_with_the_implicit_function_theorem() {
    let (count, first) = (super::setting("LAGRANGE_BLOCKS", MECHANISMS), super::setting("LAGRANGE_SEED", 0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let share = |offset: u64| {
        let (mut compared, mut failures, mut seen) = (0, Vec::new(), BTreeMap::new());
        for seed in (first + offset..).step_by(threads as usize) {
            match outcome(seed, &mut seen) {
                None => continue,
                Some(Ok(())) => {}
                Some(Err(failure)) => failures.push(failure),
            }
            compared += 1;
            if compared == count.div_ceil(threads) || failures.len() == 3 {
                return (compared, seed, failures, seen);
            }
        }
        unreachable!("there are always further seeds")
    };
    let shares: Vec<_> = std::thread::scope(|scope| {
        let share = &share;
        let workers: Vec<_> = (0..threads).map(|offset| scope.spawn(move || share(offset))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker ends")).collect()
    });
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for (name, times) in shares.iter().flat_map(|(.., seen)| seen) {
        *seen.entry(name.clone()).or_default() += times;
    }
    let compared: u64 = shares.iter().map(|(compared, ..)| compared).sum();
    let last = shares.iter().map(|(_, last, ..)| last).max();
    println!("{compared} mechanisms compared, seeds {first} to {last:?}: {seen:#?}");
    let failures: Vec<String> = shares.into_iter().flat_map(|(.., failures, _)| failures).collect();
    assert!(failures.is_empty(), "{} of {compared} mechanisms differ\n{}", failures.len(), failures.join("\n"));
    // Every kind of evaluation is compared in every block, and every kind of mechanism.
    assert_eq!(seen.len(), 6 * 3 + 4 * 2 + 1 + 4, "{seen:#?}");
}

//! What the code that Rust compiles computes, and how much roundings of its arguments change that.

use lagrange_runtime::change::Target;
use lagrange_runtime::prelude::*;

/// Arguments of all evaluations.
#[derive(Clone, Debug)]
pub(crate) struct Arguments {
    pub(crate) parameters: Vec<f64>,
    pub(crate) t: f64,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) u: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
}

impl Arguments {
    /// t, q, v, u and λ, one after the other.
    pub(crate) fn listed(&self) -> Vec<f64> {
        [&[self.t][..], &self.q, &self.v, &self.u, &self.multipliers].concat()
    }

    fn each(&mut self) -> impl Iterator<Item = &mut f64> {
        let lists = [&mut self.parameters, &mut self.q, &mut self.v, &mut self.u, &mut self.multipliers];
        lists.into_iter().flatten().chain([&mut self.t])
    }
}

/// The step of the method of Runge and Kutta that is compared.
pub(crate) const STEP: f64 = 1.0 / 64.0;

/// A compiled mechanism without its type.
pub(crate) trait Reference {
    /// Arguments with the published parameters, at a random place around the published state.
    fn arguments(&self, random: &mut Random) -> Arguments;

    /// The results of an evaluation, one after the other, matrices row by row. `None` where the exported evaluation has another meaning
    /// at these arguments.
    fn values(&self, evaluation: &str, at: &Arguments) -> Option<Vec<f64>>;
}

/// Returns the value of each result, and how much roundings change it. The change is the largest of two kinds of differences:
///
/// - Rounding of the arguments: the result at states whose arguments differ by at most one rounding, minus the value.
/// - Rounding inside the computation: second differences along lines of up to 10⁵ roundings of each argument. The slope cancels in a second
///   difference, and the curvature is far smaller than a rounding.
///
/// The first kind alone would miss rounding inside: near x = 0, cos x is the same number for all neighbours of x, and 1 − cos x would seem exact.
pub(crate) fn with_changes(
    reference: &dyn Reference,
    evaluation: &str,
    at: &Arguments,
    random: &mut Random,
) -> Option<Vec<(f64, f64)>> {
    let values = reference.values(evaluation, at)?;
    let mut changes = vec![0.0_f64; values.len()];
    for _ in 0..8 {
        let mut near = at.clone();
        for argument in near.each() {
            *argument *= 1.0 + f64::EPSILON * random.between(-1.0, 1.0).round();
        }
        let shifted = reference.values(evaluation, &near)?;
        for ((change, value), shifted) in changes.iter_mut().zip(&values).zip(&shifted) {
            *change = change.max((shifted - value).abs());
        }
    }
    for _ in 0..2 {
        // Nine states along a line.
        let mut shift = at.clone();
        shift.each().for_each(|x| *x = random.between(-16384.0, 16384.0).round() * 2.0 * rounding(*x));
        let mut line = Vec::with_capacity(9);
        for place in -4..=4 {
            let mut near = at.clone();
            near.each().zip(shift.each()).for_each(|(argument, shift)| *argument += f64::from(place) * *shift);
            line.push(reference.values(evaluation, &near)?);
        }
        for three in line.windows(3) {
            for (index, change) in changes.iter_mut().enumerate() {
                let [before, here, after] = [0, 1, 2].map(|place| three[place][index]);
                *change = change.max((after - here + (before - here)).abs());
            }
        }
    }
    Some(values.into_iter().zip(changes).collect())
}

/// The distance between a number and its neighbour in magnitude. Adding an even multiple of this distance is exact below the next power of two.
fn rounding(number: f64) -> f64 {
    f64::from_bits(number.to_bits() & f64::INFINITY.to_bits()) * f64::EPSILON
}

/// Random numbers that are the same in every run: Knuth's MMIX generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

struct Compiled<T, const N: usize, const C: usize, const U: usize> {
    mechanism: T,
    initial: State<f64, N>,
}

/// A mechanism with its published values and state.
pub(crate) fn reference<T: Mechanism<N, C, U> + Sync, const N: usize, const C: usize, const U: usize>(
    mechanism: T,
    initial: State<f64, N>,
) -> impl Reference + Sync {
    Compiled::<T, N, C, U> { mechanism, initial }
}

impl<T: Mechanism<N, C, U>, const N: usize, const C: usize, const U: usize> Reference for Compiled<T, N, C, U> {
    fn arguments(&self, random: &mut Random) -> Arguments {
        let Self { mechanism, initial } = self;
        let parameter = |name: &&str| mechanism.parameter(name).expect("a parameter of the mechanism");
        let mut around = |values: &[f64]| -> Vec<f64> {
            let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            let size = |value: f64| {
                if value != 0.0 {
                    value.abs()
                } else if largest > 0.0 {
                    largest
                } else {
                    1.0
                }
            };
            values.iter().map(|&value| value + size(value) * random.between(-0.5, 0.5)).collect()
        };
        let (q, v) = (around(initial.q.as_slice()), around(initial.v.as_slice()));
        let inputs: Vec<f64> = T::INPUTS.iter().map(parameter).collect();
        let u = around(&inputs);
        let multipliers = around(&[1.0; C]);
        let parameters = T::PARAMETERS.iter().map(parameter).collect();
        Arguments { parameters, t: random.between(0.0, 10.0), q, v, u, multipliers }
    }

    fn values(&self, evaluation: &str, at: &Arguments) -> Option<Vec<f64>> {
        let u = SVector::<f64, U>::from_column_slice(&at.u);
        let system = T::prepare_from::<f64>(&at.parameters, &u).expect("the published parameters are allowed");
        values(&system, evaluation, at)
    }
}

/// The entries of a matrix, row by row.
fn rows<const R: usize, const C: usize>(matrix: &SMatrix<f64, R, C>) -> Vec<f64> {
    (0..R).flat_map(|i| (0..C).map(move |j| matrix[(i, j)])).collect()
}

fn values<S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    evaluation: &str,
    at: &Arguments,
) -> Option<Vec<f64>>
where
    S: Linearise<f64, N, C, U> + Sensors<f64, N, U>,
{
    let t = at.t;
    let (q, v) = (SVector::<f64, N>::from_column_slice(&at.q), SVector::<f64, N>::from_column_slice(&at.v));
    let u = SVector::<f64, U>::from_column_slice(&at.u);
    let multipliers = SVector::<f64, C>::from_column_slice(&at.multipliers);
    let list = |count: usize, write: &dyn Fn(&mut [f64])| {
        let mut out = vec![0.0; count];
        write(&mut out);
        out
    };
    Some(match evaluation {
        "acceleration" | "acceleration_in_mode" | "sliding_acceleration" => {
            solved(system.acceleration(t, &q, &v, &u).ok())
        }
        "open_acceleration" => {
            let mut gaps = vec![lagrange_runtime::system::Gap::<f64>::NONE; system.gap_count()];
            system.gaps(t, &q, &mut gaps);
            if gaps.iter().any(|gap| gap.value <= 0.0) {
                return None;
            }
            solved(system.acceleration(t, &q, &v, &u).ok())
        }
        "acceleration_jacobian" => {
            let Ok(jacobian) = system.acceleration_jacobian(t, &q, &v, &u) else {
                return Some(vec![f64::NAN; (N + C) * (2 * N + 2 + U)]);
            };
            [
                rows(&jacobian.acceleration),
                rows(&jacobian.multipliers),
                rows(&jacobian.acceleration_q),
                rows(&jacobian.multipliers_q),
                rows(&jacobian.acceleration_v),
                rows(&jacobian.multipliers_v),
                rows(&jacobian.acceleration_t),
                rows(&jacobian.multipliers_t),
                rows(&jacobian.acceleration_u),
                rows(&jacobian.multipliers_u),
            ]
            .concat()
        }
        "equations" => {
            let form = system.equations(t, &q, &v, &u);
            [rows(&form.mass_matrix), rows(&form.forcing)].concat()
        }
        "balance" => {
            let form = system.balance(t, &q, &v, &u);
            [rows(&form.momentum), rows(&form.balance)].concat()
        }
        "balance_jacobian" => {
            let form = system.balance_jacobian(t, &q, &v, &u);
            [
                rows(&form.momentum),
                rows(&form.balance),
                rows(&form.momentum_q),
                rows(&form.mass_matrix),
                rows(&form.balance_q),
                rows(&form.balance_v),
            ]
            .concat()
        }
        "balance_rates" => {
            let form = system.balance_rates(t, &q, &v, &u);
            [rows(&form.momentum_t), rows(&form.balance_t), rows(&form.balance_u)].concat()
        }
        "energies" => {
            let energies = system.energies(t, &q, &v, &u);
            [Some(energies.energy), energies.kinetic, energies.potential].into_iter().flatten().collect()
        }
        "powers" => list(system.power_names().len(), &|out| system.powers(t, &q, &v, &u, out)),
        "outputs" => list(system.output_names().len(), &|out| system.outputs(t, &q, &v, &u, out)),
        "switches" => list(system.switch_count(), &|out| system.switches(t, &q, &v, &u, out)),
        "change_values" => {
            let changes = system.changes();
            let count = changes.iter().map(|change| 1 + change.targets.len()).sum();
            list(count, &|out| system.change_values(t, &q, &v, &u, out))
        }
        "contact_rows" => {
            let mut rows = vec![lagrange_runtime::system::Row::<f64, N>::NONE; system.row_count()];
            let form = system.rows(t, &q, &v, &u, &mut rows);
            let field = |field: fn(&lagrange_runtime::system::Row<f64, N>) -> f64| rows.iter().map(field).collect();
            let directions = (0..N).flat_map(|i| rows.iter().map(move |row| row.direction[i])).collect();
            let fields: [Vec<f64>; 4] =
                [field(|row| row.rate), directions, field(|row| row.curvature), field(|row| row.bound)];
            [crate::reference::rows(&form.mass_matrix), crate::reference::rows(&form.forcing), fields.concat()].concat()
        }
        "restitutions" => list(system.gap_count(), &|out| system.restitutions(t, &q, &v, &u, out)),
        "gaps" => {
            let mut gaps = vec![lagrange_runtime::system::Gap::<f64>::NONE; system.gap_count()];
            system.gaps(t, &q, &mut gaps);
            let field = |field: fn(&lagrange_runtime::system::Gap<f64>) -> f64| gaps.iter().map(field).collect();
            let fields: [Vec<f64>; 3] = [field(|gap| gap.value), field(|gap| gap.scale), field(|gap| gap.restitution)];
            fields.concat()
        }
        "constraint" => {
            let constraint = system.constraint(t, &q);
            [rows(&constraint.value), rows(&constraint.scale), rows(&constraint.jacobian), rows(&constraint.drift)]
                .concat()
        }
        "constraint_hidden" => {
            let hidden = system.constraint_hidden(t, &q, &v, &multipliers);
            [
                rows(&hidden.rate),
                rows(&hidden.curvature),
                rows(&hidden.rate_q),
                rows(&hidden.reaction),
                rows(&hidden.reaction_q),
            ]
            .concat()
        }
        "step" => step(system, t, q, v, &u),
        "change" => changed(system, at, &u),
        other => panic!("there is no reference for {other}"),
    })
}

/// a, then λ; NaN where the equations are singular.
fn solved<const N: usize, const C: usize>(
    solved: Option<lagrange_runtime::system::Acceleration<f64, N, C>>,
) -> Vec<f64> {
    match solved {
        Some(solved) => [rows(&solved.acceleration), rows(&solved.multipliers)].concat(),
        None => vec![f64::NAN; N + C],
    }
}

/// A step of the classical method of Runge and Kutta, from its textbook: q, then v.
fn step<S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: f64,
    q: SVector<f64, N>,
    v: SVector<f64, N>,
    u: &SVector<f64, U>,
) -> Vec<f64>
where
    S: System<f64, N, C, U>,
{
    let rate = |t: f64, q: SVector<f64, N>, v: SVector<f64, N>| {
        let nan = SVector::repeat(f64::NAN);
        (v, system.acceleration(t, &q, &v, u).map_or(nan, |solved| solved.acceleration))
    };
    let h = STEP;
    let (k1, l1) = rate(t, q, v);
    let (k2, l2) = rate(t + h / 2.0, q + k1 * (h / 2.0), v + l1 * (h / 2.0));
    let (k3, l3) = rate(t + h / 2.0, q + k2 * (h / 2.0), v + l2 * (h / 2.0));
    let (k4, l4) = rate(t + h, q + k3 * h, v + l3 * h);
    let mean = |a: SVector<f64, N>, b, c, d| (a + (b + c) * 2.0 + d) * (h / 6.0);
    [rows(&(q + mean(k1, k2, k3, k4))), rows(&(v + mean(l1, l2, l3, l4)))].concat()
}

/// For each change of a mode, q and v behind it, or as they are where it is not to be done.
fn changed<S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    at: &Arguments,
    u: &SVector<f64, U>,
) -> Vec<f64>
where
    S: System<f64, N, C, U>,
{
    let (q, v) = (SVector::<f64, N>::from_column_slice(&at.q), SVector::<f64, N>::from_column_slice(&at.v));
    let changes = system.changes();
    let mut values = vec![0.0; changes.iter().map(|change| 1 + change.targets.len()).sum()];
    system.change_values(at.t, &q, &v, u, &mut values);
    let (conditions, mut assigned) = values.split_at(changes.len());
    let mut all = Vec::new();
    for (change, condition) in changes.iter().zip(conditions) {
        let (own, rest) = assigned.split_at(change.targets.len());
        assigned = rest;
        let (mut new_q, mut new_v) = (at.q.clone(), at.v.clone());
        let has_value = matches!(change.targets[0], Target::Velocity(mode) if at.v[mode] == own[0]);
        for (target, value) in change.targets.iter().zip(own).filter(|_| *condition > 0.0 && !has_value) {
            match *target {
                Target::Coordinate(index) => new_q[index] = *value,
                Target::Velocity(index) => new_v[index] = *value,
            }
        }
        all.extend(new_q.into_iter().chain(new_v));
    }
    all
}

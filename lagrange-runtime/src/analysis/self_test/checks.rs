//! The equations that hold between the evaluations of a system.

use super::{AnalysisError, At, One};
use crate::change;
use crate::quantities::{Acceleration, OutputRow};
use crate::sampling::Random;
use crate::state::State;
use crate::system::{Linearise, System};
use nalgebra::{DMatrix, SMatrix, SVector};
use std::vec;
use std::vec::Vec;

/// (t, q, v, u) in dual numbers.
type Point<const N: usize, const U: usize> = (One, SVector<One, N>, SVector<One, N>, SVector<One, U>);

/// The variable of a derivative.
#[derive(Clone, Copy)]
enum By {
    Time,
    Coordinate(usize),
    Velocity(usize),
    Input(usize),
}

/// The state of the test in dual numbers whose derivative is that by one variable.
fn point<const N: usize, const U: usize>(at: &At<'_, N>, u: &SVector<f64, U>, by: By) -> Point<N, U> {
    let (mut t, mut q, mut v) =
        (One::constant(at.state.t), at.state.q.map(One::constant), at.state.v.map(One::constant));
    let mut u = u.map(One::constant);
    let variable = match by {
        By::Time => &mut t,
        By::Coordinate(k) => &mut q[k],
        By::Velocity(k) => &mut v[k],
        By::Input(k) => &mut u[k],
    };
    variable.derivatives[0] = 1.0;
    (t, q, v, u)
}

/// The state in dual numbers whose derivative is that along the motion with the acceleration `a` and constant inputs.
fn moving<const N: usize, const U: usize>(at: &At<'_, N>, u: &SVector<f64, U>, a: &SVector<f64, N>) -> Point<N, U> {
    let along = |value: &SVector<f64, N>, rate: &SVector<f64, N>| {
        SVector::from_fn(|i, _| One { value: value[i], derivatives: [rate[i]] })
    };
    let t = One { value: at.state.t, derivatives: [1.0] };
    (t, along(&at.state.q, &at.state.v), along(&at.state.v, a), u.map(One::constant))
}

/// The derivatives of a vector.
fn slopes<const I: usize>(vector: &SVector<One, I>) -> SVector<f64, I> {
    vector.map(|x| x.derivatives[0])
}

/// The matrix with these columns.
fn columns<const I: usize, const J: usize>(mut column: impl FnMut(usize) -> SVector<f64, I>) -> SMatrix<f64, I, J> {
    let mut matrix = SMatrix::<f64, I, J>::zeros();
    for j in 0..J {
        matrix.set_column(j, &column(j));
    }
    matrix
}

/// The accelerations and multipliers at the state of the test.
fn solved<S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    at: &At<'_, N>,
    u: &SVector<f64, U>,
) -> Result<Acceleration<f64, N, C>, AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
{
    let State { t, q, v } = &at.state;
    system.acceleration(*t, q, v, u).map_err(|singular| AnalysisError::singular(singular, system.coordinates()))
}

/// The values of g, h, powers and outputs, which no other equation determines.
pub(super) fn values<S, D, const N: usize, const C: usize, const U: usize>(
    system: &S,
    duals: &D,
    at: &mut At<'_, N>,
) -> Result<(), AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
    D: System<One, N, C, U> + ?Sized,
{
    let (t, q, v, u) = (at.state.t, at.state.q, at.state.v, system.default_inputs());
    let (t_one, q_one, v_one, u_one) = point(at, &u, By::Time);
    let [found, expected] =
        [system.energies(t, &q, &v, &u).energy, duals.energies(t_one, &q_one, &v_one, &u_one).energy.value];
    at.compare("h", &SVector::from([found]), &SVector::from([expected]), 0.0)?;
    if C > 0 {
        let expected = duals.constraint(t_one, &q_one).value.map(|row| row.value);
        at.compare("g", &system.constraint(t, &q).value, &expected, 0.0)?;
    }
    let count = system.power_names().len();
    let (mut found, mut expected) = (vec![0.0; count], vec![One::constant(0.0); count]);
    system.powers(t, &q, &v, &u, &mut found);
    duals.powers(t_one, &q_one, &v_one, &u_one, &mut expected);
    at.compare_each("powers", &found, &expected)?;
    let count = system.output_names().len();
    let (mut found, mut expected) = (vec![0.0; count], vec![One::constant(0.0); count]);
    system.outputs(t, &q, &v, &u, &mut found);
    duals.outputs(t_one, &q_one, &v_one, &u_one, &mut expected);
    at.compare_each("outputs", &found, &expected)?;
    let count = system.switch_count();
    let (mut found, mut expected) = (vec![0.0; count], vec![One::constant(0.0); count]);
    system.switches(t, &q, &v, &u, &mut found);
    duals.switches(t_one, &q_one, &v_one, &u_one, &mut expected);
    at.compare_each("switching functions", &found, &expected)?;
    let count = change::count(system.changes());
    let (mut found, mut expected) = (vec![0.0; count], vec![One::constant(0.0); count]);
    system.change_values(t, &q, &v, &u, &mut found);
    duals.change_values(t_one, &q_one, &v_one, &u_one, &mut expected);
    at.compare_each("changes of modes", &found, &expected)
}

/// The outputs with their derivatives, where they have finite values.
pub(super) fn outputs<S, D, const N: usize, const C: usize, const U: usize>(
    system: &S,
    duals: &D,
    at: &mut At<'_, N>,
) -> Result<(), AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
    D: System<One, N, C, U> + ?Sized,
{
    let (t, q, v, u) = (at.state.t, at.state.q, at.state.v, system.default_inputs());
    let count = system.output_names().len();
    let mut rows = vec![OutputRow::<f64, N, U>::undefined(); count];
    system.output_jacobian(t, &q, &v, &u, &(0..count).collect::<Vec<_>>(), &mut rows);
    let values = |at: &At<'_, N>, by| {
        let (t, q, v, u) = point(at, &u, by);
        let mut out = vec![One::constant(0.0); count];
        duals.outputs(t, &q, &v, &u, &mut out);
        out
    };
    let by_time = values(at, By::Time);
    let by_q: Vec<_> = (0..N).map(|k| values(at, By::Coordinate(k))).collect();
    let by_v: Vec<_> = (0..N).map(|k| values(at, By::Velocity(k))).collect();
    let by_u: Vec<_> = (0..U).map(|k| values(at, By::Input(k))).collect();
    for (index, row) in rows.iter().enumerate() {
        let slopes = |columns: &[Vec<One>], k: usize| columns[k][index].derivatives[0];
        let one = |number: f64| SVector::from([number]);
        let (expected_q, expected_v) =
            (SVector::from_fn(|k, _| slopes(&by_q, k)), SVector::from_fn(|k, _| slopes(&by_v, k)));
        let (value, expected_t) = (by_time[index].value, by_time[index].derivatives[0]);
        at.compare_row(("y with ∂y/∂q = y", index), &one(row.value), &one(value), 0.0)?;
        at.compare_row(("∂y/∂q", index), &row.q, &expected_q, 0.0)?;
        at.compare_row(("∂y/∂v", index), &row.v, &expected_v, 0.0)?;
        at.compare_row(("∂y/∂t", index), &one(row.t), &one(expected_t), value.abs())?;
        at.compare_row(("∂y/∂u", index), &row.u, &SVector::from_fn(|k, _| slopes(&by_u, k)), 0.0)?;
        let terms = expected_q.component_mul(&v).amax().max(expected_t.abs());
        let drift = expected_q.dot(&v) + expected_t;
        at.compare_row(("drift = ∂y/∂q v + ∂y/∂t", index), &one(row.drift), &one(drift), terms)?;
    }
    Ok(())
}

/// The forces of inverse dynamics for random accelerations of the coordinates. States have no forces.
pub(super) fn forces<S, D, const N: usize, const C: usize, const U: usize>(
    system: &S,
    duals: &D,
    at: &mut At<'_, N>,
    random: &mut Random,
) -> Result<(), AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
    D: System<One, N, C, U> + ?Sized,
{
    let (t, q, v, u) = (at.state.t, at.state.q, at.state.v, system.default_inputs());
    // States have the rates of their equations. The others differ from the accelerations of the motion by up to their sizes.
    let own = N - system.state_count();
    let mut a = solved(system, at, &u)?.acceleration;
    let size = a.rows(0, own).amax();
    for i in 0..own {
        a[i] += size * random.uniform(-1.0..1.0);
    }
    let balance = system.balance(t, &q, &v, &u).balance;
    let (t_along, q_along, v_along, u_along) = moving(at, &u, &a);
    let rate = slopes(&duals.balance(t_along, &q_along, &v_along, &u_along).momentum);
    let of_coordinates =
        |forces: &SVector<f64, N>| SVector::<f64, N>::from_fn(|i, _| if i < own { forces[i] } else { 0.0 });
    let (found, expected) = (system.inverse_dynamics(t, &q, &v, &a, &u), rate - balance);
    let terms = of_coordinates(&rate).amax().max(of_coordinates(&balance).amax());
    at.compare("M a − F = dp/dt − f", &of_coordinates(&found), &of_coordinates(&expected), terms)
}

/// M, p, f, F and h.
pub(super) fn inertia<S, D, const N: usize, const C: usize, const U: usize>(
    system: &S,
    duals: &D,
    at: &mut At<'_, N>,
) -> Result<(), AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
    D: System<One, N, C, U> + ?Sized,
{
    let (t, q, v, u) = (at.state.t, at.state.q, at.state.v, system.default_inputs());
    let both = |at: &At<'_, N>, by| {
        let (t, q, v, u) = point(at, &u, by);
        let both = duals.balance(t, &q, &v, &u);
        (slopes(&both.momentum), slopes(&both.balance))
    };
    let emitted = system.balance_jacobian(t, &q, &v, &u);
    let rates = system.balance_rates(t, &q, &v, &u);
    let equations = system.equations(t, &q, &v, &u);
    let balance = system.balance(t, &q, &v, &u);
    let mass = equations.mass_matrix;
    // M is ∂p/∂v by the velocities of coordinates. A momentum may depend on states too, which stand behind them.
    let moving_count = N - system.state_count();
    let own = |matrix: &SMatrix<f64, N, N>| {
        SMatrix::<f64, N, N>::from_fn(|i, k| if i.max(k) < moving_count { matrix[(i, k)] } else { 0.0 })
    };
    let momentum_v = own(&columns(|k| both(at, By::Velocity(k)).0));
    at.compare("M = Mᵀ", &mass, &mass.transpose(), 0.0)?;
    at.compare("∂p/∂v = M", &own(&emitted.mass_matrix), &momentum_v, 0.0)?;
    at.compare("M = ∂p/∂v", &own(&mass), &momentum_v, 0.0)?;
    at.compare("∂f/∂v", &emitted.balance_v, &columns(|k| both(at, By::Velocity(k)).1), 0.0)?;
    at.compare("∂p/∂q", &emitted.momentum_q, &columns(|k| both(at, By::Coordinate(k)).0), 0.0)?;
    at.compare("∂f/∂q", &emitted.balance_q, &columns(|k| both(at, By::Coordinate(k)).1), 0.0)?;
    at.compare("∂f/∂u", &rates.balance_u, &columns(|k| both(at, By::Input(k)).1), 0.0)?;
    let (momentum_t, balance_t) = both(at, By::Time);
    at.compare("∂p/∂t", &rates.momentum_t, &momentum_t, 0.0)?;
    at.compare("∂f/∂t", &rates.balance_t, &balance_t, 0.0)?;
    at.compare("p with ∂p/∂q = p", &emitted.momentum, &balance.momentum, 0.0)?;
    at.compare("f with ∂f/∂q = f", &emitted.balance, &balance.balance, 0.0)?;
    // The momentum's rate along the motion without accelerations; states have the rates of their equations.
    let mut rates = solved(system, at, &u)?.acceleration;
    (0..moving_count).for_each(|i| rates[i] = 0.0);
    let (t, q, v_along, u_along) = moving(at, &u, &rates);
    let turning = slopes(&duals.balance(t, &q, &v_along, &u_along).momentum);
    let terms = balance.balance.amax().max(turning.amax());
    let of_coordinates =
        |forces: SVector<f64, N>| SVector::<f64, N>::from_fn(|i, _| if i < moving_count { forces[i] } else { 0.0 });
    let expected = of_coordinates(balance.balance - turning);
    at.compare("F = f − (∂p/∂q) v − (∂p/∂z) ż − ∂p/∂t", &of_coordinates(equations.forcing), &expected, terms)?;
    if system.state_count() > 0 {
        return Ok(());
    }
    if system.facts().positive_mass {
        let least = DMatrix::from_fn(N, N, |i, j| mass[(i, j)]).symmetric_eigenvalues().min();
        at.compare(
            "the least eigenvalue of M = its magnitude",
            &SVector::from([least]),
            &SVector::from([least.abs()]),
            0.0,
        )?;
    }
    let energy_v = SVector::<f64, N>::from_fn(|k, _| {
        let (t, q, v, u) = point(at, &u, By::Velocity(k));
        duals.energies(t, &q, &v, &u).energy.derivatives[0]
    });
    at.compare("M v = ∂h/∂v", &(mass * v), &energy_v, mass.amax() * v.amax())
}

/// g, G and the derivatives of the hidden constraint.
pub(super) fn constraints<S, D, const N: usize, const C: usize, const U: usize>(
    system: &S,
    duals: &D,
    at: &mut At<'_, N>,
) -> Result<(), AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
    D: System<One, N, C, U> + ?Sized,
{
    if C == 0 {
        return Ok(());
    }
    let (t, q, v, u) = (at.state.t, at.state.q, at.state.v, system.default_inputs());
    let emitted = system.constraint(t, &q);
    // Multipliers that differ, so that each row of G acts on its own.
    let multipliers = SVector::<f64, C>::from_fn(|row, _| 1.0 / (1 + row) as f64);
    let hidden = system.constraint_hidden(t, &q, &v, &multipliers);
    let rows = system.holonomic_count();
    let gradient: SMatrix<f64, C, N> = columns(|k| {
        let (t, q, ..) = point(at, &u, By::Coordinate(k));
        slopes(&duals.constraint(t, &q).value)
    });
    let (moved_t, moved_q, ..) = point(at, &u, By::Time);
    let drift = slopes(&duals.constraint(moved_t, &moved_q).value);
    let holonomic = |found: f64, derived: f64, row: usize| if row < rows { derived } else { found };
    let expected = SMatrix::<f64, C, N>::from_fn(|i, j| holonomic(emitted.jacobian[(i, j)], gradient[(i, j)], i));
    at.compare("G = ∂g/∂q", &emitted.jacobian, &expected, 0.0)?;
    let expected = SVector::<f64, C>::from_fn(|i, _| holonomic(emitted.drift[i], drift[i], i));
    at.compare("drift = ∂g/∂t", &emitted.drift, &expected, 0.0)?;
    let terms = emitted.jacobian.amax() * v.amax();
    at.compare("rate = G v + drift", &hidden.rate, &(emitted.jacobian * v + emitted.drift), terms)?;
    at.compare("Gᵀλ", &hidden.reaction, &(emitted.jacobian.transpose() * multipliers), emitted.jacobian.amax())?;
    let constants = multipliers.map(One::constant);
    let derived = |at: &At<'_, N>, k| {
        let (t, q, v, _) = point(at, &u, By::Coordinate(k));
        let hidden = duals.constraint_hidden(t, &q, &v, &constants);
        (slopes(&hidden.rate), slopes(&hidden.reaction))
    };
    at.compare("∂(G v + drift)/∂q", &hidden.rate_q, &columns(|k| derived(at, k).0), terms)?;
    at.compare("∂(Gᵀλ)/∂q", &hidden.reaction_q, &columns(|k| derived(at, k).1), emitted.jacobian.amax())?;
    let (t, q, v_along, _) = moving(at, &u, &SVector::zeros());
    let curvature = slopes(&duals.constraint_hidden(t, &q, &v_along, &constants).rate);
    let terms = hidden.rate_q.amax() * v.amax();
    at.compare("γ = d(G v + drift)/dt − G a", &hidden.curvature, &curvature, terms)
}

/// a, λ, their derivatives and the balance of power.
pub(super) fn accelerations<S, D, const N: usize, const C: usize, const U: usize>(
    system: &S,
    duals: &D,
    at: &mut At<'_, N>,
) -> Result<(), AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
    D: System<One, N, C, U> + ?Sized,
{
    let (t, q, v, u) = (at.state.t, at.state.q, at.state.v, system.default_inputs());
    let Acceleration { acceleration: a, multipliers } = solved(system, at, &u)?;
    let equations = system.equations(t, &q, &v, &u);
    let hidden = system.constraint_hidden(t, &q, &v, &multipliers);
    let inertial = equations.mass_matrix * a;
    let terms = (equations.mass_matrix.amax() * a.amax()).max(hidden.reaction.amax());
    at.compare("M a = F + Gᵀλ", &inertial, &(equations.forcing + hidden.reaction), terms)?;
    let jacobian = system.constraint(t, &q).jacobian;
    at.compare("G a = −γ", &(jacobian * a), &-hidden.curvature, jacobian.amax() * a.amax())?;
    if system.redundancy_tolerance() == 0.0 {
        derivatives(system, duals, at, &u)?;
    }
    if system.state_count() > 0 {
        return Ok(());
    }
    let mut powers = vec![0.0; system.power_names().len()];
    system.powers(t, &q, &v, &u, &mut powers);
    let constrained = multipliers.dot(&hidden.rate);
    let (t, q, v_along, u_along) = moving(at, &u, &a);
    let change = duals.energies(t, &q, &v_along, &u_along).energy.derivatives[0];
    let terms = powers.iter().fold(constrained.abs(), |most, power| most.max(power.abs()));
    let terms = terms.max(inertial.amax() * v.amax());
    let given = powers.iter().sum::<f64>() + constrained;
    at.compare("Σ powers + λ·(G v + drift) = dh/dt", &SVector::from([given]), &SVector::from([change]), terms)
}

/// The derivatives of a and λ.
fn derivatives<S, D, const N: usize, const C: usize, const U: usize>(
    system: &S,
    duals: &D,
    at: &mut At<'_, N>,
    u: &SVector<f64, U>,
) -> Result<(), AnalysisError>
where
    S: Linearise<f64, N, C, U> + ?Sized,
    D: System<One, N, C, U> + ?Sized,
{
    let emitted = system
        .acceleration_jacobian(at.state.t, &at.state.q, &at.state.v, u)
        .map_err(|singular| AnalysisError::singular(singular, system.coordinates()))?;
    let solved = |at: &At<'_, N>, by| {
        let (t, q, v, u) = point(at, u, by);
        // Duals solve the same equations, whose values have been solved above.
        duals.acceleration(t, &q, &v, &u).map_or_else(
            |_| (SVector::repeat(f64::NAN), SVector::repeat(f64::NAN)),
            |solved| (slopes(&solved.acceleration), slopes(&solved.multipliers)),
        )
    };
    at.compare("∂a/∂q", &emitted.acceleration_q, &columns(|k| solved(at, By::Coordinate(k)).0), 0.0)?;
    at.compare("∂a/∂v", &emitted.acceleration_v, &columns(|k| solved(at, By::Velocity(k)).0), 0.0)?;
    at.compare("∂a/∂u", &emitted.acceleration_u, &columns(|k| solved(at, By::Input(k)).0), 0.0)?;
    at.compare("∂a/∂t", &emitted.acceleration_t, &solved(at, By::Time).0, 0.0)?;
    if C == 0 {
        return Ok(());
    }
    let inertia = inertia_of_multipliers(system, (at.state.t, &at.state.q, &at.state.v), u);
    let (by_q, by_v) = (inertia * emitted.acceleration_q.amax(), inertia * emitted.acceleration_v.amax());
    let (by_u, by_t) = (inertia * emitted.acceleration_u.amax(), inertia * emitted.acceleration_t.amax());
    at.compare("∂λ/∂q", &emitted.multipliers_q, &columns(|k| solved(at, By::Coordinate(k)).1), by_q)?;
    at.compare("∂λ/∂v", &emitted.multipliers_v, &columns(|k| solved(at, By::Velocity(k)).1), by_v)?;
    at.compare("∂λ/∂u", &emitted.multipliers_u, &columns(|k| solved(at, By::Input(k)).1), by_u)?;
    at.compare("∂λ/∂t", &emitted.multipliers_t, &solved(at, By::Time).1, by_t)
}

/// |M|/|G|, by the largest entries: terms of the size of |M| |∂a|/|G| add up to ∂λ, because M ∂a − Gᵀ∂λ = −∂r. They cancel where λ is 0.
pub(super) fn inertia_of_multipliers<S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    (t, q, v): (f64, &SVector<f64, N>, &SVector<f64, N>),
    u: &SVector<f64, U>,
) -> f64
where
    S: System<f64, N, C, U> + ?Sized,
{
    system.equations(t, q, v, u).mass_matrix.amax() / system.constraint(t, q).jacobian.amax()
}

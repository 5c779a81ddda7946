//! Simulations by the structure-preserving methods, with or without constraints.

use super::{GaussStages, Scheme, SymmetricRule};
use lagrange_runtime::method::Symmetric;
use lagrange_runtime::prelude::*;

/// By a Gauss method.
pub(super) fn gauss<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    state: &mut State<f64, N>,
    t_end: f64,
    step: f64,
    stages: GaussStages,
    options: &Options<'_, f64, N>,
    observer: &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>> {
    match stages {
        GaussStages::One => alone(system, state, t_end, &ImplicitMidpoint::new(step), options, observer),
        GaussStages::Two => alone(system, state, t_end, &Gauss::<f64, 2>::new(step), options, observer),
        GaussStages::Three => alone(system, state, t_end, &Gauss::<f64, 3>::new(step), options, observer),
        GaussStages::Four => alone(system, state, t_end, &Gauss::<f64, 4>::new(step), options, observer),
        GaussStages::Five => alone(system, state, t_end, &Gauss::<f64, 5>::new(step), options, observer),
        GaussStages::Six => alone(system, state, t_end, &Gauss::<f64, 6>::new(step), options, observer),
    }
}

/// By a symmetric method of order 2, composed or not.
pub(super) fn symmetric<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    state: &mut State<f64, N>,
    t_end: f64,
    step: f64,
    (rule, scheme): (SymmetricRule, Option<Scheme>),
    options: &Options<'_, f64, N>,
    observer: &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>> {
    match rule {
        SymmetricRule::VariationalMidpoint => {
            composed(system, state, t_end, VariationalMidpoint::new(step), scheme, options, observer)
        }
        SymmetricRule::VariationalTrapezoid => {
            composed(system, state, t_end, VariationalTrapezoid::new(step), scheme, options, observer)
        }
        SymmetricRule::Rattle => composed(system, state, t_end, Rattle::new(step), scheme, options, observer),
        SymmetricRule::Shake => composed(system, state, t_end, Rattle::shake(step), scheme, options, observer),
    }
}

/// By `method`, or a composition of it.
pub(super) fn composed<M, const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    state: &mut State<f64, N>,
    t_end: f64,
    method: M,
    scheme: Option<Scheme>,
    options: &Options<'_, f64, N>,
    observer: &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>>
where
    M: for<'a> Method<f64, N, C> + Symmetric,
{
    let composition = match scheme {
        None => Composition::single(method),
        Some(Scheme::TripleJump) => Composition::triple_jump(method),
        Some(Scheme::Suzuki) => Composition::suzuki(method),
        Some(Scheme::Yoshida) => Composition::yoshida(method),
        Some(Scheme::KahanLi) => Composition::kahan_li(method),
    };
    alone(system, state, t_end, &composition, options, observer)
}

/// By the method itself, with the default inputs.
fn alone<'a, M, const N: usize, const C: usize, const U: usize>(
    system: &(dyn System<f64, N, C, U> + 'a),
    state: &mut State<f64, N>,
    t_end: f64,
    method: &M,
    options: &Options<'_, f64, N>,
    observer: &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>>
where
    M: Method<f64, N, C>,
{
    integrate(system, state, t_end, method, options, &mut DefaultInputs::of(system), observer)
}

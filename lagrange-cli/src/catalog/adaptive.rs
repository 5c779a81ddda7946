//! Simulations by the methods whose step adapts, with or without constraints.

use super::Pair;
use super::simulate::refusal;
use lagrange_runtime::prelude::*;

/// `pair` made into a method, wrapped, and used: each combination of sizes compiles the methods of one form only.
macro_rules! by_pair {
    ($pair:expr, $wrap:expr, |$method:ident| $integrate:expr, nystrom: $nystrom:expr) => {
        match $pair {
            Pair::Rkf45 => by_pair!(@ $wrap(Rkf45::new()), $method, $integrate),
            Pair::BogackiShampine3 => by_pair!(@ $wrap(BogackiShampine3::new()), $method, $integrate),
            Pair::DormandPrince5 => by_pair!(@ $wrap(DormandPrince5::new()), $method, $integrate),
            Pair::Tsitouras5 => by_pair!(@ $wrap(Tsitouras5::new()), $method, $integrate),
            Pair::Verner6 => by_pair!(@ $wrap(Verner6::new()), $method, $integrate),
            Pair::Dop853 => by_pair!(@ $wrap(Dop853::new()), $method, $integrate),
            Pair::Verner9 => by_pair!(@ $wrap(Verner9::new()), $method, $integrate),
            Pair::Extrapolation => by_pair!(@ $wrap(Extrapolation::new()), $method, $integrate),
            Pair::Nystrom8 => $nystrom,
        }
    };
    (@ $value:expr, $method:ident, $integrate:expr) => {{
        let $method = $value;
        $integrate
    }};
}

/// By a pair, without constraints.
pub(super) fn paired<const N: usize, const U: usize>(
    system: &dyn System<f64, N, 0, U>,
    state: &mut State<f64, N>,
    t_end: f64,
    pair: Pair,
    options: &Options<'_, f64, N>,
    observer: &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>> {
    let mut inputs = DefaultInputs::of(system);
    by_pair!(
        pair,
        core::convert::identity,
        |method| integrate(system, state, t_end, &method, options, &mut inputs, observer),
        nystrom: integrate(system, state, t_end, &Nystrom8::unproved(), options, &mut inputs, observer)
    )
}

/// By a pair, each of its steps projected onto the constraints.
pub(super) fn projected<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    state: &mut State<f64, N>,
    t_end: f64,
    pair: Pair,
    options: &Options<'_, f64, N>,
    observer: &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>> {
    let mut inputs = DefaultInputs::of(system);
    by_pair!(
        pair,
        Projected::new,
        |method| integrate(system, state, t_end, &method, options, &mut inputs, observer),
        nystrom: Err(refusal(system, state, "Dormand–El-Mikkawy–Prince 8(6)"))
    )
}

//! Simulations by the embedded pairs, with or without constraints.

use super::Pair;
use lagrange_runtime::prelude::*;

/// By a pair, each of its steps projected where there are constraints.
pub(super) fn paired<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    state: &mut State<f64, N>,
    t_end: f64,
    pair: Pair,
    options: &Options<'_, f64, N>,
    observer: &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>> {
    let mut inputs = DefaultInputs::of(system);
    macro_rules! by {
        ($method:ident) => {{
            let method = $method::new();
            if C == 0 {
                integrate(system, state, t_end, &method, options, &mut inputs, observer)
            } else {
                integrate(system, state, t_end, &Projected::new(method), options, &mut inputs, observer)
            }
        }};
    }
    match pair {
        Pair::Rkf45 => by!(Rkf45),
        Pair::BogackiShampine3 => by!(BogackiShampine3),
        Pair::DormandPrince5 => by!(DormandPrince5),
        Pair::Tsitouras5 => by!(Tsitouras5),
        Pair::Verner6 => by!(Verner6),
        Pair::Dop853 => by!(Dop853),
        Pair::Verner9 => by!(Verner9),
    }
}

//! Our methods on our derived equations.

use crate::curve::Way;
use crate::{CHECK, Numbers, START};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::DoubleDouble;

fn numbers(state: &State<f64, 2>) -> Numbers {
    [state.q[0], state.q[1], state.v[0], state.v[1]]
}

fn way<'a, S, M>(name: &str, system: &'a S, method: M) -> Way<'a>
where
    S: System<f64, 2, 0, 0>,
    M: Method<f64, 2, 0> + 'a,
{
    Way::new(name, move |tolerance, t_end| {
        let mut state = State::new(0.0, [START[0], START[1]], [START[2], START[3]]);
        let options = Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() };
        let mut inputs = DefaultInputs::of(system);
        integrate(system, &mut state, t_end, &method, &options, &mut inputs, &mut ()).ok()?;
        Some(numbers(&state))
    })
}

/// The methods, the most likely winners first.
pub(crate) fn ways<S: System<f64, 2, 0, 0>>(system: &S) -> Vec<Way<'_>> {
    vec![
        way("ours, Verner 9(8)", system, Verner9::new()),
        way("ours, DOP853", system, Dop853::new()),
        way("ours, Verner 6(5)", system, Verner6::new()),
        way("ours, Tsitouras 5(4)", system, Tsitouras5::new()),
        way("ours, extrapolation", system, Extrapolation::new()),
    ]
}

/// The state at [`CHECK`] to about 20 digits.
pub(crate) fn reference(model: &CompoundDoublePendulum) -> Numbers {
    let wide = DoubleDouble::from_f64;
    let system = model.prepare::<DoubleDouble>().expect("the parameters are finite");
    let mut state = State::new(wide(0.0), [wide(START[0]), wide(START[1])], [wide(START[2]), wide(START[3])]);
    let tolerance = Tolerance::Uniform(wide(1e-19));
    let options = Options { rtol: tolerance, atol: tolerance, ..Options::default() };
    let mut inputs = DefaultInputs::of(&system);
    integrate(&system, &mut state, wide(CHECK), &Verner9::new(), &options, &mut inputs, &mut ())
        .expect("the pendulum stays finite");
    [state.q[0].to_f64(), state.q[1].to_f64(), state.v[0].to_f64(), state.v[1].to_f64()]
}

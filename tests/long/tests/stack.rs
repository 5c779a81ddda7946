//! The stack that a step takes: every method integrates 64 coordinates in a thread of 2 MB, the default of the standard library.

#[path = "../../tests/runtime/common/by_hand.rs"]
mod by_hand;

use by_hand::{ByHand, Hand};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{BalanceJacobian, Facts};

const N: usize = 64;

/// What a thread has unless more is asked for.
const STACK: usize = 2 << 20;

/// Masses of 1 kg in a row, joined by springs of 1 N/m, of which the first is fixed to a wall.
#[derive(Clone, Copy, Debug)]
struct Row;

impl<R: Real> ByHand<R, N, 0> for Row {
    /// Without a constant mass matrix, methods take their general path, which needs the most stack.
    const FACTS: Facts = Facts {
        autonomous: true,
        conservative: true,
        constant_mass: false,
        separable: true,
        velocity_free_acceleration: true,
        velocity_free_forcing: true,
        quadratic: true,
        positive_mass: true,
        regular_momentum: true,
        singular_mass: false,
        unconstrained: true,
        holonomic: true,
        cyclic: &[],
    };
    const COORDINATES: &'static [&'static str] = &["x"; N];

    fn balance_jacobian(&self, _: R, q: &SVector<R, N>, v: &SVector<R, N>, _: &SVector<R, 0>) -> BalanceJacobian<R, N> {
        let zero = SMatrix::repeat(R::ZERO);
        let stiffness = |i: usize, k: usize| match i.abs_diff(k) {
            0 if i + 1 == N => R::from_f64(-1.0),
            0 => R::from_f64(-2.0),
            1 => R::ONE,
            _ => R::ZERO,
        };
        BalanceJacobian {
            momentum: *v,
            balance: force(q),
            momentum_q: zero,
            mass_matrix: SMatrix::from_fn(|i, k| if i == k { R::ONE } else { R::ZERO }),
            balance_q: SMatrix::from_fn(stiffness),
            balance_v: zero,
        }
    }

    fn acceleration(&self, _: R, q: &SVector<R, N>, _: &SVector<R, N>, _: &SVector<R, 0>) -> Option<SVector<R, N>> {
        Some(force(q))
    }

    fn energy(&self, q: &SVector<R, N>, v: &SVector<R, N>) -> R {
        let stretched = (0..N).map(|i| if i == 0 { q[0] } else { q[i] - q[i - 1] });
        stretched.zip(v).fold(R::ZERO, |sum, (x, &v)| sum + (x * x + v * v) / R::from_f64(2.0))
    }
}

fn force<R: Real>(q: &SVector<R, N>) -> SVector<R, N> {
    SVector::from_fn(|i, _| {
        let left = if i == 0 { R::ZERO } else { q[i - 1] };
        if i + 1 == N { left - q[i] } else { left - q[i] - q[i] + q[i + 1] }
    })
}

/// Integrates the row in a thread with this stack, and gives how much energy was won.
fn energy_won<M>(method: M, stack: usize) -> f64
where
    M: Method<f64, N, 0> + Send + 'static,
{
    let work = move || {
        let system: &dyn System<f64, N, 0, 0> = &Hand(Row);
        let mut state = State { t: 0.0, q: SVector::repeat(0.0), v: SVector::repeat(0.0) };
        state.v[0] = 1.0;
        integrate(system, &mut state, 0.4, &method, &Options::default(), &mut DefaultInputs::of(system), &mut ())
            .expect("springs");
        Row.energy(&state.q, &state.v) - 0.5
    };
    std::thread::Builder::new().stack_size(stack).spawn(work).expect("a thread").join().expect("no panic")
}

macro_rules! fit {
    ($($method:expr),* $(,)?) => {$(
        let won = energy_won($method, STACK);
        assert!(won.abs() < 1e-2, "{}: {won}", stringify!($method));
    )*};
}

#[test]
fn explicit_methods_with_64_coordinates_fit_a_thread() {
    // The largest of each family: others have fewer stages of the same kind.
    fit!(
        Verner9::new(),
        Extrapolation::new(),
        Nystrom8::unproved(),
        Projected::new(Dop853::new()),
        Composition::kahan_li(StormerVerlet::unproved(0.1)),
    );
}

#[test]
fn implicit_methods_with_64_coordinates_fit_a_thread() {
    fit!(
        VariationalTrapezoid::new(0.1),
        Rattle::new(0.1),
        Gauss::<f64, 6>::new(0.1),
        Impulses::new(ImplicitMidpoint::new(0.1)),
    );
}

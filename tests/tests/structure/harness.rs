//! Steps as maps of (q, p), their derivatives, and a method that has none of the tested properties.

use lagrange_runtime::evaluate::Evaluate;
use lagrange_runtime::method::{Estimate, Pace, Trial};
use lagrange_runtime::nalgebra::SMatrix;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;

/// A number with its derivatives by q₁, q₂, p₁, p₂.
pub(crate) type D = Dual<f64, 4>;

/// The state at momentum `p`, whose velocity Newton's method finds.
pub(crate) fn at_momentum<R: Real, const N: usize>(
    system: &dyn System<R, N, 0, 0>,
    q: SVector<R, N>,
    p: SVector<R, N>,
) -> State<R, N> {
    let mut v = SVector::repeat(R::ZERO);
    for _ in 0..30 {
        v = system.velocity_correction(R::ZERO, &q, &v, &p).expect("the mass matrix is regular");
    }
    State { t: R::ZERO, q, v }
}

/// The momentum of a state.
pub(crate) fn momentum<R: Real, const N: usize>(system: &dyn System<R, N, 0, 0>, state: &State<R, N>) -> SVector<R, N> {
    system.balance(state.t, &state.q, &state.v, &SVector::repeat(R::ZERO)).momentum
}

/// The state at `t_end`.
pub(crate) fn run<M, R, const N: usize, const C: usize>(
    system: &dyn System<R, N, C, 0>,
    initial: State<R, N>,
    t_end: R,
    method: &M,
) -> State<R, N>
where
    M: Method<R, N, C>,
    R: Real,
{
    let mut state = initial;
    let options = Options::default();
    integrate(system, &mut state, t_end, method, &options, &mut DefaultInputs::of(system), &mut ())
        .unwrap_or_else(|error| panic!("{}: {error}", method.name()));
    state
}

/// The derivative of `count` steps of size `h` as a map of (q, p), at (`q`, `p`).
pub(crate) fn derivative<M>(
    system: &dyn System<D, 2, 0, 0>,
    [q, p]: [[f64; 2]; 2],
    h: f64,
    count: u32,
    method: &M,
) -> SMatrix<f64, 4, 4>
where
    M: Method<D, 2, 0>,
{
    let q = SVector::from([D::variable(q[0], 0), D::variable(q[1], 1)]);
    let p = SVector::from([D::variable(p[0], 2), D::variable(p[1], 3)]);
    let end = run(system, at_momentum(system, q, p), D::constant(h * f64::from(count)), method);
    let p = momentum(system, &end);
    let rows = [end.q[0], end.q[1], p[0], p[1]].map(|component| component.derivatives);
    SMatrix::from_fn(|i, j| rows[i][j])
}

/// The largest |ω(Φ'ξ, Φ'η) − ω(ξ, η)| over basis vectors, relative to ‖Φ'‖².
pub(crate) fn defect(derivative: &SMatrix<f64, 4, 4>) -> f64 {
    omega_defect(derivative, &SMatrix::identity())
}

/// The same over the columns of `tangent`, of which `mapped` are the images.
pub(crate) fn omega_defect<const DIMENSION: usize>(
    mapped: &SMatrix<f64, DIMENSION, DIMENSION>,
    tangent: &SMatrix<f64, DIMENSION, DIMENSION>,
) -> f64 {
    let omega = SMatrix::<f64, DIMENSION, DIMENSION>::from_fn(|i, j| {
        f64::from(u8::from(i + DIMENSION / 2 == j)) - f64::from(u8::from(j + DIMENSION / 2 == i))
    });
    let norm = mapped.norm();
    // ‖Φ'‖ is at least Frobenius's norm over √DIMENSION.
    (mapped.transpose() * omega * mapped - tangent.transpose() * omega * tangent).amax()
        / (norm * norm / DIMENSION as f64)
}

/// The implicit midpoint rule on (q, v): V = v + h/2 a(q + h/2 V, V). Where M depends on q it is not symplectic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VelocityMidpoint<R>(pub(crate) R);

impl<R: Real, const N: usize> Method<R, N, 0> for VelocityMidpoint<R> {
    type Memory = ();
    type Workspace = ();

    const ADAPTIVE: bool = false;

    fn workspace(&self) {}

    fn name(&self) -> &'static str {
        "midpoint on (q, v)"
    }
    fn order(&self) -> u32 {
        2
    }
    fn pace(&self) -> Pace<R> {
        Pace::Fixed(self.0)
    }
    fn start<E: Evaluate<R, N, 0> + ?Sized>(&self, _: &mut E, _: &State<R, N>) -> Result<(), Failure> {
        Ok(())
    }
    fn step<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        (): &mut (),
        state: &State<R, N>,
        (): &(),
        h: R,
        end: R,
    ) -> Result<Trial<R, N, ()>, Failure> {
        let half = R::from_f64(0.5) * h;
        let mut v = state.v;
        for _ in 0..80 {
            v = state.v + evaluator.acceleration(state.t + half, state.q + v * half, v)? * half;
        }
        let state = State { t: end, q: state.q + v * h, v: v + v - state.v };
        Ok(Trial { state, memory: (), estimate: Estimate::None })
    }
}

//! Derivatives of outputs and of switching functions, by dual numbers.

use super::AnalysisError;
use crate::scalar::{Dual, Scalar};
use crate::state::State;
use crate::system::System;
use nalgebra::{DMatrix, DVector, SVector};
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

/// A number with one derivative.
type One = Dual<f64, 1>;

/// The values and the partial derivatives of several functions of (t, q, v, u), one row each.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionJacobian {
    /// The functions' names.
    pub names: Vec<String>,
    /// The functions' values.
    pub values: DVector<f64>,
    /// The derivatives by t.
    pub t: DVector<f64>,
    /// The derivatives by q, in N columns.
    pub q: DMatrix<f64>,
    /// The derivatives by v, in N columns.
    pub v: DMatrix<f64>,
    /// The derivatives by u, in U columns.
    pub u: DMatrix<f64>,
}

/// The outputs of a mechanism and their exact derivatives at a state; `duals` is the mechanism prepared in dual numbers.
///
/// Outputs of accelerations, multipliers and reactions are differentiated through the solution of the equations of motion. The
/// derivatives are partial ones: under constraints, q and v vary independently.
///
/// # Errors
/// [`AnalysisError::NotFinite`] with the output that has no finite value or derivative.
///
/// ```
/// use lagrange_runtime::analysis::output_jacobian;
/// use lagrange_runtime::prelude::*;
/// use lagrange_runtime::scalar::Dual;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     potential = k*x^2/2;
///     output felt = dot(dot(x));
/// }]
/// struct Accelerometer {
///     m: f64,
///     k: f64,
/// }
///
/// let duals = Accelerometer { m: 2.0, k: 8.0 }.prepare::<Dual<f64, 1>>()?;
/// let felt = output_jacobian(&duals, &State::new(0.0, [0.3], [0.0]), &SVector::from([]))?;
/// assert!((felt.q[(0, 0)] + 4.0).abs() < 1e-15); // −k/m
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn output_jacobian<const N: usize, const C: usize, const U: usize>(
    duals: &(impl System<One, N, C, U> + ?Sized),
    state: &State<f64, N>,
    u: &SVector<f64, U>,
) -> Result<FunctionJacobian, AnalysisError> {
    let names = duals.output_names().iter().map(ToString::to_string).collect();
    differentiate(names, state, u, |t, q, v, u, out| duals.outputs(t, q, v, u, out))
}

/// The switching functions of a mechanism and their exact derivatives at a state; `duals` is the mechanism prepared in dual
/// numbers.
///
/// Where one of them changes its sign, the equations change their branch. Its derivative along the motion is h_t + h_q v + h_v
/// a.
///
/// # Errors
/// [`AnalysisError::NotFinite`] with the function that has no finite value or derivative.
///
/// ```
/// use lagrange_runtime::analysis::switch_jacobian;
/// use lagrange_runtime::prelude::*;
/// use lagrange_runtime::scalar::Dual;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     potential = if x > gap { k*(x - gap)^2/2 } else { 0 };
/// }]
/// struct Buffer {
///     m: f64,
///     k: f64,
///     gap: f64,
/// }
///
/// let duals = Buffer { m: 1.0, k: 100.0, gap: 0.2 }.prepare::<Dual<f64, 1>>()?;
/// let switch = switch_jacobian(&duals, &State::new(0.0, [0.5], [0.0]), &SVector::from([]))?;
/// assert!((switch.values[0].abs() - 0.3).abs() < 1e-15);
/// assert_eq!(switch.q[(0, 0)].abs(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn switch_jacobian<const N: usize, const C: usize, const U: usize>(
    duals: &(impl System<One, N, C, U> + ?Sized),
    state: &State<f64, N>,
    u: &SVector<f64, U>,
) -> Result<FunctionJacobian, AnalysisError> {
    let known = duals.switch_names();
    let name = |index: usize| known.get(index).map_or_else(|| std::format!("switch {index}"), ToString::to_string);
    let names = (0..duals.switch_count()).map(name).collect();
    differentiate(names, state, u, |t, q, v, u, out| duals.switches(t, q, v, u, out))
}

/// Runs `functions` once for every variable.
fn differentiate<const N: usize, const U: usize>(
    names: Vec<String>,
    state: &State<f64, N>,
    u: &SVector<f64, U>,
    functions: impl Fn(One, &SVector<One, N>, &SVector<One, N>, &SVector<One, U>, &mut [One]),
) -> Result<FunctionJacobian, AnalysisError> {
    let count = names.len();
    let mut out = vec![One::ZERO; count];
    let mut run = |variable: usize| {
        let at = |value: f64, index: usize| Dual { value, derivatives: [f64::from(u8::from(index == variable))] };
        let q = SVector::from_fn(|i, _| at(state.q[i], i));
        let v = SVector::from_fn(|i, _| at(state.v[i], N + i));
        let u = SVector::from_fn(|i, _| at(u[i], 2 * N + i));
        functions(at(state.t, 2 * N + U), &q, &v, &u, &mut out);
        let slopes = DVector::from_iterator(count, out.iter().map(|entry| entry.derivatives[0]));
        (DVector::from_iterator(count, out.iter().map(|entry| entry.value)), slopes)
    };
    let (values, t) = run(2 * N + U);
    let mut columns = |first: usize, width: usize| {
        let mut matrix = DMatrix::zeros(count, width);
        for k in 0..width {
            matrix.set_column(k, &run(first + k).1);
        }
        matrix
    };
    let (q, v, u) = (columns(0, N), columns(N, N), columns(2 * N, U));
    for (row, name) in names.iter().enumerate() {
        let mut entries =
            q.row(row).iter().chain(v.row(row).iter()).chain(u.row(row).iter()).copied().collect::<Vec<_>>();
        entries.extend([values[row], t[row]]);
        if !entries.iter().all(|entry| entry.is_finite()) {
            return Err(AnalysisError::NotFinite { quantity: std::format!("`{name}` or a derivative of it") });
        }
    }
    Ok(FunctionJacobian { names, values, t, q, v, u })
}

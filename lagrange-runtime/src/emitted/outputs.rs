//! The derivatives of outputs: those that are written out are copied, and the others come from dual numbers.

use super::by_duals::{At, Wide, sweep};
use super::columns::Variable;
use crate::quantities::OutputRow;
use crate::scalar::{Dual, Scalar};
use nalgebra::SVector;

/// A number with a derivative, which has a derivative.
type Twice<R> = Dual<Dual<R, 1>, 1>;

/// The wanted outputs, and a row for each of them.
type Wanted<'a, R, const N: usize, const U: usize> = (&'a [usize], &'a mut [OutputRow<R, N, U>]);

/// A number that a row does not have: NaN.
#[inline]
pub fn undefined<R: Scalar>() -> R {
    R::from_f64(f64::NAN)
}

/// Writes the wanted rows of which these are known, with the index of each. The other rows become undefined.
#[inline]
pub fn write_rows<R: Scalar, const K: usize, const N: usize, const U: usize>(
    indices: &[usize; K],
    written: &[OutputRow<R, N, U>; K],
    outputs: &[usize],
    rows: &mut [OutputRow<R, N, U>],
) {
    rows.fill(OutputRow::undefined());
    for (output, row) in outputs.iter().zip(rows) {
        if let Some((_, known)) = indices.iter().zip(written).find(|(index, _)| *index == output) {
            *row = *known;
        }
    }
}

/// Writes the wanted rows of the outputs with these indices, without their biases. `values` writes the values of all `K` outputs.
pub fn output_rows<R: Scalar, const K: usize, const N: usize, const U: usize>(
    values: impl Fn(Wide<R>, &SVector<Wide<R>, N>, &SVector<Wide<R>, N>, &SVector<Wide<R>, U>, &mut [Wide<R>]),
    (t, q, v, u): At<'_, R, N, U>,
    indices: &[usize],
    (outputs, rows): Wanted<'_, R, N, U>,
) {
    if !outputs.iter().any(|output| indices.contains(output)) {
        return;
    }
    let values = |t: Wide<R>, q: &SVector<_, N>, v: &SVector<_, N>, u: &SVector<_, U>| {
        let mut out = [Wide::<R>::constant(R::ZERO); K];
        values(t, q, v, u, &mut out);
        out
    };
    sweep(values, (t, q, v, u), 0..2 * N + 1 + U, None, |values: &[Wide<R>; K], variable, k| {
        for (output, row) in outputs.iter().zip(&mut *rows).filter(|(output, _)| indices.contains(output)) {
            let Some(value) = values.get(*output) else { continue };
            row.value = value.value;
            let slope = value.derivatives[k];
            match Variable::of::<N>(variable) {
                Variable::Coordinate(i) => row.q[i] = slope,
                Variable::Velocity(i) => row.v[i] = slope,
                Variable::Time => row.t = slope,
                Variable::Input(i) => row.u[i] = slope,
            }
        }
    });
    for (_, row) in outputs.iter().zip(rows).filter(|(output, _)| indices.contains(output)) {
        row.drift = (0..N).fold(row.t, |sum, i| sum + row.q[i] * v[i]);
    }
}

/// Writes the biases of the wanted outputs with these indices, which are functions of (t, q, u): their second derivatives by s along q + v s, t + s.
pub fn output_biases<R: Scalar, const K: usize, const N: usize, const U: usize>(
    values: impl Fn(Twice<R>, &SVector<Twice<R>, N>, &SVector<Twice<R>, N>, &SVector<Twice<R>, U>, &mut [Twice<R>]),
    (t, q, v, u): At<'_, R, N, U>,
    indices: &[usize],
    (outputs, rows): Wanted<'_, R, N, U>,
) {
    if !outputs.iter().any(|output| indices.contains(output)) {
        return;
    }
    let constant = |value: R| Dual::constant(Dual::constant(value));
    let along =
        |value: R, rate: R| Dual { value: Dual { value, derivatives: [rate] }, derivatives: [Dual::constant(rate)] };
    let mut out = [constant(R::ZERO); K];
    let moved = SVector::from_fn(|i, _| along(q[i], v[i]));
    values(along(t, R::ONE), &moved, &v.map(constant), &u.map(constant), &mut out);
    for (output, row) in outputs.iter().zip(rows).filter(|(output, _)| indices.contains(output)) {
        if let Some(value) = out.get(*output) {
            row.bias = value.derivatives[0].derivatives[0];
        }
    }
}

//! Functions that equations define: w(a) with r(w, a) = 0, by Newton's method with halved steps.

use crate::scalar::{Mask, Scalar};

/// The most evaluations of the equations. A smooth r needs about ten. A few hundred are needed where the solution is at the edge of the
/// domain of r, and one for each binary order of magnitude between the first step and the solution.
const MOST_EVALUATIONS: u32 = 3000;

/// The equations at a point: r, and K = −∂r/∂w row by row.
pub type ImplicitRows<R, const N: usize> = ([R; N], [[R; N]; N]);

/// Returns the solution w of r(w, a) = 0 and 1, or NaN and 0 where none is found.
///
/// The iteration begins at w = 0, so that w is a function of a alone. A step w + K⁻¹ r is halved until the norm of r falls. Where K
/// is singular, K + μ takes its place, with μ = |r|/(1 + |w|). A pivot of K below 0 shows that r is not monotone, and nothing is
/// found then; nor where K is singular at the solution, unless `is_unique` says that the solution is unique nevertheless.
///
/// The iteration is over numbers without derivatives. Steps of Newton's method from its result give the derivatives: each step
/// doubles the order up to which they are exact. With a singular K they are not finite, and w is NaN for numbers with derivatives.
#[inline]
pub fn implicit<R: Scalar, const N: usize, const A: usize>(
    arguments: &[R; A],
    is_unique: bool,
    equations: impl Fn(&[R; N], &[R; A]) -> ImplicitRows<R, N>,
) -> ([R; N], R) {
    let fixed = arguments.map(R::without_derivatives);
    let (mut w, found) = solution(is_unique, |w| equations(w, &fixed));
    let mut exact = 0;
    while exact < R::DERIVATIVE_ORDER {
        let (residual, slope) = equations(&w, arguments);
        // What rounding left of r would change w.
        let residual = residual.map(|entry| entry - entry.without_derivatives());
        let step = eliminate(&residual, &slope, R::ZERO).step;
        for (w, step) in w.iter_mut().zip(step) {
            *w += step;
        }
        exact = 2 * exact + 1;
    }
    (w, found)
}

/// The state of the iteration at the best point.
struct Best<R: Scalar, const N: usize> {
    w: [R; N],
    residual: [R; N],
    slope: [[R; N]; N],
    /// |r|.
    norm: R,
    /// The next step, before it is halved.
    step: [R; N],
    /// Whether all pivots of K are positive.
    is_definite: R::Mask,
    /// Whether the step is K⁻¹ r.
    is_newton: R::Mask,
    /// How often r is as large as rounding.
    excess: R,
}

#[inline]
fn solution<R: Scalar, const N: usize>(
    is_unique: bool,
    equations: impl Fn(&[R; N]) -> ImplicitRows<R, N>,
) -> ([R; N], R) {
    let number = R::from_f64;
    let (never, always) = (<R::Mask as Mask>::splat(false), <R::Mask as Mask>::splat(true));
    let (rounding, half) = (number(N as f64 * R::EPSILON), number(0.5));
    let (near, loose, short) = (number(16.0 * R::EPSILON), number(64.0), number(0.01));
    // Newton's step changes r by this part of it, or by more, unless r has no more digits.
    let plateau = number(R::EPSILON).sqrt();
    let mut best = Best {
        w: [R::ZERO; N],
        residual: [R::ZERO; N],
        slope: [[R::ZERO; N]; N],
        norm: number(f64::INFINITY),
        step: [R::ZERO; N],
        is_definite: never,
        is_newton: never,
        excess: number(f64::INFINITY),
    };
    let mut first = [R::ZERO; N];
    let (mut found, mut failed, mut factor) = (never, never, R::ONE);
    for evaluation in 0..MOST_EVALUATIONS {
        let open = !(found | failed);
        if !open.any() {
            break;
        }
        let mut trial = best.w;
        let mut is_moved = never;
        for (trial, step) in trial.iter_mut().zip(best.step) {
            let before = *trial;
            *trial += R::select(open, factor * step, R::ZERO);
            is_moved = is_moved | !before.equals(*trial);
        }
        let (residual, slope) = equations(&trial);
        if evaluation == 0 {
            first = residual.map(R::abs);
        }
        let (norm, length) = (R::norm_of(residual), R::norm_of(trial));
        // A step of another length than Newton's may be too short to change a large r.
        let falls =
            open & length.is_finite() & (norm.lt(best.norm) | (is_moved & !best.is_newton & norm.le(best.norm)));
        if falls.any() {
            let sizes: [R; N] = core::array::from_fn(|i| {
                let terms = slope[i].iter().zip(&trial).map(|(slope, w)| (*slope * *w).abs());
                terms.fold(R::ZERO, |sum, term| sum + term)
            });
            let (mut is_solved, mut excess) = (always, R::ZERO);
            for (i, entry) in residual.iter().enumerate() {
                is_solved = is_solved & (entry.abs().le(rounding * sizes[i]) | entry.equals(R::ZERO));
                let ratio = entry.abs() / (near * (sizes[i] + first[i]));
                excess += R::select(entry.equals(R::ZERO), R::ZERO, ratio);
            }
            let next = next_step(&residual, &slope, norm, length);
            let kept = |kept: &mut [R; N], new: [R; N]| {
                for (kept, new) in kept.iter_mut().zip(new) {
                    *kept = R::select(falls, new, *kept);
                }
            };
            kept(&mut best.w, trial);
            kept(&mut best.residual, residual);
            for (best, row) in best.slope.iter_mut().zip(slope) {
                kept(best, row);
            }
            kept(&mut best.step, next.step);
            best.norm = R::select(falls, norm, best.norm);
            best.is_definite = (falls & next.is_definite) | (!falls & best.is_definite);
            best.is_newton = (falls & next.is_newton) | (!falls & best.is_newton);
            best.excess = R::select(falls, excess, best.excess);
            factor = R::select(falls, R::ONE, factor);
            found = found | (falls & is_solved);
            failed = failed | (falls & next.is_negative);
        }
        // Only rounding is left where no step makes a small r smaller, or where a part of Newton's step does not change r at all.
        let stays = open & !falls;
        let is_same =
            residual.iter().zip(&best.residual).fold(always, |all, (entry, before)| all & entry.equals(*before));
        let is_short = (factor.lt(short) | !is_moved) & best.excess.le(loose);
        found = found
            | (stays
                & (best.excess.le(R::ONE) | is_short | (is_same & is_moved & best.is_newton & factor.gt(plateau))));
        factor = R::select(stays, factor * half, factor);
        // A slope that is almost 0 makes a step of Newton's method that leads nowhere.
        let ends = stays & !is_moved & !found;
        let again = ends & best.is_newton;
        if again.any() {
            let step = shifted_step(&best.residual, &best.slope, best.norm, R::norm_of(best.w));
            for (best, step) in best.step.iter_mut().zip(step) {
                *best = R::select(again, step, *best);
            }
            best.is_newton = best.is_newton & !again;
            factor = R::select(again, R::ONE, factor);
        }
        failed = failed | (ends & !again);
    }
    if !is_unique {
        failed = failed | !best.is_definite;
    }
    let found = found & !failed;
    let nan = number(f64::NAN);
    (best.w.map(|w| R::select(found, w, nan)), R::select(found, R::ONE, R::ZERO))
}

/// A step, and what its pivots say of K.
struct Step<R: Scalar, const N: usize> {
    step: [R; N],
    is_newton: R::Mask,
    is_definite: R::Mask,
    /// Whether a pivot is negative, and those before it are positive.
    is_negative: R::Mask,
}

/// K⁻¹ r, or (K + μ)⁻¹ r where K is singular or has no value.
#[inline]
fn next_step<R: Scalar, const N: usize>(residual: &[R; N], slope: &[[R; N]; N], norm: R, length: R) -> Step<R, N> {
    let newton = eliminate(residual, slope, R::ZERO);
    let is_finite = newton.step.iter().fold(<R::Mask as Mask>::splat(true), |all, step| all & step.is_finite());
    let is_good = newton.is_definite & is_finite;
    if is_good.all() {
        return newton;
    }
    let mut step = newton.step;
    for (step, shifted) in step.iter_mut().zip(shifted_step(residual, slope, norm, length)) {
        *step = R::select(is_good, *step, shifted);
    }
    Step { step, is_newton: is_good, ..newton }
}

/// (K + μ)⁻¹ r with μ = |r|/(1 + |w|).
#[inline]
fn shifted_step<R: Scalar, const N: usize>(residual: &[R; N], slope: &[[R; N]; N], norm: R, length: R) -> [R; N] {
    let finite = slope.map(|row| row.map(|entry| R::select(entry.is_finite(), entry, R::ZERO)));
    eliminate(residual, &finite, norm / (R::ONE + length)).step
}

/// (K + μ)⁻¹ r by elimination along the diagonal, which is stable where K + Kᵀ is positive definite.
#[inline]
fn eliminate<R: Scalar, const N: usize>(residual: &[R; N], slope: &[[R; N]; N], shift: R) -> Step<R, N> {
    let (mut rows, mut step) = (*slope, *residual);
    let rounding = R::from_f64(16.0 * N as f64 * R::EPSILON);
    let (mut is_definite, mut is_negative) = (<R::Mask as Mask>::splat(true), <R::Mask as Mask>::splat(false));
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] += shift;
    }
    for i in 0..N {
        // The terms that cancel in the first pivot are none, so that it may be small.
        let size = slope[i].iter().fold(shift, |sum, entry| sum + entry.abs());
        let bound = if i == 0 { R::ZERO } else { rounding * size };
        is_negative = is_negative | (is_definite & rows[i][i].lt(-bound));
        is_definite = is_definite & rows[i][i].gt(bound) & rows[i][i].is_finite();
        let (pivot, right) = (rows[i], step[i]);
        for (row, step) in rows.iter_mut().zip(&mut step).skip(i + 1) {
            let factor = row[i] / pivot[i];
            for (entry, above) in row.iter_mut().zip(pivot).skip(i + 1) {
                *entry -= factor * above;
            }
            *step -= factor * right;
        }
    }
    for i in (0..N).rev() {
        let known = rows[i].iter().zip(&step).skip(i + 1).map(|(entry, step)| *entry * *step);
        let known = known.fold(R::ZERO, |sum, term| sum + term);
        step[i] = (step[i] - known) / rows[i][i];
    }
    Step { step, is_newton: is_definite, is_definite, is_negative }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{DoubleDouble, Dual, Lanes};

    /// w of a = c |w| w, the balance of a force and a drag of third degree.
    fn drag<R: Scalar>(a: R, c: R) -> ([R; 1], R) {
        implicit(&[a, c], true, |w, a| ([a[0] - a[1] * w[0].abs() * w[0]], [[R::from_f64(2.0) * a[1] * w[0].abs()]]))
    }

    /// The current of a diode and a resistor with the voltage a: a = ln(1 + w) + b w.
    fn diode<R: Scalar>(a: R, b: R) -> ([R; 1], R) {
        implicit(&[a, b], false, |w, a| {
            let slope = (R::ONE + w[0]).recip() + a[1];
            ([a[0] - (R::ONE + w[0]).ln() - a[1] * w[0]], [[slope]])
        })
    }

    #[test]
    fn a_drag_is_solved_at_all_magnitudes() {
        for exponent in -300..300 {
            let a = 10.0_f64.powi(exponent);
            for (force, sign) in [(a, 1.0), (-a, -1.0)] {
                let ([w], found) = drag(force, 2.0);
                let exact = sign * (a / 2.0).sqrt();
                assert!(found == 1.0 && (w - exact).abs() <= 1e-15 * exact.abs(), "{force:e}: {w:e} {exact:e}");
            }
        }
        for exponent in -36..36 {
            let a = 10.0_f32.powi(exponent);
            let ([w], found) = drag(a, 2.0);
            assert!(found == 1.0 && (w - (a / 2.0).sqrt()).abs() <= 4e-7 * w, "{a:e}: {w:e}");
        }
        assert_eq!(drag(0.0, 2.0), ([0.0], 1.0));
        let ([w], _) = drag(DoubleDouble::from_f64(3.0), DoubleDouble::from_f64(2.0));
        let exact = DoubleDouble::from_f64(1.5).sqrt();
        assert!((w - exact).to_f64().abs() < 1e-30);
    }

    #[test]
    fn a_diode_is_solved_in_both_directions() {
        for tenths in -360..7000 {
            let a = f64::from(tenths) / 10.0;
            let ([w], found) = diode(a, 0.0);
            let exact = a.exp_m1();
            assert!(
                found == 1.0 && (w - exact).abs() <= 4e-14 * (1.0 + a.abs()) * exact.abs() + 3e-16,
                "{a}: {w:e} {exact:e}"
            );
        }
        let ([w], found) = diode(-100.0, 0.0);
        assert!(found == 1.0 && (w + 1.0).abs() < 1e-15);
        for exponent in -17..-3 {
            let a = 10.0_f64.powi(exponent);
            let ([w], found) = diode(a, 0.0);
            assert!(found == 1.0 && (w - a).abs() < 1e-15 + a * a, "{a:e}: {w:e}");
        }
    }

    #[test]
    fn derivatives_of_every_order_are_right() {
        type Third = Dual<Dual<Dual<f64, 1>, 1>, 1>;
        let one = |value: f64| Dual::<f64, 1>::variable(value, 0);
        let two = |value: f64| Dual::<Dual<f64, 1>, 1>::variable(one(value), 0);
        let a = Third::variable(two(3.0), 0);
        let ([w], _) = drag(a, Third::from_f64(2.0));
        // w = √(a/2) and its derivatives.
        let root = 1.5_f64.sqrt();
        let [first, second, third] = [root / 6.0, -root / 36.0, root / 72.0];
        assert!((w.value.value.value - root).abs() < 1e-15);
        assert!((w.derivatives[0].value.value - first).abs() < 1e-15);
        assert!((w.derivatives[0].derivatives[0].value - second).abs() < 1e-15);
        assert!((w.derivatives[0].derivatives[0].derivatives[0] - third).abs() < 1e-15);
        // At rest the slope is infinite.
        assert!(!drag(one(0.0), Dual::constant(2.0)).0[0].is_finite());
    }

    #[test]
    fn lanes_are_what_numbers_are() {
        let forces: [f64; 4] = [3.0, -1e-12, 1e200, 0.0];
        let ([w], found) = drag(Lanes(forces), Lanes([2.0; 4]));
        for (lane, force) in forces.into_iter().enumerate() {
            assert_eq!(w.0[lane].to_bits(), drag::<f64>(force, 2.0).0[0].to_bits());
            assert_eq!(found.0[lane], 1.0);
        }
        // A lane without a solution is NaN, and the others are not affected.
        let ([w], found) = diode(Lanes([1.0, f64::NAN]), Lanes([0.0; 2]));
        assert!((w.0[0] - 1.0_f64.exp_m1()).abs() < 1e-14 && w.0[1].is_nan());
        assert_eq!(found.0, [1.0, 0.0]);
    }

    #[test]
    fn saturation_is_left_again() {
        // tanh w = a, from points where the first step is too long by many orders of magnitude.
        for (a, from) in [(0.3, 10.0), (-0.999, 10.0), (1e-9, 20.0), (0.3, 400.0)] {
            let far: ([f64; 1], f64) = implicit(&[a], false, |w, a| {
                let w = w[0] + from;
                ([a[0] - w.tanh()], [[w.cosh().powi(-2)]])
            });
            assert!(far.1 == 1.0 && (far.0[0] + from - a.atanh()).abs() < 1e-12, "{a}: {far:?}");
        }
    }

    #[test]
    fn what_has_no_unique_solution_is_not_found() {
        // w³ − w falls at 0; w² has no root beside a < 0; a constant is determined by nothing; |w|w is not strict at 0.
        let double =
            |a: f64| implicit(&[a], false, |w, a| ([a[0] + w[0] - w[0] * w[0] * w[0]], [[3.0 * w[0] * w[0] - 1.0]]));
        for a in [0.0, 0.1, 5.0] {
            let ([w], found) = double(a);
            assert!(w.is_nan() && found == 0.0, "{a}");
        }
        let never: ([f64; 1], f64) = implicit(&[1.0], false, |w, a| ([a[0] + w[0] * w[0]], [[-2.0 * w[0]]]));
        assert_eq!(never.1, 0.0);
        let flat: ([f64; 1], f64) = implicit(&[1.0], true, |_, a| ([a[0]], [[0.0]]));
        assert_eq!(flat.1, 0.0);
        let rest: ([f64; 1], f64) = implicit(&[0.0], false, |w, a| ([a[0] - w[0].abs() * w[0]], [[2.0 * w[0].abs()]]));
        assert_eq!(rest.1, 0.0);
    }

    #[test]
    fn an_infinite_slope_at_rest_is_no_obstacle() {
        // D = |w|^(3/2): r = a − 3/2 √|w| sign w, and K = 3/(4 √|w|) is infinite at 0.
        for a in [3.0, -1e-6, 1e12, 0.0] {
            let ([w], found): ([f64; 1], f64) = implicit(&[a], true, |w, a| {
                let root = w[0].abs().sqrt();
                ([a[0] - 1.5 * root * Scalar::sign(w[0])], [[0.75 / root]])
            });
            let exact = (a / 1.5).powi(2).copysign(a);
            assert!(found == 1.0 && (w - exact).abs() <= 1e-14 * exact.abs(), "{a}: {w:e}");
        }
    }

    #[test]
    fn coupled_equations_are_solved_where_the_slope_vanishes_at_rest() {
        // D = (v₁ + 10 v₂)⁴/4 + (v₁ − v₂)⁴/40: ∂²D/∂v² is 0 at rest.
        let solve = |b: [f64; 2]| {
            implicit(&b, true, |w: &[f64; 2], b: &[f64; 2]| {
                let (sum, gap) = (w[0] + 10.0 * w[1], w[0] - w[1]);
                let (s, g) = (3.0 * sum * sum, 0.3 * gap * gap);
                let r = [b[0] - sum.powi(3) - 0.1 * gap.powi(3), b[1] - 10.0 * sum.powi(3) + 0.1 * gap.powi(3)];
                (r, [[s + g, 10.0 * s - g], [10.0 * s - g, 100.0 * s + g]])
            })
        };
        for b in [[1.0, -0.01], [1.0, 0.1], [-3.0, 40.0], [1e-9, 1e-3], [1e6, -2e6]] {
            let (w, found) = solve(b);
            let sum = ((b[0] + b[1]) / 11.0).cbrt();
            let gap = (10.0 * (b[0] - sum.powi(3))).cbrt();
            let exact = [(sum + 10.0 * gap) / 11.0, (sum - gap) / 11.0];
            assert_eq!(found, 1.0, "{b:?}");
            for i in 0..2 {
                assert!((w[i] - exact[i]).abs() < 1e-11 * (exact[0].abs() + exact[1].abs()), "{b:?}: {w:?} {exact:?}");
            }
        }
    }
}

//! The equations x(T; x₀, μ) − x₀ − w = 0 of periodic orbits.

use super::super::{Given, Shooting, motion};
use super::attachment::{Attachment, attached};
use super::{OrbitBifurcation, OrbitPoint, PeriodicOrbit, SAMPLES};
use crate::analysis::AnalysisError;
use crate::analysis::continuation::{Curve, Flank, Special};
use crate::analysis::matrix::{eigenvalues, finite};
use crate::analysis::sensitivity::Variable;
use crate::method::Method;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::{Mechanism, System};
use core::f64::consts::TAU;
use core::marker::PhantomData;
use nalgebra::{Complex, DMatrix, DVector};
use std::string::ToString;
use std::vec::Vec;

/// An imaginary part below this fraction of the largest multiplier belongs to a real multiplier.
const REAL: f64 = 1e-6;
/// The part of the range of μ that a branch is expected to span at first.
const FIRST: f64 = 0.1;
/// The multiplier 1 of an orbit in time-free equations is known to this precision. No other multiplier nearer to the circle counts as outside.
const CIRCLE: f64 = 1e-6;

/// The periodic orbits of a mechanism for all values of a parameter. A point has the states of the start, then the period where it is free, then μ.
pub(super) struct Orbits<'a, M, I, const N: usize, const C: usize, const U: usize, const W: usize> {
    pub(super) given: Given<'a, M, I, N, W>,
    pub(super) search: &'a Shooting<N>,
    /// The parameter.
    pub(super) variable: Variable<N>,
    pub(super) name: &'a str,
    pub(super) range: [f64; 2],
    /// How many periods of the drive an orbit has, whose angular frequency is the parameter.
    pub(super) drive: Option<u32>,
    pub(super) is_free: bool,
    /// The states in (q, v).
    pub(super) rows: Vec<usize>,
    /// The component of (q, v) that the search fixes.
    pub(super) fixed: Vec<usize>,
    pub(super) sizes: PhantomData<[[(); C]; U]>,
}

/// The motion over a period from a point x, which may be off the constraints. It begins at the consistent state s with the same independent
/// coordinates and velocities.
struct Round {
    /// (x(T) − s − w) + (x − s). The first part is tangent to the constraints, the second across them, so that both vanish together.
    miss: DVector<f64>,
    /// ∂miss/∂x.
    by_point: DMatrix<f64>,
    /// ∂miss/∂μ at a fixed T.
    by_parameter: DVector<f64>,
    /// dx/dt at the end.
    rate: DVector<f64>,
    /// ∂x(T)/∂s of the independent coordinates and velocities.
    monodromy: DMatrix<f64>,
}

impl<M, I, const N: usize, const C: usize, const U: usize, const W: usize> Orbits<'_, M, I, N, C, U, W>
where
    M: Mechanism<N, C, U> + Clone,
    I: Method<Dual<f64, W>, N, C>,
{
    /// The mechanism with this value of the parameter.
    pub(super) fn mechanism_at(&self, value: f64) -> Result<M, AnalysisError> {
        let mut mechanism = self.given.0.clone();
        mechanism.set_parameter(self.name, value).map_err(|unknown| AnalysisError::UnknownName {
            kind: "parameter or input",
            name: self.name.to_string(),
            known: unknown.known.iter().map(ToString::to_string).collect(),
        })?;
        Ok(mechanism)
    }

    /// The period that the drive or the search gives at a value of the parameter.
    pub(super) fn period_of(&self, value: f64) -> f64 {
        match self.drive {
            Some(periods) => TAU * f64::from(periods) / value,
            None => self.search.period,
        }
    }

    /// The unknowns of an orbit, and μ.
    pub(super) fn unknowns_of(&self, orbit: &PeriodicOrbit<N>, value: f64) -> DVector<f64> {
        let component = |&row: &usize| if row < N { orbit.start.q[row] } else { orbit.start.v[row - N] };
        let period = self.is_free.then_some(orbit.period);
        DVector::from_vec(self.rows.iter().map(component).chain(period).chain([value]).collect())
    }

    /// The state and the period of a point, as they stand in it.
    fn state(&self, x: &DVector<f64>) -> (State<f64, N>, f64) {
        let mut state = self.search.guess;
        for (&row, value) in self.rows.iter().zip(x.iter()) {
            if row < N {
                state.q[row] = *value;
            } else {
                state.v[row - N] = *value;
            }
        }
        let value = x[x.len() - 1];
        (state, if self.is_free { x[self.rows.len()] } else { self.period_of(value) })
    }

    /// The mechanism, its equations, the start that meets the constraints, and the period at a point.
    #[allow(clippy::type_complexity, reason = "four parts of one point")]
    fn start(&self, x: &DVector<f64>) -> Result<(M, M::Prepared<f64>, State<f64, N>, f64), AnalysisError> {
        let mechanism = self.mechanism_at(x[x.len() - 1])?;
        let system = mechanism.prepare::<f64>()?;
        let (state, period) = self.state(x);
        let start = if const { C == 0 } { state } else { attached(&system, &state, self.search)? };
        Ok((mechanism, system, start, period))
    }

    /// The motion over a period from a point.
    fn round(&self, x: &DVector<f64>) -> Result<Round, AnalysisError> {
        let (mechanism, system, start, period) = self.start(x)?;
        let (point, _) = self.state(x);
        let Attachment { columns, independent, shift } = Attachment::at(&mechanism, &system, &start, self.variable)?;
        let free = columns.ncols();
        let mut directions = columns.clone();
        if let Some(shift) = &shift {
            directions = directions.insert_column(free, 0.0);
            directions.set_column(free, shift);
        }
        let mut variables: Vec<Variable<N>> = Variable::directions(&directions);
        variables.push(self.variable);
        let given = (&mechanism, self.given.1, self.given.2);
        let (states, derivative, _) = motion(given, &start, &[start.t + period], &variables)?;
        let end = states.last().copied().unwrap_or(start);
        let found =
            system.acceleration_of(&end).map_err(|singular| AnalysisError::singular(singular, system.coordinates()))?;
        let size = self.rows.len();
        let of_row = |by_q: &dyn Fn(usize) -> f64, by_v: &dyn Fn(usize) -> f64| {
            DVector::from_iterator(size, self.rows.iter().map(|&row| if row < N { by_q(row) } else { by_v(row - N) }))
        };
        let winding = &self.search.winding;
        let miss = of_row(&|i| end.q[i] + point.q[i] - 2.0 * start.q[i] - winding[i], &|i| {
            end.v[i] + point.v[i] - 2.0 * start.v[i]
        });
        // s follows the independent components of x, and μ: ∂miss/∂s = ∂x(T)/∂s − 2.
        let own = derivative.select_rows(&self.rows);
        let mut by_point = DMatrix::identity(size, size);
        for (k, row) in independent.iter().enumerate() {
            if let Some(place) = self.rows.iter().position(|known| known == row) {
                let change = own.column(k) - columns.column(k).select_rows(&self.rows) * 2.0;
                by_point.set_column(place, &(by_point.column(place) + change));
            }
        }
        let mut by_parameter = own.column(own.ncols() - 1).into_owned();
        if let Some(shift) = &shift {
            by_parameter += own.column(free) - shift.select_rows(&self.rows) * 2.0;
        }
        let round = Round {
            miss,
            by_point,
            by_parameter,
            rate: of_row(&|i| end.v[i], &|i| found.acceleration[i]),
            monodromy: derivative.columns(0, free).select_rows(&independent),
        };
        finite("the derivative of the motion", &round.by_point)?;
        Ok(round)
    }

    /// The Floquet multipliers at a point; none where the motion fails.
    fn multipliers(&self, x: &DVector<f64>) -> Vec<Complex<f64>> {
        self.round(x).and_then(|round| eigenvalues(&round.monodromy)).unwrap_or_default()
    }

    /// The first point between two, with its place, at which `holds` becomes true for the multipliers.
    fn located(
        &self,
        scales: &[f64],
        (flank, next, step): (&Flank, &Flank, f64),
        kind: impl Fn(&[Complex<f64>]) -> OrbitBifurcation,
        holds: impl Fn(&[Complex<f64>]) -> bool,
    ) -> Option<(f64, Special<Self>)> {
        let ((_, at), place) = flank.bisect(self, scales, (next, step), |at| holds(&self.multipliers(&at.x)));
        let point = self.point_at(&at.x).ok()?;
        Some((place, (kind(&point.orbit.multipliers), point, at.way(scales))))
    }
}

/// One of each pair of complex multipliers.
fn pairs(multipliers: &[Complex<f64>]) -> impl Iterator<Item = Complex<f64>> + '_ {
    let least = REAL * multipliers.iter().fold(0.0_f64, |largest, value| largest.max(value.norm()));
    multipliers.iter().copied().filter(move |value| value.im > least)
}

/// The number of pairs outside the unit circle.
fn pairs_outside(multipliers: &[Complex<f64>]) -> usize {
    pairs(multipliers).filter(|value| value.norm() > 1.0).count()
}

/// The number of multipliers outside the unit circle, without that of a shift of time.
fn outside(multipliers: &[Complex<f64>]) -> usize {
    multipliers.iter().filter(|value| value.norm() > 1.0 + CIRCLE).count()
}

/// Whether an odd number of real multipliers is below −1: the sign of det(M + 1).
fn is_flipped(multipliers: &[Complex<f64>]) -> bool {
    multipliers.iter().map(|value| value + 1.0).product::<Complex<f64>>().re < 0.0
}

impl<M, I, const N: usize, const C: usize, const U: usize, const W: usize> Curve for Orbits<'_, M, I, N, C, U, W>
where
    M: Mechanism<N, C, U> + Clone,
    I: Method<Dual<f64, W>, N, C>,
{
    type Point = OrbitPoint<N>;
    type Kind = OrbitBifurcation;

    const FOLD: OrbitBifurcation = OrbitBifurcation::Fold;
    const BRANCH_POINT: OrbitBifurcation = OrbitBifurcation::BranchPoint;
    // The derivatives of a motion have errors of the integration.
    const RANK_TOLERANCE: f64 = 1e-6;
    const CORRECTED: f64 = 1e-6;

    fn spans(&self, x: &DVector<f64>) -> Result<Option<Vec<f64>>, AnalysisError> {
        let (mechanism, system, start, period) = self.start(x)?;
        let flight = self.search.flight(&system, (&mechanism, self.given.1, self.given.2), &start, period)?;
        let scales = flight.scales();
        let own = self.rows.iter().map(|&row| scales[row]);
        let width = self.range[1] - self.range[0];
        Ok(Some(own.chain(self.is_free.then_some(period)).chain([width * FIRST]).collect()))
    }

    fn range(&self) -> [f64; 2] {
        self.range
    }

    fn parameter(point: &Self::Point) -> f64 {
        point.parameter
    }

    fn evaluate(&self, x: &DVector<f64>) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError> {
        let (states, last) = (self.rows.len(), x.len() - 1);
        let round = self.round(x)?;
        let mut residual = round.miss;
        let mut jacobian = DMatrix::zeros(states, last + 1);
        jacobian.columns_mut(0, states).copy_from(&round.by_point);
        if self.is_free {
            jacobian.set_column(states, &round.rate);
        }
        // dT/dμ of T = 2πn/μ.
        let stretch = if self.drive.is_some() { -self.period_of(x[last]) / x[last] } else { 0.0 };
        jacobian.set_column(last, &(round.by_parameter + round.rate * stretch));
        for &row in &self.fixed {
            let given = if row < N { self.search.guess.q[row] } else { self.search.guess.v[row - N] };
            let place = self.rows.iter().position(|&known| known == row).unwrap_or_default();
            let count = residual.len();
            residual = residual.insert_row(count, x[place] - given);
            jacobian = jacobian.insert_row(count, 0.0);
            jacobian[(count, place)] = 1.0;
        }
        Ok((residual, jacobian))
    }

    fn point_at(&self, x: &DVector<f64>) -> Result<Self::Point, AnalysisError> {
        let parameter = x[x.len() - 1];
        let (mechanism, system, start, period) = self.start(x)?;
        let given = (&mechanism, self.given.1, self.given.2);
        let flow = |start: &State<f64, N>, period: f64| self.search.flight(&system, given, start, period);
        let orbit = flow(&start, period)?.orbit(0, &system, flow)?;
        let times: Vec<f64> = (1..SAMPLES).map(|k| start.t + period * f64::from(k) / f64::from(SAMPLES)).collect();
        let (rest, ..) = motion(given, &start, &times, &[])?;
        let states = core::iter::once(start).chain(rest).collect();
        let unstable = outside(&orbit.multipliers);
        Ok(OrbitPoint { parameter, orbit, states, unstable })
    }

    fn further(&self, scales: &[f64], flank: &Flank, next: &Flank, step: f64) -> Vec<(f64, Special<Self>)> {
        let [before, after] = [flank, next].map(|at| self.multipliers(&at.x));
        let ends = (flank, next, step);
        let mut found = Vec::new();
        if before.is_empty() || after.is_empty() {
            return found;
        }
        let flipped = is_flipped(&before);
        if flipped != is_flipped(&after) {
            let doubling = |_: &[Complex<f64>]| OrbitBifurcation::PeriodDoubling;
            found.extend(self.located(scales, ends, doubling, |at| is_flipped(at) != flipped));
        }
        // A pair that becomes two real multipliers has not crossed the circle.
        let count = pairs_outside(&before);
        if count != pairs_outside(&after) && outside(&before) != outside(&after) {
            let angle = |at: &[Complex<f64>]| {
                let nearest = pairs(at).min_by(|a, b| (a.norm() - 1.0).abs().total_cmp(&(b.norm() - 1.0).abs()));
                OrbitBifurcation::Torus { angle: nearest.map_or(0.0, Complex::arg) }
            };
            found.extend(self.located(scales, ends, angle, |at| pairs_outside(at) != count));
        }
        found
    }
}

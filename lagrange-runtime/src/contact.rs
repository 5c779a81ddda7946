//! Contacts: dry friction that slips or sticks, contacts that open and close, and the forces that hold what sticks or is closed.
//!
//! A *contact* is a `friction` or `contact` statement of the block. A *row* is one scalar relative motion with its force: a slip, a component of
//! a slip, or a gap. A contact has one row or several.
//!
//! Each `friction` statement of a block is a contact with a slip rate s = W v + ∂slip/∂t and a bound b. Where the contact slips,
//! the force on its slip is −b sign(s). Where it sticks, s = 0, and the force is what keeps it so, at most b in magnitude.
//!
//! Each `contact` statement has a gap with a force N ≥ 0 where it is closed, and may have a slip with a friction force of at most
//! μ N. Gaps and slips have rows, as frictions have, in this order: the rows of `friction` statements come first, then the gaps, then the slips of contacts that are scalars.
//! Behind them are the rows of `friction` statements whose slips are vectors, one row for each component, or whose bounds contain multipliers. The slips of contacts that are vectors come last, again with
//! one row for each component. A row of a constraint that modes switch on and off stands behind the gaps. While it is on, its force keeps its rate 0, with any sign.
//!
//! [`forces`] gives the forces at a state. During an integration the driver knows the phase of each contact: see
//! [`guide::friction`](crate::guide::friction) and [`guide::contacts`](crate::guide::contacts).
//!
//! # The rule for several contacts
//!
//! In a mechanism with `friction` statements alone, the forces of the contacts whose slip rate is 0 follow from Coulomb's law for the slip accelerations w = W a + …: |f| ≤ b,
//! f = −b where w > 0, f = b where w < 0. With D = W M⁻¹ Wᵀ (M bordered by the constraints) it is w = c + D f, a linear
//! complementarity problem with bounds. It has one solution where D is positive definite, and Murty's rule finds it: change the
//! first contact that violates its condition, and solve again. If a slip is a vector, the forces of all contacts at rest are those of
//! least ½ fᵀD f + cᵀf with |f| ≤ b, which is Coulomb's law too. Source: K. G. Murty, *Linear Complementarity, Linear and
//! Nonlinear Programming*, 1988, 4.2; J. J. Júdice, F. M. Pires, *Basic-set algorithm for a generalized linear complementarity
//! problem*, J. Optim. Theory Appl. 74, 1992.
//!
//! With contacts, every combination of phases is tried; if a slip is a vector, every choice of open contacts, with the forces of least ½ fᵀD f + cᵀf for each, whose bounds μ N
//! follow from these forces by repetition with secants. Rows that act on each other and have more than 3⁸ combinations are decided by Lemke's method, as a path through
//! phases. Where rows depend on each other, the motion does not determine their forces: of those with the same motion, the forces of least Σ Dₖₖ fₖ² are taken
//! ([guide](crate::guide::contacts#many-contacts)).

mod adhesion;
mod arrival;
mod breakaway;
mod gaps;
mod impact;
mod latches;
mod laws;
mod loaded;
mod many;
mod motion;
mod path;
mod phases;
mod reduced;
mod relaxed;
mod rows;
mod rules;
mod step;
mod vector;
mod with_inputs;

pub use crate::limits::MAX_ROWS;
pub(crate) use phases::Phases;
use reduced::{Motion, Place, Reduced};
pub use rows::Rows;
pub(crate) use rules::{At, Inputs, Known, Reached, Settled, Watched};
pub use rules::{ContactRules, Ruled};
pub use step::{ContactPhases, ContactStep, ContactStepped};
pub(crate) use vector::{VelocityTolerance, has_vectors, vector_slips};
pub use with_inputs::WithInputs;

use crate::dense::Interpolant;
use crate::error::{Failure, SingularMass};
use crate::quantities::{Acceleration, Gap, Latch, Law, Row};
use crate::scalar::{Real, Scalar};
use crate::state::State;
use nalgebra::SVector;

/// The rate or gap below which a state counts as at rest, relative to 1 plus the magnitudes of the terms of the rate or gap. It
/// decides what is shown at a single state. An integration does not use it: there the phase of a contact is known.
const AT_REST: f64 = 1e-9;

/// The forces of the contacts at a state. The rows are those of [`System::row_names`](crate::system::System::row_names).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForces<R> {
    /// The force on each slip, and N on each gap, at least 0 or minus its adhesion.
    pub forces: [R; MAX_ROWS],
    /// The bound of each friction force; for a gap, its adhesion. A component of a vector has the bound of the whole force. Where a friction with a static
    /// bound sticks, its entry is the static bound.
    pub bounds: [R; MAX_ROWS],
    /// The rate of each slip and of each gap.
    pub rates: [R; MAX_ROWS],
    /// Whether each slip sticks, and whether each gap is that of a closed contact.
    pub sticks: [bool; MAX_ROWS],
}

/// The forces of the contacts at a state with inputs `u`. A contact counts as at rest where |s| ≤ 10⁻⁹ (1 + Σ |Wᵢ vᵢ| +
/// |∂slip/∂t|); the rule for several contacts decides whether it sticks. A `contact` counts as closed where that holds for its
/// gap and its rate. A row of a constraint that modes switch on bears a force where its rate counts as 0: the force of the impact at which it begins
/// to hold is not finite. Entries beyond [`System::row_count`](crate::system::System::row_count) are 0. The
/// forces of a system that gives no [rules](ContactRules) are NaN.
///
/// # Errors
/// [`SingularMass`] names a coordinate without inertia, a redundant constraint, a slip that is a vector and that others at rest make redundant, or a
/// contact at which the laws of contact and friction allow no motion or several.
pub fn forces<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    state: &State<R, N>,
    u: &SVector<R, U>,
) -> Result<ContactForces<R>, SingularMass>
where
    S: Rows<R, N, C, U> + ?Sized,
    R: Scalar,
{
    let State { t, q, v } = state;
    let unknown = R::from_f64(if system.row_count() == 0 { 0.0 } else { f64::NAN });
    let mut found = Ok(ContactForces::filled(unknown));
    system.contact_rules(&mut |rules| found = rules.forces((*t, q, v, u)));
    found
}

/// The state at time `t` of a step, moved so that closed contacts have the gap 0 and sticking frictions the rate 0, up to rounding, where these are the rows that the step [keeps](Interpolant::held). The interpolant alone
/// misses these by its error, so that [`forces`] may count a closed contact as open. `inputs` gives the u(t, q, v) of the motion.
///
/// # Errors
/// [`Failure::SingularMass`] as in [`forces`].
pub fn sample<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    step: &Interpolant<R, N>,
    t: R,
    mut inputs: impl FnMut(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U>,
) -> Result<State<R, N>, Failure>
where
    S: Rows<R, N, C, U> + ?Sized,
    R: Real,
{
    let state = step.sample(t);
    if step.held() == 0 {
        return Ok(state);
    }
    let known = Known::of(Phases::holding(step.held(), system.opens()));
    let mut held = Ok(state);
    system.contact_rules(&mut |rules| held = rules.hold(known, &mut inputs, &state, false));
    held
}

impl<R: Scalar> ContactForces<R> {
    fn filled(number: R) -> Self {
        let all = [number; MAX_ROWS];
        Self { forces: all, bounds: all, rates: all, sticks: [false; MAX_ROWS] }
    }
}

impl<S, const W: usize> Ruled<'_, S, W> {
    /// The forces at a state whose history is not known.
    pub(crate) fn forces_at<R, const N: usize, const C: usize, const U: usize>(
        &self,
        (t, q, v, u): At<'_, R, N, U>,
    ) -> Result<ContactForces<R>, SingularMass>
    where
        S: Rows<R, N, C, U>,
        R: Scalar,
    {
        let place = Place::new(self.system, t, q, v, u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let motion = at_state(self.system, &reduced, (t, q, v))?;
        let mut found = ContactForces::filled(R::ZERO);
        let reduced = reduced.in_phases(motion.phases);
        for (k, row) in reduced.rows().iter().enumerate() {
            found.forces[k] = motion.forces[k];
            (found.bounds[k], found.rates[k]) = (reduced.limit(k, &motion.forces), row.rate);
            found.sticks[k] = motion.phases.sticks(reduced.first_of(k));
        }
        Ok(found)
    }

    /// a and λ at a state where a contact is at rest, or of a mechanism with a friction whose slip is a vector or whose bound contains
    /// multipliers. `None` if there is no such friction and every contact slips.
    #[inline(never)]
    pub(crate) fn acceleration_at_rest<R, const N: usize, const C: usize, const U: usize>(
        &self,
        (t, q, v, u): At<'_, R, N, U>,
    ) -> Option<Result<Acceleration<R, N, C>, SingularMass>>
    where
        S: Rows<R, N, C, U>,
        R: Scalar,
    {
        let place = Place::new(self.system, t, q, v, u);
        let reduced = match Reduced::<R, N, C, W>::at(&place) {
            Ok(reduced) => reduced,
            Err(singular) => return Some(Err(singular)),
        };
        (self.system.bound_count() != 0 || at_rest(self.system, &reduced, (t, q, v)) != 0).then(|| {
            let motion = at_state(self.system, &reduced, (t, q, v))?;
            Ok(reduced.acceleration(&motion.forces))
        })
    }

    /// Writes the power of each contact, f times W v, where a vector of slips counts once. It is NaN where the equations cannot be solved.
    pub(crate) fn write_powers<R, const N: usize, const C: usize, const U: usize>(
        &self,
        (t, q, v, u): At<'_, R, N, U>,
        out: &mut [R],
    ) where
        S: Rows<R, N, C, U>,
        R: Scalar,
    {
        let system = self.system;
        let place = Place::new(system, t, q, v, u);
        let found =
            Reduced::<R, N, C, W>::at(&place).and_then(|reduced| Ok((at_state(system, &reduced, (t, q, v))?, reduced)));
        let Ok((motion, reduced)) = found else {
            let is_later = |k: &usize| {
                system.row_laws().get(*k).and_then(|law| law.vector()).is_some_and(|(first, _)| first != *k)
            };
            let firsts = (0..system.row_count()).filter(|k| !is_later(k)).count();
            return out.iter_mut().take(firsts).for_each(|out| *out = R::from_f64(f64::NAN));
        };
        for (k, out) in reduced.firsts().zip(out) {
            *out = reduced.rows_of(k).fold(R::ZERO, |power, row| {
                let direction = &reduced.rows()[row].direction;
                (0..N).fold(power, |power, i| power + motion.forces[row] * direction[i] * v[i])
            });
        }
    }
}

/// The motion at a state whose history is not known.
fn at_state<S, R, const N: usize, const C: usize, const U: usize, const W: usize>(
    system: &S,
    reduced: &Reduced<'_, R, N, C, W>,
    (t, q, v): (R, &SVector<R, N>, &SVector<R, N>),
) -> Result<Motion<R, W>, SingularMass>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    let mut phases = Phases::default();
    let at_rest = at_rest(system, reduced, (t, q, v));
    reduced.firsts().for_each(|k| phases.slide(k, reduced.speed(k) < 0.0));
    reduced.decide(phases, at_rest, system.row_names())
}

/// The rows that count as at rest at a state, one bit each. A contact counts as closed where its gap and its rate count as 0, and
/// its slip only where it is closed. A vector has its bit in its first row.
fn at_rest<S, R, const N: usize, const C: usize, const U: usize, const W: usize>(
    system: &S,
    reduced: &Reduced<'_, R, N, C, W>,
    (t, q, v): (R, &SVector<R, N>, &SVector<R, N>),
) -> u64
where
    S: Rows<R, N, C, U> + ?Sized,
    R: Scalar,
{
    let laws = system.row_laws();
    let mut gaps = [Gap::NONE; W];
    system.gaps(t, q, &mut gaps);
    let mut latches = [Latch::NONE; W];
    system.latches(t, q, v, &mut latches);
    let mut at_rest = 0;
    for k in reduced.firsts() {
        let row = &reduced.rows()[k];
        let stands = reduced.speed(k).abs() <= AT_REST * (1.0 + reduced.terms_of(k, v));
        let touches = match laws.get(k) {
            Some(&Law::Contact { gap }) => gaps
                .get(gap)
                .is_some_and(|gap| gap.value.to_f64().abs() <= AT_REST * (1.0 + gap_terms(gap, row, (t, q, v)))),
            Some(&(Law::Slip { contact } | Law::VectorSlip { contact, .. })) => {
                contact < k && at_rest >> contact & 1 == 1
            }
            Some(&Law::Latch { latch, .. }) => latches.get(latch).is_some_and(Latch::is_on),
            _ => true,
        };
        at_rest |= u64::from(stands && touches) << k;
    }
    at_rest
}

/// The magnitudes of the terms of a gap, and of its rounding: the scale of the gap, Σ |Wᵢ qᵢ|, and |∂gap/∂t · t|.
pub(crate) fn gap_terms<R: Scalar, const N: usize>(gap: &Gap<R>, row: &Row<R, N>, (t, q, v): Instant<'_, R, N>) -> f64 {
    let drift = (0..N).fold(row.rate, |rest, i| rest - row.direction[i] * v[i]);
    let own = gap.scale.to_f64() + (drift.to_f64() * t.to_f64()).abs();
    (0..N).fold(own, |sum, i| sum + (row.direction[i].to_f64() * q[i].to_f64()).abs())
}

/// t, q and v.
pub(crate) type Instant<'a, R, const N: usize> = (R, &'a SVector<R, N>, &'a SVector<R, N>);

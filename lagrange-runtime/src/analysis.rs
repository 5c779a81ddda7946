//! Analyses of equations of motion: linearisation, equilibria, modes, control design, and more.
//!
//! An analysis at a state takes a prepared [`System`](crate::system::System) and its exact derivatives. An analysis along a
//! motion or of a parameter takes the [`Mechanism`](crate::system::Mechanism) itself, and prepares it in numbers with
//! derivatives. No analysis uses finite differences.
//!
//! Matrices have dynamic size, because the number of states depends on the constraints. nalgebra decomposes them. So this
//! module allocates, and needs the feature `std`. The controllers that run during an integration are in [`crate::controller`],
//! which does not allocate and does not need `std`.
//!
//! | question | answer |
//! |---|---|
//! | How does it move near a state? | [`linearize`], [`Linearization`], [`StateSpace`] |
//! | What do its sensors see? | [`output_jacobian`], [`switch_jacobian`] |
//! | Where does it stay, or move steadily? | [`EquilibriumSearch`], [`Equilibrium`] |
//! | Does it stay there? | [`stability`], [`Verdict`] |
//! | How do equilibria change with a parameter? | [`Continuation`], [`Branch`], [`Bifurcation`] |
//! | How does it oscillate about one? | [`modes`], [`Modes`] |
//! | How does a computer see it that samples? | [`StateSpace::sampled`], [`SampledSpace`] |
//! | How does it follow sinusoidal inputs? | [`StateSpace::response`], [`SampledSpace::response`] |
//! | How does a computer run a filter or a plant of continuous time? | [`StateSpace::tustin`], [`StateSpace::tustin_at`], [`StateSpace::first_order_hold`], [`StateSpace::matched`], [`StateSpace::sampled_with_delay`] |
//! | What are its Bode and Nyquist plots? | [`StateSpace::frequency_data`], [`FrequencyData`] |
//! | What are its zeros and its transfer function? | [`StateSpace::zeros`], [`StateSpace::transfer_function`], [`TransferFunction`] |
//! | How far is a loop from instability? | [`StateSpace::margins`], [`Margins`] |
//! | How much does it amplify at most, and on average? | [`StateSpace::h_infinity`], [`StateSpace::h2`] |
//! | Which system of fewer states responds like it? | [`StateSpace::minimal`], [`StateSpace::balanced_truncation`], [`StateSpace::holding`], [`StateSpace::settling`] |
//! | What do its inputs reach, and its outputs see? | [`controllability`], [`observability`], [`StateSpace::controllability_gramian`] |
//! | Which feedback costs least? | [`lqr`], [`lqr_sampled`], [`lqr_with_cross`], [`Regulator`] |
//! | Which feedback of samples costs least in continuous time? | [`lqrd`], [`StateSpace::sampled_weights`] |
//! | Which feedback leaves no constant error? | [`StateSpace::with_integrals`], [`Regulator::integral_feedback`] |
//! | Which feedback has these poles? | [`place_poles`], [`Placement`] |
//! | Which estimate of the state errs least? | [`StateSpace::kalman`], [`SampledSpace::kalman`], [`KalmanFilter`] |
//! | How does a feedback act on an estimate? | [`KalmanFilter::feedback`] |
//! | How does a motion depend on its start and on parameters? | [`sensitivities`], [`transition_matrix`], [`step_pair`] |
//! | Which motions come back to their start? | [`Shooting`], [`PeriodicOrbit`] |
//! | How do periodic orbits change with a parameter, and how does a nonlinear mechanism follow a drive? | [`OrbitContinuation`], [`OrbitBranch`], [`OrbitBifurcation`] |
//! | How fast do neighbours part, and how well is that known? | [`LyapunovSpectrum`], [`LyapunovEstimate`], [`LargestExponent`] |
//! | How does one number depend on many parameters? | [`adjoint_gradient`] |
//! | Where does it cross a surface? | [`poincare_section`] |
//! | How do motions from many starts go, and when do they first reach a surface? | [`phase_portrait`], [`first_passages`] |
//! | What gave and took its energy, and what drifts? | [`power_audit`], [`Drift`] |
//! | Do its emitted equations agree with each other? | [`SelfTest::run`], [`self_test`], [`self_test_by_parameters`], [`Disagreement`] |
//! | Which frequencies has it? | `Spectrum`, with the feature `spectra` |
//! | Which parameters fit recordings of states or outputs? | [`Estimation`], [`Recording`], [`Estimate`] |
//!
//! Every failure is an [`AnalysisError`] that names its cause and its remedy.

mod adjoint;
mod audit;
mod bode;
mod continuation;
mod discretisation;
mod eigenvalues;
mod equilibrium;
mod error;
mod estimate_feedback;
mod estimation;
mod exponential;
mod frequency_response;
mod held_states;
mod integral_action;
mod jump;
mod kalman;
mod largest_exponent;
mod linearization;
mod lyapunov;
mod margins;
mod matched;
mod matrix;
mod modes;
mod placement;
mod portrait;
mod reach;
mod reduction;
mod redundant;
mod regulator;
mod riccati;
mod sampled_cost;
mod section;
mod self_test;
mod sensitivity;
mod sensors;
mod shooting;
#[cfg(feature = "spectra")]
mod spectrum;
mod state_space;
mod system_norms;
mod tangent;
mod transfer_function;
mod units;
mod zeros;

use std::string::ToString;

/// Fails with what the analysis needs, unless the mechanism has it.
fn demand(
    is_met: bool,
    analysis: &'static str,
    needs: impl FnOnce() -> std::string::String,
) -> Result<(), AnalysisError> {
    if is_met { Ok(()) } else { Err(AnalysisError::NotApplicable { analysis, needs: needs() }) }
}

/// Fails for a mechanism with contacts: its accelerations jump where a contact begins to stick, and its velocities at an impact.
fn without_contacts<R, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    analysis: &'static str,
) -> Result<(), AnalysisError>
where
    R: crate::scalar::Scalar,
    S: crate::system::System<R, N, C, U> + ?Sized,
{
    without_gaps(system, analysis)?;
    demand(system.row_count() == 0, analysis, || {
        "a mechanism without `friction`; smooth the law, as by `force x = -mu*n*tanh(dot(x)/w);`".to_string()
    })
}

/// Fails for a mechanism with friction, whose contacts stick: how the motion goes on then does not depend on the motion before alone.
fn without_friction<R, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    analysis: &'static str,
) -> Result<(), AnalysisError>
where
    R: crate::scalar::Scalar,
    S: crate::system::System<R, N, C, U> + ?Sized,
{
    use crate::system::Law;

    let is_smooth = |law: &Law| matches!(law, Law::Contact { .. } | Law::Latch { .. });
    let laws = system.row_laws();
    let without_friction = laws.len() == system.row_count() && laws.iter().all(is_smooth);
    demand(!system.adheres(), analysis, || {
        "a mechanism without adhesion, with which accelerations jump where a contact opens".to_string()
    })?;
    demand(without_friction && system.bound_count() == 0, analysis, || {
        "a mechanism without friction, also at contacts; smooth the law, as by `force x = -mu*n*tanh(dot(x)/w);`"
            .to_string()
    })
}

/// Fails for a mechanism with contacts that open and close, or with friction whose slip is a vector or whose bound contains multipliers. No derived equation
/// contains their forces.
fn without_gaps<R, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    analysis: &'static str,
) -> Result<(), AnalysisError>
where
    R: crate::scalar::Scalar,
    S: crate::system::System<R, N, C, U> + ?Sized,
{
    demand(system.latch_count() == 0, analysis, || {
        "a mechanism without constraints that modes switch; state the constraint always, or as a stiff spring whose stiffness is a mode"
            .to_string()
    })?;
    demand(system.gap_count() == 0, analysis, || {
        "a mechanism without `contact`; replace it by a stiff spring, as by `potential = k*min(y, 0)^2/2;`".to_string()
    })?;
    demand(system.bound_count() == 0, analysis, || {
        "a mechanism without `friction` whose slip is a vector or whose bound contains a multiplier, because no derived equation \
         contains its force"
            .to_string()
    })
}

/// Fails for a mechanism with modes. The linear equations of one deviation do not contain its jump where a mode changes.
fn without_modes<R, S, const N: usize, const C: usize, const U: usize>(system: &S) -> Result<(), AnalysisError>
where
    R: crate::scalar::Scalar,
    S: crate::system::System<R, N, C, U> + ?Sized,
{
    demand(system.mode_count() == 0, "`LargestExponent`", || {
        "a mechanism without `mode`; take `LyapunovSpectrum`, whose deviations jump where modes change".to_string()
    })
}

/// Fails where a mode keeps a value that depends on the start: such a mode is a state of the motion, and no state of the analysis. The last `modes` rows of
/// the derivative of a motion are those of the modes.
fn without_kept_values<const N: usize>(
    analysis: &'static str,
    modes: usize,
    derivative: &nalgebra::DMatrix<f64>,
) -> Result<(), AnalysisError> {
    let keeps = (2 * N).saturating_sub(modes)..2 * N;
    demand(keeps.into_iter().all(|row| derivative.row(row).iter().all(|entry| *entry == 0.0)), analysis, || {
        "modes whose values do not vary with the start; one of them keeps a value that depends on the motion, and so acts as a further state"
            .to_string()
    })
}

/// Fails for a mechanism with states.
fn without_states<R, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    analysis: &'static str,
    instead: &str,
) -> Result<(), AnalysisError>
where
    R: crate::scalar::Scalar,
    S: crate::system::System<R, N, C, U> + ?Sized,
{
    demand(system.state_count() == 0, analysis, || {
        std::format!("a mechanism without `state`, whose coordinates all have inertia; {instead}")
    })
}

pub use adjoint::{Gradient, adjoint_gradient};
pub use audit::{Drift, PowerAudit, add_works, input_work, power_audit};
pub use bode::FrequencyData;
pub use continuation::{Bifurcation, Branch, BranchEnd, BranchPoint, Continuation, SpecialPoint, Way};
pub use equilibrium::{Equilibrium, EquilibriumSearch, Stability, Verdict, stability};
pub use error::AnalysisError;
pub use estimation::{Estimate, Estimation, Recording, Sample};
pub use held_states::HeldStates;
pub use kalman::KalmanFilter;
pub use largest_exponent::LargestExponent;
pub use linearization::{Linearization, linearize, linearize_in};
pub use lyapunov::{LyapunovEstimate, LyapunovSpectrum, Separation};
pub use margins::{GainMargin, Margins, PhaseMargin};
pub use modes::{DampedMode, Mode, Modes, modes};
pub use placement::{Placement, place_poles};
pub use portrait::{first_passages, phase_portrait};
pub use reach::{Reach, controllability, observability};
pub use reduction::Truncated;
pub use regulator::{Regulator, lqr, lqr_sampled, lqr_sampled_with_cross, lqr_with_cross};
pub use sampled_cost::{SampledWeights, lqrd};
pub use section::poincare_section;
pub use self_test::{Disagreement, SelfTest, self_test, self_test_by_parameters};
pub use sensitivity::{Sensitivities, Variable, sensitivities, sensitivities_with, step_pair, transition_matrix};
pub use sensors::{FunctionJacobian, output_jacobian, switch_jacobian};
pub use shooting::{
    OrbitBifurcation, OrbitBranch, OrbitContinuation, OrbitPoint, PeriodicOrbit, Shooting, SpecialOrbit,
};
#[cfg(feature = "spectra")]
pub use spectrum::{Line, Spectrum, Window};
pub use state_space::{SampledSpace, StateSpace};
pub use system_norms::Peak;
pub use tangent::TangentBasis;
pub use transfer_function::TransferFunction;

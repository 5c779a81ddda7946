//! The equilibrium, the stability and the linear equations of a mechanism.

use super::RequestError;
use super::error::{in_options, without_motion};
use super::linear::rows;
use super::simulate::own;
use lagrange_runtime::analysis::{
    AnalysisError, Equilibrium, EquilibriumSearch, Stability, Verdict, linearize, modes, stability,
};
use lagrange_runtime::prelude::*;

/// An equilibrium near the state that was asked for, and the linear motion about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The coordinates at the equilibrium.
    pub q: Vec<f64>,
    /// The values of the states there.
    pub z: Vec<f64>,
    /// The coordinates whose value does not matter there, because the equations do not contain them.
    pub steady: Vec<&'static str>,
    /// A phrase that says whether the mechanism stays near the equilibrium.
    pub stability: String,
    /// The eigenvalues of ẋ = A x, [real part, imaginary part]: as many as A has rows.
    pub eigenvalues: Vec<[f64; 2]>,
    /// The oscillations about the equilibrium.
    pub modes: Vec<Oscillation>,
    /// The reason why there are no modes, if they do not exist.
    pub no_modes: Option<String>,
    /// The names of the states x of the linear equations.
    pub states: Vec<String>,
    /// A of ẋ = A x + B u, by rows.
    pub a: Vec<Vec<f64>>,
    /// B, by rows.
    pub b: Vec<Vec<f64>>,
}

/// A solution Re(φ exp(λt)) of the linear equations that oscillates or decays.
#[derive(Clone, Debug, PartialEq)]
pub struct Oscillation {
    /// |λ|/2π.
    pub frequency: f64,
    /// −Re λ/|λ|: 0 without damping, 1 for a motion that does not oscillate.
    pub damping_ratio: f64,
    /// The absolute value of φ at each coordinate, the largest of which is 1.
    pub shape: Vec<(String, f64)>,
    /// Whether the eigenvalue has fewer shapes than modes, as at critical damping. Then motions with t exp(λt) exist too.
    pub defective: bool,
}

/// A way to analyse mechanisms of one shape.
pub(super) type Analyse<const N: usize, const C: usize, const U: usize> =
    fn(&dyn Linearise<f64, N, C, U>, &State<f64, N>) -> Result<Analysis, RequestError>;

/// Searches from a state, and then from others. Newton's method fails at some starts, such as a horizontal pendulum in Cartesian
/// coordinates.
pub(super) fn search<const N: usize, const C: usize, const U: usize>(
    system: &dyn Linearise<f64, N, C, U>,
    near: &State<f64, N>,
) -> Result<Equilibrium<N, C, U>, AnalysisError> {
    // The guess of a state stands in the place of its hidden coordinate.
    let own = N.saturating_sub(system.state_count());
    let guess = SVector::from_fn(|index, _| if index < own { near.q[index] } else { near.v[index] });
    EquilibriumSearch::new(guess, system.default_inputs()).with_time(near.t).find_from_several(system)
}

/// Finds an equilibrium near a state by Newton's method, and the linear equations there.
pub(super) fn analyse<const N: usize, const C: usize, const U: usize>(
    system: &dyn Linearise<f64, N, C, U>,
    near: &State<f64, N>,
) -> Result<Analysis, RequestError> {
    let at = search(system, near).map_err(without_motion)?;
    let linear = linearize(system, &at.state, &at.inputs).map_err(without_motion)?;
    let eigenvalues = linear.space().poles().map_err(without_motion)?;
    // The motion near an equilibrium of one instant has a linearisation, but the eigenvalues do not decide its stability.
    let stability = stability(system, &at).map_or_else(|error| format!("not judged: {error}"), |found| judged(&found));
    // Modes exist for holonomic constraints alone; the rest of the analysis does not need them.
    let (damped, no_modes) = match modes(system, &at) {
        Ok(found) => (found.damped, None),
        Err(error) => (Vec::new(), Some(in_options(&error.to_string()))),
    };
    let oscillations = damped.iter().filter(|mode| mode.eigenvalue.im >= 0.0).map(|mode| {
        let sizes: Vec<f64> = mode.shape.iter().map(|part| part.norm()).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let names = system.coordinates().iter().map(|name| (*name).to_owned());
        let shape = names.zip(sizes.iter().map(|size| size / largest)).collect();
        let frequency = mode.frequency() / (2.0 * std::f64::consts::PI);
        Oscillation { frequency, damping_ratio: mode.damping_ratio(), shape, defective: mode.defective }
    });
    Ok(Analysis {
        q: own(at.state.q.as_slice(), system.state_count()).to_vec(),
        z: at.state.v.as_slice()[N.saturating_sub(system.state_count())..].to_vec(),
        steady: (linear.basis().positions().iter().enumerate())
            .filter(|&(column, _)| linear.a().column(column).amax() == 0.0)
            .filter_map(|(_, &index)| system.coordinates().get(index).copied())
            .collect(),
        stability,
        eigenvalues: eigenvalues.iter().map(|eigenvalue| [eigenvalue.re, eigenvalue.im]).collect(),
        modes: oscillations.collect(),
        no_modes,
        states: linear.states().to_vec(),
        a: rows(linear.a()),
        b: rows(linear.b()),
    })
}

/// A phrase that says whether the mechanism stays near the equilibrium, and why where that is not decided.
fn judged(found: &Stability) -> String {
    match found.verdict {
        Verdict::Stable => "stable: a small push leads to a small motion".to_owned(),
        Verdict::AsymptoticallyStable => "asymptotically stable: the motion comes back after a small push".to_owned(),
        Verdict::Unstable => "unstable: a small push leads away".to_owned(),
        _ => {
            let energy = match found.hessian {
                Some(_) => "its energy has no strict minimum there",
                None => {
                    "the theorem on the minimum of the energy does not apply, because friction, forces or constraints change the energy"
                }
            };
            format!(
                "not decided by the linear equations: no eigenvalue grows, but {} of {} have a real part that is 0 up to rounding, and \
                 {energy}; so the terms that the linear equations leave out decide",
                found.on_axis.len(),
                found.eigenvalues.len(),
            )
        }
    }
}

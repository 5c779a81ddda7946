//! The fused evaluations of a mechanism, each one routine over shared operations.

mod lowering;
mod outputs;
mod residuals;
mod rows;
mod solved;

use super::implicit::ImplicitProgram;
use super::linear::LinearMap;
use super::{Builder, OperationCount, Part, Pattern, Routine, Value};
use crate::graph::Graph;
use crate::mechanics::Equations;
use lowering::{BalanceForm, Lowering};
use residuals::Residuals;
use solved::Solved;
use std::collections::BTreeSet;

/// Every evaluation of the contract as a routine. [`Routine::layout`] gives the position of each quantity among the
/// outputs of its routine.
#[derive(Clone, Debug)]
pub struct Evaluations {
    /// The operations behind all routines.
    pub builder: Builder,
    /// p, f.
    pub balance: Routine,
    /// p, f and M of a mechanism with one or two coordinates, without constraints, whose M is not constant; `None` for all others.
    pub inertial_balance: Option<Routine>,
    /// p and f with their derivatives; `None` where they are computed by dual numbers.
    pub balance_jacobian: Option<Routine>,
    /// p_t, f_t and f_u; none where the mechanism is too large to have them written out.
    pub balance_rates: Option<Routine>,
    /// The structure of the derivatives of p and f, where these are computed by dual numbers and it saves directions.
    pub balance_pattern: Option<Pattern>,
    /// The structure of the derivatives of r, where these are computed in directions and it saves some of them; `None` with constraints.
    pub residual_pattern: Option<Pattern>,
    /// M and F; `None` where M is not written out.
    pub equations: Option<Routine>,
    /// M alone, where `equations` is long, or none and `mass_map` is not shorter.
    pub mass_matrix: Option<Routine>,
    /// g, its scale, G, g_t or b.
    pub constraint: Option<Routine>,
    /// G v + b, γ, (G v + b)_q, Gᵀλ, (Gᵀλ)_q, with λ as an argument. For a holonomic row, b is g_t. Large mechanisms have no derivatives by q here.
    pub constraint_hidden: Option<Routine>,
    /// M, F without friction, and the slip rate, direction, curvature and bound of each contact; `None` without contacts.
    pub contacts: Option<Routine>,
    /// The gap of each contact that opens and closes, its scale and its restitution; `None` without such contacts.
    pub gaps: Option<Routine>,
    /// The rows of constraints that modes switch, the magnitudes of their terms, and 1 for those that hold; `None` without such constraints.
    pub latches: Option<Routine>,
    /// The coefficients of restitution, where one depends on the speed of approach; `None` otherwise.
    pub restitutions: Option<Routine>,
    /// The bounds of frictions that contain multipliers, and their derivatives by these, with λ as an argument; `None` without such
    /// bounds.
    pub bounds: Option<Routine>,
    /// The static bounds of frictions, and their derivatives by the multipliers, with λ as an argument; `None` without such bounds.
    pub breakaways: Option<Routine>,
    /// a and λ; `None` where a loop solves for them.
    pub acceleration: Option<Routine>,
    /// a and λ with their derivatives by q, v, t, u; `None` where a loop solves for them, and with contacts.
    pub acceleration_jacobian: Option<Routine>,
    /// The solution of [M Gᵀ; G 0] for any right-hand side; `None` where `acceleration_jacobian` is a routine, or a loop solves, and
    /// with contacts.
    pub solution: Option<LinearMap>,
    /// M a − F with a as an argument; `None` where all derivatives of the residuals are routines, and where nothing needs it.
    pub residual: Option<Routine>,
    /// The residuals r and s with a and λ as arguments, where `residual` is there; `None` without constraints.
    pub joined_residual: Option<Routine>,
    /// The derivatives of r and s in directions of q, of v, and of (t, u), with a and λ as arguments; `None` where `residual_jacobian` is a routine,
    /// and where they contain selections, functions that can be infinite or functions of the user.
    pub residual_slopes: Option<[LinearMap; 3]>,
    /// M times a vector, where neither M nor M with F is a routine; `None` where r contains what `residual_slopes` must not.
    pub mass_map: Option<LinearMap>,
    /// The derivatives of the residuals r and s by q, v, t, u, with a and λ as arguments; `None` where they are
    /// computed by dual numbers, and with contacts.
    pub residual_jacobian: Option<Routine>,
    /// The derivatives of the residuals by each parameter, with a and λ as arguments; `None` where they are computed by
    /// dual numbers, and with contacts.
    pub residual_parameters: Option<Routine>,
    /// v + M⁻¹ (p − ∂L/∂v), with p as an argument; `None` where a loop solves for it.
    pub velocity_correction: Option<Routine>,
    /// h, and T and V where stated.
    pub energies: Routine,
    /// The terms of dh/dt, with λ as an argument.
    pub powers: Routine,
    /// The sensors, with a and λ as arguments.
    pub outputs: Option<Routine>,
    /// The sensors whose derivatives are written out, with these.
    pub output_jacobian: Option<Routine>,
    /// Whether derivatives of sensors come from dual numbers.
    outputs_by_duals: bool,
    /// The switching functions.
    pub switches: Option<Routine>,
    /// The conditions of the changes of modes, and behind them the values that each change assigns, with a and λ as arguments; `None` without
    /// modes.
    pub changes: Option<Routine>,
    /// What `prepare` checks: the assumptions, then the conditions that the proofs of the facts used.
    pub checks: Routine,
    /// Everything that `prepare` computes.
    pub preparation: Routine,
    /// The hoisted values, in the order of the preparation's outputs.
    pub hoisted: Vec<Value>,
    /// The equations that are solved by iterations.
    pub implicits: Vec<ImplicitProgram>,
}

impl Evaluations {
    /// Lowers all equations.
    pub fn new(graph: &mut Graph, equations: &Equations) -> Self {
        let mut lowering = Lowering::new(graph, equations);
        let BalanceForm { balance, balance_jacobian, balance_rates, inertial_balance } = lowering.balance_form();
        let matrix_form = lowering.matrix_form();
        let (contacts, gaps) = (lowering.contacts(), lowering.gaps());
        let rows = lowering.rows();
        let Solved { acceleration, acceleration_jacobian, solution, velocity_correction } = lowering.solved(&rows);
        let Residuals {
            residual,
            joined_residual,
            residual_slopes,
            composite_mass,
            mass_map,
            residual_jacobian,
            residual_parameters,
        } = lowering.residuals(contacts.is_none() || matrix_form.is_none());
        let mass_matrix = composite_mass.or_else(|| lowering.mass_alone(matrix_form.as_ref()?));
        let (energies, powers) = (lowering.energies(), lowering.powers());
        let (constraint, constraint_hidden) = lowering.constraints(rows);
        let outputs = lowering.listed(&equations.outputs);
        let switches = lowering.listed(&equations.switches);
        let changes = lowering.listed(&equations.changes);
        let (bounds, breakaways) = (lowering.bounds(), lowering.breakaways());
        let (restitutions, latches) = (lowering.restitutions(), lowering.latches());
        let checks = lowering.checks();
        let output_jacobian = lowering.output_jacobian();
        let Lowering { mut builder, graph, n, .. } = lowering;
        let implicits = ImplicitProgram::all(graph, &mut builder);
        let structure = |routine: Option<&Routine>| routine.and_then(|routine| Pattern::of(routine, n));
        let mut evaluations = Self {
            balance_pattern: structure(Some(&balance).filter(|_| balance_jacobian.is_none())),
            residual_pattern: structure(
                residual.as_ref().filter(|_| residual_jacobian.is_none() && joined_residual.is_none()),
            ),
            balance,
            inertial_balance,
            balance_jacobian,
            balance_rates,
            equations: matrix_form,
            mass_matrix,
            constraint,
            constraint_hidden,
            contacts,
            gaps,
            latches,
            restitutions,
            bounds,
            breakaways,
            acceleration,
            acceleration_jacobian,
            solution,
            residual,
            joined_residual,
            residual_slopes,
            mass_map,
            residual_jacobian,
            residual_parameters,
            velocity_correction,
            energies,
            powers,
            outputs,
            output_jacobian,
            outputs_by_duals: !equations.output_jacobian.others.is_empty(),
            switches,
            changes,
            checks,
            preparation: Routine::preparation(&builder, &BTreeSet::new()),
            hoisted: Vec::new(),
            implicits,
            builder,
        };
        let hoisted: BTreeSet<Value> =
            evaluations.routines().flat_map(|(_, routine)| routine.hoisted.iter().copied()).collect();
        evaluations.preparation = Routine::preparation(&evaluations.builder, &hoisted);
        evaluations.hoisted = hoisted.into_iter().collect();
        evaluations
    }

    /// Whether `constraint_hidden` contains the derivatives by q. Otherwise they are computed by dual numbers.
    pub fn has_hidden_slopes(&self) -> bool {
        let written = |routine: &Routine| !routine.layout.range(Part::ReactionByQ).is_empty();
        self.constraint_hidden.as_ref().is_none_or(written)
    }

    /// Whether an evaluation passes dual numbers through others.
    pub fn use_dual_numbers(&self) -> bool {
        self.residual.is_some() || self.contacts.is_some() || self.outputs_by_duals
    }

    /// The routines of the contract with their names.
    pub fn routines(&self) -> impl Iterator<Item = (&'static str, &Routine)> {
        [
            ("acceleration", self.acceleration.as_ref()),
            ("acceleration_jacobian", self.acceleration_jacobian.as_ref()),
            ("factors", self.solution.as_ref().map(|solution| &solution.factors)),
            ("solution", self.solution.as_ref().map(|solution| &solution.map)),
            ("velocity_correction", self.velocity_correction.as_ref()),
            ("equations", self.equations.as_ref()),
            ("mass_matrix", self.mass_matrix.as_ref()),
            ("balance", Some(&self.balance)),
            ("inertial_balance", self.inertial_balance.as_ref()),
            ("balance_jacobian", self.balance_jacobian.as_ref()),
            ("balance_rates", self.balance_rates.as_ref()),
            ("residual", self.residual.as_ref()),
            ("joined_residual", self.joined_residual.as_ref()),
            ("factors_by_q", self.residual_slopes.as_ref().map(|maps| &maps[0].factors)),
            ("slope_by_q", self.residual_slopes.as_ref().map(|maps| &maps[0].map)),
            ("factors_by_v", self.residual_slopes.as_ref().map(|maps| &maps[1].factors)),
            ("slope_by_v", self.residual_slopes.as_ref().map(|maps| &maps[1].map)),
            ("factors_by_t_u", self.residual_slopes.as_ref().map(|maps| &maps[2].factors)),
            ("slope_by_t_u", self.residual_slopes.as_ref().map(|maps| &maps[2].map)),
            ("factors_by_a", self.mass_map.as_ref().map(|map| &map.factors)),
            ("slope_by_a", self.mass_map.as_ref().map(|map| &map.map)),
            ("residual_jacobian", self.residual_jacobian.as_ref()),
            ("residual_parameters", self.residual_parameters.as_ref()),
            ("energies", Some(&self.energies)),
            ("powers", Some(&self.powers)),
            ("constraint", self.constraint.as_ref()),
            ("constraint_hidden", self.constraint_hidden.as_ref()),
            ("contacts", self.contacts.as_ref()),
            ("gaps", self.gaps.as_ref()),
            ("latches", self.latches.as_ref()),
            ("restitutions", self.restitutions.as_ref()),
            ("bounds", self.bounds.as_ref()),
            ("breakaways", self.breakaways.as_ref()),
            ("outputs", self.outputs.as_ref()),
            ("output_jacobian", self.output_jacobian.as_ref()),
            ("switches", self.switches.as_ref()),
            ("change_values", self.changes.as_ref()),
        ]
        .into_iter()
        .filter_map(|(name, routine)| Some((name, routine?)))
    }

    /// The operation counts with names, `prepare` first.
    pub fn counts(&self) -> Vec<(&'static str, OperationCount)> {
        let mut counts = vec![("prepare", self.preparation.count())];
        counts.extend(self.routines().map(|(name, routine)| (name, routine.count())));
        counts
    }
}

//! The fused evaluations of a mechanism, each one routine over shared operations.

use super::border::Border;
use super::implicit::ImplicitProgram;
use super::solution::{Solution, right_hand_side};
use super::{Builder, Layout, Operation, OperationCount, Part, Pattern, Routine, Value};
use crate::graph::{Graph, Id, Symbol};
use crate::mechanics::Equations;
use std::collections::{BTreeSet, HashMap};

/// A factorisation with more operations than this is a loop over a matrix instead.
const UNROLLED_FACTOR: u32 = 1500;

/// The most coordinates for which p, f and M are one routine.
const MOST_INERTIAL: usize = 2;

/// A linearization with more operations than this solves with loops instead.
const UNROLLED_JACOBIAN: u32 = 1500;

/// A large bordered system whose factorisation and solution take more operations than this is solved with loops.
const LONGEST_BORDERED: usize = 6000;

/// A sparse system whose solution takes more operations than this is solved as a dense one, with loops.
const LONGEST_SPARSE: usize = 20_000;

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
    /// The structure of the derivatives of r, where these are computed by dual numbers and it saves directions.
    pub residual_pattern: Option<Pattern>,
    /// M and F; `None` where they are computed by dual numbers.
    pub equations: Option<Routine>,
    /// g, its scale, G, g_t or b.
    pub constraint: Option<Routine>,
    /// G v + b, γ, (G v + b)_q, Gᵀλ, (Gᵀλ)_q, with λ as an argument. For a holonomic row, b is g_t.
    pub constraint_hidden: Option<Routine>,
    /// M, F without friction, and the slip rate, direction, curvature and bound of each contact; `None` without contacts.
    pub contacts: Option<Routine>,
    /// The gap of each contact that opens and closes, its scale and its restitution; `None` without such contacts.
    pub gaps: Option<Routine>,
    /// The bounds of frictions that contain multipliers, and their derivatives by these, with λ as an argument; `None` without such
    /// bounds.
    pub bounds: Option<Routine>,
    /// a and λ; `None` where a loop solves for them.
    pub acceleration: Option<Routine>,
    /// a and λ with their derivatives by q, v, t, u; `None` where a loop solves for them, and with contacts.
    pub acceleration_jacobian: Option<Routine>,
    /// The solution of [M Gᵀ; G 0] for any right-hand side; `None` where `acceleration_jacobian` is a routine, or a loop solves, and
    /// with contacts.
    pub solution: Option<Solution>,
    /// The residual r with a as an argument; `None` where all its derivatives are routines, and where nothing needs it.
    pub residual: Option<Routine>,
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
    /// The switching functions.
    pub switches: Option<Routine>,
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
        let mut builder = Builder::new();
        builder.plan(graph, &all_expressions(equations));
        let n = equations.momentum.len();
        let momentum = builder.lower_all(graph, &equations.momentum);
        let start = CorrectionStart::new(&mut builder, graph, equations, &momentum);
        let balance_values = builder.lower_all(graph, &equations.balance);
        let mass: Vec<Vec<Value>> = equations.mass.iter().map(|row| builder.lower_all(graph, row)).collect();
        let forcing = builder.lower_all(graph, &equations.forcing);
        let mass_columns: Vec<Value> = (0..n).flat_map(|j| mass.iter().map(move |row| row[j])).collect();

        let of_balance = Layout::default().with(Part::Momentum, momentum.clone()).with(Part::Balance, balance_values);
        let balance = Routine::laid_out(&builder, of_balance.clone());
        let balance_jacobian = equations.jacobian.as_ref().map(|jacobian| {
            let momentum_v = match &jacobian.momentum_v {
                Some(columns) => lower_columns(&mut builder, graph, columns),
                None => mass_columns.clone(),
            };
            let layout = of_balance
                .clone()
                .with(Part::MomentumByQ, lower_columns(&mut builder, graph, &jacobian.momentum_q))
                .with(Part::Mass, momentum_v)
                .with(Part::BalanceByQ, lower_columns(&mut builder, graph, &jacobian.balance_q))
                .with(Part::BalanceByV, lower_columns(&mut builder, graph, &jacobian.balance_v));
            Routine::laid_out(&builder, layout)
        });
        let balance_rates = equations.jacobian.as_ref().map(|jacobian| {
            let layout = Layout::default()
                .with(Part::MomentumByT, builder.lower_all(graph, &jacobian.momentum_t))
                .with(Part::BalanceByT, builder.lower_all(graph, &jacobian.balance_t))
                .with(Part::BalanceByU, lower_columns(&mut builder, graph, &jacobian.balance_u));
            Routine::laid_out(&builder, layout)
        });
        let is_small = n <= MOST_INERTIAL && equations.constraints.is_empty() && !equations.facts.constant_mass;
        let inertial_balance = (is_small && !mass.is_empty())
            .then(|| Routine::laid_out(&builder, of_balance.with(Part::Mass, mass_columns.clone())));
        let of_equations = Layout::default().with(Part::Mass, mass_columns).with(Part::Forcing, forcing.clone());
        let equations_routine = (!mass.is_empty()).then(|| Routine::laid_out(&builder, of_equations));
        let contacts = (!equations.contacts.is_empty()).then(|| {
            let contacts = &equations.contacts;
            let direction: Vec<Vec<Value>> =
                contacts.direction.iter().map(|row| builder.lower_all(graph, row)).collect();
            let layout = Layout::default()
                .with(Part::Mass, (0..n).flat_map(|j| mass.iter().map(move |row| row[j])))
                .with(Part::Forcing, builder.lower_all(graph, &contacts.forcing))
                .with(Part::Rate, builder.lower_all(graph, &contacts.rate))
                .with(Part::Gradient, direction.into_iter().flatten())
                .with(Part::Curvature, builder.lower_all(graph, &contacts.curvature))
                .with(Part::Bound, builder.lower_all(graph, &contacts.bound));
            Routine::laid_out(&builder, layout)
        });

        let gaps = (!equations.contacts.gap.is_empty()).then(|| {
            let contacts = &equations.contacts;
            let layout = Layout::default()
                .with(Part::Constraint, builder.lower_all(graph, &contacts.gap))
                .with(Part::Scale, builder.lower_all(graph, &contacts.scale))
                .with(Part::Bound, builder.lower_all(graph, &contacts.restitution));
            Routine::laid_out(&builder, layout)
        });

        let mut acceleration = None;
        let mut acceleration_jacobian = None;
        let mut velocity_correction = None;
        let mut any_solution = None;
        let constraints = &equations.constraints;
        let c = constraints.len();
        let jacobian: Vec<Vec<Value>> = constraints.jacobian.iter().map(|row| builder.lower_all(graph, row)).collect();
        let curvature = builder.lower_all(graph, &constraints.curvature);
        let mut bordered = None;
        let is_short = unrolled(n + c);
        if !mass.is_empty() && is_short {
            bordered = Some(Border::new(&mut builder, &mass, &jacobian, equations.singular_mass));
        } else if !mass.is_empty() && c > 0 && !equations.singular_mass {
            let mut border = Border::new(&mut builder, &mass, &jacobian, false);
            let work = border.reorder(&builder);
            bordered = (work <= LONGEST_BORDERED).then_some(border);
        }
        if let Some(border) = bordered {
            let mut free = Border::new(&mut builder, &mass, &[], false);
            if !is_short {
                free.reorder(&builder);
            }
            let mass_factor = free.factor(&mut builder);
            let factor = if c == 0 { mass_factor.clone() } else { border.factor(&mut builder) };
            let mut right = forcing.clone();
            for &value in &curvature {
                right.push(builder.negate(value));
            }
            let solution = border.solve(&mut builder, &factor, &right);
            let (a, multipliers) = solution.split_at(n);
            let solved = Layout::default()
                .with(Part::Acceleration, a.iter().copied())
                .with(Part::Multipliers, multipliers.iter().copied());
            acceleration = Some(Routine::laid_out(&builder, solved.clone().with(Part::Safe, [factor.safe])));

            if !equations.singular_mass {
                let corrected = velocity_correction_outputs(&mut builder, &start, |builder, differences| {
                    (free.solve(builder, &mass_factor, differences), mass_factor.safe)
                });
                velocity_correction = Some(Routine::laid_out(&builder, corrected));
            }

            if !is_short && contacts.is_none() {
                let right = right_hand_side(&mut builder, n, c);
                let solved = border.solve(&mut builder, &factor, &right);
                any_solution = Solution::split(&builder, &solved, factor.safe);
            }

            let bindings: HashMap<Symbol, Value> =
                solution.iter().enumerate().map(|(i, &value)| (unknown(i, n), value)).collect();
            let is_solved = is_short && contacts.is_none();
            if let Some(residual) = equations.residual_jacobian.as_ref().filter(|_| is_solved) {
                builder.bind(bindings);
                let mut solve = |columns: &[Vec<Id>]| {
                    let mut solutions = Vec::new();
                    for column in columns {
                        let mut right = Vec::new();
                        for &entry in column {
                            let value = builder.lower(graph, entry);
                            right.push(builder.negate(value));
                        }
                        solutions.extend(border.solve(&mut builder, &factor, &right));
                    }
                    solutions
                };
                let layout = solved
                    .with(Part::ByQ, solve(&residual.q))
                    .with(Part::ByV, solve(&residual.v))
                    .with(Part::ByT, solve(std::slice::from_ref(&residual.t)))
                    .with(Part::ByU, solve(&residual.u))
                    .with(Part::Safe, [factor.safe]);
                let routine = Routine::laid_out(&builder, layout);
                if routine.count().total() <= UNROLLED_JACOBIAN {
                    acceleration_jacobian = Some(routine);
                }
            }
        }
        let sparse = equations.sparse_mass.as_ref().filter(|_| c == 0);
        if let Some(factor) = sparse.and_then(|sparse| builder.factor_sparse(graph, sparse, LONGEST_SPARSE)) {
            let drift = sparse.and_then(|sparse| sparse.drift.as_ref()).filter(|_| factor.has_only_links());
            let solution = match drift {
                Some(drift) => {
                    let forces = builder.lower_all(graph, &drift.forces);
                    builder.solve_sparse(&factor, &forces, true)
                }
                None => {
                    let forces = sparse.and_then(|sparse| sparse.forces.as_ref());
                    let forces = forces.map_or(forcing.clone(), |forces| builder.lower_all(graph, forces));
                    builder.solve_sparse(&factor, &forces, false)
                }
            };
            let layout = Layout::default().with(Part::Acceleration, solution).with(Part::Safe, [factor.safe]);
            let routine = Routine::laid_out(&builder, layout);
            let dense = match &acceleration {
                Some(dense) => dense.count().weight(),
                None => {
                    // M is formed by the derivatives of p, one for each velocity.
                    let [forcing, momentum] =
                        [&forcing, &momentum].map(|values| Routine::new(&builder, values).count().weight());
                    forcing + dense_solve(n) + n as u32 * momentum
                }
            };
            if routine.count().weight() < dense && routine.count().total() as usize <= LONGEST_SPARSE {
                acceleration = Some(routine);
                let corrected = velocity_correction_outputs(&mut builder, &start, |builder, differences| {
                    (builder.solve_sparse(&factor, differences, false), factor.safe)
                });
                velocity_correction = Some(Routine::laid_out(&builder, corrected));
                if acceleration_jacobian.is_none() && contacts.is_none() {
                    let right = right_hand_side(&mut builder, n, 0);
                    let solved = builder.solve_sparse(&factor, &right, false);
                    any_solution = Solution::split(&builder, &solved, factor.safe);
                }
            }
        }

        let arguments: HashMap<Symbol, Value> =
            (0..n as u32).map(|i| (Symbol::Acceleration(i), builder.push(Operation::Argument(i)))).collect();
        builder.bind(arguments);
        let (mut residual, mut residual_jacobian, mut residual_parameters) = (None, None, None);
        // With contacts, the residuals do not contain all forces: the derivatives of a and λ are those of dual numbers.
        let needs_residual = contacts.is_none() || equations_routine.is_none();
        if let Some(jacobian) = equations.residual_jacobian.as_ref().filter(|_| needs_residual) {
            let layout = Layout::default()
                .with(Part::ByQ, lower_columns(&mut builder, graph, &jacobian.q))
                .with(Part::ByV, lower_columns(&mut builder, graph, &jacobian.v))
                .with(Part::ByT, builder.lower_all(graph, &jacobian.t))
                .with(Part::ByU, lower_columns(&mut builder, graph, &jacobian.u));
            residual_jacobian = Some(Routine::laid_out(&builder, layout));
            residual_parameters = jacobian.parameters.as_ref().map(|columns| {
                let outputs = lower_columns(&mut builder, graph, columns);
                Routine::new(&builder, &outputs)
            });
        }
        if needs_residual && residual_parameters.is_none() {
            let outputs = builder.lower_all(graph, &equations.residual);
            residual = Some(Routine::new(&builder, &outputs));
        }

        let layout = Layout::default()
            .with(Part::Energy, [builder.lower(graph, equations.energy)])
            .with(Part::Kinetic, equations.kinetic.map(|kinetic| builder.lower(graph, kinetic)))
            .with(Part::Potential, equations.potential.map(|potential| builder.lower(graph, potential)));
        let energies = Routine::laid_out(&builder, layout);
        let powers: Vec<Id> = equations.powers.iter().map(|power| power.value).collect();
        let outputs = builder.lower_all(graph, &powers);
        let powers = Routine::new(&builder, &outputs);
        let rows = Layout::default()
            .with(Part::Constraint, builder.lower_all(graph, &constraints.value))
            .with(Part::Scale, builder.lower_all(graph, &constraints.scale))
            .with(Part::Gradient, columns_of(&jacobian, n))
            .with(Part::Drift, builder.lower_all(graph, &constraints.drift));
        let hidden = Layout::default()
            .with(Part::Rate, builder.lower_all(graph, &constraints.rate))
            .with(Part::Curvature, curvature)
            .with(Part::RateByQ, lower_columns(&mut builder, graph, &constraints.rate_q))
            .with(Part::Reaction, builder.lower_all(graph, &constraints.reaction))
            .with(Part::ReactionByQ, lower_columns(&mut builder, graph, &constraints.reaction_q));
        let of_rows = |layout: Layout| (c > 0).then(|| Routine::laid_out(&builder, layout));
        let (constraint, constraint_hidden) = (of_rows(rows), of_rows(hidden));
        let mut listed = |expressions: &[Id]| {
            let outputs = builder.lower_all(graph, expressions);
            (!outputs.is_empty()).then(|| Routine::new(&builder, &outputs))
        };
        let checked: Vec<Id> =
            equations.assumptions.iter().copied().chain(equations.positivity.iter().map(|it| it.expression)).collect();
        let (outputs, switches) = (listed(&equations.outputs), listed(&equations.switches));
        let bounds = (!equations.contacts.loads.is_empty()).then(|| {
            let contacts = &equations.contacts;
            let slopes = contacts.load_slopes.iter().flat_map(|row| builder.lower_all(graph, row)).collect::<Vec<_>>();
            let layout = Layout::default()
                .with(Part::Bound, builder.lower_all(graph, &contacts.loads))
                .with(Part::ByMultipliers, slopes);
            Routine::laid_out(&builder, layout)
        });

        let checks = builder.lower_all(graph, &checked);
        let checks = Routine::from_parameters(&builder, &checks);
        let implicits = ImplicitProgram::all(graph, &mut builder);
        let structure = |routine: Option<&Routine>| routine.and_then(|routine| Pattern::of(routine, n));
        let mut evaluations = Self {
            balance_pattern: structure(Some(&balance).filter(|_| balance_jacobian.is_none())),
            residual_pattern: structure(residual.as_ref().filter(|_| residual_jacobian.is_none())),
            balance,
            inertial_balance,
            balance_jacobian,
            balance_rates,
            equations: equations_routine,
            constraint,
            constraint_hidden,
            contacts,
            gaps,
            bounds,
            acceleration,
            acceleration_jacobian,
            solution: any_solution,
            residual,
            residual_jacobian,
            residual_parameters,
            velocity_correction,
            energies,
            powers,
            outputs,
            switches,
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

    /// Whether an evaluation passes dual numbers through others.
    pub fn use_dual_numbers(&self) -> bool {
        self.residual.is_some() || self.contacts.is_some()
    }

    /// The routines of the contract with their names.
    pub fn routines(&self) -> impl Iterator<Item = (&'static str, &Routine)> {
        [
            ("acceleration", self.acceleration.as_ref()),
            ("acceleration_jacobian", self.acceleration_jacobian.as_ref()),
            ("factors", self.solution.as_ref().map(|solution| &solution.factors)),
            ("solution", self.solution.as_ref().map(|solution| &solution.solution)),
            ("velocity_correction", self.velocity_correction.as_ref()),
            ("equations", self.equations.as_ref()),
            ("balance", Some(&self.balance)),
            ("inertial_balance", self.inertial_balance.as_ref()),
            ("balance_jacobian", self.balance_jacobian.as_ref()),
            ("balance_rates", self.balance_rates.as_ref()),
            ("residual", self.residual.as_ref()),
            ("residual_jacobian", self.residual_jacobian.as_ref()),
            ("residual_parameters", self.residual_parameters.as_ref()),
            ("energies", Some(&self.energies)),
            ("powers", Some(&self.powers)),
            ("constraint", self.constraint.as_ref()),
            ("constraint_hidden", self.constraint_hidden.as_ref()),
            ("contacts", self.contacts.as_ref()),
            ("gaps", self.gaps.as_ref()),
            ("bounds", self.bounds.as_ref()),
            ("outputs", self.outputs.as_ref()),
            ("switches", self.switches.as_ref()),
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

/// Where the correction of a velocity starts: a velocity, and its momentum.
struct CorrectionStart {
    velocity: Vec<Value>,
    momentum: Vec<Value>,
}

impl CorrectionStart {
    /// If M is constant and L is quadratic in the velocity, the momentum is affine in it, and every start leads to the same result. Then
    /// the start is rest.
    fn new(builder: &mut Builder, graph: &mut Graph, equations: &Equations, momentum: &[Value]) -> Self {
        let symbols = (0..momentum.len() as u32).map(Symbol::Velocity);
        if equations.facts.constant_mass && equations.facts.quadratic {
            let zero = graph.zero();
            let rest: HashMap<Symbol, Id> = symbols.map(|velocity| (velocity, zero)).collect();
            let at_rest = graph.substitute(&equations.momentum, &rest);
            return Self { velocity: Vec::new(), momentum: builder.lower_all(graph, &at_rest) };
        }
        let velocity = symbols.map(|velocity| builder.push(Operation::Symbol(velocity))).collect();
        Self { velocity, momentum: momentum.to_vec() }
    }
}

/// The corrected velocity v + M⁻¹ (p − ∂L/∂v), with p as an argument.
fn velocity_correction_outputs(
    builder: &mut Builder,
    start: &CorrectionStart,
    solve: impl FnOnce(&mut Builder, &[Value]) -> (Vec<Value>, Value),
) -> Layout {
    let mut differences = Vec::new();
    for (i, &p) in (0..).zip(&start.momentum) {
        let wanted = builder.push(Operation::Argument(i));
        differences.push(builder.subtract(wanted, p));
    }
    let (mut corrected, safe) = solve(builder, &differences);
    for (corrected, &velocity) in corrected.iter_mut().zip(&start.velocity) {
        *corrected = builder.add(velocity, *corrected);
    }
    Layout::default().with(Part::Velocity, corrected).with(Part::Safe, [safe])
}

/// A lower bound on the cost of forming a dense matrix of n rows and solving with it, in units of an addition.
fn dense_solve(n: usize) -> u32 {
    let n = n as u32;
    n * n + n * n * (n + 6) / 3 + 8 * n
}

/// Whether a dense factorisation of n rows is short enough to be written out.
fn unrolled(n: usize) -> bool {
    let n = n as u32;
    n * n * (n + 6) / 3 <= UNROLLED_FACTOR
}

/// The symbol of the i-th unknown of the bordered system.
fn unknown(i: usize, n: usize) -> Symbol {
    if i < n { Symbol::Acceleration(i as u32) } else { Symbol::Multiplier((i - n) as u32) }
}

/// The entries of a matrix of `n` columns, column by column.
fn columns_of(rows: &[Vec<Value>], n: usize) -> Vec<Value> {
    (0..n).flat_map(|j| rows.iter().map(move |row| row[j])).collect()
}

fn lower_columns(builder: &mut Builder, graph: &mut Graph, columns: &[Vec<Id>]) -> Vec<Value> {
    columns.iter().flat_map(|column| builder.lower_all(graph, column)).collect()
}

/// Every expression that some evaluation needs. The angles of all of them are planned together.
fn all_expressions(equations: &Equations) -> Vec<Id> {
    let mut all = Vec::new();
    all.extend(&equations.momentum);
    all.extend(&equations.balance);
    all.extend(equations.mass.iter().flatten());
    all.extend(&equations.forcing);
    all.push(equations.energy);
    all.extend(equations.kinetic);
    all.extend(equations.potential);
    all.extend(equations.powers.iter().map(|power| power.value));
    if let Some(jacobian) = &equations.jacobian {
        let matrices = [&jacobian.momentum_q, &jacobian.balance_q, &jacobian.balance_v, &jacobian.balance_u];
        all.extend(matrices.into_iter().flatten().flatten());
        all.extend(jacobian.momentum_v.iter().flatten().flatten());
        all.extend(jacobian.momentum_t.iter().chain(&jacobian.balance_t));
    }
    match &equations.residual_jacobian {
        Some(residual) => {
            let matrices = [&residual.q, &residual.v, &residual.u];
            all.extend(matrices.into_iter().flatten().flatten());
            all.extend(residual.parameters.iter().flatten().flatten());
            all.extend(&residual.t);
        }
        None => all.extend(&equations.residual),
    }
    let contacts = &equations.contacts;
    all.extend(contacts.forcing.iter().chain(&contacts.rate).chain(&contacts.curvature).chain(&contacts.bound));
    all.extend(contacts.direction.iter().flatten());
    all.extend(contacts.gap.iter().chain(&contacts.scale).chain(&contacts.restitution));
    all.extend(contacts.loads.iter().chain(contacts.load_slopes.iter().flatten()));
    let constraints = &equations.constraints;
    all.extend(
        constraints.value.iter().chain(&constraints.drift).chain(&constraints.rate).chain(&constraints.curvature),
    );
    all.extend(&constraints.reaction);
    let matrices = [&constraints.jacobian, &constraints.rate_q, &constraints.reaction_q];
    all.extend(matrices.into_iter().flatten().flatten());
    all
}

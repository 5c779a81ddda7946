//! `lagrange simulate MODEL`.

mod csv;
#[cfg(test)]
mod tests;

use super::{Failure, output, parse};
use crate::catalog::{self, Catalog, GaussStages, MethodChoice, Model, Pair, Request, Scheme, Summary, SymmetricRule};
use clap::ValueEnum;
use lagrange_runtime::error::Number;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The method of integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Classical Runge–Kutta, order 4, fixed step
    Rk4,
    /// Predictor–corrector Verlet, order 2, fixed step
    Verlet,
    /// Runge–Kutta–Fehlberg 4(5), adaptive step
    Rkf45,
    /// Bogacki–Shampine 3(2), adaptive step, for loose tolerances
    BogackiShampine3,
    /// Dormand–Prince 5(4), adaptive step
    DormandPrince5,
    /// Tsitouras 5(4), adaptive step
    Tsitouras5,
    /// Verner 6(5), adaptive step
    Verner6,
    /// Dormand–Prince 8(5,3), adaptive step, for tight tolerances
    Dop853,
    /// Verner 9(8), adaptive step, for the tightest tolerances
    Verner9,
    /// Gragg–Bulirsch–Stoer extrapolation of variable order, adaptive step
    Extrapolation,
    /// Nyström pair 8(6), adaptive step, for accelerations without velocities
    Nystrom8,
    /// Implicit midpoint rule on (q, p), order 2, symplectic, fixed step
    ImplicitMidpoint,
    /// Gauss collocation with 2 stages, order 4, symplectic, fixed step
    Gauss2,
    /// Gauss collocation with 3 stages, order 6
    Gauss3,
    /// Gauss collocation with 4 stages, order 8
    Gauss4,
    /// Gauss collocation with 5 stages, order 10
    Gauss5,
    /// Gauss collocation with 6 stages, order 12
    Gauss6,
    /// Variational integrator by the midpoint rule, order 2, symplectic, fixed step
    VariationalMidpoint,
    /// Variational integrator by the trapezoidal rule, order 2, symplectic, fixed step
    VariationalTrapezoid,
    /// RATTLE, order 2, symplectic under constraints too, fixed step
    Rattle,
    /// SHAKE, the same with the momentum projected for output only
    Shake,
    /// Störmer–Verlet for L = T(v) − V(q), order 2, symplectic, fixed step
    StormerVerlet,
    /// Symplectic Euler for L = T(v) − V(q), order 1, fixed step
    SymplecticEuler,
}

/// A symmetric composition of a symplectic method of order 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Composition {
    /// Order 4 by three steps
    TripleJump,
    /// Order 4 by Suzuki's five steps
    Suzuki,
    /// Order 6 by Yoshida's seven steps
    Yoshida,
    /// Order 6 by Kahan and Li's nine steps
    KahanLi,
}

impl Composition {
    fn scheme(self) -> Scheme {
        match self {
            Self::TripleJump => Scheme::TripleJump,
            Self::Suzuki => Scheme::Suzuki,
            Self::Yoshida => Scheme::Yoshida,
            Self::KahanLi => Scheme::KahanLi,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  lagrange simulate double-pendulum --t-end 10 --csv motion.csv
  lagrange simulate compound-double-pendulum --method verlet --step 1e-3 --t-end 60 \\
      --set m1=2 --set l2=0.5 --initial theta1=45deg --initial theta1_dot=-1 --csv - --points 601
  lagrange simulate compound-double-pendulum-with-drag --method rkf45 --rtol 1e-9 --t-end 500 --set mu=0.1

The velocity of the coordinate `theta1` is `theta1_dot` or `dot(theta1)`. Angles are in radians; `45deg` is 45°.
What is not set keeps its published value (see `lagrange list`).";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The mechanism, as `lagrange list` names it
    model: String,
    /// The end time, s; before 0 it goes backward
    #[arg(long, value_name = "TIME", value_parser = parse::number, allow_hyphen_values = true)]
    t_end: f64,
    /// The method of integration
    #[arg(long, value_enum, default_value_t = Method::Rk4)]
    method: Method,
    /// The step size of the methods with a fixed step, s [default: 0.001]
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true)]
    step: Option<f64>,
    /// Compose variational-midpoint, variational-trapezoid, rattle, shake or stormer-verlet to a higher order
    #[arg(long, value_enum)]
    composition: Option<Composition>,
    /// The relative tolerance of the methods with an adaptive step [default: 1e-6]
    #[arg(long, value_name = "NUMBER", value_parser = parse::not_negative, allow_hyphen_values = true)]
    rtol: Option<f64>,
    /// The absolute tolerance of the methods with an adaptive step, rad and rad/s [default: 1e-9]
    #[arg(long, value_name = "NUMBER", value_parser = parse::not_negative, allow_hyphen_values = true)]
    atol: Option<f64>,
    /// The largest step of the methods with an adaptive step, s [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true)]
    max_step: Option<f64>,
    /// How many steps may be tried [default: no limit]
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true)]
    max_steps: Option<u64>,
    /// Change a parameter or an input; may be repeated, with another name each time
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse::assignment, allow_hyphen_values = true)]
    set: Vec<(String, f64)>,
    /// Change an initial coordinate or velocity; may be repeated, with another name each time
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse::assignment, allow_hyphen_values = true)]
    initial: Vec<(String, f64)>,
    /// Where the initial state breaks the constraints, start from the nearest that meets them, however far it is
    ///
    /// Without it, components move by a thousandth of their magnitude at most, and how far is told.
    #[arg(long)]
    project: bool,
    /// Write the states to this file as CSV; `-` is the standard output
    ///
    /// Until the run ends the file has `.partial` added to its name. A run that fails, or that Ctrl-C breaks off, leaves its
    /// complete rows there.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Replace the CSV file where it exists
    #[arg(long, requires = "csv")]
    force: bool,
    /// How many states to write, evenly spaced in time [default: one after each step]
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true)]
    points: Option<u64>,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let model = catalog.find(&arguments.model)?;
    let request = Request {
        set: arguments.set.clone(),
        initial: arguments.initial.clone(),
        project: arguments.project,
        t_end: arguments.t_end,
        method: method(arguments)?,
        max_steps: arguments.max_steps,
        points: arguments.points.map(|points| usize::try_from(points).unwrap_or(usize::MAX)),
    };
    let start = model.start(&request)?;
    let to_file = arguments.csv.as_deref().filter(|path| *path != Path::new("-"));
    if let Some(path) = to_file {
        output::may_create(path, arguments.force)?;
    }
    if !start.moved.is_empty() {
        // Where nobody listens, the result says it too: its first row is the state that was started from.
        let text = catalog::describe(&start.moved);
        _ = writeln!(io::stderr(), "note: the initial state was brought onto the constraints: {text}");
    }
    let summary = match (&arguments.csv, to_file) {
        (_, Some(path)) => csv::to_file(model, &request, path, arguments.force)?,
        (Some(_), None) => return csv::to_standard_output(model, &request),
        (None, None) => model.simulate(&request, &mut ())?,
    };
    output::print(&describe(model, &request, &summary))
}

/// The method with its settings; one that the method does not have is an error.
fn method(arguments: &Arguments) -> Result<MethodChoice, Failure> {
    let pair = pair(arguments.method);
    let adaptive = pair.is_some();
    let composable = matches!(
        arguments.method,
        Method::VariationalMidpoint
            | Method::VariationalTrapezoid
            | Method::Rattle
            | Method::Shake
            | Method::StormerVerlet
    );
    let given = [
        ("--step", arguments.step.is_some(), !adaptive),
        ("--composition", arguments.composition.is_some(), composable),
        ("--rtol", arguments.rtol.is_some(), adaptive),
        ("--atol", arguments.atol.is_some(), adaptive),
        ("--max-step", arguments.max_step.is_some(), adaptive),
    ];
    let allowed: Vec<&str> = given.iter().filter(|(_, _, allowed)| *allowed).map(|(name, ..)| *name).collect();
    if let Some((name, ..)) = given.iter().find(|(_, given, allowed)| *given && !allowed) {
        let method = arguments.method.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        return Err(Failure::Usage(format!(
            "{name} does not apply to --method {method}, which takes {}",
            allowed.join(", ")
        )));
    }
    let step = arguments.step.unwrap_or(1e-3);
    let scheme = arguments.composition.map(Composition::scheme);
    let gauss = |stages| MethodChoice::Gauss { step, stages };
    let symmetric = |rule| MethodChoice::Symmetric { step, rule, scheme };
    Ok(match arguments.method {
        Method::Rk4 => MethodChoice::Rk4 { step },
        Method::Verlet => MethodChoice::Verlet { step },
        Method::ImplicitMidpoint => gauss(GaussStages::One),
        Method::Gauss2 => gauss(GaussStages::Two),
        Method::Gauss3 => gauss(GaussStages::Three),
        Method::Gauss4 => gauss(GaussStages::Four),
        Method::Gauss5 => gauss(GaussStages::Five),
        Method::Gauss6 => gauss(GaussStages::Six),
        Method::VariationalMidpoint => symmetric(SymmetricRule::VariationalMidpoint),
        Method::VariationalTrapezoid => symmetric(SymmetricRule::VariationalTrapezoid),
        Method::Rattle => symmetric(SymmetricRule::Rattle),
        Method::Shake => symmetric(SymmetricRule::Shake),
        Method::StormerVerlet => MethodChoice::StormerVerlet { step, scheme },
        Method::SymplecticEuler => MethodChoice::SymplecticEuler { step },
        Method::Rkf45
        | Method::BogackiShampine3
        | Method::DormandPrince5
        | Method::Tsitouras5
        | Method::Verner6
        | Method::Dop853
        | Method::Verner9
        | Method::Extrapolation
        | Method::Nystrom8 => MethodChoice::Adaptive {
            pair: pair.unwrap_or(Pair::Rkf45),
            rtol: arguments.rtol.unwrap_or(1e-6),
            atol: arguments.atol.unwrap_or(1e-9),
            max_step: arguments.max_step.unwrap_or(f64::INFINITY),
        },
    })
}

/// The method with an adaptive step, where it is one.
fn pair(method: Method) -> Option<Pair> {
    match method {
        Method::Rkf45 => Some(Pair::Rkf45),
        Method::BogackiShampine3 => Some(Pair::BogackiShampine3),
        Method::DormandPrince5 => Some(Pair::DormandPrince5),
        Method::Tsitouras5 => Some(Pair::Tsitouras5),
        Method::Verner6 => Some(Pair::Verner6),
        Method::Dop853 => Some(Pair::Dop853),
        Method::Verner9 => Some(Pair::Verner9),
        Method::Extrapolation => Some(Pair::Extrapolation),
        Method::Nystrom8 => Some(Pair::Nystrom8),
        _ => None,
    }
}

/// The end of the motion and the work, in a few lines.
fn describe(model: &dyn Model, request: &Request, summary: &Summary) -> String {
    let statistics = &summary.statistics;
    let mut text = format!("{} at t = {} s\n", model.name(), Number(summary.t));
    for (index, name) in model.coordinates().iter().enumerate() {
        _ = writeln!(text, "  {name} = {}, {name}_dot = {}", Number(summary.q[index]), Number(summary.v[index]));
    }
    let [first, last] = summary.energy;
    _ = writeln!(text, "  energy = {} J, {:+.3e} J since the start", Number(last), last - first);
    _ = write!(text, "  {} steps", statistics.steps);
    if matches!(request.method, MethodChoice::Adaptive { .. }) {
        _ = write!(text, ", {} rejected", statistics.rejected);
    }
    _ = writeln!(text, ", {} evaluations", statistics.evaluations);
    for warning in statistics.warnings() {
        _ = writeln!(text, "  warning: {warning}");
    }
    text
}

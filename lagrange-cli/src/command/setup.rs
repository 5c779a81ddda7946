//! The mechanism with its parameters and its start: arguments that several commands share.

pub(super) mod setting;

use super::settings::Settings;
use crate::catalog::{self, Catalog, Feedback, MethodChoice, Model, Quantity, Request, States, Until};
use crate::command::Failure;
use crate::parse;
pub(super) use setting::Setting;
use std::io::{self, Write};

/// A mechanism, its parameters, and the state that it starts from.
#[derive(Debug, clap::Args)]
pub(super) struct Setup {
    /// The mechanism, as `list` names it
    model: String,
    /// Change a parameter or an input; may be repeated, with another name each time
    ///
    /// A value may be an expression, as in `--set m=2*pi` and `--set slope=30deg`. An array takes all its values, as in
    /// `--set 'tau=[1, 2, 3]'`, or one of them by `--set 'tau[0]=1'`.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting::setting, allow_hyphen_values = true)]
    set: Vec<Setting>,
    /// Change an initial coordinate or velocity; may be repeated, with another name each time
    ///
    /// Under constraints it is kept, and those that are not named move to the nearest values that meet the constraints. A note says
    /// where they are.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting::setting, allow_hyphen_values = true)]
    initial: Vec<Setting>,
    /// Where no state with the values of --initial meets the constraints, start from the nearest that does, however far it is
    ///
    /// Without it, these values move by a thousandth of their magnitude at most, and a note says how far. If --initial is not given,
    /// this holds for the whole initial state.
    #[arg(long)]
    project: bool,
    #[command(flatten)]
    _settings: Settings,
}

/// The end of a motion.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Length {
    /// The end time; before 0 it goes backward
    #[arg(long, value_name = "TIME", value_parser = parse::end_time, allow_hyphen_values = true)]
    pub(super) t_end: f64,
    /// How many steps may be tried [default: no limit]
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true)]
    max_steps: Option<u64>,
}

/// A mechanism, its start, the end of its motion, and the method that integrates it.
#[derive(Debug, clap::Args)]
pub(super) struct Simulation {
    #[command(flatten)]
    setup: Setup,
    #[command(flatten)]
    length: Length,
    #[command(flatten)]
    method: MethodChoice,
    /// Let an input follow a law of the time, the coordinates, the velocities, the states and the parameters; may be repeated
    ///
    /// `--input 'tau=-20*(theta - pi/2) - 4*theta_dot'` closes a loop. The expression has the operators and functions of values, and `min`,
    /// `max`, `sign` and `atan2`: `min(max(-20*x, -5), 5)` is limited. Without --period the law holds at every time.
    #[arg(long, value_name = "NAME=EXPRESSION", value_parser = parse::law, allow_hyphen_values = true)]
    input: Vec<(String, String)>,
    /// Sample the laws of --input, and keep each input between two samples: a zero-order hold
    #[arg(long, value_name = "TIME", value_parser = parse::positive, requires = "input", allow_hyphen_values = true)]
    period: Option<f64>,
}

/// The values at which a motion ends before its end time.
#[derive(Debug, clap::Args)]
pub(super) struct Ending {
    /// End a motion where a coordinate, a velocity or an output crosses a value; may be repeated, and the first crossing counts
    ///
    /// `--until theta=180deg` is a crossing in either direction, and `--until '|theta|=180deg'` also one of -180°. If a motion starts
    /// at the value, that is no crossing.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse::until, allow_hyphen_values = true)]
    until: Vec<Until>,
}

impl Ending {
    /// Returns the values at which the motions of `model` end.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a name that no quantity has.
    pub(super) fn until(&self, model: &dyn Model) -> Result<Vec<Until>, Failure> {
        for until in &self.until {
            Quantity::find(&until.quantity, model.components(), model.outputs())?;
        }
        Ok(self.until.clone())
    }
}

impl Simulation {
    /// Finds the mechanism, and says what is asked of it.
    pub(super) fn request(&self, catalog: &Catalog) -> Result<(&'static dyn Model, Request), Failure> {
        let (model, request) = self.setup.request(catalog, Some(self.length), self.method)?;
        let feedback = Feedback { laws: self.input.clone(), period: self.period };
        Ok((model, Request { feedback, ..request }))
    }
}

impl Setup {
    /// Finds the mechanism, and says what is asked of it.
    pub(super) fn request(
        &self,
        catalog: &Catalog,
        length: Option<Length>,
        method: MethodChoice,
    ) -> Result<(&'static dyn Model, Request), Failure> {
        let model = catalog.find(&self.model)?;
        let request = Request {
            set: setting::resolve(self.set.iter(), model)?,
            initial: setting::initial(self.initial.iter(), model)?,
            project: self.project,
            t_start: 0.0,
            t_end: length.map_or(0.0, |length| length.t_end),
            method,
            max_steps: length.and_then(|length| length.max_steps),
            until: Vec::new(),
            watched: Vec::new(),
            audit: true,
            states: States::EveryStep,
            exponent: None,
            feedback: Feedback::default(),
        };
        Ok((model, request))
    }
}

/// Writes the reasons to doubt a result to the standard error.
pub(super) fn warn(warnings: &[String]) {
    for warning in warnings {
        // A closed standard error is no failure of the result.
        _ = writeln!(io::stderr(), "warning: {warning}");
    }
}

/// Finds the state that a request starts from, and tells the user where the constraints moved it.
pub(super) fn start(model: &dyn Model, request: &Request) -> Result<catalog::Start, Failure> {
    let start = model.start(request)?;
    if !start.moved.is_empty() {
        // A closed standard error is no failure: the first row of the result shows the state too.
        let text = catalog::describe(&start.moved);
        _ = writeln!(io::stderr(), "note: the initial state was brought onto the constraints: {text}");
    }
    Ok(start)
}

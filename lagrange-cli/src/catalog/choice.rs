//! A method of integration with its settings: the fields are the options of the command line.

use super::{MethodName, RequestError, Units, plain, with_unit};
use crate::parse;
use clap::ValueEnum;
use lagrange_runtime::error::Number;
use lagrange_runtime::method::Symmetric;
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Facts;

const STEP: f64 = 1e-3;
const RTOL: f64 = 1e-6;
const ATOL: f64 = 1e-9;
/// The relative tolerance of the method that is chosen where none is named.
const CHOSEN_RTOL: f64 = 1e-9;

/// A method of integration with its settings; a setting that is `None` has its default value.
#[derive(Clone, Copy, Debug, PartialEq, clap::Args)]
pub struct MethodChoice {
    /// The method of integration [default: chosen for the mechanism, with tolerances for its motion]
    #[arg(id = "method", long, value_name = "METHOD", value_enum)]
    pub name: Option<MethodName>,
    /// The step size of the methods with a fixed step
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true)]
    #[arg(help = format!("The step size of the methods with a fixed step [default: {STEP}]"))]
    pub step: Option<f64>,
    /// The composition that raises the order of a method which has one
    #[arg(long, value_enum, help = format!("Compose {} to a higher order", composable()))]
    pub composition: Option<Scheme>,
    /// The relative tolerance of the methods with an adaptive step
    #[arg(long, value_name = "NUMBER", value_parser = parse::not_negative, allow_hyphen_values = true)]
    #[arg(help = format!("The relative tolerance of the methods with an adaptive step [default: {RTOL:e}; {CHOSEN_RTOL:e} of a chosen method]"))]
    pub rtol: Option<f64>,
    /// The absolute tolerance of the methods with an adaptive step, in the units of the coordinates and velocities
    #[arg(long, value_name = "NUMBER", value_parser = parse::not_negative, allow_hyphen_values = true)]
    #[arg(help = format!("The absolute tolerance of the methods with an adaptive step, in the units of the coordinates and velocities [default: {ATOL:e} of the nominal size, which is 1 without a range; that of a chosen method follows the size of each component]"))]
    pub atol: Option<f64>,
    /// The largest step of the methods with an adaptive step [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true)]
    pub max_step: Option<f64>,
}

impl MethodChoice {
    /// A method with its default settings.
    pub const fn new(name: MethodName) -> Self {
        Self { name: Some(name), step: None, composition: None, rtol: None, atol: None, max_step: None }
    }

    /// A method with this fixed step.
    pub const fn with_step(name: MethodName, step: f64) -> Self {
        Self { step: Some(step), ..Self::new(name) }
    }

    /// A method with a step that adapts to this tolerance, relative and absolute.
    pub const fn with_tolerance(name: MethodName, tolerance: f64) -> Self {
        Self { rtol: Some(tolerance), atol: Some(tolerance), ..Self::new(name) }
    }

    /// Leaves the choice of the method to [`MethodChoice::or_chosen`].
    pub const fn automatic() -> Self {
        Self { name: None, step: None, composition: None, rtol: None, atol: None, max_step: None }
    }

    /// Returns the method. If none is named, it is chosen by what the derivation proved of the mechanism; the second value is
    /// then the reason.
    pub fn or_chosen(&self, facts: &Facts) -> (MethodName, Option<&'static str>) {
        match self.name {
            Some(name) => (name, None),
            None if self.step.is_some() => (MethodName::Rk4, Some("a step is given")),
            None if facts.unconstrained && facts.velocity_free_acceleration => {
                (MethodName::Nystrom8, Some("the accelerations do not depend on velocities"))
            }
            None if facts.unconstrained => (MethodName::Dop853, Some("it suits most smooth motions")),
            None => {
                (MethodName::Dop853, Some("it suits most smooth motions; each step is projected onto the constraints"))
            }
        }
    }

    /// Refuses a setting that the method does not have or that is no possible number, and tolerances that no step can meet.
    pub(crate) fn check(&self, facts: &Facts) -> Result<(), RequestError> {
        self.check_numbers()?;
        let (name, reason) = self.or_chosen(facts);
        let adaptive = name.kind().is_adaptive();
        let settings = [
            ("--step", self.step.is_some(), !adaptive),
            ("--composition", self.composition.is_some(), name.kind().is_composable()),
            ("--rtol", self.rtol.is_some(), adaptive),
            ("--atol", self.atol.is_some(), adaptive),
            ("--max-step", self.max_step.is_some(), adaptive),
        ];
        let Some((setting, ..)) = settings.iter().find(|(_, given, applies)| *given && !applies) else {
            return self.check_tolerances(adaptive);
        };
        let applying: Vec<&str> = settings.iter().filter(|(.., applies)| *applies).map(|(name, ..)| *name).collect();
        let chosen = if reason.is_some() { "; name a method that takes it" } else { "" };
        let text = format!(
            "{setting} does not apply to --method {}, which takes {}{chosen}",
            option_value(name),
            applying.join(", ")
        );
        Err(RequestError::BadValue(text))
    }

    /// Refuses steps that are not positive, and tolerances that are negative.
    fn check_numbers(&self) -> Result<(), RequestError> {
        let settings = [
            ("--step", self.step, true),
            ("--max-step", self.max_step, true),
            ("--rtol", self.rtol, false),
            ("--atol", self.atol, false),
        ];
        let wrong = |&(_, value, positive): &(&str, Option<f64>, bool)| {
            value.is_some_and(|value| !value.is_finite() || value < 0.0 || positive && value == 0.0)
        };
        let Some((name, value, positive)) = settings.into_iter().find(wrong) else { return Ok(()) };
        let allowed = if positive { "a positive number" } else { "a positive number, or 0" };
        let value = Number(value.unwrap_or_default());
        Err(RequestError::BadValue(format!("{name} is {value}; it must be {allowed}")))
    }

    /// Refuses tolerances that are both 0, and a relative one below the rounding of the numbers.
    fn check_tolerances(&self, adaptive: bool) -> Result<(), RequestError> {
        let Some(rtol) = self.rtol.filter(|_| adaptive) else { return Ok(()) };
        let text = if rtol == 0.0 && (self.scales_tolerances() || self.absolute_tolerance() == 0.0) {
            "--rtol 0 leaves the error of a step to --atol, which must then be given and be above 0; otherwise --rtol must be at \
             least 2.2e-16"
                .to_owned()
        } else if rtol > 0.0 && rtol < f64::EPSILON {
            format!("--rtol {} is below the rounding of the numbers; it must be at least 2.2e-16, or 0", Number(rtol))
        } else {
            return Ok(());
        };
        Err(RequestError::BadValue(text))
    }

    /// The warning for a fixed step that is longer than the motion.
    pub(super) fn too_long(&self, name: MethodName, length: f64, units: Units) -> Option<String> {
        let step = self.fixed_step();
        (!name.kind().is_adaptive() && step > length.abs()).then(|| {
            format!(
                "the step of {} is longer than the motion, which was made in one step of {}; choose a smaller --step",
                with_unit(Number(step), units.time),
                with_unit(Number(length.abs()), units.time)
            )
        })
    }

    /// The fixed step.
    pub(super) fn fixed_step(&self) -> f64 {
        self.step.unwrap_or(STEP)
    }

    /// The relative tolerance, or the default of a chosen or of a named method.
    fn relative_tolerance(&self) -> f64 {
        self.rtol.unwrap_or(if self.name.is_none() { CHOSEN_RTOL } else { RTOL })
    }

    /// The absolute tolerance, or its default for coordinates without a nominal size.
    fn absolute_tolerance(&self) -> f64 {
        self.atol.unwrap_or(ATOL)
    }

    /// The options of an integration by `name`: tolerances belong to a step that adapts. The default of the absolute tolerance is in
    /// proportion to the nominal sizes of the coordinates.
    pub(super) fn options<const N: usize, const C: usize>(
        &self,
        name: MethodName,
        max_steps: Option<u64>,
        system: &dyn System<f64, N, C, 0>,
    ) -> Options<'static, f64, N> {
        let options = Options { max_steps, ..Options::default() };
        if !name.kind().is_adaptive() {
            return options;
        }
        let atol = Tolerance::from(self.absolute_tolerance());
        Options {
            rtol: self.relative_tolerance().into(),
            atol: if self.atol.is_none() { atol.at_sizes_of(system) } else { atol },
            max_step: self.max_step.unwrap_or(f64::INFINITY),
            ..options
        }
    }

    /// Whether absolute tolerances follow the size of each component. They do if neither a method nor an absolute tolerance is named.
    pub(super) fn scales_tolerances(&self) -> bool {
        self.name.is_none() && self.atol.is_none()
    }

    /// Returns a line for the reader that names the method, which may be chosen for a reason, with its settings.
    pub(crate) fn describe(&self, (name, reason): (MethodName, Option<&str>), units: Units) -> String {
        let mut text = name.label().to_owned();
        if let Some(scheme) = self.composition {
            text.push_str(&format!(", {}", scheme.name()));
        }
        if name.kind().is_adaptive() {
            text.push_str(&format!(", relative tolerance {}", Number(self.relative_tolerance())));
        } else {
            text.push_str(&format!(", step {}", with_unit(Number(self.fixed_step()), units.time)));
        }
        if let Some(reason) = reason {
            text.push_str(&format!(" (chosen: {reason})"));
        }
        text
    }
}

/// A row: what the help says, the name, and the constructor of the composition.
macro_rules! schemes {
    ($($(#[$help:meta])+ $name:ident = $new:ident;)+) => {
        /// A symmetric composition of a symmetric method of order 2.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub enum Scheme {
            $($(#[$help])+ $name,)+
        }

        impl Scheme {
            /// Returns the composition of this name; case, `-` and `_` do not matter.
            ///
            /// # Errors
            /// [`RequestError::UnknownMethod`] lists the names there are.
            pub fn find(name: &str) -> Result<Self, RequestError> {
                let found = Self::value_variants().iter().find(|scheme| plain(&scheme.name()) == plain(name));
                found.copied().ok_or_else(|| RequestError::UnknownMethod {
                    name: name.to_owned(),
                    known: Self::value_variants().iter().map(|scheme| scheme.name()).collect(),
                })
            }

            /// Returns the name on the command line, as in `--composition`.
            pub fn name(self) -> String {
                self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
            }

            /// The composition of `method`.
            pub(super) fn of<M: Symmetric>(self, method: M) -> Composition<M> {
                match self {
                    $(Self::$name => Composition::$new(method),)+
                }
            }
        }
    };
}

schemes! {
    /// Order 4 by three steps
    TripleJump = triple_jump;
    /// Order 4 by Suzuki's five steps
    Suzuki = suzuki;
    /// Order 6 by Yoshida's seven steps
    Yoshida = yoshida;
    /// Order 6 by Kahan and Li's nine steps
    KahanLi = kahan_li;
}

/// A method as `--method` names it.
fn option_value(method: MethodName) -> String {
    method.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// The methods that can be composed, as a list in words.
fn composable() -> String {
    let all = MethodName::value_variants().iter().filter(|method| method.kind().is_composable());
    let names: Vec<String> = all.map(|method| option_value(*method)).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

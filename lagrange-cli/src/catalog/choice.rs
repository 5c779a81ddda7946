//! A method of integration with its settings: the fields are the options of the command line.

use super::{MethodName, RequestError};
use crate::parse;
use clap::ValueEnum;
use lagrange_runtime::method::Symmetric;
use lagrange_runtime::prelude::*;

const STEP: f64 = 1e-3;
const RTOL: f64 = 1e-6;
const ATOL: f64 = 1e-9;

/// A method of integration with its settings; a setting that is `None` has its default value.
#[derive(Clone, Copy, Debug, PartialEq, clap::Args)]
pub struct MethodChoice {
    /// The method of integration
    #[arg(id = "method", long, value_name = "METHOD", value_enum, default_value_t = MethodName::Rk4)]
    pub name: MethodName,
    /// The step size of the methods with a fixed step, s
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true)]
    #[arg(help = format!("The step size of the methods with a fixed step, s [default: {STEP}]"))]
    pub step: Option<f64>,
    /// The composition that raises the order of a method which has one
    #[arg(long, value_enum, help = format!("Compose {} to a higher order", composable()))]
    pub composition: Option<Scheme>,
    /// The relative tolerance of the methods with an adaptive step
    #[arg(long, value_name = "NUMBER", value_parser = parse::not_negative, allow_hyphen_values = true)]
    #[arg(help = format!("The relative tolerance of the methods with an adaptive step [default: {RTOL:e}]"))]
    pub rtol: Option<f64>,
    /// The absolute tolerance of the methods with an adaptive step, rad and rad/s
    #[arg(long, value_name = "NUMBER", value_parser = parse::not_negative, allow_hyphen_values = true)]
    #[arg(help = format!("The absolute tolerance of the methods with an adaptive step, rad and rad/s [default: {ATOL:e}]"))]
    pub atol: Option<f64>,
    /// The largest step of the methods with an adaptive step, s [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true)]
    pub max_step: Option<f64>,
}

impl MethodChoice {
    /// A method with its default settings.
    pub const fn new(name: MethodName) -> Self {
        Self { name, step: None, composition: None, rtol: None, atol: None, max_step: None }
    }

    /// A method with this fixed step.
    pub const fn with_step(name: MethodName, step: f64) -> Self {
        Self { step: Some(step), ..Self::new(name) }
    }

    /// A method with a step that adapts to this tolerance, relative and absolute.
    pub const fn with_tolerance(name: MethodName, tolerance: f64) -> Self {
        Self { rtol: Some(tolerance), atol: Some(tolerance), ..Self::new(name) }
    }

    /// Refuses a setting that the method does not have.
    pub(super) fn check(&self) -> Result<(), RequestError> {
        let adaptive = self.name.kind().is_adaptive();
        let settings = [
            ("--step", self.step.is_some(), !adaptive),
            ("--composition", self.composition.is_some(), self.name.kind().is_composable()),
            ("--rtol", self.rtol.is_some(), adaptive),
            ("--atol", self.atol.is_some(), adaptive),
            ("--max-step", self.max_step.is_some(), adaptive),
        ];
        let Some((setting, ..)) = settings.iter().find(|(_, given, applies)| *given && !applies) else { return Ok(()) };
        let applying: Vec<&str> = settings.iter().filter(|(.., applies)| *applies).map(|(name, ..)| *name).collect();
        let text = format!(
            "{setting} does not apply to --method {}, which takes {}",
            option_value(self.name),
            applying.join(", ")
        );
        Err(RequestError::BadValue(text))
    }

    /// The fixed step.
    pub(super) fn fixed_step(&self) -> f64 {
        self.step.unwrap_or(STEP)
    }

    /// The options of an integration: tolerances belong to a step that adapts.
    pub(super) fn options<const N: usize>(&self, max_steps: Option<u64>) -> Options<'static, f64, N> {
        let options = Options { max_steps, ..Options::default() };
        if !self.name.kind().is_adaptive() {
            return options;
        }
        Options {
            rtol: self.rtol.unwrap_or(RTOL).into(),
            atol: self.atol.unwrap_or(ATOL).into(),
            max_step: self.max_step.unwrap_or(f64::INFINITY),
            ..options
        }
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

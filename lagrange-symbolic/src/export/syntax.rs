//! How each language spells what the walk over a program writes.

use super::Language;
use crate::graph::Rational;
use crate::graph::function::Function;

/// The spellings of a language.
pub(super) struct Syntax {
    /// The language.
    pub(super) language: Language,
    /// π, the rounding unit and infinity.
    pub(super) pi: &'static str,
    pub(super) epsilon: &'static str,
    pub(super) infinity: &'static str,
    /// The constant conditions: false, then true.
    pub(super) truths: [&'static str; 2],
    /// Conjunction, disjunction, negation and equality.
    pub(super) and: &'static str,
    pub(super) or: &'static str,
    pub(super) not: &'static str,
    pub(super) equal: &'static str,
    /// What stands before a definition of a number, of a condition, and behind each statement.
    pub(super) number: &'static str,
    pub(super) condition: &'static str,
    pub(super) end: &'static str,
    /// What stands before a value that `prepare` has computed.
    pub(super) prepared: &'static str,
}

const C: Syntax = Syntax {
    language: Language::C,
    pi: "(real)3.141592653589793",
    epsilon: "EPSILON",
    infinity: "(real)INFINITY",
    truths: ["0", "1"],
    and: "&&",
    or: "||",
    not: "!",
    equal: "==",
    number: "const real ",
    condition: "const int ",
    end: ";",
    prepared: "prepared->",
};

const JAVASCRIPT: Syntax = Syntax {
    language: Language::JavaScript,
    pi: "Math.PI",
    epsilon: "Number.EPSILON",
    infinity: "Infinity",
    truths: ["false", "true"],
    and: "&&",
    or: "||",
    not: "!",
    equal: "===",
    number: "const ",
    condition: "const ",
    end: ";",
    prepared: "prepared.",
};

const PYTHON: Syntax = Syntax {
    language: Language::Python,
    pi: "np.pi",
    epsilon: "EPSILON",
    infinity: "np.inf",
    truths: ["False", "True"],
    and: "and",
    or: "or",
    not: "not ",
    equal: "==",
    number: "",
    condition: "",
    end: "",
    prepared: "prepared.",
};

impl Language {
    pub(super) fn syntax(self) -> &'static Syntax {
        match self {
            Self::C => &C,
            Self::JavaScript => &JAVASCRIPT,
            Self::Python => &PYTHON,
        }
    }
}

impl Syntax {
    /// An exact number, rounded to a double.
    pub(super) fn constant(&self, value: &Rational) -> String {
        self.double(value.to_f64().value())
    }

    fn double(&self, value: f64) -> String {
        match (value.is_finite(), value > 0.0, self.language) {
            (false, true, _) => self.infinity.to_owned(),
            (false, false, _) => format!("-{}", self.infinity),
            (true, _, Language::C) => format!("(real){value:?}"),
            (true, ..) => format!("{value:?}"),
        }
    }

    /// `yes` where the condition holds, else `no`.
    pub(super) fn select(&self, condition: &str, yes: &str, no: &str) -> String {
        match self.language {
            Language::Python => format!("({yes} if {condition} else {no})"),
            Language::C | Language::JavaScript => format!("({condition} ? {yes} : {no})"),
        }
    }

    /// A list of numbers.
    pub(super) fn list(&self, entries: &[String]) -> String {
        match self.language {
            Language::C => format!("(const real[]){{{}}}", entries.join(", ")),
            Language::JavaScript | Language::Python => format!("[{}]", entries.join(", ")),
        }
    }

    /// The call of a function of the language's library, by its name in C.
    pub(super) fn library_call(&self, name: &str, arguments: &[String]) -> String {
        let arguments = arguments.join(", ");
        match self.language {
            Language::C => format!("FN({name})({arguments})"),
            Language::JavaScript => {
                let name = if name == "fabs" { "abs" } else { name };
                format!("Math.{name}({arguments})")
            }
            Language::Python => {
                let name = match name {
                    "fabs" => "abs".to_owned(),
                    "pow" => "power".to_owned(),
                    _ => match name.strip_prefix('a') {
                        Some(rest) => format!("arc{rest}"),
                        None => name.to_owned(),
                    },
                };
                format!("np.{name}({arguments})")
            }
        }
    }

    /// The call of a mathematical function that has no data of its own.
    pub(super) fn call(&self, function: Function, arguments: &[String]) -> String {
        let helper = |name: &str| format!("{name}({})", arguments.join(", "));
        let library = |name: &str| self.library_call(name, arguments);
        match function {
            Function::Sin => library("sin"),
            Function::Cos => library("cos"),
            Function::Tan => library("tan"),
            Function::Asin => library("asin"),
            Function::Acos => library("acos"),
            Function::Atan => library("atan"),
            Function::Atan2 => library("atan2"),
            Function::Sinh => library("sinh"),
            Function::Cosh => library("cosh"),
            Function::Tanh => library("tanh"),
            Function::Exp => library("exp"),
            Function::Ln => library("log"),
            Function::Abs => library("fabs"),
            Function::Floor => library("floor"),
            Function::Sign => helper("sign"),
            Function::Mod => helper("modulo"),
            Function::Min => helper("minimum"),
            Function::Max => helper("maximum"),
            Function::RecipOrZero => helper("reciprocal_or_zero"),
            Function::Norm => match self.language {
                Language::C => format!("norm({}, {})", arguments.len(), self.list(arguments)),
                Language::JavaScript | Language::Python => format!("norm({})", self.list(arguments)),
            },
            Function::Sinc(order) => format!("sinc({order}, {})", arguments.join(", ")),
            // Splines are written as pieces, implicit functions as solutions, and functions of the user's own are refused.
            Function::Spline { .. } | Function::Implicit { .. } | Function::Extern { .. } => String::new(),
        }
    }

    /// The statement that gives a name to a number or to a condition.
    pub(super) fn define(&self, is_condition: bool, name: &str, value: &str) -> String {
        let before = if is_condition { self.condition } else { self.number };
        format!("{before}{name} = {value}{}", self.end)
    }

    /// The statement that gives a name to several numbers, which a function computes.
    pub(super) fn define_list(&self, name: &str, length: usize, function: &str, arguments: &str) -> String {
        match self.language {
            Language::C => format!("real {name}[{length}];\n{function}({arguments}, {name});"),
            Language::JavaScript | Language::Python => {
                format!("{}{name} = {function}({arguments}){}", self.number, self.end)
            }
        }
    }

    /// Comments of whole lines.
    pub(super) fn comment(&self, text: &str) -> String {
        let start = if self.language == Language::Python { "#" } else { "//" };
        text.lines()
            .map(|line| format!("{start} {}", line.trim_end().trim_end_matches('\\')).trim_end().to_owned() + "\n")
            .collect()
    }
}

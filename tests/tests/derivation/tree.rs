//! Mechanisms as trees, and the block's text that states them.

use std::fmt::{self, Display, Formatter};

/// A scalar expression of the block's language.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// A fraction; decimal where its denominator allows.
    Number(i64, i64),
    Pi,
    Time,
    Coordinate(usize),
    Velocity(usize),
    Parameter(usize),
    Input(usize),
    /// The variable of the enclosing integral.
    Dummy,
    /// An earlier `let`.
    Let(usize),
    /// A component of an earlier `let`.
    Component(usize, usize),
    Add(Box<Expr>, Box<Expr>),
    Subtract(Box<Expr>, Box<Expr>),
    Multiply(Box<Expr>, Box<Expr>),
    Divide(Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    /// A fraction as exponent.
    Power(Box<Expr>, i64, i64),
    PowerOf(Box<Expr>, Box<Expr>),
    /// A function by its name.
    Call(&'static str, Vec<Expr>),
    /// The total time derivative.
    Dot(Box<Expr>),
    /// A function of vectors by its name.
    OfVectors(&'static str, Vec<Vector>),
    /// `if a < b { c } else { d }`.
    If(Box<[Expr; 4]>),
    /// From, to, integrand.
    Integral(Box<[Expr; 3]>),
    /// The sum over all coordinates of a term with elements in it.
    Sum(Box<Expr>),
    /// Inside a sum or a force on each: the coordinate, velocity or parameter of its index.
    Element(Element),
}

/// What an index picks from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Element {
    Coordinate,
    Velocity,
    Parameter,
}

/// A vector expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Vector {
    Literal(Vec<Expr>),
    Let(usize),
    Add(Box<Vector>, Box<Vector>),
    Scale(Expr, Box<Vector>),
    Dot(Box<Vector>),
    /// A matrix, row by row, times a vector.
    Rows(Vec<Vec<Expr>>, Box<Vector>),
}

/// An intermediate quantity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Let {
    Scalar(Expr),
    Vector(Vector),
}

/// How the energies are stated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Energies {
    /// The terms of L.
    Lagrangian(Vec<Expr>),
    /// The terms of T and of V.
    Apart(Vec<Expr>, Vec<Expr>),
}

/// A force: what it acts on, and its components.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Force {
    Scalar(Expr, Expr),
    Vector(Vector, Vector),
    /// The same force, with elements in it, on each coordinate.
    Each(Expr),
}

/// A mechanism.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mechanism {
    /// Whether coordinates, parameters and inputs are arrays, and vectors are defined element by element.
    pub arrays: bool,
    pub coordinates: usize,
    pub parameters: usize,
    pub inputs: usize,
    pub lets: Vec<Let>,
    pub energies: Energies,
    /// The terms of D.
    pub dissipation: Vec<Expr>,
    pub forces: Vec<Force>,
}

/// The coordinates' names.
pub(crate) const COORDINATES: [&str; 10] = ["x", "theta", "phi", "z", "psi", "alpha", "beta", "gamma", "eta", "xi"];
/// The parameters' names.
pub(crate) const PARAMETERS: [&str; 5] = ["m", "k", "length", "c", "mu"];
/// The inputs' names.
pub(crate) const INPUTS: [&str; 2] = ["u", "torque"];

/// How tightly an expression binds; the text has no parentheses but where this asks for them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Sign,
    Power,
    Operand,
}

impl Expr {
    fn binding(&self) -> Binding {
        match self {
            Self::Add(..) | Self::Subtract(..) => Binding::Sum,
            Self::Multiply(..) | Self::Divide(..) => Binding::Product,
            Self::Negate(_) => Binding::Sign,
            Self::Power(..) | Self::PowerOf(..) => Binding::Power,
            Self::Number(numerator, denominator) if *numerator < 0 || decimal(*numerator, *denominator).is_none() => {
                Binding::Sum
            }
            _ => Binding::Operand,
        }
    }

    fn at(&self, needed: Binding) -> String {
        if self.binding() >= needed { self.to_string() } else { format!("({self})") }
    }
}

/// A fraction in decimals, where few suffice.
fn decimal(numerator: i64, denominator: i64) -> Option<String> {
    match denominator {
        1 => Some(numerator.to_string()),
        2 | 4 | 5 | 10 | 20 => Some((numerator as f64 / denominator as f64).to_string()),
        _ => None,
    }
}

fn fraction(numerator: i64, denominator: i64) -> String {
    decimal(numerator, denominator).unwrap_or_else(|| format!("{numerator}/{denominator}"))
}

fn list<T: Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(numerator, denominator) => f.write_str(&fraction(*numerator, *denominator)),
            Self::Pi => f.write_str("pi"),
            Self::Time => f.write_str("t"),
            Self::Coordinate(i) => f.write_str(COORDINATES[*i]),
            Self::Velocity(i) => write!(f, "dot({})", COORDINATES[*i]),
            Self::Parameter(i) => f.write_str(PARAMETERS[*i]),
            Self::Input(i) => f.write_str(INPUTS[*i]),
            Self::Dummy => f.write_str("s"),
            Self::Let(i) => write!(f, "let{i}"),
            Self::Component(i, k) => write!(f, "let{i}[{k}]"),
            Self::Add(a, b) => write!(f, "{a} + {}", b.at(Binding::Product)),
            Self::Subtract(a, b) => write!(f, "{a} - {}", b.at(Binding::Product)),
            Self::Multiply(a, b) => write!(f, "{}*{}", a.at(Binding::Product), b.at(Binding::Sign)),
            Self::Divide(a, b) => write!(f, "{}/{}", a.at(Binding::Product), b.at(Binding::Sign)),
            Self::Negate(a) => write!(f, "-{}", a.at(Binding::Sign)),
            Self::Power(base, numerator, 1) => write!(f, "{}^{numerator}", base.at(Binding::Operand)),
            Self::Power(base, numerator, denominator) => {
                write!(f, "{}^({numerator}/{denominator})", base.at(Binding::Operand))
            }
            Self::PowerOf(base, exponent) => {
                write!(f, "{}^{}", base.at(Binding::Operand), exponent.at(Binding::Sign))
            }
            // A function of a quantity as a method, so that both forms are written.
            Self::Call(name, arguments) => match arguments.as_slice() {
                [x @ (Self::Coordinate(_) | Self::Let(_) | Self::Component(..))] => write!(f, "{x}.{name}()"),
                _ => write!(f, "{name}({})", list(arguments)),
            },
            Self::Dot(a) => write!(f, "dot({a})"),
            Self::OfVectors(name, arguments) => write!(f, "{name}({})", list(arguments)),
            Self::If(parts) => {
                let [a, b, yes, no] = &**parts;
                write!(f, "(if {a} < {b} {{ {yes} }} else {{ {no} }})")
            }
            Self::Sum(term) => write!(f, "sum(i in 0..n, {term})"),
            Self::Element(Element::Coordinate) => f.write_str("q[i]"),
            Self::Element(Element::Velocity) => f.write_str("dot(q[i])"),
            Self::Element(Element::Parameter) => f.write_str("p[i]"),
            Self::Integral(parts) => {
                let [from, to, integrand] = &**parts;
                write!(f, "integral(s in {from}..{to}, {integrand})")
            }
        }
    }
}

impl Display for Vector {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(entries) => write!(f, "[{}]", list(entries)),
            Self::Let(i) => write!(f, "let{i}"),
            Self::Add(a, b) => write!(f, "({a} + {b})"),
            Self::Scale(factor, a) => write!(f, "{}*{a}", factor.at(Binding::Product)),
            Self::Dot(a) => write!(f, "dot({a})"),
            Self::Rows(rows, a) => {
                let rows: Vec<String> = rows.iter().map(|row| format!("[{}]", list(row))).collect();
                write!(f, "([{}]*{a})", rows.join(", "))
            }
        }
    }
}

impl Display for Let {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(value) => value.fmt(f),
            Self::Vector(value) => value.fmt(f),
        }
    }
}

/// Terms joined by signs.
fn sum(terms: &[Expr]) -> String {
    let texts: Vec<String> = terms.iter().map(|term| term.at(Binding::Product)).collect();
    if texts.is_empty() { "0".to_owned() } else { texts.join("\n        + ") }
}

impl Mechanism {
    /// The struct's definition.
    pub(crate) fn item(&self) -> String {
        if self.arrays {
            let input = match self.inputs {
                0 => String::new(),
                inputs => format!(" #[input] pub w: [f64; {inputs}],"),
            };
            return format!("pub struct Mechanism {{ pub p: [f64; {}],{input} }}", self.parameters);
        }
        let mut text = "pub struct Mechanism {".to_owned();
        for name in &PARAMETERS[..self.parameters] {
            text += &format!(" pub {name}: f64,");
        }
        for name in &INPUTS[..self.inputs] {
            text += &format!(" #[input] pub {name}: f64,");
        }
        text + " }"
    }
}

impl Mechanism {
    /// The forces, those on each coordinate one by one.
    pub(crate) fn single_forces(&self) -> Vec<Force> {
        let mut all = Vec::new();
        for force in &self.forces {
            match force {
                Force::Each(right) => {
                    all.extend((0..self.coordinates).map(|i| Force::Scalar(Expr::Coordinate(i), right.picked(i))));
                }
                force => all.push(force.clone()),
            }
        }
        all
    }

    /// The statements, with a plain name for each coordinate, parameter and input.
    fn statements(&self) -> String {
        let mut text = String::new();
        if self.arrays {
            text += &format!("    const n = {};\n    coordinates q[n];\n", self.coordinates);
        } else {
            text += &format!("    coordinates {};\n", COORDINATES[..self.coordinates].join(", "));
        }
        for (i, value) in self.lets.iter().enumerate() {
            match value {
                Let::Vector(Vector::Literal(entries)) if self.arrays => {
                    for (k, entry) in entries.iter().enumerate() {
                        text += &format!("    let let{i}[{k}] = {entry};\n");
                    }
                }
                value => text += &format!("    let let{i} = {value};\n"),
            }
        }
        match &self.energies {
            Energies::Lagrangian(terms) => text += &format!("    lagrangian = {};\n", sum(terms)),
            Energies::Apart(kinetic, potential) => {
                text += &format!("    kinetic = {};\n", sum(kinetic));
                if !potential.is_empty() {
                    text += &format!("    potential = {};\n", sum(potential));
                }
            }
        }
        if !self.dissipation.is_empty() {
            text += &format!("    dissipation = {};\n", sum(&self.dissipation));
        }
        for force in &self.forces {
            text += &match force {
                Force::Scalar(left, right) => format!("    force {left} = {right};\n"),
                Force::Vector(left, right) => format!("    force {left} = {right};\n"),
                Force::Each(right) => format!("    force q[i in 0..n] = {right};\n"),
            };
        }
        text
    }
}

/// The block.
impl Display for Mechanism {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = self.statements();
        if !self.arrays {
            return f.write_str(&text);
        }
        // Each plain name becomes an element of its array.
        let element = |word: &str| {
            let find = |names: &[&str]| names.iter().position(|name| *name == word);
            find(&COORDINATES)
                .map(|i| format!("q[{i}]"))
                .or_else(|| find(&PARAMETERS).map(|i| format!("p[{i}]")))
                .or_else(|| find(&INPUTS).map(|i| format!("w[{i}]")))
        };
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end.max(rest.chars().next().map_or(0, char::len_utf8)));
            match element(word) {
                Some(element) => f.write_str(&element)?,
                None => f.write_str(word)?,
            }
            rest = behind;
        }
        Ok(())
    }
}

//! A mechanism's tree on jets: the energies, forces and their derivatives without any expression graph.

use super::bounded::Bounded;
use super::jet::{Jet, MOTION};
use super::quadrature;
use super::series;
use super::tree::{Energies, Expr, Force, Let, Mechanism, Vector};
use std::cell::Cell;

/// Where a mechanism is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub u: Vec<f64>,
    pub parameters: Vec<f64>,
}

/// A direction in the space of (q, v, t, u, parameters), in this order.
pub(crate) type Direction = Vec<Bounded>;

/// Switching arguments closer to their switch than this many rounding units of their terms count as on it.
const SWITCH: f64 = 1e6;

impl Point {
    /// How many variables there are.
    pub(crate) fn variables(&self) -> usize {
        2 * self.q.len() + 1 + self.u.len() + self.parameters.len()
    }

    /// The position of t among them.
    pub(crate) fn time(&self) -> usize {
        2 * self.q.len()
    }

    /// The direction of one variable.
    pub(crate) fn along(&self, variable: usize) -> Direction {
        (0..self.variables()).map(|z| if z == variable { Bounded::ONE } else { Bounded::ZERO }).collect()
    }
}

/// What an expression may refer to, each as a jet.
pub(crate) struct Context<'a> {
    mechanism: &'a Mechanism,
    point: &'a Point,
    directions: [&'a Direction; 3],
    lets: Vec<Vec<Jet>>,
    on_switch: Cell<bool>,
    dummy: Cell<Option<Jet>>,
}

impl<'a> Context<'a> {
    /// The point with an infinitesimal along each direction, all intermediate quantities evaluated.
    pub(crate) fn new(mechanism: &'a Mechanism, point: &'a Point, directions: [&'a Direction; 3]) -> Self {
        let mut context = Self {
            mechanism,
            point,
            directions,
            lets: Vec::new(),
            on_switch: Cell::new(false),
            dummy: Cell::new(None),
        };
        for value in &mechanism.lets {
            let entries = match value {
                Let::Scalar(value) => vec![context.scalar(value)],
                Let::Vector(value) => context.vector(value),
            };
            context.lets.push(entries);
        }
        context
    }

    /// Whether something evaluated so far lies on a kink or a jump, where derivatives mean nothing.
    pub(crate) fn is_on_switch(&self) -> bool {
        self.on_switch.get()
    }

    /// L.
    pub(crate) fn lagrangian(&self) -> Jet {
        match &self.mechanism.energies {
            Energies::Lagrangian(terms) => self.sum(terms),
            Energies::Apart(kinetic, potential) => self.sum(kinetic) - self.sum(potential),
        }
    }

    /// T and V, where the block states both.
    pub(crate) fn energies(&self) -> Option<(Jet, Jet)> {
        match &self.mechanism.energies {
            Energies::Lagrangian(_) => None,
            Energies::Apart(kinetic, potential) => Some((self.sum(kinetic), self.sum(potential))),
        }
    }

    /// D.
    pub(crate) fn dissipation(&self) -> Jet {
        self.sum(&self.mechanism.dissipation)
    }

    /// What a force acts on, and the force.
    pub(crate) fn force(&self, force: &Force) -> (Vec<Jet>, Vec<Jet>) {
        match force {
            Force::Scalar(left, right) => (vec![self.scalar(left)], vec![self.scalar(right)]),
            Force::Vector(left, right) => (self.vector(left), self.vector(right)),
            Force::Each(_) => panic!("a force on each coordinate is taken one by one"),
        }
    }

    /// Any scalar expression of the mechanism.
    pub(crate) fn value(&self, expr: &Expr) -> Jet {
        self.scalar(expr)
    }

    fn sum(&self, terms: &[Expr]) -> Jet {
        terms.iter().fold(Jet::constant(Bounded::ZERO), |sum, term| sum + self.scalar(term))
    }

    /// A variable with its part along each direction.
    fn variable(&self, index: usize, value: f64) -> Jet {
        let mut jet = Jet::constant(Bounded::leaf(value));
        for (slot, direction) in self.directions.iter().enumerate() {
            jet.0[1 << slot] = direction[index];
        }
        jet
    }

    /// A coordinate moves with its velocity.
    fn coordinate(&self, i: usize) -> Jet {
        let mut jet = self.variable(i, self.point.q[i]);
        let velocity = self.velocity(i);
        for part in 0..MOTION {
            jet.0[MOTION | part] = velocity.0[part];
        }
        jet
    }

    fn velocity(&self, i: usize) -> Jet {
        self.variable(self.point.q.len() + i, self.point.v[i])
    }

    fn scalar(&self, expr: &Expr) -> Jet {
        let point = self.point;
        match expr {
            Expr::Number(numerator, denominator) => {
                Jet::constant(Bounded::leaf(*numerator as f64 / *denominator as f64))
            }
            Expr::Pi => Jet::constant(Bounded::leaf(std::f64::consts::PI)),
            Expr::Time => {
                let mut jet = self.variable(point.time(), point.t);
                jet.0[MOTION] = Bounded::ONE;
                jet
            }
            Expr::Coordinate(i) => self.coordinate(*i),
            Expr::Velocity(i) => self.velocity(*i),
            Expr::Input(i) => self.variable(point.time() + 1 + i, point.u[*i]),
            Expr::Parameter(i) => self.variable(point.time() + 1 + point.u.len() + i, point.parameters[*i]),
            Expr::Dummy => self.dummy.get().expect("a dummy stands inside an integral"),
            Expr::Let(i) => self.lets[*i][0],
            Expr::Component(i, k) => self.lets[*i][*k],
            Expr::Add(a, b) => self.scalar(a) + self.scalar(b),
            Expr::Subtract(a, b) => self.scalar(a) - self.scalar(b),
            Expr::Multiply(a, b) => self.scalar(a) * self.scalar(b),
            Expr::Divide(a, b) => self.scalar(a) * power(&self.scalar(b), -1.0),
            Expr::Negate(a) => -self.scalar(a),
            Expr::Power(a, numerator, denominator) => power(&self.scalar(a), *numerator as f64 / *denominator as f64),
            Expr::PowerOf(base, exponent) => {
                let logarithm = function("ln", &self.scalar(base));
                function("exp", &(logarithm * self.scalar(exponent)))
            }
            Expr::Call(name, arguments) => {
                let arguments: Vec<Jet> = arguments.iter().map(|argument| self.scalar(argument)).collect();
                self.call(name, &arguments)
            }
            Expr::Dot(a) => self.scalar(a).rate(),
            Expr::OfVectors(name, arguments) => {
                let arguments: Vec<Vec<Jet>> = arguments.iter().map(|argument| self.vector(argument)).collect();
                of_vectors(name, &arguments)
            }
            Expr::If(parts) => {
                let [a, b, yes, no] = &**parts;
                let margin = self.scalar(b) - self.scalar(a);
                self.scalar(if self.side(&margin) > 0.0 { yes } else { no })
            }
            Expr::Sum(term) => {
                (0..point.q.len()).fold(Jet::constant(Bounded::ZERO), |sum, i| sum + self.scalar(&term.picked(i)))
            }
            Expr::Element(element) => panic!("{element:?} stands outside of a sum"),
            Expr::Integral(parts) => {
                let [from, to, integrand] = &**parts;
                self.integral(self.scalar(from), self.scalar(to), integrand)
            }
        }
    }

    fn vector(&self, vector: &Vector) -> Vec<Jet> {
        match vector {
            Vector::Literal(entries) => entries.iter().map(|entry| self.scalar(entry)).collect(),
            Vector::Let(i) => self.lets[*i].clone(),
            Vector::Add(a, b) => self.vector(a).into_iter().zip(self.vector(b)).map(|(a, b)| a + b).collect(),
            Vector::Scale(factor, a) => {
                let factor = self.scalar(factor);
                self.vector(a).into_iter().map(|a| factor * a).collect()
            }
            Vector::Rows(rows, a) => {
                let column = self.vector(a);
                rows.iter().map(|row| inner(&self.vector(&Vector::Literal(row.clone())), &column)).collect()
            }
            Vector::Dot(a) => self.vector(a).iter().map(Jet::rate).collect(),
        }
    }

    /// The sign of a switching argument; remembers where there is none.
    fn side(&self, argument: &Jet) -> f64 {
        let Bounded { value, bound } = argument.0[0];
        if value.abs() <= SWITCH * f64::EPSILON * bound && self.dummy.get().is_none() {
            self.on_switch.set(true);
        }
        if value < 0.0 { -1.0 } else { 1.0 }
    }

    fn call(&self, name: &str, arguments: &[Jet]) -> Jet {
        match (name, arguments) {
            ("abs", [x]) => x.scaled(self.side(x)),
            ("sign", [x]) => Jet::constant(Bounded::ONE.scaled(self.side(x))),
            ("min" | "max", _) => {
                let larger = name == "max";
                let better = |best: Jet, next: &Jet| {
                    if (self.side(&(*next - best)) > 0.0) == larger { *next } else { best }
                };
                arguments[1..].iter().fold(arguments[0], better)
            }
            ("hypot", [x, y]) => power(&(*x * *x + *y * *y), 0.5),
            ("atan2", [y, x]) => {
                // The ratio with the larger below, and the angle of the half plane.
                if x.real().abs() >= y.real().abs() {
                    let turn = if x.real() > 0.0 { 0.0 } else { std::f64::consts::PI.copysign(y.real()) };
                    function("atan", &(*y * power(x, -1.0))) + Jet::constant(Bounded::leaf(turn))
                } else {
                    let turn = std::f64::consts::FRAC_PI_2.copysign(y.real());
                    Jet::constant(Bounded::leaf(turn)) - function("atan", &(*x * power(y, -1.0)))
                }
            }
            (_, [x]) => function(name, x),
            _ => panic!("the generator writes no {name} of {} arguments", arguments.len()),
        }
    }

    /// The integrand's polynomial pieces, whose ends move with the crossings.
    fn integral(&self, from: Jet, to: Jet, integrand: &Expr) -> Jet {
        let mut arguments = Vec::new();
        switching_arguments(integrand, &mut arguments);
        let mut ends = vec![from];
        for argument in arguments {
            let end = |x: Jet| {
                let value = self.with_dummy(x, argument);
                self.side(&value);
                value
            };
            let (first, last) = (end(from), end(to));
            if first.real() * last.real() < 0.0 {
                ends.push(from + (to - from) * first * power(&(first - last), -1.0));
            }
        }
        ends.push(to);
        let ascending = if from.real() <= to.real() { 1.0 } else { -1.0 };
        ends.sort_by(|a, b| (ascending * a.real()).total_cmp(&(ascending * b.real())));
        let mut total = Jet::constant(Bounded::ZERO);
        for piece in ends.windows(2) {
            let length = piece[1] - piece[0];
            for &(s, weight) in quadrature::short() {
                let value = self.with_dummy(piece[0] + length.scaled(s), integrand);
                total = total + (length * value).scaled(weight);
            }
        }
        total
    }

    fn with_dummy(&self, x: Jet, expr: &Expr) -> Jet {
        self.dummy.set(Some(x));
        let value = self.scalar(expr);
        self.dummy.set(None);
        value
    }
}

/// The arguments of abs and sign.
fn switching_arguments<'a>(expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    match expr {
        Expr::Call("abs" | "sign", arguments) => found.push(&arguments[0]),
        Expr::Add(a, b) | Expr::Subtract(a, b) | Expr::Multiply(a, b) | Expr::Divide(a, b) => {
            switching_arguments(a, found);
            switching_arguments(b, found);
        }
        Expr::Negate(a) | Expr::Power(a, ..) => switching_arguments(a, found),
        _ => {}
    }
}

fn power(x: &Jet, exponent: f64) -> Jet {
    x.composed(series::power(x.real(), exponent), 0.0)
}

/// A smooth function of one argument.
fn function(name: &str, x: &Jet) -> Jet {
    let at = x.real();
    // tanh' = 1 − tanh².
    let terms = if name == "tanh" { 1.0 } else { 0.0 };
    let coefficients = match name {
        "sin" => series::sin(at),
        "cos" => series::cos(at),
        "tan" => series::tan(at),
        "asin" => series::asin(at),
        "acos" => series::acos(at),
        "atan" => series::atan(at),
        "sinh" => series::sinh(at),
        "cosh" => series::cosh(at),
        "tanh" => series::tanh(at),
        "exp" => series::exp(at),
        "ln" => series::ln(at),
        "sqrt" => series::power(at, 0.5),
        "sinc" => series::sinc(at),
        _ => panic!("the generator writes no {name}"),
    };
    x.composed(coefficients, terms)
}

fn inner(a: &[Jet], b: &[Jet]) -> Jet {
    a.iter().zip(b).fold(Jet::constant(Bounded::ZERO), |sum, (a, b)| sum + *a * *b)
}

fn of_vectors(name: &str, arguments: &[Vec<Jet>]) -> Jet {
    match (name, arguments) {
        ("norm2", [a]) => inner(a, a),
        ("norm", [a]) => power(&inner(a, a), 0.5),
        ("inner", [a, b]) => inner(a, b),
        ("cross", [a, b]) => a[0] * b[1] - a[1] * b[0],
        _ => panic!("the generator writes no {name} of {} vectors", arguments.len()),
    }
}

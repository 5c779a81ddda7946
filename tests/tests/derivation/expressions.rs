//! Random expressions: every function of the language, with arguments that keep to its domain.

use super::tree::{Expr, Let, Vector};
use lagrange_tests::random::Random;

/// What an expression may depend on besides coordinates, time and parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    velocities: bool,
    inputs: bool,
    jumps: bool,
}

impl Allowed {
    /// Nothing else.
    pub(crate) const POSITION: Self = Self { velocities: false, inputs: false, jumps: false };
    /// Velocities.
    pub(crate) const MOTION: Self = Self { velocities: true, inputs: false, jumps: false };

    pub(crate) fn with_inputs(self) -> Self {
        Self { inputs: true, ..self }
    }

    pub(crate) fn with_jumps(self) -> Self {
        Self { jumps: true, ..self }
    }
}

/// Writes expressions of one mechanism.
pub(crate) struct Writer {
    pub random: Random,
    pub coordinates: usize,
    pub parameters: usize,
    pub inputs: usize,
    pub explicit_time: bool,
    pub lets: Vec<Let>,
}

/// Exponents for what is positive.
const EXPONENTS: [(i64, i64); 10] =
    [(1, 2), (3, 2), (-1, 2), (1, 3), (-2, 3), (5, 4), (-1, 1), (-2, 1), (-3, 2), (7, 2)];

fn binary(make: fn(Box<Expr>, Box<Expr>) -> Expr, a: Expr, b: Expr) -> Expr {
    make(Box::new(a), Box::new(b))
}

fn call(name: &'static str, x: Expr) -> Expr {
    Expr::Call(name, vec![x])
}

impl Writer {
    fn below(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    pub(crate) fn leaf_parameter(&mut self) -> Expr {
        Expr::Parameter(self.random.below(self.parameters))
    }

    fn leaf(&mut self, allowed: Allowed) -> Expr {
        loop {
            let leaf = match self.below(12) {
                0..=3 => Expr::Coordinate(self.random.below(self.coordinates)),
                4 | 5 => self.leaf_parameter(),
                6 => Expr::Number([1, 2, 3, -1, 7, 5][self.below(6)], [1, 1, 2, 3, 10][self.below(5)]),
                7 if self.explicit_time => Expr::Time,
                8 if allowed.inputs && self.inputs > 0 => Expr::Input(self.random.below(self.inputs)),
                9 | 10 if allowed.velocities => Expr::Velocity(self.random.below(self.coordinates)),
                11 => match self.let_leaf(allowed) {
                    Some(leaf) => leaf,
                    None => continue,
                },
                7 if self.random.once_in(4) => Expr::Pi,
                _ => continue,
            };
            return leaf;
        }
    }

    /// An earlier `let`, or a component of one.
    fn let_leaf(&mut self, allowed: Allowed) -> Option<Expr> {
        if self.lets.is_empty() {
            return None;
        }
        let i = self.random.below(self.lets.len());
        if !allowed.velocities && self.moves(i) {
            return None;
        }
        Some(match self.dimension_of(i) {
            None => Expr::Let(i),
            Some(dimension) => Expr::Component(i, self.random.below(dimension)),
        })
    }

    /// Whether a `let` depends on velocities.
    fn moves(&self, i: usize) -> bool {
        let (mut found, mut earlier) = (false, Vec::new());
        self.lets[i].visit(&mut |expr| match expr {
            Expr::Velocity(_) | Expr::Dot(_) => found = true,
            Expr::Let(j) | Expr::Component(j, _) => earlier.push(*j),
            _ => {}
        });
        found || self.lets[i].to_string().contains("dot(") || earlier.into_iter().any(|j| self.moves(j))
    }

    fn dimension_of(&self, i: usize) -> Option<usize> {
        match &self.lets[i] {
            Let::Scalar(_) => None,
            Let::Vector(vector) => Some(self.dimension(vector)),
        }
    }

    fn dimension(&self, vector: &Vector) -> usize {
        match vector {
            Vector::Literal(entries) => entries.len(),
            Vector::Let(i) => self.dimension_of(*i).unwrap_or(1),
            Vector::Add(a, _) | Vector::Scale(_, a) | Vector::Dot(a) => self.dimension(a),
            Vector::Rows(rows, _) => rows.len(),
        }
    }

    /// The vectors of a dimension that are stated.
    pub(crate) fn vector_lets(&self, dimension: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.lets.len()).filter(move |&i| self.dimension_of(i) == Some(dimension))
    }

    /// A vector of 2 or 3 components.
    pub(crate) fn vector(&mut self, dimension: usize, allowed: Allowed) -> Vector {
        let stated: Vec<usize> = self.vector_lets(dimension).collect();
        if !stated.is_empty() && self.random.once_in(2) {
            let known = Vector::Let(stated[self.random.below(stated.len())]);
            return match self.below(4) {
                0 => Vector::Add(Box::new(known), Box::new(self.literal(dimension, allowed))),
                1 => Vector::Scale(self.expression(1, allowed), Box::new(known)),
                2 if allowed.velocities => Vector::Dot(Box::new(known)),
                _ => known,
            };
        }
        if self.random.once_in(8) {
            let columns = 2 + self.below(2);
            let rows = (0..dimension).map(|_| (0..columns).map(|_| self.leaf(allowed)).collect()).collect();
            return Vector::Rows(rows, Box::new(self.literal(columns, allowed)));
        }
        self.literal(dimension, allowed)
    }

    fn literal(&mut self, dimension: usize, allowed: Allowed) -> Vector {
        Vector::Literal((0..dimension).map(|_| self.expression(1, allowed)).collect())
    }

    /// A value above 0.
    pub(crate) fn positive(&mut self, depth: usize, allowed: Allowed) -> Expr {
        let (number, inner) = (Expr::Number([1, 2, 3][self.below(3)], [1, 2][self.below(2)]), depth.saturating_sub(1));
        match self.below(5) {
            0 => self.leaf_parameter(),
            1 => binary(Expr::Add, number, Expr::Power(Box::new(self.expression(inner, allowed)), 2, 1)),
            2 => call("exp", self.bounded(inner, allowed)),
            3 => binary(Expr::Add, Expr::Number(2, 1), self.bounded(inner, allowed)),
            _ => call("cosh", self.bounded(inner, allowed)),
        }
    }

    /// A value between −1 and 1.
    pub(crate) fn bounded(&mut self, depth: usize, allowed: Allowed) -> Expr {
        let inner = self.expression(depth.saturating_sub(1), allowed);
        call(["sin", "cos", "tanh", "sinc"][self.below(4)], inner)
    }

    /// Anything of limited depth.
    pub(crate) fn expression(&mut self, depth: usize, allowed: Allowed) -> Expr {
        if depth == 0 || self.random.once_in(6) {
            return self.leaf(allowed);
        }
        let depth = depth - 1;
        match self.below(16) {
            0..=2 => binary(Expr::Add, self.expression(depth, allowed), self.expression(depth, allowed)),
            3 => binary(Expr::Subtract, self.expression(depth, allowed), self.expression(depth, allowed)),
            4..=6 => binary(Expr::Multiply, self.expression(depth, allowed), self.expression(depth, allowed)),
            7 => binary(Expr::Divide, self.expression(depth, allowed), self.positive(depth, allowed)),
            8 => Expr::Negate(Box::new(self.expression(depth, allowed))),
            9 => Expr::Power(Box::new(self.expression(depth, allowed)), [2, 3, 4][self.below(3)], 1),
            10 => {
                let (numerator, denominator) = EXPONENTS[self.below(EXPONENTS.len())];
                Expr::Power(Box::new(self.positive(depth, allowed)), numerator, denominator)
            }
            11 | 12 => self.function(depth, allowed),
            13 => call(["sin", "cos"][self.below(2)], self.expression(depth, allowed)),
            14 => self.of_vectors(allowed),
            _ if allowed.velocities => Expr::Dot(Box::new(self.expression(depth, Allowed::POSITION))),
            _ => self.leaf(allowed),
        }
    }

    fn function(&mut self, depth: usize, allowed: Allowed) -> Expr {
        let anything = |w: &mut Self| w.expression(depth, allowed);
        match self.below(18) {
            0 => call("tan", self.bounded(depth, allowed)),
            1 => {
                let inside = binary(Expr::Multiply, Expr::Number(4, 5), self.bounded(depth, allowed));
                call(["asin", "acos"][self.below(2)], inside)
            }
            2 => call("atan", anything(self)),
            3 => Expr::Call("atan2", vec![anything(self), anything(self)]),
            4 => call("sinh", self.bounded(depth, allowed)),
            5 => call("cosh", self.bounded(depth, allowed)),
            6 => call("tanh", anything(self)),
            7 => call("exp", self.bounded(depth, allowed)),
            8 => call("ln", self.positive(depth, allowed)),
            9 => call("abs", anything(self)),
            10 => call("sqrt", self.positive(depth, allowed)),
            // The root of a square is the size.
            11 => call("sqrt", Expr::Power(Box::new(anything(self)), 2, 1)),
            12 => Expr::Call("hypot", vec![anything(self), anything(self)]),
            13 => {
                let count = 2 + self.below(2);
                let arguments = (0..count).map(|_| anything(self)).collect();
                Expr::Call(["min", "max"][self.below(2)], arguments)
            }
            14 => call("sinc", anything(self)),
            15 => binary(Expr::PowerOf, self.positive(depth, allowed), self.bounded(depth, allowed)),
            16 if allowed.jumps => call("sign", anything(self)),
            _ => {
                // 0 up to a threshold, and its square beyond: no jump.
                let beyond = anything(self);
                let power = Expr::Power(Box::new(beyond.clone()), 2, 1);
                Expr::If(Box::new([Expr::Number(0, 1), beyond, power, Expr::Number(0, 1)]))
            }
        }
    }

    fn of_vectors(&mut self, allowed: Allowed) -> Expr {
        let dimension = 2 + self.below(2);
        match self.below(4) {
            0 => Expr::OfVectors("norm", vec![self.vector(dimension, allowed)]),
            1 => Expr::OfVectors("norm2", vec![self.vector(dimension, allowed)]),
            2 => Expr::OfVectors("inner", vec![self.vector(dimension, allowed), self.vector(dimension, allowed)]),
            _ => Expr::OfVectors("cross", vec![self.vector(2, allowed), self.vector(2, allowed)]),
        }
    }
}

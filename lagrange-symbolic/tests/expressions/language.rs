//! A small parser of expressions for tests in tables. A mistake in a test's own text panics.

use lagrange_symbolic::calculus::directional;
use lagrange_symbolic::graph::function::Function;
use lagrange_symbolic::graph::{Graph, Id, Rational, Relation, Symbol};

/// Coordinates of the tests; every other name is a parameter (or `t`, `pi`, or the input `u`).
const COORDINATES: [&str; 4] = ["theta1", "theta2", "x", "y"];

/// Expressions of one graph and the names of its parameters.
#[derive(Default)]
pub(crate) struct Language {
    pub(crate) graph: Graph,
    pub(crate) parameters: Vec<String>,
}

impl Language {
    pub(crate) fn read(&mut self, text: &str) -> Id {
        let mut reader = Reader { language: self, rest: text };
        let id = reader.condition();
        assert!(reader.rest.trim().is_empty(), "unread: {}", reader.rest);
        id
    }

    pub(crate) fn name(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Coordinate(i) => COORDINATES[i as usize].to_string(),
            Symbol::Velocity(i) => format!("dot({})", COORDINATES[i as usize]),
            Symbol::Acceleration(i) => format!("dot(dot({}))", COORDINATES[i as usize]),
            Symbol::Parameter(i) => self.parameters[i as usize].clone(),
            Symbol::Time => "t".to_string(),
            _ => "u".to_string(),
        }
    }
}

struct Reader<'a> {
    language: &'a mut Language,
    rest: &'a str,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) {
        assert!(self.take(token), "`{token}` expected at `{}`", self.rest);
    }

    fn condition(&mut self) -> Id {
        let left = self.sum();
        for (token, relation) in [("<=", Relation::LessEqual), ("<", Relation::Less)] {
            if self.take(token) {
                let right = self.sum();
                return self.language.graph.compare(relation, left, right);
            }
        }
        left
    }

    fn sum(&mut self) -> Id {
        let mut total = self.product();
        loop {
            if self.take("+") {
                let next = self.product();
                total = self.language.graph.add(total, next);
            } else if self.take("-") {
                let next = self.product();
                total = self.language.graph.sub(total, next);
            } else {
                return total;
            }
        }
    }

    fn product(&mut self) -> Id {
        let mut total = self.unary();
        loop {
            if self.take("*") {
                let next = self.unary();
                total = self.language.graph.mul(total, next);
            } else if self.take("/") {
                let next = self.unary();
                total = self.language.graph.div(total, next);
            } else {
                return total;
            }
        }
    }

    fn unary(&mut self) -> Id {
        if self.take("-") {
            let inner = self.unary();
            return self.language.graph.neg(inner);
        }
        let base = self.atom();
        if self.take("^") {
            let exponent = self.unary();
            return self.language.graph.power(base, exponent);
        }
        base
    }

    fn atom(&mut self) -> Id {
        if self.take("(") {
            let inner = self.condition();
            self.expect(")");
            return inner;
        }
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let whole: i64 = word.parse().expect("a number");
            if let Some(rest) = self.rest.strip_prefix('.') {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let digits: i64 = rest[..end].parse().expect("decimals");
                self.rest = &rest[end..];
                let value = Rational::from(whole) + Rational::from(digits) / Rational::from(10).pow(end as isize);
                return self.language.graph.number(value);
            }
            return self.language.graph.integer(whole);
        }
        if !self.take("(") {
            return self.symbol(word);
        }
        let mut arguments = vec![self.condition()];
        while self.take(",") {
            arguments.push(self.condition());
        }
        self.expect(")");
        self.call(word, &arguments)
    }

    fn symbol(&mut self, word: &str) -> Id {
        let graph = &mut self.language.graph;
        if let Some(position) = COORDINATES.iter().position(|name| *name == word) {
            return graph.symbol(Symbol::Coordinate(position as u32));
        }
        match word {
            "t" => graph.symbol(Symbol::Time),
            "u" => graph.symbol(Symbol::Input(0)),
            "pi" => graph.pi(),
            _ => {
                let known = self.language.parameters.iter().position(|name| name == word);
                let position = known.unwrap_or_else(|| {
                    self.language.parameters.push(word.to_string());
                    self.language.parameters.len() - 1
                });
                self.language.graph.symbol(Symbol::Parameter(position as u32))
            }
        }
    }

    fn call(&mut self, word: &str, arguments: &[Id]) -> Id {
        let graph = &mut self.language.graph;
        let function = match word {
            "sqrt" => return graph.sqrt(arguments[0]),
            "if" => return graph.select(arguments[0], arguments[1], arguments[2]),
            "dot" => {
                let velocities: Vec<_> = (0..4)
                    .flat_map(|i| {
                        let velocity = graph.symbol(Symbol::Velocity(i));
                        let acceleration = graph.symbol(Symbol::Acceleration(i));
                        [(Symbol::Coordinate(i), velocity), (Symbol::Velocity(i), acceleration)]
                    })
                    .collect();
                return directional(graph, arguments, &velocities)[0];
            }
            "sin" => Function::Sin,
            "cos" => Function::Cos,
            "tan" => Function::Tan,
            "asin" => Function::Asin,
            "acos" => Function::Acos,
            "atan" => Function::Atan,
            "atan2" => Function::Atan2,
            "sinh" => Function::Sinh,
            "cosh" => Function::Cosh,
            "tanh" => Function::Tanh,
            "exp" => Function::Exp,
            "ln" => Function::Ln,
            "abs" => Function::Abs,
            "sign" => Function::Sign,
            "floor" => Function::Floor,
            "mod" => Function::Mod,
            "min" => Function::Min,
            "max" => Function::Max,
            "norm" => Function::Norm,
            "recip_or_zero" => Function::RecipOrZero,
            "sinc" => Function::Sinc(0),
            _ => panic!("no function `{word}`"),
        };
        graph.call(function, arguments)
    }
}

//! Random expressions that are independent of the graph. They can be built in it and evaluated without it.

use lagrange_symbolic::graph::function::Function;
use lagrange_symbolic::graph::value::Arithmetic;
use lagrange_symbolic::graph::{Graph, Id, Rational, Relation, Symbol};

/// The symbols of random expressions.
pub(crate) const SYMBOLS: [Symbol; 3] = [Symbol::Coordinate(0), Symbol::Coordinate(1), Symbol::Velocity(0)];

/// An expression as it was generated.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Number(i64, i64),
    Pi,
    Symbol(usize),
    Sum(Vec<Tree>),
    Difference(Box<Tree>, Box<Tree>),
    Product(Vec<Tree>),
    Quotient(Box<Tree>, Box<Tree>),
    Power(Box<Tree>, i64, i64),
    GeneralPower(Box<Tree>, Box<Tree>),
    Call(Function, Vec<Tree>),
    Select(Relation, Vec<Tree>),
}

/// SplitMix64, seeded.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A point with small values, zeros and equal ones among them.
    pub(crate) fn point(&mut self) -> Vec<Rational> {
        let quarter = Rational::ONE / Rational::from(4);
        (0..SYMBOLS.len())
            .map(|_| match self.below(8) {
                0 => Rational::ZERO,
                1 => Rational::from(self.between(-2, 2)),
                _ => {
                    Rational::from(self.between(-9, 9)) * &quarter
                        + Rational::from(self.between(-99, 99)) / Rational::from(997)
                }
            })
            .collect()
    }

    /// A tree whose leaves repeat often, so that terms merge.
    pub(crate) fn tree(&mut self, depth: u32) -> Tree {
        if depth == 0 || self.below(8) == 0 {
            return match self.below(10) {
                0..=2 => Tree::Number(self.between(-3, 3), self.pick(&[1, 1, 2, 3])),
                3 if self.below(4) == 0 => Tree::Pi,
                _ => Tree::Symbol(self.below(SYMBOLS.len())),
            };
        }
        let next = depth - 1;
        match self.below(20) {
            0..=3 => Tree::Sum((0..self.below(3) + 2).map(|_| self.tree(next)).collect()),
            4 | 5 => Tree::Difference(self.boxed(next), self.boxed(next)),
            6..=9 => Tree::Product((0..self.below(3) + 2).map(|_| self.tree(next)).collect()),
            10 => Tree::Quotient(self.boxed(next), self.boxed(next)),
            11 => Tree::Power(self.boxed(next), self.between(-2, 4), 1),
            12 => Tree::Power(self.boxed(next), self.between(-3, 3), self.pick(&[2, 2, 3])),
            13 if self.below(3) == 0 => Tree::GeneralPower(self.boxed(next), self.boxed(next)),
            13 => Tree::Select(
                self.pick(&[Relation::Less, Relation::LessEqual, Relation::Equal]),
                (0..4).map(|_| self.tree(next)).collect(),
            ),
            14 | 15 => Tree::Call(self.pick(&[Function::Sin, Function::Cos]), vec![self.tree(next)]),
            16 => Tree::Call(
                self.pick(&[Function::Abs, Function::Sign, Function::Floor, Function::RecipOrZero]),
                vec![self.tree(next)],
            ),
            17 => Tree::Call(
                self.pick(&[
                    Function::Min,
                    Function::Max,
                    Function::Norm,
                    Function::Norm,
                    Function::Atan2,
                    Function::Mod,
                ]),
                vec![self.tree(next), self.tree(next)],
            ),
            _ => {
                let function = self.pick(&[
                    Function::Tan,
                    Function::Asin,
                    Function::Acos,
                    Function::Atan,
                    Function::Sinh,
                    Function::Cosh,
                    Function::Tanh,
                    Function::Exp,
                    Function::Ln,
                    Function::Sinc(0),
                    Function::Sinc(1),
                    Function::Sinc(2),
                ]);
                Tree::Call(function, vec![self.tree(next)])
            }
        }
    }

    fn boxed(&mut self, depth: u32) -> Box<Tree> {
        Box::new(self.tree(depth))
    }
}

impl Tree {
    /// Builds the tree by the graph's constructors.
    pub(crate) fn build(&self, graph: &mut Graph) -> Id {
        match self {
            Self::Number(p, q) => graph.number(Rational::from(*p) / Rational::from(*q)),
            Self::Pi => graph.pi(),
            Self::Symbol(which) => graph.symbol(SYMBOLS[*which]),
            Self::Sum(terms) => {
                let terms: Vec<Id> = terms.iter().map(|term| term.build(graph)).collect();
                graph.add_all(&terms)
            }
            Self::Difference(a, b) => {
                let (a, b) = (a.build(graph), b.build(graph));
                graph.sub(a, b)
            }
            Self::Product(factors) => {
                let factors: Vec<Id> = factors.iter().map(|factor| factor.build(graph)).collect();
                graph.mul_all(&factors)
            }
            Self::Quotient(a, b) => {
                let (a, b) = (a.build(graph), b.build(graph));
                graph.div(a, b)
            }
            Self::Power(a, p, q) => {
                let a = a.build(graph);
                graph.power_rational(a, &(Rational::from(*p) / Rational::from(*q)))
            }
            Self::GeneralPower(a, b) => {
                let (a, b) = (a.build(graph), b.build(graph));
                graph.power(a, b)
            }
            Self::Call(function, arguments) => {
                let arguments: Vec<Id> = arguments.iter().map(|argument| argument.build(graph)).collect();
                graph.call(*function, &arguments)
            }
            Self::Select(relation, parts) => {
                let parts: Vec<Id> = parts.iter().map(|part| part.build(graph)).collect();
                let condition = graph.compare(*relation, parts[0], parts[1]);
                graph.select(condition, parts[2], parts[3])
            }
        }
    }

    /// The value of the tree, computed without the graph.
    pub(crate) fn value<A: Arithmetic>(&self, arithmetic: &mut A, point: &[A::Value]) -> Option<A::Value> {
        let minus_one = |arithmetic: &mut A| arithmetic.rational(&Rational::NEG_ONE);
        match self {
            Self::Number(p, q) => arithmetic.rational(&(Rational::from(*p) / Rational::from(*q))),
            Self::Pi => arithmetic.pi(),
            Self::Symbol(which) => Some(point[*which].clone()),
            Self::Sum(terms) => {
                let mut total = terms[0].value(arithmetic, point)?;
                for term in &terms[1..] {
                    let term = term.value(arithmetic, point)?;
                    total = arithmetic.add(&total, &term)?;
                }
                Some(total)
            }
            Self::Difference(a, b) => {
                let (a, b) = (a.value(arithmetic, point)?, b.value(arithmetic, point)?);
                let minus = minus_one(arithmetic)?;
                let b = arithmetic.mul(&minus, &b)?;
                arithmetic.add(&a, &b)
            }
            Self::Product(factors) => {
                let mut total = factors[0].value(arithmetic, point)?;
                for factor in &factors[1..] {
                    let factor = factor.value(arithmetic, point)?;
                    total = arithmetic.mul(&total, &factor)?;
                }
                Some(total)
            }
            Self::Quotient(a, b) => {
                let (a, b) = (a.value(arithmetic, point)?, b.value(arithmetic, point)?);
                not_zero(arithmetic, &b)?;
                let inverse = arithmetic.power_rational(&b, &Rational::NEG_ONE)?;
                arithmetic.mul(&a, &inverse)
            }
            Self::Power(base, p, q) => {
                let a = base.value(arithmetic, point)?;
                if *p == 0 {
                    return arithmetic.rational(&Rational::ONE);
                }
                // (x² y)^(1/2) becomes |x| y^(1/2), which is undefined where x = 0 and y < 0.
                let may_split = *q > 1 && !matches!(**base, Self::Symbol(_));
                if *p < 0 || may_split {
                    not_zero(arithmetic, &a)?;
                }
                arithmetic.power_rational(&a, &(Rational::from(*p) / Rational::from(*q)))
            }
            Self::GeneralPower(a, b) => {
                let (a, b) = (a.value(arithmetic, point)?, b.value(arithmetic, point)?);
                arithmetic.power(&a, &b)
            }
            Self::Call(function, arguments) => {
                let arguments: Option<Vec<A::Value>> =
                    arguments.iter().map(|argument| argument.value(arithmetic, point)).collect();
                arithmetic.call(*function, &arguments?)
            }
            Self::Select(relation, parts) => {
                let (a, b) = (parts[0].value(arithmetic, point)?, parts[1].value(arithmetic, point)?);
                let taken = if arithmetic.compare(*relation, &a, &b)? { &parts[2] } else { &parts[3] };
                taken.value(arithmetic, point)
            }
        }
    }

    /// The smallest part or variation of the tree for which `fails` is still true.
    pub(crate) fn shrink(self, fails: &mut dyn FnMut(&Tree) -> bool) -> Tree {
        let mut tree = self;
        'smaller: loop {
            for candidate in tree.smaller() {
                if fails(&candidate) {
                    tree = candidate;
                    continue 'smaller;
                }
            }
            return tree;
        }
    }

    fn operands(&self) -> Vec<Tree> {
        match self {
            Self::Number(..) | Self::Pi | Self::Symbol(_) => Vec::new(),
            Self::Sum(operands) | Self::Product(operands) | Self::Call(_, operands) | Self::Select(_, operands) => {
                operands.clone()
            }
            Self::Difference(a, b) | Self::Quotient(a, b) | Self::GeneralPower(a, b) => {
                vec![(**a).clone(), (**b).clone()]
            }
            Self::Power(a, ..) => vec![(**a).clone()],
        }
    }

    fn with_operands(&self, operands: Vec<Tree>) -> Tree {
        let boxed = |position: usize| Box::new(operands[position].clone());
        match self {
            Self::Number(..) | Self::Pi | Self::Symbol(_) => self.clone(),
            Self::Sum(_) => Self::Sum(operands),
            Self::Product(_) => Self::Product(operands),
            Self::Call(function, _) => Self::Call(*function, operands),
            Self::Select(relation, _) => Self::Select(*relation, operands),
            Self::Difference(..) => Self::Difference(boxed(0), boxed(1)),
            Self::Quotient(..) => Self::Quotient(boxed(0), boxed(1)),
            Self::GeneralPower(..) => Self::GeneralPower(boxed(0), boxed(1)),
            Self::Power(_, p, q) => Self::Power(boxed(0), *p, *q),
        }
    }

    /// The parts of the tree, and the tree with a part made simpler.
    pub(crate) fn smaller(&self) -> Vec<Tree> {
        let operands = self.operands();
        let mut candidates = operands.clone();
        for (position, operand) in operands.iter().enumerate() {
            if matches!(self, Self::Sum(_) | Self::Product(_)) && operands.len() > 1 {
                let mut fewer = operands.clone();
                fewer.remove(position);
                candidates.push(self.with_operands(fewer));
            }
            let leaf = matches!(operand, Self::Number(..) | Self::Symbol(_) | Self::Pi);
            let plain = if leaf { Vec::new() } else { vec![Self::Number(1, 1), Self::Symbol(0)] };
            for smaller in operand.smaller().into_iter().chain(plain) {
                let mut changed = operands.clone();
                changed[position] = smaller;
                candidates.push(self.with_operands(changed));
            }
        }
        candidates
    }
}

/// `None` for a divisor that is 0, or that would be 0 without rounding, such as sin(π).
fn not_zero<A: Arithmetic>(arithmetic: &mut A, x: &A::Value) -> Option<()> {
    let zero = arithmetic.rational(&Rational::ZERO)?;
    (!arithmetic.compare(Relation::Equal, x, &zero)?).then_some(())
}

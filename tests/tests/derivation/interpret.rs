//! Routines run step by step on a scalar, as the emitted code runs them.

use lagrange_runtime::scalar::Scalar;
use lagrange_symbolic::graph::function::Function;
use lagrange_symbolic::graph::{Rational, Relation, Symbol};
use lagrange_symbolic::program::{Evaluations, ImplicitProgram, Operation, Routine, Value};

/// What an evaluation is given.
pub(crate) struct Arguments<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub u: &'a [f64],
    pub parameters: &'a [f64],
    /// The further vector argument: a momentum or an acceleration.
    pub further: &'a [f64],
}

/// The most numbers of a solution: its components, and whether it is found.
const MOST_NUMBERS: usize = 5;

/// The result of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    Number(f64),
    Mask(bool),
    Pair(f64, f64),
    /// The numbers of a solution.
    Solution([f64; MOST_NUMBERS]),
}

impl Slot {
    /// The number in it.
    pub(crate) fn number(self) -> f64 {
        match self {
            Self::Number(value) => value,
            _ => panic!("a number is needed, not {self:?}"),
        }
    }

    /// The mask in it.
    pub(crate) fn mask(self) -> bool {
        match self {
            Self::Mask(value) => value,
            _ => panic!("a mask is needed, not {self:?}"),
        }
    }
}

/// A mechanism's routines with its hoisted values computed.
pub(crate) struct Interpreter<'a> {
    evaluations: &'a Evaluations,
    prepared: Vec<Option<Slot>>,
}

impl<'a> Interpreter<'a> {
    /// Runs the preparation.
    pub(crate) fn new(evaluations: &'a Evaluations, arguments: &Arguments<'_>) -> Self {
        let mut values = Self { evaluations, prepared: Vec::new() };
        values.prepared = vec![None; count(evaluations)];
        let outputs = values.run(&evaluations.preparation, arguments);
        for (value, output) in evaluations.hoisted.iter().zip(outputs) {
            values.prepared[value.index()] = Some(output);
        }
        values
    }

    /// The outputs of a routine.
    pub(crate) fn run(&self, routine: &Routine, arguments: &Arguments<'_>) -> Vec<Slot> {
        let mut known: Vec<Option<Slot>> = vec![None; count(self.evaluations)];
        for &value in &routine.hoisted {
            known[value.index()] = self.prepared[value.index()];
        }
        let get = |known: &[Option<Slot>], value: Value| {
            known[value.index()].unwrap_or_else(|| panic!("{value:?} is used before it is known"))
        };
        for step in &routine.steps {
            let operands: Vec<Slot> =
                step.operation.operands().into_iter().map(|operand| get(&known, operand)).collect();
            known[step.value.index()] = Some(match &step.operation {
                Operation::Solution(index, _) => self.solution(*index, &operands),
                operation => apply(operation, &operands, arguments),
            });
        }
        routine.outputs.iter().map(|&output| get(&known, output)).collect()
    }

    /// The solution of equations by Newton's method with halved steps.
    fn solution(&self, index: u32, arguments: &[Slot]) -> Slot {
        let is_own = |program: &&ImplicitProgram| program.index == index;
        let program = self.evaluations.implicits.iter().find(is_own).expect("each solution has a program");
        let n = program.unknowns;
        let rows = |w: &[f64]| {
            let further: Vec<f64> = w.iter().copied().chain(arguments.iter().map(|slot| slot.number())).collect();
            let arguments = Arguments { t: 0.0, q: &[], v: &[], u: &[], parameters: &[], further: &further };
            let numbers: Vec<f64> = self.run(&program.routine, &arguments).into_iter().map(Slot::number).collect();
            let (residual, slope) = numbers.split_at(n);
            (residual.to_vec(), slope.chunks(n).map(<[f64]>::to_vec).collect::<Vec<_>>())
        };
        let mut w = vec![0.0; n];
        let (mut residual, mut slope) = rows(&w);
        for _ in 0..200 {
            let Some(inverse) = super::linear::inverse(&slope) else { break };
            let step = super::linear::times(&inverse, &residual);
            let size = |residual: &[f64]| residual.iter().map(|entry| entry * entry).sum::<f64>();
            let moved = (0..60).find_map(|halvings| {
                let factor = 0.5_f64.powi(halvings);
                let moved: Vec<f64> = w.iter().zip(&step).map(|(w, step)| w + factor * step).collect();
                let rows = rows(&moved);
                (size(&rows.0) < size(&residual)).then_some((moved, rows))
            });
            let Some((moved, rows)) = moved else { break };
            (w, (residual, slope)) = (moved, rows);
        }
        let mut numbers = [0.0; MOST_NUMBERS];
        numbers[..n].copy_from_slice(&w);
        numbers[n] = f64::from(residual.iter().all(|entry| entry.abs() < 1e-8));
        Slot::Solution(numbers)
    }
}

/// One more than the largest index of a value.
fn count(evaluations: &Evaluations) -> usize {
    let programs = evaluations.implicits.iter().map(|program| &program.routine);
    let routines = evaluations.routines().map(|(_, routine)| routine).chain([&evaluations.preparation]).chain(programs);
    let values = routines.flat_map(|routine| {
        routine
            .steps
            .iter()
            .map(|step| step.value)
            .chain(routine.outputs.iter().copied())
            .chain(routine.hoisted.iter().copied())
    });
    values.map(Value::index).max().map_or(0, |largest| largest + 1)
}

fn apply(operation: &Operation, operands: &[Slot], arguments: &Arguments<'_>) -> Slot {
    let number = |i: usize| operands[i].number();
    let mask = |i: usize| operands[i].mask();
    match operation {
        Operation::Constant(value) => Slot::Number(rounded(value)),
        Operation::Pi => Slot::Number(std::f64::consts::PI),
        Operation::Epsilon => Slot::Number(f64::EPSILON),
        Operation::Symbol(symbol) => Slot::Number(load(*symbol, arguments)),
        Operation::Argument(index) => Slot::Number(arguments.further[*index as usize]),
        Operation::Add(..) => Slot::Number(number(0) + number(1)),
        Operation::Subtract(..) => Slot::Number(number(0) - number(1)),
        Operation::Multiply(..) => Slot::Number(number(0) * number(1)),
        Operation::Divide(..) => Slot::Number(number(0) / number(1)),
        Operation::Negate(_) => Slot::Number(-number(0)),
        Operation::Reciprocal(_) => Slot::Number(1.0 / number(0)),
        Operation::MultiplyAdd { negate_product, negate_addend, .. } => {
            let product = if *negate_product { -number(0) } else { number(0) } * number(1);
            Slot::Number(if *negate_addend { product - number(2) } else { product + number(2) })
        }
        Operation::SquareRoot(_) => Slot::Number(number(0).sqrt()),
        Operation::Power(..) => Slot::Number(number(0).powf(number(1))),
        Operation::SineCosine(_) => {
            let (sine, cosine) = number(0).sin_cos();
            Slot::Pair(sine, cosine)
        }
        Operation::Sine(_) | Operation::Cosine(_) => match (operation, operands[0]) {
            (Operation::Sine(_), Slot::Pair(sine, _)) => Slot::Number(sine),
            (_, Slot::Pair(_, cosine)) => Slot::Number(cosine),
            (_, other) => panic!("a sine needs a pair, not {other:?}"),
        },
        Operation::Component(part, _) => match operands[0] {
            Slot::Solution(numbers) => Slot::Number(numbers[*part as usize]),
            other => panic!("a component needs a solution, not {other:?}"),
        },
        Operation::Solution(..) => panic!("the interpreter solves equations by itself"),
        Operation::Numbers(_) | Operation::Table(_) | Operation::Piece(..) | Operation::Entry(..) => {
            panic!("the generated mechanisms have no tables")
        }
        Operation::Call(function, _) => {
            let values: Vec<f64> = operands.iter().map(|operand| operand.number()).collect();
            Slot::Number(call(*function, &values))
        }
        Operation::Compare(relation, ..) => Slot::Mask(match relation {
            Relation::Less => number(0) < number(1),
            Relation::LessEqual => number(0) <= number(1),
            Relation::Equal => number(0) == number(1),
        }),
        Operation::And(..) => Slot::Mask(mask(0) && mask(1)),
        Operation::Or(..) => Slot::Mask(mask(0) || mask(1)),
        Operation::Not(_) => Slot::Mask(!mask(0)),
        Operation::Truth(value) => Slot::Mask(*value),
        Operation::Select(..) => {
            if mask(0) {
                operands[1]
            } else {
                operands[2]
            }
        }
    }
}

fn rounded(value: &Rational) -> f64 {
    value.to_f64().value()
}

fn load(symbol: Symbol, arguments: &Arguments<'_>) -> f64 {
    match symbol {
        Symbol::Coordinate(i) => arguments.q[i as usize],
        Symbol::Velocity(i) => arguments.v[i as usize],
        Symbol::Parameter(i) => arguments.parameters[i as usize],
        Symbol::Input(i) => arguments.u[i as usize],
        Symbol::Time => arguments.t,
        Symbol::Acceleration(_) | Symbol::Multiplier(_) | Symbol::Force(_) | Symbol::Dummy(_) => {
            panic!("{symbol:?} is no argument of an evaluation")
        }
    }
}

fn call(function: Function, x: &[f64]) -> f64 {
    match function {
        Function::Sin => x[0].sin(),
        Function::Cos => x[0].cos(),
        Function::Tan => x[0].tan(),
        Function::Asin => x[0].asin(),
        Function::Acos => x[0].acos(),
        Function::Atan => x[0].atan(),
        Function::Atan2 => x[0].atan2(x[1]),
        Function::Sinh => x[0].sinh(),
        Function::Cosh => x[0].cosh(),
        Function::Tanh => x[0].tanh(),
        Function::Exp => x[0].exp(),
        Function::Ln => x[0].ln(),
        Function::Abs => x[0].abs(),
        Function::Norm => x.iter().fold(0.0, |length: f64, next| length.hypot(*next)),
        // The runtime defines these itself: sign(0) = 0, and so on.
        Function::Sign => Scalar::sign(x[0]),
        Function::Floor => x[0].floor(),
        Function::Mod => Scalar::modulo(x[0], x[1]),
        Function::Min => Scalar::min(x[0], x[1]),
        Function::Max => Scalar::max(x[0], x[1]),
        Function::RecipOrZero => Scalar::recip_or_zero(x[0]),
        Function::Sinc(order) => Scalar::sinc(x[0], order),
        Function::Spline { .. } => panic!("splines are made of pieces"),
        Function::Implicit { .. } => panic!("implicit functions are solutions"),
        Function::Extern { .. } => panic!("the generated mechanisms call no functions of a user's own"),
    }
}

//! Routines run step by step on a scalar, as the emitted code runs them.

use lagrange_runtime::scalar::Real;
use lagrange_symbolic::graph::function::Function;
use lagrange_symbolic::graph::{Rational, Relation, Symbol};
use lagrange_symbolic::program::{Evaluations, ImplicitProgram, LinearMap, Operation, Pieces, Routine, Value};

/// What an evaluation is given.
pub(crate) struct Arguments<'a, R = f64> {
    pub t: R,
    pub q: &'a [R],
    pub v: &'a [R],
    pub u: &'a [R],
    pub parameters: &'a [R],
    /// The further vector argument: a momentum or an acceleration.
    pub further: &'a [R],
    /// The multipliers, where an evaluation has them as an argument.
    pub multipliers: &'a [R],
}

/// The most numbers of a solution: its components, and whether it is found.
const MOST_NUMBERS: usize = 5;

/// The result of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot<R = f64> {
    Number(R),
    Mask(bool),
    Pair(R, R),
    /// The numbers of a solution.
    Solution([R; MOST_NUMBERS]),
}

impl<R: Real> Slot<R> {
    /// The number in it.
    pub(crate) fn number(self) -> R {
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
pub(crate) struct Interpreter<'a, R = f64> {
    evaluations: &'a Evaluations,
    prepared: Vec<Option<Slot<R>>>,
}

impl Interpreter<'_> {
    /// The first `count` outputs of a linear map by its pieces, without those pieces of which each argument is 0, and those that serve none of these
    /// outputs. The arguments begin with the number `first`.
    pub(crate) fn run_pieces(
        &self,
        (map, pieces): (&LinearMap, &Pieces),
        first: usize,
        arguments: &Arguments<'_>,
        count: usize,
    ) -> Vec<f64> {
        let factors = self.run(&map.factors, arguments);
        let given: Vec<(Value, Slot)> = map.given.iter().copied().zip(factors).collect();
        let own = &arguments.further[first..];
        let zero = 0.0;
        let mut slots = vec![zero; pieces.slots];
        for (slot, argument) in slots.iter_mut().zip(&pieces.order) {
            *slot = argument.map_or(zero, |argument| own[argument]);
        }
        for piece in &pieces.pieces {
            let is_zero = piece.arguments.iter().cloned().flatten().all(|argument| slots[argument] == zero);
            if is_zero || piece.first_output >= count {
                continue;
            }
            let read = piece.reads.iter().map(|&(value, slot)| (value, Slot::Number(slots[slot])));
            let known: Vec<(Value, Slot)> = given.iter().copied().chain(read).collect();
            let written = self.run_from(&piece.routine, arguments, &known);
            for (slot, value) in piece.writes.clone().zip(written) {
                slots[slot] = value.number();
            }
        }
        pieces.outputs.iter().take(count).map(|output| output.map_or(zero, |slot| slots[slot])).collect()
    }
}

impl<'a, R: Real> Interpreter<'a, R> {
    /// Runs the preparation.
    pub(crate) fn new(evaluations: &'a Evaluations, arguments: &Arguments<'_, R>) -> Self {
        let mut values = Self { evaluations, prepared: Vec::new() };
        values.prepared = vec![None; count(evaluations)];
        let outputs = values.run(&evaluations.preparation, arguments);
        for (value, output) in evaluations.hoisted.iter().zip(outputs) {
            values.prepared[value.index()] = Some(output);
        }
        values
    }

    /// The outputs of a routine.
    pub(crate) fn run(&self, routine: &Routine, arguments: &Arguments<'_, R>) -> Vec<Slot<R>> {
        self.run_from(routine, arguments, &[])
    }

    /// The outputs of a linear map. Its argument follows that of its factors.
    pub(crate) fn run_map(&self, map: &LinearMap, arguments: &Arguments<'_, R>) -> Vec<Slot<R>> {
        let factors = self.run(&map.factors, arguments);
        let given: Vec<(Value, Slot<R>)> = map.given.iter().copied().zip(factors).collect();
        self.run_from(&map.map, arguments, &given)
    }

    fn run_from(&self, routine: &Routine, arguments: &Arguments<'_, R>, given: &[(Value, Slot<R>)]) -> Vec<Slot<R>> {
        let mut known: Vec<Option<Slot<R>>> = vec![None; count(self.evaluations)];
        for &(value, slot) in given {
            known[value.index()] = Some(slot);
        }
        for &value in &routine.hoisted {
            known[value.index()] = self.prepared[value.index()];
        }
        let get = |known: &[Option<Slot<R>>], value: Value| {
            known[value.index()].unwrap_or_else(|| panic!("{value:?} is used before it is known"))
        };
        for step in &routine.steps {
            let operands: Vec<Slot<R>> =
                step.operation.operands().into_iter().map(|operand| get(&known, operand)).collect();
            known[step.value.index()] = Some(match &step.operation {
                Operation::Solution(index, _) => self.solution(*index, &operands),
                operation => apply(operation, &operands, arguments),
            });
        }
        routine.outputs.iter().map(|&output| get(&known, output)).collect()
    }

    /// The solution of equations by Newton's method with halved steps. Two more steps give the derivatives.
    fn solution(&self, index: u32, arguments: &[Slot<R>]) -> Slot<R> {
        let is_own = |program: &&ImplicitProgram| program.index == index;
        let program = self.evaluations.implicits.iter().find(is_own).expect("each solution has a program");
        let n = program.unknowns;
        let exact: Vec<R> = arguments.iter().map(|slot| slot.number()).collect();
        let fixed: Vec<R> = exact.iter().map(|argument| argument.without_derivatives()).collect();
        let rows = |w: &[R], arguments: &[R]| {
            let further = [w, arguments].concat();
            let zero =
                Arguments { t: R::ZERO, q: &[], v: &[], u: &[], parameters: &[], further: &further, multipliers: &[] };
            let numbers: Vec<R> = self.run(&program.routine, &zero).into_iter().map(Slot::number).collect();
            let (residual, slope) = numbers.split_at(n);
            (residual.to_vec(), slope.chunks(n).map(<[R]>::to_vec).collect::<Vec<_>>())
        };
        let mut w = vec![R::ZERO; n];
        let (mut residual, mut slope) = rows(&w, &fixed);
        let size = |residual: &[R]| residual.iter().map(|entry| entry.to_f64() * entry.to_f64()).sum::<f64>();
        for _ in 0..200 {
            let Some(step) = super::linear::solve(&slope, &residual) else { break };
            let moved = (0..60).find_map(|halvings| {
                let factor = R::from_f64(0.5_f64.powi(halvings));
                let moved: Vec<R> = w.iter().zip(&step).map(|(w, step)| *w + factor * *step).collect();
                let rows = rows(&moved, &fixed);
                (size(&rows.0) < size(&residual)).then_some((moved, rows))
            });
            let Some((moved, rows)) = moved else { break };
            (w, (residual, slope)) = (moved, rows);
        }
        let found = residual.iter().all(|entry| entry.to_f64().abs() < 1e-8);
        if R::DERIVATIVE_ORDER > 0 {
            let (residual, slope) = rows(&w, &exact);
            let change: Vec<R> = residual.iter().map(|entry| *entry - entry.without_derivatives()).collect();
            let step = super::linear::solve(&slope, &change).unwrap_or_else(|| vec![R::from_f64(f64::NAN); n]);
            w.iter_mut().zip(step).for_each(|(w, step)| *w += step);
        }
        let mut numbers = [R::ZERO; MOST_NUMBERS];
        numbers[..n].copy_from_slice(&w);
        numbers[n] = R::from_f64(f64::from(found));
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

fn apply<R: Real>(operation: &Operation, operands: &[Slot<R>], arguments: &Arguments<'_, R>) -> Slot<R> {
    let number = |i: usize| operands[i].number();
    let mask = |i: usize| operands[i].mask();
    match operation {
        Operation::Constant(value) => Slot::Number(R::from_f64(rounded(value))),
        Operation::Pi => Slot::Number(R::from_f64(std::f64::consts::PI)),
        Operation::Epsilon => Slot::Number(R::from_f64(f64::EPSILON)),
        Operation::Symbol(symbol) => Slot::Number(load(*symbol, arguments)),
        Operation::Argument(index) => Slot::Number(arguments.further[*index as usize]),
        Operation::Add(..) => Slot::Number(number(0) + number(1)),
        Operation::Subtract(..) => Slot::Number(number(0) - number(1)),
        Operation::Multiply(..) => Slot::Number(number(0) * number(1)),
        Operation::Divide(..) => Slot::Number(number(0) / number(1)),
        Operation::Negate(_) => Slot::Number(-number(0)),
        Operation::Reciprocal(_) => Slot::Number(number(0).recip()),
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
            let values: Vec<R> = operands.iter().map(|operand| operand.number()).collect();
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

fn load<R: Real>(symbol: Symbol, arguments: &Arguments<'_, R>) -> R {
    match symbol {
        Symbol::Coordinate(i) => arguments.q[i as usize],
        Symbol::Velocity(i) => arguments.v[i as usize],
        Symbol::Parameter(i) => arguments.parameters[i as usize],
        Symbol::Input(i) => arguments.u[i as usize],
        Symbol::Time => arguments.t,
        Symbol::Multiplier(i) => arguments.multipliers[i as usize],
        Symbol::Acceleration(_) | Symbol::Force(_) | Symbol::Dummy(_) => {
            panic!("{symbol:?} is no argument of an evaluation")
        }
    }
}

fn call<R: Real>(function: Function, x: &[R]) -> R {
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
        Function::Norm => x[1..].iter().fold(x[0].abs(), |length, next| length.hypot(*next)),
        // The runtime defines these itself: sign(0) = 0, and so on.
        Function::Sign => x[0].sign(),
        Function::Floor => x[0].floor(),
        Function::Mod => x[0].modulo(x[1]),
        Function::Min => R::min(x[0], x[1]),
        Function::Max => R::max(x[0], x[1]),
        Function::RecipOrZero => x[0].recip_or_zero(),
        Function::Sinc(order) => x[0].sinc(order),
        Function::Spline { .. } => panic!("splines are made of pieces"),
        Function::Implicit { .. } => panic!("implicit functions are solutions"),
        Function::Extern { .. } => panic!("the generated mechanisms call no functions of a user's own"),
    }
}

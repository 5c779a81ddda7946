//! What a call of a function means.

use super::arithmetic::{same_shape, scalar_needed};
use super::order::indexed;
use super::rotation::transposed_velocity;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::calculus::directional;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Rational, Symbol};
use crate::parse::{foreign, notation};
use crate::report::{Mistake, Place, did_you_mean};
use crate::syntax::{Expr, ExprKind, Intrinsic, plain};
use proc_macro2::Ident;

/// A mistake, and the argument in which it is, if it is in one.
pub(crate) type ArgumentFault = Box<(Mistake, Option<usize>)>;

pub(crate) fn fault(mistake: Mistake, at: Option<usize>) -> ArgumentFault {
    Box::new((mistake, at))
}

impl Scope<'_> {
    /// A call of a function.
    pub(crate) fn call(&mut self, function: &Ident, arguments: &[Expr], place: Place) -> Option<Value> {
        let name = plain(function);
        match name.as_str() {
            "reaction" if matches!(arguments, [of] if self.is_virtual(&indexed(of).0.to_string())) => {
                return self.virtual_quantity(&name, arguments, place);
            }
            "momentum" if self.derived.is_none() && !self.functions.contains_key(&name) => {
                return self.virtual_quantity(&name, arguments, place);
            }
            "multiplier" | "reaction" | "constraint_jacobian" | "constraint_drift" | "constraint_curvature" => {
                return self.constraint_quantity(function, arguments, place);
            }
            // A function that the block declares under these names is reported already.
            "friction" | "contact" if !self.functions.contains_key(&name) => {
                return self.contact_force(&name, arguments, place);
            }
            "approach" if !self.functions.contains_key(&name) => return self.approach_speed(arguments, place),
            "distance" | "slip_velocity" if !self.functions.contains_key(&name) => {
                return self.shapes(&name, arguments, place);
            }
            "sphere" | "plane" | "capsule" | "box" | "vertex" | "edge" if !self.functions.contains_key(&name) => {
                self.lone_shape(&name, place);
                return None;
            }
            "partial" => return self.partial_derivative(arguments, place),
            "inverse" if !self.functions.contains_key(&name) => return self.inverse(arguments, place),
            _ => {}
        }
        if let Some(declared) = self.functions.get(&name).cloned() {
            return self.call_declared(&name, &declared, arguments, place);
        }
        let Some(intrinsic) = Intrinsic::named(&name) else {
            match self.module_call(&name, arguments) {
                Some(mistake) => self.report.add(mistake, place),
                None => {
                    let mistake = self.unknown_function(name, arguments);
                    self.report.add(mistake, function);
                }
            }
            return None;
        };
        if let Some(mistake) = self.module_call(&name, arguments) {
            self.report.add(mistake, place);
            return None;
        }
        let values: Vec<Option<Value>> = arguments.iter().map(|argument| self.value(argument)).collect();
        let (expected, least, most) = intrinsic.arguments();
        if !(least..=most).contains(&arguments.len()) {
            let texts: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            let whole = texts.join(", ");
            let mistake = match (intrinsic, texts.as_slice()) {
                (Intrinsic::Dot, [of, time]) if time == "t" => {
                    Mistake::TwoArgumentDot { help: format!("write `dot({of})`") }
                }
                (Intrinsic::Dot, [_, _]) => {
                    Mistake::TwoArgumentDot { help: format!("the scalar product is `inner({whole})`") }
                }
                _ => {
                    let help = match intrinsic {
                        Intrinsic::Norm | Intrinsic::Norm2 if texts.len() > 1 => format!("write `{name}([{whole}])`"),
                        Intrinsic::Hypot if texts.len() > 2 => format!("write `norm([{whole}])`"),
                        _ => foreign::function(&name, &texts).unwrap_or_default(),
                    };
                    Mistake::ArgumentCount { function: name, expected: expected.to_owned(), found: texts.len(), help }
                }
            };
            self.report.add(mistake, place);
            return None;
        }
        let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
        match self.apply(intrinsic, &name, &values) {
            Ok(value) => {
                if matches!(intrinsic, Intrinsic::Rotation(_)) {
                    let quaternions = values.iter().zip(arguments).filter(|(value, _)| value.shape == Shape::Vector(4));
                    let used = quaternions.map(|(value, text)| (value.entries.clone(), text.to_string(), text.place));
                    self.quaternions.extend(used);
                }
                if intrinsic == Intrinsic::Dot {
                    self.record_rate_of_field(&arguments[0], &values[0]);
                }
                Some(value)
            }
            Err(fault) => {
                let (mistake, at) = *fault;
                self.report.add(mistake, at.map_or(place, |at| arguments[at].place));
                None
            }
        }
    }

    fn unknown_function(&self, name: String, arguments: &[Expr]) -> Mistake {
        let texts: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let whole = texts.join(", ");
        if self.is_derived(&name) {
            return Mistake::QuantityAsFunction {
                name: name.clone(),
                help: format!("write `{name}[{whole}]` for an element"),
            };
        }
        if self.is_quantity(&name) {
            let help = match texts.as_slice() {
                [time] if time == "t" && self.is_input(&name) => {
                    format!("write `{name}`: the controller gives its value at every time")
                }
                [time] if time == "t" && self.moves(&name) => {
                    format!("write `{name}`: it depends on the time as it stands")
                }
                [time] if time == "t" => format!("write `{name}`: a parameter does not depend on the time"),
                _ if self.is_array(&name) => format!("write `{name}[{whole}]` for an element"),
                _ => format!("write `{name}*({whole})` for a product"),
            };
            return Mistake::QuantityAsFunction { name, help };
        }
        let slip_rate = (name == "rate").then(|| {
            "`rate(s)` states the rate of a slip, as the whole left side of a `friction` or as the `slip` of a `contact`; elsewhere the rate of x is `dot(x)`"
                .to_owned()
        });
        let help = slip_rate.or_else(|| foreign::function(&name, &texts)).unwrap_or_else(|| {
            let own = self.functions.keys().map(String::as_str);
            let names: Vec<&str> = Intrinsic::names().map(|name| -> &str { name }).chain(own).collect();
            let suggestion = did_you_mean(&name, names.iter().copied());
            let help = format!(
                "{suggestion} functions are {}; one of your own is declared by `extern f(x) = path::f, d(x) = path::fx;`",
                names.join(" ")
            );
            help.trim().to_owned()
        });
        Mistake::UnknownFunction { name, help }
    }

    /// The mistake in `np.sin(x)`, which is read as a call of `sin` with `np` and `x`.
    fn module_call(&self, name: &str, arguments: &[Expr]) -> Option<Mistake> {
        let [module, rest @ ..] = arguments else { return None };
        let ExprKind::Name(ident) = &module.kind else { return None };
        let module = plain(ident);
        if rest.is_empty() || !foreign::is_module(&module) || self.is_quantity(&module) {
            return None;
        }
        let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
        let text = rest.join(", ");
        let found = format!("{module}.{name}({text})");
        if Intrinsic::named(name).is_some() {
            return Some(notation::foreign(found, format!("{name}({text})")));
        }
        foreign::function(name, &rest).map(|help| Mistake::UnknownFunction { name: format!("{module}.{name}"), help })
    }

    fn apply(&mut self, intrinsic: Intrinsic, name: &str, values: &[Value]) -> Result<Value, ArgumentFault> {
        if intrinsic == Intrinsic::Norm2
            && let Some(point) = self.point_of_rate(&values[0])
            && let Some([velocity, twin]) = self.own_velocity(&point)?
        {
            let [square, twin] = [velocity, twin].map(|velocity| self.graph.inner(&velocity, &velocity));
            self.record_twin(square, twin);
            return Ok(Value::scalar(square));
        }
        let graph = &mut self.graph;
        let scalar = |at: usize| {
            let value = &values[at];
            value.as_scalar().ok_or_else(|| fault(scalar_needed(&format!("the argument of `{name}`"), value), Some(at)))
        };
        let id = match intrinsic {
            Intrinsic::Dot => {
                let rate = self.total_derivative(&values[0])?;
                self.record_rate(&values[0], &rate);
                return Ok(rate);
            }
            Intrinsic::Rotation(rotation) => return self.rotation(rotation, name, values),
            Intrinsic::Transpose => {
                let transposed = transpose(graph, &values[0]).map_err(|mistake| fault(mistake, Some(0)))?;
                self.record_frame(&transposed, None);
                return Ok(transposed);
            }
            Intrinsic::SmoothStep => {
                let argument = scalar(0)?;
                smooth_step(graph, argument)
            }
            Intrinsic::Elementary(function) => {
                let argument = scalar(0)?;
                graph.call(function, &[argument])
            }
            Intrinsic::Atan2 => {
                let (y, x) = (scalar(0)?, scalar(1)?);
                graph.call(Function::Atan2, &[y, x])
            }
            Intrinsic::Modulo => {
                let (x, y) = (scalar(0)?, scalar(1)?);
                if graph.is_zero(y) {
                    return Err(fault(Mistake::DivisionByZero {}, Some(1)));
                }
                graph.call(Function::Mod, &[x, y])
            }
            Intrinsic::Sqrt => {
                let argument = scalar(0)?;
                graph.sqrt(argument)
            }
            Intrinsic::Hypot => {
                let (x, y) = (scalar(0)?, scalar(1)?);
                graph.call(Function::Norm, &[x, y])
            }
            Intrinsic::Extreme(function) => {
                let mut best = scalar(0)?;
                for at in 1..values.len() {
                    let next = scalar(at)?;
                    best = graph.call(function, &[best, next]);
                }
                best
            }
            Intrinsic::Norm | Intrinsic::Norm2 => {
                let value = &values[0];
                if matches!(value.shape, Shape::Matrix(..) | Shape::Condition) {
                    let what = format!("the argument of `{name}`");
                    return Err(fault(Mistake::VectorNeeded { what, found: value.shape.to_string() }, Some(0)));
                }
                let entries = &value.entries;
                if intrinsic == Intrinsic::Norm { norm(graph, entries) } else { graph.inner(entries, entries) }
            }
            Intrinsic::Inner | Intrinsic::Cross => {
                for (at, value) in values.iter().enumerate() {
                    if !matches!(value.shape, Shape::Vector(_)) {
                        let what = format!("an argument of `{name}`");
                        return Err(fault(Mistake::VectorNeeded { what, found: value.shape.to_string() }, Some(at)));
                    }
                }
                same_shape(&format!("`{name}`"), &values[0], &values[1]).map_err(|mistake| fault(mistake, None))?;
                let (a, b) = (&values[0].entries, &values[1].entries);
                if intrinsic == Intrinsic::Cross {
                    return cross(graph, a, b).map_err(|mistake| fault(mistake, None));
                }
                graph.inner(a, b)
            }
        };
        Ok(Value::scalar(id))
    }

    /// The total time derivative d/dt: q → v, v → a, t → 1.
    pub(crate) fn total_derivative(&mut self, value: &Value) -> Result<Value, ArgumentFault> {
        if value.shape == Shape::Condition {
            return Err(fault(scalar_needed("the argument of `dot`", value), Some(0)));
        }
        let mut symbols: Vec<Symbol> = Vec::new();
        for entry in &value.entries {
            symbols.extend(self.graph.symbols(*entry));
        }
        symbols.sort_unstable();
        symbols.dedup();
        let mut direction: Vec<(Symbol, Id)> = Vec::new();
        for symbol in symbols {
            let rate = match symbol {
                Symbol::Coordinate(i) => self.graph.symbol(Symbol::Velocity(i)),
                Symbol::Velocity(i) => self.graph.symbol(Symbol::Acceleration(i)),
                Symbol::Time => self.graph.one(),
                Symbol::Acceleration(_) => {
                    let state = self.state_of_rate(symbol).map(str::to_owned);
                    let mistake =
                        state.map_or(Mistake::ThirdDerivative {}, |state| Mistake::SecondRateOfState { state });
                    return Err(fault(mistake, None));
                }
                Symbol::Input(i) => return Err(fault(Mistake::InputRate { input: self.input_name(i) }, Some(0))),
                Symbol::Dummy(_) if self.virtuals.is_reaction(symbol) => {
                    return Err(fault(Mistake::MultiplierRate {}, Some(0)));
                }
                Symbol::Multiplier(_) | Symbol::Force(_) => return Err(fault(Mistake::MultiplierRate {}, Some(0))),
                Symbol::Parameter(_) | Symbol::Dummy(_) => continue,
            };
            direction.push((symbol, rate));
        }
        let entries = directional(&mut self.graph, &value.entries, &direction);
        Ok(Value::new(value.shape, entries))
    }
}

/// x³(10 − 15x + 6x²) between 0 and 1, whose first and second derivatives vanish at both ends.
fn smooth_step(graph: &mut Graph, x: Id) -> Id {
    let (zero, one) = (graph.zero(), graph.one());
    let above = graph.call(Function::Max, &[x, zero]);
    let x = graph.call(Function::Min, &[above, one]);
    let number = |value: i32| Rational::from(value);
    let square = graph.power_rational(x, &number(2));
    let bracket = graph.sum(vec![(x, number(-15)), (square, number(6))], number(10));
    let cube = graph.power_rational(x, &number(3));
    graph.mul(cube, bracket)
}

/// The transpose of a matrix.
fn transpose(graph: &mut Graph, value: &Value) -> Result<Value, Mistake> {
    let Shape::Matrix(rows, columns) = value.shape else {
        return Err(Mistake::MatrixNeeded {
            what: "the argument of `transpose`".to_owned(),
            found: value.shape.to_string(),
        });
    };
    let entries = (0..columns).flat_map(|j| (0..rows).map(move |i| value.entries[i * columns + j])).collect();
    let angular_velocity = transposed_velocity(graph, value);
    Ok(Value { angular_velocity, ..Value::new(Shape::Matrix(columns, rows), entries) })
}

fn norm(graph: &mut Graph, entries: &[Id]) -> Id {
    match entries {
        [single] => graph.call(Function::Abs, &[*single]),
        _ => graph.call(Function::Norm, entries),
    }
}

/// a × b. For plane vectors it is the component perpendicular to the plane.
fn cross(graph: &mut Graph, a: &[Id], b: &[Id]) -> Result<Value, Mistake> {
    match (a, b) {
        (&[a0, a1], &[b0, b1]) => {
            let (plus, minus) = (graph.mul(a0, b1), graph.mul(a1, b0));
            Ok(Value::scalar(graph.sub(plus, minus)))
        }
        (&[a0, a1, a2], &[b0, b1, b2]) => Ok(Value::vector(graph.cross([a0, a1, a2], [b0, b1, b2]).to_vec())),
        _ => Err(Mistake::CrossLength { length: a.len() }),
    }
}

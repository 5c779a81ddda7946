//! The units of functions, and of the derived quantities that claims and outputs name.

use super::checker::{Checker, Row};
use super::conflict::{Side, Why};
use super::linear::Linear;
use super::quantity::Quantity;
use crate::graph::Rational;
use crate::graph::function::Function;
use crate::syntax::{ConstraintKind, Expr, ExprKind, Intrinsic, Rotation, StatementKind, plain};
use proc_macro2::Ident;

impl<'s> Checker<'s> {
    /// The unit of a call.
    pub(super) fn call(&mut self, function: &'s Ident, arguments: &'s [Expr]) -> Quantity {
        let name = plain(function);
        if let Some(signature) = self.functions.get(&name).cloned() {
            for (argument, unit) in arguments.iter().zip(&signature.arguments) {
                let found = self.value(argument);
                self.needs(argument, &found, unit, Why::Declared(function));
            }
            return Quantity::scalar(signature.value);
        }
        if let Some(quantity) = self.derived_by_constraint(&name, arguments, &[]) {
            return quantity;
        }
        match (name.as_str(), arguments) {
            ("friction", [contact]) => {
                let slip = self.slips.get(&stated_name(contact)).cloned().unwrap_or(Quantity::Unknown);
                return self.conjugate(&slip);
            }
            ("contact", [contact]) => {
                let gap = self.gaps.get(&stated_name(contact)).cloned().unwrap_or(Quantity::Unknown);
                return self.conjugate(&gap);
            }
            ("approach", [contact]) => {
                let gap = self.gaps.get(&stated_name(contact)).cloned().unwrap_or(Quantity::Unknown);
                return self.rate(&gap);
            }
            ("distance" | "slip_velocity", [first, second]) => {
                let lengths = [first, second].map(|shape| self.length_of_shape(shape));
                let [one, other] = &lengths;
                self.equate([(one, Side::Term(first)), (other, Side::Term(second))], Why::Arguments(function));
                let length = if *one == Quantity::Unknown { other.clone() } else { one.clone() };
                return if name == "distance" { length } else { self.rate(&length) };
            }
            ("sphere" | "plane" | "capsule" | "box", [_, ..]) => return self.length_of_written(function, arguments),
            ("vertex" | "edge", [shape, index]) => {
                self.number(index, Why::Number(function));
                return self.length_of_shape(shape);
            }
            ("partial", [of, by]) => {
                let (of, by) = (self.value(of), self.value(by));
                return by.as_scalar().map_or(Quantity::Unknown, |unit| of.times(unit, &-Rational::ONE));
            }
            ("inverse", [table, value]) => {
                let Some(signature) = self.functions.get(&stated_name(table)).cloned() else {
                    return Quantity::Unknown;
                };
                let found = self.value(value);
                self.needs(value, &found, &signature.value, Why::Declared(function));
                return signature.arguments.first().map_or(Quantity::Unknown, |unit| Quantity::scalar(unit.clone()));
            }
            _ => {}
        }
        let values: Vec<Quantity> = arguments.iter().map(|argument| self.value(argument)).collect();
        match (Intrinsic::named(&name), values.as_slice(), arguments) {
            (Some(intrinsic), [first, ..], [_, ..]) => self.intrinsic(intrinsic, function, (first, &values), arguments),
            _ => Quantity::Unknown,
        }
    }

    fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        function: &'s Ident,
        (first, values): (&Quantity, &[Quantity]),
        arguments: &'s [Expr],
    ) -> Quantity {
        let whole = &arguments[0];
        match intrinsic {
            Intrinsic::Elementary(Function::Abs) => first.clone(),
            Intrinsic::Transpose => first.transposed(),
            Intrinsic::Elementary(Function::Sign) => Quantity::number(),
            Intrinsic::Elementary(_) | Intrinsic::SmoothStep => {
                self.needs(whole, first, &Linear::default(), Why::Number(function));
                Quantity::number()
            }
            Intrinsic::Dot => self.rate(first),
            Intrinsic::Sqrt => {
                let half = Rational::ONE / Rational::from(2);
                first.map(&mut |unit| unit.power(&half))
            }
            Intrinsic::Atan2 | Intrinsic::Modulo | Intrinsic::Hypot | Intrinsic::Extreme(_) => {
                for (value, argument) in values.iter().zip(arguments).skip(1) {
                    let sides = [(first, Side::Term(whole)), (value, Side::Term(argument))];
                    self.equate(sides, Why::Arguments(function));
                }
                match intrinsic {
                    Intrinsic::Atan2 => Quantity::number(),
                    _ => values.iter().find(|value| **value != Quantity::Unknown).cloned().unwrap_or(Quantity::Unknown),
                }
            }
            Intrinsic::Norm => {
                let entries = first.leaves().into_iter().cloned().collect();
                self.added(entries, whole)
            }
            Intrinsic::Norm2 => self.inner(first, first, whole),
            Intrinsic::Inner => {
                let other = values.get(1).cloned().unwrap_or(Quantity::Unknown);
                self.inner(first, &other, whole)
            }
            Intrinsic::Cross => self.cross(values, whole),
            Intrinsic::Rotation(rotation) => self.rotation(rotation, function, values, arguments),
        }
    }

    fn cross(&mut self, values: &[Quantity], whole: &'s Expr) -> Quantity {
        let [left, right] = values else { return Quantity::Unknown };
        if let (Quantity::Same(one, _), Quantity::Same(other, _)) = (left, right) {
            // Of plane vectors it is a scalar, but the length is not known here. A vector is divided by nothing, so that no use
            // of it is taken for another one.
            return Quantity::Same(one.times(other, &Rational::ONE), 1);
        }
        let length = [left, right].into_iter().find_map(|value| match value {
            Quantity::Each(elements) => Some(elements.len()),
            _ => None,
        });
        let entry = |value: &Quantity, index: usize, checker: &Self| {
            value.element(Some(index), &checker.equations).as_scalar().cloned()
        };
        let mut component = |one: usize, other: usize| {
            let terms = [(one, other), (other, one)].map(|(i, j)| {
                entry(left, i, self).zip(entry(right, j, self)).map(|(i, j)| i.times(&j, &Rational::ONE))
            });
            let terms: Option<Vec<Linear>> = terms.into_iter().collect();
            terms.map_or(Quantity::Unknown, |terms| self.added(terms, whole))
        };
        match length {
            Some(2) => component(0, 1),
            Some(3) => Quantity::Each(vec![component(1, 2), component(2, 0), component(0, 1)]),
            _ => Quantity::Unknown,
        }
    }

    fn rotation(
        &mut self,
        rotation: Rotation,
        function: &'s Ident,
        values: &[Quantity],
        arguments: &'s [Expr],
    ) -> Quantity {
        if let (Rotation::Energy, [mass, inertia, position, orientation], [_, inertia_term, position_term, turned]) =
            (rotation, values, arguments)
        {
            self.needs(turned, orientation, &Linear::default(), Why::Number(function));
            let length = self.added(position.leaves().into_iter().cloned().collect(), position_term);
            let (Some(mass), Some(length)) = (mass.as_scalar(), length.as_scalar()) else { return Quantity::Unknown };
            let moment = mass.times(length, &Rational::from(2));
            self.needs(inertia_term, inertia, &moment, Why::Inertia);
            return Quantity::scalar(moment.times(&self.time, &Rational::from(-2)));
        }
        for (value, argument) in values.iter().zip(arguments) {
            self.needs(argument, value, &Linear::default(), Why::Number(function));
        }
        match rotation {
            Rotation::About(_) | Rotation::Of => Quantity::Same(Linear::default(), 2),
            // In space, ω has three components.
            _ => self.rate(&Quantity::Same(Linear::default(), 1)),
        }
    }

    /// The unit of the lengths in a shape, which may be a name.
    fn length_of_shape(&mut self, shape: &'s Expr) -> Quantity {
        let length = self.value(shape);
        length.common().cloned().map_or(Quantity::Unknown, Quantity::scalar)
    }

    /// The unit of the lengths in `sphere(centre, radius, …)`, `plane(point, normal, …)`, `capsule(end, end, radius, …)` or `box(centre, half_sizes, …, radius)`.
    fn length_of_written(&mut self, function: &'s Ident, arguments: &'s [Expr]) -> Quantity {
        let values: Vec<Quantity> = arguments.iter().map(|argument| self.value(argument)).collect();
        // Where the lengths stand, and the orientation; a normal has any unit.
        let (lengths, orientation): (&[usize], usize) = match plain(function).as_str() {
            "plane" => (&[0], 2),
            "capsule" => (&[0, 1, 2], 3),
            "box" => (&[0, 1, 3], 2),
            _ => (&[0, 1], 2),
        };
        let Some(length) = values.first().and_then(Quantity::common).cloned() else { return Quantity::Unknown };
        for (place, (value, argument)) in values.iter().zip(arguments).enumerate() {
            if lengths.contains(&place) {
                self.needs(argument, value, &length, Why::Shape);
            } else if place == orientation {
                self.needs(argument, value, &Linear::default(), Why::Number(function));
            }
        }
        Quantity::scalar(length)
    }

    /// A derived quantity with names of coordinates as its indices.
    pub(super) fn derived(&mut self, name: &str, indices: &[&'s Expr]) -> Quantity {
        let mut units = Vec::new();
        for index in indices {
            let quantity = self.coordinate(index);
            match quantity.as_scalar() {
                Some(unit) => units.push(unit.clone()),
                None => return Quantity::Unknown,
            }
        }
        let energy = Quantity::scalar(self.energy.clone());
        let over = |quantity: &Quantity| {
            units.iter().fold(quantity.clone(), |quantity, unit| quantity.times(unit, &-Rational::ONE))
        };
        let time = |power: i32| Rational::from(power);
        match (name, units.as_slice()) {
            ("mass", [_, _]) => over(&energy.times(&self.time, &time(2))),
            ("momentum", [_]) => over(&energy.times(&self.time, &time(1))),
            ("forcing" | "balance", [_]) => over(&energy),
            ("acceleration", [unit]) => Quantity::scalar(unit.times(&self.time, &time(-2))),
            _ => Quantity::Unknown,
        }
    }

    /// The unit of the coordinate that an index names. States have equations of their own.
    fn coordinate(&mut self, index: &'s Expr) -> Quantity {
        let name = stated_name(index);
        let is_coordinate = self.spec.statements.iter().any(|statement| match &statement.kind {
            StatementKind::Coordinates(declared) => declared.iter().any(|declared| plain(&declared.name) == name),
            _ => false,
        });
        if is_coordinate { self.value(index) } else { Quantity::Unknown }
    }

    /// The units of the displacement that is conjugate to the multiplier of a constraint.
    pub(super) fn displacement_of(&self, row: &Row) -> Quantity {
        match row.kind {
            ConstraintKind::Holonomic => row.quantity.clone(),
            ConstraintKind::Nonholonomic => row.quantity.times(&self.time, &Rational::ONE),
        }
    }

    /// `multiplier(name)` and its relatives; `indices` stand behind the call.
    pub(super) fn derived_by_constraint(
        &mut self,
        function: &str,
        arguments: &'s [Expr],
        indices: &[&'s Expr],
    ) -> Option<Quantity> {
        if !matches!(
            function,
            "multiplier"
                | "reaction"
                | "momentum"
                | "constraint_jacobian"
                | "constraint_drift"
                | "constraint_curvature"
        ) {
            return None;
        }
        let [argument] = arguments else { return Some(Quantity::Unknown) };
        if function == "momentum" || function == "reaction" && !self.rows.contains_key(&stated_name(argument)) {
            let displacement = self.coordinate(argument);
            let per_time = displacement.times(&self.time, &-Rational::ONE);
            return Some(self.conjugate(if function == "momentum" { &per_time } else { &displacement }));
        }
        let Some(row) = self.rows.get(&stated_name(argument)).cloned() else { return Some(Quantity::Unknown) };
        let displacement = self.displacement_of(&row);
        let of_row = match function {
            "multiplier" => self.conjugate(&displacement),
            "constraint_drift" => self.rate(&displacement),
            "constraint_curvature" => self.rate(&self.rate(&displacement)),
            _ => {
                let [index] = indices else { return Some(Quantity::Unknown) };
                let coordinate = self.coordinate(index);
                let Some(unit) = coordinate.as_scalar() else { return Some(Quantity::Unknown) };
                return Some(match (function, displacement.as_scalar()) {
                    ("reaction", _) => self.conjugate(&coordinate),
                    (_, Some(displacement)) => Quantity::scalar(displacement.times(unit, &-Rational::ONE)),
                    _ => Quantity::Unknown,
                });
            }
        };
        let mut given = 0;
        let mut base = argument;
        while let ExprKind::Index { of, indices } = &base.kind {
            given += indices.len();
            base = of;
        }
        if given < row.rank {
            return Some(match of_row {
                Quantity::Same(unit, rank) if indices.is_empty() => Quantity::Same(unit, rank + row.rank - given),
                _ => Quantity::Unknown,
            });
        }
        let selected = indices.iter().fold(of_row, |quantity, index| {
            let index = self.known.whole(index).ok().and_then(|index| usize::try_from(index).ok());
            quantity.element(index, &self.equations)
        });
        Some(if given > row.rank { Quantity::Unknown } else { selected })
    }
}

/// The name that an expression consists of, indices left out.
fn stated_name(expr: &Expr) -> String {
    let mut base = expr;
    while let ExprKind::Index { of, .. } = &base.kind {
        base = of;
    }
    match &base.kind {
        ExprKind::Name(name) => plain(name),
        _ => String::new(),
    }
}

//! Smaller mechanisms, tried while the difference stays.

use super::tree::{Element, Energies, Expr, Force, Let, Mechanism, Vector};

/// The smallest mechanism found for which `fails` still holds.
pub(crate) fn shrink(mut mechanism: Mechanism, fails: impl Fn(&Mechanism) -> bool) -> Mechanism {
    while let Some(smaller) = candidates(&mechanism).into_iter().find(|candidate| fails(candidate)) {
        mechanism = smaller;
    }
    mechanism
}

/// The mechanism with one thing less, each larger loss before the smaller ones.
fn candidates(mechanism: &Mechanism) -> Vec<Mechanism> {
    let mut all = Vec::new();
    let changed = |change: &dyn Fn(&mut Mechanism)| {
        let mut copy = mechanism.clone();
        change(&mut copy);
        copy
    };
    for i in 0..mechanism.forces.len() {
        all.push(changed(&|m| drop(m.forces.remove(i))));
    }
    for list in 0..3 {
        for i in 0..terms(&mut mechanism.clone(), list).len() {
            all.push(changed(&|m| drop(terms(m, list).remove(i))));
        }
    }
    for i in 0..mechanism.lets.len() {
        if let Let::Scalar(value) = &mechanism.lets[i] {
            all.push(changed(&|m| replace_all(m, &Expr::Let(i), value)));
        }
        if let Let::Vector(Vector::Literal(entries)) = &mechanism.lets[i] {
            for (k, entry) in entries.iter().enumerate() {
                all.push(changed(&|m| replace_all(m, &Expr::Component(i, k), entry)));
            }
        }
    }
    if mechanism.lets.last().is_some_and(|_| !uses_let(mechanism, mechanism.lets.len() - 1)) {
        all.push(changed(&|m| drop(m.lets.pop())));
    }
    for i in 0..mechanism.coordinates {
        all.push(changed(&|m| replace_all(m, &Expr::Velocity(i), &Expr::Number(1, 2))));
        all.push(changed(&|m| replace_all(m, &Expr::Coordinate(i), &Expr::Number(3, 2))));
    }
    if mechanism.arrays && !mechanism.to_string().contains("q[i") {
        all.push(changed(&|m| m.arrays = false));
    }
    let last = mechanism.coordinates - 1;
    if last > 0 && !uses(mechanism, &Expr::Coordinate(last)) && !uses(mechanism, &Expr::Velocity(last)) {
        all.push(changed(&|m| m.coordinates -= 1));
    }
    for i in 0..mechanism.parameters {
        all.push(changed(&|m| replace_all(m, &Expr::Parameter(i), &Expr::Number(3, 2))));
    }
    for position in 0..positions(mechanism) {
        let replaced = at(mechanism, position);
        for simpler in simpler(&replaced) {
            all.push(changed(&|m| replace_at(m, position, &simpler)));
        }
    }
    all.retain(|candidate| candidate != mechanism);
    all
}

/// L or T, V, D.
fn terms(mechanism: &mut Mechanism, list: usize) -> &mut Vec<Expr> {
    match (&mut mechanism.energies, list) {
        (Energies::Lagrangian(terms) | Energies::Apart(terms, _), 0) => terms,
        (Energies::Apart(_, potential), 1) => potential,
        _ => &mut mechanism.dissipation,
    }
}

/// What may stand instead of an expression: its parts, and numbers.
fn simpler(expr: &Expr) -> Vec<Expr> {
    let mut all = Vec::new();
    expr.clone().parts(&mut |part| all.push(part.clone()));
    match expr {
        Expr::Number(1, 1) => {}
        Expr::Number(..) => all.push(Expr::Number(1, 1)),
        Expr::Power(base, ..) => all.push(Expr::Power(base.clone(), 2, 1)),
        _ => all.push(Expr::Number(1, 1)),
    }
    if matches!(expr, Expr::Integral(_)) {
        // Its variable means nothing outside.
        all.retain(|simpler| !simpler.contains(&Expr::Dummy));
    }
    if let Expr::Sum(term) = expr {
        // Elements mean nothing outside.
        all.retain(|simpler| simpler != &**term);
        all.push(term.picked(0));
    }
    all.retain(|simpler| simpler != expr);
    all
}

fn uses(mechanism: &Mechanism, wanted: &Expr) -> bool {
    let mut found = false;
    mechanism.visit(&mut |expr| found |= expr == wanted);
    found
}

fn uses_let(mechanism: &Mechanism, i: usize) -> bool {
    mechanism.to_string().matches(&format!("let{i}")).count() > 1
}

fn replace_all(mechanism: &mut Mechanism, old: &Expr, new: &Expr) {
    mechanism.visit_mut(&mut |expr| {
        if expr == old {
            *expr = new.clone();
        }
    });
}

fn positions(mechanism: &Mechanism) -> usize {
    let mut count = 0;
    mechanism.visit(&mut |_| count += 1);
    count
}

fn at(mechanism: &Mechanism, position: usize) -> Expr {
    let (mut count, mut found) = (0, Expr::Pi);
    mechanism.visit(&mut |expr| {
        if count == position {
            found = expr.clone();
        }
        count += 1;
    });
    found
}

fn replace_at(mechanism: &mut Mechanism, position: usize, new: &Expr) {
    let mut count = 0;
    mechanism.visit_mut(&mut |expr| {
        if count == position {
            *expr = new.clone();
        }
        count += 1;
    });
}

impl Expr {
    /// Its direct parts.
    fn parts(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Self::Add(a, b)
            | Self::Subtract(a, b)
            | Self::Multiply(a, b)
            | Self::Divide(a, b)
            | Self::PowerOf(a, b) => {
                visit(a);
                visit(b);
            }
            Self::Negate(a) | Self::Power(a, ..) | Self::Dot(a) | Self::Sum(a) => visit(a),
            Self::Call(_, arguments) => arguments.iter_mut().for_each(visit),
            Self::OfVectors(_, vectors) => vectors.iter_mut().for_each(|vector| vector.parts(visit)),
            Self::If(parts) => parts.iter_mut().for_each(visit),
            Self::Integral(parts) => parts.iter_mut().for_each(visit),
            _ => {}
        }
    }

    /// A term with its elements picked by an index.
    pub(crate) fn picked(&self, index: usize) -> Self {
        let mut term = self.clone();
        term.visit_mut(&mut |part| {
            *part = match part {
                Self::Element(Element::Coordinate) => Self::Coordinate(index),
                Self::Element(Element::Velocity) => Self::Velocity(index),
                Self::Element(Element::Parameter) => Self::Parameter(index),
                _ => return,
            }
        });
        term
    }

    /// A term that has elements instead of the coordinate, velocity and parameter of an index.
    pub(crate) fn template(mut self, index: usize) -> Self {
        self.visit_mut(&mut |part| {
            *part = match part {
                Self::Coordinate(i) if *i == index => Self::Element(Element::Coordinate),
                Self::Velocity(i) if *i == index => Self::Element(Element::Velocity),
                Self::Parameter(i) if *i == index => Self::Element(Element::Parameter),
                _ => return,
            }
        });
        self
    }

    /// This and everything in it, the outer before the inner.
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        visit(self);
        self.parts(&mut |part| part.visit_mut(visit));
    }

    fn contains(&self, wanted: &Self) -> bool {
        let mut found = false;
        self.visit(&mut |expr| found |= expr == wanted);
        found
    }

    /// The same without change.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Expr)) {
        self.clone().visit_mut(&mut |expr| visit(expr));
    }
}

impl Vector {
    fn parts(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Self::Literal(entries) => entries.iter_mut().for_each(visit),
            Self::Let(_) => {}
            Self::Add(a, b) => {
                a.parts(visit);
                b.parts(visit);
            }
            Self::Scale(factor, a) => {
                visit(factor);
                a.parts(visit);
            }
            Self::Dot(a) => a.parts(visit),
            Self::Rows(rows, a) => {
                rows.iter_mut().flatten().for_each(&mut *visit);
                a.parts(visit);
            }
        }
    }
}

impl Let {
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Self::Scalar(value) => value.visit_mut(visit),
            Self::Vector(value) => value.parts(&mut |part| part.visit_mut(visit)),
        }
    }

    /// Every expression in it.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Expr)) {
        self.clone().visit_mut(&mut |expr| visit(expr));
    }
}

impl Mechanism {
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        for value in &mut self.lets {
            value.visit_mut(visit);
        }
        let every = &mut |expr: &mut Expr| expr.visit_mut(visit);
        match &mut self.energies {
            Energies::Lagrangian(terms) => terms.iter_mut().for_each(&mut *every),
            Energies::Apart(kinetic, potential) => kinetic.iter_mut().chain(potential).for_each(&mut *every),
        }
        self.dissipation.iter_mut().for_each(&mut *every);
        for force in &mut self.forces {
            match force {
                Force::Scalar(left, right) => {
                    every(left);
                    every(right);
                }
                Force::Vector(left, right) => {
                    left.parts(every);
                    right.parts(every);
                }
                Force::Each(right) => every(right),
            }
        }
    }

    fn visit(&self, visit: &mut dyn FnMut(&Expr)) {
        self.clone().visit_mut(&mut |expr| visit(expr));
    }

    /// Whether it takes rates, and has functions with kinks.
    pub(crate) fn has_rate_of_kink(&self) -> bool {
        let text = self.to_string();
        let kinks = ["abs(", "min(", "max(", "norm(", "hypot(", "if ", "sqrt("];
        text.contains("dot(") && kinks.iter().any(|kink| text.contains(kink))
    }
}

//! `lagrange show MODEL`.

use super::simulate::rows;
use super::{Failure, output};
use crate::catalog::{Catalog, Feedback, Model, unit_of, with_unit};
use clap::ValueEnum;
use lagrange_runtime::error::Number;
use lagrange_runtime::system::FoundSymmetry;

/// The form of the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text and LaTeX
    Both,
    /// Plain text
    Text,
    /// LaTeX
    Latex,
}

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The mechanism, as `list` names it
    model: String,
    /// The form of the equations
    #[arg(long, value_enum, default_value_t = Format::Both)]
    format: Format,
    /// Count the operations of each evaluation instead, such as the acceleration; needs the feature `export`
    #[arg(long, conflicts_with = "format")]
    operations: bool,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let model = catalog.find(&arguments.model)?;
    if arguments.operations {
        return output::print(&super::export::operations(model)?);
    }
    let text = match arguments.format {
        Format::Text => as_text(model),
        Format::Latex => with_end(model.stated_latex()) + &with_end(model.equations_latex()),
        Format::Both => format!(
            "{}: {}\n{}{}{}{}\n{}\n{}\n{}\n{}",
            model.name(),
            model.summary(),
            proved(model),
            cut(model),
            units(model),
            ranges(model),
            with_end(model.stated_text()),
            with_end(model.equations_text()),
            with_end(model.stated_latex()),
            with_end(model.equations_latex())
        ),
    };
    output::print(&text)
}

/// What the derivation proved, in a line.
fn proved(model: &dyn Model) -> String {
    let list = facts(model);
    if list.is_empty() { String::new() } else { format!("Proved: it {}.\n", list.join("; it ")) }
}

/// The statements, and below an empty line the derived equations.
fn as_text(model: &dyn Model) -> String {
    with_end(model.stated_text()) + "\n" + &with_end(model.equations_text())
}

/// Whether symmetries may exist that were not looked for, in a line.
fn cut(model: &dyn Model) -> &'static str {
    match model.symmetry_search_is_cut() {
        true => {
            "The search for symmetries that the block does not state was given up: the mechanism is too large for it.\n"
        }
        false => "",
    }
}

/// The units of all quantities that are known, in a line.
fn units(model: &dyn Model) -> String {
    let mut names: Vec<String> = rows::columns(model, &Feedback::default()).numbers;
    names.extend(model.parameters().iter().map(|parameter| parameter.name.to_owned()));
    let known = names.iter().map(|name| (name, unit_of(model, name))).filter(|(_, unit)| !unit.is_empty());
    let known: Vec<String> = known.map(|(name, unit)| format!("{name} {unit}")).collect();
    if known.is_empty() { String::new() } else { format!("Units: {}.\n", known.join(", ")) }
}

/// The nominal ranges, in a line.
fn ranges(model: &dyn Model) -> String {
    let written = |(name, [low, high]): &(&str, [f64; 2])| {
        format!("{name} {}", with_unit(format!("{}..{}", Number(*low), Number(*high)), unit_of(model, name)))
    };
    let ranges: Vec<String> = model.ranges().iter().map(written).collect();
    if ranges.is_empty() { String::new() } else { format!("Nominal ranges: {}.\n", ranges.join(", ")) }
}

/// Returns the proved facts, each as a clause without its subject, the mechanism.
pub(super) fn facts(model: &dyn Model) -> Vec<String> {
    let facts = model.facts();
    let mut list: Vec<String> = [
        (facts.autonomous, "does not depend on time"),
        (facts.conservative, "conserves its energy"),
        (facts.constant_mass, "has a constant mass matrix"),
        (facts.separable, "is separable, L = T(v) − V(q)"),
        (facts.velocity_free_acceleration, "has accelerations that do not depend on velocities"),
    ]
    .into_iter()
    .filter(|(holds, _)| *holds)
    .map(|(_, text)| text.to_owned())
    .collect();
    let light = model.without_inertia();
    if !light.is_empty() {
        let names = light.join(", ");
        list.push(format!("has no inertia in {names}: their rates follow from their equations"));
    }
    list.extend(model.symmetries().iter().map(|symmetry| match symmetry.changed_by {
        [] => format!("has the symmetry {} and conserves its momentum", symmetry.name),
        parts => format!("has the symmetry {}, whose momentum changes by {} alone", symmetry.name, parts.join(", ")),
    }));
    list.extend(model.found_symmetries().iter().map(|FoundSymmetry { change, momentum, changed_by, .. }| {
        let fate = match changed_by {
            [] => format!("conserves {momentum}"),
            parts => format!("changes {momentum} by {} alone", parts.join(", ")),
        };
        format!("has the symmetry {change}, which the block does not state, and {fate}")
    }));
    list.extend(facts.cyclic.iter().map(|name| format!("has an L that does not depend on {name}")));
    list
}

fn with_end(text: &str) -> String {
    format!("{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Entry;
    use lagrange_runtime::prelude::*;

    /// Two masses on a line, one of which a damper holds.
    #[lagrangian {
        coordinates x, y;
        kinetic = (dot(x)^2 + dot(y)^2)/2;
        potential = (y - x)^2/2;
        dissipation = c*dot(y)^2/2;
        symmetry shift: [1, 1];
        symmetry turn: [0, 0];
    }]
    #[derive(Clone, Debug)]
    struct Pair {
        c: f64,
    }

    /// A mass on a rod.
    #[lagrangian {
        coordinates x: m, y: m in -2.5..1;
        kinetic = m*(dot(x)^2 + dot(y)^2)/2;
        potential = m*g*y;
        constraint rod: hypot(x, y) == l;
        output slope = y/x;
    }]
    #[derive(Clone, Debug)]
    struct Rod {
        #[unit(kg)]
        #[range(1e-4..1e3)]
        m: f64,
        #[unit(m)]
        l: f64,
        g: f64,
    }

    #[test]
    fn units_are_shown_with_those_that_follow() {
        let rod = || Rod { m: 1.0, l: 1.0, g: 9.81 };
        let entry = Entry::constrained("rod", rod, || State::new(0.0, [1.0, 0.0], [0.0; 2]));
        let expected = "Units: t s, x m, y m, x_dot m/s, y_dot m/s, kinetic J, potential J, energy J, slope 1, multiplier(rod) N, m kg, l m, \
                        g m/s².\n";
        assert_eq!(units(&entry), expected);
        assert_eq!(ranges(&entry), "Nominal ranges: m 0.0001..1000 kg, y -2.5..1 m.\n");
        let without = Entry::free("pair", || Pair { c: 1.0 }, || State::new(0.0, [0.0; 2], [0.0; 2]));
        assert_eq!((units(&without), ranges(&without)), (String::new(), String::new()));
    }

    /// More coordinates than those among which symmetries are looked for.
    #[lagrangian {
        coordinates x[7];
        kinetic = norm2(dot(x))/2;
        potential = w^2*norm2(x)/2;
    }]
    #[derive(Clone, Debug)]
    struct Many {
        w: f64,
    }

    #[test]
    fn statements_stand_above_equations() {
        let entry = Entry::free("pair", || Pair { c: 1.0 }, || State::new(0.0, [0.0; 2], [0.0; 2]));
        let text = as_text(&entry);
        let (stated, derived) = text.split_once("\n\n").expect("there is an empty line");
        assert!(stated.starts_with("coordinates x, y;\nkinetic = (dot(x)^2 + dot(y)^2)/2;\n"), "{stated}");
        assert!(derived.starts_with("mass[x, x] = 1\n"), "{derived}");
    }

    #[test]
    fn a_search_that_is_given_up_is_said() {
        let many = Entry::free("many", || Many { w: 1.0 }, || State::new(0.0, [0.0; 7], [0.0; 7]));
        assert!(cut(&many).starts_with("The search for symmetries"), "{}", cut(&many));
        let pair = Entry::free("pair", || Pair { c: 1.0 }, || State::new(0.0, [0.0; 2], [0.0; 2]));
        assert_eq!(cut(&pair), "");
    }

    #[test]
    fn symmetries_are_shown_with_what_changes_their_momenta() {
        let entry = Entry::free("pair", || Pair { c: 1.0 }, || State::new(0.0, [0.0; 2], [0.0; 2]));
        let found = facts(&entry);
        let has = |text: &str| assert!(found.iter().any(|fact| fact == text), "{found:?}");
        has("has the symmetry shift, whose momentum changes by dissipation alone");
        has("has the symmetry turn and conserves its momentum");
        assert_eq!(entry.outputs(), ["shift", "turn"], "the momenta are outputs");
    }

    #[test]
    fn symmetries_that_are_not_stated_are_shown() {
        let entry = Entry::free("pair", || Pair { c: 1.0 }, || State::new(0.0, [0.0; 2], [0.0; 2]));
        let found = facts(&entry);
        let text = "has the symmetry [t, t], which the block does not state, and changes t*(dot(x) + dot(y)) - x - y by dissipation alone";
        assert!(found.iter().any(|fact| fact == text), "{found:?}");
    }
}

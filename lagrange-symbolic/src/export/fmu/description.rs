//! `modelDescription.xml` and `buildDescription.xml`.

use super::super::Writer;
use super::super::rows::rows;
use super::variable::{Role, Variable, Variables};
use crate::units::Coherent;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The relative tolerance of an importing tool that states none.
pub(super) const TOLERANCE: &str = "1e-9";

/// The description of the build: the sources, and the mathematical library.
pub(super) fn build(stem: &str, compiled: &[&str]) -> String {
    let files: String =
        compiled.iter().map(|name| format!("      <SourceFile name=\"{}\"/>\n", escaped(name))).collect();
    format!(
        "{HEAD}<fmiBuildDescription fmiVersion=\"3.0\">\n  <BuildConfiguration modelIdentifier=\"{}\">\n    <SourceFileSet \
         language=\"C99\">\n{files}    </SourceFileSet>\n    <Library name=\"m\" external=\"true\" \
         description=\"The mathematical library of C\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n",
        escaped(stem)
    )
}

/// The description with this token, which says whether there are directional derivatives.
pub(super) fn description(
    writer: &Writer<'_>,
    variables: &Variables,
    (token, has_derivatives): (&str, bool),
) -> String {
    let stem = escaped(&writer.names.stem);
    let mut text = format!(
        "{HEAD}<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{}\" instantiationToken=\"{token}\" description=\"{}\" \
         generationTool=\"lagrange {}\" variableNamingConvention=\"{}\">\n",
        escaped(&writer.derivation.model.item.ident.to_string()),
        escaped(&writer.texts.summary),
        env!("CARGO_PKG_VERSION"),
        if variables.is_structured { "structured" } else { "flat" }
    );
    let common = format!(
        "modelIdentifier=\"{stem}\" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" \
         providesDirectionalDerivatives=\"{has_derivatives}\""
    );
    let looks_at_steps =
        writer.contents.c > 0 || !writer.changed_modes().is_empty() || variables.of(Role::Phase).next().is_some();
    _ = writeln!(text, "  <ModelExchange {common} needsCompletedIntegratorStep=\"{looks_at_steps}\"/>");
    _ = writeln!(
        text,
        "  <CoSimulation {common} canHandleVariableCommunicationStepSize=\"true\" hasEventMode=\"true\"/>"
    );
    text.push_str(&units(variables));
    text.push_str(
        "  <LogCategories>\n    <Category name=\"logStatusError\" description=\"What failed, with the time and the state\"/>\n  \
         </LogCategories>\n",
    );
    _ = writeln!(text, "  <DefaultExperiment startTime=\"0\" tolerance=\"{TOLERANCE}\"/>");
    text.push_str("  <ModelVariables>\n");
    for (reference, variable) in variables.all.iter().enumerate() {
        text.push_str(&element(reference, variable));
    }
    text.push_str("  </ModelVariables>\n");
    text.push_str(&structure(variables));
    text.push_str("</fmiModelDescription>\n");
    text
}

/// Whether the derivatives of the accelerations are exported, from which all directional derivatives follow where constraints are independent.
/// The derivatives of the accelerations under contacts and sticking friction depend on the phases, and are not exported.
pub(super) fn has_jacobian(writer: &Writer<'_>) -> bool {
    rows(writer.derivation).is_empty()
        && writer.contents.evaluations.iter().any(|(exported, _)| exported.name == "acceleration_jacobian")
}

/// The units of all variables, each once.
fn units(variables: &Variables) -> String {
    let texts: BTreeSet<&str> =
        variables.all.iter().map(|variable| &variable.unit[..]).filter(|unit| !unit.is_empty()).collect();
    if texts.is_empty() {
        return String::new();
    }
    let mut text = "  <UnitDefinitions>\n".to_owned();
    for unit in texts {
        let name = escaped(unit);
        // FMI has whole exponents only.
        let whole = Coherent::of(unit).filter(|unit| unit.exponents.iter().all(|exponent| exponent.fract() == 0.0));
        let Some(whole) = whole else {
            _ = writeln!(text, "    <Unit name=\"{name}\"/>");
            continue;
        };
        let bases = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"].iter().zip(whole.exponents);
        let mut attributes: String = bases
            .filter(|(_, exponent)| *exponent != 0.0)
            .map(|(base, exponent)| format!(" {base}=\"{exponent}\""))
            .collect();
        if whole.factor != 1.0 {
            _ = write!(attributes, " factor=\"{:?}\"", whole.factor);
        }
        _ = writeln!(text, "    <Unit name=\"{name}\"><BaseUnit{attributes}/></Unit>");
    }
    text.push_str("  </UnitDefinitions>\n");
    text
}

fn element(reference: usize, variable: &Variable) -> String {
    let kind = match variable.role {
        Role::Time => "causality=\"independent\" variability=\"continuous\"",
        Role::Parameter => "causality=\"parameter\" variability=\"tunable\" initial=\"exact\"",
        Role::Input => "causality=\"input\" variability=\"continuous\"",
        Role::State => "causality=\"output\" variability=\"continuous\" initial=\"exact\"",
        Role::Output => "causality=\"output\" variability=\"continuous\" initial=\"calculated\"",
        Role::Phase => "causality=\"local\" variability=\"discrete\" initial=\"calculated\"",
        Role::Rate | Role::Energy | Role::Multiplier | Role::Switch => {
            "causality=\"local\" variability=\"continuous\" initial=\"calculated\""
        }
    };
    let mut text = format!("    <Float64 name=\"{}\" valueReference=\"{reference}\" {kind}", escaped(&variable.name));
    if !variable.description.is_empty() {
        _ = write!(text, " description=\"{}\"", escaped(&variable.description));
    }
    if !variable.unit.is_empty() {
        _ = write!(text, " unit=\"{}\"", escaped(&variable.unit));
    }
    if let Some(start) = variable.start {
        _ = write!(text, " start=\"{start:?}\"");
    }
    if let Some(nominal) = variable.nominal() {
        _ = write!(text, " nominal=\"{nominal:?}\"");
    }
    if let Some(of) = variable.derivative_of {
        _ = write!(text, " derivative=\"{of}\"");
    }
    text.push_str("/>\n");
    text
}

/// Which variables are outputs, derivatives of states and event indicators, and on what they depend.
fn structure(variables: &Variables) -> String {
    let mut text = "  <ModelStructure>\n".to_owned();
    let mut line = |name: &str, reference: usize, depends_on: Option<&[usize]>| {
        let depends_on = depends_on.map_or_else(String::new, |list| {
            let list: Vec<String> = list.iter().map(usize::to_string).collect();
            format!(" dependencies=\"{}\"", list.join(" "))
        });
        _ = writeln!(text, "    <{name} valueReference=\"{reference}\"{depends_on}/>");
    };
    for reference in variables.of(Role::State) {
        line("Output", reference, Some(&[reference]));
    }
    for reference in variables.of(Role::Output) {
        line("Output", reference, variables.all[reference].depends_on.as_deref());
    }
    for &reference in &variables.derivatives {
        let is_state = variables.all[reference].role == Role::State;
        line("ContinuousStateDerivative", reference, is_state.then_some(&[reference]));
    }
    for reference in variables.of(Role::Output) {
        line("InitialUnknown", reference, None);
    }
    for reference in variables.of(Role::Rate) {
        line("InitialUnknown", reference, None);
    }
    for reference in variables.of(Role::Switch) {
        line("EventIndicator", reference, None);
    }
    text.push_str("  </ModelStructure>\n");
    text
}

/// A text in an attribute in quotes. What XML forbids becomes a space.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            sign if sign.is_control() => escaped.push(' '),
            sign => escaped.push(sign),
        }
    }
    escaped
}

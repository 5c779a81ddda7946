//! What a page shows of a mechanism beside its motion: the names of its quantities, its equations and its facts.

use crate::derivation::{Conserved, Derivation};
use crate::mechanics::Facts;
use crate::texts::Texts;

/// A parameter or an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name; `l[2]` for an element of an array.
    pub name: String,
    /// Its unit, which is empty where units are not stated.
    pub unit: String,
}

/// The names of a mechanism's quantities, its equations and its facts.
#[derive(Clone, Debug)]
pub struct About {
    /// The first paragraph of the struct's doc comment.
    pub summary: String,
    /// The coordinates.
    pub coordinates: Vec<String>,
    /// The states, which stand behind the coordinates.
    pub states: Vec<String>,
    /// The rows of the constraints.
    pub constraints: Vec<String>,
    /// The components of the outputs: `tip[0]`.
    pub outputs: Vec<String>,
    /// The parameters, in the order of the struct.
    pub parameters: Vec<Named>,
    /// The inputs, in the order of the struct.
    pub inputs: Vec<Named>,
    /// The nominal ranges of parameters, inputs and coordinates by their names, as far as they are stated.
    pub ranges: Vec<(String, [f64; 2])>,
    /// The unit of times, and that of energies; empty where units are not stated.
    pub units: [String; 2],
    /// The derived equations as LaTeX.
    pub latex: String,
    /// The facts that the derivation proved.
    pub facts: Facts,
    /// The claimed constants of the motion, and the momenta of symmetries that nothing changes, and whether each was proved; otherwise it was
    /// checked at many states.
    pub invariants: Vec<(String, bool)>,
}

impl About {
    pub(super) fn new(derivation: &Derivation, texts: &Texts) -> Self {
        let Derivation { model, equations, invariants, symmetries, units, .. } = derivation;
        let conserved = symmetries.iter().filter(|symmetry| symmetry.changed_by.is_empty());
        let conserved = conserved.map(|symmetry| (&symmetry.name, symmetry.how));
        let names = |list: &[crate::meaning::Named]| list.iter().map(|named| named.name.clone()).collect::<Vec<_>>();
        let readable = |name: &str| if units.of(name).is_empty() { String::new() } else { units.readable(name) };
        let rows = |list: &[crate::meaning::Named]| {
            list.iter().map(|named| Named { name: named.name.clone(), unit: readable(&named.name) }).collect()
        };
        let coordinates = names(&model.coordinates);
        let (own, states) = coordinates.split_at(model.mechanical());
        Self {
            summary: texts.summary.clone(),
            coordinates: own.to_vec(),
            states: states.to_vec(),
            constraints: model.physics.rows().map(|row| row.name.clone()).collect(),
            outputs: model.physics.outputs.iter().map(|output| output.name.clone()).collect(),
            parameters: rows(&model.parameters),
            inputs: rows(&model.inputs),
            ranges: model.ranges().map(|(name, range)| (name.to_owned(), range)).collect(),
            units: [units.time.clone(), units.energy.clone()].map(|unit| crate::units::readable(&unit)),
            latex: texts.latex.clone(),
            facts: equations.facts.clone(),
            invariants: invariants
                .iter()
                .map(|(name, how)| (name, *how))
                .chain(conserved)
                .map(|(name, how)| (name.clone(), how == Conserved::Proved))
                .collect(),
        }
    }
}

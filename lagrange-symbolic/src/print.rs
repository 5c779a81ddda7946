//! Expressions for readers: text in the language's own syntax, LaTeX, and lines of documentation.
//!
//! The printed text does not grow faster than the graph. Where an expression would be longer than a stated number of
//! characters, its shared parts get names and are written once. Quantities that the user named keep their names.

mod arrange;
pub(crate) mod formula;
mod keep;
mod latex;
mod mathml;
mod name;
mod render;
mod share;
mod style;
mod text;
mod tidy;
mod written;

use crate::graph::{Graph, Id, Symbol};
use latex::Latex;
use render::Printed;
use std::collections::BTreeMap;
use style::Style;
use text::Text;

pub use keep::{Kept, kept};
pub use mathml::mathml;
pub use tidy::tidied;
pub use written::written;

/// The length in characters above which shared parts of a printed expression get names.
pub const LONGEST: usize = 240;

/// The names that a model's symbols are printed with.
pub trait Names {
    /// The name as the user writes it, such as `theta1` or `r[2][0]`.
    ///
    /// It is called for coordinates, parameters, inputs, multipliers and dummies only. Velocities and accelerations
    /// print as derivatives of their coordinate, and the time as `t`.
    fn symbol(&self, symbol: Symbol) -> String;

    /// The LaTeX that is stated for a parameter or an input. `None` prints its name.
    fn given(&self, symbol: Symbol) -> Option<&Given> {
        let _ = symbol;
        None
    }

    /// The name of the state that is the velocity of this hidden coordinate. `None` for other coordinates.
    fn state(&self, index: u32) -> Option<String> {
        let _ = index;
        None
    }

    /// The name of a function of the user's own.
    fn function(&self, index: u32) -> String;

    /// The name of a table.
    fn table(&self, index: u32) -> String;

    /// The name of a number of the solution of a system of equations.
    fn solution(&self, index: u32, part: u32) -> String {
        format!("solution{}_{}", index + 1, part + 1)
    }
}

/// The LaTeX that is stated for a field.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// What stands for the field.
    pub latex: String,
    /// Its subscripts: the names of the parts that have the field, and the indices of an element of an array.
    pub subscripts: Vec<String>,
}

impl Given {
    /// The stated LaTeX for a field of this name, which may be an element of an array and a field of a part: `link[2].m[1]`.
    pub fn new(latex: String, name: &str) -> Self {
        Self { latex, subscripts: name::subscripts(name) }
    }
}

/// Names in plain lists. A symbol without a name in its list is printed by its kind and number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Naming {
    /// Names of the coordinates, and then of the states.
    pub coordinates: Vec<String>,
    /// How many states there are.
    pub states: usize,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Parameters and inputs that have their own LaTeX.
    pub symbols: Vec<(Symbol, Given)>,
    /// Names of the multipliers.
    pub multipliers: Vec<String>,
    /// Names of the user's own functions.
    pub functions: Vec<String>,
    /// Names of the tables.
    pub tables: Vec<String>,
    /// Names of the numbers of solutions, by the index of the system of equations.
    pub solutions: Vec<Vec<String>>,
    /// Names of the auxiliary symbols that stand for quantities of the user's, by the index of the symbol.
    pub quantities: BTreeMap<u32, String>,
}

impl Names for Naming {
    fn symbol(&self, symbol: Symbol) -> String {
        let (names, kind, index) = match symbol {
            Symbol::Coordinate(i) | Symbol::Velocity(i) | Symbol::Acceleration(i) => (&self.coordinates, "q", i),
            Symbol::Parameter(i) => (&self.parameters, "parameter", i),
            Symbol::Input(i) => (&self.inputs, "input", i),
            Symbol::Multiplier(i) => (&self.multipliers, "lambda", i),
            Symbol::Force(i) => return format!("force{}", i + 1),
            Symbol::Dummy(i) => return self.quantities.get(&i).cloned().unwrap_or_else(|| format!("x{}", i + 1)),
            Symbol::Time => return "t".to_string(),
        };
        names.get(index as usize).cloned().unwrap_or_else(|| format!("{kind}{}", index + 1))
    }

    fn given(&self, symbol: Symbol) -> Option<&Given> {
        self.symbols.iter().find(|(known, _)| *known == symbol).map(|(_, given)| given)
    }

    fn state(&self, index: u32) -> Option<String> {
        let index = index as usize;
        let is_state = index + self.states >= self.coordinates.len();
        is_state.then(|| self.coordinates.get(index).cloned()).flatten()
    }

    fn function(&self, index: u32) -> String {
        self.functions.get(index as usize).cloned().unwrap_or_else(|| format!("extern{}", index + 1))
    }

    fn table(&self, index: u32) -> String {
        self.tables.get(index as usize).cloned().unwrap_or_else(|| format!("table{}", index + 1))
    }

    fn solution(&self, index: u32, part: u32) -> String {
        let name = self.solutions.get(index as usize).and_then(|names| names.get(part as usize));
        name.cloned().unwrap_or_else(|| format!("solution{}_{}", index + 1, part + 1))
    }
}

/// A printed line: a name or other left side, and the expression it equals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equation {
    /// The left side as text, such as `mass[theta1, theta2]`.
    pub left: String,
    /// The left side in LaTeX.
    pub left_latex: String,
    /// The right side.
    pub right: Id,
}

impl Equation {
    /// An equation whose left side is a name, possibly with indices. A derived quantity gets its usual letter.
    pub fn new(left: &str, right: Id) -> Self {
        Self { left: left.to_string(), left_latex: name::quantity(left), right }
    }

    /// The definition of a quantity of the user's, whose name stays in LaTeX too.
    pub fn definition(name: &str, value: Id) -> Self {
        Self { left: name.to_string(), left_latex: name::symbol(name), right: value }
    }
}

/// One expression as text. The definitions of its named parts, if any, follow after `where`.
pub fn text(graph: &Graph, expression: Id, names: &dyn Names) -> String {
    let printed = Printed::new(graph, &[expression], &Text { names }, LONGEST);
    let mut text = printed.roots.concat();
    for (position, (name, value)) in printed.shared.iter().enumerate() {
        text += if position == 0 { " where " } else { ", " };
        text += &format!("{name} = {value}");
    }
    text
}

/// One expression in LaTeX (mathematical mode). The definitions of its named parts, if any, follow after "where".
pub fn latex(graph: &Graph, expression: Id, names: &dyn Names) -> String {
    let printed = Printed::new(graph, &[expression], &Latex { names }, LONGEST);
    let mut text = printed.roots.concat();
    for (position, (name, value)) in printed.shared.iter().enumerate() {
        text += if position == 0 { r" \quad\text{where}\quad " } else { r",\; " };
        text += &format!("{name} = {value}");
    }
    text
}

/// Equations to print, with the names for what stands in them.
#[derive(Clone, Copy)]
pub struct Equations<'a> {
    /// The graph of the right sides.
    pub graph: &'a Graph,
    /// The equations in their order.
    pub list: &'a [Equation],
    /// Definitions of quantities in them, which stand below.
    pub definitions: &'a [Equation],
    /// The names of symbols and functions.
    pub names: &'a dyn Names,
    /// Shared parts get names only if the equations would otherwise be longer than this many characters.
    pub longest: usize,
}

impl Equations<'_> {
    /// Lines of text. The definitions follow below a line `where`.
    pub fn text_lines(&self) -> Vec<String> {
        let (own, definitions) = self.lines(&Text { names: self.names }, |equation| &equation.left, " = ");
        let separator = (!definitions.is_empty()).then(|| "where".to_owned());
        own.into_iter().chain(separator).chain(definitions).collect()
    }

    /// One aligned block of LaTeX (`aligned`, for mathematical mode). The definitions follow below "where".
    pub fn latex(&self) -> String {
        let (own, definitions) = self.lines(&Latex { names: self.names }, |equation| &equation.left_latex, " &= ");
        let separator = (!definitions.is_empty()).then(|| "\\text{where}".to_owned());
        let lines = own.into_iter().chain(separator).chain(definitions);
        let lines: Vec<String> = lines.map(|line| format!("  {line}")).collect();
        format!("\\begin{{aligned}}\n{}\n\\end{{aligned}}", lines.join(" \\\\\n"))
    }

    /// The equations, and the definitions, those of shared parts before the stated ones.
    fn lines(&self, style: &dyn Style, left: fn(&Equation) -> &str, equals: &str) -> (Vec<String>, Vec<String>) {
        let all = || self.list.iter().chain(self.definitions);
        let roots: Vec<Id> = all().map(|equation| equation.right).collect();
        let printed = Printed::new(self.graph, &roots, style, self.longest);
        let written = all().zip(&printed.roots).map(|(equation, right)| format!("{}{equals}{right}", left(equation)));
        let mut own: Vec<String> = written.collect();
        let stated = own.split_off(self.list.len());
        let shared = printed.shared.iter().map(|(name, value)| format!("{name}{equals}{value}"));
        (own, shared.chain(stated).collect())
    }
}

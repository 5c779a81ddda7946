//! The contents of a module: a class for each mechanism of a catalogue.

use crate::arguments::KEYWORDS;
use crate::equilibrium::Equilibrium;
use crate::error::Failure;
use crate::event::Event;
use crate::fit::Fit;
use crate::linearization::Linearization;
use crate::mechanism::{MODEL, Mechanism, ModelOf};
use crate::solution::Solution;
use crate::stubs::{Argument, arguments, class_name, sentence, stubs};
use crate::sweep::Sweep;
use lagrange_cli::Catalog;
use lagrange_cli::catalog::Model;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyList, PyModule, PyTuple, PyType};

/// Puts the classes of a catalogue and what they return into a module.
pub fn fill(module: &Bound<'_, PyModule>, catalog: &Catalog) -> PyResult<()> {
    let py = module.py();
    module.add_class::<Mechanism>()?;
    module.add_class::<Solution>()?;
    module.add_class::<Event>()?;
    module.add_class::<Linearization>()?;
    module.add_class::<Equilibrium>()?;
    module.add_class::<Sweep>()?;
    module.add_class::<Fit>()?;
    module.add("Failure", py.get_type::<Failure>())?;
    let classes = PyList::empty(py);
    for &model in catalog.models() {
        let class = class(module, model)?;
        module.add(class_name(model.name()).as_str(), &class)?;
        classes.append(class)?;
    }
    let listed = classes.unbind();
    let list = move |arguments: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        listed.bind(arguments.py()).as_sequence().to_list().map(Bound::unbind)
    };
    module.add(
        "catalogue",
        PyCFunction::new_closure(py, Some(c"catalogue"), Some(c"The classes of all mechanisms."), list)?,
    )?;
    let keywords = |arguments: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| -> PyResult<Py<PyDict>> {
        let found = PyDict::new(arguments.py());
        KEYWORDS.iter().try_for_each(|(name, meaning)| found.set_item(name, meaning))?;
        Ok(found.unbind())
    };
    let about = c"The keyword arguments of solve and sweep that say how a motion is integrated, with their meanings.";
    module.add(
        "integration_arguments",
        PyCFunction::new_closure(py, Some(c"integration_arguments"), Some(about), keywords)?,
    )?;
    let types = stubs(catalog.models());
    let text = move |_: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| types.clone();
    let about = c"The text of the module's file of types, MODULE.pyi.";
    module.add("stubs", PyCFunction::new_closure(py, Some(c"stubs"), Some(about), text)?)
}

/// The class of a mechanism.
fn class<'py>(module: &Bound<'py, PyModule>, model: &'static dyn Model) -> PyResult<Bound<'py, PyType>> {
    let py = module.py();
    let contents = PyDict::new(py);
    contents.set_item("__module__", module.name()?)?;
    contents.set_item("__doc__", about(model))?;
    contents.set_item("__slots__", PyTuple::empty(py))?;
    contents.set_item("__signature__", signature(py, model)?)?;
    contents.set_item(MODEL, Bound::new(py, ModelOf(model))?)?;
    let bases = PyTuple::new(py, [py.get_type::<Mechanism>()])?;
    let made = py.get_type::<PyType>().call1((class_name(model.name()), bases, contents))?;
    Ok(made.cast_into::<PyType>()?)
}

/// The text of `help`.
fn about(model: &dyn Model) -> String {
    let mut text = format!("{}.\n", sentence(model));
    if !model.source().is_empty() {
        text.push_str(&format!("\nSource: {}\n", model.source()));
    }
    text.push_str("\nParameters:\n");
    for parameter in model.parameters() {
        let input = if parameter.input { " (an input)" } else { "" };
        text.push_str(&format!("    {} = {}{input}: {}\n", parameter.name, parameter.default, parameter.description));
    }
    let components = model.components();
    text.push_str(&format!("\nCoordinates: {}\n", components.coordinates().join(", ")));
    for (kind, names) in
        [("States", components.states()), ("Outputs", model.outputs()), ("Constraints", model.constraints())]
    {
        if !names.is_empty() {
            text.push_str(&format!("{kind}: {}\n", names.join(", ")));
        }
    }
    text.push_str(&format!("\nEquations:\n\n{}\n", model.equations_text().trim()));
    text
}

/// The parameters as keyword arguments with their defaults.
fn signature<'py>(py: Python<'py>, model: &dyn Model) -> PyResult<Bound<'py, PyAny>> {
    let inspect = py.import("inspect")?;
    let parameter = inspect.getattr("Parameter")?;
    let kind = parameter.getattr("KEYWORD_ONLY")?;
    let list = PyList::empty(py);
    for Argument { name, defaults, is_array } in arguments(model) {
        let settings = PyDict::new(py);
        match is_array {
            true => settings.set_item("default", PyTuple::new(py, defaults)?)?,
            false => settings.set_item("default", defaults[0])?,
        }
        list.append(parameter.call((name, &kind), Some(&settings))?)?;
    }
    inspect.getattr("Signature")?.call1((list,))
}

//! Defaults: attributes that an element takes from its class where it does not state them.

use crate::robot::names::shown;
use crate::robot::xml::{Element, Fault};
use std::collections::BTreeMap;

/// The class that every other one is in.
const MAIN: &str = "main";

/// Classes by name, each with its element and the class around it.
#[derive(Debug, Default)]
pub(crate) struct Defaults<'a> {
    classes: BTreeMap<&'a str, (Vec<Element<'a>>, Option<&'a str>)>,
}

impl<'a> Defaults<'a> {
    /// Reads all classes of a file.
    ///
    /// # Errors
    /// [`Fault`] at a class without a name, or at a second one of a name.
    pub(crate) fn read(root: Element<'a>) -> Result<Self, Fault> {
        let mut defaults = Self::default();
        let mut waiting: Vec<(Element<'a>, Option<&'a str>)> = Vec::new();
        for element in root.children().filter(|child| child.name() == "default") {
            waiting.push((element, None));
        }
        while let Some((element, outer)) = waiting.pop() {
            let name = match (element.attribute("class"), outer) {
                (Some(name), Some(_)) => name,
                (None, Some(_)) => return Err(element.fault("a `default` in another one has no `class`".to_owned())),
                (_, None) => MAIN,
            };
            let (elements, around) = defaults.classes.entry(name).or_default();
            if outer.is_some() && !elements.is_empty() {
                return Err(element.fault(format!("a second class {}; names must differ", shown(name))));
            }
            elements.push(element);
            *around = outer;
            if let (None, Some(own)) = (outer, element.attribute("class")) {
                // The outermost class may have a name of its own.
                defaults.classes.entry(own).or_insert((vec![element], None));
            }
            waiting
                .extend(element.children().filter(|child| child.name() == "default").map(|child| (child, Some(name))));
        }
        Ok(defaults)
    }

    /// An element together with what it takes from its class: the one that it names, or `around`, that of the bodies around it.
    ///
    /// # Errors
    /// [`Fault`] at a class that does not exist.
    pub(crate) fn styled(&self, element: Element<'a>, around: Option<&'a str>) -> Result<Styled<'a>, Fault> {
        let mut sources = vec![element];
        let mut class = Some(match element.attribute("class") {
            Some(class) => {
                self.check(element, "class", class)?;
                class
            }
            None => around.unwrap_or(MAIN),
        });
        while let Some(name) = class {
            let Some((elements, outer)) = self.classes.get(name) else { break };
            // Later statements replace earlier ones, and the last default of a name is the first in the list.
            for found in elements {
                let mut own: Vec<_> = found.children().filter(|child| child.name() == element.name()).collect();
                own.reverse();
                sources.extend(own);
            }
            class = *outer;
        }
        Ok(Styled { sources })
    }

    /// The class that a body gives to what is inside it.
    ///
    /// # Errors
    /// [`Fault`] at a class that does not exist.
    pub(crate) fn inside(&self, body: Element<'a>, around: Option<&'a str>) -> Result<Option<&'a str>, Fault> {
        let Some(class) = body.attribute("childclass") else { return Ok(around) };
        self.check(body, "childclass", class)?;
        Ok(Some(class))
    }

    fn check(&self, element: Element<'_>, attribute: &str, class: &str) -> Result<(), Fault> {
        if class == MAIN || self.classes.contains_key(class) {
            return Ok(());
        }
        let known: Vec<String> = self.classes.keys().map(|&name| name.to_owned()).collect();
        Err(element.fault_at(attribute, crate::suggest::explain_unknown("class", class, &known)))
    }
}

/// An element with its defaults.
#[derive(Clone, Debug)]
pub(crate) struct Styled<'a> {
    /// The element itself first, and then the defaults from the innermost class outward.
    sources: Vec<Element<'a>>,
}

impl<'a> Styled<'a> {
    /// The element that states an attribute; the element itself where none does.
    pub(crate) fn of(&self, attribute: &str) -> Element<'a> {
        let stating = self.sources.iter().find(|source| source.attribute(attribute).is_some());
        *stating.unwrap_or(&self.sources[0])
    }

    /// The first of these attributes that the innermost source states, and this source.
    pub(crate) fn first_of(&self, attributes: &[&'static str]) -> Option<(Element<'a>, &'static str)> {
        let stated = |source: &Element<'a>| {
            attributes.iter().copied().find(|name| source.attribute(name).is_some()).map(|name| (*source, name))
        };
        self.sources.iter().find_map(stated)
    }

    /// The element itself.
    pub(crate) fn element(&self) -> Element<'a> {
        self.sources[0]
    }
}

//! Defaults: attributes that an element takes from its class where it does not state them.

use crate::robot::names::shown;
use crate::robot::xml::{Element, Fault};
use std::collections::BTreeMap;

/// The class that every other one is in.
const MAIN: &str = "main";

/// Classes by name. A class takes what the one around it states before the class begins, and alike a later part of the outermost class what its earlier
/// parts state: so each element `default` has at most one before it.
#[derive(Debug, Default)]
pub(crate) struct Defaults<'a> {
    /// The elements `default`, each with the number of the one that it takes from.
    stated: Vec<(Element<'a>, Option<usize>)>,
    /// For each class, the number of the last element `default` that states it; `None` for an outermost class without such an element.
    classes: BTreeMap<&'a str, Option<usize>>,
}

impl<'a> Defaults<'a> {
    /// Reads all classes of a file.
    ///
    /// # Errors
    /// [`Fault`] at a class without a name, or at a second one of a name.
    pub(crate) fn read(root: Element<'a>) -> Result<Self, Fault> {
        let mut defaults = Self { classes: BTreeMap::from([(MAIN, None)]), ..Self::default() };
        for element in root.children().filter(|child| child.name() == "default") {
            if element.attribute("class").is_some_and(|class| class != MAIN) {
                let text =
                    format!("the outermost class is `{MAIN}` and has no other name; a `default` in it may have one");
                return Err(element.fault_at("class", text));
            }
            let before = defaults.classes.get(MAIN).copied().flatten();
            let number = defaults.add(MAIN, element, before);
            defaults.inner(element, number)?;
        }
        Ok(defaults)
    }

    /// Adds an element `default`, and returns its number.
    fn add(&mut self, class: &'a str, element: Element<'a>, before: Option<usize>) -> usize {
        self.stated.push((element, before));
        let number = self.stated.len() - 1;
        self.classes.insert(class, Some(number));
        number
    }

    /// Reads the classes in a class.
    fn inner(&mut self, around: Element<'a>, outer: usize) -> Result<(), Fault> {
        for element in around.children().filter(|child| child.name() == "default") {
            if element.attribute("class").is_none() {
                return Err(element.fault("a `default` in another one has no `class`".to_owned()));
            }
            let name = element.required("class")?;
            if self.classes.contains_key(name) {
                let text = format!("a second class {}; names must differ", shown(name));
                return Err(element.fault_at("class", text));
            }
            let number = self.add(name, element, Some(outer));
            self.inner(element, number)?;
        }
        Ok(())
    }

    /// An element together with what it takes from its class: the one that it names, or `around`, that of the bodies around it.
    ///
    /// # Errors
    /// [`Fault`] at a class that does not exist.
    pub(crate) fn styled(&self, element: Element<'a>, around: Option<&'a str>) -> Result<Styled<'a>, Fault> {
        self.styled_as(element, around, &[element.name()])
    }

    /// As [`styled`](Self::styled), where elements with any of these names share the attributes of a class.
    ///
    /// # Errors
    /// [`Fault`] at a class that does not exist.
    pub(crate) fn styled_as(
        &self,
        element: Element<'a>,
        around: Option<&'a str>,
        names: &[&str],
    ) -> Result<Styled<'a>, Fault> {
        let class = match element.attribute("class") {
            Some(class) => {
                self.check(element, "class", class)?;
                class
            }
            None => around.unwrap_or(MAIN),
        };
        let mut sources = vec![element];
        let mut next = self.classes.get(class).copied().flatten();
        while let Some((stating, before)) = next.and_then(|number| self.stated.get(number)) {
            next = *before;
            // Later statements replace earlier ones.
            let mut own: Vec<_> = stating.children().filter(|child| names.contains(&child.name())).collect();
            own.reverse();
            sources.extend(own);
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
        if self.classes.contains_key(class) {
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

    /// The defaults, from the innermost class outward.
    pub(crate) fn defaults(&self) -> &[Element<'a>] {
        &self.sources[1..]
    }

    /// The element itself.
    pub(crate) fn element(&self) -> Element<'a> {
        self.sources[0]
    }
}

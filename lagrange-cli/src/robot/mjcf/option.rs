//! The elements `option`: gravity, and flags that switch forces off.

use super::consent::Consent;
use crate::robot::space::Vector;
use crate::robot::xml::{Element, Fault};
use std::collections::{BTreeMap, BTreeSet};

/// Flags that are read. Each is switched off or on by the last element that states it.
const FLAGS: &[&str] = &["constraint", "damper", "frictionloss", "gravity", "passive", "spring"];

/// What the elements `option` of a file state together: a later one replaces what it states itself.
#[derive(Clone, Debug)]
pub(crate) struct World {
    gravity: Vector,
    disabled: BTreeSet<&'static str>,
}

impl World {
    /// Reads the elements `option` of a file.
    ///
    /// # Errors
    /// [`Fault`] at a wrong value.
    pub(crate) fn read(root: Element<'_>, consent: &mut Consent<'_>) -> Result<Self, Fault> {
        let mut gravity = [0.0, 0.0, -9.81];
        let mut disabling: BTreeMap<&'static str, Option<Element<'_>>> = BTreeMap::new();
        for option in root.children().filter(|child| child.name() == "option") {
            gravity = option.numbers("gravity")?.unwrap_or(gravity);
            let Some(flags) = option.only("flag")? else { continue };
            for &name in FLAGS {
                if let Some(at) = flags.choice(name, &["enable", "disable"])? {
                    disabling.insert(name, (at == 1).then_some(flags));
                }
            }
        }
        let mut disabled = BTreeSet::new();
        for (name, flags) in disabling {
            if let Some(flags) = flags {
                consent.note(&format!("{name}, which a flag disables"), flags);
                disabled.insert(name);
            }
        }
        Ok(Self { gravity, disabled })
    }

    fn has(&self, flags: &[&str]) -> bool {
        !flags.iter().any(|flag| self.disabled.contains(flag))
    }

    /// The acceleration of free fall.
    pub(crate) fn gravity(&self) -> Vector {
        if self.has(&["gravity"]) { self.gravity } else { [0.0; 3] }
    }

    /// Whether springs of joints act.
    pub(crate) fn has_springs(&self) -> bool {
        self.has(&["spring", "passive"])
    }

    /// Whether dampings of joints act.
    pub(crate) fn has_dampers(&self) -> bool {
        self.has(&["damper", "passive"])
    }

    /// Whether dry friction of joints acts, which is a constraint in MuJoCo.
    pub(crate) fn has_friction(&self) -> bool {
        self.has(&["frictionloss", "constraint"])
    }
}

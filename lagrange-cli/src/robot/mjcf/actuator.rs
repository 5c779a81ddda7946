//! Actuators. The block has an input for each joint in their place, so that one that does nothing without a control changes no motion.

use super::attributes::{self, DRIVES};
use super::consent::Consent;
use super::defaults::{Defaults, Styled};
use crate::robot::names::shown;
use crate::robot::xml::{Element, Fault};

/// Reads an element `actuator`.
///
/// # Errors
/// [`Fault`] at an actuator that changes the motion without a control, unless all actuators may be left out.
pub(super) fn read(section: Element<'_>, defaults: &Defaults<'_>, consent: &mut Consent<'_>) -> Result<(), Fault> {
    if consent.lets("actuator", section) {
        return Ok(());
    }
    for drive in section.children() {
        if !DRIVES.contains(&drive.name()) {
            return Err(drive.fault(attributes::misplaced(section, drive, DRIVES)));
        }
        attributes::own(drive, false, consent)?;
        if let Some((element, attribute, law)) = law(&defaults.styled_as(drive, None, DRIVES)?)? {
            let text = format!(
                "{law} may change the motion without a control, and has no translation; `--leave-out actuator` leaves all actuators out"
            );
            return Err(element.fault_at(attribute, text));
        }
    }
    consent.harmless(section);
    Ok(())
}

/// What an actuator does without a control: the element and the attribute that state it, and its name.
fn law<'a>(styled: &Styled<'a>) -> Result<Option<(Element<'a>, &'static str, String)>, Fault> {
    let drive = styled.element();
    let of = |name: &str| format!("{} of the actuator {}", shown(name), shown(drive.name()));
    if !["motor", "general"].contains(&drive.name()) {
        return Ok(Some((drive, "", format!("the actuator {}", shown(drive.name())))));
    }
    for name in ["armature", "damping"] {
        let stating = styled.of(name);
        if stating.list(name)?.unwrap_or_default().iter().any(|entry| *entry != 0.0) {
            return Ok(Some((stating, name, of(name))));
        }
    }
    // A range that is clamped to moves a control of 0 into it.
    for name in ["ctrlrange", "forcerange", "actrange"] {
        let stating = styled.of(name);
        if stating.numbers(name)?.is_some_and(|[lower, upper]: [f64; 2]| lower > 0.0 || upper < 0.0) {
            return Ok(Some((stating, name, format!("{} without 0", of(name)))));
        }
    }
    if drive.name() == "motor" {
        return Ok(None);
    }
    // A class shares one drive: another one before `general` has set its law.
    if let Some(other) = styled.defaults().iter().find(|other| !["motor", "general"].contains(&other.name())) {
        return Ok(Some((*other, "", format!("{} in the class of the actuator `general`", shown(other.name())))));
    }
    for (name, plain) in [
        ("biastype", &["none"][..]),
        ("gaintype", &["fixed", "affine"]),
        ("dyntype", &["none", "integrator", "filter", "filterexact"]),
        ("ffrange", &[]),
        ("inheritrange", &[]),
        ("input", &[]),
        ("velrange", &[]),
    ] {
        let stating = styled.of(name);
        if stating.attribute(name).is_some_and(|value| !plain.contains(&value)) {
            return Ok(Some((stating, name, of(name))));
        }
    }
    Ok(None)
}

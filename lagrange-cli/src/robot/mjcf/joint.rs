//! Joints of bodies, and what acts along them.

use super::Reader;
use super::defaults::Styled;
use crate::robot::model::{Joint, Kind};
use crate::robot::names::shown;
use crate::robot::space::Pose;
use crate::robot::urdf::{direction, not_negative, place};
use crate::robot::xml::{Element, Fault};

impl<'a> Reader<'a> {
    /// A joint without its links, and where it is in the frame of its body.
    pub(super) fn joint(
        &mut self,
        element: Element<'a>,
        body: Element<'a>,
        body_name: &str,
        class: Option<&'a str>,
    ) -> Result<(Joint, [f64; 3]), Fault> {
        let is_free = element.name() == "freejoint";
        let styled = self.defaults.styled(element, class)?;
        let kind = match styled.of("type").attribute("type") {
            _ if is_free => Kind::Floating,
            None | Some("hinge") => Kind::Revolute,
            Some("slide") => Kind::Prismatic,
            Some("ball") => Kind::Ball,
            Some("free") => Kind::Floating,
            Some(other) => {
                let text = format!("`{other}` is no type of a joint; `hinge`, `slide`, `ball` and `free` are allowed");
                return Err(styled.of("type").fault_at("type", text));
            }
        };
        let name = match element.attribute("name").filter(|name| !name.trim().is_empty()) {
            Some(name) => {
                if !self.joints_read.insert(name.to_owned()) {
                    return Err(element.fault_at("name", format!("a second joint {}; names must differ", shown(name))));
                }
                name.to_owned()
            }
            None => self.joint_names.name(&format!("{body_name}_joint{}", self.robot.joints.len())),
        };
        let mut joint = Joint::new(&name, place(element), kind, [0, 0], Pose::default());
        if kind == Kind::Floating {
            self.aligned(element, body)?;
        }
        if is_free {
            return Ok((joint, [0.0; 3]));
        }
        self.along(&mut joint, &styled)?;
        // What slides or moves freely does so alike from every point.
        let turns = matches!(kind, Kind::Revolute | Kind::Ball);
        let anchor = if turns { styled.of("pos").numbers("pos")? } else { None };
        Ok((joint, anchor.unwrap_or_default()))
    }

    /// Refuses a free body without others on it whose frame is moved to its centre of mass: its coordinates then are those of another frame.
    fn aligned(&mut self, joint: Element<'a>, body: Element<'a>) -> Result<(), Fault> {
        let aligns = match joint.choice("align", &["false", "true", "auto"])? {
            Some(0) => false,
            Some(1) => true,
            _ => self.compiler.aligns,
        };
        if aligns && !body.children().any(|child| child.name() == "body") {
            self.consent.refuse(joint, "align")?;
        }
        Ok(())
    }

    /// What acts along a joint, and its limits.
    fn along(&mut self, joint: &mut Joint, styled: &Styled<'a>) -> Result<(), Fault> {
        let one = matches!(joint.kind, Kind::Revolute | Kind::Prismatic);
        let mut stiffness = not_negative(styled.of("stiffness"), "stiffness")?;
        joint.damping = not_negative(styled.of("damping"), "damping")?;
        joint.friction = not_negative(styled.of("frictionloss"), "frictionloss")?;
        joint.armature = not_negative(styled.of("armature"), "armature")?;
        if !self.world.has_springs() {
            stiffness = 0.0;
        }
        if !self.world.has_dampers() {
            joint.damping = 0.0;
        }
        if !self.world.has_friction() {
            joint.friction = 0.0;
        }
        if !one {
            for (name, value) in [
                ("stiffness", stiffness),
                ("damping", joint.damping),
                ("armature", joint.armature),
                ("frictionloss", joint.friction),
            ] {
                if value != 0.0 {
                    self.consent.refuse(styled.of(name), name)?;
                }
            }
            (joint.damping, joint.armature, joint.friction) = (0.0, 0.0, 0.0);
            return Ok(());
        }
        if joint.friction != 0.0 && !self.options.friction {
            self.consent.note("frictionloss", styled.element());
        }
        joint.axis = direction(styled.of("axis"), "axis", [0.0, 0.0, 1.0])?;
        let unit = if joint.kind == Kind::Revolute { self.compiler.radians } else { 1.0 };
        joint.reference = unit * styled.of("ref").number("ref")?.unwrap_or(0.0);
        let rest = unit * styled.of("springref").number("springref")?.unwrap_or(0.0);
        joint.spring = (stiffness != 0.0).then_some([stiffness, rest]);
        let range: Option<[f64; 2]> = styled.of("range").numbers("range")?;
        let limited = styled.of("limited").choice("limited", &["false", "true", "auto"])? != Some(0);
        joint.range = range.filter(|range| limited && range[0] < range[1]).map(|range| range.map(|end| unit * end));
        Ok(())
    }
}

//! What the element `compiler` says about angles and orientations.

use super::defaults::Styled;
use crate::robot::space::{Matrix, Pose, Vector, length, of_quaternion, product};
use crate::robot::text::toward;
use crate::robot::xml::{Element, Fault};

/// Attributes that state an orientation, of which an element has one at most.
pub(crate) const ORIENTATIONS: &[&str] = &["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// The length below which a quaternion gives no orientation. MuJoCo 4.0.0 leaves one of some 1e-8 as it is, and its bodies then have another orientation than
/// the normalised one; files have quaternions of a length near 1.
const SHORTEST: f64 = 1e-6;

/// From where the inertia of bodies comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FromShapes {
    /// From shapes where a body states none.
    #[default]
    Auto,
    /// Always from shapes.
    Always,
    /// Never from shapes.
    Never,
}

/// The rules of a file.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    /// How many rad the unit of angles has.
    pub(crate) radians: f64,
    /// The axes of Euler's angles, in upper case where they are those of space.
    sequence: [char; 3],
    /// From where the inertia of bodies comes.
    pub(crate) from_shapes: FromShapes,
    /// The first and the last group of shapes that have inertia.
    pub(crate) groups: [f64; 2],
    /// Whether the frame of a free body is moved to its centre of mass.
    pub(crate) aligns: bool,
    /// The mass of all bodies together, if it is stated.
    pub(crate) total_mass: Option<f64>,
}

impl Compiler {
    /// Reads the elements `compiler` of a file.
    ///
    /// # Errors
    /// [`Fault`] at what has no translation.
    pub(crate) fn read(root: Element<'_>) -> Result<Self, Fault> {
        let mut rules = Self {
            radians: 1_f64.to_radians(),
            sequence: ['x', 'y', 'z'],
            from_shapes: FromShapes::Auto,
            groups: [0.0, 5.0],
            aligns: false,
            total_mass: None,
        };
        for element in root.children().filter(|child| child.name() == "compiler") {
            rules.add(element)?;
        }
        Ok(rules)
    }

    fn add(&mut self, element: Element<'_>) -> Result<(), Fault> {
        match element.choice("angle", &["degree", "radian"])? {
            Some(0) => self.radians = 1_f64.to_radians(),
            Some(_) => self.radians = 1.0,
            None => {}
        }
        match element.choice("inertiafromgeom", &["auto", "true", "false"])? {
            Some(0) => self.from_shapes = FromShapes::Auto,
            Some(1) => self.from_shapes = FromShapes::Always,
            Some(_) => self.from_shapes = FromShapes::Never,
            None => {}
        }
        if let Some(aligns) = element.choice("alignfree", &["false", "true"])? {
            self.aligns = aligns == 1;
        }
        element.choice("coordinate", &["local"])?;
        element.choice("balanceinertia", &["false"])?;
        if let Some(mass) = element.number("settotalmass")? {
            self.total_mass = (mass > 0.0).then_some(mass);
        }
        if let Some(groups) = element.numbers("inertiagrouprange")? {
            self.groups = groups;
        }
        if let Some(text) = element.attribute("eulerseq") {
            let letters: Vec<char> = text.chars().collect();
            self.sequence = match <[char; 3]>::try_from(letters) {
                Ok(letters) if letters.iter().all(|letter| "xyzXYZ".contains(*letter)) => letters,
                _ => {
                    let text = format!("`eulerseq` is `{text}`; three letters of `xyzXYZ` are needed");
                    return Err(element.fault_at("eulerseq", text));
                }
            };
        }
        Ok(())
    }

    /// Where an element stands in what is around it.
    ///
    /// # Errors
    /// [`Fault`] at what is no orientation.
    pub(crate) fn pose(&self, styled: &Styled<'_>) -> Result<Pose, Fault> {
        let position = styled.of("pos").numbers("pos")?.unwrap_or_default();
        let Some((element, attribute)) = styled.first_of(ORIENTATIONS) else {
            return Ok(Pose { position, ..Pose::default() });
        };
        if let Some(second) = ORIENTATIONS.iter().find(|name| **name != attribute && element.attribute(name).is_some())
        {
            let text =
                format!("`{}` has both `{attribute}` and `{second}`; one orientation is allowed", element.name());
            return Err(element.fault_at(second, text));
        }
        let no_direction =
            || element.fault_at(attribute, format!("`{attribute}` of `{}` gives no direction", element.name()));
        let matrix = match attribute {
            "quat" => {
                let quaternion: [f64; 4] = element.numbers(attribute)?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
                let size = quaternion.iter().fold(0.0_f64, |size, entry| size.hypot(*entry));
                of_quaternion(quaternion).filter(|_| size >= SHORTEST)
            }
            "axisangle" => {
                let [x, y, z, angle] = element.numbers(attribute)?.unwrap_or_default();
                unit([x, y, z]).map(|axis| about(axis, angle * self.radians))
            }
            "euler" => Some(self.euler(element.numbers(attribute)?.unwrap_or_default())),
            "xyaxes" => {
                let [a, b, c, d, e, f] = element.numbers(attribute)?.unwrap_or_default();
                axes([a, b, c], [d, e, f])
            }
            _ => unit(element.numbers(attribute)?.unwrap_or_default()).map(shortest),
        };
        Ok(Pose::of_matrix(position, &matrix.ok_or_else(no_direction)?))
    }

    /// Turns about the axes of the sequence, each about an axis that has turned already, or, in upper case, about one of space.
    fn euler(&self, angles: Vector) -> Matrix {
        let mut matrix = Pose::default().matrix();
        for (letter, angle) in self.sequence.iter().zip(angles) {
            let at = ["x", "y", "z"].iter().position(|axis| letter.to_lowercase().eq(axis.chars())).unwrap_or_default();
            let mut turned = [0.0; 3];
            turned[at] = angle * self.radians;
            let step = Pose { angles: turned, ..Pose::default() }.matrix();
            matrix = if letter.is_ascii_uppercase() { product(&step, &matrix) } else { product(&matrix, &step) };
        }
        matrix
    }
}

fn unit(direction: Vector) -> Option<Vector> {
    let size = length(direction);
    (size > 0.0 && size.is_finite()).then(|| direction.map(|entry| entry / size))
}

/// The rotation by an angle about an axis of length 1.
fn about(axis: Vector, angle: f64) -> Matrix {
    let (yaw, pitch) = toward(axis);
    let there = Pose { angles: [0.0, pitch, yaw], ..Pose::default() }.matrix();
    let turn = Pose { angles: [0.0, 0.0, angle], ..Pose::default() }.matrix();
    let back = [0, 1, 2].map(|i| [0, 1, 2].map(|j| there[j][i]));
    product(&product(&there, &turn), &back)
}

/// The frame with this first axis, and with this second one as far as it is at right angles to the first.
fn axes(x: Vector, y: Vector) -> Option<Matrix> {
    let x = unit(x)?;
    let along: f64 = (0..3).map(|i| x[i] * y[i]).sum();
    let y = unit([0, 1, 2].map(|i| y[i] - along * x[i]))?;
    let z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    Some([0, 1, 2].map(|i| [x[i], y[i], z[i]]))
}

/// The shortest rotation that turns z into a direction of length 1: about z × direction.
fn shortest(direction: Vector) -> Matrix {
    let axis = unit([-direction[1], direction[0], 0.0]).unwrap_or([1.0, 0.0, 0.0]);
    about(axis, direction[0].hypot(direction[1]).atan2(direction[2]))
}

/// The rotation that turns z into a direction, for bodies with an axis of symmetry.
pub(crate) fn aligned(direction: Vector) -> Option<Vector> {
    let (yaw, pitch) = toward(unit(direction)?);
    Some([0.0, pitch, yaw])
}

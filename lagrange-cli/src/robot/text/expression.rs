//! Numbers, vectors and rotations as expressions of the block.

use super::space::{Matrix, Vector, right_angles};

/// A number with all its digits.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-6..1e15).contains(&value.abs()) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// An angle in rad, exact where it is a right one.
pub(crate) fn angle(value: f64) -> String {
    let text = |turns: i32| match turns.abs() {
        0 => "0".to_owned(),
        1 => "pi/2".to_owned(),
        2 => "pi".to_owned(),
        3 => "3*pi/2".to_owned(),
        _ => "2*pi".to_owned(),
    };
    match right_angles(value) {
        Some(turns) if turns < 0 => format!("-{}", text(turns)),
        Some(turns) => text(turns),
        None => number(value),
    }
}

/// `[x, y, z]`.
pub(crate) fn vector(entries: Vector) -> String {
    format!("[{}]", entries.map(number).join(", "))
}

/// A vector of lengths in a frame, or nothing where it is 0.
pub(crate) fn moved(frame: Option<&str>, entries: Vector) -> Option<String> {
    if entries == [0.0; 3] {
        return None;
    }
    Some(match frame {
        Some(frame) => format!("{frame}*(1[m]*{})", vector(entries)),
        None => format!("1[m]*{}", vector(entries)),
    })
}

/// The rotations R_z(yaw) R_y(pitch) R_x(roll), without those by 0.
pub(crate) fn turned([roll, pitch, yaw]: Vector) -> Vec<String> {
    let about = |axis: &str, value: f64| {
        let turns = right_angles(value).is_none_or(|turns| turns % 4 != 0);
        turns.then(|| format!("rotation_{axis}({})", angle(value)))
    };
    [about("z", yaw), about("y", pitch), about("x", roll)].into_iter().flatten().collect()
}

/// The product of these matrices.
pub(crate) fn product(factors: &[String]) -> String {
    factors.join("*")
}

/// The axis of a frame, 0 for x, along which a direction points, and whether it points against it.
pub(crate) fn along(axis: Vector) -> Option<(usize, bool)> {
    let at = axis.iter().position(|entry| *entry != 0.0)?;
    (axis[at].abs() == 1.0 && axis.iter().filter(|entry| **entry != 0.0).count() == 1).then_some((at, axis[at] < 0.0))
}

/// The angles, yaw and pitch, of the rotation R_z(yaw) R_y(pitch) that turns z into a direction.
pub(crate) fn toward(axis: Vector) -> (f64, f64) {
    if axis[1] == 0.0 {
        (0.0, axis[0].atan2(axis[2]))
    } else {
        (axis[1].atan2(axis[0]), axis[0].hypot(axis[1]).atan2(axis[2]))
    }
}

/// The rotation by an angle about an axis.
pub(crate) fn about(axis: Vector, by: &str) -> Vec<String> {
    let is_name = by.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    match along(axis) {
        Some((at, against)) => {
            let sign = if against { "-" } else { "" };
            let by = if against && !is_name { format!("({by})") } else { by.to_owned() };
            vec![format!("rotation_{}({sign}{by})", ["x", "y", "z"][at])]
        }
        None => {
            let (yaw, pitch) = toward(axis);
            let mut factors = turned([0.0, pitch, yaw]);
            factors.push(format!("rotation_z({by})"));
            let mut back = turned([0.0, -pitch, 0.0]);
            back.extend(turned([0.0, 0.0, -yaw]));
            factors.extend(back);
            factors
        }
    }
}

/// A tensor of inertia; its diagonal where it has no more.
pub(crate) fn tensor(entries: &Matrix) -> String {
    let diagonal = [0, 1, 2].map(|i| entries[i][i]);
    let is_diagonal = (0..3).all(|i| (0..3).all(|j| i == j || entries[i][j] == 0.0));
    let rows = if is_diagonal { vector(diagonal) } else { format!("[{}]", entries.map(vector).join(", ")) };
    format!("1[kg*m^2]*{rows}")
}

/// The moment of a mass: its height, or its whole place.
pub(crate) fn mass_times(mass: &str, center: &str, whole: bool) -> String {
    if whole { format!("{mass}*{center}") } else { format!("{mass}*{center}[2]") }
}

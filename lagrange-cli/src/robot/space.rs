//! Poses and inertias of bodies, in numbers.

/// A vector with three components.
pub(crate) type Vector = [f64; 3];
/// A matrix by its rows.
pub(crate) type Matrix = [[f64; 3]; 3];

/// How near an angle must be to a multiple of a right angle to be taken as it, in rad. Files write π/2 with eleven digits or more, and
/// sine and cosine of a right angle are whole numbers, so that terms with them vanish.
pub(crate) const RIGHT_ANGLE: f64 = 1e-11;

/// The number of right angles that an angle is, if it is nearly a multiple of one.
pub(crate) fn right_angles(angle: f64) -> Option<i32> {
    let turns = (angle / std::f64::consts::FRAC_PI_2).round();
    let near = (angle - turns * std::f64::consts::FRAC_PI_2).abs() <= RIGHT_ANGLE && turns.abs() <= 4.0;
    // The bound keeps the number in the range of the type.
    near.then_some(turns as i32)
}

/// Sine and cosine, exact for right angles.
fn sin_cos(angle: f64) -> (f64, f64) {
    match right_angles(angle).map(|turns| turns.rem_euclid(4)) {
        Some(0) => (0.0, 1.0),
        Some(1) => (1.0, 0.0),
        Some(2) => (0.0, -1.0),
        Some(_) => (-1.0, 0.0),
        None => angle.sin_cos(),
    }
}

/// Where a frame stands in another one: r = position + R r', with R = R_z(yaw) R_y(pitch) R_x(roll).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    /// The origin.
    pub(crate) position: Vector,
    /// Roll, pitch and yaw, in rad.
    pub(crate) angles: Vector,
}

impl Pose {
    /// The rotation matrix R.
    pub(crate) fn matrix(&self) -> Matrix {
        let [(sr, cr), (sp, cp), (sy, cy)] = self.angles.map(sin_cos);
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    }

    /// The pose with this rotation matrix.
    pub(crate) fn of_matrix(position: Vector, r: &Matrix) -> Self {
        let yaw = if r[0][0] == 0.0 && r[1][0] == 0.0 { 0.0 } else { r[1][0].atan2(r[0][0]) };
        let (s, c) = sin_cos(yaw);
        // What remains is R_y(pitch) R_x(roll), also where the pitch is a right angle and the yaw is rounding.
        let undone = |j: usize| (c * r[0][j] + s * r[1][j], c * r[1][j] - s * r[0][j]);
        let pitch = (-r[2][0]).atan2(undone(0).0);
        let roll = (-undone(2).1).atan2(undone(1).1);
        Self { position, angles: [roll, pitch, yaw].map(|angle| if angle == 0.0 { 0.0 } else { angle }) }
    }

    /// The frame at `inner` in a frame at this pose.
    pub(crate) fn then(&self, inner: &Self) -> Self {
        let position = add(self.position, turn(&self.matrix(), inner.position));
        if self.angles == [0.0; 3] {
            return Self { position, angles: inner.angles };
        }
        if inner.angles == [0.0; 3] {
            return Self { position, angles: self.angles };
        }
        Self::of_matrix(position, &product(&self.matrix(), &inner.matrix()))
    }
}

/// The rotation matrix of a quaternion (w, x, y, z) of any length but 0.
pub(crate) fn of_quaternion(quaternion: [f64; 4]) -> Option<Matrix> {
    let length = quaternion.iter().fold(0.0_f64, |length, entry| length.hypot(*entry));
    if length == 0.0 || !length.is_finite() {
        return None;
    }
    let [w, x, y, z] = quaternion.map(|entry| entry / length);
    Some([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ])
}

/// a + b.
pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// c a.
pub(crate) fn scale(c: f64, a: Vector) -> Vector {
    a.map(|entry| c * entry)
}

/// R a.
pub(crate) fn turn(r: &Matrix, a: Vector) -> Vector {
    r.map(|row| row[0] * a[0] + row[1] * a[1] + row[2] * a[2])
}

/// The length of a vector.
pub(crate) fn length(a: Vector) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}

/// A B.
pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| [0, 1, 2].map(|j| row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]))
}

fn transposed(a: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| a[j][i]))
}

/// The inertia of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Inertia {
    /// The mass, in kg.
    pub(crate) mass: f64,
    /// The centre of mass, in the frame of the body.
    pub(crate) center: Vector,
    /// The inertia tensor about the centre of mass, along the axes of the frame, in kg m².
    pub(crate) tensor: Matrix,
}

impl Inertia {
    /// This inertia, stated in a frame at `pose`, as seen from the frame in which the pose is stated.
    #[must_use]
    pub(crate) fn seen_from(&self, pose: &Pose) -> Self {
        let center = add(pose.position, turn(&pose.matrix(), self.center));
        if pose.angles == [0.0; 3] {
            return Self { center, ..*self };
        }
        let r = pose.matrix();
        Self { center, tensor: symmetric(&product(&product(&r, &self.tensor), &transposed(&r))), ..*self }
    }

    /// Two bodies as one.
    #[must_use]
    pub(crate) fn with(&self, other: &Self) -> Self {
        if other.is_zero() {
            return *self;
        }
        if self.is_zero() {
            return *other;
        }
        let mass = self.mass + other.mass;
        let center = if mass == 0.0 {
            [0.0; 3]
        } else {
            scale(1.0 / mass, add(scale(self.mass, self.center), scale(other.mass, other.center)))
        };
        let (here, there) = (self.about(center), other.about(center));
        Self { mass, center, tensor: [0, 1, 2].map(|i| add(here[i], there[i])) }
    }

    /// Whether a body has no inertia at all.
    pub(crate) fn is_zero(&self) -> bool {
        self.mass == 0.0 && self.tensor == [[0.0; 3]; 3]
    }

    /// The tensor about another point.
    fn about(&self, point: Vector) -> Matrix {
        let d = add(self.center, scale(-1.0, point));
        let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        [0, 1, 2].map(|i| {
            [0, 1, 2].map(|j| {
                let diagonal = if i == j { square } else { 0.0 };
                self.tensor[i][j] + self.mass * (diagonal - d[i] * d[j])
            })
        })
    }

    /// Whether the tensor is that of some distribution of masses that are not negative, but for the triangle inequality: no direction has a negative
    /// moment. The margin is the rounding of the entries.
    pub(crate) fn is_possible(&self) -> bool {
        let j = &self.tensor;
        let largest = j.iter().flatten().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        if largest == 0.0 {
            return true;
        }
        let j = j.map(|row| row.map(|entry| entry / largest));
        let minor = |a: usize, b: usize| j[a][a] * j[b][b] - j[a][b] * j[b][a];
        let determinant = j[0][0] * minor(1, 2) - j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0])
            + j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
        // The entries are at most 1 here, so that this is some roundings of the terms of a minor and of the determinant.
        let margin = -16.0 * f64::EPSILON;
        (0..3).all(|i| j[i][i] >= 0.0)
            && [(0, 1), (0, 2), (1, 2)].iter().all(|&(a, b)| minor(a, b) >= margin)
            && determinant >= margin
    }
}

/// The symmetric part, which rounding has disturbed.
fn symmetric(a: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| 0.5 * (a[i][j] + a[j][i])))
}

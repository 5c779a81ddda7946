//! How frames move in space, step by step, and vectors.

/// A vector in space.
pub(super) type Vector = [f64; 3];

/// How a frame moves, in components of space.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) axes: [Vector; 3],
    place: Vector,
    pub(super) omega: Vector,
    velocity: Vector,
    pub(super) alpha: Vector,
    pub(super) acceleration: Vector,
    /// The length of the way from the root.
    pub(super) travelled: f64,
    /// The magnitudes of the accelerations that were added up.
    pub(super) swung: f64,
}

impl Motion {
    pub(super) const REST: Self = Self {
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        place: [0.0; 3],
        omega: [0.0; 3],
        velocity: [0.0; 3],
        alpha: [0.0; 3],
        acceleration: [0.0; 3],
        travelled: 0.0,
        swung: 0.0,
    };

    /// The place, velocity and acceleration of a point of the frame.
    pub(super) fn at(&self, point: Vector) -> [Vector; 3] {
        let mut moved = self.clone();
        moved.shift(times(self.axes, point), [0.0; 3], [0.0; 3]);
        [moved.place, moved.velocity, moved.acceleration]
    }

    /// Moves the origin by a vector in space, with its own rate and second rate in the frame.
    pub(super) fn shift(&mut self, by: Vector, rate: Vector, second: Vector) {
        self.place = sum(self.place, by);
        let swept = cross(self.omega, by);
        self.velocity = sum(self.velocity, sum(swept, rate));
        let parts = [cross(self.alpha, by), cross(self.omega, swept), scaled(cross(self.omega, rate), 2.0), second];
        for part in parts {
            self.acceleration = sum(self.acceleration, part);
            self.swung += length(part);
        }
        self.travelled += length(by);
    }

    /// Turns the frame by a quaternion e, which stands for the rotation by n = e/|e|. With their rates, ω = 2 ṅ n* and ω̇ = 2 n̈ n* in the
    /// frame before.
    pub(super) fn turn(&mut self, e: [f64; 4], rate: [f64; 4], second: [f64; 4]) {
        let inner = |a: [f64; 4], b: [f64; 4]| (0..4).map(|k| a[k] * b[k]).sum::<f64>();
        let size = inner(e, e).sqrt();
        let n = e.map(|entry| entry / size);
        let stretch = inner(n, rate);
        let n_rate: [f64; 4] = std::array::from_fn(|k| (rate[k] - n[k] * stretch) / size);
        let stretched = (inner(rate, rate) - stretch * stretch + inner(e, second)) / size;
        let n_second: [f64; 4] =
            std::array::from_fn(|k| (second[k] - 2.0 * n_rate[k] * stretch - n[k] * stretched) / size);
        let by_conjugate = |a: [f64; 4]| -> Vector {
            let (scalar, vector, own) = (a[0], [a[1], a[2], a[3]], [n[1], n[2], n[3]]);
            let crossed = cross(own, vector);
            std::array::from_fn(|k| 2.0 * (n[0] * vector[k] - scalar * own[k] + crossed[k]))
        };
        let (omega, alpha) = (times(self.axes, by_conjugate(n_rate)), times(self.axes, by_conjugate(n_second)));
        let parts = [alpha, cross(self.omega, omega)];
        for part in parts {
            self.alpha = sum(self.alpha, part);
            self.swung += length(part);
        }
        // Terms of the second rate that cancel where the length changes.
        self.swung += 4.0 * (inner(second, second).sqrt() + inner(rate, rate) / size) / size;
        self.omega = sum(self.omega, omega);
        let own = [n[1], n[2], n[3]];
        let columns = [0, 1, 2].map(|k| {
            let first = sum(cross(own, unit(k)), scaled(unit(k), n[0]));
            let along = scaled(own, own[k]);
            times(self.axes, sum(sum(scaled(first, n[0]), cross(own, first)), along))
        });
        self.axes = std::array::from_fn(|i| std::array::from_fn(|k| columns[k][i]));
    }

    /// Rotates the frame about an axis, of length 1 in the frame, by an angle with its rates.
    pub(super) fn rotate(&mut self, local: Vector, [angle, rate, second]: [f64; 3]) {
        let axis = times(self.axes, local);
        let parts = [scaled(axis, second), cross(self.omega, scaled(axis, rate))];
        for part in parts {
            self.alpha = sum(self.alpha, part);
            self.swung += length(part);
        }
        self.omega = sum(self.omega, scaled(axis, rate));
        // Rodrigues' formula in the frame, where the axis has length 1 to rounding. Errors of rotations then add up instead of multiplying.
        let (sine, cosine) = angle.sin_cos();
        let columns = [0, 1, 2].map(|k| {
            let old = unit(k);
            let along = scaled(local, local[k] * (1.0 - cosine));
            let turned = sum(sum(scaled(old, cosine), scaled(cross(local, old), sine)), along);
            times(self.axes, turned)
        });
        self.axes = std::array::from_fn(|i| std::array::from_fn(|k| columns[k][i]));
    }
}

pub(super) fn unit(k: usize) -> Vector {
    std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 })
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

pub(super) fn sum(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

pub(super) fn scaled(a: Vector, factor: f64) -> Vector {
    a.map(|x| x * factor)
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

pub(super) fn times(matrix: [Vector; 3], vector: Vector) -> Vector {
    matrix.map(|row| dot(row, vector))
}

pub(super) fn turned_back(matrix: [Vector; 3], vector: Vector) -> Vector {
    std::array::from_fn(|i| (0..3).map(|k| matrix[k][i] * vector[k]).sum())
}

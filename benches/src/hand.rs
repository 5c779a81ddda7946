//! The compound double pendulum by its published closed form, equations (19) to (21) of the source that
//! `CompoundDoublePendulum` names, with std's sine and cosine: what a careful programmer writes by hand.

/// Parameters, in SI units.
#[derive(Clone, Copy, Debug)]
pub struct Pendulum {
    /// Mass of the first rod.
    pub m1: f64,
    /// Mass of the second rod.
    pub m2: f64,
    /// Mass of the bob.
    pub m3: f64,
    /// Length of the first rod.
    pub l1: f64,
    /// Length of the second rod.
    pub l2: f64,
    /// Gravity.
    pub g: f64,
}

/// Coordinates or velocities.
pub type Pair = [f64; 2];

impl Pendulum {
    /// m = l = 1, g = 9.8.
    pub fn published() -> Self {
        Self { m1: 1.0, m2: 1.0, m3: 1.0, l1: 1.0, l2: 1.0, g: 9.8 }
    }

    /// Both angular accelerations.
    #[inline(always)]
    pub fn acceleration(&self, q: Pair, w: Pair) -> Pair {
        let Self { m1, m2, m3, l1, l2, g } = *self;
        let (sine1, sine2) = (q[0].sin(), q[1].sin());
        let (sine, cosine) = (q[1] - q[0]).sin_cos();
        let a11 = (m1 + 3.0 * (m2 + m3)) * l1 * l1 / 3.0;
        let a12 = (m2 + 2.0 * m3) * l1 * l2 * cosine / 2.0;
        let a22 = (m2 + 3.0 * m3) * l2 * l2 / 3.0;
        let b1 = -(m1 / 2.0 + m2 + m3) * l1 * g * sine1 + (m2 / 2.0 + m3) * l1 * l2 * w[1] * w[1] * sine;
        let b2 = -l2 * (m2 / 2.0 + m3) * (g * sine2 + l1 * w[0] * w[0] * sine);
        let determinant = a11 * a22 - a12 * a12;
        [(b1 * a22 - b2 * a12) / determinant, (b2 * a11 - b1 * a12) / determinant]
    }

    /// Classical Runge–Kutta: `steps` steps of `h` from (q, w).
    pub fn runge_kutta(&self, mut q: Pair, mut w: Pair, h: f64, steps: u64) -> (Pair, Pair) {
        let along = |x: Pair, slope: Pair, h: f64| [x[0] + h * slope[0], x[1] + h * slope[1]];
        for _ in 0..steps {
            let a1 = self.acceleration(q, w);
            let (q2, w2) = (along(q, w, h / 2.0), along(w, a1, h / 2.0));
            let a2 = self.acceleration(q2, w2);
            let (q3, w3) = (along(q, w2, h / 2.0), along(w, a2, h / 2.0));
            let a3 = self.acceleration(q3, w3);
            let (q4, w4) = (along(q, w3, h), along(w, a3, h));
            let a4 = self.acceleration(q4, w4);
            for i in 0..2 {
                q[i] += h / 6.0 * (w[i] + 2.0 * (w2[i] + w3[i]) + w4[i]);
                w[i] += h / 6.0 * (a1[i] + 2.0 * (a2[i] + a3[i]) + a4[i]);
            }
        }
        (q, w)
    }
}

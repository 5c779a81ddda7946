//! A slice of toast that tips over the edge of a table.

use lagrange_runtime::prelude::*;

/// A slice of toast of half length a and half thickness b, which juts out over the edge of a table of height h. Slice and table are boxes in the plane with vertices of the radius r. The flat
/// part of the table ends in the origin; x and y are the middle of the slice in m, and turn is its angle, counterclockwise. SI units.
///
/// Known solution: the slice rolls over the round edge, until the friction that this takes is more than the edge gives, at the tilt [`slips_at`](Self::slips_at). For a thin slice with the overhang
/// δ on a sharp edge this is tan θ = μ/(1 + 9 δ²/a²). From there it slides off, and turns on as it falls. Source: R. A. J. Matthews, *Tumbling toast, Murphy's law and the fundamental constants*,
/// Eur. J. Phys. 16, 1995.
#[lagrangian {
    coordinates x: m, y: m, turn: rad;

    let toast = box([x, y], [a, b], turn, r);
    let table = box([r - l, -h/2], [l, h/2], 0, r);
    kinetic   = rigid_body_energy(m, m*(a^2 + b^2)/3, [x, y], turn);
    potential = m*g*y;

    contact end:  distance(vertex(toast, 0), table) >= 0, friction = mu;
    contact edge: distance(vertex(table, 3), toast) >= 0, friction = mu;
    contact floor[i in 0..4]: distance(vertex(toast, i), plane([0, -h], [0, 1])) >= 0;

    output up = cos(turn);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct TumblingToast {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Half of the slice's length.
    #[unit(m)]
    #[range(0.02..0.1)]
    pub a: f64,
    /// Half of the slice's thickness.
    #[unit(m)]
    #[range(0.002..0.01)]
    pub b: f64,
    /// Radius of the edges.
    #[unit(m)]
    #[range(0.0005..0.002)]
    pub r: f64,
    /// Half of the table's width.
    #[unit(m)]
    pub l: f64,
    /// Height of the table.
    #[unit(m)]
    #[range(0.3..3)]
    pub h: f64,
    /// Coefficient of friction.
    #[unit(1)]
    #[range(0.05..2)]
    pub mu: f64,
}

/// A slice of 10 cm by 1 cm on a table of 75 cm.
impl Default for TumblingToast {
    fn default() -> Self {
        Self { m: 0.05, g: 9.81, a: 0.05, b: 0.005, r: 0.001, l: 0.4, h: 0.75, mu: 0.4 }
    }
}

impl TumblingToast {
    /// The angular velocity of a slice that has rolled on the edge by `tilt` from rest, in rad/s, where its middle was let go at the distance `overhang` beyond the flat part:
    /// ω² = 2 g (s sin θ + (b + r) (1 − cos θ))/(k² + b² + s²) with s = δ − r θ and k² = (a² + b²)/3.
    pub fn turning(&self, overhang: f64, tilt: f64) -> f64 {
        let arm = overhang - self.r * tilt;
        let fallen = arm * tilt.sin() + (self.b + self.r) * (1.0 - tilt.cos());
        (2.0 * self.g * fallen / (self.square() + arm * arm)).sqrt()
    }

    /// The tilt in rad at which a slice begins to slip down on the edge. There the force along it per mass, g sin θ + ω² s − α b, equals μ times the force across it, g cos θ − α s − ω² (b − r), with
    /// the angular acceleration α = (g (s cos θ + b sin θ) + r s ω²)/(k² + b² + s²). This requires δ b/(k² + b²) ≤ μ; otherwise the slice slips back at once.
    pub fn slips_at(&self, overhang: f64) -> f64 {
        let excess = |tilt: f64| {
            let (sin, cos) = tilt.sin_cos();
            let arm = overhang - self.r * tilt;
            let turning = self.turning(overhang, tilt).powi(2);
            let gained = (self.g * (arm * cos + self.b * sin) + self.r * arm * turning) / (self.square() + arm * arm);
            let along = self.g * sin + turning * arm - gained * self.b;
            along - self.mu * (self.g * cos - gained * arm - turning * (self.b - self.r))
        };
        let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if excess(middle) < 0.0 { low = middle } else { high = middle }
        }
        low
    }

    /// The slice at rest on the table, with its middle beyond the flat part by `overhang`.
    pub fn laid(&self, overhang: f64) -> State<f64, 3> {
        State::new(0.0, [overhang, self.b, 0.0], [0.0; 3])
    }

    /// The default slice, 2 mm too far.
    pub fn let_go() -> State<f64, 3> {
        Self::default().laid(0.002)
    }

    /// k² + b², the square of the radius of gyration about a point of the lower side below the middle.
    fn square(&self) -> f64 {
        (self.a * self.a + self.b * self.b) / 3.0 + self.b * self.b
    }
}

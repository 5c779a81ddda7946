//! A pad that sticks to a plate, and is pulled off again and again.

use lagrange_runtime::prelude::*;

/// A sticky pad on a spring, whose other end moves by s(t) = c sin(ω t); y is the height of the pad over a plate in m. SI units.
///
/// Known solution: the plate holds the pad until the spring pulls with the adhesion f, at [`lets_go_at`](Self::lets_go_at) = arcsin(f/(k c))/ω. The spring then gives its energy f²/(2k) to the pad, and the damper takes it,
/// so that a cycle which is slow beside the decay d/m costs the [`work`](Self::work_of_a_slow_cycle) f²/(2k), whatever the mass and the damping are. This is the loop in the force curve of an atomic force microscope. Source: B. Cappella, G. Dietler,
/// *Force–distance curves by atomic force microscopy*, Surf. Sci. Rep. 34, 1999.
#[lagrangian {
    coordinates y: m;

    let arm: m  = c*sin(omega*t);
    kinetic     = m*dot(y)^2/2;
    potential   = k*(y - arm)^2/2;
    dissipation = d*dot(y)^2/2;
    contact plate: y >= 0, adhesion = f;

    state work: J, dot(work) == k*(arm - y)*dot(arm);

    output pull: N = k*(arm - y);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct StickyPad {
    /// Mass of the pad.
    #[unit(kg)]
    pub m: f64,
    /// Stiffness of the spring.
    #[unit(N/m)]
    #[range(100..3000)]
    pub k: f64,
    /// Damping of the pad.
    #[unit(N*s/m)]
    pub d: f64,
    /// Adhesion.
    #[unit(N)]
    #[range(0..8)]
    pub f: f64,
    /// Amplitude of the arm.
    #[unit(m)]
    #[range(0.005..0.05)]
    pub c: f64,
    /// Angular frequency of the arm.
    #[unit(rad/s)]
    #[range(0.5..10)]
    pub omega: f64,
}

/// A pad of 10 g that bears 5 N.
impl Default for StickyPad {
    fn default() -> Self {
        Self { m: 0.01, k: 1000.0, d: 1.0, f: 5.0, c: 0.02, omega: 2.0 }
    }
}

impl StickyPad {
    /// The time at which the pad lets go for the first time, arcsin(f/(k c))/ω, s. A pad with f > k c never does.
    pub fn lets_go_at(&self) -> f64 {
        (self.f / (self.k * self.c)).asin() / self.omega
    }

    /// What a cycle takes from the arm in the limit of small ω, f²/(2k), J.
    pub fn work_of_a_slow_cycle(&self) -> f64 {
        self.f * self.f / (2.0 * self.k)
    }

    /// What the drag takes in a cycle to the first order in ω, J: d c² ω ((π − φ)/2 + sin 2φ/4) with φ = arcsin(f/(k c)). A part of it, d c² ω ((π − φ)/2 − sin 2φ/4), is
    /// d ∫ ṡ² dt from the time at which the pad lets go until the arm is back; the rest is what the arm does while the pad catches up by f/k.
    pub fn drag_of_a_cycle(&self) -> f64 {
        let phase = (self.f / (self.k * self.c)).asin();
        let mean = (std::f64::consts::PI - phase) / 2.0 + (2.0 * phase).sin() / 4.0;
        self.d * self.c * self.c * self.omega * mean
    }

    /// The pad on the plate, with the spring relaxed and no work done.
    pub fn stuck() -> State<f64, 2> {
        State::new(0.0, [0.0; 2], [0.0; 2])
    }
}

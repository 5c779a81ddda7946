//! Two circuits of inductance and capacitance, coupled by their magnetic fields.

use lagrange_runtime::prelude::*;

/// Two equal circuits, each of an inductance and a capacitance, whose coils share part of their flux: q1 and q2 the charges. The
/// Lagrangian is the magnetic energy less the electric one. SI units.
///
/// Known solution: the sum of the charges swings at ω₊ = 1/√((l + mutual) c), their difference at ω₋ = 1/√((l − mutual) c), each
/// with an energy of its own; a charge in one circuit beats to the other and back. Source: H. Goldstein, C. Poole, J. Safko,
/// *Classical Mechanics*, 3rd ed., 2.5 (circuits as Lagrangian systems) and 6.4 (normal modes).
#[lagrangian {
    coordinates q1: C, q2: C;

    kinetic   = l*(dot(q1)^2 + dot(q2)^2)/2 + mutual*dot(q1)*dot(q2);
    potential = (q1^2 + q2^2)/(2*c);

    assume l > mutual;
    invariant total: J = energy;
    invariant in_phase: J = (l + mutual)*(dot(q1) + dot(q2))^2/4 + (q1 + q2)^2/(4*c);
    invariant in_opposition: J = (l - mutual)*(dot(q1) - dot(q2))^2/4 + (q1 - q2)^2/(4*c);

    verify momentum[q1] == l*dot(q1) + mutual*dot(q2);
    verify forcing[q1] == -q1/c;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct CoupledCircuits {
    /// Inductance of each coil.
    #[unit(H)]
    pub l: f64,
    /// Mutual inductance.
    #[unit(H)]
    pub mutual: f64,
    /// Capacitance of each capacitor.
    #[unit(F)]
    pub c: f64,
}

/// 10 mH, 1 mH shared, 100 µF: about 160 Hz, and 16 Hz of beats.
impl Default for CoupledCircuits {
    fn default() -> Self {
        Self { l: 0.01, mutual: 0.001, c: 1e-4 }
    }
}

impl CoupledCircuits {
    /// 1 mC on the first capacitor, no currents.
    pub fn charged() -> State<f64, 2> {
        State::new(0.0, [1e-3, 0.0], [0.0, 0.0])
    }

    /// ω₊ and ω₋, rad/s.
    pub fn frequencies(&self) -> [f64; 2] {
        [self.l + self.mutual, self.l - self.mutual].map(|inductance| 1.0 / (inductance * self.c).sqrt())
    }

    /// The state at time `t` of the motion from `initial`.
    pub fn exact(&self, initial: &State<f64, 2>, t: f64) -> State<f64, 2> {
        let [sum, difference] = [1.0, -1.0].map(|sign| {
            let w = self.frequencies()[usize::from(sign < 0.0)];
            let (sin, cos) = (w * (t - initial.t)).sin_cos();
            let (charge, current) = (initial.q[0] + sign * initial.q[1], initial.v[0] + sign * initial.v[1]);
            [charge * cos + current / w * sin, current * cos - charge * w * sin]
        });
        let half = |index: usize, sign: f64| f64::midpoint(sum[index], sign * difference[index]);
        State::new(t, [half(0, 1.0), half(0, -1.0)], [half(1, 1.0), half(1, -1.0)])
    }
}

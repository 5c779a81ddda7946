//! Branches of electric circuits.
//!
//! A branch is given the charge q that has flowed through it, in C, and its current is i = dq/dt. Branches with the same charge are in series. Where
//! branches meet, their charges add: with the coordinates a and b of two loops, `let shared.charge = a - b;`. So Kirchhoff's law of currents holds by
//! the choice of charges, and his law of voltages is the equation of each coordinate. A report shows the outputs over the time.

use lagrange_runtime::prelude::*;

/// A resistor: D = R i²/2, the voltage R i. The voltage and the power R i² are outputs.
#[lagrangian {
    given charge: C;
    dissipation = resistance*dot(charge)^2/2;
    output voltage: V = resistance*dot(charge);
    output power: W = resistance*dot(charge)^2;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Resistor {
    /// The resistance R.
    #[unit(ohm)]
    pub resistance: f64,
}

/// A coil: T = L i²/2, the voltage L di/dt. The current and the flux L i are outputs.
#[lagrangian {
    given charge: C;
    kinetic = inductance*dot(charge)^2/2;
    output current: A = dot(charge);
    output flux: Wb = inductance*dot(charge);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Coil {
    /// The inductance L.
    #[unit(H)]
    pub inductance: f64,
}

/// Two coils that share flux: T = L₀ i₀²/2 + L₁ i₁²/2 + M i₀ i₁, the voltages L₀ di₀/dt + M di₁/dt and L₁ di₁/dt + M di₀/dt. The currents and the fluxes are outputs.
///
/// M is positive where currents in the directions of both charges magnetise alike. L₀ > 0 and L₀ L₁ > M² are assumed, because no real pair shares its whole
/// flux.
#[lagrangian {
    given charges[2]: C;
    kinetic = inductances[0]*dot(charges[0])^2/2 + inductances[1]*dot(charges[1])^2/2
            + mutual*dot(charges[0])*dot(charges[1]);
    assume inductances[0] > 0;
    assume inductances[0]*inductances[1] > mutual^2;
    output currents: A = dot(charges);
    output fluxes: Wb = [inductances[0]*dot(charges[0]) + mutual*dot(charges[1]),
                         inductances[1]*dot(charges[1]) + mutual*dot(charges[0])];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct CoupledCoils {
    /// The inductances L₀ and L₁.
    #[unit(H)]
    pub inductances: [f64; 2],
    /// The mutual inductance M.
    #[unit(H)]
    pub mutual: f64,
}

/// A capacitor: V = q²/(2 C), the voltage q/C, which is an output. A charge q₀ at the start is part of its charge: `let capacitor.charge = a + q0;`.
#[lagrangian {
    given charge: C;
    potential = charge^2/(2*capacitance);
    output voltage: V = charge/capacitance;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Capacitor {
    /// The capacitance C.
    #[unit(F)]
    pub capacitance: f64,
}

/// A source whose voltage is an input. A positive voltage drives a positive current.
#[lagrangian {
    given charge: C;
    force charge = voltage;
    output power: W = voltage*dot(charge);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The voltage.
    #[unit(V)]
    #[input]
    pub voltage: f64,
}

/// A source of the alternating voltage U sin(ω t). A positive voltage drives a positive current.
#[lagrangian {
    given charge: C;
    force charge = amplitude*sin(omega*t);
    output voltage: V = amplitude*sin(omega*t);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct AlternatingSource {
    /// The amplitude U of the voltage.
    #[unit(V)]
    pub amplitude: f64,
    /// The angular frequency ω.
    #[unit(rad/s)]
    pub omega: f64,
}

/// A diode with constant voltages: it conducts forward against the voltage `forward`, conducts backward against the voltage `breakdown`, and blocks
/// the current between them.
///
/// It is dry friction of the charge with the bound (forward + breakdown)/2, beside the constant voltage (breakdown − forward)/2. A rectifier has a breakdown voltage that is
/// never reached; a Zener diode has one that is. A state in which the diode blocks has the current 0. Two diodes on one charge are refused, because
/// both switch where the current changes its sign: state one with the sums of the voltages.
#[lagrangian {
    given charge: C;
    force charge = (breakdown - forward)/2;
    friction junction: charge = (forward + breakdown)/2;
    output current: A = dot(charge);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Diode {
    /// The voltage that drives a current forward.
    #[unit(V)]
    pub forward: f64,
    /// The voltage that drives a current backward.
    #[unit(V)]
    pub breakdown: f64,
}

/// A battery behind a bridge of four ideal diodes, which turns it against the current in either direction, and blocks the current while the voltage of the
/// branch is below the voltage of the battery. It is dry friction of the charge, with the battery's voltage as its bound.
///
/// The current into the battery, |i|, is an output. Source: N. Mohan, T. M. Undeland, W. P. Robbins, *Power Electronics*, 3rd ed., 2003, chapter 5.
#[lagrangian {
    given charge: C;
    friction bridge: charge = battery;
    output current: A = abs(dot(charge));
}]
#[derive(Clone, Debug, PartialEq)]
pub struct BridgeWithBattery {
    /// The voltage of the battery.
    #[unit(V)]
    pub battery: f64,
}

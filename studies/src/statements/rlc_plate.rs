//! Study 4: the plate of a capacitor.

use super::{Statement, statements};

statements! { 4;
    EQUATIONS: "§2, equations 8 to 13, and equations 21 and 22",
        "The Lagrange–Maxwell equations of the circuit, and their canonical form ṗ = −∂H/∂q + Q − ∂F/∂q̇.",
        "Written out for this circuit they are the derived ones, to rounding.";
    SYMPLECTIC: "§3, equations 14 and 15",
        "The implicit Runge–Kutta scheme is symplectic.",
        "With Gauss's coefficients, which the paper uses, it is. Not every implicit scheme of this form is: Radau's of order 3 fails the condition \
         bᵢaᵢⱼ + bⱼaⱼᵢ = bᵢbⱼ.";
    SIGN: "§3, equation 20",
        "The equations that are solved at each node are ṗ + ∂H/∂q − Q − ∂F/∂q̇ = 0.",
        "The sign of ∂F/∂q̇ contradicts equation 13. As printed the resistance feeds the circuit: the charge grows beyond all bounds in less than a tenth of a second, where the \
         paper's figure 3 shows it decay: it pulls the plate through the other one, and the energy of the capacitor falls without a limit.";
    UNIT: "§4, table 1",
        "The inductance L is 0.0016 F.",
        "F is the unit of a capacitance. L₁ė²/2 is an energy, so that the unit is H.";
    PERMITTIVITY: "§4, equation 21 and table 1",
        "In SI units the capacitor stores the energy (s − x) e²/(2A).",
        "That is no energy in SI units: the permittivity is missing. With ε = 1, as the paper computes, the numbers are those of another system of units.";
    HARMONIC: "§4, figure 2",
        "Without resistance and source the plate vibrates harmonically.",
        "The charge pulls the plate by e²/(2A), which at the start is most of the force of the spring, and which swings. The plate's motion has several lines.";
    DECAY: "§4, figure 3",
        "With resistance the charge decays exponentially.",
        "It does not where it can be seen: over the first tenths of a second the rate falls from peak to peak by more than a third, because the plate swings and feeds \
         the circuit. Only the small rest of the charge decays at one rate.";
    AGREEMENT: "§4, figures 2 and 3",
        "The results of the symplectic method agree with those of RK4.",
        "The curves differ by less than a line's width.";
    FIRST_INVARIANT: "§4, equation 23",
        "I₁ = L₁e²/(2A) − (s − x)e²/A + Re is constant.",
        "The paper's own equations of motion change it, with and without resistance; `invariant` refutes it when the mechanism is compiled. The only \
         change of the coordinates it could belong to, 0 with K = −I₁, is no symmetry of L.";
    SECOND_INVARIANT: "§4, equation 24",
        "I₂ = mẋ²/2 − kx²/2 + e²/(2A) is constant.",
        "The paper's own equations of motion change it too, and `invariant` refutes it when the mechanism is compiled. The only change of the \
         coordinates it could belong to, ẋ for the plate and 0 for the charge with K = mẋ² − I₂, is no symmetry of L.";
    KEPT: "§4, figure 4",
        "After 1000 units of time both quantities are still kept well.",
        "Without resistance neither is kept. With resistance both fall with the charge to a small part of their start, beside which what is left hardly \
         moves; in the figure that looks constant.";
}

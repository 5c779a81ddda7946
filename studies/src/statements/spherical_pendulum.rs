//! Study 2: the spherical pendulum.

use super::{Statement, statements};

statements! { 2;
    ENERGY_KEPT: "abstract and §3, figures 6 and 7",
        "In a long simulation the discrete variational integrator keeps the total energy within a constant range, and it does not leave it as time passes.",
        "The range in 200 s is that in 20 s, without a drift.";
    ENERGY_CONSERVED: "introduction",
        "The discrete equations conserve the symplectic structure and the momentum, and hence the energy.",
        "Hence the energy stays in a range, but it is not conserved: at a step of 0.1 s it changes by 0.03 J, as the document's own table 1 has it.";
    NO_ITERATION: "abstract",
        "Unlike continuous methods, the discrete integrator gives recursions directly, and needs no complicated iteration.",
        "For this pendulum γ is the root of a quadratic equation, so that equations 30 to 33 need no iteration. In general they do: equation 29 with the \
         midpoint rule of equation 25 is implicit, and each of its steps takes iterations of Newton's method.";
    CONSTRAINT_KEPT: "introduction",
        "The constraint is satisfied at each step.",
        "The rod's length stays 1 m to rounding.";
    SYMPLECTIC: "§1, equations 8 to 10",
        "The discrete map conserves the symplectic form.",
        "The derivative of the map, carried by dual numbers through a step, pulls the form back to itself to rounding.";
    MOMENTUM: "§1, equations 12 to 16",
        "The discrete map conserves the momentum of a symmetry. The document says that equation 16 shows it.",
        "The angular momentum about the vertical stays constant to rounding. Equation 16 defines it; equation 15 is what shows that it stays.";
    IN_ANGLES: "§2, equations 17 to 21",
        "The pendulum's kinetic and potential energy in angles and in Cartesian coordinates.",
        "Both forms agree to rounding.";
    DISSIPATION: "§2, after equation 29",
        "Without a constraint on the velocity the discrete system shows dissipation, so that a term for it must be added.",
        "The positions with and without the velocity's constraint are the same to rounding, because γ of the next step takes over what λ left out, and \
         the energy drifts in neither. RATTLE's constraint makes the velocity tangent to the sphere, which is worth having, but removes no dissipation.";
    RATTLE: "§2, equations 30 to 33",
        "RATTLE's recursion.",
        "The printed recursion, with γ from g = 0 and λ from the hidden constraint, gives the positions of RATTLE in its general form.";
    PERIODIC: "§3, figures 2 to 5",
        "Coordinates, velocities, θ and its rate are periodic.",
        "All periods in 20 s are equal, up to the interpolation between two steps.";
    PHI: "§3, figure 4",
        "φ stays constant.",
        "To rounding.";
    PHI_RATE: "§3, figure 5",
        "The rate of φ stays constant to high precision.",
        "It is 0 at the start and stays 0, to rounding.";
    TOTAL_ENERGY: "§3, figure 6",
        "Kinetic and potential energy are periodic; the total energy stays constant on the scale of the figure.",
        "At a step of 1 ms the total energy changes by some millionths of the largest kinetic energy.";
    RK4_DIVERGES: "§3, figure 7",
        "With RK4 the total energy diverges as time passes.",
        "It drifts with RK4, also where each step is projected onto the rod. The document prints neither RK4's coordinates nor its step.";
    TABLE_01: "§3, table 1",
        "At a step of 0.1 s the total energy lies between −8.48 J and −8.52 J; error 0.04 J.",
        "The document cuts its figures off, and its error is the difference of the cut figures. The uncut range is 0.0343 J.";
    TABLE_001: "§3, table 1",
        "At a step of 0.01 s the total energy lies between −8.48704 J and −8.48739 J; error 0.00035 J.",
        "As above; the uncut range is 3.43·10⁻⁴ J.";
    TABLE_0001: "§3, table 1",
        "At a step of 0.001 s the total energy lies between −8.4870489 J and −8.4870523 J; error 0.0000034 J.",
        "As above; the uncut range is 3.43·10⁻⁶ J.";
    QUADRATIC: "abstract and §3, table 1",
        "The order of magnitude of the error is quadratic in that of the step.",
        "With a tenth of the step the range is a hundredth.";
    QUATERNION: "§4",
        "A unit quaternion under its constraint makes the method fit for the rigid pendulum in space.",
        "RATTLE keeps the quaternion's length to rounding, and its energy error is of order 2.";
}

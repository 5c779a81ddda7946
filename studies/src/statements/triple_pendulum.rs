//! Study 5: the triple pendulum under constraints.

use super::{Statement, statements};

statements! { 5;
    DIRECT: "introduction",
        "A symplectic method that is applied directly to the canonical form of the equations leaves the constraints in general.",
        "The implicit midpoint rule with the multipliers of the equations of index 1 leaves them.";
    COMPOSED: "§1",
        "The composition of symplectic methods is symplectic.",
        "The derivative of a composition of nine steps pulls the symplectic form back to itself to rounding.";
    START_MULTIPLIERS: "§3",
        "The initial multipliers are λ₀ = 0.",
        "At the start the rods carry the bobs: the multipliers that belong to the printed state are not 0. As a first guess of an iteration 0 is as good as any \
         other number.";
    START: "§3",
        "The initial positions satisfy the constraints.",
        "Read with the signs that the scan garbles, they do.";
    POSITIONS: "§3, figure 2",
        "The composition keeps the constraints of the positions.",
        "To rounding, over 60 s.";
    VELOCITIES: "§3, figure 3",
        "The composition keeps the constraints of the velocities.",
        "To rounding, over 60 s.";
    BAUMGARTE: "§3, figures 2 to 5",
        "Baumgarte's stabilisation with RK4 violates both constraints far more.",
        "By many orders of magnitude at either of two gains; the paper prints none.";
    ACCURATE: "§4, result 1",
        "Compared with Baumgarte's stabilisation the composition is the more accurate.",
        "Its constraints are. Its motion is not: at the paper's step the composition, of order 2, is farther from the true motion than RK4 of order 4 with \
         stabilisation, and its energy swings more.";
    STABLE: "§4, result 1",
        "The composition is stable.",
        "In 10⁵ steps the energy stays within about twice its range in 60 s, and the constraints stay at rounding.";
    STIFF: "§4, result 2",
        "Because it is implicit, the method is also effective for stiff problems.",
        "It stays bounded at steps at which RK4 does not. But a fast motion that should have died out goes on for a long time: the implicit \
         midpoint rule does not damp what it does not resolve.";
}

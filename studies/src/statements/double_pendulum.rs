//! Study 3: the double pendulum of the Matlab demo.

use super::{Statement, statements};

statements! { 3;
    HAMILTONIAN: "introduction",
        "The Hamiltonian is much harder to compute than the Lagrangian, and may have no closed form.",
        "Harder is no number. Here no Hamiltonian is written by hand either: p(q, v) and its solution for v are derived.";
    DIFFERENCES: "introduction, and after equation 3",
        "Differences in place of derivatives bring in a numerical error.",
        "By the same method and with the same steps or tolerance, differences make the error of the angles larger by orders of magnitude.";
    EQUATION: "equations 1 to 3",
        "Lagrange's equation is linear in the accelerations: Σ ∂²L/∂q̇ᵢ∂q̇ⱼ q̈ⱼ = ∂L/∂qᵢ − Σ ∂²L/∂q̇ᵢ∂qⱼ q̇ⱼ − ∂²L/∂q̇ᵢ∂t + Qᵢ.",
        "Solved with differences of a numeric Lagrangian, the equation gives the derived accelerations up to the error of the differences.";
}

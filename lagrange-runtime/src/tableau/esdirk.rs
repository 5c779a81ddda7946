//! The method ESDIRK4(3)6L\[2\]SA: C. A. Kennedy, M. H. Carpenter, *Diagonally Implicit Runge–Kutta Methods for Ordinary Differential Equations. A Review*, NASA/TM-2016-219173, 2016.
//!
//! The coefficients of the method are numbers with √2, here to 36 digits. The published weights of the embedded solution are fractions for which the order conditions hold to 1e-26; here
//! they are the nearest numbers for which these hold to 36 digits.

use super::{Coefficient, dense, lower};

/// A diagonally implicit Runge–Kutta method of `S` stages, of which the first is explicit and the last one is the end of the step.
///
/// Stage i is Yᵢ = y + h Σ aᵢⱼ f(t + cⱼ h, Yⱼ), with aᵢᵢ = γ except for the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiagonallyImplicit<const S: usize> {
    /// γ.
    pub gamma: Coefficient,
    /// cᵢ.
    pub nodes: [Coefficient; S],
    /// aᵢⱼ, row i for stage i; 0 for j > i. The last row has the weights of the step.
    pub coefficients: [[Coefficient; S]; S],
    /// The weights of the solution that it is compared with.
    pub embedded: [Coefficient; S],
}

/// ESDIRK4(3)6L\[2\]SA: order 4, with an embedded solution of order 3; both are L-stable, and the stages have order 2.
pub const ESDIRK4: DiagonallyImplicit<6> = DiagonallyImplicit {
    gamma: Coefficient::new("1/4"),
    nodes: dense(["0", "1/2", "0.14644660940672623779957781894757548", "5/8", "26/25", "1"]),
    coefficients: lower(&[
        &[(1, "1/4"), (2, "1/4")],
        &[(1, "-0.0517766952966368811002110905262122598"), (2, "-0.0517766952966368811002110905262122598"), (3, "1/4")],
        &[
            (1, "-0.0765546083845572709626847042104357273"),
            (2, "-0.0765546083845572709626847042104357273"),
            (3, "0.528109216769114541925369408420871455"),
            (4, "1/4"),
        ],
        &[
            (1, "-0.727406347826129846932762410637381788"),
            (2, "-0.727406347826129846932762410637381788"),
            (3, "1.58499506174067934583346810438084344"),
            (4, "0.65981763391158034803205671689392014"),
            (5, "1/4"),
        ],
        &[
            (1, "-0.0155876350357165007377207060510065305"),
            (2, "-0.0155876350357165007377207060510065305"),
            (3, "0.387657670913203331289370193410831478"),
            (4, "0.501772619572163165937733967571763813"),
            (5, "-0.10825502041393349575166274888058223"),
            (6, "1/4"),
        ],
    ]),
    embedded: dense([
        "-0.0965133421681803376677579785582669275",
        "-0.0965133421681803376677579785582669275",
        "0.52281995099623424021496908761080338",
        "0.520567864622188495192986214063152889",
        "-0.0825580544076212138432423421594114839",
        "0.23219692312555915377080299760198907",
    ]),
};

//! The text of a block as it was written.

use lagrange_symbolic::print::written;
use proc_macro2::TokenStream;

#[test]
fn lines_and_alignment_are_kept_and_indentation_is_not() {
    let block = "
        coordinates theta;   // from the vertical

        // T and V
        kinetic   = m*l^2*dot(theta)^2/2;
        potential = if theta > 0 {
            -m*g*l*cos(theta)
        } else { 0 };
    ";
    let tokens: TokenStream = block.parse().expect("tokens");
    let expected = "coordinates theta;\n\nkinetic   = m*l^2*dot(theta)^2/2;\npotential = if theta > 0 {\n    -m*g*l*cos(theta)\n} else { 0 };";
    assert_eq!(written(&tokens), expected);
}

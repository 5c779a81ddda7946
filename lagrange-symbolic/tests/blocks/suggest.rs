//! The known name that is nearest to a misspelt one.

use lagrange_symbolic::report::nearest;

#[test]
fn nearest_names() {
    let names = ["theta1", "theta2", "mass", "l", "sin"];
    assert_eq!(nearest("thta1", names), Some("theta1"));
    assert_eq!(nearest("tehta2", names), Some("theta2"));
    assert_eq!(nearest("Mass", names), Some("mass"));
    assert_eq!(nearest("length", names), None);
    assert_eq!(nearest("k", names), None);
    assert_eq!(nearest("L", names), Some("l"));
}

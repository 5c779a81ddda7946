use lagrange_runtime::prelude::*;

/// A spring with a characteristic.
#[lagrangian {
    given length;
    table curve(x) = spline([0, 1, 2], [0, k, 3]);
    potential = curve(length);
}]
pub struct Spring {
    pub k: f64,
}

#[lagrangian {
    part spring[2]: Spring;
    coordinates x;
    let spring[i in 0..2].length = x;
    kinetic = dot(x)^2/2;
}]
pub struct Suspension {
    pub spring: [Spring; 2],
}

fn main() {}

use lagrange_runtime::prelude::*;

/// A link on a point that its surroundings give.
#[lagrangian {
    given base[2];
    const two = 2;
    coordinates theta;
    let tip = base + l*[sin(theta), -cos(theta)];
    kinetic = m*norm2(dot(tip))/two;
}]
pub struct Link {
    pub m: f64,
    pub l: f64,
}

#[lagrangian {
    part arm: Lnik;
    let arm.base = [0, 0];
}]
pub struct Arm {
    pub arm: Link,
}

fn main() {}

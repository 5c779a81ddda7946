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
    part arm: Link;
}]
pub struct Arm {
    pub arm: Link,
}

#[lagrangian {
    part link[3]: Link;
    let link[0].base = [0, 0];
    let link[1].base = link[0].tip;
}]
pub struct Chain {
    pub link: [Link; 3],
}

fn main() {}

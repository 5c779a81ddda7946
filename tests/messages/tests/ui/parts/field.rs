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
    let arm.base = [0, 0];
}]
pub struct Missing {
    pub m: f64,
}

#[lagrangian {
    part arm[2]: Link;
    let arm[i in 0..2].base = [0, 0];
}]
pub struct Shorter {
    pub arm: [Link; 3],
}

#[lagrangian {
    part arm: Link;
    let arm.base = [0, 0];
}]
pub struct Listed {
    pub arm: Vec<Link>,
}

#[lagrangian {
    part arm: Link;
    let arm.base = [0, 0];
}]
pub struct Driven {
    #[input]
    pub arm: Link,
}

fn main() {}

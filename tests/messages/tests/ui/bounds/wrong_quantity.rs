use lagrange_runtime::prelude::*;
use lagrange_runtime::uom::si::f64::{Angle, Length, Mass};

#[lagrangian {
    coordinates theta: rad; allow unused_field;
    kinetic = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta);
    output star: Msun = 0;
    output root = l^(1/2);
}]
pub struct Pendulum {
    #[unit(kg)]
    pub m: f64,
    #[unit(mm)]
    pub l: f64,
    pub g: f64,
    pub other: f64,
}

pub fn fields(angle: Angle, length: Length) -> [f64; 5] {
    let of = Pendulum::QUANTITIES;
    [
        of.fields.m.number(length),
        of.fields.g.number(length),
        of.coordinates.theta.number(angle) + of.coordinates.theta.number(length),
        of.fields.other.number(angle),
        of.outputs.root.number(length),
    ]
}

pub fn star(number: f64) -> Mass {
    Pendulum::QUANTITIES.outputs.star.quantity(number)
}

fn main() {}

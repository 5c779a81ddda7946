use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    table lift(s) = pchip([0, 1, 2], [0, 1, 0]);
    table of_fields(s) = linear(places, [0, 1, 4]);
    kinetic = dot(x)^2/2;
    potential = inverse(lift, x) + inverse(of_fields, x);
}]
struct Valve {
    places: [f64; 3],
}

fn main() {}

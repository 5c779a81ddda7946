use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    let height = -l*kos(theta);
    lagrangian = m*l^2*dot(theta)^2/2 - m*g*height;
    dissipation = c*dot(theta)^2/2;
    force theta = [1, 2];
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {
    // One message a mistake: what the struct could do without them raises no further one.
    let pendulum = Pendulum { m: 1.0, l: 1.0, g: 9.8 };
    let system = pendulum.prepare::<f64>().unwrap();
    let _ = system.acceleration(0.0, &SVector::from([0.1]), &SVector::from([0.0]), &SVector::from([]));
}

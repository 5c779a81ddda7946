//! Whatever is done with a mechanism whose block has a mistake, the mistake is the only message.
use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta, r[2];
    kinetic = m*(dot(theta)^2 + norm2(dot(r)))/2;
    potential = -m*g*cos(thet);
    constraint rod: r[0] == 0;
    constraint point: [r[0], theta] == [0, 0];
    output height = r[1];
}]
#[derive(Clone, Debug)]
struct Pendulum {
    m: f64,
    g: f64,
    #[input]
    torque: f64,
}

fn energy<S: System<f64, 3, 3, 1>>(system: &S, state: &State<f64, 3>) -> f64 {
    system.energies(state.t, &state.q, &state.v, &SVector::from([0.0])).energy
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut pendulum = Pendulum { m: 1.0, g: 9.8, torque: 0.0 };
    pendulum.set_parameter("m", 2.0)?;
    let system = pendulum.prepare::<f64>()?;
    let start = State::new(0.0, [0.1, 0.2, 0.3], [0.0; 3]);
    let solution = solve(&system, start, 1.0, &Gauss::<f64, 2>::new(0.01), &Options::default())?;
    let last = solution.last().ok_or("no step")?;
    println!("{} {}", last.q[Pendulum::INDEX.theta], last.q[Pendulum::INDEX.r[1]]);
    println!("{} {}", energy(&system, &start), Pendulum::FACTS.conservative);
    let solved = system.acceleration(0.0, &start.q, &start.v, &SVector::from([0.0]))?;
    println!("{} {}", solved.acceleration[0], solved.multipliers[2]);
    let dynamic: &dyn System<f64, 3, 3, 1> = &system;
    println!("{:?}", dynamic.coordinates());
    Ok(())
}

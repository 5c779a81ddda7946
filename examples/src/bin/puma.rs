//! Which torques hold and move a PUMA 560, and what does its pedestal carry?
//!
//! The parameters are those of P. I. Corke, B. Armstrong-Hélouvry, *A search for consensus among model parameters reported for the PUMA 560 robot*, Proc. IEEE
//! Int. Conf. Robotics and Automation, 1994, with the inertias that B. Armstrong, O. Khatib and J. Burdick measured (*The explicit dynamic model and inertial parameters
//! of the PUMA 560 arm*, same conference, 1986). The program compares torques at the pose q = (0, π/4, π, 0, π/4, 0) with those that the tests of the Robotics Toolbox for
//! Python expect (P. Corke, file `tests/test_DHRobot.py`, `test_rne`), to the four decimals there.
//!
//! Then the arm moves from one pose to another under computed torques,
//!
//! ```text
//! τ = M(q) (q̈* + 2 ω (q̇* − q̇) + ω² (q* − q)) − F(q, q̇),
//! ```
//!
//! from a start beside the wanted one. The error then decays as (1 + ω t) e^(−ω t), whatever the arm does.

use lagrange_runtime::operational::OperationalSpace;
use lagrange_runtime::prelude::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// A PUMA 560 by the standard parameters of Denavit and Hartenberg, in kg, m and N·m. Frame i turns with link i.
#[lagrangian {
    coordinates q[6];
    // The pedestal's top moves nowhere; the forces that it carries are those on these displacements.
    virtual shift[3], turn[3];
    let pedestal = rotation_x(turn[0])*rotation_y(turn[1])*rotation_z(turn[2]);
    let shoulder = [0, 0, 0.672] + shift;

    let r[0] = pedestal*rotation_z(q[0])*rotation_x(pi/2);
    let r[1] = r[0]*rotation_z(q[1]);
    let r[2] = r[1]*rotation_z(q[2])*rotation_x(-pi/2);
    let r[3] = r[2]*rotation_z(q[3])*rotation_x(pi/2);
    let r[4] = r[3]*rotation_z(q[4])*rotation_x(-pi/2);
    let r[5] = r[4]*rotation_z(q[5]);
    let elbow = shoulder + r[1]*[0.4318, 0, 0];
    let forearm = elbow + r[2]*[0.0203, -0.15005, 0];
    let wrist = forearm + r[3]*[0, 0.4318, 0];

    let arm = rigid_body_energy(17.4, [0.13, 0.524, 0.539], elbow + r[1]*[-0.3638, 0.006, 0.2275], r[1])
            + rigid_body_energy(4.8, [0.066, 0.086, 0.0125], forearm + r[2]*[-0.0203, -0.0141, 0.07], r[2])
            + rigid_body_energy(0.82, [0.0018, 0.0013, 0.0018], wrist + r[3]*[0, 0.019, 0], r[3])
            + rigid_body_energy(0.34, [0.0003, 0.0004, 0.0003], wrist, r[4])
            + rigid_body_energy(0.09, [0.00015, 0.00015, 0.00004], wrist + r[5]*[0, 0, 0.032], r[5]);
    // The first link turns about its second axis. The motors' rotors turn faster by the ratios of their gears.
    let ratio = [62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686];
    let rotor = [0.0002, 0.0002, 0.0002, 0.000033, 0.000033, 0.000033];
    let damper = [0.00148, 0.000817, 0.00138, 0.0000712, 0.0000826, 0.0000367];
    kinetic = arm + 0.35*dot(q[0])^2/2 + sum(i in 0..6, rotor[i]*(ratio[i]*dot(q[i]))^2/2);
    potential = 9.81*(17.4*(elbow + r[1]*[-0.3638, 0.006, 0.2275])[2]
              + 4.8*(forearm + r[2]*[-0.0203, -0.0141, 0.07])[2]
              + 0.82*(wrist + r[3]*[0, 0.019, 0])[2] + 0.34*wrist[2] + 0.09*(wrist + r[5]*[0, 0, 0.032])[2]);
    dissipation = sum(i in 0..6, damper[i]*(ratio[i]*dot(q[i]))^2/2);
    force q[i in 0..6] = torque[i];

    output hand = wrist + r[5]*[0, 0, 0.1];
    output held = reaction(shift);
    output tilting = reaction(turn);
}]
struct Puma {
    /// Torques behind the gears, N·m.
    #[input]
    torque: [f64; 6],
}

type Joints = SVector<f64, 6>;

/// The torques of the dry friction of each drive at a positive rate, N·m at the motor, and the ratios of the gears.
const DRY: [f64; 6] = [0.395, 0.126, 0.132, 0.0112, 0.00926, 0.00396];
const RATIO: [f64; 6] = [62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686];

/// The torques that the tests of the Robotics Toolbox expect at this pose, N·m: at rest; at rates of 1 rad/s; and at accelerations of 1 rad/s² too.
const AT_REST: [f64; 6] = [0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0];
const MOVING: [f64; 6] = [29.1421, 56.5044, 16.3528, 1.2645, 1.1239, 0.5196];
const ACCELERATING: [f64; 6] = [32.4952, 60.8670, 17.7436, 1.4545, 1.2991, 0.7138];

/// The rate at which errors decay, 1/s.
const OMEGA: f64 = 8.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = Puma { torque: [0.0; 6] }.prepare::<f64>()?;
    let nominal = Joints::from([0.0, FRAC_PI_4, PI, 0.0, FRAC_PI_4, 0.0]);
    let (none, ones) = (Joints::zeros(), Joints::repeat(1.0));

    // The published torques contain the dry friction, which no energy has.
    let dry = Joints::from_fn(|i, _| DRY[i] * RATIO[i]);
    let torques = |v: &Joints, a: &Joints| system.inverse_dynamics(0.0, &nominal, v, a, &none);
    let cases = [
        ("at rest", torques(&none, &none), AT_REST),
        ("moving", torques(&ones, &none) + dry, MOVING),
        ("accelerating", torques(&ones, &ones) + dry, ACCELERATING),
    ];
    println!("torques at (0, π/4, π, 0, π/4, 0), N·m, and the published ones");
    for (what, found, published) in cases {
        println!("  {what:>12}: {:>8.4?}\n                {published:>8.4?}", found.as_slice());
        check((found - Joints::from(published)).amax() < 1e-4, "the published torques")?;
    }
    let mass = system.mass_matrix(0.0, &nominal, &none, &none);
    println!("the mass matrix there, kg m²\n{mass:8.4}");
    let sums = Joints::from(ACCELERATING) - Joints::from(MOVING);
    check((mass * ones - sums).amax() < 1e-4, "the sums of the rows of the published mass matrix")?;

    // What the hand weighs in each direction.
    let hand = OperationalSpace::<f64, 6, 3>::of(&system, 0.0, &nominal, &none, &none, [0, 1, 2])?;
    println!("the inertia of the hand there, kg\n{:8.3}", hand.inertia);

    // From above the table to the pose, in two seconds.
    let ready = Joints::from([0.5, FRAC_PI_2, -FRAC_PI_2, 0.3, 0.4, 0.0]);
    let way = nominal + Joints::from([0.0, 0.0, -2.0 * PI, 0.0, 0.0, 0.0]) - ready;
    let wanted = |t: f64| {
        let s = (t / 2.0).min(1.0);
        let (place, rate) = (s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s), 15.0 * (s * (1.0 - s)).powi(2));
        let second = 15.0 * s * (1.0 - s) * (1.0 - 2.0 * s);
        (ready + way * place, way * rate, way * second)
    };
    let mut law = |t: f64, q: &Joints, v: &Joints| {
        let (place, rate, second) = wanted(t);
        let a = second + (rate - v) * (2.0 * OMEGA) + (place - q) * OMEGA.powi(2);
        system.inverse_dynamics(t, q, v, &a, &none)
    };
    let beside = Joints::from([0.1, -0.05, 0.08, 0.2, -0.1, 0.3]);
    let start = State { t: 0.0, q: ready + beside, v: Joints::zeros() };
    let options = Options { rtol: 1e-9.into(), atol: 1e-9.into(), ..Options::default() };
    let solution = solve_with(&system, start, 3.0, &Dop853::new(), &options, &mut law)?;
    let (mut furthest, mut largest) = (0.0_f64, Joints::zeros());
    for state in solution.states() {
        let error = state.q - wanted(state.t).0;
        let closed_form = beside * ((1.0 + OMEGA * state.t) * (-OMEGA * state.t).exp());
        furthest = furthest.max((error - closed_form).amax());
        largest = largest.sup(&law(state.t, &state.q, &state.v).abs());
    }
    println!("the largest torques of the motion, N·m: {:.1?}", largest.as_slice());
    println!("the errors differ from (1 + ω t) e^(−ω t) by at most {furthest:.1e} rad");
    check(furthest < 1e-6, "the decay of the error")?;

    // At rest the pedestal carries the weight, and no moment about the vertical.
    let last = solution.last().ok_or("no state")?;
    let mut outputs = [0.0; 9];
    system.outputs(last.t, &last.q, &last.v, &law(last.t, &last.q, &last.v), &mut outputs);
    println!("the pedestal carries {:.3?} N and {:.3?} N·m", &outputs[3..6], &outputs[6..]);
    let weight = 9.81 * (17.4 + 4.8 + 0.82 + 0.34 + 0.09);
    check((outputs[5] - weight).abs() < 1e-5 && outputs[8].abs() < 1e-5, "the weight on the pedestal")
}

fn check(holds: bool, what: &str) -> Result<(), Box<dyn std::error::Error>> {
    if holds { Ok(()) } else { Err(format!("{what} are not met").into()) }
}

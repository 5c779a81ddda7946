//! Writes the page of a made-up motion, computed by formulas instead of an integration: for looking at the page and for
//! its test in a browser.
//!
//! ```text
//! cargo run -p lagrange-cli --example report_page -- PATH [plane | space | bodies | many | still | beside]
//! ```

use lagrange_cli::catalog::Units;
use lagrange_cli::report::mechanism::{
    BesideMotion, MechanismReport, ModeRow, ParameterRow, PowerRow, SeriesRow, SpectrumRow, render,
};
use std::process::ExitCode;

const BLOCK: &str = "
coordinates theta1, theta2;

let elbow = [l1*sin(theta1), -l1*cos(theta1)];
let tip   = elbow + [l2*sin(theta2), -l2*cos(theta2)];

kinetic   = m1*norm2(dot(elbow))/2 + m2*norm2(dot(tip))/2;
potential = g*(m1*elbow[1] + m2*tip[1]);
dissipation = c*dot(theta1)^2/2;

output elbow = elbow;
output tip   = tip;
";

const STATED: &str = r"\begin{aligned} T &= \frac{m \dot{x}^{2}}{2} \end{aligned}";

const LATEX: &str = "\\begin{aligned}
  s_{1} &= \\cos\\left(\\theta_{1} - \\theta_{2}\\right) \\\\
  M_{\\theta_{1},\\theta_{1}} &= \\left(m_{1} + m_{2}\\right) l_{1}^{2} \\\\
  M_{\\theta_{1},\\theta_{2}} &= m_{2} l_{1} l_{2} s_{1} \\\\
  M_{\\theta_{2},\\theta_{2}} &= m_{2} l_{2}^{2} \\\\
  F_{\\theta_{1}} &= \\mathrm{gain} \\mathrm{torque} - c \\dot{\\theta}_{1} - m_{2} l_{1} l_{2} \\dot{\\theta}_{2}^{2} \\sin\\left(\\theta_{1} - \\theta_{2}\\right) - g l_{1} \\left(m_{1} + m_{2}\\right) \\sin\\left(\\theta_{1}\\right) + \\frac{m_{1} l_{1}^{2} \\dot{\\theta}_{1}^{2}}{2} \\sin^{2}\\left(\\theta_{1}\\right) - \\sqrt{\\frac{\\dot{\\theta}_{1}^{2} + \\dot{\\theta}_{2}^{2}}{2}} \\\\
  F_{\\theta_{2}} &= m_{2} l_{1} l_{2} \\dot{\\theta}_{1}^{2} \\sin\\left(\\theta_{1} - \\theta_{2}\\right) - g m_{2} l_{2} \\sin\\left(\\theta_{2}\\right) \\\\
  D &= \\begin{cases} \\frac{c \\dot{\\theta}_{1}^{2}}{2} & \\text{if } 0 < \\dot{\\theta}_{1} \\\\ 0 & \\text{otherwise} \\end{cases} \\\\
  \\mathrm{constraint}_{\\mathrm{rod}} &= \\left\\lVert\\left(x, y\\right)\\right\\rVert - l
\\end{aligned}";

const TEXT: &str = "s1 = cos(theta1 - theta2)
mass[theta1, theta1] = (m1 + m2)*l1^2
mass[theta1, theta2] = m2*l1*l2*s1
mass[theta2, theta2] = m2*l2^2
forcing[theta2] = m2*l1*l2*dot(theta1)^2*sin(theta1 - theta2) - g*m2*l2*sin(theta2)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, kind) = match arguments.as_slice() {
        [path] => (path, "plane"),
        [path, kind] => (path, kind.as_str()),
        _ => {
            eprintln!("report_page PATH [plane | space | bodies | many | still | beside]");
            return ExitCode::FAILURE;
        }
    };
    let report = match kind {
        "plane" => plane(),
        "space" => space(),
        "bodies" => bodies(),
        "many" => many(),
        "still" => still(),
        "beside" => beside(),
        other => {
            eprintln!("there is no motion `{other}`: plane, space, bodies, many, still, beside");
            return ExitCode::FAILURE;
        }
    };
    match std::fs::write(path, render(&report)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn row(name: &str, series: Vec<f64>) -> SeriesRow {
    SeriesRow { name: name.to_owned(), series }
}

/// Two coupled oscillations that decay, as angles of a double pendulum.
fn plane() -> MechanismReport {
    let t: Vec<f64> = (0..=1500).map(|sample| f64::from(sample) * 0.02).collect();
    let of = |formula: &dyn Fn(f64) -> f64| -> Vec<f64> { t.iter().map(|t| formula(*t)).collect() };
    let first = |t: f64| (-0.03 * t).exp() * (0.9 * (2.4 * t).cos() + 0.3 * (5.8 * t).cos());
    let second = |t: f64| (-0.03 * t).exp() * (1.3 * (2.4 * t).cos() - 0.5 * (5.8 * t).cos());
    let rate = |angle: &dyn Fn(f64) -> f64, t: f64| (angle(t + 1e-5) - angle(t - 1e-5)) / 2e-5;
    let elbow = |t: f64| [first(t).sin(), -first(t).cos()];
    let tip = |t: f64| [elbow(t)[0] + 0.8 * second(t).sin(), elbow(t)[1] - 0.8 * second(t).cos()];
    let kinetic = |t: f64| 2.2 * rate(&first, t).powi(2) + 0.6 * rate(&second, t).powi(2);
    let energy = |t: f64| -20.0 + 24.0 * (-0.06 * t).exp();
    let lost = energy(30.0) - energy(0.0);
    let amplitude = |frequency: f64| {
        1e-6 + 0.9 / (1.0 + ((frequency - 0.382) / 0.006).powi(2)) + 0.3 / (1.0 + ((frequency - 0.923) / 0.006).powi(2))
    };
    let spectrum = |name: &str, factor: f64| SpectrumRow {
        name: name.to_owned(),
        resolution: 1.0 / 30.0,
        amplitudes: (0..750).map(|index| factor * amplitude(f64::from(index) / 30.0)).collect(),
    };
    let parameter = |name: &str, value, description: &str, input| ParameterRow {
        name: name.to_owned(),
        value,
        description: description.to_owned(),
        input,
    };
    let statistic = |label: &str, value: &str| (label.to_owned(), value.to_owned());
    MechanismReport {
        name: "DoublePendulum".to_owned(),
        summary: "Two point masses on two rods without mass, which swing in a plane. The elbow has viscous friction."
            .to_owned(),
        source: "a made-up motion, computed by formulas".to_owned(),
        block: BLOCK.to_owned(),
        stated_latex: STATED.to_owned(),
        equations_latex: LATEX.to_owned(),
        equations_text: TEXT.to_owned(),
        facts: vec![
            "its equations do not depend on time".to_owned(),
            "its mass matrix is positive definite".to_owned(),
        ],
        parameters: vec![
            parameter("m1", 1.0, "Mass of the elbow, kg.", false),
            parameter("m2", 0.5, "Mass of the tip, kg.", false),
            parameter("l1", 1.0, "Length of the first rod, m.", false),
            parameter("l2", 0.8, "Length of the second rod, m.", false),
            parameter("g", 9.81, "Gravitational acceleration, m/s².", false),
            parameter("torque", 0.0, "Torque on the first rod, N m.", true),
        ],
        method: "DOP853 with tolerance 10⁻⁹, chosen because the motion is smooth and the mechanism is not stiff."
            .to_owned(),
        statistics: vec![
            statistic("accepted steps", "1 204"),
            statistic("rejected steps", "31"),
            statistic("evaluations", "14 820"),
            statistic("duration", "3.1 ms"),
        ],
        warnings: vec![
            "The tolerance is below four roundings, so that steps are judged with four roundings.".to_owned(),
        ],
        coordinates: vec!["theta1".to_owned(), "theta2".to_owned()],
        q: vec![of(&first), of(&second)],
        v: vec![of(&|t| rate(&first, t)), of(&|t| rate(&second, t))],
        kinetic: Some(of(&kinetic)),
        potential: Some(of(&|t| energy(t) - kinetic(t))),
        energy: of(&energy),
        powers: vec![
            PowerRow {
                name: "dissipation".to_owned(),
                work: lost,
                series: of(&|t| -1.44 * (-0.06 * t).exp() * (1.0 - (4.8 * t).cos())),
            },
            PowerRow { name: "force theta1".to_owned(), work: 0.0, series: of(&|_| 0.0) },
        ],
        balance_residual: 3.1e-9,
        constraints: vec![row("rod", of(&|t| 1e-13 * (1.0 + t) * (3.0 * t).sin()))],
        multipliers: vec![row("rod", of(&|t| -14.0 - 5.0 * (4.8 * t).cos()))],
        outputs: vec![
            row("elbow[0]", of(&|t| elbow(t)[0])),
            row("elbow[1]", of(&|t| elbow(t)[1])),
            row("tip[0]", of(&|t| tip(t)[0])),
            row("tip[1]", of(&|t| tip(t)[1])),
            row("tension", of(&|t| 14.0 + 5.0 * (4.8 * t).cos())),
        ],
        steps: (0..1200).map(|k| [f64::from(k) * 0.025, 0.025 * (1.5 + (f64::from(k) * 0.12).sin())]).collect(),
        spectra: vec![spectrum("theta1", 1.0), spectrum("theta2", 1.4)],
        modes: vec![
            ModeRow { frequency: 0.382, damping_ratio: 0.0125, shape: vec![0.62, 1.0] },
            ModeRow { frequency: 0.923, damping_ratio: 0.0052, shape: vec![-0.71, 1.0] },
        ],
        equilibrium: Some(
            "At rest, theta1 = 0 and theta2 = 0: the equilibrium is stable, and all its modes decay.".to_owned(),
        ),
        t,
        units: Units::SI,
        ..MechanismReport::default()
    }
}

/// A point that moves on a sphere.
fn space() -> MechanismReport {
    let report = plane();
    let of = |formula: &dyn Fn(f64) -> f64| -> Vec<f64> { report.t.iter().map(|t| formula(*t)).collect() };
    let tilt = |t: f64| 0.9 + 0.35 * (3.0 * t).cos();
    let turn = |t: f64| 0.7 * t;
    MechanismReport {
        name: "SphericalPendulum".to_owned(),
        warnings: Vec::new(),
        outputs: vec![
            row("bob[0]", of(&|t| tilt(t).sin() * turn(t).cos())),
            row("bob[1]", of(&|t| tilt(t).sin() * turn(t).sin())),
            row("bob[2]", of(&|t| -tilt(t).cos())),
        ],
        ..report
    }
}

/// A motion that ended with its first sample, with what else can go wrong.
fn still() -> MechanismReport {
    MechanismReport {
        name: "<b>Nothing</b> & \"more\"</script>".to_owned(),
        warnings: vec!["The run ended at its start.".to_owned(), "The energy is not finite.".to_owned()],
        coordinates: vec!["x</script>".to_owned()],
        t: vec![0.0],
        q: vec![vec![f64::NAN]],
        v: vec![vec![f64::INFINITY]],
        energy: vec![f64::NAN],
        balance_residual: f64::NAN,
        block: BLOCK.to_owned(),
        equations_latex: LATEX.to_owned(),
        units: Units::SI,
        ..MechanismReport::default()
    }
}

/// A swing under a sampled input, and two motions over it: one at other times that ends early, and a linear one.
fn beside() -> MechanismReport {
    let report = plane();
    let other = |count: u32, end: f64, rate: f64| -> BesideMotion {
        let t: Vec<f64> = (0..=count).map(|sample| f64::from(sample) * end / f64::from(count)).collect();
        BesideMotion {
            q: vec![t.iter().map(|t| (rate * t).cos()).collect(), t.iter().map(|t| 0.5 * (rate * t).sin()).collect()],
            v: vec![
                t.iter().map(|t| -rate * (rate * t).sin()).collect(),
                t.iter().map(|t| 0.5 * rate * (rate * t).cos()).collect(),
            ],
            t,
            ..BesideMotion::default()
        }
    };
    let steps: Vec<(f64, f64)> = (0..60).map(|sample| f64::from(sample) * 0.5).map(|t| (t, (2.0 * t).sin())).collect();
    MechanismReport {
        label: "c = 0.1".to_owned(),
        beside: vec![
            BesideMotion { name: "c = 0.2".to_owned(), ..other(4001, 20.0, 2.0) },
            BesideMotion { name: "linear".to_owned(), ..other(3001, 30.0, 2.3) },
        ],
        comparisons: vec!["theta1: the linear motion differs by at most 0.3 rad, at 12 s.".to_owned()],
        laws: vec!["The input torque follows the law torque = sin(2*t) at samples every 0.5 s.".to_owned()],
        input_times: steps.iter().flat_map(|(t, _)| [*t, t + 0.5]).collect(),
        inputs: vec![row("torque", steps.iter().flat_map(|(_, value)| [*value; 2]).collect())],
        ..report
    }
}

/// A cart between a wall and a spring, from which a rod hangs.
fn bodies() -> MechanismReport {
    let t: Vec<f64> = (0..=1000).map(|sample| f64::from(sample) * 0.01).collect();
    let (x, angle) = (|t: f64| 0.5 * (2.0 * t).sin(), |t: f64| 0.6 * (3.1 * t).cos());
    let tip = |t: f64| [x(t) + 0.8 * angle(t).sin(), -0.8 * angle(t).cos()];
    let mut outputs = Vec::new();
    let mut state = |name: &str, points: &[&dyn Fn(f64) -> [f64; 2]]| {
        for (index, point) in points.iter().enumerate() {
            for axis in 0..2 {
                outputs.push(row(&format!("{name}[{index}][{axis}]"), t.iter().map(|t| point(*t)[axis]).collect()));
            }
        }
    };
    state("floor", &[&|_| [-2.0, -0.15], &|_| [2.0, -0.15]]);
    state("wall", &[&|_| [-2.0, 0.6], &|_| [-2.0, -0.15]]);
    state("spring", &[&|_| [-2.0, 0.05], &|t| [x(t) - 0.3, 0.05]]);
    state(
        "cart_body",
        &[&|t| [x(t) - 0.3, -0.15], &|t| [x(t) + 0.3, -0.15], &|t| [x(t) + 0.3, 0.2], &|t| [x(t) - 0.3, 0.2]],
    );
    state("rod", &[&|t| [x(t), 0.0], &|t| tip(t)]);
    for axis in 0..2 {
        outputs.push(row(&format!("bob[{axis}]"), t.iter().map(|t| tip(*t)[axis]).collect()));
    }
    MechanismReport {
        name: "Crane".to_owned(),
        summary: "A cart on a floor with a spring to a wall, and a rod that hangs from it.".to_owned(),
        coordinates: vec!["x".to_owned(), "angle".to_owned()],
        q: vec![t.iter().map(|t| x(*t)).collect(), t.iter().map(|t| angle(*t)).collect()],
        v: vec![t.iter().map(|t| (2.0 * t).cos()).collect(), t.iter().map(|t| -1.86 * (3.1 * t).sin()).collect()],
        outputs,
        units: Units::SI,
        t,
        ..MechanismReport::default()
    }
}

/// A chain with 40 coordinates and a long run, which the page must thin.
fn many() -> MechanismReport {
    let count = 40_u32;
    let t: Vec<f64> = (0..20_000).map(|sample| f64::from(sample) * 0.005).collect();
    let wave = |k: u32, t: f64| (t * (1.0 + 0.05 * f64::from(k))).sin() / (1.0 + f64::from(k) * 0.1);
    let series =
        |shift: f64| -> Vec<Vec<f64>> { (0..count).map(|k| t.iter().map(|t| wave(k, *t + shift)).collect()).collect() };
    let outputs = (0..count).flat_map(|k| {
        [0, 1].map(|axis| {
            let place = |t: &f64| if axis == 0 { f64::from(k) * 0.2 + 0.1 } else { 0.3 * wave(k, *t) };
            row(&format!("mass[{k}][{axis}]"), t.iter().map(place).collect())
        })
    });
    let long = (0..count).map(|k| format!("s_{{{k}}} \\left(x_{{{k}}} - x_{{{}}}\\right)", k + 1)).collect::<Vec<_>>();
    MechanismReport {
        name: "ChainOfManyMassesWithAVeryLongName".to_owned(),
        summary: "Masses in a row, with springs between neighbours.".to_owned(),
        coordinates: (0..count).map(|k| format!("x[{k}]")).collect(),
        equations_latex: format!(
            "\\begin{{aligned}}\n  F_{{x_{{0}}}} &= {} \\\\\n  p &= m \\left({}\\right)\n\\end{{aligned}}",
            long.join(" + "),
            long.join(" + ")
        ),
        q: series(0.0),
        v: series(1.57),
        energy: t.iter().map(|t| 1.0 + 1e-9 * t.sin()).collect(),
        outputs: outputs.collect(),
        modes: (0..count)
            .map(|k| ModeRow {
                frequency: 0.1 * f64::from(k + 1),
                damping_ratio: 0.0,
                shape: (0..count).map(|j| (f64::from((k + 1) * (j + 1)) * 0.077).sin()).collect(),
            })
            .collect(),
        t,
        units: Units::SI,
        ..MechanismReport::default()
    }
}

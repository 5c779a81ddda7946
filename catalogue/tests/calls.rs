//! Many calls of the program `lagrange`, one a line: the arguments, the exit code, and a text that the program says.
//!
//! Calls that work say it on the standard output, others on the standard error. A call that needs files stands in `command_line.rs`.

use std::process::Command;

/// Carries out the calls, and reports all that answer otherwise.
fn check(calls: &[(&str, i32, &str)]) {
    let wrong: Vec<String> = calls
        .iter()
        .filter_map(|(arguments, code, told)| {
            let words = shell_words(arguments);
            let output = Command::new(env!("CARGO_BIN_EXE_lagrange"))
                .args(&words)
                .current_dir(env!("CARGO_TARGET_TMPDIR"))
                .output()
                .expect("the program starts");
            let said = String::from_utf8_lossy(if *code == 0 { &output.stdout } else { &output.stderr });
            let right = output.status.code() == Some(*code) && said.contains(told);
            (!right).then(|| {
                format!(
                    "lagrange {arguments}\n  code {:?}, expected {code} and `{told}`:\n{said}",
                    output.status.code()
                )
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} calls:\n{}", wrong.len(), calls.len(), wrong.join("\n"));
}

/// The words of a command line, where single quotes keep spaces together.
fn shell_words(line: &str) -> Vec<String> {
    line.split('\'')
        .enumerate()
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

#[test]
fn help_and_lists() {
    check(&[
        ("--help", 0, "Usage: lagrange <COMMAND>"),
        ("--version", 0, "lagrange-cli "),
        ("list", 0, "double-pendulum"),
        ("list --help", 0, "List the mechanisms"),
        ("show --help", 0, "derived equations"),
        ("simulate --help", 0, "Examples:"),
        ("sweep --help", 0, "--vary <NAME=FROM..TO:COUNT>"),
        ("analyse --help", 0, "equilibrium"),
        ("compare --help", 0, "The error is the largest difference"),
        ("plot --help", 0, "Quantities:"),
        ("report --help", 0, "one file that needs nothing else"),
        ("section --help", 0, "Poincaré section"),
        ("man --help", 0, "manual pages"),
        ("completions --help", 0, "shell"),
        ("import --help", 0, "Examples:"),
        ("import", 2, "<FILE>"),
        ("import missing.urdf", 2, "cannot read the robot's file `missing.urdf`"),
        ("import missing.urdf --free wheels", 2, "invalid value 'wheels'"),
        ("", 2, "Usage:"),
        ("simulat", 2, "unrecognized subcommand"),
        ("list extra", 2, "unexpected argument"),
        ("show", 2, "<MODEL>"),
        ("show kepler", 0, "forcing[x]"),
        ("show Kepler", 0, "forcing[x]"),
        ("show double_pendulum", 0, "theta1"),
        ("show DoublePendulum", 0, "theta1"),
        ("show kepler --operations", 0, "acceleration"),
        ("show kepler --operations --format text", 2, "cannot be used with"),
        ("show keplr", 2, "did you mean `kepler`?"),
        ("show pendulum-of-foucault", 2, "no model `pendulum-of-foucault`"),
        ("completions bash", 0, "_lagrange_names"),
        ("completions zsh", 0, "_lagrange_names"),
        ("completions fish", 0, "double-pendulum"),
        ("completions elvish", 0, "simulate"),
        ("completions powershell", 0, "simulate"),
        ("completions cmd", 2, "invalid value 'cmd'"),
    ]);
}

#[test]
fn simulations() {
    check(&[
        ("simulate kepler --t-end 1", 0, "t = 1"),
        ("simulate kepler --t-end -1", 0, "t = -1"),
        ("simulate kepler --t-end 1 --json", 0, "\"steps\""),
        ("simulate kepler --t-end 1 --csv -", 0, "t,x,y,x_dot,y_dot"),
        ("simulate kepler --t-end 1 --csv - --points 3", 0, "\n0.5,"),
        ("simulate kepler --t-end pi/2", 0, "t = 1.57"),
        ("simulate kepler --t-end '2*pi'", 0, "t = 6.28"),
        ("simulate kepler --t-end 1 --method rk4 --step 0.01", 0, "method: Runge–Kutta 4, step 0.01"),
        ("simulate kepler --t-end 1 --method dop853 --rtol 1e-12", 0, "t = 1"),
        ("simulate kepler --t-end 1 --method gauss3 --step 0.1", 0, "t = 1"),
        ("simulate kepler --t-end 1 --method stormer-verlet --step 0.01 --composition kahan-li", 0, "t = 1"),
        ("simulate double-pendulum --t-end 1 --set m1=2 --set 'm2=sqrt(2)'", 0, "theta1"),
        ("simulate double-pendulum --t-end 1 --initial theta1=45deg --initial theta1_dot=1", 0, "theta1"),
        ("simulate double-pendulum --t-end 1 --initial 'dot(theta1)=1'", 0, "theta1"),
        ("simulate double-pendulum --t-end 5 --until theta1=0", 0, "theta1=0"),
        ("simulate double-pendulum --t-end 5 --until '|theta2|=180deg'", 0, "theta2"),
        ("simulate spherical-pendulum-cartesian --t-end 1", 0, "t = 1"),
        ("simulate bouncing-ball --t-end 1", 0, "impact"),
        ("simulate kepler", 2, "--t-end"),
        ("simulate kepler --t-end", 2, "a value is required"),
        ("simulate kepler --t-end one", 2, "`one` is not a number"),
        ("simulate kepler --t-end inf", 2, "it must be finite"),
        ("simulate kepler --t-end nan", 2, "it must be finite"),
        ("simulate kepler --t-end 0", 2, "its end must be after 0"),
        ("simulate kepler --t-end 1 --step 0", 2, "it must be positive"),
        ("simulate kepler --t-end 1 --rtol -1", 2, "it must not be negative"),
        ("simulate kepler --t-end 1 --points -5", 2, "is not a whole number from 0"),
        ("simulate kepler --t-end 1 --method euler", 2, "invalid value 'euler'"),
        ("simulate kepler --t-end 1 --method rk4 --rtol 1e-6", 2, "--rtol does not apply to --method rk4"),
        ("simulate kepler --t-end 1 --set mass=1", 2, "no parameter `mass`"),
        ("simulate kepler --t-end 1 --set x=1", 2, "--initial"),
        ("simulate kepler --t-end 1 --initial z=1", 2, "no coordinate or velocity `z`"),
        ("simulate kepler --t-end 1 --initial x", 2, "`x` has no `=`"),
        ("simulate kepler --t-end 1 --initial =1", 2, "has no name before `=`"),
        ("simulate kepler --t-end 1 --initial x=1 --initial x=2", 2, "`x` is given twice"),
        ("simulate kepler --t-end 1 --until z=1", 2, "no coordinate, velocity or output `z`"),
        ("simulate kepler --t-end 1 --until '|x|=-1'", 2, "is never negative"),
        ("simulate kepler --t-end 1 --until '|x=1'", 2, "does not end with it"),
        ("simulate double-pendulum --t-end 1 --set m1=90deg", 2, "`90deg` is an angle, and `m1` is in kg"),
        ("simulate double-pendulum --t-end 1 --set m1=-1", 2, "m1"),
        ("simulate double-pendulum --t-end 1 --max-steps 3", 1, "`--max-steps` = 3 attempts"),
        (
            "simulate spherical-pendulum-cartesian --t-end 1 --method stormer-verlet --step 1e-2",
            1,
            "needs a mechanism without",
        ),
        ("simulate double-pendulum --t-end 1 --initial theta1=90deg --initial 'theta1_dot=30deg'", 0, "theta1"),
        ("simulate bouncing-ball --t-end 1 --initial y=90deg", 2, "`90deg` is an angle, and `y` is in m"),
        ("simulate bouncing-ball --t-end 1 --initial 'y=[1,2]'", 2, "`y` takes one value"),
        ("simulate motor-pendulum --t-end 1 --input 'voltage=-2*theta' --csv -", 0, ",voltage\n"),
        ("simulate motor-pendulum --t-end 1 --input 'voltage=min(max(-2*theta, -1), 1)' --period 0.05", 0, "t = 1"),
        ("simulate motor-pendulum --t-end 1 --input voltage", 2, "has no `=`; write NAME=EXPRESSION"),
        ("simulate motor-pendulum --t-end 1 --input voltage=", 2, "no expression behind `=`"),
        ("simulate motor-pendulum --t-end 1 --input 'voltage=-gain*theta'", 2, "no quantity `gain`"),
        ("simulate motor-pendulum --t-end 1 --input 'torque=1'", 2, "no input `torque`"),
        ("simulate motor-pendulum --t-end 1 --input 'voltage=theta' --set voltage=1", 2, "a law by --input"),
        ("simulate motor-pendulum --t-end 1 --input 'voltage=theta' --method rattle --step 1e-2", 2, "--period"),
        ("simulate motor-pendulum --t-end 1 --period 0.1", 2, "--input"),
        ("simulate kepler --t-end 1 --input u=1", 2, "no input `u` (there is none)"),
        ("simulate kepler --t-end 1 --force", 2, "--force"),
        ("simulate kepler --t-end 1 --csv /no/such/place/a.csv", 1, "cannot write"),
        ("simulate kepler --t-end 1 --csv .", 2, "it is a directory"),
        ("simulate kepler --settings nothing.toml --t-end 1", 2, "cannot read the settings"),
        ("simulate kepler --t-end 1 --unknown", 2, "unexpected argument '--unknown'"),
        ("simulate kepler --t-end 1 --csv /dev/full --points 100000", 1, "cannot write"),
    ]);
}

#[test]
fn sweeps() {
    check(&[
        ("sweep kepler --t-end 1 --vary x=0.5..1:3", 0, "3 members"),
        ("sweep kepler --t-end 1 --vary x=0.5..1:3 --json", 0, "\"members\""),
        ("sweep kepler --t-end 1 --vary x=0.5..1:3 --csv -", 0, "index,initial(x),t,x,y,x_dot,y_dot"),
        ("sweep kepler --t-end 1 --vary x=0.5..1:2 --vary y=0..1:2 --csv - --threads 1", 0, "\n3,"),
        ("sweep kepler --t-end 1 --vary x=0.1..1:3:log --csv -", 0, "\n2,1"),
        ("sweep double-pendulum --t-end 1 --vary theta1=0deg..90deg:3 --csv -", 0, "1.5707963267948966"),
        ("sweep double-pendulum --t-end 1 --vary m1=1..2:2 --csv -", 0, "index,m1,t,theta1"),
        ("sweep double-pendulum --t-end 1 --sample 'm1=normal(1,0.01)' --count 3 --seed 7 --csv -", 0, "index,m1"),
        ("sweep double-pendulum --t-end 1 --sample 'theta1=uniform(44deg,46deg)' --count 2", 0, "2 members"),
        ("sweep double-pendulum --t-end 5 --vary theta1=1..2:2 --every 1 --csv -", 0, "recorded"),
        ("sweep double-pendulum --t-end 5 --vary theta1=1..2:2 --section theta1=0 --csv -", 0, "recorded"),
        ("sweep double-pendulum --t-end 5 --vary theta1=1..2:2 --lyapunov --csv -", 0, "lyapunov"),
        ("sweep kepler --t-end 1", 2, "--vary <NAME=FROM..TO:COUNT>"),
        ("sweep kepler --t-end 1 --vary x", 2, "has no `=`"),
        ("sweep kepler --t-end 1 --vary x=1..2", 2, "is no range"),
        ("sweep kepler --t-end 1 --vary x=1..2:0", 2, "COUNT must be at least 1"),
        ("sweep kepler --t-end 1 --vary x=2..1:3", 2, "goes down"),
        ("sweep kepler --t-end 1 --vary x=1..1:3", 2, "is empty"),
        ("sweep kepler --t-end 1 --vary x=0..1:3:log", 2, "begins above 0"),
        ("sweep kepler --t-end 1 --vary w=1..2:3", 2, "no coordinate, velocity, parameter or input `w`"),
        ("sweep kepler --t-end 1 --vary x=1..2:3 --vary x=1..2:3", 2, "varies again"),
        ("sweep kepler --t-end 1 --vary x=1..2:3 --initial x=1", 2, "is also given a value"),
        ("sweep kepler --t-end 1 --sample 'x=normal(0,1)'", 2, "--count"),
        ("sweep kepler --t-end 1 --sample 'x=normal(0,0)' --count 2", 2, "it must be positive"),
        ("sweep kepler --t-end 1 --sample 'x=gauss(0,1)' --count 2", 2, "is no distribution"),
        ("sweep kepler --t-end 1 --vary x=1..2:3 --after 0.5", 2, "--after belongs to"),
        ("sweep kepler --t-end 1 --vary x=1..2:3 --csv - --json", 2, "both write to the standard output"),
        ("sweep kepler --t-end 1 --vary x=1..2:3 --show x", 2, "--plot"),
        ("sweep kepler --t-end 1 --vary x=1..2:3 --plot a.jpg", 2, "drawn as .svg or .png"),
        ("sweep double-pendulum --t-end 1 --vary m1=45deg..90deg:3", 2, "`45deg` is an angle, and `m1` is in kg"),
        (
            "sweep double-pendulum --t-end 1 --sample 'm2=uniform(1,90deg)' --count 2",
            2,
            "`90deg` is an angle, and `m2` is in kg",
        ),
        ("sweep kepler --t-end 1 --vary x=1..2:100000 --vary y=1..2:100000", 2, "at most"),
    ]);
}

#[test]
fn analyses_comparisons_and_sections() {
    check(&[
        ("analyse double-pendulum", 0, "stable"),
        ("analyse double-pendulum --json", 0, "\"eigenvalues\""),
        ("analyse double-pendulum --initial theta1=3.1 --initial theta2=3.1", 0, "unstable"),
        ("analyse spherical-pendulum-cartesian", 0, "stable"),
        ("analyse double-pendulum --set m1=0", 2, "m1"),
        ("analyse motor-pendulum --initial theta=pi --lqr=theta=10,voltage=0.1", 0, "--input 'voltage="),
        ("analyse motor-pendulum --lqr --json", 0, "\"regulator\""),
        ("analyse motor-pendulum --lqr=speed=1", 2, "no state or input `speed`"),
        ("analyse motor-pendulum --lqr=theta=-1", 2, "the weight of `theta` is negative"),
        ("analyse double-pendulum --lqr", 2, "`double-pendulum` has no input"),
        ("analyse double-pendulum --t-end 1", 2, "unexpected argument '--t-end'"),
        ("compare kepler --t-end 1 --method rk4 --method dop853", 0, "DOP853"),
        ("compare kepler --t-end 1 --method rk4 --json", 0, "\"error\""),
        ("compare kepler --t-end 1 --method rattle --composition kahan-li --step 0.05", 0, "kahan-li"),
        ("compare kepler --t-end 1 --method rk4 --composition kahan-li", 2, "--composition applies to none"),
        ("fit --help", 0, "standard errors"),
        ("fit kepler --vary x", 2, "--data <FILE>"),
        ("fit kepler --data nothing.csv --vary x", 2, "cannot read the recording `nothing.csv`"),
        ("fit kepler --data nothing.csv", 2, "--vary <NAMES>"),
        ("fit kepler --data nothing.csv --vary x --output fit.pdf", 2, "drawn as .svg or .png"),
        ("fit kepler --data nothing.csv --vary x --rtol 0", 2, "it must be positive"),
        ("compare kepler --t-end 0", 2, "its end must be after 0"),
        ("compare kepler --t-end 1 --rtol 0", 2, "it must be positive"),
        ("section double-pendulum --t-end 5", 2, "--at <NAME=VALUE>"),
        ("section double-pendulum --t-end 5 --at theta3=0", 2, "no coordinate, velocity or output `theta3`"),
        ("section double-pendulum --t-end 5 --at theta1=0:up", 2, "`up` is no direction"),
        ("section double-pendulum --t-end 5 --at theta1=0 --every 1", 2, "cannot be used with"),
        ("section double-pendulum --t-end 5 --at theta1=0 --after 5", 2, "is not before the end"),
        ("section double-pendulum --t-end 5 --at theta1=0 --x omega", 2, "no quantity `omega`"),
        ("section double-pendulum --t-end 5 --at theta1=0 --output a.gif", 2, "drawn as .svg or .png"),
        ("section double-pendulum --t-end 5 --at theta1=100 --output section-nothing.svg", 1, "no state was recorded"),
        ("plot kepler --t-end 1 --y z", 2, "no quantity `z`"),
        ("plot kepler --t-end 1 --output a.gif", 2, "drawn as .svg or .png"),
        ("plot kepler --t-end 0", 2, "its end must be after 0"),
        ("report kepler --t-end -1", 2, "--t-end must be above 0"),
        (
            "report kepler --t-end 1 --output calls-beside.html --force --beside mass=2",
            2,
            "--beside mass=2: no parameter `mass`",
        ),
        ("report kepler --t-end 1 --beside x", 2, "has no `=`"),
        ("report double-pendulum --t-end 1 --beside m1=90deg", 2, "`90deg` is an angle, and `m1` is in kg"),
        ("report kepler --t-end 1 --linear=middle", 2, "invalid value 'middle'"),
        ("report kepler --t-end 1 --linear --output calls-linear.html --force", 1, "there is no linear motion"),
        ("report motor-pendulum --t-end 1 --linear --input voltage=1", 2, "leave out --input"),
        (
            "plot motor-pendulum --t-end 1 --y voltage --input 'voltage=sin(t)' --output calls-input.svg --force",
            0,
            "is written",
        ),
        ("report kepler --t-end 1 --points few", 2, "is not a whole number from 0"),
        ("man /dev/null/pages", 1, "cannot write"),
    ]);
}

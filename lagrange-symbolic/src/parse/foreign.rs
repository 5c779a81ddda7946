//! What other languages call the things of a block: names of functions, constants, rates and statements from SymPy, NumPy,
//! MATLAB, Modelica, Julia and Rust, each with what is written here.

use crate::syntax::Intrinsic;

/// What to do about a function that does not exist, if it is known from elsewhere; `arguments` are the call's own.
pub fn function(name: &str, arguments: &[String]) -> Option<String> {
    let lower = name.to_lowercase();
    let whole = arguments.join(", ");
    if lower != name && Intrinsic::names().any(|known| known == lower) {
        return Some(write(&format!("{lower}({whole})")));
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let form = match arguments.as_slice() {
        [x] => of_one(&lower, x),
        [x, y] => of_two(&lower, x, y),
        [x, y, z] => of_three(&lower, x, y, z),
        _ => None,
    };
    form.or_else(|| vector(&lower, &whole)).map(|form| write(&form)).or_else(|| advice(&lower).map(ToOwned::to_owned))
}

fn write(form: &str) -> String {
    format!("write `{form}`")
}

fn of_one(name: &str, x: &str) -> Option<String> {
    let o = operand(x);
    Some(match name {
        "der" | "ddt" | "d" | "dt" | "diff" | "derivative" | "deriv" | "velocity" | "speed" | "rate" => {
            format!("dot({x})")
        }
        "ddot" | "dotdot" | "d2" | "acceleration" => format!("dot(dot({x}))"),
        "log" => format!("ln({x})"),
        "log10" => format!("ln({x})/ln(10)"),
        "log2" => format!("ln({x})/ln(2)"),
        "log1p" | "ln_1p" => format!("ln(1 + {x})"),
        "expm1" | "exp_m1" => format!("exp({x}) - 1"),
        "square" | "sqr" | "sq" => format!("{o}^2"),
        "cube" => format!("{o}^3"),
        "cbrt" => format!("sign({x})*abs({x})^(1/3)"),
        "recip" => format!("1/{o}"),
        "arcsin" => format!("asin({x})"),
        "arccos" => format!("acos({x})"),
        "arctan" => format!("atan({x})"),
        "asinh" | "arcsinh" => format!("ln({x} + sqrt({o}^2 + 1))"),
        "acosh" | "arccosh" => format!("ln({x} + sqrt({o}^2 - 1))"),
        "atanh" | "arctanh" => format!("ln((1 + {x})/(1 - {o}))/2"),
        "sec" => format!("1/cos({x})"),
        "csc" | "cosec" => format!("1/sin({x})"),
        "cot" => format!("1/tan({x})"),
        "sech" => format!("1/cosh({x})"),
        "coth" => format!("1/tanh({x})"),
        "sgn" | "signum" => format!("sign({x})"),
        "fabs" => format!("abs({x})"),
        "length" | "magnitude" | "mag" => format!("norm({x})"),
        "heaviside" | "step" => format!("if {x} < 0 {{ 0 }} else {{ 1 }}"),
        "ceil" | "ceiling" => format!("-floor(-{o})"),
        "round" => format!("floor({x} + 0.5)"),
        "trunc" | "fix" => format!("sign({x})*floor(abs({x}))"),
        "frac" | "fract" | "sawtooth" => format!("mod({x}, 1)"),
        "radians" | "deg2rad" | "to_radians" => format!("{o}*pi/180"),
        "degrees" | "rad2deg" | "to_degrees" => format!("{o}*180/pi"),
        "not" => format!("!({x})"),
        "float" | "real" | "double" | "f64" | "f32" | "integer" | "sympify" => x.to_owned(),
        "rotx" | "rot_x" => format!("rotation_x({x})"),
        "roty" | "rot_y" => format!("rotation_y({x})"),
        "rotz" | "rot_z" => format!("rotation_z({x})"),
        _ => return None,
    })
}

fn of_two(name: &str, x: &str, y: &str) -> Option<String> {
    Some(match name {
        "der" | "ddt" | "d" | "diff" | "derivative" | "deriv" if y == "t" => format!("dot({x})"),
        "pow" | "powi" | "powf" | "power" => format!("{}^{}", operand(x), operand(y)),
        "log" => format!("ln({x})/ln({y})"),
        "atan" | "arctan" | "arctan2" => format!("atan2({x}, {y})"),
        "fmod" | "rem" | "remainder" | "modulo" | "rem_euclid" => format!("mod({x}, {y})"),
        "distance" | "dist" => format!("norm({x} - {})", operand(y)),
        "vdot" | "scalar_product" | "dot_product" | "inner_product" => format!("inner({x}, {y})"),
        "vector_product" | "cross_product" => format!("cross({x}, {y})"),
        "matmul" => format!("{}*{}", operand(x), operand(y)),
        "rational" => format!("{}/{}", operand(x), operand(y)),
        "and" => format!("{x} && {y}"),
        "or" => format!("{x} || {y}"),
        _ => return None,
    })
}

fn of_three(name: &str, x: &str, y: &str, z: &str) -> Option<String> {
    Some(match name {
        "diff" | "derivative" if y == "t" && (z == "t" || z == "2") => format!("dot(dot({x}))"),
        "ifelse" | "where" | "iif" | "cond" | "select" | "merge" => format!("if {x} {{ {y} }} else {{ {z} }}"),
        "clamp" | "clip" | "saturate" => format!("max({y}, min({x}, {z}))"),
        "mul_add" => format!("{}*{} + {z}", operand(x), operand(y)),
        _ => return None,
    })
}

/// Constructors of vectors.
fn vector(name: &str, elements: &str) -> Option<String> {
    let is_vector = matches!(
        name,
        "vec" | "vector" | "array" | "matrix" | "mat" | "point" | "vec2" | "vec3" | "vector2" | "vector3"
    );
    (is_vector && !elements.is_empty())
        .then(|| if elements.starts_with('[') { elements.to_owned() } else { format!("[{elements}]") })
}

/// Advice about functions that have no counterpart in one expression.
fn advice(name: &str) -> Option<&'static str> {
    Some(match name {
        "jacobian" => {
            "the Jacobian of a constraint is `constraint_jacobian(name)`, and that of a quantity `partial(quantity, [x, y])`; both stand \
             in `verify` alone"
        }
        "diff" | "derivative" | "gradient" | "grad" | "partial" | "hessian" => {
            "partial derivatives are taken by the derivation; `dot(…)` is the total time derivative"
        }
        "ifelse" | "where" | "cond" => "write `if condition { a } else { b }`",
        "len" | "size" | "numel" => "a length is a constant of the block: `const n = 8;`",
        "symbol" | "symbols" | "dynamicsymbols" => {
            "coordinates are stated by `coordinates x;`, parameters are fields of the struct"
        }
        "interp" | "interp1" | "interp1d" | "interpolate" | "lookup" | "lut" | "cubicspline" | "griddedinterpolant" => {
            "a function through points is a table, `table name(x) = spline([x0, x1, …], [y0, y1, …]);`, and stands in formulas as `name(x)`"
        }
        "eye" | "identity" | "diag" | "zeros" | "ones" => "write the rows: `[[1, 0], [0, 1]]`",
        _ => return None,
    })
}

/// The argument of an operator: in parentheses where it is an operation itself.
fn operand(text: &str) -> String {
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || "_.()[]".contains(c));
    if is_plain { text.to_owned() } else { format!("({text})") }
}

/// A constant that is written otherwise here.
pub(crate) fn constant(name: &str) -> Option<&'static str> {
    Some(match name {
        "PI" | "Pi" | "π" | "M_PI" => "pi",
        "TAU" | "tau" | "τ" => "2*pi",
        "e" | "E" => "exp(1)",
        "time" => "t",
        _ => return None,
    })
}

/// The modules whose functions stand here without a prefix.
pub(crate) fn is_module(name: &str) -> bool {
    const MODULES: [&str; 16] = [
        "np", "numpy", "math", "Math", "sp", "sympy", "sm", "smp", "scipy", "cmath", "jnp", "jax", "torch", "ca",
        "casadi", "std",
    ];
    MODULES.contains(&name)
}

/// How a rate is written here, for the names that others use: `dot(theta)` for `theta_dot`, `dtheta`, `thetad`. `moves`
/// says which names are quantities with a rate.
pub fn rate(name: &str, moves: impl Fn(&str) -> bool) -> Option<String> {
    const INSIDE: [(&str, usize); 11] = [
        ("dotdot", 2),
        ("ddot", 2),
        ("_dd", 2),
        ("dot", 1),
        ("_dt", 1),
        ("_prime", 1),
        ("_velocity", 1),
        ("_vel", 1),
        ("_rate", 1),
        ("\u{308}", 2),
        ("\u{307}", 1),
    ];
    const BEFORE: [(&str, usize); 6] = [("d2", 2), ("dd", 2), ("a_", 2), ("d", 1), ("D", 1), ("v", 1)];
    const BEHIND: [(&str, usize); 3] = [("dd", 2), ("d", 1), ("_v", 1)];
    let name = &without_dots(name);
    let inside = INSIDE.iter().flat_map(|(mark, order)| {
        name.match_indices(mark).map(|(at, _)| (format!("{}{}", &name[..at], &name[at + mark.len()..]), *order))
    });
    let before = BEFORE.iter().filter_map(|(mark, order)| Some((name.strip_prefix(mark)?.to_owned(), *order)));
    let behind = BEHIND.iter().filter_map(|(mark, order)| Some((name.strip_suffix(mark)?.to_owned(), *order)));
    let candidates: Vec<(String, usize)> = inside.chain(before).chain(behind).collect();
    candidates.into_iter().find_map(|(rest, order)| {
        let bare = rest.trim_matches('_');
        let together = rest.replace('_', "");
        let single = bare.replace("__", "_");
        let known = [rest.as_str(), bare, &single, &together].into_iter().find(|rest| moves(rest))?;
        Some(if order == 1 { format!("dot({known})") } else { format!("dot(dot({known}))") })
    })
}

/// Letters with one or two dots above as a letter and its dots.
fn without_dots(name: &str) -> String {
    const DOTTED: [(&str, &str, char); 2] =
        [("ȧḃċḋėḟġḣṁṅȯṗṙṡṫẇẋẏż", "abcdefghmnoprstwxyz", '\u{307}'), ("äëïöẗüẅẍÿ", "aeiotuwxy", '\u{308}')];
    let mut text = String::new();
    for c in name.chars() {
        let found = DOTTED.iter().find_map(|(dotted, plain, dots)| {
            let at = dotted.chars().position(|other| other == c)?;
            Some((plain.chars().nth(at)?, *dots))
        });
        match found {
            Some((letter, dots)) => text.extend([letter, dots]),
            None => text.push(c),
        }
    }
    text
}

/// What to write instead of a word that begins no statement.
pub(crate) fn statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "coords" | "dof" | "dofs" | "var" | "vars" | "variable" | "variables" | "states" | "dynamicsymbols" => {
            "coordinates are stated by `coordinates x, y;`"
        }
        "parameter" | "parameters" | "param" | "params" | "input" | "inputs" => {
            "parameters are the fields of the struct, inputs those marked `#[input]`"
        }
        "T" | "KE" | "ke" | "Ekin" | "kinetic_energy" => "the kinetic energy is stated by `kinetic = …;`",
        "V" | "U" | "PE" | "pe" | "Epot" | "potential_energy" => "the potential energy is stated by `potential = …;`",
        "L" | "Lagrangian" => "the Lagrangian is stated by `lagrangian = …;`",
        "D" | "rayleigh" | "Rayleigh" | "damping" => "the dissipation function is stated by `dissipation = …;`",
        "Q" | "generalized_force" | "actuator" => "a force is stated by `force x = …;`",
        "couple" | "moment" => "a couple on a body is stated by `torque orientation = …;`",
        "initial" | "init" | "ic" | "start" => {
            "the initial state is given where the motion is solved: `State::new(t, q, v)`"
        }
        "holonomic" => "a holonomic constraint is stated by `constraint name: left == right;`",
        "for" | "while" | "loop" => {
            "indexed statements are written `let p[i in 0..8] = …;`, sums `sum(i in 0..8, term)`"
        }
        "if" | "match" => "a choice is an expression: `let a = if condition { b } else { c };`",
        "fn" | "def" | "function" => "a quantity is named by `let`, a Rust function by `extern`",
        "use" | "import" | "from" | "mod" => "a block needs no imports; a Rust function is named by `extern`",
        "print" | "println" | "dbg" | "return" => "what is to be seen is stated by `output name = …;`",
        "pub" | "static" | "mut" => "write the statement without it",
        "equation" | "der" | "ddt" | "eq" | "eqn" | "equations" => {
            "equations of motion are derived, not stated: write energies, forces and constraints"
        }
        _ => return None,
    })
}

//! The nesting of the scopes of declarations in functions that compute many values.

use lagrange_symbolic::expand;
use proc_macro2::{TokenStream, TokenTree};

/// The largest number of declarations that one block of the code has: to a debugger the scope of each lies in the scope of the one before.
fn deepest(code: TokenStream) -> usize {
    let (mut own, mut inner) = (0, 0);
    for tree in code {
        match tree {
            TokenTree::Group(group) => inner = inner.max(deepest(group.stream())),
            TokenTree::Ident(name) if name == "let" => own += 1,
            _ => {}
        }
    }
    own.max(inner)
}

fn scopes(block: &str, item: &str) -> (usize, usize) {
    let code = expand(super::parse(block), super::parse(item));
    (deepest(code.clone()), code.to_string().len())
}

/// A debug build of a function with some thousand declarations in a row ends in an overflow of the compiler's stack.
#[test]
fn functions_with_many_values_have_few_scopes() {
    let arm = |n: usize| {
        let block = format!(
            "coordinates q[{n}];
            let r[0] = rotation_z(q[0]);
            let r[i in 1..{n}] = r[i - 1]*rotation_y(q[i])*rotation_x(l);
            let x[0] = l*r[0]*[1, 2, 3];
            let x[i in 1..{n}] = x[i - 1] + l*r[i]*[3, 2, 1];
            kinetic = sum(i in 0..{n}, rigid_body_energy(m, inertia, x[i], r[i]));
            potential = sum(i in 0..{n}, m*g*x[i][2]);
            max_operations = 100000;"
        );
        scopes(&block, "struct Arm { m: f64, l: f64, g: f64, inertia: [[f64; 3]; 3] }")
    };
    // Each sum of two angles has a sine and a cosine of its own, which one statement names.
    let coupled = |n: usize| {
        let block = format!(
            "coordinates q[{n}];
            kinetic = m*sum(i in 0..{n}, dot(q[i])^2)/2;
            potential = m*g*l*sum(i in 1..{n}, cos(q[i] + q[i - 1])*sin(q[i] + q[i - 1]));"
        );
        scopes(&block, "struct Coupled { m: f64, l: f64, g: f64 }")
    };
    for (family, small, large) in [(&arm as &dyn Fn(usize) -> (usize, usize), 1, 9), (&coupled, 20, 400)] {
        let [(_, short), (deep, long)] = [small, large].map(family);
        assert!(long > 5 * short, "{short} {long}");
        assert!(deep <= 300, "{deep}");
    }
}

//! Emitted code in a hostile crate: warnings are errors, lints cannot be allowed, there is no prelude, and every name that
//! the code uses itself has another meaning.

#![deny(warnings)]
#![forbid(
    unsafe_code,
    non_upper_case_globals,
    non_snake_case,
    non_camel_case_types,
    unused_variables,
    unused_imports,
    unused_mut,
    unused_parens,
    unused_qualifications,
    unused_results,
    unreachable_code,
    unreachable_pub,
    dead_code,
    deprecated,
    missing_docs,
    missing_debug_implementations,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    let_underscore_drop
)]

use lagrange_runtime::prelude::*;

/// Types and modules with every name that emitted code uses itself, without a prelude.
#[no_implicit_prelude]
pub mod names {
    use ::lagrange_runtime::lagrangian;
    /// Ours.
    #[derive(::std::fmt::Debug)]
    pub struct Option;
    /// Ours.
    #[derive(::std::fmt::Debug)]
    pub struct Result;
    /// Ours.
    pub trait System {}
    /// Ours.
    pub trait Scalar {}
    /// Ours.
    #[derive(::std::fmt::Debug)]
    pub struct SVector;
    /// Ours.
    #[derive(::std::fmt::Debug)]
    pub struct Prepared;
    /// Ours.
    #[derive(::std::fmt::Debug)]
    pub struct R;
    /// Ours.
    #[derive(::std::fmt::Debug)]
    pub struct N;
    /// Ours.
    pub mod derived {
        /// A function of the user's own.
        pub fn f<R: ::lagrange_runtime::scalar::Scalar>(x: R) -> R {
            x * x
        }
    }
    /// Ours.
    pub mod emitted {}
    /// Ours.
    pub mod system {}
    /// Ours.
    pub mod core {}
    /// Ours.
    pub mod nalgebra {}

    /// No parameters.
    #[lagrangian {
        coordinates FACTS, new, default, x, COORDINATES, INDEX, r#type[2], q, v, t1, u, out, x1, sin_x1, p_M, inputs, columns;
        extern f(x) = derived::f, d(x) = derived::f, d(x, x) = derived::f;
        kinetic = (dot(FACTS)^2 + dot(new)^2 + dot(default)^2 + dot(x)^2 + dot(COORDINATES)^2 + dot(INDEX)^2 + norm2(dot(r#type)) + dot(q)^2 + dot(v)^2
            + dot(t1)^2 + dot(u)^2 + dot(out)^2 + dot(x1)^2 + dot(sin_x1)^2 + dot(p_M)^2 + dot(inputs)^2 + dot(columns)^2)/2;
        potential = sin(x1) + cos(2*sin_x1) + sin(p_M) + inputs^2 + columns^2 + f(x);
    }]
    #[derive(::std::clone::Clone, ::std::fmt::Debug)]
    pub struct Empty {}

    impl Empty {
        /// User's.
        pub fn x(&self) {}
        /// User's.
        pub fn new() -> Self {
            Self {}
        }
        /// User's.
        pub const FACTS: i8 = 3;
    }
    impl ::std::default::Default for Empty {
        fn default() -> Self {
            Self::new()
        }
    }

    /// Fields.
    #[lagrangian {
        coordinates x;
        table f(x) = spline([0, 1, 2], [k, 1, 0]);
        kinetic = (M + L)*dot(x)^2/2;
        potential = R*x + r#fn*f(x) + inputs*x*parameters + single*x;
        constraint c: x == k*sin(t);
        force x = S;
        output o = x;
        max_operations = 1000;
    }]
    #[derive(::std::clone::Clone, ::std::fmt::Debug)]
    pub struct Letters {
        /// M.
        pub M: f64,
        /// M.
        pub L: f64,
        /// M.
        pub R: f64,
        /// M.
        pub k: f64,
        /// M.
        pub r#fn: f64,
        /// M.
        pub inputs: f64,
        /// M.
        pub parameters: f64,
        /// M.
        pub single: f32,
        /// M.
        #[input]
        pub S: f64,
    }
    /// Generic, with units.
    #[lagrangian {
        coordinates x: m;
        kinetic = M*dot(x)^2/2;
        potential = R*x;
        output ALL: m = x;
        output r#type = x^2;
    }]
    #[derive(::std::clone::Clone, ::std::fmt::Debug)]
    pub struct Generic<R> {
        /// M.
        #[unit(kg)]
        pub M: R,
        /// M.
        pub R: R,
    }

    /// Large.
    #[lagrangian {
        const n = 12;
        coordinates theta[n];
        let p[0] = l[0]*[sin(theta[0]), -cos(theta[0])];
        let p[i in 1..n] = p[i - 1] + l[i]*[sin(theta[i]), -cos(theta[i])];
        kinetic = sum(i in 0..n, m[i]*norm2(dot(p[i]))/2);
        potential = g*sum(i in 0..n, m[i]*p[i][1]);
    }]
    #[derive(::std::clone::Clone, ::std::fmt::Debug)]
    pub struct Large {
        /// m.
        pub m: [f64; 12],
        /// l.
        pub l: [f64; 12],
        /// g.
        pub g: f64,
    }
}

use names::{Empty, Generic, Large, Letters};

/// A user's constant, method and function keep their names; the index keeps those of the coordinates.
#[test]
fn names_of_coordinates_meet_no_other_names() {
    let empty = Empty::new();
    empty.x();
    assert_eq!((Empty::FACTS, Empty::INDEX.FACTS, Empty::INDEX.new, Empty::INDEX.x), (3, 0, 1, 3));
    assert_eq!(Empty::INDEX.r#type, [6, 7]);
    assert_eq!(Empty::COORDINATES[Empty::INDEX.p_M], "p_M");
    let facts = <Empty as Mechanism<18, 0, 0>>::FACTS;
    assert!(facts.conservative);
    let mut empty = Empty::default();
    assert!(empty.set_parameter("m", 1.0).is_err() && empty.parameter("m").is_err());
}

/// V = sin x₁ + cos(2 s) + sin(p_M) with a coordinate named as the sine of the other one: each force is its own.
#[test]
fn names_of_coordinates_meet_no_names_of_intermediate_results() {
    let system = Empty::new().prepare::<f64>().expect("there is no parameter");
    let at = Empty::INDEX;
    let (mut q, v) = (SVector::<f64, 18>::zeros(), SVector::<f64, 18>::zeros());
    (q[at.x1], q[at.sin_x1], q[at.p_M]) = (0.3, 0.7, -0.4);
    let a = system.acceleration(0.0, &q, &v, &SVector::from([])).expect("the masses are one").acceleration;
    for (index, expected) in [(at.x1, -0.3_f64.cos()), (at.sin_x1, 2.0 * 1.4_f64.sin()), (at.p_M, -(-0.4_f64).cos())] {
        assert!((a[index] - expected).abs() < 1e-15, "{index}: {} is not {expected}", a[index]);
    }
}

#[test]
fn hostile_mechanisms_run() {
    let letters =
        Letters { M: 1.0, L: 1.0, R: 2.0, k: 0.5, r#fn: 0.3, inputs: 0.1, parameters: 0.2, single: 1.5, S: 0.4 };
    let system = letters.prepare::<f64>().expect("all is finite");
    let (q, v, u) = (SVector::from([0.0]), SVector::from([0.5]), SVector::from([0.4]));
    let solved = system.acceleration(0.0, &q, &v, &u).expect("the constraint is regular");
    assert!(solved.acceleration[0].abs() < 1e-15, "the motion is prescribed: x = k sin t");
    assert!((letters.parameter("single").expect("it is a parameter") - 1.5).abs() < 1e-15);
    let falling = Generic { M: 2.0, R: 3.0 }.prepare::<f64>().expect("all is finite");
    let a = falling.acceleration(0.0, &q, &v, &SVector::from([])).expect("the mass is positive").acceleration;
    assert!((a[0] + 1.5).abs() < 1e-15);
    let large = Large { m: [1.0; 12], l: [0.1; 12], g: 9.8 }.prepare::<f64>().expect("all is finite");
    assert!(
        large.balance_jacobian(0.0, &SVector::zeros(), &SVector::zeros(), &SVector::from([])).mass_matrix[(0, 0)] > 0.1
    );
}

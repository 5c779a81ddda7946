//! Large mechanisms: the sparse solve against the dense one, Jacobians by dual numbers against dual numbers through the
//! whole acceleration, and singular states.

use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use lagrange_runtime::system::Acceleration;
use lagrange_runtime::{__private as emitted, error::SingularMass};
use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::{derivation, parse};
use lagrange_tests::random::Random;

/// A mechanism for the compiler, and the same block as text for the derivation.
macro_rules! mechanism {
    ($text:ident, $name:ident { $($(#[$mark:ident])? $field:ident: $type:ty),* }, { $($block:tt)* }) => {
        const $text: (&str, &str) = (stringify!($($block)*), stringify!(struct $name { $($(#[$mark])? $field: $type),* }));

        #[lagrangian { $($block)* }]
        #[derive(Clone, Debug)]
        struct $name {
            $($(#[$mark])? $field: $type),*
        }
    };
}

#[path = "scale/pieces.rs"]
mod pieces;
#[path = "scale/table.rs"]
mod table;

mechanism!(CHAIN, Chain { m: [f64; 12], l: [f64; 12], g: f64, c: f64 }, {
    const n = 12;
    coordinates theta[n];
    let p[0] = l[0]*[sin(theta[0]), -cos(theta[0])];
    let p[i in 1..n] = p[i - 1] + l[i]*[sin(theta[i]), -cos(theta[i])];
    kinetic = sum(i in 0..n, m[i]*norm2(dot(p[i]))/2);
    potential = g*sum(i in 0..n, m[i]*p[i][1]);
    dissipation = c*sum(i in 0..n, dot(theta[i])^2)/2;
});

// A cart that carries three chains of rods, each angle relative to the rod before it.
mechanism!(TREE, Tree { m: [f64; 3], j: f64, l: f64, g: f64, push: f64 }, {
    coordinates x, a[3], b[2], c[4];
    let base = [x, 0*x];
    let wa[0] = a[0];
    let wa[i in 1..3] = wa[i - 1] + a[i];
    let pa[0] = base + l*[sin(wa[0]), -cos(wa[0])];
    let pa[i in 1..3] = pa[i - 1] + l*[sin(wa[i]), -cos(wa[i])];
    let wb[0] = wa[0] + b[0];
    let wb[1] = wb[0] + b[1];
    let pb[0] = pa[0] + l*[sin(wb[0]), -cos(wb[0])];
    let pb[1] = pb[0] + l*[sin(wb[1]), -cos(wb[1])];
    let wc[0] = c[0];
    let wc[i in 1..4] = wc[i - 1] + c[i];
    let pc[0] = base + l*[sin(wc[0]), -cos(wc[0])];
    let pc[i in 1..4] = pc[i - 1] + l*[sin(wc[i]), -cos(wc[i])];
    kinetic = m[0]*dot(x)^2/2
        + sum(i in 0..3, m[1]*norm2(dot(pa[i]))/2 + j*dot(wa[i])^2/2)
        + sum(i in 0..2, m[2]*norm2(dot(pb[i]))/2 + j*dot(wb[i])^2/2)
        + sum(i in 0..4, m[1]*norm2(dot(pc[i]))/2 + j*dot(wc[i])^2/2);
    potential = g*(sum(i in 0..3, m[1]*pa[i][1]) + sum(i in 0..2, m[2]*pb[i][1]) + sum(i in 0..4, m[1]*pc[i][1]));
    force x = push*cos(t);
});

// Points on rods without inertia: two rods hang on one point, and three on a cart that moves on a slope. The kinetic energy of one
// point contains the product of its two velocities, one rod has inertia, one point has no mass, and one rod begins at the mirror image of a
// point.
mechanism!(BRANCHES, Branches { m: f64, j: f64, l: [f64; 10], g: f64, push: f64 }, {
    coordinates x, a[4], b[2], c[3], d;
    let base = [x, x/3];
    let pa[0] = base + l[0]*[sin(a[0]), -cos(a[0])];
    let pa[i in 1..3] = pa[i - 1] + l[i]*[sin(a[i]), -cos(a[i])];
    let pa[3] = [pa[2][1], pa[2][0]] + l[3]*[sin(a[3]), -cos(a[3])];
    let pb[0] = pa[1] + l[4]*[sin(b[0]), -cos(b[0])];
    let pb[1] = pb[0] + l[5]*[sin(b[1]), -cos(b[1])];
    let pc[0] = base + l[6]*[sin(c[0]), -cos(c[0])];
    let pc[i in 1..3] = pc[i - 1] + l[6 + i]*[sin(c[i]), -cos(c[i])];
    let pd = base + l[9]*[cos(d), 2*sin(d)];
    kinetic = m*dot(x)^2/2 + m*sum(i in 0..4, norm2(dot(pa[i])))/2 + m*dot(pa[1][0])*dot(pa[1][1])/2
        + m*norm2(dot(pb[1])) + j*dot(c[1])^2/2 + m*sum(i in 0..3, norm2(dot(pc[i])))/4 + m*norm2(dot(pd))/2;
    potential = m*g*(sum(i in 0..4, pa[i][1]) + 2*pb[1][1] + sum(i in 0..3, pc[i][1])/2 + pd[1]);
    force x = push*cos(t);
});

// Points on rods without inertia everywhere: three chains that begin at a cart whose track moves, one of which is longer than the elimination
// goes without a division. Angles count from other directions, a force and a resistance act on points, and the third rod of the second chain
// counts from the point before it with its coordinates exchanged.
mechanism!(LINKS, Links { m: [f64; 4], l: [f64; 3], g: f64, push: f64, c: f64 }, {
    coordinates x, a[11], b[5], d[3];
    let base = [x, sin(2*t)/3];
    let pa[0] = base + l[0]*[sin(a[0]), -cos(a[0])];
    let pa[i in 1..11] = pa[i - 1] + l[1]*[cos(a[i]), sin(a[i])];
    let pb[0] = base + l[2]*[-sin(b[0]), cos(b[0])];
    let pb[1] = pb[0] + l[0]*[sin(b[1]), -cos(b[1])];
    let pb[2] = [pb[1][1], pb[1][0]] + l[0]*[sin(b[2]), -cos(b[2])];
    let pb[i in 3..5] = pb[i - 1] + l[1]*[cos(b[i]), -sin(b[i])];
    let pd[0] = [t^2, 0] + l[0]*[sin(d[0]), -cos(d[0])];
    let pd[i in 1..3] = pd[i - 1] - l[2]*[sin(d[i]), -cos(d[i])];
    kinetic = m[0]*dot(x)^2/2 + m[1]*sum(i in 0..11, norm2(dot(pa[i])))/2 + m[2]*sum(i in 0..5, norm2(dot(pb[i])))/2
        + m[3]*sum(i in 0..3, norm2(dot(pd[i])))/2;
    potential = g*(m[1]*sum(i in 0..11, pa[i][1]) + m[2]*sum(i in 0..5, pb[i][1]) + m[3]*sum(i in 0..3, pd[i][1]));
    dissipation = c*norm2(dot(pb[2]))/2;
    force pa[3] = [push*cos(t), push*dot(a[4])];
});

// Points in a row that springs and rods of growing lengths join, with four rods across, so that there are loops; a spinning body at the end couples two of
// its coordinates in M.
mechanism!(NET, Net { m: [f64; 10], l: f64, g: f64, j: f64, #[input] drive: f64 }, {
    coordinates r[10][2], turn;
    force turn = drive;
    force r[4] = [drive*sin(t), 0];
    kinetic = sum(i in 0..10, m[i]*norm2(dot(r[i]))/2) + j*(dot(turn) + dot(r[9][0]))^2/2;
    potential = g*sum(i in 0..10, m[i]*r[i][1]) + sum(i in 1..10, (r[i][0] - r[i - 1][0])^4);
    constraint rod[i in 1..10]: norm2(r[i] - r[i - 1]) == l^2*(1 + t^3);
    constraint across[i in 0..4]: norm2(r[i] - r[8 - i]) == (1 + i)*l^2;
});

// Points on springs and dampers in a row, one of which is driven and slides on a moving floor. Few of their coordinates meet in one row.
mechanism!(SPRINGS, Springs { m: [f64; 10], l: f64, k: f64, c: f64, g: f64, #[input] drive: f64, #[input] brake: f64 }, {
    coordinates r[10][2];
    kinetic = sum(i in 0..10, m[i]*norm2(dot(r[i]))/2);
    potential = g*sum(i in 0..10, m[i]*r[i][1]) + k*sum(i in 1..10, (sqrt(norm2(r[i] - r[i - 1])) - l)^2)/2;
    dissipation = c*sum(i in 1..10, norm2(dot(r[i]) - dot(r[i - 1])))/2;
    force r[3] = [drive*cos(t), -c*(dot(r[3][1]) - t)];
    force r[9] = -brake*norm2(dot(r[9]))*dot(r[9]);
});

// Masses that no structure shows to be positive.
mechanism!(LIGHT, Light { m: [f64; 8], lost: f64, l: f64, g: f64 }, {
    coordinates theta[8];
    let p[0] = l*[sin(theta[0]), -cos(theta[0])];
    let p[i in 1..8] = p[i - 1] + l*[sin(theta[i]), -cos(theta[i])];
    kinetic = sum(i in 0..8, (m[i] - lost)*norm2(dot(p[i]))/2);
    potential = g*sum(i in 0..8, (m[i] - lost)*p[i][1]);
});

// Bodies in space on a slide: an arm with an oblique axis, and a branch with a rod that extends.
mechanism!(ARM, Arm { m: [f64; 4], j: [f64; 3], l: f64, g: f64, c: f64, #[input] pull: f64 }, {
    coordinates s, q[5], b[2];
    let r[0] = rotation_z(q[0])*rotation_y(q[1]);
    let p[0] = [s, 0, 0] + r[0]*[0, 0, l];
    let r[1] = r[0]*rotation_x(q[2]);
    let p[1] = p[0] + r[1]*[l/2, 0, l];
    let r[2] = r[1]*rotation([2/7, -3/7, 6/7], q[3])*rotation_z(q[4]);
    let p[2] = p[1] + r[2]*[0, l/3, l];
    let r[3] = r[0]*rotation_y(b[0])*rotation_x(0.3);
    let p[3] = p[0] + r[3]*[0, 0, l + b[1]];
    kinetic = m[0]*dot(s)^2/2 + sum(i in 0..4, rigid_body_energy(m[i], [[j[0], j[2]/9, 0], [j[2]/9, j[1], 0], [0, 0, j[2]]], p[i], r[i]));
    potential = g*sum(i in 0..4, m[i]*p[i][2]) + c*b[1]^2/2;
    dissipation = c*dot(q[2])^2/8;
    force p[2] = [pull, 0, cos(t)];
    force b[0] = pull*l;
});

/// Numbers in (−1, 1): the multiples of the golden ratio (Weyl).
fn spread(state: usize, index: usize) -> f64 {
    2.0 * (0.618_033_988_749_895 * (state * 97 + index + 1) as f64 + 0.1 * index as f64).fract() - 1.0
}

fn chain() -> Chain {
    let of = |scale: f64, k: usize| core::array::from_fn(|i| scale * (1.5 + spread(k, i)));
    Chain { m: of(1.0, 1), l: of(0.4, 2), g: 9.8, c: 0.1 }
}

fn tree() -> Tree {
    Tree { m: [2.0, 1.0, 0.7], j: 0.05, l: 0.5, g: 9.8, push: 3.0 }
}

fn state<R: Scalar, const N: usize>(state: usize) -> (SVector<R, N>, SVector<R, N>) {
    (
        SVector::from_fn(|i, _| R::from_f64(3.0 * spread(state, i))),
        SVector::from_fn(|i, _| R::from_f64(2.0 * spread(state + 1000, i))),
    )
}

fn evaluations((block, item): (&str, &str)) -> Evaluations {
    let spec = parse::parse(block.parse().unwrap(), item.parse().unwrap()).unwrap();
    let mut derived = derivation(&spec).unwrap_or_else(|report| panic!("{:?}", report.entries()));
    Evaluations::new(&mut derived.model.graph, &derived.equations)
}

/// The largest difference of two vectors over the larger's size.
fn difference<const N: usize>(a: &SVector<f64, N>, b: &SVector<f64, N>) -> f64 {
    (a - b).amax() / a.amax().max(b.amax()).max(1e-300)
}

/// Sparse against dense at many states; what the dense solve itself loses is measured in doubled precision.
fn assert_sparse_is_dense<M: Mechanism<N, 0, 0>, const N: usize>(mechanism: &M) {
    type Wide = lagrange_runtime::scalar::DoubleDouble;
    let none = SVector::from([]);
    let (system, wide) = (mechanism.prepare::<f64>().unwrap(), mechanism.prepare::<Wide>().unwrap());
    let none_wide = SVector::from([]);
    for k in 0..200 {
        let (q, v) = state::<f64, N>(k);
        let (q_wide, v_wide) = state::<Wide, N>(k);
        let t = Wide::from_f64(0.3);
        let sparse = wide.acceleration(t, &q_wide, &v_wide, &none_wide).unwrap().acceleration;
        let dense = emitted::acceleration(&wide.equations(t, &q_wide, &v_wide, &none_wide)).unwrap().acceleration;
        let (sparse, exact) = (sparse.map(Scalar::to_f64), dense.map(Scalar::to_f64));
        assert!(difference(&sparse, &exact) < 1e-15, "state {k}: {sparse} {exact}");
        let ours = system.acceleration(0.3, &q, &v, &none).unwrap().acceleration;
        let dense = emitted::acceleration(&system.equations(0.3, &q, &v, &none)).unwrap().acceleration;
        let (lost, dense_lost) = (difference(&ours, &exact), difference(&dense, &exact));
        assert!(lost < 1e-13 + 10.0 * dense_lost, "state {k}: sparse loses {lost:e}, dense {dense_lost:e}");

        let p = SVector::from_fn(|i, _| spread(k + 2000, i));
        let corrected = system.velocity_correction(0.3, &q, &v, &p).unwrap();
        let momentum = system.balance(0.3, &q, &corrected, &none).momentum;
        assert!((momentum - p).amax() < 1e-11, "state {k}: {momentum} {p}");
    }
}

#[test]
fn a_chain_solved_through_its_links_is_solved() {
    assert_sparse_is_dense(&chain());
}

#[test]
fn a_tree_solved_through_its_links_is_solved() {
    assert_sparse_is_dense(&tree());
}

/// Two rods hang on one point, three on a cart that moves on a slope, and rods are connected to a rod with inertia and a point without mass.
fn arm() -> Arm {
    Arm { m: [1.3, 0.7, 1.1, 0.4], j: [0.2, 0.3, 0.25], l: 0.6, g: 9.8, c: 0.7, pull: 1.5 }
}

/// Bodies in space against the pivoted solution, forwards and backwards.
#[test]
fn an_arm_solved_through_its_bodies_is_solved() {
    let system = arm().prepare::<f64>().unwrap();
    let u = system.default_inputs();
    for k in 0..100 {
        let (q, v) = state::<f64, 8>(k);
        let equations = system.equations(0.3, &q, &v, &u);
        let pivoted = emitted::acceleration(&equations).unwrap().acceleration;
        let ours = system.acceleration(0.3, &q, &v, &u).unwrap().acceleration;
        assert!(difference(&ours, &pivoted) < 1e-11, "state {k}: {ours} {pivoted}");
        let a = SVector::from_fn(|i, _| spread(k + 1000, i));
        let (needed, dense) =
            (system.inverse_dynamics(0.3, &q, &v, &a, &u), equations.mass_matrix * a - equations.forcing);
        assert!(difference(&needed, &dense) < 1e-12, "state {k}: {needed} {dense}");
        let p = SVector::from_fn(|i, _| spread(k + 2000, i));
        let corrected = system.velocity_correction(0.3, &q, &v, &p).unwrap();
        assert!((system.balance(0.3, &q, &corrected, &u).momentum - p).amax() < 1e-12, "state {k}");
    }
}

/// The operations of trees of bodies are proportional to the number of bodies: 6, 12 and 24 joints with full inertia tensors.
#[test]
fn an_arm_takes_so_many_operations_a_joint() {
    let mut before: Option<[u32; 2]> = None;
    for n in [6, 12, 24] {
        let block = format!(
            "coordinates q[{n}];
            let r[0] = rotation_z(q[0]);
            let r[i in 1..{n}] = r[i - 1]*rotation_y(q[i])*rotation_x(pi/2);
            let p[0] = r[0]*[0, 0, l];
            let p[i in 1..{n}] = p[i - 1] + r[i]*[0, 0, l];
            let c[0] = r[0]*com;
            let c[i in 1..{n}] = p[i - 1] + r[i]*com;
            kinetic = sum(i in 0..{n}, rigid_body_energy(m, j, c[i], r[i]));
            potential = sum(i in 0..{n}, m*g*c[i][2]);"
        );
        let item = "struct Arm { m: f64, l: f64, com: [f64; 3], j: [[f64; 3]; 3], g: f64 }";
        let evaluations = evaluations((&block, item));
        let routines = [&evaluations.acceleration, &evaluations.residual];
        let counts = routines.map(|routine| routine.as_ref().expect("it is written out").count().total());
        if let Some(before) = before {
            for (count, before) in counts.iter().zip(before) {
                // The first joints of an arm take fewer.
                assert!(10 * count < 27 * before, "{before} and {count} operations");
            }
        }
        assert!(counts[0] < 420 * n && counts[1] < 190 * n, "{n} joints: {counts:?}");
        before = Some(counts);
        let tokens = |text: &str| text.parse().expect("tokens");
        let expansion = lagrange_symbolic::expand(tokens(&block), tokens(item)).to_string();
        assert!(!expansion.contains("one_evaluation_of_these"), "{n} joints are called dense");
    }
}

#[test]
fn branches_of_rods_solved_through_their_links_are_solved() {
    let l = core::array::from_fn(|i| 0.4 * (1.5 + spread(5, i)));
    assert_sparse_is_dense(&Branches { m: 0.8, j: 0.05, l, g: 9.8, push: 3.0 });
}

#[test]
fn chains_of_links_on_a_cart_are_solved() {
    assert_sparse_is_dense(&links());
}

fn links() -> Links {
    Links { m: [1.3, 0.7, 1.1, 0.4], l: [0.5, 0.8, 0.3], g: 9.8, push: 2.0, c: 0.3 }
}

/// Masses that differ by twelve orders of magnitude, against the solution in doubled precision. The forces of heavy points on light ones
/// lose digits in every solution. The elimination loses about as many as the pivoted solution.
#[test]
fn light_and_heavy_points_lose_no_more_digits_than_pivots() {
    type Wide = lagrange_runtime::scalar::DoubleDouble;
    let (none, none_wide) = (SVector::from([]), SVector::from([]));
    for powers in [[-6, 6, 0], [6, 0, -6], [0, -6, -6], [6, 6, -6]] {
        let chain = Chain { m: core::array::from_fn(|i| 10.0_f64.powi(powers[i % 3])), c: 0.0, ..chain() };
        let (system, wide) = (chain.prepare::<f64>().unwrap(), chain.prepare::<Wide>().unwrap());
        let [mut lost, mut pivoted_lost] = [0.0_f64; 2];
        for k in 0..50 {
            let (q, v) = state::<f64, 12>(k);
            let (q_wide, v_wide) = state::<Wide, 12>(k);
            let exact = emitted::acceleration(&wide.equations(Wide::from_f64(0.3), &q_wide, &v_wide, &none_wide));
            let exact = exact.unwrap().acceleration.map(Scalar::to_f64);
            let ours = system.acceleration(0.3, &q, &v, &none).unwrap().acceleration;
            let pivoted = emitted::acceleration(&system.equations(0.3, &q, &v, &none)).unwrap().acceleration;
            lost = lost.max(difference(&ours, &exact));
            pivoted_lost = pivoted_lost.max(difference(&pivoted, &exact));
        }
        assert!(lost < 4.0 * pivoted_lost, "{powers:?}: {lost:e} against {pivoted_lost:e}");
    }
}

/// The product of two masses of 1e-23 kg is 0 in single precision. The acceleration of a chain under gravity does not depend on the unit of
/// mass, so that it must be that of a chain of usual masses.
#[test]
fn a_chain_of_the_lightest_points_is_not_lost_by_underflow() {
    let none = SVector::from([]);
    let usual = Chain { c: 0.0, ..chain() };
    let light = Chain { m: usual.m.map(|m| 1e-23 * m), ..usual.clone() };
    let [usual, light] = [usual, light].map(|chain| chain.prepare::<f32>().unwrap());
    for k in 0..50 {
        let (q, v) = state::<f32, 12>(k);
        let [usual, light] =
            [&usual, &light].map(|system| system.acceleration(0.3, &q, &v, &none).unwrap().acceleration.map(f64::from));
        let relative = difference(&usual, &light);
        assert!(relative < 1e-2, "state {k}: {relative:e}");
    }
}

#[test]
fn links_take_fewer_operations_than_the_mass_matrix() {
    for (block, coordinates) in [(CHAIN, 12), (TREE, 10), (BRANCHES, 11), (LIGHT, 8), (LINKS, 20)] {
        let evaluations = evaluations(block);
        let acceleration = evaluations.acceleration.expect("it is written out").count().total();
        assert!(acceleration < 100 * coordinates, "{acceleration}");
        assert!(evaluations.balance_jacobian.is_none() && evaluations.residual_jacobian.is_none());
    }
}

fn net() -> Net {
    Net { m: core::array::from_fn(|i| 1.5 + spread(7, i)), l: 0.7, g: 9.8, j: 0.4, drive: 0.5 }
}

/// The bordered system in its sparse order against the pivoted solution, and the work against that of a full matrix of 34 rows, which
/// takes more than 14 000 operations.
#[test]
fn a_net_of_rods_is_solved_in_a_sparse_order() {
    type Wide = lagrange_runtime::scalar::DoubleDouble;
    let evaluations = evaluations(NET);
    let operations = evaluations.acceleration.expect("it is written out").count().total();
    assert!(operations < 1500, "{operations}");
    let (system, wide) = (net().prepare::<f64>().unwrap(), net().prepare::<Wide>().unwrap());
    let (none, none_wide) = (system.default_inputs(), wide.default_inputs());
    let mut random = Random::new(11);
    for k in 0..100 {
        let mut draw = || SVector::<f64, 21>::from_fn(|_, _| random.between(-3.0, 3.0));
        let (q, v) = (draw(), draw());
        let (q_wide, v_wide) = (q.map(Wide::from_f64), v.map(Wide::from_f64));
        let t = Wide::from_f64(0.3);
        let exact = emitted::constrained_acceleration(&wide, t, q_wide, v_wide, none_wide).unwrap();
        let sparse = wide.acceleration(t, &q_wide, &v_wide, &none_wide).unwrap();
        let of = |found: &Acceleration<Wide, 21, 13>| {
            (found.acceleration.map(Scalar::to_f64), found.multipliers.map(Scalar::to_f64))
        };
        let ((a, lambda), (a_sparse, lambda_sparse)) = (of(&exact), of(&sparse));
        assert!(difference(&a, &a_sparse) < 1e-14 && difference(&lambda, &lambda_sparse) < 1e-14, "state {k}");
        let ours = system.acceleration(0.3, &q, &v, &none).unwrap();
        let pivoted = emitted::constrained_acceleration(&system, 0.3, q, v, none).unwrap();
        let (lost, pivoted_lost) = (difference(&ours.acceleration, &a), difference(&pivoted.acceleration, &a));
        assert!(lost < 1e-12 + 30.0 * pivoted_lost, "state {k}: sparse loses {lost:e}, pivoted {pivoted_lost:e}");

        let p = SVector::from_fn(|i, _| spread(k + 2000, i));
        let corrected = system.velocity_correction(0.3, &q, &v, &p).unwrap();
        assert!((system.balance(0.3, &q, &corrected, &none).momentum - p).amax() < 1e-11, "state {k}");
    }
}

/// Where two rods coincide, a constraint is redundant, and the pivoted solution names it.
#[test]
fn a_redundant_rod_of_a_net_is_named() {
    let (mut q, v) = state::<f64, 21>(3);
    // The point 5 is where the point 3 is, so that the rods from 4 to either are the same.
    (q[10], q[11]) = (q[6], q[7]);
    let system = net().prepare::<f64>().unwrap();
    let found = system.acceleration(0.3, &q, &v, &system.default_inputs());
    assert!(matches!(found, Err(SingularMass { of: PivotOf::Constraint { .. }, .. })), "{found:?}");
}

/// Derivatives of the accelerations and multipliers by dual numbers through the solution itself, against what the contract gives.
fn assert_jacobians<M, const N: usize, const C: usize, const U: usize, const P: usize>(mechanism: &M)
where
    M: Mechanism<N, C, U>,
{
    type Varied = Dual<f64, 1>;
    let system = mechanism.prepare::<f64>().unwrap();
    let lifted = mechanism.prepare::<Varied>().unwrap();
    let u = system.default_inputs();
    let slopes = |solved: &Acceleration<Varied, N, C>| {
        (solved.acceleration.map(|x| x.derivatives[0]), solved.multipliers.map(|x| x.derivatives[0]))
    };
    let mut random = Random::new(5);
    for _ in 0..3 {
        let mut draw = || SVector::<f64, N>::from_fn(|_, _| random.between(-3.0, 3.0));
        let (q, v) = (draw(), draw());
        let found = system.acceleration_jacobian(0.3, &q, &v, &u).unwrap();
        let size = found.acceleration_q.amax().max(1.0);
        let load = found.multipliers_q.amax().max(1.0);
        let fixed = (Varied::constant(0.3), q.map(Varied::constant), v.map(Varied::constant), u.map(Varied::constant));
        let check = |(t, q, v, u): (Varied, SVector<Varied, N>, SVector<Varied, N>, SVector<Varied, U>),
                     a: SVector<f64, N>,
                     lambda: SVector<f64, C>,
                     by: &str| {
            let solved = lifted.acceleration(t, &q, &v, &u).unwrap();
            assert!((solved.acceleration.map(|x| x.value) - found.acceleration).amax() < 1e-10 * size);
            let (of_a, of_lambda) = slopes(&solved);
            assert!((of_a - a).amax() < 1e-10 * size, "∂a/∂{by}: {of_a} {a}");
            assert!((of_lambda - lambda).iter().all(|x| x.abs() < 1e-10 * load), "∂λ/∂{by}: {of_lambda} {lambda}");
        };
        for i in 0..N {
            let mut varied = fixed;
            varied.1[i] = Dual::variable(q[i], 0);
            let (a, lambda) = (found.acceleration_q.column(i), found.multipliers_q.column(i));
            check(varied, a.into_owned(), lambda.into_owned(), &format!("q{i}"));
            let mut varied = fixed;
            varied.2[i] = Dual::variable(v[i], 0);
            let (a, lambda) = (found.acceleration_v.column(i), found.multipliers_v.column(i));
            check(varied, a.into_owned(), lambda.into_owned(), &format!("v{i}"));
        }
        for i in 0..U {
            let mut varied = fixed;
            varied.3[i] = Dual::variable(u[i], 0);
            let (a, lambda) = (found.acceleration_u.column(i), found.multipliers_u.column(i));
            check(varied, a.into_owned(), lambda.into_owned(), &format!("u{i}"));
        }
        check((Dual::variable(0.3, 0), fixed.1, fixed.2, fixed.3), found.acceleration_t, found.multipliers_t, "t");

        let balance = system.balance_jacobian(0.3, &q, &v, &u);
        assert!((balance.mass_matrix - system.equations(0.3, &q, &v, &u).mass_matrix).amax() < 1e-12);
        assert_eq!(balance.momentum, system.balance(0.3, &q, &v, &u).momentum);
        for i in 0..N {
            let mut varied = fixed.1;
            varied[i] = Dual::variable(q[i], 0);
            let b = lifted.balance(fixed.0, &varied, &fixed.2, &fixed.3);
            assert!((b.momentum.map(|entry| entry.derivatives[0]) - balance.momentum_q.column(i)).amax() < 1e-12);
            assert!((b.balance.map(|entry| entry.derivatives[0]) - balance.balance_q.column(i)).amax() < 1e-12 * size);
            let mut varied = fixed.2;
            varied[i] = Dual::variable(v[i], 0);
            let b = lifted.balance(fixed.0, &fixed.1, &varied, &fixed.3);
            assert!((b.momentum.map(|entry| entry.derivatives[0]) - balance.mass_matrix.column(i)).amax() < 1e-12);
            assert!((b.balance.map(|entry| entry.derivatives[0]) - balance.balance_v.column(i)).amax() < 1e-12 * size);
        }
        let rates = system.balance_rates(0.3, &q, &v, &u);
        let b = lifted.balance(Dual::variable(0.3, 0), &fixed.1, &fixed.2, &fixed.3);
        assert!((b.momentum.map(|entry| entry.derivatives[0]) - rates.momentum_t).amax() < 1e-12);
        assert!((b.balance.map(|entry| entry.derivatives[0]) - rates.balance_t).amax() < 1e-12 * size);
        for i in 0..U {
            let mut varied = fixed.3;
            varied[i] = Dual::variable(u[i], 0);
            let b = lifted.balance(fixed.0, &fixed.1, &fixed.2, &varied);
            assert!((b.balance.map(|entry| entry.derivatives[0]) - rates.balance_u.column(i)).amax() < 1e-12 * size);
        }

        let mut columns = [Acceleration { acceleration: SVector::zeros(), multipliers: SVector::zeros() }; P];
        system.acceleration_parameters(0.3, &q, &v, &u, &mut columns).unwrap();
        let values: Vec<f64> = M::PARAMETERS.iter().map(|name| mechanism.parameter(name).unwrap()).collect();
        assert_eq!(values.len(), P);
        for (index, column) in columns.iter().enumerate() {
            let varied: Vec<Varied> = values
                .iter()
                .enumerate()
                .map(|(k, &value)| if k == index { Dual::variable(value, 0) } else { Dual::constant(value) })
                .collect();
            let varied = M::prepare_from(&varied, &fixed.3).unwrap();
            let (a, lambda) = slopes(&varied.acceleration(fixed.0, &fixed.1, &fixed.2, &fixed.3).unwrap());
            let name = M::PARAMETERS[index];
            assert!((a - column.acceleration).amax() < 1e-10 * a.amax().max(size), "∂a/∂{name}");
            let most = lambda.iter().fold(load, |most, x| most.max(x.abs()));
            assert!((lambda - column.multipliers).iter().all(|x| x.abs() < 1e-10 * most), "∂λ/∂{name}");
        }
    }
}

#[test]
fn jacobians_of_a_chain_are_those_of_its_acceleration() {
    assert_jacobians::<_, 12, 0, 0, 26>(&chain());
}

#[test]
fn jacobians_of_a_tree_are_those_of_its_acceleration() {
    assert_jacobians::<_, 10, 0, 0, 7>(&tree());
}

#[test]
fn jacobians_of_an_arm_are_those_of_its_acceleration() {
    let evaluations = evaluations(ARM);
    assert!(evaluations.residual_jacobian.is_some() && evaluations.residual_parameters.is_none());
    assert_jacobians::<_, 8, 0, 1, 10>(&arm());
}

#[test]
fn jacobians_of_branches_and_links_are_those_of_their_accelerations() {
    let l = core::array::from_fn(|i| 0.4 * (1.5 + spread(5, i)));
    assert_jacobians::<_, 11, 0, 0, 14>(&Branches { m: 0.8, j: 0.05, l, g: 9.8, push: 3.0 });
    assert_jacobians::<_, 20, 0, 0, 10>(&links());
}

#[test]
fn jacobians_of_a_net_of_rods_are_those_of_its_acceleration() {
    assert_jacobians::<_, 21, 13, 1, 13>(&net());
}

/// The derivatives of p, f and r in directions that serve several variables each, and a diagonal M that is solved as such.
#[test]
fn jacobians_of_points_on_springs_take_few_directions() {
    let evaluations = evaluations(SPRINGS);
    for pattern in [evaluations.balance_pattern, evaluations.residual_pattern] {
        let directions = pattern.expect("few coordinates meet").groups.into_iter().max().expect("variables") + 1;
        assert!((6..=14).contains(&directions), "{directions}");
    }
    let operations = evaluations.acceleration.expect("it is written out").count().total();
    assert!(operations < 600, "{operations}");
    let m = core::array::from_fn(|i| 1.5 + spread(9, i));
    assert_jacobians::<_, 20, 0, 2, 14>(&Springs { m, l: 0.4, k: 30.0, c: 0.3, g: 9.8, drive: 2.0, brake: 0.1 });
}

/// Where the elimination meets an unsafe pivot, the pivoted solution gives the Jacobian.
#[test]
fn jacobians_of_indefinite_masses_are_solved_with_pivots() {
    let mut odd = Light { m: [2.0; 8], lost: 1.0, l: 0.5, g: 9.8 };
    odd.m[7] = 0.3;
    assert_jacobians::<_, 8, 0, 0, 11>(&odd);
}

/// Without the last mass nothing resists the last angle; without the one before, nothing does where two rods align.
#[test]
fn a_singular_mass_matrix_is_named() {
    let none = SVector::from([]);
    let (q, v) = state::<f64, 8>(5);
    let mut light = Light { m: [2.0; 8], lost: 1.0, l: 0.5, g: 9.8 };
    assert!(light.prepare::<f64>().unwrap().acceleration(0.0, &q, &v, &none).is_ok());
    light.m[7] = light.lost;
    let found = light.prepare::<f64>().unwrap().acceleration(0.0, &q, &v, &none);
    assert!(matches!(found, Err(SingularMass { of: PivotOf::Coordinate(7), .. })), "{found:?}");

    let mut light = Light { m: [2.0; 8], lost: 1.0, l: 0.5, g: 9.8 };
    light.m[6] = light.lost;
    let system = light.prepare::<f64>().unwrap();
    assert!(system.acceleration(0.0, &q, &v, &none).is_ok());
    let mut aligned = q;
    aligned[6] = aligned[7];
    let found = system.acceleration(0.0, &aligned, &v, &none);
    assert!(matches!(found, Err(SingularMass { of: PivotOf::Coordinate(6 | 7), .. })), "{found:?}");
    assert!(found.unwrap_err().pivot.abs() < 1e-12);
}

/// A negative mass leaves M regular and indefinite: the pivoted solve takes over.
#[test]
fn an_indefinite_mass_matrix_is_solved_with_pivots() {
    let none = SVector::from([]);
    let mut odd = Light { m: [2.0; 8], lost: 1.0, l: 0.5, g: 9.8 };
    odd.m[7] = 0.3;
    let system = odd.prepare::<f64>().unwrap();
    for k in 0..20 {
        let (q, v) = state::<f64, 8>(k);
        let a = system.acceleration(0.0, &q, &v, &none).unwrap().acceleration;
        let equations = system.equations(0.0, &q, &v, &none);
        let left = equations.mass_matrix * a - equations.forcing;
        assert!(left.amax() < 1e-11 * (equations.mass_matrix * a).amax().max(1.0), "state {k}: {left}");
    }
}

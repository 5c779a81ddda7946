//! Branches of equilibria: folds, branch points, Hopf points.

use lagrange_runtime::analysis::{AnalysisError, Bifurcation, BranchEnd, Continuation, EquilibriumSearch};
use lagrange_runtime::prelude::*;

/// Von Mises's truss: two bars of length l from (±b, 0) to the apex (0, y), loaded from above.
#[lagrangian {
    coordinates y;
    kinetic = m*dot(y)^2/2;
    potential = k*(sqrt(b^2 + y^2) - l)^2 + load*y;
}]
#[derive(Clone, Debug)]
struct Truss {
    m: f64,
    k: f64,
    b: f64,
    l: f64,
    load: f64,
}

/// Z. P. Bažant, L. Cedolin, *Stability of Structures*, 4.4: load = −2 k y (1 − l/√(b² + y²)) snaps through where
/// (b² + y²)^(3/2) = l b².
#[test]
fn a_truss_snaps_through_at_its_folds() {
    let truss = Truss { m: 1.0, k: 10.0, b: 1.0, l: 1.2, load: 0.0 };
    let height = (truss.l * truss.l - truss.b * truss.b).sqrt();
    let branch =
        Continuation::new("load", -3.0, 3.0).run(&truss, &EquilibriumSearch::new([height], [])).expect("a branch");
    assert_eq!(branch.ends, [BranchEnd::Range, BranchEnd::Range]);
    let fold = ((truss.l * truss.b * truss.b).powf(2.0 / 3.0) - truss.b * truss.b).sqrt();
    let load = -2.0 * truss.k * fold * (1.0 - truss.l / truss.b.hypot(fold));
    assert_eq!(branch.special.len(), 2, "{:?}", branch.special);
    for (special, side) in branch.special.iter().zip([1.0, -1.0]) {
        assert_eq!(special.kind, Bifurcation::Fold);
        assert!((special.point.parameter - side * load).abs() < 1e-12, "{special:?} {load}");
        assert!((special.point.equilibrium.state.q[0] - side * fold).abs() < 1e-7, "{special:?} {fold}");
    }
    for point in &branch.points {
        let y = point.equilibrium.state.q[0];
        let balance = -2.0 * truss.k * y * (1.0 - truss.l / truss.b.hypot(y));
        assert!((point.parameter - balance).abs() < 1e-11, "{point:?}");
        // Between the folds it is unstable.
        let inside = y.abs() < fold;
        assert!(point.unstable == usize::from(inside) || (y.abs() - fold).abs() < 1e-3, "{point:?}");
    }
    let ends = [branch.points[0].parameter, branch.points[branch.points.len() - 1].parameter];
    assert_eq!(ends.map(f64::abs), [3.0, 3.0]);
}

/// A bead on a hoop that turns about its vertical diameter.
#[lagrangian {
    coordinates theta;
    kinetic = m*r^2*(dot(theta)^2 + omega^2*sin(theta)^2)/2;
    potential = -m*g*r*cos(theta);
}]
#[derive(Clone, Debug)]
struct Bead {
    m: f64,
    r: f64,
    omega: f64,
    g: f64,
}

/// H. Goldstein et al., *Classical Mechanics*, 3rd ed., derivation 2.18: the bottom is left at ω² = g/r, along cos θ = g/(ω² r).
#[test]
fn a_bead_leaves_the_bottom_of_its_hoop() {
    let bead = Bead { m: 1.0, r: 0.5, omega: 1.0, g: 9.81 };
    let branch = Continuation::new("omega", 0.5, 8.0).run(&bead, &EquilibriumSearch::new([0.0], [])).expect("a branch");
    assert_eq!(branch.special.len(), 1, "{:?}", branch.special);
    assert_eq!(branch.special[0].kind, Bifurcation::BranchPoint);
    assert!((branch.special[0].point.parameter - (bead.g / bead.r).sqrt()).abs() < 1e-9, "{:?}", branch.special);
    // A switch of branches leads to the same points, and another switch back to the bottom, in any units.
    for (length, time) in [(1.0, 1.0), (1e-9, 1.0), (1.0, 1e6), (1e-9, 1e6), (1e9, 1e-6), (1e-6, 1e-9)] {
        let bead = Bead { m: 1.0, r: 0.5 * length, omega: 1.0 / time, g: 9.81 * length / (time * time) };
        let (rates, bottom) = (Continuation::new("omega", 0.5 / time, 8.0 / time), EquilibriumSearch::new([0.0], []));
        let straight = rates.run(&bead, &bottom).expect("a branch");
        let risen = rates.switch(&bead, &bottom, &straight.special[0]).expect("the other branch");
        assert_eq!((risen.special.len(), risen.special[0].kind), (1, Bifurcation::BranchPoint));
        let largest = risen.points.iter().map(|point| point.equilibrium.state.q[0].abs()).fold(0.0, f64::max);
        assert!((largest.cos() - 9.81 / (64.0 * 0.5)).abs() < 1e-9, "{largest}");
        for point in risen.points.iter().filter(|point| point.equilibrium.state.q[0].abs() > 1e-3) {
            let cos = bead.g / (point.parameter.powi(2) * bead.r);
            assert!((point.equilibrium.state.q[0].cos() - cos).abs() < 1e-11, "{point:?}");
        }
        let back = rates.switch(&bead, &bottom, &risen.special[0]).expect("the bottom");
        // At the branch point itself θ is known to the root of the rounding.
        let critical = (bead.g / bead.r).sqrt();
        let away = back.points.iter().filter(|point| (point.parameter / critical - 1.0).abs() > 1e-3);
        let angles: Vec<f64> = away.map(|point| point.equilibrium.state.q[0].abs()).collect();
        assert!(angles.len() > 10 && angles.iter().all(|angle| *angle < 1e-9), "{length}: {angles:?}");
    }
    // The other branch, from above: it comes back to the branch point, and turns back there.
    let risen = Bead { omega: 7.0, ..bead.clone() };
    let branch =
        Continuation::new("omega", 0.5, 8.0).run(&risen, &EquilibriumSearch::new([1.1], [])).expect("a branch");
    for point in branch.points.iter().filter(|point| point.equilibrium.state.q[0].abs() > 1e-3) {
        let cos = bead.g / (point.parameter.powi(2) * bead.r);
        assert!((point.equilibrium.state.q[0].cos() - cos).abs() < 1e-11, "{point:?}");
    }
    assert_eq!(branch.special.len(), 1, "{:?}", branch.special);
    assert_eq!(branch.special[0].kind, Bifurcation::BranchPoint);
    assert!((branch.special[0].point.parameter - (bead.g / bead.r).sqrt()).abs() < 1e-9, "{:?}", branch.special);
}

/// Ziegler's column: two rods of length l with joints of stiffness k and damping b, masses 2m and m, a load that follows the tip.
#[lagrangian {
    coordinates lower, upper;

    let knee = [l*sin(lower), l*cos(lower)];
    let tip  = knee + [l*sin(upper), l*cos(upper)];

    kinetic     = m*norm2(dot(knee)) + m*norm2(dot(tip))/2;
    potential   = k*(lower^2 + (upper - lower)^2)/2;
    dissipation = b*(dot(lower)^2 + (dot(upper) - dot(lower))^2)/2;
    force tip   = -load*[sin(upper), cos(upper)];
}]
#[derive(Clone, Debug)]
struct Ziegler {
    m: f64,
    l: f64,
    k: f64,
    b: f64,
    #[input]
    load: f64,
}

/// H. Ziegler, *Die Stabilitätskriterien der Elastomechanik*, Ing.-Arch. 20, 1952: with B² = b²/(k m l²) it flutters at
/// load·l/k = 41/28 + B²/2, with ω² = 2 k/(7 m l²); without damping at 7/2 − √2, with ω⁴ = k²/(2 m² l⁴).
#[test]
fn a_follower_load_makes_a_column_flutter() {
    let column = Ziegler { m: 2.0, l: 0.5, k: 3.0, b: 0.4, load: 0.0 };
    let Ziegler { m, l, k, b, .. } = column;
    let straight = EquilibriumSearch::new([0.0, 0.0], [0.0]);
    let branch = Continuation::new("load", 0.0, 20.0).run(&column, &straight).expect("a branch");
    let square = b * b / (k * m * l * l);
    assert_eq!(branch.special.len(), 1, "{:?}", branch.special);
    let special = &branch.special[0];
    let Bifurcation::Hopf { frequency } = special.kind else { panic!("{special:?}") };
    let load = (41.0 / 28.0 + square / 2.0) * k / l;
    assert!((special.point.parameter - load).abs() < 1e-10 * load, "{special:?} {load}");
    assert!((frequency - (2.0 * k / (7.0 * m * l * l)).sqrt()).abs() < 1e-10, "{special:?}");

    let branch = Continuation::new("load", 0.0, 20.0).run(&Ziegler { b: 0.0, ..column }, &straight).expect("a branch");
    let special = &branch.special[0];
    let Bifurcation::Hopf { frequency } = special.kind else { panic!("{special:?}") };
    let load = (3.5 - 2.0_f64.sqrt()) * k / l;
    assert!((special.point.parameter - load).abs() < 1e-9 * load, "{special:?} {load}");
    assert!((frequency.powi(4) - (k / (m * l * l)).powi(2) / 2.0).abs() < 1e-5, "{special:?}");
}

/// A pendulum in Cartesian coordinates under a horizontal force: it leans by tan θ = push/(m g), and λ balances both.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: norm([x, y]) == l;
    force x = push;
}]
#[derive(Clone, Debug)]
struct Leaning {
    m: f64,
    g: f64,
    l: f64,
    #[input]
    push: f64,
}

#[test]
fn a_constrained_branch_follows_its_closed_form() {
    let leaning = Leaning { m: 1.5, g: 9.81, l: 2.0, push: 0.0 };
    let hanging = EquilibriumSearch::new([0.0, -2.0], [0.0]);
    let branch = Continuation::new("push", -10.0, 30.0).run(&leaning, &hanging).expect("a branch");
    assert!(branch.special.is_empty() && branch.ends == [BranchEnd::Range, BranchEnd::Range]);
    for point in &branch.points {
        let weight = leaning.m * leaning.g;
        let pull = point.parameter.hypot(weight);
        let found = &point.equilibrium;
        assert!((found.multipliers[0] + pull).abs() < 1e-10 * pull, "{point:?}");
        assert!((found.state.q[0] - leaning.l * point.parameter / pull).abs() < 1e-10, "{point:?}");
        assert_eq!(point.unstable, 0);
    }
    // The length as the parameter moves the constraint itself.
    let branch = Continuation::new("l", 1.0, 3.0).run(&leaning, &hanging).expect("a branch");
    assert!(branch.points.iter().all(|point| (point.equilibrium.state.q[1] + point.parameter).abs() < 1e-12));
}

#[test]
fn what_cannot_be_continued_is_said() {
    let leaning = Leaning { m: 1.5, g: 9.81, l: 2.0, push: 0.0 };
    let hanging = EquilibriumSearch::new([0.0, -2.0], [0.0]);
    let error = Continuation::new("height", 0.0, 1.0).run(&leaning, &hanging).expect_err("no such parameter");
    assert_eq!(error.to_string(), "there is no parameter or input `height`; known: `m`, `g`, `l`, `push`");
    for wrong in [Continuation::new("l", 3.0, 1.0), Continuation::new("l", 1.0, 3.0).with_max_step(0.0)] {
        let error = wrong.run(&leaning, &hanging).expect_err("no range");
        assert!(matches!(error, AnalysisError::NotApplicable { .. }), "{error}");
    }
    // A length of 0 or below is refused by `prepare`: what was found until then is kept.
    let branch = Continuation::new("l", -1.0, 3.0).run(&leaning, &hanging).expect("a branch");
    assert!(branch.points.len() > 10 && matches!(branch.ends[0], BranchEnd::Failed(_)), "{:?}", branch.ends);
}

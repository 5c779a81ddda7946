//! The methods that fit a mechanism.

use lagrange_cli::catalog::{GaussStages, MethodChoice, Model, Pair, Scheme, SymmetricRule};

/// A method with what is varied.
pub(super) struct Contender {
    /// Its name in the legend.
    pub(super) name: &'static str,
    /// The method of a tolerance or a step.
    pub(super) choice: Box<dyn Fn(f64) -> MethodChoice>,
    /// Whether a step is varied, and not a tolerance.
    pub(super) fixed: bool,
}

impl Contender {
    /// The tolerances or the steps, from coarse to fine.
    pub(super) fn settings(&self, t_end: f64) -> Vec<f64> {
        if self.fixed {
            (4..20).map(|halvings| t_end / f64::from(1_u32 << halvings)).collect()
        } else {
            (2..=14).map(|decade| 10.0_f64.powi(-decade)).collect()
        }
    }
}

fn by_tolerance(name: &'static str, pair: Pair) -> Contender {
    let choice =
        move |tolerance| MethodChoice::Adaptive { pair, rtol: tolerance, atol: tolerance, max_step: f64::INFINITY };
    Contender { name, choice: Box::new(choice), fixed: false }
}

fn by_step(name: &'static str, choice: impl Fn(f64) -> MethodChoice + 'static) -> Contender {
    Contender { name, choice: Box::new(choice), fixed: true }
}

/// All methods whose step adapts, of those that fit the mechanism.
pub(super) fn adaptive(model: &dyn Model) -> Vec<Contender> {
    let facts = model.facts();
    let mut all = vec![
        by_tolerance("Bogacki–Shampine 3(2)", Pair::BogackiShampine3),
        by_tolerance("Runge–Kutta–Fehlberg 4(5)", Pair::Rkf45),
        by_tolerance("Dormand–Prince 5(4)", Pair::DormandPrince5),
        by_tolerance("Tsitouras 5(4)", Pair::Tsitouras5),
        by_tolerance("Verner 6(5)", Pair::Verner6),
        by_tolerance("DOP853", Pair::Dop853),
        by_tolerance("Verner 9(8)", Pair::Verner9),
        by_tolerance("extrapolation", Pair::Extrapolation),
    ];
    if facts.unconstrained && facts.velocity_free_acceleration {
        all.push(by_tolerance("Nyström 8(6)", Pair::Nystrom8));
    }
    all
}

/// Methods of a fixed step: one of each kind and order, of those that fit the mechanism.
pub(super) fn fixed(model: &dyn Model) -> Vec<Contender> {
    let facts = model.facts();
    let symmetric = |rule, scheme| move |step| MethodChoice::Symmetric { step, rule, scheme };
    let gauss = |stages| move |step| MethodChoice::Gauss { step, stages };
    let mut all = vec![
        by_step("Runge–Kutta 4", |step| MethodChoice::Rk4 { step }),
        by_step("Verlet, predicted", |step| MethodChoice::Verlet { step }),
        by_step("variational midpoint", symmetric(SymmetricRule::VariationalMidpoint, None)),
        by_step("RATTLE", symmetric(SymmetricRule::Rattle, None)),
        by_step("RATTLE, Kahan–Li 6", symmetric(SymmetricRule::Rattle, Some(Scheme::KahanLi))),
        by_step("Gauss, 2 stages", gauss(GaussStages::Two)),
        by_step("Gauss, 4 stages", gauss(GaussStages::Four)),
    ];
    if facts.unconstrained {
        all.push(by_step("Gauss, 6 stages", gauss(GaussStages::Six)));
    }
    if facts.separable && facts.velocity_free_acceleration && facts.unconstrained {
        all.push(by_step("Störmer–Verlet, Kahan–Li 6", |step| MethodChoice::StormerVerlet {
            step,
            scheme: Some(Scheme::KahanLi),
        }));
    }
    all
}

/// What the others are compared with.
pub(super) fn reference(model: &dyn Model, t_end: f64) -> MethodChoice {
    if model.facts().unconstrained {
        MethodChoice::Gauss { step: t_end / 1500.0, stages: GaussStages::Six }
    } else {
        MethodChoice::Adaptive { pair: Pair::Verner9, rtol: 1e-14, atol: 1e-14, max_step: t_end / 100.0 }
    }
}

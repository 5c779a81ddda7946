//! The methods that fit a mechanism.

use clap::ValueEnum;
use lagrange_cli::catalog::{Kind, MethodChoice, MethodName, Model, Scheme};

/// A method of which the tolerance or the fixed step is varied.
pub(super) struct Contender {
    /// The method's name in the legend.
    pub(super) name: &'static str,
    /// The method with a given tolerance or step.
    pub(super) choice: Box<dyn Fn(f64) -> MethodChoice>,
    /// Whether the method has a fixed step, which is then varied instead of a tolerance.
    pub(super) fixed: bool,
}

impl Contender {
    /// Returns the tolerances or the steps, from coarse to fine.
    pub(super) fn settings(&self, t_end: f64) -> Vec<f64> {
        if self.fixed {
            (4..20).map(|halvings| t_end / f64::from(1_u32 << halvings)).collect()
        } else {
            (2..=14).map(|decade| 10.0_f64.powi(-decade)).collect()
        }
    }
}

/// Returns the methods with an adaptive step that fit the mechanism, without those for stiff ones: no mechanism of the diagrams is stiff.
pub(super) fn adaptive(model: &dyn Model) -> Vec<Contender> {
    let all = MethodName::value_variants().iter().copied().filter(|method| method.kind().is_adaptive());
    let all = all.filter(|method| !matches!(method.kind(), Kind::AdaptiveStiff | Kind::AdaptiveStiffFree));
    let by_tolerance = |method: MethodName| Contender {
        name: method.label(),
        choice: Box::new(move |tolerance| MethodChoice::with_tolerance(method, tolerance)),
        fixed: false,
    };
    all.filter(|method| method.kind().fits(&model.facts())).map(by_tolerance).collect()
}

/// Methods with a fixed step, one of each kind and order. Each has its name in the legend and its
/// composition.
const FIXED: [(MethodName, &str, Option<Scheme>); 9] = [
    (MethodName::Rk4, MethodName::Rk4.label(), None),
    (MethodName::Verlet, MethodName::Verlet.label(), None),
    (MethodName::VariationalMidpoint, MethodName::VariationalMidpoint.label(), None),
    (MethodName::Rattle, MethodName::Rattle.label(), None),
    (MethodName::Rattle, "RATTLE, Kahan–Li 6", Some(Scheme::KahanLi)),
    (MethodName::Gauss2, MethodName::Gauss2.label(), None),
    (MethodName::Gauss4, MethodName::Gauss4.label(), None),
    (MethodName::Gauss6, MethodName::Gauss6.label(), None),
    (MethodName::StormerVerlet, "Störmer–Verlet, Kahan–Li 6", Some(Scheme::KahanLi)),
];

/// Returns the methods with a fixed step that fit the mechanism. Gauss's method of 6 stages is
/// compared only for mechanisms without constraints.
pub(super) fn fixed(model: &dyn Model) -> Vec<Contender> {
    let facts = model.facts();
    let fits = |method: MethodName| method.kind().fits(&facts) && (facts.unconstrained || method != MethodName::Gauss6);
    let all = FIXED.into_iter().filter(|(method, ..)| fits(*method));
    all.map(|(method, name, composition)| Contender {
        name,
        choice: Box::new(move |step| MethodChoice { composition, ..MethodChoice::with_step(method, step) }),
        fixed: true,
    })
    .collect()
}

/// Returns the method whose result counts as exact.
pub(super) fn reference(model: &dyn Model, t_end: f64) -> MethodChoice {
    if model.facts().unconstrained {
        MethodChoice::with_step(MethodName::Gauss6, t_end / 1500.0)
    } else {
        MethodChoice { max_step: Some(t_end / 100.0), ..MethodChoice::with_tolerance(MethodName::Verner9, 1e-14) }
    }
}

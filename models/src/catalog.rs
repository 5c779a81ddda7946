//! The mechanisms by name, for programs that choose one while they run.
//!
//! A [`Model`] hides the mechanism's type and its numbers of coordinates, constraints and inputs. Simulation goes through
//! `dyn System`, so that each method is compiled once for each shape, and not once for each mechanism.

mod adaptive;
mod entry;
mod error;
mod request;
mod simulate;
mod structured;

pub use error::RequestError;
pub use request::{GaussStages, MethodChoice, Pair, Request, Scheme, SymmetricRule};
pub use simulate::{Sample, Summary};
use simulate::{constrained, free, redundant};

use crate::{
    BeadOnRotatingHoop, CartesianPendulum, ChargeInFields, CompoundDoublePendulum, CompoundDoublePendulumWithDrag,
    CoupledCircuits, DoublePendulum, FourBarLinkage, HeavyTop, HeavyTopQuaternion, HenonHeiles, Kepler, KnifeEdge,
    LcPlate, Loudspeaker, MagneticLevitation, MotorPendulum, OuterSolarSystem, Parallelogram, RigidPendulum, RlcPlate,
    RollingDisc, SphericalPendulum, SphericalPendulumCartesian, TriplePendulum, TriplePendulumCartesian,
};
use entry::Entry;
use lagrange_runtime::system::Facts;
use std::ops::ControlFlow;

/// A parameter or an input, with its default value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value where none is given, in SI units.
    pub default: f64,
    /// Whether it is an input, which may vary in time, and not a parameter.
    pub input: bool,
}

/// A mechanism of the catalog.
pub trait Model: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn summary(&self) -> &'static str;

    /// Where it was published.
    fn source(&self) -> &'static str;

    /// The coordinates' names, in the order of q.
    fn coordinates(&self) -> &'static [&'static str];

    /// Parameters, then inputs, with the published values.
    fn parameters(&self) -> Vec<Parameter>;

    /// The published initial coordinates and velocities, in the order of [`Model::coordinates`].
    fn initial(&self) -> (Vec<f64>, Vec<f64>);

    /// What the derivation proved.
    fn facts(&self) -> Facts;

    /// The derived equations as text.
    fn equations_text(&self) -> &'static str;

    /// The derived equations as LaTeX.
    fn equations_latex(&self) -> &'static str;

    /// Integrates as `request` says and gives each state asked for to `output`, which may break off.
    ///
    /// # Errors
    /// [`RequestError`]: an unknown name, a value that is not allowed, or an integration that failed; the states until
    /// then were given to `output`.
    fn simulate(
        &self,
        request: &Request,
        output: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, RequestError>;
}

const STUDY_1: &str = "Zhan Yangping, Computer simulation of the compound double pendulum, Tsinghua University, 2013";
const STUDY_3: &str = "addis, Numerical solution of Lagrange's equation (Matlab), Xiaoshi encyclopedia";
const STUDY_4: &str =
    "Liu Shixing et al., Symplectic Runge-Kutta method of Lagrange-Maxwell equation, Acta Phys. Sin. 62, 2013";
const STUDY_5: &str =
    "Symplectic algorithms for constrained multibody systems, Journal of Chongqing University 27(6), 2004";

const LANDAU: &str = "L. D. Landau, E. M. Lifshitz, Mechanics";
const GOLDSTEIN: &str = "H. Goldstein, C. Poole, J. Safko, Classical Mechanics, 3rd ed.";
const HAIRER: &str = "E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed.";
const BLOCH: &str = "A. M. Bloch, Nonholonomic Mechanics and Control, 2nd ed.";
const TEXTBOOK: &str = "common in textbooks of mechanisms";
const FIELDS: &str = "L. D. Landau, E. M. Lifshitz, The Classical Theory of Fields";
const BERANEK: &str = "L. L. Beranek, Acoustics";
const KHALIL: &str = "H. K. Khalil, Nonlinear Systems, 3rd ed.";
const FRANKLIN: &str = "G. F. Franklin, J. D. Powell, A. Emami-Naeini, Feedback Control of Dynamic Systems";
const HENON: &str = "M. Hénon, C. Heiles, The applicability of the third integral of motion, Astron. J. 69, 1964";

static MODELS: [&dyn Model; 26] = [
    &Entry::<CompoundDoublePendulum, 2, 0, 0> {
        name: "compound-double-pendulum",
        summary: "two uniform rods in series with a bob at the tip",
        source: STUDY_1,
        mechanism: CompoundDoublePendulum::default,
        initial: CompoundDoublePendulum::released_at_45_degrees,
        run: free,
    },
    &Entry::<CompoundDoublePendulumWithDrag, 2, 0, 1> {
        name: "compound-double-pendulum-with-drag",
        summary: "the same with quadratic air drag on the rods, and a torque on the upper one",
        source: STUDY_1,
        mechanism: CompoundDoublePendulumWithDrag::default,
        initial: CompoundDoublePendulumWithDrag::released_at_45_degrees,
        run: free,
    },
    &Entry::<DoublePendulum, 2, 0, 0> {
        name: "double-pendulum",
        summary: "two point masses on massless rods in series",
        source: STUDY_3,
        mechanism: DoublePendulum::default,
        initial: DoublePendulum::demo,
        run: free,
    },
    &Entry::<SphericalPendulum, 2, 0, 0> {
        name: "spherical-pendulum",
        summary: "a point mass on a rod that swings in space, in angles",
        source: LANDAU,
        mechanism: SphericalPendulum::default,
        initial: SphericalPendulum::pushed,
        run: free,
    },
    &Entry::<SphericalPendulumCartesian, 3, 1, 0> {
        name: "spherical-pendulum-cartesian",
        summary: "the same in Cartesian coordinates under the rod's constraint",
        source: LANDAU,
        mechanism: SphericalPendulumCartesian::default,
        initial: SphericalPendulumCartesian::pushed,
        run: constrained,
    },
    &Entry::<CartesianPendulum, 2, 1, 0> {
        name: "cartesian-pendulum",
        summary: "a point mass on a rod in a plane, in Cartesian coordinates",
        source: LANDAU,
        mechanism: CartesianPendulum::default,
        initial: CartesianPendulum::released,
        run: constrained,
    },
    &Entry::<RigidPendulum, 4, 1, 0> {
        name: "rigid-pendulum",
        summary: "a rigid body on a hinge that lets it turn every way, by a unit quaternion",
        source: HAIRER,
        mechanism: RigidPendulum::default,
        initial: RigidPendulum::spinning,
        run: constrained,
    },
    &Entry::<BeadOnRotatingHoop, 3, 2, 0> {
        name: "bead-on-rotating-hoop",
        summary: "a bead on a hoop that is turned about its vertical diameter",
        source: GOLDSTEIN,
        mechanism: BeadOnRotatingHoop::default,
        initial: BeadOnRotatingHoop::released,
        run: constrained,
    },
    &Entry::<KnifeEdge, 3, 1, 0> {
        name: "knife-edge",
        summary: "a blade on an inclined plane that cannot slip sideways",
        source: BLOCH,
        mechanism: KnifeEdge::default,
        initial: KnifeEdge::turning,
        run: constrained,
    },
    &Entry::<RollingDisc, 4, 2, 0> {
        name: "rolling-disc",
        summary: "an upright disc that rolls without slipping",
        source: BLOCH,
        mechanism: RollingDisc::default,
        initial: RollingDisc::rolling,
        run: constrained,
    },
    &Entry::<FourBarLinkage, 3, 2, 1> {
        name: "four-bar-linkage",
        summary: "crank, coupler and rocker between two hinges, and a torque on the crank",
        source: TEXTBOOK,
        mechanism: FourBarLinkage::default,
        initial: FourBarLinkage::cranked,
        run: constrained,
    },
    &Entry::<Parallelogram, 3, 3, 0> {
        name: "parallelogram",
        summary: "a platform on three parallel cranks, one of which is redundant",
        source: TEXTBOOK,
        mechanism: Parallelogram::default,
        initial: Parallelogram::released,
        run: redundant,
    },
    &Entry::<Kepler, 2, 0, 0> {
        name: "kepler",
        summary: "a body in the plane under an inverse square attraction",
        source: HAIRER,
        mechanism: Kepler::default,
        initial: Kepler::eccentric,
        run: free,
    },
    &Entry::<HeavyTop, 3, 0, 0> {
        name: "heavy-top",
        summary: "a symmetric top on a fixed tip, in Euler's angles",
        source: LANDAU,
        mechanism: HeavyTop::default,
        initial: HeavyTop::nodding,
        run: free,
    },
    &Entry::<HeavyTopQuaternion, 4, 1, 0> {
        name: "heavy-top-quaternion",
        summary: "the same by a unit quaternion",
        source: LANDAU,
        mechanism: HeavyTopQuaternion::default,
        initial: HeavyTopQuaternion::nodding,
        run: constrained,
    },
    &Entry::<LcPlate, 2, 0, 0> {
        name: "lc-plate",
        summary: "a spring-mounted plate of a capacitor in a circuit without resistance and source",
        source: STUDY_4,
        mechanism: LcPlate::default,
        initial: LcPlate::released,
        run: free,
    },
    &Entry::<RlcPlate, 2, 0, 0> {
        name: "rlc-plate",
        summary: "the same with a resistance and a source",
        source: STUDY_4,
        mechanism: RlcPlate::default,
        initial: RlcPlate::released,
        run: free,
    },
    &Entry::<TriplePendulum, 3, 0, 0> {
        name: "triple-pendulum",
        summary: "three point masses on massless rods in series, in angles",
        source: STUDY_5,
        mechanism: TriplePendulum::default,
        initial: TriplePendulum::released,
        run: free,
    },
    &Entry::<TriplePendulumCartesian, 6, 3, 0> {
        name: "triple-pendulum-cartesian",
        summary: "the same in Cartesian coordinates under the rods' constraints",
        source: STUDY_5,
        mechanism: TriplePendulumCartesian::default,
        initial: TriplePendulumCartesian::released,
        run: constrained,
    },
    &Entry::<CoupledCircuits, 2, 0, 0> {
        name: "coupled-circuits",
        summary: "two circuits of coil and capacitor, coupled by their magnetic fields",
        source: GOLDSTEIN,
        mechanism: CoupledCircuits::default,
        initial: CoupledCircuits::charged,
        run: free,
    },
    &Entry::<Loudspeaker, 2, 0, 1> {
        name: "loudspeaker",
        summary: "a cone on a spring with its coil in the gap of a magnet, and a voltage",
        source: BERANEK,
        mechanism: Loudspeaker::default,
        initial: Loudspeaker::pushed_in,
        run: free,
    },
    &Entry::<MagneticLevitation, 2, 0, 1> {
        name: "magnetic-levitation",
        summary: "a steel ball under an electromagnet, and a voltage",
        source: KHALIL,
        mechanism: MagneticLevitation::default,
        initial: MagneticLevitation::let_go,
        run: free,
    },
    &Entry::<MotorPendulum, 2, 0, 1> {
        name: "motor-pendulum",
        summary: "a pendulum on the shaft of a DC motor, and a voltage",
        source: FRANKLIN,
        mechanism: MotorPendulum::default,
        initial: MotorPendulum::released,
        run: free,
    },
    &Entry::<ChargeInFields, 3, 0, 0> {
        name: "charge-in-fields",
        summary: "a charged particle in constant magnetic and electric fields",
        source: FIELDS,
        mechanism: ChargeInFields::default,
        initial: ChargeInFields::crossing,
        run: free,
    },
    &Entry::<HenonHeiles, 2, 0, 0> {
        name: "henon-heiles",
        summary: "a star in a galaxy, by a potential with regular and chaotic motions",
        source: HENON,
        mechanism: HenonHeiles::default,
        initial: HenonHeiles::mixed,
        run: free,
    },
    &Entry::<OuterSolarSystem, 18, 0, 0> {
        name: "outer-solar-system",
        summary: "the Sun and the five outer planets",
        source: HAIRER,
        mechanism: OuterSolarSystem::default,
        initial: OuterSolarSystem::on_5_september_1994,
        run: free,
    },
];

/// All mechanisms.
pub fn models() -> &'static [&'static dyn Model] {
    &MODELS
}

/// The mechanism of this name; case, `-` and `_` do not matter, so that the type's name serves too.
///
/// # Errors
/// [`RequestError::UnknownModel`] lists the names there are.
pub fn find(name: &str) -> Result<&'static dyn Model, RequestError> {
    let plain = |name: &str| name.replace(['-', '_'], "").to_lowercase();
    let found = MODELS.iter().find(|model| plain(model.name()) == plain(name));
    found.copied().ok_or_else(|| RequestError::UnknownModel {
        name: name.to_owned(),
        known: MODELS.iter().map(|model| model.name().to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_by_its_type_name_too() {
        let model = find("CompoundDoublePendulum").expect("the type's name is accepted");
        assert_eq!(model.name(), "compound-double-pendulum");
    }

    #[test]
    fn an_unknown_model_is_answered_with_the_nearest_and_the_list() {
        let message = find("doublependlum").err().expect("there is no such model").to_string();
        assert!(message.contains("did you mean `double-pendulum`?"), "{message}");
        assert!(message.contains("compound-double-pendulum-with-drag"), "{message}");
    }
}

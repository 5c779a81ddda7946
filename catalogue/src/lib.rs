//! The mechanisms that the program `lagrange` offers, with the sources of their published values, for other programs too.

use lagrange_cli::catalog::{Catalog, Entry, Model};
use lagrange_models::documents::{COMPOUND_DOUBLE_PENDULUM, DOUBLE_PENDULUM, RLC_PLATE, TRIPLE_PENDULUM};
use lagrange_models::{
    BallisticPendulum, BeadOnRotatingHoop, BeltBlock, BimetalThermostat, BlockWithFriction, BouncingBall,
    CartesianPendulum, ChargeInFields, CompoundDoublePendulum, CompoundDoublePendulumWithDrag, ControlledMotor,
    CoupledCircuits, DoublePendulum, DrivenPendulum, FlexibleLink, FlexibleSliderCrank, FourBarLinkage,
    FullWaveRectifier, HangingCable, HeavyTop, HeavyTopQuaternion, HenonHeiles, Kepler, KnifeEdge, LcPlate,
    Loudspeaker, MagneticLevitation, MagneticPendulum, MarbleOnBar, MotorPendulum, OuterSolarSystem, Parallelogram,
    PointVortices, Rattleback, RigidPendulum, RlcPlate, Rocket, RockingBlock, RollingDisc, SphericalPendulum,
    SphericalPendulumCartesian, SpinningBeam, StickyPad, TippeTop, TriplePendulum, TriplePendulumCartesian,
    TumblingToast, YieldingBall,
};

const LANDAU: &str = "L. D. Landau, E. M. Lifshitz, Mechanics";
const GOLDSTEIN: &str = "H. Goldstein, C. Poole, J. Safko, Classical Mechanics, 3rd ed.";
const HAIRER: &str = "E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed.";
const BLOCH: &str = "A. M. Bloch, Nonholonomic Mechanics and Control, 2nd ed.";
const TEXTBOOK: &str = "common in textbooks of mechanisms";
const FIELDS: &str = "L. D. Landau, E. M. Lifshitz, The Classical Theory of Fields";
const BERANEK: &str = "L. L. Beranek, Acoustics";
const THOMPSON: &str = "J. M. T. Thompson, G. W. Hunt, Elastic Instability Phenomena";
const ASTROM: &str = "K. J. Åström, R. M. Murray, Feedback Systems, 2nd ed.";
const KHALIL: &str = "H. K. Khalil, Nonlinear Systems, 3rd ed.";
const FRANKLIN: &str = "G. F. Franklin, J. D. Powell, A. Emami-Naeini, Feedback Control of Dynamic Systems";
const RAO: &str = "S. S. Rao, Mechanical Vibrations, 5th ed.";
const BAKER: &str = "G. L. Baker, J. P. Gollub, Chaotic Dynamics, 2nd ed., Cambridge, 1996";
const STRONGE: &str = "W. J. Stronge, Impact Mechanics, 2nd ed.";
const HOUSNER: &str = "G. W. Housner, The behavior of inverted pendulum structures during earthquakes, Bull. Seism. Soc. America 53, 1963";
const MOHAN: &str = "N. Mohan, T. M. Undeland, W. P. Robbins, Power Electronics, 3rd ed.";
const PEITGEN: &str = "H.-O. Peitgen, H. Jürgens, D. Saupe, Chaos and Fractals, Springer, 1992";
const AREF: &str = "H. Aref, Point vortex dynamics: a classical mathematics playground, J. Math. Phys. 48, 2007";
const COHEN: &str = "R. J. Cohen, The tippe top revisited, Am. J. Phys. 45, 1977";
const JOHNSON: &str = "K. L. Johnson, Contact Mechanics, 1985";
const KANE: &str = "T. R. Kane, D. A. Levinson, Realistic mathematical modeling of the rattleback, Int. J. Non-Linear Mechanics 17, 1982";
const SIMEON: &str = "B. Simeon, Modelling a flexible slider crank mechanism by a mixed system of DAEs and PDEs, Math. Modelling of Systems 2, 1996";
const MAGNUS: &str = "K. Magnus, K. Popp, Schwingungen, 7th ed., ch. 3";
const CAPPELLA: &str =
    "B. Cappella, G. Dietler, Force-distance curves by atomic force microscopy, Surf. Sci. Rep. 34, 1999";
const MATTHEWS: &str =
    "R. A. J. Matthews, Tumbling toast, Murphy's law and the fundamental constants, Eur. J. Phys. 16, 1995";
const ROBINS: &str = "B. Robins, New Principles of Gunnery, 1742";
const SIMO: &str =
    "J. C. Simo, L. Vu-Quoc, On the dynamics of flexible beams under large overall motions, J. Appl. Mech. 53, 1986";
const SHABANA: &str = "A. A. Shabana, Dynamics of Multibody Systems, Cambridge University Press";
const MEIROVITCH: &str = "L. Meirovitch, Fundamentals of Vibrations, McGraw-Hill, 2001";
const HENON: &str = "M. Hénon, C. Heiles, The applicability of the third integral of motion, Astron. J. 69, 1964";

static MODELS: &[&dyn Model] = &[
    &Entry::free(
        "compound-double-pendulum",
        CompoundDoublePendulum::default,
        CompoundDoublePendulum::released_at_45_degrees,
    )
    .with_summary("two uniform rods in series with a bob at the tip")
    .with_source(COMPOUND_DOUBLE_PENDULUM),
    &Entry::free(
        "compound-double-pendulum-with-drag",
        CompoundDoublePendulumWithDrag::default,
        CompoundDoublePendulumWithDrag::released_at_45_degrees,
    )
    .with_summary("two uniform rods in series with a bob at the tip, quadratic air drag on the rods, and a torque on the upper one")
    .with_source(COMPOUND_DOUBLE_PENDULUM),
    &Entry::free("double-pendulum", DoublePendulum::default, DoublePendulum::demo)
        .with_summary("two point masses on massless rods in series")
        .with_source(DOUBLE_PENDULUM),
    &Entry::free("spherical-pendulum", SphericalPendulum::default, SphericalPendulum::pushed)
        .with_summary("a point mass on a rod that swings in space, in angles")
        .with_source(LANDAU),
    &Entry::constrained(
        "spherical-pendulum-cartesian",
        SphericalPendulumCartesian::default,
        SphericalPendulumCartesian::pushed,
    )
    .with_summary("a point mass on a rod that swings in space, in Cartesian coordinates under the rod's constraint")
    .with_source(LANDAU),
    &Entry::constrained("cartesian-pendulum", CartesianPendulum::default, CartesianPendulum::released)
        .with_summary("a point mass on a rod in a plane, in Cartesian coordinates")
        .with_source(LANDAU),
    &Entry::constrained("rigid-pendulum", RigidPendulum::default, RigidPendulum::spinning)
        .with_summary("a rigid body on a hinge that lets it turn every way, by a unit quaternion")
        .with_source(HAIRER),
    &Entry::constrained("bead-on-rotating-hoop", BeadOnRotatingHoop::default, BeadOnRotatingHoop::released)
        .with_summary("a bead on a hoop that is turned about its vertical diameter")
        .with_source(GOLDSTEIN),
    &Entry::constrained("knife-edge", KnifeEdge::default, KnifeEdge::turning)
        .with_summary("a blade on an inclined plane that cannot slip sideways")
        .with_source(BLOCH),
    &Entry::constrained("rolling-disc", RollingDisc::default, RollingDisc::rolling)
        .with_summary("an upright disc that rolls without slipping")
        .with_source(BLOCH),
    &Entry::constrained("rattleback", Rattleback::default, Rattleback::reversing)
        .with_summary("a stone that rolls, rattles, and turns round its spin")
        .with_source(KANE),
    &Entry::constrained("tippe-top", TippeTop::default, TippeTop::spinning)
        .with_summary("a top that turns upside down while it slips on a rough floor")
        .with_source(COHEN),
    &Entry::free("spinning-beam", SpinningBeam::default, SpinningBeam::at_rest)
        .with_summary("a cantilever that is spun up beyond its first frequency, and that the centrifugal force stiffens")
        .with_source(SIMO),
    &Entry::free("hanging-cable", HangingCable::default, HangingCable::released)
        .with_summary("a cable of three elements with absolute nodal coordinates, which falls from the horizontal")
        .with_source(SHABANA),
    &Entry::free("flexible-link", FlexibleLink::default, FlexibleLink::bent)
        .with_summary("a link of a robot that bends, with a motor and a load")
        .with_source(MEIROVITCH),
    &Entry::constrained(
        "flexible-slider-crank",
        FlexibleSliderCrank::default,
        FlexibleSliderCrank::stretched_out,
    )
    .with_summary("a fast slider crank with a rod that bends and stretches")
    .with_source(SIMEON),
    &Entry::constrained("four-bar-linkage", FourBarLinkage::default, FourBarLinkage::cranked)
        .with_summary("crank, coupler and rocker between two hinges, and a torque on the crank")
        .with_source(TEXTBOOK),
    &Entry::constrained("parallelogram", Parallelogram::default, Parallelogram::released)
        .with_summary("a platform on three parallel cranks, one of which is redundant")
        .with_source(TEXTBOOK),
    &Entry::free("kepler", Kepler::default, Kepler::eccentric)
        .with_summary("a body in the plane under an inverse square attraction")
        .with_source(HAIRER),
    &Entry::free("heavy-top", HeavyTop::default, HeavyTop::nodding)
        .with_summary("a symmetric top on a fixed tip, in Euler's angles")
        .with_source(LANDAU),
    &Entry::constrained("heavy-top-quaternion", HeavyTopQuaternion::default, HeavyTopQuaternion::nodding)
        .with_summary("a symmetric top on a fixed tip, by a unit quaternion")
        .with_source(LANDAU),
    &Entry::free("lc-plate", LcPlate::default, LcPlate::released)
        .with_summary("a spring-mounted plate of a capacitor in a circuit without resistance and source")
        .with_source(RLC_PLATE),
    &Entry::free("rlc-plate", RlcPlate::default, RlcPlate::released)
        .with_summary("a spring-mounted plate of a capacitor in a circuit with a resistance and a source")
        .with_source(RLC_PLATE),
    &Entry::free("triple-pendulum", TriplePendulum::default, TriplePendulum::released)
        .with_summary("three point masses on massless rods in series, in angles")
        .with_source(TRIPLE_PENDULUM),
    &Entry::constrained(
        "triple-pendulum-cartesian",
        TriplePendulumCartesian::default,
        TriplePendulumCartesian::released,
    )
    .with_summary("three point masses on massless rods in series, in Cartesian coordinates under the rods' constraints")
    .with_source(TRIPLE_PENDULUM),
    &Entry::free("coupled-circuits", CoupledCircuits::default, CoupledCircuits::charged)
        .with_summary("two circuits of coil and capacitor, coupled by their magnetic fields")
        .with_source(GOLDSTEIN),
    &Entry::free("loudspeaker", Loudspeaker::default, Loudspeaker::pushed_in)
        .with_summary("a cone on a spring with its coil in the gap of a magnet, and a voltage")
        .with_source(BERANEK),
    &Entry::free("magnetic-levitation", MagneticLevitation::default, MagneticLevitation::let_go)
        .with_summary("a steel ball under an electromagnet, and a voltage")
        .with_source(KHALIL),
    &Entry::free("motor-pendulum", MotorPendulum::default, MotorPendulum::released)
        .with_summary("a pendulum on the shaft of a DC motor, and a voltage")
        .with_source(FRANKLIN),
    &Entry::free("charge-in-fields", ChargeInFields::default, ChargeInFields::crossing)
        .with_summary("a charged particle in constant magnetic and electric fields")
        .with_source(FIELDS),
    &Entry::free("block-with-friction", BlockWithFriction::default, BlockWithFriction::pulled)
        .with_summary("a block on a spring and a rough rail, which slides until it sticks")
        .with_source(RAO),
    &Entry::free("belt-block", BeltBlock::default, BeltBlock::carried)
        .with_summary("a block on a spring that sticks and slips on a belt")
        .with_source(MAGNUS),
    &Entry::free("bouncing-ball", BouncingBall::default, BouncingBall::dropped)
        .with_summary("a ball that bounces on the floor until it rests")
        .with_source(STRONGE),
    &Entry::free("yielding-ball", YieldingBall::default, YieldingBall::dropped)
        .with_summary("a ball of a metal that yields, so that a fast impact takes more than a slow one")
        .with_source(JOHNSON),
    &Entry::free("marble-on-bar", MarbleOnBar::default, MarbleOnBar::rolling_off)
        .with_summary("a marble that rolls off the round end of a bar onto the floor")
        .with_source(GOLDSTEIN),
    &Entry::free("sticky-pad", StickyPad::default, StickyPad::stuck)
        .with_summary("a sticky pad that a spring pulls off a plate again and again")
        .with_source(CAPPELLA),
    &Entry::free("tumbling-toast", TumblingToast::default, TumblingToast::let_go)
        .with_summary("a slice of toast that tips over the edge of a table")
        .with_source(MATTHEWS),
    &Entry::free("ballistic-pendulum", BallisticPendulum::default, BallisticPendulum::shot)
        .with_summary("a block on cords that catches a bullet")
        .with_source(ROBINS),
    &Entry::free("rocking-block", RockingBlock::default, RockingBlock::let_go)
        .with_summary("a block that rocks on its two lower edges until it stands")
        .with_source(HOUSNER),
    &Entry::free("full-wave-rectifier", FullWaveRectifier::default, FullWaveRectifier::at_rest)
        .with_summary("a battery that is charged through a bridge of four diodes")
        .with_source(MOHAN),
    &Entry::free("bimetal-thermostat", BimetalThermostat::default, BimetalThermostat::heating)
        .with_summary("a bimetal strip that snaps, and the temperature that it switches")
        .with_source(THOMPSON),
    &Entry::free("controlled-motor", ControlledMotor::default, ControlledMotor::at_rest)
        .with_summary("a DC motor under a PI controller with a limited voltage")
        .with_source(ASTROM),
    &Entry::free("henon-heiles", HenonHeiles::default, HenonHeiles::mixed)
        .with_summary("a star in a galaxy, by a potential with regular and chaotic motions")
        .with_source(HENON),
    &Entry::free("driven-pendulum", DrivenPendulum::default, DrivenPendulum::released)
        .with_summary("a damped pendulum under a periodic torque, with regular and chaotic motions")
        .with_source(BAKER),
    &Entry::free("magnetic-pendulum", MagneticPendulum::default, MagneticPendulum::released)
        .with_summary("a pendulum over three magnets, which comes to rest over one of them")
        .with_source(PEITGEN),
    &Entry::free("rocket", Rocket::default, Rocket::fuelled)
        .with_summary("a rocket that climbs and burns its fuel")
        .with_source(GOLDSTEIN),
    &Entry::free("point-vortices", PointVortices::default, PointVortices::disturbed_triangle)
        .with_summary("three point vortices in a plane, which have no inertia")
        .with_source(AREF),
    &Entry::free("outer-solar-system", OuterSolarSystem::default, OuterSolarSystem::on_5_september_1994)
        .with_summary("the Sun and the five outer planets")
        .with_source(HAIRER),
];

/// All mechanisms.
pub static CATALOG: Catalog = Catalog::new(MODELS);

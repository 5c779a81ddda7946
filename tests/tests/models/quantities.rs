//! Quantities of `uom` as the numbers of mechanisms. Expected numbers are conversions by hand.

use lagrange_models::OuterSolarSystem;
use lagrange_parts::drive::Rotor;
use lagrange_runtime::prelude::*;
use lagrange_runtime::uom::si::f64::{
    Angle, AngularVelocity, ElectricCurrent, ElectricPotential, ElectricalResistance, Energy, HeatCapacity, Inductance,
    Length, MomentOfInertia, Power, Ratio, TemperatureInterval, ThermodynamicTemperature, Time, Torque,
};
use lagrange_runtime::uom::si::{
    angle::degree, angle::radian, angular_velocity::radian_per_second, electric_current::ampere,
    electric_potential::kilovolt, electrical_resistance::kiloohm, energy::joule, heat_capacity::kilojoule_per_kelvin,
    inductance::millihenry, length::centimeter, length::meter, moment_of_inertia::kilogram_square_meter,
    power::milliwatt, ratio::percent, temperature_interval, thermodynamic_temperature, time::hour,
    torque::newton_meter,
};

/// A wheel whose angle is in degrees, turned by a motor; it warms a body. Nobody states the units of `friction`, `constant` and `loss`.
#[lagrangian {
    coordinates turned: deg;
    let angle = turned*pi/180[deg];
    kinetic     = inertia*dot(angle)^2/2;
    dissipation = friction*dot(angle)^2/2;
    force turned = constant*current*pi/180[deg];
    state current: mA, dot(current) == (voltage - resistance*current*0.001[A/mA])*1000[mA/A]/coil;
    state warm: K, dot(warm) == (resistance*current^2*0.000001[A^2/mA^2] - loss*(warm - ambient))/capacity;
    output rim: mm = radius*angle;
    output lost: W = resistance*current^2*0.000001[A^2/mA^2];
    output odd = (radius*1[mm])^(1/2);
    output root = radius^(3/2);
}]
struct Wheel {
    #[unit(kg*m^2)]
    inertia: f64,
    friction: f64,
    constant: f64,
    #[unit(ohm)]
    resistance: f64,
    #[unit(H)]
    coil: f64,
    #[unit(mm)]
    radius: f64,
    #[unit(J/K)]
    capacity: f64,
    loss: f64,
    #[unit(K)]
    ambient: f64,
    #[unit(V)]
    #[input]
    voltage: f64,
}

/// Whether two numbers differ by roundings alone.
#[track_caller]
fn equal(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(), "{found:e} is not {expected:e}");
}

#[test]
fn fields_have_the_scale_that_is_stated_or_follows() {
    let of = Wheel::QUANTITIES.fields;
    equal(of.inertia.number(MomentOfInertia::new::<kilogram_square_meter>(0.3)), 0.3);
    equal(of.resistance.number(ElectricalResistance::new::<kiloohm>(4.7)), 4700.0);
    equal(of.coil.number(Inductance::new::<millihenry>(8.0)), 0.008);
    equal(of.radius.number(Length::new::<centimeter>(12.0)), 120.0);
    equal(of.capacity.number(HeatCapacity::new::<kilojoule_per_kelvin>(2.0)), 2000.0);
    equal(of.voltage.number(ElectricPotential::new::<kilovolt>(0.4)), 400.0);
    // A torque of 6 N m by a current of 2 A is 0.003 N m by each milliampere.
    let (torque, current) = (Torque::new::<newton_meter>(6.0), ElectricCurrent::new::<ampere>(2.0));
    equal(of.constant.number(torque / current), 0.003);
    equal(
        of.loss.number(Power::new::<milliwatt>(500.0) / TemperatureInterval::new::<temperature_interval::kelvin>(2.0)),
        0.25,
    );
    // A temperature has the kind of a difference or of a value, and both are kelvins.
    equal(of.ambient.number(ThermodynamicTemperature::new::<thermodynamic_temperature::degree_celsius>(20.0)), 293.15);
    equal(of.ambient.number(TemperatureInterval::new::<temperature_interval::degree_celsius>(20.0)), 20.0);
}

#[test]
fn states_and_outputs_become_quantities() {
    let of = Wheel::QUANTITIES;
    equal(of.coordinates.turned.number(Angle::new::<radian>(std::f64::consts::FRAC_PI_3)), 60.0);
    equal(of.coordinates.turned.number(Ratio::new::<percent>(100.0)), 180.0 / std::f64::consts::PI);
    equal(of.velocities.turned.number(AngularVelocity::new::<radian_per_second>(1.0)), 180.0 / std::f64::consts::PI);
    equal(of.coordinates.current.number(ElectricCurrent::new::<ampere>(0.25)), 250.0);
    equal(of.time.number(Time::new::<hour>(1.0)), 3600.0);

    let turned: Angle = of.coordinates.turned.quantity(90.0);
    equal(turned.get::<degree>(), 90.0);
    let rim: Length = of.outputs.rim.quantity(250.0);
    equal(rim.get::<meter>(), 0.25);
    let lost: Power = of.outputs.lost.quantity(0.5);
    equal(lost.get::<milliwatt>(), 500.0);
    // √(mm·mm) is a length, whose unit is written nowhere.
    let odd: Length = of.outputs.odd.quantity(3.0);
    equal(odd.get::<meter>(), 0.003);
}

/// A rotor, and two bodies on springs whose stiffness is an energy over inch².
#[lagrangian {
    coordinates theta: rad, x[2]: inch;
    allow uncoupled_coordinate;
    part rotor: Rotor;
    let rotor.angle = theta;
    kinetic = sum(i in 0..2, m*dot(x[i])^2/2);
    potential = sum(i in 0..2, k[i]*x[i]^2/2);
}]
struct Parts {
    rotor: Rotor,
    m: f64,
    k: [f64; 2],
}

#[test]
fn names_of_parts_and_arrays_have_units_of_any_scale() {
    let of = Parts::QUANTITIES;
    let inertia = MomentOfInertia::new::<kilogram_square_meter>(2.0);
    equal(of.fields.rotor.inertia.number(inertia), 2.0);
    equal(of.coordinates.x.number(Length::new::<centimeter>(2.54)), 1.0);
    let stiffness = Energy::new::<joule>(1.0) / (Length::new::<meter>(1.0) * Length::new::<meter>(1.0));
    equal(of.fields.k.number(stiffness), 0.0254 * 0.0254);
}

#[test]
fn units_of_astronomy_are_exact() {
    let of = OuterSolarSystem::QUANTITIES;
    equal(of.coordinates.r.number(Length::new::<meter>(149_597_870_700.0)), 1.0);
    equal(of.time.number(Time::new::<hour>(6.0)), 0.25);
    let time: Time = of.time.quantity(0.5);
    equal(time.get::<hour>(), 12.0);
}

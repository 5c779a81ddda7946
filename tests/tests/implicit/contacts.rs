//! Contacts and friction that sticks under methods that carry momenta, under the diagonally implicit one, and under a formula of one's own: the
//! orders over impacts, slips and rests, closed forms, constraints, and derivatives.

use lagrange_models::{FullWaveRectifier, MarbleOnBar};
use lagrange_runtime::analysis::{Variable, sensitivities};
use lagrange_runtime::evaluate::Evaluate;
use lagrange_runtime::method::{ImplicitEquation, ImplicitFixedStep, ImplicitStep};
use lagrange_runtime::prelude::*;

lagrange_runtime::method_choice! {
    /// The methods for mechanisms without constraints.
    enum Free: f64 {
        Gauss(Gauss<f64, 2>),
        Midpoint(ImplicitMidpoint<f64>),
        VariationalMidpoint(VariationalMidpoint<f64>),
        VariationalTrapezoid(VariationalTrapezoid<f64>),
        EnergyPreserving(EnergyPreserving<f64, 3>),
        GeneralizedAlpha(GeneralizedAlpha<f64>),
        Rattle(Rattle<f64>),
    }
}

lagrange_runtime::method_choice! {
    /// The methods for mechanisms with constraints.
    enum Constrained: f64 {
        Gauss(Gauss<f64, 2>),
        VariationalMidpoint(VariationalMidpoint<f64>),
        VariationalTrapezoid(VariationalTrapezoid<f64>),
        GeneralizedAlpha(GeneralizedAlpha<f64>),
        Rattle(Rattle<f64>),
    }
}

fn free(h: f64) -> [Free; 7] {
    [
        Free::Gauss(Gauss::new(h)),
        Free::Midpoint(ImplicitMidpoint::new(h)),
        Free::VariationalMidpoint(VariationalMidpoint::new(h)),
        Free::VariationalTrapezoid(VariationalTrapezoid::new(h)),
        Free::EnergyPreserving(EnergyPreserving::new(h)),
        Free::GeneralizedAlpha(GeneralizedAlpha::new(h, 0.8)),
        Free::Rattle(Rattle::new(h)),
    ]
}

fn constrained(h: f64) -> [Constrained; 6] {
    [
        Constrained::Gauss(Gauss::new(h)),
        Constrained::VariationalMidpoint(VariationalMidpoint::new(h)),
        Constrained::VariationalTrapezoid(VariationalTrapezoid::new(h)),
        Constrained::GeneralizedAlpha(GeneralizedAlpha::new(h, 0.8)),
        Constrained::Rattle(Rattle::new(h)),
        Constrained::Rattle(Rattle::shake(h)),
    ]
}

/// The implicit Euler method, as a person writes it outside the library.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Euler;

impl<const C: usize> ImplicitStep<C> for Euler {
    const NAME: &'static str = "implicit Euler";
    const ORDER: u32 = 1;

    fn step<R: Real, const N: usize>(
        evaluator: &mut (impl Evaluate<R, N, C> + ?Sized),
        (state, momentum): (&State<R, N>, &SVector<R, N>),
        h: R,
        end: R,
    ) -> Result<(State<R, N>, SVector<R, N>), Failure> {
        let equation = ImplicitEquation::of_step(state, momentum, (h, end));
        let solved = equation.solve(evaluator, state.v, SVector::repeat(R::ZERO))?;
        Ok((State { t: end, q: solved.coordinates, v: solved.velocity }, momentum + solved.force * h))
    }
}

fn euler(h: f64) -> [ImplicitFixedStep<f64, Euler>; 1] {
    [ImplicitFixedStep::new(h)]
}

/// The last state of a motion, with the counts of impacts and of changes of phases.
type End<const N: usize> = (State<f64, N>, [u64; 2]);

fn end<M: Method<f64, N, C>, const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    (start, t_end): (State<f64, N>, f64),
    method: &M,
    rtol: f64,
) -> End<N> {
    let options =
        Options { rtol: rtol.into(), atol: (1e-2 * rtol).into(), max_steps: Some(100_000), ..Options::default() };
    let solution =
        solve(system, start, t_end, method, &options).unwrap_or_else(|error| panic!("{}: {error}", method.name()));
    let of = &solution.statistics;
    (solution.last().expect("steps"), [of.impacts, of.phases])
}

fn error<const N: usize>(found: &End<N>, exact: &End<N>) -> f64 {
    (found.0.q - exact.0.q).amax().max((found.0.v - exact.0.v).amax())
}

/// The mean order that errors show in steps of four sizes, each half as long as the one before. The methods have the orders `expected`.
fn check_orders<M: Method<f64, N, C>, const N: usize, const C: usize, const COUNT: usize>(
    system: &dyn System<f64, N, C, 0>,
    motion: (State<f64, N>, f64),
    exact: &End<N>,
    methods: impl Fn(f64) -> [M; COUNT],
) {
    let errors = [100, 200, 400, 800].map(|count| {
        methods(motion.1 / f64::from(count)).map(|method| {
            let found = end(system, motion, &method, 1e-3);
            assert_eq!(found.1, exact.1, "{} in {count} steps", method.name());
            error(&found, exact)
        })
    });
    for (i, method) in methods(1.0).iter().enumerate() {
        let (found, expected) = ((errors[0][i] / errors[3][i]).log2() / 3.0, f64::from(method.order()));
        let errors = errors.map(|errors| errors[i]);
        assert!((found - expected).abs() < 0.3, "{}: order {found}, not {expected}: {errors:?}", method.name());
    }
}

/// A cart that drops on hills, sticks to them, and is pushed over them. It carries a pendulum, so that M depends on q.
#[lagrangian {
    coordinates x, y, a;
    let bob = [x, y] + [sin(a), -cos(a)]/2;
    kinetic = (dot(x)^2 + dot(y)^2 + norm2(dot(bob)))/2;
    potential = 9.81*(y + bob[1]);
    dissipation = dot(a)^2/10;
    force x = push*sin(3*t);
    contact floor: y >= sin(x)/5, friction = mu, slip = x;
}]
struct Cart {
    push: f64,
    mu: f64,
}

fn on_hills() -> (State<f64, 3>, f64) {
    (State::new(0.0, [0.1, 0.3, 0.5], [1.0, 0.0, 0.0]), 2.0)
}

#[test]
fn the_order_over_instants_is_that_of_smooth_motions() {
    let system = Cart { push: 9.0, mu: 0.4 }.prepare::<f64>().expect("valid");
    let exact = end(&system, on_hills(), &Dop853::new(), 1e-12);
    assert!(exact.1[0] >= 1 && exact.1[1] >= 3, "{exact:?}");
    check_orders(&system, on_hills(), &exact, free);
    check_orders(&system, on_hills(), &exact, euler);
    let found = end(&system, on_hills(), &Esdirk4::new(), 1e-8);
    assert!(error(&found, &exact) < 1e-6 && found.1 == exact.1, "{found:?} instead of {exact:?}");
}

/// A body on springs with a blade that turns: the direction of the slip is another one at the end of a step than at its start.
#[lagrangian {
    coordinates x, y, a;
    kinetic = (dot(x)^2 + dot(y)^2 + dot(a)^2)/2;
    potential = 2*x^2 + 3*y^2;
    friction blade: rate(cos(a)*dot(x) + sin(a)*dot(y)) = bound;
}]
struct Blade {
    bound: f64,
}

#[test]
fn the_order_is_kept_where_a_slip_begins_in_a_direction_that_turns() {
    let system = Blade { bound: 0.7 }.prepare::<f64>().expect("valid");
    let motion = (State::new(0.0, [1.0, 0.3, 0.2], [0.0, 0.5, 1.5]), 4.0);
    let exact = end(&system, motion, &Dop853::new(), 1e-12);
    assert!(exact.1[1] >= 4, "{exact:?}");
    check_orders(&system, motion, &exact, free);
}

/// Two points on a rod. The first one lands, sticks and slips, the second one bounces.
#[lagrangian {
    coordinates r[2], s[2];
    kinetic = (norm2(dot(r)) + norm2(dot(s)))/2;
    potential = 9.81*(r[1] + s[1]);
    constraint rod: norm(s - r) == 1;
    contact foot: r[1] >= 0, friction = mu, slip = r[0];
    contact hand: s[1] >= 0, restitution = 1/2;
}]
struct Rod {
    mu: f64,
}

/// A bead on a wire, whose friction has the bound μ|λ|, tied to a mass.
#[lagrangian {
    coordinates x, y, s;
    kinetic = (dot(x)^2 + dot(y)^2 + dot(s)^2)/2;
    potential = 9.81*y + 5*(s - x)^2;
    dissipation = dot(s - x)^2/20;
    constraint wire: y == x^2/2;
    friction rough: x = mu*abs(multiplier(wire));
}]
struct Bead {
    mu: f64,
}

#[test]
fn the_order_over_instants_under_a_constraint_is_2() {
    let check = |system: &dyn System<f64, 4, 1, 0>, motion: (State<f64, 4>, f64)| {
        let exact = end(system, motion, &Radau9::new(), 1e-11);
        assert!(exact.1[0] >= 2 && exact.1[1] >= 2, "{exact:?}");
        check_orders(system, motion, &exact, constrained);
        check_orders(system, motion, &exact, euler);
    };
    let rod = Rod { mu: 0.3 }.prepare::<f64>().expect("valid");
    check(&rod, (State::new(0.0, [0.0, 0.1, 0.6, 0.9], [0.5, 0.0, 0.5, 0.0]), 0.85));
    let bead = Bead { mu: 0.2 }.prepare::<f64>().expect("valid");
    let motion = (State::new(0.0, [1.0, 0.5, 0.6], [0.0; 3]), 2.5);
    let exact = end(&bead, motion, &Radau9::new(), 1e-11);
    assert!(exact.1[1] >= 3, "{exact:?}");
    check_orders(&bead, motion, &exact, constrained);
}

/// A billiard ball on a cloth: its centre, and the angles about the two horizontal axes.
#[lagrangian {
    coordinates x, y, a, b;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + m*r^2*(dot(a)^2 + dot(b)^2)/5;
    friction cloth: rate([dot(x) - r*dot(b), dot(y) + r*dot(a)]) = mu*m*g;
}]
struct Billiard {
    m: f64,
    r: f64,
    mu: f64,
    g: f64,
}

#[test]
fn a_billiard_ball_slides_and_then_rolls() {
    let (mu, g, speed) = (0.2, 9.81, 3.0);
    let system = Billiard { m: 0.17, r: 0.028, mu, g }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0; 4], [0.6 * speed, 0.8 * speed, 0.0, 0.0]);
    let slides = 2.0 / 7.0 * speed / (mu * g);
    // v₀ t − μ g t²/2 while it slides, and 5/7 of the speed after it.
    let way = speed * slides - mu * g * slides.powi(2) / 2.0 + 5.0 / 7.0 * speed * (1.0 - slides);
    let check = |found: End<4>, name: &str| {
        let State { q, v, .. } = found.0;
        assert!((q[0] - 0.6 * way).abs() < 1e-9 && (q[1] - 0.8 * way).abs() < 1e-9, "{name}: {found:?}");
        assert!(
            (v[0] - 3.0 / 7.0 * speed).abs() < 1e-9 && (v[1] - 4.0 / 7.0 * speed).abs() < 1e-9,
            "{name}: {found:?}"
        );
        assert_eq!(found.1, [0, 1], "{name}");
    };
    for method in free(0.01) {
        check(end(&system, (start, 1.0), &method, 1e-3), Method::<f64, 4, 0>::name(&method));
    }
    check(end(&system, (start, 1.0), &Esdirk4::new(), 1e-9), "ESDIRK");
}

/// A block on a spring that slips under one bound and sticks up to a larger one.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = 2*x^2;
    friction pad: x = 1/2, breakaway = 3/2;
}]
struct Block {}

#[test]
fn a_block_breaks_away_at_each_turn_but_the_last() {
    // From 1.3 the turns are at −1.05, 0.8, −0.55 and 0.3, where the spring pulls with 1.2 N only. A half swing takes π/2 s.
    let system = Block {}.prepare::<f64>().expect("no parameters");
    let start = State::new(0.0, [1.3], [0.0]);
    let check = |found: End<1>, near: f64, name: &str| {
        assert!((found.0.q[0] - 0.3).abs() < near && found.0.v[0] == 0.0, "{name}: {found:?}");
        assert_eq!(found.1, [0, 4], "{name}");
    };
    for method in free(1.0 / 256.0) {
        check(end(&system, (start, 8.0), &method, 1e-3), 1e-4, Method::<f64, 1, 0>::name(&method));
    }
    check(end(&system, (start, 8.0), &Esdirk4::new(), 1e-9), 1e-7, "ESDIRK");
}

/// Two carts that couple where they meet, one of which carries a mass on a spring.
#[lagrangian {
    coordinates x, y, z;
    kinetic = (dot(x)^2 + dot(y)^2 + 2*dot(z)^2)/2;
    potential = 50*(z - y)^2;
    dissipation = dot(z - y)^2/2;
    mode coupled = when x > y { 1 };
    constraint coupler: x == y when coupled > 1/2;
}]
struct Carts {}

#[test]
fn carts_couple_under_methods_that_carry_momenta() {
    let system = Carts {}.prepare::<f64>().expect("no parameters");
    let motion = (State::new(0.0, [0.0, 1.0, 1.0, 0.0], [2.0, 0.0, 0.0, 0.0]), 2.0);
    let exact = end(&system, motion, &Radau9::new(), 1e-11);
    assert_eq!(exact.1[0], 1);
    for method in free(1.0 / 512.0) {
        let found = end(&system, motion, &method, 1e-3);
        let name = Method::<f64, 4, 0>::name(&method);
        assert!(error(&found, &exact) < 1e-3 && found.1 == exact.1, "{name}: {found:?} instead of {exact:?}");
    }
    let found = end(&system, motion, &Esdirk4::new(), 1e-8);
    assert!(error(&found, &exact) < 1e-6 && found.1 == exact.1, "{found:?} instead of {exact:?}");
}

/// The pivot of a pendulum, which bounces on hills, or stays on them.
#[lagrangian {
    coordinates x, y, a;
    let bob = [x, y] + [sin(a), -cos(a)]/2;
    kinetic = (dot(x)^2 + dot(y)^2 + norm2(dot(bob)))/2;
    potential = g*(y + bob[1]);
    contact floor: y >= sin(x)/5, restitution = e;
}]
struct Bouncing {
    e: f64,
    g: f64,
}

#[test]
fn sensitivities_over_impacts_are_those_of_an_explicit_method() {
    let (start, t_end) = on_hills();
    let options = SharedOptions { rtol: 1e-11, atol: 1e-13, ..SharedOptions::default() };
    // With e = 0 the contact stays closed, and the driver brings its velocity to 0 after each step.
    for (e, variable) in [(0.6, 0), (0.0, 1)] {
        let system = Bouncing { e, g: 9.81 };
        let variables = [Variable::Parameter(variable)];
        macro_rules! by {
            ($method:expr) => {{
                let found = sensitivities(&system, &start, &[t_end / 2.0], &$method, &options, &variables);
                found.expect("a motion").derivatives[0].clone()
            }};
        }
        let exact = by!(Dop853::new());
        let gauss = by!(Gauss::<f64, 2>::new(0.005));
        assert!((&gauss - &exact).amax() < 1e-6 * exact.amax(), "{e}: {gauss} instead of {exact}");
        let variational = by!(VariationalMidpoint::new(0.0025));
        assert!((&variational - &exact).amax() < 1e-3 * exact.amax(), "{e}: {variational} instead of {exact}");
    }
}

#[test]
fn a_composition_holds_contacts_where_it_is_one_step() {
    let system = Bouncing { e: 0.0, g: 9.81 }.prepare::<f64>().expect("valid");
    let (start, t_end) = on_hills();
    let inner = VariationalMidpoint::new(0.01);
    let plain = end(&system, (start, t_end), &inner, 1e-3);
    assert_eq!(end(&system, (start, t_end), &Composition::single(inner), 1e-3), plain);
    let failed = solve(&system, start, t_end, &Composition::suzuki(inner), &Options::default()).expect_err("backward");
    assert!(matches!(failed.error.failure, Failure::NotApplicable { .. }), "{failed}");
}

/// Between two stops that are a rounding apart, a step has the size 0 or 10⁻¹⁶ s. There a constraint of positions determines no velocity.
#[test]
fn stops_a_rounding_apart_change_nothing() {
    fn check<M: Method<f64, N, C>, const N: usize, const C: usize>(
        system: &dyn System<f64, N, C, 0>,
        (start, exact): (State<f64, N>, &State<f64, N>),
        method: &M,
    ) {
        let stops = [0.3, 0.3_f64.next_up(), 0.45, 0.45_f64.next_up(), 0.45_f64.next_up().next_up()];
        let last = |stops: &[f64]| {
            let (rtol, atol) = (1e-9.into(), 1e-11.into());
            let options = Options { rtol, atol, max_steps: Some(5000), stops, ..Options::default() };
            let solution = solve(system, start, 0.6, method, &options);
            solution.unwrap_or_else(|error| panic!("{}: {error}", method.name())).last().expect("steps")
        };
        let (cut, whole) = (last(&stops), last(&[0.3, 0.45]));
        let error = |a: &State<f64, N>, b: &State<f64, N>| (a.q - b.q).amax().max((a.v - b.v).amax());
        // A method begins anew at a stop, so that it is not the same motion to the last digit.
        let allowed = 1e-11 + 1e-3 * error(&whole, exact);
        assert!(error(&cut, &whole) < allowed, "{}: {cut:?} instead of {whole:?}", method.name());
    }
    fn exact<const N: usize, const C: usize>(system: &dyn System<f64, N, C, 0>, start: State<f64, N>) -> State<f64, N> {
        end(system, (start, 0.6), &Radau9::new(), 1e-11).0
    }
    let system = Bouncing { e: 0.0, g: 9.81 }.prepare::<f64>().expect("valid");
    let (start, _) = on_hills();
    let motion = (start, &exact(&system, start));
    free(0.01).iter().for_each(|method| check(&system, motion, method));
    euler(0.01).iter().for_each(|method| check(&system, motion, method));
    check(&system, motion, &Esdirk4::new());
    check(&system, motion, &Radau5::new());
    let system = Rod { mu: 0.3 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, 0.1, 0.6, 0.9], [0.5, 0.0, 0.5, 0.0]);
    let motion = (start, &exact(&system, start));
    constrained(0.01).iter().for_each(|method| check(&system, motion, method));
    let system = Hanging {}.prepare::<f64>().expect("no parameters");
    let start = State::new(0.0, [0.6, -0.8], [0.0; 2]);
    let motion = (start, &exact(&system, start));
    constrained(0.01).iter().for_each(|method| check(&system, motion, method));
}

/// A pendulum in Cartesian coordinates: RATTLE takes its explicit form.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    potential = 9.81*y;
    constraint rod: x^2 + y^2 == 1;
}]
struct Hanging {}

/// A sledge on a blade.
#[lagrangian {
    coordinates x, y, a;
    kinetic = (dot(x)^2 + dot(y)^2 + dot(a)^2)/2;
    nonholonomic blade: dot(x)*sin(a) == dot(y)*cos(a);
}]
struct Sledge {}

#[test]
fn a_formula_refuses_constraints_that_are_not_holonomic() {
    let system = Sledge {}.prepare::<f64>().expect("no parameters");
    let start = State::new(0.0, [0.0; 3], [1.0, 0.0, 1.0]);
    let [method] = euler(0.01);
    let failed = solve(&system, start, 1.0, &method, &Options::default()).expect_err("refused").error.failure;
    assert!(matches!(failed, Failure::NotApplicable { method: "implicit Euler", .. }), "{failed}");
}

/// The Jacobian of a step lacks the derivatives of the directions of contacts, so that its equations are solved more slowly, and yet in steps of 0.08 rad on a round end.
#[test]
fn a_marble_rolls_off_a_round_end_in_long_steps() {
    let system = MarbleOnBar::default().prepare::<f64>().expect("regular");
    let start = MarbleOnBar::rolling_off();
    let exact = solve(&system, start, 1.0, &Radau9::new(), &Options::default()).expect("it rolls").last();
    let exact = exact.expect("a start");
    // The trapezoidal rules evaluate the forces where the bar ends, and their curvature jumps.
    let methods =
        free(0.01).into_iter().filter(|method| !matches!(method, Free::VariationalTrapezoid(_) | Free::Rattle(_)));
    for method in methods {
        let found = solve(&system, start, 1.0, &method, &Options::default());
        let last = found.unwrap_or_else(|error| panic!("{method:?}: {error}")).last().expect("a start");
        assert!((last.q[0] - exact.q[0]).abs() < 2e-4, "{method:?}: {last:?}");
        assert!((last.q[2] - exact.q[2]).abs() < 0.02, "{method:?}: {last:?}");
    }
}

/// While the diodes block, the charge and the current are 0, and what is left of an increment is the rounding of the voltages that cancel.
#[test]
fn blocked_diodes_are_held_where_nothing_but_voltages_has_a_size() {
    let bridge = FullWaveRectifier::default();
    let system = bridge.prepare::<f64>().expect("valid");
    let half = std::f64::consts::PI / bridge.omega;
    let time = 2.0 * bridge.conducts_from();
    let pulse = bridge.pulse(time);
    for h in [1e-4, 1e-5] {
        let current = |method: &Free| {
            let end = solve(&system, FullWaveRectifier::at_rest(), time + half, method, &Options::default());
            system.outputs_of(&end.expect("it blocks and conducts").last().expect("steps"))[0].1
        };
        for method in free(h) {
            let name = Method::<f64, 1, 0>::name(&method);
            assert!((current(&method) / pulse - 1.0).abs() < 1e6 * h * h, "{name}, {h}: {} {pulse}", current(&method));
        }
    }
}

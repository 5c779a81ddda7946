//! Tables of one argument and of two, against SciPy.

use lagrange_runtime::prelude::*;

/// One table a coordinate, by numbers and by fields in turn.
#[lagrangian {
    coordinates q[6];
    table monotone(s) = pchip([0, 1, 2.5, 3, 5, 6.5], [0, 0.5, 0.75, 3, 3, 2]);
    table monotone_of_fields(s) = pchip(x, y);
    table lines(s) = linear([0, 1, 2.5, 3, 5, 6.5], [0, 0.5, 0.75, 3, 3, 2]);
    table lines_of_fields(s) = linear(x, y);
    table clamped(s) = spline([0, 1, 2.5, 3, 5, 6.5], [0, 0.5, 0.75, 3, 3, 2], [0.7, -1.4]);
    table clamped_of_fields(s) = spline(x, y, [first, last]);
    kinetic = sum(i in 0..6, dot(q[i])^2/2);
    potential = monotone(q[0]) + monotone_of_fields(q[1]) + lines(q[2]) + lines_of_fields(q[3]) + clamped(q[4])
        + clamped_of_fields(q[5]);
}]
#[derive(Clone, Debug)]
struct Interpolations {
    x: [f64; 6],
    y: [f64; 6],
    first: f64,
    last: f64,
}

/// (x, f, f′, f″) of the three interpolations by SciPy 1.17.1: `PchipInterpolator`, `interp1d`, `CubicSpline` with slopes at the ends.
const BY_SCIPY: [[[f64; 4]; 12]; 3] = [
    [
        [-1.3, -0.8233333333333334, 0.6333333333333333, 0.0],
        [0.25, 0.15506465517241377, 0.6004310344827586, -0.21264367816091945],
        [0.7, 0.39388275862068967, 0.4391034482758621, -0.504367816091954],
        [1.375, 0.5668767453861098, 0.11715335114133073, -0.2244617128055691],
        [2.05, 0.6365875424963575, 0.15127489072365208, 0.32556257082726214],
        [2.625, 1.128301056338028, 5.133802816901408, 25.09859154929577],
        [2.85, 2.5259788732394375, 5.544507042253517, -21.447887323943675],
        [3.5, 3.0, 0.0, 0.0],
        [4.4, 3.0, 0.0, 0.0],
        [5.375, 2.910714285714286, -0.45238095238095233, -1.0158730158730158],
        [6.05, 2.426, -0.9066666666666665, -0.3301587301587303],
        [7.3, 1.2380952380952386, -0.9523809523809521, 0.0],
    ],
    [
        [-1.3, -0.65, 0.5, 0.0],
        [0.25, 0.125, 0.5, 0.0],
        [0.7, 0.35, 0.5, 0.0],
        [1.375, 0.5625, 0.16666666666666666, 0.0],
        [2.05, 0.6749999999999999, 0.16666666666666666, 0.0],
        [2.625, 1.3125, 4.5, 0.0],
        [2.85, 2.325, 4.5, 0.0],
        [3.5, 3.0, 0.0, 0.0],
        [4.4, 3.0, 0.0, 0.0],
        [5.375, 2.75, -0.6666666666666666, 0.0],
        [6.05, 2.3000000000000003, -0.6666666666666666, 0.0],
        [7.3, 1.4666666666666668, -0.6666666666666666, 0.0],
    ],
    [
        [-1.3, -0.9100000000000003, 0.7000000000000002, 0.0],
        [0.25, 0.19492734010659563, 0.816182267377304, -0.054108372196314036],
        [0.7, 0.49369213857428373, 0.3715751721074838, -1.92192316233622],
        [1.375, 0.1991531687208528, -1.0293706973129024, -0.2333333333333334],
        [2.05, -0.14781455696202506, 0.5954126138130129, 5.047506107039748],
        [2.625, 1.2641390114923383, 4.485999611370198, 4.665267599378195],
        [2.85, 2.332304763491006, 4.745368198978458, -2.3597690428603197],
        [3.5, 4.233527648234511, 1.081645569620253, -4.790894958916279],
        [4.4, 3.8139885409726837, -1.405852098600934, -0.7368776371307995],
        [5.375, 2.723408352764824, -0.5069703530979347, 0.8619586942038637],
        [6.05, 2.426686942038641, -0.5957321785476348, -1.1249566955363088],
        [7.3, 0.8800000000000003, -1.4, 0.0],
    ],
];

#[test]
fn tables_agree_with_scipy() {
    let (x, y) = ([0.0, 1.0, 2.5, 3.0, 5.0, 6.5], [0.0, 0.5, 0.75, 3.0, 3.0, 2.0]);
    let system = Interpolations { x, y, first: 0.7, last: -1.4 }.prepare::<f64>().expect("the knots increase");
    for (point, [place, ..]) in BY_SCIPY[0].into_iter().enumerate() {
        let q = SVector::repeat(place);
        let zero = SVector::zeros();
        let result = system.acceleration_jacobian(0.0, &q, &zero, &SVector::zeros()).expect("M is definite");
        for i in 0..6 {
            let [own_place, _, slope, bend] = BY_SCIPY[i / 2][point];
            assert_eq!(own_place, place);
            for (found, expected) in [(result.acceleration[i], -slope), (result.acceleration_q[(i, i)], -bend)] {
                assert!(
                    (found - expected).abs() < 1e-12 * (1.0 + expected.abs()),
                    "table {i} at {place}: {found}, {expected}"
                );
            }
        }
    }
    let equal = Interpolations { x: [0.0, 1.0, 1.0, 3.0, 5.0, 6.5], y, first: 0.0, last: 0.0 };
    assert!(equal.prepare::<f64>().is_err(), "the knots of a table increase");
}

/// Tables of two arguments: by numbers with fewer columns than rows, by fields with fewer rows, and by lines.
#[lagrangian {
    coordinates q[6];
    table by_columns(x, y) = spline([0, 1, 2.5, 4], [-1, 0.5, 2], [[1, 2, 0], [0.5, -1, 3], [2, 2.5, 1], [0, 1, -2]]);
    table by_rows(x, y) = spline(knots, [0, 1, 2, 4, 5], values);
    table lines(x, y) = linear([0, 1, 2.5, 4], [-1, 0.5, 2], [[1, 2, 0], [0.5, -1, 3], [2, 2.5, 1], [0, 1, -2]]);
    kinetic = sum(i in 0..6, dot(q[i])^2/2);
    potential = by_columns(q[0], q[1]) + by_rows(q[2], q[3]) + lines(q[4], q[5]);
    verify by_columns(1, 1/2) == -1;
    verify lines(1/2, -1) == 3/4;
}]
#[derive(Clone, Debug)]
struct Surfaces {
    knots: [f64; 3],
    values: [[f64; 5]; 3],
}

/// (x, y, f, f_x, f_y, f_xx, f_xy, f_yy) of the three tables by SciPy 1.17.1: natural splines (`CubicSpline`), or lines, along y and then
/// along x, straight beyond the ends.
const SURFACES_BY_SCIPY: [[[f64; 8]; 6]; 3] = [
    [
        [
            0.3,
            -0.4,
            0.6969344864864867,
            -2.991772252252252,
            -0.02876900900900897,
            1.9177945945945936,
            -3.0302126126126123,
            0.10692612612612602,
        ],
        [
            1.7,
            1.1,
            0.8903962202202201,
            1.8322267867867865,
            1.6382027894561229,
            0.6251627627627627,
            -3.03438958958959,
            1.4138362362362358,
        ],
        [
            3.2,
            0.6,
            2.4832984190116045,
            -1.2166119808697589,
            -0.9310678500722945,
            -2.7642775219664095,
            -0.24329035702369023,
            -2.5680450228005784,
        ],
        [
            -0.8,
            0.2,
            5.610551351351351,
            -4.493189189189189,
            0.5858378378378382,
            0.0,
            -0.4739639639639642,
            -6.556636636636636,
        ],
        [
            2.1,
            2.9,
            2.3180884884884865,
            -6.629447447447443,
            0.410760093426759,
            -0.2667267267267235,
            -4.820040040040041,
            0.0,
        ],
        [4.6, -1.7, -2.0626576576576574, -1.8822072072072076, 1.1590090090090084, 0.0, -0.2905405405405408, 0.0],
    ],
    [
        [
            0.3,
            0.4,
            0.8127565081967212,
            -2.832314699453552,
            0.0649535245901642,
            1.1663901639344272,
            -4.488770765027322,
            0.11906065573770452,
        ],
        [
            0.5,
            3.1,
            1.8763210809426227,
            3.9757536714480874,
            -0.49813652663934427,
            -2.6632571721311473,
            -2.562268613387979,
            -0.23399077868852425,
        ],
        [
            1.9,
            1.5,
            1.0699559426229508,
            0.5387192622950818,
            4.448426741803279,
            0.45307377049180325,
            -3.5386799863387974,
            1.3731024590163927,
        ],
        [
            -0.7,
            4.6,
            2.313889617486337,
            -0.19614207650273097,
            3.4167978142076505,
            0.0,
            -1.97224043715847,
            -0.7301639344262293,
        ],
        [
            2.4,
            -0.5,
            2.07341393442623,
            -0.8834631147540979,
            -1.5018278688524598,
            -0.7026639344262295,
            3.8752595628415296,
            0.0,
        ],
        [3.8, 5.9, -3.8276775956284155, -2.192896174863388, -1.6603825136612018, 0.0, -0.5846994535519123, 0.0],
    ],
    [
        [0.3, -0.4, 0.95, -1.5, 0.16666666666666669, 0.0, -1.6666666666666665, 0.0],
        [1.7, 1.1, 1.2066666666666666, 0.8666666666666666, 0.9555555555555557, 0.0, -2.444444444444444, 0.0],
        [3.2, 0.6, 1.653333333333333, -1.0666666666666667, -1.4666666666666668, 0.0, -0.6666666666666666, 0.0],
        [-0.8, 0.2, 3.8, -2.5, 2.0, 0.0, -1.6666666666666665, 0.0],
        [2.1, 2.9, 1.5133333333333332, -3.5333333333333328, -0.022222222222222143, 0.0, -2.444444444444444, 0.0],
        [4.6, -1.7, -1.3599999999999994, -1.488888888888889, 0.7999999999999998, 0.0, 0.2222222222222222, 0.0],
    ],
];

#[test]
fn tables_of_two_arguments_agree_with_scipy() {
    let values = [[1.0, 2.0, 0.0, 1.0, 3.0], [0.5, -1.0, 3.0, 2.0, 2.0], [2.0, 2.5, 1.0, 0.0, -1.0]];
    let surfaces = Surfaces { knots: [0.0, 1.0, 3.0], values };
    let (system, zero) = (surfaces.prepare::<f64>().expect("the knots increase"), SVector::zeros());
    let close = |found: f64, expected: f64| (found - expected).abs() < 1e-13 * (1.0 + expected.abs());
    for point in 0..6 {
        let places = SURFACES_BY_SCIPY.map(|table| table[point]);
        let q = SVector::from_fn(|i, _| places[i / 2][i % 2]);
        let result = system.acceleration_jacobian(0.0, &q, &zero, &SVector::zeros()).expect("M is definite");
        let potential = system.energies(0.0, &q, &zero, &SVector::zeros()).potential.expect("it is stated");
        assert!(close(potential, places.iter().map(|table| table[2]).sum()), "{point}: {potential}");
        for (table, [_, _, _, by_x, by_y, by_xx, by_xy, by_yy]) in places.into_iter().enumerate() {
            let (x, y) = (2 * table, 2 * table + 1);
            let found = [result.acceleration[x], result.acceleration[y]];
            let second = [(x, x), (x, y), (y, x), (y, y)].map(|place| result.acceleration_q[place]);
            let expected = ([-by_x, -by_y], [-by_xx, -by_xy, -by_xy, -by_yy]);
            let all = found.iter().chain(&second).zip(expected.0.iter().chain(&expected.1));
            for (found, expected) in all {
                assert!(close(*found, *expected), "table {table}, point {point}: {found}, {expected}");
            }
        }
    }
    let unordered = Surfaces { knots: [0.0, 3.0, 1.0], values };
    assert!(unordered.prepare::<f64>().is_err(), "the knots of a table increase");
}

/// Inverses of tables that rise and of tables that fall, each by the value that a coordinate is.
#[lagrangian {
    coordinates q[6];
    table up(s) = pchip([0, 1, 2.5, 3, 5, 6.5], [0, 0.5, 0.75, 3, 3.2, 5]);
    table down(s) = pchip([0, 1, 2.5, 3, 5, 6.5], [0, -0.5, -0.75, -3, -3.2, -5]);
    table bow(s) = spline([0, 1, 2.5, 3, 5, 6.5], [0, 1.2, 2.5, 3, 4.6, 6]);
    table fall(s) = spline([0, 1, 2.5, 3, 5, 6.5], [0, -1.2, -2.5, -3, -4.6, -6]);
    table lines(s) = linear([0, 1, 3], [0, 2, 3]);
    table slide(s) = linear([0, 1, 3], [0, -2, -3]);
    kinetic = sum(i in 0..6, dot(q[i])^2/2);
    potential = inverse(up, q[0]) + inverse(down, q[1]) + inverse(bow, q[2]) + inverse(fall, q[3])
        + inverse(lines, q[4]) + inverse(slide, q[5]);
    output places = [inverse(up, q[0]), inverse(down, q[1]), inverse(bow, q[2]), inverse(fall, q[3])];
    verify inverse(up, up(q[0])) == q[0];
    verify bow(inverse(bow, q[0])) == q[0];
    verify inverse(lines, 5/2) == 2;
    verify inverse(slide, -5/2) == 2;
    verify inverse(slide, 4) == -2;
}]
#[derive(Clone, Debug)]
struct Inverses {}

/// (x, f, f′, f″) of `up` and `bow` by SciPy 1.17.1, as straight lines beyond the ends.
const TO_INVERT: [[[f64; 4]; 11]; 2] = [
    [
        [-1.3, -0.8233333333333334, 0.6333333333333333, 0.0],
        [0.25, 0.15506465517241377, 0.6004310344827586, -0.21264367816091945],
        [0.7, 0.39388275862068967, 0.4391034482758621, -0.504367816091954],
        [1.375, 0.5668767453861098, 0.11715335114133073, -0.2244617128055691],
        [2.05, 0.6365875424963575, 0.15127489072365208, 0.32556257082726214],
        [2.625, 1.1226306934348023, 5.058197978191732, 24.85665606542481],
        [3.5, 3.0812600036936715, 0.09774839940901264, -0.2005109578921449],
        [4.4, 3.130728145776902, 0.05962693917754264, 0.11579660182221152],
        [5.375, 3.4043049686477644, 0.8637472737186478, 1.522246455834242],
        [6.05, 4.260828625954199, 1.565519083969466, 0.5570774263904039],
        [7.3, 6.337142857142857, 1.6714285714285717, 0.0],
    ],
    [
        [-1.3, -1.675715604801477, 1.2890120036934438, 0.0],
        [0.25, 0.3208621883656509, 1.272322253000923, -0.13351800554016569],
        [0.7, 0.8717772853185594, 1.1581643582640813, -0.3738504155124647],
        [1.375, 1.5514369806094181, 0.8676823638042477, -0.28882733148661166],
        [2.05, 2.104845983379501, 0.8217100646352722, 0.15261311172668468],
        [2.625, 2.622532894736842, 0.9996537396121883, 0.24192059095106266],
        [3.5, 3.447091412742382, 0.8256694367497688, -0.22456140350877213],
        [4.4, 4.135326315789473, 0.7438301015697136, 0.04269621421976044],
        [5.375, 4.922822887811633, 0.8953716528162514, 0.16565096952908592],
        [6.05, 5.557388642659279, 0.9736417359187445, 0.06626038781163451],
        [7.3, 6.790840258541089, 0.9885503231763622, 0.0],
    ],
];

#[test]
fn steps_end_at_the_knots_of_an_inverse() {
    let system = Inverses {}.prepare::<f64>().expect("it has no parameters");
    // One for each table of cubic pieces, and one for the only inner knot of each table of lines.
    assert_eq!(system.switch_count(), 6);
    let crossed = |i: usize, knot: f64| {
        let at = |value: f64| {
            let (mut q, mut found) = (SVector::<f64, 6>::zeros(), [0.0; 6]);
            q[i] = value;
            system.switches(0.0, &q, &SVector::zeros(), &SVector::zeros(), &mut found);
            found
        };
        let (before, after) = (at(knot - 1e-6), at(knot + 1e-6));
        before.iter().zip(after).filter(|(before, after)| **before * after < 0.0).count()
    };
    for (i, knots) in
        [[0.5, 3.0], [-0.5, -3.0], [1.2, 3.0], [-2.5, -4.6], [2.0, 2.0], [-2.0, -2.0]].into_iter().enumerate()
    {
        for knot in knots {
            assert_eq!(crossed(i, knot), 1, "coordinate {i} at {knot}");
            assert_eq!(crossed(i, knot + 0.1), 0, "coordinate {i} at {knot}");
        }
    }
}

#[test]
fn inverses_of_tables_undo_them() {
    let system = Inverses {}.prepare::<f64>().expect("it has no parameters");
    for (kind, points) in TO_INVERT.iter().enumerate() {
        for &[x, f, slope, bend] in points {
            let mut q = SVector::<f64, 6>::zeros();
            (q[2 * kind], q[2 * kind + 1]) = (f, -f);
            let zero = SVector::zeros();
            let result = system.acceleration_jacobian(0.0, &q, &zero, &SVector::zeros()).expect("M is definite");
            let mut places = [0.0; 4];
            system.outputs(0.0, &q, &zero, &SVector::zeros(), &mut places);
            // The falling table −f has the value −f(x) at x too. The slope of its inverse there has the other sign, and the second derivative
            // is the same.
            for (i, side) in [(2 * kind, 1.0), (2 * kind + 1, -1.0)] {
                let expected = [(places[i], x), (-result.acceleration[i], side / slope)];
                let bent = (-result.acceleration_q[(i, i)], -bend / (slope * slope * slope));
                for (found, expected) in expected.into_iter().chain([bent]) {
                    let error = (found - expected).abs();
                    assert!(error < 4e-12 * (1.0 + expected.abs()), "{i} at {x}: {found}, {expected}");
                }
            }
        }
    }
}

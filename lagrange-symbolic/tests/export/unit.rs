//! Functional mock-up units: the description of a small mechanism, names and units in it, and what is refused.

use expect_test::expect_file;
use lagrange_symbolic::export::{Export, Field, UnitError, fmu, mechanism, mechanisms};
use std::collections::BTreeMap;

/// The unit of the only mechanism of a source.
fn unit(source: &str, starts: &[(&str, f64)]) -> Result<Export, UnitError> {
    let [found] = &mechanisms(source).expect("Rust")[..] else { panic!("one mechanism") };
    let starts: BTreeMap<String, f64> = starts.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    fmu(found, &starts)
}

fn of_block(block: &str, starts: &[(&str, f64)]) -> Result<Export, UnitError> {
    unit(&format!("#[lagrangian {{ {block} }}] struct Block {{ m: f64, k: f64 }}"), starts)
}

fn text<'e>(export: &'e Export, name: &str) -> &'e str {
    &export.files.iter().find(|file| file.name == name).unwrap_or_else(|| panic!("no file {name}")).text
}

#[test]
fn a_pendulum_is_described_with_units_derivatives_and_dependencies() {
    let source = "
        /// A point mass on a rod of length <l> & a \"torque\".
        #[lagrangian {
            coordinates theta: rad;
            kinetic   = m*l^2*dot(theta)^2/2;
            potential = -m*g*l*cos(theta);
            force theta = torque;
            output height = -l*cos(theta);
            output load = m*dot(dot(theta));
            assume l > 0;
        }]
        struct Pendulum {
            /// Mass.
            #[unit(kg)]
            m: f64,
            #[unit(m)]
            l: f64,
            #[unit(m/s^2)]
            g: f64,
            #[input]
            torque: f64,
        }
    ";
    let export = unit(source, &[("m", 1.0), ("l", 0.5), ("g", 9.81), ("theta", 1.0)]).expect("a unit");
    // The token is a sum over everything else.
    let description = text(&export, "modelDescription.xml");
    let (before, rest) = description.split_once('{').expect("a token");
    let (token, after) = rest.split_once('}').expect("a token");
    expect_file!["pendulum/modelDescription.xml"].assert_eq(&format!("{before}{after}"));
    assert!(text(&export, "sources/lagrange_model.c").contains(&format!("instantiation_token[] = \"{{{token}}}\"")));
    expect_file!["pendulum/lagrange_model.h"].assert_eq(text(&export, "sources/lagrange_model.h"));
    let build = text(&export, "sources/buildDescription.xml");
    for file in export.files.iter().filter_map(|file| file.name.strip_prefix("sources/")) {
        assert_eq!(build.contains(&format!("name=\"{file}\"")), file.ends_with(".c"), "{file}");
    }
    let other = unit(source, &[("m", 2.0), ("l", 0.5), ("g", 9.81), ("theta", 1.0)]).expect("a unit");
    assert!(!text(&other, "modelDescription.xml").contains(token), "a unit with another start is another unit");
}

#[test]
fn names_follow_the_convention_or_it_is_not_claimed() {
    let block = "coordinates r[2][2]; kinetic = m*sum(i in 0..2, norm2(dot(r[i])))/2; output energy = k*r[0][1];";
    let export = of_block(block, &[("m", 1.0), ("k", 1.0), ("r[1][0]", 2.0), ("r[1][0]_dot", 3.0)]).expect("a unit");
    let description = text(&export, "modelDescription.xml");
    assert!(description.contains("variableNamingConvention=\"structured\""), "{description}");
    for part in [
        "name=\"r[1,0]\" valueReference=\"5\" causality=\"output\" variability=\"continuous\" initial=\"exact\" start=\"2.0\"",
        "name=\"der(r[1,0])\" valueReference=\"9\"",
        "name=\"der(r[1,0],2)\"",
        // The output has the name, and the energy h another one.
        "name=\"energy\" valueReference=\"15\" causality=\"output\"",
        "name=\"energies.energy\"",
        // k r[0][1] depends on one coordinate.
        "<Output valueReference=\"15\" dependencies=\"4\"/>",
    ] {
        assert!(description.contains(part), "{part}\n{description}");
    }
    let greek = of_block("coordinates θ; kinetic = m*dot(θ)^2/2; potential = k*θ^2/2;", &[("m", 1.0), ("k", 1.0)])
        .expect("a unit");
    assert!(text(&greek, "modelDescription.xml").contains("variableNamingConvention=\"flat\""));
    // θ has the UTF-8 bytes 206 and 184, in octal 316 and 270.
    assert!(text(&greek, "sources/lagrange_model.c").contains("\"\\316\\270\""));
}

#[test]
fn what_a_unit_would_compute_otherwise_is_refused_by_name() {
    let cases = [
        (
            "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; friction rail: [x, y] = k; mode on = when x > k { 1 };",
            "a slip that is a vector",
        ),
        (
            "coordinates x; kinetic = m*dot(x)^2/2; mode on = when x > k { 1 }; constraint hook: x == k when on > 1/2;",
            "modes switch the constraint `hook`",
        ),
        ("coordinates x; kinetic = m*dot(x)^2/2; friction rail: x = k, breakaway = 2*k;", "by `breakaway`"),
        (
            "coordinates y; kinetic = m*dot(y)^2/2; contact floor: y >= 0, restitution = k; output n = contact(floor);",
            "The outputs",
        ),
    ];
    for (block, part) in cases {
        match of_block(block, &[("m", 1.0), ("k", 0.5)]) {
            Err(UnitError::Incomplete(missing)) => {
                let names_changes = missing.iter().any(|sentence| sentence.contains("changes of modes"));
                assert!(missing.iter().any(|sentence| sentence.contains(part)) && !names_changes, "{missing:?}");
                let is_found =
                    |sentence: &String| sentence.starts_with("Forces of contacts") || sentence.contains("powers");
                assert!(!missing.iter().any(is_found), "what a unit finds itself, or does not have: {missing:?}");
            }
            other => panic!("{block}: {:?}", other.map(|export| export.stem)),
        }
    }
}

#[test]
fn ends_of_phases_are_event_indicators_between_the_switches_and_the_changes() {
    let block =
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; mode on = when x > k { 1 }; force x = -on - abs(x);
        contact floor: y >= 0, friction = k, slip = x; friction rail: x = k;";
    let export = of_block(block, &[("m", 1.0), ("k", 0.5)]).expect("a unit");
    let header = text(&export, "sources/lagrange_model.h");
    for line in ["#define SWITCHES 5\n", "#define ROWS 3\n", "#define GAPS 1\n", "#define CHANGES 1\n"] {
        assert!(header.contains(line), "{line}{header}");
    }
    let source = text(&export, "sources/lagrange_model.c");
    // The switching functions of the equations without those that belong to rows.
    assert_eq!(source.matches("    values[").count(), 2, "{source}");
    let rows = "    {\"friction rail\", FRICTION, 0},\n    {\"contact floor\", CONTACT, 0},\n    {\"slip floor.slip\", SLIP, 1},\n";
    assert!(source.contains(rows), "{source}");
    let names = source.split_once("switch[0]").and_then(|(_, rest)| rest.split_once("change_names")).expect("names").0;
    for name in ["end.rail", "end.floor", "end.floor.slip", "change[0]", "phase.rail"] {
        assert!(names.contains(name), "{names}");
    }
    // Where phases decide, no derivatives are claimed.
    assert!(text(&export, "modelDescription.xml").contains("providesDirectionalDerivatives=\"false\""));
}

#[test]
fn conditions_of_changes_of_modes_are_event_indicators_behind_the_switches() {
    let block =
        "coordinates x; kinetic = m*dot(x)^2/2; mode on = when x > k { 1 } when x < 0 { 0 }; force x = -on - abs(x);";
    let export = of_block(block, &[("m", 1.0), ("k", 0.5)]).expect("a unit");
    let description = text(&export, "modelDescription.xml");
    let reference = |name: &str| {
        let (_, rest) = description.split_once(&format!("name=\"{name}\" valueReference=\"")).expect(name);
        rest.split('"').next().expect("a number").to_owned()
    };
    let indicators: Vec<String> = ["switch[0]", "change[0]", "change[1]"].map(reference).to_vec();
    let lines: String =
        indicators.iter().map(|number| format!("    <EventIndicator valueReference=\"{number}\"/>\n")).collect();
    assert!(description.contains(&format!("{lines}  </ModelStructure>")), "{description}");
    let header = text(&export, "sources/lagrange_model.h");
    assert!(header.contains("#define SWITCHES 3\n") && header.contains("#define CHANGES 2\n"), "{header}");
}

#[test]
fn starts_are_finite_numbers_of_names_that_exist() {
    let cases: [(&[(&str, f64)], &str); 4] = [
        (&[("m", 1.0)], "a start value is missing of the parameters `k`"),
        (&[("m", 1.0), ("k", 1.0), ("width_dt", 1.0)], "nothing has the name `width_dt`; did you mean `width_dot`?"),
        (&[("m", 1.0), ("k", 1.0), ("torque", 1.0)], "the names are m, k, width, width_dot"),
        (&[("m", 1.0), ("k", f64::NAN)], "the start value of `k` must be a finite number"),
    ];
    for (starts, part) in cases {
        match of_block("coordinates width; kinetic = m*dot(width)^2/2; potential = k*width^2/2;", starts) {
            Err(UnitError::Starts(message)) => assert!(message.contains(part), "{message}"),
            other => panic!("{starts:?}: {other:?}"),
        }
    }
}

#[test]
fn derivatives_are_claimed_where_constraints_are_independent_at_the_start() {
    let claims = |constraints: &str, [k, x, y]: [f64; 3]| {
        let block = format!("coordinates x, y, z; kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2; {constraints}");
        let export = of_block(&block, &[("m", 1.0), ("k", k), ("x", x), ("y", y)]).expect("a unit");
        let is_claimed = text(&export, "modelDescription.xml").contains("providesDirectionalDerivatives=\"true\"");
        assert_eq!(text(&export, "sources/lagrange_model.h").contains("#define HAS_JACOBIAN 1"), is_claimed);
        is_claimed
    };
    let two = "constraint circle: x^2 + y^2 == 1; constraint line: x == k;";
    assert!(claims(two, [0.6, 0.6, 0.8]));
    // The line touches the circle.
    assert!(!claims(two, [1.0, 1.0, 0.0]));
    // Nothing is known where the start is no state of the mechanism.
    assert!(!claims(two, [0.6, 0.6, 0.7]));
    assert!(claims("constraint circle: x^2 + y^2 == 1;", [0.0, 0.6, 0.7]));
}

#[test]
fn nominal_ranges_are_sizes_and_no_bounds() {
    let block = "coordinates x in -3..2, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = k*x^2/2 + y;";
    let source = format!(
        "#[lagrangian {{ {block} }}] struct Block {{ #[range(0.1..10)] m: f64, #[input] #[range(-9..1)] k: f64 }}"
    );
    let starts = [("m", 1.0), ("x", 0.5), ("y", 0.5)];
    let stated = unit(&source, &starts).expect("a unit");
    // A program that knows the fields of a struct, and not its source.
    let fields = [("m", false, [0.1, 10.0]), ("k", true, [-9.0, 1.0])];
    let fields = fields.map(|(name, is_input, range)| Field { name, is_input, documentation: "", range: Some(range) });
    let found = mechanism("Block", "", block, fields).expect("Rust");
    let starts = starts.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
    let known = fmu(&found, &starts).expect("a unit");
    for export in [stated, known] {
        let description = text(&export, "modelDescription.xml");
        let line = |name: &str| {
            description
                .lines()
                .find(|line| line.contains(&format!("name=\"{name}\"")))
                .expect("it is described")
                .to_owned()
        };
        for (name, nominal) in [("m", "10.0"), ("k", "9.0"), ("x", "3.0"), ("y", "0.5")] {
            assert!(line(name).contains(&format!(" nominal=\"{nominal}\"")), "{}", line(name));
        }
        assert!(!description.contains(" min=") && !description.contains(" max="));
    }
}

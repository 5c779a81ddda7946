//! Whole texts, refusals, and damaged files.

use super::{Free, Options, import};
use expect_test::{ExpectFile, expect_file};

const PENDULUM: &str = include_str!("../../tests/robots/double_pendulum.urdf");
const ARM: &str = include_str!("../../tests/robots/arm.urdf");
const HOPPER: &str = include_str!("../../tests/robots/hopper.urdf");

fn written(text: &str, file: &str, options: &Options) -> String {
    import(text, file, options).unwrap_or_else(|fault| panic!("{file}:{fault}")).text
}

/// What is said of a file.
fn fault(text: &str) -> String {
    import(text, "robot.urdf", &Options::default()).expect_err("it is refused").to_string()
}

/// These files are compiled, and compared with blocks by hand, in `tests/tests/models/robots.rs`.
#[test]
fn files_are_written_as_a_person_would() {
    let check = |file: ExpectFile, text: String| file.assert_eq(&text);
    let fixed = Options::default();
    check(expect_file!["../../tests/robots/double_pendulum.rs"], written(PENDULUM, "double_pendulum.urdf", &fixed));
    let dry = Options { friction: true, tips: vec!["höhe".into(), "motor".into()], ..Options::default() };
    check(expect_file!["../../tests/robots/arm.rs"], written(ARM, "arm.urdf", &fixed));
    check(expect_file!["../../tests/robots/arm_with_friction.rs"], written(ARM, "arm.urdf", &dry));
    let angles = Options { free_base: true, ..Options::default() };
    check(expect_file!["../../tests/robots/hopper.rs"], written(HOPPER, "hopper.urdf", &angles));
    let quaternion = Options { free: Free::Quaternion, name: Some("Turning".into()), ..angles };
    check(expect_file!["../../tests/robots/hopper_by_quaternion.rs"], written(HOPPER, "hopper.urdf", &quaternion));
}

/// A pendulum in which one text is replaced by another one.
fn with(old: &str, new: &str) -> String {
    assert!(PENDULUM.contains(old), "{old}");
    PENDULUM.replacen(old, new, 1)
}

#[test]
fn mistakes_are_named_with_their_places() {
    let elbow = "<joint name=\"elbow\" type=\"continuous\">";
    for (text, expected) in [
        (String::new(), "1:1: this is no XML: "),
        ("<robot".into(), "this is no XML: "),
        ("<sdf/>".into(), "1:1: `sdf` is no root of a robot's file; `robot` (URDF)"),
        ("<robot name=\"a\"/>".into(), "1:1: `robot` has no `link`"),
        ("<!DOCTYPE r [<!ENTITY a \"aaaa\">]><robot>&a;</robot>".into(), "this is no XML: "),
        (
            with("type=\"continuous\"", "type=\"screw\""),
            "`screw` is no type of a joint; `revolute`, `continuous`, `prismatic`",
        ),
        (
            with("<axis xyz=\"0 -1 0\"/>", "<axis xyz=\"0 0 0\"/>"),
            "`xyz` of `axis` has the length 0; it must give a direction",
        ),
        (
            with("<axis xyz=\"0 -1 0\"/>", "<axis xyz=\"0 -1\"/>"),
            "22:11: `xyz` of `axis` has 2 numbers; it needs 3 numbers",
        ),
        (with("value=\"1.5\"", "value=\"-1.5\""), "the mass -1.5 is negative; 0 or more is allowed"),
        (with("value=\"1.5\"", "value=\"NaN\""), "8:13: `NaN` in `value` of `mass` is no finite number"),
        (with("value=\"1.5\"", "value=\"1e999\""), "`1e999` in `value` of `mass` is no finite number"),
        (with("value=\"1.5\"", "value=\"\""), "the attribute `value` of `mass` is empty"),
        (with("value=\"1.5\"", "vale=\"1.5\""), "`mass` has no attribute `value`"),
        (with("<mass value=\"1.5\"/>", ""), "`inertial` has no `mass`"),
        (
            with("<mass value=\"1.5\"/>", "<mass value=\"1\"/><mass value=\"1\"/>"),
            "a second `mass` in `inertial`; one is allowed",
        ),
        (with("ixx=\"0\"", "ixx=\"-1\""), "the moment of inertia -1 is negative; 0 or more is allowed"),
        (with("<parent link=\"upper\"/>", "<parent link=\"uper\"/>"), "no link `uper`; did you mean `upper`?"),
        (with("<parent link=\"upper\"/>", ""), "the joint `elbow` has no `parent`"),
        (with("<link name=\"tip\"/>", "<link name=\"upper\"/>"), "a second link `upper`; names must differ"),
        (with("name=\"elbow\"", "name=\"shoulder\""), "a second joint `shoulder`; names must differ"),
        (
            with("<link name=\"tip\"/>", "<link name=\"tip\"/><link name=\"b\"/>"),
            "no joint moves `ceiling` or `b`; one root is allowed",
        ),
        (
            with("<child link=\"tip\"/>", "<child link=\"upper\"/>"),
            "the joints `shoulder` and `end` both move the link `upper`",
        ),
        (
            with("<parent link=\"ceiling\"/>", "<parent link=\"tip\"/>"),
            "the joints before the link `upper` form a circle; a tree is allowed",
        ),
        (
            with("<link name=\"ceiling\"/>", "").replace("\"ceiling\"", "\"tip\""),
            "every link is moved by a joint, so that the joints form a circle",
        ),
        (PENDULUM.replace("continuous", "fixed"), "4:3: no joint of the robot moves"),
        (with("value=\"0.7\"", "value=\"0\""), "the joint `elbow` moves nothing that has inertia; a mass is needed"),
        (with(elbow, &format!("{elbow}<mimic joint=\"sholder\"/>")), "no joint `sholder` moves, which `elbow` follows"),
        (with(elbow, &format!("{elbow}<mimic joint=\"elbow\"/>")), "joints follow each other in a circle"),
        (
            with(elbow, &format!("{elbow}<dynamics damping=\"-1\"/>")),
            "`damping` of `dynamics` is -1; 0 or more is allowed",
        ),
        (
            with(elbow, "<joint name=\"elbow\" type=\"planar\"><mimic joint=\"shoulder\"/>"),
            "`mimic` of a joint with several coordinates",
        ),
        (
            with(elbow, "<joint name=\"elbow\" type=\"floating\"><dynamics damping=\"1\"/>"),
            "`dynamics` of a joint with several coordinates",
        ),
        (
            with("<link name=\"tip\"/>", "<xacro:box xmlns:xacro=\"http://ros.org/wiki/xacro\"/>"),
            "`xacro:box` is a macro; expand the file by `xacro` before",
        ),
        (format!("<robot>{}", "<link>".repeat(100_000)), "elements are nested deeper than 200"),
    ] {
        let said = fault(&text);
        assert!(said.contains(expected), "{said}\ninstead of\n{expected}");
    }
    let tips = Options { tips: vec!["tipp".into()], ..Options::default() };
    let said = import(PENDULUM, "", &tips).expect_err("it is refused").to_string();
    assert!(said.contains("no link `tipp`; did you mean `tip`?"), "{said}");
}

#[test]
fn doubtful_tensors_are_told() {
    let text = with("iyy=\"0\"", "iyy=\"0\" ").replace("ixy=\"0\"", "ixy=\"0.1\"");
    let imported = import(&text, "", &Options::default()).expect("it is read");
    let expected =
        "`lower` (line 12): the tensor of inertia has a negative moment about some direction, as no body has";
    assert_eq!(imported.doubts, [expected]);
    assert!(imported.text.contains(&format!("//! Doubtful in the file:\n//! - {expected}")), "{}", imported.text);
}

#[test]
fn names_become_identifiers_that_differ() {
    let text = PENDULUM
        .replace("\"shoulder\"", "\"Elbow\"")
        .replace("\"upper\"", "\"&#10;*/ fn\"")
        .replace("\"lower\"", "\"2-R\u{202E}\"")
        .replace("\"double_pendulum\"", "\"default\"");
    let text = written(&text, "a.urdf", &Options::default());
    for expected in [
        "coordinates elbow: rad;",
        "coordinates elbow_2: rad;",
        "let fn_link_frame = ",
        "let n2_r_frame = ",
        "pub struct DefaultRobot {",
    ] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    assert!(text.contains("// ` */ fn` turns on `ceiling`") && !text.contains('\u{202E}'), "{text}");
}

/// Files that end early, lack a byte or have a wrong one are read or refused, and never end the program.
#[test]
fn damaged_files_do_not_panic() {
    for text in [PENDULUM, ARM, HOPPER] {
        let (mut refused, mut count) = (0, 0);
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at) && text.is_char_boundary(at + 1)) {
            let (before, after) = (&text[..at], &text[at + 1..]);
            for damaged in [before.to_owned(), format!("{before}{after}"), format!("{before}-{after}")] {
                count += 1;
                refused += usize::from(
                    import(&damaged, "", &Options { free_base: at % 2 == 0, ..Options::default() }).is_err(),
                );
            }
        }
        assert!(refused > count / 3 && refused < count, "{refused} of {count}");
    }
}

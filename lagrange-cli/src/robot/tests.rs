//! Whole texts, refusals, and damaged files.

mod mjcf;

use super::{Free, Options, import};
use expect_test::{ExpectFile, expect_file};

const PENDULUM: &str = include_str!("../../tests/robots/double_pendulum.urdf");
const ARM: &str = include_str!("../../tests/robots/arm.urdf");
const HOPPER: &str = include_str!("../../tests/robots/hopper.urdf");
const SLED: &str = include_str!("../../tests/robots/sled.urdf");
const CRANE: &str = include_str!("../../tests/robots/crane.xml");

fn written(text: &str, file: &str, options: &Options) -> String {
    import(text, file, options).unwrap_or_else(|fault| panic!("{file}:{fault}")).text
}

/// The message about a file that is refused.
fn fault(text: &str) -> String {
    import(text, "robot.urdf", &Options::default()).expect_err("it is refused").to_string()
}

/// These files are compiled, and compared with blocks by hand, in `tests/tests/models/robots.rs`.
#[test]
fn files_are_written_as_a_person_would() {
    let check = |file: ExpectFile, text: String| file.assert_eq(&text);
    let fixed = Options::default();
    check(expect_file!["../../tests/robots/double_pendulum.rs"], written(PENDULUM, "double_pendulum.urdf", &fixed));
    check(expect_file!["../../tests/robots/sled.rs"], written(SLED, "sled.urdf", &fixed));
    check(expect_file!["../../tests/robots/crane.rs"], written(CRANE, "crane.xml", &fixed));
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
    let mut other = Vec::new();
    for (text, expected) in [
        (String::new(), "1:1: this is no XML: "),
        ("<robot".into(), "this is no XML: "),
        ("<sdf/>".into(), "1:1: `sdf` is no root of a robot's file; `robot` (URDF) and `mujoco` (MJCF) are allowed"),
        ("<robot name=\"a\"/>".into(), "1:1: `robot` has no `link`"),
        (
            "<!DOCTYPE r [<!ENTITY a \"aaaa\">]><robot>&a;</robot>".into(),
            "1:1: `<!DOCTYPE` begins a document type; it is not allowed",
        ),
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
        (with("value=\"1.5\"", "vale=\"1.5\""), "8:13: `mass` has no attribute `vale`; did you mean `value`?"),
        (with("value=\"1.5\"", "kilograms=\"1.5\""), "`mass` has no attribute `value`"),
        (
            with("<axis xyz=\"0 -1 0\"/>", "<axis xzy=\"0 -1 0\"/>"),
            "`axis` has no attribute `xzy`; did you mean `xyz`?",
        ),
        (with("<axis xyz=\"0 -1 0\"/>", "<axiss/>"), "no element `axiss` may stand in `joint`; did you mean `axis`?"),
        (
            with(elbow, &format!("{elbow}<dynamics dampng=\"1\"/>")),
            "`dynamics` has no attribute `dampng`; did you mean `damping`?",
        ),
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
        (format!("<robot>{}", "<link a='/>'>".repeat(100_000)), "elements are nested deeper than 200"),
        (
            ARM.replace("0.1 0 0.02", "1e200 0 0.02"),
            "a place or an inertia of what the joint `turret` moves is too large",
        ),
    ] {
        let said = fault(&text);
        if !said.contains(expected) {
            other.push(format!("{said}\n  instead of {expected}"));
        }
    }
    assert!(other.is_empty(), "{}", other.join("\n"));
    let tips = Options { tips: vec!["tipp".into()], ..Options::default() };
    let said = import(PENDULUM, "", &tips).expect_err("it is refused").to_string();
    assert!(said.contains("no link `tipp`; did you mean `tip`?"), "{said}");
}

#[test]
fn mistakes_in_mjcf_are_named_with_their_places() {
    let with = |old: &str, new: &str| {
        assert!(CRANE.contains(old), "{old}");
        CRANE.replacen(old, new, 1)
    };
    let mut other = Vec::new();
    for (text, expected) in [
        (
            with("<actuator>", "<equality/><actuator>"),
            "31:3: `equality` may change the motion, and has no translation; `--leave-out equality`",
        ),
        (with("<actuator>", "<include file=\"a.xml\"/><actuator>"), "`include` may change the motion"),
        (with("<site name=\"tip\"/>", "<replicate count=\"3\"/>"), "26:11: `replicate` may change the motion"),
        (with("timestep=\"0.01\"", "viscosity=\"0.1\""), "`viscosity` may change the motion"),
        (
            with("angle=\"degree\"", "angle=\"grad\""),
            "3:13: `angle` of `compiler` is `grad`; `degree` or `radian` may stand there",
        ),
        (with("XYZ", "XYW"), "`eulerseq` is `XYW`; three letters of `xyzXYZ` are needed"),
        (
            with("euler=\"0 0 90\"", "euler=\"0 0 90\" quat=\"1 0 0 0\""),
            "`body` has both `quat` and `euler`; one orientation is allowed",
        ),
        (with("quat=\"1 0 0 1\"", "quat=\"0 0 0 0\""), "`quat` of `geom` gives no direction"),
        (with("class=\"main\"", "class=\"spung\""), "22:31: no class `spung`; did you mean `sprung`?"),
        (with("<default class=\"sprung\">", "<default>"), "a `default` in another one has no `class`"),
        (
            with("type=\"slide\"", "type=\"screw\""),
            "`screw` is no type of a joint; `hinge`, `slide`, `ball` and `free` are allowed",
        ),
        (
            with("class=\"main\" type=\"slide\"", "armature=\"0\" stiffness=\"0\" type=\"free\""),
            "a free joint must be the only joint of a body in `worldbody`",
        ),
        (with("name=\"spin\"", "name=\"slew\""), "a second joint `slew`; names must differ"),
        (with("name=\"hook\"", "name=\"jib\""), "a second body `jib`; names must differ"),
        (with("damping=\"0.1\"", "damping=\"-0.1\""), "6:12: `damping` of `joint` is -0.1; 0 or more is allowed"),
        (
            with("type=\"capsule\"", "type=\"mesh\""),
            "the inertia of a `mesh` is not known here; state the inertia of its body by `inertial`",
        ),
        (with("size=\"0.1 0.5\"", "size=\"0.1\""), "`size` of a `cylinder` needs 2 numbers above 0 here"),
        (with("0 0 -0.4\" size", "0 0 0\" size"), "both ends of `fromto` are the same point"),
        (with("fullinertia=\"0.1 0.3 0.35 0.01 -0.02 0.005\"", ""), "`inertial` needs `diaginertia` or `fullinertia`"),
        (with("mass=\"3\"", "mass=\"-3\""), "the mass -3 is negative; 0 or more is allowed"),
        (with("mass=\"0.7\"", "mass=\"-0.7\""), "`mass` of `geom` is negative; 0 or more is allowed"),
        (with("name=\"slew\" axis", "name=\"slew\" type=\"ball\" axis"), "`damping` may change the motion"),
    ] {
        let said = fault(&text);
        if !said.contains(expected) {
            other.push(format!("{said}\n  instead of {expected}"));
        }
    }
    assert!(other.is_empty(), "{}", other.join("\n"));
    let leave = Options { leave_out: vec!["equality".into()], ..Options::default() };
    let text = written(&with("<actuator>", "<equality/><actuator>"), "", &leave);
    assert!(text.contains("//! - `equality` (line 31)"), "{text}");
    let free = Options { free_base: true, ..Options::default() };
    let said = import(CRANE, "", &free).expect_err("it is refused").to_string();
    assert!(said.contains("in MJCF a `freejoint` lets a body move freely"), "{said}");
}

/// Readers of URDF ignore attributes of other programs.
#[test]
fn unknown_attributes_of_urdf_are_listed() {
    let text = written(&with("value=\"1.5\"", "value=\"1.5\" source=\"scales\""), "", &Options::default());
    assert!(text.contains("//! - `source of mass` (line 8)"), "{text}");
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
    for text in [PENDULUM, ARM, HOPPER, CRANE] {
        let (mut refused, mut count) = (0, 0);
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at) && text.is_char_boundary(at + 1)) {
            let (before, after) = (&text[..at], &text[at + 1..]);
            for damaged in [before.to_owned(), format!("{before}{after}"), format!("{before}-{after}")] {
                count += 1;
                refused += usize::from(
                    import(&damaged, "", &Options { free_base: text == HOPPER, ..Options::default() }).is_err(),
                );
            }
        }
        assert!(refused > count / 3 && refused < count, "{refused} of {count}");
    }
}

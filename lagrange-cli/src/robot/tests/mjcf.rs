//! What MJCF states: each attribute is read, without effect, or refused, as MuJoCo 4.0.0 takes it.

use super::super::{Options, import};

const BOX: &str = "<geom type=\"box\" size=\"0.1 0.2 0.3\" pos=\"0.1 0 0.2\"/>";
const JOINT: &str = "<joint name=\"j\" axis=\"0 1 0\"/>";

/// A file with one body, and something before and behind the bodies.
fn file(before: &str, body: &str, behind: &str) -> String {
    format!("<mujoco>{before}<worldbody><body name=\"b\">{body}</body></worldbody>{behind}</mujoco>")
}

fn with_joint(before: &str, attributes: &str) -> String {
    file(before, &format!("<joint name=\"j\" {attributes}/>{BOX}"), "")
}

fn with_geom(before: &str, geom: &str) -> String {
    file(before, &format!("{JOINT}{geom}"), "")
}

fn with_drive(before: &str, drive: &str) -> String {
    file(before, &format!("{JOINT}{BOX}"), &format!("<actuator>{drive}</actuator>"))
}

fn leaving(names: &[&str]) -> Options {
    Options { leave_out: names.iter().map(|&name| name.to_owned()).collect(), ..Options::default() }
}

fn written(text: &str, options: &Options) -> String {
    import(text, "robot.xml", options).unwrap_or_else(|fault| panic!("{text}\n{fault}")).text
}

/// Panics with all texts that are refused otherwise than expected.
fn refused(cases: &[(String, &str)]) {
    let mut other = Vec::new();
    for (text, expected) in cases {
        match import(text, "robot.xml", &Options::default()) {
            Ok(_) => other.push(format!("{text}\n  is read instead of {expected}")),
            Err(fault) if !fault.to_string().contains(expected) => {
                other.push(format!("{fault}\n  instead of {expected}"));
            }
            Err(_) => {}
        }
    }
    assert!(other.is_empty(), "{}", other.join("\n"));
}

#[test]
fn every_attribute_is_known() {
    let inertial = |attributes: &str| file("", &format!("{JOINT}<inertial {attributes}/>"), "");
    refused(&[
        (with_joint("", "dampng=\"3\""), "1:51: `joint` has no attribute `dampng`; did you mean `damping`?"),
        (with_geom("", "<geom size=\"0.1\" mas=\"3\"/>"), "`geom` has no attribute `mas`; did you mean `mass`?"),
        (
            with_joint("<default><joint stifness=\"4\"/></default>", ""),
            "`joint` has no attribute `stifness`; did you mean",
        ),
        (with_joint("<default><joint name=\"a\"/></default>", ""), "`joint` has no attribute `name`"),
        (
            with_joint("<default><jont/></default>", ""),
            "no element `jont` may stand in `default`; did you mean `joint`?",
        ),
        (with_joint("<option gravty=\"0 0 0\"/>", ""), "`option` has no attribute `gravty`; did you mean `gravity`?"),
        (with_joint("<option><flag gravty=\"disable\"/></option>", ""), "`flag` has no attribute `gravty`"),
        (with_joint("<option><flags/></option>", ""), "no element `flags` may stand in `option`; did you mean `flag`?"),
        (
            with_joint("<option><flag gravity=\"off\"/></option>", ""),
            "`gravity` of `flag` is `off`; `enable` or `disable` may",
        ),
        (with_joint("<compiler angel=\"radian\"/>", ""), "`compiler` has no attribute `angel`; did you mean `angle`?"),
        (with_joint("<compiler boundmass=\"1\"/>", ""), "`boundmass` may change the motion"),
        (
            with_joint("<compiler balanceinertia=\"true\"/>", ""),
            "`balanceinertia` of `compiler` is `true`; `false` may",
        ),
        (with_joint("<sensr/>", ""), "no element `sensr` may stand in `mujoco`; did you mean `sensor`?"),
        (with_joint("<equality/>", ""), "`equality` may change the motion"),
        (file("", &format!("{JOINT}{BOX}<goem/>"), ""), "no element `goem` may stand in `body`; did you mean `geom`?"),
        (file("", &format!("{JOINT}{BOX}<frame/>"), ""), "`frame` may change the motion"),
        (with_joint("", "springdamper=\"0.5 1\""), "`springdamper` may change the motion"),
        (with_joint("", "springyield=\"0.1\""), "`springyield` may change the motion"),
        (
            with_joint("<default><default class=\"a\"><joint springyield=\"0.1\"/></default></default>", "class=\"a\""),
            "`--leave-out springyield` leaves it out",
        ),
        (
            with_joint("", "limited=\"yes\""),
            "`limited` of `joint` is `yes`; `false` or `true` or `auto` may stand there",
        ),
        (file("", &format!("<freejoint align=\"true\"/>{BOX}"), ""), "`align` may change the motion"),
        (file("<compiler alignfree=\"true\"/>", &format!("<freejoint/>{BOX}"), ""), "`align` may change the motion"),
        (file("", &format!("<freejoint pos=\"0 0 1\"/>{BOX}"), ""), "`freejoint` has no attribute `pos`"),
        (file("", JOINT, "").replace("name=\"b\"", "gravcomp=\"1\""), "`gravcomp` may change the motion"),
        (file("", JOINT, "").replace("<worldbody", "<worldbody pos=\"0 0 1\""), "`worldbody` has no attribute `pos`"),
        (inertial("mass=\"1\" diaginertia=\"1 1 1\""), "`inertial` has no attribute `pos`"),
        (
            inertial("pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 1 1 0 0 0\" quat=\"1 0 0 0\""),
            "`inertial` has both `fullinertia` and `quat`; one of them is allowed",
        ),
        (
            with_joint("<default class=\"foo\"><joint armature=\"4\"/></default>", ""),
            "the outermost class is `main` and has no other name",
        ),
        (with_joint("<default><default class=\"main\"/></default>", ""), "a second class `main`; names must differ"),
    ]);
    let harmless = file(
        "<compiler meshdir=\"a\" boundmass=\"0\" inertiagrouprange=\"0 5\"><lengthrange/></compiler><option timestep=\"0.1\" density=\"0\"/>",
        &format!("<joint name=\"j\" springdamper=\"0 0\" user=\"1\"/>{BOX}"),
        "",
    );
    assert!(written(&harmless, &Options::default()).contains("coordinates j: rad;"));
}

#[test]
fn actuators_that_act_without_a_control_are_refused() {
    let of_class = |class: &str, drive: &str| with_drive(&format!("<default>{class}</default>"), drive);
    let general = "<general joint=\"j\"/>";
    refused(&[
        (
            with_drive("", "<position joint=\"j\" kp=\"9\"/>"),
            "the actuator `position` may change the motion without a control",
        ),
        (with_drive("", "<position joint=\"j\"/>"), "`--leave-out actuator` leaves all actuators out"),
        (with_drive("", "<velocity joint=\"j\"/>"), "the actuator `velocity`"),
        (with_drive("", "<motr joint=\"j\"/>"), "no element `motr` may stand in `actuator`; did you mean `motor`?"),
        (
            with_drive("", "<motor joint=\"j\" armatur=\"1\"/>"),
            "`motor` has no attribute `armatur`; did you mean `armature`?",
        ),
        (
            with_drive("", "<motor joint=\"j\" armature=\"1\"/>"),
            "`armature` of the actuator `motor` may change the motion",
        ),
        (with_drive("", "<motor joint=\"j\" damping=\"1\"/>"), "`damping` of the actuator `motor`"),
        (with_drive("", "<motor joint=\"j\" ctrlrange=\"1 2\"/>"), "`ctrlrange` of the actuator `motor` without 0"),
        (of_class("<general armature=\"1\"/>", "<motor joint=\"j\"/>"), "1:27: `armature` of the actuator `motor`"),
        (of_class("<position kp=\"9\"/>", general), "`position` in the class of the actuator `general`"),
        (of_class("<general biastype=\"affine\"/>", general), "`biastype` of the actuator `general`"),
        (with_drive("", "<general joint=\"j\" dyntype=\"muscle\"/>"), "`dyntype` of the actuator `general`"),
    ]);
    for plain in [
        with_drive("", "<motor joint=\"j\" gear=\"3\" ctrlrange=\"-1 1\" armature=\"0\"/>"),
        with_drive("", "<general joint=\"j\" gainprm=\"3\" biastype=\"none\"/>"),
        of_class("<position kp=\"9\"/>", "<motor joint=\"j\"/>"),
    ] {
        assert!(written(&plain, &Options::default()).contains("//! - `actuator` (line 1)"), "{plain}");
    }
    let text = written(&with_drive("", "<position joint=\"j\" kp=\"9\"/>"), &leaving(&["actuator"]));
    assert!(text.contains("//! - `actuator` (line 1)"), "{text}");
}

#[test]
fn names_behind_leave_out_and_tip_are_in_the_file() {
    let plain = with_joint("<sensor/>", "");
    let said = |text: &str, options: &Options| import(text, "", options).expect_err("it is refused").to_string();
    let other = said(&plain, &leaving(&["sensor", "tendn"]));
    assert!(other.contains("1:1: `--leave-out tendn` leaves nothing out"), "{other}");
    let urdf = said(super::PENDULUM, &leaving(&["sensor"]));
    assert!(urdf.contains("`--leave-out sensor` is for MJCF"), "{urdf}");
    let tip =
        |names: &[&str]| Options { tips: names.iter().map(|&name| name.to_owned()).collect(), ..Options::default() };
    let still = said(&plain, &tip(&["b", "world"]));
    assert!(still.contains("1:18: the link `world` does not move"), "{still}");
    // The body's frame is not at its joint.
    let away = with_joint("", "axis=\"0 1 0\" pos=\"0 0 0.5\"");
    for names in [&[][..], &["b"], &["b_own"]] {
        let text = written(&away, &tip(names));
        assert!(text.contains("output b_position: m = b + b_frame*(1[m]*[0, 0, -0.5]);"), "{text}");
    }
    // A name of the file comes before one that the reader forms; both may stand in a file.
    let both = away
        .replace("</worldbody>", "<body name=\"b_own\"><joint type=\"slide\"/><geom size=\"1\"/></body></worldbody>");
    let text = written(&both, &tip(&["b_own"]));
    assert!(text.contains("output b_own_position: m = b_own;"), "{text}");
    let unnamed = both.replace("\"b\"", "\"\"").replace("\"b_own\"", "\"body1\"");
    assert!(written(&unnamed, &tip(&["body1_"])).contains("// `body1_` turns on `world`"), "{unnamed}");
    assert!(written(&plain, &tip(&["b"])).contains("output b_position: m = 1[m]*[0, 0, 0];"));
}

/// The masses and the forces that MuJoCo has for the same files.
#[test]
fn inertias_classes_and_flags_are_those_of_mujoco() {
    let stated = "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>";
    let always = "<compiler inertiafromgeom=\"true\"/>";
    let ball = "<geom size=\"0.3\" group=\"7\"/>";
    let class = "<default><default class=\"a\"><joint damping=\"1\"/></default>";
    let off = |flag: &str| format!("<option><flag {flag}=\"disable\"/></option>");
    let sprung = "stiffness=\"30\" damping=\"3\" frictionloss=\"2\"";
    for (text, has, lacks) in [
        (with_geom(always, stated), "rigid_body_energy(1[kg]", "1000"),
        (with_geom(always, &format!("{stated}<geom size=\"0.1\" mass=\"0\"/>")), "rigid_body_energy(1[kg]", "1000"),
        (with_geom(always, &format!("{stated}{BOX}")), "rigid_body_energy(48.0", "rigid_body_energy(1[kg]"),
        (with_geom("", &format!("{BOX}{ball}")), "rigid_body_energy(48.0", "161.0"),
        (
            with_geom("<compiler inertiagrouprange=\"0 9\"/>", &format!("{BOX}{ball}")),
            "rigid_body_energy(161.0",
            "48.0",
        ),
        (with_joint(&format!("{class}<joint armature=\"3\"/></default>"), "class=\"a\""), "3[kg*m^2]*dot(j)", "5[kg"),
        (
            with_joint(&format!("{class}</default><default><joint armature=\"3\"/></default>"), "class=\"a\""),
            "1[N*m*s]",
            "3[kg",
        ),
        (
            with_joint(
                "<default><joint armature=\"3\" damping=\"1\"/></default><default><joint damping=\"2\"/></default>",
                "",
            ),
            "2[N*m*s]*dot(j)^2/2;",
            "1[N*m*s]",
        ),
        (
            with_joint("<default><joint armature=\"3\"/></default><default><joint damping=\"2\"/></default>", ""),
            "3[kg*m^2]*dot(j)",
            "disables",
        ),
        (with_joint(&format!("{}<option gravity=\"0 0 -9\"/>", off("gravity")), sprung), "gravity: 0.0", "9.0"),
        (with_joint(&off("spring"), sprung), "3[N*m*s]", "30[N*m]"),
        (with_joint(&off("damper"), sprung), "30[N*m]", "3[N*m*s]"),
        (
            with_joint(&format!("{}<option><flag spring=\"enable\"/></option>", off("spring")), sprung),
            "30[N*m]",
            "disables",
        ),
        (with_joint(&off("frictionloss"), sprung), "`frictionloss, which a flag disables` (line 1)", "friction j"),
        (with_joint(&off("constraint"), sprung), "30[N*m]", "friction j"),
        (with_joint("", sprung), "friction j_friction: j = 2[N*m];", "disables"),
    ] {
        let written = written(&text, &Options { friction: true, ..Options::default() });
        assert!(written.contains(has) && !written.contains(lacks), "{text}\n{has}, not {lacks}\n{written}");
    }
    refused(&[
        (
            with_geom("", "<geom type=\"box\" mesh=\"a\" size=\"1 1 1\"/>"),
            "a `box` with `mesh` has the size of the mesh `a`",
        ),
        (
            with_geom("", "<geom type=\"capsule\" size=\"0.1\" pos=\"0 0 5\" fromto=\"0 0 0 1 0 0\"/>"),
            "`geom` has both `pos` and `fromto`; one of them is allowed",
        ),
        (
            with_geom("", "<geom size=\"0.1\" fromto=\"0 0 0 1 0 0\"/>"),
            "a `sphere` has no ends; `fromto` of `capsule`, `cylinder`, `box` and `ellipsoid` is allowed",
        ),
        (
            with_geom("", "<geom size=\"1e-5\" mass=\"3\"/>"),
            "a `sphere` of 4.188790204786391e-15 m³ has no mass in MuJoCo",
        ),
        (with_geom("", "<geom size=\"0.1\" quat=\"1e-8 1e-8 0 0\"/>"), "`quat` of `geom` gives no direction"),
        (
            with_geom("", "<geom size=\"0.1\" shellinertia=\"True\"/>"),
            "`shellinertia` of `geom` is `True`; `false` or `true`",
        ),
    ]);
}

/// A file of 0.6 MB in one line, many names that want the same identifier, and a long chain of joints that follow each other. Were every chain walked for every pair
/// of joints, the last would take an hour.
#[test]
fn large_files_are_read() {
    let sites = "<site pos=\"0 0 0\"/>".repeat(30_000);
    let text = written(&with_geom("", &format!("{BOX}{sites}")), &Options::default());
    assert!(text.contains("`site`, 30000 times (lines 1, 1, 1, 1, 1, …)"), "{text}");
    let alike: String = (1..1500)
        .map(|number| {
            let dots = ".".repeat(number % 50) + &"-".repeat(number / 50);
            format!("<body name=\"{dots}b\"><joint type=\"slide\" name=\"{dots}j\"/><geom size=\"1\"/></body>")
        })
        .collect();
    let alike = with_geom("", &format!("{BOX}{alike}"));
    assert!(written(&alike, &Options::default()).contains("coordinates j_1500: m;"));
    let followers: String = (1..1500)
        .map(|number| {
            let follows = if number > 1 { format!("<mimic joint=\"j{}\"/>", number - 1) } else { String::new() };
            format!(
                "<link name=\"l{number}\"><inertial><mass value=\"1\"/></inertial></link><joint name=\"j{number}\" type=\"continuous\">\
                 <parent link=\"l0\"/><child link=\"l{number}\"/>{follows}</joint>"
            )
        })
        .collect();
    let chain = format!("<robot name=\"a\"><link name=\"l0\"/>{followers}</robot>");
    assert!(written(&chain, &Options::default()).contains("let j1499: rad = j1498;"));
}

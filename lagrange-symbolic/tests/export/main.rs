//! Mechanisms as C, JavaScript and Python: whole texts of a small one, what is left out of others and said to be, and what is refused.
//! `UPDATE_EXPECT=1 cargo test -p lagrange-symbolic --test export` writes the texts anew. `tests/export` runs them.

mod unit;

use expect_test::expect_file;
use lagrange_symbolic::export::{
    Export, ExportError, Field, Found, Language, Message, assembled, export, mechanism, mechanisms,
};

const PENDULUM: &str = "
    /// A point mass on a massless rod.
    #[lagrangian {
        coordinates theta;
        kinetic   = m*l^2*dot(theta)^2/2;
        potential = -m*g*l*cos(theta);
        force theta = torque;
        assume l > 0;
    }]
    struct Pendulum {
        /// Mass, kg.
        m: f64,
        l: f64,
        g: f64,
        #[input]
        torque: f64,
    }
";

/// The export of the only mechanism of a source.
fn exported(source: &str, language: Language) -> Result<Export, ExportError> {
    let [found] = &mechanisms(source).expect("Rust")[..] else { panic!("one mechanism") };
    export(found, language)
}

fn of_block(block: &str) -> Result<Export, ExportError> {
    exported(&format!("#[lagrangian {{ {block} }}] struct Block {{ m: f64, k: f64 }}"), Language::C)
}

#[test]
fn a_pendulum_is_readable_in_every_language() {
    for language in [Language::C, Language::JavaScript, Language::Python] {
        for file in exported(PENDULUM, language).expect("an export").files {
            expect_file![format!("pendulum/{}", file.name)].assert_eq(&file.text);
        }
    }
}

#[test]
fn what_is_left_out_is_said_in_the_text() {
    let cases = [
        ("coordinates x; kinetic = m*dot(x)^2/2; friction rail: x = k;", "sliding_acceleration", "Sticking"),
        (
            "coordinates y; kinetic = m*dot(y)^2/2; contact floor: y >= 0, restitution = 0.5;",
            "open_acceleration",
            "Forces of contacts",
        ),
    ];
    for (block, acceleration, missing) in cases {
        let export = of_block(block).expect("an export");
        assert!(export.evaluations.iter().any(|exported| exported.name == acceleration), "{block}");
        assert!(export.evaluations.iter().all(|exported| exported.name != "acceleration"), "{block}");
        assert!(!export.has_step, "{block}");
        assert!(export.files[0].text.contains(missing), "{}", export.files[0].text);
    }
    // What cannot be searched for has no rows for it.
    let contact =
        "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; contact floor: y >= 0, friction = 1/5, slip = x";
    for (end, has_rows) in [("", true), (", breakaway = 1/4", false), (", adhesion = k", false)] {
        let export = of_block(&format!("{contact}{end};")).expect("an export");
        assert_eq!(export.has("contact_rows"), has_rows);
        assert_eq!(export.missing.iter().any(|missing| missing.contains("`contact_rows`")), has_rows, "{end}");
        let names_adhesion = export.missing.iter().any(|missing| missing.contains("by `adhesion`"));
        assert_eq!(names_adhesion, end.contains("adhesion"), "{end}");
    }
    // Combinations of the phases of more than eight rows are too many for the search of a page.
    let row = "coordinates x[9]; kinetic = m*norm2(dot(x))/2; friction pad[i in 0..COUNT]: x[i] = k;";
    for (count, is_searched) in [("8", true), ("9", false)] {
        let export = of_block(&row.replace("COUNT", count)).expect("an export");
        assert_eq!(export.has("contact_rows"), is_searched, "{count}");
        let names_rows = export.missing.iter().any(|missing| missing.contains("phases of 9 rows"));
        assert_eq!(names_rows, !is_searched, "{:?}", export.missing);
    }
    // A restitution that depends on the speed of approach is a function of its own.
    let end = ", restitution = exp(-approach(floor)/k);";
    let export = of_block(&format!("{contact}{end}")).expect("an export");
    assert!(export.has("gaps") && export.has("restitutions"));
    assert!(!of_block(&format!("{contact}, restitution = k;")).expect("an export").has("restitutions"));
    // Neither is a motion under constraints that modes switch.
    let block =
        "coordinates x; kinetic = m*dot(x)^2/2; mode on = when x > k { 1 }; constraint hook: x == k when on > 1/2;";
    let switched = of_block(block).expect("an export");
    assert!(switched.evaluations.iter().all(|exported| !exported.name.contains("acceleration")));
    assert!(switched.files[0].text.contains("modes switch the constraint `hook`"), "{}", switched.files[0].text);
    let outputs = "output place = 2*x; output push = m*dot(dot(x));";
    let sliding = of_block(&format!("coordinates x; kinetic = m*dot(x)^2/2; friction rail: x = k; {outputs}"));
    let missing = sliding.expect("an export").missing;
    assert!(
        missing.iter().any(|missing| missing.starts_with("The output push while a `friction` sticks")),
        "{missing:?}"
    );
    // The iteration that finds the force of this friction is not exported, and neither is an acceleration without it.
    let vector = of_block("coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; friction floor: [x, y] = k;")
        .expect("an export");
    assert!(vector.evaluations.iter().all(|exported| !exported.name.contains("acceleration")));
    assert!(vector.files[0].text.contains("Not exported:\n- The acceleration"), "{}", vector.files[0].text);
}

#[test]
fn functions_of_rust_are_refused_by_name() {
    let block =
        "coordinates x; extern lift(x) = aero::lift, d(x) = aero::slope; kinetic = m*dot(x)^2/2; force x = lift(x);";
    match of_block(block) {
        Err(ExportError::OwnFunctions(names)) => assert_eq!(names, ["lift"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn mistakes_have_their_place_in_the_file() {
    let Err(ExportError::Mistakes(messages)) = exported(
        "#[lagrangian {\n    coordinates x;\n    kinetic = n*dot(x)^2/2;\n}]\nstruct Mass { m: f64 }",
        Language::C,
    ) else {
        panic!("a mistake")
    };
    let [Message { text, line: 3, column: 15, end: [3, 16], lint: None }] = &messages[..] else {
        panic!("{messages:?}")
    };
    assert!(text.contains("`n`"), "{text}");
    let error = mechanisms("struct {").expect_err("no Rust");
    assert_eq!((error.line, error.column), (1, 8), "{error:?}");
}

#[test]
fn mechanisms_are_found_in_modules_and_functions() {
    let block = "#[lagrange_runtime::lagrangian { coordinates x; }]";
    let source = format!(
        "{block} struct A {{}} mod m {{ {block} struct B {{}} }} fn f() {{ {block} struct C {{}} }} struct D {{}}"
    );
    let names: Vec<String> = mechanisms(&source).expect("Rust").into_iter().map(|found| found.name).collect();
    assert_eq!(names, ["A", "B", "C"]);
}

/// A program knows the block and the names of the fields, arrays element by element.
#[test]
fn a_mechanism_without_its_source_has_the_same_text() {
    let source = "
        /// A chain.
        #[lagrangian {
            coordinates x[2];
            kinetic = sum(i in 0..2, m[i]*dot(x[i])^2)/2;
            potential = k*(x[0] - x[1])^2/2 + x[0]*w[0][1];
            force x[0] = r#type;
        }]
        pub struct Chain { /// Masses.\n pub m: [f64; 2], pub k: f64, pub w: [[f64; 2]; 2], #[input] pub r#type: f64 }";
    let names = ["m[0]", "m[1]", "k", "w[0][0]", "w[0][1]", "w[1][0]", "w[1][1]", "type"];
    let fields = names.map(|name| Field {
        range: None,
        name,
        is_input: name == "type",
        documentation: if name.starts_with('m') { "Masses." } else { "" },
    });
    let [found] = &mechanisms(source).expect("Rust")[..] else { panic!("one mechanism") };
    let known = mechanism("Chain", "A chain.", &found.block.to_string(), fields).expect("a mechanism");
    for language in [Language::C, Language::JavaScript, Language::Python] {
        let text = |found: &lagrange_symbolic::export::Found| {
            export(found, language).expect("an export").files[0].text.clone()
        };
        assert_eq!(text(found), text(&known));
    }
}

/// A file whose mechanism `Arm` has the part `part`, which stands in a module behind an import.
fn with_part(part: &str, import: &str) -> Vec<Found> {
    let source = format!(
        "mod joints {{
             pub mod plane {{
                 #[lagrangian {{ given base; coordinates x; let end = base + x; kinetic = m*dot(end)^2/2; }}]
                 pub struct Slide {{ #[unit(kg)] pub m: f64 }}
             }}
             #[lagrangian {{ part; coordinates x; kinetic = dot(x)^2; }}]
             pub struct Other;
         }}
         mod arms {{
             {import}
             /// Two slides.
             #[lagrangian {{ part first: {part}; part second[2]: {part}; let first.base = 0; let second[i in 0..2].base = first.end; }}]
             struct Arm {{ first: Slide, second: [Slide; 2] }}
         }}
         fn main() {{}}"
    );
    mechanisms(&source).expect("Rust")
}

#[test]
fn parts_are_found_in_the_same_file() {
    let mut texts = Vec::new();
    for (part, import) in [
        ("crate::joints::plane::Slide", ""),
        ("super::joints::plane::Slide", ""),
        ("Slide", "use super::joints::plane::Slide;"),
        ("plane::Slide", "use super::joints::{self, *};"),
        ("Sledge", "use super::joints::plane::Slide as Sledge;"),
    ] {
        let all = with_part(part, import);
        assert_eq!(all.iter().map(Found::is_open).collect::<Vec<_>>(), [true, false, false]);
        let arm = all.last().expect("an arm");
        let is_renamed = part == "Sledge";
        let export = export(arm, Language::C);
        match export {
            // The field has the name of the struct, and the statement that of the import.
            Err(error) if is_renamed => assert!(format!("{error:?}").contains("Sledge"), "{error:?}"),
            export => texts.push(export.unwrap_or_else(|error| panic!("{part}: {error:?}")).files[1].text.clone()),
        }
        let tokens = arm.source().expect("its parts are there");
        let braces = |tokens: &dyn ToString| format!("{{ {} }}", tokens.to_string());
        let parts: String = tokens
            .parts
            .iter()
            .flatten()
            .map(|part| braces(&format!("{} {}", braces(&part.block), braces(&part.item))))
            .collect();
        let whole = assembled(&format!("{} {} {parts}", braces(&tokens.block), braces(&tokens.item))).expect("tokens");
        assert_eq!(whole.name, "Arm");
        if let (Ok(again), Some(text)) = (lagrange_symbolic::export::export(&whole, Language::C), texts.last()) {
            assert_eq!(again.files[1].text, *text);
        }
    }
    assert_eq!(texts.len(), 4);
    assert!(
        texts.iter().all(|text| *text == texts[0] && text.contains("real p_second_1_m = parameters->second_1_m;")),
        "{}",
        texts[0]
    );
}

/// A struct of the same name in another module is not the part: it is said where the mechanism can be exported.
#[test]
fn parts_in_other_files_are_refused() {
    for (part, import) in [
        ("Slide", ""),
        ("Slide", "use lagrange_parts::plane::Slide;"),
        ("lagrange_parts::plane::Slide", ""),
        ("super::Slide", ""),
        ("joints::plane::Slide", ""),
        ("crate::plane::Slide", ""),
        ("Slide", "use crate::somewhere::joints::plane::Slide;"),
    ] {
        let all = with_part(part, import);
        assert!(all[2].source().is_err(), "{part}");
        let ExportError::Mistakes(messages) = export(&all[2], Language::C).expect_err(part) else { panic!("{part}") };
        assert_eq!(messages.len(), 1, "{messages:?}");
        let Message { text, line, .. } = &messages[0];
        assert!(text.contains("the block of part `first` is not at hand") && text.contains("catalog!"), "{text}");
        assert_eq!(*line, 12, "{text}");
    }
}

/// A file without `main` may be any module of its crate, so that `crate` in it may mean another file.
#[test]
fn a_path_from_the_root_needs_the_root() {
    let source = "#[lagrangian { part; coordinates x; kinetic = m*dot(x)^2/2; }] struct Slide { m: f64 }
                  #[lagrangian { part only: crate::Slide; }] struct Whole { only: Slide }";
    let is_found = |source: &str| mechanisms(source).expect("Rust")[1].source().is_ok();
    assert!(!is_found(source));
    assert!(is_found(&format!("{source} fn main() {{}}")));
}

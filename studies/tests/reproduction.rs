//! The reproduction of the studies: which rows hold, which do not and why, and what the page has.
//!
//! Without optimisation these tests integrate for minutes: `cargo test --release -p lagrange-studies --test reproduction`.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// The rows and the page of one study.
struct Reproduction {
    rows: Vec<Value>,
    page: String,
}

impl Reproduction {
    fn of(study: u32) -> Self {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("study-{study}"));
        let output = Command::new(env!("CARGO_BIN_EXE_studies"))
            .args(["--study", &study.to_string(), "--output"])
            .arg(&directory)
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let read = |name: &str| std::fs::read_to_string(directory.join(name)).expect("the file is written");
        let rows: Vec<Value> = serde_json::from_str(&read("results.json")).expect("the results are JSON");
        assert!(rows.iter().all(|row| row["study"] == study));
        Self { rows, page: read("index.html") }
    }

    /// The rows whose quantity begins so.
    fn find(&self, quantity: &str) -> Vec<&Value> {
        self.rows.iter().filter(|row| text(row, "quantity").starts_with(quantity)).collect()
    }

    /// Every row is finite, has its source where something is printed, and holds, but for those of the named experiments that begin so:
    /// each of them must fail, with a reason.
    fn check(&self, refuted: &[(&str, &str)]) {
        for row in &self.rows {
            let quantity = text(row, "quantity");
            assert!(row["ours"].is_f64() || row["ours"].is_u64(), "{quantity} has no value: {row}");
            if row["origin"] == "printed" {
                assert!(!text(row, "source").is_empty(), "{quantity} has no source");
            }
            let is_named = |(place, name): &(&str, &str)| row["experiment"] == *place && quantity.starts_with(name);
            let fails = refuted.iter().any(is_named);
            assert_eq!(row["holds"] == false, fails, "{row}");
            if fails {
                assert!(text(row, "note").contains("; "), "{quantity} has no reason");
            }
        }
        for (_, name) in refuted {
            assert!(!self.find(name).is_empty(), "no row begins with {name}");
        }
    }

    /// Each figure of the document is named beside a figure of ours.
    fn shows(&self, figures: &[u32]) {
        let mut named: Vec<u32> = Vec::new();
        for caption in self.page.split("<b>The document</b>").skip(1) {
            let caption = caption.split("</p>").next().unwrap_or("");
            for (_, rest) in caption.match_indices("(its figure").map(|(at, _)| caption.split_at(at)) {
                let list = rest.split(')').next().unwrap_or("").replace(',', "");
                let numbers: Vec<u32> = list.split(' ').filter_map(|word| word.parse().ok()).collect();
                match (list.contains(" to "), &numbers[..]) {
                    (true, &[first, last]) => named.extend(first..=last),
                    _ => named.extend(numbers),
                }
            }
        }
        for figure in figures {
            assert!(named.contains(figure), "figure {figure} is not shown; shown are {named:?}");
        }
    }
}

fn text<'r>(row: &'r Value, member: &str) -> &'r str {
    row[member].as_str().expect("a text")
}

#[test]
fn the_compound_double_pendulum() {
    let study = Reproduction::of(1);
    study.check(&REFUTED_1);
    study.shows(&(5..=23).collect::<Vec<_>>());
    for printed in [
        "0.87", "2.8385", "0.3523", "0.351", "2.84", "2.468002", "1.380723", "2.458842", "1.757877", "2.480281",
        "3.097844",
    ] {
        let value: f64 = printed.parse().expect("a number");
        assert!(study.rows.iter().any(|row| row["published"] == value), "{printed}");
    }
    assert_eq!(study.find("computing time").len(), 4);
    assert!(study.find("computing time").iter().all(|row| row["holds"].is_null()));
}

/// What does not hold in study 1.
const REFUTED_1: [(&str, &str); 5] = [
    ("methods", "order of RK4, in the comparison with Verlet"),
    ("2", "width of the stronger peak of θ₁"),
    ("4", "mean step of RKF45: "),
    ("5", "mean step of RKF45: Δ = |E₅ − E₄|"),
    ("drag of zero", "largest power of the drag"),
];

#[test]
fn the_spherical_pendulum() {
    let study = Reproduction::of(2);
    study.check(&[]);
    study.shows(&[2, 3, 4, 5, 6, 7]);
    for (quantity, printed) in [
        ("largest value", [-8.48, -8.48704, -8.4870489]),
        ("smallest value", [-8.52, -8.48739, -8.4870523]),
        ("error of", [0.04, 0.00035, 0.0000034]),
    ] {
        let found: Vec<f64> = study.find(quantity).iter().filter_map(|row| row["published"].as_f64()).collect();
        assert_eq!(found, printed, "{quantity}");
    }
    assert!(study.page.contains("E − E(0) (J)") && !study.page.contains("total energy (J)"));
}

#[test]
fn the_double_pendulum() {
    let study = Reproduction::of(3);
    study.check(&[]);
    assert!(!study.find("angles by Dormand–Prince 5(4)").is_empty(), "the demo's pair");
    assert!(study.page.contains("data-frames=\"animation-demo\""));
}

#[test]
fn the_plate_of_a_capacitor() {
    let study = Reproduction::of(4);
    study.check(&[
        ("without resistance", "lines in the spectrum of the plate"),
        ("printed invariants", "largest departure of I₁ from its start"),
        ("printed invariants", "largest departure of I₂ from its start"),
    ]);
    assert_eq!(
        study.find("largest departure of I").iter().filter(|row| row["holds"] == false).count(),
        4,
        "with and without resistance"
    );
    study.shows(&[2, 3, 4]);
}

/// As study 1, with optimisation alone.
#[test]
fn the_triple_pendulum() {
    let study = Reproduction::of(5);
    study.check(&[]);
    study.shows(&[2, 3, 4, 5]);
}

#[test]
fn a_directory_that_cannot_be_written_is_named() {
    let blocked = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("a-file");
    std::fs::write(&blocked, "").expect("the temporary directory is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_studies")).arg("--output").arg(&blocked).output();
    let output = output.expect("the program starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("cannot write the directory"), "{message}");
}

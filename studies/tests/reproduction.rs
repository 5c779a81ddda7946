//! The reproduction of the studies: which rows hold, which do not and why, and what the page has.
//!
//! Without optimisation these tests integrate for minutes: `cargo test --release -p lagrange-studies --test reproduction`.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// What the program writes for all five documents: one run serves all tests.
struct Run {
    rows: Vec<Value>,
    page: String,
    truth: String,
}

static RUN: LazyLock<Run> = LazyLock::new(|| {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("studies");
    let truth = directory.join("studies.md");
    let studies = (1..=5).flat_map(|study| ["--study".to_owned(), study.to_string()]);
    let output = Command::new(env!("CARGO_BIN_EXE_studies"))
        .args(studies)
        .arg("--output")
        .arg(&directory)
        .arg("--truth")
        .arg(&truth)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |path: &Path| std::fs::read_to_string(path).expect("the file is written");
    Run {
        rows: serde_json::from_str(&read(&directory.join("results.json"))).expect("the results are JSON"),
        page: read(&directory.join("index.html")),
        truth: read(&truth),
    }
});

/// The rows of one study, and its part of the page.
struct Reproduction {
    rows: Vec<&'static Value>,
    page: &'static str,
}

impl Reproduction {
    fn of(study: u32) -> Self {
        let page = RUN.page.split("<section class=\"study\"").nth(study as usize).expect("the study has its section");
        Self { rows: RUN.rows.iter().filter(|row| row["study"] == study).collect(), page }
    }

    /// The rows whose quantity begins so.
    fn find(&self, quantity: &str) -> Vec<&Value> {
        self.rows.iter().copied().filter(|row| text(row, "quantity").starts_with(quantity)).collect()
    }

    /// Every row is finite, belongs to a statement with a place and a reason where something is printed, and holds, but for those of the
    /// named experiments that begin so: each of them must fail.
    fn check(&self, refuted: &[(&str, &str)]) {
        for row in &self.rows {
            let quantity = text(row, "quantity");
            assert!(row["ours"].is_f64() || row["ours"].is_u64(), "{quantity} has no value: {row}");
            if row["origin"] == "printed" {
                for member in ["source", "statement", "reason"] {
                    assert!(!text(row, member).is_empty(), "{quantity} has no {member}");
                }
            }
            let is_named = |(place, name): &(&str, &str)| row["experiment"] == *place && quantity.starts_with(name);
            let fails = refuted.iter().any(is_named);
            assert_eq!(row["holds"] == false, fails, "{row}");
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
const REFUTED_1: [(&str, &str); 17] = [
    ("equations", "rods on which the printed density is a number"),
    ("methods", "order of RK4, in the comparison with Verlet"),
    ("methods", "time of a sine over that of an addition"),
    ("2", "weaker lines of θ₁ within 0.6 Hz of a strong one, above 0.2 %"),
    ("2", "width of the stronger peak of θ₁"),
    ("2", "width of the stronger peak in a record of 262.144 s, without a window"),
    ("2", "second strong frequency over that of small swings"),
    ("2", "lines near the two strong ones of the ideal double pendulum"),
    ("2", "growth of a deviation of 1e-8 rad in 500 s over that in 250 s"),
    ("4", "mean step of RKF45: Δ = |E₅ − E₄|"),
    ("4", "mean step of RKF45: Δ = max |y₅ − y₄| ≤ 10⁻¹¹, q"),
    ("4", "mean step of RKF45: Δ = max |y₅ − y₄|, Δ₀ = 10⁻¹¹"),
    ("5", "mean step of RKF45: Δ = |E₅ − E₄|"),
    ("5", "growth of RK4's largest |E − E(0)|"),
    ("5", "largest error of a single step by RKF45 over Δ₀"),
    ("drag of zero", "largest difference of the angles in 500 s over"),
    ("drag of zero", "largest power of the drag"),
];

#[test]
fn the_spherical_pendulum() {
    let study = Reproduction::of(2);
    study.check(&[
        ("recursion", "largest difference of the positions with and without"),
        ("recursion", "energy lost in 200 s without"),
        ("recursion", "iterations of Newton's method a step"),
        ("long runs", "range of the total energy in 20 s, RATTLE, step 0.1 s, over the energy's magnitude"),
    ]);
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
        ("equations", "largest |bᵢaᵢⱼ + bⱼaⱼᵢ − bᵢbⱼ|, Radau IIA"),
        ("equations", "time after which the charge exceeds"),
        ("equations", "power of the ampere"),
        ("equations", "power of the second"),
        ("with resistance", "decay rate of the charge at the last peaks"),
        ("with resistance", "decay rate of the charge's peaks, second half"),
        ("printed invariants", "the same for I₁ with R = 0"),
        ("printed invariants", "the same for I₂ with R = 0"),
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
    study.check(&[
        ("methods and start", "norm of the multipliers at the start"),
        ("step of 0.12 s", "largest |E − E(0)| in 60 s, Baumgarte over composition"),
        ("the same in angles", "largest difference of the bobs in 12 s"),
        ("stiff problems", "damper with a rate of 100/h"),
    ]);
    study.shows(&[2, 3, 4, 5]);
}

/// The page of truth in the documentation is what the program writes. With `UPDATE_EXPECT=1` it is written anew.
#[test]
fn the_page_of_truth_is_what_the_program_writes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/studies.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &RUN.truth).expect("the documentation is writable");
    }
    let page = std::fs::read_to_string(&path).expect("the page exists");
    let differing = page.lines().zip(RUN.truth.lines()).find(|(page, written)| page != written);
    assert_eq!(differing, None, "docs/studies.md differs; UPDATE_EXPECT=1 writes it anew");
    assert_eq!(page.len(), RUN.truth.len());
}

/// Each statement stands on the page once, with its verdict, and the headline counts the statements.
#[test]
fn the_headline_counts_statements_and_not_rows() {
    let headings: Vec<&str> = RUN.truth.lines().filter(|line| line.starts_with("### ")).collect();
    let count = |verdict: &str| headings.iter().filter(|heading| heading.ends_with(verdict)).count();
    let headline = format!(
        "**{} hold, {} do not hold, {} hold in part, {} are not judged.**",
        count(": holds"),
        count(": does not hold"),
        count(": holds in part"),
        count(": is not judged")
    );
    assert!(RUN.truth.contains(&headline), "{headline}");
    let printed = RUN.rows.iter().filter(|row| row["origin"] == "printed").count();
    assert!(headings.len() < printed, "{} statements, {printed} rows", headings.len());
    let score = format!("<dd>{} <small>of {}</small></dd>", count(": holds"), headings.len());
    assert!(RUN.page.contains(&score), "the page counts the same: {score}");
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

use super::*;
use crate::catalog::Units;

fn swing() -> MechanismReport {
    let t: Vec<f64> = (0..200).map(|sample| f64::from(sample) * 0.05).collect();
    let angle: Vec<f64> = t.iter().map(|t| t.cos()).collect();
    let rate: Vec<f64> = t.iter().map(|t| -t.sin()).collect();
    let row = |name: &str, of: fn(f64) -> f64| SeriesRow {
        name: name.to_owned(),
        series: angle.iter().map(|angle| of(*angle)).collect(),
    };
    MechanismReport {
        name: "Swing <T> & \"Co\"</script>".to_owned(),
        summary: "A mass < 1 kg".to_owned(),
        block: "coordinates theta;\nassume l < 2;".to_owned(),
        equations_latex: "\\begin{aligned}\n  M_{\\theta} &= m l^{2} \\\\\n  p &= \\dot{\\theta}\n\\end{aligned}"
            .to_owned(),
        equations_text: "M[theta] = m*l^2".to_owned(),
        facts: vec!["it conserves its energy".to_owned()],
        parameters: vec![ParameterRow {
            name: "l".to_owned(),
            value: 0.5,
            description: "length <m>".to_owned(),
            input: true,
        }],
        method: "DOP853".to_owned(),
        units: Units::SI,
        warnings: vec!["the step was < 1e-9 s".to_owned()],
        coordinates: vec!["theta</script>".to_owned()],
        outputs: vec![row("tip[0]", f64::sin), row("tip[1]", |angle| -angle.cos())],
        energy: vec![1.0; t.len()],
        powers: vec![PowerRow { name: "drag".to_owned(), work: -0.5, series: vec![-0.05; t.len()] }],
        modes: vec![ModeRow { frequency: 0.16, damping_ratio: 0.0, shape: vec![1.0] }],
        spectra: vec![SpectrumRow { name: "theta".to_owned(), resolution: 0.1, amplitudes: vec![0.0, 1.0, 0.1] }],
        q: vec![angle.clone()],
        v: vec![rate],
        t,
        ..MechanismReport::default()
    }
}

/// The embedded data.
fn embedded(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("the page has data");
    let (data, _) = rest.split_once("</script>").expect("the data end");
    serde_json::from_str(data).expect("the data are JSON")
}

#[test]
fn the_page_asks_for_nothing_outside_it() {
    let page = render(&swing());
    assert!(
        PLOT_SCRIPT.starts_with("/*! https://github.com/leeoniya/uPlot (v1.6.32) */"),
        "its one address is a comment"
    );
    let own = page.replace(PLOT_SCRIPT, "").replace("<link rel=\"icon\" href=\"data:,\">", "");
    // The namespace of pictures is a name and no request, and so is a mark inside them.
    let own = own.replace("http://www.w3.org/2000/svg", "").replace("url(#inside)", "");
    for outside in ["http:", "https:", "<link", " src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!own.contains(outside), "{outside}");
    }
}

#[test]
fn texts_are_escaped() {
    let page = render(&swing());
    assert!(page.contains("<h1>Swing &lt;T&gt; &amp; &quot;Co&quot;&lt;/script&gt;</h1>"));
    for text in ["A mass &lt; 1 kg", "assume l &lt; 2;", "length &lt;m&gt;", "the step was &lt; 1e-9 s"] {
        assert!(page.contains(text), "{text}");
    }
    let data = embedded(&page);
    assert_eq!(data["plots"][0]["curves"][0]["name"], "theta</script>");
}

#[test]
fn every_part_has_its_section_and_its_link() {
    let page = render(&swing());
    for id in ["animation", "motion", "portrait", "spectrum", "block", "equations", "parameters", "balance", "modes"] {
        assert!(page.contains(&format!("<section id=\"{id}\"")), "{id}");
        assert!(page.contains(&format!("<a href=\"#{id}\">")), "{id}");
    }
    assert!(page.contains("<li>It conserves its energy.</li>"));
    assert!(page.contains("takes energy from the mechanism"));
}

#[test]
fn the_first_instants_are_in_the_table_and_the_others_are_counted() {
    let row = |k: u32| InstantRow {
        t: f64::from(k),
        what: "impact".to_owned(),
        name: "floor<".to_owned(),
        impulse: 0.5,
        before: vec![0.25, -1.0],
        after: vec![0.25, 0.5],
    };
    let mut report = MechanismReport {
        instants: (0..100).map(row).collect(),
        instant_count: 100,
        instant_clauses: vec!["100 impacts at floor<".to_owned()],
        ..swing()
    };
    let page = render(&report);
    assert_eq!(page.matches("<td>impact</td><td>floor&lt;</td><td class=\"n\">0.5</td>").count(), 30);
    assert!(page.contains("<td class=\"n\">−1 → 0.5</td>") && page.contains("100 impacts at floor&lt;. "));
    assert!(page.contains("70 more rows are not shown. The CSV file has all of them."));
    assert_eq!(
        embedded(&page)["instants"]["rows"][99],
        serde_json::json!([99, "impact", "floor<", 0.5, 0.25, -1, 0.25, 0.5])
    );
    report.instant_count = 1000;
    let page = render(&report);
    assert!(page.contains("970 more rows are not shown. The CSV file has the first 100 rows; the command"));
    assert!(!render(&swing()).contains("id=\"instants\""));
}

#[test]
fn what_is_not_finite_becomes_null() {
    let mut report = swing();
    report.q[0][3] = f64::NAN;
    report.energy[4] = f64::INFINITY;
    report.balance_residual = f64::NAN;
    report.powers[0].work = f64::NAN;
    let data = embedded(&render(&report));
    let values = |plot: usize| {
        let table = data["plots"][plot]["curves"][0]["values"].as_u64().expect("the number of a table");
        &data["series"][table as usize]
    };
    assert!(values(0)[3].is_null() && values(0)[4].is_number());
    assert!(values(2)[4].is_null());
}

#[test]
fn an_empty_motion_has_a_page() {
    let page = render(&MechanismReport { name: "Nothing".to_owned(), ..MechanismReport::default() });
    assert!(page.contains("<h1>Nothing</h1>"));
    assert!(!page.contains("<section"));
    assert_eq!(embedded(&page)["plots"], serde_json::json!([]));
    let short = MechanismReport { t: Vec::new(), q: Vec::new(), energy: Vec::new(), ..swing() };
    assert!(!render(&short).contains("<section id=\"animation\""));
}

#[test]
fn times_out_of_order_are_not_drawn() {
    let mut report = swing();
    report.t[7] = f64::NAN;
    let page = render(&report);
    assert_eq!(embedded(&page)["plots"], serde_json::json!([]));
    assert!(page.contains("id=\"block\"") && !page.contains("id=\"animation\""));
}

#[test]
fn a_long_motion_stays_small() {
    let t: Vec<f64> = (0..200_000).map(|sample| f64::from(sample) * 0.01).collect();
    let wave: Vec<f64> = t.iter().map(|t| (t * 1.234).sin()).collect();
    let report = MechanismReport {
        q: vec![wave.clone()],
        v: vec![wave.clone()],
        energy: wave,
        outputs: Vec::new(),
        powers: Vec::new(),
        t,
        ..swing()
    };
    let page = render(&report);
    let samples = embedded(&page)["samples"].to_string().len();
    assert!(page.len() - samples < 1_000_000 && samples < 5_000_000, "{} {samples}", page.len());
    assert!(page.contains("show a part of them"));
}

/// A table of numbers on a page.
fn numbers(page: &serde_json::Value, kind: &str, table: &serde_json::Value) -> Vec<f64> {
    let table = &page[kind][usize::try_from(table.as_u64().unwrap()).unwrap()];
    table.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

/// The value of a curve at a time on the line between its samples, as the page draws it.
fn between(times: &[f64], values: &[f64], time: f64) -> f64 {
    let next = times.partition_point(|t| *t <= time).clamp(1, times.len() - 1);
    let part = (time - times[next - 1]) / (times[next] - times[next - 1]);
    values[next - 1] + (values[next] - values[next - 1]) * part
}

/// Two rods of lengths 1 and 0.5 that turn at incommensurable rates, 60 and 97 times in 120 s, and what a phase plane shows of an
/// oscillation.
fn rods(samples: u32, whole: Option<usize>) -> MechanismReport {
    let t: Vec<f64> = (0..samples).map(|sample| f64::from(sample) * 120.0 / f64::from(samples - 1)).collect();
    let series = |of: fn(f64) -> f64| t.iter().map(|t| of(*t)).collect::<Vec<_>>();
    let tip = |of: fn(f64) -> f64| t.iter().map(|t| of(3.13 * t) + 0.5 * of(5.09 * t)).collect::<Vec<_>>();
    let output = |name: &str, series| SeriesRow { name: name.to_owned(), series };
    MechanismReport {
        coordinates: vec!["x".to_owned()],
        q: vec![series(|t| 1e-3 * (5.0 * t).sin())],
        v: vec![series(|t| 5e-3 * (5.0 * t).cos())],
        energy: Vec::new(),
        powers: Vec::new(),
        outputs: vec![
            output("elbow[0]", series(|t| (3.13 * t).cos())),
            output("elbow[1]", series(|t| (3.13 * t).sin())),
            output("tip[0]", tip(f64::cos)),
            output("tip[1]", tip(f64::sin)),
        ],
        whole,
        t,
        units: Units::SI,
        ..MechanismReport::default()
    }
}

#[test]
fn rods_keep_their_length_and_an_ellipse_is_one() {
    // From 70 samples a turn to 2000.
    for samples in [7_000, 20_001, 200_001] {
        let page = embedded(&render(&rods(samples, None)));
        let points = &page["points"];
        let times = numbers(&page, "times", &points["time"]);
        let place = |point: usize, time: f64| {
            let components = points["all"][point]["components"].as_array().unwrap();
            let values: Vec<Vec<f64>> = components.iter().map(|table| numbers(&page, "series", table)).collect();
            [between(&times, &values[0], time), between(&times, &values[1], time)]
        };
        assert_eq!(times.last(), Some(&120.0));
        for k in 0..400 {
            let time = 0.2999 * f64::from(k);
            let [elbow, tip] = [place(0, time), place(1, time)];
            let lengths = [elbow[0].hypot(elbow[1]), (tip[0] - elbow[0]).hypot(tip[1] - elbow[1])];
            // The picture is 3 wide: half a pixel of 1000 is 0.0015.
            assert!(
                (lengths[0] - 1.0).abs() < 2e-3 && (lengths[1] - 0.5).abs() < 4e-3,
                "{samples}, {time}: {lengths:?}"
            );
        }
        let plane = &page["plane"]["coordinates"][0];
        let [q, v] = ["q", "v"].map(|kind| numbers(&page, "series", &plane[kind]));
        for (q, v) in q.windows(2).zip(v.windows(2)) {
            let middle = ((q[0] + q[1]) / 2e-3).hypot((v[0] + v[1]) / 10e-3);
            assert!((middle - 1.0).abs() < 4e-3, "{samples}: {middle}");
        }
    }
}

#[test]
fn a_picture_that_ends_before_the_motion_says_so() {
    let report = rods(20_001, Some(5001));
    let page = render(&report);
    assert_eq!(page.matches("It shows the motion until 30 s; the motion ends at 120 s.").count(), 2);
    let data = embedded(&page);
    assert_eq!(numbers(&data, "times", &data["points"]["time"]).last(), Some(&30.0));
    assert_eq!(numbers(&data, "times", &data["plots"][0]["time"]).last(), Some(&120.0));
    assert!(!render(&rods(20_001, None)).contains("It shows the motion until"));
}

#[test]
fn the_work_of_impacts_is_in_the_balance_and_has_no_power() {
    let mut report = swing();
    report.powers.push(PowerRow { name: "impacts".to_owned(), work: -2.5, series: Vec::new() });
    let page = render(&report);
    assert!(page.contains("work of <code>impacts</code></th><td class=\"n\">−2.5</td>"));
    let plots = embedded(&page)["plots"].clone();
    let powers = plots.as_array().unwrap().iter().find(|plot| plot["title"] == "Powers, W").cloned();
    let names = powers.map(|plot| plot["curves"].as_array().unwrap().len());
    assert_eq!(names, Some(report.powers.len() - 1));
}

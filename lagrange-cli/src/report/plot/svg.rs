//! Charts as SVG. Colours and fonts are the page's style sheet's, so that both themes serve.

use super::scale::{Scale, Tick};
use super::{Axis, Chart, Style};
use crate::report::page::escape;
use std::fmt::Write;

pub(super) const LEFT: f64 = 88.0;
pub(super) const RIGHT: f64 = 14.0;
pub(super) const TOP: f64 = 10.0;
pub(super) const BOTTOM: f64 = 46.0;
/// The height of the legend of a picture that stands alone.
pub(super) const LEGEND: f64 = 30.0;

/// The width of a drawing for a narrow screen. Its letters are about as wide as on the page, so that they can be read there.
const NARROW: f64 = 360.0;
/// The smallest height over width of a drawing for a narrow screen.
const NARROW_ASPECT: f64 = 0.72;
/// The widths of a digit, a minus sign and a point in DejaVu Sans, whose letters are wider than those of most systems.
const DIGIT: f64 = 8.3;
const MINUS: f64 = 11.0;
const POINT: f64 = 4.2;

/// Writes the chart with its legend, `width` units wide, and once more for a narrow screen. The style sheet shows the drawing that fits,
/// by the classes `wide` and `narrow`. `id` is unique on the page.
pub fn render(chart: &Chart, width: f64, id: usize, out: &mut String) {
    legend(chart, out);
    out.push_str("<div class=\"plot\">");
    for (class, (size, x, y, ticks)) in [("wide", scales(chart, width)), ("narrow", narrow_scales(chart))] {
        let [width, height] = size;
        _ = write!(
            out,
            "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{} against {}\" \
             data-x=\"{}\" data-y=\"{}\">",
            escape(&chart.y.label),
            escape(&chart.x.label),
            scale_data(&x),
            scale_data(&y),
        );
        drawing(chart, height, (class, id), (&x, &y, ticks), out);
        out.push_str("</svg>");
    }
    out.push_str("</div>");
}

/// The colours and fonts of a chart that stands alone: the style sheet of the pages is not there. A page that contains the chart keeps
/// its own style, because every rule is for this class alone.
const STYLE: &str = ".lagrange-plot{background:#fff;font:13px system-ui,sans-serif}.lagrange-plot text{fill:#5b6676}\
.lagrange-plot .x,.lagrange-plot .name{text-anchor:middle}.lagrange-plot .y{text-anchor:end}.lagrange-plot path{fill:none}\
.lagrange-plot .grid{stroke:#e9ecf1}.lagrange-plot .frame{stroke:#8a93a3}.lagrange-plot path[class^=c]{stroke-width:1.5}\
.lagrange-plot .c1{stroke:#1f5fbf}.lagrange-plot .c2{stroke:#d1495b}.lagrange-plot .c3{stroke:#1c8a5f}\
.lagrange-plot .c4{stroke:#b36b00}.lagrange-plot .c5{stroke:#7447c4}.lagrange-plot .c6{stroke:#0b8495}\
.lagrange-plot .c7{stroke:#b03090}.lagrange-plot .c8{stroke:#68781a}.lagrange-plot .c9{stroke:#3c4656}\
.lagrange-plot .c0{stroke:#8a93a3;stroke-dasharray:5 4}";

/// Returns the chart as the content of an SVG file, with its legend above.
pub fn standalone(chart: &Chart, title: &str) -> String {
    const WIDTH: f64 = 900.0;
    let ([_, height], x, y, ticks) = scales(chart, WIDTH);
    let mut out = String::new();
    opening([WIDTH, height + LEGEND], title, &mut out);
    let mut left = LEFT;
    for curve in chart.curves.iter().filter(|curve| !curve.name.is_empty()) {
        _ = write!(
            out,
            "<path {} d=\"M{left} {}\"/><text x=\"{}\" y=\"22\">{}</text>",
            look(curve.style),
            if matches!(curve.style, Style::Band | Style::InnerBand) { "11h22v13h-22z" } else { "18h22" },
            left + 28.0,
            escape(&curve.name)
        );
        // About the width of the text.
        left += 50.0 + 8.0 * curve.name.chars().count() as f64;
    }
    _ = write!(out, "<g transform=\"translate(0 {LEGEND})\">");
    drawing(chart, height, ("", 1), (&x, &y, ticks), &mut out);
    out.push_str("</g></svg>\n");
    out
}

/// Begins the content of an SVG file of this size.
pub(super) fn opening([width, height]: [f64; 2], title: &str, out: &mut String) {
    _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lagrange-plot\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\"><title>{}</title><style>{STYLE}</style>",
        escape(title),
    );
}

/// Width and height of a chart, its scales, and about how many ticks fit.
type Layout = ([f64; 2], Scale, Scale, [usize; 2]);

/// The values of all curves on an axis.
fn values(chart: &Chart, axis: usize) -> impl Iterator<Item = f64> {
    chart.curves.iter().flat_map(move |curve| curve.points.iter().map(move |point| point[axis]))
}

fn scales(chart: &Chart, width: f64) -> Layout {
    let height = (width * chart.aspect).round();
    let (across, up) = ((width / 107.0) as usize, ((height - TOP - BOTTOM) / 45.0).round().max(3.0) as usize);
    let x = |right: f64| Scale::new(&chart.x, values(chart, 0), [LEFT, width - right], across);
    // Half of the label of a tick at the end stands beyond it.
    let beyond = |tick: Tick| tick.label.map(|label| x(RIGHT).position(tick.value) + label_width(&label) / 2.0 - width);
    let cut = x(RIGHT).ticks(across).into_iter().filter_map(beyond).fold(0.0, f64::max);
    let x = if cut > 1.0 { x(RIGHT + cut.ceil()) } else { x(RIGHT) };
    let y = Scale::new(&chart.y, values(chart, 1), [height - BOTTOM, TOP], up);
    ([width, height], x, y, [across, up])
}

/// The width of a label, or more.
fn label_width(label: &str) -> f64 {
    let width = |sign: char| match sign {
        '.' => POINT,
        '−' => MINUS,
        _ => DIGIT,
    };
    label.chars().map(width).sum()
}

/// The layout for a narrow screen: the name of the vertical axis is above it, and there are as many ticks as have room for their labels.
fn narrow_scales(chart: &Chart) -> Layout {
    const NAME: f64 = 22.0;
    const SPACE: f64 = 12.0;
    let height = (NARROW * chart.aspect.max(NARROW_ASPECT)).round();
    let up = ((height - NAME - BOTTOM) / 45.0).round().max(3.0) as usize;
    let y = Scale::new(&chart.y, values(chart, 1), [height - BOTTOM, TOP + NAME], up);
    let labelled = |tick: Tick| Some([tick.value, label_width(&tick.label?)]);
    let left = SPACE + y.ticks(up).into_iter().filter_map(labelled).map(|[_, width]| width).fold(0.0, f64::max);
    let scale = |across: usize| Scale::new(&chart.x, values(chart, 0), [left, NARROW - 2.0 * RIGHT], across);
    let fits = |across: usize| {
        let x = scale(across);
        let labels: Vec<[f64; 2]> = x.ticks(across).into_iter().filter_map(labelled).collect();
        labels
            .windows(2)
            .all(|pair| x.position(pair[1][0]) - x.position(pair[0][0]) >= (pair[0][1] + pair[1][1]) / 2.0 + SPACE)
    };
    let across = (2..=5).rev().find(|across| fits(*across)).unwrap_or(1);
    ([NARROW, height], scale(across), y, [across, up])
}

/// The inside of a chart: grid, labels and curves.
fn drawing(
    chart: &Chart,
    height: f64,
    (class, id): (&str, usize),
    (x, y, ticks): (&Scale, &Scale, [usize; 2]),
    out: &mut String,
) {
    let narrow = class == "narrow";
    grid(x, y, ticks, out);
    labels([(&chart.x, x), (&chart.y, y)], height, narrow, out);
    let id = if narrow { format!("{id}n") } else { id.to_string() };
    let (left, top) = (x.start, y.end);
    _ = write!(
        out,
        "<clipPath id=\"clip{id}\"><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/></clipPath>\
         <g clip-path=\"url(#clip{id})\">",
        x.end - left,
        y.start - top,
    );
    for curve in &chart.curves {
        let points = curve.points.iter().map(|point| [x.position(point[0]), y.position(point[1])]);
        if curve.dotted {
            _ = write!(out, "<path {} style=\"stroke-width:4;stroke-linecap:round\" d=\"", look(curve.style));
            dots(points, out);
        } else {
            _ = write!(out, "<path {} d=\"", look(curve.style));
            path(points, out);
        }
        out.push_str("\"/>");
    }
    out.push_str("</g>");
}

fn class(style: Style) -> &'static str {
    match style {
        Style::First => "c1",
        Style::Second => "c2",
        Style::Third => "c3",
        Style::Fourth => "c4",
        Style::Fifth => "c5",
        Style::Sixth => "c6",
        Style::Seventh => "c7",
        Style::Eighth => "c8",
        Style::Ninth => "c9",
        Style::Reference => "c0",
        Style::Band => "band",
        Style::InnerBand => "inner",
    }
}

/// The attributes of a curve's path. The colours of areas are light.
fn look(style: Style) -> String {
    let fill = match style {
        Style::Band => " style=\"fill:#d5e1f4\"",
        Style::InnerBand => " style=\"fill:#a9c2ea\"",
        _ => "",
    };
    format!("class=\"{}\"{fill}", class(style))
}

fn legend(chart: &Chart, out: &mut String) {
    out.push_str("<div class=\"legend\">");
    for curve in chart.curves.iter().filter(|curve| !curve.name.is_empty()) {
        _ = write!(out, "<span><i class=\"{}\"></i>{}</span>", class(curve.style), escape(&curve.name));
    }
    out.push_str("</div>");
}

/// What the page's script needs to read values off: kind, ends, positions of the ends.
fn scale_data(scale: &Scale) -> String {
    let kind = if scale.logarithmic { "log" } else { "lin" };
    format!("{kind} {:e} {:e} {} {}", scale.low, scale.high, scale.start, scale.end)
}

pub(super) fn grid(x: &Scale, y: &Scale, [across, up]: [usize; 2], out: &mut String) {
    let (bottom, top) = (y.start, y.end);
    for tick in x.ticks(across) {
        let position = x.position(tick.value);
        _ = write!(out, "<path class=\"grid\" d=\"M{position:.1} {bottom}V{top}\"/>");
        if let Some(label) = tick.label {
            _ = write!(out, "<text class=\"x\" x=\"{position:.1}\" y=\"{}\">{label}</text>", bottom + 18.0);
        }
    }
    for tick in y.ticks(up) {
        let position = y.position(tick.value);
        _ = write!(out, "<path class=\"grid\" d=\"M{} {position:.1}H{}\"/>", x.start, x.end);
        if let Some(label) = tick.label {
            _ = write!(out, "<text class=\"y\" x=\"{}\" y=\"{:.1}\">{label}</text>", x.start - 7.0, position + 4.0);
        }
    }
    _ = write!(out, "<path class=\"frame\" d=\"M{} {top}V{bottom}H{}\"/>", x.start, x.end);
}

/// Writes the names of the axes, that of the vertical one along it, or above it if the drawing is `narrow`.
pub(super) fn labels([x, y]: [(&Axis, &Scale); 2], height: f64, narrow: bool, out: &mut String) {
    let name = |(axis, scale): (&Axis, &Scale)| match scale.base() {
        Some(base) => escape(&format!("{}, difference from {base}", axis.label)),
        None => escape(&axis.label),
    };
    let [middle, centre] = [x.1, y.1].map(|scale| (scale.start + scale.end) / 2.0);
    _ = write!(out, "<text class=\"name\" x=\"{middle}\" y=\"{}\">{}</text>", height - 7.0, name(x));
    let place = match narrow {
        true => format!("style=\"text-anchor:start\" x=\"4\" y=\"{}\"", y.1.end - 12.0),
        false => format!("transform=\"translate(15 {centre}) rotate(-90)\""),
    };
    _ = write!(out, "<text class=\"name\" {place}>{}</text>", name(y));
}

/// A polyline in tenths of a unit, relative from point to point, which is short.
fn path(points: impl Iterator<Item = [f64; 2]>, out: &mut String) {
    let mut previous: Option<[i64; 2]> = None;
    for point in points {
        if !point.iter().all(|position| position.is_finite()) {
            // The curve goes on at the next point that exists.
            previous = None;
            continue;
        }
        let point = point.map(|position| (position * 10.0).round() as i64);
        match previous {
            None => _ = write!(out, "M{} {}", tenths(point[0]), tenths(point[1])),
            Some(last) if last == point => continue,
            Some(last) => _ = write!(out, "l{} {}", tenths(point[0] - last[0]), tenths(point[1] - last[1])),
        }
        previous = Some(point);
    }
}

/// Lines so short that their round ends make dots.
fn dots(points: impl Iterator<Item = [f64; 2]>, out: &mut String) {
    for [x, y] in points.filter(|point| point.iter().all(|position| position.is_finite())) {
        _ = write!(out, "M{x:.1} {y:.1}h.1");
    }
}

fn tenths(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    match (value.abs() / 10, value.abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, part) => format!("{sign}.{part}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plot::Curve;

    #[test]
    fn a_path_is_relative_and_ends_where_it_should() {
        let mut text = String::new();
        path([[1.0, 2.0], [1.04, 2.0], [1.5, 1.0], [0.0, 11.0]].into_iter(), &mut text);
        assert_eq!(text, "M1 2l.5 -1l-1.5 10");
    }

    #[test]
    fn the_last_label_is_not_cut() {
        let end = |last: f64| {
            let curves = vec![Curve::new("a", Style::First, vec![[0.0, 1.0], [last, 2.0]])];
            let ([width, _], x, ..) = scales(&Chart::new(Axis::linear("time"), Axis::linear("x"), curves), 1080.0);
            width - x.end
        };
        // Five digits are 41.5 wide.
        assert_eq!([end(1.2), end(120.0), end(12_000.0)], [RIGHT, RIGHT, 21.0]);
    }

    #[test]
    fn text_is_escaped_and_labels_are_present() {
        let curves = vec![Curve::new("a < b", Style::First, vec![[0.0, 1.0], [1.0, 2.0]])];
        let mut svg = String::new();
        render(&Chart::new(Axis::linear("time (s)"), Axis::linear("x & y (m)"), curves), 860.0, 7, &mut svg);
        for once in ["id=\"clip7\"", "id=\"clip7n\"", "class=\"wide\"", "class=\"narrow\""] {
            assert_eq!(svg.matches(once).count(), 1, "{once}");
        }
        assert!(svg.contains("a &lt; b") && svg.contains("x &amp; y (m)") && svg.contains("time (s)"));
        assert!(svg.contains("clip7"));
    }
}

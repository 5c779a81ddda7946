//! Charts as SVG. Colours and fonts are the page's style sheet's, so that both themes serve.

use super::scale::Scale;
use super::{Axis, Chart, Style};
use crate::report::page::escape;
use std::fmt::Write;

pub(super) const LEFT: f64 = 88.0;
pub(super) const RIGHT: f64 = 14.0;
pub(super) const TOP: f64 = 10.0;
pub(super) const BOTTOM: f64 = 46.0;
/// The height of the legend of a picture that stands alone.
pub(super) const LEGEND: f64 = 30.0;

/// Writes the chart with its legend, `width` units wide; `id` is unique on the page.
pub fn render(chart: &Chart, width: f64, id: usize, out: &mut String) {
    let (height, x, y, ticks) = scales(chart, width);
    legend(chart, out);
    _ = write!(
        out,
        "<div class=\"plot\"><svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{} against {}\" \
         data-x=\"{}\" data-y=\"{}\">",
        escape(&chart.y.label),
        escape(&chart.x.label),
        scale_data(&x),
        scale_data(&y),
    );
    drawing(chart, [width, height], id, (&x, &y, ticks), out);
    out.push_str("</svg></div>");
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
    let (height, x, y, ticks) = scales(chart, WIDTH);
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
    drawing(chart, [WIDTH, height], 1, (&x, &y, ticks), &mut out);
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

/// The height of a chart, its scales, and about how many ticks fit.
fn scales(chart: &Chart, width: f64) -> (f64, Scale, Scale, [usize; 2]) {
    let height = (width * chart.aspect).round();
    let values = |component: usize| {
        chart.curves.iter().flat_map(move |curve| curve.points.iter().map(move |point| point[component]))
    };
    let (across, up) = ((width / 107.0) as usize, ((height - TOP - BOTTOM) / 45.0).round().max(3.0) as usize);
    let x = Scale::new(&chart.x, values(0), [LEFT, width - RIGHT], across);
    let y = Scale::new(&chart.y, values(1), [height - BOTTOM, TOP], up);
    (height, x, y, [across, up])
}

/// The inside of a chart: grid, labels and curves.
fn drawing(
    chart: &Chart,
    [width, height]: [f64; 2],
    id: usize,
    (x, y, ticks): (&Scale, &Scale, [usize; 2]),
    out: &mut String,
) {
    grid(x, y, ticks, out);
    labels([(&chart.x, x), (&chart.y, y)], [width, height], out);
    _ = write!(
        out,
        "<clipPath id=\"clip{id}\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/></clipPath>\
         <g clip-path=\"url(#clip{id})\">",
        width - LEFT - RIGHT,
        height - TOP - BOTTOM,
    );
    for curve in &chart.curves {
        _ = write!(out, "<path {} d=\"", look(curve.style));
        path(curve.points.iter().map(|point| [x.position(point[0]), y.position(point[1])]), out);
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

pub(super) fn labels([x, y]: [(&Axis, &Scale); 2], [width, height]: [f64; 2], out: &mut String) {
    let name = |(axis, scale): (&Axis, &Scale)| match scale.base() {
        Some(base) => escape(&format!("{}, difference from {base}", axis.label)),
        None => escape(&axis.label),
    };
    let (middle, centre) = ((LEFT + width - RIGHT) / 2.0, (TOP + height - BOTTOM) / 2.0);
    _ = write!(
        out,
        "<text class=\"name\" x=\"{middle}\" y=\"{}\">{}</text>\
         <text class=\"name\" transform=\"translate(15 {centre}) rotate(-90)\">{}</text>",
        height - 7.0,
        name(x),
        name(y),
    );
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
    fn text_is_escaped_and_labels_are_present() {
        let curves = vec![Curve::new("a < b", Style::First, vec![[0.0, 1.0], [1.0, 2.0]])];
        let mut svg = String::new();
        render(&Chart::new(Axis::linear("time (s)"), Axis::linear("x & y (m)"), curves), 860.0, 7, &mut svg);
        assert!(svg.contains("a &lt; b") && svg.contains("x &amp; y (m)") && svg.contains("time (s)"));
        assert!(svg.contains("clip7"));
    }
}

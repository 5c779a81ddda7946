//! An animation: its data, and the canvas that the page's script draws on.

use super::escape;
use crate::report::figure::Animation;
use serde_json::json;
use std::fmt::Write;

pub(super) fn render(animation: &Animation, out: &mut String) {
    let millimetres = |length: f64| (length * 1000.0).round() as i64;
    let frame = |ends: &Vec<[f64; 2]>| ends.iter().flatten().copied().map(millimetres).collect();
    let frames: Vec<Vec<i64>> = animation.frames.iter().map(frame).collect();
    let data = json!({
        "step": animation.step,
        "reach": animation.reach,
        "low": animation.low,
        "high": animation.high,
        "trail": animation.trail,
        "frames": frames,
    });
    _ = write!(
        out,
        "<figure class=\"animation\"><div class=\"stage\"><canvas id=\"{0}\" style=\"aspect-ratio:{3}/{4}\" role=\"img\" \
         aria-label=\"{1}\"></canvas></div><div class=\"controls\"><button type=\"button\" data-play=\"{0}\">Play</button>\
         <input type=\"range\" min=\"0\" max=\"{2}\" value=\"0\" data-seek=\"{0}\" aria-label=\"time\">\
         <output data-clock=\"{0}\">0.00 s</output></div><figcaption><p>{1}</p></figcaption>\
         <script type=\"application/json\" data-frames=\"{0}\">{data}</script></figure>",
        animation.id,
        escape(&animation.caption),
        animation.frames.len().saturating_sub(1),
        2.0 * animation.reach,
        animation.high - animation.low,
    );
}

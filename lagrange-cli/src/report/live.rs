//! The part of a mechanism's page that computes motions in the browser, from exported JavaScript.

use super::page::escape;
use serde_json::Value;

const STYLE: &str = include_str!("live/style.css");
/// Each file uses names of those before it, and of those of the mechanism's page.
const SCRIPTS: [&str; 11] = [
    include_str!("live/coefficients.js"),
    include_str!("live/mechanism.js"),
    include_str!("live/modes.js"),
    include_str!("live/contacts.js"),
    include_str!("live/impacts.js"),
    include_str!("live/resolution.js"),
    include_str!("live/motion.js"),
    include_str!("live/samples.js"),
    include_str!("live/stage.js"),
    include_str!("live/charts.js"),
    include_str!("live/panel.js"),
];
const START: &str = include_str!("live/start.js");

/// What a page computes itself.
#[derive(Clone, Debug)]
pub enum Live {
    /// The equations can be computed in the page.
    Computed {
        /// The exported JavaScript module.
        module: String,
        /// What the module computes: the names of coordinates, states, constraints and outputs; parameters and inputs with their values,
        /// units and descriptions; the start, the length and the relative tolerance of the motion; the units.
        about: Value,
    },
    /// The page cannot compute this mechanism, for these reasons, in sentences.
    Refused(Vec<String>),
}

/// The content of the part, or the reasons why the page cannot compute. Empty where it is not asked for.
pub(super) fn content(live: Option<&Live>) -> String {
    match live {
        None => String::new(),
        Some(Live::Refused(reasons)) => {
            let reasons: String = reasons.iter().map(|reason| format!("<li>{}</li>", escape(reason))).collect();
            format!(
                "<div class=\"live-refused\" id=\"live-refused\"><p><b>This page cannot compute this mechanism.</b> It shows the motion that was \
                 recorded when the page was written.</p><ul>{reasons}</ul></div>"
            )
        }
        Some(Live::Computed { .. }) => "<p class=\"setup\">The motion here is computed by the page itself, anew after every change. Everything \
             below this part was recorded when the page was written, and does not follow.</p><div id=\"live-panel\"></div>"
            .to_owned(),
    }
}

pub(super) fn style(live: Option<&Live>) -> &'static str {
    if live.is_some() { STYLE } else { "" }
}

/// The module and what is said about it, as elements that the script reads.
pub(super) fn data(live: Option<&Live>) -> String {
    let Some(Live::Computed { module, about }) = live else { return String::new() };
    let text = |value: Value| value.to_string().replace('<', "\\u003c");
    format!(
        "<script type=\"application/json\" id=\"live-data\">{}</script>",
        text(serde_json::json!({ "module": module, "about": about }))
    )
}

pub(super) fn script(live: Option<&Live>) -> String {
    match live {
        Some(Live::Computed { .. }) => SCRIPTS.concat() + START,
        Some(Live::Refused(_)) | None => String::new(),
    }
}

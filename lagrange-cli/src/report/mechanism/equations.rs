//! The derived equations as MathML, one equation a row.

use crate::report::page::escape;
use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, mathml};
use std::fmt::Write;

/// Longer right sides, in characters of LaTeX, are split before the terms of their sum so that lines can wrap.
const WRAPPED_FROM: usize = 110;

/// Writes the lines of an `aligned` block as rows of a grid: left sides, then right sides.
pub(super) fn render(aligned: &str, out: &mut String) {
    out.push_str("<div class=\"equations\">");
    for line in lines(aligned) {
        // What stands between equations, such as "where", has no right side.
        let Some((left, right)) = line.split_once('&') else {
            out.push_str("<div class=\"between\">");
            math(line, out);
            out.push_str("</div>");
            continue;
        };
        out.push_str("<div class=\"equation\"><div class=\"left\">");
        math(left, out);
        out.push_str("</div><div class=\"right\">");
        if right.len() <= WRAPPED_FROM {
            math(&format!("{{}}{right}"), out);
        } else {
            for term in terms(right) {
                math(&format!("{{}}{term}"), out);
                out.push(' ');
            }
        }
        out.push_str("</div></div>");
    }
    out.push_str("</div>");
}

/// The lines of an `aligned` block. A line of `cases` within it does not end a line of the block.
fn lines(aligned: &str) -> Vec<&str> {
    let inner = aligned.trim();
    let inner = inner.strip_prefix("\\begin{aligned}").unwrap_or(inner);
    let inner = inner.strip_suffix("\\end{aligned}").unwrap_or(inner);
    split(inner, |rest| rest.starts_with("\\\\").then_some((0, 2)))
}

/// The terms of a sum, each with its sign.
fn terms(sum: &str) -> Vec<&str> {
    split(sum, |rest| (rest.starts_with(" + ") || rest.starts_with(" - ")).then_some((1, 1)))
}

/// Splits where `at` says so, outside braces, `\left … \right` and environments. `at` gives how many bytes stay at
/// the end of the part and where the next part begins.
fn split(text: &str, at: impl Fn(&str) -> Option<(usize, usize)>) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut place) = (0, 0_i32, 0);
    while let Some(character) = text[place..].chars().next() {
        let rest = &text[place..];
        if depth == 0
            && let Some((stays, next)) = at(rest)
        {
            parts.push(&text[start..place + stays]);
            start = place + next;
            place += next.max(1);
            continue;
        }
        let opens = character == '{' || begins(rest, "\\left") || begins(rest, "\\begin");
        let closes = character == '}' || begins(rest, "\\right") || begins(rest, "\\end");
        depth += i32::from(opens) - i32::from(closes);
        place += if character == '\\' {
            1 + rest[1..].chars().next().map_or(0, char::len_utf8)
        } else {
            character.len_utf8()
        };
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Whether the text begins with this command, and not with a longer one like `\leftarrow`.
fn begins(text: &str, command: &str) -> bool {
    text.strip_prefix(command).is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphabetic()))
}

/// Writes one `math` element. LaTeX that cannot be converted is shown as it is.
fn math(latex: &str, out: &mut String) {
    let latex = with_plain_brackets(&with_words(latex.trim()));
    let storage = Storage::new();
    let config = RenderConfig { display_mode: DisplayMode::Inline, ..RenderConfig::default() };
    let events: Result<Vec<_>, _> = Parser::new(&latex, &storage).collect();
    let mut written = String::new();
    let done = events.map(|events| {
        let events = events.into_iter().map(Ok::<_, std::convert::Infallible>);
        mathml::push_mathml(&mut written, events, config)
    });
    match done {
        Ok(Ok(())) => out.push_str(&mended(&written)),
        _ => _ = write!(out, "<code>{}</code>", escape(&latex)),
    }
}

/// Words of several letters as text, which a screen reader reads as words, with thin spaces between factors.
fn with_words(latex: &str) -> String {
    const WORD: &str = "\\mathrm{";
    let mut out = String::with_capacity(latex.len());
    let mut rest = latex;
    while let Some(start) = rest.find(WORD) {
        let (before, word) = (&rest[..start], &rest[start + WORD.len()..]);
        let factor = before
            .strip_suffix(' ')
            .is_some_and(|text| text.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '}' | ')')));
        // The end of the word with its braces and scripts.
        let mut end = word.find('}').map_or(word.len(), |place| place + 1);
        let name = &word[..end];
        while let Some(next) = word[end..].chars().next().filter(|next| matches!(next, '}' | '_' | '^')) {
            if next != '}' && word[end..].contains(WORD) {
                break;
            }
            end += if next == '}' { 1 } else { word[end..].find('}').map_or(1, |place| place + 1) };
        }
        let mut following = word[end..].chars();
        let more = following.next() == Some(' ')
            && match (following.next(), following.next()) {
                (Some('\\'), Some(command)) => command.is_ascii_alphabetic(),
                (Some(next), _) => next.is_alphanumeric() || next == '(',
                (None, _) => false,
            };
        let (space, after) = (if factor { "\\," } else { "" }, if more { "\\," } else { "" });
        _ = write!(out, "{before}{space}\\text{{{name}{}{after}", &word[name.len()..end]);
        rest = &word[end..];
    }
    out + rest
}

/// Parentheses that enclose nothing tall, without `\left` and `\right`: a browser without a font for mathematics
/// stretches them too far.
fn with_plain_brackets(latex: &str) -> String {
    const LEFT: &str = "\\left(";
    const RIGHT: &str = "\\right)";
    let mut out = String::with_capacity(latex.len());
    let mut rest = latex;
    while let Some(start) = rest.find(LEFT) {
        let inside = &rest[start + LEFT.len()..];
        // The parenthesis that closes this one.
        let (mut depth, mut end) = (1, 0);
        for (place, _) in inside.match_indices('\\') {
            depth += i32::from(begins(&inside[place..], "\\left")) - i32::from(begins(&inside[place..], "\\right"));
            if depth == 0 {
                end = place;
                break;
            }
        }
        out += &rest[..start];
        if depth != 0 || !inside[end..].starts_with(RIGHT) {
            out += LEFT;
            rest = inside;
            continue;
        }
        let content = &inside[..end];
        let tall = ["\\frac", "\\begin", "\\sqrt", "\\left\\l"].iter().any(|command| content.contains(command));
        let (open, close) = if tall { (LEFT, RIGHT) } else { ("(", ")") };
        _ = write!(out, "{open}{}{close}", with_plain_brackets(content));
        rest = &inside[end + RIGHT.len()..];
    }
    out + rest
}

/// The places where pulldown-latex 0.8.0 writes something else than browsers need.
fn mended(mathml: &str) -> String {
    const SPACE: &str = "<mspace width=\"0.1667em\" />";
    let mut text = mathml
        .replace("<math display=\"inline\">", "<math displaystyle=\"true\">")
        // Reserved characters are not escaped.
        .replace("<mo><</mo>", "<mo>&lt;</mo>")
        .replace("<mo>></mo>", "<mo>&gt;</mo>")
        // A function and its parenthesis have no space between them.
        .replace(&format!("{SPACE}<mrow><mo stretchy=\"true\">"), "<mrow><mo stretchy=\"true\">")
        .replace(&format!("{SPACE}<mo symmetric=\"false\" stretchy=\"false\">("), "<mo stretchy=\"false\">(");
    // A space before a function with an exponent is written as the base of the exponent.
    for script in ["<msup>", "<msub>", "<msubsup>"] {
        text = text.replace(&format!("{script}{SPACE}"), &format!("{SPACE}{script}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(latex: &str) -> String {
        let mut out = String::new();
        render(latex, &mut out);
        out
    }

    #[test]
    fn all_that_the_derivation_prints_is_converted() {
        for latex in [
            "M_{\\theta_{1},\\theta_{2}} &= m l^{2} \\ddot{\\theta}_{1}",
            "p &= \\mathrm{push} - \\dot{\\mathrm{wheel}}_{\\mathrm{left},1} \\sin^{2}\\left(\\theta\\right)",
            "a &= \\begin{cases} x & \\text{if } x < 0 \\land y \\le 1 \\\\ y & \\text{otherwise} \\end{cases}",
            "a &= \\left\\lVert\\left(x, y\\right)\\right\\rVert - l",
            "a &= \\left\\lfloor x\\right\\rfloor \\bmod 3 + \\left(x\\right)^{+}",
            "a &= f_{,12}\\left(x\\right) + f'\\left(x\\right) + \\operatorname{atan2}\\left(x, y\\right)",
            "a &= b \\lor \\lnot c + \\sqrt{\\frac{\\dot{x}^{2} + 1}{2}} + \\left|x\\right| 2 \\cdot 3^{1/2} 1.5",
            // Statements of a block, whose relation is not always an equality.
            "\\mathrm{tip}_{\\mathrm{arm},i} &= l \\begin{pmatrix} \\sin\\left(\\theta\\right) \\\\ -\\cos\\left(\\theta\\right) \\end{pmatrix}",
            "T &= \\sum_{i=0}^{4} T_{\\mathrm{link},i},\\quad i = 1, \\ldots, 4",
            "V &= \\int_{0}^{l} \\left\\lVert \\dot{\\mathrm{tip}}_{i - 1}\\right\\rVert^{2} \\, dx",
            "\\text{mode }\\mathrm{on} & := 1,\\ x := 2\\text{ when }\\frac{d}{dt} \\left(x y\\right) \\ge 9.81\\,\\mathrm{m}/\\mathrm{s}^{2}",
            "\\text{constraint }\\mathrm{held} & R^{T} \\times \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} = \\lambda_{\\mathrm{rod},1}",
            // Symbols that a struct states.
            "a &= {\\tau_s}_{0}^{2} + \\omega_0^{2} \\mathcal{M} {m^*}^{2} - \\hat{k} x",
            "a &= \\operatorname{sinc}^{(2)}\\left(x\\right) + \\arctan\\left(x\\right) + \\pi",
        ] {
            let html = rendered(latex);
            assert!(!html.contains("<code>") && !html.contains("merror"), "{latex}: {html}");
            assert_eq!(html.matches("<math ").count(), 2, "{latex}");
        }
    }

    #[test]
    fn what_stands_between_equations_has_no_right_side() {
        let html = rendered(
            "\\text{arm}_{i}\\text{.}\\text{link}\\text{: Link},\\quad i = 0, \\ldots, 1 \\\\ \\text{where} \\\\ a &= b",
        );
        assert!(!html.contains("<code>") && !html.contains("merror") && !html.contains("&amp;"), "{html}");
        let count = |text: &str| html.matches(text).count();
        assert_eq!(
            (count("class=\"between\""), count("class=\"equation\""), count("class=\"right\"")),
            (2, 1, 1),
            "{html}"
        );
        assert_eq!(count("<div"), count("</div>"));
    }

    #[test]
    fn an_exponent_of_a_function_has_one_base() {
        let html = rendered("p &= a \\sin^{2}\\left(x\\right)");
        assert!(html.contains("<msup><mi>sin</mi><mrow><mn>2</mn></mrow></msup>"), "{html}");
    }

    #[test]
    fn what_cannot_be_converted_is_shown() {
        assert!(rendered("a &= \\broken{ <x").contains("<code>{}= \\broken{ &lt;x</code>"));
        assert_eq!(rendered(""), "<div class=\"equations\"></div>");
    }

    #[test]
    fn words_among_factors_have_spaces() {
        let check = |latex, expected| assert_eq!(with_words(latex), expected);
        check("e \\mathrm{ez} + 1", "e \\,\\text{ez} + 1");
        check("\\mathrm{mutual} \\dot{q}_{2}", "\\text{mutual}\\, \\dot{q}_{2}");
        check("\\dot{\\mathrm{wheel}}_{1}^{2} x", "\\dot{\\text{wheel}}_{1}^{2}\\, x");
        check("\\mathrm{wheel}_{\\mathrm{left}} x", "\\text{wheel}_{\\text{left}}\\, x");
        check("\\frac{\\mathrm{push}}{m} - \\mathrm{drag}", "\\frac{\\text{push}}{m} - \\text{drag}");
    }

    #[test]
    fn brackets_stretch_around_what_is_tall() {
        let check = |latex, plain| assert_eq!(with_plain_brackets(latex), plain);
        check("\\sin\\left(x\\right)^{2} + \\left(a\\right)", "\\sin(x)^{2} + (a)");
        check("\\left(\\frac{a}{b} + \\left(c\\right)\\right)", "\\left(\\frac{a}{b} + (c)\\right)");
        check("\\left\\lVert\\left(x, y\\right)\\right\\rVert", "\\left\\lVert(x, y)\\right\\rVert");
        check("\\left(x", "\\left(x");
    }

    #[test]
    fn lines_and_terms_end_outside_brackets_only() {
        let block =
            "\\begin{aligned}\n  a &= \\begin{cases} x & y \\\\ z & w \\end{cases} \\\\\n  b &= c\n\\end{aligned}";
        assert_eq!(lines(block), ["a &= \\begin{cases} x & y \\\\ z & w \\end{cases}", "b &= c"]);
        assert_eq!(
            terms("-a + \\left(b - c\\right) - \\frac{d + e}{f}"),
            ["-a", "+ \\left(b - c\\right)", "- \\frac{d + e}{f}"]
        );
    }
}

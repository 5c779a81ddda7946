//! Equations as MathML Core, which browsers draw without a script or a style sheet. It is made of the LaTeX that this room prints.

use super::name::GREEK;
use std::fmt::Write as _;

/// The deepest nesting of brackets, fractions and scripts that is drawn. A deeper one is hardly readable.
const DEEPEST: usize = 60;

/// The operators with a command of their own.
const OPERATORS: [(&str, &str); 17] = [
    ("cdot", "·"),
    ("times", "×"),
    ("le", "≤"),
    ("ge", "≥"),
    ("land", "∧"),
    ("lor", "∨"),
    ("lnot", "¬"),
    ("bmod", "mod"),
    ("ldots", "…"),
    ("lfloor", "⌊"),
    ("rfloor", "⌋"),
    ("lVert", "‖"),
    ("rVert", "‖"),
    ("sum", "∑"),
    ("int", "∫"),
    ("ast", "∗"),
    ("infty", "∞"),
];

/// The functions that are written with their own names.
const FUNCTIONS: [&str; 14] =
    ["arccos", "arcsin", "arctan", "cos", "cosh", "exp", "ln", "max", "min", "sin", "sinh", "tan", "tanh", "log"];

/// What stands over a letter.
const ACCENTS: [(&str, &str); 6] =
    [("dot", "˙"), ("ddot", "¨"), ("hat", "^"), ("bar", "¯"), ("tilde", "~"), ("vec", "→")];

/// The letters of the alphabet behind `GREEK`, in its order.
const LETTERS: [&str; 35] = [
    "α", "β", "γ", "δ", "ϵ", "ε", "ζ", "η", "θ", "ϑ", "ι", "κ", "λ", "μ", "ν", "ξ", "π", "ρ", "σ", "τ", "υ", "ϕ", "φ",
    "χ", "ψ", "ω", "Γ", "Δ", "Θ", "Λ", "Ξ", "Σ", "Φ", "Ψ", "Ω",
];

/// An `aligned` block as lines of HTML. A line may break before each term of a sum, and what is wider than the page can be scrolled. `None`
/// where brackets are nested too deeply.
pub fn mathml(aligned: &str) -> Option<String> {
    let inner = aligned.trim();
    let inner = inner.strip_prefix("\\begin{aligned}").unwrap_or(inner);
    let inner = inner.strip_suffix("\\end{aligned}").unwrap_or(inner);
    let mut writer = Writer { rest: inner.trim(), out: String::new(), depth: 0, is_operand: false, is_too_deep: false };
    // The indentation of the first line is inherited by each equation.
    writer.out.push_str("<div style=\"overflow-x:auto;padding-left:3em;text-indent:-3em;line-height:2.2\">");
    while !writer.rest.is_empty() && !writer.is_too_deep {
        writer.line();
    }
    writer.out.push_str("\n</div>");
    (!writer.is_too_deep).then_some(writer.out)
}

/// The width of a space between factors.
const THIN: &str = "0.17em";

const OPEN: &str = "<math displaystyle=\"true\">";
const CLOSE: &str = "</math>";

struct Writer<'a> {
    /// What is not written yet.
    rest: &'a str,
    out: String,
    /// How many brackets, fractions and scripts are open.
    depth: usize,
    /// Whether the last thing is an operand, so that a sign behind it is that of a sum.
    is_operand: bool,
    is_too_deep: bool,
}

impl<'a> Writer<'a> {
    /// One line of the block.
    fn line(&mut self) {
        self.out.push_str("\n<div>");
        self.out.push_str(OPEN);
        self.is_operand = false;
        loop {
            self.row();
            if self.eaten("&") {
                let begins = self.rest.trim_start();
                if !["=", "<", ">", "\\le", "\\ge", ":="].iter().any(|sign| begins.starts_with(sign)) {
                    self.space("1em");
                }
            } else if self.eaten("\\\\") || self.rest.is_empty() {
                break;
            } else {
                // A bracket that closes nothing.
                self.character();
            }
        }
        self.out.push_str(CLOSE);
        self.out.push_str("</div>");
    }

    /// Everything up to the end of a group, of a cell or of a line, which stays in the rest.
    fn row(&mut self) {
        let mut was_word = false;
        loop {
            let before = self.rest.len();
            self.rest = self.rest.trim_start();
            let ends = ["}", "&", "\\\\", "\\end{"].iter().any(|end| self.rest.starts_with(end));
            if ends || self.rest.is_empty() || self.is_too_deep || self.command() == Some("right") {
                return;
            }
            let (is_word, is_apart) = (self.begins_word(), self.rest.len() < before);
            // A space between factors, one of which has several letters.
            if is_apart && self.is_operand && self.begins_operand() && (is_word || was_word) {
                self.space(THIN);
            }
            // The arguments of a function belong to its name.
            was_word = is_word || was_word && !is_apart;
            self.scripted();
        }
    }

    /// Whether the rest begins with a name of several letters.
    fn begins_word(&self) -> bool {
        match self.command() {
            Some("mathrm") => self.rest.as_bytes().get("\\mathrm{x".len()).is_some_and(|next| *next != b'}'),
            Some("operatorname") => true,
            Some(accent) if ACCENTS.iter().any(|(name, _)| *name == accent) => {
                self.rest[1 + accent.len()..].starts_with("{\\mathrm{")
            }
            Some(command) => FUNCTIONS.contains(&command),
            None => false,
        }
    }

    /// Whether the rest begins with an operand, and not with an operator or a space.
    fn begins_operand(&self) -> bool {
        match self.command() {
            Some(command) => command != "quad" && !OPERATORS.iter().any(|(name, _)| *name == command),
            None => self.rest.starts_with(|sign: char| sign.is_alphanumeric() || matches!(sign, '{' | '(')),
        }
    }

    /// An operand or operator with its scripts.
    fn scripted(&mut self) {
        let start = self.out.len();
        let base = self.rest;
        self.atom();
        let is_operand = self.is_operand;
        let (mut below, mut above) = (None, None);
        loop {
            // A script without a base of its own belongs to the next thing.
            if below.is_none() && self.eaten("_") {
                below = Some(self.argument());
            } else if above.is_none() && self.eaten("^") {
                above = Some(self.argument());
            } else if above.is_none() && self.eaten("'") {
                let more = self.rest.len() - self.rest.trim_start_matches('\'').len();
                self.rest = &self.rest[more..];
                above = Some(format!("<mo>{}</mo>", "′".repeat(more + 1)));
            } else {
                break;
            }
        }
        let name = match (&below, &above, base.starts_with("\\sum")) {
            (None, None, _) => return,
            (Some(_), Some(_), true) => "munderover",
            (Some(_), Some(_), false) => "msubsup",
            (Some(_), None, _) => "msub",
            (None, Some(_), _) => "msup",
        };
        self.out.insert_str(start, &format!("<{name}>"));
        for script in [below, above].into_iter().flatten() {
            self.out.push_str(&script);
        }
        _ = write!(self.out, "</{name}>");
        self.is_operand = is_operand;
    }

    /// A group, a command or a character.
    fn atom(&mut self) {
        if self.rest.starts_with('{') {
            let group = self.argument();
            self.out.push_str(&group);
            self.is_operand = true;
        } else if let Some(command) = self.command() {
            self.rest = &self.rest[1 + command.len()..];
            self.run(command);
        } else if self.rest.starts_with('\\') {
            self.symbol();
        } else {
            self.character();
        }
    }

    /// The command at the beginning of the rest.
    fn command(&self) -> Option<&'a str> {
        let name = self.rest.strip_prefix('\\')?;
        let end = name.find(|sign: char| !sign.is_ascii_alphabetic()).unwrap_or(name.len());
        (end > 0).then(|| &name[..end])
    }

    fn run(&mut self, command: &str) {
        if let Some((_, sign)) = OPERATORS.iter().find(|(name, _)| *name == command) {
            self.operator(sign);
        } else if let Some(place) = GREEK.iter().position(|name| *name == command) {
            self.tagged("mi", LETTERS[place]);
        } else if FUNCTIONS.contains(&command) {
            self.tagged("mi", command);
        } else if let Some((_, accent)) = ACCENTS.iter().find(|(name, _)| *name == command) {
            let base = self.argument();
            _ = write!(self.out, "<mover accent=\"true\">{base}<mo>{accent}</mo></mover>");
            self.is_operand = true;
        } else {
            self.structure(command);
        }
    }

    /// A command with arguments, or one that is not known, which is shown as it is.
    fn structure(&mut self, command: &str) {
        match command {
            "frac" => {
                let (above, below) = (self.argument(), self.argument());
                _ = write!(self.out, "<mfrac>{above}{below}</mfrac>");
            }
            "sqrt" => {
                let inside = self.argument();
                _ = write!(self.out, "<msqrt>{inside}</msqrt>");
            }
            "left" => self.brackets(),
            "begin" => self.table(),
            "mathrm" | "operatorname" => {
                let text = self.raw();
                match text.chars().nth(1) {
                    Some(_) => self.tagged("mi", &text),
                    // A single letter would be slanted.
                    None => _ = write!(self.out, "<mi mathvariant=\"normal\">{}</mi>", escaped(&text)),
                }
            }
            "text" => {
                let text = self.raw();
                // Spaces at the ends are not drawn otherwise.
                self.tagged("mtext", &text.replace(' ', "\u{a0}"));
            }
            "mathbf" | "boldsymbol" => {
                let inside = self.argument();
                _ = write!(self.out, "<mrow style=\"font-weight:bold\">{inside}</mrow>");
            }
            "quad" => self.space("1em"),
            other => self.tagged("mtext", &format!("\\{other}")),
        }
        self.is_operand = command != "quad";
    }

    /// A space, or a character that is escaped.
    fn symbol(&mut self) {
        self.rest = &self.rest[1..];
        match self.rest.chars().next() {
            Some(',' | ';' | ':' | '!' | ' ') => {
                self.rest = &self.rest[1..];
                self.space(THIN);
            }
            Some(_) => self.character(),
            None => self.tagged("mtext", "\\"),
        }
    }

    fn character(&mut self) {
        let Some(first) = self.rest.chars().next() else { return };
        let number = self.rest.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(self.rest.len());
        let length = if first.is_ascii_digit() { number } else { first.len_utf8() };
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        match first {
            '0'..='9' => self.tagged("mn", text),
            _ if first.is_alphabetic() => self.tagged("mi", text),
            '-' => self.operator("−"),
            _ => self.operator(text),
        }
    }

    /// An operator, whose form does not follow from its place in its own element alone.
    fn operator(&mut self, sign: &str) {
        let is_term = matches!(sign, "+" | "−") && self.is_operand;
        if is_term && self.depth == 0 {
            _ = write!(self.out, "{CLOSE}<wbr>{OPEN}");
        }
        let form = match sign {
            "+" | "−" if is_term => " form=\"infix\"",
            "+" | "−" => " form=\"prefix\"",
            // Their sizes are those of the letters beside them.
            "(" | ")" | "|" | "[" | "]" => " stretchy=\"false\"",
            _ => "",
        };
        _ = write!(self.out, "<mo{form}>{}</mo>", escaped(sign));
        self.is_operand = matches!(sign, ")" | "]" | "|" | "!" | "…" | "∞");
    }

    /// A stretched pair of brackets.
    fn brackets(&mut self) {
        let open = self.bracket();
        let inside = self.inner();
        if self.command() == Some("right") {
            self.rest = &self.rest["\\right".len()..];
        }
        let close = self.bracket();
        // Without a font for mathematics, browsers stretch them too far.
        let tall = ["<mfrac", "<mtable", "<msqrt", "<munder"].iter().any(|tag| inside.contains(tag));
        let stretchy = if tall { "" } else { " stretchy=\"false\"" };
        let pair = [open, close].map(|sign| match sign {
            "." => String::new(),
            _ => format!("<mo{stretchy}>{}</mo>", escaped(sign)),
        });
        _ = write!(self.out, "<mrow>{}{inside}{}</mrow>", pair[0], pair[1]);
    }

    /// The sign of a bracket behind `\left` and `\right`.
    fn bracket(&mut self) -> &'a str {
        if let Some(command) = self.command() {
            self.rest = &self.rest[1 + command.len()..];
            return OPERATORS.iter().find(|(name, _)| *name == command).map_or(command, |(_, sign)| sign);
        }
        self.rest = self.rest.strip_prefix('\\').unwrap_or(self.rest);
        let length = self.rest.chars().next().map_or(0, char::len_utf8);
        let (sign, rest) = self.rest.split_at(length);
        self.rest = rest;
        sign
    }

    /// `pmatrix` in round brackets, and any other environment behind a brace, as `cases` has it.
    fn table(&mut self) {
        let kind = self.raw();
        let mut rows = String::from("<mtr><mtd>");
        loop {
            rows += &self.inner();
            if self.eaten("&") {
                rows += "</mtd><mtd>";
            } else if self.eaten("\\\\") {
                rows += "</mtd></mtr><mtr><mtd>";
            } else {
                break;
            }
        }
        if self.eaten("\\end") {
            self.raw();
        }
        let [open, close] = if kind == "cases" { ["{", ""] } else { ["(", ")"] };
        let style = if kind == "cases" { " style=\"text-align:left\"" } else { "" };
        let close = if close.is_empty() { String::new() } else { format!("<mo>{close}</mo>") };
        _ = write!(self.out, "<mrow><mo>{open}</mo><mtable{style}>{rows}</mtd></mtr></mtable>{close}</mrow>");
    }

    /// The row that follows, as a text of its own.
    fn inner(&mut self) -> String {
        let before = std::mem::take(&mut self.out);
        self.depth += 1;
        self.is_too_deep |= self.depth > DEEPEST;
        self.is_operand = false;
        self.row();
        self.depth -= 1;
        std::mem::replace(&mut self.out, before)
    }

    /// The argument of a command or a script, as one element: a group, or a single thing.
    fn argument(&mut self) -> String {
        self.rest = self.rest.trim_start();
        if self.eaten("{") {
            let inside = self.inner();
            _ = self.eaten("}");
            return if is_single(&inside) { inside } else { format!("<mrow>{inside}</mrow>") };
        }
        let before = std::mem::take(&mut self.out);
        self.depth += 1;
        self.is_too_deep |= self.depth > DEEPEST;
        if !self.is_too_deep && !self.rest.is_empty() {
            self.atom();
        }
        self.depth -= 1;
        let single = std::mem::replace(&mut self.out, before);
        if is_single(&single) { single } else { format!("<mrow>{single}</mrow>") }
    }

    /// The text of a group, without the signs that escape characters.
    fn raw(&mut self) -> String {
        let Some(inside) = self.rest.strip_prefix('{') else { return String::new() };
        let (mut text, mut depth, mut is_escaped) = (String::new(), 0_usize, false);
        for (place, sign) in inside.char_indices() {
            match sign {
                '\\' if !is_escaped => {
                    is_escaped = true;
                    continue;
                }
                '}' if !is_escaped && depth == 0 => {
                    self.rest = &inside[place + 1..];
                    return text;
                }
                '}' if !is_escaped => depth -= 1,
                '{' if !is_escaped => depth += 1,
                _ => text.push(sign),
            }
            is_escaped = false;
        }
        self.rest = "";
        text
    }

    fn space(&mut self, width: &str) {
        _ = write!(self.out, "<mspace width=\"{width}\"></mspace>");
    }

    /// An operand.
    fn tagged(&mut self, tag: &str, text: &str) {
        _ = write!(self.out, "<{tag}>{}</{tag}>", escaped(text));
        self.is_operand = true;
    }

    /// Takes this text from the rest, if it stands there.
    fn eaten(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

/// Whether a text is one element, and not several or none.
fn is_single(mathml: &str) -> bool {
    let Some(end) = mathml.find(['>', ' ']) else { return false };
    let close = format!("</{}>", &mathml[1..end]);
    // An element of the same name in it could be a second one.
    mathml.find(&close).is_some_and(|place| place + close.len() == mathml.len())
}

/// A text whose characters do not count as HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            other => out.push(other),
        }
    }
    out
}

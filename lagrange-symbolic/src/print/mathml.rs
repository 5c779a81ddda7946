//! Equations as MathML Core, which browsers draw without a script or a style sheet. It is made of the LaTeX that this room prints.

use super::name::GREEK;

/// The deepest nesting of brackets, fractions and scripts that is drawn. A deeper one is hardly readable.
const DEEPEST: usize = 60;

/// The sign of an operator that has a command.
fn operator_of(command: &str) -> Option<&'static str> {
    Some(match command {
        "cdot" => "·",
        "times" => "×",
        "le" => "≤",
        "ge" => "≥",
        "land" => "∧",
        "lor" => "∨",
        "lnot" => "¬",
        "bmod" => "mod",
        "ldots" => "…",
        "lfloor" => "⌊",
        "rfloor" => "⌋",
        "lVert" | "rVert" => "‖",
        "sum" => "∑",
        "int" => "∫",
        "infty" => "∞",
        _ => return None,
    })
}

/// What a command sets over a letter.
fn accent_of(command: &str) -> Option<&'static str> {
    Some(match command {
        "dot" => "˙",
        "ddot" => "¨",
        "hat" => "^",
        "bar" => "¯",
        "tilde" => "~",
        "vec" => "→",
        _ => return None,
    })
}

/// Whether a command is a function that is written with its own name.
fn is_function(command: &str) -> bool {
    let functions =
        ["cos", "sin", "tan", "exp", "ln", "log", "max", "min", "arccos", "arcsin", "arctan", "cosh", "sinh", "tanh"];
    functions.contains(&command)
}

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
    let mut writer = Writer {
        rest: inner.trim(),
        out: String::with_capacity(12 * inner.len()),
        depth: 0,
        is_operand: false,
        is_too_deep: false,
    };
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
                let is_relation = begins.starts_with(['=', '<', '>', ':']) || begins.starts_with("\\le ");
                if !is_relation {
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

    /// Everything up to the end of a group, of a cell or of a line, which stays in the rest. Returns the number of elements.
    fn row(&mut self) -> usize {
        let (mut was_word, mut elements) = (false, 0);
        loop {
            let before = self.rest.len();
            self.rest = self.rest.trim_start_matches([' ', '\n']);
            let ends = match self.rest.as_bytes() {
                [] | [b'}' | b'&', ..] => true,
                [b'\\', b'\\', ..] => true,
                [b'\\', b'e', ..] => self.rest.starts_with("\\end{"),
                [b'\\', b'r', ..] => self.command() == Some("right"),
                _ => false,
            };
            if ends || self.is_too_deep {
                return elements;
            }
            let (is_word, is_apart) = (self.begins_word(), self.rest.len() < before);
            // A space between factors, one of which has several letters.
            if is_apart && self.is_operand && (is_word || was_word) && self.begins_operand() {
                self.space(THIN);
                elements += 1;
            }
            // The arguments of a function belong to its name.
            was_word = is_word || was_word && !is_apart;
            self.scripted();
            elements += 1;
        }
    }

    /// Whether the rest begins with a name of several letters.
    fn begins_word(&self) -> bool {
        match self.command() {
            None => false,
            Some("mathrm") => self.rest.as_bytes().get("\\mathrm{x".len()).is_some_and(|next| *next != b'}'),
            Some("operatorname") => true,
            Some(accent @ ("dot" | "ddot")) => self.rest[1 + accent.len()..].starts_with("{\\mathrm{"),
            Some(command) => is_function(command),
        }
    }

    /// Whether the rest begins with an operand, and not with an operator or a space.
    fn begins_operand(&self) -> bool {
        match self.command() {
            Some(command) => command != "quad" && operator_of(command).is_none(),
            None => self.rest.starts_with(|sign: char| sign.is_alphanumeric() || matches!(sign, '{' | '(')),
        }
    }

    /// An operand or operator with its scripts.
    fn scripted(&mut self) {
        let (start, base) = (self.out.len(), self.rest);
        self.atom();
        let is_operand = self.is_operand;
        // The places in the output where the scripts begin.
        let (mut below, mut above) = (None, None);
        loop {
            let place = self.out.len();
            match self.rest.as_bytes() {
                [b'_', ..] if below.is_none() => {
                    self.rest = &self.rest[1..];
                    self.argument();
                    below = Some(place);
                }
                [b'^', ..] if above.is_none() => {
                    self.rest = &self.rest[1..];
                    self.argument();
                    above = Some(place);
                }
                [b'\'', ..] if above.is_none() => {
                    let rest = self.rest.trim_start_matches('\'');
                    let primes = self.rest.len() - rest.len();
                    self.rest = rest;
                    self.tagged("mo", &"′".repeat(primes));
                    above = Some(place);
                }
                _ => break,
            }
        }
        let (open, close) = match (below, above) {
            (None, None) => return,
            (Some(_), Some(_)) if base.starts_with("\\sum") => ("<munderover>", "</munderover>"),
            (Some(_), Some(_)) => ("<msubsup>", "</msubsup>"),
            (Some(_), None) => ("<msub>", "</msub>"),
            (None, Some(_)) => ("<msup>", "</msup>"),
        };
        if let (Some(below), Some(above)) = (below, above)
            && above < below
        {
            let second = self.out.split_off(below);
            self.out.insert_str(above, &second);
        }
        self.out.insert_str(start, open);
        self.out.push_str(close);
        self.is_operand = is_operand;
    }

    /// A group, a command or a character, as one element.
    fn atom(&mut self) {
        match self.rest.as_bytes() {
            [b'{', ..] => {
                self.argument();
                self.is_operand = true;
            }
            [b'\\', next, ..] if next.is_ascii_alphabetic() => {
                let command = self.command().unwrap_or_default();
                self.rest = &self.rest[1 + command.len()..];
                self.run(command);
            }
            [b'\\', ..] => self.symbol(),
            _ => self.character(),
        }
    }

    /// The command at the beginning of the rest.
    fn command(&self) -> Option<&'a str> {
        let [b'\\', name @ ..] = self.rest.as_bytes() else { return None };
        let length = name.iter().position(|sign| !sign.is_ascii_alphabetic()).unwrap_or(name.len());
        (length > 0).then(|| &self.rest[1..=length])
    }

    fn run(&mut self, command: &str) {
        if let Some(sign) = operator_of(command) {
            self.operator(sign);
        } else if let Some(accent) = accent_of(command) {
            self.out.push_str("<mover accent=\"true\">");
            self.argument();
            self.tagged("mo", accent);
            self.out.push_str("</mover>");
        } else if is_function(command) {
            self.tagged("mi", command);
        } else if let Some(place) = GREEK.iter().position(|name| *name == command) {
            self.tagged("mi", LETTERS[place]);
        } else {
            self.structure(command);
        }
    }

    /// A command with arguments, or one that is not known, which is shown as it is.
    fn structure(&mut self, command: &str) {
        match command {
            "frac" => {
                self.out.push_str("<mfrac>");
                self.argument();
                self.argument();
                self.out.push_str("</mfrac>");
            }
            "sqrt" => {
                self.out.push_str("<msqrt>");
                self.argument();
                self.out.push_str("</msqrt>");
            }
            "left" => self.brackets(),
            "begin" => self.table(),
            "mathrm" | "operatorname" => {
                let text = self.raw();
                // A single letter would be slanted.
                let tag = if text.chars().nth(1).is_some() { "<mi>" } else { "<mi mathvariant=\"normal\">" };
                self.out.push_str(tag);
                escape(&text, &mut self.out);
                self.out.push_str("</mi>");
            }
            "text" => {
                let text = self.raw();
                // Spaces at the ends are not drawn otherwise.
                self.tagged("mtext", &text.replace(' ', "\u{a0}"));
            }
            "mathbf" | "boldsymbol" => {
                self.out.push_str("<mrow style=\"font-weight:bold\">");
                self.argument();
                self.out.push_str("</mrow>");
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
        let length = match first {
            '0'..='9' => {
                let is_part = |sign: &u8| sign.is_ascii_digit() || *sign == b'.';
                self.rest.bytes().position(|sign| !is_part(&sign)).unwrap_or(self.rest.len())
            }
            _ => first.len_utf8(),
        };
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        match first {
            '0'..='9' => self.tagged("mn", text),
            _ if first.is_alphabetic() => self.tagged("mi", text),
            '-' => self.operator("−"),
            _ => self.operator(text),
        }
    }

    /// An operator. The form of a sign does not follow from its place among the elements of a line that may break.
    fn operator(&mut self, sign: &str) {
        let is_sign = matches!(sign, "+" | "−");
        if is_sign && self.is_operand && self.depth == 0 {
            self.out.push_str(CLOSE);
            self.out.push_str("<wbr>");
            self.out.push_str(OPEN);
        }
        self.out.push_str(match sign {
            "+" | "−" if self.is_operand => "<mo form=\"infix\">",
            "+" | "−" => "<mo form=\"prefix\">",
            // Their sizes are those of the letters beside them.
            "(" | ")" | "|" | "[" | "]" => "<mo stretchy=\"false\">",
            _ => "<mo>",
        });
        escape(sign, &mut self.out);
        self.out.push_str("</mo>");
        self.is_operand = matches!(sign, ")" | "]" | "|" | "!" | "…" | "∞");
    }

    /// A stretched pair of brackets.
    fn brackets(&mut self) {
        let start = self.out.len();
        let open = self.bracket();
        self.inner();
        if self.command() == Some("right") {
            self.rest = &self.rest["\\right".len()..];
        }
        let close = self.bracket();
        // Without a font for mathematics, browsers stretch them too far.
        let inside = &self.out[start..];
        let tall = ["<mfrac", "<mtable", "<msqrt", "<munder"].iter().any(|tag| inside.contains(tag));
        let tag = if tall { "<mo>" } else { "<mo stretchy=\"false\">" };
        let mut before = String::from("<mrow>");
        let bracket = |sign: &str, out: &mut String| {
            if sign != "." {
                out.push_str(tag);
                escape(sign, out);
                out.push_str("</mo>");
            }
        };
        bracket(open, &mut before);
        self.out.insert_str(start, &before);
        bracket(close, &mut self.out);
        self.out.push_str("</mrow>");
    }

    /// The sign of a bracket behind `\left` and `\right`.
    fn bracket(&mut self) -> &'a str {
        if let Some(command) = self.command() {
            self.rest = &self.rest[1 + command.len()..];
            return operator_of(command).unwrap_or(command);
        }
        self.rest = self.rest.strip_prefix('\\').unwrap_or(self.rest);
        let length = self.rest.chars().next().map_or(0, char::len_utf8);
        let (sign, rest) = self.rest.split_at(length);
        self.rest = rest;
        sign
    }

    /// `cases` behind a brace, and any other environment, such as `pmatrix`, in round brackets.
    fn table(&mut self) {
        let is_cases = self.raw() == "cases";
        self.out.push_str(match is_cases {
            true => "<mrow><mo>{</mo><mtable style=\"text-align:left\"><mtr><mtd>",
            false => "<mrow><mo>(</mo><mtable><mtr><mtd>",
        });
        loop {
            self.inner();
            if self.eaten("&") {
                self.out.push_str("</mtd><mtd>");
            } else if self.eaten("\\\\") {
                self.out.push_str("</mtd></mtr><mtr><mtd>");
            } else {
                break;
            }
        }
        if self.eaten("\\end") {
            self.raw();
        }
        self.out.push_str("</mtd></mtr></mtable>");
        self.out.push_str(if is_cases { "</mrow>" } else { "<mo>)</mo></mrow>" });
    }

    /// The row that follows, inside of something. Returns the number of its elements.
    fn inner(&mut self) -> usize {
        self.depth += 1;
        self.is_too_deep |= self.depth > DEEPEST;
        self.is_operand = false;
        let elements = self.row();
        self.depth -= 1;
        elements
    }

    /// The argument of a command or a script, as one element: a group, or a single thing.
    fn argument(&mut self) {
        self.rest = self.rest.trim_start();
        let start = self.out.len();
        let elements = if self.eaten("{") {
            let elements = self.inner();
            _ = self.eaten("}");
            elements
        } else {
            self.depth += 1;
            self.is_too_deep |= self.depth > DEEPEST;
            let is_there = !self.is_too_deep && !self.rest.is_empty();
            if is_there {
                self.atom();
            }
            self.depth -= 1;
            usize::from(is_there)
        };
        if elements != 1 {
            self.out.insert_str(start, "<mrow>");
            self.out.push_str("</mrow>");
        }
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
        self.out.push_str("<mspace width=\"");
        self.out.push_str(width);
        self.out.push_str("\"></mspace>");
    }

    /// An operand.
    fn tagged(&mut self, tag: &str, text: &str) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        escape(text, &mut self.out);
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
        self.is_operand = true;
    }

    /// Takes this text from the rest, if it stands there.
    fn eaten(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

/// Writes a text whose characters do not count as HTML.
fn escape(text: &str, out: &mut String) {
    if !text.bytes().any(|sign| matches!(sign, b'&' | b'<' | b'>')) {
        out.push_str(text);
        return;
    }
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            other => out.push(other),
        }
    }
}

//! "Did you mean": the known name nearest to an unknown one.

use std::fmt;

/// Says that no `kind` has the name, with the nearest known one and the list of all.
pub(crate) fn explain_unknown(kind: &str, unknown: &str, known: &[String]) -> String {
    struct Sentence<'a>(&'a str, &'a [String]);
    impl fmt::Display for Sentence<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            explain(f, self.0, self.1)
        }
    }
    format!("no {kind} `{unknown}`{}", Sentence(unknown, known))
}

/// Writes `; did you mean …?` where a known name is near, and the list of what is known.
pub(crate) fn explain(f: &mut fmt::Formatter<'_>, unknown: &str, known: &[String]) -> fmt::Result {
    if let Some(name) = nearest(unknown, known) {
        write!(f, "; did you mean `{name}`?")?;
    }
    if known.is_empty() {
        return write!(f, " (there is none)");
    }
    let list: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    write!(f, " (known: {})", list.join(", "))
}

/// The known name at the smallest edit distance, if at most a third of it is wrong.
pub(crate) fn nearest<'a>(unknown: &str, known: &'a [String]) -> Option<&'a str> {
    let allowed = (unknown.chars().count() / 3).max(1);
    known
        .iter()
        .map(|name| (distance(unknown, name), name.as_str()))
        .filter(|(distance, name)| *distance <= allowed && *distance < name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Edit distance in which a transposition of neighbours counts once; a change of case alone counts nothing.
fn distance(left: &str, right: &str) -> usize {
    strsim::osa_distance(&left.to_lowercase(), &right.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_recognised_and_other_names_are_not() {
        let known = ["theta1", "theta2", "mu", "g"].map(String::from);
        assert_eq!(nearest("thta1", &known), Some("theta1"));
        assert_eq!(nearest("tehta1", &known), Some("theta1"));
        assert_eq!(nearest("um", &known), Some("mu"));
        assert_eq!(nearest("Theta2", &known), Some("theta2"));
        assert_eq!(nearest("length", &known), None);
        assert_eq!(nearest("k", &known), None);
    }
}

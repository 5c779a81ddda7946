//! "Did you mean": the known name nearest to an unknown one.

/// ` did you mean …?` for the nearest candidate, or nothing where none is near enough to be a slip.
pub(crate) fn did_you_mean<'a>(unknown: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(unknown, candidates) {
        Some(name) => format!("did you mean `{name}`?"),
        None => String::new(),
    }
}

/// The candidate at the smallest edit distance, provided that at most a third of the unknown name is wrong. Of equally
/// near candidates it is the first.
pub fn nearest<'a>(unknown: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (unknown.chars().count() / 3).max(1);
    // Names that differ in case alone have distance 0. Other candidates of one letter are never near to an unknown name
    // of one letter.
    let is_long = |name: &str| name.chars().count() > 1;
    candidates
        .into_iter()
        .map(|candidate| (distance(unknown, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance == 0 || (*distance <= allowed && (is_long(candidate) || is_long(unknown)))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The edit distance of two names, in which an exchange of neighbouring characters counts once and a change of case
/// counts nothing.
fn distance(left: &str, right: &str) -> usize {
    strsim::osa_distance(&left.to_lowercase(), &right.to_lowercase())
}

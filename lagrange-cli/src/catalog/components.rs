//! The names of the components of a mechanism's states and outputs.

/// The names of the coordinates, the velocities and the states of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Components<'a> {
    coordinates: &'a [&'a str],
    states: &'a [&'a str],
}

impl<'a> Components<'a> {
    /// Splits `names`, the last `states` of which belong to states.
    pub fn split(names: &'a [&'a str], states: usize) -> Self {
        let (coordinates, states) = names.split_at(names.len().saturating_sub(states));
        Self { coordinates, states }
    }

    /// Returns the names of the coordinates, without the hidden ones of the states.
    pub fn coordinates(self) -> &'a [&'a str] {
        self.coordinates
    }

    /// Returns the names of the states.
    pub fn states(self) -> &'a [&'a str] {
        self.states
    }

    /// Returns the names of all entries of v: `x_dot` for the velocity of `x`, and then the states.
    pub fn velocities(self) -> impl Iterator<Item = String> + use<'a> {
        let rates = self.coordinates.iter().map(|name| format!("{name}_dot"));
        rates.chain(self.states.iter().map(|name| (*name).to_owned()))
    }

    /// Returns the index of `name`, and 0 if it names a coordinate or 1 if it names a velocity or a
    /// state. Returns `None` for any other name.
    pub fn find(self, name: &str) -> Option<(usize, usize)> {
        let index_of = |wanted: &str| self.coordinates.iter().position(|coordinate| *coordinate == wanted);
        let rate =
            name.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')')).or_else(|| name.strip_suffix("_dot"));
        let state = || self.states.iter().position(|state| *state == name);
        let position = index_of(name).map(|index| (index, 0));
        let position = position.or_else(|| state().map(|index| (self.coordinates.len() + index, 1)));
        position.or_else(|| Some((index_of(rate?.trim())?, 1)))
    }
}

/// The name of the output that a component belongs to: `tip` for `tip[0]`, and `link[1].tip` for `link[1].tip[0]`.
pub(crate) fn stem(name: &str) -> &str {
    let own = name.rfind('.').map_or(0, |point| point + 1);
    name[own..].find('[').map_or(name, |bracket| &name[..own + bracket])
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn components_belong_to_their_output() {
        for (name, output) in [
            ("tip", "tip"),
            ("tip[0]", "tip"),
            ("r[1][2]", "r"),
            ("link[1].tip", "link[1].tip"),
            ("link[1].tip[0]", "link[1].tip"),
        ] {
            assert_eq!(stem(name), output);
        }
    }
}

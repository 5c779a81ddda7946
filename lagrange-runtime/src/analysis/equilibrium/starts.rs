//! The starts of a search for an equilibrium that tries several.

use super::{AnalysisError, Equilibrium, EquilibriumSearch};
use crate::system::Linearise;
use nalgebra::SVector;

/// The number of starts.
const STARTS: u32 = 24;

impl<const N: usize, const U: usize> EquilibriumSearch<N, U> {
    /// The equilibrium that the iteration reaches from the guess or, if it reaches none, from one of 23 other starts. Newton's method
    /// fails at some guesses, such as a pendulum in Cartesian coordinates that is horizontal, and runs away from others.
    ///
    /// A coordinate with a nominal range, `coordinates x: m in 0.5..2;`, starts anywhere in it. The others start around the guess, ever farther
    /// from it: up to the largest magnitude of the guess among these coordinates, or up to 1 in their units if that is less. So state a range for
    /// what is small. Fixed coordinates stay at the guess. Equal searches try equal starts.
    ///
    /// ```
    /// use lagrange_runtime::analysis::EquilibriumSearch;
    /// use lagrange_runtime::prelude::*;
    ///
    /// // The forces between two atoms vanish at a distance, and at infinity.
    /// #[lagrangian {
    ///     coordinates r: um in 0.5e-3..2e-3;
    ///     kinetic = m*dot(r)^2/2;
    ///     potential = depth*((r0/r)^12 - 2*(r0/r)^6);
    /// }]
    /// struct Atoms {
    ///     m: f64,
    ///     depth: f64,
    ///     r0: f64,
    /// }
    ///
    /// let system = Atoms { m: 1.0, depth: 1e-9, r0: 1e-3 }.prepare::<f64>()?;
    /// let search = EquilibriumSearch::new([4e-3], []);
    /// assert!(search.find(&system).is_err());
    /// assert!((search.find_from_several(&system)?.state.q[0] - 1e-3).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`EquilibriumSearch::find`] at the guess, if no start leads to an equilibrium.
    pub fn find_from_several<const C: usize>(
        &self,
        system: &(impl Linearise<f64, N, C, U> + ?Sized),
    ) -> Result<Equilibrium<N, C, U>, AnalysisError> {
        let from = |q: SVector<f64, N>| Self { q, ..self.clone() }.find(system);
        let ranges = system.nominal_ranges();
        let range = |index: usize| ranges.get(index).copied().flatten();
        let size = (0..N).filter(|index| range(*index).is_none()).fold(0.0_f64, |size, i| size.max(self.q[i].abs()));
        let size = size.max(1.0);
        let start = |attempt: u32| {
            let reach = 2.0 * size * f64::from(attempt) / f64::from(STARTS);
            SVector::from_fn(|index, _| {
                // Multiples of an irrational number spread the coordinates evenly and differ between them.
                let part = (f64::from(attempt) * 0.754_877_666_246_693 * (index as f64 + 1.0)).fract();
                match range(index) {
                    _ if self.fixed[index] => self.q[index],
                    Some([low, high]) => low * (1.0 - part) + high * part,
                    None => self.q[index] + reach * (part - 0.5),
                }
            })
        };
        from(self.q).or_else(|error| (1..STARTS).find_map(|attempt| from(start(attempt)).ok()).ok_or(error))
    }
}

//! A solution as named columns.

use super::Solution;
use crate::system::System;
use core::fmt;
use nalgebra::SVector;
use std::format;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

/// Columns of equal length with names: t, the coordinates, the velocities, the energies, the outputs, the multipliers and the inputs of a
/// solution, for files and plots. [`Solution::table`] makes it.
///
/// It is displayed as CSV: a line of names, then one line a row. Every number is written in the fewest digits that give the same
/// number when they are read.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name of each column.
    pub names: Vec<String>,
    /// The values of each column.
    pub columns: Vec<Vec<f64>>,
}

impl Table {
    /// Returns the column of this name. `dot(x)`, as blocks write the velocity of `x`, is another name of the column `x_dot`.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let place = |name: &str| self.names.iter().position(|known| known == name);
        let rate = || name.strip_prefix("dot(")?.strip_suffix(')').and_then(|of| place(&format!("{}_dot", of.trim())));
        self.columns.get(place(name).or_else(rate)?).map(Vec::as_slice)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.names.join(","))?;
        for row in 0..self.columns.first().map_or(0, Vec::len) {
            for (index, column) in self.columns.iter().enumerate() {
                let separator = if index == 0 { "" } else { "," };
                let value = column.get(row).copied().unwrap_or(f64::NAN);
                match value.abs() {
                    size if size == 0.0 || (1e-4..1e15).contains(&size) => write!(f, "{separator}{value}")?,
                    _ => write!(f, "{separator}{value:e}")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl<const N: usize, const U: usize> Solution<f64, N, U> {
    /// Returns the solution as named columns, one row for each stored state.
    ///
    /// The columns are `t`; each coordinate `x` and then each velocity `x_dot`; each state `z`; `kinetic` and `potential` if the block states
    /// them, and `energy`; the components of the outputs; `multiplier(c)` for each constraint `c`; and each input. The energies, outputs and
    /// multipliers of a row are those under its inputs. A multiplier that is not determined, because constraints are redundant, is NaN.
    /// Units are those of the mechanism's own quantities.
    ///
    /// ```
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates x;
    ///     kinetic = m*dot(x)^2/2;
    ///     potential = k*x^2/2;
    ///     output stretch = x;
    /// }]
    /// struct Oscillator {
    ///     m: f64,
    ///     k: f64,
    /// }
    ///
    /// let system = Oscillator { m: 1.0, k: 4.0 }.prepare::<f64>()?;
    /// let solution = solve(&system, State::new(0.0, [0.5], [0.0]), 1.0, &Rk4::new(0.5), &Options::default())?;
    /// let table = solution.table(&system);
    /// assert_eq!(table.names, ["t", "x", "x_dot", "kinetic", "potential", "energy", "stretch"]);
    /// assert_eq!(table.column("t"), Some(&[0.0, 0.5, 1.0][..]));
    /// assert!(table.column("x_dot").is_some() && table.column("x_dot") == table.column("dot(x)"));
    /// assert!(table.to_string().starts_with("t,x,x_dot,kinetic,potential,energy,stretch\n0,0.5,0,0,0.5,0.5,0.5\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn table<const C: usize>(&self, system: &(impl System<f64, N, C, U> + ?Sized)) -> Table {
        let mut sensed = vec![0.0; system.output_names().len()];
        let mut rows = Vec::with_capacity(self.len());
        let mut stated = [false; 2];
        let own = N.saturating_sub(system.state_count());
        for (state, u) in self.states().zip(&self.u) {
            let (t, q, v) = (state.t, &state.q, &state.v);
            let energies = system.energies(t, q, v, u);
            stated = [energies.kinetic.is_some(), energies.potential.is_some()];
            system.outputs(t, q, v, u, &mut sensed);
            let mut row = vec![t];
            row.extend(q.iter().take(own).chain(v.iter()));
            row.extend(energies.kinetic.into_iter().chain(energies.potential));
            row.push(energies.energy);
            row.extend(&sensed);
            if const { C > 0 } {
                let found = system.acceleration(t, q, v, u);
                let found = found.map_or(SVector::repeat(f64::NAN), |found| found.multipliers);
                row.extend(found.iter());
            }
            row.extend(u.iter());
            rows.push(row);
        }
        let coordinates = system.coordinates();
        let mut names = vec!["t".to_string()];
        names.extend(coordinates.iter().take(own).map(ToString::to_string));
        names.extend(coordinates.iter().take(own).map(|name| format!("{name}_dot")));
        names.extend(coordinates.iter().skip(own).map(ToString::to_string));
        let energies = ["kinetic", "potential"].iter().zip(stated).filter(|(_, stated)| *stated);
        names.extend(energies.map(|(name, _)| name.to_string()));
        names.push("energy".to_string());
        names.extend(system.output_names().iter().map(ToString::to_string));
        names.extend(system.constraints().iter().map(|name| format!("multiplier({name})")));
        // A system written by hand may leave its inputs without names.
        let inputs = (0..U).map(|k| system.input_names().get(k).map_or(format!("input[{k}]"), ToString::to_string));
        names.extend(inputs);
        let columns = (0..names.len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect();
        Table { names, columns }
    }
}

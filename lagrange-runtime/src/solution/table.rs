//! A solution as named columns.

use super::Solution;
use crate::system::{System, Units};
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
/// number when they are read. `{:#}` writes the units into the line of names: `theta [rad]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name of each column.
    pub names: Vec<String>,
    /// The unit of each column, such as `m/s`. It is empty where it is not known, and for all columns of a system that states no units.
    pub units: Vec<String>,
    /// The values of each column.
    pub columns: Vec<Vec<f64>>,
}

impl Table {
    /// Returns the names of the columns with their units: `theta [rad]`, or `theta` where the unit is not known. Names with units are for
    /// people and for programs that ask for them; a program that reads columns by their plain names does not find these.
    pub fn heads(&self) -> Vec<String> {
        let units = self.units.iter().map(String::as_str).chain(core::iter::repeat(""));
        let head =
            |(name, unit): (&String, &str)| if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") };
        self.names.iter().zip(units).map(head).collect()
    }

    /// Returns the column of this name. `dot(x)`, as blocks write the velocity of `x`, is another name of the column `x_dot`.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let place = |name: &str| self.names.iter().position(|known| known == name);
        let rate = || name.strip_prefix("dot(")?.strip_suffix(')').and_then(|of| place(&format!("{}_dot", of.trim())));
        self.columns.get(place(name).or_else(rate)?).map(Vec::as_slice)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            writeln!(f, "{}", self.heads().join(","))?;
        } else {
            writeln!(f, "{}", self.names.join(","))?;
        }
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
    /// The mechanism's block states the units of the columns, or they follow from stated units.
    ///
    /// ```
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates x: m;
    ///     kinetic = m*dot(x)^2/2;
    ///     potential = k*x^2/2;
    ///     output stretch = x;
    /// }]
    /// struct Oscillator {
    ///     #[unit(kg)]
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
    /// assert_eq!(table.units, ["s", "m", "m/s", "J", "J", "J", "m"]);
    /// assert!(format!("{table:#}").starts_with("t [s],x [m],x_dot [m/s],kinetic [J],potential [J],energy [J],stretch [m]\n"));
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
        let counts = [own, system.state_count(), system.output_names().len(), system.constraints().len(), U];
        let units = units(system.units(), stated, counts);
        let columns = (0..names.len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect();
        Table { names, units, columns }
    }
}

/// The units of the columns of a table, empty where they are not known. `stated` says whether there are kinetic and potential energies, and
/// `counts` how many coordinates, states, outputs, constraints and inputs there are.
fn units(known: &Units, stated: [bool; 2], counts: [usize; 5]) -> Vec<String> {
    let [own, states, outputs, constraints, inputs] = counts;
    let energies = 1 + stated.iter().filter(|stated| **stated).count();
    let of_inputs = known.fields.len().saturating_sub(inputs);
    let groups = [
        (&[known.time][..], 0, 1),
        (known.coordinates, 0, own),
        (known.velocities, 0, own),
        (known.coordinates, own, states),
        (&[known.energy; 3], 0, energies),
        (known.outputs, 0, outputs),
        (known.multipliers, 0, constraints),
        (known.fields, of_inputs, inputs),
    ];
    let all =
        groups.into_iter().flat_map(|(units, from, count)| (from..from + count).map(move |index| units.get(index)));
    all.map(|unit| unit.copied().unwrap_or_default().to_string()).collect()
}

//! The equations as other programs take them.

use lagrange_runtime::prelude::*;

/// m y' = f(t, y), with a diagonal m.
pub(crate) trait Equations {
    /// The size of y.
    fn size(&self) -> usize;
    /// Writes f.
    fn rates(&self, t: f64, y: &[f64], rates: &mut [f64]);
    /// Writes ∂f/∂y, column by column.
    fn jacobian(&self, t: f64, y: &[f64], columns: &mut [f64]);
    /// m, if it is not the identity.
    fn mass(&self) -> Option<Vec<f64>> {
        None
    }
}

/// A mechanism as equations of first order: y has the coordinates that are not hidden, then the velocities and the states. Constraints are in the accelerations
/// only, so that an integration may drift away from them. The rates and their derivatives are the derived ones.
pub(crate) struct FirstOrder<'a, S, const N: usize, const C: usize> {
    system: &'a S,
    /// The number of coordinates that are not hidden.
    moving: usize,
}

impl<'a, S: Linearise<f64, N, C, 0>, const N: usize, const C: usize> FirstOrder<'a, S, N, C> {
    pub(crate) fn new(system: &'a S) -> Self {
        Self { system, moving: N - system.state_count() }
    }

    pub(crate) fn numbers(&self, state: &State<f64, N>) -> Vec<f64> {
        state.q.iter().take(self.moving).chain(&state.v).copied().collect()
    }

    pub(crate) fn state(&self, t: f64, y: &[f64]) -> State<f64, N> {
        let q = SVector::from_fn(|i, _| if i < self.moving { y[i] } else { 0.0 });
        State { t, q, v: SVector::from_fn(|i, _| y[self.moving + i]) }
    }
}

impl<S: Linearise<f64, N, C, 0>, const N: usize, const C: usize> Equations for FirstOrder<'_, S, N, C> {
    fn size(&self) -> usize {
        self.moving + N
    }

    fn rates(&self, t: f64, y: &[f64], rates: &mut [f64]) {
        let State { q, v, .. } = self.state(t, y);
        rates[..self.moving].copy_from_slice(&y[self.moving..2 * self.moving]);
        match self.system.acceleration(t, &q, &v, &SVector::from([])) {
            Ok(found) => rates[self.moving..].copy_from_slice(found.acceleration.as_slice()),
            Err(_) => rates[self.moving..].fill(f64::NAN),
        }
    }

    fn jacobian(&self, t: f64, y: &[f64], columns: &mut [f64]) {
        let State { q, v, .. } = self.state(t, y);
        columns.fill(0.0);
        let (size, moving) = (self.size(), self.moving);
        let Ok(found) = self.system.acceleration_jacobian(t, &q, &v, &SVector::from([])) else {
            columns.fill(f64::NAN);
            return;
        };
        for j in 0..moving {
            columns[(moving + j) * size + j] = 1.0;
            columns[j * size + moving..(j + 1) * size].copy_from_slice(found.acceleration_q.column(j).as_slice());
        }
        for j in 0..N {
            let start = (moving + j) * size;
            columns[start + moving..start + size].copy_from_slice(found.acceleration_v.column(j).as_slice());
        }
    }
}

/// The transistor amplifier as equations with an algebraic part, whose mass is diagonal: the voltages y1 − y2, y3, y4 − y5, y6, y7 − y8, y2, y5, y8.
pub(crate) struct Amplifier;

impl Amplifier {
    pub(crate) const START: [f64; 8] = [-3.0, 3.0, 3.0, 3.0, 6.0, 3.0, 3.0, 0.0];

    fn diodes(y: &[f64]) -> [f64; 2] {
        [((y[5] - y[1]) / 0.026).exp(), ((y[6] - y[3]) / 0.026).exp()]
    }
}

impl Equations for Amplifier {
    fn size(&self) -> usize {
        8
    }

    fn rates(&self, t: f64, y: &[f64], rates: &mut [f64]) {
        let source = 0.1 * (200.0 * std::f64::consts::PI * t).sin();
        let [first, second] = Self::diodes(y).map(|power| 1e-6 * (power - 1.0));
        let [y1, y4, y7] = [y[0] + y[5], y[2] + y[6], y[4] + y[7]];
        let r = 9000.0;
        rates[0] = -(y1 - source) / 1000.0;
        rates[1] = first - y[1] / r;
        rates[2] = (6.0 - y4) / r - 0.99 * first;
        rates[3] = second - y[3] / r;
        rates[4] = (6.0 - y7) / r - 0.99 * second;
        rates[5] = rates[0] - (2.0 * y[5] - 6.0) / r - 0.01 * first;
        rates[6] = rates[2] - (2.0 * y[6] - 6.0) / r - 0.01 * second;
        rates[7] = rates[4] - y[7] / r;
    }

    fn jacobian(&self, _: f64, y: &[f64], columns: &mut [f64]) {
        let [first, second] = Self::diodes(y).map(|power| 1e-6 * power / 0.026);
        let r = 1.0 / 9000.0;
        columns.fill(0.0);
        let mut add = |row: usize, column: usize, entry: f64| columns[column * 8 + row] += entry;
        for column in [0, 5] {
            add(0, column, -1e-3);
            add(5, column, -1e-3);
        }
        add(1, 1, -first - r);
        add(1, 5, first);
        for column in [2, 6] {
            add(2, column, -r);
            add(6, column, -r);
        }
        for row in [2, 6] {
            add(row, 5, -0.99 * first);
            add(row, 1, 0.99 * first);
        }
        add(3, 3, -second - r);
        add(3, 6, second);
        for column in [4, 7] {
            add(4, column, -r);
            add(7, column, -r);
        }
        for row in [4, 7] {
            add(row, 6, -0.99 * second);
            add(row, 3, 0.99 * second);
        }
        add(5, 5, -2.0 * r - 0.01 * first);
        add(5, 1, 0.01 * first);
        add(6, 6, -2.0 * r - 0.01 * second);
        add(6, 3, 0.01 * second);
        add(7, 7, -r);
    }

    fn mass(&self) -> Option<Vec<f64>> {
        Some(vec![1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 0.0, 0.0, 0.0])
    }
}

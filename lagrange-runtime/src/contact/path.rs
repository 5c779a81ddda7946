//! The phases of many rows, found along a path.
//!
//! All combinations of the phases of n rows are up to 3ⁿ. Beyond the number that is tried one by one, the phases are found by Lemke's method, without
//! a tableau: c + z d stands in place of c, with a d > 0. For a large z every contact is open and every friction slips forward, and these phases obey
//! the laws. From there z falls. In given phases the forces f and the motions w of the rows are linear in z. Where a row comes to the end of its
//! phase, this row alone changes its phase, and the path goes on from the same forces in the direction in which the row obeys the law of its new
//! phase: with a smaller z, or for a while with a larger one. At z = 0 the phases obey the laws of the problem itself.
//!
//! The phases of a contact with a slip are sectors of a plane: closed and sticking where |f| < μ N, slipping forward or backward, and open. The path crosses
//! from a sector into its neighbour, and it does not meet itself, so that it ends. Without friction there is one solution, and the path leads to it. With friction the path
//! leads to a solution from every d if bodies at rest do not jam each other, because fᵀD f ≥ 0. Where it goes to z = ∞ instead, another d is
//! tried.
//!
//! Rows are divided by the roots of their own compliances, and ε is added to the diagonal of D. So the forces of rows that depend on each other are
//! those of least Σ Dₖₖ fₖ², up to ε, and no matrix on the path is singular. Two rows do not end their phases at one z, because the entries of
//! d differ. The phases are a proposal: they are accepted if the forces that the equations without ε give in these phases obey the laws.
//!
//! Where rows are at rest, the forces that hold them are those of a convex problem, least Σ Dₖₖ fₖ² within the laws. Its own law lets a contact that slips
//! open at μ times its slip, which makes the matrix of each phase symmetric, and z falls in every step of the path ([`Problem::dilates`]).
//!
//! Source: C. E. Lemke, *Bimatrix equilibrium points and mathematical programming*, Manag. Sci. 11, 1965; B. C. Eaves, *The linear complementarity
//! problem*, Manag. Sci. 17, 1971; D. E. Stewart, J. C. Trinkle, *An implicit time-stepping scheme for rigid body dynamics with inelastic collisions and
//! Coulomb friction*, Int. J. Numer. Methods Eng. 39, 1996 (the matrix of contacts with friction is copositive).

/// The most changes of a phase on a path, for each row. A path of n rows has about 2n changes.
const CHANGES: usize = 40;

/// A rate of a condition counts as 0 below this part of the largest rate of a force or of a motion: some thousand roundings of it.
const LEVEL: f64 = 1e-12;

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// It has no force.
    Off,
    /// Its force keeps its motion 0, with any sign.
    Held,
    /// A gap, 0 ≤ f ⊥ w ≥ 0.
    Gap,
    /// The slip of the contact in a row, with its coefficient of friction.
    Slip {
        /// The row of the contact.
        contact: usize,
        /// μ.
        friction: f64,
    },
    /// The slip of a contact in a known direction: its force is a multiple of that of the contact.
    Drag {
        /// The row of the contact.
        contact: usize,
        /// The multiple, −μ or μ.
        factor: f64,
    },
    /// A friction with a bound of its own.
    Friction {
        /// The bound.
        bound: f64,
    },
}

/// The phase of a row: it sticks, or is closed; it slips forward, or is open; or it slips backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Sticks,
    Forward,
    Backward,
}

impl Phase {
    fn direction(self) -> f64 {
        match self {
            Self::Sticks => 0.0,
            Self::Forward => 1.0,
            Self::Backward => -1.0,
        }
    }
}

type Numbers<const W: usize> = [f64; W];

/// The laws of fewer than `W` rows with the motions w = c + D f. In each row, c is divided and f is multiplied by the root of the row's own compliance.
pub(super) struct Problem<const W: usize> {
    pub(super) count: usize,
    pub(super) kinds: [Kind; W],
    /// c.
    pub(super) free: Numbers<W>,
    /// D, with 1 on the diagonal.
    pub(super) compliance: [Numbers<W>; W],
    /// ε, relative to the diagonal of D, which is 1. The root of the machine's ε is as far from the rounding of D as from D.
    pub(super) softness: f64,
    /// Whether a contact that slips opens at the rate μ |w| of its slip, in place of 0. Then the forces are the least ones within the laws, and where bodies can
    /// be at rest, they are: without motions both laws are the same.
    pub(super) dilates: bool,
}

/// A number of the path as a function of z: its value at 0, and its rate.
type Line = (f64, f64);

/// What must stay at least 0 in a phase, and the phase that follows where it does not.
struct Condition {
    row: usize,
    next: Phase,
    slack: Line,
}

/// The path at its present phases.
struct Path<'a, const W: usize> {
    problem: &'a Problem<W>,
    /// d.
    cover: Numbers<W>,
    phases: [Phase; W],
    forces: [Line; W],
    motions: [Line; W],
    /// The largest rate of a force and of a motion.
    rates: (f64, f64),
}

impl<const W: usize> Problem<W> {
    /// The phases at the end of the path with the cover of this number, or `None` where the path does not end at z = 0.
    pub(super) fn phases(&self, cover: usize) -> Option<[Phase; W]> {
        // Entries between 1 and 2, no two of them alike: multiples of the golden ratio, and of another number for another cover.
        let part = |row: usize| (row as f64 * 0.618_033_988_749_895 + cover as f64 * 0.754_877_666_246_693) % 1.0;
        let cover = core::array::from_fn(|row| match self.kinds[row] {
            Kind::Off | Kind::Held | Kind::Drag { .. } => 0.0,
            // Beyond every opening by a slip.
            Kind::Slip { friction, .. } if self.dilates => (1.0 + part(row + 1)) / (4.0 + 4.0 * friction),
            _ => 1.0 + part(row + 1),
        });
        let mut path = Path {
            problem: self,
            cover,
            phases: [Phase::Forward; W],
            forces: [(0.0, 0.0); W],
            motions: [(0.0, 0.0); W],
            rates: (0.0, 0.0),
        };
        for (phase, kind) in path.phases.iter_mut().zip(self.kinds) {
            if kind == Kind::Held {
                *phase = Phase::Sticks;
            }
        }
        path.follow().then_some(path.phases)
    }

    fn rows(&self) -> core::ops::Range<usize> {
        0..self.count
    }

    /// The entry of D with ε.
    fn entry(&self, k: usize, l: usize) -> f64 {
        self.compliance[k][l] + if k == l { self.softness } else { 0.0 }
    }
}

impl<const W: usize> Path<'_, W> {
    /// Follows the path to z = 0. Returns whether it gets there.
    fn follow(&mut self) -> bool {
        if !self.solve() {
            return false;
        }
        // From z = ∞, the first phase to end is the one with the largest z.
        let (mut z, mut towards) = (f64::INFINITY, -1.0);
        for _ in 0..CHANGES * self.problem.count {
            let Some((end, row, next)) = self.next_end(z, towards) else {
                return towards < 0.0;
            };
            if towards < 0.0 && end <= 0.0 {
                return true;
            }
            z = end;
            let before = self.phases[row];
            self.phases[row] = next;
            self.turn_slips(row, z);
            if !self.solve() {
                return false;
            }
            let Some(rate) = self.entered(row, before) else { return false };
            towards = rate.signum();
        }
        false
    }

    /// The z at which the first phase ends in the direction `towards`, the row, and its next phase.
    fn next_end(&self, z: f64, towards: f64) -> Option<(f64, usize, Phase)> {
        let mut first: Option<(f64, usize, Phase)> = None;
        self.each_condition(&mut |Condition { row, next, slack: (value, rate) }, scale| {
            if rate * towards >= -LEVEL * scale {
                return;
            }
            // Rounding may have led past the end of a phase.
            let own = -value / rate;
            let own = if (own - z) * towards < 0.0 { z } else { own };
            if first.is_none_or(|(end, ..)| (own - end) * towards < 0.0) {
                first = Some((own, row, next));
            }
        });
        first
    }

    /// Calls `visit` with each condition of the present phases, and with the size to which the rate of the condition is compared.
    fn each_condition(&self, visit: &mut dyn FnMut(Condition, f64)) {
        let (of_forces, of_motions) = self.rates;
        for row in self.problem.rows() {
            let (force, motion) = (self.forces[row], self.motions[row]);
            let mut met = |next: Phase, slack: Line, scale: f64| visit(Condition { row, next, slack }, scale);
            match (self.problem.kinds[row], self.phases[row]) {
                (Kind::Off | Kind::Held | Kind::Drag { .. }, _) => {}
                (Kind::Gap, Phase::Sticks) => met(Phase::Forward, force, of_forces),
                (Kind::Gap, _) => {
                    met(Phase::Sticks, motion, of_motions);
                    for slip in self.openings(row) {
                        for way in [-1.0, 1.0] {
                            met(Phase::Sticks, self.beyond(row, slip, way), of_motions);
                        }
                    }
                }
                (Kind::Slip { contact, .. }, _) if self.phases[contact] != Phase::Sticks => {}
                (Kind::Slip { .. } | Kind::Friction { .. }, Phase::Sticks) => {
                    let bound = self.bound(row);
                    met(Phase::Forward, (bound.0 + force.0, bound.1 + force.1), of_forces);
                    met(Phase::Backward, (bound.0 - force.0, bound.1 - force.1), of_forces);
                }
                (Kind::Slip { .. } | Kind::Friction { .. }, slips) => {
                    let way = slips.direction();
                    met(Phase::Sticks, (way * motion.0, way * motion.1), of_motions);
                }
            }
        }
    }

    /// The slips whose motion opens a contact at a rate of its own, with their coefficients of friction.
    fn openings(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        self.problem.rows().filter_map(move |k| match self.problem.kinds[k] {
            Kind::Slip { contact, friction } if self.problem.dilates && contact == row => Some((k, friction)),
            _ => None,
        })
    }

    /// The motion of a contact beyond that at which its slip opens it.
    fn beyond(&self, row: usize, (slip, friction): (usize, f64), way: f64) -> Line {
        let ((own, own_rate), (motion, rate)) = (self.motions[row], self.motions[slip]);
        (own - way * friction * motion, own_rate - way * friction * rate)
    }

    /// The bound of a friction.
    fn bound(&self, row: usize) -> Line {
        match self.problem.kinds[row] {
            Kind::Slip { contact, friction } => (friction * self.forces[contact].0, friction * self.forces[contact].1),
            Kind::Friction { bound } => (bound, 0.0),
            _ => (0.0, 0.0),
        }
    }

    /// The rate, along z, of what a row must increase in the phase that it has entered; `None` if it is 0.
    fn entered(&self, row: usize, before: Phase) -> Option<f64> {
        let (of_forces, of_motions) = self.rates;
        let (rate, scale) = match (self.problem.kinds[row], self.phases[row]) {
            (Kind::Gap, Phase::Sticks) => (self.forces[row].1, of_forces),
            (_, Phase::Sticks) => (self.bound(row).1 + before.direction() * self.forces[row].1, of_forces),
            (Kind::Gap, _) => {
                let least = |least: f64, slip: (usize, f64)| {
                    least.min(self.beyond(row, slip, self.phases[slip.0].direction()).1)
                };
                (self.openings(row).fold(self.motions[row].1, least), of_motions)
            }
            (_, slips) => (slips.direction() * self.motions[row].1, of_motions),
        };
        (rate.abs() > LEVEL * scale).then_some(rate)
    }

    /// Lets the slips of a contact that closes at z slip as they do there.
    fn turn_slips(&mut self, row: usize, z: f64) {
        if self.problem.kinds[row] != Kind::Gap || self.phases[row] != Phase::Sticks {
            return;
        }
        for k in self.problem.rows() {
            if matches!(self.problem.kinds[k], Kind::Slip { contact, .. } if contact == row) {
                let (value, rate) = self.motions[k];
                self.phases[k] = if value + z * rate < 0.0 { Phase::Backward } else { Phase::Forward };
            }
        }
    }

    /// The force of a row that is not held, as a multiple of the force of a contact, plus a number.
    fn given(&self, row: usize) -> (Option<(usize, f64)>, f64) {
        let against = -self.phases[row].direction();
        match self.problem.kinds[row] {
            Kind::Slip { contact, friction } if self.phases[contact] == Phase::Sticks && against != 0.0 => {
                (Some((contact, against * friction)), 0.0)
            }
            Kind::Drag { contact, factor } if self.phases[contact] == Phase::Sticks => (Some((contact, factor)), 0.0),
            Kind::Friction { bound } => (None, against * bound),
            _ => (None, 0.0),
        }
    }

    /// Whether the force of a row keeps its motion 0.
    fn is_held(&self, row: usize) -> bool {
        self.phases[row] == Phase::Sticks
            && match self.problem.kinds[row] {
                Kind::Off | Kind::Drag { .. } => false,
                Kind::Held | Kind::Gap | Kind::Friction { .. } => true,
                Kind::Slip { contact, .. } => self.phases[contact] == Phase::Sticks,
            }
    }

    /// Computes the forces and motions in the present phases. Returns whether they are determined.
    fn solve(&mut self) -> bool {
        let problem = self.problem;
        let (mut held, mut n, mut place) = ([0; W], 0, [W; W]);
        for k in problem.rows().filter(|&k| self.is_held(k)) {
            (held[n], place[k], n) = (k, n, n + 1);
        }
        // The motion of a row as a sum over the forces of held rows, which is 0 with the right side.
        let balance = |k: usize| -> (Numbers<W>, Line) {
            let (mut entries, mut rest) = ([0.0; W], (-problem.free[k], -self.cover[k]));
            for (entry, &l) in entries.iter_mut().zip(&held[..n]) {
                *entry = problem.entry(k, l);
            }
            for s in problem.rows() {
                let (part, known) = self.given(s);
                if let Some((contact, factor)) = part {
                    entries[place[contact]] += factor * problem.entry(k, s);
                }
                rest.0 -= problem.entry(k, s) * known;
            }
            (entries, rest)
        };
        let mut matrix = [[0.0; W]; W];
        let mut right = [(0.0, 0.0); W];
        for (i, &k) in held[..n].iter().enumerate() {
            (matrix[i], right[i]) = balance(k);
            for s in problem.rows().filter(|_| problem.dilates) {
                if let (Kind::Slip { .. }, (Some((contact, factor)), _)) = (problem.kinds[s], self.given(s))
                    && contact == k
                {
                    let (entries, rest) = balance(s);
                    matrix[i].iter_mut().zip(entries).for_each(|(entry, other)| *entry += factor * other);
                    right[i] = (right[i].0 + factor * rest.0, right[i].1 + factor * rest.1);
                }
            }
        }
        if !eliminate(&mut matrix, &mut right, n) {
            return false;
        }
        self.forces = [(0.0, 0.0); W];
        for (i, &k) in held[..n].iter().enumerate() {
            self.forces[k] = right[i];
        }
        for s in problem.rows().filter(|&s| place[s] == W) {
            let (part, known) = self.given(s);
            let (value, rate) = part.map_or((0.0, 0.0), |(contact, factor)| {
                (factor * self.forces[contact].0, factor * self.forces[contact].1)
            });
            self.forces[s] = (known + value, rate);
        }
        self.rates = (0.0, 0.0);
        for k in problem.rows() {
            let (mut value, mut rate) = (problem.free[k], self.cover[k]);
            for l in problem.rows() {
                value += problem.entry(k, l) * self.forces[l].0;
                rate += problem.entry(k, l) * self.forces[l].1;
            }
            self.motions[k] = if self.is_held(k) { (0.0, 0.0) } else { (value, rate) };
            self.rates = (self.rates.0.max(self.forces[k].1.abs()), self.rates.1.max(self.motions[k].1.abs()));
        }
        true
    }
}

/// Solves for two right sides by elimination with row exchanges. Returns whether the matrix is regular.
fn eliminate<const W: usize>(matrix: &mut [Numbers<W>; W], right: &mut [Line; W], n: usize) -> bool {
    for column in 0..n {
        let size = |row: usize| matrix[row][column].abs();
        let best = (column + 1..n).fold(column, |best, row| if size(row) > size(best) { row } else { best });
        let own = matrix[best][column];
        // A comparison that is false for NaN.
        if !(own.abs() > 0.0 && own.is_finite()) {
            return false;
        }
        matrix.swap(column, best);
        right.swap(column, best);
        let (above, rest) = (matrix[column], right[column]);
        for row in column + 1..n {
            let factor = matrix[row][column] / own;
            if factor != 0.0 {
                matrix[row][column..n]
                    .iter_mut()
                    .zip(&above[column..n])
                    .for_each(|(entry, above)| *entry -= factor * above);
                right[row] = (right[row].0 - factor * rest.0, right[row].1 - factor * rest.1);
            }
        }
    }
    for row in (0..n).rev() {
        let (mut value, mut rate) = right[row];
        for column in row + 1..n {
            value -= matrix[row][column] * right[column].0;
            rate -= matrix[row][column] * right[column].1;
        }
        right[row] = (value / matrix[row][row], rate / matrix[row][row]);
    }
    true
}

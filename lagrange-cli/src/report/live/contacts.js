// Contacts and dry friction: the forces of the rows in known phases, and the phases that obey the laws. Nothing here knows of a page.
//
// A row is a gap or a slip. Its phase is 0 where a gap is closed or a slip sticks, and otherwise 1 or -1: open, or the direction of the slip. The
// acceleration of a row is w = c + D f with the forces f of all rows. As in the runtime, every combination of phases is tried, and one counts
// only if all that obey the laws lead to the same motion. The same laws hold for the impulses of an impact.

// A force may leave what its law allows by this part of its terms.
const BAND = 1e-12;
// Motions are the same that differ by less than this part of their terms.
const SAME = 1e-7;
// Rates and accelerations of rows are 0 within so many roundings of their terms, gaps within the second number.
const RATE_ROUNDINGS = 256, GAP_ROUNDINGS = 64;
// A row depends on others where its pivot is this part of its own compliance.
const DEPENDENT = 1e-11;
const STICKS = 0;

// The shortest solution of eliminated lines, in the order of `columns`: (y − T z, z), where z solves (1 + TᵀT) z = Tᵀ y.
function shortest(lines, columns, rank) {
  const back = right => {
    const found = new Array(rank).fill(0);
    for (let i = rank - 1; i >= 0; i--) {
      const { entries } = lines[i];
      found[i] = columns.slice(i + 1, rank).reduce((rest, own, j) => rest - entries[own] * found[i + 1 + j], right(lines[i])) / entries[columns[i]];
    }
    return found;
  };
  const product = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const y = back(({ rest }) => rest), spread = columns.slice(rank).map(own => back(({ entries }) => entries[own]));
  const matrix = spread.map((a, k) => spread.map((b, l) => product(a, b) + (k === l ? 1 : 0))), z = spread.map(a => product(a, y));
  // Its pivots are at least 1.
  for (let k = 0; k < z.length; k++) {
    for (let l = k + 1; l < z.length; l++) {
      const factor = matrix[l][k] / matrix[k][k];
      for (let m = k; m < z.length; m++) matrix[l][m] -= factor * matrix[k][m];
      z[l] -= factor * z[k];
    }
  }
  for (let k = z.length - 1; k >= 0; k--) {
    for (let l = k + 1; l < z.length; l++) z[k] -= matrix[k][l] * z[l];
    z[k] /= matrix[k][k];
  }
  return [...y.map((own, i) => spread.reduce((rest, column, k) => rest - column[i] * z[k], own)), ...z];
}

// The equations at a state, solved for a as a function of the forces of the rows.
class Reduced {
  constructor(mechanism, t, q, v) {
    const { mass_matrix, forcing, rate, directions, curvature, bound } = mechanism.call("contact_rows", t, q, v);
    const rows = mechanism.rows, solve = mechanism.solver(mass_matrix, t, q, v);
    Object.assign(this, { rows, rate, bound, curvature, t, q, v });
    this.directions = rows.map((_, k) => directions.map(entries => entries[k]));
    this.free = solve(forcing, true);
    this.responses = this.directions.map(direction => solve(direction, false));
    const along = (k, a) => this.directions[k].reduce((sum, entry, i) => sum + entry * a[i], 0);
    this.compliance = rows.map((_, k) => this.responses.map(response => along(k, response)));
    const sizes = this.directions.map((direction, k) => direction.reduce((sum, entry, i) => sum + Math.abs(entry * this.free[i]), Math.abs(curvature[k])));
    // The accelerations of the rows without forces, and the sums of the magnitudes of their terms.
    this.level = { free: rows.map((_, k) => along(k, this.free) + curvature[k]), terms: sizes, isImpact: false };
    rows.forEach(({ name, law }, k) => {
      if (law !== "contact" && !(bound[k] >= 0)) throw new Error(`the bound or the coefficient of the friction ${name} is ${bound[k]}, which is not allowed`);
    });
  }

  // The magnitudes of the terms of a rate: Σ |Wᵢ vᵢ| and what the time contributes.
  rateTerms(k) {
    const parts = this.directions[k].map((entry, i) => entry * this.v[i]);
    return parts.reduce((sum, part) => sum + Math.abs(part), Math.abs(parts.reduce((rest, part) => rest - part, this.rate[k])));
  }
  rateRounding(k) { return RATE_ROUNDINGS * Number.EPSILON * this.rateTerms(k); }

  // The magnitude of a gap that is rounding.
  gapRounding(k, gap) {
    const { directions, v, q, t, rate } = this, drift = directions[k].reduce((rest, entry, i) => rest - entry * v[i], rate[k]);
    return GAP_ROUNDINGS * Number.EPSILON * directions[k].reduce((sum, entry, i) => sum + Math.abs(entry * q[i]), gap.scale + Math.abs(drift * t));
  }

  // a under forces, or the change of v under impulses.
  changed(forces, from) { return from.map((value, i) => forces.reduce((sum, force, k) => sum + this.responses[k][i] * force, value)); }

  reach(k, forces, { terms }) { return forces.reduce((sum, force, l) => sum + Math.abs(this.compliance[k][l] * force), terms[k]); }
  // The largest force that the terms of a row need. That of a slip also has the rounding of its contact's force, times μ.
  forceScale(k, forces, level) {
    const { law, contact } = this.rows[k], own = this.compliance[k][k] > 0 ? this.reach(k, forces, level) / this.compliance[k][k] : 0;
    return law === "slip" ? Math.max(own, this.bound[k] * this.forceScale(contact, forces, level)) : own;
  }
  driven(k, forces, { free }) { return forces.reduce((sum, force, l) => sum + this.compliance[k][l] * force, free[k]); }
  limit(k, forces) { return this.rows[k].law === "slip" ? this.bound[k] * forces[this.rows[k].contact] : this.bound[k]; }
  isIdle(k, phases) { return this.rows[k].law === "slip" && phases[this.rows[k].contact] !== STICKS; }

  // By how much the force of a row in the phase 0 is beyond what its law allows; positive where the phase ends.
  excess(k, forces, level) {
    const limit = this.limit(k, forces);
    if (this.rows[k].law === "friction") return Math.abs(forces[k]) - limit * (1 + BAND);
    return (this.rows[k].law === "contact" ? -forces[k] : Math.abs(forces[k]) - limit) - BAND * this.forceScale(k, forces, level);
  }

  // The forces in known phases, or an Error that names a row that depends on others and contradicts them.
  forces(phases, level = this.level) {
    const { rows, bound, compliance } = this, all = rows.map((_, k) => k);
    const held = all.filter(k => phases[k] === STICKS && !this.isIdle(k, phases));
    const sliding = all.map(k => rows[k].law === "friction" && phases[k] !== STICKS && !level.isImpact ? -phases[k] * bound[k] : 0);
    // The forces -σ μ N of slips follow those of their contacts.
    const slips = all.filter(k => rows[k].law === "slip" && phases[k] !== STICKS && phases[rows[k].contact] === STICKS);
    const entry = (k, l) => slips.reduce((sum, s) => rows[s].contact === l ? sum - compliance[k][s] * phases[s] * bound[s] : sum, compliance[k][l]);
    const right = all.map(k => -this.driven(k, sliding, level));
    const found = this.solveHeld(held, entry, right, all.map(k => this.reach(k, sliding, level)));
    return all.map(k => held.includes(k) ? found[k] : slips.includes(k) ? -phases[k] * bound[k] * found[rows[k].contact] : sliding[k]);
  }

  // f of the rows `held` with Σ entry(k, l) f_l = right_k, by elimination with the largest pivot. Of rows that depend on each other, the
  // forces are those of least Σ D_kk f_k².
  solveHeld(held, entry, right, terms) {
    const unit = this.compliance.map((row, k) => row[k] > 0 ? Math.sqrt(row[k]) : 1), count = held.length;
    const lines = held.map(k => ({
      k, rest: right[k] / unit[k], size: terms[k] / unit[k], entries: held.map(l => entry(k, l) / (unit[k] * unit[l])),
    }));
    const columns = held.map((_, j) => j), scale = Math.max(0, ...lines.map(({ size }) => size));
    let rank = 0;
    for (; rank < count; rank++) {
      let [row, column, largest] = [rank, rank, 0];
      for (let i = rank; i < count; i++) {
        for (let j = rank; j < count; j++) {
          const size = Math.abs(lines[i].entries[columns[j]]);
          // Rounding must not decide between equal pivots.
          if (size > largest * (1 + 1e-9)) [row, column, largest] = [i, j, size];
        }
      }
      if (!(largest > DEPENDENT)) break;
      [lines[rank], lines[row]] = [lines[row], lines[rank]];
      [columns[rank], columns[column]] = [columns[column], columns[rank]];
      const pivot = lines[rank], own = columns[rank];
      for (const line of lines.slice(rank + 1)) {
        const factor = line.entries[own] / pivot.entries[own];
        for (const j of columns.slice(rank)) line.entries[j] -= factor * pivot.entries[j];
        line.rest -= factor * pivot.rest;
        line.size += Math.abs(factor) * pivot.size;
      }
    }
    for (const { k, rest, size } of lines.slice(rank)) {
      if (Math.abs(rest) <= Math.sqrt(Number.EPSILON) * size + RATE_ROUNDINGS * Number.EPSILON * scale) continue;
      throw new Error(`the contact or friction ${this.rows[k].name} depends on others, and contradicts them`);
    }
    const forces = this.rows.map(() => 0);
    shortest(lines, columns, rank).forEach((force, i) => { forces[held[columns[i]]] = force / unit[held[columns[i]]]; });
    return forces;
  }

  // Whether the candidates obey their laws.
  obeys(phases, candidates, forces, level) {
    return candidates.every(k => {
      if (this.isIdle(k, phases)) return true;
      if (phases[k] === STICKS) return this.excess(k, forces, level) <= 0;
      return this.driven(k, forces, level) * phases[k] >= -RATE_ROUNDINGS * Number.EPSILON * this.reach(k, forces, level);
    });
  }

  isSame(a, b, level) {
    return this.q.every((_, i) => {
      let difference = 0, scale = 0;
      this.responses.forEach((response, k) => {
        difference += response[i] * (a[k] - b[k]);
        scale += Math.abs(response[i]) * Math.max(this.forceScale(k, a, level), this.forceScale(k, b, level));
      });
      return Math.abs(difference) <= SAME * scale;
    });
  }

  // The phases of the candidates that obey the laws, with the forces. The other rows keep theirs.
  decide(phases, candidates, level = this.level) {
    let found = null, refused = null;
    const visit = (place, tried) => {
      if (place < candidates.length) {
        const k = candidates[place], { law } = this.rows[k];
        // An open contact has one combination, whatever its slip would do.
        const choices = this.isIdle(k, tried) ? [1] : law === "contact" ? [STICKS, 1] : [STICKS, 1, -1];
        for (const choice of choices) visit(place + 1, tried.with(k, choice));
        return;
      }
      let forces = null;
      try {
        forces = this.forces(tried, level);
      } catch (error) {
        refused = error;
        return;
      }
      if (!this.obeys(tried, candidates, forces, level)) return;
      if (found && !this.isSame(found.forces, forces, level)) throw new RangeError(`${this.names(candidates)}: several motions obey the laws (Painlevé's paradox)`);
      found ??= { phases: tried, forces };
    };
    visit(0, phases);
    if (!found) throw refused ?? new Error(`${this.names(candidates)}: no motion obeys the laws (Painlevé's paradox)`);
    return found;
  }
  names(rows) { return rows.map(k => this.rows[k].name).join(", "); }

  // Impulses, least in the metric of M, that change the rates or positions of these rows by `right`.
  shift(held, right, terms) { return this.solveHeld(held, (k, l) => this.compliance[k][l], right, terms); }

  // The velocity at which these rows rest, changed least in the metric of M. `rest`: rates that are rounding of a velocity before, as behind an impact
  // that leaves nothing else.
  stopped(held, rest = this.rate.map(() => 0)) {
    const right = this.rate.map(rate => -rate);
    const terms = rest.map((least, k) => Math.max(this.rateTerms(k), least / (RATE_ROUNDINGS * Number.EPSILON)));
    return held.length ? this.changed(this.shift(held, right, terms), this.v) : this.v;
  }
}

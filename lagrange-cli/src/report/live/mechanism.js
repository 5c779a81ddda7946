// A mechanism as exported JavaScript, with what the export does not contain: accelerations under redundant constraints, and states that
// meet the constraints. Nothing here knows of a page.

// The functions and constants of an exported module, whose text is that of `lagrange export --to js`.
const loadModule = text => {
  const names = [...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(match => match[1]);
  return new Function(`"use strict";\n${text.replace(/^export /gm, "")}\nreturn { ${names.join(", ")} };`)();
};

// A failure with the time and the state at which it happened.
class MotionError extends Error {
  constructor(text, t, q, v) {
    super(text);
    Object.assign(this, { t, q: [...q], v: [...v] });
  }
}

// x with (rows W rowsᵀ) x = b for a diagonal W, by Cholesky's factorisation with the largest pivot first. Rows that depend on others get
// 0; they are those whose pivot is rounding beside their own diagonal entry.
const solveRows = (rows, weights, b) => {
  const count = b.length, order = [], rest = b.map((_, i) => i);
  const a = rows.map(left => rows.map(right => left.reduce((sum, value, k) => sum + value * right[k] * weights[k], 0)));
  const diagonal = a.map((row, i) => row[i]), x = [...b];
  while (rest.length) {
    const best = rest.reduce((best, i) => a[i][i] * diagonal[best] > a[best][best] * diagonal[i] ? i : best, rest[0]);
    if (!(a[best][best] > 1e-11 * count * diagonal[best])) break;
    order.push(best);
    rest.splice(rest.indexOf(best), 1);
    for (const i of rest) {
      const factor = a[i][best] / a[best][best];
      for (const j of rest) a[i][j] -= factor * a[best][j];
      x[i] -= factor * x[best];
    }
  }
  for (const i of rest) x[i] = 0;
  for (let k = order.length - 1; k >= 0; k--) {
    const i = order[k];
    for (let m = k + 1; m < order.length; m++) x[i] -= a[i][order[m]] * x[order[m]];
    x[i] /= a[i][i];
  }
  return x;
};

// The size of constraint i, beside which its residual counts: the largest of its terms, and its changes by the values of the coordinates. A constraint
// of one term, such as sin x = 0 near π, has no other size than the second.
const sizeOf = ({ scale, jacobian }, q, i) => jacobian[i].reduce((sum, entry, k) => sum + Math.abs(entry * q[k]), scale[i]);

class Mechanism {
  // `about`: the names of coordinates, states, constraints and outputs.
  constructor(module, about) {
    Object.assign(this, { module, about, prepared: null, inputs: [] });
    this.own = about.coordinates.length;
    this.n = this.own + about.states.length;
    this.c = about.constraints.length;
    this.hasInputs = about.inputs.length > 0;
    // Between changes, modes are states whose rate is 0.
    this.law = "acceleration_in_mode" in module ? "acceleration_in_mode" : "acceleration";
    this.changes = module.CHANGES ?? [];
    // The rows of contacts and dry friction, whose forces depend on their phases.
    this.rows = module.ROWS ?? [];
    this.ownSwitches = new Set(this.rows.map(row => row.switch));
  }

  // Takes the values of all parameters, in the order of the struct, and of the inputs. An Error names the condition that they break.
  set(parameters, inputs) {
    const { PARAMETERS, prepare } = this.module;
    this.prepared = prepare(Object.fromEntries(PARAMETERS.map((name, i) => [name, parameters[i]])));
    this.inputs = inputs;
  }

  call(name, t, q, v) {
    return this.module[name](this.prepared, t, q, v, this.inputs);
  }

  // a; with the forces that rows have in these phases.
  acceleration(t, q, v, phases) {
    if (this.rows.length) {
      const reduced = new Reduced(this, t, q, v);
      return reduced.changed(reduced.forces(phases), reduced.free);
    }
    if (this.redundant) return this.leastNorm(t, q, v);
    try {
      return this.call(this.law, t, q, v).acceleration;
    } catch (error) {
      if (!this.c || !this.module.equations) throw error;
      this.redundant = true;
      return this.leastNorm(t, q, v);
    }
  }

  // The acceleration where constraints depend on each other, M a = F + Gᵀλ, with one of the λ that G a + γ = 0 allows.
  leastNorm(t, q, v) {
    const { mass_matrix, forcing } = this.call("equations", t, q, v);
    return this.solver(mass_matrix, t, q, v)(forcing, true);
  }

  // What solves M a = load + Gᵀλ with G a + γ = 0, or with G a = 0 where it is not curved.
  solver(mass, t, q, v) {
    const { module, prepared } = this;
    const jacobian = this.c ? module.constraint(prepared, t, q).jacobian : [];
    const curvature = this.c ? module.constraint_hidden(prepared, t, q, v, this.zeros()).curvature : [];
    // With M⁻¹ = L⁻ᵀ D⁻¹ L⁻¹, the rows G L⁻ᵀ have the diagonal weights D⁻¹.
    const { lower, pivots } = factor(mass);
    const weights = pivots.map(pivot => 1 / pivot), rows = jacobian.map(row => forward(lower, row));
    return (load, isCurved) => {
      const free = forward(lower, load);
      const missing = rows.map((row, i) => row.reduce((sum, value, k) => sum - value * weights[k] * free[k], isCurved ? -curvature[i] : 0));
      const multipliers = solveRows(rows, weights, missing);
      return backward(lower, free.map((value, k) => (value + rows.reduce((sum, row, i) => sum + row[k] * multipliers[i], 0)) * weights[k]));
    };
  }

  zeros() { return Array(this.c).fill(0); }

  // The inverse inertia of each coordinate, by which corrections to constraints are distributed; 1 for each where inertias are not known.
  weights(t, q, v) {
    const diagonal = this.module.equations ? this.call("equations", t, q, v).mass_matrix.map((row, i) => row[i]) : [];
    const known = diagonal.slice(0, this.own).every(value => value > 0) && diagonal.length;
    return q.map((_, i) => i < this.own ? (known ? 1 / diagonal[i] : 1) : 0);
  }

  // The nearest state that meets the constraints and their rates: q by Newton's method, then v by one solution. Changes of coordinates count by
  // the inverse of these weights, which are those of the inertias where none are given. Throws where a constraint cannot be satisfied.
  project(t, q, v, weights = null) {
    if (!this.c) return { q, v };
    const { module, prepared } = this;
    weights ??= this.weights(t, q, v);
    const step = (rows, missing) => {
      const x = solveRows(rows, weights, missing);
      return weights.map((weight, k) => weight * rows.reduce((sum, row, i) => sum + row[k] * x[i], 0));
    };
    const measure = place => {
      const found = module.constraint(prepared, t, place);
      // A residual below this is rounding of the terms that cancel in it, and of the coordinates.
      const parts = found.value.map((value, i) => Math.abs(value) / (64 * Number.EPSILON * sizeOf(found, place, i) || 1e-300));
      return { ...found, part: Math.max(0, ...parts.map(part => Number.isNaN(part) ? Infinity : part)), parts };
    };
    let place = q, now = measure(place);
    for (let round = 0; round < 60 && now.part > 1; round++) {
      const change = step(now.jacobian, now.value.map(value => -value));
      let next = null, factor = 1;
      for (; factor > 1e-4; factor /= 2) {
        const trial = place.map((value, k) => value + factor * change[k]);
        next = measure(trial);
        if (next.part < now.part) { place = trial; break; }
      }
      if (factor <= 1e-4) break;
      now = next;
    }
    if (now.part > 1e3) {
      const worst = now.parts.indexOf(Math.max(...now.parts)), name = this.about.constraints[worst < 0 ? 0 : worst];
      throw new MotionError(`the constraint ${name} cannot be satisfied: its residual stays ${now.value[worst < 0 ? 0 : worst]}`, t, q, v);
    }
    let rates = v;
    for (let round = 0; round < 2; round++) {
      const { jacobian } = now, { rate } = module.constraint_hidden(prepared, t, place, rates, this.zeros());
      const change = step(jacobian, rate.map(value => -value));
      rates = rates.map((value, k) => value + change[k]);
    }
    const { rate } = module.constraint_hidden(prepared, t, place, rates, this.zeros());
    rate.forEach((value, i) => {
      const size = now.jacobian[i].reduce((sum, entry, k) => sum + Math.abs(entry * rates[k]), Math.abs(now.drift[i]));
      if (!(Math.abs(value) <= 1e-9 * size || value === 0)) {
        throw new MotionError(`the rate of the constraint ${this.about.constraints[i]} cannot be satisfied: it stays ${value}`, t, place, rates);
      }
    });
    return { q: place, v: rates };
  }

  // The largest violation of a constraint, relative to its size.
  violation(t, q) {
    if (!this.c) return 0;
    const found = this.module.constraint(this.prepared, t, q);
    return Math.max(...found.value.map((entry, i) => entry === 0 ? 0 : Math.abs(entry) / sizeOf(found, q, i)));
  }

  switches(t, q, v) {
    const all = this.module.switches ? this.call("switches", t, q, v).switches : [];
    return this.rows.length ? all.filter((_, index) => !this.ownSwitches.has(index)) : all;
  }

  // The gaps of contacts.
  gaps(t, q) {
    if (!this.module.gaps) return [];
    const { value, scale, restitution } = this.module.gaps(this.prepared, t, q);
    return value.map((gap, i) => ({ value: gap, scale: scale[i], restitution: restitution[i] }));
  }

  // The coefficients of restitution at an impact before which the velocities are v.
  restitutions(t, q, v) {
    return this.module.restitutions ? this.call("restitutions", t, q, v).restitution : this.gaps(t, q).map(gap => gap.restitution);
  }
}

// M = L D Lᵀ without pivoting, for a positive M.
const factor = mass => {
  const n = mass.length, lower = mass.map(row => [...row]), pivots = [];
  for (let k = 0; k < n; k++) {
    pivots[k] = lower[k][k];
    if (!(pivots[k] > 1e-14 * mass[k][k])) throw new Error("the mass matrix is not positive, where constraints depend on each other, or a contact or friction acts");
    for (let i = k + 1; i < n; i++) {
      const entry = lower[i][k];
      lower[i][k] = entry / pivots[k];
      for (let j = k + 1; j <= i; j++) lower[i][j] -= entry * lower[j][k];
    }
  }
  return { lower, pivots };
};
// L⁻¹ x.
const forward = (lower, x) => {
  const y = [...x];
  for (let i = 0; i < y.length; i++) for (let k = 0; k < i; k++) y[i] -= lower[i][k] * y[k];
  return y;
};
// L⁻ᵀ x.
const backward = (lower, x) => {
  const y = [...x];
  for (let i = y.length - 1; i >= 0; i--) for (let k = i + 1; k < y.length; k++) y[i] -= lower[k][i] * y[k];
  return y;
};

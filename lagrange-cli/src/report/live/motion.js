// A motion by DOP853 with control of the step, dense output, switches and constraints. Nothing here knows of a page.
//
// Errors are controlled as in the runtime's own driver: each component by `rtol` times its largest value so far. A velocity that stays
// small is measured by a thousandth of the velocity that it would have with all the kinetic energy, and its coordinate by that
// velocity times the step, so that rounding is not controlled. After each step of a mechanism with constraints, q and v are projected
// onto the constraints and their rates. A step over a zero of a switching function, over the beginning of a condition that changes a mode, or over
// the end of the phase of a contact or friction, is not taken: shorter ones approach it, and the next one begins behind it. What is at rest does not
// show how fast forces and gaps change, so that a step of a mechanism with contacts, frictions or modes ends where these functions are resolved.

const MOST_STEPS = 20_000;
// So many switches may follow each other within a time that is this part of the motion before.
const MOST_SWITCHES = 30, NO_PROGRESS = 1e-6;
// The phases of contacts and frictions may change so often within such a time. Impacts behind which a contact opens again do not count: they follow each
// other at least as slowly as SHORTEST_FLIGHT says.
const MOST_ENDS = 1000;
// The end of a phase in a hop is found to this part of the hop.
const HOP_PART = 1e-9;
// Modes and contacts may change in turn so often at one instant.
const MOST_TURNS = 100;
const STUCK = "the forces jump and hold the motion at the jump: it sticks or slides along it, which this page does not compute";
// The functions of rows and changes that are not resolved on a part of a step, which is this part of the longest step, are judged by their signs there.
const LEAST_PART = 1e-9;

class Motion {
  // Begins at the nearest state that meets the constraints. `start`: t, q, v. Throws where there is none.
  constructor(mechanism, start, until, { rtol = 1e-9, mostSteps = MOST_STEPS } = {}) {
    const { q, v } = mechanism.project(start.t, start.q, start.v);
    Object.assign(this, { mechanism, until, rtol, mostSteps, steps: [], error: null, done: false, h: null, rejected: 0, switched: [], turned: [], changed: [], impacts: 0 });
    // No row is closed or sticks before the first phases are found.
    this.phases = mechanism.rows.map(() => 1);
    Object.assign(this, { start: { t: start.t, q, v }, t: start.t, y: [...q, ...v], n: q.length, kinetic: 0, reached: 0 });
    this.signs = null;
    this.largest = this.y.map(Math.abs);
    try {
      this.settle(null);
      this.jumped = false;
      Object.assign(this.start, this.state(this.y));
      this.slope = this.rates(this.t, this.y);
    } catch (error) {
      this.fail(error.message);
    }
  }

  state(y) { return { q: y.slice(0, this.n), v: y.slice(this.n) }; }

  // (q̇, v̇). The coordinate that stands for a state has no rate.
  rates(t, y) {
    const { n, mechanism } = this, q = y.slice(0, n), v = y.slice(n), own = mechanism.own;
    const a = mechanism.acceleration(t, q, v, this.phases), rates = y.slice(n);
    for (let i = own; i < n; i++) rates[i] = 0;
    for (let i = 0; i < n; i++) rates.push(a[i]);
    return rates;
  }

  // Steps until the end, or until the clock shows `deadline`.
  advance(deadline = Infinity) {
    while (!this.done && performance.now() < deadline) {
      try {
        if (!this.done) this.step();
      } catch (error) {
        this.fail(error.message);
      }
    }
    return this.done;
  }

  fail(text) {
    const { n, y, t } = this;
    this.error = new MotionError(text, t, y.slice(0, n), y.slice(n));
    this.done = true;
  }

  // The sizes by which errors of a step of this length to `next` are measured.
  sizes(h, next) {
    const { n, mechanism, largest, t } = this, own = mechanism.own;
    const sizes = largest.map((size, i) => Math.max(size, Math.abs(next[i])));
    for (let i = own; i < n; i++) {
      sizes[i] = 0;
      sizes[n + i] = Math.max(sizes[n + i], Math.abs(h * this.slope[n + i]));
    }
    if (mechanism.rows.length) {
      // What is at rest has accelerations that are rounding of what forces and the forces of rows give alone, or could give: the force of a row that is
      // held may be 0 and have the rounding of what it takes up. Forces on what is at rest may grow from 0 with the time. The end of the attempt does
      // not count, because it may be far from the motion.
      for (const at of [t, t + h]) {
        const reduced = new Reduced(mechanism, at, this.y.slice(0, n), this.y.slice(n)), forces = reduced.forces(this.phases);
        const magnitude = (force, k) => this.phases[k] === STICKS ? Math.max(Math.abs(force), reduced.forceScale(k, forces, reduced.level)) : Math.abs(force);
        for (let i = 0; i < own; i++) {
          const terms = forces.reduce((sum, force, k) => sum + Math.abs(reduced.responses[k][i]) * magnitude(force, k), Math.abs(reduced.free[i]));
          sizes[i] = Math.max(sizes[i], 1e-3 * h * h * terms);
          sizes[n + i] = Math.max(sizes[n + i], 1e-3 * h * terms);
        }
      }
    }
    if (!mechanism.module.equations) return sizes;
    const v = next.slice(n), mass = mechanism.call("equations", t + h, next.slice(0, n), v).mass_matrix;
    let twice = 0;
    for (let i = 0; i < own; i++) for (let j = 0; j < own; j++) twice += v[i] * mass[i][j] * v[j];
    // An attempt that is rejected may be far from the motion, so that its energy counts for itself only.
    this.reached = Math.max(this.kinetic, Number.isFinite(twice) ? twice : 0);
    for (let i = 0; i < own; i++) {
      if (!(mass[i][i] > 0)) continue;
      const least = 1e-3 * Math.sqrt(this.reached / mass[i][i]);
      sizes[n + i] = Math.max(sizes[n + i], least);
      sizes[i] = Math.max(sizes[i], least * h);
    }
    return sizes;
  }

  // One attempt of a step of length h: the state at its end, the slopes of its stages, and its error divided by the tolerance.
  attempt(h) {
    const { t, y } = this, slopes = [this.slope];
    const sum = list => {
      const total = y.map(() => 0), count = total.length;
      for (const [stage, factor] of list) {
        const slope = slopes[stage];
        for (let i = 0; i < count; i++) total[i] += factor * slope[i];
      }
      for (let i = 0; i < count; i++) total[i] = y[i] + h * total[i];
      return total;
    };
    for (let stage = 1; stage < 12; stage++) slopes.push(this.rates(t + DOP853.nodes[stage] * h, sum(DOP853.stages[stage])));
    const next = sum(DOP853.weights), sizes = this.sizes(h, next);
    let fifth = 0, third = 0;
    const difference = list => {
      const total = y.map(() => 0);
      for (const [stage, factor] of DOP853.weights) slopes[stage].forEach((slope, i) => { total[i] += factor * slope; });
      for (const [stage, factor] of list) slopes[stage].forEach((slope, i) => { total[i] -= factor * slope; });
      return total;
    };
    const [embedded, second] = [difference(DOP853.embedded), difference(DOP853.second)];
    for (let i = 0; i < y.length; i++) {
      if (sizes[i] === 0) continue;
      fifth += (embedded[i] / sizes[i]) ** 2;
      third += (second[i] / sizes[i]) ** 2;
    }
    const scale = Math.sqrt(y.length * (fifth + 0.01 * third));
    return { next, slopes, error: scale === 0 ? 0 : Math.abs(h) * fifth / scale / this.rtol };
  }

  // The first step by the guess of Hairer and Wanner: a hundredth of the time in which the state changes by its own size.
  first() {
    const { n, y, slope, until, t } = this;
    let quickest = 0;
    for (let i = 0; i < y.length; i++) {
      const size = this.largest[i];
      if (size > 0) quickest = Math.max(quickest, Math.abs(slope[i]) / size);
      // From rest: y = ½ a t².
      if (i < n && size > 0) quickest = Math.max(quickest, Math.sqrt(Math.abs(slope[n + i]) / size));
    }
    return quickest > 0 ? Math.min(0.01 / quickest, until - t) : (until - t) * 1e-4;
  }

  step() {
    if (this.t >= this.until) {
      this.done = true;
      return;
    }
    if (this.signs === null) this.leave();
    const { t, until: end } = this;
    // A step that was too long for the functions of rows and changes is followed by one of at most twice its length.
    let most = 6;
    this.h ??= this.first();
    if (this.steps.length >= this.mostSteps) {
      this.fail(`the motion takes more than ${this.mostSteps} steps`);
      return;
    }
    for (;;) {
      const last = t + this.h * 1.01 >= end, h = last ? end - t : this.h;
      if (h <= 8 * Number.EPSILON * Math.max(Math.abs(t), Math.abs(end - this.start.t) * 1e-3)) {
        const last = this.switched.at(-1) ?? -Infinity, isStuck = t - last <= NO_PROGRESS * (t - this.start.t);
        this.fail(this.bad ? this.cause : isStuck ? STUCK : "the steps become too small: the equations are singular or stiff here");
        return;
      }
      let tried = null, cause = "";
      try {
        tried = this.attempt(h);
      } catch (error) {
        cause = error.message;
      }
      if (tried === null || !Number.isFinite(tried.error) || !tried.next.every(Number.isFinite)) {
        this.cause = cause || "a value is not a number (NaN) or is infinite";
        this.bad = (this.bad ?? 0) + 1;
        if (this.bad > 25) {
          this.fail(this.cause);
          return;
        }
        this.rejected++;
        this.h = h / 4;
        continue;
      }
      const factor = tried.error > 0 ? 0.9 * tried.error ** -0.125 : 6;
      // Forces that jump within a step make its error large.
      if (tried.error > 1 && this.signs.length && this.isBeyond(t + h, tried.next)) {
        this.rejected++;
        this.stopAtSwitch(h);
        return;
      }
      if (tried.error > 1) {
        this.rejected++;
        this.h = h * Math.max(0.2, factor);
        continue;
      }
      this.bad = 0;
      const made = this.finish(h, tried), { crossed, until } = this.crossing(made);
      if (until < h) {
        this.rejected++;
        this.h = until;
        most = 2;
        continue;
      }
      if (crossed !== undefined) {
        if (!this.stopAtChange(made, crossed)) this.stopAtSwitch(crossed);
        return;
      }
      this.accept(made, last);
      if (!last || factor < 1) this.h = h * Math.min(most, Math.max(0.333, factor));
      return;
    }
  }

  // The interpolant of an attempt: for each component the coefficients of the powers of the part of the step.
  finish(h, { next, slopes }) {
    const { t, y } = this;
    slopes = [...slopes, this.rates(t + h, next)];
    for (let stage = 13; stage < 16; stage++) {
      const place = [...y];
      for (const [from, factor] of DOP853.stages[stage]) slopes[from].forEach((slope, i) => { place[i] += h * factor * slope; });
      slopes.push(this.rates(t + DOP853.nodes[stage] * h, place));
    }
    const powers = y.map((value, i) => {
      const row = new Float64Array(8);
      row[0] = value;
      for (const [stage, factors] of DOP853.interpolant) for (let k = 0; k < 7; k++) row[k + 1] += h * factors[k] * slopes[stage][i];
      return row;
    });
    return { t, h, next, powers, slope: slopes[12] };
  }

  static inside({ powers }, part) {
    return powers.map(row => {
      let value = row[7];
      for (let k = 6; k >= 0; k--) value = value * part + row[k];
      return value;
    });
  }

  // Keeps a step. The first one behind a change of modes says so, because the state jumps there.
  push(step) {
    this.steps.push({ ...step, jumped: this.jumped ?? false });
    this.jumped = false;
  }

  accept(made, last) {
    const { n, mechanism } = this, t = last ? this.until : made.t + made.h;
    let y = made.next, slope = made.slope;
    if (mechanism.c || this.phases.includes(STICKS)) {
      let { q, v } = mechanism.project(t, y.slice(0, n), y.slice(n));
      if (this.phases.includes(STICKS)) ({ q, v } = held(mechanism, this.phases, t, q, v));
      y = [...q, ...v];
      slope = this.rates(t, y);
    }
    if (![...y, ...slope].every(Number.isFinite)) throw new Error("a value is not a number (NaN) or is infinite");
    // The attempt before is the one that is accepted.
    this.kinetic = this.reached;
    Object.assign(this, { t, y, slope, largest: this.largest.map((size, i) => Math.max(size, Math.abs(y[i]))) });
    this.push({ t: made.t, h: t - made.t, powers: made.powers });
    this.done = last;
  }

  // Leaves a switch on which the motion begins: its forces are those behind it.
  leave() {
    const { t, y, slope, until } = this, h = 1e-12 * (until - t);
    this.signs = this.signsAt(t, y);
    if (this.signs.every(sign => sign !== 0)) return;
    const next = y.map((value, i) => value + h * slope[i]), signs = this.signsAt(t + h, next);
    if (signs.every((sign, i) => sign === this.signs[i])) return;
    const powers = y.map((value, i) => Float64Array.of(value, h * slope[i], 0, 0, 0, 0, 0, 0));
    this.push({ t, h, powers });
    Object.assign(this, { t: t + h, y: next, signs, slope: this.rates(t + h, next) });
  }

  // The values of the switching functions; 0 where a function has no sign.
  switches(t, y) {
    const { q, v } = this.state(y), { mechanism, phases } = this, values = mechanism.switches(t, q, v);
    if (!values.length || !phases.includes(STICKS)) return values;
    const without = unsigned(mechanism, phases, t, q, v, values);
    return values.map((value, i) => without[i] ? 0 : value);
  }

  signsAt(t, y) {
    return this.switches(t, y).map(Math.sign);
  }

  // Functions of which each is positive behind a switch, or where a mode is to be changed.
  beyond(t, y) {
    const { q, v } = this.state(y), { mechanism, signs } = this;
    const sides = signs.length ? this.switches(t, y).map((value, i) => Number.isNaN(value) ? Infinity : -signs[i] * value) : [];
    const due = mechanism.changes.length ? dueChanges(mechanism, t, q, v) : [];
    return mechanism.rows.length ? [...sides, ...due, ...endsOfPhases(mechanism, this.phases, t, q, v, this.h ?? 0)] : [...sides, ...due];
  }

  isBeyond(t, y) {
    return this.beyond(t, y).some(value => value > 0);
  }

  // How long after the beginning of a step one of these functions is seen to be positive, { crossed }; or where a shorter step must end, { until },
  // because those of rows and changes are resolved on it, and not on this one. { } where all are negative.
  crossing(made) {
    const { mechanism, t } = this, { h } = made;
    if (!this.signs.length && !mechanism.changes.length && !mechanism.rows.length) return {};
    this.longest = Math.max(this.longest ?? 0, h);
    // `side`: where a switching function is positive, if the others are still to be resolved before it.
    let end = 1, side = null;
    for (;;) {
      const at = part => part * end === 0 ? this.y : part * end === 1 ? made.next : Motion.inside(made, part * end);
      const found = this.look(part => [t + part * end * h, at(part)], end * h <= LEAST_PART * this.longest);
      if (found.crossed !== undefined) return { crossed: found.crossed * end * h };
      if (found.until === undefined) return side !== null ? { crossed: side * h } : end < 1 ? { until: end * h } : {};
      side = found.side === undefined ? null : found.side * end;
      end *= found.until;
    }
  }

  // Looks at a part of a step, whose time and state `at` gives: { crossed }, the part of it where a function is positive; { until }, the part of it to look
  // at instead, and perhaps behind it the `side` where a switching function is positive; or { }. `isShort`: signs decide.
  look(at, isShort) {
    const values = [], count = this.signs.length;
    let side = null, before = 0;
    for (const [k, part] of NODES.entries()) {
      const [t, y] = at(part);
      // A function that begins at 0 has the sign that it takes.
      if (this.signs.includes(0)) this.signs = this.signsAt(t, y).map((sign, i) => this.signs[i] || sign);
      try {
        values.push(this.beyond(t, y));
      } catch (error) {
        // The functions may have no values behind the end of a phase.
        if (isShort || k === 0) throw error;
        return { until: NODES[Math.max(1, k - 1)] };
      }
      if (side !== null) continue;
      const peak = k > 1 ? this.peak(at, values) : null;
      if (peak !== null) [side, before] = [peak, k - 2];
      else if (k > 0 && values[k].slice(0, count).some(value => value > 0)) [side, before] = [part, k - 1];
    }
    let first = NODES.length;
    for (let i = count; i < values[0].length; i++) {
      const resolution = new Resolution(values.map((list, k) => k ? -list[i] : Math.max(0, -list[i])));
      let node = isShort ? resolution.heights.findIndex((height, k) => k > 0 && height < 0) : resolution.course();
      if (node?.divide && i < count + this.mechanism.changes.length) node = resolution.course(roundingOfChange(this.mechanism, i - count, this.t, ...Object.values(this.state(this.y))));
      // Forces jump at a side, so that the functions of rows are resolved before it at most.
      if (node?.divide) return side === null ? { until: node.divide } : before > 0 ? { until: NODES[before], side } : { crossed: side };
      if (node !== null && node >= 0) first = Math.min(first, node);
    }
    const crossed = Math.min(side ?? 1, NODES[first] ?? 1);
    return side !== null || first < NODES.length ? { crossed } : {};
  }

  // A place between the last three looks at which a switching function is positive that has its largest value between them and is near 0 there.
  peak(at, values) {
    const last = values.length - 1, [from, , to] = NODES.slice(last - 2);
    for (let i = 0; i < this.signs.length; i++) {
      const [before, most, after] = values.slice(last - 2).map(list => list[i]), rise = Math.max(most - before, most - after);
      if (!(most >= before && most >= after && rise > 0) || most + rise < 0) continue;
      let low = from, high = to;
      for (let round = 0; round < 40; round++) {
        const [a, b] = [low + (high - low) * 0.382, low + (high - low) * 0.618], [left, right] = [a, b].map(part => this.beyond(...at(part))[i]);
        if (left > 0) return a;
        if (right > 0) return b;
        if (left > right) high = b; else low = a;
      }
    }
    return null;
  }

  // Settles contacts and changes modes in turn, until nothing changes: an impact may make the condition of a mode hold, and under another mode a
  // contact may open. `beyond`: the functions at an instant that the motion has just come to; null at its start.
  settle(beyond) {
    const { rows, changes } = this.mechanism, before = this.y;
    if (!changes.length && !rows.length) return;
    const first = beyond ? beyond.length - rows.length : 0, crossed = rows.map((_, k) => k).filter(k => beyond?.[first + k] > 0);
    let located = !crossed.length && (beyond ?? []).slice(first - changes.length, first).some(value => value > 0), turn = 0;
    if (crossed.length) this.settleRows(crossed, false);
    if (!beyond) {
      this.changeModes(false);
      if (rows.length) this.settleRows([], true);
    }
    for (; this.changeModes(located) && rows.length; turn++, located = false) {
      if (turn === MOST_TURNS) throw new Error(`${named("mode", [...new Set(changes)])} without end at one instant, with contacts between the changes`);
      this.settleRows([], false);
    }
    if (this.y.every((value, i) => value === before[i])) return;
    Object.assign(this, { signs: null, jumped: true, largest: this.largest.map((size, i) => Math.max(size, Math.abs(this.y[i]))) });
  }

  // Changes modes until no condition holds, and tells whether any changed.
  changeModes(located) {
    const { mechanism, t } = this;
    if (!mechanism.changes.length) return false;
    const { q, v, changed } = settleModes(mechanism, t, this.state(this.y), located, y => this.rates(t, y));
    this.changed.push(...changed.map(mode => ({ mode, t })));
    this.y = [...q, ...v];
    return changed.length > 0;
  }

  // Decides the phases of contacts and frictions, after the impacts.
  settleRows(crossed, fresh) {
    const { q, v, phases, impacts } = new Settling(this.mechanism, { t: this.t, ...this.state(this.y) }, this.phases, crossed, fresh).run();
    this.impacts += impacts;
    Object.assign(this, { y: [...q, ...v], phases });
  }

  // Steps to the first zero of a switching function, or the first beginning of a condition, which lies within `high`. Stages near the end of a step do not lie on the motion, so
  // that they may see the forces behind the switch. Therefore each step takes most of the distance, until none is left but rounding.
  stopAtSwitch(high) {
    const whole = high, begin = this.t, least = () => Math.max(1e-10 * whole, 64 * Number.EPSILON * Math.abs(this.t));
    const isCrossed = h => this.isBeyond(this.t + h, this.attempt(h).next);
    for (let approach = 0; approach < 40 && high > least(); approach++) {
      let low = 0;
      for (let round = 0; round < 40 && high - low > 0.02 * high && high > least(); round++) {
        const middle = low === 0 && round > 2 ? high / 16 : (low + high) / 2;
        if (isCrossed(middle)) high = middle; else low = middle;
      }
      let h = 0.97 * low, tried = null;
      for (; h > least(); h /= 2) {
        tried = this.attempt(h);
        if (tried.error <= 1) break;
        this.rejected++;
      }
      if (!(h > least())) break;
      const made = this.finish(h, tried), found = this.crossing(made);
      // Before the zero of a switching function, the phase of a row may end, or its functions are not resolved so far.
      if (found.crossed !== undefined && this.stopAtChange(made, found.crossed)) return;
      if (found.until < h) {
        this.accept(this.finish(found.until, this.attempt(found.until)), false);
        this.h = 2 * found.until;
        return;
      }
      this.accept(made, false);
      // The end of the search must lie behind the zero, or there is none: a shorter step has shown what a longer one did not.
      high = Math.max(1.05 * (high - h), least());
      while (high < whole && !isCrossed(high)) high *= 2;
      if (high >= whole) {
        this.h = whole / 4;
        return;
      }
    }
    if (high > least() && this.t === begin) throw new Error("a switch of the forces cannot be reached");
    if (high > least()) {
      this.h = high / 2;
      return;
    }
    this.cross(least(), whole / 4);
  }

  // Steps to where a mode changes or the phase of a row ends, if no force jumps before it: all stages of a step then lie on the motion, so that the
  // interpolant shows the place. Returns whether it did.
  stopAtChange(made, high) {
    const { t } = this, inside = h => Motion.inside(made, h / made.h), isSide = value => value > 0, count = this.signs.length;
    let low = 0;
    for (let round = 0; round < 60 && high - low > 1e-12 * made.h; round++) {
      const middle = round ? (low + high) / 2 : high, values = this.beyond(t + middle, middle === made.h ? made.next : inside(middle));
      if (values.slice(0, count).some(isSide)) return false;
      if (values.some(isSide)) high = middle; else low = middle;
    }
    for (let back = 1e-10 * made.h; low - back > 0.01 * made.h; back *= 8) {
      const h = low - back, tried = this.attempt(h);
      if (tried.error > 1 || this.isBeyond(t + h, tried.next)) continue;
      this.accept(this.finish(h, tried), false);
      this.cross(Math.max(back, 64 * Number.EPSILON * Math.abs(t)), made.h);
      return true;
    }
    return false;
  }

  // Crosses a switch that is about `least` away. The next step is as long as `h` at first.
  cross(least, h) {
    const before = this.changed.length, most = this.mechanism.rows.length ? MOST_ENDS : MOST_SWITCHES, { phases, impacts } = this;
    this.hop(least);
    this.switched.push(this.t);
    const isBounce = this.impacts > impacts && this.changed.length === before && phases.every((phase, k) => phase === this.phases[k]);
    if (!isBounce) this.turned.push(this.t);
    const recent = this.turned.slice(-most);
    if (recent.length === most && this.t - recent[0] < NO_PROGRESS * (this.t - this.start.t)) {
      const modes = [...new Set(this.changed.slice(-most).map(({ mode }) => mode))];
      const rows = "the phases of contacts and frictions change without end: no time passes between the changes";
      this.fail(this.changed.length > before ? `${named("mode", modes)} without end: no time passes between the changes` : this.mechanism.rows.length ? rows : STUCK);
    }
    this.h = h;
  }

  // Crosses a switch that is a rounding away, along the slope.
  hop(least) {
    const { t, y, slope } = this, ahead = h => y.map((value, i) => value + h * slope[i]);
    for (let h = least; h < 1e6 * least; h *= 2) {
      if (!this.isBeyond(t + h, ahead(h))) continue;
      h = this.firstEnd(h, ahead);
      const next = ahead(h), after = this.signsAt(t + h, next), beyond = this.beyond(t + h, next);
      Object.assign(this, { t: t + h, y: next, signs: after.map((sign, i) => beyond[i] > 0 ? sign : this.signs[i] || sign) });
      const powers = y.map((value, i) => Float64Array.of(value, h * slope[i], 0, 0, 0, 0, 0, 0));
      this.push({ t, h, powers });
      if (this.mechanism.c) {
        const { q, v } = this.mechanism.project(this.t, ...Object.values(this.state(this.y)));
        this.y = [...q, ...v];
      }
      this.settle(beyond);
      this.slope = this.rates(this.t, this.y);
      return;
    }
    throw new Error(STUCK);
  }

  // The first time within a hop of length `high` at which a mode changes or the phase of a row ends, so that impacts happen in their order. It is told
  // more closely than the time itself is, or a ball whose impacts take little of its energy would get as much from roundings of the time. Signs of switching functions are not resolved so closely, because some are rounding there.
  firstEnd(high, ahead) {
    const { t } = this, count = this.signs.length, ends = h => this.beyond(t + h, ahead(h)).slice(count).some(value => value > 0);
    if (!ends(high)) return high;
    let low = 0;
    for (const least = HOP_PART * high; high - low > least;) {
      const middle = (low + high) / 2;
      if (ends(middle)) high = middle; else low = middle;
    }
    return high;
  }

  // q and v at a time that has been reached.
  at(t) {
    const { steps, n } = this;
    if (!steps.length) return { q: this.start.q, v: this.start.v };
    let low = 0, high = steps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (steps[middle].t <= t) low = middle; else high = middle - 1;
    }
    const step = steps[low], y = Motion.inside(step, Math.min(1, Math.max(0, (t - step.t) / step.h)));
    return { q: y.slice(0, n), v: y.slice(n) };
  }
}

// What happens where contacts close or open, and where friction begins to stick or to slip. Nothing here knows of a page.

// Contacts that close within so many roundings of the time close at the same time.
const SIMULTANEOUS = 32;
// A contact stays closed if its next flight would be shorter than so many roundings of the time, or lower than so many roundings of the gap.
const SHORTEST_FLIGHT = 128, LOWEST_FLIGHT = 4;
// The most impacts in a row at one time.
const MOST_IMPACTS = 200;
// An impact may add energy up to so many roundings of the terms of its loss.
const ENERGY_ROUNDINGS = 1024;

// Positive where the phase of a row ends, for each row: an open gap is below 0, a closed contact would pull, a slip turns back, or a force at
// rest exceeds its bound. The rounding of accelerations in a step of length `size` is that of the rate of a row that slips at the rate 0.
const endsOfPhases = (mechanism, phases, t, q, v, size) => {
  const drift = phases.includes(STICKS) ? RATE_ROUNDINGS * Number.EPSILON * size : 0;
  const reduced = new Reduced(mechanism, t, q, v), gaps = mechanism.gaps(t, q), forces = reduced.forces(phases);
  return mechanism.rows.map(({ name, law, gap }, k) => {
    if (reduced.isIdle(k, phases)) return -1;
    const end = phases[k] === STICKS ? reduced.excess(k, forces, reduced.level)
      : law === "contact" ? -gaps[gap].value - reduced.gapRounding(k, gaps[gap])
      : -phases[k] * reduced.rate[k] - Math.max(reduced.rateRounding(k), drift * reduced.level.terms[k]);
    if (Number.isNaN(end)) throw new MotionError(`the gap, the rate or the force of ${name} is not a number (NaN)`, t, q, v);
    return end;
  });
};

class Settling {
  // `crossed`: the rows whose phases end here. `fresh`: the motion begins here, in no phases.
  constructor(mechanism, { t, q, v }, phases, crossed, fresh) {
    Object.assign(this, { mechanism, t, q, v, before: phases, crossed, fresh, impacts: 0 });
    this.all = mechanism.rows.map((_, k) => k);
    this.contacts = this.all.filter(k => mechanism.rows[k].law === "contact");
    this.timeRounding = Number.EPSILON * Math.abs(t);
  }

  reduced(q = this.q, v = this.v) { return new Reduced(this.mechanism, this.t, q, v); }
  gap(k, q = this.q) { return this.mechanism.gaps(this.t, q)[this.mechanism.rows[k].gap]; }
  law(k) { return this.mechanism.rows[k].law; }
  name(k) { return this.mechanism.rows[k].name; }

  // The state from which the motion goes on, and its phases.
  run() {
    const touching = this.touching(), rest = this.all.map(() => 0);
    this.impact(touching, rest);
    const struck = this.impacts > 0;
    const stops = k => !struck && (this.crossed.includes(k) || this.before[k] === STICKS && !this.fresh);
    const { phases, atRest } = this.atRest(this.reduced(), touching, rest, stops);
    // The velocity is brought to rest first, because forces and bounds may depend on it.
    const reduced = this.reduced();
    this.v = reduced.stopped(atRest, rest);
    const decided = this.reduced().decide(phases, atRest);
    return { q: this.q, v: this.v, phases: decided.phases, impacts: this.impacts };
  }

  checkRestitution(k, restitution) {
    if (!(restitution >= 0 && restitution <= 1)) throw new Error(`the coefficient of restitution of the contact ${this.name(k)} is ${restitution}, and must be from 0 to 1`);
  }

  // The contacts that touch. What is left of their gaps is removed.
  touching() {
    const reduced = this.reduced(), { v } = this, touching = [], ground = [];
    const isImpact = this.contacts.some(k => this.before[k] !== STICKS && this.crossed.includes(k));
    for (const k of this.contacts) {
      const gap = this.gap(k), { value, restitution } = gap, rounding = reduced.gapRounding(k, gap);
      this.checkRestitution(k, restitution);
      if (!(value >= -rounding) && (this.fresh || !this.crossed.includes(k) && this.before[k] !== STICKS)) {
        throw new MotionError(`the contact ${this.name(k)} is penetrated: its gap is ${value}`, this.t, this.q, v);
      }
      const wasClosed = this.before[k] === STICKS && !this.fresh, approach = Math.max(0, -reduced.rate[k]);
      const within = value <= rounding + (isImpact ? approach * SIMULTANEOUS * this.timeRounding : 0);
      if (wasClosed || this.crossed.includes(k) || within && (isImpact || this.fresh)) {
        touching.push(k);
        if (wasClosed || value < 0) ground.push(k);
      }
    }
    this.q = grounded(this.mechanism, this.t, this.q, this.v, ground);
    return touching;
  }

  // The rows that may rest, and the phases of the others.
  atRest(reduced, touching, rest, stops) {
    const phases = [...this.before], atRest = [];
    // Contacts stand before their slips.
    for (const k of this.all) {
      const rate = reduced.rate[k], law = this.law(k), stands = stops(k) || Math.abs(rate) <= rest[k];
      phases[k] = law !== "contact" && rate < 0 ? -1 : 1;
      if (law === "contact" ? touching.includes(k) && rate <= rest[k] : stands && (law === "friction" || atRest.includes(this.mechanism.rows[k].contact))) atRest.push(k);
    }
    return { phases, atRest };
  }

  // Impacts, one after the other, until no contact approaches. `rest` becomes the rate of each row that is rounding.
  impact(touching, rest) {
    for (;;) {
      const reduced = this.reduced(), { rate } = reduced;
      this.all.forEach(k => { rest[k] = Math.max(rest[k], reduced.rateRounding(k), reduced.level.terms[k] * this.timeRounding); });
      const approaching = touching.filter(k => rate[k] < -rest[k]);
      if (!approaching.length) return;
      if (++this.impacts > MOST_IMPACTS) throw new Error(`the impacts of ${reduced.names(approaching)} do not end at one instant`);
      const gaps = touching.filter(k => rate[k] <= rest[k]);
      const candidates = this.all.filter(k => gaps.includes(k) || this.law(k) === "slip" && gaps.includes(this.mechanism.rows[k].contact));
      const ofGaps = this.mechanism.restitutions(this.t, this.q, this.v);
      const restitution = this.all.map(k => approaching.includes(k) ? ofGaps[this.mechanism.rows[k].gap] : 0);
      approaching.forEach(k => this.checkRestitution(k, restitution[k]));
      const impulsesOf = restitution => {
        const level = {
          free: this.all.map(k => this.law(k) === "contact" ? rate[k] + restitution[k] * rate[k] : rate[k]),
          terms: this.all.map(k => 2 * reduced.rateTerms(k)), isImpact: true,
        };
        return reduced.decide(this.all.map(() => 1), candidates, level).forces;
      };
      let impulses = impulsesOf(restitution);
      this.check(reduced, impulses, approaching);
      // A contact that closes stops what approaches, and nothing more: its friction is that of this impulse.
      const { short } = this.shortFlights(reduced.changed(impulses, this.v), touching, rest);
      if (short.some(k => approaching.includes(k))) impulses = impulsesOf(restitution.map((e, k) => short.includes(k) ? 0 : e));
      this.v = reduced.changed(impulses, this.v);
      this.dropShortFlights(touching, rest);
    }
  }

  // Newton's law and Coulomb's contradict each other where an impact would add energy.
  check(reduced, impulses, approaching) {
    let loss = 0, scale = 0;
    for (const k of this.all) {
      const changes = impulses.map((impulse, l) => reduced.compliance[k][l] * impulse);
      const after = changes.reduce((sum, change) => sum + change, reduced.rate[k]);
      loss -= impulses[k] * (reduced.rate[k] + after) / 2;
      scale += Math.abs(impulses[k]) * (reduced.rateTerms(k) + changes.reduce((sum, change) => sum + Math.abs(change), 0) / 2);
    }
    if (loss < -ENERGY_ROUNDINGS * Number.EPSILON * scale) throw new Error(`the impact of ${reduced.names(approaching)} would add energy, because its laws contradict each other`);
  }

  // The contacts that open at velocities after an impact for flights too short or too low to be resolved, and the rows that go on resting.
  shortFlights(v, touching, rest) {
    const reduced = this.reduced(this.q, v), opening = touching.filter(k => reduced.rate[k] > rest[k]);
    if (!opening.length) return { short: [], atRest: [] };
    const { phases, atRest } = this.atRest(reduced, touching, rest, () => false);
    const { forces } = reduced.decide(phases, atRest);
    const short = opening.filter(k => {
      // A flight that begins at the rate s with the acceleration -w takes 2 s/w and rises by s²/(2 w).
      const s = reduced.rate[k], w = -reduced.driven(k, forces, reduced.level), lowest = LOWEST_FLIGHT * reduced.gapRounding(k, this.gap(k));
      return 2 * s <= w * SHORTEST_FLIGHT * this.timeRounding || s * s <= 2 * w * lowest;
    });
    return { short, atRest };
  }

  // Contacts do not open for such flights, so that infinitely many impacts end at rest.
  dropShortFlights(touching, rest) {
    const { short, atRest } = this.shortFlights(this.v, touching, rest);
    if (!short.length) return;
    const held = this.all.filter(k => short.includes(k) || atRest.includes(k));
    this.v = this.reduced().stopped(held, rest);
  }
}

// The coordinates, changed least in the metric of M, at which the gaps of these rows are 0.
const grounded = (mechanism, t, q, v, closed) => {
  let last = Infinity;
  for (let round = 0; closed.length && round < 8; round++) {
    const reduced = new Reduced(mechanism, t, q, v), gaps = mechanism.gaps(t, q), value = k => gaps[mechanism.rows[k].gap];
    const right = mechanism.rows.map((_, k) => closed.includes(k) ? -value(k).value : 0);
    const terms = mechanism.rows.map((_, k) => closed.includes(k) ? reduced.gapRounding(k, value(k)) / (GAP_ROUNDINGS * Number.EPSILON) : 0);
    const worst = Math.max(...closed.map(k => terms[k] > 0 ? Math.abs(right[k]) / terms[k] : 0));
    // Near rounding, the iteration ends at the first step that gains nothing.
    if (worst <= 2 * Number.EPSILON || worst >= 0.5 * last && worst <= GAP_ROUNDINGS * Number.EPSILON) break;
    last = worst;
    q = reduced.changed(reduced.shift(closed, right, terms), q);
  }
  return q;
};

// A state in known phases, with the gaps of closed contacts and the rates of all rows at rest at 0.
const held = (mechanism, phases, t, q, v) => {
  const rows = mechanism.rows.map((_, k) => k), closed = rows.filter(k => phases[k] === STICKS && mechanism.rows[k].law === "contact");
  const place = grounded(mechanism, t, q, v, closed), reduced = new Reduced(mechanism, t, place, v);
  return { q: place, v: reduced.stopped(rows.filter(k => phases[k] === STICKS && !reduced.isIdle(k, phases))) };
};

// For each switching function of other statements whether it has no sign, because rows stick: at the velocity at which they rest, it is not larger than
// what roundings of their rates change. Such a function is the rate of a row, or vanishes with it.
const unsigned = (mechanism, phases, t, q, v, values) => {
  const reduced = new Reduced(mechanism, t, q, v), rows = mechanism.rows.map((_, k) => k);
  const sticking = rows.filter(k => phases[k] === STICKS && !reduced.isIdle(k, phases)), rest = reduced.stopped(sticking);
  const atRest = mechanism.switches(t, q, rest), changes = values.map(() => 0);
  for (const k of sticking.filter(k => reduced.compliance[k][k] > 0)) {
    const impulses = rows.map(l => l === k ? reduced.rateRounding(k) / reduced.compliance[k][k] : 0);
    mechanism.switches(t, q, reduced.changed(impulses, rest)).forEach((value, i) => { changes[i] += Math.abs(value - atRest[i]); });
  }
  return changes.map((change, i) => Math.abs(atRest[i]) <= change);
};

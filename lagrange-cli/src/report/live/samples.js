// The values of a motion that are drawn: several in each step, so that curves are as smooth as the step is accurate.
const SAMPLES_A_STEP = 6;

class Samples {
  constructor(motion) {
    const { mechanism, n } = motion, { about, own } = mechanism;
    const lists = count => Array.from({ length: count }, () => []);
    Object.assign(this, { motion, next: 0, t: [], q: lists(own), v: lists(own), states: lists(n - own) });
    Object.assign(this, { outputs: lists(about.outputs.length), energies: {}, violation: 0, missing: null });
    if (!motion.error) this.add(motion.start.t, motion.start.q, motion.start.v);
  }

  // Takes the steps that were made since, until the clock shows `deadline`. Returns whether there were any.
  extend(deadline = Infinity) {
    const { motion } = this, from = this.next;
    for (; this.next < motion.steps.length && performance.now() < deadline; this.next++) {
      const step = motion.steps[this.next];
      // Curves go straight up where the state jumps.
      if (step.jumped) this.at(step, 0);
      for (let k = 1; k <= SAMPLES_A_STEP; k++) this.at(step, k / SAMPLES_A_STEP);
    }
    return this.next > from;
  }

  // Adds the values at a part of a step.
  at(step, part) {
    const { q, v } = this.motion.state(Motion.inside(step, part));
    this.add(step.t + part * step.h, q, v);
  }

  add(t, q, v) {
    const { mechanism } = this.motion, { module, own } = mechanism;
    this.t.push(t);
    for (let i = 0; i < own; i++) {
      this.q[i].push(q[i]);
      this.v[i].push(v[i]);
    }
    this.states.forEach((list, i) => list.push(v[own + i]));
    if (module.outputs) {
      const values = this.value("outputs", t, q, v)?.outputs;
      this.outputs.forEach((list, i) => list.push(values ? values[i] : NaN));
    }
    if (own) {
      const values = this.value("energies", t, q, v) ?? {};
      for (const name of Object.keys(values)) this.energies[name] ??= Array(this.t.length - 1).fill(NaN);
      for (const [name, list] of Object.entries(this.energies)) list.push(values[name] ?? NaN);
    }
    this.violation = Math.max(this.violation, mechanism.violation(t, q));
  }

  // The values of an evaluation. Where it has none, `missing` keeps what the first error says, and where it was.
  value(name, t, q, v) {
    try {
      return this.motion.mechanism.call(name, t, q, v);
    } catch (error) {
      this.missing ??= { name, t, text: error.message };
      return null;
    }
  }

  get length() { return this.t.length; }

  // Whether the motion has ended and all of it is here.
  get done() { return this.motion.done && this.next === this.motion.steps.length; }
}

// The outputs with two or three components, which move as points, by the places of their components among all outputs: `tip` of `tip[0]` and
// `tip[1]`. And the bodies of several points: the last word of `left_spring[0]`, and of `arm.spring[0]`, says how they are drawn.
const KINDS = {
  rod: "rod", bar: "rod", beam: "rod", link: "rod", line: "rod", rope: "rod", spring: "spring", body: "body", box: "body",
  floor: "floor", ground: "floor", wall: "floor",
};
const pointsOf = outputs => {
  const groups = new Map();
  outputs.forEach((name, place) => {
    const [, stem, index] = name.match(/^(.*)\[(\d+)\]$/) ?? [];
    if (stem === undefined) return;
    if (!groups.has(stem)) groups.set(stem, []);
    groups.get(stem)[Number(index)] = place;
  });
  const complete = ([, places]) => [2, 3].includes(places.length) && !Array.from(places).includes(undefined);
  const points = [...groups].filter(complete).map(([name, places]) => ({ name, places }));
  const shapes = new Map();
  points.forEach((point, index) => {
    const [, stem] = point.name.match(/^(.*)\[\d+\]$/) ?? [];
    const words = stem?.split(".").at(-1).split("[")[0].split("_").map(word => word.replace(/\d+$/, "")).filter(Boolean) ?? [];
    const kind = KINDS[words.at(-1)?.toLowerCase()];
    if (!kind) return;
    if (!shapes.has(stem)) shapes.set(stem, { name: stem, kind, points: [] });
    shapes.get(stem).points.push(index);
  });
  return { points, shapes: [...shapes.values()].filter(shape => shape.points.length >= (shape.kind === "body" ? 3 : 2)) };
};

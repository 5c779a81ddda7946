// Compares motions of the driver of pages with motions of Rust, for every mechanism of a program: node check.mjs PROGRAM DIRECTORY
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { checkContacts } from "./contacts.mjs";
import { DOP853, Mechanism, Motion, Samples, loadModule, motionOf, ofPage } from "./driver.mjs";

const [program, directory] = process.argv.slice(2);
const call = (...arguments_) => execFileSync(program, arguments_, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
mkdirSync(directory, { recursive: true });

// So many steps of the driver are compared; chaotic motions then have not multiplied their errors by more than a hundred.
const STEPS = 40;
// These are compared at a time instead: between impacts, behind the last of infinitely many impacts, before a slice lands, and in the fifth pulse of a current. Beginnings
// of motions from rest have no size of their own.
const UNTIL = { "bouncing-ball": 2.4, "full-wave-rectifier": 0.05, "marble-on-bar": 1.5, "rocking-block": 4, "tumbling-toast": 0.55, "yielding-ball": 1.3 };
// Mechanisms that a page cannot move to the time given here, and the message of the page. The beam starts from rest under a force that grows with
// t³, and no step is short enough for its first amplitudes. The cable is stiff, and its stretches begin with t⁴.
const UNRESOLVED = { "spinning-beam": [1e-3, "the steps become too small"], "hanging-cable": [1, "takes more than 20000 steps"] };
// The largest difference of a component, beside the largest value of it or, where that is smaller, of a component of its kind: the
// tolerance of the driver, 1e-9, times what errors of some tens of steps sum up to and motions multiply them by.
const ALLOWED = 1e-7;
// Rounding of sums of terms: constraints keep to this part of their terms at the ends of steps, and to the error of the
// interpolant between them.
const AT_STEPS = 1e-12, BETWEEN = 1e-7;

let failures = 0;
const check = (what, body) => {
  try {
    console.log(`${what}: ${body() ?? "holds"}`);
  } catch (error) {
    failures++;
    console.error(`FAILED ${what}: ${error.message}`);
  }
};

check("the coefficients are those of the runtime", () => {
  const source = readFileSync(new URL("../../lagrange-runtime/src/tableau/dormand_prince_853.rs", import.meta.url), "utf8");
  const numbers = [...source.matchAll(/"(-?[\d.]+(?:e-?\d+)?(?:\/\d+)?)"/g)].map(([, text]) => {
    const [over, under = 1] = text.split("/").map(Number);
    return over / under;
  });
  const { nodes, stages, weights, embedded, second, interpolant } = DOP853, of = list => list.map(([, number]) => number);
  const here = [...nodes, ...stages.flatMap(of), ...of(weights), ...of(embedded), ...of(second), ...interpolant.flatMap(([, powers]) => powers)];
  assert.deepEqual(here, numbers);
});

const rows = text => {
  const [head, ...lines] = text.trim().split("\n").filter(line => !line.startsWith("#"));
  return { names: head.split(","), last: lines.at(-1).split(",").map(Number) };
};

const names = call("list").split("\n").filter(line => /^[a-z]/.test(line));
const refused = [];
for (const name of names) {
  const path = `${directory}/${name}.html`;
  call("report", name, "--t-end", "0.01", "--live", "--output", path, "--force");
  const data = ofPage(path);
  if (!data) {
    refused.push(name);
    continue;
  }
  check(name, () => {
    if (name in UNRESOLVED) {
      const [until, said] = UNRESOLVED[name], motion = motionOf(data, until);
      motion.advance();
      assert.ok(motion.error?.message.includes(said), motion.error?.message);
      return "not moved, as it says";
    }
    // The length of the motion, by doubling.
    let until = UNTIL[name] ?? 1e-3;
    while (!(name in UNTIL)) {
      const motion = motionOf(data, until, { mostSteps: STEPS });
      motion.advance();
      if (motion.steps.length >= STEPS) {
        until = motion.t;
        break;
      }
      assert.equal(motion.error, null);
      until *= 2;
      if (until > 1e6) break;
    }
    const motion = motionOf(data, until);
    motion.advance();
    assert.equal(motion.error, null);
    const { names: heads, last } = rows(call("simulate", name, "--t-end", String(until), "--points", "2", "--csv", "-", "--method", "dop853", "--rtol", "1e-12"));
    const { about } = data, n = motion.n, wanted = title => last[heads.indexOf(title)];
    let worst = 0;
    const compare = (title, value, scale) => {
      assert.ok(heads.includes(title), `${title} is not among ${heads}`);
      worst = Math.max(worst, Math.abs(value - wanted(title)) / scale);
    };
    const own = about.coordinates.length, most = (from, to) => Math.max(...motion.largest.slice(from, to));
    const size = (index, from, to) => motion.largest[index] > 0 ? Math.max(motion.largest[index], 1e-3 * most(from, to)) : 1;
    about.coordinates.forEach((title, i) => {
      compare(title, motion.y[i], size(i, 0, own));
      compare(`${title}_dot`, motion.y[n + i], size(n + i, n, n + own));
    });
    about.states.forEach((title, i) => compare(title, motion.y[n + own + i], size(n + own + i, n + own, 2 * n)));
    assert.ok(worst <= ALLOWED, `the largest difference is ${worst}`);
    const samples = new Samples(motion);
    samples.extend();
    const { mechanism } = motion;
    let kept = 0;
    for (const { t, h } of motion.steps) {
      // The state at the end of a step is where the next one begins.
      const { q } = motion.at(t);
      kept = Math.max(kept, mechanism.violation(t, q));
      assert.ok(h > 0);
    }
    assert.ok(kept <= AT_STEPS && samples.violation <= BETWEEN, `constraints are violated by ${kept}, between steps by ${samples.violation}`);
    const constrained = mechanism.c ? `, constraints to ${kept.toExponential(0)}, between steps ${samples.violation.toExponential(0)}` : "";
    return `${worst.toExponential(1)} after ${motion.steps.length} steps to t = ${Number(until.toPrecision(4))}${constrained}`;
  });
}
check("every mechanism of the catalogue is computed, and what is refused says so", () => {
  // The friction of the top is found by an iteration that pages do not have; they do not switch constraints, and know neither bounds of friction at rest nor adhesion.
  assert.deepEqual(refused.sort(), ["ballistic-pendulum", "belt-block", "sticky-pad", "tippe-top"]);
  const path = `${directory}/refused.html`;
  call("report", "motor-pendulum", "--t-end", "0.01", "--live", "--input", "voltage=-8*theta", "--output", path, "--force");
  assert.equal(ofPage(path), null);
});

// Modes, against the motions that the tests of the runtime keep in `modes.json`. The largest value of each component is its scale.
const modes = JSON.parse(readFileSync(new URL("modes.json", import.meta.url), "utf8"));
const here = new URL("../tests/modes/mechanisms.rs", import.meta.url).pathname;
for (const { name, until, end, parameters, q, v, ...named } of modes) {
  check(`the modes of ${name}`, () => {
    call("export", here, name, "--to", "js", "--output", directory, "--force");
    const stem = name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
    const mechanism = new Mechanism(loadModule(readFileSync(`${directory}/${stem}.mjs`, "utf8")), { ...named, outputs: [], inputs: [] });
    mechanism.set(parameters, []);
    const motion = new Motion(mechanism, { t: 0, q, v }, until);
    motion.advance();
    if (end.failure) {
      // The error names all modes of the circle; the one of Rust is among them.
      const [, mode] = end.failure.match(/the mode `(\w+)` changes infinitely often/);
      assert.match(motion.error?.message ?? "no error", new RegExp(`\\b${mode}\\b.* without end`));
      return motion.error.message;
    }
    assert.equal(motion.error, null);
    assert.deepEqual(motion.changed.map(change => change.mode), end.modes);
    let worst = 0;
    motion.changed.forEach(({ t }, i) => { worst = Math.max(worst, Math.abs(t - end.times[i]) / until); });
    // The coordinate behind a state is not used.
    const own = end.q.slice(0, named.coordinates.length).map((value, i) => [i, value]);
    for (const [i, value] of [...own, ...end.v.map((value, i) => [motion.n + i, value])]) {
      worst = Math.max(worst, Math.abs(motion.y[i] - value) / (motion.largest[i] || 1));
    }
    // What has the values of a mode has them exactly.
    named.states.forEach((state, i) => {
      const place = named.coordinates.length + i;
      if (mechanism.changes.includes(state)) assert.equal(motion.y[motion.n + place], end.v[place]);
    });
    const samples = new Samples(motion);
    samples.extend();
    assert.ok(samples.t.every((t, i) => i === 0 || t >= samples.t[i - 1]));
    assert.ok(worst <= ALLOWED, `the largest difference is ${worst}`);
    return `${worst.toExponential(1)} after ${motion.steps.length} steps with ${motion.changed.length} changes`;
  });
}

checkContacts(check, call, directory);

// Known answers, written by hand as exports are.
const module = body => loadModule(`export const PARAMETERS = ["k"];
export function prepare(parameters) { return parameters; }
export function energies(p, t, q, v) { return { energy: v[0] ** 2 / 2 }; }
${body}`);
const about = { coordinates: ["x"], states: [], constraints: [], outputs: [], inputs: [] };
const byHand = (body, start, until, more = {}) => {
  const mechanism = new Mechanism(module(body), { ...about, ...more });
  mechanism.set([1], []);
  const motion = new Motion(mechanism, { t: 0, ...start }, until);
  motion.advance();
  return motion;
};
check("an oscillator agrees with its closed form, between steps too", () => {
  const motion = byHand("export function acceleration(p, t, q) { return { acceleration: [-q[0]] }; }", { q: [1], v: [0] }, 20);
  let worst = 0;
  for (let k = 0; k <= 1000; k++) worst = Math.max(worst, Math.abs(motion.at(k / 50).q[0] - Math.cos(k / 50)));
  assert.ok(worst < 2e-8, `${worst}`);
});
check("a force that jumps is met where it jumps", () => {
  // x'' = −sign(x): parabolas of period 4√2 from x = 1.
  const body = "export function acceleration(p, t, q) { return { acceleration: [-Math.sign(q[0])] }; }\nexport function switches(p, t, q) { return { switches: [q[0]] }; }";
  const motion = byHand(body, { q: [1], v: [0] }, 4 * Math.SQRT2);
  assert.equal(motion.error, null);
  assert.equal(motion.switched.length, 2);
  assert.ok(Math.abs(motion.switched[0] - Math.SQRT2) < 1e-9 && Math.abs(motion.y[0] - 1) < 1e-8, `${motion.switched}, ${motion.y}`);
});
check("a motion that sticks ends with an error, and not with a curve", () => {
  const body = "export function acceleration(p, t, q, v) { return { acceleration: [-Math.sign(v[0])] }; }\nexport function switches(p, t, q, v) { return { switches: [v[0]] }; }";
  const motion = byHand(body, { q: [0], v: [1] }, 5);
  assert.match(motion.error?.message ?? "", /sticks/);
  assert.ok(motion.t < 1.001 && Math.abs(motion.error.q[0] - 0.5) < 1e-6, `${motion.t} ${motion.error.q}`);
});
check("values that are no numbers end the motion before them", () => {
  const motion = byHand("export function acceleration(p, t, q) { return { acceleration: [Math.sqrt(1 - t) * 0 - 1] }; }", { q: [0], v: [0] }, 2);
  assert.match(motion.error?.message ?? "", /NaN/);
  assert.ok(motion.t <= 1 && motion.t > 0.99 && motion.y.every(Number.isFinite), `${motion.t}`);
});
check("a motion that leaves all bounds ends with an error", () => {
  const motion = byHand("export function acceleration(p, t, q, v) { return { acceleration: [v[0] ** 2] }; }", { q: [0], v: [1] }, 2);
  assert.ok(motion.error && Math.abs(motion.t - 1) < 1e-3, `${motion.t} ${motion.error}`);
});
check("a constraint that cannot be satisfied is named", () => {
  const body = `export function acceleration() { return { acceleration: [0] }; }
export function constraint(p, t, q) { return { value: [q[0] ** 2 + 1], scale: [q[0] ** 2 + 1], jacobian: [[2 * q[0]]], drift: [0] }; }
export function constraint_hidden(p, t, q, v) { return { rate: [2 * q[0] * v[0]], curvature: [2 * v[0] ** 2], reaction: [0] }; }`;
  assert.throws(() => byHand(body, { q: [1], v: [0] }, 1, { constraints: ["ring"] }), /constraint ring cannot be satisfied/);
});
check("a constraint of one term is met to the rounding of its coordinate", () => {
  const body = `export function acceleration() { return { acceleration: [0] }; }
export function constraint(p, t, q) { return { value: [Math.sin(q[0])], scale: [Math.abs(Math.sin(q[0]))], jacobian: [[Math.cos(q[0])]], drift: [0] }; }
export function constraint_hidden(p, t, q, v) { return { rate: [Math.cos(q[0]) * v[0]], curvature: [-Math.sin(q[0]) * v[0] ** 2], reaction: [0] }; }`;
  const motion = byHand(body, { q: [3], v: [0] }, 1, { constraints: ["half a turn"] });
  assert.equal(motion.error, null);
  assert.ok(Math.abs(motion.y[0] - Math.PI) < 1e-15 * 4, `${motion.y}`);
  assert.ok(motion.mechanism.violation(0, motion.y) < 1e-15);
});
check("outputs without values leave gaps, and the first one is told", () => {
  const body = `export function acceleration() { return { acceleration: [0] }; }
export function outputs(p, t, q) { if (q[0] > 0.5) throw new Error("there is no root"); return { outputs: [2 * q[0]] }; }`;
  const samples = new Samples(byHand(body, { q: [0], v: [1] }, 1, { outputs: ["root"] }));
  samples.extend();
  const at = samples.t.findIndex(t => t > 0.5);
  assert.ok(at > 0 && samples.outputs[0].length === samples.length && samples.energies.energy.length === samples.length);
  assert.ok(samples.outputs[0].every((value, i) => i < at ? value === 2 * samples.q[0][i] : Number.isNaN(value)));
  assert.deepEqual(samples.missing, { name: "outputs", t: samples.t[at], text: "there is no root" });
});
// The equations of a unit mass, by which the driver knows the energy that an attempt has.
const UNIT_MASS = "export function equations() { return { mass_matrix: [[1]] }; }";
check("an attempt that is rejected does not loosen the steps behind it", () => {
  // A ball on a stiff floor keeps its energy, g times 1 m.
  const floor = `${UNIT_MASS}
export function acceleration(p, t, q) { return { acceleration: [(q[0] < 0 ? -1e4 * q[0] : 0) - 9.81] }; }
export function switches(p, t, q) { return { switches: [q[0]] }; }`;
  const bouncing = byHand(floor, { q: [1], v: [0] }, 20);
  assert.equal(bouncing.error, null);
  const [x, v] = bouncing.y, energy = v * v / 2 + 9.81 * x + (x < 0 ? 5e3 * x * x : 0);
  assert.ok(Math.abs(energy - 9.81) < 1e-5, `${energy}`);
  const wall = `${UNIT_MASS}\nexport function acceleration(p, t, q) { return { acceleration: [Math.exp(-20 * q[0]) - 1] }; }`;
  const thrown = byHand(wall, { q: [5], v: [0] }, 20), { y: [place, speed] } = thrown;
  assert.ok(Math.abs(speed ** 2 / 2 + place + Math.exp(-20 * place) / 20 - 5) < 1e-5, `${thrown.y}`);
});
check("a motion may begin at a jump of its forces, and end at one", () => {
  const drive = `${UNIT_MASS}\nexport function acceleration(p, t) { return { acceleration: [Math.sign(Math.sin(t))] }; }
export function switches(p, t) { return { switches: [Math.sin(t)] }; }`;
  // x'' = 1 for π, then −1 for π.
  const pushed = byHand(drive, { q: [0], v: [0] }, 2 * Math.PI);
  assert.equal(pushed.error, null);
  assert.ok(Math.abs(pushed.y[0] - Math.PI ** 2) < 1e-7 && Math.abs(pushed.y[1]) < 1e-7, `${pushed.y}`);
  const square = `${UNIT_MASS}\nexport function acceleration(p, t, q) { return { acceleration: [Math.sign(Math.cos(Math.PI * t)) - q[0]] }; }
export function switches(p, t) { return { switches: [Math.cos(Math.PI * t)] }; }`;
  const ended = byHand(square, { q: [0], v: [0] }, 10.5);
  assert.equal(ended.error, null);
  assert.ok(ended.t >= 10.5 && ended.t < 10.5 + 1e-6, `${ended.t}`);
});
process.exitCode = failures ? 1 : 0;

// Contacts and dry friction in pages against closed forms, with the mechanisms of the runtime's own tests.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { Mechanism, Motion, Samples, loadModule } from "./driver.mjs";

const { sqrt, sin, cos, PI } = Math;
const near = (value, exact, allowed) => assert.ok(Math.abs(value - exact) <= allowed, `${value} instead of ${exact}`);

/** Runs all checks. `check` names and counts them, `call` calls the command line, and `directory` is for exported texts. */
export const checkContacts = (check, call, directory) => {
  const mechanism = (file, name, parameters, more) => exported(new URL(`../tests/runtime/${file}.rs`, import.meta.url).pathname, name, parameters, more);
  // A mechanism that is written here. The parameters have the names of `values`.
  const written = (name, block, values, more) => {
    const source = `${directory}/${name}.rs`, fields = Object.keys(values).map(field => `pub ${field}: f64`);
    writeFileSync(source, `#[lagrangian { ${block} }]\npub struct ${name} { ${fields.join(", ")} }\n`);
    return exported(source, name, Object.values(values), more);
  };
  const exported = (source, name, parameters, more = {}) => {
    call("export", source, ...(name ? [name] : []), "--to", "js", "--output", directory, "--force");
    const stem = (name ?? source.replaceAll("-", "_")).replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase(), module = loadModule(readFileSync(`${directory}/${stem}.mjs`, "utf8"));
    const count = more.constraints?.length ?? 0, coordinates = count ? module.UNKNOWNS.slice(0, -count) : module.UNKNOWNS;
    const made = new Mechanism(module, { coordinates, states: [], constraints: [], outputs: [], inputs: [], ...more });
    made.set(parameters, []);
    return made;
  };
  const run = (made, q, v, until) => {
    const motion = new Motion(made, { t: 0, q, v }, until);
    motion.advance();
    return motion;
  };
  const whole = (...arguments_) => {
    const motion = run(...arguments_);
    assert.equal(motion.error, null);
    return motion;
  };

  check("a blow passes through a row of balls, if they do not touch", () => {
    const row = mechanism("contacts", "Row", [1, 1, 1, 1, 1, 1]);
    for (const gap of [0, 1e-12, 1e-6, 1e-2]) {
      const { y, impacts } = whole(row, [-3, 0, 1 + gap, 2 + 2 * gap], [1, 0, 0, 0], 4);
      const exact = gap ? [0, 0, 0, 1] : [-0.5, 0.5, 0.5, 0.5];
      exact.forEach((value, i) => near(y[4 + i], value, 1e-10));
      assert.equal(impacts, gap ? 3 : 1);
    }
  });
  check("a point leaves a hill where the force on it vanishes", () => {
    const motion = whole(mechanism("contacts", "Hill", [1.5, 10, 2]), [0, 2], [0.5, 0], 1.45);
    // v² = v₀² + 2 g (r - y), and the force vanishes where v² = g y.
    const { q } = motion.at(motion.switched[0]);
    assert.equal(motion.switched.length, 1);
    near(q[1], (0.25 + 40) / 30, 1e-8);
    // Where the hill does not bear the point, it is outside.
    assert.ok(Math.hypot(...motion.y.slice(0, 2)) > 2.1);
  });
  check("an oscillator lands on a floor that it reaches by a millionth", () => {
    const depth = 1e-6, { impacts, y } = whole(mechanism("contacts", "Grazing", [1 - depth]), [1], [0], 4);
    assert.equal(impacts, 1);
    // The amplitude behind the impact: the speed there is halved.
    const floor = 1 - depth, speed = sqrt(1 - floor ** 2) / 2;
    near(sqrt(y[0] ** 2 + y[1] ** 2), sqrt(floor ** 2 + speed ** 2), 1e-8);
  });
  check("a body on a slope slides or sticks after its impact", () => {
    const g = 9.81, a = 0.4;
    for (const mu of [0.2, 0.6]) {
      const { y, phases } = whole(mechanism("contact_friction", "Slope", [2, g, a, mu]), [0, 0.5], [1, 0], 3);
      // The impulse of friction is μ times that of the slope, as long as the body slips.
      const fall = sqrt(1 / (g * cos(a))), first = 1 + g * sin(a) * fall - mu * g * cos(a) * fall, rate = g * (sin(a) - mu * cos(a));
      near(y[2], rate > 0 ? first + rate * (3 - fall) : 0, 1e-8);
      near(y[1], 0, 1e-14);
      assert.deepEqual(phases, rate > 0 ? [0, 1] : [0, 0]);
    }
  });
  check("friction that leaves no motion or several is an error", () => {
    const theta = 1, start = (v, omega) => [[0, sin(theta), theta], [v - sin(theta) * omega, omega * cos(theta), omega]];
    const ended = (mu, v, omega) => run(mechanism("contact_friction", "Rod", [1, 10, 1, 0, mu]), ...start(v, omega), 0.1).error?.message;
    assert.match(ended(2, -3, 0), /tip.*no motion/);
    assert.match(ended(2, -3, 4), /tip.*several motions/);
    assert.equal(ended(2, 3, 0), undefined);
    assert.equal(ended(0.5, -3, 0), undefined);
  });
  check("a block lands on both feet at once and does not turn, and comes to rest from an edge", () => {
    const [g, a] = [10, 0.3], block = mu => mechanism("contact_friction", "Block", [2, g, 0.5, 0.3, a, mu]);
    for (const mu of [0.35, 0.2]) {
      const level = whole(block(mu), [0, 0.5, 0], [1, 0, 0], 1);
      near(level.y[2], 0, 1e-12);
      assert.equal(level.impacts, 1);
      near(whole(block(mu), [0, 0.8, 0.2], [1, 0, 0], 4).y[1], 0.3, 1e-12);
      // Two feet that stick fix one sliding motion twice.
      near(whole(block(mu), [0, 0.3, 0], [0, 0, 0], 2).y[3], mu > Math.tan(a) ? 0 : 2 * g * (sin(a) - mu * cos(a)), 1e-8);
    }
  });
  check("a block that tumbles to rest makes no step that leaves its motion", () => {
    // An attempt that leaves the motion has large forces at its end, which must not measure its error.
    const tumbling = mechanism("contact_friction", "Block", [1.5942833423614502, 10, 0.30757195949554444, 0.39028693437576295, 0.15597842931747435, 0.18597924709320068]);
    const { y } = whole(tumbling, [0, 1.0341436177492143, -0.03542938232421875], [0.7107334136962891, 0, -0.35524749755859375], 3);
    assert.ok(Math.max(...y.map(Math.abs)) < 4, `${y}`);
  });
  check("an impact whose laws add energy is an error", () => {
    const theta = 1, landing = (e, mu) => run(mechanism("contact_friction", "Rod", [1, 10, 1, e, mu]), [0, sin(theta), theta], [0, -2, 3], 0.01).error?.message;
    assert.match(landing(1, 1) ?? "", /tip would add energy/);
    assert.equal(landing(1, 0), undefined);
    assert.equal(landing(0, 1), undefined);
  });
  check("a bead on a wire rests on its stop", () => {
    const g = 9.81, r = 2, h = -1, bead = e => mechanism("contacts", "Bead", [g, r, h, e, 0.5], { constraints: ["wire"] });
    const { y, phases } = whole(bead(0), [r, 0], [0, 0], 4);
    near(y[0], sqrt(3), 1e-10);
    near(y[1], h, 1e-12);
    near(Math.hypot(y[2], y[3]), 0, 1e-12);
    // The friction is in row 0; stop and wire bear the bead without it.
    assert.equal(phases[1], 0);
    assert.ok(whole(bead(0.6), [r, 0], [0, 0], 2).impacts > 1);
  });
  check("a block on a spring stops after as many strokes as its friction allows", () => {
    // From x₀ the amplitudes fall by 2 μ a stroke, which takes π, until the spring no longer exceeds μ.
    const mu = 0.3, { y, phases } = whole(mechanism("friction", "Block", [mu]), [2], [0], 12);
    near(y[0], -(2 - 2 * mu * 3), 1e-8);
    near(y[1], 0, 1e-15);
    assert.deepEqual(phases, [0]);
    const { q } = run(mechanism("friction", "Block", [mu]), [2], [0], 12).at(PI);
    near(q[0], -(2 - 2 * mu), 1e-8);
  });
  check("a block on a slope that steepens begins to slide where it must", () => {
    const [m, g, mu, rate] = [2, 9.81, 0.5, 0.1], motion = whole(mechanism("friction", "Slope", [m, g, mu, rate]), [0], [0], 8);
    const begins = Math.atan(mu) / rate;
    near(motion.switched[0], begins, 1e-9);
    // dv/dt = g (sin α - μ cos α).
    const v = t => g / rate * (-cos(rate * t) - mu * sin(rate * t));
    near(motion.y[1], v(8) - v(begins), 1e-7);
  });
  check("infinitely many impacts end at rest, at their time", () => {
    for (const [e, until, least] of [[0.7, 3, 50], [0.99, 120, 2400]]) {
      const g = 9.81, { y, phases, impacts, switched } = whole(mechanism("contacts", "Ball", [1, g, e]), [1], [0], until);
      // The flights are a geometric series.
      near(switched.at(-1) / until, sqrt(2 / g) * (1 + 2 * e / (1 - e)) / until, 1e-9);
      assert.deepEqual([...y, ...phases], [0, 0, 0]);
      assert.ok(impacts > least);
    }
  });
  check("a motion that begins below a floor is refused", () => {
    assert.match(run(mechanism("contacts", "Ball", [1, 9.81, 0.5]), [-0.1], [0], 1).error?.message ?? "", /floor is penetrated/);
    assert.throws(() => mechanism("contacts", "Ball", [1, 9.81, 1.5]), /1 - e must not be negative/);
  });
  check("curves of a bounce have both speeds at the impact", () => {
    const samples = new Samples(whole(mechanism("contacts", "Ball", [1, 9.81, 0.5]), [1], [0], 1));
    samples.extend();
    const at = samples.t.findIndex((t, i) => i > 0 && t === samples.t[i - 1]), [before, after] = [samples.v[0][at - 1], samples.v[0][at]];
    near(samples.t[at], sqrt(2 / 9.81), 1e-9);
    near(after, -before / 2, 1e-9);
  });

  // The first zero of a function, from steps that are short beside its oscillation.
  const firstZero = (value, step) => {
    let high = step;
    while (value(high) * value(0) > 0) high += step;
    let low = high - step;
    for (let round = 0; round < 60; round++) {
      const middle = (low + high) / 2;
      if (value(middle) * value(0) > 0) low = middle; else high = middle;
    }
    return high;
  };
  check("a force that oscillates while a body is at rest moves it the first time that it exceeds the bound", () => {
    const block = "coordinates x; kinetic = m*dot(x)^2/2; force x = f*sin(w*t)*t/(1 + t); friction pad: x = b;";
    for (const [f, w] of [[1.5, 50], [1.2, 20]]) {
      const motion = new Motion(written("Swelling", block, { m: 1, f, w, b: 1 }), { t: 0, q: [0], v: [0] }, 20);
      while (!motion.done && !motion.switched.length) motion.step();
      near(motion.switched[0], firstZero(t => f * sin(w * t) * t / (1 + t) - 1, 0.01 / w), 1e-9);
    }
  });
  check("a ball strikes a floor that vibrates fast where they first meet", () => {
    const block = "coordinates y; kinetic = m*dot(y)^2/2; potential = m*g*y; contact floor: y - h*sin(w*t) >= 0, restitution = e;";
    for (const [g, h, w, y, v] of [[0, 0.2, 100, 0.5, -0.3], [10, 0.05, 300, 1, 0]]) {
      const { switched } = whole(written("Vibrating", block, { m: 1, g, e: 0.5, h, w }), [y], [v], 1.1);
      near(switched[0], firstZero(t => y + v * t - g * t * t / 2 - h * sin(w * t), 0.01 / w), 1e-9);
    }
  });
  check("a mode changes the first time that its condition holds, which oscillates and grows", () => {
    const block = "coordinates x; kinetic = m*dot(x)^2/2; mode on = when f*sin(w*t)*t/(1 + t) > 1 { 1 };";
    const { changed } = whole(written("Growing", block, { m: 1, f: 1.5, w: 50 }, { coordinates: ["x"], states: ["on"] }), [0, 0], [1, 0], 20);
    near(changed[0].t, firstZero(t => 1.5 * sin(50 * t) * t / (1 + t) - 1, 1e-4), 1e-9);
  });
  check("bodies rest under forces that grow from 0", () => {
    for (const m of [1.7, 5, 7]) {
      const [g, mu, rate] = [9.81, 0.5, 0.1], { switched } = whole(mechanism("friction", "Slope", [m, g, mu, rate]), [0], [0], 8);
      near(switched[0], Math.atan(mu) / rate, 1e-9);
    }
    // The lower pad gives way first, and both bodies go as one.
    const block = "coordinates x, y; kinetic = m*dot(x)^2/2 + n*dot(y)^2/2; force x = f*t; friction lower: x = b1; friction upper: x - y = b2;";
    for (const [m, n] of [[1.7, 0.3], [3, 1.1]]) {
      const stack = whole(written("Ramp", block, { m, n, f: 1.3, b1: 2, b2: 5 }), [0, 0], [0, 0], 2);
      near(stack.switched[0], 2 / 1.3, 1e-9);
      // (m + n) dv/dt = f t - b1.
      const exact = 1.3 * (2 - 2 / 1.3) ** 2 / 2 / (m + n);
      stack.y.slice(2).forEach(v => near(v, exact, 1e-9));
    }
    // Current begins where the source exceeds the battery, and ends with L di/dt + R i = U sin ωt - E.
    const [L, R, U, w, E] = [1.37e-3, 0.2, 30, 314.159, 12], rectifier = exported("full-wave-rectifier", undefined, [L, R, U, w, E]);
    const { switched } = whole(rectifier, [0], [0], 0.05), begin = Math.asin(E / U) / w, size = U / (R * R + w * w * L * L);
    const forced = t => size * (R * sin(w * t) - w * L * cos(w * t)) - E / R, current = t => forced(t) - forced(begin) * Math.exp(-R / L * (t - begin));
    near(switched[0], begin, 1e-11);
    near(switched[1], begin + 1e-3 + firstZero(s => current(begin + 1e-3 + s), 1e-5), 1e-9);
  });
  check("a body leaves a floor where the force between them vanishes, and its friction at rest with it", () => {
    const [g, h, w] = [10, 0.2, 8], block = `coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = m*g*y;
      contact floor: y - h*sin(w*t) >= 0, restitution = e, friction = mu, slip = x;`;
    const { switched, phases } = whole(written("Lifted", block, { m: 1, g, e: 0, mu: 0.3, h, w }), [0, 0], [0, h * w], 0.2);
    // The floor falls faster than the body where h w² sin w t exceeds g.
    near(switched[0], Math.asin(g / (h * w * w)) / w, 1e-9);
    assert.equal(phases[0], 1);
  });
  check("what sticks has no sign in the functions of other statements, and gets one when it slips", () => {
    const drag = "-c*dot(x)*abs(dot(x))", block = `coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = m*g*y;
      contact floor: y - s*x >= 0, restitution = e, friction = mu, slip = x + s*y; force x = ${drag} - r*t; force y = ${drag.replaceAll("x", "y")};`;
    const [m, g, mu, s, c, r] = [1.3, 10, 0.8, 0.37, 0.1, 2], dragged = r => written("Dragged", block, { m, g, e: 0, mu, s, c, r });
    const landed = whole(dragged(0), [1.3, 1], [1, 0], 2);
    assert.deepEqual([landed.switched.length, ...landed.phases], [1, 0, 0]);
    near(landed.y[1] - s * landed.y[0], 0, 1e-15);
    near(Math.hypot(landed.y[2], landed.y[3]), 0, 1e-30);
    // It came up the slope, and is drawn down where r t + s m g = μ (m g - s r t).
    const drawn = whole(dragged(r), [1.3, 1], [1, 0], 3);
    const begins = m * g * (mu - s) / (r * (1 + mu * s));
    near(drawn.switched[1], begins, 1e-9);
    assert.deepEqual(drawn.phases, [0, -1]);
    // From there, the drag and the friction act up the slope. The motion along x with its reaction, by the classical rule of Runge and Kutta.
    const along = (t, v) => {
      const [x, y] = [c * v * v - r * t, c * (s * v) ** 2 - m * g], force = s * x - y;
      return (x + s * y + mu * force) / (m * (1 + s * s));
    };
    let v = 0;
    for (let i = 0, h = (3 - begins) / 200; i < 200; i++) {
      const t = begins + i * h, a = along(t, v), b = along(t + h / 2, v + h / 2 * a), d = along(t + h / 2, v + h / 2 * b);
      v += h / 6 * (a + 2 * b + 2 * d + along(t + h, v + h * d));
    }
    near(drawn.y[2], v, 1e-9);
  });
};

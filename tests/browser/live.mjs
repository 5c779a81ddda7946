// What a reader does with a page that computes. Its parts are in `document.getElementById("live-panel").panel`.
import assert from "node:assert/strict";

// The motion is computed to its end, and what came of it is drawn.
export const settled = page => page.call(async () => {
  for (let frame = 0; frame < 600; frame++) {
    await new Promise(requestAnimationFrame);
    const { panel } = document.getElementById("live-panel");
    if (!panel.dirty && !panel.waiting && (!panel.samples || panel.samples.done)) return;
  }
  throw new Error("the motion is not computed within 600 frames");
});
const slide = (page, name, place) => page.call((name, place) => {
  const range = document.querySelector(`#live-panel input[type=range][data-name="${name}"]`);
  range.value = place;
  range.dispatchEvent(new Event("input", { bubbles: true }));
}, name, place);
const press = (page, selector) => page.call(selector => document.querySelector(`#live-panel ${selector}`).click(), selector);
const seen = page => page.call(() => {
  const { panel } = document.getElementById("live-panel"), { chart, curves } = panel.charts.curves;
  return {
    names: panel.quantities.map(({ name }) => name),
    values: panel.values,
    end: panel.samples && [panel.samples.t.at(-1), ...panel.samples.q.map(list => list.at(-1))],
    length: panel.about.length,
    drawn: curves.map(({ x, y, kept }) => ({ kept, count: x.length, last: y.at(-1) })),
    ranges: chart && ["x", "y"].map(name => [chart.scales[name].min, chart.scales[name].max]),
    time: panel.time,
    alert: panel.alert.hidden ? null : panel.alert.textContent,
    frames: panel.frames,
  };
});
const reset = async page => {
  await press(page, ".live-reset");
  await settled(page);
};
const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

export const ofLive = {
  async "computes the motion to its end when it opens"(page) {
    await settled(page);
    const { end, length, drawn, alert } = await seen(page);
    assert.equal(alert, null);
    assert.ok(Math.abs(end[0] - length) < 1e-12 * length, `${end[0]} of ${length}`);
    assert.ok(drawn.length > 0 && drawn.every(({ count }) => count > 50), JSON.stringify(drawn));
  },

  async "shows the points that the recorded animation shows"(page) {
    const [recorded, live] = await page.call(() => [
      JSON.parse(document.getElementById("data").textContent).points,
      (({ points, shapes }) => ({ points, shapes }))(document.getElementById("live-panel").panel.stage ?? { points: [], shapes: [] }),
    ]);
    assert.deepEqual(live.points.map(({ name }) => name), recorded.all.map(({ name }) => name));
    assert.deepEqual(live.shapes.map(({ name, kind, points }) => ({ name, kind, points })), recorded.shapes);
  },

  async "follows a slider with all curves, and goes back"(page) {
    const before = await seen(page), name = before.names[0];
    await slide(page, name, 0.5);
    await settled(page);
    const after = await seen(page);
    assert.ok(Math.abs(after.values.parameters[0] / before.values.parameters[0] - 2) < 1e-12, `${after.values.parameters[0]}`);
    await slide(page, name, 0);
    await settled(page);
    const back = await seen(page);
    assert.deepEqual(back.end, before.end);
    assert.deepEqual(back.values, before.values);
    // A parameter of a potential or of lengths changes the motion; a mass alone may not.
    const last = before.names.indexOf("l") >= 0 ? "l" : "g";
    await slide(page, last, 0.3);
    await settled(page);
    assert.notDeepEqual((await seen(page)).end, before.end);
    await reset(page);
  },

  async "shows the kept motion behind the new one"(page) {
    await press(page, ".live-keep");
    await slide(page, "g", -0.6);
    await settled(page);
    const { drawn, end } = await seen(page), kept = drawn.filter(curve => curve.kept), own = drawn.filter(curve => !curve.kept);
    assert.ok(kept.length > 0 && kept.length === own.length, JSON.stringify(drawn));
    assert.equal(own[0].last, end[1]);
    assert.ok(kept.some((curve, i) => curve.last !== own[i].last), "both are the same");
    await reset(page);
    assert.ok((await seen(page)).drawn.every(curve => !curve.kept), "the kept motion stays");
  },

  async "starts where a point is dragged to"(page) {
    const place = () => page.call(() => {
      const { panel } = document.getElementById("live-panel"), { stage, motion, mechanism, about } = panel;
      panel.canvas.scrollIntoView({ block: "center", behavior: "instant" });
      const { left, top } = panel.canvas.getBoundingClientRect(), { q, v } = motion.at(about.start.t);
      const points = stage.places(mechanism.call("outputs", about.start.t, q, v).outputs).map(at => stage.screen(at)).map(([x, y]) => [x + left, y + top]);
      const origin = stage.screen([0, 0, 0]);
      return { points, origin: [origin[0] + left, origin[1] + top] };
    });
    if (!await page.call(() => document.getElementById("live-panel").panel.stage !== null)) return;
    await page.call(() => {
      const { panel } = document.getElementById("live-panel");
      panel.run(false);
      panel.time = panel.about.start.t;
      panel.request();
    });
    const { points, origin } = await place(), from = points.at(-1), before = await seen(page);
    // A place on the circle about the origin, which the last point reaches.
    const [x, y] = [from[0] - origin[0], from[1] - origin[1]], target = [origin[0] + 0.8 * (x * 0.8 - y * 0.6), origin[1] + 0.8 * (y * 0.8 + x * 0.6)];
    await page.drag(from, target);
    await settled(page);
    const after = await seen(page);
    assert.notDeepEqual(after.values.q, before.values.q);
    assert.deepEqual(after.values.v, before.values.v);
    await page.call(() => document.getElementById("live-panel").panel.stage.draw([], 0, 1));
    const reached = await page.call(target => {
      const { panel } = document.getElementById("live-panel"), { stage, motion, mechanism, about } = panel, { q, v } = motion.at(about.start.t);
      return { violation: mechanism.violation(about.start.t, q), q, values: panel.values.q, target };
    }, target);
    assert.ok(reached.violation < 1e-12, `${reached.violation}`);
    reached.q.forEach((value, i) => assert.ok(Math.abs(value - reached.values[i]) < 1e-9 * (1 + Math.abs(value)), "the sliders show another start"));
    if (!await page.call(() => document.getElementById("live-panel").panel.stage.space)) {
      const at = (await place()).points.at(-1);
      // The picture may have another scale now; then the direction from the hinge tells.
      const now = await place(), angle = ([a, b], [c, d]) => Math.atan2(b - d, a - c), turn = angle(at, now.origin) - angle(target, origin);
      assert.ok(Math.abs(Math.sin(turn)) < 0.05 && Math.cos(turn) > 0, `${at} for ${target}`);
    }
    await reset(page);
  },

  async "plays, and computes and draws a change within frames"(page, { width }) {
    await press(page, ".live-play");
    await page.frames(20);
    assert.ok((await seen(page)).time > 0, "the time stands still");
    for (let k = 0; k < 30; k++) {
      await slide(page, "g", 0.01 * k);
      await page.frames(1);
    }
    const playing = await seen(page);
    await press(page, ".live-play");
    await reset(page);
    const time = median(playing.frames.slice(-30));
    console.log(`  computing anew and drawing took ${time.toFixed(1)} ms a frame at ${width} px`);
    assert.ok(time < 50, `${time} ms`);
  },

  async "shows an error with its reason, and no curve"(page) {
    const type = (name, text) => page.call((name, text) => {
      const field = document.querySelector(`#live-panel input[type=number][data-name="${name}"]`);
      field.value = text;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }, name, text);
    const mass = (await seen(page)).names[0];
    await type(mass, "0");
    await settled(page);
    const wrong = await seen(page);
    assert.match(wrong.alert ?? "", /must be positive|singular|NaN/);
    assert.ok(wrong.drawn.every(({ count }) => count <= 1), JSON.stringify(wrong.drawn));
    await reset(page);
    assert.equal((await seen(page)).alert, null);
  },
};

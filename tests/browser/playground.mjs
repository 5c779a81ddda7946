// What a reader does in the playground: types a block, makes mistakes, moves a slider, plays.
import assert from "node:assert/strict";
import { ofLive, settled } from "./live.mjs";

// Types a source and waits for the answer to it.
const typed = (page, source) => page.call(async source => {
  const { playground } = document.body;
  if (source !== null) {
    playground.source.value = source;
    playground.source.dispatchEvent(new Event("input", { bubbles: true }));
  }
  for (let frame = 0; frame < 3000; frame++) {
    await new Promise(requestAnimationFrame);
    const { busy, wanted, answer } = playground;
    if (!busy && wanted === null && answer) return;
  }
  throw new Error("there is no answer");
}, source);
const seen = page => page.call(() => ({
  marks: [...document.querySelectorAll("#shade u")].map(mark => mark.textContent),
  messages: [...document.querySelectorAll("#messages button")].map(button => button.textContent),
  equations: document.querySelectorAll("#equations math").length,
  facts: [...document.querySelectorAll("#facts li")].map(fact => fact.textContent),
  computes: Boolean(document.body.playground.panel),
  times: document.body.playground.times,
}));

const PENDULUM = `#[lagrangian {
    coordinates theta;
    kinetic = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta);
    output bob = [l*sin(theta), -l*cos(theta)];
}]
struct Pendulum {
    m: f64,
    l: f64,
    g: f64,
}
`;
// What is written in place of what, the text that is underlined, and a part of the message.
const MISTAKES = [
  ["m*l^2", "n*l^2", "n", /`n`/],
  ["cos(theta);\n    output", "cosine(theta);\n    output", "cosine", /`cosine`/],
  ["potential = ", "potental = ", "potental", /potential/],
  ["coordinates theta;", "coordinates theta, theta;", "theta", /theta/],
  ["^2/2", "**2/2", "**", /\^/],
  ["= m*l", "= 2m*l", "2m", /2\*m|factor|\*/],
  ["cos(theta)];", "cos(theta, 1)];", null, /cos/],
  ["dot(theta)^2", "theta.dot(theta)^2", null, /dot/],
  ["-m*g*l*cos(theta)", "-m*g*l*[cos(theta), 1]", null, /vector|scalar|component/],
  ["m*g*l*cos(theta);", "m*g*l*cos(theta;", null, /delimiter/],
];

const { "shows the points that the recorded animation shows": _, ...live } = ofLive;
export const ofPlayground = {
  async "derives the first example"(page) {
    await typed(page, null);
    await settled(page);
    const { equations, computes, messages } = await seen(page);
    assert.deepEqual(messages, []);
    assert.ok(equations > 5 && computes, `${equations} equations`);
  },

  ...live,

  async "derives a block that is typed, and computes its motion"(page) {
    await typed(page, PENDULUM);
    await settled(page);
    const { messages, marks, facts, computes } = await seen(page);
    assert.deepEqual([messages, marks], [[], []]);
    assert.ok(facts.includes("The mechanism conserves its energy."), facts.join("; "));
    assert.ok(computes, "there is no motion");
  },

  async "underlines ten mistakes at their terms, and shows no motion beside them"(page) {
    for (const [right, wrong, underlined, message] of MISTAKES) {
      assert.ok(PENDULUM.includes(right), right);
      await typed(page, PENDULUM.replace(right, wrong));
      const { marks, messages, computes } = await seen(page);
      assert.ok(messages.length > 0 && marks.length > 0, `${wrong}: no message`);
      assert.ok(messages.some(text => message.test(text)), `${wrong}: ${messages.join("; ")}`);
      if (underlined !== null) assert.ok(marks.includes(underlined), `${wrong}: ${JSON.stringify(marks)} is underlined`);
      assert.ok(!computes, `${wrong}: a motion is shown`);
    }
    await typed(page, PENDULUM);
    assert.deepEqual((await seen(page)).marks, []);
  },

  async "keeps the values of sliders while one types"(page) {
    await page.call(() => {
      const range = document.querySelector('#live-panel input[type=range][data-name="l"]');
      range.value = 0.5;
      range.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await typed(page, `${PENDULUM}// more\n`);
    await settled(page);
    const value = await page.call(() => document.querySelector('#live-panel input[type=number][data-name="l"]').value);
    assert.equal(Number(value), 2);
  },

  async "shows every example, with its motion"(page) {
    const names = await page.call(() => [...document.getElementById("chosen-example").options].map(option => option.textContent));
    assert.ok(names.length >= 30, `${names.length} examples`);
    const without = [];
    for (let index = 0; index < names.length; index++) {
      await page.call(index => {
        const list = document.getElementById("chosen-example");
        list.value = index;
        list.dispatchEvent(new Event("change", { bubbles: true }));
      }, index);
      await typed(page, null);
      const { computes, messages } = await seen(page);
      assert.ok(!messages.some(text => / error: /.test(text)), `${names[index]}: ${messages.join("; ")}`);
      if (!computes) without.push(names[index]);
      else {
        const alert = await page.call(() => document.body.playground.panel.alert.hidden ? "" : document.body.playground.panel.alert.textContent);
        assert.ok(!/There is no motion/.test(alert), `${names[index]}: ${alert}`);
      }
    }
    assert.deepEqual(without, []);
  },

  async "takes at most 300 ms from an edit of the double pendulum to its first picture"(page, { width }) {
    await page.call(() => {
      const list = document.getElementById("chosen-example");
      list.value = [...list.options].findIndex(option => option.textContent === "double-pendulum");
      list.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await typed(page, null);
    const source = await page.call(() => document.body.playground.source.value);
    for (let k = 0; k < 5; k++) await typed(page, `${source}// ${k}\n`);
    // The quickest of them, because other programs share the processors.
    const times = (await seen(page)).times.slice(-5), quickest = Math.min(...times);
    console.log(`  an edit of the double pendulum took ${quickest.toFixed(0)} ms at ${width} px`);
    assert.ok(quickest <= 300, `${times} ms`);
  },
};

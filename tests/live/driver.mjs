// The driver of pages that compute, as a page has it.
import { readFileSync } from "node:fs";

const room = new URL("../../lagrange-cli/src/report/live/", import.meta.url);
const files = ["coefficients", "mechanism", "modes", "contacts", "impacts", "resolution", "motion", "samples"];
const text = files.map(file => readFileSync(new URL(`${file}.js`, room), "utf8")).join("\n");
export const { DOP853, loadModule, Mechanism, Motion, MotionError, Samples, pointsOf } = new Function(
  `"use strict";\n${text}\nreturn { DOP853, loadModule, Mechanism, Motion, MotionError, Samples, pointsOf };`,
)();

/** What a page of a mechanism has for its driver; `null` if it says that it cannot compute. */
export const ofPage = path => {
  const page = readFileSync(path, "utf8"), found = page.match(/<script type="application\/json" id="live-data">(.*?)<\/script>/s);
  if (found) return JSON.parse(found[1]);
  if (!page.includes('id="live-refused"')) throw new Error(`${path} neither computes nor says that it cannot`);
  return null;
};

/** A motion from the start of a page. */
export const motionOf = ({ module, about }, until, options) => {
  const mechanism = new Mechanism(loadModule(module), about), { start } = about;
  mechanism.set(about.parameters.map(row => row.value), about.inputs.map(row => row.value));
  const hidden = about.states.map(() => 0);
  return new Motion(mechanism, { t: start.t, q: [...start.q, ...hidden], v: start.v }, start.t + until, options);
};

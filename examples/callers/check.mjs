// Prints the motion of main.c, as the WebAssembly module computes it: node check.mjs ball.wasm
import { readFileSync } from "node:fs";
import { load } from "./ball.mjs";

const module = readFileSync(process.argv[2]), advance = await load(module);
let state = { t: 0, y: 1, v: 0 };
for (let i = 1; i <= 6; i++) {
  state = advance(state, 0.5 * i);
  console.log(`${state.t.toFixed(1)} s ${state.y.toFixed(9)} m`);
}
const refusal = async (parameters, start) => (await load(module, parameters))(start, 5);
const [notAllowed, noMotion] = ["the parameters are not allowed", "there is no motion"], after = { ...state, t: 6 };
for (const [parameters, start, reason] of [
  [{ g: -1 }, state, notAllowed], [{ m: 0 }, state, notAllowed], [{ e: 1.5 }, state, notAllowed], [{ e: -0.1 }, state, notAllowed],
  [{}, { ...state, y: NaN }, noMotion], [{}, { ...state, y: -1 }, noMotion], [{}, after, noMotion],
]) {
  const found = await refusal(parameters, start).then(() => "it is accepted", error => error.message);
  if (found !== reason) throw new Error(`${JSON.stringify({ parameters, start })}: ${found}`);
}

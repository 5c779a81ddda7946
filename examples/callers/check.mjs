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
for (const [parameters, start] of [[{ g: -1 }, state], [{}, { ...state, y: NaN }], [{}, { ...state, t: 6 }]]) {
  await refusal(parameters, start).then(() => { throw new Error(`${JSON.stringify({ parameters, start })} is accepted`); }, () => {});
}

// A ball on a floor, by the runtime of lagrange as WebAssembly. `module`: the bytes of ball.wasm. Returns what moves a state { t, y, v } on to a time.
export const load = async (module, { m = 1, g = 9.81, e = 0.7 } = {}) => {
  const { instance } = await WebAssembly.instantiate(module);
  const { memory, ball_advance } = instance.exports;
  // The parameters and the state stand in a page of memory that nothing else uses.
  const place = memory.grow(1) * 65536;
  return ({ t, y, v }, end) => {
    new Float64Array(memory.buffer, place, 6).set([m, g, e, t, y, v]);
    const failure = ball_advance(place, end, place + 24);
    if (failure) throw new Error(["", "a pointer is null", "the parameters are not allowed", "there is no motion"][failure]);
    const [reached, height, speed] = new Float64Array(memory.buffer, place + 24, 3);
    return { t: reached, y: height, v: speed };
  };
};

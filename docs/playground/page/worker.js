// Derives in a thread of its own, so that typing never waits. The page sends the module first, and then sources.
let derivation = null;
onmessage = async ({ data }) => {
  if (data.wasm) {
    derivation = (await WebAssembly.instantiate(data.wasm, {})).instance.exports;
    postMessage({ ready: true });
    return;
  }
  const began = performance.now();
  try {
    const bytes = new TextEncoder().encode(data.source), words = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    words.set(bytes);
    const view = new DataView(words.buffer);
    for (let at = 0; at < words.length; at += 4) derivation.input_word(view.getUint32(at, true));
    const length = derivation.derive_input(bytes.length), answer = new DataView(new ArrayBuffer(Math.ceil(length / 4) * 4));
    for (let index = 0; index * 4 < length; index++) answer.setUint32(index * 4, derivation.output_word(index), true);
    const text = new TextDecoder().decode(new Uint8Array(answer.buffer, 0, length));
    postMessage({ id: data.id, answer: JSON.parse(text), took: performance.now() - began });
  } catch (error) {
    // The derivation stopped; its memory may be spoilt, so that the page starts a new one.
    postMessage({ id: data.id, failed: String(error) });
  }
};

// The playground: an editor, the derivation in a worker, and the part that computes.
const examples = JSON.parse(byId("examples").textContent);

class Playground {
  constructor() {
    Object.assign(this, { source: byId("source"), shade: byId("shade"), id: 0, busy: false, wanted: null, panel: null, times: [], answer: null });
    this.root = byId("live-panel");
    const list = byId("chosen-example");
    examples.forEach(({ name }, index) => list.append(element("option", { value: index, textContent: name })));
    list.value = examples.findIndex(({ name }) => name === "double-pendulum");
    list.addEventListener("change", () => this.open(examples[list.value]));
    this.source.addEventListener("input", () => this.edited());
    this.source.addEventListener("scroll", () => this.scroll());
    this.source.addEventListener("keydown", event => {
      if (event.key !== "Tab" || event.shiftKey) return;
      event.preventDefault();
      this.source.setRangeText("    ", this.source.selectionStart, this.source.selectionEnd, "end");
      this.edited();
    });
    new ResizeObserver(() => this.scroll()).observe(this.source);
    this.begin().then(() => this.open(examples[list.value]));
  }

  // The module is compressed in the page.
  async begin() {
    const compressed = Uint8Array.from(atob(byId("wasm").textContent.trim()), sign => sign.charCodeAt(0));
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
    this.wasm = await new Response(stream).arrayBuffer();
    await this.employ();
  }
  employ() {
    this.worker?.terminate();
    this.worker = new Worker(URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" })));
    const ready = new Promise(resolve => {
      this.worker.onmessage = ({ data }) => data.ready ? resolve() : this.answered(data);
    });
    this.worker.postMessage({ wasm: this.wasm });
    return ready;
  }

  open(example) {
    this.example = example;
    this.kept = { ...example.values };
    this.fresh = true;
    this.source.value = example.source;
    this.source.scrollTop = 0;
    this.edited();
  }

  edited() {
    this.began = performance.now();
    this.mark([]);
    this.wanted = this.source.value;
    this.next();
  }
  next() {
    if (this.busy || this.wanted === null) return;
    this.busy = true;
    this.sent = this.wanted;
    this.sentAt = this.began;
    this.worker.postMessage({ id: ++this.id, source: this.sent });
    this.wanted = null;
  }
  async answered({ answer, took, failed }) {
    this.busy = false;
    if (failed) {
      answer = { messages: [{ text: `the derivation stopped: ${failed}`, start: [1, 1], end: [1, 2], warning: false }] };
      this.busy = true;
      await this.employ();
      this.busy = false;
    }
    // An answer to a text that has changed since is not shown.
    if (this.wanted === null) this.show(answer, took);
    this.next();
  }

  show(answer, took) {
    this.answer = answer;
    this.messages(answer.messages);
    this.mark(answer.messages);
    const derived = answer.equations !== undefined;
    document.body.classList.toggle("broken", !derived);
    if (!derived) {
      // The motion of another text would be a lie beside this one.
      this.drop();
      this.root.replaceChildren(element("p", { className: "help", textContent: "There is no motion while the block has mistakes." }));
      byId("equations").replaceChildren();
      byId("facts").replaceChildren();
      return;
    }
    byId("equations").innerHTML = answer.equations;
    byId("facts").replaceChildren(...answer.facts.map(text => element("li", { textContent: text })));
    this.compute(answer);
    const total = performance.now() - this.sentAt;
    this.times.push(total);
    byId("took").textContent = `From the last edit to the first picture it took ${Math.round(total)} ms, of which the derivation took ${Math.round(took)} ms.`;
  }

  drop() {
    if (!this.panel) return;
    for (const { name, kind, index } of this.panel.quantities) this.kept[name] = this.panel.values[kind][index];
    this.panel.close();
    this.panel = null;
    this.root.panel = null;
  }

  compute(answer) {
    const { example, fresh } = this, length = this.panel?.about.length ?? this.length ?? example.length;
    if (fresh) this.panel?.close(); else this.drop();
    this.panel = null;
    if (fresh) this.length = example.length;
    this.fresh = false;
    if (!answer.module) {
      this.root.replaceChildren(element("div", { className: "warning" }, element("p", { textContent: "This page derives the mechanism, and cannot compute its motion." }),
        element("ul", {}, ...answer.missing.map(text => element("li", { textContent: text })))));
      return;
    }
    // Values that the example knows are nominal; a new parameter or input is 1, a new coordinate starts at 1/2, at rest.
    const example_q = Object.fromEntries(example.q.map((q, i) => [answer.coordinates[i], q]));
    const start = {
      t: 0,
      q: answer.coordinates.map((name, i) => example.q.length === answer.coordinates.length ? example_q[name] ?? 0.5 : this.kept[name] ?? 0.5),
      v: [...answer.coordinates, ...answer.states].map((name, i) => example.v.length === answer.coordinates.length + answer.states.length ? example.v[i] : 0),
    };
    const about = {
      ...answer,
      parameters: answer.parameters.map(row => ({ ...row, description: "", value: example.values[row.name] ?? 1 })),
      inputs: answer.inputs.map(row => ({ ...row, description: "", value: example.values[row.name] ?? 1 })),
      start, rtol: 1e-9, length: fresh ? example.length : length,
    };
    const names = new Set([...answer.parameters, ...answer.inputs].map(row => row.name));
    for (const name of [...answer.coordinates, ...answer.states]) names.add(name).add(`${name}_dot`);
    const before = fresh ? {} : Object.fromEntries(Object.entries(this.kept).filter(([name]) => names.has(name)));
    try {
      this.panel = new LivePanel(this.root, loadModule(answer.module), about, before);
      this.root.panel = this.panel;
      this.length = about.length;
    } catch (error) {
      this.root.replaceChildren(element("p", { className: "warning", textContent: `This page cannot compute the motion: ${error.message}.` }));
    }
  }

  // The messages, each a button that goes to its place.
  messages(list) {
    byId("messages").replaceChildren(...list.map(message => {
      const { text, start: [line, column], warning } = message;
      const button = element("button", { type: "button", className: warning ? "message" : "message mistake", textContent: `${line}:${column} ${warning ? "warning" : "error"}: ${text}` });
      button.addEventListener("click", () => {
        this.source.focus();
        this.source.setSelectionRange(...this.span(message));
      });
      return element("li", {}, button);
    }));
  }

  // The first and the last place of a message in the text. Columns count characters, and places count units of UTF-16.
  span({ start, end }) {
    const lines = this.source.value.split("\n");
    const place = ([line, column]) => {
      const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
      return before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    };
    const from = place(start), to = place(end);
    return [from, Math.max(to, from + 1)];
  }

  // Underlines the places of messages behind the text.
  mark(messages) {
    const text = this.source.value, spans = messages.map(message => [...this.span(message), message.warning]).sort((a, b) => a[0] - b[0]);
    const parts = [];
    let at = 0;
    for (const [from, to, warning] of spans) {
      if (from < at) continue;
      parts.push(text.slice(at, from), element("u", { className: warning ? "warned" : "wrong", textContent: text.slice(from, to) || " " }));
      at = to;
    }
    this.shade.replaceChildren(...parts, text.slice(at), "\n ");
    this.scroll();
  }
  scroll() {
    this.shade.scrollTop = this.source.scrollTop;
    this.shade.scrollLeft = this.source.scrollLeft;
  }
}
document.body.playground = new Playground();

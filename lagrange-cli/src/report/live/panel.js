// The part of a page that computes: controls, the picture, plots. It derives nothing: equations come as an exported module.

// So long may a frame compute before it draws, in milliseconds. A motion that takes longer goes on in the next frames.
const COMPUTING = 8;

// So many steps of the nominal motion say how far the sliders of initial values run.
const NOMINAL_STEPS = 100;

const counted = (number, one, many) => `${number} ${number === 1 ? one : many}`;

const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in made && name !== "list") made[name] = value; else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
};

class LivePanel {
  // `about` says what the module computes: names, values of parameters, the start, the length, units. `before`: values to keep, by name.
  constructor(root, module, about, before = {}) {
    Object.assign(this, { root, about, mechanism: new Mechanism(module, about), motion: null, samples: null, kept: null, frames: [] });
    Object.assign(this, { playing: false, time: about.start.t, dirty: true, waiting: false, speed: 1, trails: 0.1, closed: false });
    this.units = about.units;
    this.quantities = [
      ...about.parameters.map((row, index) => ({ ...row, kind: "parameters", index })),
      ...about.inputs.map((row, index) => ({ ...row, kind: "inputs", index })),
      ...about.coordinates.map((name, index) => ({ name, kind: "q", index, value: about.start.q[index] })),
      ...about.coordinates.map((name, index) => ({ name: `${name}_dot`, kind: "v", index, value: about.start.v[index] })),
      ...about.states.map((name, index) => ({ name, kind: "v", index: about.coordinates.length + index, value: about.start.v[about.coordinates.length + index] })),
    ];
    this.values = { parameters: [], inputs: [], q: about.states.reduce(list => [...list, 0], about.start.q.slice(0, about.coordinates.length)), v: [...about.start.v] };
    for (const quantity of this.quantities) quantity.range = about.ranges?.[quantity.name];
    for (const { kind, index, value } of this.quantities) this.values[kind][index] = value;
    this.nominal();
    this.build();
    for (const quantity of this.quantities) if (quantity.name in before) this.change(quantity, before[quantity.name]);
    this.compute();
    this.frame(performance.now());
  }

  // The beginning of the motion with nominal values says how far initial values run on their sliders.
  nominal() {
    this.spans = { q: this.values.q.map(() => 1), v: this.values.v.map(() => 1) };
    try {
      const motion = this.started(NOMINAL_STEPS), samples = new Samples(motion);
      motion.advance();
      samples.extend();
      const wide = (list, from) => list.reduce((most, value) => Math.max(most, Math.abs(value - from)), 0);
      samples.q.forEach((list, i) => { this.spans.q[i] = wide(list, list[0]) || Math.abs(list[0]) || 1; });
      [...samples.v, ...samples.states].forEach((list, i) => { this.spans.v[i] = wide(list, list[0]) || Math.abs(list[0]) || 1; });
    } catch {
      // The motion itself tells why there is none.
    }
  }

  started(mostSteps = MOST_STEPS) {
    const { parameters, inputs, q, v } = this.values;
    this.mechanism.redundant = false;
    this.mechanism.set(parameters, inputs);
    const { start, length, rtol } = this.about;
    return new Motion(this.mechanism, { t: start.t, q, v }, start.t + length, { rtol, mostSteps });
  }

  // The range of a quantity's slider: the place of its value from −1 to 1, and back.
  scale({ kind, index, value, range }) {
    if (range) {
      // The value that the motion has is on the slider even where it is outside of the nominal range.
      const low = Math.min(range[0], value), high = Math.max(range[1], value);
      if (low > 0 && high >= 10 * low) {
        const wide = Math.log(high / low);
        return { place: number => 2 * Math.log(number / low) / wide - 1, at: place => low * Math.exp((place + 1) / 2 * wide) };
      }
      return { place: number => 2 * (number - low) / (high - low) - 1, at: place => low + (place + 1) / 2 * (high - low) };
    }
    if (kind === "q" || kind === "v") {
      const span = this.spans[kind][index];
      return { place: number => (number - value) / span, at: place => value + place * span };
    }
    if (value === 0) return { place: number => number, at: place => place };
    return { place: number => Math.log(number / value) / Math.log(4), at: place => value * 4 ** place };
  }

  build() {
    const { root, about } = this, points = pointsOf(about.outputs).points.length > 0;
    this.alert = element("p", { className: "warning", role: "alert", hidden: true });
    this.canvas = element("canvas", {
      className: "live-stage", tabIndex: 0, role: "application",
    });
    this.canvas.setAttribute("aria-label", "The motion as it is computed. Drag a point to start there. In space, drag elsewhere or press the arrow keys to turn.");
    const button = (text, action, more = {}) => {
      const made = element("button", { type: "button", textContent: text, ...more });
      made.addEventListener("click", action);
      return made;
    };
    this.play = button("Play", () => this.run(!this.playing), { className: "live-play" });
    this.seek = element("input", { type: "range", min: 0, max: 1000, step: "any", value: 0, className: "live-seek" });
    this.seek.setAttribute("aria-label", "Time of the computed motion");
    this.seek.addEventListener("input", () => {
      this.run(false);
      this.time = about.start.t + this.seek.value / 1000 * about.length;
      this.request();
    });
    this.clock = element("output");
    const choose = (options, chosen, changed) => {
      const list = element("select", {}, ...options.map(([value, text]) => element("option", { value, textContent: text, selected: value === chosen })));
      list.addEventListener("change", () => changed(list.value));
      return list;
    };
    const speeds = [0.25, 0.5, 1, 2, 4].map(value => [String(value), String(value)]);
    this.end = element("input", { type: "number", step: "any", min: 0, value: about.length, className: "live-end" });
    this.end.addEventListener("change", () => {
      if (!(this.end.value > 0)) this.end.value = about.length;
      about.length = Number(this.end.value);
      this.compute();
    });
    this.linesBox = element("input", { type: "checkbox" });
    this.linesBox.addEventListener("change", () => {
      this.stage.lines = this.linesBox.checked;
      this.request();
    });
    this.keepButton = button("Keep this motion", () => this.keep(), { className: "live-keep" });
    const options = element("div", { className: "options" },
      element("label", {}, "Speed ", choose(speeds, "1", value => { this.speed = Number(value); })),
      ...(points ? [
        element("label", {}, "Trails ", choose([["0", "none"], ["0.1", "short"], ["1", "whole"]], "0.1", value => {
          this.stage.trails = Number(value);
          this.request();
        })),
        element("label", {}, this.linesBox, " Lines from the origin"),
      ] : []),
      element("label", {}, withUnit("Length", this.units.time && `(${this.units.time})`), " ", this.end),
      button("Reset", () => this.reset(), { className: "live-reset" }), this.keepButton);
    this.facts = element("p", { className: "help live-facts" });
    const controls = element("div", { className: "controls" }, this.play, this.seek, this.clock);
    const picture = element("div", { className: "live-picture" }, ...(points ? [element("div", { className: "stage" }, this.canvas)] : []), controls, options, this.facts);
    const groups = [["parameters", "Parameters"], ["inputs", "Inputs"], ["q", "Start: coordinates"], ["v", "Start: velocities and states"]];
    const sliders = element("div", { className: "live-sliders" }, ...groups.flatMap(([kind, title]) => {
      const rows = this.quantities.filter(quantity => quantity.kind === kind);
      if (!rows.length) return [];
      const box = element("details", { open: rows.length <= 8 }, element("summary", { textContent: title }), ...rows.map(row => this.slider(row)));
      return [box];
    }));
    const plot = (title, ...more) => {
      const area = element("div", { className: "area" });
      area.setAttribute("role", "img");
      area.setAttribute("aria-label", title);
      return [area, element("figure", { className: "live-plot" }, element("div", { className: "top" }, element("h3", { textContent: title }), ...more), area)];
    };
    const groupsOfCurves = this.groups(), names = Object.keys(groupsOfCurves);
    this.group = names[0];
    this.phase = 0;
    const [curves, curvesFigure] = plot("Over time", element("label", {}, "", choose(names.map(name => [name, name]), this.group, value => {
      this.group = value;
      this.redraw();
    })));
    curvesFigure.querySelector("select").setAttribute("aria-label", "The curves over time");
    this.legend = element("div", { className: "legend" });
    curvesFigure.insertBefore(this.legend, curves);
    this.charts = { curves: new LiveChart(curves, "curves") };
    const figures = [curvesFigure];
    if (about.coordinates.length) {
      const [phase, phaseFigure] = plot("Phase plane", element("label", {}, "", choose(about.coordinates.map((name, i) => [String(i), name]), "0", value => {
        this.phase = Number(value);
        this.redraw();
      })));
      phaseFigure.querySelector("select").setAttribute("aria-label", "The coordinate of the phase plane");
      const [energy, energyFigure] = plot("Energy");
      this.energyLegend = element("div", { className: "legend" });
      energyFigure.insertBefore(this.energyLegend, energy);
      Object.assign(this.charts, { phase: new LiveChart(phase, "phase"), energy: new LiveChart(energy, "energy") });
      figures.push(phaseFigure, energyFigure);
    }
    const help = element("p", { className: "help" }, [
      "A quantity with a nominal range runs over this range. Every other slider has the nominal value in its middle: a parameter runs from a quarter of it to four times, and one that is 0 from −1 to 1. ",
      `An initial value runs as far to both sides as the first ${NOMINAL_STEPS} steps of the nominal motion take it. The field behind takes any number. `,
      points ? "Drag a point of the picture to start there: the coordinates are those that bring it nearest to the pointer; the initial velocities stay. " : "",
      about.constraints.length ? "The start is the nearest state that meets the constraints, and each step is projected onto them. " : "",
      this.mechanism.rows.length ? "Contacts close and open, and frictions stick and slip, where their laws say so; impacts follow Newton's law and Coulomb's. " : "",
      about.outputs_left_out ? "The outputs are not shown, because they contain accelerations or forces, which the page does not know where contacts act. " : "",
      `The page computes by DOP853 with the relative tolerance ${show(about.rtol)}.`,
    ].join(""));
    root.replaceChildren(this.alert, element("div", { className: "live-top" }, picture, sliders), element("div", { className: "live-plots" }, ...figures), help);
    this.stage = points ? new LiveStage(this.canvas, about) : null;
    if (this.stage) this.dragging();
    recoloured.push(() => this.request());
    new ResizeObserver(() => this.request()).observe(root);
  }

  slider(quantity) {
    const { name, unit, description } = quantity, scale = this.scale(quantity);
    const range = element("input", { type: "range", min: -1, max: 1, step: "any" }), field = element("input", { type: "number", step: "any" });
    const label = element("span", { textContent: name, title: [description, unit].filter(Boolean).join(" · ") });
    range.setAttribute("aria-label", `${name}${unit ? `, ${unit}` : ""}`);
    field.setAttribute("aria-label", `${name}, as a number`);
    range.dataset.name = name;
    field.dataset.name = name;
    quantity.show = number => {
      const place = scale.place(number);
      range.value = Number.isFinite(place) ? Math.min(1, Math.max(-1, place)) : -1;
      field.value = Number(number.toPrecision(6));
    };
    quantity.show(quantity.value);
    range.addEventListener("input", () => {
      const place = Number(range.value);
      this.change(quantity, place === 0 && !quantity.range ? quantity.value : scale.at(place));
    });
    field.addEventListener("change", () => {
      if (field.value !== "" && Number.isFinite(Number(field.value))) this.change(quantity, Number(field.value));
    });
    return element("div", { className: "live-row" }, label, range, field);
  }

  change(quantity, number) {
    this.values[quantity.kind][quantity.index] = number;
    quantity.show(number);
    this.compute();
  }
  reset() {
    for (const quantity of this.quantities) {
      this.values[quantity.kind][quantity.index] = quantity.value;
      quantity.show(quantity.value);
    }
    this.kept = null;
    this.keepButton.textContent = "Keep this motion";
    this.time = this.about.start.t;
    this.compute();
  }
  keep() {
    this.kept = this.kept ? null : this.samples;
    this.keepButton.textContent = this.kept ? "Drop the kept motion" : "Keep this motion";
    this.redraw();
  }

  compute() {
    this.dirty = true;
    this.request();
  }
  redraw() {
    this.stale = true;
    this.request();
  }
  request() {
    if (this.waiting || this.closed) return;
    this.waiting = true;
    requestAnimationFrame(stamp => {
      this.waiting = false;
      if (!this.closed) this.frame(stamp);
    });
  }
  close() {
    this.closed = true;
    this.playing = false;
  }

  run(wanted) {
    this.playing = wanted && this.samples !== null;
    this.play.textContent = this.playing ? "Pause" : "Play";
    this.before = null;
    if (this.playing && this.time >= this.reached && this.samples.done) this.time = this.about.start.t;
    this.request();
  }

  // Motions that last too short or too long to be watched are shown in 20 seconds.
  get rate() {
    const { length } = this.about;
    return this.units.time === "s" && length >= 2 && length <= 120 ? 1 : length / 20;
  }

  frame(stamp) {
    const began = performance.now(), renewed = this.dirty;
    if (this.dirty) {
      this.dirty = false;
      this.begin();
    }
    let grown = renewed || this.stale;
    this.stale = false;
    if (this.samples && !this.samples.done) {
      // Steps take longer than the values that are drawn of them.
      this.motion.advance(began + 0.6 * COMPUTING);
      this.samples.extend(began + COMPUTING);
      grown = true;
    }
    if (this.samples?.done && grown) this.tell();
    if (this.playing) {
      const elapsed = this.before === null ? 0 : Math.min((stamp - this.before) / 1000, 0.1);
      this.before = stamp;
      this.time += elapsed * this.speed * this.rate;
      if (this.time > this.reached) this.time = this.samples.done ? this.about.start.t : this.reached;
    }
    this.draw(grown);
    if (renewed) {
      this.frames.push(performance.now() - began);
      if (this.frames.length > 200) this.frames.shift();
    }
    if (this.playing || (this.samples && !this.samples.done)) this.request();
  }

  // The last time of which there are values.
  get reached() { return this.samples?.t.at(-1) ?? this.about.start.t; }

  begin() {
    this.alert.hidden = true;
    try {
      this.motion = this.started();
      this.samples = new Samples(this.motion);
    } catch (error) {
      this.motion = this.samples = null;
      this.playing = false;
      this.play.textContent = "Play";
      this.complain("There is no motion", error);
      this.facts.textContent = "";
    }
  }

  // Tells how the motion ended.
  tell() {
    const { motion, samples } = this;
    if (motion.error) this.complain(`The motion ends at ${withUnit(show(motion.t), this.units.time)}`, motion.error);
    const parts = [`${motion.steps.length} steps`, motion.rejected ? `${motion.rejected} rejected` : ""];
    if (motion.switched.length) parts.push(`${motion.switched.length} end at switches of the formula`);
    if (motion.impacts) parts.push(counted(motion.impacts, "impact", "impacts"));
    if (motion.changed.length) parts.push(counted(motion.changed.length, "change of a mode", "changes of modes"));
    if (this.mechanism.c) parts.push(`largest violation of a constraint ${show(samples.violation, 2)} of its size`);
    const { missing } = samples, gap = missing ? ` The ${missing.name} have no values at ${withUnit(show(missing.t), this.units.time)}: ${missing.text}.` : "";
    this.facts.textContent = `${parts.filter(Boolean).join(", ")}.${gap}`;
  }

  complain(head, error) {
    const { about } = this, { q, v, t } = error;
    let state = "";
    if (q) {
      const named = [...about.coordinates.map((name, i) => `${name} = ${show(q[i])}`), ...about.coordinates.map((name, i) => `${name}_dot = ${show(v[i])}`)];
      named.push(...about.states.map((name, i) => `${name} = ${show(v[about.coordinates.length + i])}`));
      state = ` The last state, at ${withUnit(show(t), this.units.time)}: ${named.slice(0, 12).join(", ")}${named.length > 12 ? ", …" : ""}.`;
    }
    this.alert.textContent = `${head}: ${error.message}.${state}`;
    this.alert.hidden = false;
  }

  // The curves that can be shown over time, each list with a name.
  groups() {
    const { about } = this, groups = {};
    const add = (title, names, of) => { if (names.length) groups[title] = { names, of }; };
    add("Coordinates", about.coordinates, samples => samples.q);
    add("Velocities", about.coordinates.map(name => `${name}_dot`), samples => samples.v);
    add("States", about.states, samples => samples.states);
    const stems = new Map();
    about.outputs.forEach((name, place) => {
      const stem = name.split("[")[0];
      if (!stems.has(stem)) stems.set(stem, []);
      stems.get(stem).push(place);
    });
    for (const [stem, places] of stems) {
      add(`Output ${stem}`, places.map(place => about.outputs[place]), samples => places.map(place => samples.outputs[place]));
    }
    return groups;
  }

  // The outputs of a motion at the time of the picture.
  now(samples) {
    if (!samples?.length || !this.about.outputs.length) return null;
    const { motion } = samples, last = samples.t.at(-1), time = Math.min(this.time, last);
    if (samples === this.kept && this.time > last) return null;
    // A kept motion has parameters of its own, so that its samples are interpolated; they are as dense as the curves.
    if (samples === this.samples) {
      const { q, v } = motion.at(time);
      return this.mechanism.call("outputs", time, q, v).outputs;
    }
    return samples.outputs.map(list => between(samples.t, list, time));
  }

  draw(grown) {
    const { about, samples, kept } = this, { start, length } = about;
    const time = this.samples ? Math.min(this.time, this.reached) : start.t;
    this.clock.textContent = withUnit(time.toFixed(length < 0.1 ? 5 : length < 10 ? 3 : 2), this.units.time);
    this.seek.value = (time - start.t) / length * 1000;
    const both = [kept && { samples: kept, kept: true }, samples && { samples }].filter(Boolean);
    if (this.stage) {
      if (grown && both.length && this.grasp === undefined) {
        const first = !this.stage.low;
        this.stage.fit(both.map(({ samples }) => samples), first);
        if (first || (samples?.done && !this.chosenLines)) {
          this.chosenLines ||= samples?.done;
          this.stage.lines = this.linesBox.checked = this.stage.linked(samples ?? kept);
        }
      }
      this.stage.draw(both.map(each => ({ ...each, outputs: this.now(each.samples) })), time, length);
    }
    this.plots(both, grown, time);
  }

  plots(both, grown, time) {
    const { samples, about } = this, end = [about.start.t, about.start.t + about.length];
    const timeAxis = head("time", this.units.time);
    const lists = {
      curves: { of: this.groups()[this.group]?.of ?? (() => []), names: this.groups()[this.group]?.names ?? [] },
      energy: { of: ({ energies }) => Object.values(energies), names: Object.keys(samples?.energies ?? {}) },
    };
    for (const [name, { of, names }] of Object.entries(lists)) {
      const chart = this.charts[name];
      if (!chart) continue;
      const current = samples ? of(samples) : [];
      chart.places = samples?.length > 1 ? current.slice(0, SHOWN).map((list, number) => ({ x: time, y: between(samples.t, list, time), number })) : null;
      if (!grown) { chart.chart?.redraw(false); continue; }
      const curves = both.flatMap(({ samples, kept }) => of(samples).slice(0, SHOWN).map((y, number) => ({ x: samples.t, y, number, kept: Boolean(kept) })));
      chart.show(curves, [timeAxis, name === "energy" ? this.units.energy : ""], end);
      const legend = name === "energy" ? this.energyLegend : this.legend;
      const text = `${names.join()}${this.kept !== null}`;
      if (legend.dataset.text !== text) {
        legend.dataset.text = text;
        legend.replaceChildren(...names.slice(0, SHOWN).map((label, number) => element("span", { className: "curve" },
          element("i", { className: `c${number % COLOURS + 1}` }), label)), ...(this.kept ? [element("span", { textContent: "dashed: the kept motion" })] : []),
        ...(names.length > SHOWN ? [element("span", { textContent: `the first ${SHOWN} of ${names.length}` })] : []));
      }
    }
    const { phase } = this.charts, index = this.phase;
    if (!phase) return;
    phase.places = samples?.length > 1 ? [{ x: between(samples.t, samples.q[index], time), y: between(samples.t, samples.v[index], time), number: 0 }] : null;
    if (!grown) { phase.chart?.redraw(false); return; }
    const curves = both.map(({ samples, kept }) => ({ x: samples.q[index], y: samples.v[index], number: 0, kept: Boolean(kept) }));
    phase.show(curves, [about.coordinates[index], `${about.coordinates[index]}_dot`], null);
  }

  // Drags of points, and turns of the picture in space.
  dragging() {
    const { canvas, stage } = this;
    let turning = null;
    canvas.addEventListener("pointerdown", event => {
      const outputs = this.now(this.samples), index = outputs && stage.grasped(event, outputs);
      if (index !== null && index !== undefined) {
        const time = Math.min(this.time, this.reached), { q } = this.motion.at(time);
        this.run(false);
        this.grasp = { index, q };
        canvas.setPointerCapture(event.pointerId);
        canvas.classList.add("grasping");
      } else if (stage.space) {
        turning = [event.clientX, event.clientY];
        canvas.setPointerCapture(event.pointerId);
      }
    });
    canvas.addEventListener("pointermove", event => {
      if (this.grasp) {
        this.reach(stage.under(event));
      } else if (turning) {
        stage.turn((turning[0] - event.clientX) * 0.01, (event.clientY - turning[1]) * 0.01);
        turning = [event.clientX, event.clientY];
        this.request();
      } else {
        const outputs = this.now(this.samples);
        canvas.style.cursor = outputs && stage.grasped(event, outputs) !== null ? "grab" : "";
      }
    });
    const release = () => {
      turning = null;
      if (!this.grasp) return;
      this.grasp = undefined;
      canvas.classList.remove("grasping");
      this.redraw();
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    const turns = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    canvas.addEventListener("keydown", event => {
      if (!stage.space || !(event.key in turns)) return;
      event.preventDefault();
      stage.turn(...turns[event.key]);
      this.request();
    });
  }

  // Starts where the grasped point is nearest to a place of the screen.
  reach(target) {
    const { t } = this.about.start, { v } = this.values;
    try {
      const found = reachFor(this.mechanism, this.stage, this.grasp.index, target, { t, q: this.grasp.q, v }, this.spans.q);
      this.grasp.q = found.q;
      this.time = t;
      for (const quantity of this.quantities) {
        if (quantity.kind !== "q") continue;
        this.values.q[quantity.index] = found.q[quantity.index];
        quantity.show(found.q[quantity.index]);
      }
      this.compute();
    } catch (error) {
      this.complain("The point cannot be dragged there", error);
    }
  }
}

// Plots of curves over an abscissa: zoom, pan, values at the cursor, legends.

// More curves are hidden at first.
const SHOWN = 8;
// Half of the last label of the horizontal axis stands beyond the axis.
const PADDING = [10, 30, 0, 0];
const allPlots = [];

// Labels with as many digits as it takes to say where each tick is.
const ticks = (plot, values) => {
  const given = values.filter(value => value != null), largest = Math.max(...given.map(Math.abs));
  const step = given.length > 1 ? Math.min(...given.slice(1).map((value, i) => value - given[i])) : largest || 1;
  const fewest = (most, text) => {
    const says = digits => given.every(value => Math.abs(Number(text(value, digits)) - value) <= 1e-6 * step);
    return Array.from({ length: most }, (_, digits) => digits).find(says) ?? most;
  };
  if (largest >= 1e5 || largest < 1e-3) {
    const digits = 1 + fewest(14, (value, digits) => value.toPrecision(digits + 1));
    return values.map(value => value == null ? "" : show(value, digits));
  }
  const decimals = fewest(14, (value, digits) => value.toFixed(digits));
  return values.map(value => value == null ? "" : value.toFixed(decimals).replace("-", "−"));
};
// The ticks of a logarithmic axis: decades, and within few decades their doubles and quintuples.
const decadeTicks = (plot, which, low, high) => {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high)), step = Math.ceil((last - first) / 7);
  const digits = last - first > 2 ? [1] : [1, 2, 5], found = [];
  for (let exponent = first; exponent <= last; exponent += step) {
    for (const digit of digits) {
      const value = Number(`${digit}e${exponent}`);
      if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
    }
  }
  return found;
};
const powers = (plot, values) => values.map(value => {
  const exponent = Math.floor(Math.log10(value) + 1e-9), digit = Math.round(value / 10 ** exponent);
  return `${digit === 1 ? "" : `${digit}·`}10${raised(exponent)}`;
});
const axis = (label, more) => ({
  stroke: () => colour("--soft"),
  font: "12px system-ui, sans-serif",
  labelFont: "12px system-ui, sans-serif",
  grid: { stroke: () => colour("--grid"), width: 1 },
  ticks: { stroke: () => colour("--grid"), width: 1, size: 5 },
  values: ticks,
  ...(label ? { label, labelSize: 18, labelGap: 0, size: 32 } : {}),
  ...more,
});
const upright = logarithmic => axis("", {
  values: logarithmic ? powers : ticks,
  ...(logarithmic ? { splits: decadeTicks, filter: (plot, values) => values } : {}),
  size: (plot, values) => 16 + 6.8 * Math.max(3, ...(values || []).map(value => value.length)),
});
// The whole range of values, with a margin. A constant gets a range as well, and so does what changes by rounding errors only.
const withMargin = (low, high, noise = 0) => {
  if (low == null || !isFinite(low)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high)), span = high - low;
  if (size === 0) return [-1, 1];
  if (size <= noise) return [-1000 * noise, 1000 * noise];
  const margin = span > 1e-12 * size && span > noise ? 0.06 * span : Math.max(0.1 * size, 1000 * noise) || 1;
  return [low - margin, high + margin];
};
const decades = (plot, low, high) => low > 0 && isFinite(low)
  ? [10 ** Math.floor(Math.log10(low) - 1e-9), 10 ** Math.ceil(Math.log10(high) + 1e-9)] : [1e-16, 1];

// The axis that several plots share, or one has: its whole range and the range in view.
class Abscissa {
  constructor(name, unit) {
    Object.assign(this, { name, unit, plots: [], whole: [Infinity, -Infinity], range: null, changed: () => {} });
  }
  add(plot, values) {
    this.plots.push(plot);
    this.whole = [Math.min(this.whole[0], values[0]), Math.max(this.whole[1], values[values.length - 1])];
  }
  view(low, high) {
    const [first, last] = this.whole, span = Math.max(Math.min(high - low, last - first), (last - first) * 1e-7);
    low = Math.min(Math.max(low, first), last - span);
    this.range = [low, low + span];
    for (const plot of this.plots) plot.chart.setScale("x", { min: low, max: low + span });
    this.changed(this.range);
  }
  reset() { this.view(...this.whole); }
  zoom(factor, centre = (this.range[0] + this.range[1]) / 2) {
    const [low, high] = this.range;
    this.view(centre - (centre - low) * factor, centre + (high - centre) * factor);
  }
  pan(part) {
    const [low, high] = this.range, shift = (high - low) * part;
    this.view(low + shift, high + shift);
  }
  // Moves the cursors of all plots; `null` hides them.
  point(value, from) {
    for (const plot of this.plots) if (plot !== from) plot.point(value);
  }
}

// The number of a curve's colour and dashes.
const styleOf = (curve, index) => curve.style ?? index;

class Plot {
  // `curves`: name and values. `x`: the abscissa of each value.
  constructor(figure, { title, x, curves, logarithmic, stairs, samples, abscissa }) {
    Object.assign(this, { figure, title, x, curves, abscissa, following: false });
    this.area = figure.querySelector(".area");
    // A curve of another motion is shown with the curve whose colour it has.
    const shown = index => index < SHOWN || curves[index].style != null && curves[index].style % COLOURS < SHOWN;
    const values = curves.map(curve => logarithmic
      ? curve.values.map(value => value == null || value === 0 ? null : Math.abs(value)) : curve.values);
    this.chart = new uPlot({
      width: Math.max(200, this.area.clientWidth),
      height: this.height(),
      legend: { show: false },
      padding: PADDING,
      scales: {
        x: { time: false, range: (chart, low, high) => low === high ? [low - 0.5, high + 0.5] : [low, high] },
        y: logarithmic ? { distr: 3, log: 10, range: decades } : { range: (chart, low, high) => withMargin(low, high, this.noise(chart)) },
      },
      axes: [axis(head(abscissa.name, abscissa.unit)), upright(logarithmic)],
      series: [{}, ...curves.map((curve, index) => ({
        label: curve.name,
        show: shown(index),
        stroke: () => curveColour(styleOf(curve, index)),
        dash: curveDash(styleOf(curve, index)),
        width: 1.6,
        spanGaps: false,
        // A step's size stands at its end.
        ...(stairs ? { paths: uPlot.paths.stepped({ align: -1 }) } : {}),
        points: { show: x.length < 30 },
      }))],
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false, dist: 5 },
        points: { size: 8 },
        bind: {
          dblclick: () => () => { abscissa.reset(); },
          mousedown: (chart, target, handler) => event => event.shiftKey ? this.pan(event) : handler(event),
        },
      },
      hooks: {
        setSelect: [chart => {
          const { left, width } = chart.select;
          if (width > 4) abscissa.view(chart.posToVal(left, "x"), chart.posToVal(left + width, "x"));
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [() => this.read()],
        draw: [() => this.mark(this.time)],
      },
    }, [x, ...values], this.area);
    this.values = values;
    figure.plot = this;
    abscissa.add(this, x);
    allPlots.push(this);
    recoloured.push(() => this.chart.redraw(false));
    new ResizeObserver(() => this.fit()).observe(this.area);
    this.labels = document.createElement("div");
    this.labels.className = "labels";
    this.now = document.createElement("div");
    this.now.className = "now";
    this.now.hidden = true;
    this.chart.over.append(this.now, this.labels);
    this.legend(shown);
    this.touch();
    this.area.addEventListener("keydown", event => this.key(event));
    this.area.addEventListener("blur", () => this.chart.setCursor({ left: -10, top: -10 }));
    figure.querySelector("[data-csv]").addEventListener("click", () => download(
      title,
      [withUnit(abscissa.name, abscissa.unit), ...curves.map(curve => curve.name)],
      samples ? samples.map(samplesOf) : [x, ...curves.map(curve => curve.values)],
    ));
    pictureButtons(figure, () => title, () => {
      const { min, max } = this.chart.scales.x, from = indexBefore(x, min), to = indexBefore(x, max) + 2;
      const part = list => list.slice(from, to), all = curves.map((curve, place) => ({ name: curve.name, place, index: styleOf(curve, place) }));
      const shown = all.filter(({ place }) => this.chart.series[place + 1].show);
      return drawingOf(this.chart, title, [head(abscissa.name, abscissa.unit), ""], shown.map(curve => ({
        ...curve, path: pathOf(this.chart, part(x), part(this.values[curve.place]), stairs),
      })));
    });
  }

  // What is rounding beside the finest of the curves that are shown. A curve that is 0 throughout has none.
  noise(chart) {
    const shown = this.curves.filter((curve, index) => chart.series[index + 1].show && curve.noise > 0);
    return shown.length ? Math.min(...shown.map(curve => curve.noise)) : 0;
  }

  height() { return innerWidth < 600 ? 230 : 270; }
  fit() {
    const width = this.area.clientWidth;
    if (width > 0 && width !== this.chart.width) this.chart.setSize({ width, height: this.height() });
  }

  legend(shown) {
    const box = this.figure.querySelector(".legend");
    this.toggles = this.curves.map((curve, index) => {
      const made = toggle(curve.name, styleOf(curve, index), shown(index), on => this.chart.setSeries(index + 1, { show: on }));
      box.append(made.button);
      return made;
    });
    if (this.curves.length > SHOWN) {
      for (const [name, on] of [["All", true], ["None", false]]) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "small";
        button.textContent = name;
        button.addEventListener("click", () => this.chart.batch(() => this.toggles.forEach(made => made.set(on))));
        box.append(button);
      }
    }
  }

  // The cursor at a value of the abscissa; `null` hides it.
  point(value) {
    this.following = true;
    const { chart } = this, { min, max } = chart.scales.x, inside = value != null && value >= min && value <= max;
    chart.setCursor(inside ? { left: chart.valToPos(value, "x"), top: 1 } : { left: -10, top: -10 });
    this.following = false;
  }

  // Shows the values at the cursor, on the curves and in the legend.
  read() {
    const { chart, labels } = this, { left, idx } = chart.cursor, inside = left >= 0 && idx != null;
    if (!this.following) this.abscissa.point(inside ? chart.posToVal(left, "x") : null, this);
    if (!this.toggles) return;
    this.toggles.forEach(({ value }, index) => {
      value.textContent = inside && chart.series[index + 1].show ? show(this.values[index][idx]) : "";
    });
    labels.replaceChildren();
    if (!inside) return;
    const { width, height } = chart.over.getBoundingClientRect();
    const at = chart.valToPos(this.x[idx], "x"), found = [];
    this.curves.forEach((curve, index) => {
      const value = this.values[index][idx];
      if (chart.series[index + 1].show && value != null && found.length < SHOWN) {
        found.push({ index: styleOf(curve, index), text: `${curve.name} ${show(value)}`, y: chart.valToPos(value, "y") - 9 });
      }
    });
    found.sort((a, b) => a.y - b.y);
    const SPACE = 18;
    found.forEach((label, i) => { label.y = Math.max(label.y, i ? found[i - 1].y + SPACE : 0); });
    for (let i = found.length - 1; i >= 0; i--) {
      found[i].y = Math.min(found[i].y, i + 1 < found.length ? found[i + 1].y - SPACE : height - 2 * SPACE);
    }
    const { name, unit } = this.abscissa;
    found.push({ index: null, text: `${name} ${withUnit(show(this.x[idx], 6), unit)}`, y: height - SPACE });
    for (const { index, text, y } of found) {
      const label = document.createElement("span");
      label.textContent = text;
      label.style.top = `${y}px`;
      label.style[at > width / 2 ? "right" : "left"] = `${at > width / 2 ? width - at + 9 : at + 9}px`;
      if (index != null) label.className = `c${index % COLOURS + 1}`;
      labels.append(label);
    }
  }

  // The time of the animation.
  mark(time) {
    this.time = time;
    if (time == null || !this.now) return;
    const { min, max } = this.chart.scales.x;
    this.now.hidden = !(time >= min && time <= max);
    this.now.style.transform = `translateX(${this.chart.valToPos(time, "x")}px)`;
  }

  pan(event) {
    const [low, high] = this.abscissa.range, from = event.clientX, width = this.chart.over.clientWidth;
    const move = later => {
      const shift = (later.clientX - from) / width * (high - low);
      this.abscissa.view(low - shift, high - shift);
    };
    const end = () => {
      removeEventListener("mousemove", move);
      removeEventListener("mouseup", end);
    };
    addEventListener("mousemove", move);
    addEventListener("mouseup", end);
  }

  // One finger reads values; two fingers zoom and pan.
  touch() {
    const { chart, abscissa } = this, { over } = chart, fingers = new Map();
    let start = null;
    const place = x => (x - over.getBoundingClientRect().left) / over.clientWidth;
    const ends = () => [...fingers.values()].map(place).sort((a, b) => a - b);
    const changed = () => { start = fingers.size === 2 ? { range: abscissa.range, ends: ends() } : null; };
    over.addEventListener("pointerdown", event => {
      if (event.pointerType !== "touch") return;
      fingers.set(event.pointerId, event.clientX);
      changed();
    });
    over.addEventListener("pointermove", event => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, event.clientX);
      if (!start) {
        chart.setCursor({ left: place(event.clientX) * over.clientWidth, top: 1 });
        return;
      }
      const [low, high] = start.range, value = part => low + part * (high - low), now = ends();
      const span = (value(start.ends[1]) - value(start.ends[0])) / Math.max(now[1] - now[0], 0.02);
      const first = value(start.ends[0]) - now[0] * span;
      abscissa.view(first, first + span);
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      over.addEventListener(kind, event => { if (fingers.delete(event.pointerId)) changed(); });
    }
  }

  key(event) {
    if (event.target !== this.area || event.ctrlKey || event.metaKey || event.altKey) return;
    const { chart, abscissa, x } = this, [low, high] = abscissa.range;
    const current = chart.cursor.left >= 0 ? chart.cursor.idx : null;
    const go = index => {
      const first = indexBefore(x, low) + (x[indexBefore(x, low)] < low ? 1 : 0), last = indexBefore(x, high);
      const to = Math.min(Math.max(index, first), last);
      chart.setCursor({ left: chart.valToPos(x[to], "x"), top: 1 });
      const values = this.curves.map((curve, i) => chart.series[i + 1].show ? `${curve.name} ${show(this.values[i][to])}` : "");
      speak([`${abscissa.name} ${withUnit(show(x[to]), abscissa.unit)}`, ...values.filter(Boolean)].join(", "));
    };
    const step = Math.max(1, Math.round((indexBefore(x, high) - indexBefore(x, low)) / 100));
    const from = current ?? indexBefore(x, (low + high) / 2), centre = current == null ? undefined : x[current];
    const actions = {
      ArrowLeft: () => event.shiftKey ? abscissa.pan(-0.2) : go(from - step),
      ArrowRight: () => event.shiftKey ? abscissa.pan(0.2) : go(from + step),
      Home: () => go(0),
      End: () => go(x.length - 1),
      "+": () => abscissa.zoom(0.6, centre),
      "=": () => abscissa.zoom(0.6, centre),
      "-": () => abscissa.zoom(1 / 0.6, centre),
      "−": () => abscissa.zoom(1 / 0.6, centre),
      0: () => abscissa.reset(),
      Escape: () => chart.setCursor({ left: -10, top: -10 }),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }
}

// The phase plane: velocity against coordinate. Both axes zoom.
class Portrait {
  constructor(figure, coordinates) {
    Object.assign(this, { figure, coordinates, index: 0, hidden: new Set() });
    this.area = figure.querySelector(".area");
    figure.plot = this;
    this.now = document.createElement("div");
    this.now.className = "dot";
    this.now.hidden = true;
    this.label = document.createElement("div");
    this.label.className = "labels";
    this.choose(0);
    this.legend();
    byId("chosen").addEventListener("change", event => this.choose(Number(event.target.value)));
    recoloured.push(() => this.chart.redraw(false));
    new ResizeObserver(() => {
      const width = this.area.clientWidth;
      if (width > 0 && width !== this.chart.width) this.chart.setSize({ width, height: this.height() });
    }).observe(this.area);
    this.area.addEventListener("keydown", event => this.key(event));
    figure.querySelector("[data-csv]").addEventListener("click", () => {
      const { name, axes, time, q, v, samples } = this.coordinates[this.index];
      download(`phase plane ${name}`, [withUnit("time", units.time), ...axes], samples ? samples.map(samplesOf) : [time, q, v]);
    });
    pictureButtons(figure, () => `Velocity against coordinate ${this.coordinates[this.index].name}`, () => {
      const { axes } = this.coordinates[this.index], curves = this.curves().map(curve => ({ ...curve, path: pathOf(this.chart, curve.q, curve.v) }));
      return drawingOf(this.chart, `Velocity against coordinate`, axes, curves);
    });
  }

  height() { return Math.min(460, Math.max(280, this.area.clientWidth * 0.75)); }

  // The curves that are shown: that of the page first, and those of other motions with other colours and dashes.
  curves() {
    const { label, q, v, beside } = this.coordinates[this.index];
    const others = beside.map((other, place) => ({ ...other, index: place + 1 + COLOURS * (place + 1) }));
    return [{ name: label || data.name, q, v, index: 0 }, ...others].filter(({ name }) => !this.hidden.has(name));
  }
  legend() {
    if (!this.coordinates[this.index].beside.length) return;
    for (const { name, index } of this.curves()) {
      const { button } = toggle(name, index, true, on => {
        if (on) this.hidden.delete(name); else this.hidden.add(name);
        this.chart.redraw();
      });
      this.figure.querySelector(".legend").append(button);
    }
  }

  choose(index) {
    this.index = index;
    this.chart?.destroy();
    const { name, axes, q, v, noise, beside } = this.coordinates[index], bounds = (list, noise) => {
      const given = list.filter(value => value != null);
      return withMargin(given.reduce((a, b) => Math.min(a, b), Infinity), given.reduce((a, b) => Math.max(a, b), -Infinity), noise);
    };
    const all = kind => [this.coordinates[index], ...beside].flatMap(curve => curve[kind]);
    this.whole = { x: bounds(all("q"), noise[0]), y: bounds(all("v"), noise[1]) };
    this.range = this.whole;
    this.chart = new uPlot({
      mode: 2,
      width: Math.max(200, this.area.clientWidth),
      height: this.height(),
      legend: { show: false },
      padding: PADDING,
      scales: { x: { time: false, range: () => this.range.x }, y: { range: () => this.range.y } },
      axes: [axis(axes[0]), { ...upright(false), label: axes[1], labelSize: 20, labelGap: 0 }],
      series: [null, { stroke: () => curveColour(0), width: 1.3, paths: chart => this.path(chart) }],
      cursor: {
        drag: { x: true, y: true, setScale: false, dist: 5 },
        points: { size: 9 },
        dataIdx: chart => this.nearest(chart),
        bind: {
          dblclick: () => () => this.view(this.whole),
          mousedown: (chart, target, handler) => event => event.shiftKey ? this.pan(event) : handler(event),
        },
      },
      hooks: {
        setSelect: [chart => {
          const { left, top, width, height } = chart.select;
          if (width > 4 && height > 4) {
            this.view({
              x: [chart.posToVal(left, "x"), chart.posToVal(left + width, "x")],
              y: [chart.posToVal(top + height, "y"), chart.posToVal(top, "y")],
            });
          }
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [chart => this.read(chart)],
        draw: [chart => this.drawOthers(chart), () => this.mark(this.time)],
      },
    }, [null, [q, v]], this.area);
    this.chart.over.append(this.now, this.label);
    this.area.setAttribute("aria-label", `Plot: velocity against coordinate, ${name}`);
  }

  path(chart) {
    const own = this.curves().find(({ index }) => index === 0);
    return { stroke: own ? this.line(chart, own) : new Path2D(), fill: null, clip: null, gaps: null, flags: 0 };
  }
  drawOthers(chart) {
    const { ctx, bbox: { left, top, width, height } } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    for (const curve of this.curves().filter(({ index }) => index > 0)) {
      ctx.strokeStyle = curveColour(curve.index);
      ctx.lineWidth = 1.3 * devicePixelRatio;
      ctx.setLineDash(curveDash(curve.index).map(part => part * devicePixelRatio));
      ctx.stroke(this.line(chart, curve));
    }
    ctx.restore();
  }
  line(chart, { q, v }) {
    const line = new Path2D();
    let drawing = false;
    for (let i = 0; i < q.length; i++) {
      if (q[i] == null || v[i] == null) { drawing = false; continue; }
      const x = chart.valToPos(q[i], "x", true), y = chart.valToPos(v[i], "y", true);
      if (drawing) line.lineTo(x, y); else line.moveTo(x, y);
      drawing = true;
    }
    return line;
  }

  view(range) {
    this.range = range;
    this.chart.batch(() => {
      this.chart.setScale("x", { min: range.x[0], max: range.x[1] });
      this.chart.setScale("y", { min: range.y[0], max: range.y[1] });
    });
  }
  zoom(factor) {
    const around = ([low, high]) => [(low + high) / 2 - (high - low) / 2 * factor, (low + high) / 2 + (high - low) / 2 * factor];
    this.view({ x: around(this.range.x), y: around(this.range.y) });
  }
  shift(across, up, range = this.range) {
    const moved = ([low, high], part) => [low + (high - low) * part, high + (high - low) * part];
    this.view({ x: moved(range.x, across), y: moved(range.y, up) });
  }
  pan(event) {
    const { range } = this, { clientX, clientY } = event, { clientWidth, clientHeight } = this.chart.over;
    const move = later => this.shift((clientX - later.clientX) / clientWidth, (later.clientY - clientY) / clientHeight, range);
    const end = () => {
      removeEventListener("mousemove", move);
      removeEventListener("mouseup", end);
    };
    addEventListener("mousemove", move);
    addEventListener("mouseup", end);
  }

  // The sample that is nearest to the cursor on the screen, if it is close.
  nearest(chart) {
    const { left, top } = chart.cursor, { q, v } = this.coordinates[this.index];
    let best = null, smallest = 40 ** 2;
    if (left >= 0) {
      for (let i = 0; i < q.length; i++) {
        if (q[i] == null || v[i] == null) continue;
        const distance = (chart.valToPos(q[i], "x") - left) ** 2 + (chart.valToPos(v[i], "y") - top) ** 2;
        if (distance < smallest) [best, smallest] = [i, distance];
      }
    }
    return best;
  }
  read(chart) {
    const { name, time, q, v } = this.coordinates[this.index], index = chart.cursor.idxs?.[1];
    this.label.replaceChildren();
    if (index == null || !(chart.cursor.left >= 0)) return;
    const label = document.createElement("span");
    label.className = "c1";
    label.textContent = `${name} ${show(q[index])}, ${name}_dot ${show(v[index])}, time ${withUnit(show(time[index]), units.time)}`;
    label.style.top = "2px";
    label.style.right = "4px";
    this.label.append(label);
  }

  mark(time) {
    this.time = time;
    if (time == null || !this.chart) return;
    const { time: times, q, v } = this.coordinates[this.index], ended = time > times[times.length - 1];
    const x = ended ? null : between(times, q, time), y = ended ? null : between(times, v, time);
    const [[left, right], [low, high]] = [this.range.x, this.range.y];
    this.now.hidden = x == null || y == null || x < left || x > right || y < low || y > high;
    if (!this.now.hidden) {
      this.now.style.transform = `translate(${this.chart.valToPos(x, "x")}px, ${this.chart.valToPos(y, "y")}px)`;
    }
  }

  key(event) {
    if (event.target !== this.area || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      ArrowLeft: () => this.shift(-0.1, 0),
      ArrowRight: () => this.shift(0.1, 0),
      ArrowDown: () => this.shift(0, -0.1),
      ArrowUp: () => this.shift(0, 0.1),
      "+": () => this.zoom(0.6),
      "=": () => this.zoom(0.6),
      "-": () => this.zoom(1 / 0.6),
      0: () => this.view(this.whole),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }
}

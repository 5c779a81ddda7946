// The moving points and the bodies made of them, in the plane or in space, with equal scales.
// The coils of a spring from each corner to the next. Their width stays, and so does their number.
const coil = corners => corners.slice(1).flatMap(([x, y], i) => {
  const [fromX, fromY] = corners[i], [dx, dy] = [x - fromX, y - fromY], length = Math.hypot(dx, dy) || 1, COILS = 8, WIDTH = 7;
  const at = (part, across) => [fromX + dx * part - dy / length * across, fromY + dy * part + dx / length * across];
  const turns = Array.from({ length: 2 * COILS }, (_, k) => at(0.12 + 0.76 * (k + 0.5) / (2 * COILS), k % 2 ? -WIDTH : WIDTH));
  return [[fromX, fromY], at(0.12, 0), ...turns, at(0.88, 0), [x, y]];
});
// Short lines on the right side of a line, on the way along it.
const hatching = corners => corners.slice(1).flatMap(([x, y], i) => {
  const [fromX, fromY] = corners[i], [dx, dy] = [x - fromX, y - fromY], length = Math.hypot(dx, dy), STEP = 11, DEEP = 8;
  return Array.from({ length: Math.floor(length / STEP) }, (_, k) => {
    const along = (k + 1) * STEP / length, start = [fromX + dx * along, fromY + dy * along];
    return [start, [start[0] - (dx + dy) / length * DEEP, start[1] + (dx - dy) / length * DEEP]];
  });
});

class Animation {
  constructor(times, all, shapes) {
    const inShape = new Set(shapes.flatMap(shape => shape.points)), points = all.filter((point, index) => !inShape.has(index));
    shapes = shapes.map(shape => ({ ...shape, points: shape.points.map(index => all[index]) }));
    Object.assign(this, { times, all, points, shapes, running: false, azimuth: -1.0, elevation: 0.35, listeners: [] });
    this.canvas = byId("stage");
    this.pen = this.canvas.getContext("2d");
    this.space = all.some(point => point.components.length === 3);
    this.start = times[0];
    this.length = times[times.length - 1] - this.start;
    // Motions that last too short or too long to be watched are shown in 20 seconds.
    this.rate = units.time === "s" && this.length >= 2 && this.length <= 120 ? 1 : this.length / 20;
    this.time = this.start;
    byId("rate").textContent = this.rate === 1 ? "" : `At speed 1, a second shows ${withUnit(show(this.rate, 3), units.time)} of the motion.`;
    [...shapes, ...points].forEach((thing, index) => {
      Object.assign(thing, { shown: true, index });
      byId("shown-points").append(toggle(thing.name, index, true, on => { thing.shown = on; this.draw(); }).button);
    });
    this.lines = byId("lines");
    this.lines.checked = !shapes.length && this.linked();
    this.lines.closest("label").hidden = !points.length;
    this.bound();
    this.controls();
    if (this.space) this.turning();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    recoloured.push(() => this.draw());
    this.draw();
  }

  at(point, time) {
    const place = point.components.map(values => between(this.times, values, time));
    return place.includes(null) ? null : [place[0], place[1], place[2] ?? 0];
  }

  // Whether each point keeps its distance from the one before it, as the ends of rods do.
  linked() {
    const distances = this.points.map(() => [Infinity, 0]);
    for (let k = 0; k <= 50; k++) {
      let before = [0, 0, 0];
      this.points.forEach((point, index) => {
        const here = this.at(point, this.start + this.length * k / 50);
        if (!here || !before) { before = here; return; }
        const distance = Math.hypot(...here.map((value, i) => value - before[i])), range = distances[index];
        range[0] = Math.min(range[0], distance);
        range[1] = Math.max(range[1], distance);
        before = here;
      });
    }
    return distances.every(([low, high]) => high > 0 && high - low < 0.02 * high);
  }

  // The box around all points and the origin.
  bound() {
    const low = [0, 0, 0], high = [0, 0, 0];
    for (const point of this.all) {
      point.components.forEach((values, i) => {
        for (const value of values) {
          if (value == null) continue;
          low[i] = Math.min(low[i], value);
          high[i] = Math.max(high[i], value);
        }
      });
    }
    const largest = Math.max(...high.map((value, i) => value - low[i])) || 1;
    Object.assign(this, { low, high, largest, centre: low.map((value, i) => (value + high[i]) / 2) });
    let ratio = 0.75;
    if (this.space) {
      this.reach = Math.hypot(...high.map((value, i) => value - low[i])) / 2 || 1;
    } else {
      const [width, height] = [0, 1].map(i => Math.max(high[i] - low[i], 0.2 * largest) * 1.16);
      ratio = Math.min(1, Math.max(0.4, height / width));
      this.extent = [width, height];
    }
    this.canvas.style.aspectRatio = `1 / ${ratio}`;
  }

  project([x, y, z]) {
    if (!this.space) return [x - this.centre[0], y - this.centre[1]];
    const [dx, dy, dz] = [x - this.centre[0], y - this.centre[1], z - this.centre[2]];
    const [sa, ca, se, ce] = [Math.sin(this.azimuth), Math.cos(this.azimuth), Math.sin(this.elevation), Math.cos(this.elevation)];
    return [ca * dy - sa * dx, ce * dz - se * (ca * dx + sa * dy)];
  }

  draw() {
    const { canvas, pen } = this, ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.lineCap = pen.lineJoin = "round";
    const scale = this.space ? Math.min(width, height) / 2.1 / this.reach
      : Math.min(width / this.extent[0], height / this.extent[1]);
    const screen = place => {
      const [x, y] = this.project(place);
      return [width / 2 + x * scale, height / 2 - y * scale];
    };
    const path = places => {
      pen.beginPath();
      places.forEach((place, i) => i ? pen.lineTo(...screen(place)) : pen.moveTo(...screen(place)));
      pen.stroke();
    };
    pen.lineWidth = 1;
    pen.strokeStyle = colour("--rule");
    pen.fillStyle = colour("--soft");
    pen.font = "12px system-ui, sans-serif";
    if (this.space) this.box(path, screen); else this.grid(path, width, height, scale);
    this.trails(path);
    for (const shape of this.shapes) if (shape.shown) this.shape(shape, screen);
    const places = this.points.map(point => point.shown ? this.at(point, this.time) : null);
    if (this.lines.checked) {
      pen.strokeStyle = colour("--ink");
      pen.lineWidth = 3;
      path([[0, 0, 0], ...places.filter(Boolean)]);
    }
    const ball = (place, radius, fill) => {
      pen.fillStyle = fill;
      pen.beginPath();
      pen.arc(...screen(place), radius, 0, 2 * Math.PI);
      pen.fill();
    };
    if (!this.shapes.length || this.lines.checked) ball([0, 0, 0], 3.5, colour("--c0"));
    places.forEach((place, index) => { if (place) ball(place, 6.5, curveColour(this.points[index].index)); });
    const text = withUnit((this.time - 0).toFixed(this.length < 0.1 ? 5 : this.length < 10 ? 3 : 2), units.time);
    byId("clock").textContent = text;
    const seek = byId("seek");
    seek.value = this.length > 0 ? (this.time - this.start) / this.length * 1000 : 0;
    seek.setAttribute("aria-valuetext", text);
    for (const listener of this.listeners) listener(this.time);
  }

  // The corners of a shape on the screen at a time; `null` where one of them is not known.
  corners(shape, time, screen) {
    const places = shape.points.map(point => this.at(point, time));
    return places.includes(null) ? null : places.map(screen);
  }

  shape(shape, screen) {
    const { pen } = this, corners = this.corners(shape, this.time, screen);
    if (!corners) return;
    const { kind } = shape, line = shape.kind === "spring" ? coil(corners) : corners;
    pen.strokeStyle = pen.fillStyle = curveColour(shape.index);
    pen.lineWidth = { rod: 4, spring: 1.8, body: 2, floor: 2 }[kind];
    pen.beginPath();
    line.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
    if (kind === "body") {
      pen.closePath();
      pen.globalAlpha = 0.3;
      pen.fill();
      pen.globalAlpha = 1;
    }
    pen.stroke();
    if (kind === "floor") {
      pen.lineWidth = 1;
      pen.beginPath();
      for (const [from, to] of hatching(corners)) {
        pen.moveTo(...from);
        pen.lineTo(...to);
      }
      pen.stroke();
    }
    if (kind === "rod") {
      for (const [x, y] of corners) {
        pen.beginPath();
        pen.arc(x, y, 3.5, 0, 2 * Math.PI);
        pen.fill();
      }
    }
  }

  trails(path) {
    const kind = Number(byId("trails").value), { pen } = this;
    if (!kind) return;
    const span = kind === 1 ? this.length : Math.min(this.length, 1.5 * this.rate);
    const from = Math.max(this.start, this.time - span), PARTS = kind === 1 ? 1 : 10;
    pen.lineWidth = 1.6;
    this.points.forEach(point => {
      if (!point.shown) return;
      pen.strokeStyle = curveColour(point.index);
      for (let part = 0; part < PARTS; part++) {
        const [a, b] = [part, part + 1].map(k => from + (this.time - from) * k / PARTS), places = [this.at(point, a)];
        for (let k = indexBefore(this.times, a) + 1; k < this.times.length && this.times[k] < b; k++) {
          const place = point.components.map(values => values[k]);
          places.push(place.includes(null) ? null : [place[0], place[1], place[2] ?? 0]);
        }
        places.push(this.at(point, b));
        pen.globalAlpha = kind === 1 ? 0.55 : 0.8 * (part + 1) / PARTS;
        path(places.filter(Boolean));
      }
    });
    pen.globalAlpha = 1;
  }

  // A round length of about a quarter of the picture.
  round() {
    const target = this.largest / 4, power = 10 ** Math.floor(Math.log10(target));
    return [5, 2, 1].find(digit => digit * power <= target) * power;
  }
  grid(path, width, height, scale) {
    const { pen } = this, step = this.round(), [cx, cy] = this.centre;
    const [left, right, low, high] = [cx - width / scale / 2, cx + width / scale / 2, cy - height / scale / 2, cy + height / scale / 2];
    for (let k = Math.ceil(left / step); k * step <= right; k++) path([[k * step, low], [k * step, high]]);
    for (let k = Math.ceil(low / step); k * step <= high; k++) path([[left, k * step], [right, k * step]]);
    pen.strokeStyle = colour("--soft");
    const end = width - 14, from = end - step * scale;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(from, height - 12);
    pen.lineTo(end, height - 12);
    pen.stroke();
    pen.textAlign = "center";
    pen.fillText(show(step, 3), (from + end) / 2, height - 18);
  }
  box(path, screen) {
    const { low, high, pen } = this, corner = bits => [0, 1, 2].map(i => bits >> i & 1 ? high[i] : low[i]);
    for (let bits = 0; bits < 8; bits++) {
      for (let i = 0; i < 3; i++) if (!(bits >> i & 1)) path([corner(bits), corner(bits | 1 << i)]);
    }
    pen.strokeStyle = colour("--soft");
    pen.textAlign = "center";
    ["x", "y", "z"].forEach((name, i) => {
      const end = [0, 0, 0];
      end[i] = this.round();
      path([[0, 0, 0], end]);
      const [x, y] = screen(end.map(value => value * 1.15));
      pen.fillText(name, x, y + 4);
    });
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.start), this.start + this.length);
    this.draw();
  }
  run(wanted) {
    this.running = wanted;
    byId("play").textContent = wanted ? "Pause" : "Play";
    if (!wanted) return;
    if (this.time >= this.start + this.length) this.time = this.start;
    let before = null;
    const tick = stamp => {
      if (!this.running) return;
      const elapsed = before == null ? 0 : Math.min((stamp - before) / 1000, 0.1);
      before = stamp;
      this.time += elapsed * Number(byId("speed").value) * this.rate;
      if (this.time > this.start + this.length) this.time = this.start;
      this.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
  controls() {
    byId("play").addEventListener("click", () => this.run(!this.running));
    byId("seek").addEventListener("input", event => {
      this.run(false);
      this.seek(this.start + event.target.value / 1000 * this.length);
    });
    this.lines.addEventListener("change", () => this.draw());
    byId("trails").addEventListener("change", () => this.draw());
  }

  turning() {
    const { canvas } = this;
    const turn = (across, up) => {
      this.azimuth += across;
      this.elevation = Math.min(1.57, Math.max(-1.57, this.elevation + up));
      this.draw();
    };
    let from = null;
    canvas.classList.add("turns");
    canvas.addEventListener("pointerdown", event => {
      from = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", event => {
      if (!from) return;
      turn((from[0] - event.clientX) * 0.01, (event.clientY - from[1]) * 0.01);
      from = [event.clientX, event.clientY];
    });
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => { from = null; });
    const turns = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    canvas.addEventListener("keydown", event => {
      if (!(event.key in turns)) return;
      event.preventDefault();
      turn(...turns[event.key]);
    });
  }
}

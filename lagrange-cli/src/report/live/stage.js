// The picture of a live motion: points and bodies in the plane or in space, a second motion behind them, and points that can be dragged.
const GRASP = 30;

class LiveStage {
  constructor(canvas, about) {
    Object.assign(this, { canvas, ...pointsOf(about.outputs), pen: canvas.getContext("2d"), azimuth: -1, elevation: 0.35, low: null });
    const inShape = new Set(this.shapes.flatMap(shape => shape.points));
    this.free = this.points.map((_, index) => index).filter(index => !inShape.has(index));
    this.space = this.points.some(point => point.places.length === 3);
    this.lines = false;
    this.trails = 0.1;
  }

  // The places of all points for the values of all outputs.
  places(outputs) {
    return this.points.map(({ places }) => [outputs[places[0]], outputs[places[1]], places[2] === undefined ? 0 : outputs[places[2]]]);
  }

  // Whether each free point keeps its distance from the one before it, as the ends of rods do. The first is linked with the origin.
  linked({ outputs, length }) {
    if (this.shapes.length || !this.free.length) return false;
    const ranges = this.free.map(() => [Infinity, 0]);
    for (let k = 0; k < length; k += Math.max(1, Math.floor(length / 60))) {
      const places = this.places(outputs.map(list => list[k]));
      let before = [0, 0, 0];
      this.free.forEach((index, i) => {
        const distance = Math.hypot(...places[index].map((value, axis) => value - before[axis]));
        ranges[i] = [Math.min(ranges[i][0], distance), Math.max(ranges[i][1], distance)];
        before = places[index];
      });
    }
    return ranges.every(([low, high]) => high > 0 && high - low < 1e-6 * high);
  }

  // The box around all points of motions and the origin. A box that still suits is kept, so that the picture rests while a slider moves.
  fit(all, force) {
    const low = [0, 0, 0], high = [0, 0, 0];
    for (const { outputs } of all) {
      for (const { places } of this.points) {
        places.forEach((place, axis) => {
          for (const value of outputs[place]) {
            if (value < low[axis]) low[axis] = value;
            if (value > high[axis]) high[axis] = value;
          }
        });
      }
    }
    const span = Math.max(...high.map((value, i) => value - low[i])) || 1;
    const inside = this.low && low.every((value, i) => value >= this.low[i] - 0.02 * this.span && high[i] <= this.high[i] + 0.02 * this.span);
    if (!force && inside && span > 0.4 * this.span) return;
    Object.assign(this, { low, high, span, centre: low.map((value, i) => (value + high[i]) / 2) });
    this.reach = Math.hypot(...high.map((value, i) => value - low[i])) / 2 || 1;
    this.extent = [0, 1].map(i => Math.max(high[i] - low[i], 0.2 * span) * 1.2);
    if (!this.ratio || force) {
      this.ratio = this.space ? 0.75 : Math.min(1, Math.max(0.45, this.extent[1] / this.extent[0]));
      this.canvas.style.aspectRatio = `1 / ${this.ratio}`;
    }
  }

  // A place in the plane of the screen, in lengths of the mechanism, with the centre at 0.
  project([x, y, z]) {
    const [dx, dy, dz] = [x - this.centre[0], y - this.centre[1], z - this.centre[2]];
    if (!this.space) return [dx, dy];
    const [sa, ca, se, ce] = [Math.sin(this.azimuth), Math.cos(this.azimuth), Math.sin(this.elevation), Math.cos(this.elevation)];
    return [ca * dy - sa * dx, ce * dz - se * (ca * dx + sa * dy)];
  }
  get scale() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return this.space ? Math.min(width, height) / 2.1 / this.reach : Math.min(width / this.extent[0], height / this.extent[1]);
  }
  screen(place) {
    const [x, y] = this.project(place), { clientWidth: width, clientHeight: height } = this.canvas, { scale } = this;
    return [width / 2 + x * scale, height / 2 - y * scale];
  }
  // The place in the plane of the screen under a pointer.
  under(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect(), { scale } = this;
    return [(event.clientX - left - width / 2) / scale, (height / 2 - (event.clientY - top)) / scale];
  }

  // The point that a pointer grasps, if one is near.
  grasped(event, outputs) {
    const { left, top } = this.canvas.getBoundingClientRect(), at = [event.clientX - left, event.clientY - top];
    const distances = this.places(outputs).map(place => {
      const [x, y] = this.screen(place);
      return Math.hypot(x - at[0], y - at[1]);
    });
    const nearest = distances.indexOf(Math.min(...distances));
    return distances[nearest] <= GRASP ? nearest : null;
  }

  // `shown`: the outputs now and the samples before them, of the motion and of the one that is kept.
  draw(shown, time, length) {
    const { canvas, pen } = this, ratio = devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height || !this.low) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.lineCap = pen.lineJoin = "round";
    this.ground(width, height);
    shown.forEach(({ outputs, samples, kept }) => {
      pen.globalAlpha = kept ? 0.4 : 1;
      pen.setLineDash(kept ? [5, 4] : []);
      this.trail(samples, time, length, kept);
      pen.globalAlpha = kept ? 0.4 : 1;
      if (outputs) this.bodies(this.places(outputs));
    });
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  path(places) {
    const { pen } = this;
    pen.beginPath();
    places.forEach((place, i) => i ? pen.lineTo(...this.screen(place)) : pen.moveTo(...this.screen(place)));
    pen.stroke();
  }

  // The grid with its length, or the axes in space.
  ground(width, height) {
    const { pen, centre, scale } = this, target = this.span / 4, power = 10 ** Math.floor(Math.log10(target));
    const step = [5, 2, 1].find(digit => digit * power <= target) * power;
    pen.lineWidth = 1;
    pen.strokeStyle = colour("--rule");
    pen.fillStyle = colour("--soft");
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    if (this.space) {
      ["x", "y", "z"].forEach((name, i) => {
        const end = [0, 0, 0];
        end[i] = step;
        this.path([[0, 0, 0], end]);
        const [x, y] = this.screen(end.map(value => value * 1.15));
        pen.fillText(name, x, y + 4);
      });
      return;
    }
    const [left, right] = [-1, 1].map(side => centre[0] + side * width / scale / 2);
    const [low, high] = [-1, 1].map(side => centre[1] + side * height / scale / 2);
    for (let k = Math.ceil(left / step); k * step <= right; k++) this.path([[k * step, low, 0], [k * step, high, 0]]);
    for (let k = Math.ceil(low / step); k * step <= high; k++) this.path([[left, k * step, 0], [right, k * step, 0]]);
    const end = width - 14, from = end - step * scale;
    pen.strokeStyle = colour("--soft");
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(from, height - 12);
    pen.lineTo(end, height - 12);
    pen.stroke();
    pen.fillText(show(step, 3), (from + end) / 2, height - 18);
  }

  trail(samples, time, length, kept) {
    const { pen } = this, { t, outputs } = samples;
    if (!this.trails || t.length < 2) return;
    const from = indexBefore(t, time - this.trails * length), to = indexBefore(t, time);
    pen.lineWidth = 1.6;
    for (const index of this.free) {
      const { places } = this.points[index];
      pen.strokeStyle = curveColour(index);
      pen.globalAlpha = kept ? 0.3 : 0.6;
      pen.beginPath();
      for (let k = from; k <= to; k++) {
        const at = this.screen([outputs[places[0]][k], outputs[places[1]][k], places[2] === undefined ? 0 : outputs[places[2]][k]]);
        if (k === from) pen.moveTo(...at); else pen.lineTo(...at);
      }
      pen.stroke();
    }
  }

  bodies(places) {
    const { pen } = this;
    this.shapes.forEach((shape, number) => {
      const corners = shape.points.map(index => this.screen(places[index])), line = shape.kind === "spring" ? coil(corners) : corners;
      pen.strokeStyle = pen.fillStyle = curveColour(number);
      pen.lineWidth = { rod: 4, spring: 1.8, body: 2, floor: 2 }[shape.kind];
      pen.beginPath();
      line.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
      if (shape.kind === "body") {
        pen.closePath();
        const alpha = pen.globalAlpha;
        pen.globalAlpha = alpha * 0.3;
        pen.fill();
        pen.globalAlpha = alpha;
      }
      pen.stroke();
      if (shape.kind !== "floor") return;
      pen.lineWidth = 1;
      pen.beginPath();
      for (const [from, to] of hatching(corners)) {
        pen.moveTo(...from);
        pen.lineTo(...to);
      }
      pen.stroke();
    });
    if (this.lines) {
      pen.strokeStyle = colour("--ink");
      pen.lineWidth = 3;
      this.path([[0, 0, 0], ...this.free.map(index => places[index])]);
    }
    const ball = (place, radius, fill) => {
      pen.fillStyle = fill;
      pen.beginPath();
      pen.arc(...this.screen(place), radius, 0, 2 * Math.PI);
      pen.fill();
    };
    if (!this.shapes.length) ball([0, 0, 0], 3.5, colour("--c0"));
    for (const index of this.free) ball(places[index], 7, curveColour(index));
  }

  turn(across, up) {
    this.azimuth += across;
    this.elevation = Math.min(1.57, Math.max(-1.57, this.elevation + up));
  }
}

// The coordinates that bring a point as near as they can to a place on the screen: Levenberg and Marquardt's method on the distance, with
// each trial projected onto the constraints. `spans` are the sizes of changes of the coordinates.
const reachFor = (mechanism, stage, index, target, start, spans) => {
  const { t } = start, own = mechanism.own;
  const miss = (q, v) => {
    const place = stage.places(mechanism.call("outputs", t, q, v).outputs)[index];
    return stage.project(place).map((value, axis) => value - target[axis]);
  };
  let { q, v } = start, residual = miss(q, v), damping = 1e-3;
  for (let round = 0; round < 25; round++) {
    const size = Math.hypot(...residual);
    if (size < 1e-9 * stage.span) break;
    const columns = spans.slice(0, own).map((span, k) => {
      const step = 1e-6 * span, moved = q.map((value, i) => i === k ? value + step : value);
      return miss(moved, v).map((value, axis) => (value - residual[axis]) / 1e-6);
    });
    // (J Jᵀ + damping) x = r, and the change is −Jᵀ x, in units of the spans.
    const a = [0, 1].map(i => [0, 1].map(j => columns.reduce((sum, column) => sum + column[i] * column[j], 0)));
    const trace = a[0][0] + a[1][1];
    if (!(trace > 0)) break;
    const [p, s, o] = [a[0][0] + damping * trace, a[1][1] + damping * trace, a[0][1]], determinant = p * s - o * o;
    const x = [(s * residual[0] - o * residual[1]) / determinant, (p * residual[1] - o * residual[0]) / determinant];
    let better = null;
    try {
      const trial = q.map((value, k) => k < own ? value - spans[k] * (columns[k][0] * x[0] + columns[k][1] * x[1]) : value);
      const found = mechanism.project(t, trial, v), missed = miss(found.q, found.v);
      if (Math.hypot(...missed) < size) better = { ...found, missed };
    } catch {
      // No state that meets the constraints is near the trial: a shorter change may have one.
    }
    if (better) {
      ({ q, v } = better);
      residual = better.missed;
      damping = Math.max(1e-9, damping / 5);
    } else {
      damping *= 8;
      if (damping > 1e6) break;
    }
  }
  return { q, v };
};

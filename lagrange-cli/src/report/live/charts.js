// A plot that is drawn anew for each motion: curves over time or in the phase plane, those of the kept motion dashed behind them.
class LiveChart {
  constructor(area, label) {
    Object.assign(this, { area, label, curves: [], time: null });
    this.chart = null;
    new ResizeObserver(() => {
      const width = area.clientWidth;
      if (this.chart && width > 0 && width !== this.chart.width) this.chart.setSize({ width, height: this.height() });
    }).observe(area);
    recoloured.push(() => this.chart?.redraw(false));
  }

  height() { return innerWidth < 600 ? 220 : 260; }

  // `curves`: x, y, the number of the colour, and whether it is the kept motion's.
  show(curves, axes, end) {
    const key = JSON.stringify([axes, curves.length]);
    this.curves = curves;
    this.end = end;
    this.ranges = ["x", "y"].map(axis => {
      let low = Infinity, high = -Infinity;
      for (const curve of curves) {
        for (const value of curve[axis]) {
          if (value < low) low = value;
          if (value > high) high = value;
        }
      }
      return withMargin(low, high);
    });
    if (end) this.ranges[0] = end;
    if (key !== this.key) {
      this.key = key;
      this.chart?.destroy();
      this.chart = curves.length ? this.make(axes) : null;
    }
    this.chart?.setData([null, ...curves.map(curve => [curve.x, curve.y])]);
  }

  make([x, y]) {
    return new uPlot({
      mode: 2,
      width: Math.max(200, this.area.clientWidth),
      height: this.height(),
      legend: { show: false },
      padding: PADDING,
      scales: { x: { time: false, range: () => this.ranges[0] }, y: { range: () => this.ranges[1] } },
      axes: [axis(x), y ? { ...upright(false), label: y, labelSize: 20, labelGap: 0 } : upright(false)],
      series: [null, ...this.curves.map((_, index) => ({
        stroke: () => this.stroke(index), width: 1.6, paths: chart => this.path(chart, index),
      }))],
      cursor: { show: false },
      hooks: { draw: [chart => this.mark(chart)] },
    }, [null, ...this.curves.map(curve => [curve.x, curve.y])], this.area);
  }

  stroke(index) {
    const { number, kept } = this.curves[index];
    return kept ? `color-mix(in srgb, ${curveColour(number)} 45%, ${colour("--paper")})` : curveColour(number);
  }

  path(chart, index) {
    const { x, y, kept } = this.curves[index], line = new Path2D(), { left, top, width, height } = chart.bbox;
    const [[x0, x1], [y0, y1]] = this.ranges, right = width / (x1 - x0), up = height / (y1 - y0);
    let drawing = false, gap = false, far = 0, [lastX, lastY] = [0, 0];
    const DASH = 7 * (devicePixelRatio || 1);
    for (let i = 0; i < x.length; i++) {
      if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) { drawing = false; continue; }
      const px = left + (x[i] - x0) * right, py = top + height - (y[i] - y0) * up;
      if (kept && drawing) {
        far += Math.hypot(px - lastX, py - lastY);
        if (far > DASH) [gap, far] = [!gap, 0];
      }
      if (drawing && !gap) line.lineTo(px, py); else line.moveTo(px, py);
      [drawing, lastX, lastY] = [true, px, py];
    }
    return { stroke: line, fill: null, clip: null, gaps: null, flags: 0 };
  }

  // The place of the animation's time on each curve of the motion itself.
  mark(chart) {
    const { ctx, bbox } = chart;
    if (!this.places) return;
    ctx.save();
    for (const { x, y, number } of this.places) {
      const [[x0, x1], [y0, y1]] = this.ranges;
      if (!(x >= x0 && x <= x1 && y >= y0 && y <= y1)) continue;
      ctx.fillStyle = curveColour(number);
      ctx.beginPath();
      ctx.arc(bbox.left + (x - x0) / (x1 - x0) * bbox.width, bbox.top + bbox.height * (1 - (y - y0) / (y1 - y0)), 4 * (devicePixelRatio || 1), 0, 7);
      ctx.fill();
    }
    ctx.restore();
  }
}

"use strict";
// Animations: the positions of the bars' ends at each frame, in millimetres.
for (const source of document.querySelectorAll("[data-frames]")) {
  const id = source.dataset.frames, data = JSON.parse(source.textContent), { frames, step } = data;
  const canvas = document.getElementById(id), pen = canvas.getContext("2d");
  const part = name => document.querySelector(`[data-${name}="${id}"]`);
  const [play, seek, clock] = ["play", "seek", "clock"].map(part);
  const last = frames.length - 1, length = last * step, tip = frames[0].length - 2;
  let time = 0, running = false, before = 0;

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name);
  const at = t => {
    const place = Math.min(t / step, last), k = Math.min(Math.floor(place), last - 1), part = place - k;
    return frames[k].map((value, i) => value + (frames[k + 1][i] - value) * part);
  };
  const draw = () => {
    const side = canvas.clientWidth * devicePixelRatio;
    if (canvas.width !== Math.round(side)) {
      canvas.width = Math.round(side);
      canvas.height = Math.round(side * (data.high - data.low) / (2 * data.reach));
    }
    const scale = side / 2 / (data.reach * 1000), x = v => side / 2 + v * scale, y = v => (data.high * 1000 - v) * scale;
    const unit = side / 480;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.lineCap = pen.lineJoin = "round";
    const now = at(time), from = Math.max(0, Math.ceil((time - data.trail) / step)), to = Math.floor(time / step);
    pen.strokeStyle = colour("--c2");
    pen.lineWidth = 1.6 * unit;
    const tail = frames.slice(from, to + 1).concat([now]);
    for (let i = 1; i < tail.length; i++) {
      pen.globalAlpha = data.trail < length ? (i / tail.length) ** 1.5 : 0.75;
      pen.beginPath();
      pen.moveTo(x(tail[i - 1][tip]), y(tail[i - 1][tip + 1]));
      pen.lineTo(x(tail[i][tip]), y(tail[i][tip + 1]));
      pen.stroke();
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = colour("--ink");
    pen.lineWidth = 4 * unit;
    pen.beginPath();
    pen.moveTo(x(0), y(0));
    for (let i = 0; i <= tip; i += 2) pen.lineTo(x(now[i]), y(now[i + 1]));
    pen.stroke();
    const ball = (px, py, radius, fill) => {
      pen.fillStyle = colour(fill);
      pen.beginPath();
      pen.arc(x(px), y(py), radius * unit, 0, 2 * Math.PI);
      pen.fill();
    };
    ball(0, 0, 4, "--c0");
    for (let i = 0; i < tip; i += 2) ball(now[i], now[i + 1], 7, "--c1");
    ball(now[tip], now[tip + 1], 9, "--c2");
    clock.textContent = time.toFixed(2) + " s";
    seek.value = Math.round(time / step);
  };
  const tick = stamp => {
    if (!running) return;
    time += Math.min((stamp - before) / 1000, 0.1);
    before = stamp;
    if (time > length) time = 0;
    draw();
    requestAnimationFrame(tick);
  };
  const run = wanted => {
    running = wanted;
    play.textContent = running ? "Pause" : "Play";
    if (running) requestAnimationFrame(stamp => { before = stamp; tick(stamp); });
  };
  play.addEventListener("click", () => run(!running));
  seek.addEventListener("input", () => { run(false); time = seek.value * step; draw(); });
  addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  time = Math.min(data.trail, length) * 0.6;
  draw();
  // Plays while it is seen, unless the reader asked for less motion or paused it.
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    let paused = false;
    play.addEventListener("click", () => { paused = !running; });
    seek.addEventListener("input", () => { paused = true; });
    new IntersectionObserver(entries => {
      const seen = entries[entries.length - 1].isIntersecting;
      if (seen && !running && !paused) run(true);
      if (!seen && running) run(false);
    }, { threshold: 0.3 }).observe(canvas);
  }
}
// Values under the pointer.
for (const svg of document.querySelectorAll("svg[data-x]")) {
  const scale = text => {
    const [kind, ...numbers] = text.split(" "), [low, high, start, end] = numbers.map(Number);
    // Four digits of what differs between the ends.
    const digits = kind === "log" ? 4 : 4 + Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low)) + 1e-9);
    return { start, end, digits: Math.min(Math.max(digits, 4), 16), value: p => {
      const f = (p - start) / (end - start);
      return kind === "log" ? low * (high / low) ** f : low + (high - low) * f;
    } };
  };
  const x = scale(svg.dataset.x), y = scale(svg.dataset.y), make = (name, kind) => {
    const node = document.createElementNS(svg.namespaceURI, name);
    node.setAttribute("class", kind);
    svg.append(node);
    return node;
  };
  const cross = make("path", "cross"), read = make("text", "read");
  const show = (number, { digits }) => (Math.abs(number) >= 1e5 || (number && Math.abs(number) < 1e-3)
    ? number.toExponential(digits - 2).replace("+", "") : number.toPrecision(digits)).replace(/-/g, "−");
  const hide = () => { cross.removeAttribute("d"); read.textContent = ""; };
  svg.addEventListener("pointerleave", hide);
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect(), ratio = svg.viewBox.baseVal.width / box.width;
    const px = (event.clientX - box.left) * ratio, py = (event.clientY - box.top) * ratio;
    if (px < x.start || px > x.end || py < y.end || py > y.start) return hide();
    cross.setAttribute("d", `M${px} ${y.end}V${y.start}M${x.start} ${py}H${x.end}`);
    const right = px > (x.start + x.end) / 2;
    read.setAttribute("x", px + (right ? -8 : 8));
    read.setAttribute("y", Math.max(py - 8, y.end + 16));
    read.setAttribute("text-anchor", right ? "end" : "start");
    read.textContent = `${show(x.value(px), x)}, ${show(y.value(py), y)}`;
  });
}
// The navigation marks the study that is read, and shows its link on a narrow screen.
{
  const links = new Map([...document.querySelectorAll("nav a")].map(link => [link.hash.slice(1), link]));
  const inner = document.querySelector("nav .inner"), parts = [...links.keys()].map(id => document.getElementById(id));
  let current = null;
  const mark = () => {
    const limit = innerHeight / 3, read = parts.filter(part => part.getBoundingClientRect().top < limit).pop() ?? parts[0];
    const link = links.get(read.id);
    if (link === current) return;
    current?.removeAttribute("aria-current");
    current = link;
    link.setAttribute("aria-current", "true");
    inner.scrollTo({ left: link.offsetLeft - inner.offsetLeft - (inner.clientWidth - link.offsetWidth) / 2 });
  };
  addEventListener("scroll", mark, { passive: true });
  addEventListener("resize", mark);
  mark();
}

// Plots as pictures: SVG as they are in view, and PNG of the same drawing.
const save = (name, extension, blob) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${data.name} ${name}.${extension}`.replace(/[^\p{L}\p{N}.]+/gu, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};
const inXml = text => String(text).replace(/[&<>"]/g, sign => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

// The path of a curve in a chart. A value of stairs holds from the abscissa before it.
const pathOf = (chart, xs, ys, stairs) => {
  let path = "", before = null;
  for (let i = 0; i < xs.length; i++) {
    if (xs[i] == null || ys[i] == null) { before = null; continue; }
    const [x, y] = [chart.valToPos(xs[i], "x"), chart.valToPos(ys[i], "y")].map(value => value.toFixed(2));
    if (!before) path += `M${x} ${y}`;
    else if (stairs) path += `V${y}H${x}`;
    else if (before[0] !== x || before[1] !== y) path += `L${x} ${y}`;
    before = [x, y];
  }
  return path;
};

// The drawing of a chart as SVG. `curves`: name, index of the colour, path.
const drawingOf = (chart, title, [across, up], curves) => {
  const box = ["left", "top", "width", "height"].map(side => chart.bbox[side] / (devicePixelRatio || 1)), [, , width, height] = box;
  const measure = chart.ctx.canvas.ownerDocument.createElement("canvas").getContext("2d"), FONT = "12px system-ui, sans-serif";
  measure.font = FONT;
  const LEFT = Math.max(box[0], 30), total = LEFT + width + 24;
  // The legend has as many rows as it takes.
  let [x, row] = [LEFT, 0];
  const entries = curves.map(curve => {
    const length = 32 + measure.measureText(curve.name).width + 14;
    if (x + length > total && x > LEFT) [x, row] = [LEFT, row + 1];
    const place = [x, 40 + 18 * row];
    x += length;
    return { ...curve, place };
  });
  const TOP = 56 + 18 * row, line = (from, to, stroke) => `<path d="M${from}L${to}" stroke="${stroke}" fill="none"/>`;
  const text = (content, x, y, anchor, more = "") => `<text x="${x}" y="${y}" text-anchor="${anchor}" ${more}>${inXml(content)}</text>`;
  const inner = [], { _splits: xs, _values: xNames } = chart.axes[0], { _splits: ys, _values: yNames } = chart.axes[1];
  const inView = (position, length) => position >= -0.5 && position <= length + 0.5;
  (xs || []).forEach((value, i) => {
    const at = chart.valToPos(value, "x");
    if (value == null || !inView(at, width)) return;
    inner.push(line(`${at} 0`, `${at} ${height}`, colour("--grid")));
    if (xNames[i]) inner.push(text(xNames[i], at, height + 17, "middle", 'class="x"'));
  });
  (ys || []).forEach((value, i) => {
    const at = chart.valToPos(value, "y");
    if (value == null || !inView(at, height)) return;
    inner.push(line(`0 ${at}`, `${width} ${at}`, colour("--grid")));
    if (yNames[i]) inner.push(text(yNames[i], -7, at + 4, "end", 'class="y"'));
  });
  const stroke = ({ index }, more = "") => `stroke="${curveColour(index)}" stroke-dasharray="${curveDash(index).join(" ")}" fill="none" ${more}`;
  const lines = entries.map(curve => `<path class="curve" d="${curve.path}" ${stroke(curve, 'stroke-width="1.6" stroke-linejoin="round"')}/>`);
  const legend = entries.map(curve => `<path d="M${curve.place[0]} ${curve.place[1] - 4}h22" ${stroke(curve, 'stroke-width="3"')}/>`
    + text(curve.name, curve.place[0] + 28, curve.place[1], "start"));
  const side = up ? text(up, 0, 0, "middle", `transform="translate(${14 - LEFT} ${height / 2}) rotate(-90)"`) : "";
  return {
    size: [total, TOP + height + 44],
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="${TOP + height + 44}" viewBox="0 0 ${total} ${TOP + height + 44}" font-family="system-ui, sans-serif" font-size="12" fill="${colour("--soft")}">`
      + `<title>${inXml(title)}</title><rect width="100%" height="100%" fill="${colour("--paper")}"/>`
      + text(title, LEFT, 20, "start", `font-size="14" font-weight="600" style="fill:${colour("--ink")}"`) + legend.join("")
      + `<clipPath id="inside"><rect width="${width}" height="${height}"/></clipPath>`
      + `<g transform="translate(${LEFT} ${TOP})">${inner.join("")}<g clip-path="url(#inside)">${lines.join("")}</g>`
      + text(across, width / 2, height + 36, "middle") + side + "</g></svg>",
  };
};

const savePicture = async (title, kind, { size, svg }) => {
  const blob = new Blob([svg], { type: "image/svg+xml" });
  if (kind === "svg") return save(title, "svg", blob);
  const image = new Image(), address = URL.createObjectURL(blob), SCALE = 2;
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = size.map(length => Math.round(length * SCALE));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob(png => save(title, "png", png), "image/png");
};
// The buttons of a figure that save its drawing, which `draw` makes.
const pictureButtons = (figure, title, draw) => {
  for (const button of figure.querySelectorAll("[data-picture]")) {
    button.addEventListener("click", () => savePicture(title(), button.dataset.picture, draw()));
  }
};

// What all parts of the page use.
const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
// Units that are not stated are empty.
const { units } = data;
const withUnit = (text, unit) => unit ? `${text} ${unit}` : text;
const head = (name, unit) => unit ? `${name}, ${unit}` : name;
// Where a number stands for a table of values, the table takes its place.
const table = number => data.series[number];
for (const plot of data.plots) for (const curve of plot.curves) curve.values = table(curve.values);
for (const coordinate of data.plane.coordinates) {
  coordinate.time = data.times[coordinate.time];
  coordinate.q = table(coordinate.q);
  coordinate.v = table(coordinate.v);
  for (const other of coordinate.beside) {
    other.q = table(other.q);
    other.v = table(other.v);
  }
}
for (const point of data.points.all) point.components = point.components.map(table);

// Colours are the style sheet's. They change with the reader's preference.
const dark = matchMedia("(prefers-color-scheme: dark)");
let known = {};
const colour = name => known[name] ??= getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const recoloured = [];
dark.addEventListener("change", () => {
  known = {};
  for (const redraw of recoloured) redraw();
});
const COLOURS = 9;
const curveColour = index => colour(`--c${index % COLOURS + 1}`);
const curveDash = index => [[], [7, 4], [2, 3], [9, 3, 2, 3]][Math.floor(index / COLOURS) % 4];

const raised = exponent => [...String(exponent)].map(sign => sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign]).join("");
// A number with so many significant digits, with a power of ten where it is very large or very small.
const show = (number, digits = 5) => {
  if (number == null || !isFinite(number)) return "–";
  const size = Math.abs(number);
  if (size && (size >= 1e6 || size < 1e-3)) {
    const [mantissa, exponent] = number.toExponential(digits - 1).split("e");
    return `${Number(mantissa)}·10${raised(Number(exponent))}`.replace("-", "−");
  }
  return String(Number(number.toPrecision(digits))).replace("-", "−");
};

// All samples of a series, which are embedded as the bytes of their doubles where a plot shows a part of them.
const samplesOf = number => new Float64Array(Uint8Array.from(atob(data.samples[number]), sign => sign.charCodeAt(0)).buffer);

// A button of a legend, which shows or hides something.
const toggle = (name, index, pressed, changed) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "curve";
  button.setAttribute("aria-pressed", pressed);
  const mark = document.createElement("i"), label = document.createElement("span"), value = document.createElement("output");
  mark.className = `c${index % COLOURS + 1} d${Math.floor(index / COLOURS) % 4}`;
  label.textContent = name;
  value.setAttribute("aria-live", "off");
  button.append(mark, label, value);
  const set = on => {
    button.setAttribute("aria-pressed", on);
    changed(on);
  };
  button.addEventListener("click", () => set(button.getAttribute("aria-pressed") !== "true"));
  return { button, value, set };
};

// For screen readers.
const speak = text => { byId("spoken").textContent = text; };

// The index of the last element that is at most `value`, in increasing order.
const indexBefore = (list, value) => {
  let low = 0, high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle] <= value) low = middle; else high = middle - 1;
  }
  return low;
};
// The value of a curve between its samples.
const between = (times, values, time) => {
  const k = Math.min(indexBefore(times, time), times.length - 2), span = times[k + 1] - times[k];
  if (values[k] == null || values[k + 1] == null) return null;
  const part = span > 0 ? Math.min(1, Math.max(0, (time - times[k]) / span)) : 0;
  return values[k] + (values[k + 1] - values[k]) * part;
};

const download = (name, heads, columns) => {
  const quoted = text => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const cell = value => value == null || Number.isNaN(value) ? "" : String(value);
  const lines = [heads.map(quoted).join(",")];
  for (let row = 0; row < columns[0].length; row++) lines.push(columns.map(column => quoted(cell(column[row]))).join(","));
  save(name, "csv", new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
};

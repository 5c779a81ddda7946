// Builds all parts that the page has.
const time = new Abscissa("time", units.time);
data.plots.forEach((plot, index) => new Plot(byId(`plot${index}`), {
  title: plot.title,
  x: data.times[plot.time],
  curves: plot.curves,
  logarithmic: plot.scale === "log",
  stairs: plot.stairs,
  samples: plot.samples,
  abscissa: time,
}));
if (time.plots.length) {
  const decimals = span => Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(span || 1))));
  time.changed = ([low, high]) => {
    byId("range").textContent = `${low.toFixed(decimals(high - low))} to ${withUnit(high.toFixed(decimals(high - low)), units.time)}`;
  };
  time.reset();
  const actions = {
    in: () => time.zoom(0.5), out: () => time.zoom(2), earlier: () => time.pan(-0.25), later: () => time.pan(0.25), reset: () => time.reset(),
  };
  for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", actions[button.dataset.zoom]);
}

const portrait = byId("plane") && data.plane.coordinates.length
  ? new Portrait(byId("plane"), data.plane.coordinates) : null;

if (byId("frequencies")) {
  const spectra = data.spectra.filter(row => row.values.length > 1);
  const tables = spectra.map(row => [row.frequencies, row.values]);
  const same = spectra.every(row => String(row.frequencies) === String(spectra[0].frequencies));
  const [x, ...values] = same ? [tables[0][0], ...tables.map(table => table[1])] : uPlot.join(tables);
  const frequency = new Abscissa("frequency", units.frequency);
  new Plot(byId("frequencies"), {
    title: "Spectrum",
    x,
    curves: spectra.map((row, index) => ({ name: row.name, values: values[index] })),
    logarithmic: true,
    abscissa: frequency,
  });
  frequency.reset();
}

if (byId("stage")) {
  const animation = new Animation(data.times[data.points.time], data.points.all, data.points.shapes);
  byId("stage").animation = animation;
  animation.listeners.push(now => {
    for (const plot of time.plots) plot.mark(now);
    portrait?.mark(now);
  });
  animation.draw();
}

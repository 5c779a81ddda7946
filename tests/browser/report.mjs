// Tests pages of mechanisms and of the studies, and the playground, in a browser, at the widths of a phone and of a desktop, in light and in dark.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser, Page } from "./browser.mjs";
import { ofLive } from "./live.mjs";
import { ofPlayground } from "./playground.mjs";
import { ofStudies } from "./studies.mjs";

const SHIFT = 8;
const SIZES = [{ width: 360, height: 780 }, { width: 1280, height: 900 }];

const has = (page, selector) => page.call(selector => document.querySelector(selector) !== null, selector);
// The middle of an element, after scrolling to it.
const box = async (page, selector) => {
  const found = await page.call(selector => {
    const element = document.querySelector(selector);
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    return { left, top, width, height };
  }, selector);
  await page.frames(3);
  return found;
};
// What a button saves: the name of the file, its type and its text, and the number of colours of a picture.
const saved = (page, button) => page.call(async button => {
  const create = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
  let blob;
  URL.createObjectURL = given => { blob = given; return create.call(URL, given); };
  const name = await new Promise((resolve, reject) => {
    HTMLAnchorElement.prototype.click = function () { resolve(this.download); };
    setTimeout(() => reject(new Error("nothing is saved")), 10_000);
    document.querySelector(button).click();
  }).finally(() => {
    Object.assign(URL, { createObjectURL: create });
    HTMLAnchorElement.prototype.click = click;
  });
  if (blob.type !== "image/png") return { name, type: blob.type, text: await blob.text() };
  const image = await createImageBitmap(blob), canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const colours = new Set(new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer)).size;
  return { name, type: blob.type, text: "", colours };
}, button);
const ranges = page => page.call(() => [...document.querySelectorAll(".plots .plot")].map(({ plot }) => {
  const { min, max } = plot.chart.scales.x;
  return [min, max];
}));
const near = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

// What every page must do.
const ofAll = {
  async "asks for nothing outside itself, and logs no error"(page) {
    const outside = page.requests.filter(address => !/^(file|data|blob):/.test(address));
    assert.deepEqual(outside, []);
    assert.deepEqual(page.problems, []);
  },

  async "does not scroll sideways"(page) {
    const [content, window] = await page.call(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(content <= window, `${content} px of content in ${window} px`);
  },

  async "follows the colour scheme"(page, { scheme }) {
    const brightness = await page.call(() => {
      const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
      return (r + g + b) / 3;
    });
    assert.ok(scheme === "dark" ? brightness < 80 : brightness > 180, `brightness ${brightness}`);
  },

  async "gives every control and picture a name"(page) {
    const nameless = await page.call(() => [...document.querySelectorAll("button, input, select, a, canvas[role]")]
      .filter(control => !(control.getAttribute("aria-label") || control.textContent.trim() || control.closest("label")?.textContent.trim()))
      .map(control => control.outerHTML.slice(0, 80)));
    assert.deepEqual(nameless, []);
  },
};

// Each check of the motion is for pages that show one.
const motion = check => async (page, setting) => {
  if (await has(page, "#plot0")) await check(page, setting);
};
// What the page of a mechanism must do besides.
const ofMechanisms = {
  async "draws every plot"(page) {
    const empty = await page.call(() => [...document.querySelectorAll("figure.plot")].filter(figure => {
      const canvas = figure.querySelector("canvas");
      // Constraints that hold exactly have nothing to draw on a logarithmic axis.
      if (figure.plot?.values?.every(values => values.every(value => value == null))) return false;
      if (!canvas || !canvas.width || !canvas.height) return true;
      // Axes alone have the soft colour; a curve has a colour of its own.
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let coloured = 0;
      for (let i = 0; i < data.length; i += 4) {
        const high = Math.max(data[i], data[i + 1], data[i + 2]), low = Math.min(data[i], data[i + 1], data[i + 2]);
        if (data[i + 3] > 100 && high - low > 60) coloured++;
      }
      return coloured < 50;
    }).map(figure => figure.id));
    assert.deepEqual(empty, []);
  },

  async "labels every tick with its value, and cuts no label off"(page) {
    const wrong = await page.call(() => {
      const number = text => {
        const [mantissa, power] = text.replace("−", "-").split(/·?10(?=[⁰¹²³⁴⁵⁶⁷⁸⁹⁻])/);
        const exponent = [...(power ?? "")].map(sign => sign === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign)).join("");
        return Number(`${mantissa || 1}e${exponent || 0}`);
      };
      const found = [];
      for (const figure of document.querySelectorAll("figure.plot")) {
        const { chart } = figure.plot;
        chart.axes.forEach((axis, side) => {
          const labels = axis._values, ticks = axis._splits;
          const shown = ticks.map((tick, i) => [tick, labels[i]]).filter(([tick, label]) => tick != null && label);
          if (shown.length < 2) found.push(`${figure.id}: ${labels.length} labels`);
          const step = Math.min(...shown.slice(1).map(([tick], i) => Math.abs(tick - shown[i][0])));
          for (const [tick, label] of shown) {
            if (!(Math.abs(number(label) - tick) <= 1e-5 * step)) found.push(`${figure.id}: ${label} at ${tick}`);
          }
          if (side !== 0) return;
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = "12px system-ui, sans-serif";
          for (const [tick, label] of shown) {
            const end = chart.over.offsetLeft + chart.valToPos(tick, "x") + pen.measureText(label).width / 2;
            if (end > chart.width) found.push(`${figure.id}: ${label} ends at ${end} of ${chart.width} px`);
          }
        });
      }
      return found;
    });
    assert.deepEqual(wrong, []);
  },

  async "draws rods of constant length wherever the points keep their distances"(page) {
    if (!await has(page, "#stage")) return;
    const rods = await page.call(() => {
      const { animation } = document.getElementById("stage"), { lines, points, start, length, largest } = animation;
      if (!lines.checked) return [];
      const at = (index, time) => index < 0 ? [0, 0, 0] : animation.at(points[index], time);
      return points.map((_, index) => {
        const lengths = Array.from({ length: 2000 }, (_, k) => {
          const time = start + length * k / 2000, [a, b] = [at(index - 1, time), at(index, time)];
          return Math.hypot(...a.map((value, i) => b[i] - value));
        });
        return [Math.min(...lengths), Math.max(...lengths), largest];
      });
    });
    // Half a pixel of 1000 at each end.
    for (const [low, high, largest] of rods) assert.ok(high - low <= 2e-3 * largest, `a rod is ${low} to ${high} long`);
  },

  async "shows works whose sum is the change of the energy"(page) {
    const rows = await page.call(() => [...document.querySelectorAll("#balance tbody tr, #balance tr")].map(row => [
      row.querySelector("th")?.textContent ?? "", row.querySelector("td")?.textContent ?? "",
    ]));
    if (!rows.length) return;
    const number = text => {
      const [mantissa, power] = text.replace("−", "-").split("·10");
      return Number(`${mantissa}e${[...(power ?? "0")].map(sign => sign === "⁻" ? "-" : /\d/.test(sign) ? sign : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign)).join("")}`);
    };
    const value = name => number(rows.find(([head]) => head === name)[1]);
    const works = rows.filter(([head]) => head.startsWith("work of")).map(([, text]) => number(text)).reduce((a, b) => a + b, 0);
    const [first, last, residual] = ["energy at the start", "energy at the end", "residual"].map(value);
    const size = Math.max(...rows.map(([, text]) => Math.abs(number(text))).filter(isFinite));
    assert.ok(Math.abs(last - first - works - residual) <= 1e-6 * size, JSON.stringify(rows));
  },

  async "draws a sampled input as stairs, whose values change at samples alone"(page) {
    const stairs = await page.call(() => [...document.querySelectorAll("figure.plot")].map(({ plot }) => plot)
      .filter(plot => plot?.title?.startsWith("Inputs") && document.body.textContent.includes("at samples every"))
      .map(({ x, values: [values] }) => x.slice(1).map((time, i) => [time - x[i], values[i + 1] - values[i]])));
    for (const parts of stairs) {
      for (const [time, change] of parts) assert.ok(time === 0 || change === 0, `a slope: ${change} in ${time}`);
      assert.ok(parts.some(([, change]) => change !== 0), "nothing changes");
    }
  },

  async "draws other motions over its own, in the plots over time and in the phase plane, each with its name in the legend"(page) {
    const found = await page.call(() => {
      const { coordinates } = JSON.parse(document.getElementById("data").textContent).plane, names = coordinates[0]?.beside.map(({ name }) => name) ?? [];
      const legend = selector => [...document.querySelectorAll(`${selector} .legend .curve span`)].map(span => span.textContent);
      const { plot } = document.getElementById("plot0") ?? {};
      return {
        names, first: coordinates[0]?.name, over: legend("#plot0"), plane: legend("#plane"),
        dashes: plot?.chart.series.slice(1).map(({ dash }) => dash?.length ?? 0), strokes: plot?.chart.series.slice(1).map(({ stroke }) => stroke()),
        coordinates: coordinates.length,
      };
    });
    if (!found.names.length) return;
    const { names, first, over, plane, dashes, strokes, coordinates } = found;
    for (const name of names) assert.ok(over.includes(`${first} (${name})`) && plane.includes(name), `${name}: ${over}; ${plane}`);
    // The first curves are those of the page.
    assert.ok(dashes.slice(0, coordinates).every(length => length === 0) && dashes.slice(coordinates).every(length => length > 0), `${dashes}`);
    assert.ok(strokes.slice(coordinates).every((stroke, i) => stroke === strokes[i % coordinates]), `${strokes}`);
    const picture = () => page.call(() => document.querySelector("#plane canvas").toDataURL());
    const click = index => page.call(index => document.querySelectorAll("#plane .legend .curve")[index].click(), index);
    for (const index of plane.keys()) {
      const whole = await picture();
      await click(index);
      await page.frames(3);
      assert.notEqual(await picture(), whole, `${plane[index]} is not drawn in the phase plane`);
      await click(index);
      await page.frames(3);
    }
    const { text } = await saved(page, "#plane [data-picture=svg]");
    assert.equal(text.split('class="curve"').length - 1, names.length + 1);
  },

  async "typesets the equations"(page) {
    if (!await has(page, "#equations .equation")) return;
    const flat = await page.call(() => [...document.querySelectorAll("#equations math")].filter(math => {
      const { width, height } = math.getBoundingClientRect();
      return width < 3 || height < 3;
    }).length);
    assert.equal(flat, 0);
    assert.ok(await has(page, "#equations math"), "no MathML");
    assert.ok(!await has(page, "#equations merror, #equations code"), "an equation is not converted");
    // A fraction is higher than a letter only if the browser lays it out.
    const fraction = await page.call(() => document.querySelector("#equations mfrac")?.getBoundingClientRect().height);
    assert.ok(fraction === undefined || fraction === null || fraction > 22, `a fraction is ${fraction} px high`);
  },

  "zooms all linked plots by a drag, pans by a drag with shift, and resets by a double click": motion(async (page) => {
    const before = await ranges(page), { left, top, width, height } = await box(page, "#plot0 .u-over"), y = top + height / 2;
    await page.drag([left + width * 0.25, y], [left + width * 0.5, y]);
    const zoomed = await ranges(page), [low, high] = before[0], span = high - low;
    for (const [min, max] of zoomed) {
      assert.ok(near(min, zoomed[0][0]) && near(max, zoomed[0][1]), "the plots differ");
      assert.ok(Math.abs(min - (low + 0.25 * span)) < 0.03 * span && Math.abs(max - (low + 0.5 * span)) < 0.03 * span, `${min} to ${max}`);
    }
    await page.drag([left + width * 0.6, y], [left + width * 0.4, y], SHIFT);
    const panned = await ranges(page);
    assert.ok(panned.every(([min, max]) => min > zoomed[0][0] && near(max - min, zoomed[0][1] - zoomed[0][0])), "no pan");
    for (const clickCount of [1, 2]) {
      await page.mouse("mousePressed", left + width / 2, y, { button: "left", buttons: 1, clickCount });
      await page.mouse("mouseReleased", left + width / 2, y, { button: "left", clickCount });
    }
    await page.frames(3);
    assert.ok((await ranges(page)).every((range, i) => near(range[0], before[i][0]) && near(range[1], before[i][1])), "no reset");
  }),


  "shows names and values at the cursor in all linked plots": motion(async (page) => {
    const { left, top, width, height } = await box(page, "#plot0 .u-over");
    await page.mouse("mouseMoved", left + width * 0.4, top + height / 2);
    await page.frames(3);
    const labels = await page.call(() => [...document.querySelectorAll(".plots .plot")].map(figure => ({
      labels: [...figure.querySelectorAll(".labels span")].map(label => label.textContent),
      values: [...figure.querySelectorAll(".legend output")].map(value => value.textContent),
      first: figure.querySelector(".curve span").textContent,
    })));
    assert.ok(labels[0].labels.some(label => label.startsWith(labels[0].first) && /\d/.test(label)), labels[0].labels.join("; "));
    for (const { labels: shown, values } of labels) {
      assert.ok(shown.some(label => /^time .*\d( \S+)?$/.test(label)), `no time: ${shown}`);
      assert.ok(values.some(Boolean), "an empty legend");
    }
  }),


  "reads values with one finger and zooms with two": motion(async (page, { width: phone }) => {
    if (phone > 600) return;
    const before = await ranges(page), { left, top, width, height } = await box(page, "#plot0 .u-over"), y = top + height / 2;
    const touch = (type, ...parts) => page.send("Input.dispatchTouchEvent", {
      type, touchPoints: parts.map((part, id) => ({ x: left + width * part, y, id })),
    });
    await page.call(() => document.getElementById("plot0").plot.point(null));
    await touch("touchStart", 0.3);
    for (const part of [0.35, 0.45, 0.6]) await touch("touchMove", part);
    await page.frames(2);
    assert.ok(await has(page, "#plot0 .labels span"), "no values");
    await touch("touchEnd");
    await touch("touchStart", 0.4, 0.6);
    for (const apart of [0.12, 0.2, 0.3]) await touch("touchMove", 0.5 - apart, 0.5 + apart);
    await page.frames(2);
    const after = await ranges(page);
    await touch("touchEnd");
    assert.ok(after.every(([min, max], i) => max - min < 0.6 * (before[i][1] - before[i][0])), `${before[0]} to ${after[0]}`);
    await page.call(() => document.querySelector("[data-zoom=reset]").click());
  }),


  "gives all samples of a plot as CSV": motion(async (page) => {
    const { text } = await saved(page, "#plot0 [data-csv]");
    const lines = text.trim().split("\n"), [first, shown, count] = await page.call(() => {
      const { plot } = document.getElementById("plot0");
      const fact = [...document.querySelectorAll("dl.facts div")].find(row => row.querySelector("dt").textContent === "samples");
      return [plot.curves[0].name, plot.x, Number(fact.querySelector("dd").textContent)];
    });
    assert.equal(lines.length, count + 1);
    assert.ok(/^time( [^,]+)?,/.test(lines[0]) && lines[0].includes(first), lines[0]);
    for (const line of lines.slice(1)) assert.match(line, /^-?[\d.]+(e-?\d+)?(,(-?[\d.]+(e-?\d+)?)?)+$/);
    const times = lines.slice(1).map(line => Number(line.split(",")[0]));
    assert.ok(times.every((time, i) => !i || time >= times[i - 1]), "times are out of order");
    // Nine digits are on the page.
    let next = 0;
    for (const time of shown) {
      while (next < times.length && times[next] < time - 1e-8 * Math.abs(time)) next++;
      assert.ok(Math.abs(times[next] - time) <= 1e-8 * Math.abs(time), `${time} is shown and is no sample`);
    }
  }),

  "saves a plot as SVG with its curves where the ticks say, and as PNG": motion(async (page) => {
    const { name, text } = await saved(page, "#plot0 [data-picture=svg]");
    assert.match(name, /\.svg$/);
    const ends = await page.call(text => {
      const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement, { plot } = document.getElementById("plot0");
      if (svg.querySelector("parsererror")) return svg.textContent;
      const number = label => Number(label.textContent.replace("−", "-"));
      // The scale of an axis, from its first and its last label.
      const scale = (kind, side) => {
        const labels = [...svg.querySelectorAll(`text.${kind}`)], [a, b] = [labels[0], labels.at(-1)];
        const [x, y] = [a, b].map(label => Number(label.getAttribute(side)) - (side === "y" ? 4 : 0));
        return at => number(a) + (at - x) / (y - x) * (number(b) - number(a));
      };
      const [across, up] = [scale("x", "x"), scale("y", "y")];
      return [...svg.querySelectorAll("path.curve")].map((path, index) => {
        const [x, y] = path.getAttribute("d").match(/L(\S+) (\S+)$/).slice(1).map(Number);
        // A motion that is drawn over that of the page may end before it.
        const last = plot.values[index].findLastIndex(value => value != null);
        const { min, max } = plot.chart.scales.y;
        return [across(x) - plot.x[last], plot.x.at(-1) - plot.x[0], up(y) - plot.values[index][last], max - min];
      });
    }, text);
    assert.ok(Array.isArray(ends) && ends.length, `no curves: ${ends}`);
    for (const [x, width, y, height] of ends) assert.ok(Math.abs(x) < 3e-3 * width && Math.abs(y) < 5e-3 * height, `${ends}`);
    const png = await saved(page, "#plot0 [data-picture=png]");
    assert.ok(/\.png$/.test(png.name) && png.type === "image/png" && png.colours > 20, JSON.stringify({ ...png, text: "" }));
    if (await has(page, "#plane")) {
      const plane = await saved(page, "#plane [data-picture=svg]");
      assert.ok(plane.text.includes("path class=\"curve\" d=\"M") && plane.text.includes("_dot"), plane.text.slice(0, 500));
    }
  }),

  "hides and shows curves by the legend": motion(async (page) => {
    const shown = () => page.call(() => document.getElementById("plot0").plot.chart.series[1].show);
    const pressed = () => page.call(() => document.querySelector("#plot0 .curve").getAttribute("aria-pressed"));
    const { left, top, width, height } = await box(page, "#plot0 .curve");
    for (const expected of [false, true]) {
      for (const type of ["mousePressed", "mouseReleased"]) {
        await page.mouse(type, left + width / 2, top + height / 2, { button: "left", clickCount: 1 });
      }
      await page.frames(2);
      assert.equal(await shown(), expected);
      assert.equal(await pressed(), String(expected));
    }
  }),


  async "zooms the phase plane"(page) {
    if (!await has(page, "#plane")) return;
    const spans = () => page.call(() => {
      const { x, y } = document.getElementById("plane").plot.chart.scales;
      return [x.max - x.min, y.max - y.min];
    });
    const before = await spans(), { left, top, width, height } = await box(page, "#plane .u-over");
    await page.drag([left + width * 0.3, top + height * 0.3], [left + width * 0.7, top + height * 0.7]);
    const after = await spans();
    assert.ok(after.every((span, i) => span < 0.6 * before[i]), `${before} to ${after}`);
  },

  async "plays, pauses and seeks the animation"(page) {
    if (!await has(page, "#stage")) return;
    const time = () => page.call(() => document.getElementById("stage").animation.time);
    const picture = () => page.call(() => document.getElementById("stage").toDataURL());
    const click = () => page.call(() => document.getElementById("play").click());
    await box(page, "#stage");
    const [before, blank] = [await time(), await picture()];
    await click();
    await page.frames(20);
    assert.ok(await time() > before, "the time stands still");
    await click();
    const stopped = await time();
    await page.frames(5);
    assert.equal(await time(), stopped, "it does not pause");
    assert.notEqual(await picture(), blank, "the picture stands still");
    await page.call(() => {
      const seek = document.getElementById("seek");
      seek.value = 500;
      seek.dispatchEvent(new Event("input"));
    });
    assert.ok(Math.abs(await page.call(() => {
      const { time, start, length } = document.getElementById("stage").animation;
      return (time - start) / length;
    }) - 0.5) < 0.01, "it does not seek");
    assert.ok(await page.call(() => [...document.querySelectorAll(".plots .now")].some(mark => !mark.hidden)), "plots do not show the time");
  },

  async "draws the stated bodies, with ends that keep to their points, and hides each by its legend"(page) {
    if (!await has(page, "#stage")) return;
    const names = await page.call(() => document.getElementById("stage").animation.shapes.map(shape => shape.name));
    if (!names.length) return;
    const rods = await page.call(() => {
      const { animation } = document.getElementById("stage"), { shapes, start, length } = animation;
      return shapes.filter(shape => shape.kind === "rod").map(shape => {
        const lengths = Array.from({ length: 500 }, (_, k) => {
          const [a, b] = animation.corners(shape, start + length * k / 500, place => place);
          return Math.hypot(...a.map((value, i) => b[i] - value));
        });
        return [Math.min(...lengths), Math.max(...lengths), animation.largest];
      });
    });
    for (const [low, high, largest] of rods) assert.ok(high - low <= 2e-3 * largest, `a rod is ${low} to ${high} long`);
    const picture = () => page.call(() => document.getElementById("stage").toDataURL());
    const click = index => page.call(index => document.querySelectorAll("#shown-points .curve")[index].click(), index);
    const whole = await picture();
    for (const [index, name] of names.entries()) {
      await click(index);
      assert.notEqual(await picture(), whole, `${name} is not drawn`);
      await click(index);
    }
    assert.equal(await picture(), whole, "a body does not come back");
  },

  async "turns the view in space by a drag and by arrow keys"(page) {
    if (!await has(page, "#stage.turns")) return;
    const angles = () => page.call(() => {
      const { azimuth, elevation } = document.getElementById("stage").animation;
      return [azimuth, elevation];
    });
    const before = await angles(), { left, top, width, height } = await box(page, "#stage");
    await page.drag([left + width / 2, top + height / 2], [left + width / 2 + 40, top + height / 2 + 20]);
    const dragged = await angles();
    assert.ok(dragged.every((angle, i) => angle !== before[i]), "no turn by a drag");
    await page.call(() => document.getElementById("stage").focus());
    await page.key("ArrowLeft");
    await page.key("ArrowUp");
    assert.ok((await angles()).every((angle, i) => angle !== dragged[i]), "no turn by keys");
  },

  async "reaches every control by the tabulator"(page) {
    const wanted = await page.call(() => {
      const controls = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
        .filter(control => control.getClientRects().length && !control.closest("details:not([open]) pre"));
      controls.forEach((control, index) => { control.dataset.control = index; });
      document.activeElement?.blur();
      scrollTo(0, 0);
      return controls.length;
    });
    const reached = new Set();
    await page.call(() => document.querySelector("[data-control='0']").focus());
    // Regions that scroll get the focus as well.
    for (let i = 0; i < 2 * wanted + 10 && reached.size < wanted; i++) {
      const control = await page.call(() => document.activeElement?.dataset?.control ?? null);
      if (control !== null) reached.add(control);
      await page.key("Tab");
    }
    const missing = await page.call(all => [...document.querySelectorAll("[data-control]")].filter(c => !all.includes(c.dataset.control)).map(c => c.outerHTML.slice(0, 100)), [...reached]);
    assert.deepEqual(missing, []);
  },

  "moves the cursor and the time axis of a plot by keys": motion(async (page) => {
    await page.call(() => document.querySelector("#plot0 .area").focus());
    const before = await ranges(page);
    await page.key("ArrowRight");
    assert.match(await page.call(() => document.getElementById("spoken").textContent), /^time .*\d/);
    await page.key("+");
    const zoomed = await ranges(page);
    assert.ok(zoomed.every(([min, max], i) => max - min < before[i][1] - before[i][0]), "no zoom");
    await page.key("0");
    assert.ok((await ranges(page)).every(([min, max], i) => near(min, before[i][0]) && near(max, before[i][1])), "no reset");
  }),
};

const addresses = process.argv.slice(2).map(path => [basename(path, ".html"), pathToFileURL(resolve(path)).href]);
const pictures = process.env.SCREENSHOTS;
if (pictures) mkdirSync(pictures, { recursive: true });
const browser = new Browser();
let failures = 0;
try {
  for (const [name, address] of addresses) {
    for (const size of SIZES) {
      for (const scheme of ["light", "dark"]) {
        const place = `${name}, ${size.width} px, ${scheme}`, page = await Page.open(browser, address, { ...size, scheme });
        if (pictures) writeFileSync(join(pictures, `${name}-${size.width}-${scheme}.png`), await page.picture());
        const reports = { ...ofMechanisms, ...(await has(page, "#live-panel") ? ofLive : {}) };
        const own = await has(page, "#chosen-example") ? ofPlayground : await has(page, "#summary") ? ofStudies : reports;
        const checks = { ...ofAll, ...own };
        let passed = 0;
        for (const [what, check] of Object.entries(checks)) {
          try {
            await check(page, { ...size, scheme });
            passed++;
          } catch (error) {
            failures++;
            console.error(`FAILED ${place}: the page ${what}\n  ${error.message.split("\n").join("\n  ")}`);
          }
        }
        // What the checks caused.
        if (page.problems.length) {
          failures++;
          console.error(`FAILED ${place}: ${page.problems.join("\n  ")}`);
        }
        console.log(`${place}: ${passed} of ${Object.keys(checks).length} checks`);
        await page.close();
      }
    }
  }
} finally {
  await browser.close();
}
process.exitCode = failures ? 1 : 0;

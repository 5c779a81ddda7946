// What the page of the studies must do besides what every page must do.
import assert from "node:assert/strict";

// The links of the navigation, and where on the screen the parts are that they lead to.
const links = page => page.call(() => [...document.querySelectorAll("nav a")].map(link => ({
  part: link.hash.slice(1),
  current: link.hasAttribute("aria-current"),
  left: link.getBoundingClientRect().left,
  right: link.getBoundingClientRect().right,
  top: document.getElementById(link.hash.slice(1))?.getBoundingClientRect().top,
})));
export const ofStudies = {
  async "begins with a summary, and has one section a study"(page) {
    const parts = await page.call(() => [...document.querySelectorAll("main > section")].map(section => ({
      id: section.id,
      title: section.querySelector("h2")?.textContent.trim(),
    })));
    assert.equal(parts[0].id, "summary");
    assert.ok(parts.every(({ title }) => title), "a section without a heading");
    assert.deepEqual((await links(page)).map(({ part }) => part), parts.map(({ id }) => id));
  },

  async "shows the figures of each study before its table"(page) {
    const wrong = await page.call(() => [...document.querySelectorAll("section.study")].filter(study => {
      const table = study.querySelector("table"), figures = [...study.querySelectorAll("figure")];
      return !figures.length || (table && figures.some(figure => table.compareDocumentPosition(figure) & Node.DOCUMENT_POSITION_FOLLOWING));
    }).map(study => study.id));
    assert.deepEqual(wrong, []);
  },

  async "leads to every study by the keyboard, and marks the one that is read"(page, { width, height }) {
    for (const { part } of await links(page)) {
      await page.call(part => document.querySelector(`nav a[href="#${part}"]`).focus(), part);
      await page.key("Enter");
      await page.frames(5);
      const found = (await links(page)).find(link => link.part === part);
      // The last part may be too short to reach the top.
      const end = await page.call(() => Math.abs(innerHeight + scrollY - document.documentElement.scrollHeight) < 2);
      assert.ok(found.top >= 0 && (found.top < height / 3 || end), `${part} is at ${found.top}`);
      assert.ok(found.current || end, `${part} is not marked`);
      assert.ok(found.left >= -1 && found.right <= width + 1, `the link to ${part} is out of sight`);
    }
    await page.call(() => scrollTo({ top: 0, behavior: "instant" }));
    await page.frames(3);
  },

  async "has a target for every link within the page"(page) {
    const broken = await page.call(() => [...document.querySelectorAll("a[href^='#']")]
      .filter(link => !document.getElementById(link.hash.slice(1))).map(link => link.hash));
    assert.deepEqual(broken, []);
  },

  async "has no two elements of one name"(page) {
    const twice = await page.call(() => {
      const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
      return ids.filter((id, i) => ids.indexOf(id) !== i);
    });
    assert.deepEqual(twice, []);
  },

  async "draws a curve in every chart, and tells the ticks of each axis apart"(page) {
    const wrong = await page.call(() => [...document.querySelectorAll("svg[data-x]")].filter(svg => svg.clientWidth).flatMap(svg => {
      const name = svg.getAttribute("aria-label"), labels = axis => [...svg.querySelectorAll(`text.${axis}`)].map(text => text.textContent);
      const problems = [];
      if (![...svg.querySelectorAll("path[class^=c]")].some(path => path.getTotalLength() > 20)) problems.push(`${name}: no curve`);
      for (const axis of ["x", "y"]) {
        const texts = labels(axis);
        if (texts.length < 2 || new Set(texts).size !== texts.length) problems.push(`${name}: ${texts.join(" ")}`);
      }
      return problems;
    }));
    assert.deepEqual(wrong, []);
  },

  // One drawing of each chart is shown, whole, with labels of at least 10 px that stay apart.
  async "fits every chart into the page, with labels that can be read"(page) {
    const wrong = await page.call(() => [...document.querySelectorAll(".plot")].flatMap(plot => {
      const shown = [...plot.querySelectorAll("svg")].filter(svg => svg.clientWidth), problems = [];
      if (shown.length !== 1) return [`${shown.length} drawings are shown`];
      const [svg] = shown, name = svg.getAttribute("aria-label"), box = svg.getBoundingClientRect();
      if (plot.scrollWidth > plot.clientWidth || box.right > innerWidth || box.left < 0) problems.push(`${name}: ${box.width} px`);
      const texts = [...svg.querySelectorAll("text:not(.read)")].map(text => ({ text: text.textContent, box: text.getBoundingClientRect() }));
      const size = Math.min(...[...svg.querySelectorAll("text")].map(text => parseFloat(getComputedStyle(text).fontSize)))
        * box.width / svg.viewBox.baseVal.width;
      if (size < 10) problems.push(`${name}: letters of ${size} px`);
      texts.forEach(({ text, box: a }, index) => {
        if (a.left < box.left - 1 || a.right > box.right + 1 || a.top < box.top - 1 || a.bottom > box.bottom + 1) {
          problems.push(`${name}: ${text} is cut`);
        }
        for (const { text: other, box: b } of texts.slice(index + 1)) {
          if (a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom) problems.push(`${name}: ${text} and ${other}`);
        }
      });
      return problems;
    }));
    assert.deepEqual(wrong, []);
  },

  async "gives a mark of origin to every compared number, and a reason to what does not hold"(page) {
    const counts = await page.call(() => {
      const rows = [...document.querySelectorAll("table.results tbody tr:not(.group)")];
      const unmarked = rows.filter(row => /holds|differs/.test(row.querySelector(".badge").textContent) && !row.querySelector(".origin"));
      const failing = rows.filter(row => row.querySelector(".badge.no"));
      const told = new Set([...document.querySelectorAll(".failures li b")].map(statement => statement.textContent));
      const untold = failing.filter(row => row.querySelector(".says") && !told.has(row.querySelector(".says").textContent));
      return { rows: rows.length, unmarked: unmarked.length, untold: untold.length, told: told.size,
        mute: [...document.querySelectorAll(".failures .note")].filter(note => note.textContent.length < 30).length };
    });
    assert.ok(counts.rows > 0);
    assert.equal(counts.unmarked, 0);
    assert.ok(counts.told > 0);
    assert.equal(counts.untold, 0);
    assert.equal(counts.mute, 0);
  },

  async "reads values under the pointer"(page) {
    const { left, top, width, height } = await page.call(() => {
      const svg = [...document.querySelectorAll("svg[data-x]")].find(svg => svg.clientWidth);
      svg.scrollIntoView({ block: "center", behavior: "instant" });
      const { left, top, width, height } = svg.getBoundingClientRect();
      return { left, top, width: Math.min(width, innerWidth - left), height };
    });
    await page.frames(3);
    await page.mouse("mouseMoved", left + width * 0.6, top + height * 0.4);
    await page.frames(3);
    assert.match(await page.call(() => [...document.querySelectorAll("svg[data-x] .read")].map(read => read.textContent).join("")), /\d.*, .*\d/);
  },

  async "plays and pauses an animation"(page) {
    if (!await page.call(() => document.querySelector("[data-play]") !== null)) return;
    const clock = () => page.call(() => document.querySelector("[data-clock]").textContent);
    const press = async wanted => {
      const now = () => page.call(() => document.querySelector("[data-play]").textContent);
      if (await now() !== wanted) await page.call(() => document.querySelector("[data-play]").click());
      assert.equal(await now(), wanted);
    };
    await page.call(() => document.querySelector("canvas").scrollIntoView({ block: "center", behavior: "instant" }));
    await page.frames(5);
    await press("Pause");
    const before = await clock();
    await page.frames(30);
    assert.notEqual(await clock(), before, "it does not play");
    await press("Play");
    const stopped = await clock();
    await page.frames(10);
    assert.equal(await clock(), stopped, "it does not pause");
  },
};

// Chromium, driven by the DevTools protocol over two pipes.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PATIENCE = 30_000;

/** A running Chromium. */
export class Browser {
  #process; #profile; #input; #waiting = new Map(); #listeners = new Set(); #number = 0; #rest = "";

  constructor() {
    this.#profile = mkdtempSync(join(tmpdir(), "chromium-"));
    this.#process = spawn("chromium", [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
      "--disable-background-networking", "--hide-scrollbars", `--user-data-dir=${this.#profile}`, "about:blank",
    ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.#input = this.#process.stdio[3];
    this.#process.stdio[4].setEncoding("utf8").on("data", text => this.#receive(text));
    this.#process.on("exit", code => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`chromium ended with code ${code}`));
    });
  }

  #receive(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages.map(JSON.parse)) {
      const waiting = this.#waiting.get(message.id);
      if (!waiting) {
        for (const listener of this.#listeners) listener(message);
        continue;
      }
      this.#waiting.delete(message.id);
      clearTimeout(waiting.timer);
      if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`)); else waiting.resolve(message.result);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#number;
    this.#input.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), PATIENCE);
      this.#waiting.set(id, { resolve, reject, method, timer });
    });
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close() {
    const ended = new Promise(resolve => this.#process.on("exit", resolve));
    await this.send("Browser.close").catch(() => this.#process.kill());
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A page of a width and a colour scheme. */
export class Page {
  problems = [];
  requests = [];

  static async open(browser, address, { width, height, scheme }) {
    const page = new Page();
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    Object.assign(page, { browser, targetId, sessionId });
    const loaded = new Promise(resolve => {
      page.silence = browser.listen(({ method, params, sessionId: from }) => {
        if (from !== sessionId) return;
        if (method === "Page.loadEventFired") resolve();
        if (method === "Runtime.exceptionThrown") {
          const { text, exception } = params.exceptionDetails;
          page.problems.push(`${text} ${exception?.description ?? ""}`);
        }
        if (method === "Runtime.consoleAPICalled" && ["error", "assert", "warning"].includes(params.type)) {
          page.problems.push(params.args.map(argument => argument.value ?? argument.description).join(" "));
        }
        if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) page.problems.push(params.entry.text);
        if (method === "Network.requestWillBeSent") page.requests.push(params.request.url);
      });
    });
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.send(`${domain}.enable`);
    const phone = width < 600;
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: phone ? 2 : 1, mobile: phone });
    if (phone) await page.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await page.send("Page.navigate", { url: address });
    await loaded;
    await page.frames(3);
    return page;
  }

  send(method, params) { return this.browser.send(method, params, this.sessionId); }

  /** The value of a function's call in the page. */
  async call(body, ...values) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression: `(${body})(...${JSON.stringify(values)})`,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  frames(count) {
    return this.call(async count => {
      for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
    }, count);
  }

  async mouse(type, x, y, more = {}) {
    await this.send("Input.dispatchMouseEvent", { type, x, y, button: "none", ...more });
  }
  async drag(from, to, modifiers = 0) {
    const left = { button: "left", buttons: 1, clickCount: 1, modifiers };
    await this.mouse("mouseMoved", ...from, { modifiers });
    await this.mouse("mousePressed", ...from, left);
    for (const part of [0.3, 0.7, 1]) {
      await this.mouse("mouseMoved", from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, { ...left, clickCount: 0 });
      await this.frames(1);
    }
    await this.mouse("mouseReleased", ...to, { ...left, buttons: 0 });
    await this.frames(3);
  }
  async key(key, modifiers = 0) {
    const codes = { Tab: 9, Enter: 13, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, " ": 32 };
    const text = { Enter: "\r", " ": " " }[key] ?? (key.length === 1 ? key : undefined);
    const more = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: codes[key] ?? 0, modifiers };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...more });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...more });
    await this.frames(1);
  }

  async picture() {
    const height = await this.call(() => document.documentElement.scrollHeight);
    const width = await this.call(() => innerWidth);
    const { data } = await this.send("Page.captureScreenshot", {
      captureBeyondViewport: true,
      clip: { x: 0, y: 0, width, height: Math.min(height, 12_000), scale: 1 },
    });
    return Buffer.from(data, "base64");
  }

  async close() {
    this.silence();
    await this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}

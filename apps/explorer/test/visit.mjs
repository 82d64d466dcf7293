// A visit to the explorer in a real browser: opens panels, presses keys, moves the pointer, and reads the state of the runtime.
import { readFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const kShots = fileURLToPath(new URL("../../../out/explorer-shots/", import.meta.url));
const kAxe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Texts up to this length are typed key by key; longer ones are entered at once, as from a clipboard. */
const kTypedCharacters = 12;
const kWaitMs = 12_000;
/** Faults of these grades fail a check. */
const kGrave = ["serious", "critical"];

/** Finds a control in the page: by its label, the text of a button or link, or the name of a grid. */
function findIn(kind, text) {
  const visible = (element) => element.checkVisibility?.() !== false;
  const spoken = (element) => (element.getAttribute("aria-label") ?? element.textContent).replace(/\s+/g, " ").trim();
  const matches = (element) => visible(element) && (text === spoken(element) || spoken(element).startsWith(text));
  const first = (selector) => {
    const all = [...document.querySelectorAll(selector)];
    return all.find((element) => visible(element) && spoken(element) === text) ?? all.find(matches) ?? null;
  };
  if (kind === "button") return first("button, a, summary");
  if (kind === "grid") return first("[role=grid]");
  if (kind === "radio") {
    const label = first("fieldset.choice label");
    return label?.querySelector("input") ?? null;
  }
  const label = first(".field label");
  return label === null ? null : document.getElementById(label.htmlFor);
}

/** One page of a browser. */
export class Visit {
  #problems = [];
  #visits = 0;

  constructor(page, browserName, base) {
    this.page = page;
    this.browserName = browserName;
    this.base = base;
    page.on("console", (message) => message.type() === "error" && this.#problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => this.#problems.push(`page error: ${error.message}`));
    page.on("requestfailed", (request) => this.#problems.push(`request failed: ${request.url()}`));
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(new URL(base).origin))
        this.#problems.push(`foreign request: ${request.url()}`);
    });
  }

  /** Returns the errors of the console and the network since the last call. */
  problems() {
    return this.#problems.splice(0);
  }

  /** Opens a panel by its address. */
  async open(address) {
    const name = /^[\w-]+/.exec(address)[0];
    // A parameter of its own makes each address new, so that the panel is opened anew.
    const hash = `#/${address}${address.includes("?") ? "&" : "?"}visit=${++this.#visits}`;
    if (!this.page.url().startsWith(`${this.base}#`)) await this.page.goto(this.base + hash);
    else
      await this.page.evaluate((next) => {
        document.querySelector("#app").removeAttribute("data-ready");
        location.hash = next;
      }, hash);
    await this.page.waitForSelector(`#app[data-ready="${name}"]`, { timeout: kWaitMs });
  }

  /** Returns the state that the panel reports; integers of 64 bits as text with an n. */
  async state() {
    return JSON.parse(
      await this.page.evaluate(() =>
        JSON.stringify(window.onebufferExplorer.panel.state(), (_, value) => (typeof value === "bigint" ? `${value}n` : value)),
      ),
    );
  }

  /** Reads something until it fulfills a condition, and returns it. Throws what `complaint` says of the last reading. */
  async until(read, condition, complaint) {
    const end = Date.now() + kWaitMs;
    for (;;) {
      const seen = await read();
      if (condition(seen)) return seen;
      if (Date.now() > end) throw new Error(complaint(seen));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Waits until the state fulfills a condition, and returns it. */
  stateWhere(condition, what = condition.toString()) {
    const complaint = (state) => `the state never fulfilled ${what}: ${JSON.stringify(state).slice(0, 600)}`;
    return this.until(() => this.state(), condition, complaint);
  }

  /** Returns the element of a control. Throws if there is none. */
  async find(kind, text) {
    const handle = (await this.page.evaluateHandle(findIn, kind, text)).asElement();
    if (handle === null) throw new Error(`there is no ${kind} ${JSON.stringify(text)}`);
    return handle;
  }

  /** Presses a button with the pointer. */
  async click(text) {
    await (await this.find("button", text)).click();
  }

  /** Presses a button with the keyboard. */
  async pressButton(text, key = "Enter") {
    await (await this.find("button", text)).focus();
    await this.page.keyboard.press(key);
  }

  /** Types a text into a field, in place of what it holds. */
  async type(label, text) {
    const field = await this.find("field", label);
    await field.focus();
    await field.evaluate((element) => element.select?.());
    if (text === "") await this.page.keyboard.press("Delete");
    else if (text.length <= kTypedCharacters) await this.page.keyboard.type(text);
    else await this.page.evaluate((whole) => document.execCommand("insertText", false, whole), text);
  }

  /** Chooses an entry of a list. */
  async select(label, value) {
    await (await this.find("field", label)).select(value);
  }

  /** Chooses a radio button with the pointer. */
  async choose(text) {
    await (await this.find("radio", text)).evaluate((input) => input.click());
  }

  /** Waits until the address matches. */
  async address(pattern) {
    const complaint = (url) => `the address is ${url}, which does not match ${pattern}`;
    await this.until(
      () => this.page.url(),
      (url) => pattern.test(url),
      complaint,
    );
  }

  /** Focuses the cell of a grid that takes part in the tab order. */
  async focusGrid(label) {
    const grid = await this.find("grid", label);
    await grid.evaluate((element) => element.querySelector('[role=gridcell][tabindex="0"]').focus());
  }

  /** Returns the cell of a grid. */
  async cell(label, row, column) {
    const grid = await this.find("grid", label);
    return await grid.$(`[data-row="${row}"][data-column="${column}"]`);
  }

  /** Presses keys one after the other. */
  async keys(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Returns the text of the panel. */
  text(selector = "#stage") {
    return this.page.$eval(selector, (element) => element.textContent);
  }

  /** Returns the elements that stick out of the page at the right. */
  wide() {
    return this.page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const out = [...document.querySelectorAll("#app *")].filter(
        (element) =>
          element.getBoundingClientRect().right > clientWidth + 1 &&
          element.closest(".contents, .graph-scroll, .rep-scroll, .nested-block, pre") === null,
      );
      return out.slice(0, 8).map(({ tagName, className }) => `${tagName} ${className}`);
    });
  }

  /** Returns the serious faults that axe-core finds. */
  async faults() {
    if (!(await this.page.evaluate(() => "axe" in window))) await this.page.evaluate(kAxe);
    return await this.page.evaluate(async (grave) => {
      const { violations } = await window.axe.run(document, { resultTypes: ["violations"], iframes: false });
      return violations
        .filter(({ impact }) => grave.includes(impact))
        .flatMap(({ id, nodes }) =>
          nodes
            .slice(0, 3)
            .map(({ target, any, all, none }) => `${id}: ${target.join(" ")} ${[...any, ...all, ...none][0]?.message ?? ""}`),
        );
    }, kGrave);
  }

  /** Keeps a picture of the whole page. */
  async shot(name) {
    mkdirSync(kShots, { recursive: true });
    await this.page.screenshot({ path: `${kShots}${this.browserName}-${name}.png`, fullPage: true });
  }
}

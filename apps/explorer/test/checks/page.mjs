// Checks of the page around the panels: what the first load costs, the contents, the colors, narrow screens, accessibility.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { checkLooks } from "./looks.mjs";

const kFirstLoadBytes = 250_000;
const kFirstPaintMs = 1000;
/** The panels in their order. */
export const kPanels = [
  "one-buffer",
  "sixteen-bytes",
  "flow",
  "arena",
  "layouts",
  "slices",
  "expressions",
  "digits",
  "plan",
  "kernels",
  "where",
  "gpu",
  "shards",
  "files",
  "threads",
  "story",
];

/** Addresses whose pictures show more of a panel than its beginning. */
const kExamples = {
  arena: "arena?make=1024,700-,2048,512-,1500",
  "one-buffer": "one-buffer?element=5",
  files: "files?sample=checkpoint&tensor=dense/kernel",
};

export const pageChecks = [
  {
    name: "page: the first load is below 250 kB and paints within a second",
    run: async (visit, server) => {
      server.requests.length = 0;
      await visit.open("one-buffer");
      const bytes = server.requests.reduce((sum, request) => sum + request.bytes, 0);
      assert.ok(bytes < kFirstLoadBytes, `${bytes} bytes: ${JSON.stringify(server.requests)}`);
      const paintOf = () => visit.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
      let paint = await paintOf();
      // A machine that is busy with other work may delay the first picture: the least of three loads counts.
      for (let i = 0; i < 2 && paint >= kFirstPaintMs; i++) {
        await visit.page.reload();
        await visit.page.waitForSelector("#app[data-ready]");
        paint = Math.min(paint, await paintOf());
      }
      assert.ok(paint < kFirstPaintMs, `painted after ${paint} ms`);
      process.stdout.write(
        `  first load ${(bytes / 1000).toFixed(1)} kB in gzip, first paint after ${Math.round(paint)} ms in ${visit.browserName}\n`,
      );
    },
  },
  {
    name: "page: the files that the panels name exist, and have the names",
    browsers: ["chromium"],
    run: async () => {
      const root = new URL("../../../../", import.meta.url);
      const panels = new URL("apps/explorer/src/panels/", root);
      const shown = readdirSync(panels, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap(({ name }) => [
          ...readFileSync(new URL(`${name}/panel.tsx`, panels), "utf8").matchAll(/name: "([^"]+)",\s+here: "([^"]+)"/g),
        ]);
      assert.ok(shown.length > 20);
      for (const [, names, path] of shown) {
        const file = new URL(path, root);
        assert.ok(existsSync(file), path);
        const [first] = names.split(", ");
        const word = first.startsWith("the ") ? "lifetime" : first.split(".").at(-1);
        assert.ok(readFileSync(file, "utf8").includes(word), `${path} has no ${word}`);
      }
    },
  },
  {
    name: "page: the contents lead to every panel by keyboard, and back",
    run: async (visit) => {
      await visit.open("one-buffer");
      await visit.pressButton("Sixteen bytes");
      await visit.page.waitForSelector('#app[data-ready="sixteen-bytes"]');
      await visit.address(/#\/sixteen-bytes\?shape=2,3/);
      await visit.page.goBack();
      await visit.page.waitForSelector('#app[data-ready="one-buffer"]');
      assert.equal(await visit.page.title(), "One buffer, many shapes · onebuffer explorer");
    },
  },
  ...kPanels.map((panel) => ({
    name: `page: ${panel} has no serious fault in light, dark and narrow, and does not overflow`,
    browsers: ["chromium"],
    run: async (visit) => {
      await visit.open(kExamples[panel] ?? panel);
      await visit.stateWhere((state) => state.busy === undefined || state.busy === "");
      await checkLooks(visit, panel);
    },
  })),
  {
    name: "page: a new address is not replaced by that of the panel that is left",
    run: async (visit) => {
      await visit.open("sixteen-bytes");
      for (const [panel, next] of [
        ["sixteen-bytes", "layouts"],
        ["layouts", "sixteen-bytes"],
      ]) {
        await visit.page.waitForSelector(`#app[data-ready="${panel}"]`);
        // The panel's own address is due to be written when the new one is set.
        await visit.page.evaluate((name) => {
          window.onebufferExplorer.panel.update(window.onebufferExplorer.panel.params());
          for (const end = performance.now() + 400; performance.now() < end; );
          location.hash = `#/${name}`;
        }, next);
        await visit.page.waitForSelector(`#app[data-ready="${next}"]`);
      }
    },
  },
  {
    name: "page: an address of no panel says so, and leads on",
    run: async (visit) => {
      await visit.open("one-buffer");
      await visit.page.evaluate(() => (location.hash = "#/nonsense"));
      await visit.page.waitForSelector('#app[data-ready="missing"]');
      assert.match(await visit.text(), /There is no panel “nonsense”/);
      await visit.click("Layouts");
      await visit.page.waitForSelector('#app[data-ready="layouts"]');
      assert.doesNotMatch(await visit.text(), /no panel/);
    },
  },
  {
    name: "page: the colors are chosen with a button",
    run: async (visit) => {
      await visit.open("one-buffer");
      const ground = () => visit.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      await visit.click("Colors: system");
      const light = await ground();
      await visit.click("Colors: light");
      const dark = await ground();
      await visit.click("Colors: dark");
      assert.notEqual(dark, light);
    },
  },
  {
    name: "page: another page mounts two panels, hears of changes, and removes them",
    run: async (visit) => {
      await visit.page.goto(`${visit.base}other.html`);
      await visit.page.waitForFunction(() => window.panels?.length === 2);
      await (await visit.find("button", "Dimension 0 size 2")).focus();
      await visit.keys("ArrowRight");
      await visit.page.waitForFunction(() => window.changes.includes("a b c d e f"));
      const told = await visit.page.evaluate(() => {
        const [layouts, shape] = window.panels;
        shape.update({ shape: "70000" });
        const rep = shape.state().rep;
        const { shape: text } = layouts.params();
        const headings = document.querySelectorAll("#one h2, #two h2").length;
        for (const panel of window.panels) panel.unmount();
        return { rep, text, headings, left: document.getElementById("one").childElementCount };
      });
      assert.deepEqual(told, { rep: "REP32", text: "u8[2,3]{1,0}", headings: 1, left: 0 });
      const refused = await visit.page.evaluate(async () => {
        const { mountPanel } = await import("./mount.js");
        return await mountPanel("no such panel", document.body).catch((error) => error.message);
      });
      assert.match(refused, /no panel called/);
    },
  },
  {
    name: "page: without isolation the panel of threads says what is off, and the others say nothing",
    isolated: false,
    run: async (visit) => {
      await visit.open("threads");
      assert.match(await visit.text(), /not cross-origin isolated/);
      await visit.open("one-buffer");
      assert.doesNotMatch(await visit.text(), /isolated/);
      assert.deepEqual((await visit.state()).shape, [3, 4]);
    },
  },
];

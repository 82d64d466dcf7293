// Runs every example of the pages in the playground, and programs that are typed or come by a link.
import { hashOf } from "../client/playground/link.js";

/** Opens the playground with each example by its address, as the links of the pages do. Returns the lines of what failed, and the count. */
export async function driveExamples(visit, server, part, parts) {
  const { page } = visit;
  const faults = [];
  await page.goto(`${server.url}playground/index.html`);
  await page.waitForSelector('html[data-playground="ready"]');
  const names = await page.$$eval(".play-choice option", (options) => options.map(({ value }) => value).filter((value) => value !== ""));
  const examples = await page.evaluate(async () => await (await fetch("examples.json")).json());
  const own = names.filter((_, i) => i % parts === part);
  for (const name of own) {
    await page.evaluate((hash) => {
      document.documentElement.dataset.run = "wanted";
      location.hash = hash;
    }, `#example=${name}`);
    await page.waitForSelector('html[data-run="ended"]');
    const stated = (examples[name].match(/^(?! ).*\/\/ => /gm) ?? []).length;
    const { errors, results } = await page.evaluate(() => ({
      errors: [...document.querySelectorAll(".play-error")].map(({ textContent }) => textContent),
      results: document.querySelectorAll(".play-results li").length,
    }));
    faults.push(...errors.map((text) => `playground ${name}: ${text}`));
    if (results < stated) faults.push(`playground ${name}: it shows ${results} results, not ${stated}`);
  }
  faults.push(...visit.problems().map((problem) => `playground: ${problem}`));
  return { faults, count: own.length };
}

/** Types a program, runs it, and opens it again by its link. */
export async function driveLink(visit, server) {
  const { page } = visit;
  await page.goto(`${server.url}playground/index.html`);
  await page.waitForSelector('html[data-playground="ready"]');
  await page.click(".cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type("const found: number = 6 * 7;\nfound;\n");
  await page.click(".play-share");
  await page.waitForFunction(() => location.hash.startsWith("#code="));
  const link = page.url();
  await page.goto(`${server.url}index.html`);
  await page.goto(link);
  await page.waitForSelector('html[data-run="ended"]');
  const text = await page.$eval(".play-results", (list) => list.textContent);
  return text.includes("42") ? [] : [`a link to a program shows ${JSON.stringify(text)}`];
}

/** Rests on a name and on a member, whose signatures are shown, and starts a program twice at once, which runs once. */
export async function driveTypes(visit, server) {
  const { page } = visit;
  const faults = [];
  await page.goto(`${server.url}playground/index.html`);
  await page.waitForSelector('html[data-playground="ready"]');
  for (const [text, shown] of [
    ["tensorOf", "tensorOf<D extends"],
    ["mean", "mean: "],
  ]) {
    const at = await page.evaluate((wanted) => {
      const walker = document.createTreeWalker(document.querySelector(".cm-content"), NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const { textContent } = walker.currentNode;
        const begin = textContent.indexOf(wanted);
        if (begin < 0) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, begin + 2);
        range.setEnd(walker.currentNode, begin + 3);
        const { x, y, height } = range.getBoundingClientRect();
        return { x: x + 1, y: y + height / 2 };
      }
      return null;
    }, text);
    if (at === null) {
      faults.push(`playground: ${text} is in no text`);
      continue;
    }
    await page.mouse.move(at.x, at.y);
    await page.waitForSelector(".cm-tooltip .play-type");
    const signature = await page.$eval(".cm-tooltip .play-type code", (code) => code.textContent);
    if (!signature.includes(shown)) faults.push(`playground: ${text} is explained as ${signature}`);
    await page.mouse.move(2, 2);
    await page.waitForFunction(() => document.querySelector(".cm-tooltip .play-type") === null);
  }
  await page.evaluate(() => {
    window.started = 0;
    const { Worker } = window;
    window.Worker = class extends Worker {
      constructor(...args) {
        super(...args);
        window.started++;
      }
    };
    document.documentElement.dataset.run = "wanted";
    for (let k = 0; k < 2; k++) document.querySelector(".play-run").click();
  });
  await page.waitForSelector('html[data-run="ended"]');
  const started = await page.evaluate(() => window.started);
  if (started !== 1) faults.push(`playground: a program that is run twice at once starts ${started} workers`);
  return [...faults, ...visit.problems().map((problem) => `types: ${problem}`)];
}

/** Runs a program that logs lists and has a list that is too long to be sent to the page. */
export async function driveLists(visit, server) {
  const { page } = visit;
  await page.goto(`${server.url}playground/index.html`);
  await page.waitForSelector('html[data-playground="ready"]');
  const program = "console.log([[1, 2], [3, 4]], { list: [...Array(14).keys()] });\nArray.from({ length: 200_000 }, (_, i) => i);\n";
  await page.evaluate((hash) => (location.hash = hash), await hashOf(program));
  await page.waitForSelector('html[data-run="ended"]');
  const texts = await page.$$eval(".play-results li", (items) => items.map((item) => item.lastElementChild.textContent));
  const isRight =
    texts[0] === "[[1, 2], [3, 4]] { list: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] }" && texts[1]?.startsWith("[0, 1, 2, 3, ");
  const faults = visit.problems().map((problem) => `lists: ${problem}`);
  return isRight ? faults : [...faults, `lists are shown as ${JSON.stringify(texts).slice(0, 200)}`];
}

/** Changes a number in the picture of the first page, and the shape of its last view. */
export async function driveHome(visit, server) {
  const { page } = visit;
  await page.goto(`${server.url}index.html`);
  const enter = async (selector, text) => {
    await page.click(selector, { count: 3 });
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  };
  const values = () => page.$$eval('.home-view [data-at="5"]', (fields) => fields.map(({ value }) => value).join());
  await enter('.home-view [data-at="5"]', "77");
  await page.waitForFunction(() => document.querySelector(".home-status").textContent.includes("48 bytes"));
  const after = await values();
  await enter(".home-shape", "6, 2");
  await page.waitForFunction(() => document.querySelectorAll(".home-view:last-child tr").length === 6);
  await enter(".home-shape", "5, 2");
  await page.waitForFunction(() => document.querySelector(".home-status").textContent.includes("10"));
  const faults = visit.problems().map((problem) => `first page: ${problem}`);
  return after === "77,77,77,77" ? faults : [...faults, `first page: its views show ${after}`];
}

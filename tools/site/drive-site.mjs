// `node tools/site/drive-site.mjs`: opens the built site in Chromium, at widths of 1280 and 390 and in light and dark: from every page home
// and back by clicks, no error in the console, no foreign request, no serious fault of accessibility, nothing that sticks out, and no page
// that loads more than it may. The search finds what is looked for, every exercise of the course accepts its right answers and refuses its
// wrong ones. Pictures are in out/explorer-shots. Without Chromium it prints "skipped: why"; under ONEBUFFER_REQUIRE_BROWSERS=1 that is a
// failure.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installed, kBrowsers } from "../browser/launch.mjs";
import { app, installExplorer } from "../explorer/install.mjs";
import { pagePaths } from "../pages.mjs";
import { driveExamples, driveHome, driveLink, driveLists, driveTypes } from "./drive/examples.mjs";
import { driveSearches, kSearches } from "./drive/searches.mjs";
import { walkPage } from "./drive/walk.mjs";
import { pageOf } from "./frame/sections.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = join(root, "out/site");
const chapters = readdirSync(join(site, "docs/course"))
  .filter((name) => /^\d/.test(name))
  .sort();
/** Pages that are seen in all four looks. */
const kPages = [
  "index.html",
  "docs/loops.html",
  "docs/benchmarks.html",
  "docs/contributing/benchmarks.html",
  "reference/modules/onebuffer.html",
  "reference/classes/onebuffer.Tensor.html",
  "explorer/index.html",
  "playground/index.html",
];
/** Every page: the Markdown pages, a few of the 950 of the reference, which one program writes, and the explorer. */
const pages = [
  ...pagePaths(root).map(pageOf),
  "reference/index.html",
  "reference/modules/onebuffer.html",
  "reference/modules/onebuffer_eigen.html",
  "reference/classes/onebuffer.Tensor.html",
  "reference/functions/onebuffer.tensorOf.html",
  "reference/interfaces/onebuffer.AllocationOptions.html",
  "reference/types/onebuffer.OperandLike.html",
  "explorer/index.html",
  "playground/index.html",
  "examples/camera-filter/index.html",
];
/** How long anything may take, in milliseconds. */
const kWaitMs = 30_000;
/** The pages whose tables have plots, with the least number of them. */
const kPlots = { "docs/contributing/benchmarks.html": 3, "examples/index.html": 1 };

installExplorer();
const require = createRequire(`${app}package.json`);
const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")).href);
const { serve } = await import(pathToFileURL(`${app}test/serve.mjs`).href);
const { Visit } = await import(pathToFileURL(`${app}test/visit.mjs`).href);

/** Gives all answers of an exercise, right and wrong. Returns a line for each that is judged wrongly. */
async function answerAll(page, name, exercise) {
  const faults = [];
  for (const [answers, right] of [
    [exercise.rightAnswers, true],
    [[...exercise.wrongAnswers, ...exercise.mistakes.flatMap((mistake) => mistake.answers)], false],
  ]) {
    for (const answer of answers) {
      const verdict = await page.evaluate((id, given) => window.onebufferCourse.answer(id, given), name, answer);
      if (verdict.right !== right) faults.push(`${name}: ${JSON.stringify(answer)}: ${verdict.why}`);
    }
  }
  return faults;
}

/** Drives one chapter. Returns the names of its exercises. */
async function driveChapter(visit, base, chapter, faults) {
  const { page } = visit;
  await page.goto(`${base}docs/course/${chapter}`);
  // Panels and exercises load when they come near the window.
  await page.$eval("[data-panel], [data-exercise]", (element) => element.scrollIntoView());
  try {
    await page.waitForSelector('html[data-course="ready"]', { timeout: 20_000 });
  } catch {
    faults.push(`${chapter}: its panels never came: ${visit.problems().join("; ")}`);
    return { found: [], all: [] };
  }
  const found = await page.evaluate(() => [...document.querySelectorAll("[data-exercise]")].map(({ dataset }) => dataset.exercise));
  const all = await page.evaluate(() => JSON.parse(JSON.stringify(window.onebufferCourse.exercises)));
  for (const name of found) faults.push(...(await answerAll(page, name, all[name])));
  faults.push(...visit.problems().map((problem) => `${chapter}: ${problem}`));
  faults.push(...(await visit.faults()).map((fault) => `${chapter}: ${fault}`));
  await visit.shot(`course-${chapter.replace(".html", "")}`);
  return { found, all: Object.keys(all) };
}

/** Starts the browser with a profile of its own. */
async function withBrowser(command, server, act) {
  const profile = mkdtempSync(join(tmpdir(), "onebuffer-site-"));
  const browser = await puppeteer.launch({
    browser: "chrome",
    executablePath: (process.env.PATH ?? "")
      .split(":")
      .map((folder) => join(folder, command))
      .find((path) => readable(path)),
    headless: true,
    userDataDir: profile,
    args: ["--no-sandbox", "--disable-gpu"],
    defaultViewport: { width: 1280, height: 900 },
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(kWaitMs);
    return await act(new Visit(page, "chromium", server.url));
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** The faults so far: each is printed when it is found. */
class Faults {
  count = 0;

  push(...lines) {
    for (const line of lines) process.stdout.write(`${line}\n`);
    this.count += lines.length;
  }

  /** Runs a part of the drive; an error of it is a fault, and the next part runs. */
  async during(what, act) {
    try {
      this.push(...((await act()) ?? []));
    } catch (error) {
      this.push(`${what}: ${error.message}`);
    }
  }
}

/** Walks through all pages in one look: axe-core, which takes a second for a page, looks at every other, the rest is left and found again. */
async function walkAll(visit, server, faults, look, firstLookedAt) {
  for (const [i, path] of pages.entries()) {
    const withAxe = i % 2 === firstLookedAt;
    const options = { leastPlots: kPlots[path], withAxe, withWays: !withAxe || kPages.includes(path) };
    await faults.during(path, () => walkPage(visit, server, path, look, options));
  }
}

/** Looks at the pages of `kPages` in one look more. */
async function lookAgain(visit, server, faults, look) {
  for (const path of kPages)
    await faults.during(path, () => walkPage(visit, server, path, look, { leastPlots: kPlots[path], withWays: false }));
}

/** Gives the answers of all chapters. Returns the names of the exercises that were found. */
async function answerChapters(visit, server, faults) {
  const answered = new Set();
  let exercises = [];
  for (const chapter of chapters) {
    const { found, all } = await driveChapter(visit, server.url, chapter, faults);
    found.forEach((name) => answered.add(name));
    if (all.length > 0) exercises = all;
  }
  for (const name of exercises) if (!answered.has(name)) faults.push(`no chapter has the exercise ${name}`);
  return answered.size;
}

/**
 * Drives the site with two browsers at once: each opens all pages in one look. In one of the two axe-core looks at a page, in the other the
 * page is left by clicks and found again. The pages of `kPages` are seen in all four looks, and left in both widths.
 */
async function drive(command, faults) {
  const server = await serve({ isolated: true, folder: site });
  let [count, ran] = [0, 0];
  const examples = (visit, part) =>
    faults.during("playground", async () => {
      const done = await driveExamples(visit, server, part, 2);
      ran += done.count;
      return done.faults;
    });
  const [wide, narrow] = [(scheme) => ({ width: 1280, scheme }), (scheme) => ({ width: 390, scheme })];
  try {
    await Promise.all([
      withBrowser(command, server, async (visit) => {
        await walkAll(visit, server, faults, wide("light"), 0);
        await lookAgain(visit, server, faults, narrow("light"));
        await visit.page.setViewport({ width: 1280, height: 900 });
        await faults.during("search", () => driveSearches(visit, server));
        await faults.during("link", () => driveLink(visit, server));
        await faults.during("lists", () => driveLists(visit, server));
        await faults.during("types", () => driveTypes(visit, server));
        await faults.during("first page", () => driveHome(visit, server));
        await examples(visit, 0);
      }),
      withBrowser(command, server, async (visit) => {
        await walkAll(visit, server, faults, narrow("dark"), 1);
        await lookAgain(visit, server, faults, wide("dark"));
        await visit.page.setViewport({ width: 1280, height: 900 });
        await faults.during("course", async () => {
          count = await answerChapters(visit, server, faults);
        });
        await examples(visit, 1);
      }),
    ]);
  } finally {
    await server.close();
  }
  return { count, ran };
}

const readable = (path) => {
  try {
    return require("node:fs").statSync(path).isFile();
  } catch {
    return false;
  }
};

const command = installed(kBrowsers[0].commands);
if (command === undefined) {
  process.stdout.write("skipped: Chromium is not installed\n");
  process.exitCode = process.env.ONEBUFFER_REQUIRE_BROWSERS === "1" ? 1 : 0;
} else {
  const faults = new Faults();
  const { count, ran } = await drive(command, faults);
  process.stdout.write(
    `site: ${pages.length} pages, ${kSearches.length} searches, ${ran} examples, ${count} exercises, ${faults.count} faults\n`,
  );
  process.exitCode = faults.count === 0 ? 0 : 1;
}

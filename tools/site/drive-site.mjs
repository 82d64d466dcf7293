// `node tools/site/drive-site.mjs`: opens the built site in Chromium: no page has an error in its console, a foreign request or a serious
// fault of accessibility; every exercise of the course accepts its right answers and refuses its wrong ones. Pictures of the pages are in
// out/explorer-shots. Without Chromium it prints "skipped: why"; under ONEBUFFER_REQUIRE_BROWSERS=1 that is a failure.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installed, kBrowsers } from "../browser/launch.mjs";
import { app, installExplorer } from "../explorer/install.mjs";

const site = fileURLToPath(new URL("../../out/site", import.meta.url));
const chapters = readdirSync(join(site, "docs/course"))
  .filter((name) => /^\d/.test(name))
  .sort();
const kPages = [
  "index.html",
  "docs/index.html",
  "docs/expressions.html",
  "docs/contributing/benchmarks.html",
  "examples/index.html",
  "reference/index.html",
];
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

async function drive(command) {
  const server = await serve({ isolated: true, folder: site });
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
  const faults = [];
  const answered = new Set();
  let exercises = [];
  try {
    const visit = new Visit(await browser.newPage(), "chromium", server.url);
    for (const path of kPages) {
      await visit.page.goto(server.url + path);
      await visit.shot(`site-${path.replaceAll("/", "-").replace(".html", "")}`);
      // TypeDoc's pages have scripts and styles in them, which this server's policy forbids.
      if (path.startsWith("reference/")) {
        // The browser asks for its icon later.
        await new Promise((resolve) => setTimeout(resolve, 500));
        visit.problems();
        continue;
      }
      faults.push(...visit.problems().map((problem) => `${path}: ${problem}`));
      faults.push(...(await visit.faults()).map((fault) => `${path}: ${fault}`));
      const plots = await visit.page.$$eval(".plot rect", (bars) => new Set(bars.map((bar) => bar.closest(".plot"))).size);
      if (plots < (kPlots[path] ?? 0)) faults.push(`${path}: ${plots} plots with bars, not ${kPlots[path]}`);
    }
    for (const chapter of chapters) {
      const { found, all } = await driveChapter(visit, server.url, chapter, faults);
      found.forEach((name) => answered.add(name));
      if (all.length > 0) exercises = all;
    }
  } finally {
    await browser.close();
    await server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  for (const name of exercises) if (!answered.has(name)) faults.push(`no chapter has the exercise ${name}`);
  return { faults, count: answered.size };
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
  const { faults, count } = await drive(command);
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(`site: ${kPages.length + chapters.length} pages, ${count} exercises, ${faults.length} faults\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

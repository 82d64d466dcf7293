// Writes the site: one HTML page for each Markdown page, at the same path, and the built reference and explorer beside them, all in one frame.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { pagePaths } from "../pages.mjs";
import { barsOf, measuredRows } from "./bars.mjs";
import { bundleCamera, bundlePlayground, bundleScripts, bundleStyles } from "./bundle.mjs";
import { framed, framedExplorer, relative } from "./frame/frame.mjs";
import { pageOf, sectionsOf } from "./frame/sections.mjs";
import { homeBody, kHomeHeadings } from "./home-page.mjs";
import { htmlOf } from "./markdown.mjs";
import { completionsOf, playgroundBody, playgroundExamples } from "./playground-page.mjs";
import { withPlots } from "./plots.mjs";
import { importedNames, referenceNames, withNameLinks } from "./reference-names.mjs";
import { writeReference } from "./reference-pages.mjs";
import { pageEntries, searchIndex } from "./search-index.mjs";

/** The files of the style sheet: the explorer's tokens, then style/ in the order in which later rules win. */
const kStyles = [
  "../../../apps/explorer/src/style/colors.css",
  "page.css",
  "frame.css",
  "text.css",
  "code.css",
  "reference.css",
  "plots.css",
  "playground.css",
  "home.css",
];

/** Where a page has the bars of the table of docs/benchmarks.md. */
const kBarsMark = "<!-- bars -->";

/** The page of the program that filters a camera's frames, in the site and in the repository. */
const kCamera = "examples/camera-filter/index.html";

/** Returns the text of the first heading. */
const titleOf = (text) => /^# (.*)$/m.exec(text)?.[1].replaceAll("`", "") ?? "onebuffer";

/** Returns the first paragraph of a page, as it is shown by search engines. */
const descriptionOf = (html) =>
  (/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? "")
    .replace(/<[^>]*>/g, "")
    .replace(/&\w+;/g, " ")
    .replace(/\s+/g, " ")
    .slice(0, 160);

/** Returns the function that gives the links of a Markdown page their addresses. Files of the repository that it leads to are added to `files`. */
function linksOf(root, path, markdown, files) {
  const page = pageOf(path);
  const link = (href) => {
    if (/^[a-z]+:|^#/.test(href)) return href;
    const [target, anchor] = href.split("#");
    const file = posix.normalize(posix.join(posix.dirname(path), target));
    const suffix = anchor === undefined ? "" : `#${anchor}`;
    if (markdown.has(file)) return relative(page, pageOf(file)) + suffix;
    if (!existsSync(join(root, file)) || statSync(join(root, file)).isDirectory()) return href;
    files.add(file);
    return relative(page, `files/${file}.txt`);
  };
  link.picture = (src) => readFileSync(join(root, posix.dirname(path), src), "utf8");
  link.fromRoot = (href) => href.replace(/^[^#?]*/, (file) => relative(page, file));
  return link;
}

/** Returns what `htmlOf` does with the blocks of code of a page: names that the page has imported so far lead to the reference. */
function codeOf(path, names, examples) {
  const page = pageOf(path);
  let number = 0;
  const pages = new Map(names.map((each) => [`${each.path} ${each.name}`, each.page]));
  const imported = new Map();
  return (code, info, html) => {
    if (!/^(?:ts|js|tsx|mjs)\b/.test(info)) return { html, attributes: "" };
    for (const { name, path } of importedNames(code)) imported.set(name, pages.get(`${path} ${name}`) ?? pages.get(`onebuffer ${name}`));
    const addressOf = (name) => {
      const to = imported.get(name);
      return to === undefined ? undefined : relative(page, to);
    };
    const name = info === "ts" ? `${path}:${++number}` : "";
    return { html: withNameLinks(html, imported.keys(), addressOf), attributes: examples.has(name) ? ` data-example="${name}"` : "" };
  };
}

/**
 * Writes the site to `out`. Returns the number of Markdown pages. Links to Markdown pages lead to their HTML pages; a file of the repository
 * that a page links to is copied, as text.
 */
export async function buildSite(root, out) {
  rmSync(out, { recursive: true, force: true });
  const texts = new Map(pagePaths(root).map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const titles = new Map([...texts].map(([path, text]) => [path, titleOf(text)]));
  const sections = sectionsOf(titles);
  const names = referenceNames(join(root, "out/reference"));
  const examples = playgroundExamples(texts);
  const bars = barsOf(measuredRows(texts.get("docs/benchmarks.md"), "measured"));
  const files = new Set();
  const entries = [];
  const put = (path, text) => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  };
  for (const [path, text] of texts) {
    const page = pageOf(path);
    const title = titles.get(path);
    const { html, headings } = htmlOf(text, linksOf(root, path, texts, files), codeOf(path, names, examples));
    const body = path === "README.md" ? homeBody(html, bars, (to) => relative(page, to)) : withPlots(path, html.replace(kBarsMark, bars));
    const all = path === "README.md" ? [...kHomeHeadings, ...headings] : headings;
    put(page, framed({ page, title, description: descriptionOf(html), body, sections, headings: all }));
    const kind = sections.find(({ pages }) => pages.some((each) => each.page === page))?.name ?? "Page";
    entries.push(...pageEntries({ page, title, kind, html }));
  }
  entries.push(...writeReference({ reference: join(root, "out/reference"), out, sections, names, examples: () => () => undefined }));
  for (const file of files) put(`files/${file}.txt`, readFileSync(join(root, file)));
  cpSync(fileURLToPath(new URL("favicon.svg", import.meta.url)), join(out, "favicon.svg"));
  cpSync(join(root, "apps/explorer/dist"), join(out, "explorer"), { recursive: true });
  put(
    "explorer/index.html",
    framedExplorer(readFileSync(join(root, "apps/explorer/dist/index.html"), "utf8"), "explorer/index.html", sections),
  );
  const page = "playground/index.html";
  const scripts = ["playground/playground.js"];
  put(page, framed({ page, title: "Playground", body: playgroundBody, sections, kind: "playground", scripts }));
  entries.push({
    id: page,
    url: page,
    title: "Playground",
    page: "Playground",
    kind: "Explorer",
    text: "Write programs and run them in your browser.",
  });
  const camera = readFileSync(join(root, kCamera), "utf8");
  put(
    kCamera,
    framed({
      page: kCamera,
      title: /<title>(.*)<\/title>/.exec(camera)[1],
      body: /<main>([\s\S]*)<\/main>/.exec(camera)[1],
      sections,
      scripts: [kCamera.replace("index.html", "page.js")],
    }),
  );
  put("playground/examples.json", JSON.stringify(Object.fromEntries(examples)));
  put("playground/completions.json", JSON.stringify(completionsOf(names, entries)));
  put("search-index.json", searchIndex(entries));
  await bundlePlayground(out);
  await bundleCamera(out);
  await bundleStyles(out, kStyles);
  await bundleScripts(out);
  return texts.size;
}

// Writes the site: one HTML page for each Markdown page, at the same path, and the built reference and explorer beside them.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { pagePaths } from "../pages.mjs";
import { htmlOf } from "./markdown.mjs";
import { withPlots } from "./plots.mjs";

/** The links of the header, relative to the site's root. */
const kNavigation = [
  ["onebuffer", "index.html"],
  ["Pages", "docs/index.html"],
  ["Course", "docs/course/index.html"],
  ["Explorer", "explorer/index.html"],
  ["Reference", "reference/index.html"],
  ["Benchmarks", "docs/contributing/benchmarks.html"],
];

/** Returns the path of the HTML page of a Markdown page. */
export const pageOf = (path) => path.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html");

/** Returns the path from the page `from` to the file `to`, both relative to the site's root. */
const relative = (from, to) => posix.relative(posix.dirname(from), to) || posix.basename(to);

/** Returns the text of the first heading. */
const titleOf = (text) => /^# (.*)$/m.exec(text)?.[1].replaceAll("`", "") ?? "onebuffer";

function navigation(page) {
  const items = kNavigation.map(
    ([name, path]) => `<a href="${relative(page, path)}"${path === page ? ' aria-current="page"' : ""}>${name}</a>`,
  );
  return `<nav aria-label="Site">${items.join("")}</nav>`;
}

/** The parts of a page of the course: the explorer's code and style sheet. */
function courseParts(page) {
  return `<link rel="stylesheet" href="${relative(page, "explorer/explorer.css")}">
<script type="module" src="${relative(page, "explorer/course.js")}"></script>`;
}

function documentOf(page, title, body) {
  const hasPanels = /data-(?:panel|exercise)=/.test(body);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === "onebuffer" ? title : `${title} · onebuffer`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${relative(page, "site.css")}">
${hasPanels ? courseParts(page) : ""}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>${navigation(page)}</header>
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`;
}

/**
 * Writes the site to `out`. Returns the number of pages. Links to Markdown pages lead to their HTML pages; a file of the repository that a page
 * links to is copied, as text.
 */
export function buildSite(root, out) {
  rmSync(out, { recursive: true, force: true });
  const markdown = new Set(pagePaths(root));
  const files = new Set();
  const put = (path, text) => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  };
  for (const path of markdown) {
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
    link.fromRoot = (href) => href.replace(/^[^#?]*/, (file) => relative(page, file));
    const text = readFileSync(join(root, path), "utf8");
    put(page, documentOf(page, titleOf(text), withPlots(path, htmlOf(text, link))));
  }
  for (const file of files) put(`files/${file}.txt`, readFileSync(join(root, file)));
  cpSync(fileURLToPath(new URL("site.css", import.meta.url)), join(out, "site.css"));
  cpSync(join(root, "out/reference"), join(out, "reference"), { recursive: true });
  cpSync(join(root, "apps/explorer/dist"), join(out, "explorer"), { recursive: true });
  return markdown.size;
}

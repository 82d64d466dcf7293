// The frame that every page of the site has: the header with the way home and the search, the sidebar of sections, the contents of the page,
// and the links to the previous and the next page. Pages of the reference and of the explorer are put into it, too.
//
// The sidebar and the contents are popovers on narrow screens, which need no script; on wide ones the style sheet shows them always.
import { posix } from "node:path";

/** The links of the header, relative to the site's root. */
const kLinks = [
  ["Pages", "docs/index.html"],
  ["Course", "docs/course/index.html"],
  ["Explorer", "explorer/index.html"],
  ["Playground", "playground/index.html"],
  ["Reference", "reference/index.html"],
  ["Benchmarks", "docs/benchmarks.html"],
];

/** The links above the sections of the sidebar. */
const kTop = [
  ["Home", "index.html"],
  ["All pages", "docs/index.html"],
];

/** Returns the path from the page `from` to the file `to`, both relative to the site's root. */
export const relative = (from, to) => posix.relative(posix.dirname(from), to) || posix.basename(to);

/** Returns a text as HTML. */
export const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Returns a link of the frame; the one to the page itself says so. */
function link(page, to, name) {
  return `<a href="${relative(page, to)}"${to === page ? ' aria-current="page"' : ""}>${escaped(name)}</a>`;
}

function headerOf(page) {
  return `<header class="site-header">
<a class="site-home" href="${relative(page, "index.html")}"${page === "index.html" ? ' aria-current="page"' : ""}>onebuffer</a>
<nav class="site-links" aria-label="Site">${kLinks.map(([name, to]) => link(page, to, name)).join("")}</nav>
<div class="site-search" role="search" hidden><input type="search" placeholder="Search" aria-label="Search pages, course and reference" autocomplete="off" spellcheck="false"><div class="site-results" hidden></div></div>
<button type="button" class="site-button site-scheme" hidden>Colors</button>
<button type="button" class="site-button site-menu" popovertarget="site-sections">Sections</button>
</header>`;
}

/** The sidebar: the section of the page is open, the others are closed. `below` has further links under the page's own entry. */
function sidebarOf(page, sections, { entry = page, below = [] }) {
  const items = sections.map(({ name, pages }) => {
    const isHere = pages.some((each) => each.page === entry);
    const list = pages.map((each) => {
      const more =
        each.page === entry && below.length > 0 ? `<ul>${below.map(([to, text]) => `<li>${link(page, to, text)}</li>`).join("")}</ul>` : "";
      return `<li>${link(page, each.page, each.title)}${more}</li>`;
    });
    return `<details${isHere ? " open" : ""}><summary>${name}</summary><ul>${list.join("")}</ul></details>`;
  });
  const top = kTop.map(([name, to]) => `<li>${link(page, to, name)}</li>`);
  return `<nav id="site-sections" class="site-sections" popover aria-label="Sections"><ul>${top.join("")}</ul>${items.join("\n")}</nav>`;
}

/** The headings of the page, as links to their anchors. */
function contentsOf(headings) {
  if (headings.length < 2) return ["", ""];
  const items = headings.map(
    ({ id, text, level }) => `<li class="level-${level}"><a href="#${encodeURIComponent(id)}">${escaped(text)}</a></li>`,
  );
  return [
    `<button type="button" class="site-button site-contents-button" popovertarget="site-contents">On this page</button>`,
    `<nav id="site-contents" class="site-contents" popover aria-label="On this page"><p>On this page</p><ul>${items.join("")}</ul></nav>`,
  ];
}

/** The links to the pages before and after this one. */
function aroundOf(page, [before, after]) {
  if (before === undefined && after === undefined) return "";
  const to = (each, rel, word) =>
    each === undefined
      ? "<span></span>"
      : `<a rel="${rel}" href="${relative(page, each.page)}"><span>${word}</span>${escaped(each.title)}</a>`;
  return `<nav class="site-around" aria-label="Previous and next">${to(before, "prev", "Previous")}${to(after, "next", "Next")}</nav>`;
}

/** Returns the pages before and after a page in the order of the sections. */
export function neighborsOf(page, sections) {
  const all = sections.flatMap(({ pages }) => pages);
  const at = all.findIndex((each) => each.page === page);
  return at < 0 ? [] : [all[at - 1], all[at + 1]];
}

/** The elements of the head of a page with the frame. */
export function headOf(page, { title, description = "", styles = [], scripts = [] }) {
  const at = (path) => relative(page, path);
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${description === "" ? "" : `<meta name="description" content="${escaped(description)}">\n`}<title>${escaped(title === "onebuffer" ? title : `${title} · onebuffer`)}</title>
<link rel="icon" href="${at("favicon.svg")}" type="image/svg+xml">
${["site.css", ...styles].map((path) => `<link rel="stylesheet" href="${at(path)}">`).join("\n")}
<script src="${at("client/scheme.js")}"></script>
<script type="module" src="${at("client/site.js")}" data-root="${at("index.html").replace(/index\.html$/, "")}"></script>
${scripts.map((path) => `<script type="module" src="${at(path)}"></script>`).join("\n")}`;
}

/**
 * Returns a page with the frame.
 *
 * page       its path in the site
 * body       the HTML of its text
 * headings   of the contents: `{ id, text, level }`
 * kind       a class of the body, for pages with a look of their own
 * neighbors  the pages before and after it
 * entry      the page whose entry in the sidebar is open, with `below` under it; default `page`
 */
export function framed({
  page,
  title,
  description,
  body,
  sections,
  headings = [],
  kind = "text",
  neighbors,
  styles,
  scripts,
  entry,
  below,
}) {
  const [button, contents] = contentsOf(headings);
  return `<!doctype html>
<html lang="en">
<head>
${headOf(page, { title, description, styles, scripts })}
</head>
<body class="site is-${kind}">
<a class="site-skip" href="#main">Skip to the text</a>
${headerOf(page)}
<div class="site-columns">
${sidebarOf(page, sections, { entry, below })}
<main id="main" class="site-main" tabindex="-1">
${button}
${body}
${aroundOf(page, neighbors ?? neighborsOf(page, sections))}
</main>
${contents}
</div>
</body>
</html>
`;
}

/** Puts the frame around the page of the explorer, which has a head, a main element and scripts of its own. */
export function framedExplorer(html, page, sections) {
  return html
    .replace(/<meta charset[\s\S]*?<title>([^<]*)<\/title>/, (_, title) =>
      headOf(page, { title }).replace(/<title>[^<]*/, `<title>${title}`),
    )
    .replace("<body>", `<body class="site is-explorer">\n${headerOf(page)}\n<div class="site-columns">\n${sidebarOf(page, sections, {})}`)
    .replace("</body>", "</div>\n</body>");
}

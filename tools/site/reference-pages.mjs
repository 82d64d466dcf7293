// The pages of the reference in the site's frame: TypeDoc's text without its header, menus, scripts and icons, so that a page is light, needs
// no script, and looks like the others.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { escaped, framed, relative } from "./frame/frame.mjs";
import { highlighted } from "./highlight.mjs";
import { withNameLinks } from "./reference-names.mjs";

/** The words of TypeDoc's folders for the search. */
const kKinds = {
  classes: "class",
  functions: "function",
  interfaces: "interface",
  types: "type",
  variables: "value",
  modules: "import path",
};

const unescaped = (html) =>
  html
    .replace(/<br\/?>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&");

const flat = (html) => unescaped(html).replace(/\s+/g, " ").trim();

/** Returns the text of TypeDoc's page: what stands between its menus. */
function textOf(html) {
  const begin = html.indexOf('<div class="col-content">');
  const sidebar = html.indexOf('<div class="col-sidebar">', begin);
  const end = html.lastIndexOf("</div>", sidebar < 0 ? html.indexOf("<footer", begin) : sidebar);
  return (
    html
      .slice(begin + '<div class="col-content">'.length, end)
      .replace(/<svg[\s\S]*?<\/svg>/g, "")
      .replace(/(<a [^>]*class="tsd-anchor-icon")>/g, "$1>#")
      // Its parts that fold are parts that stay open: links in what folds them would be hard to reach.
      .replace(/<details class="([^"]*)"[^>]*>/g, '<div class="$1">')
      .replace(/<\/details>/g, "</div>")
      .replace(/<\/?summary[^>]*>/g, "")
      // Its lists of terms have no definitions.
      .replace(/<dd class="tsd-member-summary"><\/dd>/g, "")
      .replace(/<(\/?)(?:dl|dt)\b/g, "<$1div")
      .replace(/<button type="button">Copy<\/button>/g, "")
      .replace(/ href=""/g, ' href="#main"')
      // The line that imports the name stands below its title.
      .replace(/^\s*(<pre>[\s\S]*?<\/pre>)\s*(<div class="tsd-page-title">[\s\S]*?<\/h1>\s*<\/div>)/, "$2$1")
  );
}

/** Returns the text with its blocks of code highlighted as on the other pages, with links from names to their pages. */
function withCode(text, page, names, examples) {
  return text.replace(/<pre><code(?: class="(\w+)")?>([\s\S]*?)<\/code>\s*<\/pre>/g, (_, language = "ts", inner) => {
    const code = unescaped(inner).replace(/\n$/, "");
    const used = new Set([...code.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g)].map(([word]) => word));
    const html = withNameLinks(
      highlighted(code, language) || escaped(code),
      [...used].filter((word) => names.has(word)),
      (word) => {
        const to = names.get(word).page;
        return to === page ? undefined : relative(page, to);
      },
    );
    const number = language === "ts" ? examples(code) : undefined;
    return `<pre tabindex="0"${number === undefined ? "" : ` data-example="${number}"`}><code>${html}</code></pre>`;
  });
}

/** Returns the headings of the page that have anchors: groups of members, and members. */
const headingsOf = (text) =>
  [...text.matchAll(/<h([23]) class="tsd-anchor-link" id="([^"]+)">([\s\S]*?)<\/h\1>/g)].map(([, level, id, html]) => ({
    id,
    text: flat(html.replace(/<a [^>]*class="tsd-anchor-icon">#<\/a>/, "").replace(/<code class="tsd-tag">[^<]*<\/code>/g, "")),
    level: Number(level),
  }));

/** Returns the first paragraph of a comment in a part of a page. */
const summaryOf = (html) => flat(/<div class="tsd-comment tsd-typography"><p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? "");

/** Returns a signature in a part of a page as text: that of the constructor of a class, else the first one, "" if there is none. */
function signatureOf(html) {
  const signatures = [...html.matchAll(/<div class="tsd-signature[^"]*"[^>]*>([\s\S]*?)<\/div>/g)].map(([, signature]) =>
    flat(signature.replace(/<a [^>]*class="tsd-anchor-icon"[\s\S]*?<\/a>/g, "")).replace(/#$/, ""),
  );
  return signatures.find((signature) => signature.startsWith("new ")) ?? signatures[0] ?? "";
}

/** The entries of the search for a page: the name, and each of its members. Each has its signature, for the playground. */
function searchEntries(page, title, kind, path, text) {
  const base = { page: path, kind, url: page };
  const own = { ...base, title, text: summaryOf(text), signature: signatureOf(text), id: page };
  const members = text
    .split(/<section class="tsd-panel tsd-member/)
    .slice(1)
    .flatMap((part) => {
      const [, id, name] = /<h3 class="tsd-anchor-link" id="([^"]+)">(?:<code[^>]*>[^<]*<\/code>)*<span>([^<]+)<\/span>/.exec(part) ?? [];
      // What a class inherits is found at the class that declares it, and every operation at Operations: some are declared without a page.
      if (id === undefined || (title !== "Operations" && /^[^"]*tsd-is-inherited/.test(part))) return [];
      const url = `${page}#${id}`;
      return [
        { page: title, kind: "member", url, id: url, title: `${title}.${flat(name)}`, text: summaryOf(part), signature: signatureOf(part) },
      ];
    });
  return [own, ...members];
}

/** What is the same for all pages of the reference: the list of import paths under the section's entry. */
function modulesOf(reference) {
  const files = readdirSync(join(reference, "modules")).filter((file) => /^\w+\.html$/.test(file));
  return files
    .map((file) => [
      `reference/modules/${file}`,
      file
        .replace(/\.html$/, "")
        .replace("_", "/")
        .replaceAll("_", "-"),
    ])
    .sort();
}

/**
 * Writes the pages of the reference to `out`. `examples(page, path)` returns a function from the code of an example to its name in the
 * playground. Returns the entries of the search.
 */
export function writeReference({ reference, out, sections, names, examples }) {
  const below = modulesOf(reference);
  const byName = new Map();
  // A name that several paths have is linked where most people import it.
  for (const each of names) if (!byName.has(each.name) || each.path === "onebuffer") byName.set(each.name, each);
  const byPage = new Map(names.map((each) => [each.page, each]));
  const entries = [];
  const files = readdirSync(reference, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
  for (const file of files.filter((each) => each.endsWith(".html"))) {
    const page = `reference/${file}`;
    const html = readFileSync(join(reference, file), "utf8");
    const text = withCode(textOf(html), page, byName, examples(page, byPage.get(page)?.path));
    const own = byPage.get(page);
    const title = own?.name ?? /<title>(.*?) \|/.exec(html)?.[1] ?? "API reference";
    const kind = kKinds[posix.dirname(file)];
    if (own !== undefined) entries.push(...searchEntries(page, title, kind, own.path, text));
    else if (kind !== undefined)
      entries.push({ id: page, url: page, title: below.find(([each]) => each === page)?.[1] ?? title, page: "reference", kind, text: "" });
    const headings = headingsOf(text);
    const body = `<div class="reference">${text}</div>`;
    const description = summaryOf(text).slice(0, 160);
    const entry = "reference/index.html";
    const neighbors = own === undefined ? [] : neighborsOf(own, names);
    const path = join(out, page);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, framed({ page, title, description, body, sections, headings, kind: "reference", neighbors, entry, below }));
  }
  return entries;
}

/** The names before and after one in its import path. */
function neighborsOf(own, names) {
  const list = names.filter(({ path }) => path === own.path);
  const at = list.indexOf(own);
  return [list[at - 1], list[at + 1]].map((each) => each && { page: each.page, title: each.name });
}

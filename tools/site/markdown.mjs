// Markdown to HTML, with anchors as GitHub makes them, highlighted code, and the markers of the course:
//
//   <!-- panel slices shape=6,6 -->      a panel of the explorer
//   <!-- exercise rows-two-to-five -->   the paragraph that follows is a question, which the page checks
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import typescript from "highlight.js/lib/languages/typescript";
import json from "highlight.js/lib/languages/json";
import xml from "highlight.js/lib/languages/xml";
import python from "highlight.js/lib/languages/python";
import MarkdownIt from "markdown-it";
import anchor from "markdown-it-anchor";

const kLanguages = { bash, json, python, typescript, xml };
for (const [name, language] of Object.entries(kLanguages)) hljs.registerLanguage(name, language);
const kNames = {
  ts: "typescript",
  js: "typescript",
  tsx: "typescript",
  mjs: "typescript",
  sh: "bash",
  html: "xml",
  py: "python",
  json: "json",
};

/** Returns a heading's anchor as GitHub makes it. */
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

function highlighted(code, info) {
  const language = kNames[info.split(" ")[0]];
  return language === undefined ? "" : hljs.highlight(code, { language }).value;
}

/** Returns the element of a marker of the course, or "" for another comment. */
function marked(comment) {
  const panel = /^<!-- panel ([\w-]+)(?: (.*?))? -->\s*$/.exec(comment);
  if (panel !== null) {
    const [, name, params = ""] = panel;
    const address = `explorer/index.html#/${name}${params === "" ? "" : `?${params}`}`;
    return `<div class="panel" data-panel="${name}" data-params="${escaped(params)}"><p><a data-from-root href="${escaped(address)}">The panel in the explorer</a></p></div>\n`;
  }
  return "";
}

/** Puts the paragraph after each marker of an exercise into a section. */
const withExercises = (html) =>
  html.replace(/<!-- exercise ([\w-]+) -->\s*(<p>[\s\S]*?<\/p>)/g, '<section data-exercise="$1" aria-label="Exercise">$2</section>');

/** Returns the HTML of a page. `link` returns the address that a link of the page gets. */
export function htmlOf(text, link) {
  const markdown = new MarkdownIt({ html: true, highlight: highlighted }).use(anchor, { slugify: slug, tabIndex: false });
  markdown.renderer.rules.html_block = (tokens, i) => {
    const { content } = tokens[i];
    return /^<!-- exercise /.test(content) ? content : /^<!--/.test(content) ? marked(content) : escaped(content);
  };
  markdown.renderer.rules.html_inline = (tokens, i) => escaped(tokens[i].content);
  markdown.renderer.rules.table_open = () => '<div class="table"><table>\n';
  markdown.renderer.rules.table_close = () => "</table></div>\n";
  // A class for the alignment of a column, not a style: pages may forbid styles in attributes.
  for (const rule of ["th_open", "td_open"]) {
    markdown.renderer.rules[rule] = (tokens, i, options, _, self) => {
      const [, align] = /text-align:(\w+)/.exec(tokens[i].attrGet("style") ?? "") ?? [];
      tokens[i].attrs = align === undefined ? null : [["class", align]];
      return self.renderToken(tokens, i, options);
    };
  }
  const plain = markdown.renderer.rules.link_open ?? ((tokens, i, options, _, self) => self.renderToken(tokens, i, options));
  markdown.renderer.rules.link_open = (tokens, i, options, env, self) => {
    tokens[i].attrSet("href", link(tokens[i].attrGet("href")));
    return plain(tokens, i, options, env, self);
  };
  // Long lines scroll, so the keyboard must reach the block.
  const html = withExercises(markdown.render(text)).replaceAll("<pre>", '<pre tabindex="0">');
  return html.replace(/<a data-from-root href="([^"]*)"/g, (_, href) => `<a href="${link.fromRoot?.(href) ?? href}"`);
}

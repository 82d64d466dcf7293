// Markdown to HTML, with anchors as GitHub makes them, highlighted code, and the markers of the course:
//
//   <!-- panel slices shape=6,6 -->      a panel of the explorer
//   <!-- exercise rows-two-to-five -->   the paragraph that follows is a question, which the page checks
import MarkdownIt from "markdown-it";
import anchor from "markdown-it-anchor";
import { highlighted } from "./highlight.mjs";

/** Returns a heading's anchor as GitHub makes it. */
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Returns the element of a marker of the course, or "" for another comment. */
function marked(comment) {
  const panel = /^<!-- panel ([\w-]+)(?: (.*?))? -->\s*$/.exec(comment);
  if (panel !== null) {
    const [, name, params = ""] = panel;
    const address = `explorer/index.html#/${name}${params === "" ? "" : `?${params}`}`;
    return `<div class="panel" data-panel="${name}" data-params="${escaped(params)}"><p><a data-from-root href="${escaped(address)}">The panel in the explorer</a></p></div>\n`;
  }
  // The marks of tables that scripts write; those of a later step stay.
  return /^<!-- bars -->/.test(comment) ? comment : "";
}

/** Puts the paragraph after each marker of an exercise into a section. */
const withExercises = (html) =>
  html.replace(/<!-- exercise ([\w-]+) -->\s*(<p>[\s\S]*?<\/p>)/g, '<section data-exercise="$1" aria-label="Exercise">$2</section>');

/** The link at the end of a heading to its own anchor. */
const kPermalink = anchor.permalink.linkInsideHeader({
  symbol: "#",
  class: "site-anchor",
  placement: "after",
  renderAttrs: () => ({ "aria-label": "Link to this part" }),
});

/** Cells get a class for the alignment of their column, not a style: pages may forbid styles in attributes. */
function alignByClass(tokens, i, options, _, self) {
  const [, align] = /text-align:(\w+)/.exec(tokens[i].attrGet("style") ?? "") ?? [];
  tokens[i].attrs = align === undefined ? null : [["class", align]];
  return self.renderToken(tokens, i, options);
}

/** Returns the headings below the title, as `{ id, text, level }`. */
const headingsOf = (tokens) =>
  tokens.flatMap((token, i) => {
    if (token.type !== "heading_open" || !["h2", "h3"].includes(token.tag)) return [];
    const text = tokens[i + 1].children.filter(({ type }) => type === "text" || type === "code_inline").map(({ content }) => content);
    return [{ id: token.attrGet("id"), text: text.join("").replace(/#$/, "").trim(), level: Number(token.tag[1]) }];
  });

/**
 * Returns `{ html, headings }` of a page. `link` returns the address that a link of the page gets, `link.picture` the SVG of a picture's address.
 * `ofCode(code, info, html)` returns `{ html, attributes }` of a block of code: what is in it, and attributes of its element.
 */
export function htmlOf(text, link, ofCode = (_, __, html) => ({ html, attributes: "" })) {
  const markdown = new MarkdownIt({ html: true }).use(anchor, { slugify: slug, tabIndex: false, permalink: kPermalink, level: [2, 3, 4] });
  const { rules } = markdown.renderer;
  rules.html_block = (tokens, i) => {
    const { content } = tokens[i];
    return /^<!-- exercise /.test(content) ? content : /^<!--/.test(content) ? marked(content) : escaped(content);
  };
  rules.html_inline = (tokens, i) => escaped(tokens[i].content);
  rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n';
  rules.table_close = () => "</table></div>\n";
  rules.th_open = alignByClass;
  rules.td_open = alignByClass;
  rules.fence = (tokens, i) => {
    const { content, info } = tokens[i];
    const { html, attributes } = ofCode(content, info, highlighted(content, info) || escaped(content));
    // Long lines scroll, so the keyboard must reach the block.
    return `<pre tabindex="0"${attributes}><code>${html}</code></pre>\n`;
  };
  rules.code_block = rules.fence;
  // A picture is put into the page, so that the style sheet's colors reach it.
  rules.image = (tokens, i) => `<span class="plot picture" tabindex="0">${link.picture?.(tokens[i].attrGet("src")) ?? ""}</span>`;
  const plain = rules.link_open ?? ((tokens, i, options, _, self) => self.renderToken(tokens, i, options));
  rules.link_open = (tokens, i, options, env, self) => {
    tokens[i].attrSet("href", link(tokens[i].attrGet("href")));
    return plain(tokens, i, options, env, self);
  };
  const tokens = markdown.parse(text, {});
  const html = withExercises(markdown.renderer.render(tokens, markdown.options, {}));
  return {
    html: html.replace(/<a data-from-root href="([^"]*)"/g, (_, href) => `<a href="${link.fromRoot?.(href) ?? href}"`),
    headings: headingsOf(tokens),
  };
}

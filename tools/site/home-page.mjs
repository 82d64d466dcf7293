// The first page: what the library is, one buffer under four shapes, the installation, and figures. The texts are those of README.md.
import { escaped } from "./frame/frame.mjs";

/** The headings of the page that are not those of README.md. */
export const kHomeHeadings = [
  { id: "one-buffer", text: "One buffer, four shapes", level: 2 },
  { id: "install", text: "Install", level: 2 },
  { id: "how-fast", text: "How fast", level: 2 },
];

/** The shapes of the picture; the last one can be typed. */
const kShapes = [[12], [3, 4], [2, 6], [2, 2, 3]];

/** Returns the table of the elements of a view, as the page has it before the library is loaded. */
function viewOf(shape, i) {
  const columns = shape.at(-1);
  const rows = 12 / columns;
  const cells = Array.from({ length: rows }, (_, row) => {
    const fields = Array.from({ length: columns }, (_, column) => {
      const at = row * columns + column;
      return `<td class="home-${at}"><input inputmode="decimal" value="${at + 1}" data-at="${at}" aria-label="element ${at} of [${shape.join(", ")}]"></td>`;
    });
    return `<tr>${fields.join("")}</tr>`;
  });
  const text = shape.join(", ");
  const caption =
    i < kShapes.length - 1
      ? `<code>t.reshape([${text}])</code>`
      : `<label><code>t.reshape([</code><input class="home-shape" value="${text}" aria-label="shape"><code>])</code></label>`;
  return `<figure class="home-view" data-shape="${text}"><figcaption>${i === 0 ? "<code>t</code>, of shape [12]" : caption}</figcaption><table>${cells.join("")}</table></figure>`;
}

const kPicture = `<section class="home-live" aria-label="One buffer under four shapes">
<h2 id="one-buffer">One buffer, four shapes</h2>
<p>A tensor is a shape and a reference to a buffer. These four tensors share 48 bytes: change a number, and it changes in all of them.</p>
<div class="home-views">${kShapes.map(viewOf).join("\n")}</div>
<p class="home-status" role="status">Type a number, or another shape for the last one. The library loads with the first change.</p>
</section>`;

/** Returns the body of the first page from the HTML of README.md. `bars` is the HTML of the measured bars, `at` makes addresses. */
export function homeBody(html, bars, at) {
  const [, title, lead, rest] = /^<h1[^>]*>([\s\S]*?)<\/h1>\s*<p>([\s\S]*?)<\/p>\s*([\s\S]*)$/.exec(html);
  const [, install, below] = /^([\s\S]*?)(<h2 [\s\S]*)$/.exec(rest);
  const links = [
    ["docs/five-minutes.html", "Five minutes"],
    ["playground/index.html", "Playground"],
    ["docs/course/index.html", "Course"],
    ["reference/index.html", "Reference"],
  ].map(([to, name]) => `<a class="site-button" href="${at(to)}">${escaped(name)}</a>`);
  return `<h1>${title}</h1>
<p class="home-lead">${lead}</p>
<p class="home-links">${links.join(" ")}</p>
${kPicture}
<h2 id="install">Install</h2>
${install}
<h2 id="how-fast">How fast</h2>
<p>Measured beside the same work in other libraries; shorter is faster. <a href="${at("docs/benchmarks.html")}">What to expect</a>.</p>
${bars}
${below}`;
}

// The chapters of the course as pages: the panels and questions of the Markdown text in their order, without the site around them.
import { readFileSync, readdirSync } from "node:fs";

/** The folder of the course. */
export const kCourse = new URL("../../../docs/course/", import.meta.url);

/** The names of the chapters' files in their order, without `.md`. */
export const chapters = readdirSync(kCourse)
  .filter((name) => /^\d+-.*\.md$/.test(name))
  .map((name) => name.replace(/\.md$/, ""))
  .sort((a, b) => parseInt(a, 10) - parseInt(b, 10));

/** Returns the text of a page of the course. */
export const pageText = (name) => readFileSync(new URL(`${name}.md`, kCourse), "utf8");

/** Returns the markers of a chapter: `[kind, name, parameters]`. */
export const markersOf = (chapter) =>
  [...pageText(chapter).matchAll(/^<!-- (panel|exercise) ([\w-]+)(?: (.*?))? -->$/gm)].map(([, kind, name, params = ""]) => [
    kind,
    name,
    params,
  ]);

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Returns the HTML page of a chapter. */
export function coursePage(chapter) {
  const parts = markersOf(chapter).map(([kind, name, params]) =>
    kind === "panel"
      ? `<div data-panel="${name}" data-params="${escaped(params)}"></div>`
      : `<section data-exercise="${name}" aria-label="Exercise"><p>${name}</p></section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${chapter}</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><link rel="stylesheet" href="./explorer.css"></head>
<body><main><h1>${chapter}</h1><h2>Exercises</h2>${parts.join("\n")}</main><script type="module" src="./course.js"></script></body></html>`;
}

// The sections of the site, in the order of the sidebar. The pages of a section are in the order in which "previous" and "next" lead
// through them. Four kinds of text stand apart: tutorials teach, how-to pages solve a task, explanations give reasons, references are looked
// up.

/** Markdown pages by their path in the repository; other entries are built pages by their path in the site, with a title. */
export const kSections = [
  {
    name: "Tutorials",
    pages: ["docs/five-minutes.md", "docs/loops.md", "docs/images.md", "docs/coming-from.md", "examples/README.md"],
  },
  {
    name: "How-to",
    pages: ["numpy-functions", "files", "command-line", "workers", "xla", "webgpu", "cluster", "bundlers", "testing"].map(
      (name) => `docs/${name}.md`,
    ),
  },
  {
    name: "Explanation",
    pages: ["docs/reshaping.md", "docs/memory.md", "docs/layouts.md", "ARCHITECTURE.md"],
  },
  {
    name: "Reference",
    pages: [
      { page: "reference/index.html", title: "API: every name" },
      ...["expressions", "gradients", "linalg", "signal", "dtypes", "formats", "proto"].map((name) => `docs/${name}.md`),
      "CHANGELOG.md",
    ],
  },
  {
    name: "Course",
    pages: [
      "docs/course/README.md",
      ...[
        "1-bytes-and-dtypes",
        "2-sixteen-bytes",
        "3-one-buffer",
        "4-counting-references",
        "5-arena",
        "6-slices",
        "7-layouts",
        "8-kernels",
        "9-gradients",
        "10-messages",
      ].map((name) => `docs/course/${name}.md`),
    ],
  },
  {
    name: "Explorer",
    pages: [
      { page: "explorer/index.html", title: "Explorer: every byte" },
      { page: "playground/index.html", title: "Playground" },
      { page: "examples/camera-filter/index.html", title: "A camera on the GPU" },
    ],
  },
  {
    name: "Benchmarks",
    pages: ["docs/benchmarks.md", "docs/contributing/benchmarks.md", "docs/contributing/sizes.md", "docs/contributing/accuracy.md"],
  },
  {
    name: "Contributing",
    pages: [
      "CONTRIBUTING.md",
      ...["gradients", "kernels", "products", "maps", "memory", "io", "xla-device", "interop", "checks", "site", "explorer", "roadmap"].map(
        (name) => `docs/contributing/${name}.md`,
      ),
    ],
  },
];

/** Pages outside of the sections: the first page, and the list of all pages. */
const kOutside = ["README.md", "docs/README.md"];

/** Returns the path of the HTML page of a Markdown page. */
export const pageOf = (path) => path.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html");

/** Folders whose pages all belong to one section: those that are not listed follow the listed ones. */
const kFolders = { "docs/course/": "Course", "docs/contributing/": "Contributing" };

/** Returns the number at the beginning of a chapter's name, 0 for other pages. */
const chapterOf = ({ page }) => Number(/^docs\/course\/(\d+)-/.exec(page)?.[1] ?? 0);

/**
 * Returns the sections with a page and a title for each entry. `titles` has the title of each Markdown page. Throws if a page is in no section
 * or does not exist, so that no page is left out of the sidebar.
 */
export function sectionsOf(titles) {
  const listed = new Set([...kOutside, ...kSections.flatMap(({ pages }) => pages).filter((each) => typeof each === "string")]);
  const missing = [...listed].filter((path) => !titles.has(path));
  const folderOf = (path) => Object.keys(kFolders).find((folder) => path.startsWith(folder));
  const unlisted = [...titles.keys()].filter((path) => !listed.has(path));
  const lost = unlisted.filter((path) => folderOf(path) === undefined);
  if (missing.length + lost.length > 0) throw new Error(`pages without a file: ${missing}; pages in no section: ${lost}`);
  return kSections.map(({ name, pages }) => {
    const all = [...pages, ...unlisted.filter((path) => kFolders[folderOf(path)] === name)];
    const entries = all.map((each) => (typeof each === "string" ? { page: pageOf(each), title: titles.get(each) } : each));
    return { name, pages: name === "Course" ? entries.sort((a, b) => chapterOf(a) - chapterOf(b)) : entries };
  });
}

// How Vite builds the explorer: static files in dist that work from any path of any host. index.html is the explorer.
// mount.js exports `mountPanel` for other pages, and course.js is what the pages of the course load; both kinds of pages link explorer.css
// themselves. These three keep their names.
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Workers are entries of the same build, so that they share the library's chunks with the page.
const workers = {
  "file-worker": here("./src/panels/files/worker.ts"),
  "thread-worker": here("./src/panels/threads/worker.ts"),
  "pool-worker": here("./src/panels/threads/pool/worker.ts"),
};

/** Selectors of the page of the explorer itself, and of the elements that hold panels. */
const kHolders = /^(?::root|html|#app|\.onebuffer-panel)\b/;
/** What holds panels, and the forms of the course. */
const kInside = ":where(#app, .onebuffer-panel, [data-exercise] form, .course-progress)";

/** Keeps the rules of src/style inside the explorer and its panels, so that a page which mounts a panel looks as before. */
const insidePanels = {
  postcssPlugin: "inside-panels",
  Rule(rule) {
    if (rule.parent.type === "atrule" && /keyframes$/.test(rule.parent.name)) return;
    if (!/[\\/]src[\\/]style[\\/]/.test(rule.source.input.file)) return;
    const inside = (selector) => (kHolders.test(selector) || selector.startsWith(kInside) ? selector : `${kInside} ${selector}`);
    const selectors = rule.selectors.map(inside);
    if (selectors.join() !== rule.selectors.join()) rule.selectors = selectors;
  },
};

export default {
  css: { postcss: { plugins: [insidePanels] } },
  root: here("."),
  base: "./",
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    outDir: here("./dist"),
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    chunkSizeWarningLimit: 900,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      input: { index: here("./index.html"), mount: here("./src/mount-panel.tsx"), course: here("./src/course/course.ts"), ...workers },
      preserveEntrySignatures: "exports-only",
      checks: { pluginTimings: false },
      output: {
        entryFileNames: ({ name }) => {
          if (name === "mount" || name === "course") return "[name].js";
          return name in workers ? "assets/[name].js" : "assets/[name]-[hash].js";
        },
        assetFileNames: ({ names }) => (names.some((name) => name.endsWith(".css")) ? "explorer.css" : "assets/[name]-[hash][extname]"),
      },
    },
  },
};

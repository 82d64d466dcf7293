// The playground's page, its examples and the names for completion. The editor and the library are built by bundle.mjs.
import { blocksOf } from "../pages.mjs";
import { escaped } from "./frame/frame.mjs";
import { importedNames } from "./reference-names.mjs";

/** Programs that need Node, for files on disk and processes, or the main thread, whose memory `shareTensor` shares. */
const kNotHere = /\bfrom "(?:node:|onebuffer\/(?:node|xla-device|pool-worker)")|\bshareTensor\b/;

/** The program that the page has at first. */
const kFirst = `import { Tensor, tensorOf } from "onebuffer";

using photo = Tensor.from([[0, 51, 102], [153, 204, 255]], { dtype: "uint8" });
const scaled = photo.matrix().cast("float32").div(255); // nothing is computed yet
using result = tensorOf(scaled.sub(scaled.mean())); // computed here, by one kernel
result;

using wave = tensorOf(Tensor.arange(200).vec().mul(0.1).sin());
wave;
`;

/** Returns the code of an example with the imports of names that earlier blocks of its page have imported. */
function withImports(code, earlier) {
  const own = new Set(importedNames(code).map(({ name }) => name));
  const declared = new Set([...code.matchAll(/\b(?:const|let|using|function|class)\s+(\w+)/g)].map(([, name]) => name));
  const lines = [...earlier].flatMap(([name, path]) =>
    !own.has(name) &&
    !declared.has(name) &&
    new RegExp(`(?<![\\w$.])${name.replace("$", "\\$")}(?![\\w$])`).test(code.replace(/\/\/.*$/gm, ""))
      ? [`import { ${name} } from "${path}";\n`]
      : [],
  );
  return lines.join("") + code;
}

/** Returns the examples of the pages: a map from `docs/loops.md:1` to a program, without those that cannot run there. */
export function playgroundExamples(texts) {
  const examples = new Map();
  for (const [path, text] of texts) {
    const earlier = new Map();
    let number = 0;
    for (const { language, file, code } of blocksOf(text)) {
      if (language !== "ts" || file !== "") continue;
      number++;
      for (const { name, path: from } of importedNames(code)) earlier.set(name, from);
      const program = withImports(code, earlier);
      if (!kNotHere.test(program)) examples.set(`${path}:${number}`, program);
    }
  }
  return examples;
}

/** The most characters of a signature and of a summary that the editor shows. */
const kMostSignature = 240;
const kMostSummary = 160;

const shortened = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** Returns the names that the editor completes and explains: each with its signature and a summary. */
export function completionsOf(names, entries) {
  const kinds = { classes: "class", functions: "function", variables: "constant" };
  const members = new Map();
  const own = new Map(entries.map((entry) => [entry.id, entry]));
  const explained = ({ signature = "", text = "" } = {}) => ({
    signature: shortened(signature, kMostSignature),
    info: shortened(text, kMostSummary),
  });
  for (const entry of entries) {
    const label = entry.title.slice(entry.title.indexOf(".") + 1);
    if (entry.kind === "member" && /^\w+$/.test(label) && !members.has(label)) members.set(label, { label, ...explained(entry) });
  }
  return {
    names: names
      .filter(({ kind }) => kind in kinds)
      .map(({ name, path, kind, page }) => ({ label: name, path, type: kinds[kind], ...explained(own.get(page)) })),
    members: [...members.values()],
  };
}

/** The text of the page. */
export const playgroundBody = `<h1>Playground</h1>
<p>Programs run in your browser, in a worker of their own. Statements show their values; <kbd>Ctrl</kbd> <kbd>Enter</kbd> runs.</p>
<div class="play-bar">
<button type="button" class="site-button play-run">Run</button>
<button type="button" class="site-button play-stop" disabled>Stop</button>
<button type="button" class="site-button play-share">Copy a link to this program</button>
<label>Example <select class="play-choice"><option value="">of a page…</option></select></label>
</div>
<p class="play-status" role="status"></p>
<div class="play">
<div class="play-editor"><textarea aria-label="Program" spellcheck="false" rows="24">${escaped(kFirst)}</textarea></div>
<div class="play-side">
<h2>Results</h2>
<ul class="play-results"></ul>
<h2>How expressions are computed</h2>
<ul class="play-plans"></ul>
</div>
</div>`;

// The playground: an editor, the results of the program beside it, and how its expressions are computed.
import { drawValue } from "./draw-value.js";
import { codeOf, hashOf } from "./link.js";

const here = new URL("./", import.meta.url).href;
const area = document.querySelector(".play-editor textarea");
const results = document.querySelector(".play-results");
const plans = document.querySelector(".play-plans");
const status = document.querySelector(".play-status");
const choice = document.querySelector(".play-choice");
const [runButton, stopButton, shareButton] = ["run", "stop", "share"].map((name) => document.querySelector(`.play-${name}`));

let worker = null;
/** Counts the ends of runs, so that a run that was ended before its worker began does not start it. */
let ends = 0;
/** Until the editor is there, the text area is the editor. */
let editor = { text: () => area.value, setText: (text) => (area.value = text), goTo: () => area.focus() };

function end(text) {
  worker?.terminate();
  worker = null;
  ends++;
  stopButton.disabled = true;
  status.textContent = text;
  document.documentElement.dataset.run = "ended";
}

function entryOf(line, className) {
  const item = document.createElement("li");
  item.className = className;
  if (line > 0) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "play-line";
    button.textContent = `line ${line}`;
    button.addEventListener("click", () => editor.goTo(line));
    item.append(button);
  }
  return item;
}

/** What a worker's message shows. */
const kShow = {
  result({ line, expected, value }) {
    const item = entryOf(line, "play-result");
    item.append(...drawValue(value));
    if (expected !== null) {
      const note = document.createElement("small");
      note.textContent = `the text says ${expected}`;
      item.append(note);
    }
    results.append(item);
  },
  log({ text }) {
    const item = entryOf(0, "play-log");
    item.append(Object.assign(document.createElement("pre"), { textContent: text }));
    results.append(item);
  },
  error({ line, text }) {
    const item = entryOf(line, "play-error");
    item.append(document.createTextNode(text));
    results.append(item);
  },
  explain({ line, name, text }) {
    const item = entryOf(line, "play-plan");
    item.append(
      Object.assign(document.createElement("h3"), { textContent: name }),
      Object.assign(document.createElement("pre"), { textContent: text, tabIndex: 0 }),
    );
    plans.append(item);
  },
  end({ ms }) {
    end(`ran in ${ms.toFixed(0)} ms, the loading of the library included`);
  },
};

async function run() {
  end("");
  const own = ends;
  results.replaceChildren();
  plans.replaceChildren();
  document.documentElement.dataset.run = "running";
  let program;
  try {
    const { toJavaScript } = await import("./to-javascript.js");
    if (own !== ends) return;
    program = toJavaScript(editor.text());
  } catch (error) {
    if (own !== ends) return;
    kShow.error({ line: 0, text: error.message });
    end("");
    return;
  }
  status.textContent = "running…";
  stopButton.disabled = false;
  worker = new Worker(`${here}worker.js`, { type: "module" });
  worker.addEventListener("message", ({ data }) => kShow[data.kind](data));
  worker.addEventListener("error", (event) => {
    kShow.error({ line: 0, text: event.message ?? "the worker could not be loaded" });
    end("");
  });
  worker.postMessage(program);
}

/** Shows the program that the address names. */
async function openAddress() {
  const { hash } = location;
  try {
    if (hash.startsWith("#code=")) editor.setText(await codeOf(hash));
    else if (hash.startsWith("#example=")) {
      const name = decodeURIComponent(hash.slice("#example=".length));
      const code = (await examples())[name];
      if (code === undefined) throw new RangeError(`there is no example ${name}`);
      editor.setText(code);
      choice.value = name;
    } else return;
    await run();
  } catch (error) {
    status.textContent = `This address names no program: ${error.message}`;
  }
}

let loaded;
const json = async (file) => await (await fetch(here + file)).json();
const examples = () => (loaded ??= json("examples.json"));

async function listExamples() {
  const groups = new Map();
  for (const name of Object.keys(await examples())) {
    const page = name.slice(0, name.lastIndexOf(":"));
    if (!groups.has(page)) {
      groups.set(page, Object.assign(document.createElement("optgroup"), { label: page }));
      choice.append(groups.get(page));
    }
    groups.get(page).append(new Option(`${page} ${name.slice(page.length + 1)}`, name));
  }
}

runButton.addEventListener("click", run);
stopButton.addEventListener("click", () => end("stopped"));
shareButton.addEventListener("click", async () => {
  history.replaceState(null, "", await hashOf(editor.text()));
  await navigator.clipboard?.writeText(location.href).then(
    () => (status.textContent = "The address of this program is copied."),
    () => (status.textContent = "The address above carries this program."),
  );
});
choice.addEventListener("change", () => (location.hash = `#example=${choice.value}`));
window.addEventListener("hashchange", openAddress);
await listExamples();
const { openEditor } = await import("./editor.js");
let known;
editor = openEditor(area, () => (known ??= json("completions.json")), run);
document.documentElement.dataset.playground = "ready";
await openAddress();

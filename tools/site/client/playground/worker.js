// Runs a program of the playground: a fresh worker for each run, so that one program leaves nothing behind and can be stopped.
import { describe, isExpression, textOf } from "./describe.js";

/** The import paths that a program may use. Those that need Node are refused with a sentence. */
const kModules = {
  onebuffer: () => import("onebuffer"),
  "onebuffer/allocator": () => import("onebuffer/allocator"),
  "onebuffer/base": () => import("onebuffer/base"),
  "onebuffer/core": () => import("onebuffer/core"),
  "onebuffer/debug": () => import("onebuffer/debug"),
  "onebuffer/eigen": () => import("onebuffer/eigen"),
  "onebuffer/gradients": () => import("onebuffer/gradients"),
  "onebuffer/io": () => import("onebuffer/io"),
  "onebuffer/linalg": () => import("onebuffer/linalg"),
  "onebuffer/proto": () => import("onebuffer/proto"),
  "onebuffer/shape": () => import("onebuffer/shape"),
  "onebuffer/signal": () => import("onebuffer/signal"),
  "onebuffer/slice": () => import("onebuffer/slice"),
  "onebuffer/stablehlo": () => import("onebuffer/stablehlo"),
  "onebuffer/testing": () => import("onebuffer/testing"),
  "onebuffer/webgpu": () => import("onebuffer/webgpu"),
  "onebuffer/xla": () => import("onebuffer/xla"),
};

/** The most results that a run shows. */
const kMostResults = 200;

let shown = 0;
const post = (message) => {
  if (message.kind !== "end" && ++shown > kMostResults) return;
  postMessage(message);
};

function importOf(specifier) {
  const load = kModules[specifier];
  if (load === undefined) throw new Error(`${specifier} is not here: the playground has onebuffer's import paths for browsers`);
  return load();
}

/** The resources of a block with `using`, disposed at its end, the last first. */
function scope() {
  const all = [];
  let failure = null;
  return {
    add(value) {
      if (value !== null && value !== undefined) all.push(value);
      return value;
    },
    fail(error) {
      failure = { error };
    },
    end() {
      for (const value of all.reverse()) {
        try {
          (value[Symbol.dispose] ?? value[Symbol.asyncDispose] ?? value.dispose).call(value);
        } catch (error) {
          failure = { error };
        }
      }
      if (failure !== null) throw failure.error;
    },
  };
}

/** Shows a value, and the one that the program's comment states. */
function show(line, value, expected) {
  if (value === undefined && expected === null) return value;
  post({ kind: "result", line, expected, value: describe(value) });
  return value;
}

async function throws(line, code, act) {
  try {
    await act();
  } catch (error) {
    post({
      kind: "result",
      line,
      expected: `throws ${code}`,
      value: { kind: "text", text: String(error.message ?? error) },
      isRight: error.code === code,
    });
    return;
  }
  post({ kind: "error", line, text: `nothing was thrown, not ${code}` });
}

/** Sends how a named expression is computed. */
function seen(explain) {
  return (line, name, value) => {
    if (!isExpression(value)) return;
    try {
      post({ kind: "explain", line, name, text: String(explain(value)) });
    } catch {
      // What cannot be explained, such as a value that only looks like an expression, is not shown.
    }
  };
}

const log = (...values) => post({ kind: "log", text: values.map((each) => (typeof each === "string" ? each : textOf(each))).join(" ") });

/** Returns the line of the program in which an error arose, 0 if it is not known. */
const lineOf = (error) => Number(/blob:[^\s)]*?:(\d+):\d+/.exec(String(error?.stack ?? ""))?.[1] ?? 0);

self.addEventListener("message", async ({ data }) => {
  const address = URL.createObjectURL(new Blob([data], { type: "text/javascript" }));
  const begun = performance.now();
  try {
    const [{ explain }, { ready }] = await Promise.all([importOf("onebuffer/debug"), importOf("onebuffer")]);
    await ready();
    const { default: run } = await import(address);
    await run(importOf, scope, show, throws, seen(explain), { log, info: log, warn: log, error: log, table: log });
  } catch (error) {
    post({ kind: "error", line: lineOf(error), text: String(error?.message ?? error) });
  }
  post({ kind: "end", ms: performance.now() - begun });
});

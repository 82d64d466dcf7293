/**
 * Runs the program of an answer in a worker of its own, so that it can be ended and cannot touch the page.
 *
 *     the program  +  the names it must declare  +  the source of `trial`   →  worker  →  what `trial` returned, or an error
 */
import type { CodeExercise } from "../exercise.ts";

/** A program that takes longer is ended. */
const kMostMs = 2000;
/** The most characters of a program. */
const kMostCharacters = 20_000;

/** What a run gave: the value of `trial`, or why there is none. */
export type CodeOutcome = { readonly value: unknown; readonly error: "" } | { readonly value: null; readonly error: string };

const failed = (error: string): CodeOutcome => ({ value: null, error });

/** The source of the worker. A name that the program does not declare is undefined. */
function workerSource(program: string, { names, trial }: CodeExercise): string {
  const declared = names.map((name) => `${name}: typeof ${name} === "undefined" ? undefined : ${name}`).join(", ");
  return `${program.replace(/^\s*export\s+(?:default\s+)?/gm, "")}
;(() => {
  const declared = { ${declared} };
  for (const [name, value] of Object.entries(declared))
    if (typeof value !== "function") return postMessage({ error: "the program declares no function or class called " + name });
  try {
    postMessage({ value: (${trial.toString()})(declared), error: "" });
  } catch (error) {
    postMessage({ error: String(error && error.message ? error.name + ": " + error.message : error) });
  }
})();`;
}

/** Runs a program. Resolves to what the exercise's `trial` returned, or to the error; never rejects. */
export async function runCode(program: string, exercise: CodeExercise): Promise<CodeOutcome> {
  if (program.length > kMostCharacters) return failed(`the program is longer than ${kMostCharacters} characters`);
  const url = URL.createObjectURL(new Blob([workerSource(program, exercise)], { type: "text/javascript" }));
  let worker: Worker | undefined;
  try {
    worker = new Worker(url);
    return await outcomeOf(worker);
  } catch (error) {
    return failed(`this page may not run programs: ${String((error as Error).message)}`);
  } finally {
    worker?.terminate();
    URL.revokeObjectURL(url);
  }
}

function outcomeOf(worker: Worker): Promise<CodeOutcome> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(failed(`the program ran longer than ${kMostMs / 1000} s: does a loop never end?`)), kMostMs);
    const settle = (outcome: CodeOutcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<{ readonly value?: unknown; readonly error: string }>) =>
      settle(data.error === "" ? { value: data.value, error: "" } : failed(data.error)),
    );
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      const { message, lineno } = event;
      if (message === "" || message === undefined) return settle(failed("the program did not start"));
      settle(failed(`${message.replace(/^Uncaught /, "")}${lineno > 0 ? `, in line ${lineno}` : ""}`));
    });
  });
}

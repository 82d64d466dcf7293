/**
 * Scripts: operations whose case is a list of steps, followed by a list of checks of the state after them.
 *
 *     steps    [["new", "a", "DT_FLOAT", [4]], ["copy", "b", "a"]]     name, operands
 *     checks   [["refcount", "a", 2]]                                  name, operands, expected result
 */
import { toList } from "./args.ts";
import { mismatch } from "./compare.ts";
import type { Matcher } from "./compare.ts";
import { isJsonArray, isJsonObject, RunnerError } from "./vector.ts";
import type { Json } from "./vector.ts";

/** The operands of a step or check. Missing optional operands are `undefined`. */
export type Operands = readonly Json[];

/** A kind of step or check, with the smallest and largest number of its operands. */
export interface Verb<R> {
  readonly operands: readonly [least: number, most: number];
  readonly run: (...operands: Operands) => R;
}

/** Verbs by name. */
export type Verbs<R> = Readonly<Record<string, Verb<R>>>;

/** Makes a verb with `count` operands, or with `count` to `most`. */
export function verb<R>(count: number, run: (...operands: Operands) => R, most: number = count): Verb<R> {
  return { operands: [count, most], run };
}

/** Runs a verb by name. Throws RunnerError for an unknown name or a wrong number of operands. */
function runVerb<R>(verbs: Verbs<R>, kind: string, name: Json | undefined, operands: Operands): R {
  const found = typeof name === "string" && Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (found === undefined) throw new RunnerError(`unknown ${kind} ${JSON.stringify(name)}`);
  const [least, most] = found.operands;
  if (operands.length < least || operands.length > most) throw new RunnerError(`${kind} ${String(name)} has ${operands.length} operands`);
  return found.run(...operands);
}

/** Runs steps in order. */
export function runSteps(verbs: Verbs<void>, steps: readonly Json[]): void {
  for (const step of steps) {
    const [name, ...operands] = toList(step, "step");
    runVerb(verbs, "step", name, operands);
  }
}

/** The result of a script: evaluates the checks that the case expects. */
export class Checks implements Matcher {
  readonly #verbs: Verbs<unknown>;

  constructor(verbs: Verbs<unknown>) {
    this.#verbs = verbs;
  }

  mismatch(expected: Json): string | null {
    const { checks, ...more } = isJsonObject(expected) ? expected : {};
    if (!isJsonArray(checks) || Object.keys(more).length > 0) return `got checks want ${JSON.stringify(expected)}`;
    for (const check of checks) {
      const list = toList(check, "check");
      const wrong = mismatch(runVerb(this.#verbs, "check", list[0], list.slice(1, -1)), list.at(-1) ?? null);
      if (wrong !== null) return `${JSON.stringify(list.slice(0, -1))}: ${wrong}`;
    }
    return null;
  }
}

/** The named objects of a script. */
export class Names<T> {
  readonly #things = new Map<string, T>();

  /** Returns the object with a name. Throws RunnerError if there is none. */
  get(name: Json | undefined): T {
    const thing = typeof name === "string" ? this.#things.get(name) : undefined;
    if (thing === undefined) throw new RunnerError(`nothing is called ${JSON.stringify(name)}`);
    return thing;
  }

  /** Returns the object with a name, or undefined. */
  find(name: Json | undefined): T | undefined {
    return typeof name === "string" ? this.#things.get(name) : undefined;
  }

  /** Gives an object a name. It replaces an earlier object of that name. */
  set(name: Json | undefined, thing: T): void {
    if (typeof name !== "string") throw new RunnerError(`not a name: ${JSON.stringify(name)}`);
    this.#things.set(name, thing);
  }

  /** Removes a name. */
  delete(name: Json | undefined): void {
    if (typeof name === "string") this.#things.delete(name);
  }
}

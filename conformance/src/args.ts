/**
 * Reads the arguments of an operation from JSON, by name.
 *
 * Each operation lists the names that it knows. Any other name fails the case, so no argument of a vector is silently ignored. The
 * functions convert JSON to the types that the packages take and throw RunnerError for JSON of another type. `where` is the place for
 * the error message.
 */
import { isJsonArray, isJsonObject, RunnerError } from "./vector.ts";
import type { Json, JsonObject } from "./vector.ts";

/** Throws RunnerError if `json` has a key that is not in `known`. */
export function checkKeys(json: JsonObject, known: readonly string[], where: string): void {
  for (const key of Object.keys(json)) if (!known.includes(key)) throw new RunnerError(`${where}: unknown argument "${key}"`);
}

/**
 * Reads an integer: a JSON number, or decimal text for integers outside ±(2^53 - 1). The text becomes the nearest JavaScript number,
 * which is not a safe integer: the packages must refuse it, and the runner must not refuse it for them.
 */
export function toSize(json: Json | undefined, where: string): number {
  if (typeof json === "number") return json;
  if (typeof json === "string" && /^-?\d+$/.test(json)) return Number(json);
  throw new RunnerError(`${where}: not an integer: ${JSON.stringify(json)}`);
}

/** Reads an integer of any size as a bigint, exactly. */
export function toExactInteger(json: Json | undefined, where: string): bigint {
  if ((typeof json === "number" && Number.isInteger(json)) || (typeof json === "string" && /^-?\d+$/.test(json))) return BigInt(json);
  throw new RunnerError(`${where}: not an integer: ${JSON.stringify(json)}`);
}

/** Reads a list of integers. */
export function toSizes(json: Json | undefined, where: string): number[] {
  return toList(json, where).map((item) => toSize(item, where));
}

/** Reads a JSON array. */
export function toList(json: Json | undefined, where: string): readonly Json[] {
  if (isJsonArray(json)) return json;
  throw new RunnerError(`${where}: not a list: ${JSON.stringify(json)}`);
}

/** Reads a text. */
export function toText(json: Json | undefined, where: string): string {
  if (typeof json === "string") return json;
  throw new RunnerError(`${where}: not a text: ${JSON.stringify(json)}`);
}

/** Reads a boolean. */
export function toFlag(json: Json | undefined, where: string): boolean {
  if (typeof json === "boolean") return json;
  throw new RunnerError(`${where}: not true or false: ${JSON.stringify(json)}`);
}

/** Reads an object that has no keys but those in `known`. */
export function toArgs(json: Json | undefined, known: readonly string[], where: string): Args {
  if (isJsonObject(json)) return new Args(json, known, where);
  throw new RunnerError(`${where}: not an object: ${JSON.stringify(json)}`);
}

/** An object of named arguments. The constructor throws RunnerError for a name that is not in `known`. */
export class Args {
  readonly #json: JsonObject;
  readonly #where: string;

  constructor(json: JsonObject, known: readonly string[], where: string) {
    checkKeys(json, known, where);
    this.#json = json;
    this.#where = where;
  }

  /** Returns true if the argument is present, even if it is `null`. */
  has(key: string): boolean {
    return this.#json[key] !== undefined;
  }

  /** Returns the JSON of an argument; undefined if it is missing. */
  json(key: string): Json | undefined {
    return this.#json[key];
  }

  /** Returns an integer argument. */
  size(key: string): number {
    return toSize(this.#json[key], `${this.#where}.${key}`);
  }

  /** Returns an integer argument, or undefined if it is missing. */
  optionalSize(key: string): number | undefined {
    return this.has(key) ? this.size(key) : undefined;
  }

  /** Returns an argument that is a list of integers. */
  sizes(key: string): number[] {
    return toSizes(this.#json[key], `${this.#where}.${key}`);
  }

  /** Returns an argument that is a list of any JSON values. */
  list(key: string): readonly Json[] {
    return toList(this.#json[key], `${this.#where}.${key}`);
  }

  /** Returns a text argument. */
  text(key: string): string {
    return toText(this.#json[key], `${this.#where}.${key}`);
  }

  /** Returns a boolean argument, or `fallback` if it is missing. */
  flag(key: string, fallback: boolean): boolean {
    return this.has(key) ? toFlag(this.#json[key], `${this.#where}.${key}`) : fallback;
  }

  /** Returns an argument that is an object of named arguments. */
  args(key: string, known: readonly string[]): Args {
    return toArgs(this.#json[key], known, `${this.#where}.${key}`);
  }
}

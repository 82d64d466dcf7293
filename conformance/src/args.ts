/**
 * The arguments of one operation, read by name.
 *
 * Each operation states the names it knows; any other name fails the case, so that no argument of a vector is ever
 * passed over in silence. The getters convert JSON to what the packages take and refuse JSON of another kind.
 */
import { isJsonArray, isJsonObject, RunnerError } from "./vector.ts";
import type { Json, JsonObject } from "./vector.ts";

/** Refuses keys of `json` that are not in `known`. */
export function checkKeys(json: JsonObject, known: readonly string[], where: string): void {
  for (const key of Object.keys(json)) if (!known.includes(key)) throw new RunnerError(`${where}: unknown argument "${key}"`);
}

/**
 * An integer of a vector: a JSON number, or a decimal text outside ±(2^53 - 1). The text becomes the nearest
 * JavaScript number, which is unsafe by construction: the packages must refuse it, and the runner must not do it for them.
 */
export function toSize(json: Json | undefined, where: string): number {
  if (typeof json === "number") return json;
  if (typeof json === "string" && /^-?\d+$/.test(json)) return Number(json);
  throw new RunnerError(`${where}: not an integer: ${JSON.stringify(json)}`);
}

/** An integer of a vector as a bigint, exact however large. */
export function toExactInteger(json: Json | undefined, where: string): bigint {
  if ((typeof json === "number" && Number.isInteger(json)) || (typeof json === "string" && /^-?\d+$/.test(json))) return BigInt(json);
  throw new RunnerError(`${where}: not an integer: ${JSON.stringify(json)}`);
}

/** A list of integers. */
export function toSizes(json: Json | undefined, where: string): number[] {
  return toList(json, where).map((item) => toSize(item, where));
}

/** A JSON array. */
export function toList(json: Json | undefined, where: string): readonly Json[] {
  if (isJsonArray(json)) return json;
  throw new RunnerError(`${where}: not a list: ${JSON.stringify(json)}`);
}

/** A JSON text. */
export function toText(json: Json | undefined, where: string): string {
  if (typeof json === "string") return json;
  throw new RunnerError(`${where}: not a text: ${JSON.stringify(json)}`);
}

/** A JSON boolean. */
export function toFlag(json: Json | undefined, where: string): boolean {
  if (typeof json === "boolean") return json;
  throw new RunnerError(`${where}: not true or false: ${JSON.stringify(json)}`);
}

/** A JSON object that holds none but the named keys. */
export function toArgs(json: Json | undefined, known: readonly string[], where: string): Args {
  if (isJsonObject(json)) return new Args(json, known, where);
  throw new RunnerError(`${where}: not an object: ${JSON.stringify(json)}`);
}

/** One object of named arguments. */
export class Args {
  readonly #json: JsonObject;
  readonly #where: string;

  constructor(json: JsonObject, known: readonly string[], where: string) {
    checkKeys(json, known, where);
    this.#json = json;
    this.#where = where;
  }

  /** Whether the argument stands there (`null` does). */
  has(key: string): boolean {
    return this.#json[key] !== undefined;
  }

  /** The argument as it stands; undefined when absent. */
  json(key: string): Json | undefined {
    return this.#json[key];
  }

  /** An integer argument. */
  size(key: string): number {
    return toSize(this.#json[key], `${this.#where}.${key}`);
  }

  /** An integer argument, or undefined when absent. */
  optionalSize(key: string): number | undefined {
    return this.has(key) ? this.size(key) : undefined;
  }

  /** A list of integers. */
  sizes(key: string): number[] {
    return toSizes(this.#json[key], `${this.#where}.${key}`);
  }

  /** A list of any JSON. */
  list(key: string): readonly Json[] {
    return toList(this.#json[key], `${this.#where}.${key}`);
  }

  /** A text argument. */
  text(key: string): string {
    return toText(this.#json[key], `${this.#where}.${key}`);
  }

  /** A boolean argument; `fallback` when absent. */
  flag(key: string, fallback: boolean): boolean {
    return this.has(key) ? toFlag(this.#json[key], `${this.#where}.${key}`) : fallback;
  }

  /** A nested object of named arguments. */
  args(key: string, known: readonly string[]): Args {
    return toArgs(this.#json[key], known, `${this.#where}.${key}`);
  }
}

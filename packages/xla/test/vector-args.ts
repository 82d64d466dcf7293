/**
 * The arguments of one vector operation, read by name, as in the conformance runner: an argument that the operation
 * does not state, and JSON of another kind than asked for, fail the case.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Tells a JSON object from the other JSON values. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An integer: a number, or a decimal text beyond 2^53 - 1, which becomes the nearest (unsafe) number. */
export function toSize(json: Json | undefined, where: string): number {
  if (typeof json === "number") return json;
  if (typeof json === "string" && /^-?\d+$/.test(json)) return Number(json);
  throw new Error(`${where}: not an integer: ${JSON.stringify(json)}`);
}

/** A JSON array. */
export function toList(json: Json | undefined, where: string): readonly Json[] {
  if (Array.isArray(json)) return json as readonly Json[];
  throw new Error(`${where}: not a list: ${JSON.stringify(json)}`);
}

/** A list of integers. */
export function toSizes(json: Json | undefined, where: string): number[] {
  return toList(json, where).map((item) => toSize(item, where));
}

/** A text. */
export function toText(json: Json | undefined, where: string): string {
  if (typeof json === "string") return json;
  throw new Error(`${where}: not a text: ${JSON.stringify(json)}`);
}

/** Refuses keys of `json` that are not in `known`. */
export function checkKeys(json: JsonObject, known: readonly string[], where: string): void {
  for (const key of Object.keys(json)) if (!known.includes(key)) throw new Error(`${where}: unknown argument "${key}"`);
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

  has(key: string): boolean {
    return this.#json[key] !== undefined;
  }

  json(key: string): Json | undefined {
    return this.#json[key];
  }

  size(key: string): number {
    return toSize(this.#json[key], `${this.#where}.${key}`);
  }

  optionalSize(key: string): number | undefined {
    return this.has(key) ? this.size(key) : undefined;
  }

  sizes(key: string): number[] {
    return toSizes(this.#json[key], `${this.#where}.${key}`);
  }

  list(key: string): readonly Json[] {
    return toList(this.#json[key], `${this.#where}.${key}`);
  }

  text(key: string): string {
    return toText(this.#json[key], `${this.#where}.${key}`);
  }

  flag(key: string, fallback: boolean): boolean {
    const value = this.#json[key];
    if (value === undefined) return fallback;
    if (typeof value === "boolean") return value;
    throw new Error(`${this.#where}.${key}: not true or false: ${JSON.stringify(value)}`);
  }
}

/** One operation of the vectors: the argument names it knows, and the call of public exports it stands for. */
export interface Operation {
  readonly args: readonly string[];
  run(args: Args): unknown;
}

/** Operations by name. */
export type Operations = Readonly<Record<string, Operation>>;

/** An operation that answers with one value. */
export function operation(args: readonly string[], run: (args: Args) => unknown): Operation {
  return { args, run };
}

/**
 * Vector files and their cases. A file is a JSON array of cases, or an object with such an array under `cases`.
 *
 * A case is an assertion of TensorFlow's or XLA's own tests or sources about one operation: its arguments, and the result (`expect`) or
 * the error (`error`). If a case has both, `expect` is the state after the error. The keys suite, source, cite, note and name are
 * for readers; era, unchecked and tf_defect say how to judge. Any other key makes the case fail, because an assertion that the
 * runner ignores would look as if it held.
 */
import { readFileSync } from "node:fs";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** An expected error: a status code or `CHECK`, and a text whose numbers the message must contain. */
export interface ExpectedError {
  readonly code: string;
  readonly contains: string;
}

/** One assertion about one operation. */
export interface VectorCase {
  readonly id: string;
  readonly op: string;
  readonly args: JsonObject;
  /** The expected result; undefined if the case has none. `null` is a result, but next to an `error` it means none. */
  readonly expect: Json | undefined;
  /** The expected error. If the case also has `expect`, that is the state after the error. */
  readonly error: ExpectedError | undefined;
  /** True if the result is what TensorFlow computes, but wrong: it changes values. Our operation must keep them instead. */
  readonly tfDefect?: boolean;
  /** The era of XLA that gives this result, if not all do: "2017", "2018", "2022-2025", "current". */
  readonly era?: string;
  /** True if the expected result was not computed a second time. If ours differs, the case counts as skipped, not as failed. */
  readonly unchecked?: boolean;
  /** The reason why the case is malformed and cannot run. Such a case fails. */
  readonly problem?: string;
}

/**
 * An error of the runner: a malformed file, an unknown operation or argument. It is not a StatusError, so it never counts as
 * the error that a case expects.
 */
export class RunnerError extends Error {
  override readonly name: string = "RunnerError";
}

/** Returns true if a JSON value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true if a JSON value is an array. */
export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The keys that a case may have. */
const kCaseKeys: ReadonlySet<string> = new Set([
  ...["id", "suite", "op", "args", "source", "cite", "note", "era", "name"],
  ...["expect", "error", "unchecked", "tf_defect"],
]);

/** The keys that an `error` may have. */
const kErrorKeys: ReadonlySet<string> = new Set(["code", "kind", "contains"]);

/** Throws RunnerError if an object has a key that is not in `known`. */
function checkKnown(json: JsonObject, known: ReadonlySet<string>, where: string): void {
  for (const key of Object.keys(json)) if (!known.has(key)) throw new RunnerError(`${where}: nobody judges "${key}"`);
}

/** Returns the boolean under a key, or false if the key is missing. Throws RunnerError for another type. */
function flag(json: JsonObject, key: string, id: string): boolean {
  const value = json[key] ?? false;
  if (typeof value !== "boolean") throw new RunnerError(`${id}: "${key}" is neither true nor false`);
  return value;
}

/** The status codes for the kinds of errors in xla.json. `Fatal` means that XLA aborts the process. */
const kCodeOfKind: ReadonlyMap<Json | undefined, string> = new Map([
  ["InvalidArgument", "INVALID_ARGUMENT"],
  ["ParseError", "INVALID_ARGUMENT"],
  ["Fatal", "CHECK"],
]);

function toError(value: Json, id: string): ExpectedError {
  if (!isJsonObject(value)) throw new RunnerError(`${id}: "error" is not an object`);
  checkKnown(value, kErrorKeys, `${id}: "error"`);
  const code = value["code"] ?? kCodeOfKind.get(value["kind"]);
  if (typeof code !== "string") throw new RunnerError(`${id}: "error" needs a "code" or a known "kind"`);
  const contains = value["contains"] ?? "";
  if (typeof contains !== "string") throw new RunnerError(`${id}: "contains" is not a text`);
  return { code, contains };
}

/** Returns the id of a case; without one its suite and name, as the format of xla.json has them. Returns undefined if it has neither. */
function idOf(value: JsonObject): string | undefined {
  const { id, suite, name } = value;
  if (typeof id === "string") return id;
  return id === undefined && typeof suite === "string" && typeof name === "string" ? `${suite}/${name}` : undefined;
}

/** Reads a case from its JSON. Throws RunnerError if it has no id or op, asserts nothing, or has an unknown key. */
export function toCase(value: Json, where: string): VectorCase {
  if (!isJsonObject(value)) throw new RunnerError(`${where}: a case is an object`);
  const id = idOf(value);
  if (id === undefined) throw new RunnerError(`${where}: a case has no "id"`);
  checkKnown(value, kCaseKeys, id);
  const era = value["era"] ?? "both";
  if (typeof era !== "string") throw new RunnerError(`${id}: "era" is not a text`);
  const op = value["op"];
  if (typeof op !== "string") throw new RunnerError(`${id}: no "op"`);
  const args = value["args"] ?? {};
  if (!isJsonObject(args)) throw new RunnerError(`${id}: "args" is not an object`);
  const error = value["error"];
  const failure = error === undefined || error === null ? undefined : toError(error, id);
  if (failure === undefined && !("expect" in value)) throw new RunnerError(`${id}: neither "expect" nor "error"`);
  return {
    id,
    op,
    args,
    expect: value["expect"],
    error: failure,
    ...(flag(value, "tf_defect", id) ? { tfDefect: true } : {}),
    ...(era === "both" ? {} : { era }),
    ...(flag(value, "unchecked", id) ? { unchecked: true } : {}),
  };
}

/** Reads a case from its JSON. A malformed case is returned with its `problem`, so that the other cases still run. */
function toCaseOrProblem(value: Json, where: string): VectorCase {
  try {
    return toCase(value, where);
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    const id = (isJsonObject(value) ? idOf(value) : undefined) ?? where;
    const op = isJsonObject(value) && typeof value["op"] === "string" ? value["op"] : "";
    return { id, op, args: {}, expect: undefined, error: undefined, problem: error.message };
  }
}

/** Returns the cases of the text of a vector file. Throws RunnerError if it is not JSON or has no list of cases. */
export function parseVectors(text: string, where: string): VectorCase[] {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (cause) {
    throw new RunnerError(`${where}: not JSON`, { cause });
  }
  const cases = isJsonObject(json) ? json["cases"] : json;
  if (!isJsonArray(cases)) throw new RunnerError(`${where}: neither an array of cases nor an object with "cases"`);
  return cases.map((value, index) => toCaseOrProblem(value, `${where}[${index}]`));
}

/** Returns the cases of a vector file. Throws RunnerError if it is not JSON or has no list of cases. */
export function readVectors(file: string): VectorCase[] {
  return parseVectors(readFileSync(file, "utf8"), file);
}

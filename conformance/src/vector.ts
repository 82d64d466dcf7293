/**
 * The form of a vector file: one JSON array of cases, or an object that holds them under `cases`.
 *
 * A case is what TensorFlow's own tests or sources assert about one operation: the arguments, and either what comes
 * out (`expect`) or which status it fails with (`error`), or with both what is left behind after the failure. The other
 * keys are for people (suite, source, cite, note, name) or say how to judge (era, unchecked, tf_defect). Any other key
 * makes the case fail: an assertion that nobody judges would look as if it held.
 */
import { readFileSync } from "node:fs";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The failure a case asks for: a status name or `CHECK`, and a text whose numbers the message must hold. */
export interface ExpectedError {
  readonly code: string;
  readonly contains: string;
}

/** One assertion about one operation. */
export interface VectorCase {
  readonly id: string;
  readonly op: string;
  readonly args: JsonObject;
  /** What must come out; undefined when the case does not say (`null` is an answer, beside an `error` none). */
  readonly expect: Json | undefined;
  /** What must be thrown. With an `expect` beside it, that is about what the failed call leaves behind. */
  readonly error: ExpectedError | undefined;
  /** Whether the answer is what TensorFlow does although it changes values; keeping them is what is asked for then. */
  readonly tfDefect?: boolean;
  /** The era of XLA that gives this answer, where it is not all of them: "2017", "2018", "2022-2025", "current". */
  readonly era?: string;
  /** Whether nobody has computed the answer a second time; it counts as skipped, not as failed, when ours is another. */
  readonly unchecked?: boolean;
  /** Why this is no case that can be run; such a case fails. */
  readonly problem?: string;
}

/**
 * What the runner itself finds wrong: a malformed file, an operation or argument it does not know. It is not a
 * StatusError, so that no case that expects a failure can be satisfied by it.
 */
export class RunnerError extends Error {
  override readonly name: string = "RunnerError";
}

/** Tells a JSON object from the other JSON values. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tells a JSON array from the other JSON values. */
export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Every key that a case may have. */
const kCaseKeys: ReadonlySet<string> = new Set([
  ...["id", "suite", "op", "args", "source", "cite", "note", "era", "name"],
  ...["expect", "error", "unchecked", "tf_defect"],
]);

/** Every key that an `error` may have. */
const kErrorKeys: ReadonlySet<string> = new Set(["code", "kind", "contains"]);

/** Refuses an object with a key that nobody reads. */
function checkKnown(json: JsonObject, known: ReadonlySet<string>, where: string): void {
  for (const key of Object.keys(json)) if (!known.has(key)) throw new RunnerError(`${where}: nobody judges "${key}"`);
}

/** A boolean that stands under a key, false when it does not. */
function flag(json: JsonObject, key: string, id: string): boolean {
  const value = json[key] ?? false;
  if (typeof value !== "boolean") throw new RunnerError(`${id}: "${key}" is neither true nor false`);
  return value;
}

/** The kinds of errors of xla.json: a parser's failure is an invalid argument, what ends the process is a `CHECK`. */
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

/** Reads one case out of its JSON; a case without id, op or args, or one that asserts nothing, is refused. */
export function toCase(value: Json, where: string): VectorCase {
  if (!isJsonObject(value)) throw new RunnerError(`${where}: a case is an object`);
  const id = value["id"];
  if (typeof id !== "string") throw new RunnerError(`${where}: a case has no "id"`);
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

/** Reads one case; what is wrong with a malformed one becomes its problem, so that the others still run. */
function toCaseOrProblem(value: Json, where: string): VectorCase {
  try {
    return toCase(value, where);
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    const id = isJsonObject(value) && typeof value["id"] === "string" ? value["id"] : where;
    const op = isJsonObject(value) && typeof value["op"] === "string" ? value["op"] : "";
    return { id, op, args: {}, expect: undefined, error: undefined, problem: error.message };
  }
}

/** The cases of a vector file's text. Throws when it is no JSON or holds no list of cases. */
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

/** The cases of a vector file. */
export function readVectors(file: string): VectorCase[] {
  return parseVectors(readFileSync(file, "utf8"), file);
}

/**
 * checkOptions: refuses options that a function would silently ignore, such as a misspelled key or a value that is not an object.
 *
 *     zeros([3], "int32")              zeros: expected options such as { dtype: "int32" }, got "int32"
 *     zeros([3], { dytpe: "int32" })   zeros: unknown option "dytpe", did you mean "dtype"? The options are dtype, allocator, attributes
 */
import { isArray } from "./argument-check.ts";
import { nearestName } from "./nearest-name.ts";
import { shownValue } from "./shown-value.ts";
import { InvalidArgumentError } from "./status-error.ts";

/** The most elements of an array that a message shows. */
const kMaxShown = 8;

/**
 * Throws INVALID_ARGUMENT unless `options` is an object whose keys are all in `known`. The message begins with `call` and names the
 * nearest known key. Reads no option's value.
 *
 * @example
 * checkOptions("zeros", { dtype: "int32" }, ["dtype", "allocator"]);
 * checkOptions("zeros", { dytpe: "int32" }, ["dtype", "allocator"]); // throws INVALID_ARGUMENT
 * checkOptions("zeros", "int32", ["dtype", "allocator"]); // throws INVALID_ARGUMENT
 */
export function checkOptions(call: string, options: unknown, known: readonly string[]): void {
  let key: string | null = null;
  let isOptions = false;
  try {
    isOptions = isRecord(options, known);
    if (isOptions) key = unknownKey(options as object, known);
  } catch {
    isOptions = false; // a revoked Proxy
  }
  if (!isOptions)
    throw new InvalidArgumentError(`${call}: expected options such as ${example(options, known)}, got ${shownValue(options)}`);
  if (key === null) return;
  throw new InvalidArgumentError(`${call}: unknown option ${shownValue(key)}${remedy(key, known)} The options are ${known.join(", ")}`);
}

/** Options that other libraries have, and the option of the same meaning here. */
const kSynonyms: Readonly<Record<string, readonly string[]>> = {
  minval: ["low"],
  min: ["low", "minval"],
  low: ["minval"],
  maxval: ["high"],
  max: ["high", "maxval"],
  high: ["maxval"],
  std: ["stddev"],
};

/** Returns the middle of the message: the option that was meant, or for a dtype where there is no such option, how to convert. */
function remedy(key: string, known: readonly string[]): string {
  if (key === "dtype") return ": the dtype of the result is that of the argument, .cast(dtype) of a map converts.";
  const synonyms = Object.hasOwn(kSynonyms, key) ? (kSynonyms[key] as readonly string[]) : [];
  return `, did you mean "${synonyms.find((each) => known.includes(each)) ?? nearestName(key, known)}"?`;
}

/** Returns true for plain objects, and for objects of a class that have at least one of the keys. */
function isRecord(options: unknown, known: readonly string[]): boolean {
  if (typeof options !== "object" || options === null || isArray(options) || ArrayBuffer.isView(options)) return false;
  const prototype: unknown = Object.getPrototypeOf(options);
  return prototype === null || Object.getPrototypeOf(prototype) === null || known.some((key) => key in options);
}

/** Returns the first key that is not known, inherited ones included. */
function unknownKey(options: object, known: readonly string[]): string | null {
  for (const key in options) if (!known.includes(key)) return key;
  return null;
}

/** Returns what the caller may have meant, as source text: a bare string is a dtype, an array a shape, a function a callback. */
function example(options: unknown, known: readonly string[]): string {
  if (typeof options === "string" && known.includes("dtype")) return `{ dtype: ${shownValue(options)} }`;
  if (isArray(options) && known.includes("shape")) {
    const sizes = options.length <= kMaxShown && options.every((size) => typeof size === "number") ? options.join(", ") : "…";
    return `{ shape: [${sizes}] }`;
  }
  if (typeof options === "boolean" && known.includes("copy")) return `{ copy: ${String(options)} }`;
  if (typeof options === "function" && known.includes("release")) return "{ release: … }";
  return `{ ${known[0] ?? ""}: … }`;
}

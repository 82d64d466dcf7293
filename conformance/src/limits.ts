/**
 * The 2^53 rule: finds the cases with sizes that onebuffer may refuse.
 *
 * TensorFlow's sizes are 64-bit integers; onebuffer's are JavaScript numbers up to 2^53 - 1. onebuffer may refuse a case in which a
 * dimension, start, length, count, index or byte size, or a product of dimensions, is larger. This file finds those cases from the
 * vector alone, without calling the packages. Element values are not sizes and do not count.
 */
import { DataType, dataTypeSize } from "@onebuffer/base";
import { isJsonArray, isJsonObject } from "./vector.ts";
import type { Json, VectorCase } from "./vector.ts";

const kLimit = BigInt(Number.MAX_SAFE_INTEGER);

/** Keys whose numbers are element values, bytes or names, not sizes. */
const kNotSizes: ReadonlySet<string> = new Set([
  "values",
  "value",
  "src",
  "dst",
  "code",
  "wire",
  "after_wire",
  "after_wire_sha256",
  "wire_sha256",
  "tensor_content",
  "bytes",
  "name_hex",
  "hex",
  "handle",
  "tag",
  "debug_string",
  "checks",
]);

/** Steps of tensor.script whose last operand is an element value or a list of them. */
const kValueSteps: ReadonlySet<string> = new Set(["fill", "set_values", "fill_view_block"]);

/** Checks of tensor.script whose last operand is an element value or a list of them. */
const kValueChecks: ReadonlySet<string> = new Set(["values", "value_at"]);

/** The steps of shape.run that remove or replace dimensions. After them a dimension of size 0 may be gone. */
const kRemoves = /^(Remove|set_dim|SetDim)/;

function isLarge(value: bigint): boolean {
  return value > kLimit || value < -kLimit;
}

/** Returns true if `json`, or a text in it, contains an integer outside ±(2^53 - 1). */
function hasLargeSize(json: Json | undefined): boolean {
  if (typeof json === "number") return Number.isInteger(json) && !Number.isSafeInteger(json);
  if (typeof json === "string") return (json.match(/\d{16,}/g) ?? []).some((digits) => isLarge(BigInt(digits)));
  if (isJsonArray(json)) return sizeOperands(json).some(hasLargeSize);
  if (isJsonObject(json))
    return Object.entries(json).some(([key, item]) => !kNotSizes.has(key) && hasLargeSize(item)) || checksOf(json).some(hasLargeSize);
  return false;
}

/** Returns a step without the element values at its end, and any other list unchanged. */
function sizeOperands(list: readonly Json[]): readonly Json[] {
  return typeof list[0] === "string" && kValueSteps.has(list[0]) ? list.slice(0, -1) : list;
}

function checksOf(json: { readonly [key: string]: Json }): readonly Json[] {
  const checks = json["checks"];
  if (!isJsonArray(checks)) return [];
  return checks.map((check) =>
    isJsonArray(check) && typeof check[0] === "string" && kValueChecks.has(check[0]) ? check.slice(0, -1) : check,
  );
}

/** Returns the integers of a list of dimensions, or null if `json` is not such a list. */
function toDims(json: Json | undefined): bigint[] | null {
  const list = isJsonObject(json) ? json["dim"] : json;
  if (!isJsonArray(list)) return null;
  const dims: bigint[] = [];
  for (const item of list) {
    if (typeof item === "number" && Number.isInteger(item)) dims.push(BigInt(item));
    else if (typeof item === "string" && /^-?\d+$/.test(item)) dims.push(BigInt(item));
    else return null;
  }
  return dims;
}

/** Returns the product of the dimensions without the unknown (negative) ones, and without those of size 0 unless `withZeros` is set. */
function product(dims: readonly bigint[], withZeros: boolean): bigint {
  return dims.filter((dim) => dim > 0n || (withZeros && dim === 0n)).reduce((total, dim) => total * dim, 1n);
}

/** Returns the largest element size in bytes of the dtypes that are named in `json`, at least 1. */
function elementBytes(json: Json | undefined): bigint {
  if (typeof json === "string")
    return Object.hasOwn(DataType, json) ? BigInt(Math.max(1, dataTypeSize(DataType[json as keyof typeof DataType]))) : 1n;
  if (isJsonArray(json)) return json.reduce<bigint>((most, item) => (elementBytes(item) > most ? elementBytes(item) : most), 1n);
  if (isJsonObject(json)) return elementBytes(Object.values(json));
  return 1n;
}

/** Returns true if `json` contains a list of dimensions whose product, times `bytes`, is above 2^53 - 1. */
function hasLargeProduct(json: Json | undefined, bytes: bigint): boolean {
  const dims = toDims(json);
  if (dims !== null) return isLarge(product(dims, true) * bytes);
  if (isJsonArray(json)) return sizeOperands(json).some((item) => hasLargeProduct(item, bytes));
  if (isJsonObject(json)) return Object.entries(json).some(([key, item]) => !kNotSizes.has(key) && hasLargeProduct(item, bytes));
  return false;
}

/** Returns the dimensions during a shape.run: the initial ones and those that each step adds. `assign` and `Clear` discard the dimensions so far. */
function grownDims(init: Json | undefined, steps: readonly Json[]): bigint[][] {
  let dims = toDims(init) ?? [];
  const grown = [dims];
  for (const step of steps) {
    if (!isJsonArray(step)) continue;
    const fresh = step[0] === "assign" || step[0] === "Clear";
    const added = step.slice(-1).flatMap((last) => toDims(last) ?? toDims([last]) ?? []);
    dims = fresh ? added : /^(AddDim|AppendShape|InsertDim|set_dim|SetDim)/.test(String(step[0])) ? [...dims, ...added] : dims;
    grown.push(dims);
  }
  return grown;
}

/** Returns true if a product is too large only after the case has appended, inserted or joined dimensions. */
function hasLargeGrowth(vector: VectorCase): boolean {
  const { init, steps, a, b, size } = vector.args;
  if (isJsonArray(steps)) {
    const withZeros = !steps.some((step) => isJsonArray(step) && kRemoves.test(String(step[0])));
    return grownDims(init, steps).some((dims) => isLarge(product(dims, withZeros)));
  }
  if (vector.op !== "partial.concatenate" && vector.op !== "partial.merge_with") return false;
  return isLarge(product([...(toDims(a) ?? []), ...(toDims(b) ?? []), ...(size === undefined ? [] : (toDims([size]) ?? []))], true));
}

/** Returns the part of `expect` that can contain sizes: neither the text of a tensor's values nor bytes in hex. */
function sizesExpected(vector: VectorCase): Json | undefined {
  if (typeof vector.expect !== "string") return vector.expect;
  const hasSizes = /^(shape|partial|slice|sliceset)\./.test(vector.op) && !/(_wire|\.encode_name)$/.test(vector.op);
  return hasSizes ? vector.expect : undefined;
}

/** Returns the element size in bytes of an XLA type from its name: `f32` 4, `c128` 16, `s4` and `pred` 1. */
function xlaElementBytes(name: Json | undefined): bigint {
  const bits = /\d+/.exec(String(name));
  return bits === null ? 1n : (BigInt(bits[0]) + 7n) / 8n;
}

/** Returns the integers of a list of sizes, without `"?"`. */
function knownSizes(list: readonly Json[]): bigint[] {
  return list.flatMap((size) => (/^-?\d+$/.test(String(size)) ? [BigInt(String(size))] : []));
}

/** Returns true if an XLA array shape in `json`, as a literal or in a text, has more than 2^53 - 1 bytes. */
function hasLargeXlaShape(json: Json | undefined): boolean {
  if (typeof json === "string") {
    return [...json.matchAll(/(\w+)\[([^\]]*)\]/g)].some(([, type, sizes]) =>
      isLarge(product(knownSizes((sizes ?? "").replaceAll("<=", "").split(/\s*,\s*/)), false) * xlaElementBytes(type)),
    );
  }
  if (isJsonArray(json)) return json.some(hasLargeXlaShape);
  if (!isJsonObject(json)) return false;
  const sizes = [json["padded"], json["dims"]].find((list) => isJsonArray(list) && list.length > 0);
  if (isJsonArray(sizes) && isLarge(product(knownSizes(sizes), false) * xlaElementBytes(json["type"]))) return true;
  return Object.values(json).some(hasLargeXlaShape);
}

/** Returns true if a list of dimensions among the arguments is too large. In tensor operations the byte size counts. */
function hasLargeDims({ op, args }: VectorCase): boolean {
  // The names of operations of xla.json have no dot. A dimension 0 does not make a shape small there: XLA checks partial products.
  if (!op.includes(".")) return hasLargeXlaShape(args);
  if (/^slice(set)?\./.test(op)) return hasLargeProduct(args["shape"], 1n);
  return hasLargeProduct(args, op.startsWith("tensor.") ? elementBytes(args) : 1n);
}

/** Returns true if the case has a size above 2^53 - 1, so that onebuffer may refuse it. */
export function isBeyondLimits(vector: VectorCase): boolean {
  return hasLargeSize(vector.args) || hasLargeSize(sizesExpected(vector)) || hasLargeDims(vector) || hasLargeGrowth(vector);
}

/**
 * The 2^53 rule: which cases lie beyond what onebuffer promises.
 *
 * TensorFlow's sizes are 64-bit, onebuffer's are JavaScript numbers up to 2^53 - 1. A case in which a dimension, start,
 * length, count, index or byte size, or a product of its dimensions, is larger may be refused. This file finds those
 * cases from the vector alone; it never asks the packages. Element values are not sizes and are left out.
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

/** Steps of shape.run that take dimensions away, after which a zero may be gone. */
const kRemoves = /^(Remove|set_dim|SetDim)/;

function isLarge(value: bigint): boolean {
  return value > kLimit || value < -kLimit;
}

/** Whether a number stands in `json`, or in a text of it, that is no JavaScript size. */
function hasLargeSize(json: Json | undefined): boolean {
  if (typeof json === "number") return Number.isInteger(json) && !Number.isSafeInteger(json);
  if (typeof json === "string") return (json.match(/\d{16,}/g) ?? []).some((digits) => isLarge(BigInt(digits)));
  if (isJsonArray(json)) return sizeOperands(json).some(hasLargeSize);
  if (isJsonObject(json))
    return Object.entries(json).some(([key, item]) => !kNotSizes.has(key) && hasLargeSize(item)) || checksOf(json).some(hasLargeSize);
  return false;
}

/** A step or check without the element values at its end; any other list as it is. */
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

/** The integers of a dims list, or null when it is none (unknown dims count as 1). */
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

/** The product of the dimensions, unknown ones (negative) left out. */
function product(dims: readonly bigint[], withZeros: boolean): bigint {
  return dims.filter((dim) => dim > 0n || (withZeros && dim === 0n)).reduce((total, dim) => total * dim, 1n);
}

/** Bytes of one element of the dtypes a case names: the largest, at least 1. */
function elementBytes(json: Json | undefined): bigint {
  if (typeof json === "string")
    return Object.hasOwn(DataType, json) ? BigInt(Math.max(1, dataTypeSize(DataType[json as keyof typeof DataType]))) : 1n;
  if (isJsonArray(json)) return json.reduce<bigint>((most, item) => (elementBytes(item) > most ? elementBytes(item) : most), 1n);
  if (isJsonObject(json)) return elementBytes(Object.values(json));
  return 1n;
}

/** Whether any dims list in `json` multiplies to too many bytes. */
function hasLargeProduct(json: Json | undefined, bytes: bigint): boolean {
  const dims = toDims(json);
  if (dims !== null) return isLarge(product(dims, true) * bytes);
  if (isJsonArray(json)) return sizeOperands(json).some((item) => hasLargeProduct(item, bytes));
  if (isJsonObject(json)) return Object.entries(json).some(([key, item]) => !kNotSizes.has(key) && hasLargeProduct(item, bytes));
  return false;
}

/** The dims a shape.run grows to: the initial ones and everything its steps add since the last fresh start. */
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

/** Products that only come about while a case runs: appended, inserted or joined dimensions. */
function hasLargeGrowth(vector: VectorCase): boolean {
  const { init, steps, a, b, size } = vector.args;
  if (isJsonArray(steps)) {
    const withZeros = !steps.some((step) => isJsonArray(step) && kRemoves.test(String(step[0])));
    return grownDims(init, steps).some((dims) => isLarge(product(dims, withZeros)));
  }
  if (vector.op !== "partial.concatenate" && vector.op !== "partial.merge_with") return false;
  return isLarge(product([...(toDims(a) ?? []), ...(toDims(b) ?? []), ...(size === undefined ? [] : (toDims([size]) ?? []))], true));
}

/** The part of the answer that can hold sizes: not the text of a tensor's values, and not bytes in hex. */
function sizesExpected(vector: VectorCase): Json | undefined {
  if (typeof vector.expect !== "string") return vector.expect;
  const hasSizes = /^(shape|partial|slice|sliceset)\./.test(vector.op) && !/(_wire|\.encode_name)$/.test(vector.op);
  return hasSizes ? vector.expect : undefined;
}

/** Bytes of one element of an XLA type, read off its name: `f32` 4, `c128` 16, `s4` and `pred` 1. */
function xlaElementBytes(name: Json | undefined): bigint {
  const bits = /\d+/.exec(String(name));
  return bits === null ? 1n : (BigInt(bits[0]) + 7n) / 8n;
}

/** The integers of a list of sizes, `"?"` left out. */
function knownSizes(list: readonly Json[]): bigint[] {
  return list.flatMap((size) => (/^-?\d+$/.test(String(size)) ? [BigInt(String(size))] : []));
}

/** Whether an XLA array shape, as a literal or in a text, has too many bytes. */
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

/** Whether a dims list among the arguments is too large; in tensor operations the byte size counts. */
function hasLargeDims({ op, args }: VectorCase): boolean {
  // The operations of xla.json have no family in their names. Zeros do not help there: XLA checks partial products.
  if (!op.includes(".")) return hasLargeXlaShape(args);
  if (/^slice(set)?\./.test(op)) return hasLargeProduct(args["shape"], 1n);
  return hasLargeProduct(args, op.startsWith("tensor.") ? elementBytes(args) : 1n);
}

/** Whether the case holds a size beyond 2^53 - 1, so that refusing it is right. */
export function isBeyondLimits(vector: VectorCase): boolean {
  return hasLargeSize(vector.args) || hasLargeSize(sizesExpected(vector)) || hasLargeDims(vector) || hasLargeGrowth(vector);
}

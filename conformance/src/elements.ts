/**
 * Element literals: converts the JSON values of tensor elements to the values that TensorMap takes, and compares elements with literals.
 *
 *     numbers     1.5, "NaN", "Infinity", "-Infinity", "-0", decimal text for large ones     complex   [re, im]
 *     bool        true                                                                       string    "é", {"hex": "ff00"}
 *     variant     {"tensor": {"dtype", "shape", "values"}} or {"empty": true}                 resource  fields of the proto
 */
import type { Complex, DType } from "@onebuffer/base";
import { ResourceHandle, Variant } from "@onebuffer/core";
import type { ResourceHandleProto, Tensor } from "@onebuffer/core";
import { toArgs, toExactInteger, toList, toText } from "./args.ts";
import { fromHex, gotWant, mismatch, sameText } from "./compare.ts";
import type { Matcher } from "./compare.ts";
import { toDataType, toShapeProto } from "./literals.ts";
import { isJsonArray, isJsonObject, RunnerError } from "./vector.ts";
import type { Json } from "./vector.ts";

const kSpecial: ReadonlyMap<Json, number> = new Map<Json, number>([
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["-0", -0],
]);

/** Reads a number literal. */
export function toNumber(json: Json | undefined): number {
  if (typeof json === "number") return json;
  const special = json === undefined ? undefined : kSpecial.get(json);
  if (special !== undefined) return special;
  if (typeof json === "string" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(json)) return Number(json);
  throw new RunnerError(`not a number: ${JSON.stringify(json)}`);
}

function toBool(json: Json | undefined): boolean {
  if (json === true || json === 1) return true;
  if (json === false || json === 0) return false;
  throw new RunnerError(`not a bool: ${JSON.stringify(json)}`);
}

function toComplex(json: Json | undefined): Complex {
  const parts = isJsonArray(json) ? json : [json ?? null, 0];
  if (parts.length !== 2) throw new RunnerError(`not [re, im]: ${JSON.stringify(json)}`);
  return [toNumber(parts[0]), toNumber(parts[1])];
}

/** Reads a text, or the bytes of `{"hex": …}`. */
export function toStringElement(json: Json | undefined): string | Uint8Array {
  return isJsonObject(json) ? fromHex(toArgs(json, ["hex"], "string").text("hex")) : toText(json, "string");
}

/** Reads a resource handle from the fields of its message. */
export function toResourceHandle(json: Json | undefined): ResourceHandle {
  const args = toArgs(json, ["device", "container", "name", "hash_code", "maybe_type_name", "dtypes_and_shapes"], "handle");
  const proto: ResourceHandleProto = {};
  if (args.has("device")) proto.device = args.text("device");
  if (args.has("container")) proto.container = args.text("container");
  if (args.has("name")) proto.name = args.text("name");
  if (args.has("hash_code")) proto.hashCode = toExactInteger(args.json("hash_code"), "hash_code");
  if (args.has("maybe_type_name")) proto.maybeTypeName = args.text("maybe_type_name");
  if (args.has("dtypes_and_shapes")) proto.dtypesAndShapes = args.list("dtypes_and_shapes").map(toDtypeAndShape);
  return ResourceHandle.fromProto(proto);
}

/** Reads `{"dtype","shape"}`. The shape is a list of dimensions, a message, or null for unknown rank. */
function toDtypeAndShape(json: Json): { dtype: number; shape: ReturnType<typeof toShapeProto> } {
  const args = toArgs(json, ["dtype", "shape"], "dtypes_and_shapes");
  const shape = args.json("shape");
  const proto: Json = isJsonObject(shape) ? shape : shape === null ? { dim: [], unknown_rank: true } : { dim: shape ?? [] };
  return { dtype: toDataType(args.json("dtype")), shape: toShapeProto(proto) };
}

/** Makes a tensor from a `{"dtype","shape","values"}` literal. A parameter, because tensor-literals.ts imports this file. */
export type MakeTensor = (json: Json | undefined) => Tensor;

/** Makes a Variant that is empty or takes over a tensor. */
export function toVariant(json: Json | undefined, makeTensor: MakeTensor): Variant {
  const args = toArgs(json, ["tensor", "empty"], "variant");
  const variant = new Variant();
  if (args.has("tensor")) variant.emplace(makeTensor(args.json("tensor")));
  else if (!args.flag("empty", false)) throw new RunnerError(`not a variant: ${JSON.stringify(json)}`);
  return variant;
}

/** Converts a literal to the value that a TensorMap of the dtype takes. */
export function toElement(dtype: DType, json: Json | undefined, makeTensor: MakeTensor): unknown {
  switch (dtype) {
    case "int64":
    case "uint64":
      return toExactInteger(json, dtype);
    case "bool":
      return toBool(json);
    case "complex64":
    case "complex128":
      return toComplex(json);
    case "string":
      return toStringElement(json);
    case "resource":
      return toResourceHandle(json);
    case "variant":
      return toVariant(json, makeTensor);
    default:
      return toNumber(json);
  }
}

/** Returns true if two numbers are identical. With `single`, the wanted number is also tried rounded to float32. */
function sameFloat(got: unknown, want: number, single: boolean): boolean {
  return Object.is(got, want) || (single && Object.is(got, Math.fround(want)));
}

function sameHandle(got: ResourceHandle, json: Json): boolean {
  const want = toResourceHandle(json);
  return got.debugString() === want.debugString();
}

/** Returns true if a tensor equals a literal. A parameter, because tensor-literals.ts imports this file. */
export type SameTensor = (got: Tensor, json: Json) => boolean;

function sameVariant(got: Variant, json: Json, sameTensor: SameTensor): boolean {
  const args = toArgs(json, ["tensor", "empty"], "variant");
  if (!args.has("tensor")) return got.isEmpty() && args.flag("empty", false);
  return got.typeName === "tensorflow::Tensor" && sameTensor(got.value as Tensor, args.json("tensor") ?? null);
}

/** Returns true if an element of a tensor equals a literal. */
export function sameElement(dtype: DType, got: unknown, json: Json, sameTensor: SameTensor): boolean {
  switch (dtype) {
    case "int64":
    case "uint64":
      return got === toExactInteger(json, dtype);
    case "bool":
      return got === toBool(json);
    case "complex64":
    case "complex128": {
      const [re, im] = toComplex(json);
      const single = dtype === "complex64";
      return Array.isArray(got) && got.length === 2 && sameFloat(got[0], re, single) && sameFloat(got[1], im, single);
    }
    case "string":
      return ArrayBuffer.isView(got) && sameText(got as Uint8Array, json);
    case "resource":
      return sameHandle(got as ResourceHandle, json);
    case "variant":
      return sameVariant(got as Variant, json, sameTensor);
    default:
      return sameFloat(got, toNumber(json), dtype === "float32");
  }
}

/** The elements of a tensor, to compare with a list of literals of its dtype. */
export class Elements implements Matcher {
  readonly #dtype: DType;
  readonly #got: readonly unknown[];
  readonly #sameTensor: SameTensor;

  constructor(dtype: DType, got: readonly unknown[], sameTensor: SameTensor) {
    this.#dtype = dtype;
    this.#got = got;
    this.#sameTensor = sameTensor;
  }

  mismatch(expected: Json): string | null {
    const want = toList(expected, "values");
    if (want.length !== this.#got.length) return `got ${this.#got.length} values want ${want.length}`;
    const at = this.#got.findIndex((element, index) => !sameElement(this.#dtype, element, want[index] ?? null, this.#sameTensor));
    return at < 0 ? null : `[${at}] ${gotWant(this.#got[at], want[at] ?? null)}`;
  }
}

/** One element, to compare with one literal. */
export class Element implements Matcher {
  readonly #elements: Elements;

  constructor(dtype: DType, got: unknown, sameTensor: SameTensor) {
    this.#elements = new Elements(dtype, [got], sameTensor);
  }

  mismatch(expected: Json): string | null {
    return mismatch(this.#elements, [expected]);
  }
}

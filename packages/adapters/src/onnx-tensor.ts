/**
 * Tensors of onnxruntime: https://onnxruntime.ai (onnxruntime-common, -web and -node). An object with `type`, `data`, `dims` and
 * `location`; elements are row-major and dense.
 */
import type { DType, RawDType } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import { checkArray, checkFunction, checkObject, checkOptions, shownValue } from "@onebuffer/base/internal";
import { Tensor } from "@onebuffer/core";
import type { ConstStridedMap } from "@onebuffer/eigen";
import { decodeUtf8, product } from "@onebuffer/storage/internal";
import { isTensor } from "@onebuffer/core/internal";
import { elementMemory } from "./array-memory.ts";
import { exportedArray } from "./exported-array.ts";
import type { ExportSource } from "./exported-array.ts";
import { checkedSizes, rowMajorStrides, tensorOfForeign } from "./foreign-array.ts";
import type { ExportOptions } from "./strided-array.ts";

/**
 * The part of an onnxruntime Tensor that the adapters need.
 *
 * @example
 * const tensor: OnnxTensorLike = { type: "float32", data: Float32Array.of(1, 2), dims: [2], location: "cpu" };
 * using ours = tensorFromOnnx(tensor);
 * ours.toArray(); // => [1, 2]
 */
export interface OnnxTensorLike {
  /** The element type: "float32", "int64", "bool", "string" and so on. */
  readonly type: string;
  /** A typed array, or an array of texts. */
  readonly data: unknown;
  readonly dims: readonly number[];
  /** Where the data is: "cpu", or a device from which it must be downloaded first. Default: "cpu". */
  readonly location?: string;
}

/**
 * The constructor `Tensor` of onnxruntime.
 *
 * @example
 * class OrtTensor { readonly type: string; constructor(type: string) { this.type = type; } } // a stand-in for ort.Tensor
 * const make: OnnxTensorConstructor<OrtTensor> = OrtTensor as never;
 * using tensor = Tensor.from([1, 2]);
 * toOnnxTensor(tensor, { Tensor: make }).type; // => "float32"
 */
export type OnnxTensorConstructor<T> = new (type: never, data: never, dims: readonly number[]) => T;

/**
 * Options of `toOnnxTensor`.
 *
 * @example
 * using tensor = Tensor.from([true, false]);
 * const options: OnnxExportOptions<never> = { copy: true };
 * toOnnxTensor(tensor, options); // => { type: "bool", data: Uint8Array.of(1, 0), dims: [2], location: "cpu" }
 */
export interface OnnxExportOptions<T> extends ExportOptions {
  /** onnxruntime's own class: the result is an instance of it. Without it, the result is a plain object of the same form. */
  readonly Tensor?: OnnxTensorConstructor<T>;
}

/** onnxruntime's element types of whole bytes, and the dtypes here. */
const kDTypes: ReadonlyMap<string, RawDType> = new Map(
  (["float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "bool", "float16", "float64", "uint32", "uint64"] as const).map(
    (name) => [name, name],
  ),
);
const kTypeNames: string = [...kDTypes.keys(), "string"].join(", ");

/**
 * Returns an onnxruntime tensor's elements as a tensor over the same memory, so that each sees the other's writes. Texts are copied.
 *
 * Throws FAILED_PRECONDITION if the data is not in memory of the CPU (download it with `await tensor.getData()`), UNIMPLEMENTED for types
 * of four bits, which onnxruntime packs, INVALID_ARGUMENT for anything that is no tensor or whose data does not fit its type and dims.
 *
 * @example
 * const data = BigInt64Array.of(1n, 2n);
 * using tensor = tensorFromOnnx({ type: "int64", data, dims: [1, 2] });
 * data[0] = 7n;
 * tensor.toArray(); // => [[7n, 2n]]
 * tensorFromOnnx({ type: "int64", data, dims: [3] }); // throws INVALID_ARGUMENT
 * tensorFromOnnx({ type: "int64", data, dims: [2], location: "gpu-buffer" }); // throws FAILED_PRECONDITION
 */
export function tensorFromOnnx(tensor: OnnxTensorLike): Tensor {
  const what = "the onnxruntime tensor";
  checkObject(tensor, what);
  const { type, location = "cpu", dims } = tensor;
  if (location !== "cpu" && location !== "cpu-pinned")
    throw new FailedPreconditionError(`${what}: its data is at ${shownValue(location)}; await tensor.getData() downloads it`);
  const sizes = checkedSizes(dims, what);
  const { data } = tensor;
  if (type === "string") {
    checkArray(data, `${what}'s data`);
    return Tensor.from(data as string[], { dtype: "string", shape: sizes });
  }
  if (type === "int4" || type === "uint4") throw new UnimplementedError(`${what}: ${type} has two elements in a byte, which no tensor has`);
  const wanted = kDTypes.get(type);
  if (wanted === undefined) throw new InvalidArgumentError(`${what}: its type is ${shownValue(type)}, expected one of ${kTypeNames}`);
  const { dtype, memory } = elementMemory(data, wanted, what);
  const count = product(sizes);
  const { length } = data as { readonly length: number };
  if (count !== length) throw new InvalidArgumentError(`${what}: its dims [${sizes}] are of ${count} elements, its data has ${length}`);
  return tensorOfForeign({ what, dtype, memory, byteOffset: 0, sizes, strides: rowMajorStrides(sizes) });
}

/**
 * Returns a tensor, or a map whose elements are row-major and dense, as an onnxruntime tensor over the same memory; with `copy` over memory
 * of its own. Give the option `Tensor` for an instance of onnxruntime's class. Texts are copied.
 *
 * Throws UNIMPLEMENTED for a dtype that onnxruntime lacks, FAILED_PRECONDITION for a map with other strides and if the source is disposed,
 * INVALID_ARGUMENT for anything but a tensor or a map, and for strings that are not UTF-8.
 *
 * @example
 * using tensor = Tensor.from([[1, 2], [3, 4]]);
 * const { type, data, dims } = toOnnxTensor(tensor);
 * [type, [...(data as Float32Array)], dims]; // => ["float32", [1, 2, 3, 4], [2, 2]]
 * toOnnxTensor(tensor.matrix().strided().transpose()); // throws FAILED_PRECONDITION
 */
export function toOnnxTensor<T>(source: ExportSource, options: OnnxExportOptions<T> & { readonly Tensor: OnnxTensorConstructor<T> }): T;
export function toOnnxTensor(source: ExportSource, options?: OnnxExportOptions<never>): Required<OnnxTensorLike>;
export function toOnnxTensor<T>(source: ExportSource, options: OnnxExportOptions<T> = {}): T | Required<OnnxTensorLike> {
  checkOptions("toOnnxTensor", options, ["copy", "Tensor"]);
  const { Tensor: make, copy } = options;
  if (make !== undefined) checkFunction(make, "onnxruntime's Tensor");
  const { type, data, dims } = partsOf(source, copy, make !== undefined);
  return make === undefined ? { type, data, dims, location: "cpu" } : new make(type as never, data as never, dims);
}

interface Parts {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
}

function partsOf(source: ExportSource, copy: boolean | undefined, forConstructor: boolean): Parts {
  const dtype = (source as { readonly dtype?: DType } | null)?.dtype;
  if (dtype === "string") return textParts(source);
  const { dtype: type, data, sizes, strides } = exportedArray(source, "toOnnxTensor", copy);
  if (!kDTypes.has(type)) throw new UnimplementedError(`toOnnxTensor: onnxruntime has no ${type}; cast to one of ${kTypeNames}`);
  const dense = rowMajorStrides(sizes);
  if (!sizes.includes(0) && sizes.some((size, d) => size !== 1 && strides[d] !== dense[d])) {
    throw new FailedPreconditionError(
      `toOnnxTensor: the strides [${strides}] are not those of a row-major array of [${sizes}]; give { copy: true }`,
    );
  }
  // onnxruntime's constructor takes the bits of float16 as a Uint16Array and makes a Float16Array of it where there is one.
  return { type, data: type === "float16" && !forConstructor ? halfArray(data) : data, dims: sizes };
}

/** Returns the bits of float16 as a Float16Array over the same memory, where the platform has this class. */
function halfArray(data: ArrayBufferView<ArrayBufferLike> & { readonly length: number }): unknown {
  const make = (globalThis as { Float16Array?: new (buffer: ArrayBufferLike, byteOffset: number, length: number) => unknown }).Float16Array;
  return make === undefined ? data : new make(data.buffer, data.byteOffset, data.length);
}

/** Returns the texts of string elements. */
function textParts(source: ExportSource): Parts {
  if (!isTensor(source) && typeof (source as { readonly rawPlaces?: unknown }).rawPlaces !== "function") {
    throw new InvalidArgumentError(`toOnnxTensor: expected a tensor or a map, got ${shownValue(source)}`);
  }
  const map = (isTensor(source) ? source.flat() : source) as ConstStridedMap<"string", number>;
  const texts = Array.from(map, (bytes, i) => {
    const text = decodeUtf8(bytes);
    if (text === null) throw new InvalidArgumentError(`toOnnxTensor: string ${i} is not UTF-8`);
    return text;
  });
  return { type: "string", data: texts, dims: [...(isTensor(source) ? source.shape.dimSizes : map.dimensions)] };
}

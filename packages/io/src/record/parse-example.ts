/**
 * Parses serialized Example messages into tensors, one for each feature (in Python: tf.io.parse_example with FixedLenFeature).
 *
 *     records  Example { x: [1, 2], y: [7] }        x: float32 [2, 2]   1 2
 *              Example { x: [3, 4], y: [8] }                            3 4
 *                                                   y: int64 [2]        7 8
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { checkInteger, checkObject, checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import { Tensor } from "@onebuffer/core";
import type { TensorLike } from "@onebuffer/core";
import type { FeatureProto } from "@onebuffer/proto";
import { exampleCodec } from "@onebuffer/proto";
import { TensorShape } from "@onebuffer/shape";
import { product } from "@onebuffer/storage/internal";
import { NamedTensors } from "../tensor/named-tensors.ts";

/**
 * The dtype of a feature's values: those of a FloatList, an Int64List or a BytesList.
 *
 * @example
 * const dtype: FeatureDType = "int64";
 * const features: ExampleFeatures = { label: { dtype } };
 * using tensors = parseExample([exampleCodec.encode({})], { label: { dtype, defaultValue: 7n } });
 * [Object.keys(features), tensors.tensor("label").toArray()]; // => [["label"], [7n]]
 */
export type FeatureDType = "float32" | "int64" | "string";

/**
 * A feature that every example has with the same number of values.
 *
 * @example
 * const feature: FixedLenFeature = { shape: [2], dtype: "float32", defaultValue: [0, 0] };
 * using tensors = parseExample([exampleCodec.encode({}), exampleCodec.encode({})], { x: feature });
 * tensors.tensor("x").toArray(); // => [[0, 0], [0, 0]]
 */
export interface FixedLenFeature {
  /** The shape of the values of one example. Default: a scalar. */
  readonly shape?: readonly number[];
  readonly dtype: FeatureDType;
  /** The values of an example without this feature. Without a default, such an example is refused. */
  readonly defaultValue?: TensorLike;
}

/**
 * The features to parse, by name: an object, or a Map for names such as `__proto__`.
 *
 * @example
 * const features: ExampleFeatures = new Map([["__proto__", { dtype: "string", defaultValue: "none" }]]);
 * using tensors = parseExample([exampleCodec.encode({})], features);
 * tensors.tensor("__proto__").toArray(); // => ["none"]
 */
export type ExampleFeatures = ReadonlyMap<string, FixedLenFeature> | Readonly<Record<string, FixedLenFeature>>;

/**
 * Returns a tensor for each feature, by name: its first dimension is the number of examples, the others are the feature's shape. The caller
 * disposes them. Copies the values once.
 *
 * Throws INVALID_ARGUMENT, with the number of the example and the name of the feature, if an example lacks a feature without a default, or
 * has values of another type or another number of them; the errors of `exampleCodec.decode`; RESOURCE_EXHAUSTED without memory.
 *
 * @example
 * const example = (x: number[], y: string) =>
 *   exampleCodec.encode({
 *     features: { feature: new Map([["x", { floatList: { value: x } }], ["y", { bytesList: { value: [new TextEncoder().encode(y)] } }]]) },
 *   });
 * const records = [example([1, 2], "a"), example([3, 4], "b")];
 * using tensors = parseExample(records, { x: { shape: [2], dtype: "float32" }, y: { dtype: "string" } });
 * tensors.tensor("x").toArray(); // => [[1, 2], [3, 4]]
 * tensors.tensor("y").toArray(); // => ["a", "b"]
 * parseExample(records, { x: { shape: [3], dtype: "float32" } }); // throws INVALID_ARGUMENT
 * parseExample(records, { z: { dtype: "int64" } }); // throws INVALID_ARGUMENT
 */
export function parseExample(records: Iterable<Uint8Array>, features: ExampleFeatures): NamedTensors {
  const list = recordsOf(records);
  const tensors = new NamedTensors();
  try {
    const columns = Array.from(entriesOf(features), ([name, feature]) => {
      const column = newColumn(name, feature, list.length);
      tensors.set(name, column.tensor);
      return column;
    });
    list.forEach((record, i) => {
      const feature = exampleCodec.decode(record).features?.feature;
      for (const column of columns) fill(column, i, feature?.get(column.name));
    });
    return tensors;
  } catch (error) {
    tensors.dispose();
    throw error;
  }
}

/** Returns the records as a list. Checks each at once: a list may have a billion holes. */
function recordsOf(records: Iterable<Uint8Array>): Uint8Array[] {
  const isList = typeof (records as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] === "function";
  if (!isList || typeof records === "string" || ArrayBuffer.isView(records))
    throw new InvalidArgumentError(`parseExample: expected a list of serialized examples, got ${shownValue(records)}`);
  const list: Uint8Array[] = [];
  for (const record of records) {
    if (!ArrayBuffer.isView(record))
      throw new InvalidArgumentError(
        `parseExample: record ${list.length}: Expected the bytes of a tensorflow.Example, got ${shownValue(record)}`,
      );
    list.push(record);
  }
  return list;
}

/** Returns the features by name. */
function entriesOf(features: ExampleFeatures): Iterable<[string, FixedLenFeature]> {
  checkObject(features, "the features");
  const isMap = Object.prototype.toString.call(features) === "[object Map]";
  return isMap ? (features as ReadonlyMap<string, FixedLenFeature>) : Object.entries(features as Readonly<Record<string, FixedLenFeature>>);
}

/** The elements that values are copied to. */
type Elements = Float32Array | BigInt64Array | { set(values: ArrayLike<unknown>, offset: number): void };

/** The values of one feature. */
interface Column {
  readonly name: string;
  readonly dtype: FeatureDType;
  readonly tensor: Tensor;
  /** The number of values of an example. */
  readonly count: number;
  readonly shape: readonly number[];
  readonly elements: Elements;
  /** The values of an example without the feature. */
  readonly missing: ArrayLike<unknown> | null;
}

function newColumn(name: string, feature: FixedLenFeature, examples: number): Column {
  checkText(name, "the name of a feature");
  checkOptions(`parseExample, feature ${shownValue(name)}`, feature, ["shape", "dtype", "defaultValue"]);
  const { shape = [], dtype, defaultValue } = feature;
  if (dtype !== "float32" && dtype !== "int64" && dtype !== "string")
    throw new InvalidArgumentError(`feature ${shownValue(name)}: its dtype is float32, int64 or string, got ${shownValue(dtype)}`);
  const sizes = Array.from(new TensorShape(shape as number[]).dimSizes);
  sizes.forEach((size) => checkInteger(size, `feature ${shownValue(name)}: a size`));
  const count = product(sizes);
  const missing = defaultValue === undefined ? null : defaultValues(dtype, sizes, defaultValue);
  const tensor = new Tensor(dtype, [examples, ...sizes]) as Tensor;
  return { name, dtype, tensor, count, shape: sizes, elements: elementsOf(tensor, dtype), missing };
}

function elementsOf(tensor: Tensor, dtype: FeatureDType): Elements {
  const map = tensor.flat();
  if (dtype !== "string") return map.data as Float32Array | BigInt64Array;
  return {
    set(values: ArrayLike<unknown>, offset: number): void {
      for (let i = 0; i < values.length; i++) map.set(offset + i, values[i] as never);
    },
  };
}

/** Returns the values of a default as a list. */
function defaultValues(dtype: FeatureDType, sizes: number[], value: TensorLike): ArrayLike<unknown> {
  using tensor = Tensor.from(value, { dtype, shape: sizes });
  return Array.from(tensor.flat() as Iterable<unknown>);
}

/** Copies the values of example `index`, or the default. */
function fill(column: Column, index: number, feature: FeatureProto | undefined): void {
  const { dtype, count, elements, missing, shape } = column;
  const { floatList, int64List, bytesList } = feature ?? {};
  const found = floatList ? "float32" : int64List ? "int64" : bytesList ? "string" : null;
  if (found === null) {
    if (missing === null) throw refusal(column, index, `it is required (${dtype}) and is not there`);
    (elements as Float32Array).set(missing as ArrayLike<number>, index * count);
    return;
  }
  if (found !== dtype) throw refusal(column, index, `its values are ${found}, expected ${dtype}`);
  const values: ArrayLike<unknown> = floatList?.value ?? int64List?.value ?? bytesList?.value ?? [];
  if (values.length !== count) throw refusal(column, index, `it has ${values.length} values, expected ${count} for the shape [${shape}]`);
  (elements as Float32Array).set(values as ArrayLike<number>, index * count);
}

function refusal({ name }: Column, index: number, why: string): StatusError {
  return new InvalidArgumentError(`example ${index}, feature ${shownValue(name)}: ${why}`);
}

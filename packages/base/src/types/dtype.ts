/**
 * DType: onebuffer's names of element types, and their TypeScript types.
 *
 * The element type, the typed array and the union of names are derived from the rows of dtype-table.ts.
 * A dtype's element is what `TensorMap.at` reads; its array is the typed array that holds the raw elements
 * (bit patterns for the small floats, re/im pairs for complex numbers, JavaScript values for the object dtypes).
 */
import type { DTypeCell, DTypeKey, DTypesWhere } from "./dtype-table.ts";

/**
 * A complex element: real part, imaginary part.
 *
 * @example
 * const i: Complex = [0, 1];
 * const [re, im] = i;
 * [re, im]; // => [0, 1]
 */
export type Complex = readonly [re: number, im: number];

/**
 * The element types of the object dtypes, whose classes are defined in a higher package. `@onebuffer/core` merges
 * `resource` (ResourceHandle) and `variant` (Variant) into it; without core they are `unknown`.
 *
 * @example
 * const types: Partial<ObjectElementTypes> = {};
 * Object.keys(types); // => []
 */
export interface ObjectElementTypes {}

/**
 * The element type of dtype `K` as merged into ObjectElementTypes, or `unknown`.
 *
 * @example
 * const element: ObjectElement<"variant"> = new Variant(7, "int"); // Variant is of `onebuffer/core`
 * element.get("int"); // => 7
 */
export type ObjectElement<K extends string> = ObjectElementTypes extends Readonly<Record<K, infer E>> ? E : unknown;

type Bytes = Uint8Array<ArrayBufferLike>;

/** The typed arrays by the names of their classes. */
interface Arrays {
  readonly Int8Array: Int8Array<ArrayBufferLike>;
  readonly Uint8Array: Bytes;
  readonly Int16Array: Int16Array<ArrayBufferLike>;
  readonly Uint16Array: Uint16Array<ArrayBufferLike>;
  readonly Int32Array: Int32Array<ArrayBufferLike>;
  readonly Uint32Array: Uint32Array<ArrayBufferLike>;
  readonly BigInt64Array: BigInt64Array<ArrayBufferLike>;
  readonly BigUint64Array: BigUint64Array<ArrayBufferLike>;
  readonly Float32Array: Float32Array<ArrayBufferLike>;
  readonly Float64Array: Float64Array<ArrayBufferLike>;
}

/** The element type of a row. */
type ElementOfRow<D extends DTypeKey> = D extends "string"
  ? Bytes
  : DTypeCell<D, "class"> extends "object"
    ? ObjectElement<D>
    : DTypeCell<D, "class"> extends "complex"
      ? Complex
      : DTypeCell<D, "class"> extends "bool"
        ? boolean
        : DTypeCell<D, "array"> extends `Big${string}`
          ? bigint
          : number;

/** The array type of a row. */
type ArrayOfRow<D extends DTypeKey> = DTypeCell<D, "array"> extends keyof Arrays ? Arrays[DTypeCell<D, "array">] : ElementOfRow<D>[];

type TraitsOfRows = { [D in DTypeKey]: { element: ElementOfRow<D>; array: ArrayOfRow<D> } };

/**
 * Element and array type of every dtype.
 *
 * @example
 * const element: DTypeTraits["int64"]["element"] = 7n;
 * const array: DTypeTraits["int64"]["array"] = BigInt64Array.of(element);
 * array[0]; // => 7n
 */
export interface DTypeTraits extends TraitsOfRows {}

/**
 * The name of an element type: `"float32"`, `"int64"`, `"bfloat16"`, …
 *
 * @example
 * const dtype: DType = "bfloat16";
 * dataTypeOf(dtype); // => 14
 */
export type DType = keyof DTypeTraits;

/**
 * The dtypes whose elements are JavaScript values, not fixed-size bytes: string, resource and variant.
 *
 * @example
 * const dtype: ObjectDType = "string";
 * dtypeSize(dtype); // => 0
 */
export type ObjectDType = DTypesWhere<"class", "object">;

/**
 * The dtypes whose elements have a fixed size and are stored in raw memory.
 *
 * @example
 * const dtype: RawDType = "complex64";
 * dtypeSize(dtype); // => 8
 */
export type RawDType = Exclude<DType, ObjectDType>;

/**
 * The JavaScript type that one element of dtype `D` is read as: number, bigint, boolean, Complex, bytes.
 *
 * @example
 * const big: ElementOf<"uint64"> = 2n ** 64n - 1n;
 * const pair: ElementOf<"complex64"> = [1, -1];
 * [typeof big, pair.length]; // => ["bigint", 2]
 */
export type ElementOf<D extends DType> = DTypeTraits[D]["element"];

/**
 * The JavaScript types that one element of dtype `D` may be written from: the type it is read as, and for strings also text (stored as
 * UTF-8).
 *
 * @example
 * const text: ElementInput<"string"> = "as UTF-8";
 * const bytes: ElementInput<"string"> = Uint8Array.of(0x61);
 * [text.length, bytes.length]; // => [8, 1]
 */
export type ElementInput<D extends DType> = {
  // A table, in which TypeScript looks up the dtypes that a type parameter may be.
  [K in DType]: K extends "string" ? Uint8Array<ArrayBufferLike> | string : ElementOf<K>;
}[D];

/**
 * The array that holds raw elements of dtype `D`.
 *
 * @example
 * const patterns: TypedArrayOf<"float16"> = Uint16Array.of(0x3c00);
 * halfToFloat(patterns[0] as number); // => 1
 */
export type TypedArrayOf<D extends DType> = DTypeTraits[D]["array"];

/**
 * Any typed array that can hold tensor elements.
 *
 * @example
 * const arrays: TypedArray[] = [new Float32Array(3), new BigInt64Array(2)];
 * arrays.map((array) => array.length); // => [3, 2]
 */
export type TypedArray = TypedArrayOf<RawDType>;

/**
 * The float8 dtypes.
 *
 * @example
 * const dtype: Float8DType = "float8_e5m2";
 * dtypeSize(dtype); // => 1
 */
export type Float8DType = Extract<DType, `float8_${string}`>;

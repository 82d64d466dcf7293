/**
 * Pictures in memory: an ImageData of a browser, and what sharp, jpeg-js and pngjs give and take. Height, width and channels of bytes in rows:
 *
 *     ImageData, jpeg-js, pngjs   { data, width, height }               4 channels, jpeg-js also 3
 *     sharp (raw)                 { data, info: { width, height, channels } }
 */
import type { RawDType } from "@onebuffer/base";
import { dtypeSize, InvalidArgumentError, isDType, isObjectDType } from "@onebuffer/base";
import { checkInteger, checkObject, checkOptions, shownValue, typedArrayKind } from "@onebuffer/base/internal";
import type { StridedMap } from "@onebuffer/eigen";
import { bytesOfView, elementMemory } from "./array-memory.ts";
import type { ElementMemory } from "./array-memory.ts";
import { denseArray } from "./exported-array.ts";
import type { ExportSource } from "./exported-array.ts";
import { mapOfForeign, rowMajorStrides } from "./foreign-array.ts";
import type { ExportOptions } from "./strided-array.ts";
import { kExportKeys } from "./strided-array.ts";

const kWhat = "the image";

/**
 * A picture of another library or of a browser. The number of channels is given, or follows from the length of `data`.
 *
 * @example
 * const image: ImageLike = { data: new Uint8ClampedArray(24), width: 3, height: 2 }; // an ImageData has these, too
 * mapFromImage(image).dimensions; // => [2, 3, 4]
 */
export interface ImageLike {
  /** A typed array: an Uint8ClampedArray, an Uint8Array, a Buffer. */
  readonly data: unknown;
  readonly width?: number;
  readonly height?: number;
  readonly channels?: number;
  /** As sharp's `toBuffer({ resolveWithObject: true })` returns it. */
  readonly info?: { readonly width: number; readonly height: number; readonly channels: number };
}

/**
 * Options of `mapFromImage`. `dtype` is "uint8" unless given: "uint16" for 16-bit pixels of sharp, "float16" for an ImageData of that format.
 *
 * @example
 * const options: ImageOptions<"uint16"> = { dtype: "uint16" };
 * const info = { width: 2, height: 1, channels: 1 };
 * mapFromImage({ data: Uint8Array.of(1, 0, 0, 1), info }, options).toArray(); // => [[[1], [256]]]
 */
export interface ImageOptions<D extends RawDType = RawDType> {
  readonly dtype?: D;
}

/**
 * Returns a picture as a map [height, width, channels] over its memory. It can be written, too: what is assigned to the map is in the picture.
 * Never copies.
 *
 * Throws INVALID_ARGUMENT if the object is no picture or its data has another length, FAILED_PRECONDITION if elements of more than a byte are
 * not aligned.
 *
 * @example
 * const image = { data: new Uint8ClampedArray(16), width: 2, height: 2 }; // context.getImageData(0, 0, 2, 2)
 * mapFromImage(image).strided("0, 1").assign(constant("uint8", 255));
 * [...image.data]; // => [0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]
 * mapFromImage({ data: new Uint8Array(7), width: 2, height: 2 }); // throws INVALID_ARGUMENT
 */
export function mapFromImage<D extends RawDType = "uint8">(image: ImageLike, options: ImageOptions<D> = {}): StridedMap<D, 3> {
  checkObject(image, kWhat);
  checkOptions("mapFromImage", options, ["dtype"]);
  const { dtype, memory } = pixelMemory(image.data, options.dtype ?? "uint8");
  const sizes = sizesOfImage(image, memory.length / dtypeSize(dtype));
  const array = { what: kWhat, dtype, memory, byteOffset: 0, sizes, strides: rowMajorStrides(sizes) };
  return mapOfForeign(array) as unknown as StridedMap<D, 3>;
}

/** Returns the memory of pixels: of bytes for any dtype, because libraries give wider pixels as bytes. */
function pixelMemory(data: unknown, dtype: RawDType): ElementMemory {
  if (!isDType(dtype) || isObjectDType(dtype)) throw new InvalidArgumentError(`${kWhat}: ${shownValue(dtype)} is no dtype of numbers`);
  const kind = typedArrayKind(data);
  if (kind !== "Uint8Array" && kind !== "Uint8ClampedArray") return elementMemory(data, dtype, kWhat);
  return { dtype, memory: bytesOfView(data as ArrayBufferView<ArrayBufferLike>) };
}

/** Returns height, width and channels. Throws INVALID_ARGUMENT unless they are as many elements as there are. */
function sizesOfImage(image: ImageLike, elements: number): readonly [number, number, number] {
  const { info } = image;
  if (info !== undefined) checkObject(info, `${kWhat}'s info`);
  const { width, height, channels } = info ?? image;
  checkInteger(width, `${kWhat}'s width`);
  checkInteger(height, `${kWhat}'s height`);
  const [rows, columns] = [height as number, width as number];
  const count = channels ?? (rows * columns === 0 ? 4 : elements / (rows * columns));
  if (Number.isInteger(count) && count >= 1 && rows * columns * count === elements) return [rows, columns, count];
  const text = channels === undefined ? "" : ` and ${shownValue(channels)} channels`;
  throw new InvalidArgumentError(`${kWhat} of ${columns} x ${rows} pixels${text} has ${elements} elements`);
}

/**
 * A picture as other libraries take it: `new ImageData(data, width, height)`, `jpeg.encode(image)`, `sharp(data, { raw: info })`.
 *
 * @example
 * using pixels = Tensor.zeros([2, 3, 4], { dtype: "uint8" });
 * const image: ImageBytes = toImage(pixels);
 * [image.width, image.height, image.info.channels]; // => [3, 2, 4]
 */
export interface ImageBytes {
  readonly data: Uint8ClampedArray<ArrayBufferLike>;
  readonly width: number;
  readonly height: number;
  readonly info: { readonly width: number; readonly height: number; readonly channels: number };
}

/**
 * Returns a tensor or map of uint8, [height, width, channels] or [height, width], as a picture: over its memory if the elements are row-major
 * and dense, otherwise of one copy; `copy` makes one in any case, in an ArrayBuffer that is not shared, which ImageData requires. A view of
 * a tensor must not be used after the tensor was disposed.
 *
 * Throws INVALID_ARGUMENT for other dtypes and ranks, FAILED_PRECONDITION if the source is disposed.
 *
 * @example
 * using pixels = Tensor.from([[[1, 2, 3, 255]], [[4, 5, 6, 255]]], { dtype: "uint8" });
 * const { data, width, height } = toImage(pixels, { copy: true }); // new ImageData(data, width, height)
 * [[...data], width, height]; // => [[1, 2, 3, 255, 4, 5, 6, 255], 1, 2]
 * using floats = Tensor.zeros([2, 3, 4]);
 * toImage(floats); // throws INVALID_ARGUMENT
 */
export function toImage(source: ExportSource, options: ExportOptions = {}): ImageBytes {
  checkOptions("toImage", options, kExportKeys);
  const array = denseArray(source, "toImage", options.copy === true);
  const { sizes, dtype, data } = array;
  if (dtype !== "uint8" || (sizes.length !== 2 && sizes.length !== 3)) {
    throw new InvalidArgumentError(`toImage: a picture is uint8 [height, width, channels], got ${dtype} [${sizes}]`);
  }
  const [height, width, channels = 1] = sizes as [number, number, number?];
  const { buffer, byteOffset, byteLength } = data;
  const bytes = new Uint8ClampedArray(buffer, byteOffset, byteLength);
  return { data: bytes, width, height, info: { width, height, channels } };
}

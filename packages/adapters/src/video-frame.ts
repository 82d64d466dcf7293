/**
 * Frames of WebCodecs. A VideoFrame copies its pixels to memory in rows with a pitch, the distance of rows in bytes, which may be more than
 * their length:
 *
 *     RGBA        one plane        r g b a  r g b a  . .        pitch: 10
 *     NV12        y: a byte a pixel;  u v: two bytes for each square of four pixels
 */
import { InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import { checkArray, checkInteger, checkObject, checkOptions, shownValue, typedArrayKind } from "@onebuffer/base/internal";
import type { StridedMap } from "@onebuffer/eigen";
import { bytesOfView } from "./array-memory.ts";
import { denseArray } from "./exported-array.ts";
import type { ExportSource } from "./exported-array.ts";
import { mapOfForeign } from "./foreign-array.ts";

const kWhat = "the video frame";

/** The most bytes of a frame: of 16384 x 16384 pixels of 4 bytes. */
const kMaxBytes = 2 ** 30;

/** How a plane is sampled: the pixels that share an element down and across, and the channels. */
type PlaneForm = readonly [down: number, across: number, channels: number];

const kWhole: PlaneForm = [1, 1, 1];
const kPacked: readonly PlaneForm[] = [[1, 1, 4]];
const kQuarter: PlaneForm = [2, 2, 1];

/** The planes of WebCodecs' formats of 8 bits. */
const kFormats: Readonly<Record<string, readonly PlaneForm[]>> = {
  RGBA: kPacked,
  RGBX: kPacked,
  BGRA: kPacked,
  BGRX: kPacked,
  I420: [kWhole, kQuarter, kQuarter],
  I420A: [kWhole, kQuarter, kQuarter, kWhole],
  I422: [kWhole, [1, 2, 1], [1, 2, 1]],
  I444: [kWhole, kWhole, kWhole],
  NV12: [kWhole, [2, 2, 2]],
};

/**
 * The part of a VideoFrame of WebCodecs that the adapter needs.
 *
 * @example
 * const frame: VideoFrameLike = {
 *   format: "RGBA",
 *   visibleRect: { width: 2, height: 1 },
 *   allocationSize: () => 8,
 *   copyTo: (memory) => Promise.resolve(memory.fill(7) && [{ offset: 0, stride: 8 }]),
 * };
 * (await readVideoFrame(frame)).planes[0]!.toArray(); // => [[[7, 7, 7, 7], [7, 7, 7, 7]]]
 */
export interface VideoFrameLike {
  readonly format: string | null;
  /** The size of the picture; null for a closed frame. */
  readonly visibleRect: { readonly width: number; readonly height: number } | null;
  allocationSize(): number;
  copyTo(destination: Uint8Array<ArrayBuffer>): Promise<readonly { readonly offset: number; readonly stride: number }[]>;
}

/**
 * Options of `readVideoFrame`. `memory` is where the pixels are copied to, with at least `frame.allocationSize()` bytes: give the data of a
 * tensor of uint8, and kernels read the pixels where they are. Without it each call makes an ArrayBuffer.
 *
 * @example
 * using memory = Tensor.zeros([64], { dtype: "uint8" });
 * const options: VideoFrameOptions = { memory: memory.flat().data };
 * options.memory?.length; // => 64
 */
export interface VideoFrameOptions {
  readonly memory?: Uint8Array<ArrayBufferLike>;
}

/**
 * The pixels of a frame: for RGBA and its like one plane [height, width, 4], for NV12 [height, width, 1] and [height / 2, width / 2, 2].
 *
 * @example
 * const memory = Uint8Array.of(1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0, 0); // rows of 4 bytes, 6 bytes apart
 * const frame = { format: "RGBA", visibleRect: { width: 1, height: 2 }, allocationSize: () => 12, copyTo: async () => [{ offset: 0, stride: 6 }] };
 * const pixels: VideoPixels = await readVideoFrame(frame, { memory });
 * pixels.planes[0]!.toArray(); // => [[[1, 2, 3, 4]], [[5, 6, 7, 8]]]
 */
export interface VideoPixels {
  readonly format: string;
  readonly planes: readonly StridedMap<"uint8", 3>[];
}

/**
 * Copies the pixels of a VideoFrame into memory, once, by the frame's own `copyTo`, and resolves to a map over each plane with the row pitch
 * that the browser chose. The caller closes the frame.
 *
 * Rejects with INVALID_ARGUMENT for what is no open frame, memory that is too small, or a layout outside of it; with UNIMPLEMENTED for
 * formats of more than 8 bits. What `copyTo` rejects with goes through.
 *
 * @example
 * const frame = { format: "RGBX", visibleRect: { width: 1, height: 1 }, allocationSize: () => 4, copyTo: async () => [{ offset: 0, stride: 4 }] };
 * (await readVideoFrame(frame)).planes[0]!.dimensions; // => [1, 1, 4]
 * await readVideoFrame({ ...frame, format: "I420P10" }); // throws UNIMPLEMENTED
 */
export async function readVideoFrame(frame: VideoFrameLike, options: VideoFrameOptions = {}): Promise<VideoPixels> {
  checkObject(frame, kWhat);
  checkOptions("readVideoFrame", options, ["memory"]);
  const { format, visibleRect } = frame;
  if (typeof format !== "string" || typeof visibleRect !== "object" || visibleRect === null) {
    throw new InvalidArgumentError(`${kWhat}: a VideoFrame that is open has a format and a visibleRect, got ${shownValue(format)}`);
  }
  const forms = Object.hasOwn(kFormats, format) ? kFormats[format]! : null;
  if (forms === null)
    throw new UnimplementedError(`${kWhat} has the format ${format}; maps are made of ${Object.keys(kFormats).join(", ")}`);
  const { width, height } = visibleRect;
  checkInteger(width, `${kWhat}'s width`);
  checkInteger(height, `${kWhat}'s height`);
  const memory = destinationOf(frame, options.memory);
  const layout = await frame.copyTo(memory as Uint8Array<ArrayBuffer>);
  checkArray(layout, `${kWhat}'s layout`);
  if (layout.length !== forms.length) {
    throw new InvalidArgumentError(`${kWhat}: ${format} has ${forms.length} planes, its layout ${layout.length}`);
  }
  for (const plane of layout) checkObject(plane, `${kWhat}'s layout of a plane`);
  return { format, planes: forms.map((form, k) => planeOf(memory, layout[k]!, form, width, height)) };
}

/** Returns the memory that a frame is copied to. Throws INVALID_ARGUMENT if what was given is too small. */
function destinationOf(frame: VideoFrameLike, given: unknown): Uint8Array<ArrayBufferLike> {
  if (typeof frame.allocationSize !== "function" || typeof frame.copyTo !== "function") {
    throw new InvalidArgumentError(`${kWhat}: a VideoFrame has the methods allocationSize and copyTo`);
  }
  const size = frame.allocationSize();
  checkInteger(size, `${kWhat}'s allocationSize`, 0, kMaxBytes);
  if (given === undefined) return new Uint8Array(size);
  if (typedArrayKind(given) !== "Uint8Array") throw new InvalidArgumentError(`${kWhat}: memory is a Uint8Array, got ${shownValue(given)}`);
  const memory = bytesOfView(given as Uint8Array);
  if (memory.length < size) throw new InvalidArgumentError(`${kWhat} has ${size} bytes, the memory for it ${memory.length}`);
  return memory;
}

function planeOf(
  memory: Uint8Array<ArrayBufferLike>,
  { offset, stride }: { readonly offset: number; readonly stride: number },
  [down, across, channels]: PlaneForm,
  width: number,
  height: number,
): StridedMap<"uint8", 3> {
  checkInteger(offset, `${kWhat}'s offset`);
  checkInteger(stride, `${kWhat}'s stride`);
  const sizes = [Math.ceil(height / down), Math.ceil(width / across), channels];
  const array = { what: kWhat, dtype: "uint8", memory, byteOffset: offset, sizes, strides: [stride, channels, 1] } as const;
  return mapOfForeign(array) as unknown as StridedMap<"uint8", 3>;
}

/**
 * What a VideoFrame is made of: `new VideoFrame(data, { ...init, timestamp })`.
 *
 * @example
 * using pixels = Tensor.zeros([2, 3, 4], { dtype: "uint8" });
 * const { init }: VideoFrameParts = toVideoFrameParts(pixels);
 * [init.format, init.codedWidth, init.codedHeight, init.layout[0]!.stride]; // => ["RGBA", 3, 2, 12]
 */
export interface VideoFrameParts {
  readonly data: Uint8Array<ArrayBufferLike>;
  readonly init: {
    readonly format: "RGBA";
    readonly codedWidth: number;
    readonly codedHeight: number;
    readonly layout: readonly { readonly offset: number; readonly stride: number }[];
  };
}

/**
 * Returns what `new VideoFrame(data, { ...init, timestamp })` takes, of a tensor or map of uint8 [height, width, 4] in the order RGBA: a view
 * if the pixels are row-major and dense, as in a tensor and in rows of one, otherwise one copy. (Browsers want memory behind the last row, too,
 * if rows have a pitch, which a part of a picture does not have.) The VideoFrame copies the data.
 *
 * Throws INVALID_ARGUMENT for other dtypes and shapes, FAILED_PRECONDITION if the source is disposed.
 *
 * @example
 * using picture = Tensor.zeros([8, 8, 4], { dtype: "uint8" });
 * const { data, init } = toVideoFrameParts(picture.strided("2:4, 1:3"));
 * [data.length, init.codedWidth, init.layout[0]!.stride]; // => [16, 2, 8]
 * using gray = Tensor.zeros([8, 8], { dtype: "uint8" });
 * toVideoFrameParts(gray); // throws INVALID_ARGUMENT
 */
export function toVideoFrameParts(source: ExportSource): VideoFrameParts {
  const { dtype, sizes, data } = denseArray(source, "toVideoFrameParts", false);
  if (dtype !== "uint8" || sizes.length !== 3 || sizes[2] !== 4) {
    throw new InvalidArgumentError(`toVideoFrameParts: a frame is made of uint8 [height, width, 4], got ${dtype} [${sizes}]`);
  }
  const [codedHeight, codedWidth] = sizes as [number, number, number];
  const { buffer, byteOffset, byteLength } = data;
  return {
    data: new Uint8Array(buffer, byteOffset, byteLength),
    init: { format: "RGBA", codedWidth, codedHeight, layout: [{ offset: 0, stride: codedWidth * 4 }] },
  };
}

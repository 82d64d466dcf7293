/**
 * ImageSource: the pictures of a page that a GPU can copy, and the canvases that it draws to (in tfjs: `browser.fromPixels`, `browser.draw`).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkObject, shownValue } from "@onebuffer/base/internal";

/**
 * A picture of a page: ImageBitmap, ImageData, HTMLImageElement, HTMLVideoElement, VideoFrame, HTMLCanvasElement or OffscreenCanvas.
 *
 * @example
 * const copied = (gpu: WebGpuDevice, picture: ImageSource) => gpu.fromImage(picture);
 */
export type ImageSource =
  | { readonly width: number; readonly height: number }
  | { readonly displayWidth: number; readonly displayHeight: number };

/**
 * A canvas: HTMLCanvasElement or OffscreenCanvas.
 *
 * @example
 * const shown = (gpu: WebGpuDevice, x: GpuMap<"float32", 3>, canvas: GpuCanvas) => gpu.draw(x, canvas);
 */
export interface GpuCanvas {
  width: number;
  height: number;
  getContext(kind: "webgpu"): object | null;
}

/** The names under which pictures have their sizes; an element of a video has two of them, the first is that of its frames. */
const kSizeNames = [
  ["videoWidth", "videoHeight"],
  ["displayWidth", "displayHeight"],
  ["naturalWidth", "naturalHeight"],
  ["width", "height"],
] as const;

/** Returns the sizes of a picture in pixels. Throws INVALID_ARGUMENT for what is none, and for a picture that is not loaded. */
export function sizesOfImage(image: ImageSource): readonly [height: number, width: number] {
  checkObject(image, "a picture such as an ImageBitmap");
  const given = image as Readonly<Record<string, unknown>>;
  for (const [across, down] of kSizeNames) {
    const [width, height] = [given[across], given[down]];
    if (typeof width !== "number" || typeof height !== "number") continue;
    if (Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0) return [height, width];
    throw new InvalidArgumentError(`fromImage: a picture of ${shownValue(width)} by ${shownValue(height)} pixels has none, is it loaded?`);
  }
  throw new InvalidArgumentError(`fromImage: ${shownValue(image)} is no picture such as an ImageBitmap, a canvas or a VideoFrame`);
}

/** Elements as pixels: of [height, width] grey ones, of [height, width, 3 or 4] colors. */
export interface Pixels {
  readonly height: number;
  readonly width: number;
  readonly channels: 1 | 3 | 4;
}

/** Returns the pixels of an expression. Throws INVALID_ARGUMENT for dtypes and sizes that are no picture. */
export function pixelsOf({ dtype, dimensions }: { readonly dtype: string; readonly dimensions: readonly number[] }): Pixels {
  const [height = 0, width = 0, channels = 1] = dimensions;
  const isPicture = dimensions.length === 2 || dimensions.length === 3;
  if (!isPicture || height === 0 || width === 0 || (channels !== 1 && channels !== 3 && channels !== 4))
    throw new InvalidArgumentError(`draw: [${dimensions.join(", ")}] is no picture of [height, width] or [height, width, 1, 3 or 4]`);
  if (dtype !== "float32" && dtype !== "uint8")
    throw new InvalidArgumentError(`draw: pixels are float32 from 0 to 1, or uint8 from 0 to 255, not ${dtype}`);
  return { height, width, channels };
}

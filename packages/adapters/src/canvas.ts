/**
 * Canvases of browsers, and through them pictures that have no memory of their own: an ImageBitmap, an image or video of the page. Browsers
 * copy the pixels out of a canvas and into it; there is no way around that copy.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkFunction, checkInteger, checkObject, checkOptions, shownValue } from "@onebuffer/base/internal";
import type { StridedMap } from "@onebuffer/eigen";
import type { ExportSource } from "./exported-array.ts";
import { mapFromImage, toImage } from "./image.ts";
import type { ImageLike } from "./image.ts";

const kWhat = "the canvas";

/**
 * An HTMLCanvasElement or an OffscreenCanvas.
 *
 * @example
 * const pixels = { data: new Uint8ClampedArray(8), width: 2, height: 1 };
 * const canvas: CanvasLike = { width: 2, height: 1, getContext: () => ({ getImageData: () => pixels }) };
 * mapFromCanvas(canvas).dimensions; // => [1, 2, 4]
 */
export interface CanvasLike {
  width: number;
  height: number;
  getContext(kind: "2d", options?: { readonly willReadFrequently?: boolean }): unknown;
}

/** The part of a context of a canvas that is used here. */
interface Context {
  drawImage(image: object, x: number, y: number): void;
  getImageData(x: number, y: number, width: number, height: number): ImageLike;
  createImageData(width: number, height: number): ImageLike & { readonly data: Uint8ClampedArray };
  putImageData(image: object, x: number, y: number): void;
}

/**
 * Options of `mapFromCanvas`. `draw` is an ImageBitmap or another picture with a width and a height: the canvas gets its size, and the
 * picture is drawn before the pixels are read.
 *
 * @example
 * const options: CanvasOptions = { draw: { width: 2, height: 1 } }; // an ImageBitmap
 * options.draw?.width; // => 2
 */
export interface CanvasOptions {
  readonly draw?: { readonly width: number; readonly height: number };
}

/**
 * Returns the pixels of a canvas as a map [height, width, 4] of uint8 in the order RGBA. The browser copies them out of the canvas once; the
 * map is over that copy, and what is written to it is not in the canvas.
 *
 * Throws INVALID_ARGUMENT for what is no canvas with a context "2d". What the browser throws goes through, such as for pictures of other
 * origins.
 *
 * @example
 * const pixels = { data: Uint8ClampedArray.of(1, 2, 3, 255), width: 1, height: 1 };
 * const canvas = { width: 1, height: 1, getContext: () => ({ getImageData: () => pixels }) };
 * mapFromCanvas(canvas).toArray(); // => [[[1, 2, 3, 255]]]
 * mapFromCanvas({ width: 1, height: 1, getContext: () => null }); // throws INVALID_ARGUMENT
 */
export function mapFromCanvas(canvas: CanvasLike, options: CanvasOptions = {}): StridedMap<"uint8", 3> {
  const context = contextOf(canvas, ["getImageData"]);
  checkOptions("mapFromCanvas", options, ["draw"]);
  const { draw } = options;
  if (draw !== undefined) {
    checkObject(draw, "the picture to draw");
    checkInteger(draw.width, "the width of the picture to draw", 1);
    checkInteger(draw.height, "the height of the picture to draw", 1);
    checkFunction(context.drawImage, `the method drawImage of ${kWhat}'s context`);
    canvas.width = draw.width;
    canvas.height = draw.height;
    context.drawImage(draw, 0, 0);
  }
  return mapFromImage(context.getImageData(0, 0, canvas.width, canvas.height));
}

/**
 * Draws a tensor or map of uint8 [height, width, 4] into a canvas, at its upper left corner. The bytes are copied into an ImageData, which the
 * browser copies into the canvas.
 *
 * Throws as `mapFromCanvas`, and as `toImage` for other elements.
 *
 * @example
 * const image = { data: new Uint8ClampedArray(4), width: 1, height: 1 };
 * const context = { createImageData: () => image, putImageData: () => undefined };
 * using pixels = Tensor.from([[[1, 2, 3, 255]]], { dtype: "uint8" });
 * drawToCanvas({ width: 1, height: 1, getContext: () => context }, pixels);
 * [...image.data]; // => [1, 2, 3, 255]
 */
export function drawToCanvas(canvas: CanvasLike, source: ExportSource): void {
  const context = contextOf(canvas, ["createImageData", "putImageData"]);
  const { data, width, height, info } = toImage(source);
  if (info.channels !== 4)
    throw new InvalidArgumentError(`drawToCanvas: pixels have 4 channels, got [${height}, ${width}, ${info.channels}]`);
  const image = context.createImageData(width, height);
  image.data.set(data);
  context.putImageData(image, 0, 0);
}

/** Returns the context of a canvas. Throws INVALID_ARGUMENT for another object, and for a context without one of `methods`. */
function contextOf(canvas: CanvasLike, methods: readonly (keyof Context)[]): Context {
  checkObject(canvas, kWhat);
  if (typeof canvas.getContext !== "function")
    throw new InvalidArgumentError(`${kWhat} has a method getContext, got ${shownValue(canvas)}`);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (typeof context !== "object" || context === null) {
    throw new InvalidArgumentError(`${kWhat} has no context "2d": ${shownValue(context)}`);
  }
  for (const method of methods) checkFunction((context as Partial<Context>)[method], `the method ${method} of ${kWhat}'s context`);
  return context as Context;
}

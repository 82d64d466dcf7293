// A camera's picture, filtered on the GPU frame by frame and drawn to a canvas. No pixel is copied to the memory of the page.
import type { Expression } from "onebuffer";
import type { GpuCanvas, ImageSource, WebGpuDevice } from "onebuffer/webgpu";

/** Levels of red, green and blue from 0 to 1: [height, width, 3]; or grey ones: [height, width]. */
export type Levels = Expression<"float32", 3> | Expression<"float32", 2>;

/** Each filter is an expression over the levels of a frame. It is compiled once, for frames of all sizes. */
export const filters: Readonly<Record<string, (levels: Expression<"float32", 3>) => Levels>> = {
  edges(levels) {
    const [height = 0, width = 0] = levels.dimensions;
    const here = levels.slice([0, height - 1], [0, width - 1]);
    const right = levels.slice([0, height - 1], [1, width]);
    const below = levels.slice([1, height], [0, width - 1]);
    return right.sub(here).abs().add(below.sub(here).abs()).mul(3);
  },
  // The mean of 9 pixels in a row, then of 9 such means in a column.
  soft(levels) {
    const [height = 0, width = 0] = levels.dimensions;
    const across = meanOf(9, (first) => levels.slice(null, [first, width - 8 + first]));
    return meanOf(9, (first) => across.slice([first, height - 8 + first]));
  },
  // The darkest level of the frame becomes 0, the brightest 1.
  contrast(levels) {
    const [darkest, brightest] = [levels.min(), levels.max()];
    return levels.sub(darkest).div(brightest.sub(darkest).maximum(1 / 255));
  },
  grey: (levels) => levels.mean([2]),
  mirror: (levels) => levels.reverse([1]),
  poster: (levels) =>
    levels
      .mul(4)
      .floor()
      .mul(1 / 3),
};

/** The mean of several views. */
function meanOf(count: number, view: (first: number) => Expression<"float32", 3>): Expression<"float32", 3> {
  let sum = view(0);
  for (let first = 1; first < count; first++) sum = sum.add(view(first));
  return sum.mul(1 / count);
}

/** Filters one frame and draws it. */
export async function drawFrame(
  gpu: WebGpuDevice,
  frame: ImageSource,
  canvas: GpuCanvas,
  filter: (levels: Expression<"float32", 3>) => Levels,
): Promise<void> {
  using pixels = await gpu.fromImage(frame); // uint8 [height, width, 4], on the GPU
  const levels = pixels
    .slice(null, null, [0, 3]) // without alpha
    .cast("float32")
    .mul(1 / 255);
  await gpu.draw(filter(levels), canvas);
}

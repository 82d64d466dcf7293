// Pictures of a page, filtered on the GPU and drawn to a canvas without a copy to this process. In browsers only.
import { tensorMap } from "@onebuffer/eigen";
import { WebGpuDevice } from "@onebuffer/webgpu";
import { equal, rejectsStatus } from "../browser/verdict.mjs";
import { newMap } from "./compared.mjs";
import { canvasOf, pixelsOf, samePixels, shownOf } from "./pixels.mjs";

/** The sizes of the pictures: rows that fill no workgroup, and of an odd number of pixels. */
const [kHeight, kWidth] = [37, 101];

/** Returns opaque pixels of all levels. */
function picture(seed = 1) {
  let state = seed;
  const data = Uint8ClampedArray.from({ length: kHeight * kWidth * 4 }, (_, k) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return k % 4 === 3 ? 255 : state >>> 24;
  });
  return new ImageData(data, kWidth, kHeight);
}

/** The mean of each pixel with its neighbors in its row, as levels from 0 to 1. */
function softened(x) {
  const colors = x
    .slice(null, null, [0, 3])
    .cast("float32")
    .mul(1 / 255);
  const at = (first) => colors.slice(null, [first, kWidth - 2 + first], null);
  return at(0)
    .add(at(1))
    .add(at(2))
    .mul(1 / 3);
}

const kSources = {
  "an ImageBitmap": (pixels) => createImageBitmap(pixels),
  "a canvas": async (pixels) => canvasOf(pixels),
  "a VideoFrame": async (pixels) => new VideoFrame(canvasOf(pixels), { timestamp: 0 }),
};

/** Runs the checks with one device. */
export async function imageChecks(gpu, report) {
  if (typeof document === "undefined") {
    report.skip("no pictures and canvases outside of browsers", "images");
    return;
  }
  const device = await WebGpuDevice.create({ gpu });
  for (const [name, make] of Object.entries(kSources))
    await report.check(`${name} comes with its pixels`, async () => {
      const pixels = picture();
      const image = await make(pixels);
      const copied = device.fromImage(image);
      image.close?.();
      const x = await copied;
      equal([...x.dimensions, x.dtype], [kHeight, kWidth, 4, "uint8"]);
      const back = await x.fetch();
      samePixels(back.asOperand().data, pixels.data);
      back.dispose();
      x.dispose();
    });
  await report.check("30 frames are filtered and drawn: the pixels of the CPU, no copies, no new buffers", async () => {
    const canvas = new OffscreenCanvas(1, 1);
    let before;
    for (let k = 1; k <= 30; k++) {
      const pixels = picture(k);
      const frame = await createImageBitmap(pixels);
      const x = await device.fromImage(frame);
      frame.close();
      await device.draw(softened(x), canvas);
      x.dispose();
      if (k % 10 !== 1) continue;
      const here = softened(tensorMap("uint8", new Uint8Array(pixels.data), [kHeight, kWidth, 4]));
      const levels = newMap(here);
      levels.assign(here);
      samePixels(shownOf(canvas), pixelsOf(levels.data));
      if (k === 11) before = device.usage;
    }
    const after = device.usage;
    equal(after.buffersMade, before.buffersMade);
    // Of each frame: the copy of the picture, the expression, the drawing.
    equal(after.submits - before.submits, 19 * 3);
  });
  await report.check("grey levels and bytes are drawn; levels beyond 0 and 1 are black and white, NaN is black", async () => {
    const canvas = new OffscreenCanvas(1, 1);
    await device.draw(tensorMap("float32", Float32Array.of(-1, 0.5, 2, Number.NaN), [1, 4]), canvas);
    equal(
      [...shownOf(canvas)],
      [0, 128, 255, 0].flatMap((grey) => [grey, grey, grey, 255]),
    );
    await device.draw(tensorMap("uint8", Uint8Array.of(1, 2, 3, 4, 5, 6), [2, 1, 3]), canvas);
    equal([...shownOf(canvas)], [1, 2, 3, 255, 4, 5, 6, 255]);
  });
  await report.check("what is no picture and no canvas is refused", async () => {
    await rejectsStatus(() => device.fromImage({ width: 2, height: 2 }), "INVALID_ARGUMENT");
    await rejectsStatus(() => device.fromImage(new Image()), "INVALID_ARGUMENT");
    const grey = tensorMap("float32", new Float32Array(4), [2, 2]);
    await rejectsStatus(() => device.draw(grey, canvasOf(picture())), "INVALID_ARGUMENT");
    await rejectsStatus(() => device.draw(grey.sum(), new OffscreenCanvas(1, 1)), "INVALID_ARGUMENT");
  });
  await device.dispose();
}

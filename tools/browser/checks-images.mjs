// Checks of the pictures of browsers: ImageData, canvases, ImageBitmaps, and VideoFrames with the layouts that the browser chooses.
import { Tensor } from "onebuffer";
import { drawToCanvas, mapFromCanvas, mapFromImage, readVideoFrame, toImage, toVideoFrameParts } from "onebuffer/io";
import { equal } from "./verdict.mjs";

const [kWidth, kHeight] = [6, 4];

/** Runs a check with an opaque picture of uint8 [4, 6, 4]. */
async function withPicture(check) {
  const bytes = Uint8Array.from({ length: kWidth * kHeight * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7) % 256));
  const picture = new Tensor("uint8", [kHeight, kWidth, 4]);
  picture.flat().copyFrom(bytes);
  try {
    await check(picture, picture.toArray());
  } finally {
    picture.dispose();
  }
}

/** Returns the pixels of a frame, copied to memory of its own or to that of a tensor, and closes the frame. */
async function pixelsOf(frame, isKept) {
  const memory = new Tensor("uint8", [frame.allocationSize()]);
  const { planes } = await readVideoFrame(frame, isKept ? { memory: memory.flat().data } : {});
  const pixels = planes.map((plane) => plane.toArray());
  memory.dispose();
  frame.close();
  return pixels;
}

export const kImageChecks = {
  "an ImageData takes a picture and gives it back": () =>
    withPicture((picture, pixels) => {
      const { data, width, height } = toImage(picture, { copy: true });
      const map = mapFromImage(new ImageData(data, width, height));
      equal(map.toArray(), pixels);
    }),
  "a canvas and an ImageBitmap take a picture and give it back": () =>
    withPicture(async (picture, pixels) => {
      const canvas = new OffscreenCanvas(kWidth, kHeight);
      drawToCanvas(canvas, picture);
      equal(mapFromCanvas(canvas).toArray(), pixels);
      const bitmap = await createImageBitmap(canvas);
      equal(mapFromCanvas(new OffscreenCanvas(1, 1), { draw: bitmap }).toArray(), pixels);
    }),
  "a VideoFrame is made of a picture and of a part of one, and read into any memory": () =>
    withPicture(async (picture, pixels) => {
      if (typeof VideoFrame !== "function") return;
      const part = picture.strided("1:3, 1:5");
      for (const [source, wanted] of [
        [picture, pixels],
        [part, part.toArray()],
      ]) {
        const { data, init } = toVideoFrameParts(source);
        for (const isKept of [false, true]) equal(await pixelsOf(new VideoFrame(data, { ...init, timestamp: 0 }), isKept), [wanted]);
      }
    }),
  async "the planes of a VideoFrame have the browser's layout"() {
    if (typeof VideoFrame !== "function") return;
    const bytes = new Uint8Array((30 * 20 * 3) / 2).fill(9);
    const pixels = await pixelsOf(new VideoFrame(bytes, { format: "I420", codedWidth: 30, codedHeight: 20, timestamp: 0 }), true);
    equal(
      pixels.map((plane) => [plane.length, plane[0].length, new Set(plane.flat(2)).size, plane[0][0][0]]),
      [
        [20, 30, 1, 9],
        [10, 15, 1, 9],
        [10, 15, 1, 9],
      ],
    );
  },
};

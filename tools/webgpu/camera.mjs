// The program examples/camera-filter: its filters against the kernels here, and its page with the camera of a test and with its drawing.
import { tensorMap } from "@onebuffer/eigen";
import { WebGpuDevice } from "@onebuffer/webgpu";
import { equal } from "../browser/verdict.mjs";
import { newMap } from "./compared.mjs";
import { canvasOf, pixelsOf, samePixels, shownOf } from "./pixels.mjs";
import { randomMaps } from "./random-maps.mjs";

const kFolder = "/examples/camera-filter";
/** The frames that are waited for, and how long. */
const kFrames = 12;
const kWaitMs = 60_000;
const [kHeight, kWidth] = [36, 50];

/** Returns opaque pixels of all levels. */
function frameOf() {
  const levels = randomMaps(5).integers([kHeight, kWidth, 4], 256).data;
  return new ImageData(
    Uint8ClampedArray.from(levels, (level, k) => (k % 4 === 3 ? 255 : level)),
    kWidth,
    kHeight,
  );
}

/** Returns the levels of a filter as the kernels of this process compute them, [height, width, 3]. */
function levelsOf(filter, pixels) {
  const bytes = tensorMap("uint8", new Uint8Array(pixels.data), [kHeight, kWidth, 4]);
  const tree = filter(
    bytes
      .slice(null, null, [0, 3])
      .cast("float32")
      .mul(1 / 255),
  );
  const levels = newMap(tree);
  levels.assign(tree);
  return tree.dimensions.length === 3 ? levels.data : [...levels.data].flatMap((level) => [level, level, level]);
}

/**
 * Resolves with the pixels that a canvas shows with the second frame and with the last one. The page tells each frame as it draws it: later, when
 * the browser has shown it, the pixels of the canvas are gone.
 */
function firstAndLast({ frames, says, canvas }) {
  return new Promise((resolve, reject) => {
    let first = null;
    const observer = new MutationObserver(() => {
      const count = Number(/^\d+/.exec(frames.value)?.[0] ?? 0);
      if (says.textContent !== "") settle(reject, new Error(says.textContent));
      else if (count === 2) first = shownOf(canvas);
      else if (count >= kFrames && first !== null) settle(resolve, [first, shownOf(canvas)]);
    });
    const timer = setTimeout(() => settle(reject, new Error(`within ${kWaitMs} ms: ${frames.value}`)), kWaitMs);
    const settle = (end, value) => {
      clearTimeout(timer);
      observer.disconnect();
      end(value);
    };
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}

/** Runs the checks with one device; the page of the program makes one of its own. */
export async function cameraChecks(gpu, report) {
  if (typeof document === "undefined") {
    report.skip("no pictures and canvases outside of browsers", "camera");
    return;
  }
  const { drawFrame, filters } = await import(`${kFolder}/camera-filter.js`);
  const device = await WebGpuDevice.create({ gpu });
  for (const [name, filter] of Object.entries(filters))
    await report.check(`the filter ${name} draws the pixels of the CPU, and reads nothing back`, async () => {
      const pixels = frameOf();
      const frame = new VideoFrame(canvasOf(pixels), { timestamp: 0 });
      const canvas = new OffscreenCanvas(1, 1);
      const { readBacks } = device.usage;
      await drawFrame(device, frame, canvas, filter);
      frame.close();
      // Sums and quotients may have other last bits than here, which are on the other side of a half now and then.
      samePixels(shownOf(canvas), pixelsOf(levelsOf(filter, pixels)), 1);
      equal(device.usage.readBacks, readBacks);
    });
  await device.dispose();
  await pageChecks(report);
}

/** Uses the page of the program, put into this one. */
async function pageChecks(report) {
  const text = await (await fetch(`${kFolder}/index.html`)).text();
  document.body.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.children);
  // The one way back from a GPU, counted beside the program's own count.
  let maps = 0;
  const { mapAsync } = GPUBuffer.prototype;
  GPUBuffer.prototype.mapAsync = function (...args) {
    maps++;
    return mapAsync.apply(this, args);
  };
  await import(`${kFolder}/page.mjs`);
  const [frames, says, canvas] = ["frames", "says", "filtered"].map((id) => document.getElementById(id));
  // Firefox without a display ends when it shows any canvas of WebGPU.
  canvas.hidden = /Firefox/.test(navigator.userAgent);
  let earlier = null;
  for (const source of ["drawing", "camera"])
    await report.check(`${kFrames} frames of the page's ${source} are drawn without a copy back`, async () => {
      // The device, which the page makes at first, tries its arithmetic, and reads the result.
      maps = earlier === null ? -1 : 0;
      document.getElementById(source).click();
      const [first, last] = await firstAndLast({ frames, says, canvas });
      equal(maps, 0);
      equal(/^\d+ frames, 0 copies back from the GPU$/.test(frames.value), true);
      for (const other of [first, earlier ?? []]) equal(countOther(other, last) > 100, true);
      earlier = last;
      return frames.value;
    });
  GPUBuffer.prototype.mapAsync = mapAsync;
}

/** Returns how many bytes of two pictures differ. */
const countOther = (a, b) => (a.length !== b.length ? Math.max(a.length, b.length) : a.filter((level, k) => level !== b[k]).length);

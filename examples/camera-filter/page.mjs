// The page of the program: filters the frames of a camera, or of a picture that moves by itself.
import { drawFrame, filters } from "./camera-filter.js";

const element = (id) => document.getElementById(id);
const [canvas, choice, frames, says] = ["filtered", "filter", "frames", "says"].map(element);
const kSize = { width: 640, height: 480 };

/** The number of the source that is shown: a loop over the frames of an earlier one ends. */
let shown = 0;
let stream = null;
let device = null;

/** Filters each frame that `next` returns. */
async function follow(next) {
  const own = ++shown;
  // The library is loaded when it is needed first.
  device ??= await (await import("onebuffer/webgpu")).WebGpuDevice.create();
  const before = device.usage.readBacks;
  for (let count = 1; ; count++) {
    const frame = await next();
    if (own !== shown) return;
    await drawFrame(device, frame, canvas, filters[choice.value]);
    frames.value = `${count} frames, ${device.usage.readBacks - before} copies back from the GPU`;
  }
}

/** Returns the function that resolves with a camera's next frame. */
async function camera() {
  stream = await navigator.mediaDevices.getUserMedia({ video: kSize });
  const video = Object.assign(document.createElement("video"), { srcObject: stream, muted: true, playsInline: true });
  await video.play();
  return () => new Promise((resolve) => video.requestVideoFrameCallback(() => resolve(video)));
}

/** Returns the function that resolves with the next state of a drawing. */
function drawing() {
  const picture = Object.assign(document.createElement("canvas"), kSize);
  const context = picture.getContext("2d");
  const paint = (time) => {
    for (let k = 0; k < 12; k++) {
      context.fillStyle = `hsl(${k * 30 + time / 40} 70% ${30 + 3 * k}%)`;
      context.fillRect((k * 53 + time / 20) % 640, 40 * k, 90, 60 + 25 * Math.sin(time / 500 + k));
    }
    return picture;
  };
  return () => new Promise((resolve) => requestAnimationFrame((time) => resolve(paint(time))));
}

/** Shows a source in place of the one before. */
async function show(source) {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  says.textContent = "";
  try {
    await follow(await source());
  } catch (error) {
    shown++;
    says.textContent = `${error.code ?? error.name}: ${error.message}`;
  }
}

choice.replaceChildren(...Object.keys(filters).map((name) => new Option(name)));
element("camera").addEventListener("click", () => show(camera));
element("drawing").addEventListener("click", () => show(drawing));

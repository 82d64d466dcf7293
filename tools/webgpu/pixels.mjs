// Pixels of canvases: put there, read, and made of levels as `draw` makes them.

/** Returns a canvas with pixels. */
export function canvasOf(pixels) {
  const canvas = new OffscreenCanvas(pixels.width, pixels.height);
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  return canvas;
}

/** Returns the pixels that a canvas shows. */
export function shownOf(canvas) {
  const shown = new OffscreenCanvas(canvas.width, canvas.height);
  const context = shown.getContext("2d");
  context.drawImage(canvas, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height).data;
}

/** Returns the pixels of levels of three colors: opaque, rounded. */
export function pixelsOf(levels) {
  const out = [];
  levels.forEach((level, k) => {
    out.push(Math.floor(Math.fround(Math.fround(Math.min(Math.max(level, 0), 1) * 255) + 0.5)));
    if (k % 3 === 2) out.push(255);
  });
  return out;
}

/** Throws unless all bytes of pixels are at most `within` apart. */
export function samePixels(got, want, within = 0) {
  if (got.length !== want.length) throw new Error(`${got.length} bytes of pixels, not ${want.length}`);
  const other = want.findIndex((level, k) => Math.abs(level - got[k]) > within);
  if (other >= 0) throw new Error(`element ${other} is ${got[other]}, not ${want[other]}`);
}

// From a camera's picture to what a neural network takes: half the size, the middle of it, normalized, channels first.
import { evaluate, liveBuffers, Tensor, tensorOf } from "onebuffer";

const kHeight = 480;
const kWidth = 640;
const kCrop = 224;
// What networks trained on ImageNet expect of the channels red, green and blue.
const kMean = [0.485, 0.456, 0.406];
const kDeviation = [0.229, 0.224, 0.225];

/** A picture to work on, as a canvas or a decoder would give it: bytes, row by row, red, green and blue side by side. */
function testPicture(): Uint8Array {
  const bytes = new Uint8Array(kHeight * kWidth * 3);
  for (let y = 0, at = 0; y < kHeight; y++) {
    for (let x = 0; x < kWidth; x++) {
      bytes[at++] = (x * 3 + y) % 256;
      bytes[at++] = (x ^ y) % 256;
      bytes[at++] = ((x * y) >> 6) % 256;
    }
  }
  return bytes;
}

export function run() {
  const bytes = testPicture();
  using mean = Tensor.from(kMean);
  using deviation = Tensor.from(kDeviation);

  const started = performance.now();
  // A tensor over the picture's own bytes.
  using picture = Tensor.wrap(bytes, [kHeight, kWidth, 3]);

  // Half the size: the mean of four pixels, each of which is a view with steps of 2.
  const corners = ["::2, ::2", "::2, 1::2", "1::2, ::2", "1::2, 1::2"].map((each) => picture.strided(each).cast("float32"));
  using half = tensorOf(corners.reduce((sum, corner) => sum.add(corner)).div(4));

  // The middle: a view.
  const [top, left] = [(kHeight / 2 - kCrop) / 2, (kWidth / 2 - kCrop) / 2];
  const middle = half.strided(`${top}:${top + kCrop}, ${left}:${left + kCrop}`);

  // Normalized per channel, then channels first, and an axis for the batch: one pass over memory.
  const normalized = middle.div(255).sub(mean.vec()).div(deviation.vec());
  using input = tensorOf(normalized.shuffle([2, 0, 1]).expandDims(0));
  const ms = performance.now() - started;

  const x = input.tensor(4);
  return {
    shape: input.shape.dimSizes,
    means: evaluate(x.mean([0, 2, 3])).toArray(),
    deviations: evaluate(x.variance([0, 2, 3]).sqrt()).toArray(),
    samples: input.strided("0, :, ::37, ::41").toArray(),
    ms,
  };
}

export const result = run();

console.log(`${kHeight} by ${kWidth} pixels of 3 bytes -> float32 [${result.shape}], ${result.ms.toFixed(1)} ms`);
for (const [channel, name] of ["red", "green", "blue"].entries()) {
  console.log(`${name.padEnd(5)}  mean ${result.means[channel]?.toFixed(4)}  deviation ${result.deviations[channel]?.toFixed(4)}`);
}
console.log(`${liveBuffers()} buffers left`);

/** Statistics, a histogram and a picture of a tensor's elements. */
import { Tensor } from "onebuffer";
import type { TensorMap } from "onebuffer";
import type { NumberFacts } from "./messages.ts";

const kBins = 48;
/** The most pixels in each direction. */
const kPixels = 256;
/** The elements between two looks at whether the work was cancelled. */
const kStride = 2 ** 20;

/** Returns the facts of numbers, null for other elements. `pause` is awaited now and then; it throws to end the work. */
export async function numberFacts(tensor: Tensor, pause: () => Promise<void>): Promise<NumberFacts | null> {
  let numbers: Tensor<"float64">;
  try {
    const operand = tensor.asOperand() as unknown as TensorMap<"float32", number>;
    const isComplex = tensor.dtype === "complex64" || tensor.dtype === "complex128";
    numbers = Tensor.evaluate((isComplex ? operand.abs() : operand).cast("float64"));
  } catch {
    return null; // strings, variants, resources
  }
  try {
    return await factsOf(numbers, pause);
  } finally {
    numbers.dispose();
  }
}

async function factsOf(numbers: Tensor<"float64">, pause: () => Promise<void>): Promise<NumberFacts> {
  const { buffer, byteOffset } = numbers.tensorData;
  const list = new Float64Array(buffer, byteOffset, numbers.numElements);
  let [min, max, sum, finite, zeros, nans, infinities] = [Infinity, -Infinity, 0, 0, 0, 0, 0];
  for (let i = 0; i < list.length; i++) {
    if (i % kStride === kStride - 1) await pause();
    const value = list[i]!;
    if (Number.isFinite(value)) {
      finite++;
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
      if (value === 0) zeros++;
    } else if (Number.isNaN(value)) nans++;
    else infinities++;
  }
  const mean = sum / finite;
  const histogram = new Array<number>(kBins).fill(0);
  let squares = 0;
  const scale = max > min ? kBins / (max - min) : 0;
  for (let i = 0; i < list.length; i++) {
    if (i % kStride === kStride - 1) await pause();
    const value = list[i]!;
    if (!Number.isFinite(value)) continue;
    squares += (value - mean) ** 2;
    const bin = Math.min(kBins - 1, Math.floor((value - min) * scale));
    histogram[bin] = (histogram[bin] ?? 0) + 1;
  }
  const std = Math.sqrt(squares / finite);
  return {
    count: list.length,
    min,
    max,
    mean,
    std,
    zeros,
    nans,
    infinities,
    histogram,
    image: picture(list, numbers.shape.dimSizes, min, max),
  };
}

/** Returns the first matrix of the innermost two dimensions in colors: blue below zero, orange above; from light to dark by size. */
function picture(list: Float64Array, sizes: readonly number[], min: number, max: number): NumberFacts["image"] {
  if (sizes.length < 2 || list.length === 0) return null;
  const [rows, columns] = [sizes.at(-2)!, sizes.at(-1)!];
  const [height, width] = [Math.min(rows, kPixels), Math.min(columns, kPixels)];
  const pixels = new Uint8ClampedArray(4 * width * height);
  const most = Math.max(Math.abs(min), Math.abs(max)) || 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = list[Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width)]!;
      pixels.set(color(value, min, max, most), 4 * (y * width + x));
    }
  }
  return { width, height, pixels };
}

const kLight = [250, 248, 242] as const;
const kAbove = [150, 58, 8] as const;
const kBelow = [14, 66, 122] as const;

function color(value: number, min: number, max: number, most: number): readonly number[] {
  if (!Number.isFinite(value)) return [200, 30, 60, 255];
  const isSigned = min < 0 && max > 0;
  const share = isSigned ? Math.abs(value) / most : max > min ? (value - min) / (max - min) : 0;
  const dark = isSigned && value < 0 ? kBelow : isSigned ? kAbove : kBelow;
  return [...kLight.map((light, i) => light + (dark[i]! - light) * share), 255];
}

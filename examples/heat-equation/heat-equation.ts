// Heat spreading over a metal plate: an explicit scheme on a grid, drawn as text.
import { evaluate, liveBuffers, Tensor, tensorOf } from "onebuffer";

const kSize = 256;
const kSteps = 2000;
const kRate = 0.24; // diffusivity * dt / dx²; above 0.25 the scheme is unstable
const kHottest = 100;

/** The inner cells of a grid, and their neighbors on four sides: five windows on the same memory. */
function windows(grid: Tensor<"float32">) {
  return {
    inner: grid.strided("1:-1, 1:-1"),
    up: grid.strided(":-2, 1:-1"),
    down: grid.strided("2:, 1:-1"),
    left: grid.strided("1:-1, :-2"),
    right: grid.strided("1:-1, 2:"),
  };
}

/** The inner cells one step later. Nothing is computed yet. */
function oneStepLater(grid: Tensor<"float32">) {
  const { inner, up, down, left, right } = windows(grid);
  return inner.add(up.add(down).add(left).add(right).sub(inner.mul(4)).mul(kRate));
}

/** Sixteen lines of text; each character is the mean of 16 by 8 cells. */
function picture(grid: Tensor<"float32">): string {
  const shades = " .:-=+*#%@";
  using blocks = grid.reshape([16, kSize / 16, 32, kSize / 32]);
  const means = evaluate(blocks.tensor(4).mean([1, 3]));
  const shadeOf = (heat: number) => shades[Math.min(Math.floor((heat / kHottest) * shades.length), shades.length - 1)];
  return means
    .toArray()
    .map((row) => row.map((heat) => shadeOf(heat)).join(""))
    .join("\n");
}

export function run() {
  // The edges keep their heat: the top is hot, the other three are cold. A square in the plate starts hot, too.
  using a = Tensor.zeros([kSize, kSize]);
  a.strided("0").assign(kHottest);
  a.strided("128:192, 64:160").assign(kHottest);
  using b = tensorOf(a.matrix());
  const before = picture(a);

  // Two grids take turns: each step reads one and writes the other, by one kernel.
  const [insideA, insideB] = [windows(a).inner, windows(b).inner];
  const [afterA, afterB] = [oneStepLater(a), oneStepLater(b)];
  const started = performance.now();
  for (let step = 0; step < kSteps; step += 2) {
    insideB.assign(afterA);
    insideA.assign(afterB);
  }
  const ms = performance.now() - started;

  const mean = evaluate(a.matrix().mean()).at();
  const column = a.strided(":, 112").toArray();
  return { mean, column, before, after: picture(a), ms };
}

export const result = run();

console.log(`${result.before}\n${"-".repeat(32)} ${kSteps} steps later\n${result.after}`);
console.log(`mean heat ${result.mean.toFixed(4)}, ${kSize} by ${kSize} cells, ${result.ms.toFixed(0)} ms, ${liveBuffers()} buffers left`);

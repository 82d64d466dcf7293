// Principal components of handwritten digits: the directions in which 1,797 pictures differ most, drawn as text.
import { readFileSync } from "node:fs";
import { assignTogether, evaluate, liveBuffers, readNpy, Tensor, tensorOf } from "onebuffer";
import { svd } from "onebuffer/linalg";

const kDigits = 1797;
const kPixels = 64;
const kDrawn = 5;
const kKept = [5, 10, 20, 40];
const kShades = "@%*- .:+#"; // from the most negative to the most positive, nothing in the middle

/** Draws pictures of 8 x 8 beside each other, each divided by its largest magnitude. */
function drawn(pictures: readonly (readonly number[])[]): string {
  const largest = pictures.map((picture) => Math.max(...picture.map(Math.abs)));
  const shadeOf = (value: number): string => kShades[Math.round((value + 1) * 4)] as string;
  const line = (row: number): string =>
    pictures
      .map((picture, k) =>
        picture
          .slice(8 * row, 8 * row + 8)
          .map((value) => shadeOf(value / (largest[k] as number)).repeat(2))
          .join(""),
      )
      .join("  ")
      .trimEnd();
  return Array.from({ length: 8 }, (_, row) => line(row)).join("\n");
}

/** A component is known up to its sign: the element of the largest magnitude becomes positive. */
function withSign(component: readonly number[]): readonly number[] {
  const most = component.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  return most < 0 ? component.map((value) => -value) : component;
}

export function run() {
  using images = readNpy(readFileSync(new URL("../data/digits.npy", import.meta.url)), { dtype: "uint8" }); // [1797, 8, 8]
  using rows = images.reshape([kDigits, kPixels]);
  using pixels = tensorOf(rows.matrix().cast("float64"));

  // The decomposition is computed once, although both s and v are read.
  const started = performance.now();
  const centered = pixels.matrix().sub(pixels.matrix().mean(0));
  const parts = svd(centered);
  using s = Tensor.zeros([kPixels], { dtype: "float64" });
  using v = Tensor.zeros([kPixels, kPixels], { dtype: "float64" });
  assignTogether([
    [s, parts.s],
    [v, parts.v],
  ]);
  const variances = s.vec().square();
  const shares = evaluate(variances.div(variances.sum())).toArray();

  // The mean squared error per pixel of pictures that are made again of their first components.
  const errors = kKept.map((count) => {
    const first = v.matrix().slice([0, kPixels], [0, count]);
    const again = centered.matMul(first).matMul(first, { transposeB: true });
    return evaluate(again.sub(centered).square().mean()).at();
  });
  const ms = performance.now() - started;

  const columns = evaluate(v.matrix().shuffle([1, 0])).toArray();
  const picture = drawn(columns.slice(0, kDrawn).map(withSign));
  return { shares, errors, picture, ms };
}

export const result = run();

console.log(result.picture);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
console.log(`shares of the variance: ${result.shares.slice(0, kDrawn).map(percent).join(", ")}`);
kKept.forEach((count, k) => {
  const kept = result.shares.slice(0, count).reduce((sum, share) => sum + share, 0);
  console.log(
    `${String(count).padStart(2)} components: ${percent(kept)} of the variance, mean squared error ${result.errors[k]?.toFixed(3)}`,
  );
});
console.log(`computed in ${result.ms.toFixed(0)} ms, ${liveBuffers()} buffers left`);

/**
 * lanes-kernel: the last pass of a transform whose lanes are parts of one line.
 *
 *     line      x0 x1 x2 x3 | x4 x5 x6 x7 | ...       lane l has the elements l, l + 4, ..., transformed by the passes before
 *     to[k + m j] = sum over l of i^(-l j) w^(l k) lane_l[k]           w = exp(-2 pi i / n), m = n / 4
 *
 * Groups of as many vectors as lanes are transposed, so that a vector has results that are adjacent in the target.
 */
import { butterfly, multiplied } from "./butterflies.ts";
import { ElementAccess, kVectorBytes, lanesOf } from "./element-format.ts";
import { fftFunction, paramsOf } from "./fft-module.ts";
import type { FftFunction, PartDType } from "./fft-module.ts";
import type { Vector } from "@onebuffer/wasm/internal";

const kParams = "from to table count toEach scale";

/**
 * Returns the function. It transforms `count` groups. `scale` is the address of a factor for the inverse
 * transform.
 */
export function lanesFunction(dtype: PartDType, isInverse: boolean): FftFunction {
  const lanes = lanesOf(dtype);
  return fftFunction(`lanes ${dtype} ${isInverse}`, kParams, (target, builder) => {
    const code = target.body;
    const access = new ElementAccess(target, builder, dtype);
    const { from, to, table, count, toEach, scale: scaleAt } = paramsOf(target, kParams);
    const scale = isInverse ? builder.variable(access.kind, 1, "scale") : null;
    if (scale !== null) builder.emit(1, () => builder.assign(scale, builder.loadSplat(access.kind, scaleAt)));
    const targets = Array.from({ length: lanes }, () => target.local("i32", "at"));
    const loop = code.loop();
    targets.forEach((local, j) => {
      code.get(j === 0 ? to : targets[j - 1]!);
      if (j > 0) code.get(toEach).op("i32.add");
      code.set(local);
    });
    builder.emit(1, () => {
      const vectors = targets.map((_, k) => access.load("split", [from], false, k * kVectorBytes));
      const re = transposed(vectors.map((vector) => vector.re));
      const im = transposed(vectors.map((vector) => vector.im));
      const turned = re.map((_, l) => {
        const value = { re: re[l]!, im: im[l]! };
        return l === 0 ? value : multiplied(value, access.load("split", [table], false, (l - 1) * kVectorBytes));
      });
      butterfly(turned).forEach((result, j) => {
        const scaled = scale === null ? result : { re: result.re.mul(builder.read(scale)), im: result.im.mul(builder.read(scale)) };
        access.store("woven", scaled, [targets[j]!], isInverse);
      });
    });
    code.addTo(from, lanes * kVectorBytes);
    code.addTo(to, kVectorBytes);
    code.addTo(table, (lanes - 1) * kVectorBytes);
    code.countDown(count, loop);
  });
}

/** Transposes a square of lanes. */
function transposed(rows: readonly Vector[]): readonly Vector[] {
  const [a, b, c, d] = rows as [Vector, Vector, Vector, Vector];
  if (rows.length === 2) return [a.lanes(b, [0, 2]), a.lanes(b, [1, 3])];
  const [ab, cd] = [a.lanes(b, [0, 4, 1, 5]), c.lanes(d, [0, 4, 1, 5])];
  const [abHigh, cdHigh] = [a.lanes(b, [2, 6, 3, 7]), c.lanes(d, [2, 6, 3, 7])];
  const halves = (x: Vector, y: Vector): [Vector, Vector] => [x.lanes(y, [0, 1, 4, 5]), x.lanes(y, [2, 3, 6, 7])];
  return [...halves(ab, cd), ...halves(abHigh, cdHigh)];
}

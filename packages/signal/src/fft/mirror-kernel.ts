/**
 * mirror-kernel: between the spectrum of a real line of an even length n and that of the complex line of length h = n / 2 whose real and
 * imaginary parts are its even and odd elements.
 *
 *     E = (x[k] + conj x[h - k]) / 2      D = (x[k] - conj x[h - k]) / 2      T = f[k] D
 *     y[k] = E + T      y[h - k] = conj(E - T)
 *     forward: f = -i w^k      backward: f = i w^-k           w = exp(-2 pi i / n)
 *
 * Elements 0 and h of the spectrum are real; the complex line has them as the parts of its element 0.
 */
import { multiplied } from "./butterflies.ts";
import { complexBytes, ElementAccess, kVectorBytes, lanesOf } from "./element-format.ts";
import { fftFunction } from "./fft-module.ts";
import type { FftFunction, PartDType } from "./fft-module.ts";
import type { Tables } from "./tables.ts";

/** Returns true if a line is long enough for the kernel. */
export const suitsMirror = (dtype: PartDType, length: number): boolean => length % 2 === 0 && length / 2 > lanesOf(dtype);

/** Returns the number of groups of vectors of a line. */
export const mirrorGroups = (dtype: PartDType, length: number): number => Math.ceil(Math.floor(length / 4) / lanesOf(dtype));

/** Adds the table f[k] / 2 of lines of a length. */
export function mirrorTable(length: number, isForward: boolean, tables: Tables): number {
  const { dtype } = tables;
  const lanes = lanesOf(dtype);
  const groups = mirrorGroups(dtype, length);
  const roots = tables.roots(length);
  return tables.add(2 * lanes * groups, (parts) => {
    for (let k = 0; k < lanes * groups; k++) {
      roots.set(k + 1);
      const at = 2 * (k - (k % lanes)) + (k % lanes);
      parts[at] = roots.im / 2;
      parts[at + lanes] = (isForward ? -roots.re : roots.re) / 2;
    }
  });
}

/** Returns the function: from to table groups bytes, with the bytes of h elements. */
export function mirrorFunction(dtype: PartDType, isForward: boolean): FftFunction {
  return fftFunction(`mirror ${dtype} ${isForward}`, "from to table groups bytes", (target, builder) => {
    const code = target.body;
    const access = new ElementAccess(target, builder, dtype);
    const [from, to, table, groups, bytes] = ["from", "to", "table", "groups", "bytes"].map((name) => target.param(name)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const [part, partBytes] = dtype === "float32" ? (["f32", 4] as const) : (["f64", 8] as const);
    const [first, second] = ["first", "second"].map((name) => target.local(part, name)) as [number, number];
    const [fromEnd, toEnd] = ["fromEnd", "toEnd"].map((name) => target.local("i32", name)) as [number, number];
    code.get(from).get(bytes).op("i32.add").set(fromEnd).get(to).get(bytes).op("i32.add").set(toEnd);
    const half = (value: number): void => void code[part](value).op(`${part}.mul`);
    code.get(from).memory(`${part}.load`, 0).set(first);
    code
      .get(isForward ? from : fromEnd)
      .memory(`${part}.load`, isForward ? partBytes : 0)
      .set(second);
    code.get(to).get(first).get(second).op(`${part}.add`);
    if (!isForward) half(0.5);
    code.memory(`${part}.store`, 0);
    code
      .get(isForward ? toEnd : to)
      .get(first)
      .get(second)
      .op(`${part}.sub`);
    if (!isForward) half(0.5);
    code.memory(`${part}.store`, isForward ? 0 : partBytes);
    if (isForward) for (const at of [to, toEnd]) code.get(at)[part](0).memory(`${part}.store`, partBytes);
    code.addTo(from, complexBytes(dtype));
    code.addTo(to, complexBytes(dtype));
    code.addTo(fromEnd, -kVectorBytes);
    code.addTo(toEnd, -kVectorBytes);
    const reverse = [...Array(lanesOf(dtype)).keys()].reverse();
    const loop = code.loop();
    builder.emit(1, () => {
      const z = access.load("woven", [from], false);
      const mirrored = access.load("woven", [fromEnd], false);
      const y = { re: mirrored.re.lanes(mirrored.re, reverse), im: mirrored.im.lanes(mirrored.im, reverse) };
      const t = multiplied({ re: z.re.sub(y.re), im: z.im.add(y.im) }, access.load("split", [table], false));
      const [re, im] = [z.re.add(y.re).mul(0.5), z.im.sub(y.im).mul(0.5)];
      access.store("woven", { re: re.add(t.re), im: im.add(t.im) }, [to], false);
      const [backRe, backIm] = [re.sub(t.re), t.im.sub(im)];
      access.store("woven", { re: backRe.lanes(backRe, reverse), im: backIm.lanes(backIm, reverse) }, [toEnd], false);
    });
    for (const at of [from, to, table]) code.addTo(at, kVectorBytes);
    for (const at of [fromEnd, toEnd]) code.addTo(at, -kVectorBytes);
    code.countDown(groups, loop);
  });
}

/**
 * pass-kernel: one pass of a Stockham transform over vectors of complex numbers. The transforms of all lanes are independent.
 *
 *     for each outer:                             p = 0 .. m-1
 *       for each inner:                           q = 0 .. s-1
 *         a_j = from[q + s (p + m j)]             j = 0 .. r-1
 *         to[q + s (r p + j)] = w^(p j) b_j       b the transform of a, w = exp(-2 pi i / (r m))
 *
 * The distances are parameters, so the first pass reads, and the last one writes, lines of any strides.
 */
import { butterfly, multiplied } from "./butterflies.ts";
import { ElementAccess } from "./element-format.ts";
import type { ElementFormat } from "./element-format.ts";
import { fftFunction } from "./fft-module.ts";
import type { FftFunction, PartDType } from "./fft-module.ts";
import type { ComplexVector } from "./butterflies.ts";
import type { VectorBuilder, WasmFunction } from "@onebuffer/wasm/internal";

/** The structure of a pass. */
export interface PassShape {
  readonly dtype: PartDType;
  readonly radix: number;
  readonly load: ElementFormat;
  readonly store: ElementFormat;
  /**
   * The factors of the results. `none`; `each`: one for each of the results 1 .. r-1, the same for all lanes and inner steps; `all`: vectors
   * that lie in a table as the results do in the target; `scale`: one real number.
   */
  readonly factors: "none" | "each" | "all" | "scale";
  /** True if real and imaginary parts are exchanged as they are loaded, and as they are stored: with both, the transform is the inverse one. */
  readonly swapsLoad: boolean;
  readonly swapsStore: boolean;
}

const kParams = "from to table outer inner fromOuter fromEach fromInner toOuter toEach toInner fromLane toLane";

/** Returns the function of a pass. Its parameters are those of kParams, in bytes and counts. */
export function passFunction(shape: PassShape): FftFunction {
  const { dtype, radix, load, store, factors, swapsLoad, swapsStore } = shape;
  const key = `pass ${dtype} ${radix} ${load} ${store} ${factors} ${swapsLoad} ${swapsStore}`;
  return fftFunction(key, kParams, (target, builder) => writePass(target, builder, shape));
}

function writePass(
  target: WasmFunction,
  builder: VectorBuilder,
  { dtype, radix, load, store, factors, swapsLoad, swapsStore }: PassShape,
): void {
  const code = target.body;
  const param = (name: string): number => target.param(name);
  const access = new ElementAccess(target, builder, dtype);
  const [from, to, table, outer, inner] = ["from", "to", "table", "outer", "inner"].map(param) as [number, number, number, number, number];
  const [fromAt, toAt, tableAt, left] = ["fromAt", "toAt", "tableAt", "left"].map((name) => target.local("i32", name)) as [
    number,
    number,
    number,
    number,
  ];
  const partBytes = dtype === "float32" ? 4 : 8;
  const scale = factors === "scale" ? builder.variable(access.kind, 1, "scale") : null;
  if (scale !== null) builder.emit(1, () => builder.assign(scale, builder.loadSplat(access.kind, table)));
  /** Returns the locals of `radix` addresses that are some bytes apart. */
  const places = (first: number, each: number, format: ElementFormat, lane: number): readonly (readonly number[])[] =>
    Array.from({ length: radix }, () => target.local("i32", "at")).map((local, j, all) => {
      code.get(j === 0 ? first : all[j - 1]!);
      if (j > 0) code.get(each).op("i32.add");
      code.set(local);
      return format === "lines" ? access.lineLocals(local, lane) : [local];
    });
  const outerLoop = code.loop();
  code.get(from).set(fromAt).get(to).set(toAt).get(inner).set(left);
  if (factors === "all") code.get(table).set(tableAt);
  const innerLoop = code.loop();
  const sources = places(fromAt, param("fromEach"), load, param("fromLane"));
  const targets = places(toAt, param("toEach"), store, param("toLane"));
  const tables = factors === "all" ? places(tableAt, param("toEach"), "split", 0) : [];
  builder.emit(1, () => {
    const results = butterfly(sources.map((source) => access.load(load, source, swapsLoad)));
    results.forEach((result, j) => {
      let value: ComplexVector = result;
      if (factors === "all") value = multiplied(value, access.load("split", tables[j]!, false));
      else if (scale !== null) value = { re: value.re.mul(builder.read(scale)), im: value.im.mul(builder.read(scale)) };
      else if (factors === "each" && j > 0) {
        const part = (k: number) => builder.loadSplat(access.kind, table, (2 * (j - 1) + k) * partBytes);
        value = multiplied(value, { re: part(0), im: part(1) });
      }
      access.store(store, value, targets[j]!, swapsStore);
    });
  });
  code.addLocal(fromAt, param("fromInner"));
  code.addLocal(toAt, param("toInner"));
  if (factors === "all") code.addLocal(tableAt, param("toInner"));
  code.countDown(left, innerLoop);
  code.addLocal(from, param("fromOuter"));
  code.addLocal(to, param("toOuter"));
  if (factors === "all") code.addLocal(table, param("toOuter"));
  else if (factors === "each") code.addTo(table, 2 * (radix - 1) * partBytes);
  code.countDown(outer, outerLoop);
}

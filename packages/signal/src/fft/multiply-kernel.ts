/**
 * multiply-kernel: products of adjacent complex numbers with a table of split vectors.
 */
import { multiplied } from "./butterflies.ts";
import { complexBytes, ElementAccess, kVectorBytes } from "./element-format.ts";
import { fftFunction, paramsOf } from "./fft-module.ts";
import type { FftFunction, PartDType } from "./fft-module.ts";

const kParams = "from to table vectors others zeros";

/**
 * Returns the function. It computes `vectors` vectors (may be 0) and `others` numbers behind them, and writes
 * `zeros` bytes of zeros behind these. With a swap, real and imaginary parts are exchanged as they are loaded or stored.
 */
export function multiplyFunction(dtype: PartDType, swapsLoad: boolean, swapsStore: boolean): FftFunction {
  return fftFunction(`multiply ${dtype} ${swapsLoad} ${swapsStore}`, kParams, (target, builder) => {
    const code = target.body;
    const access = new ElementAccess(target, builder, dtype);
    const { from, to, table, vectors, others, zeros } = paramsOf(target, kParams);
    code.get(vectors).if();
    const loop = code.loop();
    builder.emit(1, () => {
      const product = multiplied(access.load("woven", [from], swapsLoad), access.load("split", [table], false));
      access.store("woven", product, [to], swapsStore);
    });
    for (const at of [from, to, table]) code.addTo(at, kVectorBytes);
    code.countDown(vectors, loop).end();
    const part = dtype === "float32" ? "f32" : "f64";
    const bytes = complexBytes(dtype) / 2;
    const [re, im, cos, sin] = ["re", "im", "cos", "sin"].map((name) => target.local(part, name)) as [number, number, number, number];
    const [first, second] = swapsLoad ? [im, re] : [re, im];
    code.get(others).if();
    const each = code.loop();
    code.get(from).memory(`${part}.load`, 0).set(first).get(from).memory(`${part}.load`, bytes).set(second);
    code.get(table).memory(`${part}.load`, 0).set(cos).get(table).memory(`${part}.load`, 16).set(sin);
    code.get(to).get(re).get(cos).op(`${part}.mul`).get(im).get(sin).op(`${part}.mul`).op(`${part}.sub`);
    code.memory(`${part}.store`, swapsStore ? bytes : 0);
    code.get(to).get(re).get(sin).op(`${part}.mul`).get(im).get(cos).op(`${part}.mul`).op(`${part}.add`);
    code.memory(`${part}.store`, swapsStore ? 0 : bytes);
    for (const at of [from, to]) code.addTo(at, 2 * bytes);
    code.addTo(table, bytes);
    code.countDown(others, each).end();
    code.get(to).i32(0).get(zeros).op("memory.fill");
  });
}

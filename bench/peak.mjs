// The machine's multiply-and-add peak in WebAssembly: what a matrix product would take if it did nothing but multiply and add.
import { engine, instantiateNow, WasmModule } from "@onebuffer/wasm/internal";

/**
 * Independent sums, each a chain of its own: as many as hide the latency of a multiply-add, or as fit into the registers if it is two
 * instructions. Of two instructions, 12 sums reach 33 GFLOP/s where 14 reach 35 and 8 reach 25.
 */
const kSums = engine().relaxed ? 12 : 14;
/** The floating-point operations of one pass over the sums: 4 lanes, a multiplication and an addition. */
const kFlopsPerPass = kSums * 4 * 2;

function passes() {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
  const module = new WasmModule({ module: "k", name: "m", initial: 1, maximum: 65536, shared: false });
  const target = module.function("passes", { count: "i32" }, ["i32"]);
  const { count } = target.paramsOf({ count: "i32" });
  const sums = Array.from({ length: kSums }, (_, n) => target.local("v128", `sum${n}`));
  const [x, y] = [target.local("v128", "x"), target.local("v128", "y")];
  const code = target.body;
  code.f32(0.5).op("f32x4.splat").set(x).f32(0.25).op("f32x4.splat").set(y);
  const loop = code.loop();
  for (const sum of sums) {
    if (engine().relaxed) code.get(sum).get(x).get(y).op("f32x4.relaxed_madd").set(sum);
    else code.get(sum).get(x).op("f32x4.mul").get(x).op("f32x4.add").set(sum);
  }
  code.countDown(count, loop);
  // The sums are used, so that the engine cannot leave them out.
  code.get(sums[0]);
  for (const sum of sums.slice(1)) code.get(sum).op("f32x4.add");
  code.lane("i32x4.extract_lane", 0);
  return instantiateNow(module.toBytes(), { k: { m: memory } }).passes;
}

/** Returns a case that executes as many multiplications and additions as a product of [rows, inner] and [inner, columns]. */
export function peakCase(rows, inner, columns) {
  const run = passes();
  const count = Math.ceil((2 * rows * inner * columns) / kFlopsPerPass);
  return {
    warmup: Math.max(5, Math.ceil(3e7 / count)),
    note: engine().relaxed ? "as many fused multiply-adds in registers" : "as many multiplications and additions in registers",
    run: () => run(count),
  };
}

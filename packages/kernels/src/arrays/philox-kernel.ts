/**
 * philox-kernel: a kernel that writes words of Philox 4x32-10 to memory, eight counters at a time
 * (tsl/lib/random/philox_random.h).
 *
 *     in registers   [c0 of 4 counters] [c1 of 4] [c2 of 4] [c3 of 4], twice       a round multiplies c0 and c2 by constants
 *     in memory      w0 w1 w2 w3 of the first counter, of the second, …            after ten rounds the block is transposed
 *
 * The lowest word of the counter must not wrap around within one call of the kernel: philoxWords splits calls where it would.
 */
import type { PhiloxAttributes } from "@onebuffer/expression";
import { skipped } from "@onebuffer/expression/internal";
import { moduleText, VectorBuilder, WasmModule } from "@onebuffer/wasm/internal";
import { noteRun } from "../calls/kernel-events.ts";
import { arrayKernel } from "../calls/array-kernel.ts";
import type { Vector } from "@onebuffer/wasm/internal";

const kMultipliers = [0xd2511f53, 0xcd9e8d57] as const;
const kWeyl = [0x9e3779b9, 0xbb67ae85] as const;
const kRounds = 10;
/** The number of counters that one turn of the loop computes. */
const kCounters = 8;
/** The number of words that one turn writes. The memory must have room for whole turns. */
export const kTurnWords: number = kCounters * 4;

type Words = readonly [Vector, Vector, Vector, Vector];

/** The compiled function; null if the engine refuses to compile it. */
const runOf = (): ((...args: number[]) => number) | null => arrayKernel("philox", writePhilox)?.["run"] ?? null;

/** Returns true if the kernel is available. The first call compiles it. */
export function hasPhilox(): boolean {
  return runOf() !== null;
}

/** Returns the kernel's code as text, for `explain`. */
export function philoxListing(): string {
  const module = new WasmModule({ module: "k", name: "m", initial: 65536, maximum: 65536, shared: true });
  writePhilox(module);
  return moduleText(module);
}

/**
 * Writes the words of `groups` counters to an address, from counter `first` of the stream on: four words per counter. Up to
 * kTurnWords further words behind them are overwritten with undefined values. The kernel must be available: see hasPhilox.
 */
export function philoxWords(address: number, { key, counter }: PhiloxAttributes, first: number, groups: number): void {
  const run = runOf()!;
  for (let done = 0; done < groups; ) {
    const [c0, ...upper] = skipped(counter, first + done);
    const count = Math.min(groups - done, 2 ** 32 - c0);
    noteRun();
    run(address + 16 * done, Math.ceil(count / kCounters), c0, ...upper, ...key);
    done += count;
  }
}

/** Adds the function to a module. It is `run(to, turns, c0, c1, c2, c3, k0, k1)`. */
function writePhilox(module: WasmModule): void {
  const names = ["to", "turns", "c0", "c1", "c2", "c3", "k0", "k1"];
  const target = module.function("run", Object.fromEntries(names.map((name) => [name, "i32"])), ["i32"]);
  const [to, turns, c0, c1, c2, c3, k0, k1] = names.map((name) => target.param(name)) as [number, number, number, number, ...number[]];
  const builder = new VectorBuilder(target);
  const code = target.body;
  const again = code.loop();
  builder.emit(1, () => {
    const splat = (local: number | undefined): Vector => builder.splat("u32x4", local!);
    for (let first = 0; first < kCounters; first += 4) {
      const lowest = splat(c0).add(builder.constants("u32x4", [first, first + 1, first + 2, first + 3]));
      const words = transposed(rounds([lowest, splat(c1), splat(c2), splat(c3)], [splat(k0), splat(k1)]));
      words.forEach((word, k) => builder.store(word, to, 16 * (first + k)));
    }
  });
  code.addTo(to, kTurnWords * 4);
  code.addTo(c0!, kCounters);
  code.countDown(turns, again);
  code.i32(0);
}

/** Runs ten rounds on four counters. */
function rounds(counters: Words, keys: readonly [Vector, Vector]): Words {
  const { source } = counters[0];
  const [a, b] = kMultipliers.map((value) => source.constant("u32x4", value)) as [Vector, Vector];
  let [c0, c1, c2, c3] = counters;
  let [k0, k1] = keys;
  for (let round = 0; round < kRounds; round++) {
    const [lowA, highA] = products(c0, a);
    const [lowB, highB] = products(c2, b);
    [c0, c1, c2, c3] = [highB.xor(c1).xor(k0), lowB, highA.xor(c3).xor(k1), lowA];
    [k0, k1] = [k0.add(kWeyl[0]), k1.add(kWeyl[1])];
  }
  return [c0, c1, c2, c3];
}

/** Returns the lower and the upper 32 bits of the products with a constant. */
function products(x: Vector, constant: Vector): readonly [low: Vector, high: Vector] {
  const { source } = x;
  const first = source.instruction("u32x4", "i64x2.extmul_low_i32x4_u", [x, constant]);
  const second = source.instruction("u32x4", "i64x2.extmul_high_i32x4_u", [x, constant]);
  return [first.lanes(second, [0, 2, 4, 6]), first.lanes(second, [1, 3, 5, 7])];
}

/** Transposes: from word 0 of four counters, word 1 of four and so on, to the four words of each counter. */
function transposed([a, b, c, d]: Words): Words {
  const [ab, abHigh] = [a.lanes(b, [0, 4, 1, 5]), a.lanes(b, [2, 6, 3, 7])];
  const [cd, cdHigh] = [c.lanes(d, [0, 4, 1, 5]), c.lanes(d, [2, 6, 3, 7])];
  const pairs = (x: Vector, y: Vector): [Vector, Vector] => [x.lanes(y, [0, 1, 4, 5]), x.lanes(y, [2, 3, 6, 7])];
  return [...pairs(ab, cd), ...pairs(abHigh, cdHigh)];
}

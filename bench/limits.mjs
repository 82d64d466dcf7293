// The machine's limits in WebAssembly, on one thread: the time to read operands once and write a result once, by a loop that does nothing else
// (as STREAM measures it), and the time of as many multiplications and additions in registers (peak.mjs).
import { instantiateNow, WasmModule } from "@onebuffer/wasm/internal";
import { peakCase } from "./peak.mjs";

const kPageBytes = 65_536;
const kVectorBytes = 16;

/** The vectors of each stream that a pass of the loop loads or stores. */
const kVectors = 4;
const kPassBytes = kVectors * kVectorBytes;
/** The most streams that are read at the same time. */
const kMostStreams = 4;
/** Streams begin this far behind each other's end: at the same distance in a page, loads would wait for stores. */
const kApartBytes = 1088;

/**
 * Returns how many streams are read at the same time, and whether one is written: about so many for each other as bytes. The reading alone of
 * many bytes is by two, so that the processor fetches ahead as it does for two operands.
 */
function streamsOf(readBytes, writtenBytes) {
  const perStore = readBytes / writtenBytes;
  if (perStore > 2 * kMostStreams) return { reads: 2, writes: 0 };
  return { reads: Math.min(kMostStreams, Math.max(1, Math.round(perStore))), writes: 1 };
}

/** Returns the function `run(count)`: so many passes over the streams, which begin at multiples of `apart`. */
function passesOf(reads, writes, apart, memory) {
  const module = new WasmModule({ module: "k", name: "m", initial: 1, maximum: 65_536, shared: false });
  const target = module.function("run", { count: "i32" }, ["i32"]);
  const { count } = target.paramsOf({ count: "i32" });
  const at = target.local("i32", "at");
  const sums = Array.from({ length: kVectors }, (_, n) => target.local("v128", `sum${n}`));
  const code = target.body;
  const loop = code.loop();
  sums.forEach((sum, n) => {
    for (let k = 0; k < reads; k++) {
      code.get(at).memory("v128.load", k * apart + n * kVectorBytes);
      if (k > 0 || writes === 0) code.get(sum).op("f32x4.add");
      code.set(sum);
    }
    if (writes === 1)
      code
        .get(at)
        .get(sum)
        .memory("v128.store", reads * apart + n * kVectorBytes);
  });
  code.addTo(at, kPassBytes).countDown(count, loop);
  // The sums are used, so that the engine cannot leave the loads out.
  code.get(sums[0]);
  for (const sum of sums.slice(1)) code.get(sum).op("f32x4.add");
  code.lane("i32x4.extract_lane", 0);
  return instantiateNow(module.toBytes(), { k: { m: memory } }).run;
}

/** Returns a case that reads and writes so many bytes in all, in about the proportion of what is read to what is written. */
export function streamCase(readBytes, writtenBytes) {
  const { reads, writes } = streamsOf(readBytes, writtenBytes);
  const passes = Math.ceil((readBytes + writtenBytes) / ((reads + writes) * kPassBytes));
  const apart = passes * kPassBytes + kApartBytes;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(((reads + writes) * apart) / kPageBytes), maximum: 65_536 });
  // Pages that nobody has written are all the same page of zeros, which the first cache holds.
  new Uint8Array(memory.buffer).fill(0);
  const run = passesOf(reads, writes, apart, memory);
  return { warmup: 5, note: "as many bytes read and written once", run: () => run(passes) };
}

/** Returns a case that executes about so many multiplications and additions in registers, half of them each. */
export const arithmeticCase = (operations) => peakCase(1, Math.max(1, Math.ceil(operations / 2)), 1);

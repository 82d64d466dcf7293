// Tests readPlanned: the calls it makes, parts, progress, errors, cancelling, and any reads against a naive twin.
import { expect, test } from "@jest/globals";
import { toByteSource } from "@onebuffer/io";
import type { ByteSource, TransferProgress } from "@onebuffer/io";
import { expectRefusal, isLong } from "@onebuffer/test-support";
import fc from "fast-check";
import { readAhead } from "../../src/source/read-ahead.ts";
import { readPlanned } from "../../src/source/read-plan.ts";
import type { PlannedRead } from "../../src/source/read-plan.ts";

const kBytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7919) >> 3);

/** A source that records its calls as "offset+length", with `!` for readInto. */
class Recorder implements ByteSource {
  readonly size: number = kBytes.length;
  readonly calls: string[] = [];
  underWay = 0;
  most = 0;
  readInto?: NonNullable<ByteSource["readInto"]>;

  constructor(direct: boolean) {
    if (!direct) return;
    this.readInto = async (offset, target) => {
      this.calls.push(`${offset}+${target.length}!`);
      target.set(await this.#later(offset, target.length));
    };
  }
  read(offset: number, length: number): Promise<Uint8Array> {
    this.calls.push(`${offset}+${length}`);
    return this.#later(offset, length);
  }
  async #later(offset: number, length: number): Promise<Uint8Array> {
    this.most = Math.max(this.most, ++this.underWay);
    await new Promise((resolve) => setImmediate(resolve));
    this.underWay--;
    return kBytes.slice(offset, offset + length);
  }
}

const planned = (source: ByteSource, offset: number, length: number, what = `${offset}`): PlannedRead => ({
  source,
  offset,
  target: new Uint8Array(length),
  what,
});

const isFull = ({ offset, target }: PlannedRead): boolean => Buffer.compare(target, kBytes.subarray(offset, offset + target.length)) === 0;

test("sorts by source and offset, joins near ranges, divides large ones, leaves far ones alone", async () => {
  const first = new Recorder(true);
  const second = new Recorder(false);
  const reads = [
    planned(first, 900, 50),
    planned(second, 10, 20),
    planned(first, 24, 10),
    planned(first, 0, 20),
    planned(first, 100, 250),
    planned(first, 352, 4),
    planned(first, 400, 0),
    planned(second, 10, 20),
  ];
  await readPlanned(reads, { gap: 4, callBytes: 100, parallel: 3 });
  expect(first.calls).toEqual(["0+34", "100+100!", "200+100!", "300+50!", "352+4!", "900+50!"]);
  expect(second.calls).toEqual(["10+20"]);
  expect(reads.every(isFull)).toBe(true);
  expect(first.most).toBe(3);
});

test("one call has at most callBytes, and no more than `gap` unwanted bytes between ranges", async () => {
  const source = new Recorder(true);
  const reads = [planned(source, 0, 60), planned(source, 60, 40), planned(source, 100, 10), planned(source, 115, 10)];
  await readPlanned(reads, { gap: 4, callBytes: 100 });
  expect(source.calls).toEqual(["0+100", "100+10!", "115+10!"]);
});

test("a server is asked less often for more than a file", async () => {
  const calls = async (isRemote: boolean): Promise<number[]> => {
    const lengths: number[] = [];
    const size = 20 << 20;
    const readInto = async (_: number, target: Uint8Array): Promise<void> => void lengths.push(target.length >> 10);
    const read = async (_: number, length: number): Promise<Uint8Array> => {
      lengths.push(length >> 10);
      return new Uint8Array(length);
    };
    const source: ByteSource = { size, isRemote, read, readInto };
    await readPlanned([planned(source, 0, 1024), planned(source, 100 << 10, 1024), planned(source, 4 << 20, 12 << 20)]);
    return lengths;
  };
  expect(await calls(false)).toEqual([1, 1, ...new Array<number>(12).fill(1024)]);
  expect(await calls(true)).toEqual([101, 8192, 4096]);
  expect([true, false].map((isRemote) => readAhead({ size: 1, isRemote, read: async () => kBytes }).isRemote)).toEqual([true, false]);
});

test("short reads fetch what follows, reads of 256 KiB and more do not", async () => {
  const kAhead = 262_144;
  const bytes = Uint8Array.from({ length: 3 * kAhead }, (_, i) => (i * 7919) >> 5);
  const calls: string[] = [];
  const source = readAhead({
    size: bytes.length,
    read: async (offset, length) => {
      calls.push(`${offset}+${length}`);
      return bytes.slice(offset, offset + length);
    },
  });
  const readInto = async (offset: number, length: number): Promise<Uint8Array> => {
    const target = new Uint8Array(length);
    await source.readInto!(offset, target);
    return target;
  };
  for (const [offset, length] of [
    [0, 10],
    [10, kAhead - 10],
    [11, kAhead - 1],
    [kAhead, kAhead],
    [kAhead, kAhead + 1],
    [kAhead, kAhead - 1],
  ] as const) {
    const wanted = Buffer.from(bytes.subarray(offset, offset + length));
    expect(wanted.equals(await source.read(offset, length))).toBe(true);
    expect(wanted.equals(await readInto(offset, length))).toBe(true);
  }
  const [once, whole, more] = [`11+${kAhead}`, `${kAhead}+${kAhead}`, `${kAhead}+${kAhead + 1}`];
  expect(calls).toEqual([`0+${kAhead}`, once, whole, whole, more, more, whole]);
});

test("parts come in order, before the end of their read; progress counts wanted bytes", async () => {
  const events: string[] = [];
  const source = new Recorder(true);
  const read = (offset: number, length: number, what: string): PlannedRead => ({
    ...planned(source, offset, length, what),
    onBytes: (part) => void events.push(`${what}:${part.byteOffset}+${part.length}`),
    onDone: () => void events.push(`${what}.`),
  });
  const progress: TransferProgress[] = [];
  await readPlanned([read(500, 150, "b"), read(0, 10, "a"), read(700, 0, "c")], {
    callBytes: 100,
    onProgress: (p) => void progress.push(p),
  });
  expect(events).toEqual(["c.", "a:0+10", "a.", "b:0+100", "b:100+50", "b."]);
  expect(progress).toEqual([
    { bytes: 10, totalBytes: 160, name: "a" },
    { bytes: 110, totalBytes: 160 },
    { bytes: 160, totalBytes: 160, name: "b" },
  ]);
});

test("a range that is not within the source is refused before anything is read", async () => {
  const source = new Recorder(true);
  await expectRefusal(() => readPlanned([planned(source, 0, 10), planned(source, 995, 6, "w")]), "DATA_LOSS", "w needs 6 bytes at 995");
  expect(source.calls).toEqual([]);
});

test("after an error no read is under way, and none is begun", async () => {
  for (const stop of ["read", "onBytes", "onDone", "onProgress"]) {
    const source = new Recorder(true);
    const fail = (): never => {
      throw new Error(stop);
    };
    const last = planned(source, 700, 100);
    const reads = Array.from({ length: 5 }, (_, i) => planned(source, i * 100, 50));
    if (stop === "onBytes" || stop === "onDone") reads[1] = { ...reads[1]!, [stop]: fail };
    const { readInto } = source;
    if (stop === "read")
      source.readInto = (offset, target) => (offset === 100 ? Promise.reject(new Error("read")) : readInto!(offset, target));
    const onProgress = (): void => void (stop === "onProgress" && fail());
    await expect(readPlanned([...reads, last], { gap: 0, onProgress, parallel: 3 })).rejects.toThrow(stop);
    expect(source.underWay).toBe(0);
    expect(isFull(last)).toBe(false);
  }
});

test("wrong options are refused before anything is read", async () => {
  const source = new Recorder(true);
  await expectRefusal(() => readPlanned([planned(source, 0, 10)], { onProgress: 5 as never }), "INVALID_ARGUMENT", "onProgress");
  await expectRefusal(() => readPlanned([planned(source, 0, 10)], { signal: true as never }), "INVALID_ARGUMENT", "AbortSignal");
  expect(source.calls).toEqual([]);
});

test("a signal ends the reads", async () => {
  const source = new Recorder(true);
  const controller = new AbortController();
  const reads = Array.from({ length: 5 }, (_, i) => planned(source, i * 100, 50));
  const onProgress = ({ bytes }: TransferProgress): void => void (bytes === 100 && controller.abort("enough"));
  await expectRefusal(() => readPlanned(reads, { gap: 0, signal: controller.signal, onProgress }), "CANCELLED", "enough");
  expect([source.underWay, isFull(reads[4]!)]).toEqual([0, false]);
});

test("no reads at all", async () => {
  await readPlanned([]);
  await readPlanned([planned(toByteSource(kBytes), 1000, 0)]);
});

test("any reads fill their targets, in calls within bounds", async () => {
  const range = fc
    .tuple(fc.nat(2), fc.nat(999), fc.nat(400))
    .map(([s, offset, length]) => [s, offset, Math.min(length, 1000 - offset)] as const);
  await fc.assert(
    fc.asyncProperty(fc.array(range, { maxLength: 20 }), fc.nat(60), fc.integer({ min: 1, max: 300 }), async (ranges, gap, callBytes) => {
      const recorders = [new Recorder(true), new Recorder(false)];
      const sources: ByteSource[] = [...recorders, toByteSource(kBytes)];
      const seen: number[] = [];
      const reads = ranges.map(([s, offset, length], i) => ({
        ...planned(sources[s]!, offset, length),
        onBytes: (part: Uint8Array): void => {
          seen[i] = (seen[i] ?? 0) + part.length;
        },
      }));
      await readPlanned(reads, { gap, callBytes });
      expect(reads.every(isFull)).toBe(true);
      expect(reads.every(({ target }, i) => (seen[i] ?? 0) === target.length)).toBe(true);
      for (const { calls } of recorders)
        for (const call of calls) expect(Number.parseInt(call.split("+")[1]!, 10)).toBeLessThanOrEqual(callBytes);
    }),
    { numRuns: isLong ? 60 : 30 },
  );
});

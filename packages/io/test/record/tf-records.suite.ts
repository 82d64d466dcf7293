// Tests reading and writing TFRecord files: round trips against a naive twin, every truncation, damaged bytes, hostile lengths, limits,
// sources that have to be read, resuming, cancelling, failing sinks.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { TFRecordCompression, TFRecordReadOptions } from "@onebuffer/io";
import { ChunkSink, crc32c, maskCrc, readTFRecords, readTFRecordsSync, TFRecordWriter, writeTFRecords } from "@onebuffer/io";
import { expectRefusal } from "@onebuffer/test-support";
import fc from "fast-check";
import { deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";
import { collect, naiveFile, slowSource } from "./naive-records.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const kRecords = [bytesOf("hello"), new Uint8Array(0), Uint8Array.from({ length: 40 }, (_, i) => i * 37)];
const kFile = naiveFile(kRecords);
const compress = { "": (bytes: Uint8Array) => bytes, GZIP: gzipSync, ZLIB: deflateSync } as const;
const expand = { "": (bytes: Uint8Array) => bytes, GZIP: gunzipSync, ZLIB: inflateSync } as const;
const kCompressions = ["", "GZIP", "ZLIB"] as const;

const plain = (records: readonly Uint8Array[]): number[][] => records.map((record) => [...record]);

async function written(records: readonly Uint8Array[], compression: TFRecordCompression): Promise<Uint8Array> {
  const sink = new ChunkSink();
  expect(await writeTFRecords(sink, records, { compression })).toBe(records.length);
  return sink.toBytes();
}

const code = async (act: () => unknown): Promise<string> => {
  try {
    await act();
    return "OK";
  } catch (error) {
    if (isStatusError(error)) return error.code;
    throw error;
  }
};

describe("round trips", () => {
  const sizes = fc.oneof({ weight: 8, arbitrary: fc.nat(300) }, fc.constantFrom(65_500, 65_520, 65_521, 65_536, 200_000, 262_132, 300_000));
  const records = fc.array(sizes, { maxLength: 9 }).map((all) => all.map((n, at) => new Uint8Array(n).fill(at + n)));

  test.each(kCompressions)("of any records, compression %j", async (compression) => {
    await fc.assert(
      fc.asyncProperty(records, fc.boolean(), async (all, into) => {
        const file = await written(all, compression);
        const twin = naiveFile(all);
        expect(Buffer.compare(expand[compression](file), twin)).toBe(0);
        for (const source of [file, slowSource(compress[compression](twin), into)]) {
          const reader = readTFRecords(source, { compression });
          const read = await collect(reader);
          expect(read.length).toBe(all.length);
          for (const [at, record] of read.entries()) expect(Buffer.compare(record, all[at]!)).toBe(0);
          expect([reader.recordCount, reader.offset]).toEqual([all.length, twin.length]);
        }
      }),
      { numRuns: (compression === "" ? 12 : 4) * (isLong ? 3 : 1) },
    );
    expect([...readTFRecordsSync(kFile)]).toEqual(kRecords);
  });

  test("records are views of bytes in memory, and of shared memory", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(kFile.length + 3), 3);
    shared.set(kFile);
    for (const record of readTFRecordsSync(shared)) expect(record.buffer).toBe(shared.buffer);
    expect(plain([...readTFRecordsSync(new DataView(shared.buffer, 3))])).toEqual(plain(kRecords));
  });

  test("overlapping calls are served in order", async () => {
    const reader = readTFRecords(slowSource(kFile, false));
    const results = await Promise.all([reader.next(), reader.next(), reader.next(), reader.next()]);
    expect(results.map(({ value, done }) => done ?? (value === undefined ? null : value.length))).toEqual([false, false, false, true]);
    const sink = new ChunkSink();
    const writer = new TFRecordWriter(sink);
    const large = new Uint8Array(70_000).fill(1);
    await Promise.all([
      writer.write(large),
      writer.write(bytesOf("a")),
      writer.flush(),
      writer.write(large),
      writer.close(),
      writer.close(),
    ]);
    expect(Buffer.compare(sink.toBytes(), naiveFile([large, bytesOf("a"), large]))).toBe(0);
  });

  test("reading continues at an offset, and a loop that is left ends the reading", async () => {
    const reader = readTFRecords(kFile);
    await reader.next();
    expect([reader.offset, reader.recordCount]).toEqual([21, 1]);
    expect(await collect(readTFRecords(slowSource(kFile, true), { offset: reader.offset }))).toEqual(kRecords.slice(1));
    expect([...readTFRecordsSync(kFile, { offset: 37 })]).toEqual(kRecords.slice(2));
    expect(await collect(readTFRecords(kFile, { offset: kFile.length }))).toEqual([]);
    for await (const record of reader) if (record.length === 0) break;
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  test("memory is bounded: a file is read in pieces of 256 KiB", async () => {
    const one = new Uint8Array(1000);
    const file = naiveFile(new Array<Uint8Array>(2000).fill(one));
    const lengths: number[] = [];
    const source = slowSource(file, false);
    const watched = {
      ...source,
      read: (offset: number, length: number): Promise<Uint8Array> => {
        lengths.push(length);
        return source.read(offset, length);
      },
    };
    let progress = 0;
    const reader = readTFRecords(watched, { onProgress: ({ bytes, totalBytes }) => (progress = bytes / totalBytes) });
    let count = 0;
    for await (const record of reader) count += record.length === 1000 ? 1 : 0;
    expect([count, progress]).toEqual([2000, 1]);
    expect(lengths[0]).toBe(262_144);
    expect(Math.max(...lengths)).toBe(262_144);
    expect(lengths.length).toBe(8);
  });
});

/** `npm test` damages compressed files, which take longer, at every third byte; `npm run long` at each. */
const stepOf = (compression: string): number => (compression === "" || process.env["ONEBUFFER_LONG"] !== undefined ? 1 : 3);

describe("damaged files", () => {
  test.each([...kCompressions])("every truncation is DATA_LOSS, or ends between records: %j", async (compression) => {
    const file = compress[compression](kFile);
    const clean: number[] = [];
    for (let length = 0; length < file.length; length += stepOf(compression)) {
      const cut = file.subarray(0, length);
      const got: Uint8Array[] = [];
      const outcome = await code(async () => {
        for await (const record of readTFRecords(slowSource(cut, length % 2 === 0), { compression })) got.push(record);
      });
      expect(plain(got)).toEqual(plain(kRecords.slice(0, got.length)));
      if (outcome === "OK") clean.push(length);
      else expect([length, outcome]).toEqual([length, "DATA_LOSS"]);
      if (compression !== "") continue;
      const sync = await code(() => [...readTFRecordsSync(cut)]);
      const unchecked = await code(() => [...readTFRecordsSync(cut, { verifyChecksums: false })]);
      expect([sync, unchecked]).toEqual([outcome, outcome]);
    }
    // TensorFlow, too, takes a file that ends between records for whole. A compressed file of no bytes is refused.
    expect(clean).toEqual(compression === "" ? [0, 21, 37] : []);
  });

  test.each([...kCompressions])("a flipped bit is DATA_LOSS: %j", async (compression) => {
    const file = Uint8Array.from(compress[compression](kFile));
    for (let at = 0; at < file.length; at += stepOf(compression)) {
      const damaged = file.slice();
      damaged[at]! ^= 1 << (at % 8);
      const got: Uint8Array[] = [];
      const outcome = await code(async () => {
        for await (const record of readTFRecords(damaged, { compression })) got.push(record);
      });
      // Gzip's header has bytes without a meaning here: flags that are not used, the date, the system.
      if (outcome === "OK" && compression === "GZIP") expect([at < 10, plain(got)]).toEqual([true, plain(kRecords)]);
      else expect([at, outcome]).toEqual([at, "DATA_LOSS"]);
      expect(plain(got)).toEqual(plain(kRecords.slice(0, got.length)));
    }
  });

  test("the bytes of docs/formats.md", async () => {
    const file = Buffer.from(await written([bytesOf("hello")], ""));
    expect(file.toString("hex")).toBe("0500000000000000eab2043e68656c6c6fbb1f1c19");
  });

  test("several gzip members are one file where the platform takes them", async () => {
    const file = Buffer.concat([gzipSync(kFile.subarray(0, 21)), gzipSync(kFile.subarray(21))]);
    const platform = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
    const isTaken = await new Response(platform).arrayBuffer().then(
      () => true,
      () => false,
    );
    const read = (): Promise<Uint8Array[]> => collect(readTFRecords(file, { compression: "GZIP" }));
    if (isTaken) expect(plain(await read())).toEqual(plain(kRecords));
    else await expectRefusal(read, "DATA_LOSS", "the gzip data is damaged or ends early");
  });

  test("errors name the file, the record and its offset", async () => {
    const damaged = kFile.slice();
    damaged[60] = 0;
    await expectRefusal(
      () => collect(readTFRecords(slowSource(damaged, true))),
      "DATA_LOSS",
      "slow: record 2 at byte 37: the data has the masked crc32c 0x",
    );
    damaged[40] = 1;
    await expectRefusal(
      () => [...readTFRecordsSync(damaged)],
      "DATA_LOSS",
      "the bytes: record 2 at byte 37: the length has the masked crc32c 0x",
    );
    await expectRefusal(
      () => [...readTFRecordsSync(kFile.subarray(0, 30))],
      "DATA_LOSS",
      "record 1 at byte 21: the file ends after 9 of its 12 bytes",
    );
    await expectRefusal(
      () => [...readTFRecordsSync(kFile.subarray(0, 90))],
      "DATA_LOSS",
      "record 2 at byte 37: the file ends after 53 of its 56 bytes",
    );
    await expectRefusal(() => collect(readTFRecords(gzipSync(kFile))), "DATA_LOSS", "record 0");
  });

  test("without checksums, damaged data is returned, and a damaged length is still bounded", async () => {
    const damaged = kFile.slice();
    damaged[14] = 7;
    const options: TFRecordReadOptions = { verifyChecksums: false };
    expect(plain(await collect(readTFRecords(damaged, options)))[0]).toEqual([104, 101, 7, 108, 111]);
    for (const byte of [0, 3, 6, 7]) {
      const hostile = damaged.slice();
      hostile[byte] = 0xff;
      await expectRefusal(() => collect(readTFRecords(slowSource(hostile, false), options)), "DATA_LOSS", "the file ends after 93 of its");
      await expectRefusal(
        () => collect(readTFRecords(gzipSync(hostile), { ...options, compression: "GZIP" })),
        byte === 0 ? "DATA_LOSS" : "RESOURCE_EXHAUSTED",
        "record 0",
      );
    }
  });

  test("maxRecordBytes bounds what a compressed file may become", async () => {
    const bomb = gzipSync(naiveFile([new Uint8Array(1 << 20)]));
    expect(bomb.length).toBeLessThan(2000);
    await expectRefusal(
      () => collect(readTFRecords(bomb, { compression: "GZIP", maxRecordBytes: 1000 })),
      "RESOURCE_EXHAUSTED",
      "record 0 at byte 0 has 1048576 bytes; maxRecordBytes allows 1000",
    );
    expect([...readTFRecordsSync(kFile, { maxRecordBytes: 40 })].length).toBe(3);
    await expectRefusal(() => [...readTFRecordsSync(kFile, { maxRecordBytes: 39 })], "RESOURCE_EXHAUSTED", "record 2 at byte 37");
  });
});

test("a record that no memory can hold is RESOURCE_EXHAUSTED", async () => {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(2n ** 50n);
  head.writeUInt32LE(maskCrc(crc32c(head.subarray(0, 8))), 8);
  const source = {
    size: 2 ** 51,
    read: (_: number, length: number) => Promise.resolve(Uint8Array.from({ length }, (_, i) => head[i] ?? 0)),
  };
  await expectRefusal(() => readTFRecords(source).next(), "RESOURCE_EXHAUSTED", "maxRecordBytes allows 2147483647");
  await expectRefusal(
    () => readTFRecords(source, { maxRecordBytes: 2 ** 51 }).next(),
    "RESOURCE_EXHAUSTED",
    "no memory for a record of about",
  );
});

describe("refusals", () => {
  test("wrong arguments are INVALID_ARGUMENT at the call", async () => {
    const wrong: readonly (readonly [unknown, unknown])[] = [
      ["file.tfrecord", {}],
      [null, {}],
      [kFile, { offset: -1 }],
      [kFile, { offset: kFile.length + 1 }],
      [kFile, { offset: 0.5 }],
      [kFile, { compression: "gzip" }],
      [kFile, { compression: "GZIP", offset: 16 }],
      [kFile, { verifyChecksums: 1 }],
      [kFile, { maxRecordBytes: -1 }],
      [kFile, { verify: true }],
      [kFile, null],
    ];
    for (const [source, options] of wrong) expect(() => readTFRecords(source as never, options as never)).toThrow();
    for (const [source, options] of wrong) await expectRefusal(() => readTFRecords(source as never, options as never), "INVALID_ARGUMENT");
    await expectRefusal(() => readTFRecordsSync(kFile, { compression: "GZIP" } as never), "INVALID_ARGUMENT");
    await expectRefusal(() => new TFRecordWriter(new ChunkSink(), { compression: "LZ4" } as never), "INVALID_ARGUMENT", "LZ4");
    await expectRefusal(() => new TFRecordWriter("out" as never), "INVALID_ARGUMENT");
    await expectRefusal(() => new TFRecordWriter(new ChunkSink()).write("text" as never), "INVALID_ARGUMENT", "a record is a Uint8Array");
  });

  test("a signal ends reading and writing with CANCELLED", async () => {
    const controller = new AbortController();
    const reader = readTFRecords(kFile, { signal: controller.signal });
    await reader.next();
    const sink = new ChunkSink();
    const writer = new TFRecordWriter(sink, { signal: controller.signal });
    await writer.write(kRecords[0]!);
    controller.abort();
    await expectRefusal(() => reader.next(), "CANCELLED");
    await expectRefusal(() => writer.write(kRecords[0]!), "CANCELLED");
    await expectRefusal(() => writer.close(), "CANCELLED");
    await expectRefusal(() => sink.toBytes(), "FAILED_PRECONDITION");
  });

  test.each([...kCompressions])(
    "a sink that fails is aborted once, and the error is thrown by every later call: %j",
    async (compression) => {
      const full = new Error("disk full");
      const aborts: unknown[] = [];
      const sink = {
        write: () => Promise.reject(full),
        close: () => undefined,
        abort: (reason: unknown) => {
          aborts.push(reason);
          throw new Error("of no interest");
        },
      };
      const writer = new TFRecordWriter(sink, { compression });
      // Random bytes, so that the compressor has something to write.
      const large = Uint8Array.from({ length: 300_000 }, (_, i) => Math.imul(i * i, 0x9e3779b1) >>> 24);
      await expect(
        (async () => {
          // The compressor may fail while nobody waits for it.
          for (let i = 0; i < 5; i++) await writer.write(large).then(() => new Promise((resolve) => setTimeout(resolve, 10)));
          await writer.close();
        })(),
      ).rejects.toBe(full);
      await expect(writer.write(kRecords[0]!)).rejects.toBe(full);
      expect(aborts).toEqual([full]);
      await expect(writeTFRecords(sink, [large], { compression })).rejects.toBe(full);
      expect(aborts.length).toBe(2);
    },
  );

  test("an iterable that throws aborts the sink", async () => {
    const stop = new Error("stop");
    const records = function* (): Generator<Uint8Array> {
      yield kRecords[0]!;
      throw stop;
    };
    for (const compression of kCompressions) {
      const sink = new ChunkSink();
      await expect(writeTFRecords(sink, records(), { compression })).rejects.toBe(stop);
      await expectRefusal(() => sink.toBytes(), "FAILED_PRECONDITION");
    }
  });

  test("a writer that is given up during a write aborts its sink once, and writes nothing more", async () => {
    const log: string[] = [];
    const writer: TFRecordWriter = new TFRecordWriter({
      write: async () => {
        log.push("write");
        if (log.length === 1) void writer.abort("given up");
        await Promise.resolve();
      },
      close: () => void log.push("close"),
      abort: (reason) => void log.push(String(reason)),
    });
    // Longer than the buffer: each takes two writes.
    const calls = [writer.write(new Uint8Array(100_000)), writer.write(new Uint8Array(100_000))];
    const states = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect([states, log]).toEqual([
      ["rejected", "rejected"],
      ["write", "given up"],
    ]);
  });

  test("an error that ends an `await using` block is thrown once, and what was given up is not closed", async () => {
    const failing = async (compression: TFRecordCompression): Promise<void> => {
      await using writer = new TFRecordWriter(new ChunkSink(), { signal: AbortSignal.abort("enough"), compression });
      await writer.write(kRecords[0]!);
    };
    for (const compression of kCompressions) await expectRefusal(() => failing(compression), "CANCELLED", "enough");
    const sink = new ChunkSink();
    {
      await using writer = new TFRecordWriter(sink);
      await writer.abort("given up");
    }
    await expectRefusal(() => sink.toBytes(), "FAILED_PRECONDITION", "aborted");
  });

  test("a closed writer takes nothing more", async () => {
    const sink = new ChunkSink();
    {
      await using writer = new TFRecordWriter(sink);
      await writer.write(kRecords[0]!);
    }
    expect(sink.toBytes()).toEqual(kFile.subarray(0, 21));
    const writer = new TFRecordWriter(new ChunkSink());
    await writer.close();
    await expectRefusal(() => writer.write(kRecords[0]!), "FAILED_PRECONDITION", "closed");
  });
});

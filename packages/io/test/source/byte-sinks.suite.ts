// Tests ChunkSink, toByteSink and the writer over a sink: order, copies, progress, closing, aborting.
import { describe, expect, test } from "@jest/globals";
import { ChunkSink, toByteSink } from "@onebuffer/io";
import type { ByteSink, TransferProgress } from "@onebuffer/io";
import { expectRefusal } from "@onebuffer/test-support";
import fc from "fast-check";
import { PassThrough, Writable } from "node:stream";
import { writeToSink } from "../../src/source/sink-writer.ts";

describe("ChunkSink", () => {
  test("returns what was written, whatever the sizes of the writes", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { maxLength: 8 }), (sizes) => {
        const sink = new ChunkSink();
        const chunks = sizes.map((size, i) => new Uint8Array(size).map((_, k) => i + k));
        for (const chunk of chunks) sink.write(chunk);
        sink.close();
        expect(sink.size).toBe(sizes.reduce((sum, size) => sum + size, 0));
        expect(Buffer.compare(sink.toBytes(), Buffer.concat(chunks))).toBe(0);
      }),
      { numRuns: 10 },
    );
  });

  test("copies, so that the writer can use its bytes again", () => {
    const sink = new ChunkSink();
    const bytes = Uint8Array.of(1, 2);
    sink.write(bytes);
    bytes.fill(9);
    sink.write(bytes);
    sink.close();
    expect([...sink.toBytes()]).toEqual([1, 2, 9, 9]);
  });

  test("is read only when complete, and written to only before", async () => {
    const sink = new ChunkSink();
    await expectRefusal(() => sink.toBytes(), "FAILED_PRECONDITION", "open");
    await expectRefusal(() => sink.write("abc" as never), "INVALID_ARGUMENT");
    sink.close();
    await expectRefusal(() => sink.write(new Uint8Array(1)), "FAILED_PRECONDITION", "closed");
    await expectRefusal(() => sink.close(), "FAILED_PRECONDITION", "closed");
    const aborted = new ChunkSink();
    aborted.write(new Uint8Array(5));
    aborted.abort();
    await expectRefusal(() => aborted.toBytes(), "FAILED_PRECONDITION", "aborted");
    expect(aborted.size).toBe(0);
  });
});

describe("toByteSink", () => {
  test("of a sink is the sink", () => {
    const sink = new ChunkSink();
    expect(toByteSink(sink)).toBe(sink);
  });

  test("of a WritableStream copies, closes and aborts", async () => {
    const got: string[] = [];
    const underlying = {
      write: (chunk: Uint8Array): void => void got.push([...chunk].join()),
      close: (): void => void got.push("close"),
      abort: (reason: unknown): void => void got.push(`abort ${String(reason)}`),
    };
    const bytes = new Uint8Array(new SharedArrayBuffer(2));
    const sink = toByteSink(new WritableStream<Uint8Array>(underlying));
    await sink.write(bytes.fill(1));
    await sink.write(bytes.fill(2));
    await sink.close();
    const second = toByteSink(new WritableStream<Uint8Array>(underlying));
    await second.abort?.("why");
    expect(got).toEqual(["1,1", "2,2", "close", "abort why"]);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 4 }, { highWaterMark: 4 });
    const kept = toByteSink(writable);
    await kept.write(bytes.fill(3));
    bytes.fill(4);
    expect([...(await readable.getReader().read()).value!]).toEqual([3, 3]);
    await expectRefusal(() => toByteSink(writable), "INVALID_ARGUMENT", "locked");
  });

  test("of a stream of Node waits, and passes its errors on", async () => {
    const through = new PassThrough();
    const sink = toByteSink(through);
    const bytes = Uint8Array.of(1, 2);
    await sink.write(bytes);
    bytes.fill(9);
    await sink.write(bytes);
    const ended = sink.close();
    const got: number[] = [];
    for await (const chunk of through as AsyncIterable<Uint8Array>) got.push(...chunk);
    await ended;
    expect(got).toEqual([1, 2, 9, 9]);
    const failing = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done(new Error("disk full")) });
    const full = toByteSink(failing());
    await expect(full.write(bytes)).rejects.toThrow("disk full");
    await expect(full.close()).rejects.toThrow("disk full");
    const stream = failing();
    await toByteSink(stream).abort?.("why");
    expect(stream.destroyed).toBe(true);
  });

  test("of a stream of Node that was closed before all was written is an error of close", async () => {
    for (const when of ["before", "during"]) {
      const stream = new Writable({ write: (_chunk, _encoding, done) => done(), final: () => undefined });
      const sink = toByteSink(stream);
      await sink.write(Uint8Array.of(1));
      if (when === "before") stream.destroy();
      const ended = sink.close();
      stream.destroy();
      await expect(ended).rejects.toThrow(when === "before" ? "the stream is closed" : "destroyed");
    }
    const failing = new Writable({ write: (_chunk, _encoding, done) => done(), final: (done) => done(new Error("disk full")) });
    await expect(toByteSink(failing).close()).rejects.toThrow("disk full");
  });

  test("of an object with write", async () => {
    const got: unknown[] = [];
    const output = {
      got,
      write(bytes: Uint8Array): void {
        this.got.push(bytes.length);
      },
      abort(reason: unknown): void {
        this.got.push(reason);
      },
    };
    const sink = toByteSink(output);
    await sink.write(new Uint8Array(5));
    await sink.close();
    await sink.abort?.("why");
    expect(got).toEqual([5, "why"]);
    expect(toByteSink({ write: () => undefined }).abort).toBeUndefined();
  });

  test("refuses other values", async () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const output of [null, undefined, 5, [], {}, { close: () => undefined }, () => undefined, revoked.proxy])
      await expectRefusal(() => toByteSink(output as never), "INVALID_ARGUMENT", "expected a ByteSink");
    await expectRefusal(() => toByteSink("out.npy" as never), "INVALID_ARGUMENT", "fileSink");
  });
});

describe("writeToSink", () => {
  /** A sink that records what happens to it. */
  const recorder = (fails: "write" | "close" | "abort" | "" = ""): ByteSink & { readonly log: string[] } => {
    const log: string[] = [];
    const note = (what: string, text: string): void => {
      log.push(text);
      if (what === fails) throw new Error(what);
    };
    return {
      log,
      write: (bytes) => note("write", `${bytes.length}`),
      close: () => note("close", "close"),
      abort: (reason) => note("abort", `abort: ${(reason as Error).message}`),
    };
  };

  test("counts, reports and closes", async () => {
    const sink = recorder();
    const progress: TransferProgress[] = [];
    const position = await writeToSink(sink, 17, { onProgress: (p) => void progress.push(p) }, async (writer) => {
      await writer.write(new Uint8Array(12));
      expect(writer.position).toBe(12);
      await writer.write(new Uint8Array(0), "empty");
      await writer.write(new Uint8Array(5), "w");
      return writer.position;
    });
    expect([position, sink.log]).toEqual([17, ["12", "5", "close"]]);
    expect(progress).toEqual([
      { bytes: 12, totalBytes: 17 },
      { bytes: 12, totalBytes: 17, name: "empty" },
      { bytes: 17, totalBytes: 17, name: "w" },
    ]);
  });

  test("writes large arrays in pieces", async () => {
    const sink = recorder();
    const names: unknown[] = [];
    await writeToSink(sink, 0, { onProgress: ({ name }) => void names.push(name) }, (writer) =>
      writer.write(new Uint8Array((32 << 20) + 1), "w"),
    );
    expect([sink.log, names]).toEqual([
      ["16777216", "16777216", "1", "close"],
      [undefined, undefined, "w"],
    ]);
  });

  test.each([
    ["write", ["3", "abort: write"]],
    ["close", ["3", "close", "abort: close"]],
  ] as const)("aborts when %s fails", async (fails, log) => {
    const sink = recorder(fails);
    await expect(writeToSink(sink, 3, {}, (writer) => writer.write(new Uint8Array(3)))).rejects.toThrow(fails);
    expect(sink.log).toEqual(log);
  });

  test("aborts when the writer throws, and throws its error even if aborting fails", async () => {
    const sink = recorder("abort");
    const write = async (): Promise<never> => {
      throw new Error("writer");
    };
    await expect(writeToSink(sink, 3, {}, write)).rejects.toThrow("writer");
    expect(sink.log).toEqual(["abort: writer"]);
  });

  test("wrong options are refused, and the sink aborted", async () => {
    const sink = recorder();
    const write = async (): Promise<void> => undefined;
    await expectRefusal(() => writeToSink(sink, 0, { onProgress: 5 as never }, write), "INVALID_ARGUMENT", "onProgress");
    expect(sink.log).toEqual([expect.stringContaining("abort: ")]);
  });

  test("is cancelled between writes, and before the file is closed", async () => {
    for (const at of [0, 3, 6]) {
      const sink = recorder();
      const controller = new AbortController();
      const onProgress = ({ bytes }: TransferProgress): void => void (bytes === at && controller.abort("enough"));
      if (at === 0) controller.abort("enough");
      await expectRefusal(
        () =>
          writeToSink(sink, 6, { signal: controller.signal, onProgress }, async (writer) => {
            await writer.write(new Uint8Array(3));
            await writer.write(new Uint8Array(3));
          }),
        "CANCELLED",
        "writing was cancelled",
      );
      expect(sink.log.at(-1)).toContain("abort: writing was cancelled");
    }
  });
});

// Tests inflate and deflate against node:zlib: all formats, bounds, damaged data, cancelling.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { CancelledError } from "@onebuffer/base";
import { expectRefusal, expectStatus } from "@onebuffer/test-support";
import { Duplex } from "node:stream";
import { constants, createInflate, deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { deflate } from "../../src/compress/deflate.ts";
import { checkExpansion, inflate, inflateChunks, inflateInto } from "../../src/compress/inflate.ts";

const kBytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * i) >> 7);
const kFormats = [
  ["deflate", deflateSync, inflateSync],
  ["deflate-raw", deflateRawSync, inflateRawSync],
  ["gzip", gzipSync, gunzipSync],
] as const;

describe.each(kFormats)("%s", (format, compress, expand) => {
  const small = new Uint8Array(compress(kBytes));

  test("inflates what zlib deflated, from bytes, pieces and shared memory", async () => {
    expect(Buffer.compare(await inflate(small, format, kBytes.length), kBytes)).toBe(0);
    const shared = new Uint8Array(new SharedArrayBuffer(kBytes.length));
    const input = new Uint8Array(new SharedArrayBuffer(small.length));
    input.set(small);
    const pieces = Array.from({ length: Math.ceil(small.length / 1000) }, (_, i) => input.subarray(i * 1000, i * 1000 + 1000));
    await inflateInto(shared, pieces, format);
    expect(Buffer.compare(shared, kBytes)).toBe(0);
  });

  test("deflates what zlib inflates", async () => {
    expect(Buffer.compare(expand(await deflate(kBytes, format)), kBytes)).toBe(0);
    expect(expand(await deflate(new Uint8Array(0), format)).length).toBe(0);
  });

  test("refuses data that ends early, at every byte", async () => {
    const tiny = new Uint8Array(compress(Uint8Array.of(1, 2, 3, 4)));
    for (let length = 0; length < tiny.length; length++)
      await expectRefusal(() => inflate(tiny.subarray(0, length), format, 4), "DATA_LOSS", "inflate");
  });

  test("refuses an output that is longer or shorter than declared", async () => {
    await expectRefusal(() => inflate(small, format, kBytes.length - 1), "DATA_LOSS", "more than 199999");
    await expectRefusal(() => inflate(small, format, kBytes.length + 1), "DATA_LOSS", "expected 200001 bytes, got 200000");
    await expectRefusal(
      () => inflate(small, format, kBytes.length * 4000, { what: "weights.npz: x" }),
      "DATA_LOSS",
      "weights.npz: x",
      "cannot",
    );
  });
});

test("damaged data is refused with the platform's error as the cause", async () => {
  const small = gzipSync(kBytes);
  small[small.length - 8]! ^= 1;
  await expectRefusal(() => inflate(small, "gzip", kBytes.length), "DATA_LOSS", "the gzip data is damaged");
});

test("stops within one piece of a bomb", async () => {
  const bomb = gzipSync(new Uint8Array(16 << 20), { level: 1 });
  let length = 0;
  await expectRefusal(
    async () => {
      for await (const piece of inflateChunks([bomb], "gzip", 100_000)) length += piece.length;
    },
    "DATA_LOSS",
    "more than 100000",
  );
  expect(length).toBeLessThanOrEqual(100_000);
});

test("an error of the source of the pieces is thrown as it is", async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield gzipSync(kBytes).subarray(0, 100);
    throw new CancelledError("the source");
  }
  await expectRefusal(() => inflateInto(new Uint8Array(10_000_000), failing(), "gzip"), "CANCELLED", "the source");
});

test("can be left early, which ends the source of the pieces", async () => {
  let ended = false;
  const small = deflateSync(kBytes);
  function* pieces(): Generator<Uint8Array> {
    try {
      for (;;) yield small;
    } finally {
      ended = true;
    }
  }
  for await (const piece of inflateChunks(pieces(), "deflate", 1e9)) if (piece.length > 0) break;
  for (let turn = 0; turn < 100 && !ended; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(ended).toBe(true);
});

test("is cancelled by its signal", async () => {
  const signal = { aborted: true, reason: "enough" };
  await expectRefusal(
    () => inflate(gzipSync(kBytes), "gzip", kBytes.length, { signal, what: "w" }),
    "CANCELLED",
    "w was cancelled",
    "enough",
  );
  await expectRefusal(() => deflate(kBytes, "gzip", { signal }), "CANCELLED", "deflate was cancelled");
});

test("shared memory is copied for the platform's streams, which refuse it in browsers", async () => {
  const platform = globalThis as { DecompressionStream?: unknown };
  const original = platform.DecompressionStream;
  try {
    platform.DecompressionStream = class extends TransformStream<Uint8Array, Uint8Array> {
      constructor() {
        super({
          transform(chunk, controller): void {
            if (Object.prototype.toString.call(chunk.buffer) === "[object SharedArrayBuffer]") throw new TypeError("shared");
            controller.enqueue(chunk);
          },
        });
      }
    };
    const shared = new Uint8Array(new SharedArrayBuffer(100_000)).fill(7);
    expect(await inflate(shared, "gzip", 100_000)).toEqual(new Uint8Array(100_000).fill(7));
  } finally {
    platform.DecompressionStream = original;
  }
});

describe("a platform that takes the end of the input for the end of the data", () => {
  const platform = globalThis as { DecompressionStream?: unknown };
  const original = platform.DecompressionStream;
  beforeAll(() => {
    platform.DecompressionStream = class {
      constructor() {
        Object.assign(this, Duplex.toWeb(createInflate({ finishFlush: constants.Z_SYNC_FLUSH })));
      }
    };
  });
  afterAll(() => {
    platform.DecompressionStream = original;
  });
  const zlib = new Uint8Array(deflateSync(kBytes));
  const inflated = async (bytes: Uint8Array, pieceLength: number): Promise<number> => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / pieceLength) }, (_, i) =>
      bytes.subarray(i * pieceLength, (i + 1) * pieceLength),
    );
    let length = 0;
    for await (const piece of inflateChunks(pieces, "deflate", 1e9)) length += piece.length;
    return length;
  };

  test("inflates what is whole, in pieces of any length", async () => {
    for (const pieceLength of [process.env["ONEBUFFER_LONG"] === undefined ? 30 : 3, 1000, 1e6])
      expect(await inflated(zlib, pieceLength)).toBe(kBytes.length);
    expect(await inflated(new Uint8Array(deflateSync(new Uint8Array(0))), 100)).toBe(0);
    expect(await inflated(new Uint8Array(deflateSync(new Uint8Array(100_000).fill(255))), 100)).toBe(100_000);
  });

  test("refuses what ends early, wherever it ends", async () => {
    for (const length of [0, 2, 7, 100, zlib.length >> 1, zlib.length - 5, zlib.length - 4, zlib.length - 1])
      await expectRefusal(() => inflated(zlib.subarray(0, length), 1000), "DATA_LOSS", "damaged or ends early");
  });
});

test("without the platform's stream is unimplemented", async () => {
  const platform = globalThis as { DecompressionStream?: unknown };
  const original = platform.DecompressionStream;
  try {
    delete platform.DecompressionStream;
    await expectRefusal(() => inflate(new Uint8Array(9), "gzip", 3), "UNIMPLEMENTED", "DecompressionStream");
    platform.DecompressionStream = class {
      constructor() {
        throw new TypeError("unsupported format");
      }
    };
    await expectRefusal(() => inflate(new Uint8Array(9), "deflate-raw", 3), "UNIMPLEMENTED", "deflate-raw");
  } finally {
    platform.DecompressionStream = original;
  }
});

test("the declared length is checked against deflate's largest expansion", () => {
  checkExpansion(10, 10_320);
  expectStatus(() => checkExpansion(10, 10_321, "x.npz"), "DATA_LOSS", "x.npz", 10_321);
});

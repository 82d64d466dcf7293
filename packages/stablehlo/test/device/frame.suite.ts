// Frames: any division of the stream into chunks gives the same frames, and lengths that no frame has end the reading.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { FrameReader, requestFrame, words, wordsOf } from "../../src/device/frame.ts";
import { expectCode } from "../expect-code.ts";

const bytes = (...list: readonly number[]): Uint8Array => Uint8Array.from(list);

describe("frames", () => {
  test("a request has its length, id and kind before its parts", () => {
    const frame = requestFrame(0x01020304, 8, [bytes(5, 6), bytes(7)]);
    expect([...frame]).toEqual([8, 0, 0, 0, 4, 3, 2, 1, 8, 5, 6, 7]);
  });

  test("numbers are u32", () => {
    expect([...words([1, 0xffffffff])]).toEqual([1, 0, 0, 0, 255, 255, 255, 255]);
    expect(wordsOf(words([1, 0xffffffff, 0]))).toEqual([1, 0xffffffff, 0]);
    expectCode(() => wordsOf(bytes(1, 2, 3)), "DATA_LOSS");
  });

  test("frames are the same however the stream is divided", () => {
    const frame = fc.record({ id: fc.nat(0xffffffff), status: fc.nat(255), body: fc.uint8Array({ maxLength: 40 }) });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), fc.array(fc.nat(200), { maxLength: 8 }), (frames, cuts) => {
        const stream = Buffer.concat(frames.map(({ id, status, body }) => requestFrame(id, status, [body])));
        const places = [0, ...cuts.map((cut) => Math.min(cut, stream.length)), stream.length].sort((a, b) => a - b);
        const reader = new FrameReader();
        const read = places.slice(1).flatMap((end, k) => reader.read(Uint8Array.from(stream.subarray(places[k], end))));
        expect(read.map(({ id, status, body }) => [id, status, [...body]])).toEqual(
          frames.map(({ id, status, body }) => [id, status, [...body]]),
        );
      }),
      { numRuns: 50 },
    );
  });

  test.each([[[0, 0, 0, 0]], [[4, 0, 0, 0]], [[1, 0, 0, 1]], [[255, 255, 255, 255]]])("a frame of length %j is DATA_LOSS", (head) => {
    expectCode(() => new FrameReader().read(bytes(...head)), "DATA_LOSS");
  });
});

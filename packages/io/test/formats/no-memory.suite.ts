// Files whose tensors no memory can hold: RESOURCE_EXHAUSTED, and nothing is held.
import { expect, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import { dataTypeOf } from "@onebuffer/base";
import { BundleReader, openNpy } from "@onebuffer/io";
import type { ByteSource } from "@onebuffer/io";
import { bundleEntryProtoCodec, bundleHeaderProtoCodec } from "@onebuffer/proto";
import { expectRefusal } from "@onebuffer/test-support";
import { tableOf } from "../checkpoint/bundle-files.ts";
import { npy } from "../npy/npy-file.ts";

/** A file of 2^50 bytes that begins with `start`; all others are 0. */
function hugeSource(start: Uint8Array): ByteSource {
  return {
    size: 2 ** 50,
    read: async (offset, length) => {
      const bytes = new Uint8Array(length);
      bytes.set(start.subarray(offset, offset + length));
      return bytes;
    },
  };
}

/** The beginning of a column-major .npy file of 2^46 elements, whose bytes have more addresses than a process. */
const hugeArray = (descr: string): ByteSource => hugeSource(npy(descr, [2 ** 23, 2 ** 23], new Uint8Array(0), "True"));

test("a column-major array and one of texts", async () => {
  const before = liveBuffers();
  const numbers = await openNpy(hugeArray("<f4"));
  await expectRefusal(() => numbers.tensor(), "RESOURCE_EXHAUSTED", "281474976710656 bytes");
  const texts = await openNpy(hugeArray("|S3"), { strings: true });
  await expectRefusal(() => texts.tensor(), "RESOURCE_EXHAUSTED", "211106232532992 bytes");
  expect(liveBuffers()).toBe(before);
});

test("the strings of a checkpoint", async () => {
  const before = liveBuffers();
  const entry = { dtype: dataTypeOf("string"), shape: { dim: [{ size: 2 }] }, size: 2 ** 48 };
  const index = tableOf([
    [new Uint8Array(0), bundleHeaderProtoCodec.encode({ numShards: 1, version: { producer: 1 } })],
    [Buffer.from("w"), bundleEntryProtoCodec.encode(entry)],
  ]);
  const reader = await BundleReader.open((name) => (name === "m.index" ? index : hugeSource(new Uint8Array(0))), "m");
  await expectRefusal(() => reader.lookup("w"), "RESOURCE_EXHAUSTED", "281474976710656 bytes");
  expect(liveBuffers()).toBe(before);
});

/** Tests that views in decoded messages, and chunks of encoded ones, carry the memory owner of the bytes they refer to. */
import { expect, test } from "@jest/globals";
import { memoryOwnerOf, MemoryToken, withMemoryOwner } from "@onebuffer/storage/internal";
import { tensorProtoCodec } from "@onebuffer/proto";

const kCount = 100_000;

function owned<A extends object>(array: A): { array: A; owner: MemoryToken } {
  const owner = new MemoryToken(null);
  return { array: withMemoryOwner(array, owner), owner };
}

test.each([
  ["tensorContent", new Uint8Array(kCount)],
  ["floatVal", new Float32Array(kCount)],
  ["doubleVal", new Float64Array(kCount)],
])("a chunk over %s has its owner", (field, values) => {
  const { array, owner } = owned(values);
  const chunks = tensorProtoCodec.encodeChunks({ [field]: array });
  const payload = chunks.find((chunk) => chunk.buffer === values.buffer);
  expect(payload?.length).toBe(values.byteLength);
  expect(memoryOwnerOf(payload ?? {})).toBe(owner);
});

test("a chunk over the data of an unknown field has its owner", () => {
  const length = Uint8Array.of(0xa0, 0x8d, 0x06); // 100,000
  const data = new Uint8Array(length.length + kCount);
  data.set(length);
  const { array, owner } = owned(data);
  const chunks = tensorProtoCodec.encodeChunks({ unknownFields: [{ no: 1000, wireType: 2, data: array }] });
  expect(chunks.map((chunk) => memoryOwnerOf(chunk)).filter((each) => each === owner)).toHaveLength(1);
});

test("views in a decoded message have the owner of its bytes", () => {
  const bytes = tensorProtoCodec.encode({
    dtype: 7,
    stringVal: [Uint8Array.of(1, 2)],
    tensorContent: Uint8Array.of(3),
    unknownFields: [{ no: 1000, wireType: 0, data: Uint8Array.of(5) }],
  });
  const { array, owner } = owned(bytes);
  const { tensorContent, stringVal, unknownFields } = tensorProtoCodec.decode(array);
  for (const view of [tensorContent, stringVal?.[0], unknownFields?.[0]?.data]) expect(memoryOwnerOf(view ?? {})).toBe(owner);
});

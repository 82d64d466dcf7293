// Tests of damaged bytes up to the tensor: Tensor.fromProto accepts a decoded message or refuses it with a StatusError, leaks nothing,
// and compressing an accepted message keeps the bits of its elements.
import { expect, test } from "@jest/globals";
import { allDTypes, isObjectDType, isStatusError } from "@onebuffer/base";
import type { TensorProto } from "@onebuffer/core";
import { liveBuffers } from "@onebuffer/allocator";
import { compressTensorProtoInPlace, Tensor, Variant } from "@onebuffer/core";
import { tensorProtoCodec } from "@onebuffer/proto";
import fc from "fast-check";

/** Returns an encoded message of every dtype in both forms, and of variants nested in variants. */
function seeds(): Uint8Array[] {
  const all: Uint8Array[] = [];
  const add = (tensor: Tensor): void => {
    all.push(tensorProtoCodec.encode(tensor.asProtoField()), tensorProtoCodec.encode(tensor.asProtoTensorContent()));
    tensor.dispose();
  };
  for (const dtype of allDTypes) {
    if (dtype === "string") add(Tensor.from(["a", "bc", ""]));
    else if (isObjectDType(dtype)) add(Tensor.zeros([2], { dtype }));
    else add(Tensor.ones([2, 3], { dtype }));
  }
  let inner: Tensor = Tensor.from([1, 2]);
  for (let level = 0; level < 3; level += 1) {
    const outer = Tensor.zeros([2], { dtype: "variant" });
    using variant = new Variant(inner);
    outer.flat().set(0, variant);
    inner.dispose();
    inner = outer;
  }
  add(inner);
  return all;
}

const options = { maxSplatBytes: 2 ** 16, unknownVariants: "bytes" } as const;

function read(bytes: Uint8Array): TensorProto | null {
  let proto: TensorProto;
  try {
    proto = tensorProtoCodec.decode(bytes);
    Tensor.fromProto(proto, options).dispose();
    return proto;
  } catch (error) {
    if (!isStatusError(error)) throw error;
    expect(error.message.length).toBeGreaterThan(10);
    return null;
  }
}

const bits = (proto: TensorProto): string => {
  using tensor = Tensor.fromProto(proto, options);
  return Buffer.from(tensorProtoCodec.encode(tensor.asProtoField())).toString("hex");
};

test("Tensor.fromProto accepts or refuses every mutant and leaks no buffer", () => {
  const originals = seeds();
  const before = liveBuffers();
  let taken = 0;
  let compressed = 0;
  const edit = fc.record({ at: fc.nat(), kind: fc.constantFrom("set", "flip", "insert", "remove", "cut"), byte: fc.nat(255) });
  const numRuns = process.env["ONEBUFFER_LONG"] === undefined ? 500 : 4000;
  fc.assert(
    fc.property(fc.nat(originals.length - 1), fc.array(edit, { minLength: 1, maxLength: 3 }), (index, edits) => {
      const bytes = [...originals[index]!];
      for (const { at, kind, byte } of edits) {
        const place = bytes.length === 0 ? 0 : at % bytes.length;
        if (kind === "set") bytes[place] = byte;
        else if (kind === "flip") bytes[place] = (bytes[place] ?? 0) ^ (1 << (byte & 7));
        else if (kind === "insert") bytes.splice(place, 0, byte);
        else if (kind === "remove") bytes.splice(place, 1);
        else bytes.length = place;
      }
      const proto = read(Uint8Array.from(bytes));
      if (proto === null) return;
      taken += 1;
      const held = bits(proto);
      if (compressTensorProtoInPlace(proto, 1, 1)) compressed += 1;
      expect(bits(proto)).toBe(held);
    }),
    { numRuns },
  );
  expect(liveBuffers()).toBe(before);
  // Both outcomes occur often.
  expect(taken).toBeGreaterThan(numRuns / 20);
  expect(taken).toBeLessThan((numRuns * 19) / 20);
  expect(compressed).toBeGreaterThan(numRuns / 100);
});

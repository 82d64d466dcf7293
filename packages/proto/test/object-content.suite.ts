// Tests of resource handles and variants inside tensor_content, where they are serialized messages in a string list: packages/core and
// packages/proto together.
import { describe, expect, test } from "@jest/globals";
import type { TensorProto } from "@onebuffer/core";
import { liveBuffers } from "@onebuffer/allocator";
import { ResourceHandle, Tensor, Variant } from "@onebuffer/core";
import { resourceHandleProtoCodec, tensorProtoCodec, variantTensorDataProtoCodec } from "@onebuffer/proto";
import { refusalText } from "@onebuffer/test-support";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function handles(): Tensor<"resource"> {
  const tensor = Tensor.zeros([2], { dtype: "resource" });
  const shape = { dim: [{ size: 3 }] };
  ["a", "b"].forEach((name, i) => {
    using handle = ResourceHandle.fromProto({ name, dtypesAndShapes: [{ dtype: 1, shape }] });
    tensor.flat().set(i, handle);
  });
  return tensor;
}

test("each encoded handle has only its own dtypes and shapes (TensorFlow repeats those of the handles before)", () => {
  using tensor = handles();
  const { tensorContent } = tensor.asProtoTensorContent();
  const one = "1a01" + "61" + "3208" + "0801" + "1204" + "1202" + "0803";
  const two = one.replace("1a0161", "1a0162");
  expect(hex(tensorContent!)).toBe(`0d0d${one}${two}`);
  using back = Tensor.fromProto(tensorProtoCodec.decode(tensorProtoCodec.encode(tensor.asProtoTensorContent())));
  expect(back.asProtoField()).toEqual(tensor.asProtoField());
});

test("reads the handles that TensorFlow writes, with their repeated dtypes and shapes", () => {
  const dtypeAndShape = { dtype: 1, shape: { dim: [{ size: 3 }] } };
  const piled = [
    { name: "a", dtypesAndShapes: [dtypeAndShape] },
    { name: "b", dtypesAndShapes: [dtypeAndShape, dtypeAndShape] },
  ];
  const pieces = piled.map((each) => resourceHandleProtoCodec.encode(each));
  const tensorContent = Uint8Array.from([...pieces.map((piece) => piece.length), ...pieces.flatMap((piece) => [...piece])]);
  using tensor = Tensor.fromProto({ dtype: 20, tensorShape: { dim: [{ size: 2 }] }, tensorContent });
  expect((tensor as Tensor<"resource">).flat().at(1).dtypesAndShapes.length).toBe(2);
});

test("variants survive a round trip; an empty one takes no bytes", () => {
  const before = liveBuffers();
  using inner = Tensor.from([[1, 2]], { dtype: "int16" });
  using tensor = Tensor.zeros([3], { dtype: "variant" });
  using variant = new Variant(inner);
  using number = new Variant(-2, "int");
  tensor.flat().set(0, variant);
  tensor.flat().set(2, number);
  const proto = tensor.asProtoTensorContent();
  expect(proto.tensorContent?.[1]).toBe(0);
  using back = Tensor.fromProto(tensorProtoCodec.decode(tensorProtoCodec.encode(proto))) as Tensor<"variant">;
  expect((back.flat().at(0).value as Tensor).equals(inner)).toBe(true);
  expect([back.flat().at(1).isEmpty(), back.flat().at(2).get("int")]).toEqual([true, -2]);
  for (const each of [back, number, variant, tensor, inner]) each.dispose();
  expect(liveBuffers()).toBe(before);
});

test("unknown variants survive tensor content, bytes and typed fields unchanged", () => {
  const data = {
    typeName: "no.such",
    metadata: Uint8Array.of(0, 255),
    tensors: [{ dtype: 4, tensorShape: { dim: [] }, intVal: Int32Array.of(7) }],
  };
  const bytes = variantTensorDataProtoCodec.encode(data);
  const content: TensorProto = { dtype: 21, tensorContent: Uint8Array.from([bytes.length, ...bytes]) };
  expect(refusalText(() => Tensor.fromProto(content))).toMatch(/^INVALID_ARGUMENT: TensorProto\.tensorContent\[0\]: .*no\.such/);
  using tensor = Tensor.fromProto(content, { unknownVariants: "bytes" });
  expect(hex(tensor.asProtoTensorContent().tensorContent!)).toBe(hex(content.tensorContent!));
  expect(tensor.asProtoField().variantVal).toEqual([data]);
});

describe("hostile content", () => {
  test.each<[string, number, number[]]>([
    ["a message that does not parse", 20, [1, 0xff]],
    ["a message that ends early", 20, [2, 0x1a, 0x05]],
    ["a name that is not UTF-8", 20, [3, 0x1a, 0x01, 0xff]],
    ["a variant that does not parse", 21, [1, 0x0a]],
    ["an invalid tensor in a variant", 21, [2, 0x1a, 0x00]],
    ["lengths beyond the content", 21, [5, 0x0a]],
  ])("refuses %s and names the place", (_, dtype, content) => {
    const before = liveBuffers();
    const said = refusalText(() => Tensor.fromProto({ dtype, tensorContent: Uint8Array.from(content) }));
    expect(said).toMatch(/^INVALID_ARGUMENT: .*(tensorContent\[0\]: |tensorContent$)/);
    expect(liveBuffers()).toBe(before);
  });
});

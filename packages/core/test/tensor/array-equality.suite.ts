// Typed arrays that a tensor gives out, beside arrays of the program's own: test runners and consoles see no difference.
import { expect, test } from "@jest/globals";
import { inspect, isDeepStrictEqual } from "node:util";
import { Tensor } from "@onebuffer/core";

test("arrays of a tensor are equal to others of the same elements, and printed as these", () => {
  using tensor = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  const map = tensor.matrix();
  const bytes = new Uint8Array(tensor.toArrayBuffer());
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [map.data, new Float32Array([1, 2, 3, 4])],
    [map.chip(1).data, new Float32Array([3, 4])],
    [tensor.tensorData, bytes],
    [tensor.asProtoTensorContent().tensorContent, bytes],
  ];
  for (const [array, plain] of pairs) {
    expect(array).toEqual(plain);
    expect([isDeepStrictEqual(array, plain), inspect(array)]).toEqual([true, inspect(plain)]);
  }
  expect(map.data).toBe(tensor.matrix().data);
});

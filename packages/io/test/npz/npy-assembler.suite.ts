// NpyAssembler: a file that arrives in pieces of any size gives the tensor of the whole file.
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { writeNpy } from "@onebuffer/io";
import { expectStatus } from "@onebuffer/test-support";
import { NpyAssembler } from "../../src/npz/npy-assembler.ts";

/** Pieces shorter than the 12 bytes before a header's text, on both sides of them, longer, and the whole file. */
test.each([1, 5, 11, 12, 13, 64, 1000])("pieces of %d bytes give the tensor of the whole", (length) => {
  using tensor = Tensor.arange(0, 60, 1, { dtype: "int16" });
  const bytes = writeNpy(tensor);
  const assembler = new NpyAssembler(bytes.length, {});
  for (let at = 0; at < bytes.length; at += length) assembler.push(bytes.subarray(at, at + length));
  using read = assembler.finish();
  expect(read.equals(tensor as never)).toBe(true);
});

test.each([3, 11, 12, 40])("a file that ends after %d bytes of its header is DATA_LOSS", (length) => {
  using tensor = Tensor.zeros([3]);
  const assembler = new NpyAssembler(length, {});
  assembler.push(writeNpy(tensor).subarray(0, length));
  expectStatus(() => assembler.finish(), "DATA_LOSS");
  assembler.abandon();
});

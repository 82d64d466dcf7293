/**
 * Chapter 1: twelve numbers in one buffer, and five tensors that name them differently.
 */
import { bytesCopied } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { say, showBlock, showCode } from "./page.ts";
import type { Print } from "./page.ts";

/** The shapes of the opening example, all of twelve elements. */
const kShapes: readonly (readonly number[])[] = [[12], [1, 12], [3, 4], [2, 6], [3, 2, 2]];

/** Shows five tensors over the memory of one Float32Array. */
export function oneBuffer(print: Print): void {
  const copied = bytesCopied();
  const numbers = Float32Array.from({ length: 12 }, (_, i) => i + 1);
  say(
    print,
    "Twelve float32 numbers, 48 bytes, held by a Float32Array. A tensor is a shape and a reference to a buffer, " +
      "nothing else; so five shapes are five tensors, and the numbers stay where they are.",
  );
  const tensors = [Tensor.wrap(numbers, [12])];
  const [first] = tensors as [Tensor<"float32">];
  try {
    for (const shape of kShapes) {
      const tensor = shape.length === 1 ? first : first.reshape(shape);
      if (tensor !== first) tensors.push(tensor);
      print(
        `  ${tensor.shape.debugString().padEnd(10)} sharesBufferWith the first: ${tensor.sharesBufferWith(first)}, references to the buffer: ${countOf(first)}`,
      );
      showBlock(print, tensor.toString(), "      ");
    }
    print("");
    numbers[4] = 500;
    showCode(print, "numbers[4] = 500;", "// into the array");
    const [, , , , cube] = tensors;
    showCode(print, "t[3,2,2].tensor(3).at(1, 0, 0)", cube?.tensor(3).at(1, 0, 0));
    showCode(print, "bytes copied in this chapter", bytesCopied() - copied);
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

/** References to the buffer at the root of a tensor's own. */
export function countOf(tensor: Tensor): number {
  return tensor.buffer?.rootBuffer.refCount ?? 0;
}

/**
 * Chapter 1 of the tour: twelve numbers in one buffer, and five tensors of different shapes over it.
 */
import { bytesCopied } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { say, showBlock, showCode } from "./page.ts";
import type { Print } from "./page.ts";

/** The shapes of the five tensors; each has twelve elements. */
const kShapes: readonly (readonly number[])[] = [[12], [1, 12], [3, 4], [2, 6], [3, 2, 2]];

/** Shows five tensors over the memory of one Float32Array. */
export function oneBuffer(print: Print): void {
  const copied = bytesCopied();
  const numbers = Float32Array.from({ length: 12 }, (_, i) => i + 1);
  say(
    print,
    "Twelve float32 numbers, 48 bytes, in a Float32Array. A tensor is only a shape and a reference to a buffer, " +
      "so five tensors with different shapes can share these numbers.",
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
    showCode(print, "numbers[4] = 500;", "// writes into the array");
    const [, , , , cube] = tensors;
    showCode(print, "t[3,2,2].tensor(3).at(1, 0, 0)", cube?.tensor(3).at(1, 0, 0));
    showCode(print, "bytes copied in this chapter", bytesCopied() - copied);
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

/** The reference count of a tensor's root buffer; 0 for a tensor without a buffer. */
export function countOf(tensor: Tensor): number {
  return tensor.buffer?.rootBuffer.refCount ?? 0;
}

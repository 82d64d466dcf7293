/**
 * Chapter 2 of the tour: the sixteen bytes of a shape, as in TensorFlow.
 */
import { isStatusError } from "@onebuffer/base";
import { describe } from "@onebuffer/core/internal";
import { Tensor } from "@onebuffer/core";
import { TensorShape } from "@onebuffer/shape";
import { say, showBlock, showCode } from "./page.ts";
import type { Print } from "./page.ts";

/** A shape on each side of every limit, and a note about it. */
const kShapes: readonly (readonly [dims: readonly number[], note: string])[] = [
  [[], "a scalar"],
  [[3, 4], "16 bits per dimension, up to six dimensions"],
  [[65533, 2], "65533 is the largest size that fits in 16 bits"],
  [[65534, 2], "one more takes 32 bits per dimension, up to three dimensions"],
  [[4294967293], "4294967293 is the largest size that fits in 32 bits"],
  [[4294967294], "one more is stored out of line"],
  [[1, 2, 3, 4, 5, 6, 7], "seven sizes are always stored out of line"],
];

/** Shows the bytes of shapes, the seal in byte 12, and the limits of ranks and sizes. */
export function sixteenBytes(print: Print): void {
  using tensor = Tensor.zeros([3, 4]);
  showBlock(print, describe(tensor.shape).text, "  ");
  print("");
  say(
    print,
    "The sixteen bytes of other shapes. The address of sizes stored out of line is shown as 0. These shapes do not belong to a tensor, so their dtype is 0:",
  );
  print(`  ${"shape".padEnd(17)} ${"".padEnd(15)} ${Array.from({ length: 16 }, (_, i) => String(i).padStart(2)).join(" ")}`);
  for (const [dims, note] of kShapes) {
    const each = new TensorShape(dims);
    print(`  ${each.debugString().padEnd(17)} ${each.rep.padEnd(15)} ${hex(each.bytes())}`);
    print(`  ${"".padEnd(17)} ${note}`);
  }
  print("");
  say(
    print,
    "Bytes 0 to 11 hold the sizes, byte 13 the dtype, 14 the rank, 15 the representation. TensorFlow leaves byte 12 unused. Here " +
      "byte 12 is a seal: the shape of a tensor is sealed, and changing a sealed shape throws. " +
      "(bytes() shows byte 12 as 0, as in TensorFlow; describe, above, shows its real value.)",
  );
  showCode(print, "tensor.shape.isSealed", tensor.shape.isSealed);
  showCode(
    print,
    "tensor.shape.addDim(5)",
    failureOf(() => tensor.shape.addDim(5)),
  );
  const copy = tensor.shape.clone();
  copy.addDim(5);
  showCode(print, "const copy = tensor.shape.clone(); copy.addDim(5)", copy.debugString());
  print("");
  say(
    print,
    "Many notes about TensorFlow get these limits wrong: a tensor has at most 254 dimensions, not 256 (255 in byte 14 means that the " +
      "rank is unknown), and the largest sizes are 65533 in 16 bits and 4294967293 in 32 bits, not 65535 and 4294967295 (the largest " +
      "value marks an unknown size, and the test against the value below it is a strict <).",
  );
  const long = new TensorShape(new Array<number>(254).fill(1));
  showCode(print, "new TensorShape(254 times 1).dims", long.dims);
  showCode(
    print,
    "and a 255th: addDim(1)",
    failureOf(() => long.addDim(1)),
  );
}

/** Runs `act`, which must throw a StatusError, and returns the error's code. */
export function failureOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return error.code;
  }
  throw new Error("the call did not throw");
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

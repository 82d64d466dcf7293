/**
 * Chapter 2: a shape is sixteen bytes, in TensorFlow and here.
 */
import { isStatusError } from "@onebuffer/base";
import { describe, Tensor } from "@onebuffer/core";
import { TensorShape } from "@onebuffer/shape";
import { say, showBlock, showCode } from "./page.ts";
import type { Print } from "./page.ts";

/** One shape on each side of every limit, and what it shows. */
const kShapes: readonly (readonly [dims: readonly number[], note: string])[] = [
  [[], "a scalar"],
  [[3, 4], "16 bits a dimension, up to six of them"],
  [[65533, 2], "65533 is the largest that fits"],
  [[65534, 2], "one more: 32 bits a dimension, up to three"],
  [[4294967293], "4294967293 is the largest that fits"],
  [[4294967294], "one more: the sizes move out of line"],
  [[1, 2, 3, 4, 5, 6, 7], "and so do seven of any size"],
];

/** Shows the bytes of shapes, the thirteenth, and the limits. */
export function sixteenBytes(print: Print): void {
  using tensor = Tensor.zeros([3, 4]);
  showBlock(print, describe(tensor.shape).text, "  ");
  print("");
  say(
    print,
    "The same sixteen bytes for other shapes; the address of sizes that lie out of line is shown as 0, and these belong to no tensor yet, so they have no dtype:",
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
    "What is the 13th byte for? In TensorFlow byte 12 is unused: bytes 0 to 11 hold sizes, 13 the dtype, 14 the rank, 15 which " +
      "kind this is. Here it is a seal: a shape that a tensor hands out is sealed, so that nobody can change the shape under the " +
      "tensor. (bytes() shows it as 0, as TensorFlow has it; describe, above, shows it as it is.)",
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
    "Where notes about TensorFlow are often off: a tensor has at most 254 dimensions, not 256 (255 in byte 14 means that the " +
      "rank is unknown), and the sizes that fit inline end at 65533 and 4294967293, not at 65535 and 4294967295 (the largest " +
      "marks an unknown size, and the test against the one before it is a strict <).",
  );
  const long = new TensorShape(new Array<number>(254).fill(1));
  showCode(print, "new TensorShape(254 times 1).dims", long.dims);
  showCode(
    print,
    "and a 255th: addDim(1)",
    failureOf(() => long.addDim(1)),
  );
}

/** What a call that must fail fails with, cut to the page. */
export function failureOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return error.code;
  }
  throw new Error("the call was to fail and did not");
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

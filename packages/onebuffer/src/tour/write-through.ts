/**
 * Chapter 5 of the tour: a write through one view is seen in all other views, including views with another element type.
 */
import { bytesCopied } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { say, showBlock, showCode } from "./page.ts";
import type { Print } from "./page.ts";

/** Shows writes through typed maps over one buffer. */
export function writeThrough(print: Print): void {
  const copied = bytesCopied();
  using t = Tensor.zeros([2, 3]);
  say(print, "Typed views are Eigen's TensorMaps: matrix(), vec(), flat(), tensor(n), shaped([...]).");
  t.matrix().set(1, 2, 1.5);
  showCode(print, "t.matrix().set(1, 2, 1.5);");
  showCode(print, "t.flat().at(5)", t.flat().at(5));
  showCode(print, "t.shaped([3, 2]).at(2, 1)", t.shaped([3, 2]).at(2, 1));
  using row = t.subSlice(1);
  showCode(print, "t.subSlice(1).vec().at(2)", row.vec().at(2));
  const bits = t.bitCastedShaped("int32", [6]);
  showCode(print, "t.bitCastedShaped('int32', [6]).at(5)", `0x${bits.at(5).toString(16)}   // 1.5 in IEEE 754`);
  bits.set(5, 0x40490fdb);
  showCode(print, "    .set(5, 0x40490fdb);");
  showCode(print, "t.matrix().at(1, 2)", t.matrix().at(1, 2));
  row.vec().fill(7);
  showCode(print, "t.subSlice(1).vec().fill(7);");
  showBlock(print, t.toString(), "    ");
  showCode(print, "bytes copied in this chapter", bytesCopied() - copied);
}

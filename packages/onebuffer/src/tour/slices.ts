/**
 * Chapter 3: slices, what they share, and which regions a view can show.
 */
import { isStatusError } from "@onebuffer/base";
import { bytesCopied, Tensor } from "@onebuffer/core";
import { TensorSlice } from "@onebuffer/slice";
import { countOf } from "./one-buffer.ts";
import { say, showBlock, showCode } from "./page.ts";
import type { Print } from "./page.ts";

/** Regions of a [8,16] tensor in TensorFlow's slice text: `-` is a whole dimension, `2,3` starts at 2 and is 3 long. */
const REGIONS: readonly string[] = ["-:-", "2,3:-", "5,1:-", "5,1:4,8", "-:0,4"];

/** Shows slices by rows, one row, and rectangular regions. */
export function slices(print: Print): void {
  const copied = bytesCopied();
  using line = Tensor.arange(128);
  using whole = line.reshape([8, 16]);
  say(print, "A slice of rows begins somewhere in the same buffer: one shape, one offset, one more reference.", "");
  using rows = whole.slice(2, 5);
  showSlice(print, "t.slice(2, 5)", rows, whole);
  using row = whole.subSlice(3);
  showSlice(print, "t.subSlice(3)", row, whole);
  using nested = rows.slice(1, 2);
  showSlice(print, "t.slice(2, 5).slice(1, 2)", nested, whole);
  showBlock(print, nested.toString(), "      ");
  showCode(print, "references to the one buffer", countOf(whole));
  print("");
  say(print, "aligned is TensorFlow's question: does it start at a multiple of 64 bytes from the allocation's start?", "Views here ask less: a multiple of the element size will do.", "");
  say(print, "TensorFlow writes regions as text. A region is a view when its bytes lie in one run:", "");
  for (const text of REGIONS) {
    const region = TensorSlice.parse(text);
    const shape = region.sliceTensorShape(whole.shape).debugString();
    print(`  ${text.padEnd(9)} ${shape.padEnd(8)} ${regionText(whole, region)}`);
  }
  print("");
  showCode(print, "bytes copied in this chapter", bytesCopied() - copied);
}

/** Prints where a slice begins and whose bytes it shows. */
function showSlice(print: Print, code: string, slice: Tensor, whole: Tensor): void {
  const start = (slice.buffer?.byteOffset ?? 0) - (whole.buffer?.byteOffset ?? 0);
  const aligned = slice.isAligned() ? "aligned" : "not aligned";
  showCode(print, code, `${slice.shape.debugString()} from byte ${start}, ${aligned}, shares: ${slice.sharesBufferWith(whole)}`);
}

/** What asking for a region as a view gives. */
function regionText(whole: Tensor, region: TensorSlice): string {
  try {
    using view = whole.slice(region);
    return `a view: shares: ${view.sharesBufferWith(whole)}, first element ${view.flat().at(0)}`;
  } catch (error) {
    if (!isStatusError(error, "FAILED_PRECONDITION")) throw error;
    return `${error.code}: the rows' first four elements lie apart; copySlice would copy them`;
  }
}

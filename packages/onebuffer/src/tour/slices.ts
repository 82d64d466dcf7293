/**
 * Chapter 3 of the tour: slices share the buffer, and contiguous regions can be views.
 */
import { isStatusError } from "@onebuffer/base";
import { bytesCopied } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { TensorSlice } from "@onebuffer/slice";
import { countOf } from "./one-buffer.ts";
import { kPageWidth, say, showBlock, showCode, wrapped } from "./page.ts";
import type { Print } from "./page.ts";

/** Regions of an [8,12] tensor in TensorFlow's slice text: `-` is a whole dimension, `2,3` starts at 2 and has length 3. */
const kRegions: readonly string[] = ["-:-", "2,3:-", "5,1:-", "5,1:4,8", "-:0,4"];

/** Shows slices of several rows, slices of one row, and rectangular regions. */
export function slices(print: Print): void {
  const copied = bytesCopied();
  using line = Tensor.arange(96);
  using whole = line.reshape([8, 12]);
  say(print, "A slice of rows is a shape, an offset into the same buffer, and one more reference to it.");
  showSlice(print, "const t = ...", whole, whole);
  using rows = whole.slice(2, 5);
  showSlice(print, "t.slice(2, 5)", rows, whole);
  using row = whole.subSlice(4);
  showSlice(print, "t.subSlice(4)", row, whole);
  using nested = rows.slice(1, 2);
  showSlice(print, "t.slice(2, 5).slice(1, 2)", nested, whole);
  showBlock(print, nested.toString(), "      ");
  showCode(print, "references to the one buffer", countOf(whole));
  print("");
  say(
    print,
    "In TensorFlow a tensor is aligned if it starts at a multiple of 64 bytes from the allocation's start. Views here only need " +
      "a multiple of the element size.",
  );
  say(print, "TensorFlow writes regions as text. A region can be a view if its bytes are contiguous:");
  for (const text of kRegions) {
    const region = TensorSlice.parse(text);
    const shape = region.sliceTensorShape(whole.shape).debugString();
    const [first = "", ...rest] = wrapped(regionText(whole, region), kPageWidth - 21);
    print(`  ${text.padEnd(9)} ${shape.padEnd(8)} ${first}`);
    for (const line of rest) print(`${"".padEnd(21)}${line}`);
  }
  print("");
  showCode(print, "bytes copied in this chapter", bytesCopied() - copied);
}

/** Prints a bar of the bytes that a slice covers in `whole`, two characters per row, and whether the slice shares the buffer. */
function showSlice(print: Print, code: string, slice: Tensor, whole: Tensor): void {
  const start = (slice.buffer?.byteOffset ?? 0) - (whole.buffer?.byteOffset ?? 0);
  const width = 2 * whole.shape.dimSize(0);
  const scale = width / whole.totalBytes;
  const bar = "█"
    .repeat(Math.round(slice.totalBytes * scale))
    .padStart(Math.round((start + slice.totalBytes) * scale))
    .padEnd(width, "░")
    .replaceAll(" ", "░");
  const aligned = slice.isAligned() ? "aligned" : "not aligned";
  showCode(
    print,
    code,
    `${bar}  ${slice.shape.debugString()} from byte ${start}, ${aligned}, shares: ${slice.sharesBufferWith(whole)}`,
    25,
  );
}

/** Takes a region of `whole` as a view. Returns a description of the view, or the error. */
function regionText(whole: Tensor, region: TensorSlice): string {
  try {
    using view = whole.slice(region);
    return `a view, shares: ${view.sharesBufferWith(whole)}, first element ${view.flat().at(0)}`;
  } catch (error) {
    if (!isStatusError(error, "FAILED_PRECONDITION")) throw error;
    return String(error);
  }
}

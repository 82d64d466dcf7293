/**
 * Chapter 7 of the tour: the memory of one array under several XLA layouts.
 *
 * The letters and the first four layouts are the worked examples of the XLA documentation, "Shapes and Layout"
 * (the TensorFlow and OpenXLA authors, CC BY 3.0). The printed letters are read from memory that LayoutViews have filled.
 */
import { bytesCopied } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { layoutView, parseShape, ShapeUtil, tiledElementCount, tiledLinearIndex } from "@onebuffer/xla";
import type { Shape } from "@onebuffer/xla";
import { say, showBlock, showCode } from "./page.ts";
import type { Print } from "./page.ts";

const kColumnMajor = "u8[2,3]{0,1}";
const kRowMajor = "u8[2,3]{1,0}";
const kTiled = "u8[3,5]{1,0:T(2,2)}";

/** Shows the memory of small arrays under plain, padded and tiled layouts. */
export function layouts(print: Print): void {
  const copied = bytesCopied();
  say(
    print,
    "A layout is the order of an array's elements in memory: it lists the dimensions from minor to major (`minor_to_major`): {0,1} means that neighbors along dimension 0, of a column, are neighbors in memory, as in Fortran, and {1,0} that those of a row are, as in C. The array of these examples is from XLA's documentation, \"Shapes and Layout\" (TensorFlow and OpenXLA authors, CC BY 3.0):",
  );
  showBlock(print, "a b c\nd e f", "      ");
  print("");
  showMemory(print, kColumnMajor, filled(parseShape(kColumnMajor), "abcdef"), "dimension 0 is minor");
  showMemory(print, kRowMajor, filled(parseShape(kRowMajor), "abcdef"), "dimension 0 is major");
  print("");
  say(
    print,
    "In 2017 a layout could have padding: here the array takes 2 by 3 of 3 by 5 elements. A 3 by 5 array without padding, whose other elements are 0, has the same bytes:",
  );
  const layout = ShapeUtil.makeShapeWithDenseLayout("u8", [2, 3], [0, 1]).layout;
  const padded = parseShape(kColumnMajor).with({ layout: layout?.with({ paddedDimensions: [3, 5] }) ?? null });
  const [small, large] = [filled(padded, "abcdef"), filled(parseShape("u8[3,5]{0,1}"), "abc00def0000000")];
  showMemory(print, `${kColumnMajor} in [3,5]`, small);
  showMemory(print, "u8[3,5]{0,1}", large);
  showCode(print, "the same bytes", String(small) === String(large));
  print("");
  say(
    print,
    "Today a layout can have tiles: each tile of 2 by 2 elements is contiguous, with padding beyond the array's edge. The rows are abcde, fghij, klmno:",
  );
  const tiled = parseShape(kTiled);
  const memory = filled(tiled, "abcdefghijklmno");
  showMemory(print, kTiled, memory);
  const cell = tiledLinearIndex(tiled, [2, 3]);
  showCode(print, "tiledLinearIndex(shape, [2, 3])", `${cell}   // the position of ${letter(memory[cell])}`);
  print("");
  say(print, "A LayoutView reads and writes through any layout; here it writes into the memory of a tensor:");
  using tensor = Tensor.wrap(memory, [memory.length]);
  layoutView(tiled, memory).set(2, 3, "N".charCodeAt(0));
  showCode(print, "layoutView(shape, memory).set(2, 3, 'N'.charCodeAt(0));");
  showCode(print, "Tensor.wrap(memory, [24]).vec().at(17)", letter(tensor.vec().at(cell)));
  showCode(print, "bytes copied in this chapter", bytesCopied() - copied);
}

/** Returns memory for a shape, filled through a LayoutView with one letter per element, row by row; the letter "0" writes a zero. */
function filled(shape: Shape, letters: string): Uint8Array {
  const memory = new Uint8Array(tiledElementCount(shape));
  const view = layoutView(shape, memory);
  view.fillPadding();
  view.copyFrom([...letters].map((each) => (each === "0" ? 0 : each.charCodeAt(0))));
  return memory;
}

function letter(code: number | undefined): string {
  return code === undefined || code === 0 ? "0" : String.fromCharCode(code);
}

function showMemory(print: Print, shape: string, memory: Uint8Array, note: string = ""): void {
  const cells = Array.from(memory, letter).join(" ");
  print(`  ${shape.padEnd(24)} ${cells.padEnd(note === "" ? 0 : 32)} ${note}`.trimEnd());
}

/**
 * Chapter 6 of the tour: a file of 1,797 handwritten digits, written by NumPy and used in place, without a copy.
 */
import { bytesCopied } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { parseNpyHeader, readNpy } from "@onebuffer/io";
import { countOf } from "./one-buffer.ts";
import { say, showBlock, showCode } from "./page.ts";
import type { Print } from "./page.ts";
import { pictureRows, sideBySide } from "./pictures.ts";

/** The largest value of a pixel. */
const kInk = 16;
/** The number of digits that are drawn. */
const kDrawn = 4;
/** The column of the results, after the code. */
const kColumn = 36;

/** The two files of examples/data. */
export interface DigitFiles {
  /** uint8 [N,8,8], 0 to 16. */
  readonly digits: Uint8Array;
  /** uint8 [N]. */
  readonly labels: Uint8Array;
}

/** Shows the data set as tensors of several shapes over the file's bytes. */
export function digits(print: Print, files: DigitFiles): void {
  const copied = bytesCopied();
  const header = parseNpyHeader(files.digits);
  say(
    print,
    `digits.npy: ${files.digits.length} bytes, descr ${header.descr}, shape (${header.shape.join(", ")}), data from byte ${header.dataOffset}.`,
  );
  using images = readNpy(files.digits);
  using labels = readNpy(files.labels);
  const n = images.shape.dimSize(0);
  showCode(
    print,
    "const images = readNpy(bytes);",
    `${images.dtype} ${images.shape.debugString()}, ${bytesCopied() - copied} bytes copied`,
    kColumn,
  );
  using rows = images.reshape([n, 64]);
  showCode(print, `images.reshape([${n}, 64])`, `one picture per row: ${rows.shape.debugString()}`, kColumn);
  using step = images.reshape([n, 8, 8, 1]);
  showCode(print, `images.reshape([${n}, 8, 8, 1])`, `the form for a convolution: ${step.shape.debugString()}`, kColumn);
  using batch = step.slice(100, 132);
  showCode(print, "  .slice(100, 132)", `a batch of 32: ${batch.shape.debugString()}`, kColumn);
  showCode(
    print,
    "batch.sharesBufferWith(images)",
    `${batch.sharesBufferWith(images)}, ${countOf(images)} references to the file's bytes`,
    kColumn,
  );
  print("");
  say(print, `The first ${kDrawn} of the batch, each a matrix view of 64 bytes of the file:`);
  showPictures(print, batch, labels, 100);
  print("");
  say(print, "Picture 0 of the batch as a matrix over the same bytes:");
  using first = batch.subSlice(0);
  using matrix = first.reshape([8, 8]);
  showBlock(print, matrix.toString());
  print("");
  say(print, "The mean picture of every digit, computed through views (no bytes are copied):");
  showMeans(print, images, labels);
  showCode(print, "bytes copied in this chapter", bytesCopied() - copied);
}

/** Draws the first pictures of a batch [B,8,8,1]. The label of its first picture is number `start` of the labels. */
function showPictures(print: Print, batch: Tensor, labels: Tensor, start: number): void {
  const pictures: string[][] = [];
  const captions: string[] = [];
  for (let i = 0; i < kDrawn; i++) {
    using picture = batch.subSlice(i);
    using flat = picture.reshape([8, 8]);
    pictures.push(pictureRows(flat.matrix(), kInk));
    captions.push(`${start + i}: a ${String(labels.vec().at(start + i))}`);
  }
  for (const line of sideBySide(pictures, captions)) print(`    ${line}`);
}

/** Draws the mean picture of each digit, five per row. */
function showMeans(print: Print, images: Tensor, labels: Tensor): void {
  using sums = Tensor.zeros([10, 8, 8]);
  const counts = new Array<number>(10).fill(0);
  const sum = sums.tensor(3);
  const pixel = images.tensor(3);
  const label = labels.vec();
  for (let i = 0; i < label.size; i++) {
    const digit = Number(label.at(i));
    counts[digit] = (counts[digit] ?? 0) + 1;
    for (let y = 0; y < 8; y++) for (let x = 0; x < 8; x++) sum.set(digit, y, x, Number(sum.at(digit, y, x)) + Number(pixel.at(i, y, x)));
  }
  for (const from of [0, 5]) {
    const pictures: string[][] = [];
    const captions: string[] = [];
    for (let digit = from; digit < from + 5; digit++) {
      using mean = sums.subSlice(digit);
      pictures.push(pictureRows(mean.matrix(), kInk * (counts[digit] ?? 1)));
      captions.push(`${digit} (${counts[digit]})`);
    }
    for (const line of sideBySide(pictures, captions)) print(`  ${line}`);
    print("");
  }
}

/**
 * The tour: eight chapters that use the packages and print the results, and totals at the end.
 *
 * Every printed number, byte and picture is computed while the tour runs.
 */
import { bytesCopied, liveBuffers } from "@onebuffer/allocator";
import { classifier } from "./classifier.ts";
import type { ClassifierFiles } from "./classifier.ts";
import { digits } from "./digits.ts";
import { layouts } from "./layouts.ts";
import { oneBuffer } from "./one-buffer.ts";
import { heading, showCode } from "./page.ts";
import type { Print } from "./page.ts";
import { refCounts } from "./ref-counts.ts";
import { sixteenBytes } from "./sixteen-bytes.ts";
import { slices } from "./slices.ts";
import { writeThrough } from "./write-through.ts";

/** The data files of the tour, and the style of its output. */
export interface TourOptions extends ClassifierFiles {
  /** True if headings may be bold. */
  readonly color: boolean;
}

/** Runs every chapter in order, and prints the number of bytes copied and of buffers left alive. */
export function runTour(print: Print, options: TourOptions): void {
  const copied = bytesCopied();
  const live = liveBuffers();
  const chapters: readonly (readonly [title: string, chapter: (print: Print) => void])[] = [
    ["Twelve numbers, five tensors, one buffer", oneBuffer],
    ["A shape is sixteen bytes", sixteenBytes],
    ["Slices share the buffer", slices],
    ["Reference counts", refCounts],
    ["A write through one view is seen in the others", writeThrough],
    ["A real file: 1,797 handwritten digits", (line) => digits(line, options)],
    ["Layouts: other orders of the same elements", layouts],
    ["A trained model reads the digits", (line) => classifier(line, options)],
  ];
  chapters.forEach(([title, chapter], i) => {
    heading(print, i + 1, title, options.color);
    chapter(print);
  });
  heading(print, chapters.length + 1, "Totals", options.color);
  showCode(print, "bytesCopied()                       // by the whole tour", bytesCopied() - copied);
  showCode(print, "liveBuffers()                       // not freed", liveBuffers() - live);
  print("");
  print("  Your own file: npx onebuffer FILE.npy");
}

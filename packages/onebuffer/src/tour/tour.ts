/**
 * The tour: eight chapters that drive the real packages and print what they find, and the sum at the end.
 *
 * Nothing here is prepared text about results: every number, byte and picture is computed while it runs.
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

/** What the tour needs: its data, and whether headings may be bold. */
export interface TourOptions extends ClassifierFiles {
  readonly color: boolean;
}

/** Runs every chapter in order and prints what was copied and what is left alive. */
export function runTour(print: Print, options: TourOptions): void {
  const copied = bytesCopied();
  const live = liveBuffers();
  const chapters: readonly (readonly [title: string, chapter: (print: Print) => void])[] = [
    ["Twelve numbers, five tensors, one buffer", oneBuffer],
    ["A shape is sixteen bytes", sixteenBytes],
    ["Slices and what they share", slices],
    ["References, up and down", refCounts],
    ["Written through one view, seen in the others", writeThrough],
    ["A real file: 1,797 handwritten digits", (line) => digits(line, options)],
    ["Layouts: the same array, other memory", layouts],
    ["A model that works: which digit is it?", (line) => classifier(line, options)],
  ];
  chapters.forEach(([title, chapter], i) => {
    heading(print, i + 1, title, options.color);
    chapter(print);
  });
  heading(print, chapters.length + 1, "The sum", options.color);
  showCode(print, "bytesCopied()                       // by all of the tour", bytesCopied() - copied);
  showCode(print, "liveBuffers()                       // not given back", liveBuffers() - live);
  print("");
  print("  Your own file: npm start -- FILE.npy");
}

/** The work that is split: the Mandelbrot set, row by row, into a float32 matrix. */
import type { TensorMap } from "onebuffer";
import { kColumns, kRows } from "./messages.ts";

/** Paints the rows from `first` of the whole picture into the rows of `target` from `at`. Each element becomes a share of `steps`. */
export function paintRows(target: TensorMap<"float32", 2>, at: number, first: number, count: number, steps: number): void {
  for (let row = 0; row < count; row++) {
    const y = ((first + row + 0.5) / kRows - 0.5) * 2.4;
    for (let column = 0; column < kColumns; column++) {
      const x = ((column + 0.5) / kColumns) * 3.4 - 2.4;
      target.set(at + row, column, escapeSteps(x, y, steps) / steps);
    }
  }
}

/** Returns the steps after which the point leaves the circle of radius 2; `steps` if it stays. */
function escapeSteps(x: number, y: number, steps: number): number {
  let [re, im, step] = [0, 0, 0];
  while (step < steps && re * re + im * im <= 4) {
    [re, im] = [re * re - im * im + x, 2 * re * im + y];
    step++;
  }
  return step;
}

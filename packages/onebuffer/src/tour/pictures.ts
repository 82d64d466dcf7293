/**
 * Draws small gray pictures as text, with two characters per pixel, so that pixels look square.
 */
import type { ConstTensorMap } from "@onebuffer/eigen";
import type { DType } from "@onebuffer/base";

/** The texts of a pixel, from white to black. */
const kShades: readonly string[] = ["  ", "░░", "▒▒", "▓▓", "██"];

/** Returns the lines of one picture; `ink` is the value of a black pixel, 0 is white. */
export function pictureRows(pixels: ConstTensorMap<DType, 2>, ink: number): string[] {
  const rows: string[] = [];
  for (let y = 0; y < pixels.dimension(0); y++) {
    let row = "";
    for (let x = 0; x < pixels.dimension(1); x++) {
      const shade = Math.round((Number(pixels.at(y, x)) / ink) * (kShades.length - 1));
      row += kShades[Math.max(0, Math.min(shade, kShades.length - 1))] ?? "";
    }
    rows.push(row);
  }
  return rows;
}

/** Returns the lines of several pictures of equal height side by side, each with its caption below. */
export function sideBySide(pictures: readonly (readonly string[])[], captions: readonly string[]): string[] {
  const height = pictures[0]?.length ?? 0;
  const widths = pictures.map((rows) => Math.max(0, ...rows.map((row) => row.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("   ")
      .trimEnd();
  const lines = Array.from({ length: height }, (_, y) => line(pictures.map((rows) => rows[y] ?? "")));
  return [...lines, line(captions)];
}

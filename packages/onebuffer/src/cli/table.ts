/** Prints a table with aligned columns. */
import type { Print } from "./console.ts";

/** Prints a header and rows. Columns whose name begins with ">" are aligned to the right; the last column is not padded. */
export function printTable(
  print: Print,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  header: (text: string) => string,
): void {
  const names = columns.map((column) => column.replace(/^>/, ""));
  const widths = names.map((name, c) => rows.reduce((width, row) => Math.max(width, (row[c] ?? "").length), name.length));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, c) => (columns[c]?.startsWith(">") === true ? cell.padStart(widths[c] ?? 0) : cell.padEnd(widths[c] ?? 0)))
      .join("  ")
      .trimEnd();
  print(header(line(names)));
  for (const row of rows) print(line(row));
}

/** Returns a number of bytes as text: `980 B`, `1.2 kB`, `48.0 MB`. */
export function byteText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

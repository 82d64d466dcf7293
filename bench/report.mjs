// Prints results: medians, durations with units, aligned columns.

export function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Returns nanoseconds as a short text. */
export function duration(ns) {
  if (ns < 1e3) return `${ns < 10 ? ns.toFixed(2) : ns.toFixed(1)} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(2)} us`;
  return `${(ns / 1e6).toFixed(2)} ms`;
}

export function table(rows) {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map(
      (row) =>
        `  ${row
          .map((cell, i) => (i === 0 ? cell.padEnd(widths[0]) : i < 3 ? cell.padStart(widths[i]) : cell))
          .join("  ")
          .trimEnd()}`,
    )
    .join("\n");
}

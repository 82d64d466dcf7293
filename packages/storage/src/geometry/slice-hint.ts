/**
 * sliceHint: the end of a message about a wrong slice. There are three kinds of slice, and a call of one of them often has the arguments
 * of another.
 */

const kSlices = {
  rows: "tensor.slice(start, limit) takes rows of dimension 0",
  ranges: "map.slice([start, stop, step], …) takes one range per dimension (an expression; a view on a map.strided())",
  text: 'strided("start:stop:step, …") of a tensor or map takes NumPy\'s notation',
} as const;

/** Returns text that names the two kinds of slice other than `used`. */
export function sliceHint(used: keyof typeof kSlices): string {
  const others = Object.entries(kSlices).filter(([kind]) => kind !== used);
  return `. Other slices: ${others.map(([, text]) => text).join("; ")}`;
}

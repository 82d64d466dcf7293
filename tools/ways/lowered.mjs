// Lower thresholds, so that small sizes take the ways of large ones: random trees of a few hundred elements then take, and mix, ways that they
// would otherwise take for too many elements to compute thousands of trees. Pooling whose windows are all alike gave products for maps of 8,192
// elements and more; with a threshold of 8 elements, 8 of 6,000 random trees showed it.
//
// Results are the evaluator's whatever the thresholds are. A value of 0 or 1 leaves the way of small sizes to the tests without this.

/** By module: the values of constants that choose between ways, or that limit a piece, a plan or a cache. */
export const kLowered = {
  "compiler/array-loops/gathered-rows": { kLongRun: 4 },
  "compiler/array-loops/random-into": { kPiece: 64 },
  "compiler/array-loops/reversed-rows": { kLeastBytes: 16 },
  "compiler/array-loops/whole-into": { kSpareElements: 0, kSpareShare: 1 },
  "compiler/contraction/matrix-products": { kLeastWork: 1 },
  "compiler/form/kernel-columns": { kColumnChunk: 64 },
  "compiler/pieces/joined-pieces": { kSmallBytes: 64 },
  "compiler/places/staging": { kMaxStaged: 2 },
  "compiler/plan/region": { kLeastSaved: 1, kLeastRepeated: 2, kEnoughOperations: 4, kMaxOperations: 6, kMaxPasses: 2 },
  "compiler/plan/sharing": { kPlainOperands: 3 },
  "compiler/run/caches": { kRecent: 4 },
  "compiler/run/chunks": { kChunkBytes: 512 },
  "compiler/run/dispatch": { kFewElements: 0, kShortBytes: 64 },
  "compiler/run/kernel-plan": { kPeriodElements: 16 },
  "compiler/run/plan-subject": { kScanned: 2, kSmallValue: 4 },
  "compiler/windows/clipped-windows": { kLeastElements: 8 },
  "kernels/arrays/nth-elements": { kManyKeys: 8, kSortedWidth: 4, kSortedElements: 8 },
  "kernels/arrays/pieces-kernel": { kLongRun: 16 },
  "kernels/arrays/sort-kernel": { kInsertedRow: 4 },
  "kernels/calls/loop-nest": { kLongRow: 8, kBlockRows: 16 },
  "kernels/products/block-shape": { kDepth: 32 },
  "kernels/products/contract": { kDirectColumns: 16, kDirectBytes: 256 },
  "kernels/scans/scan-kernel": { kRowBytes: 64 },
};

/** Returns the text of a compiled module with lower thresholds. Throws an Error if it lacks one of the constants. */
export function lowered(text, name) {
  let result = text;
  for (const [constant, value] of Object.entries(kLowered[name] ?? {})) {
    const declaration = new RegExp(`^((?:export )?(?:const|var) ${constant} = )[^;]+;`, "m");
    if (!declaration.test(result)) throw new Error(`${name} has no constant ${constant} at its top`);
    result = result.replace(declaration, `$1${value};`);
  }
  return result;
}

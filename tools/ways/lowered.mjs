// Lower thresholds, so that small sizes take the ways of large ones: random trees of a few hundred elements then take, and mix, ways that they
// would otherwise take for too many elements to compute thousands of trees. Pooling whose windows are all alike gave products for maps of 8,192
// elements and more; with a threshold of 8 elements, 8 of 6,000 random trees showed it.
//
// Results are the evaluator's whatever the thresholds are. A value of 0 or 1 leaves the way of small sizes to the tests without this.
//
// Some numbers are conditions of the code behind them, too, and are not below these. Lists of places are of some flags (kFewElements of
// compiler/run/dispatch), runs that are reversed are at least of four vectors (kLeastRun of compiler/array-loops/reversed-rows), and a fold of
// accumulators that copies share is one tree (kMaxTree of wasm/vector/vector-schedule: the smallest of floats has three nodes).

/** By module: the values of constants that choose between ways, or that limit a piece, a plan or a cache. */
export const kLowered = {
  "compiler/array-loops/blended-rows": { kRowsOfOne: 1 },
  "compiler/array-loops/gathered-rows": { kLongRun: 4 },
  "compiler/array-loops/random-into": { kPiece: 64 },
  "compiler/array-loops/reversed-rows": { kLeastBytes: 16 },
  "compiler/array-loops/whole-into": { kSpareElements: 0, kSpareShare: 1, kSearchedDepth: 1 },
  "compiler/contraction/matrix-products": { kLeastWork: 1, kFewLines: 2 },
  "compiler/contraction/product-loops": { kShortRun: 2 },
  "compiler/form/kernel-columns": { kColumnChunk: 64, kMostAlike: 1 },
  "compiler/form/truth-reducers": { kLookBytes: 64, kFirstLookBytes: 16, kMostOnes: 3 },
  "compiler/pieces/joined-pieces": { kSmallBytes: 64, kMaxNesting: 1, kMaxKept: 4 },
  "compiler/pieces/piece-copy": { kFillBytes: 32, kMaxBlocks: 4 },
  "compiler/places/staging": { kMaxStaged: 2 },
  "compiler/plan/lowering-moves": { kMostMoves: 1 },
  "compiler/plan/lowering-product": { kManyRows: 2 },
  "compiler/plan/plan-numbers": { kMaxNumbers: 24 },
  "compiler/plan/region": {
    ...{ kLeastSaved: 1, kLeastRepeated: 2, kEnoughOperations: 4, kMaxOperations: 6, kMaxPasses: 2, kMaxReductions: 2, kMaxMoves: 2 },
  },
  "compiler/plan/row-passes": { kStoreCost: 1, kMaxBuffers: 1 },
  "compiler/plan/sharing": { kPlainOperands: 3, kCheap: 2, kMaxVisitedNodes: 4 },
  "compiler/run/caches": { kRecent: 4 },
  "compiler/run/chunks": { kChunkBytes: 512, kAligned: 4 },
  "compiler/run/dispatch": { kFewElements: 1, kShortBytes: 64 },
  "compiler/run/elementwise-fast-path": { kMaxValues: 4 },
  "compiler/run/kernel-plan": { kPeriodElements: 16, kLeastRow: 2 },
  "compiler/run/plan-pattern": { kMaxPattern: 6 },
  "compiler/run/plan-subject": { kScanned: 2, kSmallValue: 4 },
  "compiler/run/stage-plan": { kMaxNesting: 5, kMaxCopied: 256 },
  "compiler/windows/clipped-windows": { kLeastElements: 8 },
  "evaluator/compile-tree": { kMaxHeight: 3, kCostly: 2 },
  "expression/gradients/fold-by-windows": { kMostPhases: 2, kMostDepth: 2 },
  "expression/gradients/shared-extremes": { kMostElements: 3 },
  "expression/methods/convolve": { kFewFilters: 1 },
  "expression/methods/general-product": { kFewLines: 2, kLeastWork: 1 },
  "expression/tree/node-numbers": { kScanned: 2, kKept: 4 },
  "kernels/arrays/count-kernel": { kLargest: 4 },
  "kernels/arrays/nth-elements": { kManyKeys: 8, kSortedWidth: 4, kSortedElements: 8 },
  "kernels/arrays/pieces-kernel": { kLongRun: 16 },
  "kernels/arrays/sort-kernel": { kInsertedRow: 4 },
  "kernels/arrays/sorting-networks": { kWidestRow: 9, kWidestWithPlaces: 7, kLeastRows: 2, kRowsAtOnce: 2 },
  "kernels/calls/loop-nest": { kLongRow: 8, kBlockRows: 16, kShortRow: 4, kLeastRowsAcross: 2, kLeastAlong: 2 },
  "kernels/products/block-shape": { kDepth: 32 },
  "kernels/products/contract": { kDirectColumns: 16, kDirectBytes: 256 },
  "kernels/products/few-rows": { kBlockBytes: 64, kFewRows: 8, kLeastRows: 2 },
  "kernels/scans/scan-kernel": { kRowBytes: 64 },
  "linalg/dense/kernel-arithmetic": { kLeastProduct: 1 },
  "linalg/kernels/cholesky-kernel": { kPanel: 4 },
  "linalg/kernels/complex-cholesky": { kPanel: 3, kUpdatedColumns: 4 },
  "linalg/kernels/complex-lu": { kPanel: 3 },
  "linalg/kernels/complex-triangle": { kBlock: 3 },
  "linalg/kernels/lu-kernel": { kOnePanel: 4, kPanel: 4 },
  "linalg/kernels/triangle-kernel": { kBlock: 4, kLeastColumns: 2 },
  "linalg/reflect/block-reflector": { kBlock: 4 },
  "linalg/reflect/qr": { kNarrow: 2 },
  "linalg/reflect/tridiagonal": { kUpdatedColumns: 4 },
  "linalg/spectrum/bidiagonal-division": { kLeaf: 4 },
  "linalg/spectrum/tridiagonal-division": { kLeaf: 4 },
  "signal/fft/fft-plan": { kShortRow: 4, kColumnBytes: 512 },
  "signal/fft/plan-cache": { kKeptBytes: 4096 },
  "signal/fft/run-real-rows": { kBlockBytes: 256 },
  "wasm/vector/vector-schedule": { kMaxTree: 5 },
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

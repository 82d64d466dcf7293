// Mistakes, each put into the source by hand, and the check that must find it. Three of them were in the product once: a batch that is joined of
// axes which are not adjacent, a ledger that was off in some clones, and a plan within a plan.

/**
 * The mistakes: what is wrong, the file, the text and what it becomes, the test files that run, and the name of a test that must fail,
 * among others or alone.
 */
export const kMistakes = [
  {
    name: "a product walks a batch that a reshape joined with the stride of its last part alone",
    file: "packages/compiler/src/contraction/product-loops.ts",
    from: "return parts.length === 0 ? [{ size, stride: 0 }] : parts;",
    to: "return [{ size, stride: parts.at(-1)?.stride ?? 0 }];",
    tests: "packages/eigen/dist/test/kernel-agreement.test.js",
    check: /batch|joined|heads/,
  },
  {
    name: "the folders without the ledger are found anywhere in a path, also above the repository",
    file: "tools/makes-no-buffers.mjs",
    from: "return kFolders.test(relative(root, testPath));",
    to: 'return new RegExp(kFolders.source.slice(1)).test(relative("/", testPath));',
    tests: "house/running-tests.test.js",
    check: /the ledger is on wherever buffers are made/,
  },
  {
    name: "an assignment within an assignment uses the plan that is running",
    file: "packages/compiler/src/kernels.ts",
    from: "  if (state.isBusy) return false;\n  state.isBusy = true;\n  try {\n    return (boundPlan",
    to: "  state.isBusy = true;\n  try {\n    return (boundPlan",
    tests: "packages/eigen/dist/test/kernels.test.js",
    check: /an assignment within it changes neither/,
  },
  {
    name: "a shape keeps the size 65534 in 16 bits, where it means an unknown one",
    file: "packages/shape/src/tensor-shape-rep.ts",
    from: "export const kMaxRep16 = 65534;",
    to: "export const kMaxRep16 = 65536;",
    tests: "packages/shape/dist/test/shapes.test.js",
    check: /./,
  },
  {
    name: "the intersection of two slices that touch is not empty",
    file: "packages/slice/src/tensor-slice.ts",
    from: "if (length <= 0) return null;",
    to: "if (length < 0) return null;",
    tests: "packages/slice/dist/test/slices.test.js",
    check: /./,
  },
  {
    name: "a freed chunk is not merged with the free one before it",
    file: "packages/allocator/src/bfc/bfc-chunk-list.ts",
    from: "for (let before = words[joined + PREV]!; mayJoin(before); before = words[joined + PREV]!) {",
    to: "for (let before = words[joined + PREV]!; mayJoin(before) && before === 0; before = words[joined + PREV]!) {",
    tests: "packages/allocator/dist/test/allocators.test.js",
    check: /./,
  },
  {
    name: "strings of a message are not counted against the limit of objects",
    file: "packages/proto/src/wire/decode-message.ts",
    from: "        if (field.kind < Kind.STRING) reader.countObject();\n",
    to: "",
    tests: "packages/proto/dist/test/messages.test.js",
    check: /./,
  },
  {
    name: "a record whose length has a wrong checksum is read",
    file: "packages/io/src/record/record-frame.ts",
    from: "if (stored !== computed) throw this.#damaged(`the length has",
    to: "if (stored === -1) throw this.#damaged(`the length has",
    tests: "packages/io/dist/test/files.test.js",
    check: /./,
  },
  {
    name: "the roots of unity of the sixth octant have a wrong sign",
    file: "packages/signal/src/fft/unit-roots.ts",
    from: "octant >= 2 && octant < 6 ? -x : x",
    to: "octant >= 2 && octant < 5 ? -x : x",
    tests: "packages/signal/dist/test/signal.test.js",
    check: /lines of all lengths/,
  },
  {
    name: "a repeated tile is not counted in the offsets of an axis with a period",
    file: "packages/xla/src/address/axis-offsets.ts",
    from: "length < size ? offset(length) : 0,",
    to: "length > size ? offset(length) : 0,",
    tests: "packages/xla/dist/test/shapes.test.js",
    check: /./,
  },
];

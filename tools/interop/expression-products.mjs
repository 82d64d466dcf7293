// Cases, as in expression-cases.mjs, for products over any axes and for what is made of windows: contract, einsum, convolve, pooling,
// patches, resize. The elements are small whole numbers, so that all sums are exact and are compared bit for bit.
import { avgPool, convolve, einsum, extractImagePatches, maxPool, resize } from "@onebuffer/eigen";
import { encodedTensor } from "./expression-values.mjs";

const kWhole = { low: 1, high: 5, whole: true };

/** Returns random sizes, none above the limits. */
const sizesBelow = (limits, dice) => limits.map((limit) => 1 + dice.below(limit));

function* contractCases(dtype, dice) {
  const wide = [
    [[[2, 0]], [3, 2, 6], [6, 4]],
    [
      [
        [0, 2],
        [2, 0],
      ],
      [5, 4, 6],
      [6, 9, 5],
    ],
    [[], [3, 2], [4]],
    [[[0, 0]], [37], [37]],
    [[[1, 1]], [9, 33], [8, 33]],
    [[[-1, 0]], [2, 0], [0, 3]],
  ];
  // Products in blocks, of several blocks of k but for float16, whose sums would not be exact.
  const blocks = Array.from({ length: 4 }, () => {
    const [rows, columns, inner] = [4 + dice.below(20), 4 + dice.below(40), 2 + dice.below(dtype === "float16" ? 60 : 600)];
    const [isLast, isLastB] = [dice.below(2), dice.below(2)];
    return [[[isLast, isLastB]], isLast ? [rows, inner] : [inner, rows], isLastB ? [columns, inner] : [inner, columns]];
  });
  for (const [pairs, a, b] of [...wide, ...blocks]) {
    const inputs = [a, b].map((dims) => encodedTensor(dtype, dims, dice, kWhole));
    yield { op: "contract", inputs, args: [pairs], build: ([x, y]) => x.contract(y, pairs) };
  }
}

const kTexts = [
  ["ij,jk->ik", [5, 7], [7, 6]],
  ["ij,jk", [5, 7], [7, 6]],
  ["ba", [4, 5]],
  ["ii->i", [5, 5]],
  ["ii", [5, 5]],
  ["ijji->j", [3, 4, 4, 3]],
  ["bij,bjk->bik", [3, 4, 5], [3, 5, 6]],
  ["...ij,...jk->...ik", [2, 3, 4, 5], [3, 5, 2]],
  ["i...,i...->...", [4, 3], [4, 1]],
  ["ij,jk,kl->li", [4, 5], [5, 6], [6, 3]],
  ["i,j,k->kij", [3], [4], [2]],
  ["ij->", [3, 4]],
  ["abc,acd,bd->abd", [2, 3, 4], [2, 4, 5], [3, 5]],
  ["ij,jk,kl,lm->im", [6, 20], [20, 3], [3, 25], [25, 7]],
  ["ab,bc,ca->", [4, 5], [5, 6], [6, 4]],
];

function* einsumCases(dtype, dice) {
  for (const [text, ...sizes] of kTexts) {
    const inputs = sizes.map((dims) => encodedTensor(dtype, dims, dice, kWhole));
    yield { op: "einsum", inputs, args: [text], build: (list) => einsum(text, ...list) };
  }
}

/** Returns what "same" adds before and after. */
function samePads(size, window, stride, dilation) {
  const all = Math.max(0, (Math.ceil(size / stride) - 1) * stride + (window - 1) * dilation + 1 - size);
  return [Math.floor(all / 2), Math.ceil(all / 2)];
}

/** Returns random windows over random images: everything that a case needs besides its operands. */
function randomWindows(dice, spatial) {
  const windows = sizesBelow([3, 3].slice(0, spatial), dice);
  const strides = sizesBelow([3, 2].slice(0, spatial), dice);
  const dilations = strides.map((stride) => (stride > 1 ? 1 : 1 + dice.below(2)));
  const kind = ["VALID", "SAME", null][dice.below(3)];
  const image = sizesBelow([6, 5].slice(0, spatial), dice).map((size, d) => size + (windows[d] - 1) * dilations[d]);
  const pads = image.map((size, d) => {
    if (kind === "SAME") return samePads(size, windows[d], strides[d], dilations[d]);
    return kind === "VALID" ? [0, 0] : [dice.below(3), dice.below(3)];
  });
  const padding = kind === null ? pads : kind.toLowerCase();
  return { windows, strides, dilations, kind, image, pads, padding };
}

function* convolveCases(dtype, dice) {
  for (let n = 0; n < 12; n++) {
    const { windows, strides, dilations, kind, image, pads, padding } = randomWindows(dice, 1 + (n % 2));
    const [groups, perGroup, filters] = [n % 3 === 0 ? 2 : 1, 1 + dice.below(4), 1 + dice.below(6)];
    const inputs = [
      encodedTensor(dtype, [2, ...image, groups * perGroup], dice, kWhole),
      encodedTensor(dtype, [...windows, perGroup, groups * filters], dice, kWhole),
    ];
    const args = [strides, dilations, pads, groups, kind];
    const options = { strides, dilations, padding, groups };
    yield { op: "convolve", inputs, args, build: ([x, w]) => convolve(x, w, options) };
    const last = [0, ...image.map((_, d) => d + 2), 1];
    const first = [0, image.length + 1, ...image.map((_, d) => d + 1)];
    const turned = { ...options, dataFormat: "channelsFirst" };
    yield { op: "convolve", inputs, args, build: ([x, w]) => convolve(x.shuffle(first), w, turned).shuffle(last) };
  }
}

function* windowCases(dtype, dice) {
  for (let n = 0; n < 8; n++) {
    const { windows, strides, kind, image, padding } = randomWindows(dice, 2);
    const inputs = [encodedTensor(dtype, [2, ...image, 3], dice, kWhole)];
    const pads = image.map((size, d) => (kind === "SAME" ? samePads(size, windows[d], strides[d], 1) : [0, 0]));
    const [name, options] = [kind ?? "VALID", { strides, padding: kind === null ? "valid" : padding }];
    const args = [windows, strides, [1, 1], pads, name];
    yield { op: "maxPool", inputs, args, build: ([x]) => maxPool(x, windows, options) };
    if (dtype === "float32") yield { op: "avgPool", inputs, args, build: ([x]) => avgPool(x, windows, options) };
    const patchArgs = [windows, strides, [1, 1], pads];
    yield { op: "extractImagePatches", inputs, args: patchArgs, build: ([x]) => extractImagePatches(x, windows, options) };
  }
}

function* resizeCases(dtype, dice) {
  const random = Array.from({ length: 5 }, () => [[1 + dice.below(2), ...sizesBelow([9, 9, 3], dice)], sizesBelow([12, 12], dice)]);
  for (const [dims, size] of [
    ...random,
    [
      [2, 3, 4, 2],
      [7, 5],
    ],
    [
      [1, 9, 7, 3],
      [4, 3],
    ],
    [
      [1, 4, 4, 1],
      [8, 4],
    ],
    [
      [1, 1, 1, 2],
      [3, 2],
    ],
  ])
    for (const method of ["bilinear", "nearest"]) {
      const inputs = [encodedTensor(dtype, dims, dice, { low: 0, high: 99, whole: true })];
      yield { op: "resize", inputs, args: [size, method], build: ([x]) => resize(x, size, { method }) };
    }
}

/** Returns the cases of products and windows. */
export function* productCases(dice) {
  const kinds = [
    [contractCases, ["float32", "float64", "float16", "int8", "int32", "int64", "uint8"]],
    [einsumCases, ["float32", "float64", "int32", "int64"]],
    [convolveCases, ["float32", "float64", "int32"]],
    [windowCases, ["float32", "int32", "uint8"]],
    [resizeCases, ["float32", "uint8", "int32"]],
  ];
  for (const [make, dtypes] of kinds)
    for (const dtype of dtypes) for (const one of make(dtype, dice)) yield { dtype, tensorflow: true, ...one };
}

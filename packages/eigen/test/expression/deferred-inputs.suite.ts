// Convolutions, pools, resized images and composed methods are one node until something reads its operands. These are then those of the whole expression, made
// once.
import { expect, test } from "@jest/globals";
import { avgPool, convolve, einsum, evaluate, iota, maxPool, resize, tensorMap, treeOf, unsortedSegmentMean } from "@onebuffer/eigen";
import type { ExpressionTree } from "@onebuffer/eigen";
import { deferredInputs } from "@onebuffer/expression/src/tree/deferred-inputs";
import { attributesOf } from "@onebuffer/expression/src/tree/op-attributes";
import { kMaxDepth } from "@onebuffer/expression/src/methods/expression-node";
import { treeOrder } from "@onebuffer/expression/src/tree/tree-order";
import fc from "fast-check";

/** The expressions here are built from random sizes, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const image = iota("float32", [1, 8, 8, 4], 1).add(1) as Any;
const filters = iota("float32", [3, 3, 4, 8], 3) as Any;
const written = (): Any => convolve(image, filters, { padding: "same" });

/** Returns the number of operations on the longest path to a leaf. */
function depthOf({ inputs }: ExpressionTree): number {
  return inputs.reduce((depth, input) => Math.max(depth, depthOf(input) + 1), 0);
}

/** Returns all nodes of a tree as text, with the numbers of their operands. */
function text(root: ExpressionTree): string {
  const order = treeOrder([root]);
  const lines = order.map((node) => [
    node.op,
    node.dtype,
    node.dimensions,
    node.attributes,
    node.inputs.map((each) => order.indexOf(each)),
  ]);
  return JSON.stringify(lines);
}

test("a convolution has its operands when they are read", () => {
  const node = treeOf(written());
  expect(deferredInputs(node)!.from).toEqual([treeOf(image), treeOf(filters)]);
  expect([node.op, node.dtype, node.dimensions, node.attributes]).toEqual(["reshape", "float32", [1, 8, 8, 8], {}]);
  const [product] = node.inputs as [ExpressionTree];
  expect([product.op, product.dimensions]).toEqual(["matMul", [64, 8]]);
  expect(node.inputs[0]).toBe(product);
  expect(Object.isFrozen(node.inputs)).toBe(true);
});

test("a convolution that a program has frozen makes its operands once", () => {
  const node = Object.freeze(treeOf(written()));
  Object.freeze(deferredInputs(node));
  expect(node.inputs).toBe(node.inputs);
  expect(evaluate(node as never).toArray()).toEqual(evaluate(written()).toArray());
});

test("convolutions of any sizes have the sizes and the depth of their operands", () => {
  const axis = fc.record({
    size: fc.integer({ min: 1, max: 12 }),
    window: fc.integer({ min: 1, max: 3 }),
    pad: fc.tuple(fc.nat(3), fc.nat(3)),
  });
  const count = fc.integer({ min: 1, max: 3 });
  fc.assert(
    fc.property(
      fc.array(axis, { minLength: 1, maxLength: 3 }),
      count,
      count,
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      (axes, strides, dilations, last, isGrouped) => {
        const padding = axes.map(({ pad }) => pad);
        const room = axes.map(({ size, window, pad }) => size + pad[0] + pad[1] - (window - 1) * dilations - 1);
        const x = iota("float32", [2, ...axes.map(({ size }) => size), 3], 0) as Any;
        const groups = isGrouped ? 3 : 1;
        const w = iota("float32", [...axes.map(({ window }) => window), 3 / groups, last * 3], 0) as Any;
        const write = (images: Any, weights: Any): ExpressionTree =>
          treeOf(convolve(images, weights, { strides, dilations, padding, groups }));
        if (room.some((each) => each < 0)) {
          const refusal = expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining("a window of") });
          for (let turn = 0; turn < 2; turn++) expect(() => write(x, w)).toThrow(refusal);
          return;
        }
        // The later ones have other operands than the first one, whose nodes were made at once.
        for (const node of [write(x, w), write(x.add(1), w), write(x, w.mul(2).add(1))]) {
          expect(node.dimensions).toEqual([2, ...room.map((each) => Math.floor(each / strides) + 1), last * 3]);
          expect(node.depth).toBe(depthOf(node));
          const { from } = deferredInputs(node)!;
          const order = treeOrder(node.inputs, new Set(from));
          expect(order).toEqual(expect.arrayContaining([...from]));
          const patches = order.find((each) => each.op === "extractPatches")!;
          expect(attributesOf(patches, "extractPatches")).toMatchObject({
            strides: axes.map(() => strides),
            dilations: axes.map(() => dilations),
          });
        }
      },
    ),
  );
});

const map = (...dims: number[]): Any => tensorMap("float32", new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);

test.each<[name: string, write: (x: Any) => Any, root: string, dimensions: readonly number[]]>([
  ["convolve", (x) => convolve(x, filters, { padding: "same" }), "reshape", [1, 8, 8, 8]],
  ["convolve", (x) => convolve(x, map(3, 3, 2, 8), { groups: 2 }), "reshape", [1, 6, 6, 8]],
  ["convolve", (x) => convolve(x, map(3, 3, 1, 4), { groups: 4 }), "reshape", [1, 6, 6, 4]],
  ["convolve", (x) => convolve(x, map(3, 3, 8, 4), { dataFormat: "channelsFirst" }), "reshape", [1, 4, 6, 2]],
  ["maxPool", (x) => maxPool(x, 2), "max", [1, 4, 4, 4]],
  ["maxPool", (x) => maxPool(x, 3, { padding: "same", strides: 1 }), "max", [1, 8, 8, 4]],
  ["avgPool", (x) => avgPool(x, 2), "mean", [1, 4, 4, 4]],
  ["avgPool", (x) => avgPool(x, 3, { padding: "same" }), "div", [1, 3, 3, 4]],
  ["resize", (x) => resize(x, [4, 6]), "add", [1, 4, 6, 4]],
  ["resize", (x) => resize(x, [4, 8]), "add", [1, 4, 8, 4]],
  ["resize", (x) => resize(x.cast("int32"), [4, 6], { method: "nearest" }), "gather", [1, 4, 6, 4]],
  ["resize", (x) => resize(x.cast("int32"), [8, 8]), "cast", [1, 8, 8, 4]],
  ["softmax", (x) => x.softmax(), "div", [1, 8, 8, 4]],
  ["softmax", (x) => x.cast("float16").softmax(1), "div", [1, 8, 8, 4]],
  ["logSoftmax", (x) => x.logSoftmax(), "sub", [1, 8, 8, 4]],
  ["variance", (x) => x.variance([1, -1]), "mean", [1, 8]],
  ["std", (x) => x.std(), "sqrt", []],
  ["norm", (x) => x.norm(2, { keepDims: true }), "sqrt", [1, 8, 1, 4]],
  ["logSumExp", (x) => x.logSumExp([0, 1]), "reshape", [8, 4]],
  ["logSumExp", (x) => x.logSumExp([0, 1], { keepDims: true }), "add", [1, 1, 8, 4]],
  ["layerNorm", (x) => x.layerNorm(), "mul", [1, 8, 8, 4]],
  ["l2Normalize", (x) => x.l2Normalize(1, { epsilon: 1e-3 }), "mul", [1, 8, 8, 4]],
  [
    "contract",
    (x) =>
      x.contract(map(8, 4, 5).add(1), [
        [1, 0],
        [-1, 1],
      ]),
    "reshape",
    [1, 8, 5],
  ], // prettier-ignore
  ["contract", (x) => x.contract(x, [[0, 0]]), "reshape", [8, 8, 4, 8, 8, 4]],
  ["tile", (x) => x.tile([2, 1, 1, 3]), "reshape", [2, 8, 8, 12]],
  ["roll", (x) => x.roll([3, -1], [1, 3]), "concatenate", [1, 8, 8, 4]],
  ["roll", (x) => x.roll(8, 1), "reshape", [1, 8, 8, 4]],
  ["unsortedSegmentMean", (x) => unsortedSegmentMean(x.reshape([64, 4]), iota("int32", [64], 0).mod(5) as Any, 6), "div", [6, 4]], // prettier-ignore
  ["vectorProduct", (x) => x.matVec(map(4).add(2)), "reshape", [1, 8, 8]],
  ["vectorProduct", (x) => x.reshape([256]).dot(map(256).add(3)), "reshape", []],
  ["vectorProduct", (x) => x.reshape([32, 8]).matMul(map(8).add(1)), "reshape", [32]],
  [
    "vectorProduct",
    (x) =>
      map(2)
        .add(1)
        .matMul(x.reshape([16, 2, 8])),
    "reshape",
    [16, 8],
  ],
  ["vectorProduct", (x) => [x.reshape([256])].map((v) => v.dot(v))[0], "reshape", []],
])("%s is written as one node: %s", (name, write, op, dimensions) => {
  for (const x of [image, image, image.mul(2).sub(1), image]) {
    const node = treeOf(write(x));
    expect([node.op, node.dimensions, deferredInputs(node)!.name]).toEqual([op, dimensions, name]);
    expect(node.depth).toBe(depthOf(node));
    const [first, again] = [treeOf(write(x)), treeOf(write(x))];
    expect([first.attributes, first.dtype]).toEqual([node.attributes, node.dtype]);
    expect(text(again)).toBe(text(node));
    expect(evaluate(again as never).toArray()).toEqual(evaluate(node as never).toArray());
  }
});

test("more calls than are kept, which differ in their numbers alone, have sizes of their own", () => {
  const counts = [0, 1, 2, 3, 4, 5, 6];
  const cases = counts.flatMap((top) => counts.flatMap((left) => counts.map((stride) => ({ top, left, stride: stride + 1 }))));
  for (const { top, left, stride } of [...cases, ...cases]) {
    const padding: [number, number][] = [
      [top, 0],
      [0, left],
    ]; // prettier-ignore
    const dimensions = [1, Math.floor((6 + top) / stride) + 1, Math.floor((6 + left) / stride) + 1, 4];
    expect(treeOf(maxPool(image, 2, { padding, strides: stride })).dimensions).toEqual(dimensions);
  }
});

test("what a call is made from may change afterwards: lists of options are read once", () => {
  const size: [number, number] = [4, 6];
  const padding: [number, number][] = [
    [1, 1],
    [1, 1],
  ]; // prettier-ignore
  const strides = [2, 2];
  const axes = [1, 2];
  const multiples = [1, 2, 1, 1];
  const write = (): Any[] => [
    resize(image, size),
    maxPool(image, 3, { padding, strides }),
    convolve(image, filters, { padding, strides }),
    image.variance(axes),
    image.l2Normalize(axes),
    image.tile(multiples),
    image.roll([1, 2], axes),
  ];
  write();
  const [later, now] = [write(), write()];
  const wanted = now.map((each) => evaluate(each).toArray());
  size[0] = 5;
  padding[0]![0] = 2;
  strides[1] = 1;
  axes[0] = 3;
  multiples[1] = 3;
  expect(later.map((each) => evaluate(each).toArray())).toEqual(wanted);
});

test("calls with operands that other ones hide, or that return an operand, have their operands at once", () => {
  const cube = map(3, 3, 3);
  const written = (): Any[] => [convolve(cube, cube), resize(image, [8, 8]), convolve(image, filters, { outputType: "float64" })];
  written();
  expect(written().map((each) => deferredInputs(treeOf(each)))).toEqual([null, null, null]);
  expect(treeOf(resize(image, [8, 8]))).toBe(treeOf(image));
});

test("a call that is kept is refused where it would be too deep", () => {
  let deep = image;
  while (deep.depth < kMaxDepth - 3) deep = deep.neg();
  expect(() => convolve(deep, filters, { padding: "same" })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  expect(treeOf(convolve(image, filters, { padding: "same" })).op).toBe("reshape");
  const message = expect.stringContaining(`more than ${kMaxDepth} operations deep`);
  expect(() => convolve(deep, filters, { padding: "same" })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message }));
});

test("an einsum of other operands than the one that was kept is checked", () => {
  const [x, y] = [tensorMap("float32", Float32Array.of(1, 2), [2]), tensorMap("float32", Float32Array.of(3), [])] as Any[];
  for (let turn = 0; turn < 2; turn++) expect(evaluate(einsum("i,->i", x, y)).toArray()).toEqual([3, 6]);
  for (const operands of [[x], [x, y, y], []])
    expect(() => einsum("i,->i", ...(operands as Any))).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

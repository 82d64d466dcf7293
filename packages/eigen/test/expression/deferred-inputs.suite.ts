// Convolutions are one node until something reads its operands. These are then those of the whole expression, made once.
import { expect, test } from "@jest/globals";
import { convolve, evaluate, iota, tensorMap, treeOf } from "@onebuffer/eigen";
import type { ExpressionTree } from "@onebuffer/eigen";
import { deferredInputs } from "@onebuffer/expression/src/tree/deferred-inputs";
import { attributesOf } from "@onebuffer/expression/src/tree/op-attributes";
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

/** Returns the sizes of the patches that a tree has: the places of the windows, then their elements. */
function patchesOf(tree: ExpressionTree): ExpressionTree {
  return tree.op === "extractPatches" ? tree : patchesOf(tree.inputs[0]!);
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
  let deferred = 0;
  fc.assert(
    fc.property(
      fc.array(axis, { minLength: 1, maxLength: 3 }),
      count,
      count,
      fc.integer({ min: 4, max: 9 }),
      (axes, strides, dilations, last) => {
        const padding = axes.map(({ pad }) => pad);
        const room = axes.map(({ size, window, pad }) => size + pad[0] + pad[1] - (window - 1) * dilations - 1);
        const x = iota("float32", [2, ...axes.map(({ size }) => size), 3], 0) as Any;
        const w = iota("float32", [...axes.map(({ window }) => window), 3, last], 0)
          .mul(2)
          .add(1) as Any;
        const write = (): ExpressionTree => treeOf(convolve(x, w, { strides, dilations, padding }));
        if (room.some((each) => each < 0)) {
          expect(write).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining("a window of") }));
          return;
        }
        const node = write();
        if (deferredInputs(node) !== null) deferred++;
        expect(node.depth).toBe(depthOf(node));
        expect(node.dimensions).toEqual([2, ...room.map((each) => Math.floor(each / strides) + 1), last]);
        if (deferredInputs(node) === null) return;
        expect(attributesOf(patchesOf(node), "extractPatches")).toMatchObject({
          strides: axes.map(() => strides),
          dilations: axes.map(() => dilations),
        });
        expect(node.inputs[0]!.dimensions).toEqual([node.dimensions.slice(0, -1).reduce((a, b) => a * b), last]);
      },
    ),
  );
  expect(deferred).toBeGreaterThan(10);
});

test("convolutions of other forms have their operands at once", () => {
  const map = (...dims: number[]): Any => tensorMap("float32", new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);
  const others: readonly Any[] = [
    convolve(image, map(3, 3, 2, 8), { groups: 2 }),
    convolve(image, map(3, 3, 4, 2)),
    convolve(image, filters, { outputType: "float64" }),
    convolve(map(1, 4, 8, 8), filters, { dataFormat: "channelsFirst" }),
    convolve(map(0, 8, 8, 4), filters),
    convolve(map(1, 0, 8, 4), filters, {
      padding: [
        [2, 2],
        [0, 0],
      ],
    }), // prettier-ignore
  ];
  expect(others.map((each) => deferredInputs(treeOf(each)))).toEqual(others.map(() => null));
  expect(others.map((each) => treeOf(each).depth)).toEqual(others.map((each) => depthOf(treeOf(each))));
});

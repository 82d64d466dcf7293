// Structures: which expressions one program computes, and which assignments fit into one program.
import { describe, expect, test } from "@jest/globals";
import { constant, statelessUniform, tensorMap, treeOf } from "@onebuffer/eigen";
import type { DeviceAssignment, ExpressionTree, Operand, TensorMap } from "@onebuffer/eigen";
import type { DType } from "@onebuffer/base";
import { leafPlaces } from "@onebuffer/compiler/internal";
import { independentGroups } from "../../src/resident/independent-groups.ts";
import { KeptStructures, structureOf } from "../../src/backend/structure-key.ts";

type Vector = TensorMap<"float32", 1>;
const vector = (size: number = 3): Vector => tensorMap("float32", new Float32Array(size), [size]);
const keyOf = (...roots: readonly Operand<DType, number>[]): string =>
  structureOf(
    roots.map((root) => treeOf(root)),
    () => "",
  ).key;

describe("the structure of expressions", () => {
  const [a, b] = [vector(), vector()];

  test("is the same for other maps of the same kind", () => {
    expect(keyOf(a.add(b).mul(2))).toBe(keyOf(vector().add(vector()).mul(2)));
    expect(structureOf([treeOf(a.sub(b))], () => "").leaves).toEqual([a, b]);
  });

  test.each<[string, Operand<DType, number>, Operand<DType, number>]>([
    ["operation", a.add(b), a.sub(b)],
    ["operands", a.sub(b), a.sub(a)],
    ["sizes", a.neg(), vector(4).neg()],
    ["dtype", a.neg(), tensorMap("float64", new Float64Array(3), [3]).neg()],
    ["constant", a.add(1), a.add(2)],
    ["sign of zero", a.mul(0), a.mul(-0)],
    ["NaN", a.mul(0), a.mul(Number.NaN)],
    ["axes", tensorMap("float32", new Float32Array(4), [2, 2]).sum([0]), tensorMap("float32", new Float32Array(4), [2, 2]).sum([1])],
    ["flag", a.cumsum(0, { exclusive: true }), a.cumsum(0)],
    ["seed", statelessUniform("float32", [3], [1, 2]), statelessUniform("float32", [3], [1, 3])],
    ["bigint", constant("int64", 1n).add(1n), constant("int64", 1n).add(2n)],
    ["sharing", a.add(b).mul(a.add(b)), ((sum) => sum.mul(sum))(a.add(b))],
  ])("differs by %s", (_, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  test("differs by the placement of maps, and by the number and order of roots", () => {
    const place = (leaf: ExpressionTree): string => (leaf === (a as unknown) ? "x" : "");
    expect(structureOf([treeOf(a.neg())], place).key).not.toBe(structureOf([treeOf(b.neg())], place).key);
    const [sum, difference] = [a.add(b), a.sub(b)];
    expect(keyOf(sum, difference)).not.toBe(keyOf(difference, sum));
    expect(keyOf(sum)).not.toBe(keyOf(sum, sum));
  });
});

describe("kept structures", () => {
  const [a, b] = [vector(), vector()];
  const [sum, difference] = [treeOf(a.add(b)), treeOf(a.sub(b))];
  const none = (): string => "";

  test("are found again for the same expressions and placements, without a walk", () => {
    const kept = new KeptStructures();
    const first = kept.of([sum, difference], ["", "x"], none);
    const walk = (): string => {
      throw new Error("walked");
    };
    expect(kept.of([sum, difference], ["", "x"], walk)).toBe(first);
    expect(first.key).toBe(`${structureOf([sum, difference], none).key};;x`);
    expect(first.leaves).toEqual([a, b]);
  });

  test("are others for other expressions, another number of them, and other placements", () => {
    const kept = new KeptStructures();
    const keys = [
      kept.of([sum, difference], ["", ""], none).key,
      kept.of([sum, sum], ["", ""], none).key,
      kept.of([sum], [""], none).key,
      kept.of([sum], ["x"], none).key,
      kept.of([difference, sum], ["", ""], none).key,
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("independent groups", () => {
  const memory = new Float32Array(8);
  const part = (from: number, to: number): Vector => tensorMap("float32", memory.subarray(from, to), [to - from]);
  const assignment = (target: Vector, source: Operand<"float32", number>): DeviceAssignment => ({
    target: treeOf(target),
    places: leafPlaces(treeOf(target)),
    tree: treeOf(source),
  });
  const sizes = (...assignments: readonly DeviceAssignment[]): number[] => independentGroups(assignments).map((group) => group.length);

  test("a group ends before what reads a target of it", () => {
    const [a, b, c] = [vector(), vector(), vector()];
    expect(sizes(assignment(a, c.neg()), assignment(b, c.abs()), assignment(c, c.exp()))).toEqual([3]);
    expect(sizes(assignment(a, c.neg()), assignment(b, a.abs()), assignment(c, c.exp()))).toEqual([1, 2]);
    expect(sizes(assignment(a, a.neg()), assignment(a, a.neg()), assignment(a, a.neg()))).toEqual([1, 1, 1]);
  });

  test("a group ends before what writes a target of it again", () => {
    const [a, b, c] = [vector(), vector(), vector()];
    expect(sizes(assignment(a, c.neg()), assignment(b, c.abs()), assignment(a, c.exp()))).toEqual([2, 1]);
    expect(sizes(assignment(part(0, 4), vector(4)), assignment(part(3, 7), vector(4)), assignment(part(7, 8), vector(1)))).toEqual([1, 2]);
  });

  test("maps that share bytes count as the same", () => {
    expect(sizes(assignment(part(0, 4), vector(4).neg()), assignment(vector(4), part(4, 8)))).toEqual([2]);
    expect(sizes(assignment(part(0, 4), vector(4).neg()), assignment(vector(4), part(3, 7)))).toEqual([1, 1]);
    const reversed = tensorMap("float32", memory, [8]).strided("6:2:-1");
    expect(sizes(assignment(part(0, 4), vector(4).neg()), assignment(vector(4), reversed))).toEqual([1, 1]);
    expect(sizes(assignment(part(0, 3), vector(3).neg()), assignment(vector(4), reversed))).toEqual([2]);
  });
});

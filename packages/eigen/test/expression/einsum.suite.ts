// `einsum` against a naive twin that loops over all labels: both evaluators, random subscripts with diagonals, ellipses, sums, repeated axes
// of size 1 and several operands. Elements are small integers, so results are exact.
import { expect, test } from "@jest/globals";
import { einsum, evaluate, tensorMap } from "@onebuffer/eigen";
import type { Expression } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import fc from "fast-check";
import { arenaMap, Dice, layouts, subject } from "../kernel/kernel-subjects.ts";
import type { Layout } from "../kernel/kernel-subjects.ts";
import { product } from "../row-major.ts";

/** The operands here are built from random texts, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if the type argument is `true`. */
function same<_T extends true>(): void {}

/** Returns the sums for labels without ellipses: one element of the output after the other. */
function naive(labels: readonly (readonly string[])[], output: readonly string[], maps: readonly Any[]): number[] {
  const sizes = new Map<string, number>();
  labels.forEach((list, k) => {
    list.forEach((label, d) => sizes.set(label, Math.max(sizes.get(label) ?? 1, maps[k].dimensions[d])));
  });
  const all = [...output, ...[...sizes.keys()].filter((label) => !output.includes(label))];
  const numbers = product(output.map((label) => sizes.get(label) as number));
  const sums = new Array<number>(numbers).fill(0);
  const index = new Map<string, number>();
  const walk = (d: number, place: number): void => {
    if (d === all.length) {
      const at = (map: Any, k: number): number =>
        map.at(...labels[k]!.map((label, axis) => (map.dimensions[axis] === 1 ? 0 : (index.get(label) as number))));
      sums[place]! += maps.reduce((value, map, k) => value * at(map, k), 1);
      return;
    }
    const size = sizes.get(all[d]!) as number;
    for (let i = 0; i < size; i++) {
      index.set(all[d]!, i);
      walk(d + 1, d < output.length ? place * size + i : place);
    }
  };
  walk(0, 0);
  return sums;
}

const unsigned = (value: number): number => (value === 0 ? 0 : value);

/** Expects both evaluators to compute these elements. */
function agrees(expr: Any, wanted: readonly number[]): void {
  const [plain, out] = [arenaMap(expr.dtype, expr.dimensions) as Any, arenaMap(expr.dtype, expr.dimensions) as Any];
  assignByReference(plain, expr);
  out.assign(expr);
  expect([...plain].map(unsigned)).toEqual(wanted.map(unsigned));
  expect([...out].map(unsigned)).toEqual(wanted.map(unsigned));
}

const kLabels = ["a", "B", "c", "d"];
const operand = fc.record({
  labels: fc.array(fc.constantFrom(...kLabels), { maxLength: 3 }),
  ones: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 3 }),
  dots: fc.integer({ min: 0, max: 2 }),
  place: fc.nat(3),
  layout: fc.constantFrom<Layout>(...layouts),
});
const cases = fc.record({
  operands: fc.array(operand, { minLength: 1, maxLength: 4 }),
  sizes: fc.tuple(fc.nat(4), fc.nat(4), fc.nat(4), fc.nat(4)),
  output: fc.option(fc.shuffledSubarray(kLabels), { nil: null }),
  hasDots: fc.boolean(),
  seed: fc.nat(),
});

test("einsum agrees with loops over all labels", () => {
  fc.assert(
    fc.property(cases, ({ operands, sizes, output, hasDots, seed }) => {
      const dice = new Dice(seed);
      const sizeOf = (label: string): number => (/\d/.test(label) ? 2 : 1 + (sizes[kLabels.indexOf(label)] as number));
      const terms = operands.map(({ labels, ones, dots, place }) => {
        const at = Math.min(place, labels.length);
        const names = Array.from({ length: hasDots ? dots : 0 }, (_, d) => String(dots - 1 - d));
        const text = hasDots ? `${labels.slice(0, at).join("")}...${labels.slice(at).join("")}` : labels.join("");
        const all = labels.toSpliced(at, 0, ...names);
        // A label that occurs once in its operand may have size 1 there: it is then repeated.
        const dims = all.map((label, d) => (ones[d % 3] === 0 && all.indexOf(label) === all.lastIndexOf(label) ? 1 : sizeOf(label)));
        return { text, all, dims };
      });
      const used = terms.flatMap(({ all }) => all);
      const most = Math.max(0, ...used.filter((label) => /\d/.test(label)).map((label) => Number(label) + 1));
      const dots = Array.from({ length: most }, (_, d) => String(most - 1 - d));
      const kept = output?.filter((label) => used.includes(label));
      const once = [...new Set(used)].filter((label) => !/\d/.test(label) && used.indexOf(label) === used.lastIndexOf(label)).sort();
      const text = `${terms.map((term) => term.text).join(", ")}${kept === undefined ? "" : ` -> ${hasDots ? "..." : ""}${kept.join("")}`}`;
      const maps = terms.map(({ dims }, k) => subject("float32", dims, operands[k]!.layout, dice, (d) => d.below(5) - 2) as Any);
      agrees(
        einsum(text as string, ...maps),
        naive(
          terms.map(({ all }) => all),
          [...dots, ...(kept ?? once)],
          maps,
        ),
      );
    }),
    { numRuns: isLong ? 60 : 8, seed: 3 },
  );
});

const map = (dims: readonly number[]): Any => subject("float32", dims, "dense", new Dice(7), (dice) => dice.below(5) - 2);

test("the pair with the smallest result is multiplied first", () => {
  const [a, b, c] = [map([30, 4]), map([4, 40]), map([40, 5])];
  const expr = einsum("ij,jk,kl->il", a, b, c) as Any;
  const products = explain(expr).steps.filter(({ by }) => by === "contraction");
  expect(products.map(({ flops }) => flops)).toEqual([2 * 4 * 40 * 5, 2 * 30 * 4 * 5]);
  agrees(expr, naive([["i", "j"], ["j", "k"], ["k", "l"]], ["i", "l"], [a, b, c])); // biome-ignore format: labels
});

test.each(["ij,jk->ki", "ji,jk->ki", "bij,bjk->bik", "bij,bkj->bki", "ibj,bjk->bik"])("%s is one product, without a copy", (text) => {
  const [left = "", right = ""] = text.split(/,|->/);
  const maps = [left, right].map((labels) => map([...labels].map((label) => ({ b: 3, i: 12, j: 9, k: 8 })[label] as number)));
  const expr = einsum(text, ...maps) as Any;
  expect(explain(expr).steps.map(({ by }) => by)).toEqual(["contraction"]);
  agrees(expr, naive([[...left], [...right]], [...text.split("->")[1]!], maps));
});

test("the ranks of results are types", () => {
  const [a, x] = [tensorMap("float32", new Float32Array(4), [2, 2]), tensorMap("float32", new Float32Array(2), [2])];
  const vector = einsum("ij, j -> i", a, x);
  const scalar = einsum("ii->", a);
  const implicit = einsum("ij,jk", a, a);
  const dots = einsum("...i->...", a);
  same<Equal<typeof vector, Expression<"float32", 1>>>();
  same<Equal<typeof scalar, Expression<"float32", 0>>>();
  same<Equal<typeof implicit, Expression<"float32", number>>>();
  same<Equal<typeof dots, Expression<"float32", number>>>();
  expect([vector, scalar, implicit, dots].map(({ rank }) => rank)).toEqual([1, 0, 2, 1]);
});

test("one text serves operands of other ranks, and is refused again where it does not fit", () => {
  const sums = (dims: readonly number[]): readonly number[] => (einsum("...i->...", map(dims)) as Any).dimensions;
  for (let round = 0; round < 2; round++) {
    expect([sums([4]), sums([2, 3, 4]), sums([3, 4]), sums([4])]).toEqual([[], [2, 3], [3], []]);
    expect((einsum("ii->i", map([3, 3])) as Any).dimensions).toEqual([3]);
    for (const dims of [[3], [3, 3, 3], [3, 4]]) expect(() => einsum("ii->i", map(dims))).toThrow('einsum("ii->i")');
    expect(() => einsum("ii->i", map([3, 3]), map([3, 3]))).toThrow("the text has 1 operand, the call has 2");
    expect(() => einsum("ij->ii", map([3, 3]))).toThrow("the output has the label i twice");
  }
});

test("texts beyond the number that is remembered are parsed as before", () => {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const texts = letters.flatMap((a) => letters.slice(0, 12).flatMap((b) => (a === b ? [] : [`${a}${b}->${b}${a}`])));
  expect(texts.length).toBeGreaterThan(256);
  for (const text of [...texts, ...texts.slice(0, 9)]) expect((einsum(text, map([2, 3])) as Any).dimensions).toEqual([3, 2]);
});

test("an operand alone is an expression of it", () => {
  const a = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
  const expr = einsum("ij", a);
  expect([expr === (a as unknown), evaluate(expr).toArray()]).toEqual([false, [[1, 2], [3, 4]]]); // biome-ignore format: elements
});

test.each<[text: unknown, sizes: readonly (readonly number[])[], message: string]>([
  [7, [[2]], "Expected the subscripts of einsum as a text, got 7"],
  ["ij->ij->i", [[2, 2]], 'einsum("ij->ij->i"): "->" is there twice'],
  ["ij,jk", [[2, 2]], 'einsum("ij,jk"): the text has 2 operands, the call has 1'],
  ["i1", [[2, 2]], 'einsum("i1"): "1" is not a letter or "..."'],
  ["i.j", [[2, 2]], '"." is not a letter or "..."'],
  ["...i...", [[2, 2]], '"...i..." has two ellipses'],
  ["ijk", [[2, 2]], '"ijk" has 3 labels, the operand float32 [2, 2] has 2 axes'],
  ["i", [[2, 2]], '"i" has 1 label, the operand float32 [2, 2] has 2 axes'],
  ["...ijk", [[2, 2]], '"...ijk" has 3 labels'],
  ["ij->ii", [[2, 2]], "the output has the label i twice"],
  ["ij->k", [[2, 2]], "the output has the label k, which no operand has"],
  ["...j->j", [[2, 2]], "the output lacks the ellipsis, which stands for 1 axis here"],
  ["ij,jk", [[2, 3], [2, 3]], "the label j has sizes 3 and 2, the latter in float32 [2, 3]"], // biome-ignore format: sizes
  ["...,...", [[3], [2]], "an axis of the ellipsis has sizes 3 and 2"],
  ["ii", [[2, 3]], "the label i has sizes 2 and 3"],
  ["ii", [[1, 3]], "the label i has sizes 1 and 3 in float32 [1, 3]"],
])("einsum(%j) of %j is refused", (text, sizes, message) => {
  const call = (): unknown => einsum(text as string, ...sizes.map((dims) => map(dims)));
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }));
});

test("einsum refuses operands that are no operands, of different dtypes, and without arithmetic", () => {
  const a = tensorMap("float32", new Float32Array(2), [2]);
  const b = tensorMap("int32", new Int32Array(2), [2]);
  expect(() => einsum("i", 3 as never)).toThrow("einsum: 3 is not a map, an expression or a tensor");
  expect(() => einsum("i,i", a, b as never)).toThrow("einsum(float32 [2], int32 [2]): the operands have different dtypes");
  expect(() => einsum("i", a.less(1) as never)).toThrow("einsum(bool [2]): einsum is not defined for bool");
});

test.each(["ii->", "ii->i", "ij,jk->ik", "ij,jk,kl->li", "iji->j", "...i->..."])(
  "einsum %s does not freeze the nodes that it makes",
  (text) => {
    const operand = (rank: number): unknown => tensorMap("float32", new Float32Array(2 ** rank), new Array<number>(rank).fill(2));
    const terms = text.split("->")[0]!.split(",");
    // Freezing the lists of a node takes longer than making the node. Code that reads lists from outside does it (expression-node.ts).
    const frozen = (node: { readonly shown?: object | null; readonly rawInputs?: readonly never[]; readonly op: string }): string[] => [
      ...((node.shown ?? null) === null ? [] : [node.op]),
      ...(node.rawInputs ?? []).flatMap(frozen),
    ];
    const made = einsum(text as never, ...(terms.map((term) => operand(term.replace("...", "ab").length)) as never[]));
    expect(frozen(made as never)).toEqual([]);
  },
);

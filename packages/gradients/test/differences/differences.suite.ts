// The gradients of every operation and every composed operation beside differences in float64: operands that are broadcast, empty or of
// one element, in every layout; and the gradients of these gradients.
import { expect, test } from "@jest/globals";
import * as eigen from "@onebuffer/eigen";
import { constant, opNames, treeOf } from "@onebuffer/eigen";
import type { OpName } from "@onebuffer/eigen";
import { otherNames, treeOrder } from "@onebuffer/expression/internal";
import { checkGradients, gradients } from "@onebuffer/gradients";
import { isLong, sampled } from "@onebuffer/test-support";
import { compositeNames, compositeSubjects, otherFunctions, otherMembers } from "./composite-subjects.ts";
import { elementwiseSubjects, flat } from "./elementwise-subjects.ts";
import { checkSubject, isDifferentiable, laid, layouts } from "./subject.ts";
import type { Built, Subject } from "./subject.ts";
import { wholeSubjects } from "./whole-subjects.ts";

const groups: readonly (readonly [string, readonly Subject[]])[] = [
  ["elementwise operations", elementwiseSubjects],
  ["other operations", wholeSubjects],
  ["composed operations", compositeSubjects],
];
const subjects = groups.flatMap(([, list]) => list);

/** More elements than this take long: each is moved four times, and those between the elements of a layout too. */
const kMany = 24;

/**
 * The layouts in which a subject is compared, in turn: two in the long form, otherwise one, and of many elements the dense one, which is
 * the first.
 */
function layoutsOf(k: number, { operands }: Subject): typeof layouts {
  const count = operands.reduce((sum, { dims }) => sum + dims.reduce((all, size) => all * size, 1), 0);
  if (isLong) return [0, 3].map((add) => layouts[(k + add) % layouts.length]!);
  return [layouts[count > kMany ? 0 : k % layouts.length]!];
}

const failuresOf = (list: readonly Subject[], check: (subject: Subject) => void): string[] =>
  list.flatMap((subject) => {
    try {
      check(subject);
      return [];
    } catch (error) {
      return [`${subject.name}: ${(error as Error).message}`];
    }
  });

test.each(groups)("the gradients of %s are those of differences", (_, list) => {
  const failures = failuresOf(sampled(list, 3), (subject) => {
    const k = list.indexOf(subject);
    for (const layout of layoutsOf(k, subject)) checkSubject(subject, layout, k + 1);
  });
  expect(failures).toEqual([]);
});

/** Returns the gradients of the sum of squares of a subject. */
function gradientsOf({ operands, make }: Subject, k: number): { readonly gs: readonly Built[]; readonly xs: readonly Built[] } {
  const xs = laid(operands, layouts[0]!, k + 1).map(({ view }) => view);
  const y = make(...xs);
  return { gs: gradients((y.dtype === "complex128" ? y.real() : y).square().sum(), xs as never), xs };
}

test.each(groups)("the gradients of gradients of %s are those of differences", (_, list) => {
  const some = list.filter(({ options }) => options === undefined);
  const failures = failuresOf(sampled(some, 2), (subject) => {
    const { gs, xs } = gradientsOf(subject, list.indexOf(subject));
    for (const g of gs) checkGradients(g, xs, { unconnected: "zero" });
  });
  expect(failures).toEqual([]);
});

test("the subjects have every operation with a gradient", () => {
  const seen = new Set<OpName>();
  for (const { operands, make } of subjects) {
    const xs = laid(operands, layouts[0]!, 1).map(({ view }) => view);
    for (const { op } of treeOrder([treeOf(make(...xs))])) seen.add(op);
  }
  expect(opNames().filter((op) => isDifferentiable(op) && !seen.has(op))).toEqual([]);
});

test("the subjects have every composed method and function, or it is listed as one without a gradient", () => {
  const members = new Set<string>();
  const e: object = constant("float64", 1, [2, 2]).exp();
  for (let each = Object.getPrototypeOf(e); each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const name of Object.getOwnPropertyNames(each)) members.add(name);
  }
  const refused = Object.getOwnPropertyNames(otherNames);
  const known = new Set<string>([...opNames(), ...compositeNames.methods, ...otherMembers, ...refused]);
  expect([...members].filter((name) => !known.has(name))).toEqual([]);
  const knownFunctions = new Set<string>([...compositeNames.functions, ...Object.values(otherFunctions).flat()]);
  const all = Object.entries(eigen).filter(([, value]) => typeof value === "function");
  expect(all.map(([name]) => name).filter((name) => !knownFunctions.has(name))).toEqual([]);
});

test.each(flat)("the gradient of %s is 0", (name) => {
  const [op, dtype] = name.split(" ") as [string, "float64"];
  const x: Built = laid([{ dims: [2], dtype }], layouts[0]!, 1)[0]!.view;
  expect(() => gradients(x[op]().sum(), [x] as never)).toThrow(
    `depends on variable 0, float64 [2], only through ${op}, which has no gradient`,
  );
});

test("the operations without a gradient are these", () => {
  const sources = new Set(["leaf", "generator", "random"].flatMap((each) => opNames(each as "leaf")));
  expect(opNames().filter((op) => !isDifferentiable(op) && !sources.has(op))).toEqual([
    ...["floor", "ceil", "round", "isNan", "isInf", "isFinite", "logicalNot", "invert", "populationCount", "floorDiv"],
    ...["equal", "notEqual", "less", "lessEqual", "greater", "greaterEqual", "logicalAnd", "logicalOr", "logicalXor"],
    ...["bitwiseAnd", "bitwiseOr", "bitwiseXor", "leftShift", "rightShift", "any", "all", "argmax", "argmin", "argsort"],
  ]);
});

// checkOptions: what it accepts, and what its messages say.
import { expect, test } from "@jest/globals";
import { checkOptions } from "@onebuffer/base/internal";
import { refusal } from "@onebuffer/test-support";

const known = ["dtype", "shape", "copy", "release"];
const messageOf = (options: unknown): string => refusal(() => checkOptions("call", options, known)).message;

test("objects with known keys pass, whatever their values", () => {
  const values = [{}, { dtype: undefined }, Object.create(null), Object.create({ shape: 1 }), { copy: 1, release: null }];
  for (const options of values) expect(() => checkOptions("call", options, known)).not.toThrow();
});

test("the nearest known key is named", () => {
  const all = "The options are dtype, shape, copy, release";
  expect(messageOf({ dytpe: 1 })).toBe(`call: unknown option "dytpe", did you mean "dtype"? ${all}`);
  expect(messageOf({ Shape: 1 })).toContain('unknown option "Shape", did you mean "shape"?');
  expect(messageOf({ copied: 1 })).toContain('did you mean "copy"?');
  expect(messageOf({ relase: 1 })).toContain('did you mean "release"?');
  expect(messageOf(Object.create({ type: 1 }))).toContain("got an object");
  expect(messageOf(Object.create({ type: 1, dtype: 1 }))).toContain('unknown option "type", did you mean "dtype"?');
  expect(messageOf(Object.create({ dtype: 1, max: 1 }))).toContain('unknown option "max"');
  expect(refusal(() => checkOptions("call", { max: 1 }, ["high", "low"])).message).toContain('did you mean "high"?');
  expect(refusal(() => checkOptions("call", { dtype: 1 }, ["high"])).message).toContain('unknown option "dtype": the dtype of the result');
  expect(messageOf({ ["x".repeat(1e5)]: 1 }).length).toBeLessThan(300);
});

test("a value that is no options object is answered with what was meant", () => {
  expect(messageOf("int32")).toBe('call: expected options such as { dtype: "int32" }, got "int32"');
  expect(messageOf([2, 3])).toBe("call: expected options such as { shape: [2, 3] }, got an array of 2");
  expect(messageOf(["a"])).toContain("{ shape: […] }");
  expect(messageOf(true)).toContain("{ copy: true }");
  expect(messageOf(() => 1)).toContain("{ release: … }");
  expect(messageOf(5)).toContain("{ dtype: … }, got 5");
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const odd of [null, new Uint8Array(2), new Map(), proxy]) expect(messageOf(odd)).toMatch(/^call: expected options such as/);
});

// What `gradients` refuses, where the call is written, and with the reason.
import { expect, test } from "@jest/globals";
import { constant, evaluate, tensorMap } from "@onebuffer/eigen";
import { checkGradients, customGradient, gradients, jacobian, jvp, stopGradient } from "@onebuffer/gradients";

const x = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
const n = tensorMap("int32", Int32Array.of(1, 2, 3), [3]);

/** Returns a list of which nothing can be read. */
function revoked(): never {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy as never;
}

/** A list without elements, of which a copy would take 32 GiB. */
function holes(): never {
  return Object.assign([], { length: 2 ** 32 - 1 }) as never;
}

test.each<[string, () => unknown, RegExp]>([
  ["a y of rank 1", () => gradients(x as never, [x]), /float32 \[3\] is not one number: reduce it/],
  ["a y of integers", () => gradients(n.sum() as never, [x]), /int32 \[\] has no gradients/],
  ["a complex y", () => gradients(x.cast("complex64").sum() as never, [x]), /take \.real\(\) first/],
  ["a variable of integers", () => gradients(x.sum(), [n as never]), /variable 0, int32 \[3\], has no gradients/],
  ["variables that are no list", () => gradients(x.sum(), x as never), /is not a list of variables/],
  ["no dependence", () => gradients(constant("float32", 1), [x]), /does not depend on variable 0, float32 \[3\]; \{ unconnected/],
  ["an end by argmax", () => gradients(x.argmax().cast("float32"), [x]), /only through argmax, which has no gradient/],
  ["two ends", () => gradients(x.floor().add(x.round()).sum(), [x]), /only through floor, round, which have no gradient/],
  ["an end by stopGradient", () => gradients(stopGradient(x).sum(), [x]), /only through stopGradient/],
  [
    "other output gradients",
    () => gradients(x, [x], { outputGradients: constant("float32", 1, [2]) }),
    /must have the dtype and the sizes/,
  ],
  ["an unknown option", () => gradients(x.sum(), [x], { unconnected: "none" } as never), /unconnected is "error" or "zero", got "none"/],
  ["tangents of other sizes", () => jvp(x, [x], [constant("float32", 1)]), /direction 0, float32 \[\], must have/],
  ["no function", () => customGradient(x, [x], 3 as never), /Expected a function that returns gradients, got 3/],
  ["a class", () => customGradient(x, [x], class Rule {} as never), /Expected a function that returns gradients, got a class/],
  [
    "another gradient",
    () => gradients(customGradient(x, [x], () => [constant("float32", 1)] as never).sum(), [x]),
    /gradient 0, float32 \[\]/,
  ],
  ["too few gradients", () => gradients(customGradient(x, [x], () => [] as never).sum(), [x]), /a list of 1 gradients/],
  ["a list of billions of holes", () => gradients(x.sum(), holes()), /undefined is not a map, an expression or a tensor/],
  ["a revoked list", () => gradients(x.sum(), revoked()), /is not a list of variables/],
  ["revoked directions", () => jvp(x, [x], revoked()), /one direction for each of 1 variables/],
  ["checked gradients of a value of 8 TB", () => checkGradients(constant("float64", 1, [2 ** 40]), []), /more than 16777216 numbers/],
  ["a large Jacobian", () => jacobian(constant("float32", 1, [10_001]), [x]), /more than 10000 elements/],
])("%s is refused", (_, call, message) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }));
});

test("what does not depend on a variable gives zeros if asked", () => {
  const [dx] = gradients(constant("float32", 1), [x], { unconnected: "zero" });
  expect(evaluate(dx).toArray()).toEqual([0, 0, 0]);
});

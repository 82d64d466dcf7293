// What XLA lacks is refused by name before anything is sent: the runner of these tests ends at the first request after its start.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { opNames, opTable, tensorMap, treeOf } from "@onebuffer/eigen";
import type { ExpressionTree, Operand } from "@onebuffer/eigen";
import { toStableHLO } from "@onebuffer/stablehlo";
import { unsupportedOperations } from "../../src/internal.ts";
import { xlaCapabilities } from "../../src/lowering/xla-capabilities.ts";
import { XlaDevice } from "../../src/xla-device.ts";
import { expectCode, expectRejection } from "../expect-code.ts";
import { fakePython, sharedFolder } from "./fake-python.ts";

type Node = Operand<"float32", 1>;
const vector = () => tensorMap("float32", Float32Array.of(1, 2), [2]);
/** A node as a later version of the op table may make it: of another operation, or on another dtype. */
const odd = (node: Node, fields: PropertyDescriptorMap): Node => Object.create(treeOf(node), fields) as Node;
/** Other operands of a node, as it shows them and as code inside reads them. */
const operands = (given: readonly ExpressionTree[]): PropertyDescriptorMap => ({ inputs: { value: given }, rawInputs: { value: given } });
const integers = tensorMap("int32", new Int32Array(2), [2]);
const inputs: readonly ExpressionTree[] = [treeOf(integers), treeOf(integers)];

const refused: readonly [string, Node, RegExp][] = [
  ["an unknown operation", odd(vector().neg(), { op: { value: "unheardOf" } }), /unheardOf of float32, unheardOf\(float32 \[2\]\)/],
  ["one without a form for the dtype", odd(vector().sin(), operands(inputs.slice(1))), /sin of int32/],
  ["one of two operands", odd(vector().atan2(vector()), operands(inputs)), /atan2 of int32, atan2\(int32 \[2\], int32 \[2\]\)/],
];

let xla: XlaDevice;
beforeAll(async () => {
  xla = await XlaDevice.start({ python: fakePython("dies later"), sharedMemory: { folder: sharedFolder() } });
});
afterAll(() => xla.dispose());

describe("XLA does not compute", () => {
  test.each(refused)("%s: named before anything is sent", async (_, expression, message) => {
    const out = vector();
    for (const call of [out.device(xla).assign(expression), xla.evaluate(expression), out.device(xla).assign(vector().mul(expression))]) {
      const text = await expectRejection(call, "UNIMPLEMENTED");
      expect(text).toMatch(/^UNIMPLEMENTED: XlaDevice\(cpu x 8\) does not compute /);
      expect(text).toMatch(message);
    }
    expect([out.toArray(), xla.usage.programs, xla.usage.slots]).toEqual([[1, 2], 0, 0]);
  });

  test.each(refused)("%s: toStableHLO refuses it, too", (_, expression) => {
    expectCode(() => toStableHLO([expression]), "UNIMPLEMENTED");
  });
});

test("XLA computes all of the op table but what docs/xla.md lists", () => {
  const missing = opNames().flatMap((op) => {
    const dtypes = opTable[op].dtypes.filter((dtype) => xlaCapabilities(op, dtype) !== true);
    return dtypes.length === 0 ? [] : [`${op}: ${dtypes.join(" ")}`];
  });
  expect(missing).toEqual(unsupportedOperations());
});

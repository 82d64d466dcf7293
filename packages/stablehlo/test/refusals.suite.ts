/** The tests of what toStableHLO refuses. */
import { expect, test } from "@jest/globals";
import { tensorMap, treeOf } from "@onebuffer/eigen";
import { toStableHLO } from "@onebuffer/stablehlo";
import { expectStatus } from "@onebuffer/test-support";

const x = tensorMap("float32", new Float32Array(8), [8]);
const refused = (options: object): void => expectStatus(() => toStableHLO([x.neg()], options as never), "INVALID_ARGUMENT");

test("expressions", () => {
  for (const wrong of [undefined, null, 3, x, "", [], [3], [null], [[x]]])
    expectStatus(() => toStableHLO(wrong as never), "INVALID_ARGUMENT");
  const text = tensorMap("string", [new Uint8Array(1)] as never, [1]);
  expectStatus(() => toStableHLO([text]), "INVALID_ARGUMENT");
});

test("options", () => {
  refused({ names: "x" });
  refused({ name: 3 });
  refused({ leaves: {} });
  refused({ leaves: () => ({ names: "x" }) });
  refused({ leaves: () => null });
  refused({ leaves: () => ({ name: 3 }) });
  refused({ results: {} });
  refused({ results: [{}, {}] });
});

test("meshes and shardings", () => {
  const sharded = (sharding: unknown, mesh: unknown = { x: 2, y: 3 }): void => refused({ mesh, leaves: () => ({ sharding }) });
  sharded(["x"], null);
  sharded(["x"], {});
  sharded(["x"], { x: 0 });
  sharded(["x"], { x: 1.5 });
  sharded(["x"], { 'x"': 2 });
  sharded(["z"]);
  sharded(["y"]); // 8 elements over 3 devices
  sharded([["x", "x"]]);
  sharded([null, "x"]);
  sharded("x");
  sharded([3]);
  expect(toStableHLO([x], { mesh: { x: 2 }, leaves: () => ({ sharding: ["x"] }) }).leaves.length).toBe(1);
});

test("an operation without a lowering is UNIMPLEMENTED", () => {
  // A node of an operation that a later version of the op table has.
  const odd = Object.create(treeOf(x.neg()), { op: { value: "unheardOf" } });
  expectStatus(() => toStableHLO([odd]), "UNIMPLEMENTED", "unheardOf");
});

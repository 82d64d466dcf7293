/**
 * holdMemory: keeps the memory of assignments allocated while a device works on them (TensorFlow's asynchronous kernels hold references of
 * their inputs and outputs until `done`).
 */
import { checkArray, checkObject } from "@onebuffer/base/internal";
import { checkTree } from "../expression/inference/elementwise-inference.ts";
import { treeOrder } from "../expression/tree/tree-order.ts";
import type { DeviceAssignment } from "../expression/tree/device.ts";
import type { ExpressionTree } from "../expression/tree/op-attributes.ts";
import type { MemoryOwner, MemoryToken } from "../memory/memory-owner.ts";
import { isMap } from "../expression/tree/node-kinds.ts";

/** What counts the references of memory: the buffer of a tensor. */
interface Counted {
  ref(): unknown;
  unref(): unknown;
}

/**
 * Adds a reference to each buffer that the assignments read or write, and returns the function that drops these references. It has an
 * effect only once. Memory of plain typed arrays has no references; the returned function keeps it reachable. Throws INVALID_ARGUMENT for
 * values that are not assignments.
 *
 * @example
 * const out = tensorMap("float32", new Float32Array(2), [2]);
 * const device: Device = {
 *   name: "later",
 *   async assign(assignments) {
 *     const release = holdMemory(assignments);
 *     await new Promise((resolve) => setTimeout(resolve, 0));
 *     release();
 *   },
 * };
 * await out.device(device).assign(1);
 */
export function holdMemory(assignments: readonly DeviceAssignment[]): () => void {
  checkArray(assignments, "a list of assignments");
  const checked = Array.from(assignments, (each) => {
    checkObject(each, "an assignment");
    return { target: checkTree("holdMemory", each.target), tree: checkTree("holdMemory", each.tree) };
  });
  const owners = new Set<MemoryOwner>();
  const addLeaf = (node: ExpressionTree): void => {
    if (isMap(node)) owners.add((node as ExpressionTree & { readonly owner: MemoryOwner }).owner);
  };
  for (const { target } of checked) addLeaf(target);
  for (const node of treeOrder(checked.map(({ tree }) => tree))) addLeaf(node);
  const held = [...owners].map(({ holder }: Partial<MemoryToken>) => holder as Partial<Counted> | null | undefined);
  const counted = held.filter((each): each is Counted => typeof each?.ref === "function" && typeof each.unref === "function");
  for (const each of counted) each.ref();
  return () => {
    for (const each of counted.splice(0)) each.unref();
    owners.clear();
  };
}

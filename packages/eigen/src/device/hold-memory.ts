/**
 * holdMemory: keeps the memory of assignments allocated while a device works on them (TensorFlow's asynchronous kernels hold references of
 * their inputs and outputs until `done`).
 */
import { checkArray, checkObject } from "@onebuffer/base/internal";
import { checkTree, isMap, treeOrder } from "@onebuffer/expression/internal";
import type { DeviceAssignment, ExpressionTree } from "@onebuffer/expression";
import type { MemoryOwner } from "@onebuffer/storage";
import type { MemoryToken } from "@onebuffer/storage/internal";

/** What counts the references of memory: the buffer of a tensor. */
interface Counted {
  ref(): unknown;
  unref(): unknown;
}

/**
 * Adds a reference to each buffer that the assignments read or write, and returns the function that drops these references. It has an
 * effect only once. Memory of plain typed arrays has no references; the returned function keeps it reachable. Throws INVALID_ARGUMENT for
 * values that are not assignments, FAILED_PRECONDITION if a buffer is freed already; then none is held.
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
  return holdMaps([...checked.map(({ target }) => target), ...treeOrder(checked.map(({ tree }) => tree))]);
}

/**
 * Adds a reference to each buffer of the maps among some nodes, and returns the function that drops these references. Throws what holdMemory
 * throws for a buffer that is freed.
 */
export function holdMaps(nodes: readonly ExpressionTree[]): () => void {
  const owners = new Set<MemoryOwner>();
  for (const node of nodes) {
    if (isMap(node)) owners.add((node as ExpressionTree & { readonly owner: MemoryOwner }).owner);
  }
  const held: Counted[] = [];
  const release = (): void => {
    for (const each of held.splice(0)) each.unref();
    owners.clear();
  };
  try {
    for (const { holder } of owners as Set<Partial<MemoryToken>>) {
      const each = holder as Partial<Counted> | null | undefined;
      if (typeof each?.ref !== "function" || typeof each.unref !== "function") continue;
      each.ref();
      held.push(each as Counted);
    }
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/**
 * Writes a checkpoint of objects, which `tf.train.Checkpoint.restore` reads: a TensorBundle whose keys are made of the objects' names, and
 * the object graph (in TensorFlow: tensorflow/python/checkpoint/checkpoint.py, `Checkpoint.write`).
 *
 *     { model: { w } }    model/w/.ATTRIBUTES/VARIABLE_VALUE     -> the tensor
 *                         _CHECKPOINTABLE_OBJECT_GRAPH           -> nodes: root -"model"-> node 1 -"w"-> node 2: that key
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkInteger, checkOptions, shownValue } from "@onebuffer/base/internal";
import { Tensor } from "@onebuffer/core";
import type { TrackableObjectGraphProto } from "@onebuffer/proto";
import { trackableObjectGraphCodec } from "@onebuffer/proto";
import { BundleWriter } from "../checkpoint/bundle-writer.ts";
import type { BundleWriterOptions } from "../checkpoint/bundle-writer.ts";
import type { BundleOutput } from "../checkpoint/create-sink.ts";
import { sharedTensors } from "../tensor/shared-tensors.ts";
import { attributeKey, childPath, kObjectGraphKey, kVariableValue, slotPath } from "./object-names.ts";
import { Trackable } from "./trackable.ts";
import type { TrackableTree } from "./trackable.ts";

/**
 * The options of `writeCheckpoint`.
 *
 * @example
 * const options: WriteCheckpointOptions = { saveCounter: 3, alignment: 64 };
 * const made = new MemoryFiles();
 * using w = Tensor.from([1]);
 * await writeCheckpoint(made, "ckpt-3", { w }, options);
 * (await BundleReader.open(made.files, "ckpt-3")).keys.length; // => 3
 */
export interface WriteCheckpointOptions extends BundleWriterOptions {
  /**
   * The number of checkpoints that were saved so far, this one included: it becomes the variable `save_counter` of the root, an int64, as
   * `tf.train.Checkpoint.save` writes it. Without it there is none, as `tf.train.Checkpoint.write` does; `restore` then leaves
   * TensorFlow's counter as it is, but `assert_consumed` wants one.
   */
  readonly saveCounter?: number;
}

/**
 * Writes the tensors of a tree of objects as the checkpoint `prefix`, with its object graph. Tensors are borrowed: they may be disposed
 * once the call has returned its promise.
 *
 * Throws INVALID_ARGUMENT for a wrong tree, for a tree whose root has a child `save_counter` beside the option, and for a slot whose
 * variable is not in the tree; what BundleWriter throws.
 *
 * @example
 * const made = new MemoryFiles();
 * using kernel = Tensor.from([[1, 2], [3, 4]]);
 * using step = Tensor.from(7n);
 * await writeCheckpoint(made, "ckpt-1", { model: { kernel }, step });
 * const { keys } = await BundleReader.open(made.files, "ckpt-1");
 * keys.slice(1); // => ["model/kernel/.ATTRIBUTES/VARIABLE_VALUE", "step/.ATTRIBUTES/VARIABLE_VALUE"]
 * await writeCheckpoint(new MemoryFiles(), "ckpt-2", { step: 7 as never }); // throws INVALID_ARGUMENT
 */
export async function writeCheckpoint(
  output: BundleOutput,
  prefix: string,
  tree: TrackableTree,
  options: WriteCheckpointOptions = {},
): Promise<void> {
  checkOptions("writeCheckpoint", options, ["saveCounter", "alignment", "signal", "onProgress"]);
  const { saveCounter, ...bundle } = options;
  if (saveCounter !== undefined) checkInteger(saveCounter, "saveCounter");
  const given = Trackable.of(tree);
  using counter = saveCounter === undefined ? null : Tensor.from(BigInt(saveCounter), { dtype: "int64" });
  const root = counter === null ? given : withCounter(given, counter);
  const { proto, values } = describeObjects(root);
  using held = sharedTensors(Array.from(values, ([name, tensor]) => ({ name, tensor })));
  const writer = new BundleWriter(output, prefix, bundle);
  try {
    for (const [key, tensor] of held) await writer.add(key, tensor);
    using graph = Tensor.from(trackableObjectGraphCodec.encode(proto), { dtype: "string", shape: [] });
    await writer.add(kObjectGraphKey, graph);
  } catch (error) {
    await writer.abort(error);
    throw error;
  }
  await writer.finish();
}

const kSaveCounter = "save_counter";

/** Returns a root with the children of `root` and a counter. */
function withCounter(root: Trackable, counter: Tensor): Trackable {
  if (root.children.has(kSaveCounter)) throw new InvalidArgumentError("writeCheckpoint: the root has a child save_counter already");
  const copy = new Trackable(root.value);
  for (const [name, child] of root.children) copy.setChild(name, child);
  for (const { slotName, variable, slotVariable } of root.slots) copy.setSlot(slotName, variable, slotVariable);
  return copy.setChild(kSaveCounter, counter);
}

/** A node while the graph is made. */
interface NodeDraft {
  readonly object: Trackable;
  readonly path: string;
}

/** Returns the message of the objects, and the tensors by their keys. */
function describeObjects(root: Trackable): { readonly proto: TrackableObjectGraphProto; readonly values: Map<string, Tensor> } {
  const drafts = reachable(root);
  addSlots(drafts);
  const ids = new Map([...drafts.keys()].map((object, id) => [object, id]));
  const values = new Map<string, Tensor>();
  const nodes = Array.from(drafts.values(), ({ object, path }) => {
    const slotVariables = Array.from(object.slots, ({ slotName, variable, slotVariable }) => ({
      originalVariableNodeId: ids.get(variable)!,
      slotName,
      slotVariableNodeId: ids.get(slotVariable)!,
    }));
    const children = Array.from(object.children, ([localName, child]) => ({ nodeId: ids.get(child)!, localName }));
    const key = attributeKey(path, kVariableValue);
    if (object.value !== null) values.set(key, object.value);
    const attributes = object.value === null ? [] : [{ name: kVariableValue, checkpointKey: key }];
    return { children, attributes, slotVariables };
  });
  const withValues = nodesWithValues(nodes);
  return { proto: { nodes: nodes.map((node, id) => ({ ...node, hasCheckpointValues: { value: withValues.has(id) } })) }, values };
}

/** Returns the objects in TensorFlow's order: by the number of names from the root, then in the order of the children. */
function reachable(root: Trackable): Map<Trackable, NodeDraft> {
  const drafts = new Map<Trackable, NodeDraft>([[root, { object: root, path: "" }]]);
  // A Map is iterated with the entries that are added meanwhile.
  for (const { object, path } of drafts.values()) {
    for (const [name, child] of object.children) {
      if (!drafts.has(child)) drafts.set(child, { object: child, path: childPath(path, name) });
    }
  }
  return drafts;
}

/** Adds the variables of all slots, behind all other objects. */
function addSlots(drafts: Map<Trackable, NodeDraft>): void {
  for (const optimizer of [...drafts.values()]) {
    for (const { slotName, variable, slotVariable } of optimizer.object.slots) {
      const original = drafts.get(variable);
      if (original === undefined) {
        throw new InvalidArgumentError(
          `writeCheckpoint: the slot ${shownValue(slotName)} of ${shownValue(optimizer.path)} is for a variable that is not in the tree`,
        );
      }
      if (slotVariable.children.size > 0 || slotVariable.slots.length > 0)
        throw new InvalidArgumentError(`writeCheckpoint: the slot ${shownValue(slotName)} has children; a slot is a variable`);
      if (drafts.has(slotVariable)) continue;
      drafts.set(slotVariable, { object: slotVariable, path: slotPath(original.path, optimizer.path, slotName) });
    }
  }
}

/** Returns the ids of the nodes that have values or slots, or a child that is such a node. */
function nodesWithValues(
  nodes: readonly {
    readonly children: readonly { readonly nodeId: number }[];
    readonly attributes: readonly unknown[];
    readonly slotVariables: readonly unknown[];
  }[],
): Set<number> {
  const parents: number[][] = nodes.map(() => []);
  nodes.forEach(({ children }, id) => {
    for (const { nodeId } of children) parents[nodeId]!.push(id);
  });
  const found = new Set<number>();
  nodes.forEach(({ attributes, slotVariables }, id) => {
    if (attributes.length > 0 || slotVariables.length > 0) found.add(id);
  });
  // A Set is iterated with the entries that are added meanwhile.
  for (const id of found) for (const parent of parents[id]!) found.add(parent);
  return found;
}

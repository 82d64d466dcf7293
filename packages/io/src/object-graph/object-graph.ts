/**
 * ObjectGraph: the objects of a checkpoint of `tf.train.Checkpoint` or of a SavedModel, and the keys of their values (in TensorFlow:
 * TrackableObjectGraph, and ObjectGraphView in tensorflow/python/checkpoint).
 *
 *     node 0 (root) -- "model" --> node 1 -- "dense" --> node 3 -- "kernel" --> node 4: key model/dense/kernel/.ATTRIBUTES/VARIABLE_VALUE
 *                   -- "opt" ----> node 2    slot "momentum" of node 4 is node 5
 *
 * Keys are usually made of names, but only the graph says so for sure: an object that several parents have is saved once, under one of
 * its names.
 */
import { InvalidArgumentError, NotFoundError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { checkMadeInside, kMadeInside, argumentError, checkObject, isArray, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { TrackableObjectGraphProto, TrackableObjectProto } from "@onebuffer/proto";
import { trackableObjectGraphCodec } from "@onebuffer/proto";
import type { TransferOptions } from "../source/transfer-options.ts";
import { childPath, kObjectGraphKey, namesOfPath } from "./object-names.ts";
import type { ObjectAttribute, ObjectNode, SlotVariable } from "./object-node.ts";

/**
 * What an object graph is read from: a BundleReader, or any object with its `lookup`.
 *
 * @example
 * using empty = new Tensor("string", []);
 * const lookup: TensorLookup = { lookup: async () => empty.share() };
 * (await ObjectGraph.read(lookup)).nodes.length; // throws INVALID_ARGUMENT
 */
export interface TensorLookup {
  /** Returns the tensor with this key. Throws NOT_FOUND if there is none. */
  lookup(key: string, options?: TransferOptions): Promise<Tensor>;
}

/**
 * The objects of a checkpoint.
 *
 * @example
 * const made = new MemoryFiles();
 * using kernel = Tensor.from([[1, 2]]);
 * await writeCheckpoint(made, "ckpt", { model: { dense: { kernel } } });
 *
 * const reader = await BundleReader.open(made.files, "ckpt");
 * const graph = await ObjectGraph.read(reader);
 * [...graph.find("model").children.keys()]; // => ["dense"]
 * const key = graph.checkpointKey("model/dense/kernel");
 * key; // => "model/dense/kernel/.ATTRIBUTES/VARIABLE_VALUE"
 * using tensor = await reader.lookup(key);
 * tensor.toArray(); // => [[1, 2]]
 * graph.find("model/bias"); // throws NOT_FOUND
 */
export class ObjectGraph {
  /** All objects, by their ids. */
  readonly nodes: readonly ObjectNode[];

  private constructor(key: typeof kMadeInside, nodes: readonly ObjectNode[]) {
    checkMadeInside(key, "ObjectGraph.read makes an ObjectGraph");
    this.nodes = nodes;
  }

  /**
   * Reads the object graph of a checkpoint. The checkpoint must have been written by `tf.train.Checkpoint`, a SavedModel or
   * `writeCheckpoint`; TensorFlow 1 wrote none.
   *
   * Throws NOT_FOUND if the checkpoint has no object graph, the errors of `decode`, the errors of the lookup.
   */
  static async read(reader: TensorLookup, options: TransferOptions = {}): Promise<ObjectGraph> {
    if (typeof (reader as Partial<TensorLookup> | null | undefined)?.lookup !== "function")
      throw argumentError("a reader of a checkpoint", reader);
    using tensor = await reader.lookup(kObjectGraphKey, options);
    if (tensor.dtype !== "string" || tensor.numElements !== 1) {
      throw new InvalidArgumentError(`${kObjectGraphKey}: expected a string, got ${tensor.dtype} of shape ${tensor.shape.debugString()}`);
    }
    // Copied, because the strings of the tensor end with it, and messages have views of their bytes.
    return ObjectGraph.decode(new Uint8Array((tensor as Tensor<"string">).flat().at(0)));
  }

  /**
   * Returns the graph that the bytes of a TrackableObjectGraph message describe. Throws DATA_LOSS or INVALID_ARGUMENT if the bytes are
   * malformed, and the errors of `fromProto`.
   */
  static decode(bytes: Uint8Array): ObjectGraph {
    return ObjectGraph.fromProto(trackableObjectGraphCodec.decode(bytes));
  }

  /**
   * Returns the graph that a TrackableObjectGraph message describes.
   *
   * Throws INVALID_ARGUMENT if there is no root, if a child or a slot refers to an object that is not in the list, or if an object has two
   * children of the same name.
   */
  static fromProto(proto: TrackableObjectGraphProto): ObjectGraph {
    checkObject(proto, "a TrackableObjectGraph message");
    const protos = proto.nodes ?? [];
    if (!isArray(protos) || protos.length === 0) throw new InvalidArgumentError("object graph: there is no node, not even a root");
    const nodes = protos.map((node: TrackableObjectProto, id): MutableNode => newNode(node, id));
    protos.forEach((node: TrackableObjectProto, id) => connect(nodes, node, id));
    return new ObjectGraph(kMadeInside, nodes);
  }

  /** The root: the `tf.train.Checkpoint`, or the object that was saved as a SavedModel. */
  get root(): ObjectNode {
    return this.nodes[0]!;
  }

  /**
   * Returns the object at a path from the root: names with "/" between them, as in the checkpoint's keys, where a name's own "." is
   * written ".." and its "/" is written ".S"; or the names themselves in a list. "" is the root, and an empty name is ".".
   *
   * Throws NOT_FOUND, with the names that there are, if there is no such object.
   */
  find(path: string | readonly string[]): ObjectNode {
    let node = this.root;
    const names = typeof path === "string" ? namesOfPath(path) : checkedNames(path);
    names.forEach((name, at) => {
      const child = node.children.get(name);
      if (child === undefined) throw noChild(names.slice(0, at), name, node);
      node = child;
    });
    return node;
  }

  /**
   * Returns the key of the tensor of the variable at a path. Throws as `find`, and NOT_FOUND if the object there has no value or several;
   * `find(path).attributes` has them all.
   */
  checkpointKey(path: string | readonly string[]): string {
    const { checkpointKey, attributes } = this.find(path);
    if (checkpointKey === null) {
      throw new NotFoundError(`object graph: the object at ${shownValue(path)} has ${attributes.length} values, not one`);
    }
    return checkpointKey;
  }

  /**
   * Yields every object that can be reached by names from the root, each once, with its shortest path; the root is "". An object is
   * before its children, and slots of optimizers are not among them unless they have names, too.
   */
  *paths(): Generator<[path: string, node: ObjectNode], undefined, undefined> {
    const found: [string, ObjectNode][] = [["", this.root]];
    const seen = new Set<ObjectNode>([this.root]);
    for (const [path, node] of found) {
      yield [path, node];
      for (const [name, child] of node.children) {
        if (seen.has(child)) continue;
        seen.add(child);
        found.push([childPath(path, name), child]);
      }
    }
  }

  /** Yields the path and the key of every value in the order of `paths`, as one line for each variable. */
  *variables(): Generator<[path: string, checkpointKey: string], undefined, undefined> {
    for (const [path, { attributes }] of this.paths()) for (const { checkpointKey } of attributes) yield [path, checkpointKey];
  }
}

/** A node while the graph is made. */
interface MutableNode extends ObjectNode {
  readonly children: Map<string, ObjectNode>;
  readonly slotVariables: SlotVariable[];
}

function newNode(proto: TrackableObjectProto, id: number): MutableNode {
  const attributes: ObjectAttribute[] = (proto.attributes ?? []).map(({ name = "", fullName = "", checkpointKey = "" }) => ({
    name,
    fullName,
    checkpointKey,
  }));
  const saver = proto.registeredSaver;
  return {
    id,
    children: new Map(),
    attributes,
    checkpointKey: attributes.length === 1 ? attributes[0]!.checkpointKey : null,
    slotVariables: [],
    registeredSaver: saver === undefined ? null : { name: saver.name ?? "", objectName: saver.objectName ?? "" },
    hasCheckpointValues: proto.hasCheckpointValues === undefined ? null : proto.hasCheckpointValues.value === true,
  };
}

/** Adds the children and slots of a node, all of which exist. */
function connect(nodes: readonly MutableNode[], proto: TrackableObjectProto, id: number): void {
  const { children, slotVariables } = nodes[id]!;
  const at = (nodeId: number, what: string): ObjectNode => {
    const found = nodes[nodeId];
    if (found === undefined) throw new InvalidArgumentError(`object graph: ${what} of node ${id} is node ${nodeId} of ${nodes.length}`);
    return found;
  };
  for (const { nodeId = 0, localName = "" } of proto.children ?? []) {
    const child = at(nodeId, `the child ${shownValue(localName)}`);
    if ((children.get(localName) ?? child) !== child)
      throw new InvalidArgumentError(`object graph: node ${id} has two children ${shownValue(localName)}`);
    children.set(localName, child);
  }
  for (const { originalVariableNodeId = 0, slotName = "", slotVariableNodeId = 0 } of proto.slotVariables ?? []) {
    const what = `the slot ${shownValue(slotName)}`;
    slotVariables.push({ slotName, variable: at(originalVariableNodeId, what), slotVariable: at(slotVariableNodeId, what) });
  }
}

function checkedNames(path: readonly string[]): readonly string[] {
  if (!isArray(path) || path.some((name) => typeof name !== "string"))
    throw new InvalidArgumentError(`expected a path: a text or a list of names, got ${shownValue(path)}`);
  return path;
}

/** The number of names that an error lists. */
const kShownNames = 10;

function noChild(before: readonly string[], name: string, node: ObjectNode): StatusError {
  const there = [...node.children.keys()];
  const more = there.length > kShownNames ? ` and ${there.length - kShownNames} more` : "";
  const shown = there.length === 0 ? "no children" : `children ${there.slice(0, kShownNames).map(shownValue).join(", ")}${more}`;
  const owner = before.length === 0 ? "the root" : `the object at ${shownValue(before.reduce(childPath, ""))}`;
  return new NotFoundError(`object graph: ${owner} has no child ${shownValue(name)}, but ${shown}`);
}

/** Trackable: an object that is to be saved, with named children (in TensorFlow: tf.Module, tf.train.Checkpoint, lists and dicts). */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkText, isArray, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import { isTensor } from "@onebuffer/core/internal";
import { childPath } from "./object-names.ts";

/**
 * What can be saved: a tensor, which becomes a variable; a Trackable; or an object, a Map or an array of such things, which become objects
 * with children of these names. The elements of an array are named "0", "1" and so on, as TensorFlow names those of a list.
 *
 * @example
 * using w = Tensor.from([1, 2]);
 * const tree: TrackableTree = { layers: [{ w }, new Map([["w", w]])] };
 * Trackable.of(tree).child("layers")?.child("1")?.child("w")?.value === w; // => true
 */
export type TrackableTree =
  | Tensor
  | Trackable
  | ReadonlyMap<string, TrackableTree>
  | readonly TrackableTree[]
  | { readonly [name: string]: TrackableTree };

/** A slot that an optimizer has for a variable. */
export interface TrackableSlot {
  readonly slotName: string;
  readonly variable: Trackable;
  readonly slotVariable: Trackable;
}

/**
 * An object that is to be saved. It is only needed for what plain objects cannot say: optimizers with slots.
 *
 * @example
 * using w = Tensor.from([1, 2]);
 * using m = Tensor.from([0, 0]);
 * const variable = new Trackable(w);
 * const optimizer = new Trackable().setSlot("momentum", variable, m);
 * const root = new Trackable().setChild("w", variable).setChild("opt", optimizer);
 * [...root.children.keys()]; // => ["w", "opt"]
 */
export class Trackable {
  /** The tensor to be saved as the object's value; null for an object without a value. */
  readonly value: Tensor | null;
  readonly #children: Map<string, Trackable> = new Map();
  readonly #slots: TrackableSlot[] = [];

  /** Makes an object without children; of a tensor, a variable. The tensor is borrowed. */
  constructor(value: Tensor | null = null) {
    if (value !== null && !isTensor(value))
      throw new InvalidArgumentError(`Trackable: expected a Tensor or null, got ${shownValue(value)}`);
    this.value = value;
  }

  /**
   * Returns a tree as objects. The same tensor, object or array at several places becomes one object with several parents; a tree may
   * contain itself.
   *
   * Throws INVALID_ARGUMENT, with the path, for anything but what TrackableTree lists.
   */
  static of(tree: TrackableTree): Trackable {
    return objectsOf(tree);
  }

  /** The children by their names. */
  get children(): ReadonlyMap<string, Trackable> {
    return this.#children;
  }

  /** The slots that the object has as an optimizer. */
  get slots(): readonly TrackableSlot[] {
    return this.#slots;
  }

  /** Returns the child with a name, or undefined. */
  child(name: string): Trackable | undefined {
    return this.#children.get(name);
  }

  /** Adds or replaces a child. Returns this object. Throws INVALID_ARGUMENT for an empty name, and as `of`. */
  setChild(name: string, child: TrackableTree): this {
    checkText(name, "the name of a child");
    if (name === "") throw new InvalidArgumentError("Trackable: the name of a child is empty");
    this.#children.set(name, Trackable.of(child));
    return this;
  }

  /** Adds a variable that this optimizer has for another variable. Returns this object. Throws INVALID_ARGUMENT for wrong arguments. */
  setSlot(slotName: string, variable: Trackable, slotVariable: TrackableTree): this {
    checkText(slotName, "the name of a slot");
    if (!isTrackable(variable)) throw new InvalidArgumentError(`Trackable: expected a Trackable, got ${shownValue(variable)}`);
    this.#slots.push({ slotName, variable, slotVariable: Trackable.of(slotVariable) });
    return this;
  }
}

type Entry = readonly [name: string, child: unknown];

function isTrackable(value: unknown): value is Trackable {
  return typeof (value as Partial<Trackable> | null)?.setSlot === "function";
}

/** Returns a tree as objects, without recursion: a tree may be deep. */
function objectsOf(tree: TrackableTree): Trackable {
  const known = new Map<unknown, Trackable>();
  const open: { readonly object: Trackable; readonly entries: readonly Entry[]; readonly path: string }[] = [];
  const objectOf = (each: unknown, path: string): Trackable => {
    if (isTrackable(each)) return each;
    const before = known.get(each);
    if (before !== undefined) return before;
    const object = new Trackable(isTensor(each) ? each : null);
    known.set(each, object);
    if (object.value === null) open.push({ object, entries: entriesOf(each, path), path });
    return object;
  };
  const root = objectOf(tree, "");
  for (const { object, entries, path } of open) {
    for (const [name, child] of entries) {
      checkText(name, "the name of a child");
      object.setChild(name, objectOf(child, childPath(path, name)));
    }
  }
  return root;
}

/** Returns numbers and values of an array. A hole is refused as undefined is, before the rest is looked at: there may be a billion. */
function listEntries(list: readonly unknown[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < list.length; at++) {
    if (!(at in list)) throw new InvalidArgumentError(`Trackable: the array has no element ${at}`);
    entries.push([String(at), list[at]]);
  }
  return entries;
}

/** Returns names and values of a Map, an array or a plain object. */
function entriesOf(tree: unknown, path: string): readonly Entry[] {
  if (isArray(tree)) return listEntries(tree);
  const kind = typeof tree === "object" && tree !== null ? Object.prototype.toString.call(tree) : "";
  if (kind === "[object Map]") return [...(tree as ReadonlyMap<string, unknown>)];
  if (kind === "[object Object]") return Object.entries(tree as object);
  const at = path === "" ? "the root" : shownValue(path);
  throw new InvalidArgumentError(`Trackable: ${at} is ${shownValue(tree)}, expected a tensor, an object, a Map or an array`);
}

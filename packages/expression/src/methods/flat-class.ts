/**
 * flatClass: one class with the methods of a whole chain of classes.
 *
 *     new VecF32 -> ConstVecF32 -> DenseVec -> TensorMapBase -> MapNode -> CompositeBase -> … -> ElementwiseBase        ten calls
 *     new VecF32 -> ConstVecF32 -> DenseVec -> TensorMapBase -> flatClass(MapNode)                                      five
 *
 * The operations are divided into classes by topic, each with its own file and none with a constructor. V8 skips such classes when it makes
 * an object. Other engines call each one's empty constructor, for every view and every node: a view took 95 ns in Firefox, and half
 * of that without the upper five.
 */

import { otherNames } from "./other-names.ts";

/** Returns the members of a class and of all classes above it. */
export function membersOf(methods: abstract new (...args: never) => object): Readonly<Record<string, PropertyDescriptor>> {
  let members = {};
  for (let from: object = methods.prototype; from !== Object.prototype; from = Object.getPrototypeOf(from))
    members = { ...Object.getOwnPropertyDescriptors(from), ...members };
  return members;
}

/**
 * Returns a class without a parent class that has the members of `methods` and of all classes above it. None of them may have a constructor, or
 * a field with a value. Names of other libraries are refused by the prototype of its prototype.
 */
export function flatClass<C extends abstract new (...args: never) => object>(methods: C): C {
  class Flat {}
  Object.defineProperties(Flat.prototype, membersOf(methods));
  Object.setPrototypeOf(Flat.prototype, otherNames);
  return Flat as unknown as C;
}

/**
 * Makes tensors from the literals `dtype`, `shape` and `values`, registers them in the case's scope, and compares their elements.
 */
import type { DType } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import type { Allocator } from "@onebuffer/allocator";
import { toArgs, toList } from "./args.ts";
import type { CaseScope, Handle } from "./case-scope.ts";
import { mismatch } from "./compare.ts";
import { Element, Elements, toElement } from "./elements.ts";
import { toDType, toShape } from "./literals.ts";
import { RunnerError } from "./vector.ts";
import type { Json } from "./vector.ts";

/** The members of TensorMap that the runner calls, for any dtype and rank. */
export interface AnyMap extends Iterable<unknown> {
  readonly size: number;
  readonly dimensions: readonly number[];
  at(...indices: readonly number[]): unknown;
  set(...indicesAndValue: readonly unknown[]): void;
}

/** Casts a TensorMap to AnyMap: the runner does not know its static types. */
export function anyMap(map: unknown): AnyMap {
  return map as AnyMap;
}

/** Makes a tensor of a dtype and shape, from the default allocator or a given one. */
export function newTensor(scope: CaseScope, dtype: DType, shape: Json | undefined, allocator?: Allocator): Tensor {
  return scope.keep(allocator === undefined ? new Tensor(dtype, toShape(shape)) : new Tensor(dtype, toShape(shape), { allocator }));
}

/** Stores a copy of an element. If the element needs `dispose` (a Variant), it is disposed when the case ends. */
export function storeElement(flat: AnyMap, index: number, element: unknown, scope: CaseScope): void {
  if (typeof element === "object" && element !== null && "dispose" in element) scope.keep(element as Handle);
  flat.set(index, element);
}

/** Writes a list of literals into the elements, in row-major order. Throws RunnerError if their number differs. */
export function setElements(tensor: Tensor, literals: readonly Json[], scope: CaseScope): void {
  const flat = anyMap(tensor.flat());
  if (literals.length !== flat.size) throw new RunnerError(`${literals.length} values for ${flat.size} elements`);
  literals.forEach((literal, index) =>
    storeElement(
      flat,
      index,
      toElement(tensor.dtype, literal, (json) => tensorOf(json, scope).share()),
      scope,
    ),
  );
}

/** Makes a tensor with values. */
export function filledTensor(scope: CaseScope, dtype: DType, shape: Json | undefined, values: Json | undefined): Tensor {
  const tensor = newTensor(scope, dtype, shape);
  const literals = toList(values, "values");
  if (tensor.numElements > 0 || literals.length > 0) setElements(tensor, literals, scope);
  return tensor;
}

/** Makes a tensor from a `{"dtype","shape","values"}` literal. */
export function tensorOf(json: Json | undefined, scope: CaseScope): Tensor {
  const args = toArgs(json, ["dtype", "shape", "values"], "tensor");
  return filledTensor(scope, toDType(args.json("dtype")), args.json("shape"), args.json("values"));
}

/** Returns true if a tensor has the dtype, shape and values of a literal. */
export function sameTensor(tensor: Tensor, json: Json): boolean {
  const args = toArgs(json, ["dtype", "shape", "values"], "tensor");
  if (tensor.dtype !== toDType(args.json("dtype")) || mismatch(tensor.shape.dimSizes, args.json("shape") ?? null) !== null) return false;
  return elementsOf(tensor).mismatch(args.json("values") ?? null) === null;
}

/** Returns all elements in row-major order, to compare with literals. */
export function elementsOf(tensor: Tensor): Elements {
  return new Elements(tensor.dtype, tensor.numElements === 0 ? [] : [...anyMap(tensor.flat())], sameTensor);
}

/** Returns one element, to compare with a literal. */
export function elementOf(tensor: Tensor, index: number): Element {
  return new Element(tensor.dtype, anyMap(tensor.flat()).at(index), sameTensor);
}

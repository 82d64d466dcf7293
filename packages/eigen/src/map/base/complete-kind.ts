/**
 * Completes the map classes of a storage kind: defines on their prototypes the members that follow from the kind, and makes the classes of
 * general rank.
 *
 * `fill` and `copyFrom` go on the prototypes of the writable classes only: a read-only map has no method that writes.
 */
import { copyElements } from "./copy-elements.ts";
import { dtypeNumber, kCode, kNoCode } from "@onebuffer/expression/internal";
import { DenseGeneral, StridedGeneral, setElement } from "./general-maps.ts";
import { checkStore } from "@onebuffer/storage/internal";
import type { ElementRules, KindMap, MapClass, MapClassPair, MapKind, StridedKindMap } from "./map-kind.ts";

function define(mapClass: MapClass, name: PropertyKey, value: unknown): void {
  Object.defineProperty(mapClass.prototype, name, { value, configurable: true });
}

function defineGetter(mapClass: MapClass, name: PropertyKey, get: (map: never) => unknown): void {
  Object.defineProperty(mapClass.prototype, name, {
    get(this: never): unknown {
      return get(this);
    },
    configurable: true,
  });
}

/** The method `copyFrom` of all maps. */
function copyFrom(this: KindMap, source: unknown): void {
  copyElements(this as never, source);
}

/** The method `fill` of a dense map. */
function fillDense(this: KindMap, value: unknown): void {
  checkStore(this, value);
  this.kind.fillDense(this as never, value as never);
}

/** The method `fill` of a strided map. */
function fillStrided(this: StridedKindMap, value: unknown): void {
  checkStore(this, value);
  this.kind.fillStrided(this as never, value as never);
}

/** Returns the getter of `dimensions` that a class inherits. */
function dimensionsGetter({ prototype }: MapClass): PropertyDescriptor {
  let from: object = prototype as object;
  while (!Object.hasOwn(from, "dimensions")) from = Object.getPrototypeOf(from) as object;
  return Object.getOwnPropertyDescriptor(from, "dimensions")!;
}

/**
 * Defines the members that dense and strided maps of the kind have. `mapClass` is a read-only class; its writable subclass inherits them.
 */
function defineShared(kind: MapKind, mapClass: MapClass): void {
  const { hasCodec, dtype, slots } = kind;
  // The getter itself, not one that calls it: where maps of many classes meet, each call counts.
  Object.defineProperty(mapClass.prototype, "rawDimensions", dimensionsGetter(mapClass));
  define(mapClass, "kind", kind);
  define(mapClass, "dtype", dtype);
  if (slots > 1) define(mapClass, "slots", slots);
  if (hasCodec) defineGetter(mapClass, "extra", (map: { readonly codec: unknown }) => map.codec);
}

/** Completes the classes of a kind and returns the kind. `dense` and `strided` list the class pairs by rank. */
export function completeKind(rules: ElementRules, dense: readonly MapClassPair[], strided: readonly MapClassPair[]): MapKind {
  const ConstDense = class extends DenseGeneral {};
  const ConstStrided = class extends StridedGeneral {};
  const denseGeneral: MapClassPair = [ConstDense, class extends ConstDense {}];
  const stridedGeneral: MapClassPair = [ConstStrided, class extends ConstStrided {}];
  define(denseGeneral[1], "set", setElement);
  define(stridedGeneral[1], "set", setElement);
  const kind: MapKind = { ...rules, dense, strided, denseGeneral, stridedGeneral };
  for (const [rank, [readOnly, writable]] of [...dense, denseGeneral].entries()) {
    defineShared(kind, readOnly);
    if (rules.computes) define(readOnly, kCode, dtypeNumber(rules.dtype));
    define(readOnly, "constClass", readOnly);
    define(readOnly, Symbol.iterator, rules.denseElements);
    const [readOnlyStrided, writableStrided] = strided[rank] ?? stridedGeneral;
    define(readOnly, "stridedClass", readOnlyStrided);
    define(writable, "stridedClass", writableStrided);
    define(writable, "fill", fillDense);
    define(writable, "copyFrom", copyFrom);
  }
  for (const [rank, [readOnly, writable]] of [...strided, stridedGeneral].entries()) {
    defineShared(kind, readOnly);
    define(readOnly, "denseCode", rules.computes ? dtypeNumber(rules.dtype) : kNoCode);
    define(readOnly, Symbol.iterator, rules.stridedElements);
    const [readOnlyRow, writableRow] = strided[rank - 1] ?? stridedGeneral;
    define(readOnly, "rowClass", readOnlyRow);
    define(writable, "rowClass", writableRow);
    define(writable, "fill", fillStrided);
    define(writable, "copyFrom", copyFrom);
  }
  return kind;
}

/**
 * Completes the map classes of a storage kind: defines on their prototypes the members that follow from the kind, and makes the classes of
 * general rank.
 *
 * `fill` and `copyFrom` go on the prototypes of the writable classes only: a read-only map has no method that writes.
 */
import type { DType } from "@onebuffer/base";
import { copyElements } from "./copy-elements.ts";
import { dtypeNumber, kCode } from "../../expression/tree/node-code.ts";
import { DenseGeneral, StridedGeneral, setElement } from "./general-maps.ts";
import { checkStore } from "../../geometry/map-errors.ts";
import type { ElementRules, KindMap, MapClass, MapClassPair, MapKind, StridedKindMap } from "./map-kind.ts";

/**
 * Reads the extra field of a map, by its name (see ElementRules.extraField). A view passes the value on to the constructor of the new
 * map.
 */
const extraGetters = {
  dtype: (map: { readonly dtype: unknown }): unknown => map.dtype,
  format: (map: { readonly format: unknown }): unknown => map.format,
  table: (map: { readonly table: unknown }): unknown => map.table,
  codec: (map: { readonly codec: unknown }): unknown => map.codec,
} as const;

/** Reads the dtype of a map from its extra field, for kinds of several dtypes whose maps have no field `dtype`. */
const dtypeGetters = {
  format: (map: { readonly format: { readonly dtype: DType } }): unknown => map.format.dtype,
  codec: (map: { readonly codec: { readonly dtype: DType } }): unknown => map.codec.dtype,
} as const;

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

/**
 * Defines the members that dense and strided maps of the kind have. `mapClass` is a read-only class; its writable subclass inherits them.
 */
function defineShared(kind: MapKind, mapClass: MapClass): void {
  const { extraField, dtype, slots } = kind;
  define(mapClass, "kind", kind);
  if (slots > 1) define(mapClass, "slots", slots);
  if (slots === 0) defineGetter(mapClass, "slots", (map: { readonly codec: { readonly bytes: number } }) => map.codec.bytes);
  if (extraField !== null) defineGetter(mapClass, "extra", extraGetters[extraField]);
  if (dtype !== null) define(mapClass, "dtype", dtype);
  else if (extraField === "format" || extraField === "codec") defineGetter(mapClass, "dtype", dtypeGetters[extraField]);
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
    if (rules.computes && rules.dtype !== null) define(readOnly, kCode, dtypeNumber(rules.dtype));
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
    define(readOnly, Symbol.iterator, rules.stridedElements);
    const [readOnlyRow, writableRow] = strided[rank - 1] ?? stridedGeneral;
    define(readOnly, "rowClass", readOnlyRow);
    define(writable, "rowClass", writableRow);
    define(writable, "fill", fillStrided);
    define(writable, "copyFrom", copyFrom);
  }
  return kind;
}

/**
 * Completes the classes of a storage kind: puts on their prototypes what follows from the kind, and makes the classes of general rank.
 *
 * `fill` and `copyFrom` go on the prototypes of the writable classes only: a read-only map has no method that writes.
 */
import type { DType } from "@onebuffer/base";
import { copyElements } from "./copy-elements.ts";
import { dtypeNumber, kCode } from "../../expression/tree/node-code.ts";
import { DenseGeneral, StridedGeneral, setElement } from "./general-maps.ts";
import { checkStore } from "../../geometry/map-errors.ts";
import type { ElementRules, KindMap, MapClass, MapClassPair, MapKind, StridedKindMap } from "./map-kind.ts";

/** How the kind's last field is read back for the next map. */
const carriedGetters = {
  dtype: (map: { readonly dtype: unknown }): unknown => map.dtype,
  format: (map: { readonly format: unknown }): unknown => map.format,
  table: (map: { readonly table: unknown }): unknown => map.table,
  codec: (map: { readonly codec: unknown }): unknown => map.codec,
} as const;

/** How the dtype follows from the last field, where it is no field of its own. */
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

/** `copyFrom` of all maps. */
function copyFrom(this: KindMap, source: unknown): void {
  copyElements(this as never, source);
}

/** `fill` of a map without strides. */
function fillDense(this: KindMap, value: unknown): void {
  checkStore(this, value);
  this.kind.fillDense(this as never, value as never);
}

/** `fill` of a strided map. */
function fillStrided(this: StridedKindMap, value: unknown): void {
  checkStore(this, value);
  this.kind.fillStrided(this as never, value as never);
}

/** What all maps of the kind have; the writable classes inherit it. */
function defineShared(kind: MapKind, mapClass: MapClass): void {
  const { carries, dtype, slots } = kind;
  define(mapClass, "kind", kind);
  if (slots > 1) define(mapClass, "slots", slots);
  if (slots === 0) defineGetter(mapClass, "slots", (map: { readonly codec: { readonly bytes: number } }) => map.codec.bytes);
  if (carries !== null) defineGetter(mapClass, "carried", carriedGetters[carries]);
  if (dtype !== null) define(mapClass, "dtype", dtype);
  else if (carries === "format" || carries === "codec") defineGetter(mapClass, "dtype", dtypeGetters[carries]);
}

/** Completes the classes of a kind, given by rank, and returns the kind. */
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

/**
 * staging: elements outside of the linear memory, for kernels of the short way (direct.ts): operands are copied in, the result is
 * copied out (what a device's memcpy is to a kernel on the device).
 *
 *     operand in a plain array      copied once per assignment, however often the expression reads it
 *     target in a plain array       computed aside, and written when it is complete: what overlaps it was read before
 *
 * The region is small and reserved once; what does not fit goes the long way. Addresses are as many bytes beyond a multiple of 8 as the
 * array's own, for engines move bytes one by one between places that are not aligned alike.
 */
import { typedArrayConstructor } from "@onebuffer/base";
import type { RawDType, TypedArray } from "@onebuffer/base";
import { codedDTypes } from "../../expression/tree/node-code.ts";
import { linearMemory } from "@onebuffer/wasm";
import { bytesOf, startOf } from "./map-address.ts";
import type { DenseMap } from "./map-address.ts";
import { kStagingBytes, stagingStart } from "../plan/scratch.ts";

/** More maps outside than this go the long way. */
const kMaxStaged = 24;

/** An array over the region, by the number of a dtype; and the part of it that was copied out of last, whose sizes seldom change. */
interface Window {
  readonly all: TypedArray;
  part: TypedArray;
  at: number;
}

let start = -1;
let top = 0;
const windows: (Window | null)[] = codedDTypes.map(() => null);

// What is to be copied in for the expression at hand.
let numStaged = 0;
const arrays: (TypedArray | null)[] = new Array<TypedArray | null>(kMaxStaged).fill(null);
const bases: Float64Array = new Float64Array(kMaxStaged);
const codes: Int32Array = new Int32Array(kMaxStaged);
const addresses: Float64Array = new Float64Array(kMaxStaged);

/** Where a map's elements are for kernels: where they lie, or where `copyIn` will copy them to; -1 if they are gone, or too many. */
export function reach(map: DenseMap, code: number): number {
  const own = startOf(map, code);
  return own >= 0 || map.owner.refs === 0 ? own : stage(map, code);
}

/** The address for a copy of a map's elements, which are outside. */
function stage(map: DenseMap, code: number): number {
  const { array, base } = map;
  for (let k = 0; k < numStaged; k++) if (arrays[k] === array && bases[k] === base && codes[k] === code) return addresses[k]!;
  if (numStaged === kMaxStaged) return -1;
  const address = roomFor(map, code);
  if (address < 0) return -1;
  arrays[numStaged] = array as unknown as TypedArray;
  bases[numStaged] = base;
  codes[numStaged] = code;
  addresses[numStaged++] = address;
  return address;
}

/** Copies in what was asked for, `size` elements of each map. Not before the expression is known to go the short way. */
export function copyIn(size: number): void {
  for (let k = 0; k < numStaged; k++) {
    const array = arrays[k]!;
    const base = bases[k]!;
    const code = codes[k]!;
    // Elements are alike on both sides: a dtype has one class of arrays.
    const from = base === 0 && size === array.length ? array : partOf(array, code, base, size);
    (windowOf(code).all as Float64Array).set(from as Float64Array, (addresses[k]! - start) / bytesOf[code]!);
  }
}

/** An address for as many bytes as a map outside has; -1 if its array does not reach so far any more, or there is no room. */
export function roomFor({ array, base, size }: DenseMap, code: number): number {
  const itemBytes = bytesOf[code]!;
  if (base + size > array.length || top + size * itemBytes > kStagingBytes - 16) return -1;
  if (top === 0 && !openRegion()) return -1;
  const address = start + top + ((array.byteOffset + base * itemBytes) & 7);
  top = (address - start + size * itemBytes + 7) & -8;
  return address;
}

/** Finds the region, which is another one since the last time if somebody else provides it now. */
function openRegion(): boolean {
  const found = stagingStart();
  if (found === null) return false;
  if (found !== start) {
    start = found;
    windows.fill(null);
  }
  return true;
}

/** Moves a result from an address to the map that it is for. */
export function copyOut(map: DenseMap, code: number, address: number): void {
  const { base, size } = map;
  const array = map.array as ArrayBufferView as Float64Array;
  const window = windowOf(code);
  const at = (address - start) / bytesOf[code]!;
  if (window.at !== at || window.part.length !== size) {
    window.part = (window.all as Float64Array).subarray(at, at + size);
    window.at = at;
  }
  array.set(window.part as Float64Array, base);
}

/** Ends an expression: the lists must not keep an array alive. */
export function endStaging(): void {
  if (top === 0) return;
  top = 0;
  while (numStaged > 0) arrays[--numStaged] = null;
}

function windowOf(code: number): Window {
  return (windows[code] ??= makeWindow(code));
}

function makeWindow(code: number): Window {
  const all = arrayOver(linearMemory().buffer, code, start, kStagingBytes / bytesOf[code]!);
  return { all, part: all, at: 0 };
}

/** The elements of a map whose array has others, too. Not by `subarray`, which a subclass may have of its own. */
function partOf(array: TypedArray, code: number, base: number, size: number): TypedArray {
  return arrayOver(array.buffer, code, array.byteOffset + base * bytesOf[code]!, size);
}

function arrayOver(buffer: ArrayBufferLike, code: number, byteOffset: number, length: number): TypedArray {
  const constructor = typedArrayConstructor(codedDTypes[code] as RawDType) as unknown as Float64ArrayConstructor;
  return new constructor(buffer as ArrayBuffer, byteOffset, length) as unknown as TypedArray;
}

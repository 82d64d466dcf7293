/**
 * plan-numbers: the numbers that describe an expression for the store of plans (plan-store.ts): operations, dtypes, axes, sizes, strides. Plans
 * of equal numbers are equal.
 *
 * The numbers are collected in one array of this module, so that finding a plan allocates next to nothing: a kernel that streams through
 * memory evicts from the cache everything that is used only between runs.
 */
import type { DType } from "@onebuffer/base";
import { complexDTypes } from "../../expression/tree/dtype-groups.ts";
import { kCode, kConstantCodes, kNoCode } from "../../expression/tree/node-code.ts";
import type { CodedTree } from "../../expression/tree/node-code.ts";
import { opNames, opTable } from "../../expression/tree/op-table.ts";
import type { OpClass } from "../../expression/tree/op-table.ts";
import { kernelDTypes } from "./lanes.ts";

/** The most numbers of a description: 8 MiB of them. */
const kMaxNumbers = 2 ** 20;

const opNumbers: ReadonlyMap<string, number> = new Map(opNames().map((op, i) => [op, i]));
const opClasses: readonly OpClass[] = opNames().map((op) => opTable[op].class);
const dtypeNumbers: ReadonlyMap<DType, number> = new Map([...kernelDTypes, ...complexDTypes].map((dtype, i) => [dtype, i]));

let numbers: Float64Array<ArrayBuffer> = new Float64Array(512);
let count = 0;
let hash = 0;

/** Begins a description. */
export function beginNumbers(): void {
  count = hash = 0;
}

/** Appends a number to the description. */
export function encode(number: number): void {
  if (count === numbers.length) growNumbers();
  // Numbers beyond the limit are only counted: haveRoom is false then.
  numbers[count++] = number;
  // Every bit of a number affects every bit of the hash: expressions often differ only by small numbers in a few places.
  const mixed = Math.imul(hash ^ number, 0x2c1b3c6d);
  hash = (mixed ^ (mixed >>> 15)) | 0;
}

/** Makes room for twice as many numbers, up to the limit. */
function growNumbers(): void {
  if (numbers.length >= kMaxNumbers) return;
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  numbers = larger;
}

/** Appends a list of sizes and its length. */
export function encodeSizes(dims: readonly number[]): void {
  encode(dims.length);
  for (let d = 0; d < dims.length; d++) encode(dims[d] as number);
}

/** Appends sizes and strides. */
export function encodePlaces(dims: readonly number[], strides: readonly number[]): void {
  encode(1);
  encodeSizes(dims);
  for (let d = 0; d < strides.length; d++) encode(strides[d] as number);
}

/** Returns true if all numbers of the description fitted. */
export function haveRoom(): boolean {
  return count <= kMaxNumbers;
}

/** Returns the hash of the description. */
export function hashOfNumbers(): number {
  return hash;
}

/** Returns true if the description has these numbers. */
export function areNumbers(others: Float64Array): boolean {
  if (others.length !== count) return false;
  for (let i = 0; i < count; i++) if (others[i] !== numbers[i]) return false;
  return true;
}

/** Returns a copy of the numbers of the description. */
export function copyOfNumbers(): Float64Array<ArrayBuffer> {
  return numbers.slice(0, count);
}

/** Returns the number of a dtype that kernels compute; undefined for other dtypes. */
export function numberOfDType(dtype: DType): number | undefined {
  return dtypeNumbers.get(dtype);
}

/**
 * Returns a number for the operation and the dtype of a node: its code if it has one (node-code.ts), otherwise one like those of operations
 * that are not elementwise. Returns 0 if kernels do not compute the dtype.
 */
export function numberOfNode(node: CodedTree): number {
  const code = node[kCode];
  // A map of float32 has the code 0.
  if (code < kNoCode || code > 0) return code;
  if (code === 0) return kFirstMap;
  const dtype = dtypeNumbers.get(node.dtype);
  return dtype === undefined ? 0 : -2 - ((opNumbers.get(node.op) as number) * 16 + dtype);
}

/** Stands for the code of maps whose code is 0. */
const kFirstMap = 0.5;

/** Returns the class of a node's operation from the node's number, unless the number is the code of an elementwise operation. */
export function classOfNumber(number: number): OpClass {
  return number < 0 ? opClasses[(-2 - number) >> 4]! : number < kConstantCodes ? "leaf" : "generator";
}

/** Appends the attributes of a node: numbers, booleans, texts and lists of numbers. Those of an operation are always listed in one order. */
export function encodeAttributes(attributes: object): void {
  for (const name in attributes) {
    const value = (attributes as Record<string, number | boolean | string | readonly number[]>)[name]!;
    if (typeof value === "object") encodeSizes(value);
    else encode(typeof value === "string" ? numberOfText(value) : Number(value));
  }
}

/** The texts that attributes have: the names of a few ways to combine elements. */
const textNumbers: Map<string, number> = new Map();

function numberOfText(text: string): number {
  let number = textNumbers.get(text);
  if (number === undefined) textNumbers.set(text, (number = textNumbers.size));
  return number;
}

/**
 * plan-numbers: the numbers that describe an expression for the store of plans (caches.ts): operations, dtypes, axes, sizes, strides. Plans
 * of equal numbers are equal.
 *
 * The numbers are collected in one array, so that finding a plan allocates next to nothing: a kernel that streams through
 * memory evicts from the cache everything that is used only between runs.
 */
import type { DType } from "@onebuffer/base";
import { complexDTypes, kCode, kCodesPerOperation, kConstantCodes, kNoCode } from "@onebuffer/expression/internal";
import type { CodedTree } from "@onebuffer/expression/internal";
import { opTable } from "@onebuffer/expression";
import type { OpClass } from "@onebuffer/expression";
import { kernelDTypes } from "@onebuffer/kernels/internal";

/** The most numbers of a description: 8 MiB of them. */
const kMaxNumbers = 2 ** 20;

const opNumbers: ReadonlyMap<string, number> = new Map(Object.keys(opTable).map((op, i) => [op, i]));
const opClasses: readonly OpClass[] = Object.values(opTable).map((spec) => spec.class);
const dtypeNumbers: ReadonlyMap<DType, number> = new Map([...kernelDTypes, ...complexDTypes].map((dtype, i) => [dtype, i]));

/** The numbers of an expression, and their hash. */
export interface PlanKey {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly hash: number;
}

/** The numbers of one description at a time. */
export class PlanNumbers {
  #numbers: Float64Array<ArrayBuffer> = new Float64Array(512);
  #count = 0;
  #hash = 0;
  /** The texts that attributes have, the names of a few ways to combine elements, and the records that nodes carry. */
  readonly #names: Map<string | object, number> = new Map();

  /** Begins a description. */
  begin(): void {
    this.#count = this.#hash = 0;
  }

  /** Appends a number to the description. */
  encode(number: number): void {
    if (this.#count === this.#numbers.length) this.#grow();
    // Numbers beyond the limit are only counted: hasRoom is false then.
    this.#numbers[this.#count++] = number;
    // Every bit of a number affects every bit of the hash: expressions often differ only by small numbers in a few places.
    const mixed = Math.imul(this.#hash ^ number, 0x2c1b3c6d);
    this.#hash = (mixed ^ (mixed >>> 15)) | 0;
  }

  /** Makes room for twice as many numbers, up to the limit. */
  #grow(): void {
    if (this.#numbers.length >= kMaxNumbers) return;
    const larger = new Float64Array(2 * this.#numbers.length);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  /** Appends a list of sizes and its length. */
  encodeSizes(dims: readonly number[]): void {
    this.encode(dims.length);
    for (let d = 0; d < dims.length; d++) this.encode(dims[d] as number);
  }

  /**
   * Appends the attributes of a node: numbers, booleans, texts, lists of numbers, and the record that it may carry. Those of an operation are
   * always listed in one order.
   */
  encodeAttributes(attributes: object): void {
    for (const name in attributes) {
      const value = (attributes as Record<string, number | boolean | string | readonly number[] | object>)[name]!;
      if (Array.isArray(value)) this.encodeSizes(value);
      else this.encode(typeof value === "string" || typeof value === "object" ? this.#numberOf(value) : Number(value));
    }
  }

  #numberOf(name: string | object): number {
    let number = this.#names.get(name);
    if (number === undefined) this.#names.set(name, (number = this.#names.size));
    return number;
  }

  /** True if all numbers of the description fitted. */
  get hasRoom(): boolean {
    return this.#count <= kMaxNumbers;
  }

  /** The hash of the description. */
  get hash(): number {
    return this.#hash;
  }

  /** Returns true if the description has these numbers. */
  equals(others: Float64Array): boolean {
    if (others.length !== this.#count) return false;
    for (let i = 0; i < this.#count; i++) if (others[i] !== this.#numbers[i]) return false;
    return true;
  }

  /** Returns the current description as a key for the store of plans. */
  key(): PlanKey {
    return { numbers: this.#numbers.slice(0, this.#count), hash: this.#hash };
  }
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
  return dtype === undefined ? 0 : -2 - ((opNumbers.get(node.op) as number) * kCodesPerOperation + dtype);
}

/** Stands for the code of maps whose code is 0. */
const kFirstMap = 0.5;

/** Returns the class of a node's operation from the node's number, unless the number is the code of an elementwise operation. */
export function classOfNumber(number: number): OpClass {
  return number < 0 ? opClasses[Math.trunc((-2 - number) / kCodesPerOperation)]! : number < kConstantCodes ? "leaf" : "generator";
}

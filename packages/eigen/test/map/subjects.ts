// The maps that the tests of this folder run over: one for every dtype, and an unaligned one for every raw dtype. Also the values that
// can be written to a map of each dtype, and what they must be read as.
import { allDTypes, arraySlots, elementCodec, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import type { DType, RawDType } from "@onebuffer/base";
import type { MemoryOwner, TensorMap } from "@onebuffer/eigen";
import { MemoryToken } from "@onebuffer/storage/internal";
import { tensorMapKind, unalignedTensorMap } from "@onebuffer/eigen/internal";
import fc from "fast-check";
import { product } from "../row-major.ts";

/** A map over memory of its own, and functions that free or detach the memory. */
export interface Subject {
  readonly map: TensorMap<DType, number>;
  /** Returns a map of other sizes over the same memory, whose base is `shift` elements higher. */
  again(dims: readonly number[], shift: number): TensorMap<DType, number>;
  free(): void;
  /** Detaches the memory. Null if the elements are JavaScript values. */
  readonly detach: (() => void) | null;
}

/** One row of the test tables. */
export interface SubjectKind {
  readonly name: string;
  readonly dtype: DType;
  readonly unaligned: boolean;
  make(dims: readonly number[], base?: number): Subject;
}

/** The number of elements of the memory after the map. */
const kGap = 3;

function aligned(dtype: DType): SubjectKind {
  const make = (dims: readonly number[], base = 0): Subject => {
    const count = base + product(dims) + kGap;
    const owner = new MemoryToken(null);
    const kind = tensorMapKind(dtype);
    if (isObjectDType(dtype)) {
      const array = Array.from({ length: count }, () => (dtype === "string" ? new Uint8Array(0) : null)) as never;
      const again = (other: readonly number[], shift: number) => kind.general(array, base + shift, owner, other);
      return { map: again(dims, 0), again, free: () => owner.free(), detach: null };
    }
    const array = new (typedArrayConstructor(dtype))(count * arraySlots(dtype));
    const again = (other: readonly number[], shift: number) => kind.general(array as never, base + shift, owner, other);
    return {
      map: again(dims, 0),
      again,
      free: () => owner.free(),
      detach: () => void structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] }),
    };
  };
  return { name: dtype, dtype, unaligned: false, make };
}

function unaligned(dtype: RawDType): SubjectKind {
  const bytes = elementCodec(dtype).bytes;
  const make = (dims: readonly number[], base = 0): Subject => {
    const buffer = new ArrayBuffer((base + product(dims) + kGap) * bytes + 1);
    const owner = new MemoryToken(null);
    const again = (other: readonly number[], shift: number) =>
      unalignedTensorMap(dtype, buffer, 1 + (base + shift) * bytes, owner, other) as unknown as TensorMap<DType, number>;
    return { map: again(dims, 0), again, free: () => owner.free(), detach: () => void structuredClone(buffer, { transfer: [buffer] }) };
  };
  return { name: `${dtype} unaligned`, dtype, unaligned: true, make };
}

const dtypes: readonly DType[] = allDTypes;
export const rawDTypes: readonly RawDType[] = dtypes.filter((dtype) => !isObjectDType(dtype)) as RawDType[];
export const subjectKinds: readonly SubjectKind[] = [...dtypes.map(aligned), ...rawDTypes.map(unaligned)];

const numbers = fc.oneof(fc.integer({ min: -300, max: 70000 }), fc.double(), fc.constantFrom(0, -0, 0.1, 448, 65504, Infinity, NaN));

/** Returns an arbitrary of values that `set` accepts for a dtype. */
export function inputs(dtype: DType): fc.Arbitrary<unknown> {
  switch (dtype) {
    case "string":
      return fc.oneof(fc.string(), fc.uint8Array({ maxLength: 4 }));
    case "resource":
    case "variant":
      return fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.record({ name: fc.string() }));
    case "complex64":
    case "complex128":
      return fc.tuple(numbers, numbers);
    case "int64":
    case "uint64":
      return fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n });
    case "bool":
      return fc.boolean();
    default:
      return numbers;
  }
}

/** Returns what a stored value is read as, computed with the dtype's codec, which the tests of the package `base` cover. */
export function stored(dtype: DType, input: unknown): unknown {
  if (dtype === "string") return typeof input === "string" ? new TextEncoder().encode(input) : input;
  if (isObjectDType(dtype)) return input;
  const view = new DataView(new ArrayBuffer(16));
  elementCodec(dtype).write(view, 0, input as never);
  return elementCodec(dtype).read(view, 0);
}

/** Returns a value that `set` accepts for a dtype and that differs from a fresh element once it is stored. */
export function oneInput(dtype: DType): unknown {
  return fc.sample(
    inputs(dtype).filter((value) => !Object.is(JSON.stringify(shown(stored(dtype, value))), JSON.stringify(shown(fresh(dtype))))),
    { numRuns: 1, seed: 7 },
  )[0];
}

const shown = (value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value instanceof Uint8Array ? [...value] : value);

/** Returns the element of fresh memory: zero, empty bytes or null. */
export function fresh(dtype: DType): unknown {
  if (dtype === "string") return new Uint8Array(0);
  if (isObjectDType(dtype)) return null;
  return elementCodec(dtype).read(new DataView(new ArrayBuffer(16)), 0);
}

/** Returns values that no map of the dtype accepts. */
export function wrongInputs(dtype: DType): readonly unknown[] {
  switch (dtype) {
    case "string":
      return [1, undefined, null, new Uint16Array(1), ["a"]];
    case "resource":
    case "variant":
      return [undefined];
    case "complex64":
    case "complex128":
      return [1, [1], [1, 2, 3], ["1", 2], undefined, null];
    case "int64":
    case "uint64":
      return [1, "1", undefined, null];
    case "bool":
      return [0, 1, "true", undefined, null];
    default:
      return [1n, "1", true, undefined, null, [1], {}];
  }
}

/** Returns the owner of a map's memory, which is not part of the map's public type. */
export function ownerOf(map: object): MemoryOwner {
  return (map as { readonly owner: MemoryOwner }).owner;
}

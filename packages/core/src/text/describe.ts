/**
 * describe: the byte picture of a shape, a tensor or an allocator, for people who want to see its internals.
 *
 * The same facts are returned as text (an ASCII drawing) and as plain data for pages that draw their own picture. Only the 16 bytes
 * of the shape are copied.
 */
import { checkArray, checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import type { TensorShapeBase } from "@onebuffer/shape";
import type { Allocator, AllocatorStats } from "@onebuffer/allocator";
import { AllocatorMemoryType } from "@onebuffer/allocator";
import type { ShapeDescription } from "./describe-shape.ts";
import { shapeDescription, shapePicture } from "./describe-shape.ts";
import type { DescribedTensor, TensorPicture } from "./describe-tensor.ts";
import { tensorPicture, tensorPictureData } from "./describe-tensor.ts";

/** A picture: `text` for printing, `data` for drawing. `String(picture)` is the text. */
export interface Description<T> {
  readonly text: string;
  readonly data: T;
  toString(): string;
}

/** The type of `describe(allocator).data`. */
export interface AllocatorDescription {
  readonly kind: "allocator";
  readonly name: string;
  /** The name of the AllocatorMemoryType. */
  readonly memoryType: string;
  readonly tracksAllocationSizes: boolean;
  readonly allocatesOpaqueHandle: boolean;
  /** Null if the allocator keeps no statistics. */
  readonly stats: AllocatorStats | null;
}

function description<T>(data: T, lines: readonly string[]): Description<T> {
  const text = lines.join("\n");
  return { text, data, toString: () => text };
}

function describeAllocator(allocator: Allocator): Description<AllocatorDescription> {
  const stats = allocator.getStats();
  const type = allocator.getMemoryType();
  const memoryType = Object.entries(AllocatorMemoryType).find(([, value]) => value === type)?.[0] ?? String(type);
  const data: AllocatorDescription = {
    kind: "allocator",
    name: allocator.name,
    memoryType,
    tracksAllocationSizes: allocator.tracksAllocationSizes(),
    allocatesOpaqueHandle: allocator.allocatesOpaqueHandle(),
    stats,
  };
  return description(data, [
    `allocator "${data.name}": ${memoryType}, ${data.tracksAllocationSizes ? "tracks" : "does not track"} sizes`,
    stats === null ? "no statistics" : stats.debugString(),
  ]);
}

/**
 * Returns the byte picture of a shape (its 16 bytes and their meaning), a tensor (shape, buffer, root, counts, and which of the
 * `others` share the root), or an allocator (name, kind of memory, statistics).
 *
 * Throws FAILED_PRECONDITION for a disposed tensor, INVALID_ARGUMENT for anything that is not a shape, a tensor or an allocator.
 *
 * @example
 * describe(new TensorShape([2, 3])).data.rep; // => "REP16"
 * using t = Tensor.arange(12);
 * using row = t.slice(0, 4);
 * describe(t, [row]).data.sharing.length; // => 1
 * describe(cpuAllocator()).data.name; // => "cpu"
 */
export function describe(shape: TensorShapeBase): Description<ShapeDescription>;
export function describe(tensor: DescribedTensor, others?: readonly DescribedTensor[]): Description<TensorPicture>;
export function describe(allocator: Allocator): Description<AllocatorDescription>;
export function describe(
  subject: TensorShapeBase | DescribedTensor | Allocator,
  others: readonly DescribedTensor[] = [],
): Description<ShapeDescription> | Description<TensorPicture> | Description<AllocatorDescription> {
  if (typeof subject !== "object" || subject === null) throw new InvalidArgumentError("describe draws shapes, tensors and allocators");
  checkArray(others, "an array of tensors");
  for (const other of others) checkObject(other, "a Tensor");
  if ("allocateRaw" in subject) return describeAllocator(subject);
  if ("dimSizes" in subject) {
    const data = shapeDescription(subject);
    return description(data, shapePicture(data));
  }
  if ("shape" in subject && "buffer" in subject) {
    const data = tensorPictureData(subject, others);
    return description(data, tensorPicture(data));
  }
  throw new InvalidArgumentError("describe draws shapes, tensors and allocators");
}

/**
 * The byte picture of a tensor: its shape's 16 bytes, its buffer, the root that owns the memory, and those of the given other
 * tensors that share that root, drawn to scale.
 *
 *     root  |################################|  24 bytes, refs 3
 *     this  |                ################|  [1,3] at byte 12
 */
import { dataTypeString } from "@onebuffer/base";
import type { TensorShape } from "@onebuffer/shape";
import type { ShapeDescription } from "./describe-shape.ts";
import { shapeDescription, shapePicture } from "./describe-shape.ts";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";

/** The two fields of a tensor that the picture needs. */
export interface DescribedTensor {
  readonly shape: TensorShape;
  readonly buffer: TensorBuffer | null;
}

/** The position of a tensor's bytes in the root. */
export interface Placement {
  /** The sizes as text. */
  readonly shape: string;
  /** TensorFlow's name for the dtype. */
  readonly type: string;
  /** The first byte, counted from the root's first byte. */
  readonly byteOffset: number;
  readonly bytes: number;
  /** True if the buffer is a window into the root, false if it is the root. */
  readonly isSubBuffer: boolean;
  /** The buffer's own reference count. */
  readonly refs: number;
}

/** The buffer that owns the memory. */
export interface RootDescription {
  /** `Buffer`, `ForeignBuffer`, … */
  readonly kind: string;
  readonly bytes: number;
  readonly refs: number;
  readonly ownsMemory: boolean;
  /** The allocator's name, "" if there is none. */
  readonly allocator: string;
}

/** The type of `describe(tensor).data`. */
export interface TensorPicture {
  readonly kind: "tensor";
  readonly shape: ShapeDescription;
  readonly type: string;
  readonly initialized: boolean;
  /** Null if there is no buffer. */
  readonly placement: Placement | null;
  readonly root: RootDescription | null;
  /** The tensors of the given list that share the root. */
  readonly sharing: readonly Placement[];
}

/** The number of columns in which the root is drawn. */
const kColumns = 48;

function placement({ shape, buffer }: DescribedTensor): Placement | null {
  if (buffer === null) return null;
  const root = buffer.rootBuffer;
  return {
    shape: shape.debugString(),
    type: dataTypeString(shape.dataType),
    byteOffset: buffer.byteOffset - root.byteOffset,
    bytes: buffer.size,
    isSubBuffer: root !== buffer,
    refs: buffer.refs,
  };
}

/** Returns the description of a tensor as data; those of `others` that share its root are included. */
export function tensorPictureData(tensor: DescribedTensor, others: readonly DescribedTensor[]): TensorPicture {
  const { shape, buffer } = tensor;
  const root = buffer?.rootBuffer ?? null;
  const sharing: Placement[] = [];
  for (const other of others) {
    const place = other !== tensor && root !== null && other.buffer?.rootBuffer === root ? placement(other) : null;
    if (place !== null) sharing.push(place);
  }
  return {
    kind: "tensor",
    shape: shapeDescription(shape),
    type: dataTypeString(shape.dataType),
    initialized: shape.numElements === 0 || buffer?.hasData === true,
    placement: placement(tensor),
    root:
      root === null
        ? null
        : {
            kind: root.className,
            bytes: root.size,
            refs: root.refs,
            ownsMemory: root.ownsMemory(),
            allocator: root.fillAllocationDescription().allocatorName,
          },
    sharing,
  };
}

function bar(name: string, place: { byteOffset: number; bytes: number }, rootBytes: number, note: string): string {
  const scale = rootBytes === 0 ? 0 : kColumns / rootBytes;
  const from = Math.min(kColumns - 1, Math.floor(place.byteOffset * scale));
  const to = place.bytes === 0 ? from : Math.max(from + 1, Math.round((place.byteOffset + place.bytes) * scale));
  const drawn = " ".repeat(from) + "#".repeat(to - from);
  return `${name.padEnd(6)}|${drawn.padEnd(kColumns)}|  ${note}`;
}

/** Returns the picture as lines of text. */
export function tensorPicture(data: TensorPicture): string[] {
  const lines = [`Tensor<type: ${data.type} shape: ${data.shape.shape}>`, ...shapePicture(data.shape)];
  const { placement: place, root } = data;
  if (place === null || root === null) {
    lines.push(data.initialized ? "no buffer: there are no elements" : "no buffer: not initialized");
    return lines;
  }
  const owner = root.ownsMemory ? `from allocator "${root.allocator}"` : "memory that the buffer does not own";
  lines.push(
    bar("root", { byteOffset: 0, bytes: root.bytes }, root.bytes, `${root.kind} of ${root.bytes} bytes, refs ${root.refs}, ${owner}`),
  );
  const kind = (p: Placement): string => (p.isSubBuffer ? `SubBuffer, refs ${p.refs}, ` : "");
  const note = (p: Placement): string => `${kind(p)}${p.type} ${p.shape}, ${p.bytes} bytes at byte ${p.byteOffset}`;
  lines.push(bar("this", place, root.bytes, note(place)));
  for (const other of data.sharing) lines.push(bar("shares", other, root.bytes, note(other)));
  return lines;
}

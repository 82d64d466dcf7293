/**
 * TensorBuffer: the ref-counted bytes behind one or more tensors (tensorflow/core/framework/tensor.h).
 *
 *     TensorBuffer (abstract)   memory, byteOffset, size, rootBuffer
 *       BufferBase              memory from an Allocator
 *         Buffer                ... for elements of a dtype
 *       SubBuffer               a window into a root buffer, which it keeps alive
 *       HostScalarTensorBuffer  one value
 *       ForeignBuffer           memory somebody else owns
 *
 * A buffer knows bytes, not shapes, and no dtype; only string, resource and variant buffers carry their values.
 * Offset and size are kept as two halves of 30 bits: a field that ever holds a number beyond the engine's small integers
 * slows every object of its class (guides/memory.md, section 1).
 */
import type { RawDType, TypedArray, TypedArrayOf } from "@onebuffer/base";
import { FailedPreconditionError, typedArrayConstructor } from "@onebuffer/base";
import { MemoryToken, withMemoryOwner } from "@onebuffer/eigen";
import type { MemoryOwner } from "@onebuffer/eigen";
import { AllocatorMemoryType, bufferLedger, emptyAllocationDescription, RefCounted } from "@onebuffer/allocator";
import type { AllocationDescription } from "@onebuffer/allocator";
import { countLiveBuffer, isMemoryGone } from "@onebuffer/allocator/internal";

/** The weight of the high half of an offset or size. */
const kHigh = 0x40000000;
/** One by kHigh, exactly. */
const kPerHigh = 2 ** -30;
/** The bits of the low half; `&` takes them from any integer, for it works modulo 2^32. */
const kLowMask = 0x3fffffff;

/**
 * The base of all buffers. What views and typed arrays carry as their `owner` says whether the bytes are still there.
 *
 * After the last `unref` every access throws FAILED_PRECONDITION; so does an access to memory that was detached.
 * Copies: never.
 *
 * @example
 * const buffer: TensorBuffer = new Buffer("float32", cpuAllocator(), 6);
 * buffer.size; // => 24
 * buffer.rootBuffer === buffer; // => true
 * buffer.unref(); // => true
 * buffer.bytes(); // throws FAILED_PRECONDITION
 */
export abstract class TensorBuffer extends RefCounted implements MemoryOwner {
  // In this order, each stored once: half the cost of a slice is filling in its window.
  private readonly offsetLo: number;
  private readonly offsetHi: number;
  private readonly sizeLo: number;
  private readonly sizeHi: number;
  /** The buffer that owns the memory: this one, unless it is a SubBuffer. */
  readonly rootBuffer: TensorBuffer;
  /** Where the bytes live; null when there are none, when the elements are JavaScript values, and after the end. */
  readonly memory: ArrayBufferLike | null;
  /** The last typed array made over the whole root: one slot, used on roots only. */
  private cachedArray: TypedArray | null;
  /** The root's token for maps and arrays, made when the first of them is; used on roots only. */
  private token: MemoryToken | null;

  /**
   * `root` null makes a root buffer. `memory` null stands for C++'s null data pointer, unless there are `elements`.
   * Subclasses have checked that the bytes lie in the memory.
   */
  protected constructor(memory: ArrayBufferLike | null, byteOffset: number, size: number, root: TensorBuffer | null) {
    super();
    this.offsetLo = byteOffset & kLowMask;
    this.offsetHi = (byteOffset * kPerHigh) | 0;
    this.sizeLo = size & kLowMask;
    this.sizeHi = (size * kPerHigh) | 0;
    this.rootBuffer = root ?? this;
    this.memory = memory;
    this.cachedArray = null;
    this.token = null;
    if (root === null) countLiveBuffer(1);
    if (bufferLedger.enabled) this.enterBooks();
  }

  /** The first byte's offset in `memory` (for JavaScript values: in the bytes reserved for them). */
  get byteOffset(): number {
    return this.offsetHi * kHigh + this.offsetLo;
  }

  /** The buffer's length in bytes; string, variant and resource elements count 24, 64 and 168 each, as in TensorFlow. */
  get size(): number {
    return this.sizeHi * kHigh + this.sizeLo;
  }

  /**
   * The values of a string, resource or variant buffer, from the root's first on; null for raw bytes and after the end.
   * A root that has values answers for itself; keeping them here would cost every slice a field.
   */
  get elements(): unknown[] | null {
    const root = this.rootBuffer;
    return root === this || this.refs === 0 ? null : root.elements;
  }

  /** The place of this buffer's first value in `elements`; 0 for raw bytes. */
  get elementOffset(): number {
    if (this.elements === null) return 0;
    const root = this.rootBuffer;
    return (this.byteOffset - root.byteOffset) / root.elementSize;
  }

  /** Whether there is data: false when the allocation failed, and after the end. TensorFlow's `data() != nullptr`. */
  get hasData(): boolean {
    return this.memory !== null || this.elements !== null;
  }

  /** Bytes one JavaScript value counts for in a root with `elements`. */
  protected get elementSize(): number {
    return 1;
  }

  /**
   * What maps and typed arrays over this buffer carry: one token per root, which keeps the root reachable and whose `refs`
   * is 0 once the bytes are given back. Buffers are of several classes and maps read `refs` at every access, which is fast
   * for one class only; hence the token. Throws FAILED_PRECONDITION after the end.
   */
  get owner(): MemoryToken {
    const root = this.rootBuffer;
    if (this.refs === 0) this.refuse("owner");
    if (root.refs === 0) root.refuse("owner");
    return (root.token ??= new MemoryToken(root));
  }

  /**
   * A typed array of `dtype`'s raw elements over the WHOLE root, from the root's first byte (a trailing part of an
   * element is left out); null when the root's offset is no multiple of the element size. It carries its `owner`, so
   * whoever holds it keeps the root reachable. The last array made is kept and handed out again. Throws FAILED_PRECONDITION after the end, on detached memory and where there are no bytes.
   */
  typedArray<D extends RawDType>(dtype: D): TypedArrayOf<D> | null {
    const root = this.rootBuffer;
    const constructor = typedArrayConstructor(dtype);
    const cached = root.cachedArray;
    // A detached array is empty, so a cached one that is not empty is good.
    if (this.refs !== 0 && cached !== null && cached.constructor === constructor && cached.length !== 0) return cached as TypedArrayOf<D>;
    const memory = this.checkedMemory("typedArray");
    const offset = root.byteOffset;
    const bytes = constructor.BYTES_PER_ELEMENT;
    if (offset % bytes !== 0) return null;
    const array = new constructor(memory, offset, Math.floor(root.size / bytes)) as TypedArrayOf<D>;
    root.cachedArray = withMemoryOwner(array, this.owner);
    return array;
  }

  /** The bytes of this buffer alone, as a fresh array over the same memory that carries its `owner`. Throws as `typedArray` does. */
  bytes(): Uint8Array<ArrayBufferLike> {
    const memory = this.checkedMemory("bytes");
    return withMemoryOwner(new Uint8Array(memory, this.byteOffset, this.size), this.owner);
  }

  /** Whether the memory is the buffer's own; false for wrappers around memory that somebody else may change. */
  ownsMemory(): boolean {
    return true;
  }

  /** The control block that counts the threads which hold the memory; 0 for a buffer of this thread alone. Asked of roots. */
  controlSlot(): number {
    return 0;
  }

  /** Bytes the allocator really took, or null when it cannot say. */
  getAllocatedBytes(): number | null {
    const { allocatedBytes } = this.fillAllocationDescription();
    return allocatedBytes > 0 ? allocatedBytes : null;
  }

  /** What this buffer tells about its allocation: a fresh message. */
  fillAllocationDescription(): AllocationDescription {
    return emptyAllocationDescription();
  }

  /** Where the memory lies: unknown unless the kind of buffer says. */
  getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kUnknown;
  }

  /** Lets go of the memory and leaves the books. Runs last in every subclass's `destroy`. */
  protected override destroy(): void {
    (this as { memory: ArrayBufferLike | null }).memory = null;
    this.cachedArray = null;
    if (this.token !== null) this.token.free();
    if (this.rootBuffer === this) countLiveBuffer(-1);
    if (bufferLedger.enabled) bufferLedger.noteFreed(this);
  }

  /** Class and size. */
  protected override objectName(): string {
    return `${this.constructor.name} of ${this.size} bytes`;
  }

  /** Reports a call after the end; the ledger notes it first. */
  protected override refuse(call: string): never {
    if (bufferLedger.enabled && this.refs <= 0) bufferLedger.noteMistake(this, call, this.objectName());
    return super.refuse(call);
  }

  /** Tells the ledger; apart from the constructor, which is part of every slice. */
  private enterBooks(): void {
    const root = this.rootBuffer;
    bufferLedger.noteMade(this, this.objectName(), root === this ? null : root);
  }

  /** The memory, for an access named `call`, or FAILED_PRECONDITION. */
  private checkedMemory(call: string): ArrayBufferLike {
    const root = this.rootBuffer;
    if (this.refs === 0) this.refuse(call);
    if (root.refs === 0) root.refuse(call);
    const memory = this.memory;
    if (memory === null) throw new FailedPreconditionError(`${call}() on ${this.objectName()}: it holds no raw bytes`);
    const end = root.byteOffset + root.size;
    if (isMemoryGone(memory, end))
      throw new FailedPreconditionError(
        `${call}() on ${this.objectName()}: its memory was detached or shrunk to ${memory.byteLength} bytes, it needs ${end}`,
      );
    return memory;
  }
}

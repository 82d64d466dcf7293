/**
 * TensorBuffer: the ref-counted bytes behind one or more tensors (tensorflow/core/framework/tensor.h).
 *
 *     TensorBuffer (abstract)   memory, byteOffset, size, rootBuffer
 *       BufferBase              memory from an Allocator
 *         Buffer                ... for elements of a dtype
 *       SubBuffer               a window into a root buffer, which it keeps alive
 *       HostScalarTensorBuffer  one value
 *       ForeignBuffer           memory that the caller owns
 *
 * A buffer is a range of bytes without a shape or dtype; only string, resource and variant buffers also hold their values.
 * Offset and size are each stored as two halves of 30 bits: if a field ever held a number outside the engine's small-integer range,
 * every object of its class would become slower.
 */
import type { RawDType, TypedArray, TypedArrayOf } from "@onebuffer/base";
import { FailedPreconditionError, typedArrayConstructor } from "@onebuffer/base";
import { MemoryToken, withMemoryOwner } from "@onebuffer/storage/internal";
import type { MemoryOwner } from "@onebuffer/eigen";
import { AllocatorMemoryType, emptyAllocationDescription, RefCounted } from "@onebuffer/allocator";
import { countLiveBuffer, enabledLedger, isMemoryGone } from "@onebuffer/allocator/internal";
import type { AllocationDescription } from "@onebuffer/allocator";
import { noMemory } from "./held-memory.ts";
import type { HeldMemory } from "./held-memory.ts";

/** 2^30: the weight of the high half of an offset or size. */
const kHigh = 0x40000000;
/** 1 / kHigh, exactly. */
const kPerHigh = 2 ** -30;
/** The 30 bits of the low half. `&` extracts them from any integer up to 2^53, because it works modulo 2^32. */
const kLowMask = 0x3fffffff;

/**
 * The base class of all buffers. Views and typed arrays carry the buffer's `owner`, whose `refs` tells them if the bytes still exist.
 *
 * After the last `unref` every access throws FAILED_PRECONDITION; so does an access to memory that was detached.
 * Never copies bytes.
 *
 * @example
 * const buffer: TensorBuffer = new Buffer("float32", cpuAllocator(), 6);
 * buffer.size; // => 24
 * buffer.rootBuffer === buffer; // => true
 * buffer.unref(); // => true
 * buffer.bytes(); // throws FAILED_PRECONDITION
 */
export abstract class TensorBuffer extends RefCounted implements MemoryOwner {
  // The constructor stores each field once, in this order: half the cost of a slice is setting the fields of its window.
  private readonly offsetLo: number;
  private readonly offsetHi: number;
  private readonly sizeLo: number;
  private readonly sizeHi: number;
  /** The buffer that owns the memory: this one, unless it is a SubBuffer. */
  readonly rootBuffer: TensorBuffer;
  /** The memory; `noMemory` after the last `unref`. */
  protected held: HeldMemory;
  /** The typed array made last over the whole root. Used on roots only. */
  private cachedArray: TypedArray | null;
  /** The token that maps and typed arrays over this root carry, made for the first of them. Used on roots only. */
  private token: MemoryToken | null;

  /**
   * A null `root` makes a root buffer over the memory that is `held`, which others take from their root. Null `memory` corresponds to C++'s null
   * data pointer, unless there are `elements`.
   * Subclasses check first that the bytes lie inside the memory.
   */
  protected constructor(held: HeldMemory, byteOffset: number, size: number, root: TensorBuffer | null) {
    super();
    this.offsetLo = byteOffset & kLowMask;
    this.offsetHi = (byteOffset * kPerHigh) | 0;
    this.sizeLo = size & kLowMask;
    this.sizeHi = (size * kPerHigh) | 0;
    this.rootBuffer = root ?? this;
    this.held = root === null ? held : root.held;
    this.cachedArray = null;
    this.token = null;
    if (root === null) countLiveBuffer(1);
    if (enabledLedger.current !== null) this.noteMade();
  }

  /**
   * The ArrayBuffer or SharedArrayBuffer that contains the bytes. Null if there are no bytes, if the elements are JavaScript values,
   * and after the last `unref`.
   */
  get memory(): ArrayBufferLike | null {
    return this.held.memory;
  }

  /** The offset of the first byte in `memory` (for JavaScript values: in the bytes reserved for them). */
  get byteOffset(): number {
    return this.offsetHi * kHigh + this.offsetLo;
  }

  /** The buffer's length in bytes; string, variant and resource elements count 24, 64 and 168 each, as in TensorFlow. */
  get size(): number {
    return this.sizeHi * kHigh + this.sizeLo;
  }

  /**
   * The values of a string, resource or variant buffer, starting with the root's first value; null for raw bytes and after the
   * last `unref`. A root that has values overrides this getter; a field here would make every slice larger.
   */
  get elements(): unknown[] | null {
    const root = this.rootBuffer;
    return root === this || this.refs === 0 ? null : root.elements;
  }

  /** The index of this buffer's first value in `elements`; 0 for raw bytes. */
  get elementOffset(): number {
    if (this.elements === null) return 0;
    const root = this.rootBuffer;
    return (this.byteOffset - root.byteOffset) / root.elementSize;
  }

  /** True if there is data; false if the allocation failed and after the last `unref`. TensorFlow's `data() != nullptr`. */
  get hasData(): boolean {
    return this.memory !== null || this.elements !== null;
  }

  /** The number of bytes that one JavaScript value counts for in a root with `elements`. */
  protected get elementSize(): number {
    return 1;
  }

  /**
   * The token that maps and typed arrays over this buffer carry: one per root. It keeps the root reachable, and its `refs` is 0 once
   * the bytes are deallocated. Maps read `refs` at every access, which is fast only if all owners are of one class; buffers
   * are of several classes, so maps read the token instead. Throws FAILED_PRECONDITION after the last `unref`.
   */
  get owner(): MemoryToken {
    const root = this.rootBuffer;
    if (this.refs === 0) this.refuse("owner");
    if (root.refs === 0) root.refuse("owner");
    return (root.token ??= new MemoryToken(root));
  }

  /**
   * Returns a typed array of `dtype`'s raw elements over the WHOLE root, starting at the root's first byte (an incomplete element
   * at the end is left out). Returns null if the root's offset is not a multiple of the element size. The array carries its
   * `owner`, so holding the array keeps the root reachable. The array made last is cached and returned again. Throws
   * FAILED_PRECONDITION after the last `unref`, on detached memory, and if there are no bytes.
   */
  typedArray<D extends RawDType>(dtype: D): TypedArrayOf<D> | null {
    const root = this.rootBuffer;
    const constructor = typedArrayConstructor(dtype);
    const cached = root.cachedArray;
    // Detaching makes a typed array empty, so a cached array that is not empty is still valid.
    if (this.refs !== 0 && cached !== null && cached.constructor === constructor && cached.length !== 0) return cached as TypedArrayOf<D>;
    const memory = this.checkedMemory("typedArray");
    const offset = root.byteOffset;
    const bytes = constructor.BYTES_PER_ELEMENT;
    if (offset % bytes !== 0) return null;
    const array = new constructor(memory, offset, Math.floor(root.size / bytes)) as TypedArrayOf<D>;
    root.cachedArray = withMemoryOwner(array, this.owner);
    return array;
  }

  /** Returns this buffer's own bytes as a new array over the same memory, carrying its `owner`. Throws as `typedArray` does. */
  bytes(): Uint8Array<ArrayBufferLike> {
    const memory = this.checkedMemory("bytes");
    return withMemoryOwner(new Uint8Array(memory, this.byteOffset, this.size), this.owner);
  }

  /** Returns true if the buffer owns its memory; false for a wrapper around memory that other code may change. */
  ownsMemory(): boolean {
    return true;
  }

  /** Returns the slot of the control block that counts the threads holding the memory; 0 if only this thread does. Called on roots. */
  controlSlot(): number {
    return 0;
  }

  /** Returns the number of bytes that the allocator really reserved, or null if that is unknown. */
  getAllocatedBytes(): number | null {
    const { allocatedBytes } = this.fillAllocationDescription();
    return allocatedBytes > 0 ? allocatedBytes : null;
  }

  /** Returns a new AllocationDescription of this buffer; subclasses fill in what they know. */
  fillAllocationDescription(): AllocationDescription {
    return emptyAllocationDescription();
  }

  /** Returns the type of the memory: kUnknown unless a subclass overrides it. */
  getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kUnknown;
  }

  /** Drops the memory and removes the buffer from the counts and the ledger. Every subclass's `destroy` calls it. */
  protected override destroy(): void {
    this.held = noMemory;
    this.cachedArray = null;
    if (this.token !== null) this.token.free();
    if (this.rootBuffer === this) countLiveBuffer(-1);
    enabledLedger.current?.noteFreed(this);
  }

  /** The name of the class, the same in minified code. A subclass outside of this package has the name of its constructor. */
  get className(): string {
    return this.constructor.name;
  }

  /** The class name and the size, for error messages. */
  protected override objectName(): string {
    return `${this.className} of ${this.size} bytes`;
  }

  /** Throws FAILED_PRECONDITION for a call after the last `unref`, and records the mistake in the ledger first. */
  protected override refuse(call: string): never {
    if (this.refs <= 0) enabledLedger.current?.noteMistake(this, call, this.objectName());
    return super.refuse(call);
  }

  /** Records the new buffer in the ledger. A separate method, so that the constructor, which every slice runs, stays small. */
  private noteMade(): void {
    const root = this.rootBuffer;
    enabledLedger.current?.noteMade(this, this.objectName(), root === this ? null : root);
  }

  /** Returns the memory for an access by the method `call`. Throws FAILED_PRECONDITION if it is gone or there are no raw bytes. */
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

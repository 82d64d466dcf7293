/**
 * AllocatorAttributes: the kind of memory that an allocator must provide (tsl/framework/allocator.h).
 *
 *     bit 0  on_host             reachable by the CPU
 *     bit 1  nic_compatible      reachable by the network card
 *     bit 2  gpu_compatible      reachable by the GPU's copy engines
 *     bit 3  use_pjrt_allocator  from the PJRT client's allocator
 *     bits 24-31                 defined by devices
 *
 * They choose an allocator. The options of a single allocation are AllocationAttributes.
 */
import { checkObject } from "@onebuffer/base/internal";
import { FailedPreconditionError } from "@onebuffer/base";

const kOnHost = 1;
const kNicCompatible = 2;
const kGpuCompatible = 4;
const kUsePjrtAllocator = 8;

/**
 * A set of requirements on memory, with an optional scope.
 *
 * Quirk: as in TensorFlow the setters can only add requirements; `setOnHost(false)` changes nothing.
 *
 * @example
 * const attributes = new AllocatorAttributes();
 * attributes.setOnHost(true);
 * attributes.setGpuCompatible(true);
 * attributes.value; // => 5
 * attributes.debugString(); // => "AllocatorAttributes(on_host=1 nic_compatible=0 gpu_compatible=1)"
 */
export class AllocatorAttributes {
  /** The requirements as bits of an unsigned 32-bit integer. */
  value: number = 0;
  /** The id of a scoped allocator (experimental in TensorFlow); 0 means none. */
  scopeId: number = 0;

  /** Requires memory that the CPU can reach. Quirk: false does not clear. */
  setOnHost(value: boolean): void {
    this.#require(value ? kOnHost : 0);
  }

  /** True if the memory must be reachable by the CPU. */
  get onHost(): boolean {
    return (this.value & kOnHost) !== 0;
  }

  /** Requires memory that the network card can reach. Quirk: false does not clear. */
  setNicCompatible(value: boolean): void {
    this.#require(value ? kNicCompatible : 0);
  }

  /** True if the memory must be reachable by the network card. */
  get nicCompatible(): boolean {
    return (this.value & kNicCompatible) !== 0;
  }

  /** Requires memory that a GPU can reach. Quirk: false does not clear. */
  setGpuCompatible(value: boolean): void {
    this.#require(value ? kGpuCompatible : 0);
  }

  /** True if the memory must be reachable by a GPU. */
  get gpuCompatible(): boolean {
    return (this.value & kGpuCompatible) !== 0;
  }

  /** Requires the PJRT client's allocator. Quirk: false does not clear. */
  setUsePjrtAllocator(value: boolean): void {
    this.#require(value ? kUsePjrtAllocator : 0);
  }

  /** True if the memory must come from the PJRT client's allocator. */
  get usePjrtAllocator(): boolean {
    return (this.value & kUsePjrtAllocator) !== 0;
  }

  /**
   * Adds the requirements of `other`, and its scope id if this one has none. Throws FAILED_PRECONDITION, and changes nothing, if both
   * have a scope id and the ids differ.
   */
  merge(other: AllocatorAttributes): void {
    checkObject(other, "attributes");
    if (this.scopeId !== other.scopeId && this.scopeId !== 0 && other.scopeId !== 0)
      throw new FailedPreconditionError(`at least one scope_id should be zero to merge, got ${this.scopeId} and ${other.scopeId}`);
    this.#require(other.value);
    if (this.scopeId === 0) this.scopeId = other.scopeId;
  }

  /** Returns true if memory that satisfies `other` also satisfies these attributes: the bits are a subset of the other's. */
  isEqualOrLessRestrictiveThan(other: AllocatorAttributes): boolean {
    checkObject(other, "attributes");
    return (this.value | other.value) === (other.value | 0);
  }

  /** Adds bits. `>>>` keeps the value unsigned when bit 31, one of the devices' bits, is set. */
  #require(bits: number): void {
    this.value = (this.value | bits) >>> 0;
  }

  /** Returns TensorFlow's text, which does not contain the fourth bit. */
  debugString(): string {
    const bit = (set: boolean): number => (set ? 1 : 0);
    return `AllocatorAttributes(on_host=${bit(this.onHost)} nic_compatible=${bit(this.nicCompatible)} gpu_compatible=${bit(this.gpuCompatible)})`;
  }
}

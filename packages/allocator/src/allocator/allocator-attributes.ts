/**
 * AllocatorAttributes: what kind of memory an allocator must give (tsl/framework/allocator.h).
 *
 *     bit 0  on_host            must be reachable by the CPU
 *     bit 1  nic_compatible     by the network card
 *     bit 2  gpu_compatible     by the GPU's copy engines
 *     bit 3  use_pjrt_allocator
 *     bits 24-31                left to devices
 *
 * Wishes for one allocation are AllocationAttributes; these choose the allocator.
 */
import { checkObject, FailedPreconditionError } from "@onebuffer/base";

const kOnHost = 1;
const kNicCompatible = 2;
const kGpuCompatible = 4;
const kUsePjrtAllocator = 8;

/**
 * A set of requirements on memory, with an optional scope.
 *
 * Quirk: as in TensorFlow a setter only ORs its bit in; `setOnHost(false)` clears nothing.
 *
 * @example
 * const attributes = new AllocatorAttributes();
 * attributes.setOnHost(true);
 * attributes.setGpuCompatible(true);
 * attributes.value; // => 5
 * attributes.debugString(); // => "AllocatorAttributes(on_host=1 nic_compatible=0 gpu_compatible=1)"
 */
export class AllocatorAttributes {
  /** The bits, an unsigned 32-bit set. */
  value: number = 0;
  /** The scoped allocator meant (TF's experimental scope id); 0 means none. */
  scopeId: number = 0;

  /** Requires memory that the CPU can reach. Quirk: false does not clear. */
  setOnHost(value: boolean): void {
    this.#require(value ? kOnHost : 0);
  }

  /** Whether the CPU must reach the memory. */
  get onHost(): boolean {
    return (this.value & kOnHost) !== 0;
  }

  /** Requires memory that the network card can reach. Quirk: false does not clear. */
  setNicCompatible(value: boolean): void {
    this.#require(value ? kNicCompatible : 0);
  }

  /** Whether the network card must reach the memory. */
  get nicCompatible(): boolean {
    return (this.value & kNicCompatible) !== 0;
  }

  /** Requires memory that a GPU can reach. Quirk: false does not clear. */
  setGpuCompatible(value: boolean): void {
    this.#require(value ? kGpuCompatible : 0);
  }

  /** Whether a GPU must reach the memory. */
  get gpuCompatible(): boolean {
    return (this.value & kGpuCompatible) !== 0;
  }

  /** Asks for the PJRT client's allocator. Quirk: false does not clear. */
  setUsePjrtAllocator(value: boolean): void {
    this.#require(value ? kUsePjrtAllocator : 0);
  }

  /** Whether the PJRT client's allocator is asked for. */
  get usePjrtAllocator(): boolean {
    return (this.value & kUsePjrtAllocator) !== 0;
  }

  /**
   * Adds the other's requirements. Scope ids may differ only when one of them is 0; otherwise nothing changes and
   * FAILED_PRECONDITION names both.
   */
  merge(other: AllocatorAttributes): void {
    checkObject(other, "attributes");
    if (this.scopeId !== other.scopeId && this.scopeId !== 0 && other.scopeId !== 0)
      throw new FailedPreconditionError(`at least one scope_id should be zero to merge, got ${this.scopeId} and ${other.scopeId}`);
    this.#require(other.value);
    if (this.scopeId === 0) this.scopeId = other.scopeId;
  }

  /** Whether memory that satisfies `other` also satisfies these: their bits are a subset of the other's. */
  isEqualOrLessRestrictiveThan(other: AllocatorAttributes): boolean {
    checkObject(other, "attributes");
    return (this.value | other.value) === (other.value | 0);
  }

  /** ORs bits in; `>>>` keeps the set unsigned, for bits 24 to 31 are the devices'. */
  #require(bits: number): void {
    this.value = (this.value | bits) >>> 0;
  }

  /** TensorFlow's text; it leaves the fourth bit out. */
  debugString(): string {
    const bit = (set: boolean): number => (set ? 1 : 0);
    return `AllocatorAttributes(on_host=${bit(this.onHost)} nic_compatible=${bit(this.nicCompatible)} gpu_compatible=${bit(this.gpuCompatible)})`;
  }
}

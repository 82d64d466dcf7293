/**
 * tracking.script (tf-tensor.json): a TrackingAllocator over an allocator of test-allocators.ts.
 *
 * The steps are alloc, free and records (GetRecordsAndUnRef). The checks read sizes, records, and the size and id of a pointer.
 */
import { kAllocatorAlignment, TrackingAllocator } from "@onebuffer/allocator";
import type { Pointer } from "@onebuffer/allocator";
import { toSize } from "../args.ts";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { AtLeast, Prefix } from "../compare.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { Checks, Names, runSteps, verb } from "../script.ts";
import { toAllocator } from "../test-allocators.ts";
import type { Json } from "../vector.ts";

/** The object behind a name of a script. The pointer is null if the allocation failed. */
interface Slot {
  pointer: Pointer | null;
  freed: boolean;
}

function run(args: Args, scope: CaseScope): Checks {
  const allocator = new TrackingAllocator(toAllocator(args.json("underlying")), args.flag("track_sizes", false));
  const slots = new Names<Slot>();
  let fetched: number[] | undefined;
  const bytes = (records: readonly { readonly allocBytes: number }[]): number[] => records.map((record) => record.allocBytes);
  const records = (): number[] => fetched ?? bytes(allocator.getCurrentRecords());
  const free = (slot: Slot): void => {
    slot.freed = true;
    allocator.deallocateRaw(slot.pointer);
  };
  const allocated = (name: Json | undefined): Pointer => {
    const { pointer } = slots.get(name);
    return pointer as Pointer;
  };
  runSteps(
    {
      alloc: verb(2, (name, size) => {
        const slot: Slot = { pointer: allocator.allocateRaw(kAllocatorAlignment, toSize(size, "alloc")), freed: false };
        slots.set(name, slot);
        scope.atEnd(() => {
          if (!slot.freed) free(slot);
        });
      }),
      free: verb(1, (name) => free(name === null ? { pointer: null, freed: false } : slots.get(name))),
      records: verb(0, () => {
        fetched = bytes(allocator.getRecordsAndUnRef());
      }),
    },
    args.list("steps"),
  );
  return new Checks({
    sizes: verb(0, () => allocator.getSizes()),
    sizes_at_least: verb(0, () => new AtLeast(allocator.getSizes())),
    records: verb(0, records),
    records_prefix: verb(0, () => new Prefix(records())),
    requested: verb(1, (name) => allocator.requestedSize(allocated(name))),
    allocated: verb(1, (name) => allocator.allocatedSize(allocated(name))),
    allocated_at_least: verb(1, (name) => new AtLeast(allocator.allocatedSize(allocated(name)))),
    id: verb(1, (name) => allocator.allocationId(allocated(name))),
    null: verb(1, (name) => slots.get(name).pointer === null),
  });
}

/** The operation by name. */
export const trackingScript: Operations = { "tracking.script": operation(["underlying", "track_sizes", "steps"], run) };

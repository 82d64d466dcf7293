/** A TensorFile made of a list of tensors that each know how they are read. */
import { NotFoundError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { TensorFile, TensorFormat, TensorSlot } from "./tensor-file.ts";

/** Returns the TensorFile of these tensors. */
export function fileOfSlots(format: TensorFormat, slots: readonly TensorSlot[], notes: readonly string[], close: () => void): TensorFile {
  const byName = new Map(slots.map((slot) => [slot.name, slot]));
  const find = (name: string): TensorSlot => {
    const slot = byName.get(name);
    if (slot === undefined) throw new NotFoundError(`no tensor ${shownValue(name)}`);
    return slot;
  };
  return {
    format,
    hasChecksums: true,
    infos: slots,
    notes,
    close,
    tensor: async (name, transfer) => find(name).tensor(transfer),
    stored: async (name, transfer) => find(name).stored(transfer),
  };
}

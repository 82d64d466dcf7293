// SlotList against a naive twin: a list of the slots that are taken.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { kSlotAlignment, slotBytes, SlotList } from "../../src/device/slot-list.ts";

describe("slots of a segment", () => {
  test("do not overlap, are aligned, and leave an empty segment when all are given back", () => {
    const step = fc.oneof(fc.record({ take: fc.nat(700) }), fc.record({ give: fc.nat(20) }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const slots = new SlotList(4096);
        const taken: { offset: number; bytes: number }[] = [];
        for (const each of steps) {
          if ("take" in each) {
            const offset = slots.take(each.take);
            const isFree = (at: number): boolean =>
              taken.every((slot) => at + slotBytes(each.take) <= slot.offset || slot.offset + slotBytes(slot.bytes) <= at);
            const places = Array.from({ length: 4096 / kSlotAlignment }, (_, k) => k * kSlotAlignment);
            const first = places.find((at) => at + slotBytes(each.take) <= 4096 && isFree(at)) ?? -1;
            expect(offset).toBe(first);
            if (offset >= 0) taken.push({ offset, bytes: each.take });
          } else if (taken.length > 0) {
            const [slot] = taken.splice(each.give % taken.length, 1) as [{ offset: number; bytes: number }];
            slots.give(slot.offset, slot.bytes);
          }
          expect(slots.isEmpty).toBe(taken.length === 0);
        }
        for (const { offset, bytes } of taken) slots.give(offset, bytes);
        expect(slots.take(4096)).toBe(0);
        expect(slots.take(0)).toBe(-1);
      }),
      { numRuns: 50 },
    );
  });
});

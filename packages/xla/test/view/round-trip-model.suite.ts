// Random shapes as text and as messages, and back.
import { describe, expect, test } from "@jest/globals";
import { parseShape, ShapeUtil, shapeFromProto, shapeToProto } from "@onebuffer/xla";
import fc from "fast-check";
import { anyShape } from "../model/arbitraries.ts";
import { isLong, statusErrorsOnly } from "@onebuffer/test-support";

/** `npm run long` makes sixty times as many runs. */
const kFactor = isLong ? 60 : 0.4;

describe("round trips", () => {
  test("parsing the text of a dense shape gives the shape", () => {
    fc.assert(
      fc.property(anyShape(), (shape) => {
        const again = parseShape(shape.toString(true));
        expect(again.toString(true)).toBe(shape.toString(true));
        expect(ShapeUtil.equal(again, shape)).toBe(true);
        expect(again).toEqual(shape);
      }),
      { numRuns: 50 * kFactor },
    );
  });

  test("reading the message of a shape gives the shape, in both eras", () => {
    for (const era of ["today", "2017"] as const) {
      fc.assert(
        fc.property(anyShape(era), (shape) => {
          expect(shapeFromProto(shapeToProto(shape, era))).toEqual(shape);
          expect(shapeFromProto(shapeToProto(shape))).toEqual(shape);
        }),
        { numRuns: 25 * kFactor },
      );
    }
  });

  test("changed text gives a valid shape or a StatusError", () => {
    const alphabet = [..."f32s8b()[]{},:?*#+~<=-0123456789TLESCMPDH/ \n$é", "token", "/*", "*/", "//", "\u0000", "😀"];
    fc.assert(
      fc.property(
        anyShape(),
        fc.nat(),
        fc.nat(4),
        fc.array(fc.constantFrom(...alphabet), { maxLength: 4 }),
        (shape, at, deleted, inserted) => {
          const text = shape.toString(true);
          const from = at % (text.length + 1);
          const changed = text.slice(0, from) + inserted.join("") + text.slice(from + deleted);
          const read = statusErrorsOnly(() => parseShape(changed));
          if (read !== undefined) {
            ShapeUtil.validateShape(read);
            expect(parseShape(read.toString(true))).toEqual(read);
          }
        },
      ),
      { numRuns: 150 * kFactor },
    );
  });
});

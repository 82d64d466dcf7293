// Lists in messages.
import { expect, test } from "@jest/globals";
import { shownList } from "../../src/type/shown-list.ts";

test("lists and typed arrays are shown in braces, anything else by its kind", () => {
  expect(shownList([1, 0])).toBe("{1,0}");
  expect(shownList(Int32Array.of(1, 0) as never)).toBe("{1,0}");
  expect(shownList(Array.from({ length: 33 }, () => 7))).toMatch(/^\{7(,7){31},… 33 in all\}$/);
  expect(shownList({ length: 2 } as never)).not.toContain("{1");
  expect(shownList("text" as never)).toBe('"text"');
});

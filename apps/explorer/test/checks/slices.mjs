// The panel "Slices".
import assert from "node:assert/strict";

export const slicesChecks = [
  {
    name: "slices: every second row of 32 bytes begins at a multiple of 64, and the cost of the others is measured",
    run: async (visit) => {
      await visit.open("slices?shape=6,8");
      const { rows } = await visit.state();
      assert.deepEqual(
        rows.map(({ offset, isAligned }) => [offset, isAligned]),
        [0, 32, 64, 96, 128, 160].map((offset) => [offset, offset % 64 === 0]),
      );
      assert.match(await visit.text(), /byte 32 = 0 × 64 \+ 32TensorFlow refuses typed views/);
      // By key: a pointer at rest would be over a cell of the next check.
      await visit.pressButton("Measure what it costs here");
      const { cost } = await visit.stateWhere((state) => state.cost !== null);
      for (const time of [cost.aligned, cost.odd, cost.copy]) assert.ok(time > 0 && time < 1000, JSON.stringify(cost));
    },
  },
  {
    name: "slices: intersection, relative slice and cover follow the texts",
    run: async (visit) => {
      await visit.open("slices");
      const start = await visit.state();
      assert.deepEqual([start.intersection, start.relative, start.cover], ["2,2:2,3", "1,2:0,3", "1,5:0,6"]);
      await visit.type("Slice B", "5,1:-");
      const apart = await visit.stateWhere(({ b }) => b === "5,1:-");
      assert.deepEqual([apart.intersection, apart.relative], [null, null]);
      await visit.type("Slice A", "9,9:-");
      assert.match((await visit.state()).error, /^INTERNAL/);
      assert.equal((await visit.state()).a, "1,3:2,4");
    },
  },
  {
    name: "slices: a slice is drawn by two cells, with keys and with the pointer",
    run: async (visit) => {
      await visit.open("slices?shape=6,8&a=-:-&b=-:-");
      await visit.focusGrid("two slices of the tensor");
      await visit.keys("ArrowDown", "ArrowRight", "Enter", "ArrowDown", "ArrowDown", "ArrowRight", " ");
      assert.equal((await visit.stateWhere(({ a }) => a !== "-:-")).a, "1,3:1,2");
      await visit.choose("B");
      await (await visit.cell("two slices of the tensor", 5, 7)).click();
      await (await visit.cell("two slices of the tensor", 3, 2)).click();
      const state = await visit.stateWhere(({ b }) => b !== "-:-");
      assert.deepEqual([state.b, state.intersection], ["3,3:2,6", "3,1:2,1"]);
    },
  },
  {
    name: "slices: a contiguous slice is a view, another one a copy",
    run: async (visit) => {
      await visit.open("slices?a=2,2:-");
      assert.deepEqual([(await visit.state()).view.isView, (await visit.state()).view.text], [true, "[2,8]"]);
      await visit.type("Slice A", "2,2:0,4");
      const { view } = await visit.stateWhere((state) => !state.view.isView);
      assert.match(view.text, /copySlice/);
      assert.match(view.copied, /16 17 18 19/);
    },
  },
  {
    name: "slices: covering sets, overlaps refused, and keys",
    run: async (visit) => {
      await visit.open("slices?a=0,1:-&b=2,3:5,3");
      assert.deepEqual((await visit.state()).covering, ["part-0", "part-1"]);
      await visit.click("a corner is missing");
      assert.equal((await visit.stateWhere(({ stored }) => stored[1][1] === "3,3:0,5")).covering, null);
      await visit.click("Register slice A");
      assert.match((await visit.stateWhere(({ error }) => error !== "")).error, /^INTERNAL.*Overlap/is);
      await visit.type("Slice A", "3,3:5,3");
      await visit.click("Register slice A");
      assert.deepEqual((await visit.stateWhere(({ stored }) => stored.length === 3)).covering, ["part-0", "part-2"]);
      await visit.pressButton("Remove part-0");
      assert.equal((await visit.stateWhere(({ stored }) => stored.length === 2)).covering, null);
      await visit.type("Name of the tensor", "foo");
      await visit.type("Slice A", "-:1,3");
      const { key, decoded, fields } = await visit.stateWhere(({ a }) => a === "-:1,3");
      assert.deepEqual(key, [0, 0x66, 0x6f, 0x6f, 0, 1, 1, 2, 0x80, 0x7f, 0x81, 0x83]);
      assert.equal(decoded, "-:1,3");
      assert.deepEqual(
        fields.map(({ bytes }) => bytes.length),
        [1, 5, 2, 2, 2],
      );
    },
  },
];

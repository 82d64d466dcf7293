// The panel "Sixteen bytes".
import assert from "node:assert/strict";

export const sixteenBytesChecks = [
  {
    name: "sixteen-bytes: the list of seven dimensions is drawn behind the pointer",
    run: async (visit) => {
      await visit.open("sixteen-bytes?shape=1,2,3,4,5,6,7");
      const cells = await visit.page.$$eval(".rep-heap li", (items) => items.map((item) => item.textContent));
      assert.deepEqual(cells.slice(0, 2), ["+01d0", "+82d1"]);
      assert.equal(cells.length, 7);
      assert.ok(await visit.page.$(".rep-arrow"));
      await visit.type("Shape", "2, 3");
      assert.equal(await visit.page.$(".rep-heap"), null);
    },
  },
  {
    name: "sixteen-bytes: sizes changed by keyboard turn Rep16 into Rep32 and out of line",
    run: async (visit) => {
      await visit.open("sixteen-bytes?shape=2,65532");
      assert.equal((await visit.state()).rep, "REP16");
      await (await visit.find("field", "Dimension 1")).focus();
      await visit.keys("ArrowUp");
      assert.deepEqual((await visit.state()).bytes.slice(0, 4), [2, 0, 0xfd, 0xff]);
      await visit.keys("ArrowUp");
      const wide = await visit.stateWhere(({ rep }) => rep === "REP32");
      assert.deepEqual(wide.bytes.slice(0, 8), [2, 0, 0, 0, 0xfe, 0xff, 0, 0]);
      await visit.click("Add a dimension");
      await visit.pressButton("Add a dimension");
      assert.deepEqual((await visit.stateWhere(({ rep }) => rep === "REP_OUT_OF_LINE")).outOfLine, [2, 65534, 2, 2]);
      await visit.click("Remove dimension 0");
      assert.deepEqual((await visit.state()).dims, [65534, 2, 2]);
    },
  },
  {
    name: "sixteen-bytes: unknown sizes and ranks",
    run: async (visit) => {
      await visit.open("sixteen-bytes");
      await visit.choose("PartialTensorShape");
      await visit.pressButton("Dimension 0 is unknown", " ");
      const state = await visit.stateWhere(({ shape }) => shape === "[?,3]");
      assert.deepEqual([state.kind, state.numElements, state.bytes.slice(0, 2)], ["PartialTensorShape", -1, [255, 255]]);
      await visit.type("Shape", "unknown");
      assert.equal((await visit.state()).unknownRank, true);
      assert.equal((await visit.state()).bytes[14], 255);
    },
  },
  {
    name: "sixteen-bytes: merging, and its error",
    run: async (visit) => {
      await visit.open("sixteen-bytes");
      assert.equal((await visit.state()).merge.merged, "[2,3]");
      await visit.type("Another", "2,4");
      const { merge } = await visit.state();
      assert.deepEqual([merge.compatible, merge.merged, merge.mostSpecific], [false, "", "[?,?]"]);
      assert.match(merge.error, /^INVALID_ARGUMENT/);
    },
  },
  {
    name: "sixteen-bytes: a call that fails is in the history with its code",
    run: async (visit) => {
      await visit.open("sixteen-bytes?shape=2,4294967294");
      await visit.type("Dimension 0", "9007199254740991");
      const { history } = await visit.stateWhere((state) => state.history[0].isError);
      assert.match(history[0].outcome, /^INVALID_ARGUMENT/);
    },
  },
];

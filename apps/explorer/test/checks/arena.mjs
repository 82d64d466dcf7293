// The panel "Ref counts and the arena".
import assert from "node:assert/strict";

const inUse = ({ chunks }) => chunks.filter((chunk) => chunk.inUse).map(({ size }) => size);
const free = ({ chunks }) => chunks.filter((chunk) => !chunk.inUse).map(({ size }) => size);

export const arenaChecks = [
  {
    name: "arena: chunks are split and merged",
    run: async (visit) => {
      await visit.open("arena?make=0");
      assert.deepEqual(free(await visit.state()), [16384]);
      await visit.click("Make 700 bytes");
      const one = await visit.stateWhere(({ handles }) => handles.length === 1);
      assert.deepEqual([inUse(one), free(one)], [[768], [15616]]);
      assert.equal(one.events[0].kind, "split");
      assert.deepEqual(one.chunks[0], { address: 0, size: 768, requestedSize: 700, inUse: true, bin: -1, owner: "a" });
      await visit.pressButton("Make 1024 bytes");
      await visit.pressButton("dispose a");
      const two = await visit.stateWhere(({ handles }) => handles.length === 1);
      assert.deepEqual([two.events[0].kind, free(two)], ["free", [768, 14592]]);
      await visit.click("dispose b");
      const none = await visit.stateWhere(({ handles }) => handles.length === 0);
      assert.deepEqual([none.events[0].kind, free(none), none.bytesInUse], ["merge", [16384], 0]);
    },
  },
  {
    name: "arena: shares and slices count, and the last one frees",
    run: async (visit) => {
      await visit.open("arena?make=1024");
      await visit.click("share a");
      await visit.click("slice a");
      const { handles } = await visit.stateWhere((state) => state.handles.length === 3);
      assert.deepEqual(
        handles.map(({ rootRefs, isSlice }) => [rootRefs, isSlice]),
        [
          [3, false],
          [3, false],
          [3, true],
        ],
      );
      await visit.click("dispose a");
      await visit.click("dispose share of a");
      assert.equal((await visit.stateWhere((state) => state.handles.length === 1)).bytesInUse, 1024);
      await visit.click("dispose half of a");
      assert.equal((await visit.stateWhere((state) => state.handles.length === 0)).bytesInUse, 0);
    },
  },
  {
    name: "arena: fragments, and an arena that is full",
    run: async (visit) => {
      await visit.open("arena?make=0");
      await visit.click("Fragment");
      const state = await visit.stateWhere(({ handles }) => handles.length === 4);
      assert.deepEqual(free(state), [1024, 1024, 1024, 1024, 8192]);
      assert.ok(state.fragmentation > 0.3);
      await visit.type("Bytes", "9000");
      await visit.click("Make it");
      assert.match((await visit.stateWhere(({ error }) => error !== "")).error, /^RESOURCE_EXHAUSTED/);
      await visit.click("Dispose of all");
      assert.deepEqual(free(await visit.stateWhere(({ handles }) => handles.length === 0)), [16384]);
    },
  },
  {
    name: "arena: a forgotten tensor is reclaimed",
    browsers: ["chromium"],
    run: async (visit) => {
      await visit.open("arena?make=1024,2048");
      await visit.click("forget b");
      const forgotten = await visit.stateWhere(({ handles }) => handles.length === 1);
      // The engine may collect the tensor of its own accord before the state is read.
      assert.equal(forgotten.bytesInUse, 3072 - 2048 * forgotten.reclaimed);
      for (let i = 0; i < 40 && (await visit.state()).reclaimed === 0; i++) {
        await visit.page.evaluate(() => globalThis.gc());
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const state = await visit.stateWhere(({ reclaimed }) => reclaimed === 1);
      assert.deepEqual([state.bytesInUse, inUse(state), state.forgotten], [1024, [1024], 0]);
      assert.ok(state.events.some(({ kind }) => kind === "reclaim"));
    },
  },
];

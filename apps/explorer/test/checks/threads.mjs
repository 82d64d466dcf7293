// The panel "Threads".
import assert from "node:assert/strict";

export const threadsChecks = [
  {
    name: "threads: workers join, hold and drop the tensor, and the counts move",
    run: async (visit) => {
      await visit.open("threads?workers=2");
      await visit.click("Start the workers");
      const joined = await visit.stateWhere(({ workers }) => workers.length === 2 && workers.every((each) => each.joined));
      assert.deepEqual([joined.isOnlyHolder, joined.error], [true, ""]);
      await visit.pressButton("Make a handle");
      assert.equal((await visit.stateWhere(({ tickets }) => tickets === 1)).isOnlyHolder, false);
      await visit.click("Give worker 0 the tensor");
      const held = await visit.stateWhere(({ workers }) => workers[0].holds);
      assert.deepEqual([held.tickets, held.isOnlyHolder], [0, false]);
      await visit.pressButton("Give worker 1 the tensor");
      await visit.stateWhere(({ workers }) => workers[1].holds);
      await visit.click("Worker 0 disposes of it");
      await visit.stateWhere(({ workers }) => !workers[0].holds);
      assert.equal((await visit.state()).isOnlyHolder, false);
      await visit.click("End worker 1");
      await visit.stateWhere(({ workers, isOnlyHolder }) => workers.length === 1 && isOnlyHolder);
    },
  },
  {
    name: "threads: work split over workers is done once, by all of them, without a copy",
    run: async (visit) => {
      const sums = [];
      for (const workers of [1, 2]) {
        await visit.open(`threads?workers=${workers}`);
        await visit.pressButton("Split the work");
        const state = await visit.stateWhere(({ isPainting, painted }) => !isPainting && painted === 24);
        assert.deepEqual([state.copied, state.error], [0, ""]);
        assert.equal(
          state.workers.reduce((sum, { blocks }) => sum + blocks, 0),
          24,
        );
        assert.ok(state.workers.every(({ blocks }) => blocks > 0));
        sums.push(state.sum);
      }
      await visit.shot("threads-painted");
      assert.ok(sums[0] > 1000);
      assert.equal(sums[0], sums[1]);
    },
  },
  {
    name: "threads: without isolation the work is split by copies, and the panel says so",
    isolated: false,
    run: async (visit) => {
      await visit.open("threads?workers=2");
      assert.match(await visit.text(), /cannot share memory in this page/);
      await visit.click("Split the work");
      const { copied, error, sum } = await visit.stateWhere(({ isPainting, painted }) => !isPainting && painted === 24);
      assert.equal(error, "");
      assert.ok(copied >= 192 * 288 * 4 && sum > 1000);
    },
  },
];

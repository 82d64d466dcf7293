// The panels "Plan and queue", "One operation, many kernels", "Where it is computed" and "Shards".
import assert from "node:assert/strict";

export const runtimeChecks = [
  {
    name: "plan: the steps of two branches, which step reads which, and the parts that threads claimed",
    run: async (visit) => {
      await visit.open("plan");
      await visit.click("two branches");
      const { steps } = await visit.state();
      assert.deepEqual(
        steps.map(({ by, reads }) => [by, reads]),
        [
          ["contraction", []],
          ["contraction", []],
          ["map", [0, 1]],
        ],
      );
      assert.deepEqual(
        steps
          .slice(0, 2)
          .map(({ tensors }) => tensors.join())
          .sort(),
        ["x,w", "y,w"],
      );
      assert.equal(steps[2].text, "add(step 1, step 2)");
      await visit.pressButton("Step after");
      await visit.pressButton("Step after");
      assert.match(await visit.text(), /Step 3 waits for step 1 and step 2\. Steps 1, 2 read tensors only/);
      await visit.address(/#\/plan\?.*step=3/);
      await visit.click("Run the plan on two threads");
      const { jobs, numThreads } = await visit.stateWhere((state) => state.jobs !== null && !state.isRunning);
      assert.equal(numThreads, 2);
      for (const { sizes, parts } of jobs) {
        const volume = ({ begin, end }) => end.reduce((all, each, d) => all * (each - begin[d]), 1);
        assert.equal(
          parts.reduce((sum, part) => sum + volume(part), 0),
          sizes.reduce((a, b) => a * b, 1),
        );
      }
    },
  },
  {
    name: "plan: an error greys the plan of before, and is taken back",
    run: async (visit) => {
      await visit.open("plan?text=x @ w&tensors=x: 4, 4; w: 4, 4");
      await visit.type("Expression", "x @");
      assert.match((await visit.state()).error, /ends too early/);
      assert.equal((await visit.state()).steps.length, 1);
      assert.ok(await visit.page.$(".is-stale .plan"));
      await visit.type("Expression", "x @ w @ w");
      assert.equal((await visit.state()).steps.length, 2);
      assert.equal(await visit.page.$(".is-stale"), null);
    },
  },
  {
    name: "kernels: what computes an operation, and what refuses it",
    run: async (visit) => {
      await visit.open("kernels?op=bitwiseAnd");
      const able = async () => (await visit.state()).choices.filter(({ refusal }) => refusal === "").map(({ dtype }) => dtype);
      assert.deepEqual(await able(), ["int32", "int64", "int16", "int8", "uint32", "uint8"]);
      await visit.select("Operation", "sin");
      assert.deepEqual(await able(), ["float32", "float64", "float16", "bfloat16", "complex64"]);
      const { choices } = await visit.state();
      assert.match(choices[0].xla, /stablehlo\.sine/);
      assert.match(choices.find(({ dtype }) => dtype === "int32").refusal, /INVALID_ARGUMENT: sin.*cast\("float32"\)/);
      for (const { isRegistered, refusal } of choices) assert.equal(isRegistered, refusal === "");
    },
  },
  {
    name: "where: two calls send less if a tensor stays on the device, and the places agree",
    run: async (visit) => {
      await visit.open("where");
      await visit.click("Call it twice");
      const bytesOf = (calls, call) => calls.filter((each) => each.call === call).reduce((sum, { bytes }) => sum + bytes, 0);
      const first = (await visit.stateWhere((state) => state.calls.length > 0)).calls;
      const [x, w, b] = [64 * 128 * 4, 128 * 32 * 4, 32 * 4];
      assert.equal(bytesOf(first, "put"), 2 * (x + w + b));
      assert.equal(bytesOf(first, "take"), 2 * 64 * 32 * 4);
      assert.equal(first.filter(({ call }) => call === "compile").length, 1);
      await visit.select("A tensor that stays there", "w");
      await visit.click("Call it twice");
      const second = (await visit.stateWhere((state) => state.calls.length > 0)).calls;
      assert.equal(bytesOf(second, "put"), 2 * (x + b) + w);
      assert.equal(second[0].call, "put");
      await visit.click("Compute it in both places");
      const { results } = await visit.stateWhere((state) => state.results.length === 2 && !state.isRunning);
      assert.ok(results.every(({ isSame }) => isSame));
      const { operations } = await visit.state();
      assert.ok(operations.some(([name]) => name === "stablehlo.dot_general"));
    },
  },
  {
    name: "shards: the gradients of the parts add up to that of the whole, and a division that leaves a remainder is refused",
    run: async (visit) => {
      await visit.open("shards?rows=8&devices=4");
      const { shards, difference } = await visit.state();
      assert.deepEqual(
        shards.map(({ row, rows }) => [row, rows]),
        [0, 2, 4, 6].map((row) => [row, 2]),
      );
      assert.ok(difference < 1e-5, String(difference));
      await visit.click("One part less");
      assert.ok((await visit.state()).difference > 1e-3);
      await visit.click("Add the next part");
      assert.ok((await visit.state()).difference < 1e-5);
      await visit.type("Rows of the batch", "10");
      assert.match((await visit.state()).error, /INVALID_ARGUMENT.*10 cannot be divided over 4 devices/);
    },
  },
];

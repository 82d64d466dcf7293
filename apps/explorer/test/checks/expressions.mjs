// The panel "Expressions".
import assert from "node:assert/strict";

export const expressionsChecks = [
  {
    name: "expressions: what is typed becomes a tree, loops and a result",
    run: async (visit) => {
      await visit.open("expressions?tensors=x:4,8");
      await visit.type("Expression", "x * 0 + 3");
      const state = await visit.stateWhere(({ text, error }) => text === "x * 0 + 3" && error === "");
      assert.deepEqual([state.op, state.dimensions, state.first, state.steps.length], ["add", [4, 8], 3, 1]);
      assert.deepEqual([state.steps[0].by, state.bytes, state.flops], ["map", 2 * 128, 2 * 32]);
      assert.ok(state.steps[0].lines > 20);
      assert.match(await visit.text(), /for i0 in 0 \.\. 32/);
    },
  },
  {
    name: "expressions: operators, methods, lists and precedence",
    run: async (visit) => {
      await visit.open("expressions?tensors=x:2,3;y:3,2");
      for (const [text, first, result] of [
        ["x * 0 + 2 ** 3 ** 0", 2, "float32[2,3]"],
        ["1 - 2 * (x * 0 + 4)", -7, "float32[2,3]"],
        ["-(x * 0 + 2) ** 2", -4, "float32[2,3]"],
        ["(x * 0 + 1) @ (y * 0 + 1)", 3, "float32[2,2]"],
        ["(x * 0 + 1).sum([0, 1])", 6, "float32[]"],
        ["reshape(x * 0, [6]).cumsum() + 0.5", 0.5, "float32[6]"],
        ["cast(x * 0 - 7 < 0, int32).sum(0, true)", 2, "int32[1,3]"],
      ]) {
        await visit.type("Expression", text);
        const state = await visit.state();
        assert.deepEqual([state.error, state.first, state.result], ["", first, result], text);
      }
    },
  },
  {
    name: "expressions: a wrong text shows the error and its place",
    run: async (visit) => {
      await visit.open("expressions?tensors=x:2,3");
      for (const [text, at, error] of [
        ["x + ", 4, /ends too early/],
        ["x + $", 4, /no meaning/],
        ["x + q", 4, /no tensor q/],
        ["x.constructor(1)", 2, /no operation constructor/],
        ["fetch(x)", 0, /no operation fetch/],
        ["x + x.reshape([4])", 6, /^INVALID_ARGUMENT/],
        ["(".repeat(200), 100, /nested/],
      ]) {
        await visit.type("Expression", text);
        const state = await visit.stateWhere((each) => each.text === text);
        assert.match(state.error, error, text);
        assert.equal(state.errorAt, at, text);
      }
      await visit.type("Expression", "x");
      await visit.type("Tensors", "x: 99999999");
      assert.match((await visit.state()).error, /up to 1048576/);
    },
  },
  {
    name: "expressions: the three ways are measured, and the presets hold",
    run: async (visit) => {
      await visit.open("expressions");
      for (const [label, by] of [
        ["softmax", "rows"],
        ["a layer", "contraction"],
        ["a transposed operand", "tile"],
        ["one kernel of four operations", "map"],
      ]) {
        await visit.click(label);
        const { error, steps } = await visit.state();
        assert.equal(error, "");
        assert.ok(
          steps.some((step) => step.by === by),
          `${label}: ${JSON.stringify(steps)}`,
        );
      }
      await visit.pressButton("Measure");
      const { times } = await visit.stateWhere((state) => Object.keys(state.times).length === 3 && !state.isMeasuring);
      assert.ok(Object.values(times).every((time) => time > 0));
      assert.ok(times["plain JavaScript"] > times.fused, JSON.stringify(times));
    },
  },
];

// The panel "One buffer, many shapes".
import assert from "node:assert/strict";

const counting = Array.from({ length: 12 }, (_, i) => i + 1);

export const oneBufferChecks = [
  {
    name: "one-buffer: another shape shares the buffer and copies nothing",
    run: async (visit) => {
      await visit.open("one-buffer");
      await visit.type("Shape", "2,2,3");
      const state = await visit.stateWhere(({ shape }) => shape.length === 3);
      assert.deepEqual([state.shape, state.values, state.refs, state.copied, state.sharesBuffer], [[2, 2, 3], counting, 2, 0, true]);
      await visit.address(/shape=2,2,3/);
    },
  },
  {
    name: "one-buffer: a shape of another number of elements is a new buffer, made by Enter",
    run: async (visit) => {
      await visit.open("one-buffer");
      await visit.type("Shape", "2,5");
      const before = await visit.state();
      assert.match(before.error, /10 elements; the buffer has 12/);
      assert.deepEqual(before.shape, [3, 4]);
      await visit.keys("Enter");
      assert.deepEqual((await visit.stateWhere(({ values }) => values.length === 10)).shape, [2, 5]);
    },
  },
  {
    name: "one-buffer: an element changed by keyboard in one view is in the bytes and in the others",
    run: async (visit) => {
      await visit.open("one-buffer?shape=3,4");
      await visit.focusGrid("matrix()");
      await visit.keys("ArrowDown", "ArrowRight", "Enter");
      await visit.page.keyboard.down("Control");
      await visit.keys("a");
      await visit.page.keyboard.up("Control");
      await visit.page.keyboard.type("0.5");
      await visit.keys("Enter");
      const state = await visit.stateWhere(({ values }) => values[5] === 0.5);
      assert.deepEqual(state.bytes.slice(20, 24), [0, 0, 0, 0x3f]);
      assert.deepEqual(state.activeIndex, [1, 1]);
      assert.equal(await (await visit.cell("flat()", 0, 5)).evaluate((cell) => cell.textContent), "0.5");
      await visit.keys("ArrowLeft");
      assert.equal((await visit.state()).active, 4);
    },
  },
  {
    name: "one-buffer: an edit that has ended does not take the focus from where the visitor has gone",
    run: async (visit) => {
      await visit.open("one-buffer?shape=3,4");
      for (const leaveBy of ["key", "focus"]) {
        await visit.focusGrid("matrix()");
        await visit.keys("Enter");
        await visit.page.waitForSelector(".cell.is-edited input");
        const focused = await visit.page.evaluate(async (way) => {
          const field = document.querySelector(".cell.is-edited input");
          const elsewhere = document.querySelector("button.scheme");
          if (way === "key") field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
          elsewhere.focus();
          for (let frame = 0; frame < 3; ++frame) await new Promise(requestAnimationFrame);
          return document.activeElement === elsewhere && document.querySelector(".cell.is-edited") === null;
        }, leaveBy);
        assert.ok(focused, `the focus was taken back after the edit ended by ${leaveBy}`);
      }
    },
  },
  {
    name: "one-buffer: a byte changed with the pointer is in every view",
    run: async (visit) => {
      await visit.open("one-buffer?shape=2,2&dtype=uint8");
      const cell = await visit.cell("bytes of the buffer", 2, 0);
      await cell.click({ count: 2 });
      await visit.page.waitForSelector(".cell.is-edited input");
      await visit.page.$eval(".cell.is-edited input", (input) => input.select());
      await visit.page.keyboard.type("ff");
      await visit.keys("Enter");
      assert.deepEqual((await visit.stateWhere(({ values }) => values[2] === 255)).values, [1, 2, 255, 4]);
    },
  },
  {
    name: "one-buffer: hovering marks the element in all views",
    run: async (visit) => {
      await visit.open("one-buffer?shape=3,4&as=4,3");
      await (await visit.cell("shaped([4, 3])", 2, 1)).hover();
      const { active } = await visit.stateWhere((state) => state.active !== null);
      assert.equal(active, 7);
      assert.match(await visit.text(".readout"), /bytes 28 to 31/);
      assert.equal(await visit.page.$$eval(".cell.is-same", (cells) => cells.length), 3 + 4);
    },
  },
  {
    name: "one-buffer: wrong shapes and values say why and change nothing",
    run: async (visit) => {
      await visit.open("one-buffer");
      await visit.type("Shape", "3,x");
      assert.match((await visit.state()).error, /no whole number/);
      await visit.type("Shape", "1000,1000");
      await visit.keys("Enter");
      assert.match((await visit.state()).error, /draws up to 64/);
      await visit.type("Shape", "3,4");
      await visit.type("shaped(…)", "5,5");
      assert.match((await visit.state()).error, /up to 64|INVALID_ARGUMENT/);
      assert.deepEqual((await visit.state()).shape, [3, 4]);
    },
  },
];

// The panel "Layouts". The expected memories of the array a to f are those of XLA's page "Shapes and Layout".
import assert from "node:assert/strict";

/** Returns the middle of an element on the page. */
async function middle(element) {
  const { x, y, width, height } = await element.boundingBox();
  return [x + width / 2, y + height / 2];
}

export const layoutsChecks = [
  {
    name: "layouts: the element type that was typed stays, and an error greys the array of before",
    run: async (visit) => {
      await visit.open("layouts");
      await visit.type("Shape with layout", "bf16[2,3]{1,0}");
      assert.equal((await visit.state()).shape, "bf16[2,3]{1,0}");
      await (await visit.find("button", "Dimension 1 size 3")).focus();
      await visit.keys("ArrowRight");
      const { shape, letters, verdict } = await visit.state();
      assert.deepEqual([shape, letters], ["bf16[2,3]{0,1}", "a d b e c f"]);
      assert.match(verdict.result, /^bf16\[3,2\]/);
      await visit.address(/shape=bf16\[2,3\]/);
      assert.equal(await visit.page.$(".is-stale"), null);
      await visit.type("Shape with layout", "bf16[2,3");
      assert.ok(await visit.page.$(".is-stale .figure"));
    },
  },
  {
    name: "layouts: the arrow keys change minor_to_major and the memory",
    run: async (visit) => {
      await visit.open("layouts?shape=u8[2,3]{1,0}");
      assert.equal((await visit.state()).letters, "a b c d e f");
      await (await visit.find("button", "Dimension 1 size 3")).focus();
      await visit.keys("ArrowRight");
      const state = await visit.stateWhere(({ minorToMajor }) => minorToMajor[0] === 0);
      assert.deepEqual([state.letters, state.shape], ["a d b e c f", "u8[2,3]{0,1}"]);
      await visit.page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Dimension 1"));
      await visit.keys("ArrowLeft");
      assert.equal((await visit.state()).letters, "a b c d e f");
    },
  },
  {
    name: "layouts: minor_to_major by dragging",
    run: async (visit) => {
      await visit.open("layouts?shape=u8[2,2,3]{2,1,0}");
      const from = await visit.find("button", "Dimension 2 size 3");
      const to = await visit.find("button", "Dimension 0 size 2");
      await from.scrollIntoView();
      const [start, end] = [await middle(from), await middle(to)];
      await visit.page.mouse.move(...start);
      await visit.page.mouse.down();
      for (let step = 1; step <= 10; step++) await visit.page.mouse.move(...start.map((at, i) => at + ((end[i] - at) * step) / 10));
      await visit.page.mouse.up();
      const { minorToMajor, letters } = await visit.stateWhere((state) => state.minorToMajor[2] === 2);
      assert.deepEqual(minorToMajor, [1, 0, 2]);
      assert.equal(letters, "a d g j b e h k c f i l");
    },
  },
  {
    name: "layouts: the worked examples of the padded array",
    run: async (visit) => {
      await visit.open("layouts");
      await visit.click("Example {0,1} padded to 3 by 5");
      const state = await visit.stateWhere(({ cells }) => cells === 15);
      assert.equal(state.letters, "a d 0 b e 0 c f 0 0 0 0 0 0 0");
      await visit.select("Padding value", "HIGHEST_PAD");
      assert.equal((await visit.stateWhere(({ padding }) => padding === "HIGHEST_PAD")).memory[2], 255);
      await (await visit.find("field", "Pad dimension 1 to")).focus();
      await visit.keys("ArrowDown", "ArrowDown");
      assert.equal((await visit.stateWhere(({ cells }) => cells === 9)).letters, "a d 255 b e 255 c f 255");
      await visit.address(/pad=3,3&value=HIGHEST_PAD/);
    },
  },
  {
    name: "layouts: tiles, and the cell of an element",
    run: async (visit) => {
      await visit.open("layouts?shape=u8[3,5]{1,0}");
      await visit.type("Tiles", "(2,2)");
      const state = await visit.stateWhere(({ cells }) => cells === 24);
      assert.equal(state.letters, "a b f g c d h i e 0 j 0 k l 0 0 m n 0 0 o 0 0 0");
      await (await visit.cell("logical array", 2, 3)).hover();
      assert.equal((await visit.stateWhere(({ active }) => active === 13)).activeCell, 17);
      await visit.focusGrid("linear memory");
      await visit.keys("ArrowRight", "ArrowRight");
      assert.equal((await visit.state()).activeCell, 2);
    },
  },
  {
    name: "layouts: whether a transpose or a reshape is free, and why",
    run: async (visit) => {
      await visit.open("layouts?shape=u8[2,3]{1,0}");
      const copy = (await visit.state()).verdict;
      assert.deepEqual([copy.free, copy.freeLayout], [false, "u8[3,2]{0,1}"]);
      assert.match(copy.why, /4 of 6 elements would have to move/);
      await visit.type("Layout of the result", "0,1");
      assert.equal((await visit.stateWhere(({ verdict }) => verdict.free)).verdict.result, "u8[3,2]{0,1}");
      await visit.choose("reshape");
      await visit.type("Layout of the result", "");
      assert.equal((await visit.stateWhere(({ verdict }) => verdict.result === "u8[3,2]{1,0}")).verdict.free, true);
      await (await visit.find("button", "Dimension 1 size 3")).focus();
      await visit.keys("ArrowRight");
      const columns = (await visit.stateWhere(({ minorToMajor }) => minorToMajor[0] === 0)).verdict;
      assert.deepEqual([columns.free, columns.freeLayout], [false, ""]);
      assert.match(columns.why, /always a copy/);
    },
  },
  {
    name: "layouts: a wrong text is refused with XLA's message",
    run: async (visit) => {
      await visit.open("layouts");
      await visit.type("Shape with layout", "u8[2,3]{1,1}");
      const { error, shape } = await visit.state();
      assert.match(error, /INVALID_ARGUMENT.*duplicate/s);
      assert.equal(shape, "u8[2,3]{1,0}");
    },
  },
];

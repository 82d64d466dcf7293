// The panels "Bytes on their way" and "From a model to its bytes".
import assert from "node:assert/strict";

/** Returns where the token of an element or lane is drawn, by its number among its kind. */
const tokenAt = (visit, kind, i) =>
  visit.page.evaluate((look, at) => document.querySelectorAll(`.flow-token.${look}`)[at].style.transform, kind, i);

export const flowChecks = [
  {
    name: "flow: scenes go forth and back, and the numbers are the runtime's",
    run: async (visit) => {
      await visit.open("flow");
      const first = await visit.state();
      assert.deepEqual([first.kind, first.scenes, first.lanes, first.copied, first.sharesBuffer], ["buffer", 10, 4, 0, true]);
      assert.deepEqual(
        first.results,
        [5, 6, 7, 8, 9, 10, 11, 12].map((value) => 10 * value + 1),
      );
      for (const [name, pattern] of [
        ["load", /v128\.load/],
        ["store", /v128\.store/],
      ])
        assert.match(first.lines[name], pattern);
      const before = await tokenAt(visit, "is-memory", 4);
      await visit.pressButton("Next scene");
      assert.notEqual(await tokenAt(visit, "is-memory", 4), before);
      await visit.pressButton("Next scene");
      await visit.pressButton("Next scene");
      assert.deepEqual([(await visit.state()).kind, (await visit.state()).vector], ["load", 0]);
      assert.match(await visit.text(), /loads 4 numbers/);
      await visit.pressButton("Scene before");
      assert.equal((await visit.state()).kind, "slice");
      await visit.choose("float64");
      const wide = await visit.state();
      assert.deepEqual([wide.scene, wide.lanes, wide.scenes], [0, 2, 16]);
      await visit.address(/#\/flow\?scene=0&dtype=float64/);
    },
  },
  {
    name: "flow: it plays, stops where a visitor stops it, and ends at the last scene",
    run: async (visit) => {
      await visit.open("flow");
      await visit.choose("fast");
      await visit.click("Play");
      await visit.stateWhere(({ scene }) => scene >= 1);
      await visit.click("Stop");
      const { scene, isPlaying } = await visit.state();
      assert.equal(isPlaying, false);
      await new Promise((resolve) => setTimeout(resolve, 800));
      assert.equal((await visit.state()).scene, scene);
      await visit.click("Play");
      const last = await visit.stateWhere((state) => state.kind === "result");
      assert.deepEqual([last.isPlaying, last.scene], [false, last.scenes - 1]);
    },
  },
  {
    name: "flow: nothing moves by itself for those who asked for less motion",
    browsers: ["chromium"],
    run: async (visit) => {
      await visit.page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
      await visit.open("flow");
      assert.equal((await visit.state()).isPlaying, false);
      const duration = () => visit.page.$eval(".flow-token", (token) => getComputedStyle(token).transitionDuration);
      assert.match(await duration(), /^0s/);
      await visit.page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "no-preference" }]);
      assert.doesNotMatch(await duration(), /^0s/);
      await visit.page.emulateMediaFeatures([]);
    },
  },
  {
    name: "digits: the network reads digits it has not seen, and a changed pixel goes through all levels",
    run: async (visit) => {
      await visit.open("digits?digit=3");
      const { best, probabilities } = await visit.stateWhere(({ isReady }) => isReady);
      assert.equal(best, 3);
      assert.ok(Math.abs(probabilities.reduce((a, b) => a + b, 0) - 1) < 1e-5);
      const before = (await visit.state()).pixels;
      await (await visit.cell("pixels", 4, 4)).click();
      const changed = await visit.state();
      assert.deepEqual(changed.pixels.with(36, before[36]), before);
      assert.equal(changed.pixels[36], before[36] > 0 ? 0 : 16);
      assert.notDeepEqual(changed.probabilities, probabilities);
      for (const digit of [0, 7]) {
        await visit.select("A digit that the network has not been trained with", String(digit));
        assert.equal((await visit.state()).best, digit);
      }
      await visit.click("Zoom in");
      assert.equal((await visit.state()).level, "operation");
      assert.match(await visit.text(), /hidden kernel/);
      await visit.click("Zoom in");
      const { steps } = await visit.state();
      assert.deepEqual(steps, ["map", "columns", "map", "columns", "rows"]);
      // The root of the tree was chosen: its step is the last one.
      assert.equal((await visit.state()).step, 4);
      assert.match(await visit.text(), /f32x4/);
      await visit.click("Zoom in");
      const { place, weight } = await visit.state();
      assert.equal(weight, "output bias");
      const { buffer } = Float32Array.of(place.value);
      assert.deepEqual([...new Uint8Array(buffer)], place.bytes);
      await visit.address(/level=bytes/);
    },
  },
];

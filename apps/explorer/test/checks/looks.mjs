// How a page looks in light, dark and narrow: keeps a picture of each, and finds faults.
import assert from "node:assert/strict";

const kLooks = [
  ["light", "light", 1280],
  ["dark", "dark", 1280],
  ["narrow", "light", 390],
];

/** Fails if the page as it is now has a serious fault of accessibility, or parts that stick out of it, in one of the looks. */
export async function checkLooks(visit, name) {
  for (const [look, scheme, width] of kLooks) {
    await visit.page.setViewport({ width, height: 900 });
    await visit.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await visit.shot(`${name}-${look}`);
    const wide = await visit.wide();
    const faults = await visit.faults();
    await visit.page.setViewport({ width: 1280, height: 900 });
    await visit.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    assert.deepEqual(faults, [], look);
    assert.deepEqual(wide, [], `${look}: too wide`);
  }
}

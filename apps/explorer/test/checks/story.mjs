// The story: every task is done with the keyboard or the pointer, and the page sees it.
import assert from "node:assert/strict";

/** What a visitor does for each task. */
const kDeeds = [
  async (visit) => {
    await visit.focusGrid("vec()");
    await visit.keys("ArrowRight", "9", "Enter");
  },
  (visit) => visit.type("Shape", "2,2,3"),
  (visit) => visit.type("Dimension 0", "70000"),
  (visit) => visit.type("Another", "3,?"),
  async (visit) => {
    await visit.pressButton("share a");
    await visit.pressButton("dispose a");
  },
  (visit) => visit.type("Slice A", "0,2:0,2"),
  async (visit) => {
    await (await visit.find("button", "Dimension 0 size 3")).focus();
    await visit.keys("ArrowLeft");
  },
  (visit) => visit.type("Layout of the result", "0,1"),
  (visit) => visit.type("Expression", "x.sum(1)"),
  async (visit) => {
    await visit.stateWhere(({ busy, facts }) => busy === "" && facts !== null);
    await visit.click("4 pieces in data block 0");
    await (await visit.page.waitForSelector("::-p-xpath(//button[contains(@class, 'region') and contains(., '\"numbers\"')])")).click();
  },
];

/** What the story shows, whether its panel is there, and what has the focus. */
const shownStep = () => ({
  step: document.querySelector(".story-name span")?.textContent,
  hasPanel: window.onebufferExplorer.panel !== null,
  focused: document.activeElement?.outerHTML.slice(0, 120),
});

/** Waits until the story shows a step, such as "2 of 10", and its panel. */
function atStep(visit, wanted) {
  return visit.until(
    () => visit.page.evaluate(shownStep),
    ({ step, hasPanel }) => step === wanted && hasPanel,
    ({ step, focused }) => `the story never came to ${wanted}: it shows ${step}, the focus is on ${focused}`,
  );
}

export const storyChecks = [
  {
    name: "story: each task is seen to be done, and Next leads on",
    run: async (visit) => {
      await visit.open("story");
      for (const [step, deed] of kDeeds.entries()) {
        await atStep(visit, `${step + 1} of ${kDeeds.length}`);
        assert.equal(await visit.page.$(".story-task.is-done"), null, `step ${step + 1} is done before anything was done`);
        await deed(visit);
        await visit.page.waitForSelector(".story-task.is-done", { timeout: 8000 });
        if (step + 1 < kDeeds.length) await visit.pressButton("Next: ");
      }
      await visit.click("The end: look around");
      await visit.page.waitForSelector('#app[data-ready="one-buffer"]');
    },
  },
];

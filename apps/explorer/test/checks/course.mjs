// The course: every exercise with all its right answers, every named mistake, and what a browser keeps.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { chapters, kCourse, markersOf, pageText } from "../course-pages.mjs";
import { keyOf } from "../teachers-key.mjs";

const kReadyMs = 20_000;
/** The widest line of a picture made of characters: wider ones would not fit the column of a page. */
const kMostColumns = 64;

async function openChapter(visit, chapter) {
  await visit.page.goto(`${visit.base}course/${chapter}.html`);
  await visit.page.waitForSelector('html[data-course="ready"]', { timeout: kReadyMs });
}

/** Gives all answers of the exercises of a page. Returns a line for each that is judged wrongly, and how many were given. */
const answerAll = (visit, names) =>
  visit.page.evaluate(async (wanted) => {
    const { exercises, answer } = window.onebufferCourse;
    const faults = [];
    let given = 0;
    const judge = async (name, each, isRight, mistake) => {
      given++;
      const verdict = await answer(name, each);
      if (verdict.right !== isRight || verdict.mistake !== mistake || verdict.why === "")
        faults.push(`${name}: ${JSON.stringify(each)}: ${JSON.stringify(verdict)}`);
    };
    for (const name of wanted) {
      const { rightAnswers, mistakes, wrongAnswers } = exercises[name];
      if (rightAnswers.length < 3) faults.push(`${name} has ${rightAnswers.length} right answers for the tests`);
      if (mistakes.length < 2) faults.push(`${name} has ${mistakes.length} named mistakes`);
      for (const each of wrongAnswers) await judge(name, each, false, "");
      for (const mistake of mistakes) for (const each of mistake.answers) await judge(name, each, false, mistake.name);
      for (const each of rightAnswers) await judge(name, each, true, "");
    }
    return { faults, given };
  }, names);

export const courseChecks = [
  ...chapters.map((chapter) => ({
    name: `course: ${chapter}: every right answer is right, every mistake is named`,
    browsers: ["chromium"],
    run: async (visit) => {
      await openChapter(visit, chapter);
      const errors = await visit.page.evaluate(() => window.onebufferCourse.panels.map((panel) => panel.state().error ?? ""));
      assert.deepEqual(
        errors.filter((error) => error !== ""),
        [],
        "a panel opens with an error",
      );
      const names = markersOf(chapter)
        .filter(([kind]) => kind === "exercise")
        .map(([, name]) => name);
      assert.ok(names.length > 0, "no exercise");
      const { faults, given } = await answerAll(visit, names);
      assert.deepEqual(faults, []);
      assert.ok(given >= 5 * names.length, `${given} answers`);
    },
  })),
  {
    name: "course: every exercise is in a chapter, and in no other",
    browsers: ["chromium"],
    run: async (visit) => {
      await openChapter(visit, chapters[0]);
      const all = await visit.page.evaluate(() => Object.keys(window.onebufferCourse.exercises));
      const found = chapters.flatMap((chapter) =>
        markersOf(chapter)
          .filter(([kind]) => kind === "exercise")
          .map(([, name]) => name),
      );
      assert.deepEqual([...found].sort(), all.sort());
    },
  },
  {
    // ONEBUFFER_WRITE_KEY=1 writes the key anew.
    name: "course: the teachers' key is that of the exercises",
    browsers: ["chromium"],
    run: async (visit) => {
      await openChapter(visit, chapters[0]);
      const exercises = await visit.page.evaluate(() => JSON.parse(JSON.stringify(window.onebufferCourse.exercises)));
      const page = pageText("teachers");
      const kKey = /(?<=<!-- key -->\n)[\s\S]*(?=<!-- end of the key -->)/;
      const key = `\n${keyOf(exercises, chapters)}\n`;
      if (process.env.ONEBUFFER_WRITE_KEY === "1")
        writeFileSync(
          new URL("teachers.md", kCourse),
          page.replace(kKey, () => key),
        );
      else assert.equal(kKey.exec(page)?.[0], key);
    },
  },
  {
    name: "course: answers are kept in the browser, shown again, and forgotten",
    run: async (visit) => {
      const chapter = chapters[0];
      await openChapter(visit, chapter);
      await visit.page.evaluate(() => localStorage.removeItem("onebuffer-course"));
      await openChapter(visit, chapter);
      const write = async (text) => {
        await visit.page.$eval("#answer-two-bytes", (input) => {
          input.focus();
          input.select();
        });
        await visit.page.keyboard.type(text);
        await visit.keys("Enter");
      };
      await write("int16");
      const output = () => visit.page.$eval('[data-exercise="two-bytes"] output', (element) => element.textContent);
      await visit.until(output, (text) => /whole numbers only/.test(text), String);
      await write("half");
      await visit.until(output, (text) => /^Right/.test(text), String);
      const progress = () => visit.page.$eval(".course-progress", (element) => element.textContent);
      assert.match(await progress(), /^1 of 2 exercises done/);
      await openChapter(visit, chapter);
      assert.match(await progress(), /^1 of 2 exercises done/);
      assert.equal(await visit.page.$eval("#answer-two-bytes", (input) => input.value), "half");
      await visit.click("Begin anew");
      assert.match(await progress(), /^0 of 2 exercises done/);
      // What another program wrote there does no harm.
      await visit.page.evaluate(() => localStorage.setItem("onebuffer-course", '[{"two-bytes":1'));
      await openChapter(visit, chapter);
      assert.match(await progress(), /^0 of 2 exercises done/);
    },
  },
  {
    name: "course: without storage and without programs the pages still judge",
    browsers: ["chromium"],
    run: async (visit) => {
      await visit.page.goto(`${visit.base}course/strict/3-one-buffer.html`);
      await visit.page
        .evaluateOnNewDocument(() =>
          Object.defineProperty(window, "localStorage", {
            get() {
              throw new DOMException("denied", "SecurityError");
            },
          }),
        )
        .then(async ({ identifier }) => {
          await visit.page.reload();
          await visit.page.waitForSelector('html[data-course="ready"]', { timeout: kReadyMs });
          const verdicts = await visit.page.evaluate(async () => [
            await window.onebufferCourse.answer("inner-dims", "6 by 4"),
            await window.onebufferCourse.answer("row-major-offset", "const offset = () => 0;"),
          ]);
          assert.equal(verdicts[0].right, true);
          assert.match(verdicts[1].why, /may not run programs|did not start/);
          await visit.page.removeScriptToEvaluateOnNewDocument(identifier);
        });
      // The browser reports what its policy has refused.
      visit.problems();
    },
  },
  {
    name: "course: pictures of characters fit the column of a page",
    browsers: ["chromium"],
    run: async () => {
      for (const chapter of chapters)
        for (const [, picture] of pageText(chapter).matchAll(/^```\n([\s\S]*?)^```$/gm))
          for (const line of picture.split("\n")) assert.ok(line.length <= kMostColumns, `${chapter}: ${line.length} columns: ${line}`);
    },
  },
  {
    name: "course: every chapter says its goal, its time and what comes before it",
    browsers: ["chromium"],
    run: async () => {
      for (const chapter of chapters)
        for (const part of [/^\*\*You will\*\* /m, /^\*\*Time:\*\* \d+ minutes\. \*\*Before:\*\* /m])
          assert.match(pageText(chapter), part, chapter);
    },
  },
];

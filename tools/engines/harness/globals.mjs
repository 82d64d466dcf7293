// What tests import from `@jest/globals`, for engines in which Jest does not run: its own `expect` and mocks over a small runner. Tests run
// one after the other in the order in which they are written; hooks of outer groups run before those of inner ones, and after them at the end.
import { expect } from "expect";
import { ModuleMocker } from "jest-mock";
import { eachOf } from "./each.mjs";

const kLimitMs = 30_000;

const mocker = new ModuleMocker(globalThis);
const newGroup = (title, outer) => ({ title, outer, beforeAll: [], beforeEach: [], afterEach: [], afterAll: [], entries: [] });
const rootGroup = newGroup("", null);
let group = rootGroup;
let defaultLimit = kLimitMs;

const addTest = (title, act, limit) => void group.entries.push({ title, act, limit });
const skipTest = (title) => void group.entries.push({ title, act: null });

function addGroup(title, define) {
  const inner = newGroup(typeof title === "string" ? title : title.name, group);
  group.entries.push(inner);
  group = inner;
  try {
    define();
  } finally {
    group = inner.outer;
  }
}

function skipGroup(title, define) {
  const before = group.entries.length;
  addGroup(title, define);
  for (const inner of group.entries.slice(before)) inner.isSkipped = true;
}

export const test = Object.assign(addTest, { each: eachOf(addTest), skip: Object.assign(skipTest, { each: eachOf(skipTest) }) });
export const it = test;
export const describe = Object.assign(addGroup, { each: eachOf(addGroup), skip: Object.assign(skipGroup, { each: eachOf(skipGroup) }) });
export const beforeAll = (act) => void group.beforeAll.push(act);
export const beforeEach = (act) => void group.beforeEach.push(act);
export const afterEach = (act) => void group.afterEach.push(act);
export const afterAll = (act) => void group.afterAll.push(act);
export const jest = {
  fn: (act) => mocker.fn(act),
  spyOn: (object, name, kind) => mocker.spyOn(object, name, kind),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  setTimeout: (limit) => {
    defaultLimit = limit;
  },
};
export { expect };

/** Calls a function of a test; rejects if its promise is not settled within the limit. */
async function called(act, limit = defaultLimit) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not settled within ${limit} ms`)), limit);
  });
  try {
    await Promise.race([act(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the first error of the functions, all of which are called; undefined if there is none. */
async function firstError(acts, limit) {
  let first;
  for (const act of acts) {
    try {
      await called(act, limit);
    } catch (error) {
      first ??= { error };
    }
  }
  return first;
}

const outermostFirst = (of) => (of === null ? [] : [...outermostFirst(of.outer), of]);

/** Runs one test with its hooks; returns its error as `{ error }`, or undefined. */
async function runTest({ act, limit }, of) {
  const groups = outermostFirst(of);
  const begun = await firstError(groups.flatMap((each) => each.beforeEach));
  const failed = begun ?? (await firstError([act], limit));
  const ended = await firstError(groups.toReversed().flatMap((each) => each.afterEach));
  return failed ?? ended;
}

async function runGroup(of, isSkipped, results) {
  const titles = outermostFirst(of).map(({ title }) => title);
  const skipsAll = isSkipped || of.isSkipped === true;
  const setup = skipsAll ? undefined : await firstError(of.beforeAll);
  for (const entry of of.entries) {
    if (entry.entries !== undefined) {
      await runGroup(entry, skipsAll, results);
      continue;
    }
    const name = [...titles, entry.title].filter((title) => title !== "").join(" ");
    if (skipsAll || entry.act === null) {
      results.push({ name, verdict: "skipped" });
      continue;
    }
    const failed = setup ?? (await runTest(entry, of));
    const detail = failed && String(failed.error?.stack ?? failed.error);
    const message = failed?.error?.message;
    // Engines other than V8 leave the message out of the stack.
    const text = message && !detail.includes(message) ? `${message}\n${detail}` : detail;
    results.push(failed ? { name, verdict: "failed", detail: text } : { name, verdict: "passed" });
  }
  const ended = skipsAll ? undefined : await firstError(of.afterAll);
  if (ended)
    results.push({ name: `${titles.join(" ")} afterAll`.trim(), verdict: "failed", detail: String(ended.error?.stack ?? ended.error) });
}

/** Runs all tests that were added; returns `{ name, verdict, detail }` of each, the verdict "passed", "failed" or "skipped". */
export async function runTests() {
  const results = [];
  await runGroup(rootGroup, false, results);
  return results;
}

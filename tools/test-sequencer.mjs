// The order of the test files on a machine that has not run them before: Jest starts with the longest, which leaves no processor idle
// at the end, but without times of an earlier run it goes by the sizes of the files, and a file that imports its suites is small.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Sequencer from "@jest/test-sequencer";

/** Compiled test code that takes about a millisecond, on average. */
const kBytesPerMillisecond = 25;

/** Files that mostly wait for other processes or threads, with the milliseconds that they take. */
const kWaiting = new Map([
  ["lifetime-net.test.js", 3500],
  ["devices.test.js", 6000],
  ["command-line.test.js", 5500],
  ["share-threads.test.js", 2500],
  ["wrong-calls.test.js", 1500],
  ["default-arena-faults.test.js", 1200],
  ["pages.test.js", 2500],
  ["soak.test.js", 1000],
]);

/**
 * The files that ask for garbage collections are the first that workers run, the one with the most of them before all. In a worker without what
 * other files have left a collection takes 30 ms, and 150 to 400 later.
 */
const kCollecting = ["allocators.test.js", "examples.test.js", "files.test.js", "statistics.test.js"];

/** Returns the bytes of a test file and of the suites that it imports. */
export function sizeOf(path) {
  const text = readFileSync(path, "utf8");
  const suites = [...text.matchAll(/^import "(\.[\w./-]+\.suite\.js)";$/gm)];
  return suites.reduce((sum, [, suite]) => sum + sizeOf(join(dirname(path), suite)), text.length);
}

export default class LongestFirst extends Sequencer {
  /** Returns the milliseconds that a file took last time, or about as many as it will take. */
  time(test) {
    return super.time(test) ?? kWaiting.get(basename(test.path)) ?? sizeOf(test.path) / kBytesPerMillisecond;
  }

  sort(tests) {
    const sorted = super.sort(tests);
    const first = kCollecting.flatMap((name) => sorted.filter(({ path }) => basename(path) === name));
    return [...first, ...sorted.filter((test) => !first.includes(test))];
  }
}

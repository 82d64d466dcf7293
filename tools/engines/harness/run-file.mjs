// Runs one test file in the engine that runs this program: `run-file.mjs TEST RESULTS`. Writes the verdicts as JSON to the file RESULTS.
// It is copied to the top of the tree that tree.mjs lays out, where `@jest/globals` is the harness.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import process from "node:process";
import { expect, runTests } from "@jest/globals";

const [path, target] = process.argv.slice(2);
globalThis.process ??= process;
Error.stackTraceLimit = 10;
// As in Jest, whose `process` is a copy: the end of a worker is not announced, and tests take over from threads themselves.
const { on } = process;
process.on = (event, listener) => (event === "worker" ? process : on.call(process, event, listener));
// jest-ledger.js asks for it.
expect.setState({ testPath: path });
await import("./jest-ledger.js");
await import(pathToFileURL(path).href);
writeFileSync(target, JSON.stringify(await runTests()));
// Threads of a failed test may be left.
process.exit(0);

// The checks in Node: run.mjs starts this with an adapter.
import { create } from "webgpu";
import { bitChecks } from "./bits.mjs";
import { faultChecks } from "./faults.mjs";
import { operationChecks } from "./operations.mjs";
import { Report } from "./report.mjs";
import { treeChecks } from "./trees.mjs";

const kParts = { operations: operationChecks, bits: bitChecks, trees: treeChecks, faults: faultChecks };

const words = process.argv.slice(2);
const at = words.indexOf("--trees");
const trees = at < 0 ? 300 : Number(words.splice(at, 2)[1]);
const ops = words.indexOf("--op");
const only = ops < 0 ? null : words.splice(ops, 2)[1].split(",");
const unknown = words.filter((word) => !(word in kParts));
if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(", ")}; the parts are ${Object.keys(kParts).join(", ")}`);

const report = new Report();
// The entry stays reachable: Node's WebGPU stops answering once it is collected.
const gpu = create([]);
for (const [part, checks] of Object.entries(kParts)) {
  if (words.length > 0 && !words.includes(part)) continue;
  report.begin(part);
  await checks(gpu, report, { trees, only });
}
report.end();
// Node's WebGPU keeps the process running as long as the entry is there.
process.exit(report.failed === 0 ? 0 : 1);

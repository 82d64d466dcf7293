// `npm run fuzz [-- OPTIONS WORDS]`: a million inputs for each decoder and parser, guided by the blocks of the library that they execute.
//
//     --inputs N     inputs for each target (default 1,000,000)
//     --seconds N    at most so many seconds for each target (default 120)
//     --seed N       another seed than that of the day
//     --write        keeps the inputs with blocks of their own in tools/fuzz/corpus
//     WORDS          only targets with such a word in their names
//
// Fails if an input makes a target throw anything but a StatusError of a code for files, leak, take two seconds or read more than it may.
import { targets } from "../../packages/io/dist/test/fuzz/targets.js";
import { BlockCoverage } from "./block-coverage.mjs";
import { readCorpus, writeCorpus } from "./corpus.mjs";
import { fuzzTarget } from "./fuzz-target.mjs";
import { kParsers } from "./parsers.mjs";

const words = [];
const options = { inputs: 1_000_000, seconds: 120, seed: Number(new Date().toISOString().slice(0, 10).replaceAll("-", "")) };
let isWritten = false;
const given = process.argv.slice(2);
for (let i = 0; i < given.length; i++) {
  const name = given[i].slice(2);
  if (given[i] === "--write") isWritten = true;
  else if (given[i].startsWith("--") && name in options) options[name] = Number(given[++i]);
  else words.push(given[i].toLowerCase());
}

let passed = 0;
let inputs = 0;
const failed = [];
for (const target of [...kParsers, ...targets]) {
  if (words.length > 0 && !words.some((word) => target.name.toLowerCase().includes(word))) continue;
  const coverage = new BlockCoverage();
  const begun = performance.now();
  const { count, blocks, failures, kept } = await fuzzTarget(target, { ...options, corpus: readCorpus(target.name), coverage });
  const seconds = (performance.now() - begun) / 1000;
  process.stdout.write(`${target.name}: ${count} inputs in ${seconds.toFixed(1)} s, ${blocks} blocks, ${kept.length} inputs kept\n`);
  for (const failure of failures) process.stdout.write(`  FAILED ${failure}\n`);
  if (failures.length > 0) failed.push(target.name);
  else passed++;
  inputs += count;
  if (isWritten) writeCorpus(target.name, kept);
}
process.stdout.write(
  `${inputs} inputs; ${passed} targets passed, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(", ")}` : ""}\n`,
);
process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1;

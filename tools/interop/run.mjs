// `npm run interop`: compares our bytes with real TensorFlow, in both directions, for every dtype and every message, and the
// results of expressions with TensorFlow and NumPy, for every operation and every dtype; files of arrays with NumPy and safetensors;
// StableHLO modules of expressions with XLA.
//
// A Python with TensorFlow is set up once in the user's cache folder (python-env.mjs). If that is not possible, it prints "skipped:
// why" and exits with 0, or with 1 under ONEBUFFER_REQUIRE_INTEROP=1.
//
//   npm run interop                    everything
//   npm run interop -- --mutants 20000   more mutants of each message (1,000 otherwise)
//   npm run interop -- --trees 1000      fewer random expressions compared with NumPy (20,000 otherwise); --seed 7 repeats a seed
//   npm run interop -- --products 1000   fewer random products compared with NumPy (4,000 otherwise)
//   npm run interop -- --xla             only the comparison with XLA, by JAX: every operation and dtype, 2,000 random trees (--xla-trees;
//                                        --seed 7 repeats a seed, --from 100 begins at a tree, --op exp has one operation and no trees;
//                                        --xla-share 4 draws a quarter of an operation's dtypes)
//   npm run interop -- --gradients       only the comparison of gradients: random trees with TensorFlow's GradientTape (--gradient-trees, 5,000; in
//                                        CI 500), gradients of gradients with JAX (--second-trees, 200; in CI 20), special points with both
//   npm run interop -- --install 900     seconds that pip may take (600 otherwise)
import {
  compressedMeansTheSame,
  createdProtosMeanTheirValues,
  tensorFlowReadsOurs,
  encodableDTypes,
  weReadTensorFlows,
} from "./checks-tensors.mjs";
import { checkpointsAgree } from "./checks-checkpoints.mjs";
import { decompositionsAgree } from "./checks-decompositions.mjs";
import { expressionsAgree } from "./checks-expressions.mjs";
import { productsAgree, treesAgree } from "./checks-trees.mjs";
import { gradientsAgree, pointsAgree, secondGradientsAgree } from "./checks-gradients.mjs";
import { filesAgree } from "./checks-files.mjs";
import { linearAlgebraAgrees } from "./checks-linalg.mjs";
import { messagesAgree } from "./checks-messages.mjs";
import { mutantsAgree } from "./checks-mutants.mjs";
import { handlesOfVariables, listsOfOurs, variantsOfKernels, variantsOfOurs } from "./checks-objects.mjs";
import { examplesAgree, objectGraphsAgree, parsedExamplesAgree, recordsAgree, textsAgree } from "./checks-records.mjs";
import { xlaAgrees, xlaChecksAgree, xlaEdgesAgree, xlaShardingsAgree, xlaTreesAgree } from "./checks-xla.mjs";
import { signalsAgree } from "./checks-signal.mjs";
import { pythonWithJax, pythonWithTensorFlow } from "./python-env.mjs";
import { Report } from "./report.mjs";
import { TensorFlow } from "./tensorflow.mjs";

const option = (name, fallback) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback;
const write = (text) => process.stdout.write(text);

function skip(why) {
  write(`skipped: ${why}\n`);
  process.exitCode = process.env.ONEBUFFER_REQUIRE_INTEROP === "1" ? 1 : 0;
}

const isCI = process.env.CI !== undefined;

/** A seed of this run, or the one that is asked for; CI has always the same. */
const seed = option("seed", isCI ? 29148658 : Date.now() % 2 ** 31);

/** Compares expressions with XLA. */
async function compareWithXla(report) {
  const { python, skipped } = await pythonWithJax((text) => process.stderr.write(`${text}\n`), option("install", 600) * 1000);
  if (skipped !== undefined) return skip(`XLA: ${skipped}`);
  // Modules with a mesh run on eight virtual devices, the others on the first.
  process.env.ONEBUFFER_XLA_DEVICES = "8";
  const xla = new TensorFlow(python, "xla_side.py");
  const hello = await xla.tryAsk({ op: "hello" });
  if (hello.ok === undefined) {
    xla.stop();
    return skip(`JAX does not start: ${hello.error ?? hello.aborted}`);
  }
  write(`JAX ${hello.ok.jax}\n`);
  const only = process.argv.includes("--op") ? process.argv[process.argv.indexOf("--op") + 1] : undefined;
  if (!process.argv.includes("--from")) {
    await xlaShardingsAgree(xla, report);
    await xlaChecksAgree(xla, report);
    await xlaEdgesAgree(xla, report);
    await xlaAgrees(xla, report, only, option("xla-share", 1));
  }
  if (only === undefined) await xlaTreesAgree(xla, report, seed, option("from", 0), option("xla-trees", 2000));
  return xla.stop();
}

async function onlyXla() {
  const started = performance.now();
  const report = new Report(write);
  await compareWithXla(report);
  conclude(report, started);
}

/** Compares gradients with TensorFlow's. */
async function compareGradients(tensorflow, report) {
  await pointsAgree(tensorflow, report, "TensorFlow");
  await gradientsAgree(tensorflow, report, seed, option("gradient-trees", isCI ? 500 : 5000));
}

/** Compares gradients of gradients with JAX's. */
async function compareSecondGradients(report) {
  const { python, skipped } = await pythonWithJax((text) => process.stderr.write(`${text}\n`), option("install", 600) * 1000);
  if (skipped !== undefined) return skip(`JAX: ${skipped}`);
  const jax = new TensorFlow(python, "jax_gradients.py");
  const hello = await jax.tryAsk({ op: "hello" });
  if (hello.ok === undefined) skip(`JAX does not start: ${hello.error ?? hello.aborted}`);
  else {
    await pointsAgree(jax, report, "JAX");
    await secondGradientsAgree(jax, report, seed, option("second-trees", isCI ? 20 : 200));
  }
  return jax.stop();
}

function conclude(report, started) {
  const { passed, failures } = report;
  if (passed + failures.length === 0) return;
  write(`\ninterop: ${passed} agree, ${failures.length} do not, ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

async function main() {
  const { python, skipped } = await pythonWithTensorFlow((text) => process.stderr.write(`${text}\n`), option("install", 600) * 1000);
  if (skipped !== undefined) return skip(skipped);
  const started = performance.now();
  const tensorflow = new TensorFlow(python);
  const hello = await tensorflow.tryAsk({ op: "hello" });
  if (hello.ok === undefined) {
    tensorflow.stop();
    return skip(`TensorFlow does not start: ${hello.error ?? hello.aborted}`);
  }
  const { tensorflow: version, python: pythonVersion, protobuf, numpy } = hello.ok;
  write(`TensorFlow ${version}, Python ${pythonVersion}, protobuf ${protobuf}, NumPy ${numpy}\n`);
  const report = new Report(write);
  if (!process.argv.includes("--gradients")) await compareAll(tensorflow, python, hello.ok, report);
  await compareGradients(tensorflow, report);
  tensorflow.stop();
  await compareSecondGradients(report);
  if (!process.argv.includes("--gradients")) await compareWithXla(report);
  report.end();
  conclude(report, started);
}

/** Compares everything but gradients with TensorFlow and NumPy. */
async function compareAll(tensorflow, python, hello, report) {
  report.begin("dtypes");
  const dtypes = encodableDTypes(hello, report);
  report.pass();
  for (const dtype of dtypes) {
    await tensorFlowReadsOurs(dtype, tensorflow, report);
    await weReadTensorFlows(dtype, tensorflow, report);
    await compressedMeansTheSame(dtype, tensorflow, report);
  }
  await createdProtosMeanTheirValues(tensorflow, report);
  await variantsOfOurs(tensorflow, report);
  await variantsOfKernels(tensorflow, report);
  await listsOfOurs(tensorflow, report);
  await handlesOfVariables(tensorflow, report);
  await checkpointsAgree(dtypes, tensorflow, report);
  await messagesAgree(tensorflow, hello, report, 40);
  await textsAgree(tensorflow, hello, report);
  await recordsAgree(tensorflow, report);
  await examplesAgree(tensorflow, report);
  await parsedExamplesAgree(tensorflow, report);
  await objectGraphsAgree(tensorflow, report);
  await mutantsAgree(tensorflow, hello, report, option("mutants", 1000));
  await filesAgree(python, report);
  await expressionsAgree(tensorflow, report);
  await signalsAgree(python, report);
  await decompositionsAgree(python, report);
  await treesAgree(tensorflow, report, seed, option("trees", 20_000));
  await productsAgree(tensorflow, report, seed, option("products", 4000));
  await linearAlgebraAgrees(tensorflow, report, seed);
}

await (process.argv.includes("--xla") ? onlyXla() : main());

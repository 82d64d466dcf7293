// Compares expressions with XLA: the text of toStableHLO is parsed, compiled and run by JAX, for every operation and dtype and for random
// trees. Each element must be within the bound of xla-steps.mjs.
import { arraySlots, dtypeOf, dtypeSize, isRawDType, typedArrayConstructor } from "@onebuffer/base";
import { concatenate, evaluate, opTable, select, tensorMap, treeOf } from "@onebuffer/eigen";
import { toStableHLO } from "@onebuffer/stablehlo";
import { compileTree } from "../../packages/evaluator/dist/src/compile-tree.js";
import { isNear } from "../../packages/eigen/dist/test/random-trees/float-units.js";
import { storedArray } from "../../packages/eigen/dist/test/random-trees/step.js";
import { buildTree } from "../../packages/eigen/dist/test/random-trees/build-tree.js";
import { growTree } from "../../packages/eigen/dist/test/random-trees/grow-tree.js";
import { printTree } from "../../packages/eigen/dist/test/random-trees/print-tree.js";
import { casesOf, tableOps } from "./expression-cases.mjs";
import { bytesOf, hexOf } from "./samples.mjs";
import { edgeLists } from "./xla-edges.mjs";
import { elementsOf, XlaSteps } from "./xla-steps.mjs";

const product = (dims) => dims.reduce((a, b) => a * b, 1);

/** The number of modules that are under way. */
const kUnderWay = 16;

function mapOf({ dtype, dims, content }) {
  const name = dtypeOf(dtype);
  const bytes = bytesOf(content);
  const array = new (typedArrayConstructor(name))((bytes.byteLength / dtypeSize(name)) * arraySlots(name));
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes);
  return tensorMap(name, array, dims);
}

/** Returns a module as the runner takes it. */
function questionOf({ text, leaves, results, checks }) {
  const args = leaves.map(({ operand, dtype, dimensions }) => ({
    dtype,
    dims: dimensions,
    content: hexOf(storedArray(dtype, product(dimensions), compileTree(operand))),
  }));
  return { op: "run", text, args, results: [...results.map(({ dtype }) => dtype), ...checks.map(() => "bool")] };
}

const shown = (value) => (Array.isArray(value) ? `(${value.map(shown).join(", ")})` : Object.is(value, -0) ? "-0" : String(value));
const sameNumber = (a, b) => Object.is(a, b) || (a !== a && b !== b);

/** Returns true if an element is within the bound of the expected one. */
function agrees(dtype, got, wanted, bound) {
  if (bound === Infinity) return true;
  if (Array.isArray(got)) {
    const part = dtype === "complex128" ? "float64" : "float32";
    return got.every((x, k) => isNear(part, x, wanted[k], bound) || (bound > 0 && x === 0 && wanted[k] === 0));
  }
  if (/^b?float(16|32|64)$/.test(dtype)) return isNear(dtype, got, wanted, bound);
  return sameNumber(got, wanted);
}

/** Returns the first difference between XLA's result and the expected one, or null. */
function differenceOf(root, expected, content) {
  const { dtype, dimensions } = root;
  const bytes = bytesOf(content);
  const array = new (typedArrayConstructor(dtype))((bytes.byteLength / dtypeSize(dtype)) * arraySlots(dtype));
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes);
  const { values, bounds } = expected;
  const got = elementsOf(dtype, dimensions, array);
  const k = got.findIndex((value, i) => !agrees(dtype, value, values[i], bounds[i]));
  if (k < 0) return null;
  return `element ${k} of ${dtype} [${dimensions}] is ${shown(got[k])}, not ${shown(values[k])} within ${bounds[k]}`;
}

/** Returns expressions with their bounds and their module; `unsupported` or `refused` where there is none. */
function prepared(roots, options = {}) {
  let module;
  try {
    module = toStableHLO(roots, options);
  } catch (error) {
    if (error.code === "UNIMPLEMENTED") return { unsupported: error.message };
    throw error;
  }
  try {
    const steps = new XlaSteps();
    const parts = roots.map((root) => ({ root, expected: steps.expected(root) }));
    return { parts, question: questionOf(module) };
  } catch (error) {
    if (error.code === "INVALID_ARGUMENT") return { refused: true };
    throw error;
  }
}

/** Runs and compares prepared modules. Every item makes one, with a text per result, or null. */
async function compareAll(xla, report, items) {
  const counts = { elements: 0, unknown: 0 };
  const open = [];
  const settle = async () => {
    const { what, detail, parts, answer } = open.shift();
    const { ok, error, aborted } = await answer;
    if (ok === undefined) return report.fail(what[0], `XLA says ${error ?? aborted}${detail}`);
    parts.forEach(({ root, expected }, k) => {
      counts.elements += expected.bounds.length;
      counts.unknown += expected.bounds.filter((bound) => bound === Infinity).length;
      const difference = differenceOf(root, expected, ok.results[k]);
      if (difference === null) report.pass();
      else report.fail(what[k], `${difference} by XLA${detail}`);
    });
  };
  for (const make of items) {
    const item = await make();
    if (item === null) continue;
    open.push({ ...item, answer: xla.tryAsk(item.question) });
    if (open.length >= kUnderWay) await settle();
  }
  while (open.length > 0) await settle();
  return counts;
}

/**
 * Compares every operation of the op table, for every dtype, with XLA: the cases of a dtype are the results of one module. With a `share` of
 * n, one in n of an operation's dtypes, by turns, so that each operation and each dtype is drawn.
 */
export async function xlaAgrees(xla, report, only, share) {
  for (const [turn, op] of tableOps.entries()) {
    if (only !== undefined && only !== op) continue;
    report.begin(`XLA: ${op}`);
    const all = opTable[op].dtypes.filter(isRawDType);
    const dtypes = all.filter((_, k) => k % share === turn % Math.min(share, all.length));
    const items = dtypes.map((dtype) => async () => {
      const cases = casesOf(op, dtype);
      const what = cases.map((one) => `${op} ${dtype} ${one.inputs.map(({ dims }) => `[${dims}]`).join(" ")} ${JSON.stringify(one.args)}`);
      let item = null;
      await report.check(`${op} ${dtype}`, () => {
        const made = cases.length === 0 ? { refused: true } : prepared(cases.map((one) => one.build(one.inputs.map(mapOf))));
        if (made.unsupported !== undefined) report.note(made.unsupported);
        else if (made.refused === undefined) item = { what, detail: "", ...made };
      });
      return item;
    });
    await compareAll(xla, report, items);
  }
  report.end();
}

const floats = (dims) =>
  tensorMap(
    "float32",
    Float32Array.from({ length: product(dims) }, (_, k) => ((k * 37) % 61) / 16 - 1.5),
    dims,
  );
const whole = (...list) => tensorMap("int32", Int32Array.from(list), [list.length]);

/** Expressions over a mesh: the sizes of the shards that the annotations ask for; null where the partitioner chooses. */
function shardedCases() {
  const [x, w, v] = [floats([64, 32]), floats([32, 16]), floats([16, 8])];
  const hidden = x.matMul(w).tanh();
  return [
    {
      what: "a batch over 8 devices",
      roots: [hidden.matMul(v), hidden.matMul(v).sum()],
      options: { mesh: { data: 8 }, leaves: (leaf) => ({ sharding: leaf === x ? ["data"] : [] }), results: [{ sharding: ["data"] }] },
      argumentShards: [
        [8, 32],
        [32, 16],
        [16, 8],
      ],
      resultShards: [[8, 8], null],
    },
    {
      what: "blocks over a mesh of 2 x 4, only the results annotated by columns",
      roots: [x.matMul(w)],
      options: {
        mesh: { x: 2, y: 4 },
        leaves: (leaf) => (leaf === x ? { sharding: ["x", "y"] } : { sharding: ["y"] }),
        results: [{ sharding: [null, ["x", "y"]] }],
      },
      argumentShards: [
        [32, 8],
        [8, 16],
      ],
      resultShards: [[64, 2]],
    },
    {
      // Annotations of arguments alone are dropped without a message in the older form.
      what: "only arguments annotated",
      roots: [x.mul(2).add(1), x.softmax(1)],
      options: { mesh: { rows: 4, columns: 2 }, leaves: () => ({ sharding: ["rows", "columns"] }) },
      argumentShards: [[16, 16]],
      resultShards: [null, null],
    },
  ];
}

/** Runs modules with shardings on eight virtual devices: the shards are those of the annotations, the results those of one device. */
export async function xlaShardingsAgree(xla, report) {
  report.begin("XLA: shardings over 8 devices");
  for (const { what, roots, options, argumentShards, resultShards } of shardedCases()) {
    await report.check(what, async () => {
      const { parts, question } = prepared(roots, options);
      const answer = await xla.ask({ ...question, op: "sharded", dims: roots.map(({ dimensions }) => dimensions) });
      report.same(`${what}: shards of arguments`, answer.argumentShards, argumentShards);
      report.same(
        `${what}: shards of results`,
        answer.resultShards.map((shard, k) => resultShards[k] && shard),
        resultShards,
      );
      parts.forEach(({ root, expected }, k) => {
        // Partial sums of several devices are added in another order.
        const loose = { ...expected, bounds: expected.bounds.map((bound) => bound * 4) };
        const difference = differenceOf(root, loose, answer.results[k]);
        if (difference === null) report.pass();
        else report.fail(what, difference);
      });
    });
  }
  report.end();
}

/** Expressions with elements that may be errors. */
function faultCases() {
  const [x, zero, some] = [whole(6, 7, -8, 9), whole(3, 0, 2, 1), whole(1, 2, 3, 1)];
  const [low, high] = [whole(0, -1, 2), whole(0, 4, 1)];
  const each = (y) => [
    x.div(y),
    x.floorDiv(y).add(1),
    x.mod(y).reverse(),
    x.truncateMod(y).sum(),
    x.div(y).cumsum(),
    x.div(y).cast("float32").exp(),
    select(y.equal(0), 0, x.div(y)),
    select(y.equal(0), x.div(y), 0),
    x
      .div(y)
      .reshape([2, 2])
      .matMul(whole(1, 1, 1, 1).reshape([2, 2])),
    x.div(y).gather(whole(0, 2)),
    x.div(y).gather(whole(0, 1)),
    concatenate([x, x.div(y)]).slice([0, 4]),
    concatenate([x, x.div(y)]).slice([4, 8]),
    x.pow(y.sub(1)),
    x.pow(y),
  ];
  const rows = [low, high, whole(0, 3, 3)].flatMap((at) => [
    x.gather(at),
    x.gather(at).sort(),
    ...["update", "add", "min", "max"].map((reduction) => x.scatter(at, whole(1, 2, 3), 0, { reduction })),
  ]);
  return [...each(zero), ...each(some), ...rows];
}

/** Compares the checks of modules with what the plain evaluator throws. */
export async function xlaChecksAgree(xla, report) {
  report.begin("XLA: errors of elements");
  const cases = faultCases();
  for (const [k, root] of cases.entries()) {
    await report.check(`expression ${k}`, async () => {
      const module = toStableHLO([root], { checks: true });
      const { results } = await xla.ask(questionOf(module));
      let throws = false;
      try {
        evaluate(root);
      } catch {
        throws = true;
      }
      report.same(
        `expression ${k}: ${treeOf(root).op}`,
        throws,
        results.slice(1).some((flag) => flag === "01"),
      );
    });
  }
  report.end();
}

/** Compares expressions at the edges of dtypes with XLA. */
export async function xlaEdgesAgree(xla, report) {
  report.begin("XLA: edges of dtypes");
  const items = edgeLists().map((list) => async () => {
    let item = null;
    await report.check(list[0].what, () => {
      item = { what: list.map(({ what }) => what), detail: "", ...prepared(list.map(({ root }) => root)) };
    });
    return item;
  });
  const { elements, unknown } = await compareAll(xla, report, items);
  report.end();
  report.write(`         ${elements - unknown} of ${elements} elements compared\n`);
}

/** Compares the first `trees` random trees of a seed with XLA. */
export async function xlaTreesAgree(xla, report, seed, from, trees) {
  report.begin(`XLA: random trees, seed ${seed}`);
  const items = Array.from({ length: trees }, (_, n) => async () => {
    const index = from + n;
    const what = `tree ${index} of seed ${seed}`;
    let item = null;
    await report.check(what, () => {
      const tree = growTree(seed, index);
      const made = prepared([buildTree(tree).root]);
      if (made.unsupported !== undefined) report.note(made.unsupported);
      else if (made.refused !== undefined) report.note("a tree with an element that is an error");
      else item = { what: [what], detail: `\n${printTree(tree)}`, ...made };
    });
    return item;
  });
  const { elements, unknown } = await compareAll(xla, report, items);
  report.end();
  report.write(`         ${elements - unknown} of ${elements} elements compared\n`);
}

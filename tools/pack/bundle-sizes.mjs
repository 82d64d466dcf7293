// What a program weighs in a page: bundled by esbuild with `splitting`, minified, gzip level 9. Counted apart are the files that the page loads
// before it begins, and those that it may load later.
import { basename } from "node:path";
import { gzipSync } from "node:zlib";

/**
 * What was added to the budgets since they were set, in kB: the rules of all gradients, which `gradients` of the face brings, with the advice for
 * names of other libraries; advice for first guesses, as sizes without brackets and `dispose` of a map; plans of groups of results, which run
 * each as early as it can and in place; options of all methods as objects, beside the forms of before, which go with the next version; the
 * gradient of extremes of windows, its rule with the gradients and its kernel with the kernels; reductions that end along their operands, and
 * the check of the only result of an assignment to a new address; the advice for 60 more names of other libraries and for operators over maps,
 * with the node codes of contiguous strided maps; high orders of polygamma to a few units; an interpolation and its gradient, each one pass over
 * rows, and slow operations that rows repeat; numbers that nodes store for walks over expressions that are made anew, in gradients and in the
 * look-up of plans; extremes whose first share is stored, and few rows of transposed factors that are not packed; images made smaller along both
 * axes at once; kernels of packages above, which `ready` waits for; maxima of windows in two instructions; operands that are
 * made when they are first read, and plans that are found by what these are made from; depthwise convolutions that copy only the edges of a
 * padded map; workers of pools that are Node's, that do not answer, or that end while they start; operands of all windows, resizes and
 * einsum that are made when they are first read, and arrays whose owners consoles do not see; plans over arrays outside the linear memory, and
 * scatters as steps of addresses; elements that all columns of a row share, and powers of integers by the bits of their exponents; operands of
 * composed methods and of products with a vector that are made when they are first read, and memory that no assertion prints; tables of gather
 * that are searched for what the evaluator computes completely; targets between the elements of operands; loops across rows of a few elements,
 * short rows that are sorted for the elements at some places, and the order of rows of a decomposition that is broadcast; kernels with a
 * record at any address; gradients of patches that are selected where a window may be missing; numbers and rows without a call for each
 * element, factors of shapes that overflow, and advice for searches; networks that sort short rows, distances of keys, lanes of narrow dtypes,
 * and quotients of complex numbers near the largest number; gradients at ties, where parts overflow and at branch cuts.
 */
const [kRulesAndAdvice, kFirstGuesses, kGroups, kOptions] = [3, 0.4, 3, 0.7];
const [kWindowRule, kWindowKernel, kReductionsAndOneResult, kMoreNames, kHighOrders] = [1.3, 1.4, 0.3, 0.7, 0.2];
const [kInterpolationRules, kInterpolationKernels] = [0.1, 1.4];
const [kNodeNumbers, kSharesAndRows, kBothAxes, kLaterParts, kWindowMaximum] = [0.8, 0.3, 0.4, 0.1, 0.5];
const [kDeferredOperands, kPlansOfDeferred, kPaddedEdges, kPoolWorkers] = [0.6, 0.6, 0.9, 0.16];
const [kMoreDeferred, kHiddenOwners, kStagedPlans, kSharedByColumns] = [0.4, 0.15, 0.7, 0.25];
const [kComposedDeferred, kSearchedTables, kInterleaved] = [0.45, 0.1, 0.2];
const [kRowsAcross, kBroadcastOrder] = [0.45, 0.05];
const [kAnyAddress, kSelectedWindows, kNumbersAndRows] = [0.3, 0.3, 0.4];
const kSpecialGradients = 0.35;
const [kSortingNetworks, kKeyDistances, kNarrowLanes, kLargeQuotients] = [1.6, 0.4, 0.75, 0.2];
/** The kernels. */
const kMostOfKernels =
  90 +
  kGroups +
  kWindowKernel +
  kReductionsAndOneResult +
  kInterpolationKernels +
  kSharesAndRows +
  kBothAxes +
  kWindowMaximum +
  kPlansOfDeferred +
  kPaddedEdges +
  kStagedPlans +
  kSharedByColumns +
  kSearchedTables +
  kInterleaved +
  kRowsAcross +
  kAnyAddress +
  kSortingNetworks +
  kKeyDistances +
  kNarrowLanes;

/**
 * Programs over the package. `most` and `mostLater` are their budgets in kB, gzipped: of what loads at once, and of the kernels, which load
 * later. With `beside`, what counts is all that the program has more than that other one; without kernels of its own, whenever it loads.
 */
export const BUNDLES = [
  {
    name: "`import { Tensor }` of onebuffer",
    code: 'export { Tensor } from "onebuffer";',
    most: 120,
    mostLater: kMostOfKernels,
  },
  {
    name: "all of onebuffer",
    code: 'export * from "onebuffer";',
    most:
      150 +
      kRulesAndAdvice +
      kFirstGuesses +
      kOptions +
      kWindowRule +
      kMoreNames +
      kHighOrders +
      kInterpolationRules +
      kNodeNumbers +
      kLaterParts +
      kDeferredOperands +
      kPoolWorkers +
      kMoreDeferred +
      kHiddenOwners +
      kComposedDeferred +
      kInterleaved +
      kSelectedWindows +
      kNumbersAndRows +
      kSpecialGradients,
    mostLater: kMostOfKernels,
  },
  {
    name: "`import { TensorShape }` of onebuffer/shape",
    code: 'export { TensorShape } from "onebuffer/shape";',
    most: 6,
    mostLater: 0,
  },
  {
    name: "onebuffer/webgpu, beside all of onebuffer",
    code: 'export * from "onebuffer"; export * from "onebuffer/webgpu";',
    beside: 'export * from "onebuffer";',
    most: 40,
    mostLater: 0,
  },
  // Wanted are 30 kB for all of linear algebra and 12 for all of signals, beside the kernels.
  ...[
    ["linalg", "*", 29.2 + kBroadcastOrder + kLargeQuotients, 13.2],
    ["linalg", "{ solve }", 4.35 + kLargeQuotients / 2, 14.4],
    ["signal", "*", 10, 9.9],
    ["signal", "{ fft }", 2.7, 10.2],
  ].map(([path, names, most, mostLater]) => ({
    name: names === "*" ? `onebuffer/${path}, beside all of onebuffer` : `\`${names}\` of onebuffer/${path}, beside all of onebuffer`,
    code: `export * from "onebuffer"; export ${names} from "onebuffer/${path}";`,
    beside: 'export * from "onebuffer";',
    most,
    mostLater,
  })),
];

/** The files of a bundle that its entry imports, and those that they import. */
function staticFiles(outputs) {
  const found = new Set(Object.keys(outputs).filter((path) => outputs[path].entryPoint === "<stdin>"));
  for (const path of found)
    for (const { kind, path: next } of outputs[path]?.imports ?? []) if (kind === "import-statement") found.add(next);
  return found;
}

/** Returns the bytes of a program, by a `build` of esbuild: those that load at once, minified and gzipped, and the others, gzipped. */
export async function bundleSizes(build, { code, beside, mostLater }, resolveDir) {
  const { atOnce, later } = await bundled(build, code, resolveDir);
  if (beside === undefined) return { ...atOnce, later: later.gz };
  const other = await bundled(build, beside, resolveDir);
  const more = (what) => ({ atOnce: atOnce[what] - other.atOnce[what], later: later[what] - other.later[what] });
  const [minified, gz] = [more("minified"), more("gz")];
  if (mostLater > 0) return { minified: minified.atOnce, gz: gz.atOnce, later: gz.later };
  return { minified: minified.atOnce + minified.later, gz: gz.atOnce + gz.later, later: 0 };
}

/** Returns the bytes of a bundle that load at once, and those of the others. */
async function bundled(build, code, resolveDir) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    external: ["node:*"],
    outdir: "out",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const atOnce = new Set([...staticFiles(metafile.outputs)].map((path) => basename(path)));
  const sum = (isAtOnce, measure) =>
    outputFiles
      .filter(({ path }) => path.endsWith(".js") && atOnce.has(basename(path)) === isAtOnce)
      .reduce((all, { contents }) => all + measure(contents), 0);
  const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;
  const sizes = (isAtOnce) => ({ minified: sum(isAtOnce, (bytes) => bytes.length), gz: sum(isAtOnce, gzipped) });
  return { atOnce: sizes(true), later: sizes(false) };
}

/** Returns bytes in kB. */
export const kB = (bytes) => (bytes / 1000).toFixed(1);

/** Returns a sentence for each budget of a program that its bundle exceeds. */
export function overBudget({ name, most, mostLater }, { gz, later }) {
  const over = [];
  if (gz > most * 1000) over.push(`${name}: ${kB(gz)} kB, more than ${most}`);
  if (later > mostLater * 1000) over.push(`${name}: ${kB(later)} kB later, more than ${mostLater}`);
  return over;
}

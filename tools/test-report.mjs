// Jest's reporter for `npm test`: a line per package with the promise that its tests check, failures in full, and one line for tests
// that were skipped because their files are not on this machine. Jest's "summary" reporter prints the totals after it.
import { relative } from "node:path";

/** The promises, in the order in which they are printed. */
const kPromises = {
  base: "dtypes, codecs and status codes are TensorFlow's",
  shape: "a shape is TensorFlow's sixteen bytes",
  wasm: "one linear memory; math within its stated bounds",
  allocator: "bytes come back once, on time, and from any thread",
  storage: "elements lie where strides say, and print as NumPy's",
  expression: "the record of each operation; types and sizes of results",
  evaluator: "every operation on every dtype, one element at a time",
  kernels: "loops over arrays by vectors, blocks and threads",
  compiler: "kernels give what the evaluator gives",
  eigen: "maps check every index; kernels agree with the plain evaluator",
  slice: "slices, their texts and keys are TensorFlow's",
  xla: "shapes, layouts and their texts are XLA's",
  core: "views share bytes, copies are counted, nothing leaks",
  proto: "messages are TensorFlow's bytes and JSON",
  io: "files are read as NumPy reads them, malformed ones are refused",
  adapters: "arrays of other libraries share their memory",
  gradients: "gradients agree with differences",
  linalg: "factors within LAPACK's test ratios",
  signal: "transforms within their error bounds",
  stablehlo: "expressions as StableHLO text",
  webgpu: "expressions as shaders; buffers come back, errors have names",
  onebuffer: "the face and the command line; wrong calls end in StatusErrors",
  examples: "every example in a doc comment or page gives the result it states",
  conformance: "TensorFlow's recorded behavior",
  house: "the repository's own rules",
};

/** The start of a console message that says why tests were skipped. */
const kSkipped = "skipped: ";

/** Returns the line that a test file counts for: its package, "examples", "conformance" or "house". */
export function themeOf(path) {
  const parts = path.split(/[\\/]/);
  if (parts.includes("doc-examples")) return "examples";
  return parts[0] === "packages" ? parts[1] : parts[0];
}

/** The counts of one line. */
function emptyLine() {
  return { files: 0, passed: 0, failed: 0, skipped: 0, milliseconds: 0 };
}

/** Returns the lines of the report, the promises in their order and then other themes. */
export function reportLines(themes) {
  const known = Object.keys(kPromises).filter((theme) => themes.has(theme));
  const names = [...known, ...[...themes.keys()].filter((theme) => !known.includes(theme)).sort()];
  return names.map((name) => {
    const { files, passed, failed, skipped, milliseconds } = themes.get(name);
    const verdict = failed > 0 ? "FAILED" : passed > 0 ? "kept" : "not run";
    const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ""}${skipped > 0 ? `, ${skipped} skipped` : ""}`;
    const size = `${counts} in ${files} file${files === 1 ? "" : "s"}, ${(milliseconds / 1000).toFixed(1)} s`;
    return `${verdict.padEnd(8)}${name.padEnd(13)}${size.padEnd(46)}  ${kPromises[name] ?? ""}`.trimEnd();
  });
}

export default class TestReport {
  #root;
  #verbose;
  #print;
  #themes = new Map();
  #reasons = new Set();
  #done = 0;

  constructor(globalConfig, _options, _context, print = (text) => process.stderr.write(text)) {
    this.#root = globalConfig.rootDir;
    this.#verbose = globalConfig.verbose === true;
    this.#print = print;
  }

  onTestResult(_test, result, totals) {
    const path = relative(this.#root, result.testFilePath);
    const theme = themeOf(path);
    const line = this.#themes.get(theme) ?? emptyLine();
    this.#themes.set(theme, line);
    const failedToRun = result.testExecError !== undefined && result.testExecError !== null;
    line.files++;
    line.passed += result.numPassingTests;
    line.failed += failedToRun ? Math.max(1, result.numFailingTests) : result.numFailingTests;
    line.skipped += result.numPendingTests + result.numTodoTests;
    line.milliseconds += result.perfStats.runtime;
    this.#done++;
    this.#clearProgress();
    for (const { message, origin } of result.console ?? []) {
      if (message.startsWith(kSkipped)) this.#reasons.add(message.slice(kSkipped.length));
      else this.#print(`${path} printed: ${message}\n${origin}\n`);
    }
    if (this.#verbose) for (const { status, fullName } of result.testResults) this.#print(`  ${status.padEnd(8)}${fullName}\n`);
    if (result.failureMessage) this.#print(`FAIL ${path}\n${result.failureMessage}\n`);
    this.#showProgress(totals);
  }

  onRunComplete() {
    this.#clearProgress();
    this.#print(`\n${reportLines(this.#themes).join("\n")}\n`);
    if (this.#reasons.size > 0) this.#print(`${kSkipped}${[...this.#reasons].join("; ")}\n`);
  }

  /** On a terminal, shows how many files are done, in a line that the next output replaces. */
  #showProgress({ numTotalTestSuites }) {
    if (process.stderr.isTTY) this.#print(`${this.#done} of ${numTotalTestSuites} test files`);
  }

  #clearProgress() {
    if (process.stderr.isTTY) this.#print("\r\x1b[K");
  }
}

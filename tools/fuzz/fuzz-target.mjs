// Fuzzes one decoder or parser. Inputs are changed at random; those that execute a block for the first time are made smaller, and changed in
// turn. To ask for the coverage takes as long as a hundred inputs, so it is asked for once for a batch, and the halves of a batch with a new
// block are run again. A quarter of the time goes into this, a minute at most; then the inputs that were found are changed without coverage,
// as fast as possible.
import { mutated, Random } from "../../packages/io/dist/test/fuzz/mutate.js";
import { failureText, outcomeOf } from "../../packages/io/dist/test/fuzz/outcome.js";

const kBatch = 256;
const kMostFailures = 3;
/** How often an input that is kept is tried with a piece less. */
const kMostTries = 10;
/** The share of the time that is guided by coverage, and the most of it in seconds: most inputs of a long run are to be fast ones. */
const kGuidedShare = 0.25;
const kMostGuidedSeconds = 60;

/** Removes pieces of an input as long as it executes a block that is new. */
async function minimized(target, input, coverage, random) {
  let best = input;
  for (let n = 0; n < kMostTries && best.length > 1; n++) {
    const length = 1 + random.below(Math.max(1, best.length >> 1));
    const at = random.below(best.length - length + 1);
    const shorter = new Uint8Array([...best.subarray(0, at), ...best.subarray(at + length)]);
    await outcomeOf(target, shorter);
    if (coverage.takeNew(false).length > 0) best = shorter;
  }
  return best;
}

/** A run over one target. */
class FuzzRun {
  failures = [];
  /** The inputs with blocks of their own. */
  kept = [];
  #target;
  #seed;
  #random;
  #words;
  #seeds = [];

  constructor(target, seed) {
    this.#target = target;
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#words = (target.words ?? []).map((word) => (typeof word === "string" ? new TextEncoder().encode(word) : word));
  }

  /** Gives inputs to the target, and notes what is wrong. */
  async give(inputs) {
    for (const input of inputs) {
      const { faults } = await outcomeOf(this.#target, input.slice());
      this.failures.push(...faults.map((fault) => failureText(fault, this.#seed, input)));
    }
  }

  /** Begins with the target's own seeds, and the inputs of a corpus that have blocks of their own. */
  async begin(corpus, coverage) {
    this.#seeds = await this.#target.seeds();
    await this.give(this.#seeds);
    coverage.takeNew();
    for (const input of corpus) {
      await this.give([input]);
      if (coverage.takeNew().length > 0) this.kept.push(input);
    }
  }

  /** Changed inputs. */
  batch(count) {
    const pool = [...this.#seeds, ...this.kept];
    return Array.from({ length: count }, () => mutated(this.#random.of(pool), this.#random, pool, this.#words));
  }

  /** Gives inputs to the target, and keeps those that execute a new block. */
  async keepNew(inputs, coverage) {
    await this.give(inputs);
    if (coverage.takeNew(false).length === 0) return;
    if (inputs.length > 1) {
      const half = inputs.length >> 1;
      await this.keepNew(inputs.slice(0, half), coverage);
      await this.keepNew(inputs.slice(half), coverage);
      return;
    }
    const small = await minimized(this.#target, inputs[0], coverage, this.#random);
    await this.give([small]);
    coverage.takeNew();
    this.kept.push(small);
  }
}

/**
 * Fuzzes a target with at most `inputs` inputs within `seconds`, beginning with its own seeds and `corpus`. Returns the number of inputs and of
 * blocks, the failures, and the corpus: the inputs with blocks of their own. Ends the coverage.
 */
export async function fuzzTarget(target, { inputs, seconds, seed, corpus, coverage }) {
  const run = new FuzzRun(target, seed);
  await run.begin(corpus, coverage);
  const begun = performance.now();
  const goesOn = (until) => count < inputs && performance.now() < begun + 1000 * until && run.failures.length < kMostFailures;
  let count = 0;
  for (; goesOn(Math.min(kGuidedShare * seconds, kMostGuidedSeconds)); count += kBatch) await run.keepNew(run.batch(kBatch), coverage);
  const blocks = coverage.size;
  coverage.end();
  for (; goesOn(seconds); count += kBatch) await run.give(run.batch(kBatch));
  return { count, blocks, failures: run.failures, kept: run.kept };
}

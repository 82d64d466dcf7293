/**
 * The compiled programs of a runner, one for each structure of expressions (XLA's compilation cache). The least recently used are dropped.
 */
import type { DType } from "@onebuffer/base";
import { DataLossError, InternalError } from "@onebuffer/base";
import type { ExpressionTree, OperandLike } from "@onebuffer/eigen";
import { kRequest, words } from "./device/frame.ts";
import type { RunnerProcess } from "./device/runner-process.ts";
import type { Sharding } from "./text/sharding.ts";
import { toStableHLO } from "./to-stable-hlo.ts";

/** A compiled program. */
export interface XlaProgram {
  readonly number: number;
  /** The sharding of each result; null if it is none of the mesh. */
  readonly shardings: readonly (Sharding | null)[];
}

/** What is compiled: expressions with the sharding of each leaf, in toStableHLO's order, and of each result, null where XLA may choose. */
export interface XlaSource {
  readonly trees: readonly ExpressionTree[];
  readonly leaves: readonly ExpressionTree[];
  readonly leafShardings: readonly Sharding[];
  readonly resultShardings: readonly (Sharding | null)[];
}

/** A program that is kept; `program` is null until it is compiled. */
interface Kept {
  program: XlaProgram | null;
  readonly compiling: Promise<XlaProgram>;
}

/** The programs of one runner. */
export class XlaPrograms {
  readonly #runner: RunnerProcess;
  readonly #kept: Map<string, Kept> = new Map();
  readonly #most: number;
  #lastNumber = 0;

  /** `most` is the number of programs that are kept. */
  constructor(runner: RunnerProcess, most: number) {
    this.#runner = runner;
    this.#most = most;
  }

  /** The number of programs that the runner has. */
  get size(): number {
    return this.#kept.size;
  }

  /** Returns the program of a key if it is compiled, else null. */
  find(key: string): XlaProgram | null {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.program === null) return null;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.program;
  }

  /** Returns the program of a key, compiled from `source` if it is new. Rejects with what toStableHLO throws and the compiler answers. */
  compile(key: string, source: XlaSource): Promise<XlaProgram> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.compiling;
    const compiling = this.#compile(source);
    const entry: Kept = { program: null, compiling };
    this.#kept.set(key, entry);
    compiling.then(
      (program) => {
        entry.program = program;
        this.#dropOldest();
      },
      () => this.#kept.delete(key),
    );
    return compiling;
  }

  async #compile({ trees, leaves, leafShardings, resultShardings }: XlaSource): Promise<XlaProgram> {
    const module = toStableHLO(trees as unknown as OperandLike<DType, number>[], { checks: true, locations: false });
    if (module.leaves.some(({ operand }, k) => (operand as unknown) !== leaves[k]))
      throw new InternalError("XlaDevice: leaves in another order");
    const number = ++this.#lastNumber;
    const header = {
      program: number,
      arguments: module.leaves.map(({ dtype, dimensions }, k) => ({ dtype, dims: dimensions, sharding: leafShardings[k] })),
      results: module.results.map(({ dtype, dimensions }, k) => ({ dtype, dims: dimensions, sharding: resultShardings[k] })),
      checks: module.checks,
    };
    const json = Buffer.from(JSON.stringify(header));
    const answer = await this.#runner.request(kRequest.compile, words([json.length]), json, Buffer.from(module.text));
    return { number, shardings: shardingsOf(answer, trees.length) };
  }

  /** Drops compiled programs beyond the limit. Calls that use one have sent their request before. */
  #dropOldest(): void {
    for (const [key, { program }] of this.#kept) {
      if (this.#kept.size <= this.#most) return;
      if (program === null) continue;
      this.#kept.delete(key);
      this.#runner.post(kRequest.drop, words([program.number]));
    }
  }
}

function shardingsOf(answer: Uint8Array, count: number): readonly (Sharding | null)[] {
  const { shardings } = JSON.parse(Buffer.from(answer).toString()) as { readonly shardings: readonly (Sharding | null)[] };
  if (!Array.isArray(shardings) || shardings.length < count) throw new DataLossError("XlaDevice: the runner's answer lacks shardings");
  return shardings.slice(0, count);
}

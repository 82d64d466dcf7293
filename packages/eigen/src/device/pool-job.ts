/**
 * pool-job: the calls of a job, part by part, as they are recorded.
 *
 *     part 0    pack(…) pack(…) store(…) pack(…) add(…)
 *     part 1    …
 */
import { InternalError } from "@onebuffer/base";
import type { PoolModule } from "@onebuffer/kernels/internal";
import type { PoolModules } from "./pool-modules.ts";
import { kMaxParts } from "./pool-words.ts";

/** A function of a module: its numbers for workers, and itself for this thread. */
interface PoolFunction {
  readonly module: number;
  readonly index: number;
  readonly run: (...args: number[]) => number;
}

/** The recorded calls of one job. */
export class PoolJob {
  /** The words of all calls, and for each part the number of its first one. */
  #words: Int32Array<ArrayBuffer> = new Int32Array(4096);
  #length = 0;
  readonly #begins: number[] = [];
  /** For each call its function, and for each part the number of its first call. */
  readonly #calls: PoolFunction[] = [];
  readonly #firstCalls: number[] = [];
  readonly #functions: Map<PoolModule, Map<string, PoolFunction>> = new Map();

  /** Forgets everything. */
  clear(): void {
    this.#length = this.#begins.length = this.#calls.length = this.#firstCalls.length = 0;
    this.#functions.clear();
  }

  /** The number of parts. */
  get parts(): number {
    return this.#begins.length;
  }

  /** The words of all calls. */
  get words(): Int32Array<ArrayBuffer> {
    return this.#words.subarray(0, this.#length);
  }

  /** Begins the next part and returns its number. */
  begin(): number {
    if (this.#begins.length === kMaxParts) throw new InternalError(`a job has more than ${kMaxParts} parts`);
    this.#firstCalls.push(this.#calls.length);
    return this.#begins.push(this.#length) - 1;
  }

  /** Adds a call to the last part. */
  add(modules: PoolModules, module: PoolModule, name: string, args: readonly number[]): void {
    const target = this.#functionOf(modules, module, name);
    const length = this.#length + 3 + args.length;
    if (length > this.#words.length) {
      const longer = new Int32Array(2 * length);
      longer.set(this.#words);
      this.#words = longer;
    }
    this.#words[this.#length] = target.module;
    this.#words[this.#length + 1] = target.index;
    this.#words[this.#length + 2] = args.length;
    for (let k = 0; k < args.length; k++) this.#words[this.#length + 3 + k] = args[k] as number;
    this.#length = length;
    this.#calls.push(target);
  }

  /** Returns where the words of a part begin and end. */
  range(part: number): readonly [begin: number, end: number] {
    return [this.#begins[part] as number, this.#begins[part + 1] ?? this.#length];
  }

  /** Makes the calls of a part on this thread. Returns true if one returned a nonzero number. */
  run(part: number): boolean {
    const words = this.#words;
    const end = this.#firstCalls[part + 1] ?? this.#calls.length;
    let at = this.#begins[part] as number;
    let result = 0;
    for (let c = this.#firstCalls[part] as number; c < end; c++) {
      const next = at + 3 + (words[at + 2] as number);
      result |= this.#calls[c]!.run(...words.subarray(at + 3, next));
      at = next;
    }
    return result !== 0;
  }

  #functionOf(modules: PoolModules, module: PoolModule, name: string): PoolFunction {
    let known = this.#functions.get(module);
    if (known === undefined) this.#functions.set(module, (known = new Map()));
    let target = known.get(name);
    if (target === undefined) {
      const { functions } = module;
      target = { module: modules.numberOf(module), index: Object.keys(functions).indexOf(name), run: functions[name]! };
      known.set(name, target);
    }
    return target;
  }
}

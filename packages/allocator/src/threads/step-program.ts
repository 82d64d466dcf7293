/**
 * StepProgram: a step of the protocol between threads, represented as data: a program without loops that accesses shared words
 * (TensorFlow: the body of a function that holds a mutex).
 *
 *     old = load words[block + 0]  "release.1.held"          in the product: one WebAssembly function (step-assembler.ts)
 *     return 0 if (old & bit) == 0                           in the explorer of the tests: runStep, access by access
 *     ...
 *
 * Steps are data because a terminated thread must leave each step either complete or not begun. In JavaScript, engines may terminate a
 * thread at every call of `Atomics` (measured: half of all terminations fell between two consecutive stores). In a WebAssembly
 * function without loops and calls they never do. The tests and the product run the same programs.
 *
 * All values are 32-bit integers. A program has no loops, no calls, and no jumps except `when` and `return`.
 */
import type { AtomicsLike, Words } from "./atomics-like.ts";

/** A constant, or a local variable. */
export type Value = number | Local;

/** A local variable, given by its index. The parameters come first. */
export interface Local {
  readonly local: number;
}

/** An operation on two values; comparisons give 1 or 0. */
export type Operator = "and" | "or" | "xor" | "shl" | "shr" | "add" | "sub" | "mul" | "eq" | "ne" | "ge";

/** One access to the word at `index + offset`. `at` names the access, for the explorer of the tests. */
export interface Access {
  readonly kind: "load" | "store" | "add" | "sub" | "exchange" | "compareExchange";
  /** The variable that receives the word's previous value; null for a store. */
  readonly into: Local | null;
  readonly index: Value;
  readonly offset: number;
  /** The operand: the value to store, add, subtract or exchange; 0 for a load. */
  readonly value: Value;
  /** The expected value of a compareExchange; otherwise 0. */
  readonly expected: Value;
  readonly at: string;
}

/** One instruction of a program. */
export type Instruction =
  | Access
  | { readonly kind: "compute"; readonly operator: Operator; readonly into: Local; readonly left: Value; readonly right: Value }
  | { readonly kind: "set"; readonly into: Local; readonly value: Value }
  | { readonly kind: "when"; readonly condition: Value; readonly body: readonly Instruction[] }
  | { readonly kind: "return"; readonly value: Value };

/** A step as a program. */
export interface StepProgram {
  readonly params: number;
  readonly locals: number;
  readonly code: readonly Instruction[];
}

/** Builds a program: each method call appends an instruction. */
export class StepWriter {
  #code: Instruction[] = [];
  #locals: number;

  constructor(params: number) {
    this.#locals = params;
  }

  load(index: Value, offset: number, at: string): Local {
    return this.#access("load", index, offset, 0, 0, at);
  }

  store(index: Value, offset: number, value: Value, at: string): void {
    this.#code.push({ kind: "store", into: null, index, offset, value, expected: 0, at });
  }

  add(index: Value, offset: number, value: Value, at: string): Local {
    return this.#access("add", index, offset, value, 0, at);
  }

  sub(index: Value, offset: number, value: Value, at: string): Local {
    return this.#access("sub", index, offset, value, 0, at);
  }

  exchange(index: Value, offset: number, value: Value, at: string): Local {
    return this.#access("exchange", index, offset, value, 0, at);
  }

  compareExchange(index: Value, offset: number, expected: Value, value: Value, at: string): Local {
    return this.#access("compareExchange", index, offset, value, expected, at);
  }

  /** Computes a value into a new variable, which it returns. */
  compute(left: Value, operator: Operator, right: Value): Local {
    const into = this.#fresh();
    this.#code.push({ kind: "compute", operator, into, left, right });
    return into;
  }

  /** Assigns a value to a variable. */
  set(into: Local, value: Value): void {
    this.#code.push({ kind: "set", into, value });
  }

  /** Appends a conditional block: the instructions that `write` appends run only if `condition` is not 0. */
  when(condition: Value, write: () => void): void {
    const outer = this.#code;
    const body: Instruction[] = [];
    this.#code = body;
    write();
    this.#code = outer;
    outer.push({ kind: "when", condition, body });
  }

  /** Ends the step and returns a value from it. */
  return(value: Value): void {
    this.#code.push({ kind: "return", value });
  }

  /** Returns the program built so far. */
  program(params: number): StepProgram {
    return { params, locals: this.#locals, code: this.#code };
  }

  #access(kind: Access["kind"], index: Value, offset: number, value: Value, expected: Value, at: string): Local {
    const into = this.#fresh();
    this.#code.push({ kind, into, index, offset, value, expected, at });
    return into;
  }

  #fresh(): Local {
    return { local: this.#locals++ };
  }
}

/** Builds a step with `params` parameters. `write` receives the builder and the parameters, and must end with `return`. */
export function stepProgram(params: number, write: (step: StepWriter, ...parameters: Local[]) => void): StepProgram {
  const writer = new StepWriter(params);
  write(writer, ...Array.from({ length: params }, (_, local) => ({ local })));
  return writer.program(params);
}

/** Interprets a step, access by access: in tests, and if there is no WebAssembly or no shared memory. */
export function runStep(program: StepProgram, args: readonly number[], words: Words, atomics: AtomicsLike): number {
  const locals = new Int32Array(program.locals);
  locals.set(args);
  return runCode(program.code, locals, words, atomics) ?? 0;
}

/** Interprets instructions. Returns the value of a `return`, or null if none was reached. */
function runCode(code: readonly Instruction[], locals: Int32Array, words: Words, atomics: AtomicsLike): number | null {
  const read = (value: Value): number => (typeof value === "number" ? value | 0 : locals[value.local]!);
  for (const line of code) {
    switch (line.kind) {
      case "compute":
        locals[line.into.local] = compute(line.operator, read(line.left), read(line.right));
        break;
      case "set":
        locals[line.into.local] = read(line.value);
        break;
      case "return":
        return read(line.value);
      case "when": {
        const result = read(line.condition) === 0 ? null : runCode(line.body, locals, words, atomics);
        if (result !== null) return result;
        break;
      }
      default: {
        const before = access(line, read(line.index) + line.offset, read(line.value), read(line.expected), words, atomics);
        if (line.into !== null) locals[line.into.local] = before;
      }
    }
  }
  return null;
}

function access({ kind, at }: Access, index: number, value: number, expected: number, words: Words, on: AtomicsLike): number {
  switch (kind) {
    case "load":
      return on.load(words, index, at);
    case "compareExchange":
      return on.compareExchange(words, index, expected, value, at);
    default:
      return on[kind](words, index, value, at);
  }
}

function compute(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case "and":
      return left & right;
    case "or":
      return left | right;
    case "xor":
      return left ^ right;
    case "shl":
      return left << right;
    case "shr":
      return left >>> right;
    case "add":
      return left + right;
    case "sub":
      return left - right;
    case "mul":
      return Math.imul(left, right);
    case "eq":
      return left === right ? 1 : 0;
    case "ne":
      return left !== right ? 1 : 0;
    case "ge":
      return left >= right ? 1 : 0;
  }
}

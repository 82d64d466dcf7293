// An explorer of interleavings: runs programs of two to four threads in every order of their accesses to shared words.
//
// A program is deterministic: what it does next follows from the results its accesses had so far. So a thread is a tree, a node
// for each list of results, an edge for each result of the node's one next access. A node is made by running the program from its
// start over its list; the access that comes after the list is what the thread does next. The explorer then walks the product
// of the trees and the memory, depth-first, and visits no state twice.
//
// A mutant changes what one access, known by its name, does: "skip" leaves it out (a load answers 0, a write answers what it
// would have and writes nothing), "split" makes a read-modify-write a load and a store with others in between, "agree" makes a
// load answer whatever lets its step go on, as if its check were not there.
import type { AtomicsLike, Words } from "../../src/threads/atomics-like.ts";

type Kind = "load" | "store" | "add" | "sub" | "exchange" | "compareExchange" | "await" | "end" | "phase";

/** One access to shared memory, or a wait: for a word not to be 0, for a thread to end, for all threads to come to rest. */
interface Access {
  readonly kind: Kind;
  readonly index: number;
  readonly value: number;
  readonly expected: number;
  readonly at: string;
}

/** Leaves an access out or takes it apart. */
export interface Mutant {
  readonly at: string;
  readonly how: "skip" | "split" | "agree";
}

/** The side of a running program that the explorer shows. */
export interface Machine {
  /** The shared words, for the product's functions. */
  readonly atomics: AtomicsLike;
  /** Waits for a word to be other than 0, or for `orEnd` to be killed or finished, and answers the word. */
  awaitWord(index: number, orEnd: number): number;
  /** Waits for a thread to be killed or finished. */
  awaitEnd(thread: number): void;
  /**
   * Waits for phase `phase`, which a thread is in until it waits for another one. Phases with lower numbers come first; threads
   * run interleaved exactly when they are in the same phase. Threads can be killed in phase `kInterleaved` only.
   */
  awaitPhase(phase: number): void;
}

/** A thread's program: a function of the results of its accesses and nothing else. What it answers is its report. */
export type Program<Report> = (machine: Machine) => Report;

/** What is explored. */
export interface Exploration<Report> {
  readonly name: string;
  readonly programs: readonly Program<Report>[];
  /** Threads that may be killed before any step. */
  readonly mortal?: readonly number[];
  /** Throws when a final state is wrong. `reports` has null for a killed thread. */
  check(memory: ReadonlyMap<number, number>, reports: readonly (Report | null)[]): void;
}

/** How an exploration went. */
export interface Outcome {
  readonly states: number;
  readonly ends: number;
  /** What went wrong and the accesses that led there, or null. */
  readonly failure: string | null;
}

/** The phase in which threads may be killed. */
export const kInterleaved = 10;

const kLongestLog = 600;
const kSuspended = Symbol("the program waits for its next access");

/** A thread after some results: what it does next, or how it ended. */
class Node<Report> {
  readonly log: readonly number[];
  /** What comes next; null at the end. */
  readonly next: Access | null;
  /** Whether the next access is the first of a step, or there is none: a thread can be killed here. */
  readonly isBoundary: boolean;
  readonly report: Report | null;
  readonly error: unknown;
  readonly children = new Map<number, Node<Report>>();
  readonly id: number;
  /** The phase it is in. */
  readonly phase: number;

  constructor(id: number, log: readonly number[], next: Access | null, phase: number, report: Report | null, error: unknown) {
    this.id = id;
    this.log = log;
    this.next = next;
    this.phase = phase;
    this.isBoundary = next === null || next.at.split(".")[1] === "1";
    this.report = report;
    this.error = error;
  }
}

/** Runs a program over a list of results. */
function nodeOf<Report>(program: Program<Report>, log: readonly number[], id: number): Node<Report> {
  let place = 0;
  let phase = 0;
  let next: Access | null = null;
  const step = (kind: Kind, index: number, value: number, expected: number, at: string): number => {
    if (place < log.length) return log[place++]!;
    if (log.length > kLongestLog) throw new Error(`a program goes on for more than ${kLongestLog} accesses`);
    next = { kind, index, value: value | 0, expected: expected | 0, at };
    throw kSuspended;
  };
  const atomics: AtomicsLike = {
    load: (_words: Words, index, at) => step("load", index, 0, 0, at),
    store: (_words: Words, index, value, at) => step("store", index, value, 0, at),
    add: (_words: Words, index, value, at) => step("add", index, value, 0, at),
    sub: (_words: Words, index, value, at) => step("sub", index, value, 0, at),
    exchange: (_words: Words, index, value, at) => step("exchange", index, value, 0, at),
    compareExchange: (_words: Words, index, expected, value, at) => step("compareExchange", index, value, expected, at),
  };
  const machine: Machine = {
    atomics,
    awaitWord: (index, orEnd) => step("await", index, 0, orEnd, "test.1.await"),
    awaitEnd: (thread) => void step("end", 0, thread, 0, "test.1.end"),
    awaitPhase: (number) => {
      step("phase", 0, number, 0, "test.1.phase");
      phase = number;
    },
  };
  try {
    const report = program(machine);
    return new Node(id, log, null, phase, report, undefined);
  } catch (error) {
    if (error === kSuspended) return new Node<Report>(id, log, next, phase, null, undefined);
    return new Node<Report>(id, log, null, phase, null, error ?? new Error("nothing was thrown"));
  }
}

/** What an access leaves in its word. */
function written(access: Access, before: number): number {
  switch (access.kind) {
    case "store":
    case "exchange":
      return access.value;
    case "add":
      return (before + access.value) | 0;
    case "sub":
      return (before - access.value) | 0;
    case "compareExchange":
      return before === access.expected ? access.value : before;
    default:
      return before;
  }
}

/** A content of the memory, the same object for the same content. */
interface Memory {
  readonly id: number;
  readonly values: readonly number[];
}

/** Life of a thread. */
const kRunning = 0;
const kDead = 1;

/** Explores programs, as they are or under mutants. The trees of the threads are kept from one exploration to the next. */
export class Explorer<Report> {
  readonly #what: Exploration<Report>;
  readonly #roots: readonly Node<Report>[];
  readonly #mortal: ReadonlySet<number>;
  /** word -> place in a memory's values. */
  readonly #places = new Map<number, number>();
  readonly #memories = new Map<string, Memory>();
  #nodes = 0;
  #mutant: Mutant | null = null;
  #visited = new Set<string>();
  #ends = 0;
  readonly #path: string[] = [];
  #limit = 0;
  #isMortalAnywhere = false;
  #mayStop = false;

  constructor(what: Exploration<Report>) {
    this.#what = what;
    this.#roots = what.programs.map((program) => nodeOf(program, [], this.#nodes++));
    this.#mortal = new Set(what.mortal ?? []);
  }

  /**
   * Every interleaving, until one fails. More than `limit` states count as a failure; with `mayStop` they are as far as it goes. With `isMortalAnywhere` mortal
   * threads may be killed between any two accesses, and not only between steps.
   */
  explore(mutant: Mutant | null = null, limit = 2_000_000, isMortalAnywhere = false, mayStop = false): Outcome {
    this.#isMortalAnywhere = isMortalAnywhere;
    this.#mayStop = mayStop;
    this.#mutant = mutant;
    this.#visited = new Set();
    this.#ends = 0;
    this.#path.length = 0;
    this.#limit = limit;
    const threads = this.#roots.length;
    const failure = this.#visit(
      this.#memory([]),
      [...this.#roots],
      new Array<number>(threads).fill(kRunning),
      new Array<number | null>(threads).fill(null),
    );
    return { states: this.#visited.size, ends: this.#ends, failure };
  }

  /** `seen` has what the first half of a split access read. */
  #visit(memory: Memory, nodes: Node<Report>[], lives: number[], seen: (number | null)[]): string | null {
    let key = `${memory.id}`;
    for (let t = 0; t < nodes.length; t++)
      key += `,${nodes[t]!.id}${lives[t] === kDead ? "x" : ""}${seen[t] === null ? "" : `:${seen[t]}`}`;
    if (this.#visited.has(key)) return null;
    this.#visited.add(key);
    if (this.#visited.size > this.#limit) return this.#mayStop ? null : this.#failed(`more than ${this.#limit} states`);
    let isStuck = true;
    let isOver = true;
    for (let t = 0; t < nodes.length; t++) {
      const node = nodes[t]!;
      if (lives[t] === kDead) continue;
      if (node.error !== undefined) return this.#failed(`thread ${t}: ${String(node.error)}`);
      if (node.next === null) continue;
      isOver = false;
      if (!this.#isEnabled(t, node.next, memory, nodes, lives)) continue;
      isStuck = false;
      const failure = this.#step(t, memory, nodes, lives, seen);
      if (failure !== null) return failure;
    }
    for (const t of this.#mortal) {
      const node = nodes[t]!;
      if (lives[t] === kDead || node.next === null || node.phase !== kInterleaved || seen[t] !== null) continue;
      if (!node.isBoundary && !this.#isMortalAnywhere) continue;
      isStuck = false;
      const after = [...lives];
      after[t] = kDead;
      this.#path.push(`thread ${t} is killed`);
      const failure = this.#visit(memory, nodes, after, seen);
      if (failure !== null) return failure;
      this.#path.pop();
    }
    if (isOver) return this.#end(memory, nodes, lives);
    return isStuck ? this.#failed("all threads wait") : null;
  }

  #isEnabled(t: number, next: Access, memory: Memory, nodes: Node<Report>[], lives: number[]): boolean {
    const hasEnded = (other: number) => lives[other] === kDead || nodes[other]!.next === null;
    if (next.kind === "await") return this.#read(memory, next.index) !== 0 || hasEnded(next.expected);
    if (next.kind === "end") return hasEnded(next.value);
    if (next.kind !== "phase") return true;
    return nodes.every((node, other) => {
      if (other === t || hasEnded(other) || node.phase === next.value) return true;
      return node.next?.kind === "phase" && node.next.value >= next.value;
    });
  }

  #step(t: number, memory: Memory, nodes: Node<Report>[], lives: number[], seen: (number | null)[]): string | null {
    const node = nodes[t]!;
    const next = node.next!;
    const before = this.#read(memory, next.index);
    const mutant = this.#mutant !== null && this.#mutant.at === next.at ? this.#mutant.how : null;
    if (mutant === "split" && seen[t] === null) {
      const half = [...seen];
      half[t] = before;
      return this.#go(t, `${next.at} (first half) reads ${before}`, memory, nodes, lives, half);
    }
    const from = seen[t] ?? before;
    const result =
      mutant === "agree"
        ? this.#agreeable(t, node, next.at, before)
        : mutant === "skip"
          ? skipped(next, before)
          : next.kind === "store"
            ? next.value
            : isWait(next)
              ? before
              : from;
    const left = mutant === "skip" ? before : mutant === "split" ? written(next, from) : written(next, before);
    // A compare-and-swap that is taken apart and fails stores nothing.
    const isVoid = isWait(next) || next.kind === "load" || (next.kind === "compareExchange" && from !== next.expected);
    const after = isVoid || left === before ? memory : this.#write(memory, next.index, left);
    const whole = [...seen];
    whole[t] = null;
    const moved = [...nodes];
    moved[t] = this.#child(t, node, next.kind === "phase" || next.kind === "end" ? 0 : result);
    return this.#go(t, `${next.at} [${next.index}] ${before} -> ${left}`, after, moved, lives, whole);
  }

  #go(t: number, text: string, memory: Memory, nodes: Node<Report>[], lives: number[], seen: (number | null)[]): string | null {
    this.#path.push(`thread ${t} ${text}`);
    const failure = this.#visit(memory, nodes, lives, seen);
    if (failure !== null) return failure;
    this.#path.pop();
    return null;
  }

  #end(memory: Memory, nodes: Node<Report>[], lives: number[]): string | null {
    this.#ends++;
    const words = new Map<number, number>();
    for (const [index, place] of this.#places) words.set(index, memory.values[place] ?? 0);
    try {
      this.#what.check(
        words,
        nodes.map((node, t) => (lives[t] === kDead ? null : node.report)),
      );
      return null;
    } catch (error) {
      return this.#failed(String(error));
    }
  }

  #failed(text: string): string {
    return `${this.#what.name}: ${text}\n  ${this.#path.join("\n  ")}`;
  }

  /** A result of the node's load with which the step goes on to its next access; what is there when none does. */
  #agreeable(t: number, node: Node<Report>, at: string, before: number): number {
    const [step, number] = at.split(".");
    for (const result of [1, 2, 3, 4, 5, 7, 8, 9])
      if (this.#child(t, node, result).next?.at.startsWith(`${step}.${Number(number) + 1}.`) === true) return result;
    return before;
  }

  #child(t: number, node: Node<Report>, result: number): Node<Report> {
    let child = node.children.get(result);
    if (child === undefined) {
      child = nodeOf(this.#what.programs[t]!, [...node.log, result], this.#nodes++);
      node.children.set(result, child);
    }
    return child;
  }

  #read(memory: Memory, index: number): number {
    const place = this.#places.get(index);
    return place === undefined ? 0 : (memory.values[place] ?? 0);
  }

  #write(memory: Memory, index: number, value: number): Memory {
    let place = this.#places.get(index);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(index, place);
    }
    const values = [...memory.values];
    while (values.length <= place) values.push(0);
    values[place] = value;
    while (values.length > 0 && values[values.length - 1] === 0) values.pop();
    return this.#memory(values);
  }

  #memory(values: readonly number[]): Memory {
    const key = values.join();
    let memory = this.#memories.get(key);
    if (memory === undefined) {
      memory = { id: this.#memories.size, values };
      this.#memories.set(key, memory);
    }
    return memory;
  }
}

function isWait(access: Access): boolean {
  return access.kind === "await" || access.kind === "end" || access.kind === "phase";
}

/** What an access that is left out answers: as if it had worked. */
function skipped(access: Access, before: number): number {
  if (access.kind === "load") return 0;
  if (access.kind === "store") return access.value;
  return access.kind === "compareExchange" ? access.expected : before;
}

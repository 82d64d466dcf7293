/**
 * BufferLedger: who holds what, since when, and who got it wrong (no counterpart in TensorFlow, whose LogMemory prints
 * allocations at verbose level 2).
 *
 * Off, it costs one boolean test per buffer. On, it writes down every TensorBuffer and TensorReference with the stack
 * that made it and strikes it out when it is destroyed; it also notes every reference given back twice and every touch
 * of a freed buffer. Its entries hold the objects weakly: the ledger never keeps anything alive. What was dropped without
 * `unref` stays in the list, marked as collected, until the lifetime net has given its bytes back; then it is among the
 * reclaimed, and so are the windows and references that were forgotten with it.
 */
import { checkObject, FailedPreconditionError } from "@onebuffer/base";

/** What the ledger reads of an object it has in its books: the count, 0 once destroyed. */
export interface LedgerSubject {
  readonly refs: number;
}

/** One object that was made while the ledger was on and has not been destroyed. */
export interface LedgerEntry {
  /** Its number, in order of making, from 1. */
  readonly serial: number;
  /** Its class and size, as error messages name it: `Buffer of 24 bytes`. */
  readonly name: string;
  /** References held on it now; 0 when the collector took it first. */
  readonly refs: number;
  /** Whether nothing reachable refers to it any more: it was forgotten, not just held. */
  readonly collected: boolean;
  /** The stack that made it. */
  readonly stack: string;
}

/** A call that came after the object's end. */
export interface LedgerMistake {
  /** `double unref`, or `touch after free` for any other use of a destroyed object. */
  readonly kind: "double unref" | "touch after free";
  /** The call: `unref`, `ref`, `typedArray`, … */
  readonly call: string;
  /** The object, as error messages name it. */
  readonly name: string;
  /** The stack of the wrong call. */
  readonly stack: string;
  /** The stack that made the object, or "" when that was not recorded. */
  readonly madeAt: string;
  /** The stack that destroyed it, or "" when that was not recorded. */
  readonly freedAt: string;
}

/**
 * The ledger's own line about an object. Stacks are kept as text: an Error whose stack nobody has read yet keeps the
 * objects of its frames alive, the watched one among them.
 */
interface Line {
  readonly serial: number;
  readonly name: string;
  readonly subject: WeakRef<LedgerSubject>;
  readonly madeAt: string;
  freedAt: string;
  /** Lines of the windows and references on this object that are still held: they end with it. */
  readonly dependents: Set<Line>;
  /** The line this one is a dependent of. */
  readonly root: Line | null;
}

/** The ledger's class; the one instance is `bufferLedger`. */
export class BufferLedger {
  /** Whether the ledger is writing. Buffers test this and nothing else. */
  readonly enabled: boolean = false;

  #lines = new WeakMap<LedgerSubject, Line>();
  readonly #held = new Set<Line>();
  readonly #reclaimed: LedgerEntry[] = [];
  readonly #mistakes: LedgerMistake[] = [];
  #serial = 0;

  /** Starts writing with empty books. What was made before is not watched. */
  enable(): void {
    this.#clear();
    (this as { enabled: boolean }).enabled = true;
  }

  /** Stops writing and empties the books. */
  disable(): void {
    this.#clear();
    (this as { enabled: boolean }).enabled = false;
  }

  /** Everything made since `enable` that is not destroyed yet, oldest first. */
  held(): LedgerEntry[] {
    return Array.from(this.#held, (line) => {
      const subject = line.subject.deref();
      return entryOf(line, subject?.refs ?? 0, subject === undefined);
    });
  }

  /**
   * Everything made since `enable` that was forgotten and whose bytes the lifetime net has given back, in that order: the
   * stacks say what should have been disposed. The bytes of a window come back with its root's.
   */
  reclaimed(): LedgerEntry[] {
    return this.#reclaimed.slice();
  }

  /** The wrong calls noted since `enable`, in order. Each of them has also thrown FAILED_PRECONDITION. */
  mistakes(): LedgerMistake[] {
    return this.#mistakes.slice();
  }

  /** Throws FAILED_PRECONDITION listing every object still held or reclaimed, with the stack that made it. */
  assertEmpty(): void {
    const held = this.held();
    const open = [...this.#reclaimed, ...held];
    if (open.length === 0) return;
    const list = open.map(
      (entry) => `#${entry.serial} ${entry.name}, ${entry.collected ? "forgotten" : `${entry.refs} held`}, made ${entry.stack}`,
    );
    const were = this.#reclaimed.length === 0 ? "" : ` (and ${this.#reclaimed.length} were forgotten and reclaimed)`;
    throw new FailedPreconditionError(`${held.length} buffers or references are still held${were}:\n${list.join("\n")}`);
  }

  /** Writes a new object into the books, for windows and references with the root they keep. For the classes that are watched. */
  noteMade(subject: LedgerSubject, name: string, root: LedgerSubject | null = null): void {
    checkObject(subject, "a buffer or a reference");
    const rootLine = root === null ? null : (this.#lines.get(root) ?? null);
    const line: Line = {
      serial: ++this.#serial,
      name,
      subject: new WeakRef(subject),
      madeAt: stackHere(),
      freedAt: "",
      dependents: new Set(),
      root: rootLine,
    };
    this.#lines.set(subject, line);
    this.#held.add(line);
    rootLine?.dependents.add(line);
  }

  /** The ledger's line on an object, for the lifetime net to keep where the object itself must not be kept; null if there is none. */
  lineOf(subject: LedgerSubject): object | null {
    return this.#lines.get(subject) ?? null;
  }

  /** Moves a line of this ledger, and those that depend on it, from the held ones to the reclaimed. For the lifetime net. */
  noteReclaimed(lineOfSubject: object): void {
    const line = lineOfSubject as Line;
    // Books that were emptied since know nothing of it.
    if (!this.#held.delete(line)) return;
    this.#reclaimed.push(entryOf(line, 0, true));
    for (const dependent of line.dependents) this.noteReclaimed(dependent);
  }

  /** Strikes a destroyed object out. For the classes that are watched. */
  noteFreed(subject: LedgerSubject): void {
    const line = this.#lines.get(subject);
    if (line === undefined) return;
    line.freedAt = stackHere();
    this.#held.delete(line);
    line.root?.dependents.delete(line);
  }

  /** Notes a call on a destroyed object. For the classes that are watched, just before they throw. */
  noteMistake(subject: LedgerSubject, call: string, name: string): void {
    const line = this.#lines.get(subject);
    this.#mistakes.push({
      kind: call === "unref" ? "double unref" : "touch after free",
      call,
      name,
      stack: stackHere(),
      madeAt: line?.madeAt ?? "",
      freedAt: line?.freedAt ?? "",
    });
  }

  #clear(): void {
    this.#lines = new WeakMap();
    this.#held.clear();
    this.#reclaimed.length = 0;
    this.#mistakes.length = 0;
    this.#serial = 0;
  }
}

/** What is told of a line. */
function entryOf(line: Line, refs: number, collected: boolean): LedgerEntry {
  return { serial: line.serial, name: line.name, refs, collected, stack: line.madeAt };
}

/**
 * The process-wide ledger, off until `enable()` is called.
 *
 * @example
 * bufferLedger.enable();
 * const buffer = new Buffer("float32", cpuAllocator(), 6);
 * bufferLedger.held().map((entry) => entry.name); // => ["Buffer of 24 bytes"]
 * buffer.unref();
 * bufferLedger.held(); // => []
 * bufferLedger.disable();
 */
export const bufferLedger: BufferLedger = /* @__PURE__ */ new BufferLedger();

/** V8's switches for stacks; other engines have neither and take no notice. */
interface StackSwitches {
  prepareStackTrace?: unknown;
  stackTraceLimit?: number;
}

/** Up to ten are this package's own, from a factory down to here; the user's are those that matter. */
const kFrames = 24;

/** V8 calls this with the frames; without it a test runner may look up a source map per frame, for every buffer. */
function plainStack(_error: Error, frames: readonly unknown[]): string {
  return `\n${frames.map((frame) => `at ${String(frame)}`).join("\n    ")}`;
}

/** The stack of the call that is being written down, without the ledger's own two frames. */
function stackHere(): string {
  const switches = Error as StackSwitches;
  const { prepareStackTrace, stackTraceLimit } = switches;
  try {
    switches.prepareStackTrace = plainStack;
    switches.stackTraceLimit = kFrames;
    return (new Error().stack ?? "").split("\n").slice(3).join("\n").trimStart();
  } finally {
    switches.prepareStackTrace = prepareStackTrace;
    if (stackTraceLimit !== undefined) switches.stackTraceLimit = stackTraceLimit;
  }
}

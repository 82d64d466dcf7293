/**
 * BufferLedger: a debugging aid that lists the buffers and references that are alive, with the stack that created each of them, and the
 * calls made on destroyed ones. (No counterpart in TensorFlow, whose LogMemory prints allocations at verbose level 2.)
 *
 * While disabled, the ledger costs one test per buffer (enabled-ledger.ts). While enabled, it records every TensorBuffer and TensorReference
 * with the stack that created it, and removes the entry when the object is destroyed. It also records every double `unref` and every use of
 * a freed buffer. The ledger refers to the objects weakly, so it never keeps one alive. An object that was dropped without `unref` stays
 * listed, marked as collected, until the lifetime net (lifetime/lifetime-net.ts) reclaims its bytes. Its entry then moves to the
 * reclaimed ones, together with the entries of the sub-buffers and references that were dropped with it.
 */
import { checkObject, checkOptions } from "@onebuffer/base/internal";
import { FailedPreconditionError } from "@onebuffer/base";
import type { EnabledLedger, LedgerSubject } from "./enabled-ledger.ts";
import { enabledLedger } from "./enabled-ledger.ts";

/** An object that was created while the ledger was enabled and has not been destroyed. */
export interface LedgerEntry {
  /** The object's number in order of creation, from 1. */
  readonly serial: number;
  /** The object's class and size, as in error messages: `Buffer of 24 bytes`. */
  readonly name: string;
  /** The number of references held now; 0 if the garbage collector took the object first. */
  readonly refs: number;
  /** True if the garbage collector took the object: it was dropped without `unref`. */
  readonly collected: boolean;
  /** The stack that created the object. */
  readonly stack: string;
}

/** A call on an object that was already destroyed. */
export interface LedgerMistake {
  /** `double unref`, or `touch after free` for any other use of a destroyed object. */
  readonly kind: "double unref" | "touch after free";
  /** The name of the call: `unref`, `ref`, `typedArray`, … */
  readonly call: string;
  /** The object's class and size, as in error messages. */
  readonly name: string;
  /** The stack of the wrong call. */
  readonly stack: string;
  /** The stack that created the object, or "" if it was not recorded. */
  readonly madeAt: string;
  /** The stack that destroyed the object, or "" if it was not recorded. */
  readonly freedAt: string;
}

/**
 * The ledger's record of one object. Stacks are stored as strings: an Error whose stack has not been read keeps the objects of its
 * frames alive, including the recorded one.
 */
interface Line {
  readonly serial: number;
  readonly name: string;
  readonly subject: WeakRef<LedgerSubject>;
  readonly madeAt: string;
  freedAt: string;
  /** The lines of the sub-buffers and references on this object that are still held. They are reclaimed together with it. */
  readonly dependents: Set<Line>;
  /** The line of the root buffer, if this object is a sub-buffer or a reference. */
  readonly root: Line | null;
}

/** What the ledger records. */
export interface LedgerOptions {
  /** Whether entries have the stacks that made and freed their objects (default true). */
  readonly stacks?: boolean;
}

/** The class of the ledger. Its only instance is `bufferLedger`. */
export class BufferLedger implements EnabledLedger {
  #lines = new WeakMap<LedgerSubject, Line>();
  readonly #held = new Set<Line>();
  readonly #reclaimed: LedgerEntry[] = [];
  readonly #mistakes: LedgerMistake[] = [];
  #serial = 0;
  #stacks = true;

  /** True while the ledger records. */
  get enabled(): boolean {
    return enabledLedger.current === this;
  }

  /**
   * Clears the ledger and starts recording. Objects that already exist are not recorded. With `stacks: false` the stacks of entries are
   * empty: to format two of them takes most of what recording a buffer costs. Mistakes have the stack of the wrong call all the same.
   */
  enable(options: LedgerOptions = {}): void {
    checkOptions("bufferLedger.enable", options, ["stacks"]);
    this.#clear();
    this.#stacks = options.stacks ?? true;
    enabledLedger.current = this;
  }

  /** Stops recording and clears the ledger. */
  disable(): void {
    this.#clear();
    enabledLedger.current = null;
  }

  /** Returns the objects created since `enable` that are not destroyed yet, oldest first. */
  held(): LedgerEntry[] {
    return Array.from(this.#held, (line) => {
      const subject = line.subject.deref();
      return entryOf(line, subject?.refs ?? 0, subject === undefined);
    });
  }

  /**
   * Returns the objects created since `enable` that were dropped without `dispose` and whose bytes the lifetime net has reclaimed, in
   * the order of reclaiming. Their stacks show what should have been disposed. A sub-buffer is reclaimed together with its root.
   */
  reclaimed(): LedgerEntry[] {
    return this.#reclaimed.slice();
  }

  /** Returns the calls on destroyed objects since `enable`, in order. Each of them has also thrown FAILED_PRECONDITION. */
  mistakes(): LedgerMistake[] {
    return this.#mistakes.slice();
  }

  /** Throws FAILED_PRECONDITION if any object is still held or was reclaimed. The message lists them with the stacks that created them. */
  assertEmpty(): void {
    const held = this.held();
    const open = [...this.#reclaimed, ...held];
    if (open.length === 0) return;
    const list = open.map(
      (entry) => `#${entry.serial} ${entry.name}, ${entry.collected ? "dropped" : `${entry.refs} held`}, made ${entry.stack}`,
    );
    const were = this.#reclaimed.length === 0 ? "" : ` (and ${this.#reclaimed.length} were dropped and reclaimed)`;
    throw new FailedPreconditionError(`${held.length} buffers or references are still held${were}:\n${list.join("\n")}`);
  }

  /**
   * Records a new object. `root` is the root buffer that a sub-buffer or reference keeps alive, or null. Called by the constructors of
   * recorded classes.
   */
  noteMade(subject: LedgerSubject, name: string, root: LedgerSubject | null = null): void {
    checkObject(subject, "a buffer or a reference");
    const rootLine = root === null ? null : (this.#lines.get(root) ?? null);
    const line: Line = {
      serial: ++this.#serial,
      name,
      subject: new WeakRef(subject),
      madeAt: this.#stacks ? stackHere() : "",
      freedAt: "",
      dependents: new Set(),
      root: rootLine,
    };
    this.#lines.set(subject, line);
    this.#held.add(line);
    rootLine?.dependents.add(line);
  }

  /**
   * Returns the ledger's record of an object, or null if there is none. The lifetime net stores the record because it must not keep the
   * object itself alive.
   */
  lineOf(subject: LedgerSubject): object | null {
    return this.#lines.get(subject) ?? null;
  }

  /** Moves a record from `lineOf`, and the records that depend on it, from held to reclaimed. Called by the lifetime net. */
  noteReclaimed(lineOfSubject: object): void {
    const line = lineOfSubject as Line;
    // The ledger was cleared after the record was made.
    if (!this.#held.delete(line)) return;
    this.#reclaimed.push(entryOf(line, 0, true));
    for (const dependent of line.dependents) this.noteReclaimed(dependent);
  }

  /** Removes a destroyed object from the held ones. Called by the recorded classes. */
  noteFreed(subject: LedgerSubject): void {
    const line = this.#lines.get(subject);
    if (line === undefined) return;
    line.freedAt = this.#stacks ? stackHere() : "";
    this.#held.delete(line);
    line.root?.dependents.delete(line);
  }

  /** Records a call on a destroyed object. Called by the recorded classes just before they throw. */
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

/** Returns the public entry for a line. */
function entryOf(line: Line, refs: number, collected: boolean): LedgerEntry {
  return { serial: line.serial, name: line.name, refs, collected, stack: line.madeAt };
}

/**
 * The process-wide ledger, disabled until `enable()` is called.
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

/** V8's options for stack traces. Other engines have neither and ignore them. */
interface StackSwitches {
  prepareStackTrace?: unknown;
  stackTraceLimit?: number;
}

/** Stack frames to record: up to ten of them are this package's own, from a factory down to here, and the user's frames matter. */
const kFrames = 24;

/** Formats a stack (V8 calls it with the frames). Without it a test runner may look up a source map for each frame of every buffer. */
function plainStack(_error: Error, frames: readonly unknown[]): string {
  return `\n${frames.map((frame) => `at ${String(frame)}`).join("\n    ")}`;
}

/** Returns the stack of the call being recorded, without the ledger's own two frames. */
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

/**
 * enabled-ledger: refers to the BufferLedger (buffer-ledger.ts) while it records.
 *
 * The recorded classes call the ledger through this reference. So a program that never imports the ledger, as most do not, does not
 * contain it.
 */

/** An object that the ledger records. */
export interface LedgerSubject {
  /** The reference count; 0 once the object is destroyed. */
  readonly refs: number;
}

/** The methods of the ledger that the recorded classes and the lifetime net call. */
export interface EnabledLedger {
  /** Records a new object. `root` is the root buffer that a sub-buffer or reference keeps alive, or null. */
  noteMade(subject: LedgerSubject, name: string, root: LedgerSubject | null): void;
  /** Returns the ledger's record of an object, or null if there is none. */
  lineOf(subject: LedgerSubject): object | null;
  /** Moves a record from held to reclaimed. */
  noteReclaimed(lineOfSubject: object): void;
  /** Removes a destroyed object from the held ones. */
  noteFreed(subject: LedgerSubject): void;
  /** Records a call on a destroyed object. */
  noteMistake(subject: LedgerSubject, call: string, name: string): void;
}

/** The ledger while it records; otherwise null. `bufferLedger.enable()` and `disable()` set it. */
export const enabledLedger: { current: EnabledLedger | null } = { current: null };

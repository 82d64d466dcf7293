/**
 * memory-mark: how the copies of the library in one thread find one memory (no counterpart in TensorFlow, which a process loads once).
 *
 * A program can hold several copies: files for Node beside modules, two bundles in one page, two versions in one dependency
 * tree. The first copy that has a memory leaves it on `globalThis` under a registered symbol. The others take it over, so that
 * their tensors lie in one arena and go from copy to copy as they are.
 */
import { FailedPreconditionError } from "@onebuffer/base";
import type { WasmMemory } from "./web-assembly.ts";

/** The symbol, the same for all versions. */
const kMark = Symbol.for("onebuffer.linearMemory");
/** The version of what LinearMemory keeps in page 0. Copies with different versions cannot use one memory. */
const kVersion = 1;

/** What the property holds. */
interface MarkedMemory {
  readonly version: number;
  readonly memory: WasmMemory;
}

/** Where a LinearMemory looks for the memory of another copy, and leaves its own. */
export interface MemoryMark {
  /** The memory that another copy left, or null. Throws FAILED_PRECONDITION if that copy keeps other books in it. */
  read(): WasmMemory | null;
  /** Leaves a memory for other copies, unless there is one already. */
  write(memory: WasmMemory): void;
}

/** The mark on an object, which stands for a thread; the library's own is on `globalThis`. */
export function memoryMarkOn(thread: object): MemoryMark {
  return {
    read() {
      const marked = (thread as Record<symbol, MarkedMemory | undefined>)[kMark];
      if (marked === undefined) return null;
      if (marked.version === kVersion) return marked.memory;
      throw new FailedPreconditionError(
        `two versions of onebuffer are loaded in this thread, and they cannot share its memory (layout ${String(marked.version)} is in use, ` +
          `this copy has layout ${kVersion}): install one version, \`npm ls onebuffer\` lists them`,
      );
    },
    write(memory) {
      // A frozen global object refuses. Then every copy has a memory of its own.
      Reflect.defineProperty(thread, kMark, { value: Object.freeze({ version: kVersion, memory } satisfies MarkedMemory) });
    },
  };
}

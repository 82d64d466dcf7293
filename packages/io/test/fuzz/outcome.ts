/** What a reader makes of one input of a fuzzer, of this one (fuzz.ts) and of the one that coverage guides (tools/fuzz). */
import { liveBuffers } from "@onebuffer/allocator";
import { isStatusError } from "@onebuffer/base";
import type { FuzzTarget } from "./fuzz-target.ts";

const kCodes: ReadonlySet<string> = new Set([
  "INVALID_ARGUMENT",
  "DATA_LOSS",
  "UNIMPLEMENTED",
  "NOT_FOUND",
  "FAILED_PRECONDITION",
  "OUT_OF_RANGE",
]);
const kMostMilliseconds = 2000;

/** What a reader made of a file. */
export interface Outcome {
  /** The code of the refusal; null if the file was read, or something is wrong. */
  readonly refusal: string | null;
  /** What must not happen. */
  readonly faults: readonly string[];
}

/** Gives a file to a reader. It may take two seconds, hold no buffer afterwards, and refuse the file by a StatusError of a code for files. */
export async function outcomeOf(target: Pick<FuzzTarget, "read" | "mostBytes">, file: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  const { mostBytes = (size: number) => 8 * size + 64 } = target;
  const faults: string[] = [];
  let refusal: string | null = null;
  const before = liveBuffers();
  const started = performance.now();
  try {
    const pending = target.read(file);
    const bytes = typeof pending === "number" ? pending : await pending;
    if (bytes > mostBytes(file.length)) faults.push(`${bytes} bytes read of a file of ${file.length}`);
  } catch (error) {
    if (isStatusError(error) && kCodes.has(error.code)) refusal = error.code;
    else faults.push(String(error));
  }
  const time = performance.now() - started;
  if (time > kMostMilliseconds) faults.push(`${Math.round(time)} ms`);
  if (liveBuffers() !== before) faults.push(`${liveBuffers() - before} buffers are held`);
  return { refusal, faults };
}

/** Returns how a failure is reported: what is wrong, the seed, and the file. */
export function failureText(fault: string, seed: number, file: Uint8Array): string {
  return `${fault} (seed ${seed}): ${Buffer.from(file).toString("base64").slice(0, 4000)}`;
}

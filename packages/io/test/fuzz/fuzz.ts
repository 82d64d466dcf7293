/**
 * The fuzzer of the file formats: gives mutated files to readers. A reader must return or throw a StatusError of a code for files, within a
 * second, hold no buffer afterwards, and not read more elements than the file can have.
 */
import { liveBuffers } from "@onebuffer/allocator";
import { isStatusError } from "@onebuffer/base";
import type { FuzzTarget } from "./fuzz-target.ts";
import { mutated, Random } from "./mutate.ts";

/** How a target did. */
export interface FuzzReport {
  readonly name: string;
  readonly mutants: number;
  readonly read: number;
  /** The number of refusals of each code. */
  readonly refused: ReadonlyMap<string, number>;
  /** What must not happen, with the file. */
  readonly failures: readonly string[];
}

const kCodes: ReadonlySet<string> = new Set([
  "INVALID_ARGUMENT",
  "DATA_LOSS",
  "UNIMPLEMENTED",
  "NOT_FOUND",
  "FAILED_PRECONDITION",
  "OUT_OF_RANGE",
]);
const kMostFailures = 5;
const kMostMilliseconds = 2000;

/** Gives about `mutants` files to the targets, by their shares. */
export async function fuzz(targets: readonly FuzzTarget[], mutants: number, seed: number): Promise<FuzzReport[]> {
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  const reports: FuzzReport[] = [];
  for (const [i, target] of targets.entries()) reports.push(await fuzzOne(target, Math.ceil((mutants * target.share) / shares), seed + i));
  return reports;
}

async function fuzzOne(target: FuzzTarget, mutants: number, seed: number): Promise<FuzzReport> {
  const { name, words = [], mostBytes = (size: number) => 8 * size + 64 } = target;
  const seeds = await target.seeds();
  const tokens = words.map((word) => (typeof word === "string" ? new TextEncoder().encode(word) : word));
  const random = new Random(seed);
  const refused = new Map<string, number>();
  const failures: string[] = [];
  const fail = (what: string, file: Uint8Array): void =>
    void failures.push(`${what} (seed ${seed}): ${Buffer.from(file).toString("base64").slice(0, 4000)}`);
  let read = 0;
  const before = liveBuffers();
  for (const file of seeds) await target.read(file);
  for (let i = 0; i < mutants && failures.length < kMostFailures; i++) {
    const file = mutated(random.of(seeds), random, seeds, tokens);
    const started = performance.now();
    try {
      const pending = target.read(file);
      const bytes = typeof pending === "number" ? pending : await pending;
      read++;
      if (bytes > mostBytes(file.length)) fail(`${bytes} bytes read of a file of ${file.length}`, file);
    } catch (error) {
      if (isStatusError(error) && kCodes.has(error.code)) refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
      else fail(String(error), file);
    }
    if (performance.now() - started > kMostMilliseconds) fail(`${Math.round(performance.now() - started)} ms`, file);
    if (liveBuffers() !== before) fail(`${liveBuffers() - before} buffers are held`, file);
  }
  return { name, mutants, read, refused, failures };
}

/** Returns a line per target. */
export function reportText(reports: readonly FuzzReport[]): string {
  return reports
    .map(({ name, mutants, read, refused, failures }) =>
      [`${name}: ${mutants} mutants, ${read} read`, ...[...refused].map(([code, count]) => `${count} ${code}`), ...failures].join(", "),
    )
    .join("\n");
}

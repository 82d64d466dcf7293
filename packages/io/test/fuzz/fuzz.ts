/**
 * The fuzzer of the file formats: gives mutated files to readers. A reader must return or throw a StatusError of a code for files, within a
 * second, hold no buffer afterwards, and not read more elements than the file can have.
 */
import type { FuzzTarget } from "./fuzz-target.ts";
import { mutated, Random } from "./mutate.ts";
import { failureText, outcomeOf } from "./outcome.ts";

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

const kMostFailures = 5;

/** Gives about `mutants` files to the targets, by their shares. */
export async function fuzz(targets: readonly FuzzTarget[], mutants: number, seed: number): Promise<FuzzReport[]> {
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  const reports: FuzzReport[] = [];
  for (const [i, target] of targets.entries()) reports.push(await fuzzOne(target, Math.ceil((mutants * target.share) / shares), seed + i));
  return reports;
}

async function fuzzOne(target: FuzzTarget, mutants: number, seed: number): Promise<FuzzReport> {
  const { name, words = [] } = target;
  const seeds = await target.seeds();
  const tokens = words.map((word) => (typeof word === "string" ? new TextEncoder().encode(word) : word));
  const random = new Random(seed);
  const refused = new Map<string, number>();
  const failures: string[] = [];
  let read = 0;
  for (const file of seeds) await target.read(file);
  for (let i = 0; i < mutants && failures.length < kMostFailures; i++) {
    const file = mutated(random.of(seeds), random, seeds, tokens);
    const { refusal, faults } = await outcomeOf(target, file);
    if (refusal !== null) refused.set(refusal, (refused.get(refusal) ?? 0) + 1);
    else if (faults.length === 0) read++;
    failures.push(...faults.map((fault) => failureText(fault, seed, file)));
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

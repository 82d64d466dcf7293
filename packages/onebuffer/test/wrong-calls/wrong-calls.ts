// Calls everything with wrong values and prints the failures as one line of JSON. This is a separate program, run by
// wrong-calls.test.ts: a call that hangs or takes all memory ends this process, not the tests.
//
//     node wrong-calls.js SEED ROUNDS [STEP]
//
// With STEP above 1 each target gets every STEP-th wrong value alone, and the next target begins with the next value, so that few calls
// reach everything with something. Each call has at least one wrong argument, alone or among right ones, in every position. It may throw only a StatusError, or the error
// that the caller's own getter or trap threw. It may not take long, and if it throws it may not leave a buffer alive.
import { isStatusError, liveBuffers, Tensor } from "onebuffer";
import { receivers, values } from "./right-values.ts";
import { allTargets } from "./surface.ts";
import type { Target } from "./surface.ts";
import { CallersError, Made, wrong } from "./wrong-values.ts";
import type { Named } from "./wrong-values.ts";

// Most calls throw, and most of the time would go into stacks: the first lines are enough for a report.
Error.stackTraceLimit = 3;

const [seed = 1, rounds = 6, step = 1] = process.argv.slice(2).map(Number);
const right: readonly Named[] = [...receivers, ...values];
/** The longest time a call may take: far more than any call takes on a busy machine. The test's own timeout ends calls that hang. */
const kMostMilliseconds = 10_000;

let state = seed >>> 0;

/** Returns the next integer of a linear congruential generator, below `limit`. */
function below(limit: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const pick = (list: readonly Named[]): Named => list[below(list.length)]!;

/** The arguments of a call: one of the wrong values of the target's share alone, then mixtures with at least one wrong value. */
function argumentsOf(round: number, share: readonly Named[], most: number): Named[] {
  if (round < share.length) return [share[round]!];
  const args = Array.from({ length: 1 + below(most) }, () => (below(100) < 45 ? pick(wrong) : pick(right)));
  if (!args.some((arg) => wrong.includes(arg))) args[below(args.length)] = pick(wrong);
  return args;
}

/** How often a call with right arguments alone is tried before a target counts as one that no list of them satisfies. */
const kMostTries = step > 1 ? 5 : rounds * 10;

/**
 * Looks for arguments that the target accepts, then replaces one after the other by each wrong value: what stands behind the checks of
 * the first arguments is reached only when these are right. Long runs replace by every wrong value, short ones by `rounds` of them.
 */
async function replaceEach(target: Target): Promise<void> {
  const accepted = await acceptedBy(target);
  if (accepted === null) return;
  for (let at = 0; at < accepted.length; at++) {
    const first = below(wrong.length);
    for (let n = 0; n < Math.min(rounds, wrong.length); n++) await makeCall(target, accepted.with(at, wrong[(first + n) % wrong.length]!));
  }
}

async function acceptedBy(target: Target): Promise<Named[] | null> {
  for (let tries = 0; tries < kMostTries; tries++) {
    const args = Array.from({ length: target.arity + below(2) }, () => pick(right));
    if (args.length > 0 && (await makeCall(target, args))) return args;
  }
  return null;
}

const findings = new Map<string, { count: number; example: string }>();
let calls = 0;

function note(target: Target, args: readonly Named[], what: string): void {
  const key = `${target.name}: ${what.slice(0, 160)}`;
  const found = findings.get(key);
  if (found === undefined) findings.set(key, { count: 1, example: `(${args.map(([name]) => name).join(", ")})` });
  else found.count++;
}

const isRight = (thrown: unknown): boolean => isStatusError(thrown) || thrown instanceof CallersError;

function shown(thrown: unknown): string {
  const { name, message, stack } = thrown as Partial<Error>;
  const line = stack?.split("\n").find((each) => /packages\/\w+\/dist\/src/.test(each));
  return `${String(name)}: ${String(message).slice(0, 80)} ${line?.replace(/.*packages\//, "at ") ?? ""}`;
}

/** Uses up a result: waits for a promise, steps through an iterator, disposes handles. */
async function finish(result: unknown): Promise<void> {
  const object = result as { then?: unknown; next?: () => { done?: boolean }; dispose?: () => void } | null | undefined;
  if (typeof object !== "object" || object === null) return;
  if (typeof object.then === "function") return void (await Promise.race([object, new Promise((end) => setTimeout(end, 500))]));
  if (typeof object.next === "function") for (let steps = 0; steps < 10 && object.next().done !== true; ) steps++;
  const made = Array.isArray(result) ? (result.slice(0, 100) as { dispose?: () => void }[]) : [object];
  for (const each of made) if (typeof each?.dispose === "function") each.dispose();
}

/** Makes the call, notes what is wrong about it and returns true if it threw nothing. */
async function makeCall(target: Target, args: readonly Named[]): Promise<boolean> {
  const made = new Made();
  const list = args.map(([, make]) => make(made));
  const before = liveBuffers();
  const started = performance.now();
  let hasThrown = false;
  calls++;
  try {
    await finish(target.call(list, made));
    if (target.isPrivate === true) note(target, args, "is accepted");
  } catch (thrown) {
    hasThrown = true;
    if (!isRight(thrown)) note(target, args, shown(thrown));
  }
  if (performance.now() - started > kMostMilliseconds) note(target, args, "takes too long");
  // The receiver that the call made holds buffers until here.
  made.release();
  if (hasThrown && liveBuffers() > before) note(target, args, "leaves a buffer alive");
  return !hasThrown;
}

/** Returns true if the library still works: a call must not break later calls. */
function works(): boolean {
  using tensor = Tensor.from([
    [1, 2],
    [3, 4],
  ]); // prettier-ignore
  return tensor.matrix().add(1).max().dtype === "float32" && tensor.matrix().at(1, 1) === 4;
}

process.on("unhandledRejection", (thrown) => {
  if (!isRight(thrown)) findings.set(`unhandled rejection: ${shown(thrown)}`, { count: 1, example: "" });
});
const targets = allTargets();
for (const [index, target] of targets.entries()) {
  process.stderr.write(`${target.name}\n`);
  const most = Math.min(target.arity + 2, 6);
  const share = wrong.filter((_, k) => (k + index) % step === 0);
  const count = target.isGetter === true ? 1 : share.length + (target.arity === 0 ? 0 : rounds * Math.min(target.arity, 3));
  for (let round = 0; round < count; round++) await makeCall(target, argumentsOf(round, share, most));
  if (target.arity > 1) await replaceEach(target);
  // In short runs one of sixteen targets is followed by this check, and the last one.
  if (((index + 1) % Math.min(step, 16) !== 0 && index + 1 < targets.length) || works()) continue;
  note(target, [], "breaks the library, or a target before it does");
  break;
}
process.stdout.write(JSON.stringify({ targets: targets.length, calls, findings: [...findings].map(([what, how]) => ({ what, ...how })) }));
process.exit(0);

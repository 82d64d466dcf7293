// The measuring process of library.mjs: loads libraries/NAME.mjs and times its cases.
//
// A case is { run(), isAsync?, ops?, warmup?, checksum?(), free?(), note? }, or { value() } for sizes and other programs, where `value`
// returns a figure, or figures, or a promise of them. `run` is called in batches of about a millisecond after a warm-up; a sample is the
// time of one operation in nanoseconds.
const name = process.argv[2];
let cases;
let failure;
try {
  ({ cases } = await import(`./libraries/${name}.mjs`));
  if (typeof cases === "function") cases = await cases();
} catch (error) {
  failure = String(error?.message ?? error).split("\n")[0];
}

const open = new Map();

/** True if the cases are only to be seen running. */
const isCheck = process.env["ONEBUFFER_BENCH_CHECK"] === "1";

/** The least time that a case runs before it is timed: engines optimize slow code while it runs. */
const kWarmMilliseconds = isCheck ? 0 : 250;
/** How long a case is called to find the number of calls in a batch. */
const kBatchMilliseconds = isCheck ? 2 : 60;

function batchSize({ run, warmup = 1 }) {
  const first = performance.now();
  for (let i = 0; i < warmup || performance.now() - first < kWarmMilliseconds; i++) run();
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < kBatchMilliseconds) {
    run();
    count++;
  }
  return Math.max(1, Math.round(count / kBatchMilliseconds));
}

/** Like `sample`, for a `run` that returns a promise: one call at a time. */
async function sampleAsync(entry, milliseconds) {
  const { run, warmup = 5 } = entry.case;
  const first = performance.now();
  if (entry.isWarm) await run();
  else for (let i = 0; i < warmup || performance.now() - first < kWarmMilliseconds; i++) await run();
  entry.isWarm = true;
  const samples = [];
  const start = performance.now();
  while (performance.now() - start < milliseconds) {
    const before = performance.now();
    await run();
    samples.push((performance.now() - before) * 1e6);
  }
  return samples;
}

async function sample(entry, milliseconds) {
  if (entry.case.isAsync) return sampleAsync(entry, milliseconds);
  const { run, ops = 1 } = entry.case;
  entry.batch ??= batchSize(entry.case);
  const samples = [];
  const start = performance.now();
  while (performance.now() - start < milliseconds) {
    const before = performance.now();
    for (let i = 0; i < entry.batch; i++) run();
    samples.push(((performance.now() - before) * 1e6) / (entry.batch * ops));
  }
  return samples;
}

async function answer({ workload, milliseconds, withChecksum }) {
  if (failure !== undefined) return { absent: failure };
  const make = cases[workload];
  if (make === undefined) return { none: true };
  if (milliseconds === undefined) return {};
  if (!open.has(workload)) open.set(workload, { case: await make() });
  const entry = open.get(workload);
  const samples = entry.case.value ? [await entry.case.value()].flat() : await sample(entry, milliseconds);
  const checksum = withChecksum ? await entry.case.checksum?.() : undefined;
  if (withChecksum) {
    entry.case.free?.();
    open.delete(workload);
  }
  return { samples, checksum, note: entry.case.note };
}

process.on("message", async (request) => {
  try {
    process.send(await answer(request));
  } catch (error) {
    process.send({ failed: `${workloadName(request)} failed: ${error?.stack ?? error}` });
  }
});

function workloadName(request) {
  return request.workload;
}

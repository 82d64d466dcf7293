// The part of the panel "Threads" that computes an expression on a ThreadPoolDevice.
import assert from "node:assert/strict";
import { checkLooks } from "./looks.mjs";

const kSection = "section[aria-labelledby=pool-title]";
/** For each expression the form of its kernel and its loops; null if it is not divided. The result's bytes. */
const kWorks = {
  exp: ["map", [1_000_000], 4_000_000],
  product: ["contraction", [512, 512], 4 * 512 * 512],
  rows: ["rows", [2048, 2048], 4 * 2048],
  sum: ["rows", [64, 65_536], 4],
  transpose: ["tile", [1024, 1024], 4 * 1024 * 1024],
  running: [null, null, 4_000_000],
};

/** Waits until the expression has been run, and returns what the panel says about it. */
async function resultOf(visit, name) {
  const { pool } = await visit.stateWhere(({ pool: { isRunning, result, error } }) => !isRunning && (result !== null || error !== ""));
  assert.equal(pool.error, "");
  assert.equal(pool.result.work, name);
  return pool.result;
}

/** Checks that a job's parts cover its loops: their sizes add up, and none begins where another does. */
function checkParts({ sizes, parts }) {
  const volumes = parts.map(({ begin, end }) => end.reduce((product, each, loop) => product * (each - begin[loop]), 1));
  assert.equal(
    volumes.reduce((a, b) => a + b, 0),
    sizes.reduce((a, b) => a * b, 1),
  );
  assert.equal(new Set(parts.map(({ begin }) => String(begin))).size, parts.length);
}

/** The bands that are drawn: the thread that each names, and the share of the picture that it has. */
const bandsOf = (visit) =>
  visit.page.$eval(`${kSection} .pool-bands`, (picture) => {
    const whole = picture.clientWidth * picture.clientHeight;
    return [...picture.children].map((band) => {
      const { width, height } = band.getBoundingClientRect();
      return { thread: Number(band.textContent), share: (width * height) / whole };
    });
  });

async function checkBands(visit, { parts }) {
  const bands = await bandsOf(visit);
  assert.deepEqual(
    bands.map(({ thread }) => thread),
    parts.map(({ thread }) => thread),
  );
  const share = bands.reduce((sum, band) => sum + band.share, 0);
  assert.ok(Math.abs(share - 1) < 0.02, `the bands cover ${share} of the picture`);
}

export const poolChecks = [
  {
    name: "threads: an expression runs on a pool, by keyboard and by pointer, with the bytes of one thread",
    run: async (visit) => {
      await visit.open("threads?work=product&threads=2");
      await visit.pressButton("Run on the pool");
      const product = await resultOf(visit, "product");
      assert.deepEqual([product.numThreads, product.reason, product.different, product.bytes], [2, null, 0, 4 * 512 * 512]);
      assert.ok(product.alone > 0 && product.together > 0);
      await checkBands(visit, product.jobs[0]);
      assert.match(await visit.text(kSection), /All 1,048,576 bytes of the result are the same as with one thread/);
      const threads = new Set();
      for (const end = Date.now() + 10_000; Date.now() < end && threads.size < 2; ) {
        await visit.select("Expression", "exp");
        assert.equal((await visit.state()).pool.result, null);
        await visit.click("Run on the pool");
        const { jobs } = await resultOf(visit, "exp");
        for (const { thread } of jobs[0].parts) threads.add(thread);
        await checkBands(visit, jobs[0]);
        await visit.select("Expression", "product");
      }
      assert.deepEqual([...threads].sort(), [0, 1]);
      await visit.page.focus(`${kSection} input[type=radio]:checked`);
      await visit.keys("ArrowRight");
      await visit.address(/work=product&threads=4/);
      await visit.pressButton("Run on the pool", " ");
      assert.equal((await resultOf(visit, "product")).numThreads, 4);
    },
  },
  {
    name: "threads: each expression is divided as the library says, and running sums are not",
    run: async (visit) => {
      await visit.open("threads?threads=2");
      for (const [name, [by, sizes, bytes]] of Object.entries(kWorks)) {
        await visit.select("Expression", name);
        await visit.click("Run on the pool");
        const { jobs, different, bytes: compared } = await resultOf(visit, name);
        assert.deepEqual([different, compared], [0, bytes], name);
        assert.deepEqual(
          jobs.map((job) => [job.by, job.sizes]),
          by === null ? [] : [[by, sizes]],
          name,
        );
        for (const job of jobs) checkParts(job);
        assert.equal((await bandsOf(visit)).length, by === null ? 1 : jobs[0].parts.length, name);
      }
    },
  },
  {
    name: "threads: the pool's picture has no serious fault in light, dark and narrow, and does not overflow",
    browsers: ["chromium"],
    run: async (visit) => {
      await visit.open("threads?work=product&threads=4");
      await visit.click("Run on the pool");
      await resultOf(visit, "product");
      await visit.click("All ");
      await checkLooks(visit, "threads-pool");
    },
  },
  {
    name: "threads: the pool's workers end when another number of threads is chosen, and when the panel is left",
    browsers: ["chromium"],
    run: async (visit) => {
      const workersAre = async (count) => {
        for (const end = Date.now() + 5_000; visit.page.workers().length !== count; await new Promise((resolve) => setTimeout(resolve, 20)))
          if (Date.now() > end) assert.equal(visit.page.workers().length, count);
      };
      await visit.open("threads?work=exp&threads=4");
      await visit.click("Run on the pool");
      await resultOf(visit, "exp");
      await workersAre(3);
      await visit.page.focus(`${kSection} input[type=radio]:checked`);
      await visit.keys("ArrowLeft");
      await workersAre(0);
      await visit.click("Run on the pool");
      await resultOf(visit, "exp");
      await workersAre(1);
      // The panel is left in the middle of a run.
      await visit.click("Run on the pool");
      await visit.open("one-buffer");
      await workersAre(0);
    },
  },
  {
    name: "threads: without isolation the pool has one thread, says why, and computes the same bytes",
    isolated: false,
    run: async (visit) => {
      await visit.open("threads?work=product&threads=2");
      await visit.pressButton("Run on the pool");
      const { numThreads, reason, different, bytes, jobs } = await resultOf(visit, "product");
      assert.deepEqual([numThreads, different, bytes, jobs], [1, 0, 4 * 512 * 512, []]);
      assert.match(reason, /shared|isolated/);
      assert.match(await visit.text(kSection), /The pool has 1 thread here: .*(shared|isolated)/);
      assert.deepEqual(await bandsOf(visit).then((bands) => bands.map(({ thread }) => thread)), [0]);
      await visit.shot("threads-pool-not-isolated");
    },
  },
];

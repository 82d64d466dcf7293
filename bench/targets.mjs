// The kinds of targets that workloads must meet.

/** Rounds heap figures to whole bytes, because their noise is far below one; times are not rounded. */
const exact = (mine, unit) => (unit === "bytes" ? Math.round(mine) : mine);

export const atMost = (limit, unit) => ({
  text: `at most ${limit} ${unit}`,
  check: ({ mine }) => ({ met: exact(mine, unit) <= limit, figure: `${mine.toFixed(1)} ${unit}` }),
});

/** A target for figures that are ratios. */
export const atLeast = (limit) => ({
  text: `at least ${limit.toFixed(2)}`,
  check: ({ mine }) => ({ met: mine >= limit, figure: mine.toFixed(2) }),
});

export const timesOf = (peer, factor) => ({
  text: `at most ${factor}x ${peer}`,
  check: ({ mine, time }) => {
    const other = time(peer);
    return other === undefined
      ? { met: true, figure: "not measured" }
      : { met: mine <= factor * other, figure: `${(mine / other).toFixed(2)}x` };
  },
});

export const fasterThan = (peers, factor) => ({
  text: `at least ${factor}x faster than ${peers.join(", ")}`,
  check: ({ mine, time }) => {
    const ratios = peers
      .map((peer) => [peer, time(peer)])
      .filter(([, t]) => t !== undefined)
      .map(([peer, t]) => [peer, t / mine]);
    return {
      met: ratios.every(([, ratio]) => ratio >= factor),
      figure: ratios.map(([peer, ratio]) => `${peer} ${ratio.toFixed(1)}x`).join(", ") || "not measured",
    };
  },
});

/** A target relative to the fastest of the peers that support the workload. */
export const timesTheBest = (peers, factor) => ({
  text: `at least ${factor}x the fastest peer's speed`,
  check: ({ mine, time }) => {
    const times = peers.map((peer) => [peer, time(peer)]).filter(([, t]) => t !== undefined);
    if (times.length === 0) return { met: true, figure: "not measured" };
    const [peer, fastest] = times.reduce((best, one) => (one[1] < best[1] ? one : best));
    return { met: fastest / mine >= factor, figure: `${(fastest / mine).toFixed(2)}x ${peer}` };
  },
});

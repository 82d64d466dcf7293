// WayCounts: how often each comparison held and did not hold, and how near to the threshold its subjects were on either side.

/** Returns the distance of two numbers, of which either may be a BigInt. */
const distance = (a, b) => Math.abs(Number(a) - Number(b));

const kHolds = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };

export class WayCounts {
  /** By `module#number`: `[times it held, times it did not, least distance where it held, least distance where it did not]`. */
  #counts = new Map();

  /** What an instrumented comparison calls. Returns the comparison's value. */
  note = (name, number, a, b, operator) => {
    const key = `${name}#${number}`;
    let count = this.#counts.get(key);
    if (count === undefined) this.#counts.set(key, (count = [0, 0, Infinity, Infinity]));
    const holds = kHolds[operator](a, b);
    const side = holds ? 0 : 1;
    count[side]++;
    const apart = distance(a, b);
    if (apart < count[2 + side]) count[2 + side] = apart;
    return holds;
  };

  /** Adds what another process noted. */
  add(entries) {
    for (const [key, [held, not, near, far]] of entries) {
      const count = this.#counts.get(key) ?? [0, 0, Infinity, Infinity];
      this.#counts.set(key, [count[0] + held, count[1] + not, Math.min(count[2], near ?? Infinity), Math.min(count[3], far ?? Infinity)]);
    }
  }

  get(key) {
    return this.#counts.get(key) ?? [0, 0, Infinity, Infinity];
  }

  entries() {
    return [...this.#counts];
  }
}

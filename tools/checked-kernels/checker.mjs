// The address check of kernels: a WebAssembly namespace whose kernels are instrumented (instrument.mjs), and the bytes that they may touch.
//
//     an assignment       its operands may be read, its targets read and written: the bytes of the maps themselves, whatever was planned
//     a call of a kernel  also the scratch memory in use then, and its own argument block
//
// A kernel that touches other bytes throws, and the fault is also recorded, because a throw could be caught on its way.
import { listCode } from "../../packages/wasm/dist/src/assembler/assembler-listing.js";
import { instrumented } from "./instrument.mjs";

/**
 * How many bytes beyond the last one of an operand a kernel may read: loops over adjacent elements read whole groups of lanes, at most 16
 * elements of 16 bytes, and leave out the lanes behind the end (kSlack of run/elementwise-kernel.ts). A kernel never writes there.
 */
const kLoadSlack = 256;

/** The bytes of an argument block of a thread of a pool (kernels/calls/scratch.ts). */
const kBlockBytes = 65536;

/** The module and the name under which kernels import the linear memory. */
const [kModule, kMemory] = ["k", "m"];

/** More functions than any module of kernels has. */
const kMostFunctions = 256;

/** The number of instructions listed before and behind the one at fault. */
const kShown = 6;

/** Ranges of addresses. */
class Ranges {
  #lows = [];
  #ends = [];
  #texts = [];
  #last = 0;

  get length() {
    return this.#lows.length;
  }

  add(low, end, text) {
    this.#lows.push(low);
    this.#ends.push(end);
    this.#texts.push(text);
  }

  cut(length) {
    this.#lows.length = this.#ends.length = this.#texts.length = length;
  }

  has(start, end) {
    if (start >= this.#lows[this.#last] && end <= this.#ends[this.#last]) return true;
    for (let k = 0; k < this.#lows.length; k++) {
      if (start < this.#lows[k] || end > this.#ends[k]) continue;
      this.#last = k;
      return true;
    }
    return false;
  }

  toString() {
    return this.#lows.map((low, k) => `[${low}, ${this.#ends[k]}) ${this.#texts[k]}`).join("; ");
  }
}

export class AddressChecker {
  /** The messages of the faults so far. */
  faults = [];
  /** The number of accesses that were checked. */
  checked = 0;
  #reads = new Ranges();
  #writes = new Ranges();
  #depth = 0;
  #scratch = () => [];

  /** Sets the function that returns the scratch memory in use as [start, end, what]s. */
  observe(scratch) {
    this.#scratch = scratch;
  }

  /** Calls `work` while kernels may touch operands and targets, which are [start, end, what]s. */
  during(operands, targets, work) {
    const [reads, writes] = [this.#reads.length, this.#writes.length];
    for (const [start, end, what] of operands) this.#reads.add(start, end + kLoadSlack, what);
    for (const [start, end, what] of targets) {
      this.#reads.add(start, end + kLoadSlack, what);
      this.#writes.add(start, end, what);
    }
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
      this.#reads.cut(reads);
      this.#writes.cut(writes);
    }
  }

  /** Returns a namespace with the members of `engine`, whose modules that import the linear memory as kernels do are checked. */
  namespace(engine) {
    const checker = this;
    const checkedModules = new WeakMap();
    const isKernel = (module) => engine.Module.imports(module).some((each) => each.module === kModule && each.name === kMemory);
    function Module(bytes) {
      const module = new engine.Module(bytes);
      if (isKernel(module)) {
        const { bytes: changed, sites } = instrumented(new Uint8Array(bytes), "checked", "touch");
        checkedModules.set(module, { module: new engine.Module(changed), sites });
      }
      return module;
    }
    function Instance(module, imports) {
      const known = checkedModules.get(module);
      if (known === undefined) return new engine.Instance(module, imports);
      const touch = (address, offset, bytes, site) => checker.#touch(known, address, offset, bytes, site);
      const { exports } = new engine.Instance(known.module, { ...imports, checked: { touch } });
      const wrapped = {};
      for (const name of Object.keys(exports)) wrapped[name] = (...args) => checker.#call(name, exports[name], args);
      return { exports: wrapped };
    }
    return { ...Object.fromEntries(Object.getOwnPropertyNames(engine).map((name) => [name, engine[name]])), Module, Instance };
  }

  #call(name, run, args) {
    if (this.#depth === 0) return run(...args);
    const [reads, writes] = [this.#reads.length, this.#writes.length];
    const add = (start, end, what) => {
      this.#reads.add(start, end + kLoadSlack, what);
      this.#writes.add(start, end, what);
    };
    for (const [start, end, what] of this.#scratch()) add(start, end, what);
    if (name === "run" && args.length === 1) add(args[0], args[0] + kBlockBytes, "its argument block");
    try {
      return run(...args);
    } finally {
      this.#reads.cut(reads);
      this.#writes.cut(writes);
    }
  }

  #touch({ sites }, address, offset, bytes, site) {
    if (this.#depth === 0 || bytes === 0) return;
    this.checked++;
    const { stores } = sites[site];
    const start = (address >>> 0) + (offset >>> 0);
    const ranges = stores ? this.#writes : this.#reads;
    if (ranges.has(start, start + (bytes >>> 0))) return;
    const fault = `INTERNAL: a kernel ${stores ? "writes" : "reads"} ${bytes >>> 0} bytes at ${start}; it may touch ${ranges}\n${listed(sites[site])}`;
    this.faults.push(fault);
    throw new Error(fault);
  }
}

/** Returns the instructions around a site. */
function listed({ function: name, code, locals, number }) {
  const names = Array.from({ length: locals }, (_, k) => `l${k}`);
  const callees = Array.from({ length: kMostFunctions }, (_, k) => `f${k}`);
  const lines = listCode(code, names, callees).map((line, k) => `${k === number ? ">" : " "} ${line}`);
  return [`in ${name}, instruction ${number} of ${lines.length}:`, ...lines.slice(Math.max(0, number - kShown), number + kShown + 1)].join(
    "\n",
  );
}

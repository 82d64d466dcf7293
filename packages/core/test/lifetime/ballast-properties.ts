// Properties of the lifetime net: the ballast, which makes the garbage collector run.
import assert from "node:assert/strict";
import { configureMemory, liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { MiB, forget, held, settle, quiet, reclaimed } from "./property-state.ts";
import type { Property } from "./property-state.ts";

export const ballastProperties: Readonly<Record<string, Property>> = {
  "ballast makes the garbage collector run, without a sweep": async () => {
    configureMemory({ sweep: false });
    await quiet();
    // The garbage collector runs in parallel, and slowly on a busy machine. It only matters that it runs without a sweep.
    for (let i = 0; i < 3000 && reclaimed() < 200; i++) {
      forget(() => new Tensor("uint8", [MiB]));
      if (i % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.ok(reclaimed() >= 200, `${reclaimed()} reclaimed`);
  },

  "ballast lives exactly as long as the tensors of its epoch": async () => {
    configureMemory({ sweep: false });
    forget(() => held.push(new Tensor("uint8", [MiB])), 200);
    await settle();
    const full = process.memoryUsage().arrayBuffers;
    assert.ok(full > 200 * MiB, `${full} bytes of ballast for 200 MiB`);
    for (const t of held) (t as Tensor).dispose();
    held.length = 0;
    new Tensor("uint8", [1]).dispose();
    await settle();
    const empty = process.memoryUsage().arrayBuffers;
    assert.ok(empty < 32 * MiB, `${empty} bytes of ballast for nothing`);
  },

  "ballast can be switched off": async () => {
    configureMemory({ sweep: false, ballast: 0 });
    forget(() => held.push(new Tensor("uint8", [MiB])), 200);
    await settle();
    assert.ok(process.memoryUsage().arrayBuffers < 32 * MiB);
  },

  "an ArrayBuffer that fails for ballast is not an error": () => {
    const Real = ArrayBuffer;
    let refused = 0;
    globalThis.ArrayBuffer = new Proxy(Real, {
      construct(target, args: [number]) {
        if (args[0] >= 32 * MiB) {
          refused++;
          throw new RangeError("Array buffer allocation failed");
        }
        return new target(...args);
      },
    });
    try {
      configureMemory({ sweep: false });
      forget(() => held.push(new Tensor("uint8", [MiB])), 200);
    } finally {
      globalThis.ArrayBuffer = Real;
    }
    assert.ok(refused >= 2);
    assert.equal(liveBuffers(), 200);
  },
};

// Tests of the scratch memory of kernels: from where it is allocated, also when no memory is left. Each test runs a new process, because
// a process makes its memory only once.
import { expect, test } from "@jest/globals";
import { fileURLToPath } from "node:url";
import { inProcess, isLong } from "@onebuffer/test-support";

const packageFolder = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs `body` in a new process. Returns the object `report` that it fills. */
function run(body: string): unknown {
  return inProcess(
    packageFolder,
    `
    const { configureMemory, defaultAllocator, liveBuffers } = await import("@onebuffer/allocator");
    const { Tensor, tensorOf } = await import("@onebuffer/core");
    const { kernelCounts } = await import("@onebuffer/kernels/internal");
    const { linearMemory } = await import("@onebuffer/wasm");
    const used = () => defaultAllocator().getStats().bytesInUse;
    const softmax = (tensor) => { const out = tensorOf(tensor.matrix().softmax()); const at = out.matrix().at(1, 2); out.dispose(); return at; };
    ${body}`,
  );
}

// Each test mostly loads the library: `npm run long` runs them.
if (isLong)
  test("scratch memory is allocated once, from the arena; later kernels allocate none", () => {
    const report = run(`
    const tensor = Tensor.ones([50, 40]);
    const before = used();
    const top = linearMemory().reservedBytes;
    report.first = softmax(tensor);
    report.taken = used() - before > 0 && used() - before < 2 ** 20;
    const after = defaultAllocator().getStats();
    for (let i = 0; i < 20; i++) softmax(tensor);
    const end = defaultAllocator().getStats();
    report.more = [end.bytesInUse - after.bytesInUse, end.numAllocs - after.numAllocs];
    report.reserved = linearMemory().reservedBytes - top;
    report.runs = kernelCounts().runs >= 20;
    tensor.dispose();`);
    // Each kernel makes one allocation, for its result.
    expect(report).toEqual({ first: 0.02500000037252903, taken: true, more: [0, 20], reserved: 0, runs: true });
  });

if (isLong)
  test("scratch memory can be allocated after the arena has taken the whole linear memory", () => {
    const report = run(`
      // No sweeps: each allocation that fails would run the garbage collector.
      configureMemory({ sweep: false });
      const held = [];
      for (let size = 2 ** 30; size >= 2 ** 12; size /= 2) {
        for (;;) {
          try { held.push(new Tensor("uint8", [size])); } catch { break; }
        }
      }
      report.left = linearMemory().reserve(2 ** 20);
      // Make some room again, in the arena only.
      for (const tensor of held.splice(-40)) tensor.dispose();
      for (const tensor of held.splice(-3)) tensor.dispose();
      const tensor = Tensor.ones([50, 40]);
      report.value = softmax(tensor);
      report.runs = kernelCounts().runs > 0;
      tensor.dispose();
      for (const each of held) each.dispose();
      report.live = liveBuffers();`);
    expect(report).toEqual({ left: null, value: 0.02500000037252903, runs: true, live: 0 });
  });

if (isLong)
  test("scratch memory comes from the linear memory if the arena's limit leaves no room", () => {
    const report = run(`
    configureMemory({ limit: 16384 });
    const tensor = Tensor.ones([10, 10]);
    const top = linearMemory().reservedBytes;
    report.value = softmax(tensor);
    const reserved = linearMemory().reservedBytes;
    report.reserved = reserved > top;
    const allocs = defaultAllocator().getStats().numAllocs;
    for (let i = 0; i < 20; i++) softmax(tensor);
    report.more = [linearMemory().reservedBytes - reserved, defaultAllocator().getStats().numAllocs - allocs];
    tensor.dispose();`);
    // Each later kernel makes one allocation, for its result.
    expect(report).toEqual({ value: 0.10000000149011612, reserved: true, more: [0, 20] });
  });

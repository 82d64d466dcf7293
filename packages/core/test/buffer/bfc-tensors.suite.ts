// Tests of tensors allocated by a BFCAllocator in the WebAssembly linear memory.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { AllocatorWrapper, BFCAllocator, LinearMemorySubAllocator, TrackingAllocator } from "@onebuffer/allocator";
import { Tensor, TensorReference } from "@onebuffer/core";
import { linearMemory } from "@onebuffer/wasm";
import { thrown } from "@onebuffer/test-support";

const MiB = 1048576;
const arena = (limit = 16 * MiB): BFCAllocator => new BFCAllocator(new LinearMemorySubAllocator(), limit, "arena");

/** The number of tensors in the last test; `npm run long` uses more. */
const kTensors = process.env["ONEBUFFER_LONG"] === undefined ? 500 : 10_000;

describe("tensors in the arena", () => {
  test("are aligned in the linear memory and return their bytes on dispose", () => {
    using allocator = arena();
    const tensor = new Tensor("float32", [3, 5], { allocator });
    expect(tensor.buffer?.memory).toBe(linearMemory().buffer);
    expect(tensor.buffer!.byteOffset % 256).toBe(0);
    const map = tensor.matrix();
    for (let i = 0; i < 3; i++) for (let j = 0; j < 5; j++) map.set(i, j, i * 5 + j);
    expect([map.at(2, 4), tensor.flat().at(7)]).toEqual([14, 7]);
    expect(allocator.getStats()).toMatchObject({ bytesInUse: 256, numAllocs: 1 });
    expect(tensor.buffer?.getAllocatedBytes()).toBe(256);
    expect(tensor.buffer?.fillAllocationDescription()).toMatchObject({
      requestedBytes: 60,
      allocatedBytes: 256,
      allocatorName: "arena",
      allocationId: 1,
      hasSingleReference: true,
    });
    tensor.dispose();
    expect(allocator.getStats().bytesInUse).toBe(0);
    expect(
      isStatusError(
        thrown(() => map.at(0, 0)),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
  });

  test("slices, reshapes and references keep the bytes until the last is disposed", () => {
    using allocator = arena();
    const tensor = new Tensor("int32", [8, 100], { allocator });
    tensor.flat().fill(0);
    const slice = tensor.slice(2, 5);
    const reshaped = slice.reshape([300]);
    const reference = new TensorReference(tensor);
    slice.matrix().set(0, 1, 77);
    expect(tensor.matrix().at(2, 1)).toBe(77);
    expect(reshaped.vec().at(1)).toBe(77);
    for (const holder of [tensor, slice, reshaped]) {
      holder.dispose();
      expect(allocator.getStats().bytesInUse).toBe(3328);
    }
    reference.unref();
    expect(allocator.getStats().bytesInUse).toBe(0);
    expect(allocator.recordMemoryMap().chunk.length).toBe(1);
  });

  test("object dtypes reserve as many bytes as in TensorFlow", () => {
    using allocator = arena();
    const tensor = Tensor.from(["a", "bc"], { allocator });
    expect(allocator.getStats().bytesInUse).toBe(256);
    expect(tensor.toArray()).toEqual(["a", "bc"]);
    tensor.dispose();
    expect(allocator.getStats().bytesInUse).toBe(0);
  });

  test("a tensor without elements allocates nothing", () => {
    using allocator = arena();
    const tensor = new Tensor("float32", [0, 3], { allocator });
    expect([tensor.isInitialized(), allocator.getStats().numAllocs]).toEqual([true, 0]);
    tensor.dispose();
  });

  test("without room a tensor is not initialized; zeros throws RESOURCE_EXHAUSTED with the arena's state", () => {
    using allocator = arena(MiB);
    const big = new Tensor("float32", [MiB], { allocator });
    expect(big.isInitialized()).toBe(false);
    big.dispose();
    for (const through of [allocator, new AllocatorWrapper(allocator), new TrackingAllocator(allocator, true)]) {
      const error = thrown(() => Tensor.zeros([MiB], { dtype: "float32", allocator: through }));
      expect(isStatusError(error, "RESOURCE_EXHAUSTED")).toBe(true);
      expect(String(error)).toMatch(
        /cannot allocate 4194304 bytes[\s\S]*allocator "arena": no room for 4194304 bytes; 0 bytes in use[\s\S]*taken/,
      );
    }
  });

  test("RESOURCE_EXHAUSTED begins with the remedy, then come the largest holders, then the table", () => {
    using allocator = arena(MiB);
    using small = Tensor.zeros([10], { allocator });
    using held = Tensor.zeros([100_000], { allocator });
    using other = Tensor.zeros([100_000], { allocator });
    const lines = String((thrown(() => Tensor.zeros([200_000], { allocator })) as Error).message).split("\n");
    expect(lines[0]).toBe(
      'free memory with "using", dispose() or await reclaim(): cannot allocate 800000 bytes for a tensor of shape [200000] and dtype float32',
    );
    expect(lines[1]).toBe("largest holders: 2 x 400000 bytes, 1 x 40 bytes; bufferLedger.enable() records where buffers are made");
    expect(lines[2]).toMatch(/^allocator "arena": no room for 800000 bytes; /);
    expect([held.numElements, other.numElements, small.numElements]).toEqual([100_000, 100_000, 10]);
    const { message } = thrown(() => Tensor.zeros([MiB], { allocator })) as Error;
    expect(message).toMatch(/^ask for at most 1048576 bytes, the limit of allocator "arena": cannot allocate 4194304 bytes/);
  });

  test("allocating and freeing thousands of tensors leaves one free chunk", () => {
    using allocator = arena(64 * MiB);
    const live: Tensor[] = [];
    for (let i = 0; i < kTensors; i++) {
      live.push(new Tensor("float32", [1 + ((i * 7919) % 4000)], { allocator }));
      if (i % 3 !== 0) live.splice((i * 31) % live.length, 1)[0]!.dispose();
    }
    for (const tensor of live) tensor.dispose();
    expect(allocator.getStats().bytesInUse).toBe(0);
    expect(allocator.recordMemoryMap().chunk.length).toBe(1);
  });
});

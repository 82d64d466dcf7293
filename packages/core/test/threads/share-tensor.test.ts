// Tests of shareTensor, receiveTensor and revokeHandle on one thread: which tensors can be shared, and invalid handles of every kind.
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { DType, StatusCode } from "@onebuffer/base";
import { allDTypes, dataTypeOf, isObjectDType, isStatusError } from "@onebuffer/base";
import type { TensorHandle } from "@onebuffer/core";
import {
  arenaInvitation,
  BFCAllocator,
  bytesCopied,
  cpuAllocator,
  defaultAllocator,
  joinArena,
  LinearMemorySubAllocator,
  liveBuffers,
  reclaim,
  revokeThread,
} from "@onebuffer/allocator";
import { bufferLedger, existingConnection, memorySnapshot } from "@onebuffer/allocator/internal";
import { forwardInput, receiveTensor, revokeHandle, shareTensor, Tensor } from "@onebuffer/core";
import fc from "fast-check";
import { thrown } from "@onebuffer/test-support";

function expectError(act: () => unknown, code: StatusCode, message: RegExp): void {
  const error = thrown(act);
  expect(isStatusError(error, code) ? code : error).toBe(code);
  expect(String(error)).toMatch(message);
}

const inUse = (): unknown => {
  const { arena, blocks, tickets } = memorySnapshot();
  return { bytes: arena?.bytesInUse ?? 0, blocks, tickets };
};

afterEach(() => expect(inUse()).toEqual({ bytes: 0, blocks: 0, tickets: 0 }));

describe("a handle", () => {
  test("is a small plain object that can be converted to JSON", () => {
    using t = Tensor.from(
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: "int16" },
    );
    const handle = shareTensor(t);
    expect(Object.keys(handle).sort()).toEqual(["arena", "byteOffset", "dims", "dtype", "nonce", "ticket", "type"]);
    expect(handle).toMatchObject({ type: "onebuffer.TensorHandle", dtype: 5, dims: [2, 2], byteOffset: 0 });
    expect(JSON.stringify(handle).length).toBeLessThan(200);
    const before = bytesCopied();
    using there = receiveTensor(structuredClone(JSON.parse(JSON.stringify(handle)) as TensorHandle));
    expect([there.dtype, there.toArray(), bytesCopied() - before]).toEqual([
      "int16",
      [
        [1, 2],
        [3, 4],
      ],
      0,
    ]);
    expect([there.data!.byteOffset === t.data!.byteOffset, there.data!.buffer === t.data!.buffer]).toEqual([true, true]);
  });

  test("keeps the memory until it is received or revoked", () => {
    const t = Tensor.full([100], 3);
    const [first, second] = [shareTensor(t), shareTensor(t)];
    t.dispose();
    expect(inUse()).toEqual({ bytes: 512, blocks: 1, tickets: 2 });
    receiveTensor(first).dispose();
    expect(inUse()).toEqual({ bytes: 512, blocks: 1, tickets: 1 });
    expect(revokeHandle(second)).toBe(true);
    expect(inUse()).toEqual({ bytes: 0, blocks: 0, tickets: 0 });
  });

  test("can be received once", () => {
    using t = Tensor.full([4], 1);
    const handle = shareTensor(t);
    receiveTensor(handle).dispose();
    expectError(() => receiveTensor(handle), "FAILED_PRECONDITION", /handle \d+ is not in flight/);
    expect(revokeHandle(handle)).toBe(false);
    // The ticket is reused; the old handle is not valid for it.
    const next = shareTensor(t);
    expect(next.ticket).toBe(handle.ticket);
    expectError(() => receiveTensor(handle), "FAILED_PRECONDITION", /not in flight/);
    expect([revokeHandle(handle), revokeHandle(next)]).toEqual([false, true]);
  });

  test("of a tensor without elements holds no memory and can be received any number of times", () => {
    using t = Tensor.zeros([0, 3], { dtype: "int8" });
    using rows = Tensor.zeros([4]);
    using none = rows.slice(2, 2);
    for (const each of [t, none]) {
      const handle = shareTensor(each);
      using a = receiveTensor(handle);
      using b = receiveTensor(handle);
      expect([a.dtype, a.shape.dimSizes, b.shape.dimSizes, revokeHandle(handle)]).toEqual([
        each.dtype,
        each.shape.dimSizes,
        each.shape.dimSizes,
        false,
      ]);
    }
    expect(memorySnapshot().blocks).toBe(0);
  });

  test("of a slice, reshaped or cast tensor is received as exactly that tensor", () => {
    using t = Tensor.arange(0, 24, 1, { dtype: "int32" });
    using grid = t.reshape([4, 6]);
    using rows = grid.slice(1, 3);
    using row = rows.subSlice(1);
    using bits = new Tensor("uint8", [0]);
    bits.bitcastFrom(row, "uint8", [24]);
    for (const each of [t, grid, rows, row, bits]) {
      using there = receiveTensor(shareTensor(each));
      expect([there.dtype, there.toArray(), there.sharesBufferWith(t)]).toEqual([each.dtype, each.toArray(), true]);
      expect(there.refCountIsOne()).toBe(false);
    }
  });

  test("every dtype, shape and window is received unchanged", () => {
    const dtypes = allDTypes.filter((dtype) => !isObjectDType(dtype));
    fc.assert(
      fc.property(
        fc.constantFrom<DType>(...dtypes),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.nat(),
        (dtype, dims, a, b) => {
          using t = new Tensor(dtype, dims);
          t.tensorData.forEach((_, i, bytes) => (bytes[i] = i * 37));
          const start = a % dims[0]!;
          using window = t.slice(start, start + 1 + (b % (dims[0]! - start)));
          using there = receiveTensor(shareTensor(window));
          expect([there.dtype, there.shape.dimSizes, there.tensorData.slice()]).toEqual([
            dtype,
            window.shape.dimSizes,
            window.tensorData.slice(),
          ]);
          expect(there.data).toEqual(window.data);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("a tensor received back", () => {
  test("has a new root buffer over the same memory", () => {
    const t = Tensor.full([100], 1);
    const before = liveBuffers();
    using there = receiveTensor(shareTensor(t));
    expect([liveBuffers() - before, there.buffer === t.buffer, there.sharesBufferWith(t), t.sharesBufferWith(there)]).toEqual([
      1,
      false,
      true,
      true,
    ]);
    expect([there.bufferSize, there.allocatedBytes, there.getMemoryType() === t.getMemoryType()]).toEqual([400, 512, true]);
    expect(there.fillDescription()).toMatchObject({
      allocationDescription: { requestedBytes: 400, allocatedBytes: 512, allocatorName: "bfc", hasSingleReference: false },
    });
    t.dispose();
    expect(there.toArray()).toEqual(new Array(100).fill(1));
    expect(there.fillDescription()).toMatchObject({ allocationDescription: { hasSingleReference: true } });
  });

  test("can be written in place only if it is the last holder", () => {
    const t = Tensor.full([4], 1);
    using there = receiveTensor(shareTensor(t));
    const forward = (each: Tensor): boolean => {
      using output = forwardInput(each, "float32", [2, 2]);
      return output !== null;
    };
    expect([forward(t), forward(there)]).toEqual([false, false]);
    t.dispose();
    expect([there.refCountIsOne(), forward(there)]).toEqual([true, true]);
    using window = there.slice(1, 2);
    expect([window.refCountIsOne(), there.refCountIsOne()]).toEqual([false, false]);
  });

  test("does not share a buffer with other memory", () => {
    using t = Tensor.full([4], 1);
    using other = Tensor.full([4], 1);
    using there = receiveTensor(shareTensor(t));
    using different = receiveTensor(shareTensor(other));
    expect([there.sharesBufferWith(other), there.sharesBufferWith(different), other.sharesBufferWith(t)]).toEqual([false, false, false]);
  });

  // One test for both, because each garbage collection of the test runner takes long.
  test("releases only its own hold when it is dropped, and so does the original", async () => {
    const t = Tensor.full([100], 1);
    bufferLedger.disable();
    (() => {
      receiveTensor(shareTensor(t));
      receiveTensor(shareTensor(t));
    })();
    const there = (() => receiveTensor(shareTensor(Tensor.full([100], 1))))();
    while (!t.refCountIsOne() || !there.refCountIsOne()) await reclaim();
    expect([t.toArray()[0 as never], memorySnapshot().blocks]).toEqual([1, 2]);
    t.dispose();
    expect(memorySnapshot()).toMatchObject({ blocks: 1, arena: { bytesInUse: 512 } });
    there.dispose();
  });
});

describe("shareTensor refuses", () => {
  test.each(["string", "variant", "resource"] as const)("%s: INVALID_ARGUMENT", (dtype) => {
    using t = Tensor.zeros([1], { dtype });
    expectError(() => shareTensor(t), "INVALID_ARGUMENT", new RegExp(dtype));
  });

  const other = new BFCAllocator(new LinearMemorySubAllocator(), 4096, "other", { allowGrowth: false });
  test.each<[string, () => Tensor]>([
    ["an ArrayBuffer", () => Tensor.from([1], { allocator: cpuAllocator() })],
    ["memory owned by the caller", () => Tensor.wrap(new Float32Array(1))],
    ["a host scalar", () => Tensor.hostScalar("float32", 1)],
    ["another allocator's part of the linear memory", () => Tensor.from([1], { allocator: other })],
  ])("%s: FAILED_PRECONDITION, naming transferTensor", (_, make) => {
    using t = make();
    expectError(() => shareTensor(t), "FAILED_PRECONDITION", /of 4 bytes is not memory of the arena.*transferTensor/);
  });

  test("an uninitialized or disposed tensor: FAILED_PRECONDITION", () => {
    using empty = Tensor.fromBuffer("float32", [2], null);
    expectError(() => shareTensor(empty), "FAILED_PRECONDITION", /float shape: \[2\].*not initialized/);
    const gone = Tensor.from([1]);
    gone.dispose();
    expectError(() => shareTensor(gone), "FAILED_PRECONDITION", /disposed/);
  });

  test("more than 231 handles of a tensor, or 1024 of a thread: RESOURCE_EXHAUSTED until some are revoked", () => {
    const tensors = Array.from({ length: 5 }, (_, i) => Tensor.full([1], i));
    const handles: TensorHandle[] = [];
    for (let i = 0; i < 231; i++) handles.push(shareTensor(tensors[0]!));
    expectError(() => shareTensor(tensors[0]!), "RESOURCE_EXHAUSTED", /231 handles/);
    for (let i = 231; i < 1024; i++) handles.push(shareTensor(tensors[1 + (i % 4)]!));
    expectError(() => shareTensor(tensors[4]!), "RESOURCE_EXHAUSTED", /1024 handles/);
    expect(memorySnapshot().tickets).toBe(1024);
    expect(revokeHandle(handles.pop()!)).toBe(true);
    handles.push(shareTensor(tensors[4]!));
    for (const t of tensors) t.dispose();
    for (const handle of handles) expect(revokeHandle(handle)).toBe(true);
  });
});

describe("a bad handle", () => {
  const cases: [string, (handle: TensorHandle) => unknown, StatusCode, RegExp][] = [
    ["nothing", () => null, "INVALID_ARGUMENT", /null/],
    ["a number", () => 7, "INVALID_ARGUMENT", /7/],
    ["no type", (handle) => ({ ...handle, type: undefined }), "INVALID_ARGUMENT", /undefined/],
    ["another type", (handle) => ({ ...handle, type: "onebuffer.ArenaInvitation" }), "INVALID_ARGUMENT", /ArenaInvitation/],
    ["an unknown dtype", (handle) => ({ ...handle, dtype: 77 }), "INVALID_ARGUMENT", /77/],
    ["a dtype that is text", (handle) => ({ ...handle, dtype: "float32" }), "INVALID_ARGUMENT", /float32/],
    ["an object dtype", (handle) => ({ ...handle, dtype: dataTypeOf("string") }), "INVALID_ARGUMENT", /string/],
    ["dims that are not a list", (handle) => ({ ...handle, dims: { length: 1, 0: 4 } }), "INVALID_ARGUMENT", /dims/],
    ["a size that is text", (handle) => ({ ...handle, dims: ["4"] }), "INVALID_ARGUMENT", /4/],
    ["a negative size", (handle) => ({ ...handle, dims: [-4] }), "INVALID_ARGUMENT", /-4/],
    ["a shape beyond the block", (handle) => ({ ...handle, dims: [5] }), "INVALID_ARGUMENT", /\[5\] at byte 0 .* 16 bytes/],
    ["a wider dtype", (handle) => ({ ...handle, dtype: dataTypeOf("float64") }), "INVALID_ARGUMENT", /double|float64/],
    ["an offset beyond the block", (handle) => ({ ...handle, byteOffset: 4 }), "INVALID_ARGUMENT", /at byte 4/],
    ["a huge offset", (handle) => ({ ...handle, byteOffset: 2 ** 53 - 1 }), "INVALID_ARGUMENT", /9007199254740991/],
    ["a negative offset", (handle) => ({ ...handle, byteOffset: -4 }), "INVALID_ARGUMENT", /-4/],
    ["a fractional offset", (handle) => ({ ...handle, byteOffset: 0.5 }), "INVALID_ARGUMENT", /0\.5/],
    ["no offset", ({ byteOffset: _, ...handle }) => handle, "INVALID_ARGUMENT", /byteOffset.*undefined/],
    [
      "another arena",
      (handle) => ({ ...handle, arena: handle.arena ^ 1 }),
      "FAILED_PRECONDITION",
      /arena -?\d+, but this thread is in arena -?\d+.*joinArena/,
    ],
    ["an arena that is text", (handle) => ({ ...handle, arena: "x" }), "INVALID_ARGUMENT", /arena.*x/],
    ["a wrong nonce", (handle) => ({ ...handle, nonce: handle.nonce ^ 2 }), "FAILED_PRECONDITION", /not in flight/],
    ["nonce 0", (handle) => ({ ...handle, nonce: 0 }), "FAILED_PRECONDITION", /not in flight/],
    ["a nonce of more than 32 bits", (handle) => ({ ...handle, nonce: handle.nonce + 2 ** 32 }), "FAILED_PRECONDITION", /not in flight/],
    ["a fractional nonce", (handle) => ({ ...handle, nonce: 0.5 }), "INVALID_ARGUMENT", /nonce.*0\.5/],
    ["a NaN ticket", (handle) => ({ ...handle, ticket: Number.NaN }), "INVALID_ARGUMENT", /ticket.*NaN/],
    ["the next ticket", (handle) => ({ ...handle, ticket: handle.ticket + 1 }), "FAILED_PRECONDITION", /not in flight/],
    ["a ticket beyond all tables", (handle) => ({ ...handle, ticket: 2 ** 40 }), "FAILED_PRECONDITION", /not in flight/],
    ["a negative ticket", (handle) => ({ ...handle, ticket: -7 }), "FAILED_PRECONDITION", /not in flight/],
    ["no ticket, but elements", (handle) => ({ ...handle, ticket: -1 }), "INVALID_ARGUMENT", /handle -1 with shape \[4\]/],
    ["a ticket, but no elements", (handle) => ({ ...handle, dims: [0] }), "INVALID_ARGUMENT", /shape \[0\]/],
  ];
  test.each(cases)("%s is refused and the ticket stays in flight", (_, forge, code, message) => {
    using t = Tensor.full([4], 1);
    const handle = shareTensor(t);
    const before = [inUse(), liveBuffers()];
    expectError(() => receiveTensor(forge(handle) as TensorHandle), code, message);
    expect([inUse(), liveBuffers()]).toEqual(before);
    using there = receiveTensor(handle);
    expect(there.toArray()).toEqual([1, 1, 1, 1]);
  });

  test.each(cases.filter(([name]) => /nothing|no type|another|nonce|NaN|size that/.test(name)))(
    "%s is not revoked either",
    (_, forge, code) => {
      using t = Tensor.full([4], 1);
      const handle = shareTensor(t);
      const error = thrown(() => expect(revokeHandle(forge(handle) as TensorHandle)).toBe(false));
      expect(error === undefined || isStatusError(error, code)).toBe(true);
      expect(revokeHandle(handle)).toBe(true);
    },
  );

  test("getters of a handle are read once, so it cannot change during validation", () => {
    using t = Tensor.full([4], 1);
    const handle = shareTensor(t);
    let asked = 0;
    const sly = {
      ...handle,
      get dims() {
        return asked++ === 0 ? [4] : [400];
      },
    };
    using there = receiveTensor(sly);
    expect([there.numElements, asked]).toEqual([4, 1]);
  });

  // The size of a block is read in one step and the ticket used in another. Here another thread does its worst between the two.
  test.each([
    ["smaller", 1],
    ["of the same size", 4],
    ["larger", 9],
  ])("whose sender ends while it is received, and whose block becomes one that is %s: FAILED_PRECONDITION", (_, count) => {
    const t = Tensor.full([4], 1);
    const handle = shareTensor(t);
    using next = Tensor.full([count], 2);
    let later: TensorHandle | null = null;
    const { protocol } = existingConnection()!;
    const read = protocol.blockBytes.bind(protocol);
    const spy = jest.spyOn(protocol, "blockBytes").mockImplementationOnce((slot) => {
      revokeHandle(handle);
      t.dispose();
      later = shareTensor(next);
      return read(slot);
    });
    expectError(() => receiveTensor(handle), "FAILED_PRECONDITION", /not in flight/);
    spy.mockRestore();
    using there = receiveTensor(later!);
    expect(there.numElements).toBe(count);
  });
});

test("joinArena accepts only an invitation, and only before memory is used", async () => {
  defaultAllocator();
  await joinArena(arenaInvitation()); // the arena one is in
  const { memory } = arenaInvitation();
  const engine = memory.constructor as new (descriptor: object) => typeof memory;
  const invitation = (other: unknown): never => ({ type: "onebuffer.ArenaInvitation", memory: other }) as never;
  const empty = new engine({ initial: 16, maximum: 16, shared: true });
  const unshared = new engine({ initial: 16, maximum: 16, shared: false });
  await expect(joinArena(null as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/null/) });
  await expect(joinArena(invitation(new SharedArrayBuffer(65536)))).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringMatching(/WebAssembly\.Memory/),
  });
  await expect(joinArena(invitation(empty))).rejects.toMatchObject({
    code: "FAILED_PRECONDITION",
    message: expect.stringMatching(/holds no arena/),
  });
  await expect(joinArena(invitation(unshared))).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringMatching(/not shared/),
  });
});

test.each([0, -1, 0.5, Number.NaN, 2 ** 53])("revokeThread(%d): INVALID_ARGUMENT", (key) => {
  expectError(() => revokeThread(key), "INVALID_ARGUMENT", new RegExp(String(key)));
});

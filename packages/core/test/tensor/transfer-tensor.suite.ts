// transferTensor, and receiveTensor of its messages: which bytes move, which are copied, and what is refused.
import { expect, test } from "@jest/globals";
import type { DType, StatusCode } from "@onebuffer/base";
import { allDTypes, isObjectDType, isStatusError } from "@onebuffer/base";
import type { TensorBytes, TensorTransfer } from "@onebuffer/core";
import {
  BFCAllocator,
  bytesCopied,
  cpuAllocator,
  disableCpuAllocatorStats,
  enableCpuAllocatorStats,
  TrackingAllocator,
  CPUAllocator,
} from "@onebuffer/allocator";
import { receiveTensor, Tensor, transferTensor } from "@onebuffer/core";
import fc from "fast-check";
import { BlockRegions, thrown, expectStatus } from "@onebuffer/test-support";
import type { Pointer } from "@onebuffer/allocator";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

/** Does to the message what posting it does. */
const posted = ({ message, transfer }: TensorTransfer): TensorBytes => structuredClone(message, { transfer });

const plain = { allocator: cpuAllocator() };

function expectError(act: () => unknown, code: StatusCode, message: RegExp): void {
  const error = thrown(act);
  expect(isStatusError(error, code) ? code : error).toBe(code);
  expect(String(error)).toMatch(message);
}

test("the bytes move if the tensor is the only holder of a whole ArrayBuffer", () => {
  const t = Tensor.from(
    [
      [1, 2],
      [3, 4],
    ],
    plain,
  );
  const memory = t.data!.buffer;
  const before = bytesCopied();
  const transfer = transferTensor(t);
  expect([transfer.copiedBytes, transfer.transfer.length, transfer.transfer[0] === memory, bytesCopied() - before]).toEqual([
    0,
    1,
    true,
    0,
  ]);
  expect(transfer.message).toEqual({ type: "onebuffer.TensorBytes", dtype: 1, dims: [2, 2], bytes: memory });
  expect(
    isStatusError(
      thrown(() => t.shape),
      "FAILED_PRECONDITION",
    ),
  ).toBe(true); // disposed
  using there = receiveTensor(posted(transfer));
  expect([there.dtype, there.toArray(), there.refCountIsOne(), memory.byteLength]).toEqual([
    "float32",
    [
      [1, 2],
      [3, 4],
    ],
    true,
    0,
  ]);
  expect(bytesCopied() - before).toBe(0);
});

test("the bytes of a host scalar move", () => {
  const transfer = transferTensor(Tensor.hostScalar("float32", 7));
  expect(transfer.copiedBytes).toBe(0);
  using there = receiveTensor(posted(transfer));
  expect([there.toArray(), there.dims]).toEqual([7, 0]);
});

test("a received tensor can be transferred again and written in place", () => {
  const first = receiveTensor(posted(transferTensor(Tensor.from([1, 2, 3], plain)))) as Tensor<"float32">;
  first.vec().set(0, 9);
  expect(first.fillDescription()).toMatchObject({
    allocationDescription: { allocatorName: "transfer", requestedBytes: 12, hasSingleReference: true },
  });
  const again = transferTensor(first);
  expect(again.copiedBytes).toBe(0);
  using last = receiveTensor(posted(again));
  expect(last.toArray()).toEqual([9, 2, 3]);
});

test.each<[string, () => Tensor]>([
  ["arena memory", () => Tensor.from([1, 2, 3])],
  [
    "a slice",
    () => {
      using t = Tensor.from([0, 1, 2, 3], plain);
      return t.slice(1, 4);
    },
  ],
  ["memory that the caller owns", () => Tensor.wrap(new Float32Array([1, 2, 3]))],
  ["shared memory", () => Tensor.wrap(new Float32Array(new SharedArrayBuffer(12)))],
  [
    "memory that an allocator hands out again",
    () => Tensor.from([1, 2, 3], { allocator: new BFCAllocator(new BlockRegions(), 4096, "bfc", { allowGrowth: false }) }),
  ],
  [
    "more memory than the shape needs",
    () => {
      using t = Tensor.zeros([8], plain);
      return Tensor.fromBuffer("float32", [2], t.buffer);
    },
  ],
])("%s is copied, and copiedBytes says so", (_, make) => {
  const t = make();
  const elements = t.toArray();
  const size = t.numElements * 4;
  const before = bytesCopied();
  const transfer = transferTensor(t);
  expect([transfer.copiedBytes, bytesCopied() - before, transfer.transfer[0]!.byteLength]).toEqual([size, size, size]);
  using there = receiveTensor(posted(transfer));
  expect(there.toArray()).toEqual(elements);
});

test("the bytes are copied if there is a second handle", () => {
  using t = Tensor.from([1, 2], plain);
  const transfer = transferTensor(t.share());
  expect(transfer.copiedBytes).toBe(8);
  expect(t.toArray()).toEqual([1, 2]);
  receiveTensor(posted(transfer)).dispose();
});

test("the CPU allocator's statistics are updated when bytes move; memory of a tracking allocator is copied", () => {
  enableCpuAllocatorStats();
  const tracking = new TrackingAllocator(cpuAllocator(), true);
  const transfer = transferTensor(Tensor.from([1, 2], { allocator: tracking }));
  expect(transfer.copiedBytes).toBe(8);
  const before = cpuAllocator().getStats()!.bytesInUse;
  transferTensor(Tensor.from([1, 2], plain));
  expect(cpuAllocator().getStats()!.bytesInUse).toBe(before);
  disableCpuAllocatorStats();
  receiveTensor(posted(transfer)).dispose();
  tracking.getRecordsAndUnRef();
});

test("strings are transferred as bytes, and all arrive", () => {
  const transfer = transferTensor(
    Tensor.from([
      ["a", ""],
      ["héllo", "\0"],
    ]),
  );
  expect([transfer.copiedBytes, transfer.message.dtype]).toEqual([4 * 8 + 8, 7]);
  using there = receiveTensor(posted(transfer));
  expect([there.dtype, there.toArray()]).toEqual([
    "string",
    [
      ["a", ""],
      ["héllo", "\0"],
    ],
  ]);
});

test.each([[[]], [[0]], [[3, 0]]])("a tensor of shape %j with one element or none is transferred", (dims: number[]) => {
  const transfer = transferTensor(Tensor.zeros(dims, plain));
  expect(transfer.transfer.length).toBe(dims.length === 0 ? 1 : 0);
  using there = receiveTensor(posted(transfer));
  expect([there.shape.dimSizes, there.isInitialized()]).toEqual([dims, true]);
  using strings = receiveTensor(posted(transferTensor(Tensor.zeros(dims, { dtype: "string" }))));
  expect([strings.dtype, strings.shape.dimSizes]).toEqual(["string", dims]);
});

test("model: tensors of every dtype and shape arrive unchanged", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<DType>(...allDTypes.filter((dtype) => !isObjectDType(dtype))),
      fc.array(fc.nat(4), { maxLength: 4 }),
      fc.boolean(),
      fc.infiniteStream(fc.nat(255)),
      (dtype, dims, isPlain, stream) => {
        using t = new Tensor(dtype, dims, isPlain ? plain : {});
        t.tensorData.set(Array.from(t.tensorData, () => stream.next().value as number));
        const bytes = t.tensorData.slice();
        using there = receiveTensor(posted(transferTensor(t.share())));
        expect([there.dtype, there.shape.dimSizes, there.tensorData.slice()]).toEqual([dtype, dims, bytes]);
      },
    ),
    { numRuns: 100 },
  );
});

test("tensors that cannot be transferred are refused and unchanged", () => {
  using variant = Tensor.zeros([1], { dtype: "variant" });
  expectError(() => transferTensor(variant), "INVALID_ARGUMENT", /variant/);
  using resource = Tensor.zeros([1], { dtype: "resource" });
  expectError(() => transferTensor(resource), "INVALID_ARGUMENT", /resource/);
  using empty = Tensor.fromBuffer("float32", [2], null);
  expectError(() => transferTensor(empty), "FAILED_PRECONDITION", /float shape: \[2\].*not initialized/);
  expect([variant.numElements, resource.numElements, empty.numElements]).toEqual([1, 1, 2]);
  const gone = Tensor.from([1]);
  gone.dispose();
  expectError(() => transferTensor(gone), "FAILED_PRECONDITION", /disposed/);
});

test("a message can be received only once", () => {
  const { message } = transferTensor(Tensor.from([1, 2], plain));
  using there = receiveTensor(message);
  expectError(() => receiveTensor(message), "FAILED_PRECONDITION", /already/);
  expect(there.toArray()).toEqual([1, 2]);
  const strings = transferTensor(Tensor.from(["a"])).message;
  receiveTensor(strings).dispose();
  expectError(() => receiveTensor(strings), "FAILED_PRECONDITION", /already/);
  const away = transferTensor(Tensor.from([1, 2], plain));
  posted(away);
  expectError(() => receiveTensor(away.message), "FAILED_PRECONDITION", /detached/);
});

const bytes = (...numbers: number[]): ArrayBuffer => Float64Array.from(numbers).buffer;
const forged: [string, object, StatusCode, RegExp][] = [
  ["a dtype that is text", { dtype: "float" }, "INVALID_ARGUMENT", /float/],
  ["an unknown dtype", { dtype: 99 }, "INVALID_ARGUMENT", /99/],
  ["a reference dtype", { dtype: 101 }, "INVALID_ARGUMENT", /./],
  ["variants", { dtype: 21 }, "INVALID_ARGUMENT", /variant/],
  ["no sizes", { dims: 2 }, "INVALID_ARGUMENT", /2/],
  ["a size that is text", { dims: ["2"] }, "INVALID_ARGUMENT", /2/],
  ["a negative size", { dims: [-2] }, "INVALID_ARGUMENT", /-2/],
  ["a fractional size", { dims: [1.5] }, "INVALID_ARGUMENT", /1\.5/],
  ["too many elements", { dims: [2 ** 40, 2 ** 40] }, "INVALID_ARGUMENT", /./],
  ["a shape that needs more", { dims: [3] }, "INVALID_ARGUMENT", /12 bytes.*but the message has 8/],
  ["a shape that needs less", { dims: [1] }, "INVALID_ARGUMENT", /4 bytes.*but the message has 8/],
  ["no bytes", { bytes: null }, "INVALID_ARGUMENT", /null/],
  ["a view", { bytes: new Uint8Array(8) }, "INVALID_ARGUMENT", /Uint8Array|object/],
  ["shared memory", { bytes: new SharedArrayBuffer(8) }, "INVALID_ARGUMENT", /./],
  ["no type", { type: undefined }, "INVALID_ARGUMENT", /undefined/],
  ["strings without ends", { dtype: 7, dims: [2] }, "INVALID_ARGUMENT", /too few/],
  ["billions of strings", { dtype: 7, dims: [2 ** 32] }, "INVALID_ARGUMENT", /too few/],
  ["a string that ends before it starts", { dtype: 7, dims: [2], bytes: bytes(8, 4, 0) }, "INVALID_ARGUMENT", /element 1 ends at 4/],
  ["a string that ends beyond the bytes", { dtype: 7, dims: [1], bytes: bytes(9, 0) }, "INVALID_ARGUMENT", /ends at 9/],
  ["a string whose end is NaN", { dtype: 7, dims: [1], bytes: bytes(Number.NaN) }, "INVALID_ARGUMENT", /NaN/],
  ["bytes after the last string", { dtype: 7, dims: [1], bytes: bytes(4, 0) }, "INVALID_ARGUMENT", /4 of 8/],
];
test.each(forged)("a message with %s is refused", (_, fields, code, message) => {
  expectError(
    () => receiveTensor({ type: "onebuffer.TensorBytes", dtype: 1, dims: [2], bytes: new ArrayBuffer(8), ...fields } as TensorBytes),
    code,
    message,
  );
});

test.each([null, undefined, 1, "x", []])("%j is refused as a message", (message) => {
  expectError(() => receiveTensor(message as unknown as TensorBytes), "INVALID_ARGUMENT", /./);
});

test("without room for a copy it throws RESOURCE_EXHAUSTED and the tensor is unchanged", () => {
  using t = Tensor.from([1, 2]);
  const { ArrayBuffer } = globalThis;
  try {
    globalThis.ArrayBuffer = class {
      constructor() {
        throw new RangeError("Array buffer allocation failed");
      }
    } as unknown as typeof ArrayBuffer;
    expectError(() => transferTensor(t), "RESOURCE_EXHAUSTED", /8 bytes/);
  } finally {
    globalThis.ArrayBuffer = ArrayBuffer;
  }
  expect([t.toArray(), isObjectDType(t.dtype)]).toEqual([[1, 2], false]);
});

test("a message is received as a tensor of its dtype, and of no other", () => {
  const plain = { allocator: cpuAllocator() };
  const transferred = (): Any => transferTensor(Tensor.from([1, 2], plain)).message;
  expectStatus(
    () => receiveTensor(transferred(), { dtype: "int32" }),
    "INVALID_ARGUMENT",
    "the message has a tensor of float32, expected int32",
  );
  using there = receiveTensor(transferred(), { dtype: "float32" });
  expect(there.toArray()).toEqual([1, 2]);
});

test("bytes are copied if the memory is longer than the tensor", () => {
  class Roomy extends CPUAllocator {
    override allocateRaw(_alignment: number, numBytes: number): Pointer {
      return { buffer: new ArrayBuffer(numBytes + 64), byteOffset: 0 };
    }
  }
  const { copiedBytes, message } = transferTensor(Tensor.from([1, 2], { allocator: new Roomy() }));
  expect([copiedBytes, message.bytes.byteLength]).toEqual([8, 8]);
});

// TensorReference: the root buffer that it holds, and the calls that are mistakes after it gave its reference back.
import { expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { cpuAllocator } from "@onebuffer/allocator";
import { Buffer, SubBuffer, TensorReference, Tensor } from "@onebuffer/core";
import { expectMistakes, thrown, expectStatus } from "@onebuffer/test-support";
import { bufferLedger } from "@onebuffer/allocator/internal";

/** Calls `act` with the ledger of the test switched off. */
function withoutLedger(act: () => void): void {
  bufferLedger.disable();
  try {
    act();
  } finally {
    bufferLedger.enable();
  }
}

test("holds the root, not the slice it was made from", () => {
  const root = new Buffer("float32", cpuAllocator(), 8);
  const slice = new SubBuffer(root, 2, 2, 4);
  const reference = new TensorReference({ buffer: slice });
  expect([root.refs, slice.refs]).toEqual([3, 1]);
  slice.unref();
  root.unref();
  expect([root.refs, root.hasData]).toEqual([1, true]);
  const copy = reference; // TensorFlow's copy: a plain pointer
  copy.unref();
  expect([root.refs, reference.refs]).toEqual([0, 0]);
});

test("unref gives the reference back once; a second call throws and changes nothing", () => {
  expectMistakes();
  const root = new Buffer("float32", cpuAllocator(), 8);
  const reference = new TensorReference({ buffer: root });
  reference.unref();
  const error = thrown(() => reference.unref());
  expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
  expect(String(error)).toContain("TensorReference on Buffer of 32 bytes");
  expect(root.refs).toBe(1);
  root.unref();
});

test("of a tensor without a buffer it holds nothing, and unref still works only once", () => {
  expectMistakes();
  const reference = new TensorReference({ buffer: null });
  expect(reference.fillDescription()).toMatchObject({ requestedBytes: 0, allocatorName: "" });
  reference.unref();
  expect(
    isStatusError(
      thrown(() => reference.unref()),
      "FAILED_PRECONDITION",
    ),
  ).toBe(true);
});

test("refuses a destroyed buffer", () => {
  expectMistakes();
  const root = new Buffer("float32", cpuAllocator(), 8);
  root.unref();
  expect(
    isStatusError(
      thrown(() => new TensorReference({ buffer: root })),
      "FAILED_PRECONDITION",
    ),
  ).toBe(true);
});

test("describes the root's allocation and compares roots", () => {
  const root = new Buffer("float32", cpuAllocator(), 8);
  const slice = new SubBuffer(root, 2, 2, 4);
  const references = [
    new TensorReference({ buffer: root }),
    new TensorReference({ buffer: slice }),
    new TensorReference({ buffer: null }),
  ] as const;
  expect(references[1].fillDescription()).toMatchObject({ requestedBytes: 32, allocatorName: "cpu" });
  expect(references.map((reference) => reference.sharesBufferWith(references[0]))).toEqual([true, true, false]);
  for (const holder of [...references, slice, root]) holder.unref();
});

test("the ledger notes which call of a reference was a mistake", () => {
  expectMistakes();
  using tensor = Tensor.from([1]);
  const reference = new TensorReference(tensor);
  reference.unref();
  expectStatus(() => reference.fillDescription(), "FAILED_PRECONDITION");
  expectStatus(() => reference.unref(), "FAILED_PRECONDITION");
  expect(bufferLedger.mistakes().map(({ call }) => call)).toEqual(["fillDescription", "unref"]);
});

test("without a ledger a second release is refused as well", () => {
  using tensor = Tensor.from([1]);
  const reference = new TensorReference(tensor);
  reference.unref();
  withoutLedger(() => {
    expectStatus(() => reference.unref(), "FAILED_PRECONDITION", "its reference was given back before");
    const gone = Tensor.from([1]);
    const freed = gone.buffer!;
    gone.dispose();
    expectStatus(() => freed.unref(), "FAILED_PRECONDITION");
  });
});

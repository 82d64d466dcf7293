// SafetensorsFile over sources: which reads are made, progress, cancelling, what is held after an error.
import { describe, expect, jest, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { openSafetensors, readSafetensors, SafetensorsFile, writeSafetensors } from "@onebuffer/io";
import type { ByteSource, TransferProgress } from "@onebuffer/io";
import { isLong, refusal } from "@onebuffer/test-support";

/** A source that notes its reads. */
function noted(bytes: Uint8Array<ArrayBuffer>): ByteSource & { readonly reads: (readonly [number, number])[] } {
  const reads: (readonly [number, number])[] = [];
  return {
    size: bytes.length,
    reads,
    read: async (offset, length) => {
      reads.push([offset, length]);
      return bytes.slice(offset, offset + length);
    },
  };
}

/** A tensor of numbers that count up. */
const counted = (start: number, length: number): Tensor<"float32"> => Tensor.from(new Float32Array(length).map((_, k) => start + k));

/** The elements of a tensor that is read by more than one call, of at most 1 MiB. */
const kLarge = isLong ? 600_000 : 300_000;

/** Two tensors of 40,000 bytes and a large one between them. */
function writtenTensors(): Uint8Array<ArrayBuffer> {
  using first = counted(0, 10_000);
  using second = counted(0, kLarge);
  using third = counted(5, 10_000);
  return writeSafetensors({ a: first, b: second, c: third });
}

const kThreeTensors = writtenTensors();
/** Returns a file of three tensors, for each test a new one. */
const threeTensors = (): Uint8Array<ArrayBuffer> => kThreeTensors.slice();

const failure = async (act: () => Promise<unknown>): Promise<string> => {
  try {
    await act();
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
  return "nothing was thrown";
};

describe("reads", () => {
  const bytes = threeTensors();

  test("the header is one read, a tensor one more, of its own bytes", async () => {
    const source = noted(bytes);
    const file = await openSafetensors(source);
    expect(source.reads).toEqual([[0, 16384]]);
    using c = await file.tensor("c", { dtype: "float32" });
    const { byteOffset } = file.entry("c");
    expect(source.reads.slice(1)).toEqual([[byteOffset, 40_000]]);
    expect([c.vec().at(0), c.vec().at(9_999)]).toEqual([5, 10_004]);
  });

  test("a long header is read whole", async () => {
    using one = Tensor.from([1]);
    const source = noted(writeSafetensors({ one }, { metadata: { text: "x".repeat(20_000) } }));
    const file = await openSafetensors(source);
    expect(source.reads.length).toBe(2);
    expect(file.metadata.get("text")?.length).toBe(20_000);
  });

  test("neighbors are read together, in the order of the file, each once", async () => {
    const source = noted(bytes);
    const file = await openSafetensors(source);
    const seen: TransferProgress[] = [];
    using tensors = await file.tensors(["c", "a", "c"], { onProgress: (progress) => seen.push(progress) });
    expect([...tensors.keys()]).toEqual(["a", "c"]);
    expect(seen.at(-1)).toMatchObject({ bytes: 80_000, totalBytes: 80_000 });
    using all = await file.tensors();
    expect(all.size).toBe(3);
    using wanted = counted(0, kLarge);
    expect(all.tensor("b").equals(wanted)).toBe(true);
  });
});

test("cancelling ends the reads, and nothing is held", async () => {
  const file = await openSafetensors(noted(threeTensors()));
  const before = liveBuffers();
  const aborted = { aborted: true, reason: "enough" };
  expect(await failure(() => file.tensors(undefined, { signal: aborted }))).toBe("CANCELLED");
  expect(await failure(() => file.tensor("a", { signal: aborted }))).toBe("CANCELLED");
  const later = { aborted: false };
  const cancelled = failure(() => file.tensors(undefined, { signal: later, onProgress: () => void (later.aborted = true) }));
  expect(await cancelled).toBe("CANCELLED");
  const thrown = failure(() =>
    file.tensors(undefined, {
      onProgress: () => {
        throw Object.assign(new Error("stop"), { code: "mine" });
      },
    }),
  );
  expect(await thrown).toBe("mine");
  expect(liveBuffers()).toBe(before);
});

test("a source that returns too few bytes is DATA_LOSS, and nothing is held", async () => {
  const bytes = threeTensors();
  const short: ByteSource = { size: bytes.length, read: async (offset, length) => bytes.slice(offset, offset + Math.min(length, 30_000)) };
  const file = await openSafetensors(short);
  const before = liveBuffers();
  expect(await failure(() => file.tensor("a"))).toBe("DATA_LOSS");
  expect(liveBuffers()).toBe(before);
});

test("a file in memory: views, tensorSync; elsewhere tensorSync is FAILED_PRECONDITION", async () => {
  const bytes = threeTensors();
  const file = SafetensorsFile.fromBytes(bytes);
  using view = await file.tensor("a");
  using same = file.tensorSync("a", { dtype: "float32" });
  expect(view.tensorData.buffer).toBe(bytes.buffer);
  expect(same.tensorData.buffer).toBe(bytes.buffer);
  using all = await file.tensors();
  expect(all.tensor("b").tensorData.buffer).toBe(bytes.buffer);
  const remote = await openSafetensors(new Blob([bytes]));
  expect(refusal(() => remote.tensorSync("a")).code).toBe("FAILED_PRECONDITION");
});

test("missing names, other dtypes and wrong arguments", async () => {
  const file = SafetensorsFile.fromBytes(threeTensors());
  expect(refusal(() => file.entry("A")).message).toBe('no tensor "A", did you mean "a"? There are 3: "a", "b", "c"');
  expect(refusal(() => file.tensorSync("a", { dtype: "int32" })).message).toBe('tensor "a" has float32, expected "int32"');
  expect(await failure(() => file.tensors(["a", "z"]))).toBe("NOT_FOUND");
  expect(await failure(() => file.tensors("a" as never))).toBe("INVALID_ARGUMENT");
  expect(await failure(() => file.tensor("a", { dtpye: "float32" } as object))).toBe("INVALID_ARGUMENT");
  expect(await failure(() => openSafetensors("model.safetensors" as never))).toBe("INVALID_ARGUMENT");
});

test("NamedTensors: take keeps a tensor, dispose frees the others", () => {
  const before = liveBuffers();
  const all = readSafetensors(threeTensors());
  const kept = all.take("b");
  const other = all.tensor("a", { dtype: "float32" });
  expect(refusal(() => all.tensor("a", { dtype: "int8" })).code).toBe("INVALID_ARGUMENT");
  const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  expect(all.tensor("a", "float32" as never).dtype).toBe("float32"); // the old form
  expect(warn.mock.calls).toEqual([[expect.stringContaining('write tensor(name, { dtype: "float32" })')]]);
  warn.mockRestore();
  all.dispose();
  all.dispose();
  expect([kept.isInitialized(), all.has("b")]).toEqual([true, false]);
  expect(refusal(() => other.isInitialized()).code).toBe("FAILED_PRECONDITION");
  expect(refusal(() => all.tensor("b")).code).toBe("NOT_FOUND");
  kept.dispose();
  expect(liveBuffers()).toBe(before);
});

test("a list of names is checked before anything is read", async () => {
  const file = SafetensorsFile.fromBytes(threeTensors());
  expect(await failure(() => file.tensors(new Array(1e9)))).toBe("INVALID_ARGUMENT");
});

test("a source that ends early at any byte is DATA_LOSS", async () => {
  using a = Tensor.from([1, 2]);
  const bytes = writeSafetensors({ a });
  for (let length = 0; length < bytes.length; length++)
    expect([length, await failure(() => openSafetensors(new Blob([bytes.slice(0, length)])))]).toEqual([length, "DATA_LOSS"]);
});

// Tests of tensors over shared memory, in the places where shared memory needs code of its own: text decoding and zeroing.
import { describe, expect, test } from "@jest/globals";
import { BFCAllocator, LinearMemorySubAllocator } from "@onebuffer/allocator";
import { decodeUtf8 } from "@onebuffer/storage/internal";
import { Tensor } from "@onebuffer/core";
import { CountingMemory, OddMemory } from "@onebuffer/test-support";

/** Runs `act` with a TextDecoder that refuses shared memory, as TextDecoder does in browsers; Node's accepts it. */
function asInBrowsers<T>(act: () => T): T {
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function (
    this: InstanceType<typeof TextDecoder>,
    input?: NodeJS.ArrayBufferView | ArrayBuffer | null,
    options?,
  ) {
    const memory = ArrayBuffer.isView(input) ? input.buffer : input;
    if (Object.prototype.toString.call(memory) === "[object SharedArrayBuffer]")
      throw new TypeError("The provided Uint8Array value must not be shared.");
    return decode.call(this, input, options);
  };
  try {
    return act();
  } finally {
    TextDecoder.prototype.decode = decode;
  }
}

function shared(bytes: readonly number[], at: number = 0): Uint8Array<SharedArrayBuffer> {
  const view = new Uint8Array(new SharedArrayBuffer(bytes.length + at + 2), at, bytes.length);
  view.set(bytes);
  return view;
}

describe("text", () => {
  test("in shared memory is decoded although TextDecoder refuses it", () => {
    asInBrowsers(() => {
      expect(() => new TextDecoder().decode(shared([97]))).toThrow(TypeError);
      expect(decodeUtf8(shared([0xc3, 0xa9, 0x21], 3))).toBe("é!");
      // A byte order mark is kept as text; a Node Buffer, whose slice() does not copy, works; invalid UTF-8 still gives null.
      expect(decodeUtf8(shared([0xef, 0xbb, 0xbf, 0x61]))).toBe("\ufeffa");
      const view = shared([97, 98, 99], 1);
      expect(decodeUtf8(Buffer.from(view.buffer, 1, 3))).toBe("abc");
      expect(decodeUtf8(shared([0xff]))).toBe(null);
    });
  });

  test("given to a tensor as bytes in shared memory is copied", () => {
    asInBrowsers(() => {
      const name = shared([0x61, 0x62]);
      using tensor = new Tensor("string", [1]);
      tensor.vec().set(0, name);
      name[0] = 0x7a;
      expect(tensor.toArray()).toEqual(["ab"]);
      expect(tensor.debugString()).toContain("ab");
    });
  });
});

describe("zeros", () => {
  test.each([0, 1, 7, 8, 255, 256, 257, 1000, 4099])("sets %d bytes and none after them", (count) => {
    using arena = new BFCAllocator(new LinearMemorySubAllocator(), 4 * 1048576, "arena");
    for (const allocator of [arena, new CountingMemory(), new OddMemory(3)]) {
      const dirty = Tensor.full([count + 64], 255, { dtype: "uint8", allocator });
      dirty.dispose();
      using zeros = Tensor.zeros([count], { dtype: "uint8", allocator });
      expect(zeros.tensorData.every((byte) => byte === 0)).toBe(true);
      expect(zeros.tensorData.length).toBe(count);
      const { data } = zeros;
      if (data !== null && allocator === arena) {
        const after = new Uint8Array(data.buffer, data.byteOffset + count, 64);
        expect(after.every((byte) => byte === 255)).toBe(true);
      }
    }
  });
});

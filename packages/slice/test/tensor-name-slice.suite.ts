// Tests the checkpoint keys of slices: known codes, malformed codes, sort order.
import { describe, expect, test } from "@jest/globals";
import { TensorSlice, decodeTensorNameSlice, encodeTensorNameSlice } from "@onebuffer/slice";
import fc from "fast-check";
import { anySlice } from "./arbitraries.ts";
import { expectStatus, statusErrorsOnly } from "@onebuffer/test-support";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));
const kMax = Number.MAX_SAFE_INTEGER;

describe("known codes", () => {
  const table: [name: string, slice: string, code: string][] = [
    ["666f6f", "-:-:1,3:4,5", "00 666f6f0001 0104 807f 807f 8183 8485"],
    ["", "-", "00 0001 0101 807f"],
    ["612f62", "0,1", "00 612f620001 0101 8081"],
    ["780079", "63,64", "00 7800ff790001 0101 bf c040"],
    ["ff", "64,128", "00 ff000001 0101 c040 c080"],
    ["76", "8191,8192:-", "00 760001 0102 dfff e02000 807f"],
    ["77", "1048576,1", "00 770001 0101 f0100000 81"],
    ["666f6f", "-:200,300", "00 666f6f0001 0102 807f c0c8 c12c"],
  ];
  test.each(table)("%s %s", (name, slice, code) => {
    expect(hex(encodeTensorNameSlice(bytes(name), TensorSlice.parse(slice)))).toBe(code.replaceAll(" ", ""));
    const decoded = decodeTensorNameSlice(bytes(code));
    expect([hex(decoded.name), decoded.slice.debugString()]).toEqual([name, slice]);
  });

  test("a string is encoded as UTF-8", () => {
    expect(hex(encodeTensorNameSlice("é€😀", TensorSlice.full(1)))).toBe("00c3a9e282acf09f98800001" + "0101807f");
  });

  test("a rank above 255 takes two bytes", () => {
    const slice = TensorSlice.parse("-:".repeat(300));
    const code = encodeTensorNameSlice("", slice);
    expect(hex(code.subarray(0, 6))).toBe("00000102012c");
    expect(decodeTensorNameSlice(code).slice.equals(slice)).toBe(true);
  });
});

describe("malformed codes", () => {
  const table: [code: string, contains: string][] = [
    ["", "Failed to parse the leading number"],
    ["01", "Failed to parse the leading number"],
    ["09 010101010101010101", "Failed to parse the leading number"],
    ["0101 666f6f0001 0101 807f", "should always be 0 for any valid code, got 1"],
    ["00", "Failed to parse the tensor name"],
    ["00 666f6f", "Failed to parse the tensor name"],
    ["00 666f6f00", "Failed to parse the tensor name"],
    ["00 660002 0001", "Failed to parse the tensor name"],
    ["00 66ffff 0001", "Failed to parse the tensor name"],
    ["00 660001", "Failed to parse the tensor rank"],
    ["00 660001 02 01", "Failed to parse the tensor rank"],
    ["00 660001 00", "Expecting positive rank of the tensor, got 0"],
    ["00 660001 047fffffff 8080", "Too many elements 2147483647"],
    ["00 660001 08ffffffffffffffff", "Too many elements 1844674407370955"],
    ["00 660001 047ffffffe 8080", "Failed to parse start of dimension 1"],
    ["00 660001 0101", "Failed to parse start of dimension 0"],
    ["00 660001 0101 c0", "Failed to parse start of dimension 0"],
    ["00 660001 0101 ff", "Failed to parse start of dimension 0"],
    ["00 660001 0101 ffe000000000000000000000", "Failed to parse start of dimension 0"],
    ["00 660001 0101 ffc08000000000000000 81", "Failed to parse start of dimension 0"],
    ["00 660001 0101 ffc10000000000000000 81", "Failed to parse start of dimension 0"],
    ["00 660001 0101 003f7fffffffffffffff 81", "Failed to parse start of dimension 0"],
    ["00 660001 0101 80", "Failed to parse length of dimension 0"],
    ["00 660001 0101 7e 81", "Failed to parse start of dimension 0: it is negative, -2"],
  ];
  test.each(table)("%s", (code, contains) => {
    expectStatus(() => decodeTensorNameSlice(bytes(code)), "INTERNAL", contains);
  });

  test("the message shows the first bytes of the code", () => {
    expectStatus(() => decodeTensorNameSlice(bytes("00 666f6f")), "INTERNAL", "src = 00666f6f");
    expectStatus(() => decodeTensorNameSlice(new Uint8Array(5000).fill(7)), "INTERNAL", "(5000 bytes)");
  });

  test.each([null, undefined, "00", [0], new DataView(new ArrayBuffer(8)), new Uint16Array(4)])("%p is not bytes", (code) => {
    expectStatus(() => decodeTensorNameSlice(code as unknown as Uint8Array), "INVALID_ARGUMENT", "bytes");
  });

  test("a name must be bytes or well-formed text", () => {
    expectStatus(() => encodeTensorNameSlice("a\ud800b", TensorSlice.full(1)), "INVALID_ARGUMENT", "\\ud800");
    expectStatus(() => encodeTensorNameSlice(7 as unknown as string, TensorSlice.full(1)), "INVALID_ARGUMENT", "number");
  });
});

describe("numbers that JavaScript cannot hold exactly", () => {
  test.each([
    ["00 7661720001 0101 ffc07ffffffffffffffe 81", "9223372036854775806"],
    ["00 7661720001 0101 80 ffc07fffffffffffffff", "9223372036854775807"],
    ["00 7661720001 0101 80 ff20000000000000", "9007199254740992"],
    ["00 7661720001 0101 ff1fffffffffffff 81", String(kMax)],
  ])("%s is out of range", (code, value) => {
    expectStatus(() => decodeTensorNameSlice(bytes(code)), "OUT_OF_RANGE", value);
  });

  test("a negative length is a full dimension with any start; bytes after the last dimension are ignored", () => {
    for (const code of ["85 7f", "ffc07fffffffffffffff 7f", "80 003f8000000000000000", "7e 40"]) {
      expect(decodeTensorNameSlice(bytes(`00 660001 0101 ${code} dead`)).slice.debugString()).toBe("-");
    }
  });

  test("length 0 is kept, as TensorFlow keeps it", () => {
    expect(decodeTensorNameSlice(bytes("00 660001 0101 85 80")).slice.debugString()).toBe("5,0");
  });
});

test("decode reads what encode writes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), anySlice, (name, slice) => {
      fc.pre(slice.dims > 0);
      const decoded = decodeTensorNameSlice(encodeTensorNameSlice(name, slice));
      expect(hex(decoded.name)).toBe(hex(name));
      expect(decoded.slice.equals(slice)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("encodes the smallest and largest numbers of every code length", () => {
  for (let bits = 6; bits <= 53; bits++) {
    for (const start of [2 ** bits - 2, 2 ** bits - 1, 2 ** bits, 2 ** bits + 1]) {
      if (start >= kMax) continue;
      const slice = TensorSlice.fromExtents([[start, 1]]);
      const code = encodeTensorNameSlice("", slice);
      expect(decodeTensorNameSlice(code).slice.debugString()).toBe(`${start},1`);
      // 7n - 1 value bits fit n bytes.
      expect(code.length - 6).toBe(Math.ceil((start.toString(2).length + 1) / 7));
    }
  }
});

test("codes sort like name, rank and extents", () => {
  const name = fc.uint8Array({ maxLength: 3 });
  const key = (bytesOfName: Uint8Array, slice: TensorSlice): number[][] => [[...bytesOfName], [slice.dims], [...slice].flat()];
  const compareLists = (a: readonly number[], b: readonly number[]): number => {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
    return a.length - b.length;
  };
  const unvalidated = fc
    .array(fc.tuple(fc.integer({ min: -kMax, max: kMax }), fc.constantFrom(-1, 0, 1, -64, -65)), { maxLength: 2 })
    .map((extents) => {
      return TensorSlice.fromExtents(extents.filter(([start, length]) => Number.isSafeInteger(start + length)));
    });
  const slice = fc.oneof(anySlice, unvalidated);
  fc.assert(
    fc.property(name, slice, name, slice, (nameA, a, nameB, b) => {
      const [codeA, codeB] = [encodeTensorNameSlice(nameA, a), encodeTensorNameSlice(nameB, b)];
      const [keyA, keyB] = [key(nameA, a), key(nameB, b)];
      const expected = keyA.map((list, i) => compareLists(list, keyB[i]!)).find((order) => order !== 0) ?? 0;
      expect(Math.sign(Buffer.compare(codeA, codeB))).toBe(Math.sign(expected));
    }),
    { numRuns: 400 },
  );
});

test("neither function changes the caller's bytes, not even a Node Buffer's", () => {
  const code = Buffer.from(bytes("00 666f6f0001 0102 c0c8 c12c 807f"));
  const before = hex(code);
  const { name } = decodeTensorNameSlice(code);
  name.fill(0);
  expect(hex(code)).toBe(before);
  const ownName = Buffer.from("foo");
  encodeTensorNameSlice(ownName, TensorSlice.full(1)).fill(0);
  expect(ownName.toString()).toBe("foo");
});

test("hostile codes throw only StatusErrors", () => {
  const prefix = fc.constantFrom("", "00", "00660001", "006600010101", "0066000108", "00660001047ffffffe");
  const byte = fc.oneof(fc.constantFrom(0x00, 0xff, 0xc0, 0x80, 0x7f, 0x3f), fc.nat(255));
  fc.assert(
    fc.property(prefix, fc.array(byte, { maxLength: 40 }), (start, rest) => {
      const code = Uint8Array.from([...bytes(start), ...rest]);
      const decoded = statusErrorsOnly(() => decodeTensorNameSlice(code));
      if (decoded) expect(decodeTensorNameSlice(encodeTensorNameSlice(decoded.name, decoded.slice)).slice.equals(decoded.slice)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

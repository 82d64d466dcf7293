// The runner's own rules, on hand-made cases: a rule that could not fail would let a wrong answer pass.
import { describe, expect, test } from "@jest/globals";
import { cpuAllocator } from "@onebuffer/allocator";
import { Buffer } from "@onebuffer/core";
import type { TensorBuffer } from "@onebuffer/core";
import { InternalError, InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { operation } from "../src/operation.ts";
import type { Operations } from "../src/operation.ts";
import { operations } from "../src/operations.ts";
import { runCase } from "../src/run-vectors.ts";
import { parseVectors, toCase } from "../src/vector.ts";
import type { Json, JsonObject } from "../src/vector.ts";

/** Runs one case written as JSON. */
const run = (op: string, args: JsonObject, rest: JsonObject, known: Operations = operations): string | null =>
  runCase(toCase({ id: "x/1", op, args, ...rest }, "test"), known);

/** An operation that answers or throws as told. */
const saying = (answer: () => unknown, answerKey?: string): Operations => ({
  "test.op": operation(["dims", "start", "values", "steps", "shape", "dtype"], answer, answerKey),
});

const says = (answer: unknown, expected: Json): string | null =>
  run(
    "test.op",
    {},
    { expect: expected },
    saying(() => answer),
  );

const throwing = (error: unknown, expected: JsonObject, args: JsonObject = {}): string | null =>
  run(
    "test.op",
    args,
    { error: expected },
    saying(() => {
      throw error;
    }),
  );

describe("what is not known fails", () => {
  test("an operation", () => {
    expect(run("shape.fold", {}, { expect: true })).toContain("shape.fold");
    expect(run("toString", {}, { error: { code: "CHECK" } })).toContain("toString");
  });

  test("an argument, at the top and nested, even where a failure is expected", () => {
    expect(run("slice.parse", { text: "-", base: 10 }, { expect: { rank: 1 } })).toContain('"base"');
    expect(run("slice.parse", { text: "x", base: 10 }, { error: { code: "CHECK" } })).toContain('"base"');
    expect(run("tensor.view", { dtype: "DT_FLOAT", shape: [2], view: { kind: "vec", stride: 2 } }, { expect: { dims: [2] } })).toContain(
      '"stride"',
    );
    expect(run("tensor.info", { new: { dtype: "DT_FLOAT", shape: [2], zeroed: true } }, { expect: { rank: 1 } })).toContain('"zeroed"');
    expect(run("shape.build", { class: "TensorShape", proto: { dim: [1], names: ["a"] } }, { expect: { rank: 1 } })).toContain('"names"');
  });

  test("a step, a check, a kind of view, an allocator, a dtype, a class", () => {
    expect(run("tensor.script", { steps: [["melt", "a"]] }, { expect: { checks: [] } })).toContain("melt");
    expect(run("tensor.script", { steps: [["default", "a"]] }, { expect: { checks: [["colour", "a", 1]] } })).toContain("colour");
    expect(run("tensor.script", { steps: [["default", "a", 7]] }, { expect: { checks: [] } })).toContain("2 operands");
    expect(run("shape.run", { class: "TensorShape", init: [1], steps: [["Fold", 0]] }, { expect: { rank: 1 } })).toContain("Fold");
    expect(run("tensor.view", { dtype: "DT_FLOAT", shape: [2], view: { kind: "round" } }, { expect: { dims: [2] } })).toContain("round");
    expect(run("allocator.tracks_sizes", { allocator: "gpu" }, { expect: false })).toContain("gpu");
    expect(run("dtype.info", { dtype: "DT_FLOAT128" }, { expect: { number: 1 } })).toContain("DT_FLOAT128");
    expect(run("shape.build", { class: "Shape", dims: [1] }, { expect: { rank: 1 } })).toContain("Shape");
  });

  test("a key of the expectation", () => {
    expect(run("slice.parse", { text: "-" }, { expect: { rank: 1, colour: "red" } })).toContain('"colour"');
  });
});

describe("a key of a case that nobody judges fails", () => {
  const plain = { id: "x/1", op: "slice.parse", args: { text: "-" }, expect: { rank: 1 } };
  const verdict = (more: JsonObject): string => {
    const [vector] = parseVectors(JSON.stringify([{ ...plain, ...more }]), "test");
    return runCase(vector!, operations) ?? "passed";
  };

  test.each(["suite", "source", "cite", "note", "name"])("%s is for people", (key) => {
    expect(verdict({ [key]: "anything" })).toBe("passed");
  });

  test.each(["expects", "expect_error", "errors", "result", "Expect", "after", "toString"])("%s", (key) => {
    expect(verdict({ [key]: { rank: 1 } })).toBe(`got a malformed case: x/1: nobody judges "${key}"`);
  });

  test("a misspelt or mistyped mark, and a key of the error", () => {
    expect(verdict({ tf_defects: true })).toContain('"tf_defects"');
    expect(verdict({ tf_defect: "yes" })).toContain('"tf_defect" is neither');
    expect(verdict({ unchecked: 1 })).toContain('"unchecked" is neither');
    expect(verdict({ era: 2018 })).toContain('"era" is not a text');
    expect(verdict({ error: { code: "INTERNAL", message: "x" } })).toContain('nobody judges "message"');
  });
});

describe("failures", () => {
  test("the code must be the same; CHECK is any StatusError and nothing else", () => {
    const error = new InvalidArgumentError("no");
    expect(throwing(error, { code: "INVALID_ARGUMENT" })).toBeNull();
    expect(throwing(error, { code: "INTERNAL", contains: "" })).toBe('got INVALID_ARGUMENT "no" want INTERNAL');
    expect(throwing(error, { code: "CHECK", contains: "yes" })).toBeNull();
    expect(throwing(new TypeError("no"), { code: "CHECK" })).toContain("TypeError");
  });

  test("every number in contains must stand in the message, the words need not", () => {
    const error = new InvalidArgumentError("expected 2 dimensions, got 3 of -1");
    expect(throwing(error, { code: "INVALID_ARGUMENT", contains: "rank 3 is not 2; first is -1" })).toBeNull();
    expect(throwing(error, { code: "INVALID_ARGUMENT", contains: "at most 30" })).toContain("lacks 30");
    expect(throwing(error, { code: "INVALID_ARGUMENT", contains: "size 1" })).toContain("lacks 1");
    expect(throwing(error, { code: "CHECK", contains: "4 vs. 2" })).toContain("lacks 4");
  });

  test("an answer instead of a failure, and a failure instead of an answer", () => {
    expect(run("slice.parse", { text: "-" }, { error: { code: "INVALID_ARGUMENT" } })).toBe("got a result want INVALID_ARGUMENT");
    expect(run("slice.parse", { text: "1" }, { expect: { rank: 1 } })).toMatch(/^got INVALID_ARGUMENT .* want \{"rank":1\}$/);
  });

  test("where both stand the failure is judged, and what it leaves behind", () => {
    const error = { code: "INTERNAL", contains: "" };
    const sliced = (slice: string, after: Json): string | null =>
      run("slice.slice_shape", { slice, shape: [4, 5] }, { error, expect: { result_shape_after: after } });
    expect(sliced("1,2:0,9", [])).toBeNull();
    expect(sliced("0,2", [])).toBeNull();
    expect(sliced("1,2:0,9", [1, 2])).toBe("after the failure: result_shape_after: got [] want [1,2]");
    expect(sliced("0,2", [2])).toContain("after the failure");
    expect(sliced("1,2:0,5", [])).toContain("got a result");
    const steps = {
      class: "TensorShape",
      init: [2, 3],
      steps: [
        ["AddDim", 4],
        ["InsertDim", 9, 1],
      ],
    };
    expect(run("shape.run", steps, { error, expect: { dims: [2, 3, 4], num_elements: 24 } })).toBeNull();
    expect(run("shape.run", steps, { error, expect: { dims: [2, 3] } })).toContain("after the failure");
    const merged = { a: [2], b: [3] };
    expect(run("partial.merge_with", merged, { error: { code: "INVALID_ARGUMENT" }, expect: { unknown_rank: true } })).toBeNull();
    expect(run("partial.merge_with", merged, { error: { code: "INVALID_ARGUMENT" }, expect: { dims: [2] } })).not.toBeNull();
    expect(
      run("slice.run", { init: "default", steps: [["Extend", -1]] }, { error: { code: "INVALID_ARGUMENT" }, expect: { rank: 7 } }),
    ).not.toBeNull();
  });

  test("an operation that leaves nothing behind meets no expectation beside an error, only its absence", () => {
    const refusing = saying(() => {
      throw new InvalidArgumentError("no");
    });
    const error = { code: "INVALID_ARGUMENT" };
    expect(run("test.op", {}, { error, expect: { rank: 1 } }, refusing)).toContain('"rank"');
    expect(run("test.op", {}, { error, expect: 5 }, refusing)).toContain("want 5");
    expect(run("test.op", {}, { error, expect: null }, refusing)).toBeNull();
  });
});

describe("answers", () => {
  test("only the listed keys are asserted, and only they are read", () => {
    const answer = {
      a: () => 1,
      b: () => {
        throw new InternalError("never read");
      },
    };
    expect(says(answer, { a: 1 })).toBeNull();
    expect(says(answer, { a: 2 })).toBe("a: got 1 want 2");
    expect(says(answer, { b: 1 })).toContain("never read");
  });

  test.each<[unknown, Json]>([
    [-0, 0],
    [0, "-0"],
    [1, 1.0000001],
    [1, true],
    [1, "1"],
    [2 ** 63, "9223372036854775807"],
    [9223372036854775806n, "9223372036854775807"],
    [Number.NaN, null],
    ["a", "A"],
    [
      [1, 2],
      [2, 1],
    ],
    [
      [1, 2],
      [1, 2, 3],
    ],
    [{ a: 1 }, [1]],
    [null, false],
    [undefined, "OK"],
  ])("%p is not %p", (got, expected) => {
    expect(says(got, expected)).not.toBeNull();
  });

  test.each<[unknown, Json]>([
    [-0, "-0"],
    [Number.NaN, "NaN"],
    [-Infinity, "-Infinity"],
    [9223372036854775807n, "9223372036854775807"],
    [7n, 7],
    [new TextEncoder().encode("é"), "é"],
    [Uint8Array.of(0xff, 0), { hex: "ff00" }],
    [
      [[1], []],
      [[1], []],
    ],
    [null, null],
  ])("%p is %p", (got, expected) => {
    expect(says(got, expected)).toBeNull();
  });

  test("bytes of a shape: .. stands for any byte, every other byte counts", () => {
    const bytes = (hex: string): string | null =>
      run("shape.run", { class: "TensorShape", init: [2, 3], steps: [] }, { expect: { bytes: hex } });
    expect(bytes("02000300..................000200")).toBeNull();
    expect(bytes("02000400..................000200")).not.toBeNull();
    expect(bytes("0200030000000000000000000000020")).not.toBeNull();
  });

  test("values compare as elements of their dtype", () => {
    const values = (dtype: string, set: Json, expected: Json): string | null =>
      run(
        "tensor.script",
        {
          steps: [
            ["new", "t", dtype, [2]],
            ["set_values", "t", set],
          ],
        },
        { expect: { checks: [["values", "t", expected]] } },
      );
    expect(values("DT_FLOAT", [0.1, "NaN"], [0.1, "NaN"])).toBeNull();
    expect(values("DT_FLOAT", ["-0", 1], [0, 1])).not.toBeNull();
    expect(values("DT_INT64", ["9007199254740993", 1], ["9007199254740993", 1])).toBeNull();
    expect(values("DT_INT64", ["9007199254740993", 1], ["9007199254740992", 1])).not.toBeNull();
    expect(values("DT_STRING", ["a", { hex: "ff" }], ["a", { hex: "ff" }])).toBeNull();
    expect(values("DT_STRING", ["a", "b"], ["a", "c"])).not.toBeNull();
    expect(
      values(
        "DT_COMPLEX64",
        [
          [1, 2],
          [3, "-0"],
        ],
        [
          [1, 2],
          [3, "-0"],
        ],
      ),
    ).toBeNull();
    expect(
      values(
        "DT_COMPLEX64",
        [
          [1, 2],
          [3, "-0"],
        ],
        [
          [1, 2],
          [3, 0],
        ],
      ),
    ).not.toBeNull();
    expect(values("DT_BOOL", [true, false], [true, true])).not.toBeNull();
  });

  test("a list without order compares as a bag", () => {
    const query = (results: Json): string | null =>
      run(
        "sliceset.query",
        {
          shape: [2],
          dtype: "DT_FLOAT",
          register: [
            ["0,1", "a"],
            ["1,1", "b"],
          ],
          query: "-",
        },
        { expect: { results_any_order: results } },
      );
    expect(
      query([
        ["1,1", "b"],
        ["0,1", "a"],
      ]),
    ).toBeNull();
    expect(
      query([
        ["0,1", "a"],
        ["0,1", "a"],
      ]),
    ).not.toBeNull();
    expect(query([["0,1", "a"]])).not.toBeNull();
  });
});

describe("beyond 2^53 - 1", () => {
  const big = "9223372036854775807";
  const refused = new OutOfRangeError("too large");

  test("a refusal passes whatever the case expects, an answer must match as usual", () => {
    expect(throwing(refused, { code: "INTERNAL", contains: "12" }, { dims: [big] })).toBeNull();
    expect(throwing(new InvalidArgumentError("no"), { code: "CHECK", contains: "12" }, { start: big })).toBeNull();
    expect(throwing(new InternalError("no"), { code: "OUT_OF_RANGE" }, { dims: [big] })).not.toBeNull();
    expect(
      run(
        "test.op",
        { dims: [big] },
        { expect: 4 },
        saying(() => 5),
      ),
    ).toBe("got 5 want 4");
  });

  test("false and null pass where the operation answers so", () => {
    expect(
      run(
        "test.op",
        { dims: [big] },
        { expect: true },
        saying(() => false),
      ),
    ).toBeNull();
    expect(
      run(
        "test.op",
        { dims: [big] },
        { expect: { ok: true } },
        saying(() => ({ ok: () => false }), "ok"),
      ),
    ).toBeNull();
    expect(
      run(
        "test.op",
        { dims: [big] },
        { expect: { ok: true } },
        saying(() => ({ ok: () => false })),
      ),
    ).not.toBeNull();
    expect(
      run(
        "test.op",
        { dims: [8] },
        { expect: true },
        saying(() => false),
      ),
    ).not.toBeNull();
  });

  test("products of dimensions and byte sizes count, zeros and element values do not make a case large", () => {
    expect(throwing(refused, { code: "INTERNAL" }, { dims: [2 ** 27, 2 ** 27] })).toBeNull();
    expect(throwing(refused, { code: "INTERNAL" }, { dims: [2 ** 26, 2 ** 26] })).not.toBeNull();
    expect(throwing(refused, { code: "INTERNAL" }, { dims: [0, 2 ** 27, 2 ** 27] })).not.toBeNull();
    expect(throwing(refused, { code: "INTERNAL" }, { values: [big] })).not.toBeNull();
    const refuses = {
      "tensor.info": {
        args: ["shape", "dtype"],
        run: () => {
          throw refused;
        },
      },
    };
    expect(run("tensor.info", { dtype: "DT_DOUBLE", shape: [2 ** 52] }, { expect: { rank: 1 } }, refuses)).toBeNull();
    expect(run("tensor.info", { dtype: "DT_UINT8", shape: [2 ** 52] }, { expect: { rank: 1 } }, refuses)).not.toBeNull();
  });

  test("a shape that grows step by step counts with all its dimensions", () => {
    const grow = (steps: Json): string | null =>
      run("shape.run", { class: "TensorShape", init: [2 ** 30], steps }, { expect: { rank: 2 } });
    expect(grow([["AddDim", 2 ** 30]])).toBeNull();
    expect(grow([["AddDim", -1]])).not.toBeNull();
  });
});

describe("shapes and buffers of xla.json", () => {
  const shape = { type: "f32", dims: [2, 3], m2m: [0, 1] };

  test("a shape compares whole, with defaults spelled out or not", () => {
    const parsed = (expected: Json): string | null => run("parseShape", { text: "f32[2,3]{0,1}" }, { expect: expected });
    expect(parsed(shape)).toBeNull();
    expect(parsed({ ...shape, dyn: [false, false], tiles: [], mem: 0, tail: 1, esb: 0, split: [] })).toBeNull();
    for (const other of [
      { type: "f32", dims: [2, 3] },
      { ...shape, m2m: [1, 0] },
      { ...shape, type: "s32" },
      { ...shape, mem: 1 },
      { tuple: [shape] },
      "f32[2,3]{0,1}",
      null,
    ])
      expect(parsed(other)).not.toBeNull();
  });

  test("letters stand for their codes, and padding counts", () => {
    const bytes = { type: "u8", dims: [2, 3], m2m: [0, 1], padded: [2, 4] };
    const filled = (expected: Json): string | null =>
      run("layoutBuffer", { shape: bytes, values: ["a", "b", "c", "d", "e", "f"], fill: 7 }, { expect: expected });
    expect(filled(["a", "d", "b", "e", "c", "f", 7, 7])).toBeNull();
    expect(filled([97, 100, "b", "e", "c", "f", 7, 7])).toBeNull();
    expect(filled(["a", "d", "b", "e", "c", "f", 7])).not.toBeNull();
    expect(filled(["a", "d", "b", "e", "c", "f", 7, 0])).not.toBeNull();
  });

  test("what a literal does not know fails: a key, a padding value, a name to ignore", () => {
    expect(run("trueRank", { shape: { ...shape, pages: 2 } }, { error: { kind: "Fatal" } })).toContain('"pages"');
    expect(run("trueRank", { shape: { type: "f32", dims: [2], tiles: [] } }, { error: { kind: "Fatal" } })).toContain('"m2m"');
    expect(run("trueRank", { shape: { ...shape, padding_value: "TWO_PAD" } }, { error: { kind: "Fatal" } })).toContain("TWO_PAD");
    expect(run("equal", { a: shape, b: shape, ignore: ["colour"] }, { expect: true })).toContain("colour");
  });

  test("beyond 2^53 - 1 bytes a shape may be refused, in a literal and in a text; values and buffers are no sizes", () => {
    const refuses: Operations = {
      o: operation(["shape", "text", "values", "buffer"], () => {
        throw new OutOfRangeError("too large");
      }),
    };
    const refused = (args: JsonObject): string | null => run("o", args, { expect: 1 }, refuses);
    expect(refused({ shape: { type: "f32", dims: [2 ** 51] } })).toBeNull();
    expect(refused({ shape: { tuple: [{ type: "f64", dims: [2 ** 25, 2 ** 25, "?"] }] } })).toBeNull();
    expect(refused({ text: "(f32[2251799813685248], s32[])" })).toBeNull();
    expect(refused({ text: "(s8[2251799813685248], s32[<=4])" })).not.toBeNull();
    expect(refused({ shape: { type: "pred", dims: [2 ** 51] } })).not.toBeNull();
    expect(refused({ buffer: [2 ** 30, 2 ** 30], values: [2 ** 30, 2 ** 30] })).not.toBeNull();
  });
});

describe("the scope of a case", () => {
  test("a buffer left behind is a failure, even when the answer is right", () => {
    const leaked: TensorBuffer[] = [];
    const leaking = saying(() => {
      leaked.push(new Buffer("float32", cpuAllocator(), 1));
      return 1;
    });
    expect(run("test.op", {}, { expect: 1 }, leaking)).toBe("got 1 buffers left behind want 0");
    leaked[0]?.unref();
  });
});

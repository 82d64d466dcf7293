// The rules of the runner: one test for each way in which it could silently pass a case that is wrong.
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

/** Runs one case. Returns null if it passed, otherwise the text of its failure line. */
const run = (op: string, args: JsonObject, rest: JsonObject, known: Operations = operations): string | null =>
  runCase(toCase({ id: "x/1", op, args, ...rest }, "test"), known);

/** An operation `test.op` that calls `answer`. */
const answering = (answer: () => unknown, answerKey?: string): Operations => ({
  "test.op": operation(["dims", "start", "values"], answer, answerKey),
});

/** Runs a case whose operation returns `answer`. */
const judgeAnswer = (answer: unknown, expected: Json, args: JsonObject = {}, answerKey?: string): string | null => {
  const known = answering(() => answer, answerKey);
  return run("test.op", args, { expect: expected }, known);
};

/** Runs a case whose operation throws `error`. */
const judgeError = (error: unknown, rest: JsonObject, args: JsonObject = {}): string | null => {
  const known = answering(() => {
    throw error;
  });
  return run("test.op", args, rest, known);
};

describe("unknown names fail the case", () => {
  test("an operation, even if an error is expected", () => {
    expect(run("shape.fold", {}, { expect: true })).toContain("shape.fold");
    expect(run("toString", {}, { error: { code: "CHECK" } })).toContain("toString");
  });

  test.each<[string, JsonObject, string]>([
    ["slice.parse", { text: "x", base: 10 }, '"base"'],
    ["tensor.view", { dtype: "DT_FLOAT", shape: [2], view: { kind: "vec", stride: 2 } }, '"stride"'],
    ["tensor.script", { steps: [["melt", "a"]] }, "melt"],
    ["tensor.script", { steps: [["default", "a", 7]] }, "2 operands"],
    ["shape.run", { class: "TensorShape", init: [1], steps: [["Fold", 0]] }, "Fold"],
    ["dtype.info", { dtype: "DT_FLOAT128" }, "DT_FLOAT128"],
    ["equal", { a: { type: "f32", dims: [2], pages: 2 }, b: { type: "f32", dims: [2] } }, '"pages"'],
  ])("in the arguments of %s: %j, even if an error is expected", (op, args, name) => {
    expect(run(op, args, { error: { code: "CHECK" } })).toContain(name);
  });

  test("a key of the expectation, and a check of a script", () => {
    expect(run("slice.parse", { text: "-" }, { expect: { rank: 1, color: "red" } })).toContain('"color"');
    expect(run("tensor.script", { steps: [["default", "a"]] }, { expect: { checks: [["color", "a", 1]] } })).toContain("color");
  });

  test.each<[JsonObject, string]>([
    [{ expects: { rank: 1 } }, 'nobody judges "expects"'],
    [{ toString: { rank: 1 } }, 'nobody judges "toString"'],
    [{ tf_defects: true }, 'nobody judges "tf_defects"'],
    [{ error: { code: "INTERNAL", message: "x" } }, 'nobody judges "message"'],
    [{ tf_defect: "yes" }, '"tf_defect" is neither'],
    [{ unchecked: 1 }, '"unchecked" is neither'],
    [{ era: 2018 }, '"era" is not a text'],
  ])("a key of the case or a value of the wrong type: %j", (more, problem) => {
    const plain = { id: "x/1", op: "slice.parse", args: { text: "-" }, expect: { rank: 1 }, note: "for people" };
    const verdict = (vector: JsonObject): string | null => runCase(parseVectors(JSON.stringify([vector]), "test")[0]!, operations);
    expect(verdict(plain)).toBeNull();
    expect(verdict({ ...plain, ...more })).toContain(problem);
  });
});

test("a case without an id is called by its suite and name; without those it fails", () => {
  const [named, plain] = parseVectors(
    '[{"suite":"text","name":"full","op":"slice.parse","args":{"text":"-"},"expect":{}},{"op":"slice.parse","expect":{}}]',
    "v",
  );
  expect([named?.id, named?.problem]).toEqual(["text/full", undefined]);
  expect(runCase(named!, operations)).toBeNull();
  expect(runCase(plain!, operations)).toContain('v[1]: a case has no "id"');
});

describe("errors", () => {
  test("the code must be equal; CHECK matches every StatusError and nothing else", () => {
    const error = new InvalidArgumentError("no");
    expect(judgeError(error, { error: { code: "INVALID_ARGUMENT" } })).toBeNull();
    expect(judgeError(error, { error: { code: "INTERNAL" } })).toBe('got INVALID_ARGUMENT "no" want INTERNAL');
    expect(judgeError(error, { error: { code: "CHECK", contains: "yes" } })).toBeNull();
    expect(judgeError(new TypeError("no"), { error: { code: "CHECK" } })).toContain("TypeError");
  });

  test("the message must contain every number of `contains`; the words may differ", () => {
    const error = new InvalidArgumentError("expected 2 dimensions, got 3 of -1");
    const judge = (contains: string): string | null => judgeError(error, { error: { code: "CHECK", contains } });
    expect(judge("rank 3 is not 2; first is -1")).toBeNull();
    expect(judge("at most 30")).toContain("lacks 30");
    expect(judge("size 1")).toContain("lacks 1");
  });

  test("a result where an error is expected fails, and an error where a result is expected", () => {
    expect(run("slice.parse", { text: "-" }, { error: { code: "INVALID_ARGUMENT" } })).toBe("got a result want INVALID_ARGUMENT");
    expect(run("slice.parse", { text: "1" }, { expect: { rank: 1 } })).toMatch(/^got INVALID_ARGUMENT .* want \{"rank":1\}$/);
  });

  test("with `error` and `expect` both are judged: the error, and the state after it", () => {
    const error = { code: "INTERNAL", contains: "" };
    const judge = (slice: string, after: Json): string | null =>
      run("slice.slice_shape", { slice, shape: [4, 5] }, { error, expect: { result_shape_after: after } });
    expect(judge("1,2:0,9", [])).toBeNull();
    expect(judge("1,2:0,9", [1, 2])).toBe("after the failure: result_shape_after: got [] want [1,2]");
    expect(judge("1,2:0,5", [])).toContain("got a result");
  });

  test("if the operation reports no state, an `expect` beside `error` fails, except null", () => {
    const error = { code: "INVALID_ARGUMENT" };
    const refused = new InvalidArgumentError("no");
    expect(judgeError(refused, { error, expect: { rank: 1 } })).toContain('"rank"');
    expect(judgeError(refused, { error, expect: 5 })).toContain("want 5");
    expect(judgeError(refused, { error, expect: null })).toBeNull();
  });
});

describe("results", () => {
  test("the keys listed in `expect` are compared; the others are not even read", () => {
    const refuse = (): never => {
      throw new InternalError("was read");
    };
    const answer = { a: () => 1, b: refuse };
    expect(judgeAnswer(answer, { a: 1 })).toBeNull();
    expect(judgeAnswer(answer, { a: 2 })).toBe("a: got 1 want 2");
    expect(judgeAnswer(answer, { b: 1 })).toContain("was read");
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
    [[1, 2], JSON.parse("[2, 1]") as Json],
    [[1], JSON.parse("[1, 2]") as Json],
    [{ a: 1 }, [1]],
    [null, false],
    [undefined, "OK"],
  ])("%p does not match %p", (got, expected) => {
    expect(judgeAnswer(got, expected)).not.toBeNull();
  });

  test.each<[unknown, Json]>([
    [-0, "-0"],
    [Number.NaN, "NaN"],
    [9223372036854775807n, "9223372036854775807"],
    [7n, 7],
    [new TextEncoder().encode("é"), "é"],
    [Uint8Array.of(0xff, 0), { hex: "ff00" }],
    [null, null],
  ])("%p matches %p", (got, expected) => {
    expect(judgeAnswer(got, expected)).toBeNull();
  });

  test("a text with strings that are not UTF-8, as bytes", () => {
    const tensor = { dtype: "DT_STRING", shape: [2], values: ["é", { hex: "ff" }] };
    const shown = "Tensor<type: string shape: [2] values: \xc3\xa9 \xff>";
    const hex = (text: string): JsonObject => ({ expect: { hex: globalThis.Buffer.from(text, "latin1").toString("hex") } });
    expect(run("tensor.debug_string", tensor, hex(shown))).toBeNull();
    expect(run("tensor.debug_string", { ...tensor, num_values: 1 }, { expect: "Tensor<type: string shape: [2] values: é...>" })).toBeNull();
    expect(run("tensor.debug_string", tensor, hex(shown.replace("\xff", "\xfe")))).toContain("want");
    expect(run("variant.debug_string", { tensor }, hex(`Variant<type: tensorflow::Tensor value: ${shown}>`))).toBeNull();
  });

  test("in the bytes of a shape only `..` matches any byte", () => {
    const bytes = (hex: string): string | null =>
      run("shape.run", { class: "TensorShape", init: [2, 3], steps: [] }, { expect: { bytes: hex } });
    expect(bytes("02000300..................000200")).toBeNull();
    expect(bytes("02000400..................000200")).not.toBeNull();
    expect(bytes("0200030000000000000000000000020")).not.toBeNull();
  });

  test.each<[string, string, string, string]>([
    ["DT_FLOAT", '[0.1, "NaN"]', '[0.1, "NaN"]', "[0.1, 0]"],
    ["DT_FLOAT", '["-0", 1]', '["-0", 1]', "[0, 1]"],
    ["DT_INT64", '["9007199254740993", 1]', '["9007199254740993", 1]', '["9007199254740992", 1]'],
    ["DT_STRING", '["a", {"hex": "ff"}]', '["a", {"hex": "ff"}]', '["a", "c"]'],
    ["DT_COMPLEX64", '[[1, 2], [3, "-0"]]', '[[1, 2], [3, "-0"]]', "[[1, 2], [3, 0]]"],
    ["DT_BOOL", "[true, false]", "[true, false]", "[true, true]"],
  ])("elements of %s %s match %s and not %s", (dtype, set, right, wrong) => {
    const steps = JSON.parse(`[["new", "t", "${dtype}", [2]], ["set_values", "t", ${set}]]`) as Json;
    const judge = (values: string): string | null =>
      run("tensor.script", { steps }, { expect: { checks: [["values", "t", JSON.parse(values) as Json]] } });
    expect(judge(right)).toBeNull();
    expect(judge(wrong)).not.toBeNull();
  });

  test("a list without order is compared with its multiplicities", () => {
    const args = JSON.parse('{"shape": [2], "dtype": "DT_FLOAT", "register": [["0,1", "a"], ["1,1", "b"]], "query": "-"}') as JsonObject;
    const judge = (results: string): string | null =>
      run("sliceset.query", args, { expect: { results_any_order: JSON.parse(results) as Json } });
    expect(judge('[["1,1", "b"], ["0,1", "a"]]')).toBeNull();
    expect(judge('[["0,1", "a"], ["0,1", "a"]]')).not.toBeNull();
    expect(judge('[["0,1", "a"]]')).not.toBeNull();
  });

  test("an XLA shape is compared as a whole; omitted keys have their defaults", () => {
    const shape = { type: "f32", dims: [2, 3], m2m: [0, 1] };
    const judge = (expected: Json): string | null => run("parseShape", { text: "f32[2,3]{0,1}" }, { expect: expected });
    expect(judge(shape)).toBeNull();
    expect(judge({ ...shape, dyn: [false, false], tiles: [], mem: 0 })).toBeNull();
    for (const other of [{ type: "f32", dims: [2, 3] }, { ...shape, m2m: [1, 0] }, { ...shape, mem: 1 }, { tuple: [shape] }, null])
      expect(judge(other)).not.toBeNull();
  });

  test("a case of 2017 is run with the rules of 2017: a scalar needs no layout", () => {
    const shape = { type: "f32", dims: [] };
    const judge = (op: string, args: JsonObject, era: string): string | null => run(op, args, { expect: true, era });
    for (const [op, args] of [
      ["validate", { shape }],
      ["hasLayout", { shape }],
      ["equal", { a: shape, b: { ...shape, m2m: [] } }],
    ] as const) {
      expect(judge(op, args, "2017")).toBeNull();
      expect(judge(op, args, "current")).not.toBeNull();
    }
  });

  test("the padding of an XLA buffer is compared", () => {
    const args = { shape: { type: "u8", dims: [3], m2m: [0], padded: [4] }, values: ["a", "b", "c"], fill: 7 };
    expect(run("layoutBuffer", args, { expect: ["a", 98, "c", 7] })).toBeNull();
    expect(run("layoutBuffer", args, { expect: ["a", "b", "c", 0] })).not.toBeNull();
    expect(run("layoutBuffer", args, { expect: ["a", "b", "c"] })).not.toBeNull();
  });

  test("a buffer that is not freed fails the case, even if the result is right", () => {
    const leaked: TensorBuffer[] = [];
    const leaking = answering(() => {
      leaked.push(new Buffer("float32", cpuAllocator(), 1));
      return 1;
    });
    expect(run("test.op", {}, { expect: 1 }, leaking)).toBe("got 1 buffers left behind want 0");
    leaked[0]?.unref();
  });
});

describe("sizes above 2^53 - 1", () => {
  const big = "9223372036854775807";
  const refused = new OutOfRangeError("too large");
  const refuse = (args: JsonObject): string | null => judgeError(refused, { error: { code: "INTERNAL", contains: "12" } }, args);

  test("INVALID_ARGUMENT and OUT_OF_RANGE pass, and the answers false and null; other results must match", () => {
    expect(refuse({ dims: [big] })).toBeNull();
    expect(judgeError(new InvalidArgumentError("no"), { expect: 5 }, { start: big })).toBeNull();
    expect(judgeError(new InternalError("no"), { error: { code: "OUT_OF_RANGE" } }, { dims: [big] })).not.toBeNull();
    expect(judgeAnswer(5, 4, { dims: [big] })).toBe("got 5 want 4");
    expect(judgeAnswer(false, true, { dims: [big] })).toBeNull();
    expect(judgeAnswer(false, true, { dims: [8] })).not.toBeNull();
    expect(judgeAnswer({ ok: () => false }, { ok: true }, { dims: [big] }, "ok")).toBeNull();
    expect(judgeAnswer({ ok: () => false }, { ok: true }, { dims: [big] })).not.toBeNull();
  });

  test("only dimensions, their products and byte sizes count; zeros and element values do not", () => {
    expect(refuse({ dims: [2 ** 27, 2 ** 27] })).toBeNull();
    expect(refuse({ dims: [2 ** 26, 2 ** 26] })).not.toBeNull();
    expect(refuse({ dims: [0, 2 ** 27, 2 ** 27] })).not.toBeNull();
    expect(refuse({ values: [big] })).not.toBeNull();
    const grow = (dim: number): string | null =>
      run("shape.run", { class: "TensorShape", init: [2 ** 30], steps: [["AddDim", dim]] }, { expect: { rank: 2 } });
    expect([grow(2 ** 30), grow(-1) === null]).toEqual([null, false]);
  });

  test("the byte size of a tensor and of an XLA shape counts", () => {
    const refusing = operation(["shape", "dtype", "text", "buffer"], () => {
      throw refused;
    });
    const judge = (op: string, args: JsonObject): string | null => run(op, args, { expect: 1 }, { [op]: refusing });
    expect(judge("tensor.info", { dtype: "DT_DOUBLE", shape: [2 ** 52] })).toBeNull();
    expect(judge("tensor.info", { dtype: "DT_UINT8", shape: [2 ** 52] })).not.toBeNull();
    expect(judge("o", { shape: { type: "f32", dims: [2 ** 51] } })).toBeNull();
    expect(judge("o", { text: "(f32[2251799813685248], s32[])" })).toBeNull();
    expect(judge("o", { text: "(s8[2251799813685248], s32[<=4])" })).not.toBeNull();
    expect(judge("o", { buffer: [2 ** 30, 2 ** 30] })).not.toBeNull();
  });
});

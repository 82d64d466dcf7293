// Shape and layout text: printing, parsing, errors with their column, and malicious input.
import { describe, expect, test } from "@jest/globals";
import { kMaxShapeDepth, kUnboundedSize, Layout, parseLayout, parseShape, Shape, ShapeUtil, SplitConfig } from "@onebuffer/xla";
import { expectStatus, stopwatch } from "@onebuffer/test-support";

describe("printing", () => {
  test.each<[Shape, string, string]>([
    [Shape.array("f32", [2, 3]), "f32[2,3]", "f32[2,3]"],
    [ShapeUtil.makeShape("f32", [2, 3]), "f32[2,3]", "f32[2,3]{1,0}"],
    [ShapeUtil.makeShape("f8e4m3fn", []), "f8e4m3fn[]", "f8e4m3fn[]"],
    [Shape.array("f32", [], { layout: new Layout([], { tiles: [[256]] }) }), "f32[]", "f32[]{:T(256)}"],
    [Shape.array("f32", [kUnboundedSize, 4, 5], { dynamicDimensions: [true, true, false] }), "f32[?,<=4,5]", "f32[?,<=4,5]"],
    [Shape.opaque(), "opaque[]", "opaque[]"],
    [Shape.token(), "token[]", "token[]"],
    [Shape.tuple([]), "()", "()"],
    [Shape.buffer(ShapeUtil.makeShape("f32", [5])), "b(f32[5])", "b(f32[5]{0})"],
    [
      Shape.tuple(Array.from({ length: 6 }, () => Shape.token())),
      "(token[], token[], token[], token[], token[], /*index=5*/token[])",
      "(token[], token[], token[], token[], token[], /*index=5*/token[])",
    ],
    [Shape.invalid(), "primitive_type_invalid[]", "primitive_type_invalid[]"],
  ])("%s", (shape, plain, withLayout) => {
    expect(shape.toString()).toBe(plain);
    expect(shape.toString(true)).toBe(withLayout);
  });

  test("prints every property of a layout in XLA's order", () => {
    const layout = new Layout([1, 0], {
      tiles: [
        [8, 128],
        [2, 1],
      ],
      tailPaddingAlignmentInElements: 7,
      elementSizeInBits: 4,
      memorySpace: 5,
      splitConfigs: [new SplitConfig(0, [3]), new SplitConfig(1, [0, 4])],
      dynamicShapeMetadataPrefixBytes: 64,
      dimLevelTypes: [0, 1],
      dimUnique: [true, false],
      dimOrdered: [true, false],
      indexPrimitiveType: 8,
      pointerPrimitiveType: 7,
      physicalShape: ShapeUtil.makeShape("f32", [2]),
    });
    const text = "{1,0:D(D,C+~)T(8,128)(2,1)L(7)#(u32)*(u16)E(4)S(5)SC(0:3)(1:0,4)P(f32[2]{0})M(64)}";
    expect(layout.toString()).toBe(text);
    expect(parseLayout(text).toString()).toBe(text);
    expect(parseLayout(text).equals(layout)).toBe(true);
  });
});

describe("parsing", () => {
  test("allows blanks and comments between any tokens", () => {
    const spaced =
      "/* a shape */ ( f32 [ <= 2 , 3 ]\n{ 0 , 1 : T ( 2 , * , 4 ) ( 8 ) S ( 5 ) SC ( 0 : 1 , 2 ) } ,\r\n\t// the rest\n b ( s8 [ ] ) /**/)//";
    expect(parseShape(spaced).toString(true)).toBe("(f32[<=2,3]{0,1:T(2,*,4)(8)S(5)SC(0:1,2)}, b(s8[]))");
  });

  test("an array without a layout gets the default one", () => {
    expect(parseShape("(f32[2,3,4])").toString(true)).toBe("(f32[2,3,4]{2,1,0})");
  });

  test.each([
    "{0:D(H)}",
    "{1,0:D(D,C)}",
    "{3,2,1,0:#(u32)}",
    "{3,2,1,0:*(u16)}",
    "{0:D(C~)}",
    "{}",
    "{:T(256)}",
    "{0:P((f32[2]{0}, u32[3]{0}))}",
  ])("layout text %s is printed again as it was", (text) => {
    expect(parseLayout(text).toString()).toBe(text);
  });

  test("does not print levels that are all dense, unique and ordered", () => {
    expect(parseLayout("{1,0:D(D,D)}").toString()).toBe("{1,0}");
    expect(parseShape("f32[2,3]{1,0:D(D,D)}").toString(true)).toBe("f32[2,3]{1,0}");
  });

  test("a comment ends behind its beginning", () => {
    expect(parseShape("f32[2]/* a */{0}").toString(true)).toBe("f32[2]{0}");
    expectStatus(() => parseShape("f32[2]/*/{0}"), "INVALID_ARGUMENT", "comment");
  });
});

describe("refused text and the column in the error", () => {
  test.each<[text: string, column: number, says: string]>([
    ["", 1, "a primitive type"],
    ["f32", 4, "'['"],
    ["f32[", 5, "a dimension size"],
    ["f32[2,3", 8, "']'"],
    ["f32[2,,3]", 7, "','"],
    ["f32[2,]", 7, "']'"],
    ["f32[-1]", 5, "'-1'"],
    ["f32[<=-1]", 7, "'-1'"],
    ["f32[-9223372036854775808]", 5, "not negative"],
    ["f32[9007199254740992]", 5, "9007199254740992"],
    ["f32[2.5]", 6, "'.'"],
    ["f32[2]{}", 7, "Extra content after shape"],
    ["f32[2]{foo}", 7, "Extra content after shape"],
    ["f32[2] f32[3]", 8, "Extra content after shape"],
    ["f32[2])", 7, "Extra content after shape"],
    ["f32[123,456]dense{foo}", 13, "Extra content after shape"],
    ["(f32[2]", 8, "')'"],
    ["(f32[2],)", 9, "a primitive type"],
    ["(,)", 2, "','"],
    ["b(f32[2]", 9, "')'"],
    ["b(token[])", 1, "array shape"],
    ["b((f32[2]))", 1, "array shape"],
    ["xyz[2]", 1, "'xyz'"],
    ["F32[2]", 1, "'F32'"],
    ["tuple[]", 1, "'tuple'"],
    ["buffer[]", 1, "'buffer'"],
    ["primitive_type_invalid[]", 1, "primitive_type_invalid"],
    ["token[1]", 7, "'1'"],
    ["opaque[]{0}", 9, "Extra content"],
    ["f32[2,3]{0}", 9, "Dimensions size is 2, but minor to major size is 1."],
    ["f32[2,3]{0,0}", 9, "duplicate values"],
    ["f32[2,3]{0,2}", 9, "out-of-bounds value 2"],
    ["f32[2,3]{0,-1}", 9, "out-of-bounds value -1"],
    ["f32[2,3]{0,1:T()}", 16, "a tile entry"],
    ["f32[2,3]{0,1:T(0)}", 9, "invalid tiles: (0)"],
    ["f32[2,3]{0,1:T(-1)}", 16, "'*'"],
    ["f32[2,3]{0,1:T(-7)}", 16, "-7"],
    ["f32[2,3]{0,1:T}", 15, "'('"],
    ["f32[2,3]{0,1:E(4)T(2)}", 18, "D T L # * E S SC P M"],
    ["f32[2,3]{0,1:S(1)S(2)}", 18, "'S'"],
    ["f32[2,3]{0,1:E(-4)}", 9, "element_size_in_bits"],
    ["f32[2,3]{0,1:L(0)}", 9, "tail_padding_alignment_in_elements"],
    ["f32[2,3]{0,1:Q(0)}", 14, "'Q'"],
    ["f32[2,3]{0,1:SC(0)}", 18, "':'"],
    ["f32[2,3]{0,1:#(u33)}", 16, "'u33'"],
    ["f32[2]{0:D(X)}", 12, "'X'"],
    ["f32[2]{0:D(C)}", 7, "dim_level_types"],
    ["f32[2]{0:D(D,D)}", 7, "dim_level_types"],
    ["f32[2]{0:D(D+)}", 7, "dim_unique"],
    ["f32[2]{0:D(D~)}", 7, "dim_ordered"],
    ["f32[2]{0:#(u32)}", 7, "index_primitive_type"],
    ["f32[2]{0:*(u32)}", 7, "pointer_primitive_type"],
    ["f32[2]{0:P(f32[1])}", 7, "physical_shape"],
    ["f32[2147483648,1073741824,0]", 1, "overflow"],
    ["(s8[1], s8[4294967296,2147483648])", 9, "overflow"],
    ["f32[2]$", 7, "'$'"],
    ["f32[2] /* open", 8, "unterminated comment"],
    ["f32[2]{0:T(2)", 14, "'}'"],
  ])("%s", (text, column, says) => {
    expectStatus(() => parseShape(text), "INVALID_ARGUMENT", `at column ${column}:`, says);
  });

  test("an error on a later line names line and column and shows the line", () => {
    expectStatus(
      () => parseShape("(f32[2],\n  f32[x])"),
      "INVALID_ARGUMENT",
      "at line 2, column 7: expected a dimension size, got 'x'\n    f32[x])\n        ^",
    );
  });

  test("an error in a long line shows only the surroundings", () => {
    try {
      parseShape(`(${"f32[1],".repeat(1000)}!`);
      expect("an error").toBe("thrown");
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(300);
      expect((error as Error).message).toContain("column 7002: unexpected character '!'");
    }
  });

  test.each(["{", "{0", "{0,", "{0}x", "0}", "{0:}x", "{0:D()}", "{0:SC}", "{0:P(}", "{0:M(1}"])("refuses the layout text %s", (text) => {
    expectStatus(() => parseLayout(text), "INVALID_ARGUMENT", "Invalid layout text at column");
  });

  test("refuses a value that is not a string", () => {
    for (const value of [undefined, null, 3, {}, []])
      expectStatus(() => parseShape(value as unknown as string), "INVALID_ARGUMENT", typeof value);
  });
});

describe("malicious text", () => {
  test("refuses deep nesting before the stack overflows", () => {
    expect(parseShape("(".repeat(kMaxShapeDepth) + ")".repeat(kMaxShapeDepth)).depth).toBe(kMaxShapeDepth);
    for (const open of ["(", "b(", "f32[1]{0:P("]) expectStatus(() => parseShape(open.repeat(1_000_000)), "INVALID_ARGUMENT", "100 levels");
  });

  test("parses long text in linear time", () => {
    const milliseconds = stopwatch();
    parseShape(`f32[${"1,".repeat(10_000)}1]`);
    parseShape(`(${"f32[2]{0:T(4)}, ".repeat(3000)}f32[])`);
    parseShape(`${"/**/ ".repeat(50_000)}f32[]${" //\n".repeat(50_000)}`);
    expectStatus(() => parseShape(`f32[${"9".repeat(1_000_000)}]`), "INVALID_ARGUMENT", "beyond 2^53 - 1");
    expect(milliseconds()).toBeLessThan(3000);
  });
});

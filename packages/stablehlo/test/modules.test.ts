/** The tests of the text of modules. What the text means is checked by JAX: `npm run interop -- --xla`. */
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import { toStableHLO } from "@onebuffer/stablehlo";

test("a module has an argument per leaf and a result per expression", () => {
  const x = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
  const { text } = toStableHLO([x.mul(x).add(1)], { leaves: () => ({ name: "x" }) });
  expect(text.split("\n")).toEqual([
    "module @main {",
    '  func.func public @main(%x: tensor<3xf32> loc("x")) -> (tensor<3xf32>) {',
    '    %multiply.0 = stablehlo.multiply %x, %x : tensor<3xf32> loc("mul#1")',
    '    %c.2 = stablehlo.constant dense<1.0> : tensor<3xf32> loc("add#3")',
    '    %add.3 = stablehlo.add %multiply.0, %c.2 : tensor<3xf32> loc("add#3")',
    "    return %add.3 : tensor<3xf32>",
    "  }",
    "}",
    "",
  ]);
});

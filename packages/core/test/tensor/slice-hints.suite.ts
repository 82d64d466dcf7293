/** An error of one kind of slice names the two other kinds. */
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { refusal } from "@onebuffer/test-support";

const kRows = "tensor.slice(start, limit) takes rows";
const kRanges = "map.slice([start, stop, step], …) takes one range per dimension (an expression; a view on a map.strided())";
const kText = 'strided("start:stop:step, …") of a tensor or map';

test.each<[string, (t: Tensor<"float32">) => unknown, readonly string[], string]>([
  ["tensor.slice of a range", (t) => t.slice([0, 2] as never), [kRanges, kText], kRows],
  ["tensor.slice of a text", (t) => t.slice("0:2" as never), [kRanges, kText], kRows],
  ["tensor.slice with a text as limit", (t) => t.slice(0, "2" as never), [kRanges, kText], kRows],
  ["tensor.slice with a limit from the end", (t) => t.slice(0, -1), [kRanges, kText], kRows],
  ["map.slice of numbers", (t) => t.matrix().slice(0 as never, 2 as never), [kRows, kText], kRanges],
  ["map.slice of a text", (t) => t.matrix().slice("0:2" as never), [kRows, kText], kRanges],
  ["map.slice with too many ranges", (t) => t.matrix().slice([0], [0], [0]), [kRows, kText], kRanges],
  ["map.slice with a fraction", (t) => t.matrix().slice([0.5]), [kRows, kText], kRanges],
  ["map.slice with a step of 0", (t) => t.matrix().slice([0, 1, 0]), [kRows, kText], kRanges],
  ["a strided map's slice of numbers", (t) => t.strided().slice(0 as never), [kRows, kText], kRanges],
  ["strided of a number", (t) => t.strided(0 as never), [kRows, kRanges], kText],
  ["strided of a range", (t) => t.strided([0, 2] as never), [kRows, kRanges], kText],
  ["strided of a text that is none", (t) => t.strided("0-2"), [kRows, kRanges], kText],
  ["strided with too many indices", (t) => t.strided("0, 0, 0"), [kRows, kRanges], kText],
  ["strided with a second ellipsis", (t) => t.strided("..., ..."), [kRows, kRanges], kText],
  ["strided with a step of 0", (t) => t.strided("::0"), [kRows, kRanges], kText],
  ["strided with an index outside", (t) => t.matrix().strided("7"), [kRows, kRanges], kText],
])("%s", (_, call, others, own) => {
  using t = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  const { message } = refusal(() => call(t));
  for (const words of others) expect(message).toContain(words);
  expect(message).not.toContain(own);
});

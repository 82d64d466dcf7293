// Numbers for the nodes of trees: expressions store theirs, others are listed; and expressions that a program has frozen, or has in a Proxy.
import { expect, test } from "@jest/globals";
import { tensorMap, treeOf } from "@onebuffer/eigen";
import type { ExpressionTree } from "@onebuffer/eigen";
import { NodeNumbers } from "@onebuffer/expression/internal";

const map = (...elements: number[]) => tensorMap("float32", Float32Array.from(elements), [elements.length]);
const maps = (count: number): ExpressionTree[] => Array.from({ length: count }, (_, k) => treeOf(map(k)));
const sums = (count: number): ExpressionTree[] => Array.from({ length: count }, (_, k) => treeOf(map(k).add(1)));

const proxied = (node: ExpressionTree): ExpressionTree => new Proxy(node, {});
const numbered = (nodes: readonly ExpressionTree[], numbers: NodeNumbers = new NodeNumbers()): NodeNumbers => {
  for (const node of nodes) numbers.add(node);
  return numbers;
};
const numbersOf = (nodes: readonly ExpressionTree[], numbers: NodeNumbers): number[] => nodes.map((node) => numbers.of(node));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

test.each([1, 23, 24, 25, 26, 60])("%i maps and as many expressions have the numbers in which they were added", (count) => {
  const nodes = [...maps(count), ...sums(count)].sort((a, b) => (a.dtype + a.op < b.dtype + b.op ? -1 : 1));
  const numbers = numbered(nodes);
  expect(numbersOf(nodes, numbers)).toEqual(upTo(2 * count));
  expect(numbersOf([...maps(2), ...sums(2)], numbers)).toEqual([-1, -1, -1, -1]);
  numbers.clear();
  expect(numbersOf(nodes, numbers)).toEqual(nodes.map(() => -1));
  const others = [...sums(3), ...maps(3)];
  numbered(others, numbers);
  expect([numbersOf(others, numbers), numbers.count]).toEqual([upTo(6), 6]);
});

test("a list of many nodes is as good as new when they have lost their numbers", () => {
  const [x, nodes, few] = [map(1), [] as ExpressionTree[], sums(5)];
  for (let k = 0; k < 5000; k++) nodes.push(treeOf(x.add(k)));
  const numbers = numbered(nodes);
  expect([numbers.of(nodes[4999]!), numbers.count]).toEqual([4999, 5000]);
  numbers.clear();
  numbered(few, numbers);
  expect([...numbersOf(few, numbers), numbers.of(nodes[4999]!), numbers.of(nodes[5]!)]).toEqual([...upTo(5), -1, -1]);
});

test("a second walk takes the numbers of expressions, and leaves those of maps", () => {
  const [expressions, leaves] = [sums(3), maps(3)];
  const first = numbered([...leaves, ...expressions]);
  const second = numbered([...expressions].reverse());
  expect(numbersOf(expressions, second)).toEqual([2, 1, 0]);
  expect(numbersOf([...leaves, ...expressions], first)).toEqual([0, 1, 2, -1, -1, -1]);
});

test("frozen expressions, and Proxies beside the expressions that they pass numbers on to, have numbers of their own", () => {
  const expressions = sums(4);
  numbered(expressions);
  const frozen = sums(30).map((each) => Object.freeze(each));
  const nodes = [...expressions, ...expressions.map(proxied), ...frozen, ...sums(30).map(proxied), ...expressions.map(proxied)];
  const numbers = numbered(nodes);
  expect(numbersOf(nodes, numbers)).toEqual(upTo(nodes.length));
  const proxies = sums(2).map((each) => [proxied(each), each] as const);
  numbered(proxies.flat(), numbers);
  expect(numbersOf(proxies.flat(), numbers)).toEqual(proxies.flat().map((_, k) => nodes.length + k));
});

test("expressions that a program has frozen are assigned again and again", () => {
  const x = map(1, 2, 3);
  const out = map(0, 0, 0);
  const total = tensorMap("float32", new Float32Array(1), []);
  const twice = Object.freeze(x.add(x));
  const sum = Object.freeze(twice.mul(twice).sum());
  for (let k = 0; k < 3; k++) {
    out.assign(twice);
    total.assign(sum);
    expect([out.toArray(), total.toArray()]).toEqual([[2, 4, 6], 56]);
  }
  expect([Object.isFrozen(treeOf(sum).inputs), treeOf(sum).inputs.length, twice.dimensions]).toEqual([true, 1, [3]]);
});

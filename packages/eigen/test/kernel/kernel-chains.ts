// Expressions that are different kernels, by the thousand.
import type { ExpressionTree } from "@onebuffer/eigen";

/** Trees are put together from tables here, which no type follows. */
type Any = ReturnType<typeof JSON.parse>;

const binary = ["add", "sub", "mul", "maximum", "minimum", "div"];
const unary = ["neg", "abs", "square", "sqrt", "floor", "ceil"];

/** How many chains there are. */
export const kChains: number = 6 ** 6;

/** Six operations over three maps, by the digits of a number. */
export function chainNumber(number: number, [a, b, c]: readonly Any[]): ExpressionTree {
  let rest = number;
  const digit = (): number => {
    const found = rest % 6;
    rest = (rest - found) / 6;
    return found;
  };
  let chain = a;
  for (const other of [b, c, a]) {
    chain = chain[binary[digit()]!](other);
    chain = chain[unary[digit()]!]();
  }
  return chain;
}

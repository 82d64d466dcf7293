// Thousands of expressions that each need another kernel.
import type { ExpressionTree } from "@onebuffer/eigen";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const binary = ["add", "sub", "mul", "maximum", "minimum", "div"];
const unary = ["neg", "abs", "square", "sqrt", "floor", "ceil"];

/** The number of different chains. */
export const kChains: number = 6 ** 6;

/** Returns the chain of six operations over three maps that the base-6 digits of a number choose. */
export function chainNumber(number: number, [a, b, c]: readonly Any[]): ExpressionTree {
  let digits = number;
  const digit = (): number => {
    const last = digits % 6;
    digits = (digits - last) / 6;
    return last;
  };
  let chain = a;
  for (const other of [b, c, a]) {
    chain = chain[binary[digit()]!](other);
    chain = chain[unary[digit()]!]();
  }
  return chain;
}

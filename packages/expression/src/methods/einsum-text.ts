/**
 * einsum-text: the subscripts of einsum (NumPy's format).
 *
 *     "bij,bjk->bik"     two operands, output b i k
 *     "ij,jk"            the output has the labels that occur once, in alphabetical order: i k
 *     "...ij,...jk"      the axes that an ellipsis stands for come first in the output
 *
 * An ellipsis becomes labels of its own, counted from the right: "2", "1", "0" for three axes. So it needs no rules of its own later.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";

/** The labels of the axes of the operands and of the result. */
export interface Subscripts {
  readonly operands: readonly (readonly string[])[];
  readonly output: readonly string[];
}

/** Returns the error about a text, with the text. */
export function einsumError(text: string, reason: string): InvalidArgumentError {
  return new InvalidArgumentError(`einsum(${JSON.stringify(text)}): ${reason}`);
}

/** The subscripts of texts that were parsed before, of at most so many. A program has few texts, and parses them again and again. */
const known: Map<string, Subscripts> = new Map();
const kMostKnown = 256;

/** Returns the labels of a text for these operands. Throws INVALID_ARGUMENT, with the text, if it is malformed or does not fit them. */
export function parseSubscripts(text: string, operands: readonly ExpressionTree[]): Subscripts {
  const before = known.get(text);
  // The labels depend on nothing but the text and the ranks.
  if (before?.operands.length === operands.length && before.operands.every((labels, k) => labels.length === sizesOf(operands[k]!).length))
    return before;
  const subscripts = parsed(text, operands);
  if (known.size === kMostKnown) known.clear();
  known.set(text, subscripts);
  return subscripts;
}

function parsed(text: string, operands: readonly ExpressionTree[]): Subscripts {
  const [left = "", right, ...more] = text.replaceAll(" ", "").split("->");
  if (more.length > 0) throw einsumError(text, '"->" is there twice');
  const terms = left.split(",");
  if (terms.length !== operands.length) {
    throw einsumError(text, `the text has ${count(terms.length, "operand")}, the call has ${operands.length}`);
  }
  const inputs = terms.map((term, k) => labelsOf(text, term, operands[k]!));
  const dots = Math.max(0, ...inputs.map((labels) => labels.filter(isDot).length));
  const all = inputs.flat();
  const broadcast = Array.from({ length: dots }, (_, d) => String(dots - 1 - d));
  if (right === undefined) {
    const once = all.filter((label) => !isDot(label) && all.indexOf(label) === all.lastIndexOf(label));
    return { operands: inputs, output: [...broadcast, ...once.sort()] };
  }
  const subscripts = split(text, right);
  const output = subscripts.includes("...") ? subscripts.flatMap((label) => (label === "..." ? broadcast : [label])) : subscripts;
  for (let k = 0; k < output.length; k++) {
    const label = output[k] as string;
    if (output.indexOf(label) !== k) throw einsumError(text, `the output has the label ${label} twice`);
    if (!all.includes(label)) throw einsumError(text, `the output has the label ${label}, which no operand has`);
  }
  const isMissing = dots > 0 && !right.includes("...");
  if (isMissing) throw einsumError(text, `the output lacks the ellipsis, which stands for ${count(dots, "axis", "axes")} here`);
  return { operands: inputs, output };
}

/** An axis that an ellipsis stands for has a number as its label. */
const isDot = (label: string): boolean => label >= "0" && label < "A";

const isLetter = (label: string): boolean => (label >= "a" && label <= "z") || (label >= "A" && label <= "Z");

const count = (n: number, one: string, several: string = `${one}s`): string => `${n} ${n === 1 ? one : several}`;

/** Returns the labels of a term and "..." for an ellipsis. */
function split(text: string, term: string): string[] {
  const labels: string[] = [];
  for (let at = 0; at < term.length; at += labels.at(-1)!.length) {
    const label = term.startsWith("...", at) ? "..." : (term[at] as string);
    if (label !== "..." && !isLetter(label)) throw einsumError(text, `${JSON.stringify(label)} is not a letter or "..."`);
    labels.push(label);
  }
  const first = labels.indexOf("...");
  if (first >= 0 && labels.includes("...", first + 1)) throw einsumError(text, `"${term}" has two ellipses`);
  return labels;
}

/** Returns the labels of an operand's axes. */
function labelsOf(text: string, term: string, operand: ExpressionTree): string[] {
  const labels = split(text, term);
  const { length } = sizesOf(operand);
  const hasDots = labels.includes("...");
  const dots = length - labels.length + (hasDots ? 1 : 0);
  if (dots < 0 || (dots > 0 && !hasDots)) {
    const named = count(labels.length - (hasDots ? 1 : 0), "label");
    throw einsumError(text, `"${term}" has ${named}, the operand ${shownOperand(operand)} has ${count(length, "axis", "axes")}`);
  }
  if (!hasDots) return labels;
  return labels.flatMap((label) => (label === "..." ? Array.from({ length: dots }, (_, d) => String(dots - 1 - d)) : [label]));
}

// The gradient of every operation in one line: of an elementwise operation its rule itself, run on texts instead of expressions; of the
// others the field `gradient` of the record. The build writes them to dist/gradient-lines.json, for the explorer; docs/gradients.md has them as
// a table, which `node packages/expression/tools/operation-rows.mjs` writes and house/gradients-page.suite.js checks.
//
//   tanh: ({ g, y, at }) => g.sub(g.mul(at.conjugate(y.square())))        ->        g - g * y ** 2
import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const compiledOps = fileURLToPath(new URL("../dist/records/ops/", import.meta.url));

/** How tightly a text holds together, from the loosest. */
const kChoice = 0;
const kComparison = 1;
const kSum = 2;
const kProduct = 3;
const kSign = 4;
const kPower = 5;
const kWhole = 6;

/** The operators that are written between their operands: the sign, what holds it together, and what each operand needs. */
const kInfix = {
  add: ["+", kSum, kSum, kSum],
  sub: ["-", kSum, kSum, kProduct],
  mul: ["*", kProduct, kProduct, kSign],
  div: ["/", kProduct, kProduct, kSign],
  pow: ["**", kPower, kWhole, kSign],
  equal: ["==", kComparison, kSum, kSum],
  notEqual: ["!=", kComparison, kSum, kSum],
  less: ["<", kComparison, kSum, kSum],
  lessEqual: ["<=", kComparison, kSum, kSum],
  greater: [">", kComparison, kSum, kSum],
  greaterEqual: [">=", kComparison, kSum, kSum],
};

/** Constants that have a name. */
const kConstants = new Map([
  [Math.LN2, "ln(2)"],
  [Math.LN10, "ln(10)"],
  [2 / Math.sqrt(Math.PI), "(2 / sqrt(pi))"],
  [-2 / Math.sqrt(Math.PI), "(-2 / sqrt(pi))"],
  [Math.sqrt(Math.PI) / 2, "(sqrt(pi) / 2)"],
]);

/** The composed operations that have a rule of their own, in expression/gradients/composite-gradients.ts; and maximum with the constant 0. */
export const kComposedLines = {
  softmax: "`y * g - y * sum(y * g)`, along the axis",
  logSoftmax: "`g - exp(y) * sum(g)`, along the axis",
  logSumExp: "`g * softmax(x)`, over the axes",
  convolve: "images: a convolution of g with the filters reversed; filters: the patches times g",
  maxPool: "g of a window, shared equally by its elements that are the extreme, added up where windows overlap",
  relu: "`y > 0 ? g : 0`, which reads only the result",
};

const levelOf = (operand) => (typeof operand === "object" && !Array.isArray(operand) ? operand.level : kWhole);

function textOf(operand) {
  if (Array.isArray(operand)) return operand[0] === 0 && operand[1] === 1 ? "i" : `(${operand.join(" + ")} i)`;
  return typeof operand === "number" ? (kConstants.get(operand) ?? String(operand)) : operand.text;
}

/** Returns the text of an operand, in parentheses if it holds together less than its place needs. */
function within(operand, needs) {
  const text = textOf(operand);
  return levelOf(operand) < needs ? `(${text})` : text;
}

/** Returns a value that stands for an expression in a rule: every operation on it makes a text. */
function written(text, level = kWhole) {
  const value = { text, level, dtype: "the dtype", dimensions: [] };
  return new Proxy(value, {
    get(target, name) {
      if (typeof name !== "string" || name in target) return target[name];
      return (...others) => applied(name, [value, ...others]);
    },
  });
}

function applied(name, operands) {
  const [x, z] = operands;
  // The operands of a rule have the dtype that it needs: a cast is of no interest here.
  if (name === "cast") return written(x.text, x.level);
  if (name === "neg") return written(`-${within(x, kSign)}`, kSign);
  if (name === "square") return written(`${within(x, kWhole)} ** 2`, kPower);
  // Rules subtract a negative number for the sign of a zero, which a formula does not show.
  if (name === "sub" && typeof z === "number" && z < 0) return applied("add", [x, -z]);
  const infix = kInfix[name];
  if (infix !== undefined) return written(`${within(x, infix[2])} ${infix[0]} ${within(z, infix[3])}`, infix[1]);
  return written(`${name}(${operands.map(textOf).join(", ")})`);
}

/** The functions that rules get. Conjugates are left out: the page says where they stand. */
const functionsFor = (isComplex) => ({
  select: (condition, then, otherwise) =>
    written(`${within(condition, kComparison)} ? ${within(then, kComparison)} : ${within(otherwise, kComparison)}`, kChoice),
  conjugate: (value) => value,
  isComplex: () => isComplex,
  realConstant: () => null,
});

/** Returns the line of an elementwise operation's rule, for real or for complex numbers. */
function lineFor(rule, isUnary, isComplex) {
  const [g, x, z, y] = ["g", "x", "z", "y"].map((name) => written(name));
  const at = functionsFor(isComplex);
  const code = (gradient) => (gradient === null ? "0" : `\`${gradient.text}\``);
  if (isUnary) return code(rule({ g, x, y, at }));
  const [first, second] = rule({ g, x, z, y, at }).map((make) => code(make === null ? null : make()));
  return first === second ? `${first} for both` : `x: ${first}; z: ${second}`;
}

/** Returns the line of an elementwise operation. */
function ruleLine(name, { class: opClass, dtypes }, rule) {
  if (rule === undefined) throw new Error(`the rule of ${name} was not found`);
  if (rule === "none") return "none";
  const line = (isComplex) => lineFor(rule, opClass === "unary", isComplex);
  if (dtypes === "complex") return line(true);
  const real = line(false);
  if (!/numbers|complex/.test(dtypes) || line(true) === real) return real;
  return `${real}; of complex numbers ${line(true)}`;
}

/** Returns the rules of elementwise operations by name. */
async function elementwiseRules() {
  const modules = await Promise.all(
    readdirSync(compiledOps)
      .filter((name) => name.endsWith(".js"))
      .map((name) => import(pathToFileURL(compiledOps + name).href)),
  );
  const tables = modules.flatMap((each) => Object.entries(each)).filter(([name]) => name.endsWith("Gradients"));
  return Object.assign({}, ...tables.map(([, rules]) => rules));
}

/**
 * Returns the line of each operation that has operands, in the order of the op table, from the compiled records. "none": it has no gradient.
 */
export async function gradientLines(records, whole) {
  const rules = await elementwiseRules();
  const elementwise = Object.entries(records).map(([name, record]) => [name, ruleLine(name, record, rules[name])]);
  const others = Object.entries(whole).filter(([, each]) => !["leaf", "generator", "random"].includes(each.class));
  return Object.fromEntries([...elementwise, ...others.map(([name, { gradient }]) => [name, gradient])]);
}

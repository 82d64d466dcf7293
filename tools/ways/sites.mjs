// The comparisons in the source that choose between two ways of doing something: `size <= kSmall`, `run >= 16`. A site is a comparison by
// `<`, `<=`, `>` or `>=` with a named constant (`kName`), with an expression of named constants, or with a number from 3 on.
//
// Two kinds of comparison choose nothing and are left out: the condition of a loop, and the condition of an `if` that does nothing but
// refuse its subject.
import { parse } from "@babel/parser";

const kOperators = new Set(["<", "<=", ">", ">="]);

/** The least number without a name that is taken for a threshold. Comparisons with 0, 1 and 2 are about emptiness, rank and parity. */
const kLeastNumber = 3;

/** Returns the names of constants in an expression, or null if it has anything but names of constants, numbers and arithmetic. */
function constantNames(node) {
  if (node.type === "Identifier") return /^k[A-Z]/.test(node.name) ? [node.name] : null;
  if (node.type === "NumericLiteral") return [];
  if (node.type === "UnaryExpression" && node.operator === "-") return constantNames(node.argument);
  if (node.type !== "BinaryExpression" || !["+", "-", "*", "/", "**", "<<"].includes(node.operator)) return null;
  const [left, right] = [constantNames(node.left), constantNames(node.right)];
  return left === null || right === null ? null : [...left, ...right];
}

/** Returns the name by which the table knows the constant side of a comparison: its first named constant or its number. */
function thresholdOf(node, text) {
  const names = constantNames(node);
  if (names !== null) {
    if (names.length > 0) return names[0];
    const value = Number(new Function(`return ${text.slice(node.start, node.end)}`)());
    return value >= kLeastNumber ? text.slice(node.start, node.end) : null;
  }
  // `4 * kShortRow`, and a constant times something that varies.
  if (node.type === "BinaryExpression" && ["*", "/", "+", "-"].includes(node.operator))
    for (const side of [node.left, node.right]) if ((constantNames(side)?.length ?? 0) > 0) return constantNames(side)[0];
  return null;
}

/** True if a statement does nothing but throw, or call a function that does. */
function refuses(statement, text) {
  const inner = statement.type === "BlockStatement" ? statement.body.at(-1) : statement;
  if (inner === undefined) return false;
  if (inner.type === "ThrowStatement") return true;
  const call = /^(?:return )?(?:this\.)?#?(\w+)\(/.exec(text.slice(inner.start, inner.end))?.[1] ?? "";
  return /^(?:fail|refuse|malformed|cutShort)/.test(call);
}

/** True if a comparison is the condition of a loop, or only decides whether its subject is refused. */
function choosesNothing(node, parents, text) {
  for (let k = parents.length - 1; k >= 0; k--) {
    const parent = parents[k];
    if (["ForStatement", "WhileStatement", "DoWhileStatement"].includes(parent.type))
      return parent.test !== null && parent.test.start <= node.start && node.end <= parent.test.end;
    if (parent.type === "IfStatement")
      return parent.test.start <= node.start && node.end <= parent.test.end && refuses(parent.consequent, text);
    if (parent.type.endsWith("Statement") || parent.type.includes("Function") || parent.type === "VariableDeclaration") return false;
  }
  return false;
}

/** An operator, as the compiler writes it. */
const kOperatorPlaces = / [<>]=?(?=\s)/g;

/** Calls `visit` with every node below a node that has one of the places in its text, and with the list of its parents. */
function walk(node, places, parents, visit) {
  const inside = places.filter((place) => node.start <= place && place < node.end);
  if (inside.length === 0) return;
  visit(node, parents);
  parents.push(node);
  for (const key in node) {
    const value = node[key];
    if (value === null || typeof value !== "object") continue;
    for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === "string") walk(child, inside, parents, visit);
  }
  parents.pop();
}

/** A line of a comment, which has no comparison. */
const kCommentLine = /^\s*(?:\/\/|\/?\*)/;

/** A constant with a name, or a number from 3 on. */
const kConstant = /\bk[A-Z]|\b(?:[3-9]|\d[\w.]+)/;

/** A comparison in the head of a loop with `let`: `; i < n;` */
const kLoopTest = /; [\w.]+ [<>]=? [\w.]+;/g;

/**
 * True if a module may have a comparison with a threshold: a line with an operator, and a constant in it, or in a line beside it if the operator
 * is at its end. Seven tenths of the modules have none, and parsing them would take most of the time.
 */
function mayHaveSites(text) {
  const lines = text.split("\n").map((line) => (kCommentLine.test(line) ? "" : line.replaceAll(kLoopTest, ";")));
  return lines.some((line, i) => / [<>]=?(?: |$)/.test(line) && kConstant.test(/[<>]=?$/.test(line) ? line + lines[i + 1] : line));
}

/**
 * Returns the sites of a module of compiled JavaScript, in the order of their places: `{ start, end, left, right, operator, threshold }`,
 * where `left` and `right` are pairs of places and `threshold` is the name of the constant.
 */
export function sitesOf(text) {
  if (!mayHaveSites(text)) return [];
  const sites = [];
  const places = [...text.matchAll(kOperatorPlaces)].map(({ index }) => index);
  const { program } = parse(text, { sourceType: "module", attachComment: false, plugins: ["explicitResourceManagement"] });
  walk(program, places, [], (node, parents) => {
    if (node.type !== "BinaryExpression" || !kOperators.has(node.operator)) return;
    if (constantNames(node.left) !== null && constantNames(node.right) !== null) return;
    const threshold = thresholdOf(node.right, text) ?? thresholdOf(node.left, text);
    if (threshold === null || choosesNothing(node, parents, text)) return;
    const place = ({ start, end }) => [start, end];
    sites.push({ start: node.start, end: node.end, left: place(node.left), right: place(node.right), operator: node.operator, threshold });
  });
  return sites.sort((a, b) => a.start - b.start);
}

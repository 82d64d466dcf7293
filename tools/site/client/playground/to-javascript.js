// A program of the playground as JavaScript that reports its results: types are removed, `using` becomes try and finally, which all browsers
// have, and statements whose value a comment states are shown. Lines stay where they are, so that errors have the right ones.
//
//   EXPR; // => EXPECTED      $show(line, EXPR, "EXPECTED")
//   EXPR; // throws CODE      await $throws(line, "CODE", async () => { EXPR; })
import { parser } from "@lezer/javascript";

const typescript = parser.configure({ dialect: "ts" });

/** Nodes that are types and nothing else. */
const kTypes = new Set([
  "TypeAnnotation",
  "TypePredicate",
  "TypeParamList",
  "TypeArgList",
  "InterfaceDeclaration",
  "TypeAliasDeclaration",
  "Optional",
  "Definite",
]);
/** Words before members and parameters of classes that JavaScript lacks. */
const kModifiers = new Set(["Privacy", "readonly", "abstract", "declare", "override"]);
/** Methods that write: their result is the target, which need not be shown. */
const kWriters = /\.(?:\w*[aA]ssign\w*|set|fill\w*|dispose|copyFrom|push|log)\($/;

/** Insertions stand before what is removed at their place; of two removals the longer one counts. */
const isInsertion = ({ from, to }) => (from === to ? 0 : 1);
const compareEdits = (a, b) => a.from - b.from || isInsertion(a) - isInsertion(b) || b.to - a.to || a.order - b.order;

/** The edits of a text, which are made at once. */
class Edits {
  #list = [];

  remove(from, to) {
    this.#list.push({ from, to, text: null });
  }

  insert(at, text) {
    this.#list.push({ from: at, to: at, text });
  }

  replace(from, to, text) {
    this.#list.push({ from, to, text });
  }

  /** Returns the edited text. Within a removed part nothing else is edited; its line breaks stay. */
  applyTo(code) {
    let out = "";
    let at = 0;
    const sorted = this.#list.map((edit, order) => ({ ...edit, order })).sort(compareEdits);
    for (const { from, to, text } of sorted) {
      if (from < at) continue;
      out += code.slice(at, from) + (text ?? code.slice(from, to).replace(/[^\n]/g, ""));
      at = to;
    }
    return out + code.slice(at);
  }
}

/** Returns the specifiers of an import as a pattern of destructuring, without types. */
function importPattern(text) {
  const star = /\*\s*as\s+(\w+)/.exec(text);
  if (star !== null) return star[1];
  const names = (/\{([^}]*)\}/.exec(text)?.[1] ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => each.replace(/\s+as\s+/, ": "));
  const own = /^import\s+(\w+)/.exec(text)?.[1];
  if (own !== undefined && own !== "type") names.unshift(`default: ${own}`);
  return `{ ${names.join(", ")} }`;
}

/** Returns the children of a node. */
function childrenOf(node) {
  const children = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** Writes one program. */
class Writer {
  #code;
  #edits = new Edits();
  /** Where scopes with `using` begin, and the blocks that have one. */
  #scopes = new Map();
  /** The last expression or declaration that ends in a line. */
  #statements = new Map();
  /** Errors of the grammar, as lines. */
  mistakes = [];

  constructor(code) {
    this.#code = code;
  }

  write() {
    const tree = typescript.parse(this.#code);
    const comments = [];
    tree.iterate({
      enter: (ref) => {
        const { node } = ref;
        if (node.type.isError) this.mistakes.push(this.#lineOf(node.from));
        if (node.name === "LineComment") comments.push(node);
        return this.#enter(node);
      },
    });
    const said = new Set(comments.flatMap((comment) => this.#said(comment)));
    for (const node of this.#statements.values()) if (!said.has(node.from) && node.parent?.name === "Script") this.#showPlain(node);
    for (const block of this.#scopes.values()) this.#openScope(block);
    const body = this.#edits.applyTo(this.#code);
    return `export default async ($import, $scope, $show, $throws, $seen, console) => { ${body}\n}`;
  }

  #lineOf(at) {
    return this.#code.slice(0, at).split("\n").length;
  }

  #text(node) {
    return this.#code.slice(node.from, node.to);
  }

  /** Edits what a node means; false if nothing within it is looked at. */
  #enter(node) {
    const { name, from, to } = node;
    if (kTypes.has(name)) return this.#cut(node);
    if (kModifiers.has(name) && /^(?:PropertyDeclaration|MethodDeclaration|ParamList|ClassDeclaration)$/.test(node.parent.name)) {
      this.#edits.remove(from, to);
      return undefined;
    }
    switch (name) {
      case "ImportDeclaration":
        return this.#import(node);
      case "ExportDeclaration":
        this.#edits.remove(from, from + "export".length);
        return undefined;
      case "EnumDeclaration":
        throw new SyntaxError(`line ${this.#lineOf(from)}: the playground has no enums`);
      case "PropertyDeclaration":
      case "MethodDeclaration":
        return childrenOf(node).some((each) => each.name === "declare" || each.name === "abstract")
          ? this.#cut(node)
          : this.#properties(node);
      case "ClassDeclaration":
        return this.#implements(node);
      case "BinaryExpression":
        return this.#cast(node);
      case "PostfixExpression":
        if (node.lastChild.name === "LogicOp") this.#edits.remove(node.lastChild.from, node.lastChild.to);
        return undefined;
      case "VariableDeclaration":
      case "ExpressionStatement":
        this.#statements.set(this.#lineOf(to), node);
        if (name === "VariableDeclaration") this.#using(node);
        return undefined;
      default:
        return undefined;
    }
  }

  #cut({ from, to }) {
    this.#edits.remove(from, to);
    return false;
  }

  #import(node) {
    const text = this.#text(node);
    const specifier = this.#text(node.getChild("String"));
    const lines = text.replace(/[^\n]/g, "");
    const isType = /^import\s+type\b/.test(text);
    this.#edits.replace(node.from, node.to, isType ? lines : `const ${importPattern(text)} = await $import(${specifier});${lines}`);
    return false;
  }

  /** A constructor's `readonly x` is also an assignment to `this.x`. */
  #properties(node) {
    const parameters = node.getChild("ParamList");
    const block = node.getChild("Block");
    if (parameters === null || block === null || this.#text(node.firstChild) !== "constructor") return undefined;
    const names = childrenOf(parameters).flatMap((each) =>
      each.name === "VariableDefinition" && kModifiers.has(each.prevSibling?.name ?? "") ? [this.#text(each)] : [],
    );
    this.#edits.insert(block.from + 1, names.map((each) => ` this.${each} = ${each};`).join(""));
    return undefined;
  }

  #implements(node) {
    const word = node.getChild("implements");
    const body = node.getChild("ClassBody");
    if (word !== null && body !== null) this.#edits.remove(word.from, body.from);
    return undefined;
  }

  #cast(node) {
    const word = node.getChild("as") ?? node.getChild("satisfies");
    if (word !== null) this.#edits.remove(word.from, node.to);
    return undefined;
  }

  #using(node) {
    const word = node.getChild("using");
    if (word === null) return;
    const equals = node.getChild("Equals");
    const value = equals?.nextSibling;
    if (value === null || value === undefined) return;
    this.#scopes.set(node.parent.from, node.parent);
    this.#edits.replace(node.firstChild.from, word.to, "const");
    this.#edits.insert(value.from, "$use.add(");
    this.#edits.insert(value.to, ")");
  }

  #openScope(block) {
    const isProgram = block.name === "Script";
    this.#edits.insert(isProgram ? 0 : block.from + 1, " const $use = $scope(); try {");
    this.#edits.insert(isProgram ? block.to : block.to - 1, "\n} catch ($e) { $use.fail($e); } finally { $use.end(); }");
  }

  /** Does what a comment says of the statement before it. Returns where that statement begins. */
  #said(comment) {
    const [, expected, code] = /^\/\/ (?:=> (.*)|throws ([A-Z_]+))$/.exec(this.#text(comment)) ?? [];
    const line = this.#lineOf(comment.from);
    const node = this.#statements.get(line);
    if (node === undefined || (expected === undefined && code === undefined)) return [];
    if (code !== undefined) {
      this.#edits.insert(node.from, `await $throws(${line}, "${code}", async () => { `);
      this.#edits.insert(node.to, " });");
    } else this.#show(node, JSON.stringify(expected));
    return [node.from];
  }

  #show(node, expected) {
    const line = this.#lineOf(node.from);
    if (node.name === "VariableDeclaration") {
      const name = node.getChild("VariableDefinition");
      if (name !== null) this.#edits.insert(node.to, ` $show(${line}, ${this.#text(name)}, ${expected});`);
      return;
    }
    const value = node.firstChild;
    this.#edits.insert(value.from, `$show(${line}, (`);
    this.#edits.insert(value.to, `), ${expected})`);
  }

  /** Shows the value of a statement without a comment, and how a named expression would be computed. */
  #showPlain(node) {
    if (node.name === "VariableDeclaration") {
      const name = node.getChild("VariableDefinition");
      if (name !== null) this.#edits.insert(node.to, ` $seen(${this.#lineOf(node.from)}, "${this.#text(name)}", ${this.#text(name)});`);
      return;
    }
    const value = node.firstChild;
    if (value === null || /^(?:AssignmentExpression|UpdateExpression|PostfixExpression)$/.test(value.name)) return;
    if (value.name === "CallExpression" && kWriters.test(this.#text(value).slice(0, value.getChild("ArgList").from - value.from + 1)))
      return;
    this.#show(node, "null");
  }
}

/** Returns the module of a program. Throws SyntaxError for what it cannot run. */
export function toJavaScript(code) {
  const writer = new Writer(code);
  const text = writer.write();
  if (writer.mistakes.length > 0) throw new SyntaxError(`line ${writer.mistakes[0]} is not TypeScript`);
  return text;
}

/**
 * The small language of the panel "Expressions": numbers, names, lists, calls, methods, and the usual operators.
 *
 *     expression := sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *     sum        := product {("+" | "-") product}
 *     product    := power {("*" | "/" | "%" | "@") power}
 *     power      := "-" power | postfix ["**" power]
 *     postfix    := primary {"." name "(" arguments ")"}
 *     primary    := number | name | name "(" arguments ")" | "[" numbers "]" | "(" expression ")"
 */

/** A parsed expression. `at` is the place in the text, for errors. Operators are calls of the methods of their names. */
export type Node =
  | { readonly kind: "number"; readonly value: number; readonly at: number }
  | { readonly kind: "list"; readonly values: readonly number[]; readonly at: number }
  | { readonly kind: "name"; readonly name: string; readonly at: number }
  | { readonly kind: "call"; readonly name: string; readonly inputs: readonly Node[]; readonly at: number };

/** An error with its place in the text. */
export class ExpressionError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

interface Token {
  readonly text: string;
  readonly kind: "number" | "name" | "sign" | "end";
  readonly at: number;
}

const kToken = /\s*(?:(\d+(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?)|([A-Za-z_]\w*)|(\*\*|<=|>=|==|!=|[-+*/%@<>()[\],.]))/iy;
const kCompare: Readonly<Record<string, string>> = {
  "<": "less",
  "<=": "lessEqual",
  ">": "greater",
  ">=": "greaterEqual",
  "==": "equal",
  "!=": "notEqual",
};
const kSum: Readonly<Record<string, string>> = { "+": "add", "-": "sub" };
const kProduct: Readonly<Record<string, string>> = { "*": "mul", "/": "div", "%": "mod", "@": "matMul" };
/** The deepest nesting, so that a long text cannot exhaust the stack. */
const kDeepest = 100;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  kToken.lastIndex = 0;
  for (let end = 0; ; end = kToken.lastIndex) {
    const match = kToken.exec(text);
    if (match === null) {
      const at = end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);
      if (at < text.length) throw new ExpressionError(`${JSON.stringify(text[at])} has no meaning here`, at);
      tokens.push({ text: "", kind: "end", at: text.length });
      return tokens;
    }
    const [whole, number, name, sign] = match;
    const token = number ?? name ?? sign ?? "";
    tokens.push({
      text: token,
      kind: number !== undefined ? "number" : name !== undefined ? "name" : "sign",
      at: match.index + whole.length - token.length,
    });
  }
}

/** Parses an expression. Throws an ExpressionError. */
export function parseExpression(text: string): Node {
  return new Parser(tokensOf(text)).whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Node {
    const node = this.#expression();
    const { kind, text, at } = this.#token;
    if (kind !== "end") throw new ExpressionError(`${JSON.stringify(text)} is too much`, at);
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }

  #accept(sign: string): boolean {
    const { kind, text } = this.#token;
    if (kind !== "sign" || text !== sign) return false;
    this.#next++;
    return true;
  }

  #expect(sign: string): void {
    const { kind, text, at } = this.#token;
    if (!this.#accept(sign))
      throw new ExpressionError(`${JSON.stringify(sign)} is missing${kind === "end" ? "" : ` before ${JSON.stringify(text)}`}`, at);
  }

  #expression(): Node {
    if (++this.#depth > kDeepest) throw new ExpressionError(`nested more than ${kDeepest} levels deep`, this.#token.at);
    const left = this.#chain(kSum, () => this.#chain(kProduct, () => this.#power()));
    const { kind, text, at } = this.#token;
    const name = kind === "sign" ? kCompare[text] : undefined;
    if (name !== undefined) this.#next++;
    const node: Node =
      name === undefined
        ? left
        : { kind: "call", name, inputs: [left, this.#chain(kSum, () => this.#chain(kProduct, () => this.#power()))], at };
    this.#depth--;
    return node;
  }

  #chain(names: Readonly<Record<string, string>>, part: () => Node): Node {
    let left = part();
    for (;;) {
      const { kind, text, at } = this.#token;
      const name = kind === "sign" ? names[text] : undefined;
      if (name === undefined) return left;
      this.#next++;
      left = { kind: "call", name, inputs: [left, part()], at };
    }
  }

  #power(): Node {
    const { at } = this.#token;
    if (this.#accept("-")) {
      if (++this.#depth > kDeepest) throw new ExpressionError(`nested more than ${kDeepest} levels deep`, at);
      const inner = this.#power();
      this.#depth--;
      return inner.kind === "number" ? { ...inner, value: -inner.value, at } : { kind: "call", name: "neg", inputs: [inner], at };
    }
    const base = this.#postfix();
    const sign = this.#token;
    return this.#accept("**") ? { kind: "call", name: "pow", inputs: [base, this.#power()], at: sign.at } : base;
  }

  #postfix(): Node {
    let node = this.#primary();
    while (this.#accept(".")) {
      const { kind, text, at } = this.#token;
      if (kind !== "name") throw new ExpressionError("the name of a method is missing", at);
      this.#next++;
      this.#expect("(");
      node = { kind: "call", name: text, inputs: [node, ...this.#inputs()], at };
    }
    return node;
  }

  #primary(): Node {
    const { kind, text, at } = this.#token;
    if (kind === "number") {
      this.#next++;
      return { kind, value: Number(text), at };
    }
    if (kind === "name") {
      this.#next++;
      return this.#accept("(") ? { kind: "call", name: text, inputs: this.#inputs(), at } : { kind, name: text, at };
    }
    if (this.#accept("[")) return this.#list(at);
    if (this.#accept("(")) {
      const node = this.#expression();
      this.#expect(")");
      return node;
    }
    throw new ExpressionError(kind === "end" ? "the expression ends too early" : `${JSON.stringify(text)} cannot begin a value`, at);
  }

  /** Reads the inputs of a call after its opening parenthesis. */
  #inputs(): Node[] {
    const inputs: Node[] = [];
    if (this.#accept(")")) return inputs;
    do inputs.push(this.#expression());
    while (this.#accept(","));
    this.#expect(")");
    return inputs;
  }

  #list(at: number): Node {
    const values: number[] = [];
    if (!this.#accept("]")) {
      do {
        const item = this.#power();
        if (item.kind !== "number") throw new ExpressionError("a list has numbers only", item.at);
        values.push(item.value);
      } while (this.#accept(","));
      this.#expect("]");
    }
    return { kind: "list", values, at };
  }
}

// Templates of the methods `at` and `set` for one rank: the hot code of the map classes.
//
// All checks are one condition, which chooses between the element's slot and a slot that is always outside the array
// (0x3ffffffe: kMaxSmallSlots in packages/storage/src/geometry/map-storage.ts). Reading outside gives `undefined`, and the test for `undefined` is the
// only branch that throws. An engine that has never seen it taken compiles the loop without it, so a loop over `at` has no exits, and
// loop-invariant code is hoisted out of it. A detached buffer gives the same `undefined`.
//
// `set` reads before it writes for the same reason: the read costs nothing, and a write outside the array would be ignored silently.
// `typeof` costs nothing either, and refuses bigints, on which `|` would throw. `arguments.length` costs nothing and refuses surplus
// indices; only the length may be used, because passing `arguments` on would allocate an object at every call.
//
// The drawback: after `at` or `set` of a class has refused an index or met a detached buffer once, the engine keeps the test for
// `undefined`, and loops over that method are about three times slower from then on. docs/contributing/maps.md explains the mechanism
// and what was tried against it.
//
// The owner is tested between the first index and the others because that order was fastest on both Node 20 and 24. `Math.imul` and `| 0`
// avoid overflow checks.

/** Returns the index names of a rank: i, j, k, … */
const indexNames = (rank) => ["i", "j", "k", "l", "m", "n"].slice(0, rank);

/** Returns the expression for the slot of an element, given the expression of its flat index. */
export function place(kind, flat) {
  if (kind.form === "complex") return `(this.base + ${flat}) << 1`;
  if (kind.form === "unaligned") return `Math.imul(this.base + ${flat}, bytes)`;
  return `(this.base + ${flat}) | 0`;
}

/**
 * Returns the expression for the flat index of an element: (i * d1 + j) * d2 + k in row-major order, or i * s0 + j * s1 + k * s2 with
 * strides. The products wrap at 32 bits, which the numbers of these classes never reach.
 */
function flatIndex(rank, strided) {
  const names = indexNames(rank);
  if (strided) return names.map((name, d) => `Math.imul(${name}, s${d})`).join(" + ");
  let flat = names[0] ?? "0";
  for (let d = 1; d < rank; d++) flat = `Math.imul(${flat}, ${d === rank - 1 ? "inner" : `this.d${d}`}) + ${names[d]}`;
  return flat;
}

/** Returns the condition that the indices are valid and the memory was not freed. `values` is the number of arguments after the indices. */
function inside(rank, values, strided) {
  const names = indexNames(rank);
  const counted = `arguments.length === ${rank + values}`;
  const alive = "this.owner.refs !== 0";
  if (rank === 0) return `${counted} && ${alive}`;
  const size = (d) => ((strided || d > 0) && d === rank - 1 ? "inner" : `this.d${d}`);
  const tests = names.map((name, d) => `${name} >>> 0 < ${size(d)} && (${name} | 0) === ${name}`);
  return [counted, ...names.map((name) => `typeof ${name} === "number"`), tests[0], alive, ...tests.slice(1)].join(" && ");
}

/**
 * Returns the statements that read all fields a strided slot depends on before the first test. A loop then keeps them in registers, which
 * made `at` 1.05 to 1.1 times as slow as without strides, instead of 1.2 to 1.4.
 */
function stridedFields(rank) {
  const strides = Array.from({ length: rank }, (_, d) => `const s${d} = this.s${d}; `).reverse();
  return `    const inner = this.d${rank - 1};\n    ${strides.join("")}const base = this.base;\n`;
}

/**
 * Returns the statement `const place = …`: the slot of the element, or the slot outside the array if a check fails. `values` is the
 * number of arguments after the indices, `more` is appended to the condition, and `before` is inserted before the statement.
 */
function placeOf(kind, rank, values, strided, more = "", before = "") {
  const flat = rank === 0 ? "0" : rank === 1 && !strided ? "i" : flatIndex(rank, strided);
  const condition = `${inside(rank, values, strided)}${more}`;
  const own = strided && rank > 0;
  const wide = own ? stridedFields(rank) : rank < 2 ? "" : `    const inner = this.d${rank - 1};\n`;
  const where =
    rank === 0
      ? ({ complex: "this.base << 1", unaligned: "this.base * bytes" }[kind.form] ?? "this.base")
      : place(kind, flat).replace("this.base", own ? "base" : "this.base");
  return `${wide}${before}    const place = ${condition}
      ? ${where} : 0x3ffffffe;\n`;
}

const parameters = (rank) => indexNames(rank).map((name) => `${name}: number`);

/** Returns the method `at` of a dense or strided map. */
export function atMethod(kind, rank, strided = false) {
  const list = indexNames(rank).join(", ");
  const head = `  at(${parameters(rank).join(", ")}): ${kind.element} {\n${placeOf(kind, rank, 0, strided)}`;
  const fail = `throw accessError(this, [${list}], arguments.length);\n`;
  const call = { object: "this.array[place]", unaligned: "this.codec.read(place)" }[kind.form];
  if (call !== undefined) return `${head}    if (place >= this.array.length) ${fail}    return ${call};\n  }\n`;
  if (kind.form === "complex") {
    return `${head}    const re = this.array[place];\n    if (re === undefined) ${fail}    return [re, this.array[place + 1] as number];\n  }\n`;
  }
  return `${head}    const raw = this.array[place];\n    if (raw === undefined) ${fail}    return ${kind.read("raw")};\n  }\n`;
}

/** Returns the method `set` of a dense or strided map. */
export function setMethod(kind, rank, strided = false) {
  const list = indexNames(rank).join(", ");
  const test = kind.form === "unaligned" ? "" : ` && ${kind.ok("value")}`;
  const viaArray = kind.form === "plain" || kind.form === "complex";
  const head = `  set(${[...parameters(rank), `value: ${kind.input}`].join(", ")}): void {\n${placeOf(kind, rank, 1, strided, test, viaArray ? "    const array = this.array;\n" : "")}`;
  const fail = `throw storeError(this, [${list}], value, arguments.length - 1);\n`;
  const call = { object: () => kind.store("place", "value"), unaligned: () => "this.codec.write(place, value)" }[kind.form]?.();
  if (call !== undefined) return `${head}    if (place >= this.array.length) ${fail}    ${call};\n  }\n`;
  const guard = `    if (array[place] === undefined) ${fail}`;
  if (kind.form === "complex") return `${head}${guard}    array[place] = value[0];\n    array[place + 1] = value[1];\n  }\n`;
  return `${head}${guard}    array[place] = ${kind.write("value")};\n  }\n`;
}

// The bodies of `at` and `set` for one rank: the hot code.
//
// All tests meet in one condition that chooses the place to read, or a place that is never inside. Reading there gives
// `undefined`, which is the only test that leaves the loop, and which an engine that has never seen it drops
// altogether. So a loop over `at` has no exits in it and what does not change is hoisted out of it. A detached buffer
// ends in the same `undefined`. `set` reads before it writes for the same reason: the read costs nothing, and a
// write outside would be lost in silence. `typeof` costs nothing either, and refuses bigints before `|` throws on them.
// Nor does `arguments.length`, which refuses an index too many; only the length may be used: handed on, `arguments` itself
// would become an object of every call.
//
// The price: once `at` or `set` of a class has refused an index or met a detached buffer, the engine stays prepared for `undefined`
// there, and loops over it are some three times slower from then on. docs/maps.md has the mechanism and what was tried against it. The
// owner is tested between the first index and the others because that order won on both Node 20 and 24; a write of `Math.imul` and
// `| 0` spares the overflow checks.

/** The index names of a rank: i, j, k, … */
const indexNames = (rank) => ["i", "j", "k", "l", "m", "n"].slice(0, rank);

/** What `start + offset` is in places of the array, for a flat index expression. */
export function place(kind, flat) {
  if (kind.form === "complex") return `(this.base + ${flat}) << 1`;
  if (kind.form === "unaligned") return `Math.imul(this.base + ${flat}, this.codec.bytes)`;
  return `(this.base + ${flat}) | 0`;
}

/**
 * Row-major ((i * d1 + j) * d2 + k), or i * s0 + j * s1 + k * s2 with strides: products wrap in 32 bits, which no map of these
 * classes reaches.
 */
function flatIndex(rank, strided) {
  const names = indexNames(rank);
  if (strided) return names.map((name, d) => `Math.imul(${name}, s${d})`).join(" + ");
  let flat = names[0] ?? "0";
  for (let d = 1; d < rank; d++) flat = `Math.imul(${flat}, ${d === rank - 1 ? "inner" : `this.d${d}`}) + ${names[d]}`;
  return flat;
}

/** The condition under which the indices are right and the memory is there. The owner's place in it was measured. */
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
 * With strides, all that the place needs is read before the first test: a loop then keeps it in registers, which made
 * `at` 1.05 to 1.1 times as slow as without strides instead of 1.2 to 1.4.
 */
function stridedFields(rank) {
  const strides = Array.from({ length: rank }, (_, d) => `const s${d} = this.s${d}; `).reverse();
  return `    const inner = this.d${rank - 1};\n    ${strides.join("")}const base = this.base;\n`;
}

/** `const k = …`: the place of the element, or one that is never inside. `values` are the arguments behind the indices. */
function placeOf(kind, rank, values, strided, more = "", before = "") {
  const flat = rank === 0 ? "0" : rank === 1 && !strided ? "i" : flatIndex(rank, strided);
  const condition = `${inside(rank, values, strided)}${more}`;
  const own = strided && rank > 0;
  const wide = own ? stridedFields(rank) : rank < 2 ? "" : `    const inner = this.d${rank - 1};\n`;
  const where =
    rank === 0
      ? ({ complex: "this.base << 1", unaligned: "this.base * this.codec.bytes" }[kind.form] ?? "this.base")
      : place(kind, flat).replace("this.base", own ? "base" : "this.base");
  return `${wide}${before}    const place = ${condition}
      ? ${where} : 0x3ffffffe;\n`;
}

const parameters = (rank) => indexNames(rank).map((name) => `${name}: number`);

/** The method `at`, of a map without strides unless told. */
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

/** The method `set`, of a map without strides unless told. */
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

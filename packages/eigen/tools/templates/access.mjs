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
// The price: once a class has refused an index or met a detached buffer, the engine stays prepared for `undefined` there,
// and loops over that class are some three times slower from then on. A branch that throws would avoid
// that and be slower always. The owner is tested between the first index and the others because that order won on both
// Node 20 and 24; a write of `Math.imul` and `| 0` spares the overflow checks.

/** The index names of a rank: i, j, k, … */
export const indexNames = (rank) => ["i", "j", "k", "l", "m", "n"].slice(0, rank);

/** What `start + offset` is in places of the array, for a flat index expression. */
export function place(kind, flat) {
  if (kind.form === "complex") return `(this.base + ${flat}) << 1`;
  if (kind.form === "unaligned") return `(this.base + Math.imul(${flat}, this.codec.bytes)) | 0`;
  return `(this.base + ${flat}) | 0`;
}

/** ((i * d1 + j) * d2 + k): products wrap in 32 bits, which no map of these classes reaches. */
function flatIndex(rank) {
  const names = indexNames(rank);
  let flat = names[0] ?? "0";
  for (let d = 1; d < rank; d++) flat = `Math.imul(${flat}, ${d === rank - 1 ? "inner" : `this.d${d}`}) + ${names[d]}`;
  return flat;
}

/** The condition under which the indices are right and the memory is there. The owner's place in it was measured. */
function inside(rank, values) {
  const names = indexNames(rank);
  const counted = `arguments.length === ${rank + values}`;
  const alive = "this.owner.refs !== 0";
  if (rank === 0) return `${counted} && ${alive}`;
  const size = (d) => (d > 0 && d === rank - 1 ? "inner" : `this.d${d}`);
  const tests = names.map((name, d) => `${name} >>> 0 < ${size(d)} && (${name} | 0) === ${name}`);
  return [[counted, ...names.map((name) => `typeof ${name} === "number"`)].join(" && "), tests[0], alive, ...tests.slice(1)].join(" &&\n      ");
}

/** `const k = …`: the place of the element, or one that is never inside. `values` are the arguments behind the indices. */
function placeOf(kind, rank, values, more = "", before = "") {
  const flat = rank === 0 ? "0" : rank === 1 ? "i" : flatIndex(rank);
  const condition = `${inside(rank, values)}${more}`;
  const wide = rank < 2 ? "" : `    const inner = this.d${rank - 1};\n`;
  const where = rank === 0 ? (kind.form === "complex" ? "this.base << 1" : "this.base") : place(kind, flat);
  return `${wide}${before}    const place =
      ${condition}
        ? ${where}
        : 0x3ffffffe;\n`;
}

const parameters = (rank) => indexNames(rank).map((name) => `${name}: number`);

/** The method `at`. */
export function atMethod(kind, rank) {
  const list = indexNames(rank).join(", ");
  const head = `  at(${parameters(rank).join(", ")}): ${kind.element} {\n${placeOf(kind, rank, 0)}`;
  const fail = `throw accessError(this, [${list}], arguments.length);\n`;
  if (kind.form === "object" || kind.form === "unaligned") {
    const value = kind.form === "object" ? "this.array[place]" : "this.codec.read(place)";
    return `${head}    if (place >= this.array.length) ${fail}    return ${value};\n  }\n`;
  }
  if (kind.form === "complex") {
    return `${head}    const re = this.array[place];\n    if (re === undefined) ${fail}    return [re, this.array[place + 1] as number];\n  }\n`;
  }
  return `${head}    const raw = this.array[place];\n    if (raw === undefined) ${fail}    return ${kind.read("raw")};\n  }\n`;
}

/** The method `set`. */
export function setMethod(kind, rank) {
  const list = indexNames(rank).join(", ");
  const test = kind.form === "unaligned" ? "" : ` &&\n      ${kind.ok("value")}`;
  const viaArray = kind.form === "plain" || kind.form === "complex";
  const head = `  set(${[...parameters(rank), `value: ${kind.input}`].join(", ")}): void {\n${placeOf(kind, rank, 1, test, viaArray ? "    const array = this.array;\n" : "")}`;
  const fail = `throw storeError(this, [${list}], value, arguments.length - 1);\n`;
  if (kind.form === "object") return `${head}    if (place >= this.array.length) ${fail}    ${kind.store("place", "value")};\n  }\n`;
  if (kind.form === "unaligned") {
    return `${head}    if (place >= this.array.length) ${fail}    this.codec.write(place, value);\n  }\n`;
  }
  const guard = `    if (array[place] === undefined) ${fail}`;
  if (kind.form === "complex") return `${head}${guard}    array[place] = value[0];\n    array[place + 1] = value[1];\n  }\n`;
  return `${head}${guard}    array[place] = ${kind.write("value")};\n  }\n`;
}

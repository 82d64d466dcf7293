// A value of a program as plain data that the page can draw.

/** The most elements that are sent to the page. */
const kMostElements = 1 << 16;
/** The most characters of a text. */
const kMostCharacters = 4000;

/** A list of numbers up to this length is shown as text. */
const kShortList = 12;

/** Reads a property that may not be there: tensors, maps and expressions throw for names of other libraries. */
function read(get) {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** Returns the sizes of a tensor, a map or an expression, undefined for other values. */
const sizesOf = (value) => [read(() => value.shape.dimSizes), read(() => value.dimensions), read(() => value.shape)].find(Array.isArray);

/** Returns true for an expression that is not a map: it has no elements yet. */
export const isExpression = (value) =>
  typeof value === "object" && value !== null && typeof read(() => value.dtype) === "string" && read(() => value.toArray) === undefined;

const shortened = (text) => (text.length > kMostCharacters ? `${text.slice(0, kMostCharacters)}…` : text);

/** Numbers as the page draws them: 64-bit integers become numbers, complex numbers their real parts and imaginary parts as texts. */
const plain = (value) => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return Number(value);
  return String(value);
};

/** Returns the sizes of nested arrays of numbers whose rows have equal lengths, null for other arrays. */
function listSizes(list) {
  if (list.length === 0) return null;
  if (list.every((each) => typeof each === "number")) return [list.length];
  if (!list.every((each) => Array.isArray(each) && each.length === list[0].length)) return null;
  const inner = list.map(listSizes);
  return inner.every((sizes) => sizes !== null && String(sizes) === String(inner[0])) ? [list.length, ...inner[0]] : null;
}

const countOf = (sizes) => sizes.reduce((product, size) => product * size, 1);

/** Returns `{ kind, ... }`: "array" with dtype, sizes and values, "expression" with its text, or "text". */
export function describe(value) {
  if (typeof value !== "object" || value === null)
    return { kind: "text", text: shortened(typeof value === "string" ? JSON.stringify(value) : String(value)) };
  const rows = Array.isArray(value) ? listSizes(value) : null;
  if (rows !== null && (rows.length > 1 || rows[0] > kShortList) && countOf(rows) <= kMostElements)
    return { kind: "array", dtype: "numbers", sizes: rows, values: value };
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return { kind: "text", text: shortened(textOf(value)) };
  const dtype = read(() => value.dtype);
  const sizes = sizesOf(value);
  if (typeof dtype !== "string" || sizes === undefined) return { kind: "text", text: shortened(textOf(value)) };
  const elements = countOf(sizes) <= kMostElements ? (read(() => value.toArray()) ?? read(() => nested(value.values, sizes))) : undefined;
  if (elements === undefined) return { kind: "text", text: `${dtype} [${sizes}] ${shortened(read(() => String(value)) ?? "")}` };
  return { kind: "array", dtype, sizes: [...sizes], values: plain(elements) };
}

/** A flat list as nested arrays. */
function nested(values, sizes) {
  if (values === undefined) return undefined;
  const [first, ...rest] = sizes;
  if (rest.length === 0) return sizes.length === 0 ? values[0] : [...values];
  const step = values.length / first;
  return Array.from({ length: first }, (_, i) => nested(values.slice(i * step, (i + 1) * step), rest));
}

/** A value as a program would write it. */
export function textOf(value) {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `function ${value.name}`;
  if (typeof value !== "object" || value === null) return typeof value === "string" ? JSON.stringify(value) : String(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return `[${Array.from(value, textOf).join(", ")}]`;
  const own = read(() => String(value));
  if (own !== undefined && own !== "[object Object]") return own;
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key}: ${textOf(each)}`)
    .join(", ")} }`;
}

// Prints a tree as a program that can be run in a file of this workspace. The program prints the results of `assign` and of the plain
// evaluator.
import type { TypedArray } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { buildTree, isFunction, needsExpression } from "./build-tree.ts";
import type { Call, LeafSpec, OperationSpec, TreeSpec } from "./tree-spec.ts";
import { product } from "../row-major.ts";

/** Returns a value as JavaScript source. */
function written(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (Object.is(value, -0)) return "-0";
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key}: ${written(each)}`)
    .join(", ")} }`;
}

const called = ([method, ...args]: Call): string => `.${method}(${args.map(written).join(", ")})`;

/** Returns an array as JavaScript source: the non-zero elements by index if most are 0, and the bits if there is a NaN. */
function arrayText(data: TypedArray): string {
  const words = data.constructor.name === "Float32Array" ? Uint32Array : data.constructor.name === "Float64Array" ? BigUint64Array : null;
  if (words !== null && (data as Float64Array).some((x) => x !== x)) {
    const bits = new words(data.buffer as ArrayBuffer, data.byteOffset, data.length);
    return `new ${data.constructor.name}(${arrayText(bits as TypedArray)}.buffer)`;
  }
  const places = [...(data as Float64Array).entries()].filter(([, x]) => !Object.is(x, 0) && (x as unknown) !== 0n);
  const name = data.constructor.name;
  if (places.length * 2 > data.length) return `${name}.of(${[...(data as Float64Array)].map(written).join(", ")})`;
  const all = `new ${name}(${data.length})`;
  return places.length === 0 ? all : `Object.assign(${all}, { ${places.map(([i, x]) => `${i}: ${written(x)}`).join(", ")} })`;
}

/** Returns a map of an array's elements at a place as JavaScript source. */
function mapText({ dtype, dims, place }: Pick<LeafSpec, "dtype" | "dims" | "place">, array: string): string {
  if (place === "arena") return `tensorMap("${dtype}", inArena(${array}), ${written(dims)})`;
  if (place === "outside") return `tensorMap("${dtype}", ${array}, ${written(dims)})`;
  return `unaligned("${dtype}", ${array}, ${written(dims)}, ${place === "unaligned"})`;
}

const leafText = (leaf: LeafSpec): string => mapText(leaf, arrayText(leaf.data));

function operationText(
  { op, inputs, args }: OperationSpec,
  name: (node: number) => string,
  isMap: (node: number) => boolean,
  rank: (node: number) => number,
): string {
  const names = inputs.map(name);
  if (op.startsWith("topK")) return `${names[0]}.topK(${written(args[0])}).${op === "topKValues" ? "values" : "indices"}`;
  if (op === "layerNorm") return `${names[0]}.layerNorm({ scale: ${names[1]}, offset: ${names[2]} })`;
  if (op === "einsum") return `einsum(${[written(args[0]), ...names].join(", ")})`;
  if (op === "concatenate") return `concatenate([${names.join(", ")}], ${args.map(written).join(", ")})`;
  const [first, ...others] = [...names, ...args.map(written)];
  if (isFunction(op)) return `${op}(${[first, ...others].join(", ")})`;
  const node = inputs[0] as number;
  const shuffled = needsExpression(op) && isMap(node) ? `.shuffle(${written(Array.from({ length: rank(node) }, (_, d) => d))})` : "";
  return `${first}${shuffled}.${op}(${others.join(", ")})`;
}

const helpers: Readonly<Record<string, string>> = {
  inArena: `const inArena = (array) => {
  const offset = linearMemory().reserve(Math.ceil((array.byteLength + 1) / 256) * 256);
  const there = new array.constructor(linearMemory().buffer, offset, array.length);
  there.set(array);
  return there;
};`,
  unaligned: `const unaligned = (dtype, array, dims, inside) => {
  const bytes = inside ? inArena(new Uint8Array(array.byteLength + 1)) : new Uint8Array(array.byteLength + 1);
  bytes.set(new Uint8Array(array.buffer), 1);
  return unalignedTensorMap(dtype, bytes.buffer, bytes.byteOffset + 1, kUnowned, dims);
};`,
};

/** The names that a program may need, by module. */
const kImports: Readonly<Record<string, readonly string[]>> = {
  "@onebuffer/eigen": [
    ...[
      "avgPool",
      "concatenate",
      "constant",
      "convolve",
      "einsum",
      "extractPatches",
      "iota",
      "linspace",
      "maxPool",
      "oneHot",
      "select",
      "statelessNormal",
      "statelessUniform",
      "tensorMap",
    ],
  ],
  "@onebuffer/expression/internal": ["markedCumsum", "scaledCumsum"],
  "@onebuffer/eigen/internal": ["assignByReference", "unalignedTensorMap"],
  "@onebuffer/storage/internal": ["kUnowned"],
  "@onebuffer/wasm": ["linearMemory"],
};

/** Returns the program. */
export function printTree(tree: TreeSpec): string {
  const { nodes, target } = tree;
  const { operands, root, target: out } = buildTree(tree);
  const name = (i: number): string => (nodes[i]?.kind === "leaf" ? `x${i}` : `e${i}`);
  const lines = nodes.flatMap((node, i) => {
    if (node.kind === "operation")
      return [
        `const ${name(i)} = ${operationText(
          node,
          name,
          (k) => operands[k].op === "map",
          (k) => operands[k].dimensions.length,
        )};`,
      ];
    if (node.views.length === 0 && target.leaf !== i) return [`const ${name(i)} = ${leafText(node)};`];
    return [`const m${i} = ${leafText(node)};`, `const ${name(i)} = m${i}${node.views.map(called).join("")};`];
  });
  const fresh = (dims: readonly number[]): string => {
    const { name: array } = typedArrayConstructor(root.dtype) as unknown as { readonly name: string };
    return `new ${array}(${product(dims) * arraySlots(root.dtype)})`;
  };
  const map =
    target.leaf === null
      ? mapText({ dtype: root.dtype, dims: target.dims, place: target.place ?? "arena" }, fresh(target.dims))
      : `m${target.leaf}`;
  lines.push(
    `const wanted = tensorMap("${root.dtype}", ${fresh(out.dimensions)}, ${written(out.dimensions)});`,
    `const out = ${map}${target.views.map(called).join("")};`,
    `assignByReference(wanted, ${name(nodes.length - 1)});`,
    `out.assign(${name(nodes.length - 1)});`,
    "console.log([...out], [...wanted]);",
  );
  const text = lines.join("\n");
  const used = ["unaligned", "inArena"].filter(
    (helper, _, all) => text.includes(`${helper}(`) || (helper === "inArena" && all.some((h) => h !== helper && text.includes(`${h}(`))),
  );
  const whole = [...used.reverse().map((helper) => helpers[helper] as string), text].join("\n");
  const imports = Object.entries(kImports).map(([from, names]) => {
    const needed = names.filter((each) => new RegExp(`(?<![.\\w])${each}\\b`).test(whole));
    return needed.length === 0 ? "" : `import { ${needed.join(", ")} } from "${from}";\n`;
  });
  return `${imports.join("")}\n${whole}\n`;
}

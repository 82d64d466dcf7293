/** The exercises of chapters 11 and 15 whose answers are programs: an order of execution, and an all-reduce. */
import { right, wrong } from "../exercise.ts";
import type { CodeExercise } from "../exercise.ts";

/** A node of a graph, as the program gets it. */
interface GraphNode {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly control: readonly string[];
}

const runOrder: CodeExercise = {
  kind: "code",
  names: ["runOrder"],
  template: `// Returns the names of the nodes in an order in which they can run.
// A node: { name: "c", inputs: ["a", "b"], control: ["d"] }
function runOrder(nodes) {
  return nodes.map((node) => node.name);
}
`,
  trial: ({ runOrder: given }) => {
    const order = given as (nodes: readonly GraphNode[]) => readonly string[];
    const graphs: GraphNode[][] = [
      [
        { name: "a", inputs: [], control: [] },
        { name: "b", inputs: ["a"], control: [] },
      ],
      [
        { name: "e", inputs: ["c", "d"], control: [] },
        { name: "c", inputs: ["a", "b"], control: [] },
        { name: "d", inputs: ["a"], control: [] },
        { name: "b", inputs: [], control: [] },
        { name: "a", inputs: [], control: [] },
      ],
      [
        { name: "read", inputs: ["v"], control: ["assign"] },
        { name: "v", inputs: [], control: [] },
        { name: "assign", inputs: ["v", "one"], control: [] },
        { name: "one", inputs: [], control: [] },
      ],
      [
        { name: "z", inputs: ["y", "x"], control: [] },
        { name: "y", inputs: ["x"], control: ["w"] },
        { name: "w", inputs: ["x"], control: [] },
        { name: "x", inputs: [], control: [] },
      ],
    ];
    return graphs.map((nodes) => {
      const list: unknown = order(structuredClone(nodes));
      if (!Array.isArray(list)) throw new TypeError(`runOrder returned ${String(list)}, not a list`);
      return [nodes, list];
    });
  },
  check(result) {
    const runs = result as readonly (readonly [nodes: readonly GraphNode[], order: readonly string[]])[];
    let isControlForgotten = false;
    for (const [nodes, order] of runs) {
      const names = nodes.map(({ name }) => name);
      if ([...order].sort().join() !== [...names].sort().join())
        return wrong(
          `The graph of ${names.join(", ")} has each node once; the order is ${order.join(", ") || "empty"}.`,
          order.length < names.length ? "nodes left out" : "",
        );
      const at = (name: string): number => order.indexOf(name);
      for (const { name, inputs, control } of nodes) {
        const early = inputs.find((input) => at(input) > at(name));
        if (early !== undefined) return wrong(`${order.join(", ")}: ${name} runs before its input ${early}.`, "before its input");
        isControlForgotten ||= control.some((each) => at(each) > at(name));
      }
    }
    return isControlForgotten
      ? wrong(
          "Every node has its data, but a control edge is broken: read must wait for assign although nothing flows between them.",
          "control edge forgotten",
        )
      : right("In all four graphs every node comes after its inputs, and after the nodes of its control edges.");
  },
  rightAnswers: [
    `function runOrder(nodes) {
  const done = [];
  while (done.length < nodes.length)
    for (const { name, inputs, control } of nodes)
      if (!done.includes(name) && [...inputs, ...control].every((each) => done.includes(each))) done.push(name);
  return done;
}`,
    `function runOrder(nodes) {
  const pending = new Map(nodes.map((n) => [n.name, n.inputs.length + n.control.length]));
  const ready = nodes.filter((n) => pending.get(n.name) === 0).map((n) => n.name);
  const order = [];
  while (ready.length > 0) {
    const name = ready.shift();
    order.push(name);
    for (const n of nodes)
      for (const each of [...n.inputs, ...n.control])
        if (each === name) {
          pending.set(n.name, pending.get(n.name) - 1);
          if (pending.get(n.name) === 0) ready.push(n.name);
        }
  }
  return order;
}`,
    `const runOrder = (nodes) => {
  const order = new Set();
  const visit = (name) => {
    const node = nodes.find((each) => each.name === name);
    node.inputs.concat(node.control).forEach(visit);
    order.add(name);
  };
  nodes.forEach(({ name }) => visit(name));
  return [...order];
};`,
  ],
  mistakes: [
    { name: "before its input", answers: ["const runOrder = (nodes) => nodes.map((node) => node.name);"] },
    {
      name: "control edge forgotten",
      answers: [
        "function runOrder(nodes) { const order = new Set(); const visit = (name) => { nodes.find((each) => each.name === name).inputs.forEach(visit); order.add(name); }; nodes.forEach(({ name }) => visit(name)); return [...order]; }",
      ],
    },
    {
      name: "nodes left out",
      answers: ["const runOrder = (nodes) => nodes.filter((node) => node.inputs.length === 0).map((node) => node.name);"],
    },
  ],
  wrongAnswers: ["function runOrder() { return 5; }", "function runOrder(nodes) { while (true) nodes.length; }"],
};

const allReduce: CodeExercise = {
  kind: "code",
  names: ["allReduce"],
  template: `// parts: one list of numbers for each device. Returns what each device has afterwards.
function allReduce(parts) {
  return parts;
}
`,
  trial: ({ allReduce: given }) => {
    const reduce = given as (parts: readonly (readonly number[])[]) => readonly (readonly number[])[];
    const cases = [
      [
        [1, 2],
        [10, 20],
      ],
      [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
      ],
      [[5]],
    ];
    return cases.map((parts) => {
      const lists: unknown = reduce(structuredClone(parts));
      if (!Array.isArray(lists) || !lists.every((each) => Array.isArray(each)))
        throw new TypeError(`allReduce returned ${String(lists)}, not a list of lists`);
      return [parts, lists];
    });
  },
  check(result) {
    const cases = result as readonly (readonly [parts: readonly (readonly number[])[], given: readonly (readonly number[])[]])[];
    const sumOf = (parts: readonly (readonly number[])[]): number[] =>
      parts[0]!.map((_, i) => parts.reduce((sum, part) => sum + part[i]!, 0));
    const all = (wanted: (parts: readonly (readonly number[])[]) => readonly (readonly number[])[]): boolean =>
      cases.every(([parts, given]) => JSON.stringify(given) === JSON.stringify(wanted(parts)));
    if (all((parts) => parts.map(() => sumOf(parts)))) return right("Every device has the sum of all parts.");
    if (all((parts) => parts.map(() => sumOf(parts).map((each) => each / parts.length))))
      return wrong("That is the mean. The gradient of a sum of losses is the sum of the gradients.", "mean for sum");
    if (cases.every(([parts, given]) => JSON.stringify(given[0]) === JSON.stringify(sumOf(parts))))
      return wrong(
        "The first device has the sum, the others do not: that is a reduce. An all-reduce leaves the sum on every device.",
        "only the first",
      );
    if (cases.every(([parts, given]) => given.length === parts.length && given.every((list) => list.length === 1)))
      return wrong("The lists are added place by place: the sum has as many numbers as each part.", "added to one number");
    const [parts, given] = cases.find((each) => JSON.stringify(each[1]) !== JSON.stringify(each[0].map(() => sumOf(each[0]))))!;
    return wrong(
      `allReduce(${JSON.stringify(parts)}) is ${JSON.stringify(given)}; each device should have ${JSON.stringify(sumOf(parts))}.`,
    );
  },
  rightAnswers: [
    "const allReduce = (parts) => { const sum = parts[0].map((_, i) => parts.reduce((all, part) => all + part[i], 0)); return parts.map(() => [...sum]); };",
    "function allReduce(parts) { const sum = new Array(parts[0].length).fill(0); for (const part of parts) part.forEach((value, i) => { sum[i] += value; }); return parts.map(() => sum.slice()); }",
    "function allReduce(parts) { const out = parts.map((part) => [...part]); for (let i = 0; i < out[0].length; i++) { let sum = 0; for (const part of parts) sum += part[i]; for (const list of out) list[i] = sum; } return out; }",
  ],
  mistakes: [
    {
      name: "mean for sum",
      answers: [
        "const allReduce = (parts) => parts.map(() => parts[0].map((_, i) => parts.reduce((all, part) => all + part[i], 0) / parts.length));",
      ],
    },
    {
      name: "only the first",
      answers: ["const allReduce = (parts) => [parts[0].map((_, i) => parts.reduce((all, part) => all + part[i], 0)), ...parts.slice(1)];"],
    },
    {
      name: "added to one number",
      answers: ["const allReduce = (parts) => { const sum = parts.flat().reduce((a, b) => a + b, 0); return parts.map(() => [sum]); };"],
    },
  ],
  wrongAnswers: ["const allReduce = (parts) => parts;", "const allReduce = () => { throw new RangeError('later'); };"],
};

/** The exercises by their names in the chapters. */
export const programs = { "run-order": runOrder, "all-reduce": allReduce } as const;

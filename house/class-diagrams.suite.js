// Compares the three class diagrams of ARCHITECTURE.md with the real prototype chains and the real fields.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as allocator from "onebuffer/allocator";
import * as core from "onebuffer/core";
import * as shape from "onebuffer/shape";
import * as slice from "onebuffer/slice";
import { root } from "./source-files.mjs";

const onebuffer = { ...shape, ...allocator, ...slice, ...core };
const diagrams = [...readFileSync(join(root, "ARCHITECTURE.md"), "utf8").matchAll(/^```mermaid\nclassDiagram\n([\s\S]*?)^```/gm)].map(
  (m) => m[1],
);
const lines = diagrams.flatMap((text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean),
);
const inheritance = lines
  .map((line) => /^(\w+) <\|-- (\w+)$/.exec(line))
  .filter(Boolean)
  .map(([, parent, child]) => [parent, child]);
const fields = lines
  .map((line) => /^(\w+) (?:\*|o)-- (\w+) : (\w+)$/.exec(line))
  .filter(Boolean)
  .map(([, owner, held, field]) => [owner, held, field]);

test("there are three diagrams: buffers, shapes, relations", () => {
  expect(diagrams.length).toBe(3);
  expect(inheritance.length).toBeGreaterThanOrEqual(8);
  expect(fields.length).toBeGreaterThanOrEqual(3);
});

test.each(inheritance)("%s is the parent of %s", (parent, child) => {
  expect(typeof onebuffer[parent]).toBe("function");
  expect(Object.getPrototypeOf(onebuffer[child])).toBe(onebuffer[parent]);
});

/** Returns a live object of each class whose fields a diagram names. */
function samples(scope) {
  const keep = (disposable) => {
    scope.push(disposable);
    return disposable;
  };
  const tensor = keep(onebuffer.Tensor.zeros([4, 4]));
  const slice = keep(tensor.slice(1, 2));
  return { Tensor: tensor, SubBuffer: slice.buffer, TensorReference: keep(new onebuffer.TensorReference(tensor)) };
}

test("every field in a diagram holds an object of the class that it points to", () => {
  const scope = [];
  try {
    const objects = samples(scope);
    for (const [owner, held, field] of fields) {
      const object = objects[owner];
      expect({ owner, has: object !== undefined }).toEqual({ owner, has: true });
      expect({ owner, field, held: object[field] instanceof onebuffer[held] }).toEqual({ owner, field, held: true });
    }
  } finally {
    for (const each of scope.reverse()) (each.dispose ?? each.unref).call(each);
  }
});

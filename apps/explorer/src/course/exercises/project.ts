/** The final project: a counted buffer and three views of it, written from scratch. Every demand of the chapter is a line of the verdict. */
import { right, wrong } from "../exercise.ts";
import type { CodeExercise } from "../exercise.ts";

/** What the trial found: a demand, whether it holds, and what was seen. */
type Finding = readonly [demand: string, holds: boolean, seen: string];

/** A solution over strides; parts of it are replaced to make others, and mistakes. */
const kSolution = `class CountedBuffer {
  constructor(length) {
    this.data = new Float64Array(length);
    this.refCount = 1;
  }
  ref() {
    if (this.refCount === 0) throw new Error("the buffer was freed");
    this.refCount++;
  }
  unref() {
    if (this.refCount === 0) throw new Error("the buffer was freed before");
    this.refCount--;
    if (this.refCount > 0) return false;
    this.data = null;
    return true;
  }
}

class View {
  constructor(buffer, offset, sizes, strides) {
    buffer.ref();
    Object.assign(this, { buffer, offset, sizes, strides, isDisposed: false });
  }
  place(index) {
    if (this.isDisposed || this.buffer.data === null) throw new Error("the view was disposed");
    return index.reduce((at, i, d) => at + i * this.strides[d], this.offset);
  }
  at(...index) {
    return this.buffer.data[this.place(index)];
  }
  set(value, ...index) {
    const at = this.place(index);
    this.buffer.data[at] = value;
  }
  reshape(sizes) {
    const count = (list) => list.reduce((a, b) => a * b, 1);
    if (count(sizes) !== count(this.sizes)) throw new Error("another number of elements");
    const strides = sizes.map((_, d) => count(sizes.slice(d + 1)));
    return new View(this.buffer, this.offset, sizes, strides);
  }
  rows(begin, end) {
    return new View(this.buffer, this.offset + begin * this.strides[0], [end - begin, ...this.sizes.slice(1)], this.strides);
  }
  transpose() {
    return new View(this.buffer, this.offset, [...this.sizes].reverse(), [...this.strides].reverse());
  }
  dispose() {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.buffer.unref();
  }
}
`;

const replaced = (...pairs: readonly (readonly [from: string, to: string])[]): string =>
  pairs.reduce((text, [from, to]) => text.replace(from, to), kSolution);

/** A solution whose views are closures over a function that finds the place. */
const kByClosures = `function CountedBuffer(length) {
  this.data = new Float64Array(length);
  let count = 1;
  Object.defineProperty(this, "refCount", { get: () => count });
  this.ref = () => { if (count < 1) throw new Error("freed"); count += 1; };
  this.unref = () => {
    if (count < 1) throw new Error("freed twice");
    count -= 1;
    if (count === 0) this.data = null;
    return count === 0;
  };
}
function View(buffer, offset, sizes, strides) {
  buffer.ref();
  let alive = true;
  const place = (index) => {
    if (!alive) throw new Error("gone");
    let at = offset;
    for (let d = 0; d < index.length; d++) at += index[d] * strides[d];
    return at;
  };
  const product = (list) => list.reduce((a, b) => a * b, 1);
  this.buffer = buffer;
  this.sizes = sizes;
  this.at = (...index) => buffer.data[place(index)];
  this.set = (value, ...index) => { buffer.data[place(index)] = value; };
  this.reshape = (next) => {
    if (product(next) !== product(sizes)) throw new Error("size");
    return new View(buffer, offset, next, next.map((_, d) => product(next.slice(d + 1))));
  };
  this.rows = (begin, end) => new View(buffer, offset + begin * strides[0], [end - begin].concat(sizes.slice(1)), strides);
  this.transpose = () => new View(buffer, offset, sizes.slice().reverse(), strides.slice().reverse());
  this.dispose = () => { if (alive) buffer.unref(); alive = false; };
}
`;

const countedBuffer: CodeExercise = {
  kind: "code",
  names: ["CountedBuffer", "View"],
  template: `class CountedBuffer {
  constructor(length) {
    this.data = new Float64Array(length);
    this.refCount = 1;
  }
  ref() {}
  unref() {}
}

class View {
  constructor(buffer, offset, sizes, strides) {
    // A view holds a reference.
  }
  at(...index) {}
  set(value, ...index) {}
  reshape(sizes) {}
  rows(begin, end) {}
  transpose() {}
  dispose() {}
}
`,
  trial: ({ CountedBuffer, View }) => {
    interface AnyBuffer {
      readonly data: Float64Array | null;
      readonly refCount: number;
      ref(): void;
      unref(): boolean;
    }
    interface AnyView {
      readonly sizes: readonly number[];
      at(...index: readonly number[]): number;
      set(value: number, ...index: readonly number[]): void;
      reshape(sizes: readonly number[]): AnyView;
      rows(begin: number, end: number): AnyView;
      transpose(): AnyView;
      dispose(): void;
    }
    const [MakeBuffer, MakeView] = [CountedBuffer, View] as unknown as [
      new (length: number) => AnyBuffer,
      new (buffer: AnyBuffer, offset: number, sizes: readonly number[], strides: readonly number[]) => AnyView,
    ];
    const findings: Finding[] = [];
    const same = (demand: string, seen: unknown, wanted: unknown): void => {
      findings.push([demand, JSON.stringify(seen) === JSON.stringify(wanted), `${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`]);
    };
    const refused = (demand: string, act: () => unknown): void => {
      try {
        findings.push([demand, false, `it returned ${String(act())}`]);
      } catch {
        findings.push([demand, true, ""]);
      }
    };
    const tryAll = (): void => {
      const buffer = new MakeBuffer(12);
      same("a new buffer has one reference", buffer.refCount, 1);
      buffer.ref();
      same("ref adds one", buffer.refCount, 2);
      same("unref removes one, and returns false while others are left", [buffer.unref(), buffer.refCount], [false, 1]);
      const grid = new MakeView(buffer, 0, [3, 4], [4, 1]);
      same("a view holds a reference", buffer.refCount, 2);
      for (let i = 0; i < 3; i++) for (let j = 0; j < 4; j++) grid.set(4 * i + j, i, j);
      same("at and set find elements by strides", Array.from(buffer.data ?? []), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      const wide = grid.reshape([2, 6]);
      same("reshape: element (1, 2) of [2, 6] is the ninth", wide.at(1, 2), 8);
      refused("reshape refuses another number of elements", () => grid.reshape([5]));
      const rows = grid.rows(1, 3);
      same("rows(1, 3) has the sizes [2, 4]", rows.sizes, [2, 4]);
      same("rows(1, 3) begins at the fifth element", rows.at(0, 0), 4);
      const turned = grid.transpose();
      same("transpose has the sizes [4, 3]", turned.sizes, [4, 3]);
      same("transpose: (2, 1) is (1, 2)", turned.at(2, 1), 6);
      turned.set(-1, 3, 2);
      same(
        "a write through transpose is read through the others: no view copies",
        [grid.at(2, 3), rows.at(1, 3), wide.at(1, 5)],
        [-1, -1, -1],
      );
      same("four views and the buffer's maker hold five references", buffer.refCount, 5);
      wide.dispose();
      wide.dispose();
      same("dispose drops one reference, the second time none", buffer.refCount, 4);
      refused("a disposed view refuses at()", () => wide.at(0, 0));
      refused("a disposed view refuses set()", () => wide.set(1, 0, 0));
      grid.dispose();
      same("the other views still read when one is disposed", rows.at(0, 1), 5);
      rows.dispose();
      turned.dispose();
      same("the last unref returns true and frees the data", [buffer.unref(), buffer.data], [true, null]);
      refused("one more unref is refused", () => buffer.unref());
    };
    try {
      tryAll();
    } catch (error) {
      findings.push(["the views work as the chapter says", false, String(error)]);
    }
    return findings;
  },
  check(result) {
    const findings = result as readonly Finding[];
    const failed = findings.filter(([, holds]) => !holds);
    if (failed.length === 0) return right(`All ${findings.length} demands hold: a buffer that counts, and three views that never copy.`);
    const [demand, , seen] = failed[0]!;
    const others = failed.length === 1 ? "" : ` ${failed.length - 1} more of ${findings.length} demands fail.`;
    const name = /no view copies/.test(demand)
      ? "a view copies"
      : /holds a reference|hold five/.test(demand)
        ? "references not counted"
        : /unref is refused/.test(demand)
          ? "freed twice"
          : /second time none/.test(demand)
            ? "disposed twice"
            : /transpose:/.test(demand)
              ? "sizes without strides"
              : "";
    return wrong(`“${demand}” does not hold: ${seen}.${others}`, name);
  },
  rightAnswers: [
    kSolution,
    kByClosures,
    replaced(
      ["this.refCount = 1;\n  }", "this.refCount = 1;\n  }\n  get isFree() { return this.data === null; }"],
      ["this.buffer.data === null", "this.buffer.isFree"],
    ),
  ],
  mistakes: [
    {
      name: "a view copies",
      answers: [
        replaced([
          "return new View(this.buffer, this.offset, [...this.sizes].reverse(), [...this.strides].reverse());",
          "const copy = new CountedBuffer(12); copy.data.set(this.buffer.data); this.buffer.refCount++; return new View(copy, this.offset, [...this.sizes].reverse(), [...this.strides].reverse());",
        ]),
      ],
    },
    { name: "references not counted", answers: [replaced(["    buffer.ref();\n", ""])] },
    {
      name: "freed twice",
      answers: [
        replaced(['if (this.refCount === 0) throw new Error("the buffer was freed before");\n    this.refCount--;', "this.refCount--;"]),
      ],
    },
    { name: "disposed twice", answers: [replaced(["    if (this.isDisposed) return;\n", ""])] },
    { name: "sizes without strides", answers: [replaced(["[...this.strides].reverse()", "this.strides"])] },
  ],
  wrongAnswers: [
    "class CountedBuffer {}",
    replaced(['if (count(sizes) !== count(this.sizes)) throw new Error("another number of elements");', ""]),
    replaced(["    this.data = null;\n", ""]),
    replaced(["    if (this.refCount > 0) return false;\n", "    if (this.refCount > 0) return true;\n"]),
    replaced([
      "    const at = this.place(index);\n",
      "    const at = index.reduce((sum, i, d) => sum + i * this.strides[d], this.offset);\n",
    ]),
  ],
};

/** The exercise by its name in the chapter. */
export const project = { "counted-buffer": countedBuffer } as const;

/**
 * The operation tensor.script of the vectors in tf-tensor.json: runs a list of steps that create, fill, copy, move, slice and drop named
 * tensors, and then answers checks about them.
 *
 * The C++ copy constructor is `share` and the move constructor is `move`. An assignment is the same, followed by disposing the handle
 * that had the name before.
 */
import { dataTypeName, dataTypeOf } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { liveBuffers } from "@onebuffer/allocator";
import { deepCopy, Tensor, TensorReference } from "@onebuffer/core";
import { toSize, toSizes } from "../args.ts";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { toElement } from "../elements.ts";
import { toDType, toShape } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { Checks, Names, runSteps, verb } from "../script.ts";
import type { Verbs } from "../script.ts";
import { anyMap, elementOf, elementsOf, newTensor, setElements, tensorOf } from "../tensor-literals.ts";
import type { AnyMap } from "../tensor-literals.ts";
import { isJsonArray } from "../vector.ts";
import type { Json } from "../vector.ts";

/** Calls `visit` with the coordinates of every element of the block at `start` of the given sizes, in row-major order. */
function eachInBlock(start: readonly number[], size: readonly number[], visit: (coordinate: readonly number[]) => void): void {
  const [first, ...rest] = start;
  const [count, ...sizes] = size;
  if (first === undefined || count === undefined) return visit([]);
  for (let index = 0; index < count; index++) eachInBlock(rest, sizes, (inner) => visit([first + index, ...inner]));
}

/** Returns the number `n` as a literal of the dtype: its decimal digits for strings, `n > 0` for bools. */
function countLiteral(dtype: DType, n: number): Json {
  return dtype === "string" ? String(n) : dtype === "bool" ? n > 0 : n;
}

/** The tensors and references of one script. */
class World {
  readonly tensors = new Names<Tensor>();
  readonly references = new Names<TensorReference>();
  /** The number of live buffers before the script. */
  readonly buffersBefore: number = liveBuffers();
  readonly #scope: CaseScope;

  constructor(scope: CaseScope) {
    this.#scope = scope;
  }

  /** Returns the tensor with a name. */
  get(name: Json | undefined): Tensor {
    return this.tensors.get(name);
  }

  /** Gives a tensor a name and disposes the tensor that had the name before. */
  name(name: Json | undefined, tensor: Tensor): void {
    const old = this.tensors.find(name);
    this.tensors.set(name, this.#scope.keep(tensor));
    if (old !== undefined && old !== tensor) old.dispose();
  }

  /** Creates a tensor of a dtype and shape, and gives it a name. */
  make(name: Json | undefined, dtype: Json | undefined, shape: Json | undefined): void {
    this.name(name, newTensor(this.#scope, toDType(dtype), shape));
  }

  /** Disposes the tensor with a name. */
  drop(name: Json | undefined): void {
    this.get(name).dispose();
  }

  /** Converts a literal to a new element of the tensor's dtype. Each call must return a new one: the buffer takes ownership of objects. */
  element(tensor: Tensor, literal: Json | undefined): unknown {
    return toElement(tensor.dtype, literal, (json) => tensorOf(json, this.#scope).share());
  }

  /** Writes the same literal into every element. */
  fill(name: Json | undefined, literal: Json | undefined): void {
    const tensor = this.get(name);
    const flat = anyMap(tensor.flat());
    for (let index = 0; index < flat.size; index++) flat.set(index, this.element(tensor, literal));
  }

  /** Writes a list of literals in row-major order. */
  setValues(name: Json | undefined, literals: readonly Json[]): void {
    setElements(this.get(name), literals, this.#scope);
  }

  /** Writes 0, 1, 2, … in row-major order. */
  iota(name: Json | undefined): void {
    const tensor = this.get(name);
    this.setValues(
      name,
      Array.from({ length: tensor.numElements }, (_, index) => countLiteral(tensor.dtype, index)),
    );
  }

  /** Writes i into every element of row i of dimension 0. */
  fillRows(name: Json | undefined): void {
    const tensor = this.get(name);
    const rows = anyMap(tensor.flatOuterDims());
    const [count = 0, width = 0] = rows.dimensions;
    eachInBlock([0, 0], [count, width], (at) => rows.set(...at, this.element(tensor, countLiteral(tensor.dtype, at[0] ?? 0))));
  }

  /** Writes a value into a block of a shaped view. */
  fillBlock(
    name: Json | undefined,
    sizes: Json | undefined,
    start: Json | undefined,
    size: Json | undefined,
    literal: Json | undefined,
  ): void {
    const tensor = this.get(name);
    const view: AnyMap = anyMap(tensor.shaped(toSizes(sizes, "sizes")));
    eachInBlock(toSizes(start, "start"), toSizes(size, "size"), (at) => view.set(...at, this.element(tensor, literal)));
  }

  /** Returns true if two tensors begin at the same address, or if neither has a buffer. */
  sameData(a: Tensor, b: Tensor): boolean {
    const place = ({ buffer }: Tensor): readonly unknown[] =>
      buffer === null ? [null, null] : [buffer.memory ?? buffer.elements, buffer.byteOffset];
    const [memory, offset] = place(a);
    const [otherMemory, otherOffset] = place(b);
    return memory === otherMemory && offset === otherOffset;
  }

  /** Creates a TensorReference with a name. If the script does not unref it, the end of the case does. */
  reference(name: Json | undefined, tensor: Json | undefined): void {
    const reference = new TensorReference(this.get(tensor));
    this.references.set(name, reference);
    this.#scope.atEnd(() => {
      if (reference.refs > 0) reference.unref();
    });
  }
}

/** Returns the steps of a script by name. */
function steps(world: World): Verbs<void> {
  return {
    new: verb(3, (n, dtype, shape) => world.make(n, dtype, shape)),
    default: verb(1, (n) => world.name(n, new Tensor())),
    empty: verb(2, (n, dtype) => world.name(n, new Tensor(toDType(dtype)))),
    fill: verb(2, (n, value) => world.fill(n, value)),
    set_values: verb(2, (n, values) => world.setValues(n, isJsonArray(values) ? values : [])),
    iota: verb(1, (n) => world.iota(n)),
    fill_rows: verb(1, (n) => world.fillRows(n)),
    copy: verb(2, (d, s) => world.name(d, world.get(s).share())),
    assign: verb(2, (d, s) => world.name(d, world.get(s).share())),
    move: verb(2, (d, s) => world.name(d, world.get(s).move())),
    move_assign: verb(2, (d, s) => world.name(d, world.get(s).move())),
    copy_from: verb(3, (d, s, shape) => void world.get(d).copyFrom(world.get(s), toShape(shape))),
    slice: verb(4, (d, s, start, limit) => world.name(d, world.get(s).slice(toSize(start, "start"), toSize(limit, "limit")))),
    subslice: verb(3, (d, s, index) => world.name(d, world.get(s).subSlice(toSize(index, "index")))),
    deep_copy: verb(2, (d, s) => world.name(d, deepCopy(world.get(s)))),
    drop: verb(1, (n) => world.drop(n)),
    reference: verb(2, (r, n) => world.reference(r, n)),
    unref: verb(1, (r) => world.references.get(r).unref()),
    fill_view_block: verb(5, (n, sizes, start, size, value) => world.fillBlock(n, sizes, start, size, value)),
  };
}

/** Returns the checks of a script by name. */
function checks(world: World): Verbs<unknown> {
  return {
    shares: verb(2, (a, b) => world.get(a).sharesBufferWith(world.get(b))),
    same_data: verb(2, (a, b) => world.sameData(world.get(a), world.get(b))),
    shape: verb(1, (n) => world.get(n).shape.dimSizes),
    values: verb(1, (n) => elementsOf(world.get(n))),
    value_at: verb(2, (n, index) => elementOf(world.get(n), toSize(index, "index"))),
    initialized: verb(1, (n) => world.get(n).isInitialized()),
    dtype: verb(1, (n) => dataTypeName(dataTypeOf(world.get(n).dtype))),
    aligned: verb(1, (n) => world.get(n).isAligned()),
    num_elements: verb(1, (n) => world.get(n).numElements),
    refcount_is_one: verb(1, (n) => world.get(n).refCountIsOne()),
    refcount: verb(1, (n) => world.get(n).refCount),
    live_buffers: verb(0, () => liveBuffers() - world.buffersBefore),
  };
}

/** Runs the steps and returns the checks. */
function run(args: Args, scope: CaseScope): Checks {
  const world = new World(scope);
  runSteps(steps(world), args.list("steps"));
  return new Checks(checks(world));
}

/** The operation tensor.script, under its name. */
export const tensorScript: Operations = { "tensor.script": operation(["steps"], run) };

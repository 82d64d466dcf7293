// A device over a backend: the toy computes what the evaluator computes, keeps what it got, refuses the rest by name, and holds nothing
// in the end, whatever goes wrong.
import { afterEach, describe, expect, test } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import { InternalError, ResourceExhaustedError, UnavailableError } from "@onebuffer/base";
import { assignTogether, evaluate, select, tensorMap, treeOf, updateTogether } from "@onebuffer/eigen";
import type { Operand, TensorMap } from "@onebuffer/eigen";
import { assignByReference, BackendDevice, DeviceMap } from "@onebuffer/eigen/internal";
import type { BackendArray, BackendProgram, ElementBytes, ProgramSource, Queued } from "@onebuffer/eigen/internal";
import { ToyBackend } from "./toy-backend.ts";

type Map32<R extends number> = TensorMap<"float32", R>;
type Toy = BackendDevice<Float32Array, null>;
type Resident<R extends number> = DeviceMap<"float32", R>;

const vector = (...values: number[]): Map32<1> => tensorMap("float32", Float32Array.from(values), [values.length]);
const matrix = (rows: number, columns: number): Map32<2> =>
  tensorMap(
    "float32",
    Float32Array.from({ length: rows * columns }, (_, k) => ((k * 7) % 11) / 4 - 1),
    [rows, columns],
  );
const zeros = (tree: Operand<"float32", number>): Map32<number> =>
  tensorMap("float32", new Float32Array(tree.size), [...tree.dimensions]) as never;
const rejection = (code: StatusCode, message: RegExp): object => expect.objectContaining({ code, message: expect.stringMatching(message) });

const made: ToyBackend[] = [];
function start<B extends ToyBackend = ToyBackend>(backend: B = new ToyBackend() as B, programs = 8): { toy: B; device: Toy } {
  made.push(backend);
  return { toy: backend, device: new BackendDevice(backend, programs) };
}
const put = async <R extends number>(device: Toy, map: Map32<R>): Promise<Resident<R>> => (await device.put(map)) as unknown as Resident<R>;
/** The arrays that a toy holds. */
const arrays = (toy: ToyBackend): number => [...toy.held].filter((each) => "content" in each).length;

afterEach(() => {
  for (const toy of made.splice(0)) expect(toy.faults).toEqual([]);
});

describe("a backend of sums and products", () => {
  const [a, b, row] = [matrix(3, 4), matrix(3, 4).mul(2), vector(1, 2, 3, 4)];

  test.each<[string, Operand<"float32", number>]>([
    ["a sum of maps", a.add(a)],
    ["broadcast operands", a.mul(row).add(0.5)],
    ["a sum over an axis", a.mul(a).sum([1])],
    ["a sum over both", a.sum()],
    ["kept dimensions", a.mul(a.sum([0], { keepDims: true })) as never],
    ["a product", a.add(2).prod([0])],
    ["a shared node", ((x) => x.mul(x).add(x))(a.add(b as never)) as never],
    ["a strided map", evaluate(a).strided("::2, ::-1").mul(3) as never],
    ["an empty map", tensorMap("float32", new Float32Array(0), [0, 4]).add(row) as never],
    ["a map alone", a],
  ])("computes %s as the evaluator does", async (_, expression) => {
    const { toy, device } = start();
    const [out, wanted] = [zeros(expression), zeros(expression)];
    assignByReference(wanted as never, expression as never);
    await out.device(device).assign(expression);
    expect(out.toArray()).toEqual(wanted.toArray());
    expect(arrays(toy)).toBe(0);
  });

  test("updates a target, and writes one with strides", async () => {
    const { device } = start();
    const out = matrix(2, 4);
    const part = out.strided(":, ::2");
    const wanted = evaluate(out).toArray() as number[][];
    await part.device(device).addAssign(10);
    expect(out.toArray()).toEqual(wanted.map((line) => line.map((value, k) => (k % 2 === 0 ? value + 10 : value))));
  });

  test("computes an update by one program, again and again, each result of what was there before", async () => {
    const { toy, device } = start();
    const [x, y] = [await put(device, vector(1, 2)), await put(device, vector(10, 20))];
    const step = [[x, x.add(y)] as const, [y, y.mul(x)] as const];
    const calls = toy.calls.length;
    await updateTogether(step, device);
    await updateTogether(step, device);
    expect(toy.calls.slice(calls)).toEqual(["compile", "run", "run"]);
    const out = [vector(0, 0), vector(0, 0)] as const;
    await assignTogether(
      [
        [out[0], x],
        [out[1], y],
      ],
      device,
    ); // prettier-ignore
    expect(out.map((each) => each.toArray())).toEqual([
      [21, 62],
      [110, 880],
    ]); // prettier-ignore
  });

  test("keeps what was put: put once, used twice", async () => {
    const { toy, device } = start();
    const [x, out] = [await put(device, row), vector(0, 0, 0, 0)];
    await out.device(device).assign(x.mul(2));
    await out.device(device).assign(x.mul(x));
    expect(out.toArray()).toEqual([1, 4, 9, 16]);
    expect(toy.calls.filter((call) => call === "put")).toEqual(["put"]);
    await x.device(device).assign(x.add(x));
    expect(toy.calls.slice(-2)).toEqual(["compile", "run"]);
    const next = (await device.evaluate(x.mul(x))) as unknown as Resident<1>;
    await device.fetch(next as never, treeOf(out));
    expect(out.toArray()).toEqual([4, 16, 36, 64]);
    expect([String(x), arrays(toy)]).toEqual(["DeviceMap<float32, [4]>", 2]);
    for (const each of [x, x, next]) each.dispose();
    expect(arrays(toy)).toBe(0);
  });

  test("compiles a structure once, whatever the values and maps are, and drops the oldest beyond the limit", async () => {
    const { toy, device } = start(new ToyBackend(), 2);
    for (let k = 0; k < 3; k++)
      await vector(0, 0)
        .device(device)
        .assign(vector(k, k).mul(vector(1, 2)));
    expect(toy.calls.filter((call) => call === "compile").length).toBe(1);
    for (const k of [1, 2, 3]) await vector(0, 0).device(device).assign(vector(1, 2).add(k));
    expect([device.programCount, toy.held.size]).toEqual([2, 2]);
  });

  test("a program that is dropped while a call waits for its operands is freed after the call", async () => {
    const { toy, device } = start(new ToyBackend(), 1);
    const [one, other] = [vector(0), vector(0)];
    await Promise.all([one.device(device).assign(vector(3).add(1)), other.device(device).assign(vector(3).mul(5))]);
    expect([one.at(0), other.at(0), device.programCount, toy.held.size]).toEqual([4, 15, 1, 1]);
  });

  test("computes assignments that do not depend on each other in one run", async () => {
    const { toy, device } = start();
    const [x, p, q, r] = [vector(1, 2), vector(0, 0), vector(0, 0), vector(0, 0)];
    await assignTogether(
      [
        [p, x.add(1)],
        [q, x.mul(3)],
        [r, p.mul(q)],
      ],
      device,
    );
    expect([p.toArray(), q.toArray(), r.toArray()]).toEqual([
      [2, 3],
      [3, 6],
      [6, 18],
    ]);
    expect(toy.calls.filter((call) => call === "run").length).toBe(2);
    const memory = new Float32Array(4);
    const [low, high] = [tensorMap("float32", memory.subarray(0, 3), [3]), tensorMap("float32", memory.subarray(1), [3])];
    await assignTogether(
      [
        [low, x.sum().add(vector(0, 0, 0))],
        [high, vector(7, 8, 9).mul(1)],
      ],
      device,
    );
    expect([...memory]).toEqual([3, 7, 8, 9]);
    const y = await put(device, x);
    await assignTogether(
      [
        [y, x.add(1)],
        [y, x.mul(5)],
      ] as never,
      device,
    );
    await device.fetch(y as never, treeOf(p));
    expect(p.toArray()).toEqual([5, 10]);
    y.dispose();
  });
});

describe("what a backend lacks", () => {
  test.each<[string, Operand<"float32", 1>, RegExp]>([
    ["an operation", vector(1, 2).exp(), /^ToyDevice does not compute exp of float32, exp\(float32 \[2\]\): it adds and multiplies$/],
    ["one deep inside", vector(1, 2).add(1).tanh().mul(2), /tanh of float32/],
    ["a dtype", tensorMap("float64", Float64Array.of(1, 2), [2]).mul(2).cast("float32"), /no arrays of float64.*float32 only/],
    ["the dtype of a constant", select(vector(1, 0).cast("bool"), 1, vector(1, 2)) as never, /bool|cast|select/],
  ])("%s is refused by name before anything is put, compiled or run", async (_, expression, message) => {
    const { toy, device } = start();
    const out = vector(5, 6);
    await expect(out.device(device).assign(expression)).rejects.toEqual(rejection("UNIMPLEMENTED", message));
    await expect(device.evaluate(expression)).rejects.toEqual(rejection("UNIMPLEMENTED", message));
    expect([out.toArray(), toy.calls, device.programCount]).toEqual([[5, 6], [], 0]);
  });

  test("in a later group is refused before an earlier one runs", async () => {
    const { toy, device } = start();
    const [p, q] = [vector(1, 2), vector(0, 0)];
    await expect(
      assignTogether(
        [
          [p, q.add(1)],
          [q, p.exp()],
        ],
        device,
      ),
    ).rejects.toEqual(rejection("UNIMPLEMENTED", /exp of float32/));
    expect([p.toArray(), toy.calls]).toEqual([[1, 2], []]);
  });

  test("a dtype is refused by put, too; what has no elements in bytes is INVALID_ARGUMENT", async () => {
    const { toy, device } = start();
    const integers = tensorMap("int32", new Int32Array(2), [2]);
    await expect(device.put(integers)).rejects.toEqual(rejection("UNIMPLEMENTED", /no arrays of int32/));
    const text = tensorMap("string", [new Uint8Array(1)] as never, [1]);
    await expect(device.put(text)).rejects.toEqual(rejection("INVALID_ARGUMENT", /string/));
    await expect(device.evaluate(text)).rejects.toEqual(rejection("INVALID_ARGUMENT", /string/));
    await expect(device.put(vector(1).add(1))).rejects.toEqual(rejection("INVALID_ARGUMENT", /evaluate/));
    expect(toy.calls).toEqual([]);
  });
});

/** A toy that does something wrong at one of its calls, once. */
class OddToy extends ToyBackend {
  readonly #at: string;
  readonly #act: () => unknown;

  constructor(at: string, act: () => unknown) {
    super();
    this.#at = at;
    this.#act = act;
  }

  override async compile(source: ProgramSource<null>): Promise<BackendProgram<Float32Array, null>> {
    if (this.#at === "compile") this.#act();
    const program = await super.compile(source);
    if (this.#at !== "run") return program;
    program.run = async () => this.#act();
    return program;
  }

  override async put(...args: Parameters<ToyBackend["put"]>): Promise<Queued> {
    if (this.#at === "put") this.#act();
    return this.#at === "done" ? { done: Promise.resolve().then(this.#act) } : super.put(...args);
  }

  override async take(array: BackendArray<Float32Array>, target: ElementBytes): Promise<void> {
    if (this.#at === "take") this.#act();
    return super.take(array, target);
  }
}

describe("a backend that fails", () => {
  const fail = (): never => {
    throw new ResourceExhaustedError("no memory for toys");
  };

  test.each(["compile", "put", "done", "run", "take"])("at %s leaves nothing held and the target as it was", async (at) => {
    const { toy, device } = start(new OddToy(at, fail));
    const out = vector(5, 6);
    await expect(out.device(device).assign(vector(1, 2).mul(vector(3, 4)))).rejects.toEqual(rejection("RESOURCE_EXHAUSTED", /toys/));
    expect([out.toArray(), arrays(toy)]).toEqual([[5, 6], 0]);
    expect(device.programCount).toBe(at === "compile" ? 0 : 1);
    await device.dispose();
  });

  test.each(["put", "done"])("at %s leaves nothing of a map that is put", async (at) => {
    const { toy, device } = start(new OddToy(at, fail));
    await expect(device.put(vector(1, 2))).rejects.toEqual(rejection("RESOURCE_EXHAUSTED", /toys/));
    expect(arrays(toy)).toBe(0);
  });

  test("takes too few or too many bytes: DATA_LOSS", async () => {
    for (const [at, count] of [
      [0, 4],
      [0, 12],
      [4, 8],
      [-4, 8],
    ] as const) {
      const { toy, device } = start();
      toy.take = async (_, target) => void target.view(at, count).fill(1);
      await expect(vector(1, 2).device(device).assign(vector(3, 4).mul(1))).rejects.toEqual(rejection("DATA_LOSS", /bytes/));
      expect(arrays(toy)).toBe(0);
    }
  });

  test("or has died refuses every call with its reason, and is not called any more", async () => {
    const { toy, device } = start();
    const x = await put(device, vector(1, 2));
    const calls = toy.calls.length;
    toy.dead = new UnavailableError("the toy is broken");
    const broken = rejection("UNAVAILABLE", /broken/);
    await expect(vector(0, 0).device(device).assign(x.mul(2))).rejects.toEqual(broken);
    await expect(device.put(vector(1))).rejects.toEqual(broken);
    await expect(device.fetch(x as never, treeOf(vector(0, 0)))).rejects.toEqual(broken);
    x.dispose();
    expect(toy.calls.length).toBe(calls);
  });

  test.each(["compile", "put", "run"] as const)("or is closed during %s is not called any more, and the call is cancelled", async (at) => {
    const { toy, device } = start();
    const { compile, put: copy } = toy;
    const close = (): void => void device.dispose();
    if (at === "put") toy.put = (...args) => copy.apply(toy, args).finally(close);
    else
      toy.compile = async (source) => {
        const program = await compile.call(toy, source);
        const { run } = program;
        if (at === "compile") close();
        else program.run = (...args) => run(...args).finally(close);
        return program;
      };
    const [out, next] = [vector(5, 6), vector(7, 8)];
    const assignments = [
      { target: out, tree: vector(1, 2).mul(vector(3, 4)) },
      { target: next, tree: out.add(1) },
    ];
    await expect(device.assign(assignments as never)).rejects.toEqual(rejection("CANCELLED", /ToyDevice was disposed/));
    expect([next.toArray(), toy.calls.at(-1)]).toEqual([[7, 8], "close"]);
  });

  test("compiles later calls again after a failed compilation", async () => {
    let fails = true;
    const { device } = start(new OddToy("compile", () => fails && fail()));
    const out = vector(0);
    await expect(out.device(device).assign(vector(2).mul(3))).rejects.toEqual(rejection("RESOURCE_EXHAUSTED", /toys/));
    fails = false;
    await out.device(device).assign(vector(2).mul(3));
    expect(out.at(0)).toBe(6);
  });
});

describe("the arrays of a device", () => {
  test("are elsewhere for everything else, and of this device only", async () => {
    const [{ device }, { device: other }] = [start(), start()];
    const [x, out] = [await put(device, vector(1, 2)), vector(3, 4)];
    for (const call of [() => out.assign(x), () => x.assign(out), () => x.at(0), () => out.assign(x.mul(2).sum())])
      expect(call).toThrow(rejection("FAILED_PRECONDITION", /on ToyDevice/));
    await expect(out.device(other).assign(x.mul(2))).rejects.toEqual(rejection("FAILED_PRECONDITION", /another device/));
    for (const args of [[], [{}], [null, {}]])
      expect(() => new (DeviceMap as unknown as new (...args: unknown[]) => unknown)(...args)).toThrow(
        rejection("INVALID_ARGUMENT", /put/),
      );
    x.dispose();
  });

  test("are released once, although calls use a map that was disposed", async () => {
    const { toy, device } = start();
    const x = await put(device, vector(1, 2));
    x.dispose();
    for (let k = 0; k < 3; k++)
      await expect(vector(0, 0).device(device).assign(x.mul(2))).rejects.toEqual(rejection("FAILED_PRECONDITION", /disposed/));
    x.dispose();
    expect(toy.calls).toEqual(["put", "release"]);
  });

  test("are held by a call that uses them while they are disposed", async () => {
    const { toy, device } = start();
    const [x, out] = [await put(device, vector(1, 2)), vector(0, 0)];
    const assigning = out.device(device).assign(x.mul(vector(3, 4)));
    x.dispose();
    expect(arrays(toy)).toBeGreaterThan(0);
    await assigning;
    expect([out.toArray(), arrays(toy)]).toEqual([[3, 8], 0]);
  });

  test("of operands are released once all transfers have ended, if one of them fails", async () => {
    const { toy, device } = start();
    const plain = toy.put.bind(toy);
    let finish = (): void => {};
    toy.put = async (...args) => {
      if (toy.calls.includes("put")) throw new ResourceExhaustedError("no memory for toys");
      await plain(...args);
      return { done: new Promise<void>((resolve) => (finish = resolve)) };
    };
    const assigning = vector(0, 0)
      .device(device)
      .assign(vector(1, 2).mul(vector(3, 4)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(arrays(toy)).toBe(1);
    finish();
    await expect(assigning).rejects.toEqual(rejection("RESOURCE_EXHAUSTED", /toys/));
    expect(arrays(toy)).toBe(0);
  });

  test("that are cancelled are released once their transfer has ended", async () => {
    const { toy, device } = start();
    let finish = (): void => {};
    const plain = toy.put.bind(toy);
    toy.put = async (...args) => {
      await plain(...args);
      return { done: new Promise<void>((resolve) => (finish = resolve)) };
    };
    const controller = new AbortController();
    const putting = device.put(vector(1, 2), null, { signal: controller.signal });
    setImmediate(() => controller.abort("enough"));
    await expect(putting).rejects.toEqual(rejection("CANCELLED", /enough/));
    expect(arrays(toy)).toBe(1);
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(arrays(toy)).toBe(0);
  });

  test("are gone with the device", async () => {
    const { toy, device } = start();
    const x = await put(device, vector(1, 2));
    await Promise.all([device.dispose(), device.dispose()]);
    await expect(vector(0, 0).device(device).assign(x.mul(2))).rejects.toEqual(rejection("FAILED_PRECONDITION", /ToyDevice is disposed/));
    x.dispose();
    expect([toy.calls, toy.held.size]).toEqual([["put", "close"], 0]);
  });
});

test("a backend whose run answers without a result: its taker says so, and nothing is held", async () => {
  const { toy, device } = start(new OddToy("run", () => {}));
  const out = vector(5);
  await expect(out.device(device).assign(vector(1).mul(2))).rejects.toBeInstanceOf(InternalError);
  expect([out.at(0), arrays(toy)]).toEqual([5, 0]);
});

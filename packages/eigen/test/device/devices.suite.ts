// Devices: what a device gets, DefaultDevice, devices of other packages, and wrong values.
import { expect, test } from "@jest/globals";
import { FailedPreconditionError } from "@onebuffer/base";
import { assignTogether, DefaultDevice, holdMemory, tensorMap, ThreadPoolDevice } from "@onebuffer/eigen";
import type { Device, DeviceAssignment, DeviceAssignments, SyncDeviceAssignments, TensorDeviceOf } from "@onebuffer/eigen";
import { MemoryToken } from "@onebuffer/storage/internal";
import { tensorMapKind } from "@onebuffer/eigen/internal";

const map = (...values: number[]) => tensorMap("float32", Float32Array.from(values), [values.length]);

/** A device that keeps what it gets and computes nothing. */
function recorder(): { readonly device: Device; readonly seen: DeviceAssignment[] } {
  const seen: DeviceAssignment[] = [];
  return { device: { name: "recorder", assign: async (assignments) => void seen.push(...assignments) }, seen };
}

test("a DefaultDevice assigns before it returns, and returns a promise", async () => {
  const [a, out] = [map(1, 2, 3), map(0, 0, 0)];
  const device = new DefaultDevice();
  const done = out.device(device).assign(a.mul(2));
  expect(out.toArray()).toEqual([2, 4, 6]);
  await done;
  await out.device(device).addAssign(a);
  await out.device(device).subAssign(1);
  expect(out.toArray()).toEqual([2, 5, 8]);
  out.device(device).assignSync(out.reverse());
  expect(out.toArray()).toEqual([8, 5, 2]);
});

test("a device gets checked assignments: the map, its places, a tree of its sizes and dtype", async () => {
  const { device, seen } = recorder();
  const out = tensorMap("float32", new Float32Array(6), [2, 3]);
  await out.device(device).assign(map(1, 2, 3));
  await out.device(device).addAssign(1);
  expect(seen.map(({ tree }) => [tree.op, tree.dtype, tree.dimensions])).toEqual([
    ["broadcast", "float32", [2, 3]],
    ["add", "float32", [2, 3]],
  ]);
  expect(seen[0]!.places).toMatchObject({ byteOffset: 0, itemBytes: 4, dims: [2, 3], strides: [3, 1] });
  expect(seen[1]!.tree.inputs[0]).toBe(seen[1]!.target);
});

test("assignTogether gives a device all pairs at once, checked", async () => {
  const { device, seen } = recorder();
  const [a, low, high] = [map(1, 2), tensorMap("float32", new Float32Array(1), []), tensorMap("float32", new Float32Array(1), [])];
  await assignTogether(
    [
      [low, a.min()],
      [high, a.max()],
    ],
    device,
  );
  expect(seen.map(({ tree }) => tree.op)).toEqual(["min", "max"]);
  await expect(assignTogether([[low, a]], device)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(assignTogether([], 3 as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("what is wrong is said: no device, no assignSync, wrong sizes, a read-only map", async () => {
  const out = map(1, 2);
  const { device } = recorder();
  for (const wrong of [null, undefined, 3, {}, { name: "x" }, { name: 3, assign: () => {} }]) {
    expect(() => out.device(wrong as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
  expect(() => (out.device(device) as never as SyncDeviceAssignments<"float32">).assignSync(1)).toThrow(
    expect.objectContaining({ code: "UNIMPLEMENTED", message: "recorder has no assignSync: await assign" }),
  );
  await expect(out.device(device).assign(map(1, 2, 3))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  const freed = new MemoryToken(null);
  const gone = tensorMapKind("float32").vec(new Float32Array(2), 0, freed, 2) as unknown as typeof out;
  freed.free();
  await expect(gone.device(new DefaultDevice()).assign(1)).rejects.toMatchObject({ code: "FAILED_PRECONDITION" });
});

test("devices refuse what is no list of assignments, at once", async () => {
  const out = map(1, 2);
  const { device, seen } = recorder();
  await out.device(device).assign(3);
  const [good] = seen;
  const holes: unknown[] = [good];
  holes.length = 2 ** 32 - 1;
  const wrong = [
    null,
    3,
    {},
    { length: 2 ** 32 - 1, forEach: () => {} },
    holes,
    [null],
    [{}],
    [{ ...good, tree: 3 }],
    [{ ...good, target: good }],
  ];
  const pool = new ThreadPoolDevice(1);
  for (const each of [new DefaultDevice(), pool]) {
    for (const list of wrong) {
      const refused = expect.objectContaining({ code: "INVALID_ARGUMENT" });
      expect(() => each.assignSync(list as never)).toThrow(refused);
      await expect(each.assign(list as never)).rejects.toEqual(refused);
    }
    expect(out.toArray()).toEqual([1, 2]);
    // The places are the target's, whatever the list says.
    each.assignSync([{ ...good!, places: { ...good!.places, byteOffset: 2 ** 30 } }]);
    expect(out.toArray()).toEqual([3, 3]);
    out.assign(map(1, 2));
  }
  await pool.dispose();
});

test("holdMemory holds each buffer once, and lets go once", () => {
  const counts = { ref: 0, unref: 0 };
  const token = new MemoryToken({ ref: () => counts.ref++, unref: () => counts.unref++ });
  const owned = tensorMapKind("float32").vec(new Float32Array(2), 0, token, 2) as unknown as ReturnType<typeof map>;
  const { device, seen } = recorder();
  void owned.device(device).assign(owned.add(owned));
  const release = holdMemory(seen);
  expect(counts).toEqual({ ref: 1, unref: 0 });
  release();
  release();
  expect(counts).toEqual({ ref: 1, unref: 1 });
});

test("holdMemory holds nothing if a buffer of the assignments is freed already", () => {
  let references = 1;
  const held = new MemoryToken({ ref: () => references++, unref: () => references-- });
  const freed = new MemoryToken({
    ref: () => {
      throw new FailedPreconditionError("freed");
    },
    unref: () => undefined,
  });
  const maps = [held, freed].map((token) => tensorMapKind("float32").vec(new Float32Array(2), 0, token, 2) as never);
  const [target, tree] = maps as unknown as [DeviceAssignment["target"], DeviceAssignment["tree"]];
  expect(() => holdMemory([{ target, tree } as DeviceAssignment])).toThrow(FailedPreconditionError);
  expect(references).toBe(1);
});

test("the types say whether a device has assignSync", () => {
  const out = map(1);
  const { device } = recorder();
  const plain: DeviceAssignments<"float32"> = out.device(device);
  const sync: SyncDeviceAssignments<"float32"> = out.device(new DefaultDevice());
  const same: TensorDeviceOf<"float32", DefaultDevice> = sync;
  // @ts-expect-error: a Device has no assignSync
  expect(() => plain.assignSync(1)).toThrow(expect.objectContaining({ code: "UNIMPLEMENTED" }));
  const integers = tensorMap("int32", new Int32Array(1), [1]);
  // @ts-expect-error: another dtype
  plain.assign(integers).catch(() => {});
  same.assignSync(5);
  expect(out.at(0)).toBe(5);
});

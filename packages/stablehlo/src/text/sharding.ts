/**
 * Shardings as Shardy writes them (the dialect sdy, which XLA's partitioner reads). Annotations of the older form `mhlo.sharding` are
 * dropped without a message where only arguments have them, so they are never written.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkArray, checkInteger, checkObject, shownValue } from "@onebuffer/base/internal";

/**
 * A mesh of devices: its axes in order, each with its number of devices.
 *
 * @example
 * const mesh: Mesh = { x: 2, y: 4 }; // eight devices
 */
export type Mesh = Readonly<Record<string, number>>;

/**
 * How the dimensions of a tensor are divided over the axes of a mesh (jax.sharding.PartitionSpec): per dimension the name of an axis, a
 * list of names, or null for a dimension that every device has whole. Missing entries at the end are null.
 *
 * @example
 * const rows: Sharding = ["x"]; // dimension 0 is divided over axis x, the others are whole
 * const blocks: Sharding = [["x", "y"], null];
 */
export type Sharding = readonly (string | readonly string[] | null)[];

/** Returns a copy of a mesh. Throws INVALID_ARGUMENT unless it has an axis, sizes of 1 or more, and at most 2^20 devices. */
export function checkedMesh(mesh: Mesh): Mesh {
  checkObject(mesh, "mesh");
  if (Array.isArray(mesh)) throw new InvalidArgumentError(`mesh: axes have names, such as { x: 2, y: 4 }; got ${shownValue(mesh)}`);
  const axes = Object.entries(mesh);
  if (axes.length === 0) throw new InvalidArgumentError("mesh: at least one axis is needed, such as { x: 2 }");
  let devices = 1;
  for (const [name, size] of axes) {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new InvalidArgumentError(`mesh: ${shownValue(name)} is not the name of an axis`);
    checkInteger(size, `mesh: the size of axis ${name}`, 1, kMaxDevices);
    devices *= size;
    if (devices > kMaxDevices) throw new InvalidArgumentError(`mesh: more than ${kMaxDevices} devices`);
  }
  return Object.fromEntries(axes);
}

/** The most devices of a mesh; the largest clusters have about a tenth of it. */
const kMaxDevices = 2 ** 20;

/** Returns the number of devices of a mesh. */
export function meshSize(mesh: Mesh): number {
  return Object.values(mesh).reduce((product, size) => product * size, 1);
}

/** Returns the mesh as a program writes it: `{ x: 2, y: 4 }`. */
export function shownMesh(mesh: Mesh): string {
  return `{ ${Object.entries(mesh)
    .map(([name, size]) => `${name}: ${size}`)
    .join(", ")} }`;
}

/** Returns the mesh as an operation of the module. */
export function meshText(mesh: Mesh): string {
  const axes = Object.entries(mesh).map(([name, size]) => `"${name}"=${size}`);
  return `sdy.mesh @mesh = <[${axes.join(", ")}]>`;
}

/**
 * Returns the attribute of a sharded argument or result. Throws INVALID_ARGUMENT for axes that the mesh does not have, axes used twice, more
 * entries than dimensions, and dimensions that the axes do not divide evenly. `what` names the tensor in messages.
 */
export function shardingText(what: string, sharding: Sharding, dims: readonly number[], mesh: Mesh | null): string {
  checkArray(sharding, `${what}: its sharding`);
  if (mesh === null) throw new InvalidArgumentError(`${what}: a sharding needs the option mesh`);
  if (sharding.length > dims.length) {
    throw new InvalidArgumentError(`${what}: a sharding of ${sharding.length} dimensions for a tensor of ${dims.length}`);
  }
  const used = new Set<string>();
  const entries = dims.map((size, d) => {
    const entry = sharding[d] ?? null;
    const axes = entry === null ? [] : typeof entry === "string" ? [entry] : entry;
    checkArray(axes, `${what}: entry ${d} of its sharding`);
    let parts = 1;
    for (const axis of axes) {
      if (typeof axis !== "string" || !Object.hasOwn(mesh, axis)) {
        throw new InvalidArgumentError(`${what}: the mesh has no axis ${shownValue(axis)}, it has ${Object.keys(mesh).join(", ")}`);
      }
      if (used.has(axis)) throw new InvalidArgumentError(`${what}: axis ${axis} divides two dimensions`);
      used.add(axis);
      parts *= mesh[axis] as number;
    }
    if (size % parts !== 0)
      throw new InvalidArgumentError(`${what}: dimension ${d} of size ${size} cannot be divided over ${parts} devices`);
    return `{${axes.map((axis) => `"${axis}"`).join(", ")}}`;
  });
  return `sdy.sharding = #sdy.sharding<@mesh, [${entries.join(", ")}]>`;
}

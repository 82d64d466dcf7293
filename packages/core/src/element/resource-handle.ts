/**
 * ResourceHandle: an element of a resource tensor. It names an object outside the tensor, such as a variable
 * (tensorflow/core/framework/resource_handle.h).
 *
 * An ordinary handle only has names. A ref-counting handle also holds a reference on the resource: every copy takes one more,
 * and `dispose` releases it. The proto form is a plain structural object; packages/proto encodes it.
 */
import type { UnknownField } from "@onebuffer/base";
import { checkObject, checkText, isDataType, shownValue } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import type { TensorShapeProto } from "@onebuffer/shape";
import { PartialTensorShape } from "@onebuffer/shape";
import { checkRefCounted } from "@onebuffer/allocator/internal";
import type { ElementLifecycle } from "./element-lifecycle.ts";
import { checkedElement, kObjectElementSize } from "./element-lifecycle.ts";

/** The dtype and shape of a value that the resource holds: TensorFlow's DtypeAndPartialTensorShape. */
export interface DtypeAndShape {
  /** A DataType number. */
  readonly dtype: number;
  readonly shape: PartialTensorShape;
}

/** A resource that a ref-counting handle can refer to: any RefCounted. */
export interface CountedResource {
  ref(): void;
  unref(): boolean;
  /** Returns the name of a new ref-counting handle; the default is `Resource-<id>`. */
  makeRefCountingHandleName?(id: number): string;
  debugString?(): string;
}

/** tensorflow.ResourceHandleProto.DtypeAndShape as a plain object. */
export interface DtypeAndShapeProto {
  dtype?: number | undefined;
  shape?: TensorShapeProto | undefined;
  /** Fields that were on the wire but are not known to the decoder. */
  unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.ResourceHandleProto as a plain object; an absent field has proto3's default value. */
export interface ResourceHandleProto {
  device?: string | undefined;
  container?: string | undefined;
  name?: string | undefined;
  /** A uint64; a value of type number must be an integer up to 2^53 - 1. */
  hashCode?: bigint | number | undefined;
  maybeTypeName?: string | undefined;
  dtypesAndShapes?: readonly DtypeAndShapeProto[] | undefined;
  /** Fields that were on the wire but are not known to the decoder. */
  unknownFields?: readonly UnknownField[] | undefined;
}

/** The arguments of ResourceHandle's constructor; all have empty defaults. */
export interface ResourceHandleFields {
  readonly device?: string;
  readonly container?: string;
  readonly name?: string;
  /** The hash code of the resource's C++ type: a uint64. */
  readonly hashCode?: bigint;
  readonly maybeTypeName?: string;
  readonly dtypesAndShapes?: readonly DtypeAndShape[];
}

/** The id of the next ref-counting handle, counted from 0 on each thread. */
let nextId = 0;

/**
 * A handle that names a resource. The fields of a default handle are empty.
 *
 * @example
 * const handle = new ResourceHandle({ name: "v", device: "cpu:0" });
 * handle.summarizeValue(); // => "ResourceHandle(name=\"v\", device=\"cpu:0\", container=\"\", type=\"\", dtype and shapes : \"[  ]\")"
 * new ResourceHandle({ hashCode: 255n }).debugString(); // => "device:  container:  name:  hash_code: 0xFF maybe_type_name , dtype and shapes : [  ]"
 * new ResourceHandle({ hashCode: -1n }); // throws INVALID_ARGUMENT
 */
export class ResourceHandle {
  /** Used as a name, it requests a unique name (as in TensorFlow; nothing in this package interprets it). */
  static readonly ANONYMOUS_NAME: string = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";

  device: string;
  container: string;
  name: string;
  hashCode: bigint;
  maybeTypeName: string;
  dtypesAndShapes: readonly DtypeAndShape[];
  #owned: CountedResource | null;

  /** Makes a handle without a reference on the resource. Throws INVALID_ARGUMENT if the hash code is not a uint64. */
  constructor(fields: ResourceHandleFields = {}) {
    checkObject(fields, "a handle's fields");
    this.device = fields.device ?? "";
    this.container = fields.container ?? "";
    this.name = fields.name ?? "";
    this.hashCode = checkedHash(fields.hashCode ?? 0n);
    this.maybeTypeName = fields.maybeTypeName ?? "";
    this.dtypesAndShapes = fields.dtypesAndShapes ?? [];
    this.#owned = null;
  }

  /**
   * Makes a handle that takes over the caller's reference on `resource`. Its container is "Anonymous" and its name is new. The
   * `dispose` of each copy releases that copy's reference. Throws INVALID_ARGUMENT if `resource` is not ref-counted.
   */
  static makeRefCountingHandle(resource: CountedResource, fields: ResourceHandleFields = {}): ResourceHandle {
    checkRefCounted(resource);
    const handle = new ResourceHandle({ ...fields, container: "Anonymous" });
    const id = nextId;
    nextId += 1;
    handle.name = resource.makeRefCountingHandleName?.(id) ?? `Resource-${id}`;
    handle.#owned = resource;
    return handle;
  }

  /**
   * Returns the handle that a proto describes (TF: BuildResourceHandle). Throws INVALID_ARGUMENT for a field of the wrong type, an
   * invalid shape, an unknown dtype, or a hash code that is not a uint64.
   */
  static fromProto(proto: ResourceHandleProto): ResourceHandle {
    const message: unknown = proto;
    if (typeof message !== "object" || message === null)
      throw new InvalidArgumentError(`expected a ResourceHandleProto, got ${shownValue(message)}`);
    const { dtypesAndShapes = [], hashCode = 0n } = proto;
    if (!Array.isArray(dtypesAndShapes))
      throw new InvalidArgumentError(`ResourceHandleProto.dtypesAndShapes must be an array, got ${shownValue(dtypesAndShapes)}`);
    return new ResourceHandle({
      device: textOf(proto.device, "device"),
      container: textOf(proto.container, "container"),
      name: textOf(proto.name, "name"),
      hashCode: typeof hashCode === "number" && Number.isSafeInteger(hashCode) ? BigInt(hashCode) : (hashCode as bigint),
      maybeTypeName: textOf(proto.maybeTypeName, "maybeTypeName"),
      dtypesAndShapes: Array.from(dtypesAndShapes as readonly DtypeAndShapeProto[], dtypeAndShapeOf),
    });
  }

  /** Returns the fields as a proto. A ref-counting handle's reference is not part of it. */
  asProto(): ResourceHandleProto {
    return {
      device: this.device,
      container: this.container,
      name: this.name,
      hashCode: this.hashCode,
      maybeTypeName: this.maybeTypeName,
      dtypesAndShapes: this.dtypesAndShapes.map(({ dtype, shape }) => ({ dtype, shape: shape.asProto() })),
    };
  }

  /** Returns true if the handle holds a reference on its resource. */
  isRefCounting(): boolean {
    return this.#owned !== null;
  }

  /** The resource of a ref-counting handle (borrowed: no reference is taken); null for other handles. */
  get resource(): CountedResource | null {
    return this.#owned;
  }

  /** C++'s copy constructor: returns a handle with the same fields. Takes one more reference if the handle is ref-counting. */
  clone(): ResourceHandle {
    const copy = new ResourceHandle(this);
    this.#owned?.ref();
    copy.#owned = this.#owned;
    return copy;
  }

  /** Releases the reference on the resource, if there is one. A second call does nothing. */
  dispose(): void {
    const owned = this.#owned;
    this.#owned = null;
    owned?.unref();
  }

  /** Calls `dispose` at the end of a block that declares `using handle = …`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /**
   * Throws INVALID_ARGUMENT naming both types unless the handle's resource has the type that the caller expects. Only the hash codes
   * are compared.
   *
   * @param hashCode the expected type's hash code
   */
  validateType(hashCode: bigint, typeName: string): void {
    checkedHash(hashCode);
    checkText(typeName, "a type name");
    if (this.hashCode === hashCode) return;
    throw new InvalidArgumentError(
      "Trying to access a handle's resource using the wrong type. " +
        `The handle points to a resource (name '${this.name}') of type '${this.maybeTypeName}' (hash code ${this.hashCode}) ` +
        `but you are trying to access the resource as type '${typeName}' (hash code ${hashCode})`,
    );
  }

  #contents(): string {
    return this.dtypesAndShapes.map(({ dtype, shape }) => `DType enum: ${dtype}, Shape: ${shape.debugString()}`).join(",");
  }

  /** Returns the text that TensorFlow shows in a tensor's summary. */
  summarizeValue(): string {
    return (
      `ResourceHandle(name="${this.name}", device="${this.device}", container="${this.container}", ` +
      `type="${this.maybeTypeName}", dtype and shapes : "[ ${this.#contents()} ]")`
    );
  }

  /** Returns TensorFlow's longer text, with the hash code. */
  debugString(): string {
    return (
      `device: ${this.device} container: ${this.container} name: ${this.name} hash_code: 0x${this.hashCode.toString(16).toUpperCase()} ` +
      `maybe_type_name ${this.maybeTypeName}, dtype and shapes : [ ${this.#contents()} ]`
    );
  }
}

declare module "@onebuffer/base" {
  interface ObjectElementTypes {
    resource: ResourceHandle;
  }
}

const isHandle = (value: unknown): value is ResourceHandle => value instanceof ResourceHandle;

/** The lifecycle of the elements of resource tensors. */
export const resourceLifecycle: ElementLifecycle = {
  size: kObjectElementSize.resource,
  construct: () => new ResourceHandle(),
  isElement: isHandle,
  copy: (value) => (checkedElement("resource", isHandle, value) as ResourceHandle).clone(),
  destroy: (element) => {
    if (isHandle(element)) element.dispose();
  },
};

function checkedHash(hashCode: bigint): bigint {
  if (typeof hashCode !== "bigint" || hashCode < 0n || hashCode >= 1n << 64n)
    throw new InvalidArgumentError(`a handle's hash code must be a uint64 as a bigint, got ${shownValue(hashCode)}`);
  return hashCode;
}

/** Returns a string field of a message, "" if absent. Throws INVALID_ARGUMENT if it is not a string. */
function textOf(value: string | undefined, field: string): string {
  if (value === undefined) return "";
  if (typeof value !== "string") throw new InvalidArgumentError(`ResourceHandleProto.${field} must be a string, got ${shownValue(value)}`);
  return value;
}

/** Converts an entry of a message. Throws INVALID_ARGUMENT for an unknown dtype or an invalid shape. */
function dtypeAndShapeOf(entry: DtypeAndShapeProto): DtypeAndShape {
  const message: unknown = entry;
  if (typeof message !== "object" || message === null)
    throw new InvalidArgumentError(`expected a dtype and a shape in a resource handle, got ${shownValue(message)}`);
  const { dtype = 0, shape = {} } = entry;
  if (!isDataType(dtype)) throw new InvalidArgumentError(`unknown dtype enum (${shownValue(dtype)}) in a resource handle`);
  const built = PartialTensorShape.fromProto(shape);
  // A shape of unknown rank is one, whatever its sizes.
  if (!built.unknownRank) PartialTensorShape.isValidShape(shape);
  return { dtype, shape: built };
}

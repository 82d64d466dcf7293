/**
 * ResourceHandle: one element of a resource tensor, naming something that lives elsewhere, such as a variable
 * (tensorflow/core/framework/resource_handle.h).
 *
 * A handle is names only, unless it is ref-counting: then it also holds a reference on the resource itself, which
 * every copy adds to and `dispose` gives back. The proto form is a plain structural object; its bytes are the proto
 * package's.
 */
import type { UnknownField } from "@onebuffer/base";
import { checkObject, checkText, DataType, InvalidArgumentError, shownValue } from "@onebuffer/base";
import type { TensorShapeProto } from "@onebuffer/shape";
import { PartialTensorShape } from "@onebuffer/shape";
import { checkRefCounted } from "@onebuffer/allocator/internal";
import type { ElementLifecycle } from "./element-lifecycle.ts";
import { checkedElement, kObjectElementSize } from "./element-lifecycle.ts";

/** The dtype and shape of what the resource holds: TensorFlow's DtypeAndPartialTensorShape. */
export interface DtypeAndShape {
  /** A DataType number. */
  readonly dtype: number;
  readonly shape: PartialTensorShape;
}

/** A resource that a handle can own a reference on: any RefCounted. */
export interface CountedResource {
  ref(): void;
  unref(): boolean;
  /** The name a ref-counting handle gives itself; the default is `Resource-<id>`. */
  makeRefCountingHandleName?(id: number): string;
  debugString?(): string;
}

/** tensorflow.ResourceHandleProto.DtypeAndShape as a plain object. */
export interface DtypeAndShapeProto {
  dtype?: number | undefined;
  shape?: TensorShapeProto | undefined;
  /** Fields of the wire that the reader did not know. */
  unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.ResourceHandleProto as a plain object; absent fields have proto3's default. */
export interface ResourceHandleProto {
  device?: string | undefined;
  container?: string | undefined;
  name?: string | undefined;
  /** A uint64; a number must be whole and at most 2^53 - 1. */
  hashCode?: bigint | number | undefined;
  maybeTypeName?: string | undefined;
  dtypesAndShapes?: readonly DtypeAndShapeProto[] | undefined;
  /** Fields of the wire that the reader did not know. */
  unknownFields?: readonly UnknownField[] | undefined;
}

/** What a handle can be made from. */
export interface ResourceHandleFields {
  readonly device?: string;
  readonly container?: string;
  readonly name?: string;
  /** Which C++ type the resource has: a uint64. */
  readonly hashCode?: bigint;
  readonly maybeTypeName?: string;
  readonly dtypesAndShapes?: readonly DtypeAndShape[];
}

const kKnownDataTypes: ReadonlySet<number> = new Set(Object.values(DataType));

/** Ids of ref-counting handles count up from 0 in this process. */
let nextId = 0;

function checkedHash(hashCode: bigint): bigint {
  if (typeof hashCode !== "bigint" || hashCode < 0n || hashCode >= 1n << 64n)
    throw new InvalidArgumentError(`a handle's hash code must be a uint64 as a bigint, got ${shownValue(hashCode)}`);
  return hashCode;
}

/** A text of a message, "" when absent; INVALID_ARGUMENT for what is none. */
function textOf(value: string | undefined, field: string): string {
  if (value === undefined) return "";
  if (typeof value !== "string") throw new InvalidArgumentError(`ResourceHandleProto.${field} must be a text, got ${shownValue(value)}`);
  return value;
}

/** One entry of a message, checked. */
function dtypeAndShapeOf(entry: DtypeAndShapeProto): DtypeAndShape {
  const message: unknown = entry;
  if (typeof message !== "object" || message === null)
    throw new InvalidArgumentError(`expected a dtype and a shape in a resource handle, got ${shownValue(message)}`);
  const { dtype = 0, shape = {} } = entry;
  if (!kKnownDataTypes.has(dtype)) throw new InvalidArgumentError(`unknown dtype enum (${shownValue(dtype)}) in a resource handle`);
  PartialTensorShape.isValidShape(shape);
  return { dtype, shape: PartialTensorShape.fromProto(shape) };
}

/**
 * The name of a resource. The default handle is empty.
 *
 * @example
 * const handle = new ResourceHandle({ name: "v", device: "cpu:0" });
 * handle.summarizeValue(); // => "ResourceHandle(name=\"v\", device=\"cpu:0\", container=\"\", type=\"\", dtype and shapes : \"[  ]\")"
 * new ResourceHandle({ hashCode: 255n }).debugString(); // => "device:  container:  name:  hash_code: 0xFF maybe_type_name , dtype and shapes : [  ]"
 * new ResourceHandle({ hashCode: -1n }); // throws INVALID_ARGUMENT
 */
export class ResourceHandle {
  /** Given as a name, it asks for a unique one. */
  static readonly ANONYMOUS_NAME: string = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";

  device: string;
  container: string;
  name: string;
  hashCode: bigint;
  maybeTypeName: string;
  dtypesAndShapes: readonly DtypeAndShape[];
  #owned: CountedResource | null;

  /** A handle that names a resource and owns nothing. Throws INVALID_ARGUMENT when the hash code is no uint64. */
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
   * A handle that takes over the caller's reference on `resource`: container "Anonymous", a name of its own.
   * The reference goes back with the last copy's `dispose`.
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
   * The handle a proto describes: BuildResourceHandle. Throws INVALID_ARGUMENT for an invalid shape, an unknown dtype or
   * a hash code that is no uint64.
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

  /** The proto's fields; what the handle owns stays behind. */
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

  /** Whether the handle holds a reference on its resource. */
  isRefCounting(): boolean {
    return this.#owned !== null;
  }

  /** The resource of a ref-counting handle, borrowed; `null` otherwise. */
  get resource(): CountedResource | null {
    return this.#owned;
  }

  /** C++'s copy: the same names, and one more reference on the resource if the handle is ref-counting. */
  clone(): ResourceHandle {
    const copy = new ResourceHandle(this);
    this.#owned?.ref();
    copy.#owned = this.#owned;
    return copy;
  }

  /** Gives the reference on the resource back, if there is one. A second call does nothing. */
  dispose(): void {
    const owned = this.#owned;
    this.#owned = null;
    owned?.unref();
  }

  /** `using handle = …` gives the reference back at the end of the block. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /**
   * Checks that the handle points at the type the caller expects. Throws INVALID_ARGUMENT naming both types otherwise.
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

  /** The text shown inside a tensor's summary. */
  summarizeValue(): string {
    return (
      `ResourceHandle(name="${this.name}", device="${this.device}", container="${this.container}", ` +
      `type="${this.maybeTypeName}", dtype and shapes : "[ ${this.#contents()} ]")`
    );
  }

  /** The longer text, with the hash code. */
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

/** How the elements of a resource tensor begin and end. */
export const resourceLifecycle: ElementLifecycle = {
  size: kObjectElementSize.resource,
  construct: () => new ResourceHandle(),
  isElement: isHandle,
  copy: (value) => (checkedElement("resource", isHandle, value) as ResourceHandle).clone(),
  destroy: (element) => {
    if (isHandle(element)) element.dispose();
  },
};

/**
 * Variant: one element of a variant tensor, holding one value of any type (tensorflow/core/framework/variant.h).
 *
 * A value is a Tensor, a plain number (`int`, `float`, `double`) or boolean (`bool`), or any object that names its
 * type. Copying a Variant copies the value (a tensor is shared, one more count), and ending it ends the value.
 * TensorFlow stores values of up to 56 bytes inline and larger ones on the heap; JavaScript has no such difference,
 * so a moved-from Variant is always empty.
 */
import { argumentError, checkFunction, checkText, InvalidArgumentError, shownValue } from "@onebuffer/base";
import { doubleText, floatText } from "./float-text.ts";
import type { ElementLifecycle } from "./element-lifecycle.ts";
import { checkedElement, kObjectElementSize } from "./element-lifecycle.ts";
import type { VariantNumbers } from "./variant-number.ts";
import { decodeVariantNumber, encodeVariantNumber, isVariantNumber } from "./variant-number.ts";
import type { VariantTensor, VariantTensorData } from "./variant-tensor-data.ts";
import { checkVariantData, newVariantTensorData } from "./variant-tensor-data.ts";

/**
 * An object that a Variant can hold. Only the name is required; what is missing behaves as in TensorFlow: a value
 * without debugString shows as `?`. Without `clone`, copies of the Variant share the object.
 */
export interface VariantValue {
  /** TensorFlow's TypeName(): what a decode function is registered under. */
  readonly typeName: string;
  /** The text inside the Variant's debug string. */
  debugString?(): string;
  /** C++'s copy constructor. */
  clone?(): VariantValue;
  /** C++'s destructor. */
  dispose?(): void;
  /** Writes the value; the type name is set by the caller. */
  encode?(data: VariantTensorData): void;
  /** Reads the value back; false if the data is not such a value. */
  decode?(data: VariantTensorData): boolean;
}

type Held = VariantTensor | VariantValue | number | boolean | null;

/**
 * The type name every Tensor carries.
 *
 * @example
 * kTensorTypeName; // => "tensorflow::Tensor"
 */
export const kTensorTypeName = "tensorflow::Tensor";

/** The number as its C++ type holds it; refuses what that type cannot hold. */
function toPod(value: number | boolean, kind: keyof VariantNumbers): number | boolean {
  if (!isVariantNumber(kind) || typeof value !== (kind === "bool" ? "boolean" : "number"))
    throw new InvalidArgumentError(`a Variant of type ${shownValue(kind)} cannot hold ${shownValue(value)}`);
  if (kind === "float") return Math.fround(Number(value));
  if (kind === "int" && (Number(value) | 0) !== value) throw new InvalidArgumentError(`a Variant of type int cannot hold ${String(value)}`);
  return value;
}

/** Throws INVALID_ARGUMENT unless a Variant can hold the object: it names its type, and not that of something else. */
function checkObject(value: VariantTensor | VariantValue | null): void {
  if (value === null || (Object.getPrototypeOf(value) as unknown) === Variant.prototype)
    throw new InvalidArgumentError(`a Variant cannot hold ${value === null ? "null" : "a Variant"}`);
  const { typeName } = value;
  if (typeof typeName !== "string" || typeName === "" || isVariantNumber(typeName))
    throw new InvalidArgumentError(`a Variant's value needs a type name of its own, got ${shownValue(typeName)}`);
  if (isTensor(value) && typeof value.share !== "function") throw new InvalidArgumentError(`a value of type ${typeName} that is no Tensor`);
}

const isVariant = (value: unknown): value is Variant => value instanceof Variant;

/** Throws INVALID_ARGUMENT unless the value is a Variant. */
function checkVariant(value: unknown): void {
  if (!isVariant(value)) throw argumentError("a Variant", value);
}

function isTensor(value: VariantTensor | VariantValue): value is VariantTensor {
  return value.typeName === kTensorTypeName;
}

/** How many Variants are writing their values now, one inside the other, and the most that do. */
let depth = 0;
const kMaxDepth = 100;

function copyOf(value: Held): Held {
  if (typeof value !== "object" || value === null) return value;
  if (isTensor(value)) return value.share();
  return value.clone?.() ?? value;
}

/**
 * A box for one value of any type; empty when made without one.
 *
 * The constructor copies (a Tensor is shared); `emplace` takes the value over instead. `dispose`, or the end of
 * the buffer the Variant stands in, ends the value.
 *
 * @example
 * new Variant(42, "int").debugString(); // => "Variant<type: int value: 42>"
 * new Variant().debugString(); // => "Variant<type:  value: [empty]>"
 * new Variant(1.5).typeName; // => "double"
 * new Variant(1.5, "int"); // throws INVALID_ARGUMENT
 */
export class Variant {
  #kind: string;
  #held: Held;

  /**
   * Holds a copy of the value: a Tensor is shared, an object cloned if it can be. A number is a `double` and a boolean a
   * `bool` unless `kind` says which C++ type it stands for.
   */
  constructor(value?: VariantTensor | VariantValue | number | boolean, kind?: keyof VariantNumbers) {
    this.#kind = "";
    this.#held = null;
    if (typeof value === "object") {
      checkObject(value);
      this.emplace(copyOf(value) as VariantValue);
    } else if (value !== undefined) this.emplace(value, kind);
  }

  /** True when nothing is held. */
  isEmpty(): boolean {
    return this.#held === null;
  }

  /** The held value's type name, `""` when empty. */
  get typeName(): string {
    return this.#kind;
  }

  /** What is held, borrowed: the Variant still owns it. `null` when empty. */
  get value(): VariantTensor | VariantValue | number | boolean | null {
    return this.#held;
  }

  /**
   * The value if it is of that type, otherwise `null`: C++'s `get<T>()`. A class asks for exactly its own instances,
   * a name for one of the number types. The value is borrowed.
   */
  get<K extends keyof VariantNumbers>(kind: K): VariantNumbers[K] | null;
  get<T>(type: { readonly prototype: T }): T | null;
  get(type: keyof VariantNumbers | { readonly prototype: unknown }): unknown {
    if (typeof type !== "string") checkFunction(type, "a class or the name of a number's type");
    if (typeof type === "string") return this.#kind === type ? this.#held : null;
    const held = this.#held;
    if (typeof held !== "object" || held === null) return null;
    return Object.getPrototypeOf(held) === type.prototype ? held : null;
  }

  /** Takes the value over (no copy) in place of the present one, which ends. */
  emplace(value: VariantTensor | VariantValue | number | boolean, kind?: keyof VariantNumbers): void {
    if (typeof value === "object") {
      checkObject(value);
      this.#replace(value, value.typeName);
    } else {
      const name = kind ?? (typeof value === "boolean" ? "bool" : "double");
      this.#replace(toPod(value, name), name);
    }
  }

  #replace(value: Held, kind: string): void {
    const old = this.#held;
    this.#held = value;
    this.#kind = kind;
    if (typeof old === "object" && old !== null && old !== value) old.dispose?.();
  }

  /** Ends the value and leaves the Variant empty. */
  clear(): void {
    this.#replace(null, "");
  }

  /** Exchanges the values of two Variants; copies nothing. */
  swap(other: Variant): void {
    checkVariant(other);
    const kind = this.#kind;
    const held = this.#held;
    this.#kind = other.#kind;
    this.#held = other.#held;
    other.#kind = kind;
    other.#held = held;
  }

  /** A new Variant holding a copy of the value. */
  clone(): Variant {
    const copy = new Variant();
    copy.#kind = this.#kind;
    copy.#held = copyOf(this.#held);
    return copy;
  }

  /**
   * `[empty]`, the value's own debug string, a number as TensorFlow prints it, or `?`. Variants in tensors in Variants
   * show as `...` from the hundredth level on, where C++ would run out of stack at some point.
   */
  summarizeValue(): string {
    const held = this.#held;
    if (held === null) return "[empty]";
    if (typeof held === "boolean") return held ? "1" : "0";
    if (typeof held === "number")
      return this.#kind === "int" ? held.toString() : this.#kind === "float" ? floatText(held) : doubleText(held);
    if (depth >= kMaxDepth) return "...";
    depth += 1;
    try {
      return held.debugString?.() ?? "?";
    } finally {
      depth -= 1;
    }
  }

  /** `Variant<type: T value: V>`. */
  debugString(): string {
    return `Variant<type: ${this.#kind} value: ${this.summarizeValue()}>`;
  }

  /**
   * Writes the value into `data`: a number as its little-endian bytes, a Tensor as a shared handle, an object by its
   * own encode. Throws INVALID_ARGUMENT for an object that has none.
   */
  encode(data: VariantTensorData): void {
    checkVariantData(data);
    const held = this.#held;
    const kind = this.#kind;
    if (typeof held === "number" || typeof held === "boolean") {
      data.metadata = encodeVariantNumber(held, kind as keyof VariantNumbers);
    } else if (held !== null) {
      if (isTensor(held)) data.tensors.push(held.share());
      else if (held.encode === undefined) throw new InvalidArgumentError(`a value of type ${kind} has no encode`);
      else held.encode(data);
    }
    data.typeName = kind;
  }

  /**
   * Reads `data` into the value held now, which decides the type; false if it does not fit, and the value is
   * then unchanged. An empty Variant answers true and stays empty, as in TensorFlow.
   */
  decode(data: VariantTensorData): boolean {
    checkVariantData(data);
    const held = this.#held;
    const kind = this.#kind;
    if (held === null) return true;
    if (typeof held === "number" || typeof held === "boolean") {
      const value = decodeVariantNumber(data.metadata, kind as keyof VariantNumbers);
      if (value !== null) this.#held = value;
      return value !== null;
    }
    if (!isTensor(held)) return held.decode?.(data) ?? false;
    const first = data.tensors[0];
    // Quirk: TensorFlow reads tensors[0] without looking whether there is one.
    if (first === undefined) return false;
    this.#replace(first.share(), kTensorTypeName);
    return true;
  }

  /** Ends the value; the Variant is empty then and may be used again. */
  dispose(): void {
    this.clear();
  }

  /** `using variant = …` ends the value at the end of the block. */
  [Symbol.dispose](): void {
    this.clear();
  }
}

/** Makes a fresh value from data, or answers null if the data is not one; the Variant takes the value over. */
export type VariantDecodeFunction = (data: VariantTensorData) => VariantTensor | VariantValue | null;

const decoders = new Map<string, VariantDecodeFunction>();

/**
 * Registers how values of a type name are read. `tensorflow::Tensor`, `int`, `float`, `bool` and `double` are built in.
 * Throws INVALID_ARGUMENT for an empty name or one that is taken (TF aborts).
 *
 * @example
 * registerUnaryVariantDecodeFunction("int", () => null); // throws INVALID_ARGUMENT
 */
export function registerUnaryVariantDecodeFunction(typeName: string, decode: VariantDecodeFunction): void {
  checkText(typeName, "a type name");
  checkFunction(decode, "a decode function");
  if (typeName === "") throw new InvalidArgumentError("a decode function needs a type name");
  if (hasUnaryVariantDecodeFunction(typeName))
    throw new InvalidArgumentError(`a decode function for the type name "${typeName}" is already registered`);
  decoders.set(typeName, decode);
}

/**
 * Whether values of a type name can be read: it is built in or registered (TF: GetDecodeFn is not null).
 *
 * @example
 * hasUnaryVariantDecodeFunction("tensorflow::Tensor"); // => true
 * hasUnaryVariantDecodeFunction("no such type"); // => false
 */
export function hasUnaryVariantDecodeFunction(typeName: string): boolean {
  return typeName === kTensorTypeName || isVariantNumber(typeName) || decoders.has(typeName);
}

/**
 * The Variant that the data describes, or `null`: a name nobody registered, data without a name, a decode that fails,
 * or a value that names itself otherwise. No name, no bytes and no tensors is the empty Variant. The data keeps its
 * handles.
 *
 * @example
 * decodeUnaryVariant(newVariantTensorData())?.isEmpty(); // => true
 * decodeUnaryVariant({ typeName: "no such type", metadata: new Uint8Array(0), tensors: [] }); // => null
 */
export function decodeUnaryVariant(data: VariantTensorData): Variant | null {
  checkVariantData(data);
  const { typeName } = data;
  const result = new Variant();
  if (typeName === "") return data.metadata.byteLength === 0 && data.tensors.length === 0 ? result : null;
  if (isVariantNumber(typeName)) {
    const value = decodeVariantNumber(data.metadata, typeName);
    if (value === null) return null;
    result.emplace(value, typeName);
  } else if (typeName === kTensorTypeName) {
    const tensor = data.tensors[0]?.share();
    if (tensor === undefined) return null;
    result.emplace(tensor);
  } else {
    const value = decoders.get(typeName)?.(data) ?? null;
    // A plain number or boolean carries a built-in name, never the one asked for.
    if (typeof value !== "object" || value === null) return null;
    if (value.typeName !== typeName) {
      value.dispose?.();
      return null;
    }
    result.emplace(value);
  }
  return result;
}

/**
 * The data a Variant encodes to, in a fresh object whose handles the caller owns (disposeVariantTensorData).
 *
 * @example
 * encodeVariant(new Variant(true)); // => ({ typeName: "bool", metadata: new Uint8Array([1]), tensors: [] })
 */
export function encodeVariant(variant: Variant): VariantTensorData {
  checkVariant(variant);
  const data = newVariantTensorData();
  variant.encode(data);
  return data;
}

declare module "@onebuffer/base" {
  interface ObjectElementTypes {
    variant: Variant;
  }
}

/** How the elements of a variant tensor begin and end. */
export const variantLifecycle: ElementLifecycle = {
  size: kObjectElementSize.variant,
  construct: () => new Variant(),
  isElement: isVariant,
  copy: (value) => (checkedElement("variant", isVariant, value) as Variant).clone(),
  destroy: (element) => {
    if (isVariant(element)) element.dispose();
  },
};

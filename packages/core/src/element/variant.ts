/**
 * Variant: an element of a variant tensor, which holds one value of any type (tensorflow/core/framework/variant.h).
 *
 * A value is a Tensor, a plain number (`int`, `float`, `double`) or boolean (`bool`), or any object that has a type name. Copying a
 * Variant copies the value (a tensor is shared: one more reference), and disposing it disposes the value. TensorFlow stores values
 * of up to 56 bytes inline and larger ones on the heap; JavaScript has no such difference, so a moved-from Variant is always empty.
 */
import { argumentError, checkCallback, checkFunction, checkText, shownValue } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { sixDigitText } from "./float-text.ts";
import type { ElementLifecycle } from "./element-lifecycle.ts";
import { checkedElement, kObjectElementSize } from "./element-lifecycle.ts";
import type { VariantNumbers } from "./variant-number.ts";
import { decodeVariantNumber, encodeVariantNumber, isVariantNumber } from "./variant-number.ts";
import type { VariantTensor, VariantTensorData } from "./variant-tensor-data.ts";
import { checkVariantData, newVariantTensorData } from "./variant-tensor-data.ts";

/**
 * An object that a Variant can hold. Only `typeName` is required. As in TensorFlow, a value without `debugString` is shown as `?`.
 * A value without `clone` is shared by all copies of the Variant.
 */
export interface VariantValue {
  /** TensorFlow's TypeName(), under which the type's decode function is registered. */
  readonly typeName: string;
  /** Returns the value's text in the Variant's debug string. */
  debugString?(): string;
  /** C++'s copy constructor. */
  clone?(): VariantValue;
  /** C++'s destructor. */
  dispose?(): void;
  /** Writes the value into `data`; the caller sets the type name. */
  encode?(data: VariantTensorData): void;
  /** Reads the value from `data`. Returns false if the data is not a value of this type. */
  decode?(data: VariantTensorData): boolean;
}

type Held = VariantTensor | VariantValue | number | boolean | null;

/**
 * The `typeName` of every Tensor.
 *
 * @example
 * kTensorTypeName; // => "tensorflow::Tensor"
 */
export const kTensorTypeName = "tensorflow::Tensor";

const isVariant = (value: unknown): value is Variant => value instanceof Variant;

/** The number of nested `nested` calls that are running (Variants in tensors in Variants). */
let depth = 0;
/** The depth from which on `nested` returns `...`. */
const kMaxDepth = 100;

/** Returns the text of a value in a Variant, `...` from the hundredth level on. */
export function nested(text: () => string): string {
  if (depth >= kMaxDepth) return "...";
  depth += 1;
  try {
    return text();
  } finally {
    depth -= 1;
  }
}

/**
 * A container for one value of any type, or for none.
 *
 * The constructor copies the value (a Tensor is shared); `emplace` takes it over without a copy. `dispose` disposes the value; so does
 * freeing the buffer that the Variant is an element of.
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
   * Makes a Variant with a copy of the value: a Tensor is shared, an object is cloned if it has `clone`. `kind` is the C++ type of a
   * number or boolean, by default `double` or `bool`. Throws INVALID_ARGUMENT if the value has no type name or does not fit `kind`.
   */
  constructor(value?: VariantTensor | VariantValue | number | boolean, kind?: keyof VariantNumbers) {
    this.#kind = "";
    this.#held = null;
    if (typeof value === "object") {
      checkObject(value);
      this.emplace(copyOf(value) as VariantValue);
    } else if (value !== undefined) this.emplace(value, kind);
  }

  /** Returns true if the Variant holds no value. */
  isEmpty(): boolean {
    return this.#held === null;
  }

  /** The type name of the value; `""` if empty. */
  get typeName(): string {
    return this.#kind;
  }

  /** The value (borrowed: the Variant still owns it); null if empty. */
  get value(): VariantTensor | VariantValue | number | boolean | null {
    return this.#held;
  }

  /**
   * Returns the value if it is of the given type, otherwise null: C++'s `get<T>()`. The type is a class, of which the value must be a
   * direct instance (not of a subclass), or the name of a plain number's type. The value is borrowed.
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

  /** Replaces the value by `value`, taken over without a copy, and disposes the old value. Throws as the constructor does. */
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

  /** Disposes the value and leaves the Variant empty. */
  clear(): void {
    this.#replace(null, "");
  }

  /** Exchanges the values of two Variants without copying them. */
  swap(other: Variant): void {
    checkVariant(other);
    const kind = this.#kind;
    const held = this.#held;
    this.#kind = other.#kind;
    this.#held = other.#held;
    other.#kind = kind;
    other.#held = held;
  }

  /** Returns a new Variant with a copy of the value. */
  clone(): Variant {
    const copy = new Variant();
    copy.#kind = this.#kind;
    copy.#held = copyOf(this.#held);
    return copy;
  }

  /**
   * Returns the value's text: `[empty]`, a number with six significant digits, an object's debug string, or `?` if it has none. Variants in
   * tensors in Variants are shown as `...` from the hundredth level on; C++ would overflow its stack at some depth.
   */
  summarizeValue(): string {
    const held = this.#held;
    if (held === null) return "[empty]";
    if (typeof held === "boolean") return held ? "1" : "0";
    if (typeof held === "number") return this.#kind === "int" ? held.toString() : sixDigitText(held);
    return nested(() => held.debugString?.() ?? "?");
  }

  /** Returns TensorFlow's `Variant<type: T value: V>`. */
  debugString(): string {
    return `Variant<type: ${this.#kind} value: ${this.summarizeValue()}>`;
  }

  /**
   * Writes the value into `data`: a number as its little-endian bytes, a Tensor as a shared handle, an object with its `encode`.
   * Throws INVALID_ARGUMENT if an object has no `encode`.
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
   * Reads `data` into the current value, whose type decides how. Returns false if the data does not fit; a number or a Tensor is
   * then unchanged. An empty Variant returns true and stays empty, as in TensorFlow.
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
    // Quirk: TensorFlow reads tensors[0] without checking that the list is not empty.
    if (first === undefined) return false;
    this.#replace(first.share(), kTensorTypeName);
    return true;
  }

  /** Disposes the value. The Variant is then empty and may be used again. */
  dispose(): void {
    this.clear();
  }

  /** Calls `clear` at the end of a block that declares `using variant = …`. */
  [Symbol.dispose](): void {
    this.clear();
  }
}

/** Makes a new value from data, or returns null if the data is not a value of the type. The Variant takes the value over. */
export type VariantDecodeFunction = (data: VariantTensorData) => VariantTensor | VariantValue | null;

const decoders = new Map<string, VariantDecodeFunction>();

/**
 * Registers the decode function for values of a type name. `tensorflow::Tensor`, `int`, `float`, `bool` and `double` are built in.
 * Throws INVALID_ARGUMENT if the name is empty or already registered (TF aborts).
 *
 * @example
 * registerUnaryVariantDecodeFunction("int", () => null); // throws INVALID_ARGUMENT
 */
export function registerUnaryVariantDecodeFunction(typeName: string, decode: VariantDecodeFunction): void {
  checkText(typeName, "a type name");
  checkCallback(decode, "a decode function");
  if (typeName === "") throw new InvalidArgumentError("a decode function needs a type name");
  if (hasUnaryVariantDecodeFunction(typeName))
    throw new InvalidArgumentError(`a decode function for the type name "${typeName}" is already registered`);
  decoders.set(typeName, decode);
}

/**
 * Returns true if values of a type name can be decoded: the name is built in or registered (TF: GetDecodeFn is not null).
 *
 * @example
 * hasUnaryVariantDecodeFunction("tensorflow::Tensor"); // => true
 * hasUnaryVariantDecodeFunction("no such type"); // => false
 */
export function hasUnaryVariantDecodeFunction(typeName: string): boolean {
  return typeName === kTensorTypeName || isVariantNumber(typeName) || decoders.has(typeName);
}

/**
 * Returns the Variant that the data describes, or null. The result is null if the type name is not registered, the name is empty but
 * there is other data, decoding fails, or the decoded value has another type name. Data without name, bytes and tensors is
 * the empty Variant. The handles in `data` still belong to the caller.
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
    // A plain number or boolean has a built-in type name, never the registered one.
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
 * Returns the encoded form of a Variant in a new object. The caller owns its handles and releases them with
 * `disposeVariantTensorData`. Throws INVALID_ARGUMENT if the value is an object without `encode`.
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

/** The lifecycle of the elements of variant tensors. */
export const variantLifecycle: ElementLifecycle = {
  size: kObjectElementSize.variant,
  construct: () => new Variant(),
  isElement: isVariant,
  copy: (value) => (checkedElement("variant", isVariant, value) as Variant).clone(),
  destroy: (element) => {
    if (isVariant(element)) element.dispose();
  },
};

/** Returns the number rounded to its C++ type. Throws INVALID_ARGUMENT if that type cannot hold it. */
function toPod(value: number | boolean, kind: keyof VariantNumbers): number | boolean {
  if (!isVariantNumber(kind) || typeof value !== (kind === "bool" ? "boolean" : "number"))
    throw new InvalidArgumentError(`a Variant of type ${shownValue(kind)} cannot hold ${shownValue(value)}`);
  if (kind === "float") return Math.fround(Number(value));
  if (kind === "int" && (Number(value) | 0) !== value) throw new InvalidArgumentError(`a Variant of type int cannot hold ${String(value)}`);
  return value;
}

/** Throws INVALID_ARGUMENT unless a Variant can hold the object: it must have a type name that is not a number's or a Tensor's. */
function checkObject(value: VariantTensor | VariantValue | null): void {
  if (value === null || (Object.getPrototypeOf(value) as unknown) === Variant.prototype)
    throw new InvalidArgumentError(`a Variant cannot hold ${value === null ? "null" : "a Variant"}`);
  const { typeName } = value;
  if (typeof typeName !== "string" || typeName === "" || isVariantNumber(typeName))
    throw new InvalidArgumentError(`a Variant's value needs a type name of its own, got ${shownValue(typeName)}`);
  if (isTensor(value) && typeof value.share !== "function") throw new InvalidArgumentError(`a value of type ${typeName} must be a Tensor`);
}

/** Throws INVALID_ARGUMENT unless the value is a Variant. */
function checkVariant(value: unknown): void {
  if (!isVariant(value)) throw argumentError("a Variant", value);
}

function isTensor(value: VariantTensor | VariantValue): value is VariantTensor {
  return value.typeName === kTensorTypeName;
}

function copyOf(value: Held): Held {
  if (typeof value !== "object" || value === null) return value;
  if (isTensor(value)) return value.share();
  return value.clone?.() ?? value;
}

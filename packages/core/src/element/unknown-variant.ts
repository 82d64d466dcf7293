/**
 * UnknownVariant: the value of a Variant whose type has no registered decode function, kept unchanged (TensorFlow stores the
 * VariantTensorDataProto for a moment and then returns an error; tensorflow/core/framework/variant.cc).
 *
 * `Tensor.fromProto(proto, { unknownVariants: "bytes" })` makes it. It is encoded exactly as it was read, so a program can pass on
 * tensors of types that it does not know.
 */
import { disposeAll } from "@onebuffer/allocator/internal";
import type { VariantValue } from "./variant.ts";
import type { VariantTensor, VariantTensorData } from "./variant-tensor-data.ts";
import { checkVariantData, variantTensorDataDebugString } from "./variant-tensor-data.ts";

/**
 * An encoded value that cannot be decoded: its type name, its bytes and its tensors, which it owns.
 *
 * @example
 * const proto: TensorProto = { dtype: DataType.DT_VARIANT, variantVal: [{ typeName: "mine", metadata: Uint8Array.of(1) }] };
 * Tensor.fromProto(proto); // throws INVALID_ARGUMENT
 * using tensor = Tensor.fromProto(proto, { unknownVariants: "bytes" });
 * const value = (tensor.scalar().at() as Variant).get(UnknownVariant);
 * value?.metadata; // => Uint8Array.of(1)
 * tensor.asProtoField().variantVal; // => [{ typeName: "mine", metadata: Uint8Array.of(1), tensors: [] }]
 */
export class UnknownVariant implements VariantValue {
  readonly typeName: string;
  /** The bytes that the value's encode wrote. */
  readonly metadata: Uint8Array;
  readonly #handles: VariantTensor[];

  /** Takes over the tensor handles of `data` (and empties its list), and copies the metadata. */
  constructor(data: VariantTensorData) {
    checkVariantData(data);
    this.typeName = data.typeName;
    this.metadata = new Uint8Array(data.metadata);
    this.#handles = data.tensors.splice(0);
  }

  /** The tensors, borrowed. */
  get tensors(): readonly VariantTensor[] {
    return this.#handles;
  }

  /** Returns TensorFlow's text of a VariantTensorData. */
  debugString(): string {
    return variantTensorDataDebugString({ typeName: this.typeName, metadata: this.metadata, tensors: this.#handles });
  }

  /** Returns a copy that shares the tensors' buffers. */
  clone(): UnknownVariant {
    return new UnknownVariant({ typeName: this.typeName, metadata: this.metadata, tensors: this.#handles.map((tensor) => tensor.share()) });
  }

  /** Disposes the tensors. */
  dispose(): void {
    disposeAll(this.#handles.splice(0));
  }

  /** Writes the metadata and shared handles of the tensors into `data`. */
  encode(data: VariantTensorData): void {
    checkVariantData(data);
    data.metadata = new Uint8Array(this.metadata);
    for (const tensor of this.#handles) data.tensors.push(tensor.share());
  }
}

/**
 * UnknownVariant: the value of a Variant whose type name nobody registered, kept as it came
 * (TensorFlow stores the VariantTensorDataProto itself for a moment, then refuses; tensorflow/core/framework/variant.cc).
 *
 * Made by `Tensor.fromProto(proto, { unknownVariants: "bytes" })`. It writes itself exactly as it was read, so a program
 * can pass on tensors of types it does not know.
 */
import { disposeAll } from "@onebuffer/allocator/internal";
import type { VariantValue } from "./variant.ts";
import type { VariantTensor, VariantTensorData } from "./variant-tensor-data.ts";
import { checkVariantData, variantTensorDataDebugString } from "./variant-tensor-data.ts";

/**
 * A value taken apart that nobody can put together: its type name, its bytes, its tensors, which it owns.
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
  /** What the value wrote about itself. */
  readonly metadata: Uint8Array;
  readonly #handles: VariantTensor[];

  /** Takes over the handles of `data`. Copies: the metadata. */
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

  /** As TensorFlow shows the data of a Variant. */
  debugString(): string {
    return variantTensorDataDebugString({ typeName: this.typeName, metadata: this.metadata, tensors: this.#handles });
  }

  /** A copy that shares the tensors. */
  clone(): UnknownVariant {
    return new UnknownVariant({ typeName: this.typeName, metadata: this.metadata, tensors: this.#handles.map((tensor) => tensor.share()) });
  }

  /** Lets go of the tensors. */
  dispose(): void {
    disposeAll(this.#handles.splice(0));
  }

  /** Writes what was read. */
  encode(data: VariantTensorData): void {
    checkVariantData(data);
    data.metadata = new Uint8Array(this.metadata);
    for (const tensor of this.#handles) data.tensors.push(tensor.share());
  }
}

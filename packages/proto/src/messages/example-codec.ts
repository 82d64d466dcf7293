/**
 * Codecs of Example and SequenceExample (example.proto and feature.proto in tensorflow/core/example), the messages in most TFRecord files.
 *
 *     Example { features: Features { feature: Map { "x" -> Feature { floatList: FloatList { value: [1, 2] } } } } }
 *
 *     0a 13 | 0a 11       | 0a 01 78 | 12 0c   | 12 0a      | 0a 08 00 00 80 3f 00 00 00 40
 *     features | an entry | key "x"  | a Feature | float_list | value: 1, 2, packed
 */
import type { UnknownField } from "@onebuffer/base";
import type { Int64 } from "../wire/int64.ts";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, map, one, oneOf, packed } from "../wire/message-type.ts";

/** tensorflow.BytesList as a plain object. */
export interface BytesListProto {
  /** Decoding gives views of the input. */
  readonly value?: readonly Uint8Array[] | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.FloatList as a plain object. */
export interface FloatListProto {
  /** Decoding gives a Float32Array. */
  readonly value?: Float32Array | readonly number[] | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.Int64List as a plain object. */
export interface Int64ListProto {
  /** Decoding gives a BigInt64Array. */
  readonly value?: BigInt64Array | readonly Int64[] | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.Feature as a plain object: the values of one name. At most one of the lists is set (a oneof). */
export interface FeatureProto {
  readonly bytesList?: BytesListProto | undefined;
  readonly floatList?: FloatListProto | undefined;
  readonly int64List?: Int64ListProto | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.Features as a plain object: features by name. */
export interface FeaturesProto {
  readonly feature?: ReadonlyMap<string, FeatureProto> | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.Example as a plain object. */
export interface ExampleProto {
  readonly features?: FeaturesProto | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.FeatureList as a plain object: a sequence of features, one for each step. */
export interface FeatureListProto {
  readonly feature?: readonly FeatureProto[] | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.FeatureLists as a plain object: sequences of features by name. */
export interface FeatureListsProto {
  readonly featureList?: ReadonlyMap<string, FeatureListProto> | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.SequenceExample as a plain object: features of the whole sequence, and features of each step. */
export interface SequenceExampleProto {
  readonly context?: FeaturesProto | undefined;
  readonly featureLists?: FeatureListsProto | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

const bytesListCodec: MessageCodec<BytesListProto> = new MessageCodec("tensorflow.BytesList", { value: list(1, "bytes") });
const floatListCodec: MessageCodec<FloatListProto> = new MessageCodec("tensorflow.FloatList", { value: packed(1, "float") });
const int64ListCodec: MessageCodec<Int64ListProto> = new MessageCodec("tensorflow.Int64List", { value: packed(1, "int64") });

/**
 * tensorflow.Feature. Encoding throws INVALID_ARGUMENT if two of its lists are set.
 *
 * @example
 * featureCodec.encode({ int64List: { value: [1, 2] } }); // => Uint8Array.of(26, 4, 10, 2, 1, 2)
 * featureCodec.decode(Uint8Array.of(26, 4, 10, 2, 1, 2)); // => { int64List: { value: BigInt64Array.of(1n, 2n) } }
 * featureCodec.encode({ int64List: {}, floatList: {} }); // throws INVALID_ARGUMENT
 */
export const featureCodec: MessageCodec<FeatureProto> = new MessageCodec("tensorflow.Feature", {
  bytesList: oneOf(1, "kind", () => bytesListCodec),
  floatList: oneOf(2, "kind", () => floatListCodec),
  int64List: oneOf(3, "kind", () => int64ListCodec),
});

/**
 * tensorflow.Features. The entries of a Map are encoded in its order.
 *
 * @example
 * featuresCodec.encode({ feature: new Map([["x", {}]]) }); // => Uint8Array.of(10, 5, 10, 1, 120, 18, 0)
 */
export const featuresCodec: MessageCodec<FeaturesProto> = new MessageCodec("tensorflow.Features", {
  feature: map(1, () => featureCodec),
});

/**
 * tensorflow.Example.
 *
 * @example
 * const bytes = exampleCodec.encode({ features: { feature: new Map([["x", { floatList: { value: [1, 2] } }]]) } });
 * const { features } = exampleCodec.decode(bytes);
 * features?.feature?.get("x")?.floatList?.value; // => Float32Array.of(1, 2)
 * exampleCodec.toJson({ features }); // => { features: { feature: { x: { floatList: { value: [1, 2] } } } } }
 */
export const exampleCodec: MessageCodec<ExampleProto> = new MessageCodec("tensorflow.Example", {
  features: one(1, () => featuresCodec),
});

const featureListCodec: MessageCodec<FeatureListProto> = new MessageCodec("tensorflow.FeatureList", {
  feature: list(1, () => featureCodec),
});

const featureListsCodec: MessageCodec<FeatureListsProto> = new MessageCodec("tensorflow.FeatureLists", {
  featureList: map(1, () => featureListCodec),
});

/**
 * tensorflow.SequenceExample.
 *
 * @example
 * const featureLists = { featureList: new Map([["word", { feature: [{ int64List: { value: [7] } }] }]]) };
 * const json = sequenceExampleCodec.toJson({ featureLists });
 * json; // => { featureLists: { featureList: { word: { feature: [{ int64List: { value: ["7"] } }] } } } }
 */
export const sequenceExampleCodec: MessageCodec<SequenceExampleProto> = new MessageCodec("tensorflow.SequenceExample", {
  context: one(1, () => featuresCodec),
  featureLists: one(2, () => featureListsCodec),
});

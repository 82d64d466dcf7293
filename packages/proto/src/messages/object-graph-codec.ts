/**
 * The codec of TrackableObjectGraph (tensorflow/core/protobuf/trackable_object_graph.proto): the objects of a checkpoint, the names that
 * they have for each other, and the keys of their values. A checkpoint holds it under the key `_CHECKPOINTABLE_OBJECT_GRAPH`.
 */
import type { UnknownField } from "@onebuffer/base";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one } from "../wire/message-type.ts";

/** google.protobuf.BoolValue as a plain object: a bool that can be absent. In JSON it is a boolean. */
export interface BoolValueProto {
  readonly value?: boolean | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.TrackableObjectGraph.TrackableObject.ObjectReference as a plain object: a child and the parent's name for it. */
export interface ObjectReferenceProto {
  /** The index of the child in `nodes`. */
  readonly nodeId?: number | undefined;
  readonly localName?: string | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.TrackableObjectGraph.TrackableObject.SerializedTensor as a plain object: a value of an object. */
export interface SerializedTensorProto {
  /** The name of the attribute: "VARIABLE_VALUE" for a variable. */
  readonly name?: string | undefined;
  /** The name of the variable in a graph. */
  readonly fullName?: string | undefined;
  /** The key of the tensor in the checkpoint. */
  readonly checkpointKey?: string | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.TrackableObjectGraph.TrackableObject.SlotVariableReference as a plain object: an optimizer's variable for a variable. */
export interface SlotVariableReferenceProto {
  /** The index of the variable in `nodes`. */
  readonly originalVariableNodeId?: number | undefined;
  /** The name of the slot, such as "momentum". */
  readonly slotName?: string | undefined;
  /** The index of the slot's variable in `nodes`. */
  readonly slotVariableNodeId?: number | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.RegisteredSaver as a plain object: the name of the code that saved an object in its own way. */
export interface RegisteredSaverProto {
  readonly name?: string | undefined;
  readonly objectName?: string | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.TrackableObjectGraph.TrackableObject as a plain object. */
export interface TrackableObjectProto {
  readonly children?: readonly ObjectReferenceProto[] | undefined;
  readonly attributes?: readonly SerializedTensorProto[] | undefined;
  readonly slotVariables?: readonly SlotVariableReferenceProto[] | undefined;
  readonly registeredSaver?: RegisteredSaverProto | undefined;
  /** True if the object or a descendant has values in the checkpoint; absent in older files. */
  readonly hasCheckpointValues?: BoolValueProto | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.TrackableObjectGraph as a plain object. */
export interface TrackableObjectGraphProto {
  /** The objects; the first is the root. */
  readonly nodes?: readonly TrackableObjectProto[] | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

const boolValueCodec: MessageCodec<BoolValueProto> = new MessageCodec("google.protobuf.BoolValue", { value: one(1, "bool") });

const kObject = "tensorflow.TrackableObjectGraph.TrackableObject";

const objectReferenceCodec: MessageCodec<ObjectReferenceProto> = new MessageCodec(`${kObject}.ObjectReference`, {
  nodeId: one(1, "int32"),
  localName: one(2, "string"),
});

const serializedTensorCodec: MessageCodec<SerializedTensorProto> = new MessageCodec(`${kObject}.SerializedTensor`, {
  name: one(1, "string"),
  fullName: one(2, "string"),
  checkpointKey: one(3, "string"),
});

const slotVariableReferenceCodec: MessageCodec<SlotVariableReferenceProto> = new MessageCodec(`${kObject}.SlotVariableReference`, {
  originalVariableNodeId: one(1, "int32"),
  slotName: one(2, "string"),
  slotVariableNodeId: one(3, "int32"),
});

const registeredSaverCodec: MessageCodec<RegisteredSaverProto> = new MessageCodec("tensorflow.RegisteredSaver", {
  name: one(1, "string"),
  objectName: one(2, "string"),
});

const trackableObjectCodec: MessageCodec<TrackableObjectProto> = new MessageCodec(kObject, {
  children: list(1, () => objectReferenceCodec),
  attributes: list(2, () => serializedTensorCodec),
  slotVariables: list(3, () => slotVariableReferenceCodec),
  registeredSaver: one(4, () => registeredSaverCodec),
  hasCheckpointValues: one(5, () => boolValueCodec),
});

/**
 * tensorflow.TrackableObjectGraph.
 *
 * @example
 * const graph = { nodes: [{ children: [{ nodeId: 1, localName: "w" }] }, { hasCheckpointValues: { value: true } }] };
 * trackableObjectGraphCodec.encode(graph).length; // => 15
 * const json = trackableObjectGraphCodec.toJson(graph);
 * json; // => { nodes: [{ children: [{ nodeId: 1, localName: "w" }] }, { hasCheckpointValues: true }] }
 */
export const trackableObjectGraphCodec: MessageCodec<TrackableObjectGraphProto> = new MessageCodec("tensorflow.TrackableObjectGraph", {
  nodes: list(1, () => trackableObjectCodec),
});

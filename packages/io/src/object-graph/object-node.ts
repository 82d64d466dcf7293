/** An object of a checkpoint: its children, the keys of its values, the slots that it has as an optimizer. */

/**
 * A value of an object in a checkpoint.
 *
 * @example
 * const value: ObjectAttribute = { name: "VARIABLE_VALUE", fullName: "w", checkpointKey: "w/.ATTRIBUTES/VARIABLE_VALUE" };
 * value.name; // => "VARIABLE_VALUE"
 */
export interface ObjectAttribute {
  /** The name of the attribute: "VARIABLE_VALUE" of a variable. */
  readonly name: string;
  /** The name that the variable had in a graph; "" if it had none. */
  readonly fullName: string;
  /** The key of the tensor. */
  readonly checkpointKey: string;
}

/**
 * A variable that an optimizer has for another variable.
 *
 * @example
 * const graph = ObjectGraph.fromProto({
 *   nodes: [{ slotVariables: [{ originalVariableNodeId: 1, slotName: "m", slotVariableNodeId: 2 }] }, {}, {}],
 * });
 * const slots: readonly SlotVariable[] = graph.root.slotVariables;
 * slots.map(({ slotName, variable, slotVariable }) => [slotName, variable.id, slotVariable.id]); // => [["m", 1, 2]]
 */
export interface SlotVariable {
  readonly slotName: string;
  /** The variable that the optimizer trains. */
  readonly variable: ObjectNode;
  /** The optimizer's own variable. */
  readonly slotVariable: ObjectNode;
}

/**
 * An object of a checkpoint. Several parents may have the same object, under different names, and an object may be its own descendant.
 *
 * @example
 * const attributes = [{ name: "VARIABLE_VALUE", checkpointKey: "w/.ATTRIBUTES/VARIABLE_VALUE" }];
 * const graph = ObjectGraph.fromProto({ nodes: [{ children: [{ nodeId: 1, localName: "w" }] }, { attributes }] });
 * const node: ObjectNode = graph.find("w");
 * [node.id, node.children.size, node.checkpointKey]; // => [1, 0, "w/.ATTRIBUTES/VARIABLE_VALUE"]
 */
export interface ObjectNode {
  /** The object's index in the graph. The root has 0. */
  readonly id: number;
  /** The children, by the names that this object has for them. */
  readonly children: ReadonlyMap<string, ObjectNode>;
  /** The object's values. */
  readonly attributes: readonly ObjectAttribute[];
  /** The key of the object's only value, as of a variable; null if it has none or several. */
  readonly checkpointKey: string | null;
  /** The slots that the object has as an optimizer. */
  readonly slotVariables: readonly SlotVariable[];
  /** The code that saved the object in its own way; null if it was saved as others are. */
  readonly registeredSaver: { readonly name: string; readonly objectName: string } | null;
  /** True if the object or a descendant has values; null if the file does not say. */
  readonly hasCheckpointValues: boolean | null;
}

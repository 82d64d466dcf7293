/**
 * The names in object graphs and in the keys of checkpoints (tensorflow/python/checkpoint: trackable_utils.py).
 *
 *     model/dense/kernel/.ATTRIBUTES/VARIABLE_VALUE            the value of the variable model -> dense -> kernel
 *     w/.OPTIMIZER_SLOT/opt/momentum/.ATTRIBUTES/VARIABLE_VALUE   the slot "momentum" that opt has for w
 *
 * In a path, "." in a name is written ".." and "/" is written ".S", so that no name can be taken for two or for one of the words above.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

/** The key of the object graph in a checkpoint. */
export const kObjectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";
/** The name of a variable's value. */
export const kVariableValue = "VARIABLE_VALUE";
const kAttributes = ".ATTRIBUTES";
const kOptimizerSlot = ".OPTIMIZER_SLOT";

/**
 * Returns a name as it is written in a path: ".x" is "..x", "k/ey" is "k.Sey". The empty name, for which TensorFlow writes nothing, is ".":
 * otherwise the path of a child without a name would be that of its parent.
 */
export function escapeLocalName(name: string): string {
  if (name === "") return ".";
  return name.replaceAll(".", "..").replaceAll("/", ".S");
}

/** Returns the names of a path. Throws INVALID_ARGUMENT for a dot that is neither doubled nor before an S. */
export function namesOfPath(path: string): string[] {
  if (path === "") return [];
  return path.split("/").map((escaped) => {
    if (escaped === ".") return "";
    if (escaped.replace(/\.[.S]/g, "").includes(".")) {
      throw new InvalidArgumentError(
        `the path ${shownValue(path)}: ${shownValue(escaped)} is no name; a path has ".." for a dot and ".S" for a slash in a name`,
      );
    }
    return escaped.replace(/\.([.S])/g, (_, second) => (second === "S" ? "/" : "."));
  });
}

/** Returns the path of a child. */
export function childPath(path: string, name: string): string {
  return path === "" ? escapeLocalName(name) : `${path}/${escapeLocalName(name)}`;
}

/** Returns the key of an attribute of the object at `path`. */
export function attributeKey(path: string, name: string): string {
  return `${path}/${kAttributes}/${escapeLocalName(name)}`;
}

/** Returns the path of the slot that the optimizer at `optimizerPath` has for the variable at `path`. */
export function slotPath(path: string, optimizerPath: string, slotName: string): string {
  return `${path}/${kOptimizerSlot}/${optimizerPath}/${escapeLocalName(slotName)}`;
}

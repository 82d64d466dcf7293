/**
 * ProgramShape: the shapes of a computation's parameters and of its result (ProgramShape in xla/shape.h).
 *
 *     (x: f32[2,3], (unknown): s32[]) -> (f32[2,3], s32[])
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { checkedList } from "../type/integers.ts";
import { Shape } from "./shape.ts";

/**
 * The shapes and names of a computation's parameters, and the shape of its result. Immutable.
 *
 * A parameter without a name, or with an empty one, prints as `(unknown)`. The constructor throws INVALID_ARGUMENT if
 * there are more names than parameters, if a parameter or the result is not a Shape, or if a name is not a string.
 * Copies: the lists.
 *
 * @example
 * const program = new ProgramShape([parseShape("f32[2]"), parseShape("s32[]")], parseShape("f32[2]"), ["x"]);
 * program.toString(); // => "(x: f32[2], (unknown): s32[]) -> f32[2]"
 * new ProgramShape([], Shape.token(), ["x"]); // throws INVALID_ARGUMENT
 */
export class ProgramShape {
  /** The parameters' shapes, in order. */
  readonly parameters: readonly Shape[];
  /** The result's shape. */
  readonly result: Shape;
  /** The parameters' names; may be shorter than `parameters`. */
  readonly parameterNames: readonly string[];

  constructor(parameters: readonly Shape[], result: Shape, parameterNames: readonly string[] = []) {
    // Shape.tuple checks that the values are shapes, and how many there are.
    this.parameters = Shape.tuple(parameters).tupleShapes;
    this.result = Shape.tuple([result]).tupleShapes[0]!;
    const names = checkedList(parameterNames, "parameter_names");
    const wrong = names.findIndex((name) => typeof name !== "string");
    if (wrong >= 0) throw new InvalidArgumentError(`Expected a string as parameter_names[${wrong}], got ${shownValue(names[wrong])}`);
    if (names.length > this.parameters.length)
      throw new InvalidArgumentError(`${names.length} parameter_names for ${this.parameters.length} parameters`);
    this.parameterNames = Object.freeze(names);
  }

  /** Returns the program's text; with the shapes' layouts if `withLayout` is true (ProgramShape::ToString, HumanString). */
  toString(withLayout = false): string {
    const parameters = this.parameters.map((shape, i) => `${this.parameterNames[i] || "(unknown)"}: ${shape.toString(withLayout)}`);
    return `(${parameters.join(", ")}) -> ${this.result.toString(withLayout)}`;
  }
}

/**
 * ProgramShape: what a computation takes and gives (ProgramShape in xla/shape.h).
 *
 *     (x: f32[2,3], (unknown): s32[]) -> (f32[2,3], s32[])
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import { checkedList } from "../type/integers.ts";
import { Shape } from "./shape.ts";

/**
 * The shapes and names of a computation's parameters, and the shape of its result. Immutable.
 *
 * Parameters without a name, or with an empty one, print `(unknown)`. Throws INVALID_ARGUMENT for more names than
 * parameters and for what are no shapes or texts. Copies: the lists.
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
    // Tuples check that their children are shapes, and how many there are.
    this.parameters = Shape.tuple(parameters).tupleShapes;
    this.result = Shape.tuple([result]).tupleShapes[0]!;
    const names = checkedList(parameterNames, "parameter_names");
    const wrong = names.findIndex((name) => typeof name !== "string");
    if (wrong >= 0) throw new InvalidArgumentError(`Expected a text as parameter_names[${wrong}], got ${shownValue(names[wrong])}`);
    if (names.length > this.parameters.length)
      throw new InvalidArgumentError(`${names.length} parameter_names for ${this.parameters.length} parameters`);
    this.parameterNames = Object.freeze(names);
  }

  /** The program's text, with the shapes' layouts if asked (ProgramShape::ToString, HumanString). */
  toString(withLayout = false): string {
    const parameters = this.parameters.map((shape, i) => `${this.parameterNames[i] || "(unknown)"}: ${shape.toString(withLayout)}`);
    return `(${parameters.join(", ")}) -> ${this.result.toString(withLayout)}`;
  }
}

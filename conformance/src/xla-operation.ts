/**
 * Helpers for the operations of xla.json: operations on one shape, on two shapes, on a minor_to_major list, and their arguments.
 */
import { Layout, primitiveTypeFromName } from "@onebuffer/xla";
import type { EraOptions, LayoutEqualOptions, PrimitiveType, Shape, ShapeEqualOptions } from "@onebuffer/xla";
import type { Args } from "./args.ts";
import type { CaseScope } from "./case-scope.ts";
import { operation } from "./operation.ts";
import type { Operation } from "./operation.ts";
import { RunnerError } from "./vector.ts";
import { SameShape, toXlaShape } from "./xla-literals.ts";

/** Reads a shape argument. */
export function shapeOf(args: Args, key: string = "shape"): Shape {
  return toXlaShape(args.json(key));
}

/** Reads an element type argument. */
export function typeOf(args: Args): PrimitiveType {
  return primitiveTypeFromName(args.text("type"));
}

/** Returns the era of a case as an option of functions; without it if the case is not of 2017 only, so that their default holds. */
export function eraOptions({ era }: CaseScope): EraOptions {
  return era === "2017" ? { era } : {};
}

/** Makes an operation on one shape. */
export function ofShape(run: (shape: Shape) => unknown): Operation {
  return operation(["shape"], (args) => run(shapeOf(args)));
}

/** Makes an operation on two shapes, with further arguments. */
export function ofPair(run: (a: Shape, b: Shape, args: Args, scope: CaseScope) => unknown, ...more: readonly string[]): Operation {
  return operation(["a", "b", ...more], (args, scope) => run(shapeOf(args, "a"), shapeOf(args, "b"), args, scope));
}

/** Makes an operation on a minor_to_major list, with further arguments. */
export function ofOrder(run: (layout: Layout, args: Args) => unknown, ...more: readonly string[]): Operation {
  return operation(["minorToMajor", ...more], (args) => run(new Layout(args.sizes("minorToMajor")), args));
}

/** Makes an operation that returns a shape. */
export function toOneShape(names: readonly string[], run: (args: Args) => Shape): Operation {
  return operation(names, (args) => new SameShape(run(args)));
}

/** The names in an `ignore` list, and the options of Layout.equals and ShapeUtil.equal that they stand for. */
const kIgnored: Readonly<Record<string, keyof ShapeEqualOptions | keyof LayoutEqualOptions>> = {
  layout: "ignoreLayout",
  elementType: "ignoreElementType",
  fpPrecision: "ignoreFpPrecision",
  dynamic: "ignoreDynamicDimension",
  dimensions: "ignoreDimensions",
  tiles: "ignoreTiles",
  elementSize: "ignoreElementSize",
  memorySpace: "ignoreMemorySpace",
  splitConfig: "ignoreSplitConfigs",
  tail: "ignoreTailPaddingAlignmentInElements",
  physicalShape: "ignorePhysicalShape",
  physical: "ignorePhysicalShape",
  minorToMajorOnly: "minorToMajorOnly",
};

/** Converts the `ignore` argument to options; without the argument there are none. */
export function equalOptions(args: Args): ShapeEqualOptions & LayoutEqualOptions {
  if (!args.has("ignore")) return {};
  return Object.fromEntries(
    args.list("ignore").map((name) => {
      const option = typeof name === "string" && Object.hasOwn(kIgnored, name) ? kIgnored[name] : undefined;
      if (option === undefined) throw new RunnerError(`ignore: unknown ${JSON.stringify(name)}`);
      return [option, true];
    }),
  );
}

/**
 * The kinds of operations that xla.json is made of: on one shape, on two, on a minor_to_major list; and reading their arguments.
 */
import { Layout, primitiveTypeFromName } from "@onebuffer/xla";
import type { LayoutEqualOptions, PrimitiveType, Shape, ShapeEqualOptions } from "@onebuffer/xla";
import type { Args } from "./args.ts";
import type { CaseScope } from "./case-scope.ts";
import { operation } from "./operation.ts";
import type { Operation } from "./operation.ts";
import { RunnerError } from "./vector.ts";
import { SameShape, toXlaShape } from "./xla-literals.ts";

/** A shape argument. */
export function shapeOf(args: Args, key: string = "shape"): Shape {
  return toXlaShape(args.json(key));
}

/** An element type argument. */
export function typeOf(args: Args): PrimitiveType {
  return primitiveTypeFromName(args.text("type"));
}

/** An operation on one shape. */
export function ofShape(run: (shape: Shape) => unknown): Operation {
  return operation(["shape"], (args) => run(shapeOf(args)));
}

/** An operation on two shapes, with further arguments. */
export function ofPair(run: (a: Shape, b: Shape, args: Args, scope: CaseScope) => unknown, ...more: readonly string[]): Operation {
  return operation(["a", "b", ...more], (args, scope) => run(shapeOf(args, "a"), shapeOf(args, "b"), args, scope));
}

/** An operation on a minor_to_major list, with further arguments. */
export function ofOrder(run: (layout: Layout, args: Args) => unknown, ...more: readonly string[]): Operation {
  return operation(["minorToMajor", ...more], (args) => run(new Layout(args.sizes("minorToMajor")), args));
}

/** An operation that answers with a shape. */
export function toOneShape(names: readonly string[], run: (args: Args) => Shape): Operation {
  return operation(names, (args) => new SameShape(run(args)));
}

/** The vectors' names of what may differ, as the options of Layout.equals and ShapeUtil.equal. */
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

/** The `ignore` list as options; none when it is left out. */
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

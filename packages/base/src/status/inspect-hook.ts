/**
 * The text that `console.log` prints for an object of this library in Node, Deno and Bun.
 *
 * Node and Bun call the method with the key `nodejs.util.inspect.custom`, Deno the one with `Deno.customInspect`. Both symbols are
 * registered ones, the same in every realm, and have no effect elsewhere.
 */

/** The options that a console passes to the hook. `indentationLvl` is Deno's. */
interface ConsoleOptions {
  readonly depth?: unknown;
  readonly indentationLvl?: unknown;
}

/** Returns true if the object is printed inside another one: fewer levels are left than the call was given. */
function isInside(levelsLeft: unknown, options: ConsoleOptions | undefined): boolean {
  if (typeof levelsLeft !== "number") return false;
  return levelsLeft < 0 || (typeof options?.depth === "number" && levelsLeft < options.depth);
}

/**
 * Defines what consoles print for objects with this prototype. `text` gets the object, and true if it is printed inside another
 * object, where its text must be one line.
 *
 * @example
 * class Point {
 *   readonly x = 1;
 *   static {
 *     defineInspection(this.prototype, (point) => `Point ${point.x}`);
 *   }
 * }
 * const hook = Reflect.get(new Point(), Symbol.for("nodejs.util.inspect.custom"));
 * hook.call(new Point(), 2, { depth: 2 }); // => "Point 1"
 */
export function defineInspection<T extends object>(prototype: T, text: (object: T, inside: boolean) => string): void {
  Object.defineProperty(prototype, Symbol.for("nodejs.util.inspect.custom"), {
    value(this: T, levelsLeft?: unknown, options?: ConsoleOptions): string {
      return text(this, isInside(levelsLeft, options));
    },
  });
  Object.defineProperty(prototype, Symbol.for("Deno.customInspect"), {
    value(this: T, _inspect?: unknown, options?: ConsoleOptions): string {
      return text(this, typeof options?.indentationLvl === "number" && options.indentationLvl > 0);
    },
  });
}

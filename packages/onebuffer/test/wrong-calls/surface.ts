// Lists every call that a program can make of the library: functions, constructors, static methods, and the methods, getters and setters
// of the receivers. Members that TypeScript hides (private, protected) are found in the declarations and left out.
import { readdirSync, readFileSync } from "node:fs";
import * as onebuffer from "./everything.ts";
import { receivers } from "./right-values.ts";
import { Made } from "./wrong-values.ts";

/** One call: its name in a report, the number of parameters it declares, and a function that makes the call. */
export interface Target {
  readonly name: string;
  readonly arity: number;
  /** True for a getter, which takes no arguments. */
  readonly isGetter?: boolean;
  /** True for a constructor that is private in TypeScript: it refuses whatever JavaScript gives it. */
  readonly isPrivate?: boolean;
  call(args: readonly unknown[], made: Made): unknown;
}

type Call = (...args: readonly unknown[]) => unknown;
type Keyed = Readonly<Record<PropertyKey, unknown>>;

const kPackages = [
  "base",
  "shape",
  "wasm",
  "allocator",
  "storage",
  "expression",
  "evaluator",
  "kernels",
  "compiler",
  "eigen",
  "slice",
  "xla",
  "core",
  "proto",
  "adapters",
  "io",
  "stablehlo",
];

/**
 * The names that are not called. Most of them would change the whole process: they end or replace objects that the whole thread uses, or
 * register something permanently. `tensorMapKind` returns the factories that core makes views with; core checks the arguments before.
 * ThreadPoolDevice and servePoolWorker start threads; their tests have the wrong values.
 * `becomeShared` takes the number of a control block that the arena has made.
 */
const kLeftOut: ReadonlySet<string> = new Set([
  ...["configureMemory", "enableCpuAllocatorStats", "enableCpuAllocatorFullStats", "disableCpuAllocatorStats", "registerMessageBytes"],
  ...["joinArena", "revokeThread", "defaultAllocator", "cpuAllocator", "tensorMapKind", "tensorMapKindOf"],
  // copyFrom calls it with a list that it has checked.
  "storeList",
  "becomeShared",
  ...["ThreadPoolDevice", "servePoolWorker"],
  // XlaDevice.start starts a process if its options are valid; packages/stablehlo tests invalid ones.
  "start",
]);

/** The classes whose constructor is protected: only their subclasses call it. */
const kAbstract: ReadonlySet<string> = new Set(["TensorBase", "TensorBuffer", "BufferBase"]);

function declarationsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? declarationsIn(path) : entry.name.endsWith(".d.ts") ? [path] : [];
  });
}

/** Answers whether a member of a class is private or protected. */
type IsHidden = (owner: string, member: string) => boolean;

/**
 * Reads from the declarations which members are private or protected. A class that is not declared, such as those that eigen's flatClass
 * makes of others, hides what any class hides.
 */
function hiddenMembers(): IsHidden {
  const hidden = new Set<string>();
  const declared = new Set<string>();
  const anywhere = new Set<string>();
  const packages = new URL("../../../../", import.meta.url).pathname;
  for (const file of kPackages.flatMap((name) => declarationsIn(`${packages}${name}/dist/src`))) {
    let owner = "";
    for (const line of readFileSync(file, "utf8").split("\n")) {
      owner = /^(?:export )?(?:declare )?(?:abstract )?class (\w+)/.exec(line)?.[1] ?? owner;
      const member = /^\s+(?:private|protected) (?:static |abstract |override |readonly |get |set )*\*?(\w+)/.exec(line)?.[1];
      declared.add(owner);
      if (member === undefined) continue;
      hidden.add(`${owner}.${member}`);
      anywhere.add(member);
    }
  }
  return (owner, member) => hidden.has(`${owner}.${member}`) || (!declared.has(owner) && anywhere.has(member));
}

/** The name of the functions that refuse the names of other libraries (base's method-advice.ts). */
const kRefusal = "refuse";

const isClass = (value: unknown): boolean => /^class\b/.test(Function.prototype.toString.call(value));

/** The object and its prototypes, without Object.prototype and Error.prototype. */
function chainOf(object: object): object[] {
  const links: object[] = [];
  for (let link: object | null = object; link !== null && link !== Object.prototype && link !== Error.prototype; ) {
    links.push(link);
    link = Object.getPrototypeOf(link) as object | null;
  }
  return links;
}

/** Yields the calls of all exports. */
function* exportTargets(isHidden: IsHidden): Generator<Target> {
  for (const [name, value] of Object.entries(onebuffer as Keyed)) {
    if (kLeftOut.has(name)) continue;
    if (typeof value === "function" && isClass(value)) {
      const type = value as unknown as (new (...args: readonly unknown[]) => unknown) & Keyed;
      // Constructors of abstract classes do not check their arguments; the subclasses do. JavaScript may call private ones.
      if (!kAbstract.has(name))
        yield {
          name: `new ${name}`,
          arity: Math.max(value.length, 2),
          // Shape's checks what it is given: its own factories have no more to give.
          isPrivate: isHidden(name, "constructor") && name !== "Shape",
          call: (args) => new type(...args),
        };
      for (const key of Object.getOwnPropertyNames(type)) {
        const method = type[key];
        if (key !== "prototype" && typeof method === "function" && !isHidden(name, key))
          yield { name: `${name}.${key}`, arity: method.length, call: (args) => (type[key] as Call)(...args) };
      }
    } else if (typeof value === "function") yield { name, arity: value.length, call: (args) => (value as unknown as Call)(...args) };
    else if (typeof value === "object" && value !== null)
      for (const [key, method] of Object.entries(value as Keyed))
        if (typeof method === "function")
          yield { name: `${name}.${key}`, arity: method.length, call: (args) => ((value as Keyed)[key] as Call)(...args) };
  }
}

/** Calls a method of an object. */
const callOn = (object: Record<PropertyKey, unknown>, key: PropertyKey, args: readonly unknown[]): unknown =>
  Reflect.apply(object[key] as Call, object, args);

/** Yields the calls of all members of the receivers. */
function* receiverTargets(isHidden: IsHidden): Generator<Target> {
  const refused = new Set<PropertyKey>();
  for (const [receiver, make] of receivers) {
    const made = new Made();
    const sample = make(made) as object;
    const links = chainOf(sample);
    const owners = links.flatMap((link) =>
      Object.hasOwn(link, "constructor") ? [(link.constructor as { readonly name: string }).name] : [],
    );
    const seen = new Set<PropertyKey>(["constructor", ...kLeftOut]);
    for (const link of links) {
      for (const key of Reflect.ownKeys(link)) {
        if (seen.has(key) || owners.some((owner) => isHidden(owner, String(key)))) continue;
        seen.add(key);
        const { value, get, set } = Object.getOwnPropertyDescriptor(link, key)!;
        // Members that only refuse a name of another library are the same on every receiver: one call of each is enough.
        if (((value ?? get) as { readonly name?: unknown } | undefined)?.name === kRefusal) {
          if (refused.has(key)) continue;
          refused.add(key);
        }
        const name = `${receiver}: ${String(key)}`;
        const of = (each: Made): Record<PropertyKey, unknown> => make(each) as Record<PropertyKey, unknown>;
        if (typeof value === "function") yield { name, arity: value.length, call: (args, each) => callOn(of(each), key, args) };
        if (get !== undefined) yield { name: `${name} (get)`, arity: 0, isGetter: true, call: (_, each) => of(each)[key] };
        if (set !== undefined) yield { name: `${name} (set)`, arity: 1, call: (args, each) => void (of(each)[key] = args[0]) };
      }
    }
    made.release();
  }
}

/** All calls. */
export function allTargets(): Target[] {
  const isHidden = hiddenMembers();
  return [...exportTargets(isHidden), ...receiverTargets(isHidden)];
}

/**
 * assembler: writes WebAssembly modules (no counterpart in TensorFlow, whose kernels are made by a C++ compiler).
 *
 *     module   types | imports: memory, functions | functions | exports | code
 *     function locals | prologue | body
 *
 * A module imports at most one memory and any number of functions, and exports the functions written in it. Each instruction is encoded as
 * soon as it is written, so a kernel of some hundred instructions takes microseconds. `moduleText` (assembler-listing.ts) lists the same
 * bytes in the text format. The assembler does not validate the code; the engine does.
 */
import { InternalError } from "@onebuffer/base";
import { ByteWriter } from "./assembler-bytes.ts";
import type { Callable, ValueType } from "./assembler-code.ts";
import { CodeWriter, valueTypeBytes } from "./assembler-code.ts";

/** The memory that a module imports. Sizes are in pages of 64 KiB. */
export interface MemoryImport {
  readonly module: string;
  readonly name: string;
  readonly initial: number;
  readonly maximum: number;
  readonly shared: boolean;
}

/** A function that a module imports. */
export interface ImportedFunction extends Callable {
  readonly module: string;
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** A function of a module. Its parameters are the first locals; `local` adds further ones. */
export class WasmFunction implements Callable {
  readonly index: number;
  readonly name: string;
  readonly results: readonly ValueType[];
  /** Code that runs before the body, even if it is written later. Used for constants. */
  readonly prologue: CodeWriter = new CodeWriter();
  readonly body: CodeWriter = new CodeWriter();
  /** The types of the parameters and locals, by index. */
  readonly types: ValueType[] = [];
  /** The names of the parameters and locals, by index, for the listing. */
  readonly names: string[] = [];
  readonly #numParams: number;

  constructor(index: number, name: string, params: Readonly<Record<string, ValueType>>, results: readonly ValueType[]) {
    this.index = index;
    this.name = name;
    this.results = results;
    for (const param in params) this.local(params[param]!, param);
    this.#numParams = this.types.length;
  }

  /** The types of the parameters. */
  get params(): readonly ValueType[] {
    return this.types.slice(0, this.#numParams);
  }

  /** Returns the local of the parameter with this name. Throws INTERNAL if there is none. */
  param(name: string): number {
    const at = this.names.indexOf(name);
    if (at < 0 || at >= this.#numParams) throw new InternalError(`${this.name} has no parameter ${name}`);
    return at;
  }

  /** Returns the locals of the parameters that are named by the keys. Throws INTERNAL if there is no such parameter. */
  paramsOf<Name extends string>(params: Readonly<Record<Name, ValueType>>): Readonly<Record<Name, number>> {
    const locals: Partial<Record<Name, number>> = {};
    for (const name in params) locals[name] = this.param(name);
    return locals as Record<Name, number>;
  }

  /** Adds a local, whose initial value is zero, and returns its index. The name is used by the listing. */
  local(type: ValueType, name: string = ""): number {
    this.names.push(name === "" ? `l${this.types.length}` : this.names.includes(name) ? `${name}.${this.types.length}` : name);
    return this.types.push(type) - 1;
  }

  /** Writes the function in the format of the code section. Throws INTERNAL if a block is still open. */
  writeTo(out: ByteWriter): void {
    if (this.body.depth !== 0 || this.prologue.depth !== 0) throw new InternalError(`${this.name} has blocks without end`);
    const runs = new ByteWriter(32);
    let numRuns = 0;
    for (let i = this.#numParams; i < this.types.length; ) {
      let end = i + 1;
      while (end < this.types.length && this.types[end] === this.types[i]) end++;
      runs.unsigned(end - i);
      runs.byte(valueTypeBytes[this.types[i]!]);
      numRuns++;
      i = end;
    }
    const content = new ByteWriter(this.prologue.length + this.body.length + runs.length + 8);
    content.unsigned(numRuns);
    content.append(runs.bytes());
    content.append(this.prologue.bytes());
    content.append(this.body.bytes());
    content.byte(0x0b);
    out.sized(content);
  }
}

/** A WebAssembly module that functions are added to. */
export class WasmModule {
  readonly memory: MemoryImport | null;
  readonly imports: ImportedFunction[] = [];
  readonly functions: WasmFunction[] = [];

  constructor(memory: MemoryImport | null = null) {
    this.memory = memory;
  }

  /** Imports a function. Throws INTERNAL if the module has a function of its own already, because imports have the lowest indices. */
  importFunction(module: string, name: string, params: readonly ValueType[], results: readonly ValueType[]): ImportedFunction {
    if (this.functions.length > 0) throw new InternalError(`import of ${module}.${name} after the first function`);
    const imported = { index: this.imports.length, module, name, params, results };
    this.imports.push(imported);
    return imported;
  }

  /** Adds a function, which is exported under its name. Its parameters are in the order of the object's keys. */
  function(name: string, params: Readonly<Record<string, ValueType>>, results: readonly ValueType[] = []): WasmFunction {
    const made = new WasmFunction(this.imports.length + this.functions.length, name, params, results);
    this.functions.push(made);
    return made;
  }

  /** Returns the bytes of the module for `new WebAssembly.Module`. Copies: a new array each time. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const out = new ByteWriter(1024);
    out.append([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
    const section = (id: number, count: number, fill: (content: ByteWriter) => void): void => {
      if (count === 0) return;
      const content = new ByteWriter();
      content.unsigned(count);
      fill(content);
      out.byte(id);
      out.sized(content);
    };
    const signatures = [...this.imports, ...this.functions];
    section(1, signatures.length, (content) => {
      for (const { params, results } of signatures) {
        content.byte(0x60);
        for (const types of [params, results]) {
          content.unsigned(types.length);
          for (const type of types) content.byte(valueTypeBytes[type]);
        }
      }
    });
    section(2, this.imports.length + (this.memory === null ? 0 : 1), (content) => {
      for (const { module, name, index } of this.imports) {
        content.name(module);
        content.name(name);
        content.byte(0x00);
        content.unsigned(index);
      }
      if (this.memory === null) return;
      const { module, name, initial, maximum, shared } = this.memory;
      content.name(module);
      content.name(name);
      content.byte(0x02);
      content.byte(shared ? 3 : 1);
      content.unsigned(initial);
      content.unsigned(maximum);
    });
    section(3, this.functions.length, (content) => {
      for (const { index } of this.functions) content.unsigned(index);
    });
    section(7, this.functions.length, (content) => {
      for (const { name, index } of this.functions) {
        content.name(name);
        content.byte(0x00);
        content.unsigned(index);
      }
    });
    section(10, this.functions.length, (content) => {
      for (const each of this.functions) each.writeTo(content);
    });
    return out.bytes().slice();
  }
}

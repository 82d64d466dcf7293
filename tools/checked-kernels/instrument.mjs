// Instruments a WebAssembly module: before every load, store and copy of memory a call of an imported function says which bytes it
// touches. Everything else stays as it is, so what is checked is what the assembler wrote.
//
//     i32.load offset=8        local.tee $a   local.get $a  i32.const 8  i32.const 4  i32.const 17  call $touch   i32.load offset=8
//
// It reads what the assembler of packages/wasm writes: one memory, no tables, blocks without parameters.
import { ByteReader, ByteWriter } from "./bytes.mjs";

/** The types of the locals that are added to every function: two addresses, a length, and a value of each type. */
const kAdded = { first: 0x7f, second: 0x7f, length: 0x7f, i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };
const kI32 = 0x7f;
const kTypes = { type: 1, import: 2, function: 3, export: 7, code: 10 };

/** The bytes of an access, and the type of the value for a store. */
const load = (bytes) => ({ bytes });
const store = (bytes, value) => ({ bytes, value });

/** The memory instructions from opcode 0x28 on: loads of i32, i64, f32, f64 and of parts, then the stores. */
const kPlain = [
  ...[load(4), load(8), load(4), load(8), load(1), load(1), load(2), load(2), load(1), load(1), load(2), load(2), load(4), load(4)],
  ...[store(4, "i32"), store(8, "i64"), store(4, "f32"), store(8, "f64"), store(1, "i32"), store(2, "i32")],
  ...[store(1, "i64"), store(2, "i64"), store(4, "i64")],
];

/** Those with the prefix 0xfd, by number. */
const kVector = new Map([
  ...[[0, load(16)], ...[1, 2, 3, 4, 5, 6].map((number) => [number, load(8)])],
  ...[
    [7, load(1)],
    [8, load(2)],
    [9, load(4)],
    [10, load(8)],
    [11, store(16, "v128")],
    [92, load(4)],
    [93, load(8)],
  ],
  // Lanes: the vector is above the address.
  ...[1, 2, 4, 8].flatMap((bytes, k) => [
    [84 + k, { bytes, value: "v128", isLoad: true }],
    [88 + k, store(bytes, "v128")],
  ]),
]);

/** True for the instructions with the prefix 0xfd on one lane. */
const isLane = (number) => number >= 21 && number <= 34;

/**
 * Returns the instrumented bytes of a module and its sites: for each memory instruction the function with its code and number of locals,
 * the index of the instruction in the function, its bytes, and whether it stores. `module` and `name` are those of the import: a function of
 * the address, the offset, the number of bytes and the number of the site.
 */
export function instrumented(bytes, module, name) {
  const reader = new ByteReader(bytes);
  const out = new ByteWriter();
  out.raw(reader.take(8));
  const sites = [];
  const facts = { params: [], functionTypes: [], imports: 0, names: new Map(), touchType: 0 };
  while (!reader.isDone) {
    const id = reader.byte();
    const content = new ByteReader(reader.take(reader.unsigned()));
    const written = new ByteWriter();
    if (id === kTypes.type) writeTypes(content, written, facts);
    else if (id === kTypes.import) writeImports(content, written, facts, module, name);
    else if (id === kTypes.function) {
      const count = content.unsigned();
      written.unsigned(count);
      for (let k = 0; k < count; k++) facts.functionTypes.push(written.unsigned(content.unsigned()));
    } else if (id === kTypes.export) writeExports(content, written, facts);
    else if (id === kTypes.code) writeCode(content, written, facts, sites);
    else written.raw(content.rest());
    out.byte(id);
    out.sized(written);
  }
  return { bytes: out.bytes(), sites };
}

function writeTypes(content, written, facts) {
  const count = content.unsigned();
  written.unsigned(count + 1);
  for (let k = 0; k < count; k++) {
    written.byte(content.byte());
    facts.params.push(written.unsigned(content.unsigned()));
    written.raw(content.take(facts.params[k]));
    written.raw(content.take(written.unsigned(content.unsigned())));
  }
  facts.touchType = count;
  written.raw([0x60, 4, kI32, kI32, kI32, kI32, 0]);
}

function writeImports(content, written, facts, module, name) {
  const count = content.unsigned();
  written.unsigned(count + 1);
  const rest = [];
  for (let k = 0; k < count; k++) {
    const each = new ByteWriter();
    each.text(content.text());
    each.text(content.text());
    const kind = each.byte(content.byte());
    if (kind === 0) {
      each.unsigned(content.unsigned());
      facts.imports++;
    } else {
      const limits = each.byte(content.byte());
      each.unsigned(content.unsigned());
      if ((limits & 1) === 1) each.unsigned(content.unsigned());
    }
    rest.push(each);
  }
  for (const each of rest) written.raw(each.bytes());
  // The last imported function: those before it keep their numbers.
  written.text(module);
  written.text(name);
  written.byte(0);
  written.unsigned(facts.touchType);
}

/** The number of a function after the import of one more. */
const moved = (index, { imports }) => (index < imports ? index : index + 1);

function writeExports(content, written, facts) {
  const count = written.unsigned(content.unsigned());
  for (let k = 0; k < count; k++) {
    const name = written.text(content.text());
    const kind = written.byte(content.byte());
    const index = content.unsigned();
    written.unsigned(kind === 0 ? moved(index, facts) : index);
    if (kind === 0) facts.names.set(index, name);
  }
}

function writeCode(content, written, facts, sites) {
  const count = written.unsigned(content.unsigned());
  for (let k = 0; k < count; k++) {
    const body = new ByteReader(content.take(content.unsigned()));
    const made = new ByteWriter();
    const runs = body.unsigned();
    made.unsigned(runs + Object.keys(kAdded).length);
    let locals = facts.params[facts.functionTypes[k]];
    for (let r = 0; r < runs; r++) {
      locals += made.unsigned(body.unsigned());
      made.byte(body.byte());
    }
    const at = {};
    Object.entries(kAdded).forEach(([local, type], n) => {
      made.raw([1, type]);
      at[local] = locals + n;
    });
    const name = facts.names.get(facts.imports + k) ?? `function ${k}`;
    // Without the last `end`, which is that of the function.
    const code = body.between(body.at, body.length - 1);
    const note = (site) => sites.push({ function: name, code, locals, ...site }) - 1;
    writeInstructions(body, made, at, facts, note);
    written.sized(made);
  }
}

const set = (out, local) => out.raw([0x21]) ?? out.unsigned(local);
const get = (out, local) => out.raw([0x20]) ?? out.unsigned(local);
const constant = (out, value) => out.raw([0x41]) ?? out.signed(value);

/** Writes the call that tells the bytes of an access; the address is in a local. */
function writeTouch(out, facts, address, offset, pushBytes, site) {
  get(out, address);
  constant(out, offset | 0);
  pushBytes();
  constant(out, site);
  out.byte(0x10);
  out.unsigned(facts.imports);
}

function writeInstructions(body, out, at, facts, note) {
  for (let number = 0; !body.isDone; number++) {
    const start = body.at;
    const opcode = body.byte();
    const prefixed = opcode >= 0xfc && opcode <= 0xfe ? body.unsigned() : -1;
    const access = opcode >= 0x28 && opcode <= 0x3e ? kPlain[opcode - 0x28] : opcode === 0xfd ? kVector.get(prefixed) : undefined;
    if (access !== undefined) {
      body.unsigned();
      const offset = body.unsigned();
      if (opcode === 0xfd && prefixed >= 84 && prefixed <= 91) body.byte();
      const site = note({ number, bytes: access.bytes, stores: access.value !== undefined && access.isLoad !== true });
      if (access.value !== undefined) set(out, at[access.value]);
      set(out, at.first);
      writeTouch(out, facts, at.first, offset, () => constant(out, access.bytes), site);
      get(out, at.first);
      if (access.value !== undefined) get(out, at[access.value]);
    } else if (opcode === 0xfc && (prefixed === 10 || prefixed === 11)) {
      body.take(prefixed === 10 ? 2 : 1);
      set(out, at.length);
      set(out, at.second);
      set(out, at.first);
      const length = () => get(out, at.length);
      writeTouch(out, facts, at.first, 0, length, note({ number, bytes: 0, stores: true }));
      if (prefixed === 10) writeTouch(out, facts, at.second, 0, length, note({ number, bytes: 0, stores: false }));
      for (const local of [at.first, at.second, at.length]) get(out, local);
    } else skipImmediates(body, opcode, prefixed);
    if (opcode === 0x10) {
      out.byte(0x10);
      const call = new ByteReader(body.between(start + 1, body.at));
      out.unsigned(moved(call.unsigned(), facts));
    } else out.raw(body.between(start, body.at));
  }
}

function skipImmediates(body, opcode, prefixed) {
  if (opcode >= 0x02 && opcode <= 0x04) body.byte();
  else if (opcode === 0x0c || opcode === 0x0d || opcode === 0x10 || (opcode >= 0x20 && opcode <= 0x24)) body.unsigned();
  else if (opcode === 0x3f || opcode === 0x40) body.byte();
  else if (opcode === 0x41 || opcode === 0x42) body.skipSigned();
  else if (opcode === 0x43) body.take(4);
  else if (opcode === 0x44) body.take(8);
  else if (opcode === 0xfd && (prefixed === 12 || prefixed === 13)) body.take(16);
  else if (opcode === 0xfd && isLane(prefixed)) body.byte();
  else if (opcode === 0xfe) {
    body.unsigned();
    body.unsigned();
  }
}

/**
 * sortLines: sorts lines of keys with their places in memory, by a bitonic network: equal keys keep their order, because places decide.
 *
 *     keys     3 1 2 | 9 7 8         3 words a line
 *     places   1 2 0 | 1 2 0         after it
 *
 * A line counts as one of 2^n elements, of which those behind its end are larger than all others. Every exchange puts the smaller one
 * first, so these never move and need no memory. Steps within blocks of 1,024 elements run in workgroup memory, those across blocks one
 * dispatch each.
 */
import type { StepWriter } from "../step/step-writer.ts";
import { Shader } from "../wgsl/shader.ts";
import type { Dispatch } from "../wgsl/shader.ts";

/** The elements of a block in workgroup memory, and the invocations of a workgroup. */
const kBlock = 1024;
const kInvocations = 256;

/** Keys, compared as unsigned words, and the place of each in its line. */
export interface KeyLines {
  readonly keys: number;
  readonly places: number;
  readonly lines: number;
  readonly width: number;
}

/** A comparison across blocks: of elements whose numbers differ in `flip`, and of which the first has no `bit`. */
interface Exchange {
  readonly bit: number;
  readonly flip: number;
}

/** Adds the commands that sort lines. */
export function sortLines(writer: StepWriter, rows: KeyLines): void {
  const padded = 2 ** Math.ceil(Math.log2(Math.max(rows.width, 1)));
  writer.dispatch(blockDispatch(rows, padded, [2, Math.min(padded, kBlock)], true));
  for (let size = kBlock * 2; size <= padded; size *= 2) {
    writer.dispatch(exchangeDispatch(rows, padded, { bit: size / 2, flip: size - 1 }));
    for (let bit = size / 4; bit >= kBlock; bit /= 2) writer.dispatch(exchangeDispatch(rows, padded, { bit, flip: bit }));
    writer.dispatch(blockDispatch(rows, padded, [kBlock, kBlock], false));
  }
}

/** Sorts blocks, for sizes from the first to the last one; without `mirrors` it merges what is in order across blocks already. */
function blockDispatch(
  { keys, places, lines, width }: KeyLines,
  padded: number,
  [from, to]: readonly [number, number],
  mirrors: boolean,
): Dispatch {
  const shader = new Shader();
  const { source } = shader;
  shader.declare(`var<workgroup> block_keys: array<u32, ${kBlock}>;`);
  shader.declare(`var<workgroup> block_places: array<u32, ${kBlock}>;`);
  const [keyBuffer, placeBuffer] = [shader.buffer(keys, "write"), shader.buffer(places, "write")];
  const [log, mask] = [shader.word(Math.log2(padded)), shader.word(padded - 1)];
  const [lineCount, size] = [shader.word(lines), shader.word(width)];
  const [first, last, mirror] = [shader.word(from), shader.word(to), shader.word(mirrors ? 1 : 0)];
  const eachElement = (body: (inside: string) => void): void => {
    source.open(`for (var s = t; s < ${kBlock}; s += ${kInvocations}) {`);
    source.line(`let element = group * ${kBlock} + s;`);
    source.line(`let line = element >> u32(${log});`);
    source.line(`let at = line * ${size} + (element & ${mask});`);
    body(`line < ${lineCount} && (element & ${mask}) < ${size}`);
    source.close();
  };
  eachElement((inside) => {
    source.line("block_keys[s] = 0xffffffffu;");
    source.line("block_places[s] = 0xffffffffu;");
    source.open(`if (${inside}) {`);
    source.line(`block_keys[s] = ${keyBuffer}[at];`);
    source.line(`block_places[s] = ${placeBuffer}[at];`);
    source.close();
  });
  source.line("workgroupBarrier();");
  source.open(`for (var k = ${first}; k <= ${last}; k = k << 1u) {`);
  source.open("for (var j = k >> 1u; j > 0; j = j >> 1u) {");
  source.line(`let flip = select(j, k - 1, ${mirror} != 0 && j == (k >> 1u));`);
  source.open(`for (var pair = t; pair < ${kBlock / 2}; pair += ${kInvocations}) {`);
  source.line("let low = ((pair & ~(j - 1)) << 1u) | (pair & (j - 1));");
  exchange(shader, "block_keys", "block_places", "low", "(low ^ flip)");
  source.close();
  source.line("workgroupBarrier();");
  source.close();
  source.close();
  eachElement((inside) => {
    source.open(`if (${inside}) {`);
    source.line(`${keyBuffer}[at] = block_keys[s];`);
    source.line(`${placeBuffer}[at] = block_places[s];`);
    source.close();
  });
  return shader.dispatch("sort", kInvocations, Math.ceil((lines * padded) / kBlock));
}

/** Compares all pairs of elements of one distance, and exchanges those that are not in order. */
function exchangeDispatch({ keys, places, lines, width }: KeyLines, padded: number, { bit, flip }: Exchange): Dispatch {
  const shader = new Shader();
  const { source } = shader;
  const [keyBuffer, placeBuffer] = [shader.buffer(keys, "write"), shader.buffer(places, "write")];
  const [log, mask, size] = [shader.word(Math.log2(padded)), shader.word(padded - 1), shader.word(width)];
  const [below, flipped, pairs] = [shader.word(bit - 1), shader.word(flip), shader.word((lines * padded) / 2)];
  source.open(`if (thread < ${pairs}) {`);
  source.line(`let first = ((thread & ~${below}) << 1u) | (thread & ${below});`);
  source.line(`let second = first ^ ${flipped};`);
  source.open(`if ((second & ${mask}) < ${size}) {`);
  source.line(`let start = (first >> u32(${log})) * ${size};`);
  source.line(`let low = start + (first & ${mask});`);
  source.line(`let high = start + (second & ${mask});`);
  exchange(shader, keyBuffer, placeBuffer, "low", "high");
  source.close();
  source.close();
  return shader.dispatch("exchange", kInvocations, Math.ceil((lines * padded) / 2 / kInvocations));
}

/** Puts the smaller one of two elements first: by key, then by place. */
function exchange({ source }: Shader, keys: string, places: string, low: string, high: string): void {
  source.line(`let key_low = ${keys}[${low}];`);
  source.line(`let key_high = ${keys}[${high}];`);
  source.line(`let place_low = ${places}[${low}];`);
  source.line(`let place_high = ${places}[${high}];`);
  source.open("if (key_high < key_low || (key_high == key_low && place_high < place_low)) {");
  source.line(`${keys}[${low}] = key_high;`);
  source.line(`${keys}[${high}] = key_low;`);
  source.line(`${places}[${low}] = place_high;`);
  source.line(`${places}[${high}] = place_low;`);
  source.close();
}

// Kernels' texts without their indentation, which separates words and nothing else (packages/wasm, assembler-text). A page loads them as
// part of the library, and compilers keep every character of a template literal.
const kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The first number of a line of a source map, in base 64 digits of five bits of which the lowest has the sign, and the digits behind it. */
function firstNumber(line) {
  let [bits, at, shift] = [0, 0, 0];
  for (; at < line.length; shift += 5) {
    const digit = kDigits.indexOf(line[at++]);
    bits |= (digit & 31) << shift;
    if (digit < 32) break;
  }
  return { value: bits >> 1, rest: line.slice(at) };
}

/** The digits of a number that is not negative. */
function digitsOf(value) {
  let [text, bits] = ["", value << 1];
  for (; bits > 31; bits >>>= 5) text += kDigits[(bits & 31) | 32];
  return text + kDigits[bits];
}

/**
 * Removes the indentation of the lines of template literals: of those with an odd number of backticks before them, so a line of code may
 * lose its indentation, too. The columns of the map move with the lines; a line stays as it is if its indentation has a place in the map.
 */
export function withDenseText(code, map) {
  const parsed = JSON.parse(map);
  const places = parsed.mappings.split(";");
  let isText = false;
  const lines = code.split("\n").map((line, i) => {
    const indentation = isText ? /^ */.exec(line)[0].length : 0;
    if (line.split("`").length % 2 === 0) isText = !isText;
    const place = places[i] ?? "";
    const { value, rest } = firstNumber(place);
    if (indentation === 0 || (place !== "" && value < indentation)) return line;
    if (place !== "") places[i] = digitsOf(value - indentation) + rest;
    return line.slice(indentation);
  });
  return { code: lines.join("\n"), map: JSON.stringify({ ...parsed, mappings: places.join(";") }) };
}

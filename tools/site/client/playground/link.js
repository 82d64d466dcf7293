// The part of an address after `#`: the name of an example, or a whole program, compressed.
//
//   #example=docs/loops.md:1      the first example of a page
//   #code=…                       a program

/** Passes bytes through a stream. */
async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Returns the part of an address that carries a program. */
export async function hashOf(code) {
  const bytes = await through(new TextEncoder().encode(code), new CompressionStream("deflate-raw"));
  const text = btoa(String.fromCharCode(...bytes));
  return `#code=${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Returns the program that an address carries. Throws if it is damaged. */
export async function codeOf(hash) {
  const text = hash.slice("#code=".length).replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

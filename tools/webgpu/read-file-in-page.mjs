// The part of node:fs that the cases of interop use, in a page: a file of the server, read at once.

/** Returns the text of a file. */
export function readFileSync(url) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.send();
  if (request.status !== 200) throw new Error(`${url}: ${request.status}`);
  return request.responseText;
}

// What the comments of an example say, as assertions: used for the tests of examples and for the page that ships in the tarball.
//
//   EXPR; // => EXPECTED      becomes   expect(EXPR).toEqual(EXPECTED);
//   EXPR; // throws CODE      becomes   an assertion that a StatusError of that code is thrown

/** One line of an example as a line of the test. */
export function asAssertion(line) {
  const value = /^(\s*)(.*?);?\s*\/\/ => (.*)$/.exec(line);
  if (value) {
    const [, indent, expression, expected] = value;
    const declared = /^(?:const|let|using)\s+(\w+)\s*(?::[^=]+)?=/.exec(expression);
    if (declared) return `${indent}${expression}; expect(${declared[1]}).toEqual(${expected});`;
    return `${indent}expect(${expression}).toEqual(${expected});`;
  }
  const thrown = /^(\s*)(.*?);?\s*\/\/ throws ([A-Z_]+)$/.exec(line);
  if (thrown) {
    const [, indent, expression, code] = thrown;
    return `${indent}await expectStatus(async () => { ${expression}; }, "${code}");`;
  }
  return line;
}

// To be imported before the library: for properties named so, Node looks like a host without modules of its own.
if (process.argv[2]?.startsWith("in a browser")) Reflect.deleteProperty(process, "getBuiltinModule");
export {};

// Import this before the library. For properties whose name begins with "in a browser" it makes Node look like a host without Node's
// modules.
if (process.argv[2]?.startsWith("in a browser")) Reflect.deleteProperty(process, "getBuiltinModule");
export {};
